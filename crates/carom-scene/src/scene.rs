//! A scene after reading and checking, in SI units.

use std::path::PathBuf;
use std::sync::Arc;

use carom::base::Pose;
use carom::geometry::mesh::Mesh;
use carom::{Analysis, Cycle, Distance, Model, Output, Simulation, Stabilisation, Start};

use crate::mesh_file::MeshFile;
use crate::plot::Plot;
use crate::quantity::Names;
use crate::text::json;
use crate::tree::Node;

/// A scene after reading and checking.
#[derive(Debug)]
pub struct Scene {
    /// title; the file's name if the scene has none
    pub title: String,
    /// bodies, surfaces, materials, contacts and all that acts on them
    pub model: Model,
    /// simulated time \[s\]
    pub duration: f64,
    /// the analysis that is asked for
    pub analysis: Analysis,
    /// the initial configuration of the bodies
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
    /// whether groups of bodies that cannot meet for a while advance by themselves
    pub islands: bool,
    /// how many threads share the work of a crowd, or of islands
    pub threads: Option<usize>,
    /// whether steps end at touches and releases
    pub locate_contacts: bool,
    /// whether only the error estimate of the method limits the steps
    pub plain: bool,
    /// the method that keeps the joint constraints from drifting
    pub stabilisation: Stabilisation,
    /// the times at which frames are recorded
    pub output: Output,
    /// points whose motion is recorded
    pub probes: Vec<Probe>,
    /// distances that are recorded
    pub distances: Vec<Distance>,
    /// parameters by name, in their order in the text, in SI units
    pub parameters: Vec<(String, f64)>,
    /// figures that every run draws
    pub plots: Vec<Plot>,
    /// the quantities that a run of the scene will have
    pub names: Names,
    /// surfaces that were read from files
    pub meshes: Vec<MeshFile>,
    /// shapes that are drawn with bodies in addition to their surfaces
    pub decorations: Vec<Decoration>,
    /// the text that it was read from
    pub source: SceneText,
}

/// The text that a scene was read from.
#[derive(Clone)]
pub struct SceneText {
    pub(crate) title: String,
    pub(crate) tree: Arc<Node>,
    /// the folder to which the paths of files in the scene are relative
    pub folder: PathBuf,
}

impl SceneText {
    /// Returns the scene's text as JSON, after values were replaced (`--set`); reading it gives the same scene.
    pub fn json(&self) -> serde_json::Value {
        let mut json = json::written(&self.tree);
        json["title"] = self.title.as_str().into();
        json
    }
}

impl std::fmt::Debug for SceneText {
    /// Writes only the type's name, because the content is in the scene.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SceneText")
    }
}

/// A shape on a body that is drawn and takes no part in contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoration {
    /// the body's name
    pub body: String,
    /// path of the file, as the scene gives it
    pub file: String,
    /// the triangles in the file, in its units
    pub mesh: Arc<Mesh>,
    /// length of a unit of the file [m]
    pub scale: f64,
    /// position and orientation on the body
    pub pose: Pose,
}

/// A point on a body whose motion is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// the name at the head of its columns: NAME.x, NAME.y …
    pub name: String,
    /// index of the body among the moving bodies of the model
    pub body: usize,
    /// position in the body's frame, from its reference point \[m\]
    pub point: [f64; 3],
}

impl Scene {
    /// Returns the kinematic or inverse analysis of the scene, for its duration and output times.
    pub fn cycle(&self) -> Cycle<'_> {
        Cycle::new(&self.model).duration(self.duration).output(self.output.clone())
    }

    /// Returns the simulation that the scene describes.
    pub fn simulation(&self) -> Simulation<'_> {
        let mut s = Simulation::new(&self.model)
            .start(self.start)
            .duration(self.duration)
            .method(&self.method)
            .rtol(self.rtol)
            .atol(self.atol)
            .locate_contacts(self.locate_contacts)
            .islands(self.islands)
            .plain(self.plain)
            .stabilisation(self.stabilisation)
            .output(self.output.clone());
        if let Some(step) = self.step {
            s = s.step(step);
        }
        if let Some(step) = self.max_step {
            s = s.max_step(step);
        }
        if let Some(threads) = self.threads {
            s = s.threads(threads);
        }
        s
    }
}
