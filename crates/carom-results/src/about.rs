//! The data about a run that results need in addition to its output.

use carom::{BuildError, Distance, Followed, Model};

use carom_scene::{Probe, Scene, SceneText};

/// The data about a run that results need in addition to its output.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// title of the scene
    pub title: String,
    /// duration that was asked for \[s\]
    pub duration: f64,
    /// integration method
    pub method: String,
    /// relative tolerance
    pub rtol: f64,
    /// absolute tolerance, in the model's scales
    pub atol: f64,
    /// points whose motion is recorded
    pub probes: Vec<Probe>,
    /// distances that are recorded
    pub distances: Vec<Distance>,
    /// the scene, to be stored with the results
    pub scene: Option<SceneText>,
}

impl From<&Scene> for About {
    fn from(scene: &Scene) -> About {
        About {
            title: scene.title.clone(),
            duration: scene.duration,
            method: scene.method.clone(),
            rtol: scene.rtol,
            atol: scene.atol,
            probes: scene.probes.clone(),
            distances: scene.distances.clone(),
            scene: Some(scene.source.clone()),
        }
    }
}

impl About {
    /// Prepares the distances for the model that runs.
    pub(super) fn follow(&self, model: &Model) -> Result<Vec<Followed>, BuildError> {
        self.distances.iter().map(|d| d.follow(model)).collect()
    }
}
