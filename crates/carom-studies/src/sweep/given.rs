//! User-defined functions in a sweep, which texts cannot express.

use std::fmt;
use std::sync::Arc;

use carom_results::ResultSet;
use carom_scene::{Own, Scene};

/// A finished run.
#[derive(Debug)]
pub struct Finished {
    /// the scene that was run
    pub scene: Arc<Scene>,
    /// the content of a folder of its results
    pub kept: ResultSet,
    /// a summary in a few lines
    pub text: String,
}

/// Returns numbers of a run, one for each measure that is a function, in their order; or an error.
pub type MeasureFunction = dyn Fn(Finished) -> Result<Vec<f64>, String> + Send + Sync;
/// Returns the error of a user-defined function in the run that this thread has just done, if there was one. It is given the
/// error of the run, which such a function may have caused, if the run failed.
pub type Failed = dyn Fn(Option<&str>) -> Option<String> + Send + Sync;

/// User-defined functions in a sweep: in its scene, and as measures ([`Measure::function`](super::Measure::function)).
#[derive(Clone, Default)]
pub struct Given {
    /// laws, forces, surfaces and curves of the scene
    pub own: Own,
    /// identifies these in the journal: a sweep is continued only if it is the same
    pub mark: String,
    /// called after every run, on its thread; its result is the error of the row
    pub failed: Option<Arc<Failed>>,
    /// called for the measures that are functions, on the thread of the run
    pub function: Option<Arc<MeasureFunction>>,
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Given").field("own", &self.own).field("mark", &self.mark).finish_non_exhaustive()
    }
}
