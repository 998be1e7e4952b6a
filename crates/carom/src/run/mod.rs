//! Running a model: options, the loop, and what comes out.

mod audit;
mod moments;
mod pace;
mod record;
mod runaway;
mod runner;
mod simulation;
mod summary;
mod within;

pub use audit::{Audit, StepEstimate};
pub use record::{
    ContactRecord, Event, EventKind, FieldRecord, Frame, JointRecord, Moment, Phase, Recording, Sink,
    SinkError, WearRecord,
};
pub use simulation::{End, Output, Run, Simulation, Stabilisation, Start};
pub use summary::{Summary, Warning, WarningCount};
