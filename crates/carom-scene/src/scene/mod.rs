//! A scene: what a file says, checked, in SI units.
//!
//! A text becomes a tree in which every word has its place (`tree`); replaced values (`--set`) edit the tree
//! (`set`); parameters put numbers where there are expressions (`parameter`); one table of keys (`tables`) says what is allowed, and turns the tree into values (`read`); from
//! these the model is made (`build`). An error of any stage shows its own value (`error`, `blame`).

mod blame;
mod build;
mod clearance_tables;
mod drive;
pub(crate) mod error;
mod field_tables;
pub(crate) mod fields;
mod file;
mod force_tables;
mod joint_tables;
pub(crate) mod keys;
mod law_tables;
mod names;
pub(crate) mod own;
pub(crate) mod parameter;
mod plot_tables;
pub(crate) mod read;
pub(crate) mod reference;
mod run_tables;
mod schema;
mod set;
mod solver_tables;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
pub(crate) mod text;
pub(crate) mod tree;
pub(crate) mod units;
mod value;
mod wear_tables;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom::base::Pose;
use carom::geometry::mesh::Mesh;
use carom::{Analysis, Cycle, Distance, Model, Output, Simulation, Stabilisation, Start};

use crate::plot::{Names, Plot};
pub use error::SceneError;
use error::{Problem, Source};
pub use own::Own;
pub use reference::reference;
pub use schema::schema;
pub(crate) use set::same as same_setting;
use tree::Node;

/// A scene that was read and checked.
#[derive(Debug)]
pub struct Scene {
    /// its title; the file's name where it has none
    pub title: String,
    /// bodies, surfaces, materials, contacts
    pub model: Model,
    /// \[s\]
    pub duration: f64,
    /// what is asked
    pub analysis: Analysis,
    /// where the bodies start
    pub start: Start,
    /// integration method
    pub method: String,
    /// relative tolerance
    pub rtol: f64,
    /// absolute tolerance, in the model's scales
    pub atol: f64,
    /// fixed or first step \[s\]
    pub step: Option<f64>,
    /// the longest step \[s\]
    pub max_step: Option<f64>,
    /// whether steps land on touches and releases
    pub locate_contacts: bool,
    /// what keeps joints from drifting
    pub stabilisation: Stabilisation,
    /// when frames are recorded
    pub output: Output,
    /// points whose motion is recorded
    pub probes: Vec<Probe>,
    /// distances that are recorded
    pub distances: Vec<Distance>,
    /// its parameters by name, in their order, in SI units
    pub parameters: Vec<(String, f64)>,
    /// figures that every run draws
    pub plots: Vec<Plot>,
    /// quantities that its run will have
    pub(crate) names: Names,
    /// what is drawn of bodies beside their surfaces
    pub decorations: Vec<Decoration>,
    /// what it was read from
    pub source: SceneText,
}

/// What a scene was read from.
#[derive(Clone, PartialEq)]
pub struct SceneText {
    /// as it was read, values replaced (`--set`): JSON that reads to the same scene
    pub json: serde_json::Value,
    /// what files that it names are relative to
    pub folder: PathBuf,
}

impl std::fmt::Debug for SceneText {
    /// Nothing but its name: what it says is in the scene.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SceneText")
    }
}

/// A shape on a body that is drawn and touches nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoration {
    /// the body's name
    pub body: String,
    /// the file, as the scene names it
    pub file: String,
    /// what is in the file, in its own units
    pub mesh: Arc<Mesh>,
    /// metres a unit of the file
    pub scale: f64,
    /// where it is on the body
    pub pose: Pose,
}

/// A point on a body whose motion is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// its columns are called NAME.x, NAME.y …
    pub name: String,
    /// the body's place among the moving bodies of the model
    pub body: usize,
    /// in the body's frame, from its reference point \[m\]
    pub point: [f64; 3],
}

/// The language a scene is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML
    Toml,
    /// JSON
    Json,
}

impl Scene {
    /// Reads a file, with some values replaced (`path=value`).
    ///
    /// The language is that of its ending, `.toml` or `.json`; for others, JSON if the text begins with `{`.
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

    /// The text of a file, and the language it is in.
    pub fn text_of(path: &Path) -> Result<(String, Format), SceneError> {
        let text = file::read(path).map_err(|p| p.with(&[]))?;
        let format = file::format(path, &text);
        Ok((text, format))
    }

    /// Reads a text, with some values replaced (`path=value`); `name` is what messages call it.
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

    /// The same, with laws, forces and drives that a program gives: see [`Own`].
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

    /// Whether values can be replaced at these paths: whether the scene is right with them is not asked.
    pub(crate) fn check_paths(
        text: &str,
        format: Format,
        name: &str,
        set: &[String],
    ) -> Result<(), SceneError> {
        let mut sources = vec![Source { name: name.to_owned(), text: text.to_owned() }];
        tree(text, format, name, set, &mut sources).map(|_| ()).map_err(|p| p.with(&sources))
    }

    /// The postures of a kinematic or inverse analysis.
    pub fn cycle(&self) -> Cycle<'_> {
        Cycle::new(&self.model).duration(self.duration).output(self.output.clone())
    }

    /// The run it describes.
    pub fn simulation(&self) -> Simulation<'_> {
        let mut s = Simulation::new(&self.model)
            .start(self.start)
            .duration(self.duration)
            .method(&self.method)
            .rtol(self.rtol)
            .atol(self.atol)
            .locate_contacts(self.locate_contacts)
            .stabilisation(self.stabilisation)
            .output(self.output.clone());
        if let Some(step) = self.step {
            s = s.step(step);
        }
        if let Some(step) = self.max_step {
            s = s.max_step(step);
        }
        s
    }
}

/// What the text says, values replaced.
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
    Ok(Scene { parameters: known, ..scene })
}
