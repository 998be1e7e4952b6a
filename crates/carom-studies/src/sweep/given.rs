//! What a program gives a sweep that texts cannot say.

use std::fmt;
use std::sync::Arc;

use carom_results::ResultSet;
use carom_scene::{Own, Scene};

/// A run that came to its end.
#[derive(Debug)]
pub struct Finished {
    /// what was run
    pub scene: Arc<Scene>,
    /// what a folder would hold of it
    pub kept: ResultSet,
    /// how it went, in a few lines
    pub text: String,
}

/// Numbers of a run, one for each measure that is a function, in their order; or why there are none.
pub type Told = dyn Fn(Finished) -> Result<Vec<f64>, String> + Send + Sync;
/// What a function of the program failed at in the run that this thread has just done, if it did.
pub type Failed = dyn Fn() -> Option<String> + Send + Sync;

/// Functions of a program in a sweep: in its scene, and as measures ([`Measure::function`](super::Measure::function)).
#[derive(Clone, Default)]
pub struct Given {
    /// laws, forces, surfaces and curves of the scene
    pub own: Own,
    /// stands for them in the journal: a sweep goes on only where it is the same
    pub mark: String,
    /// asked after every run, on its thread; what it says is the error of the row
    pub failed: Option<Arc<Failed>>,
    /// asked for the measures that are functions, on the thread of the run
    pub told: Option<Arc<Told>>,
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Given").field("own", &self.own).field("mark", &self.mark).finish_non_exhaustive()
    }
}
