//! Running a model: the options, the time loop, and the results.

mod audit;
mod buffer;
mod close;
mod crowded;
mod fingerprint;
mod islands;
mod moments;
mod outputs;
mod pace;
mod runaway;
mod runner;
mod running;
mod stepping;
mod simulation;
mod sink;
mod snapshot;
mod summary;
mod within;

pub use audit::{Audit, StepEstimate};
pub use running::Running;
pub use simulation::{End, METHODS, Output, Run, Simulation, Start};
pub use sink::{Pause, Recording, Sink, SinkError};
pub use snapshot::Snapshot;
pub use summary::{CrowdSteps, EdgeRounding, Summary, WarningCount};
