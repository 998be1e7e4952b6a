//! What is asked of the thread that steps a run, and what it answers.

use std::path::PathBuf;
use std::sync::Arc;

use carom::{Event, Frame, Moment, Snapshot};
use carom_results::ResultSet;
use pyo3::prelude::*;

use crate::error;

/// What is asked of the thread.
pub(crate) enum Command {
    /// to advance to this time [s]
    Advance(f64),
    /// the state at the time reached
    State,
    /// to set inputs
    Set(Vec<(String, f64)>),
    /// everything that the rest of the run depends on
    Checkpoint,
    /// to go on from there, with what was recorded before it, if that is known
    Rewind(Box<Snapshot>, Option<Record>),
    /// to end the run at the time reached, and to write its folder, which may be added to if it is foreign
    Finish(Option<PathBuf>, bool),
}

/// What the thread tells.
pub(crate) enum Reply {
    /// whether the run continues beyond the time reached
    GoesOn(bool),
    State(ResultSet),
    /// everything that the rest of the run depends on, and what was recorded before
    Checkpoint(Vec<u8>, Record),
    /// results, how it went in a few lines, and why it failed
    Finished(Box<(ResultSet, String, Option<String>)>),
}

/// Why a command was not carried out.
pub(crate) enum Refused {
    /// the run failed, or does not allow it
    Run(String),
    /// an exception to be raised as it is
    Raised(PyErr),
    /// an exception that a function of the scene raised
    Function(PyErr),
}

/// An answer, and the time reached [s].
pub(crate) struct Answer {
    pub(crate) t: f64,
    pub(crate) reply: Result<Reply, Refused>,
}

/// What a run has reported, in its order. Checkpoints share it with the run.
pub(crate) type Record = Vec<Item>;

/// Something that a run has reported.
#[derive(Clone)]
pub(crate) enum Item {
    Frame(Arc<Frame>),
    Moment(Arc<Moment>),
    Event(Arc<Event>),
}

impl From<PyErr> for Refused {
    fn from(raised: PyErr) -> Refused {
        Refused::Raised(raised)
    }
}

impl From<carom::RunError> for Refused {
    fn from(why: carom::RunError) -> Refused {
        Refused::Run(why.to_string())
    }
}

impl From<carom_results::ResultsError> for Refused {
    fn from(why: carom_results::ResultsError) -> Refused {
        Refused::Raised(error::results(why))
    }
}
