//! Scene files in, result folders out: the only room that knows formats and units.

mod analyse;
pub mod compare;
pub mod export;
pub mod film;
mod lock;
pub mod paper;
pub mod plot;
pub mod query;
pub mod results;
pub mod scene;
pub mod shape_file;
pub mod sweep;

pub use analyse::{AnalyseError, Analysed};
pub use carom_base::expression;
pub use scene::{Decoration, Format, Own, Probe, Scene, SceneError, SceneText};
