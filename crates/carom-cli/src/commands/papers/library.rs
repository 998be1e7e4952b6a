//! The papers within the program.

use carom::words::nearest;
use carom_scene::{Format, Scene, SceneError};
use carom_studies::paper::{Figure, Paper};

use crate::failure::Failure;

/// What is in a paper's folder.
pub(super) struct Files {
    pub(super) name: &'static str,
    recipe: &'static str,
    /// names without ending, and texts
    pub(super) scenes: &'static [(&'static str, &'static str)],
}

/// All papers, by name; from `build.rs`.
pub(super) static ALL: &[Files] = include!(concat!(env!("OUT_DIR"), "/papers.rs"));

impl Files {
    pub(super) fn paper(&self) -> Result<Paper, SceneError> {
        Paper::from_text(self.name, self.recipe)
    }

    /// A scene, with values replaced.
    pub(super) fn scene(&self, name: &str, set: &[String]) -> Result<Scene, Failure> {
        let Some((_, text)) = self.scenes.iter().find(|s| s.0 == name) else {
            let known: Vec<&str> = self.scenes.iter().map(|s| s.0).collect();
            return Err(unknown(&format!("papers/{} has no scene", self.name), name, &known));
        };
        let path = format!("papers/{}/scenes/{name}.toml", self.name);
        Ok(Scene::from_text(text, Format::Toml, &path, set)?)
    }
}

/// A paper by name.
pub(super) fn named(name: &str) -> Result<&'static Files, Failure> {
    let known: Vec<&str> = ALL.iter().map(|f| f.name).collect();
    ALL.iter().find(|f| f.name == name).ok_or_else(|| unknown("there is no paper", name, &known))
}

/// A figure by name.
pub(super) fn figure<'p>(paper: &'p Paper, name: &str) -> Result<&'p Figure, Failure> {
    let known: Vec<&str> = paper.figures.iter().map(|f| f.name.as_str()).collect();
    paper.figure(name).ok_or_else(|| unknown(&format!("{} has no figure", paper.name), name, &known))
}

fn unknown(what: &str, name: &str, known: &[&str]) -> Failure {
    let meant = nearest(name, known).map(|w| format!("; did you mean `{w}`?")).unwrap_or_default();
    Failure::Input(format!("{what} `{name}`{meant}\n  there are {}", known.join(", ")))
}
