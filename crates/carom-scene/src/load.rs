//! Reads a scene from a text.
//!
//! The text becomes a tree in which every word has its position (`tree`). Replaced values (`--set`) edit the tree (`set`).
//! Parameters turn expressions into numbers (`parameter`). Included parts and patterns are written out (`expand`). One table of keys (`tables`) defines what is allowed and turns
//! the tree into values (`read`). From these the model is made (`build`). An error of any stage shows the value at fault
//! (`error`, `blame`).

use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::error::{Problem, SceneError, Source};
use crate::fields::Fields;
use crate::keys::{PARAMETER, Table};
use crate::own::Own;
use crate::parameter::{Known, Parameter};
use crate::read::ReadScene;
use crate::scene::{Scene, SceneText};
use crate::text::Format;
use crate::tree::{Member, Node, Value};
use crate::{build, expand, file, parameter, read, set, text};

impl Scene {
    /// Reads a file, with some values replaced (`path=value`).
    ///
    /// The file's ending gives its format, `.toml` or `.json`; with another ending it is JSON if the text begins with `{`, else
    /// TOML.
    ///
    /// ```
    /// use carom_scene::Scene;
    /// let error = Scene::from_file("no-such-scene.toml".as_ref(), &[]).unwrap_err();
    /// assert_eq!(error.message(), "there is no file `no-such-scene.toml`");
    /// ```
    pub fn from_file(path: &Path, set: &[String]) -> Result<Scene, SceneError> {
        let (text, format) = Scene::text_of(path)?;
        Scene::from_text(&text, format, &path.display().to_string(), set)
    }

    /// Reads the text of a file and finds its format.
    pub fn text_of(path: &Path) -> Result<(String, Format), SceneError> {
        let text = file::read(path).map_err(|p| p.with(&[]))?;
        let format = file::format(path, &text);
        Ok((text, format))
    }

    /// Reads a scene from a text, with some values replaced (`path=value`); `name` is the name of the text in messages.
    ///
    /// ```
    /// use carom_scene::{Format, Scene};
    /// let text = r#"
    ///     [run]
    ///     duration = "1 s"
    ///     [[body]]
    ///     name = "ball"
    ///     density = "7.85 g/cm^3"
    ///     [[body.surface]]
    ///     type = "sphere"
    ///     radius = "20 mm"
    /// "#;
    /// let scene = Scene::from_text(text, Format::Toml, "ball.toml", &["run/rtol=1e-10".to_owned()])?;
    /// assert_eq!((scene.duration, scene.rtol), (1.0, 1e-10));
    /// let run = scene.simulation().run()?;
    /// assert!((run.end.body("ball").unwrap().position.z + 4.905).abs() < 1e-8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_text(text: &str, format: Format, name: &str, set: &[String]) -> Result<Scene, SceneError> {
        Scene::from_text_with(text, format, name, set, &Own::default())
    }

    /// Reads a scene from a text, with some values replaced (`path=value`), and with user-defined laws, forces, surfaces and
    /// curves that the program supplies: see [`Own`].
    pub fn from_text_with(
        text: &str,
        format: Format,
        name: &str,
        set: &[String],
        own: &Own,
    ) -> Result<Scene, SceneError> {
        let mut sources = vec![Source::new(name, text)];
        let read =
            parse(text, format, name).and_then(|tree| read_scene(tree, None, name, set, own, &mut sources));
        read.map_err(|p| p.with(&sources))
    }

    /// Returns the scene written out, in TOML: parts, patterns and forces between groups as the tables that they stand for,
    /// and computed values as numbers in SI units. Reading it gives the same scene.
    ///
    /// ```
    /// use carom_scene::{Format, Scene};
    /// let text = r#"
    ///     [run]
    ///     duration = "1 s"
    ///     [[body]]
    ///     name = "ball1"
    ///     mass = 1
    ///     inertia = [1, 1, 1]
    ///     [[pattern]]
    ///     type = "linear"
    ///     of = "ball1"
    ///     count = 3
    ///     step = ["10 mm", 0, 0]
    /// "#;
    /// let out = Scene::written_out(text, Format::Toml, "row.toml", &[])?;
    /// assert!(out.contains("name = \"ball3\"") && out.contains("position = [0.02, 0, 0]"));
    /// # Ok::<(), carom_scene::SceneError>(())
    /// ```
    pub fn written_out(text: &str, format: Format, name: &str, set: &[String]) -> Result<String, SceneError> {
        let mut sources = vec![Source::new(name, text)];
        let write = |sources: &mut Vec<Source>| {
            let (mut tree, later) = replaced(parse(text, format, name)?, name, set, sources)?;
            let known = expand::scene(&mut tree, folder_of(name), sources)?;
            set_later(&mut tree, &later)?;
            Ok(text::toml::written(&with_parameters(&tree, &known)))
        };
        write(&mut sources).map_err(|p: Problem| p.with(&sources))
    }
}

/// The text of a scene, parsed once, of which scenes are read with other values: what a study does thousands of times.
///
/// ```
/// use carom_scene::{Format, Own, Template};
/// let text = r#"
///     [run]
///     duration = "1 s"
///     [[body]]
///     name = "ball"
///     mass = 1
///     inertia = [1, 1, 1]
/// "#;
/// let template = Template::new(text, Format::Toml, "ball.toml")?;
/// let scene = template.scene(&["body/ball/mass=2".to_owned()], &Own::default())?;
/// assert_eq!(scene.model.mass("ball"), Some(2.0));
/// # Ok::<(), carom_scene::SceneError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Template {
    name: String,
    source: Source,
    tree: Node,
    first: OnceLock<ReadScene>,
}

impl Template {
    /// Parses the text of a scene; `name` is the name of the text in messages, and gives the folder of files that it refers to.
    pub fn new(text: &str, format: Format, name: &str) -> Result<Template, SceneError> {
        let source = Source::new(name, text);
        match parse(text, format, name) {
            Ok(tree) => Ok(Template { name: name.to_owned(), source, tree, first: OnceLock::new() }),
            Err(problem) => Err(problem.with(&[source])),
        }
    }

    /// Reads the scene with some values replaced (`path=value`), and with user-defined laws, forces, surfaces and curves.
    pub fn scene(&self, set: &[String], own: &Own) -> Result<Scene, SceneError> {
        let mut sources = vec![self.source.clone()];
        let first = Some(&self.first);
        read_scene(self.tree.clone(), first, &self.name, set, own, &mut sources).map_err(|p| p.with(&sources))
    }

    /// Checks whether values can be replaced at these paths. It does not check whether the scene is valid with them.
    pub fn check_paths(&self, set: &[String]) -> Result<(), SceneError> {
        let mut sources = vec![self.source.clone()];
        let check = |sources: &mut Vec<Source>| {
            let (mut tree, later) = replaced(self.tree.clone(), &self.name, set, sources)?;
            match later.is_empty() {
                true => Ok(()),
                false => expand::scene(&mut tree, folder_of(&self.name), sources)
                    .and_then(|_| set_later(&mut tree, &later)),
            }
        };
        check(&mut sources).map_err(|p| p.with(&sources))
    }
}

/// Reads a text other than a scene, in TOML, with the given table of keys. Parameters, units and errors work as in scenes.
/// `name` is the name of the text in messages. `make` turns the values into the result, or returns an error about them.
///
/// ```
/// use carom_scene::keys::{Form, Key, PLAIN, Table};
/// static LIST: Table = Table { title: "list", keys: &[Key::required("title", Form::Text, "its head")], ..PLAIN };
/// let title = carom_scene::read_by_keys("a.toml", "title = \"T\"", &LIST, |f| Ok(f.text("title").map(str::to_owned)))?;
/// assert_eq!(title.as_deref(), Some("T"));
/// let error = carom_scene::read_by_keys("a.toml", "titel = \"T\"", &LIST, |_| Ok(())).unwrap_err();
/// assert!(error.to_string().contains("did you mean `title`?"));
/// # Ok::<(), carom_scene::SceneError>(())
/// ```
pub fn read_by_keys<T>(
    name: &str,
    text: &str,
    table: &'static Table,
    make: impl FnOnce(&Fields) -> Result<T, Problem>,
) -> Result<T, SceneError> {
    let sources = [Source::new(name, text)];
    let read = || {
        let mut tree = text::toml::parse(text)?;
        parameter::apply(&mut tree)?;
        make(&read::whole(table, &tree)?)
    };
    read().map_err(|p: Problem| p.with(&sources))
}

/// Parses the text into a tree.
fn parse(text: &str, format: Format, name: &str) -> Result<Node, Problem> {
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(file::empty(name));
    }
    match format {
        Format::Toml => text::toml::parse(text),
        Format::Json => text::json::parse(text),
    }
}

/// Replaces the values in the tree of a text, and reads the parts that it includes. Returns the replacements
/// that are of bodies, joints and others that parts and patterns bring, which are made once those are there.
fn replaced(
    mut tree: Node,
    name: &str,
    set: &[String],
    sources: &mut Vec<Source>,
) -> Result<(Node, Vec<Later>), Problem> {
    let mut later = Vec::new();
    for set in set {
        sources.push(set::source(set));
        let source = sources.len() - 1;
        match set::apply(&mut tree, set, source) {
            Err(_) if expand::is_needed(&tree) && !set.starts_with(PARAMETER) => {
                later.push(Later { set: set.clone(), source });
            }
            outcome => outcome?,
        }
    }
    expand::embed(&mut tree, Path::new(name), sources)?;
    Ok((tree, later))
}

/// Returns the folder of a file.
fn folder_of(name: &str) -> &Path {
    Path::new(name).parent().unwrap_or(Path::new(""))
}

/// A replaced value of something that a part or a pattern brings.
struct Later {
    set: String,
    source: usize,
}

fn set_later(tree: &mut Node, later: &[Later]) -> Result<(), Problem> {
    later.iter().try_for_each(|l| set::apply(tree, &l.set, l.source))
}

/// Returns a tree with the parameters that were taken out of it, as numbers: expressions of the time may use them.
fn with_parameters(tree: &Node, known: &Known) -> Node {
    let mut out = tree.clone();
    let at = tree.span.clone();
    let number = |k: &Parameter| {
        let value = match k.dimension {
            Some(dimension) => Value::Computed { value: k.value, dimension, text: k.value.to_string() },
            None => Value::Number(k.value),
        };
        Member { key: k.name.clone(), key_span: at.clone(), value: Node { span: at.clone(), value } }
    };
    if !known.is_empty() {
        out.set(PARAMETER, Value::Table(known.iter().map(number).collect()), &at);
    }
    out
}

/// Reads the scene of a tree with some values replaced. Of `first`, the first scene that was read of a template, it takes the tables that are the same.
fn read_scene(
    tree: Node,
    first: Option<&OnceLock<ReadScene>>,
    name: &str,
    set: &[String],
    own: &Own,
    sources: &mut Vec<Source>,
) -> Result<Scene, Problem> {
    let (mut tree, later) = replaced(tree, name, set, sources)?;
    let mut source = tree.clone();
    let known = expand::scene(&mut tree, folder_of(name), sources)?;
    if !later.is_empty() {
        set_later(&mut tree, &later)?;
        source = with_parameters(&tree, &known);
    }
    let mut fields = match first.and_then(OnceLock::get) {
        Some(first) => read::scene_like(first, &tree)?,
        None => read::scene(&tree)?,
    };
    if let Some(first) = first {
        first.get_or_init(|| ReadScene { tree, fields: fields.clone() });
    }
    parameter::put_in(&mut fields, &known)?;
    parameter::check_inputs(&fields, &known)?;
    let stem = Path::new(name).file_stem().map(|s| s.to_string_lossy().into_owned());
    let source =
        SceneText { title: String::new(), tree: Arc::new(source), folder: folder_of(name).to_owned() };
    let scene = build::scene(&fields, stem.as_deref().unwrap_or(name), source, own)?;
    Ok(Scene { parameters: known.into_iter().map(|p| (p.name, p.value)).collect(), ..scene })
}
