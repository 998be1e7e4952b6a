//! Reads a scene from a text.
//!
//! The text becomes a tree in which every word has its position (`tree`). Replaced values (`--set`) edit the tree (`set`).
//! Parameters turn expressions into numbers (`parameter`). One table of keys (`tables`) defines what is allowed and turns
//! the tree into values (`read`). From these the model is made (`build`). An error of any stage shows the value at fault
//! (`error`, `blame`).

use std::path::Path;

use crate::error::{Problem, SceneError, Source};
use crate::fields::Fields;
use crate::keys::Table;
use crate::own::Own;
use crate::scene::{Scene, SceneText};
use crate::text::Format;
use crate::tree::Node;
use crate::{build, file, parameter, read, set, text};

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
        let mut sources = vec![Source { name: name.to_owned(), text: text.to_owned() }];
        read_scene(text, format, name, set, own, &mut sources).map_err(|p| p.with(&sources))
    }

    /// Checks whether values can be replaced at these paths. It does not check whether the scene is valid with them.
    pub fn check_paths(text: &str, format: Format, name: &str, set: &[String]) -> Result<(), SceneError> {
        let mut sources = vec![Source { name: name.to_owned(), text: text.to_owned() }];
        tree(text, format, name, set, &mut sources).map(|_| ()).map_err(|p| p.with(&sources))
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
    let sources = [Source { name: name.to_owned(), text: text.to_owned() }];
    let read = || {
        let mut tree = text::toml::parse(text)?;
        parameter::apply(&mut tree)?;
        make(&read::whole(table, &tree)?)
    };
    read().map_err(|p: Problem| p.with(&sources))
}

/// Parses the text into a tree and replaces the values in it.
fn tree(
    text: &str,
    format: Format,
    name: &str,
    set: &[String],
    sources: &mut Vec<Source>,
) -> Result<Node, Problem> {
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(file::empty(name));
    }
    let mut tree = match format {
        Format::Toml => text::toml::parse(text)?,
        Format::Json => text::json::parse(text)?,
    };
    for set in set {
        sources.push(set::source(set));
        set::apply(&mut tree, set, sources.len() - 1)?;
    }
    Ok(tree)
}

fn read_scene(
    text: &str,
    format: Format,
    name: &str,
    set: &[String],
    own: &Own,
    sources: &mut Vec<Source>,
) -> Result<Scene, Problem> {
    let mut tree = tree(text, format, name, set, sources)?;
    let source = text::json::written(&tree);
    let known = parameter::apply(&mut tree)?;
    let mut fields = read::scene(&tree)?;
    parameter::put_in(&mut fields, &known)?;
    let stem = Path::new(name).file_stem().map(|s| s.to_string_lossy().into_owned());
    let folder = Path::new(name).parent().unwrap_or(Path::new("")).to_owned();
    let source = SceneText { json: source, folder };
    let scene = build::scene(&fields, stem.as_deref().unwrap_or(name), source, own)?;
    Ok(Scene { parameters: known.into_iter().map(|p| (p.name, p.value)).collect(), ..scene })
}
