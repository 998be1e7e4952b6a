//! A scene that was read and checked, in SI units.

use std::path::PathBuf;
use std::sync::Arc;

use carom::base::Pose;
use carom::geometry::mesh::Mesh;
use carom::{Analysis, Cycle, Distance, Model, Output, Simulation, Stabilisation, Start};

use crate::plot::Plot;
use crate::quantity::Names;

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
    pub names: Names,
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

impl Scene {
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
