//! Errors as exceptions, with the message people know from the program.

use std::sync::Mutex;
use std::thread::{self, ThreadId};

use pyo3::prelude::*;

mod types {
    #![allow(missing_docs, reason = "the exceptions are documented where they are defined, in Python")]
    pyo3::import_exception!(carom._errors, SceneError);
    pyo3::import_exception!(carom._errors, ResultsError);
    pyo3::import_exception!(carom._errors, GeometryError);
    pyo3::import_exception!(carom._errors, OdeError);
    pyo3::import_exception!(carom._errors, SweepError);
}

pub(crate) use types::{GeometryError, OdeError, ResultsError, SceneError, SweepError};

/// A scene that cannot be: text with the caret, the message in a line, line and column.
pub(crate) fn scene(error: &carom_scene::SceneError) -> PyErr {
    let (line, column) = error.line_column().unzip();
    SceneError::new_err((error.to_string(), error.message().to_owned(), line, column))
}

/// A folder that cannot be written.
pub(crate) fn folder(error: carom_results::ResultsError) -> PyErr {
    let force = if error.may_be_forced() { ", or say force=True to add the results to it" } else { "" };
    ResultsError::new_err(format!("{error}{force}"))
}

/// Results that cannot be read.
pub(crate) fn results(error: impl std::fmt::Display) -> PyErr {
    ResultsError::new_err(error.to_string())
}

/// Surfaces that cannot be, or that no algorithm knows.
pub(crate) fn geometry(error: impl std::fmt::Display) -> PyErr {
    GeometryError::new_err(error.to_string())
}

/// The first exception that a function of the user raised, of every thread that runs the scene: in a sweep these are different runs. From then on none is called any more on that
/// thread: the run or the integration ends, and the exception is raised where it was asked for.
#[derive(Debug, Default)]
pub(crate) struct Raised(Mutex<Vec<(ThreadId, PyErr)>>);

impl Raised {
    /// What the function gives; nothing if it raises, or any has before.
    pub(crate) fn unless<T>(&self, function: impl FnOnce(()) -> PyResult<T>) -> Option<T> {
        if self.is_some() {
            return None;
        }
        match function(()) {
            Ok(value) => Some(value),
            Err(error) => {
                if let Ok(mut all) = self.0.lock() {
                    all.push((thread::current().id(), error));
                }
                None
            }
        }
    }

    pub(crate) fn is_some(&self) -> bool {
        // nearly always there is none of any thread
        self.0.lock().is_ok_and(|all| !all.is_empty() && place(&all).is_some())
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        let mut all = self.0.lock().ok()?;
        let place = place(&all)?;
        Some(all.swap_remove(place).1)
    }
}

/// That of this thread.
fn place(all: &[(ThreadId, PyErr)]) -> Option<usize> {
    let own = thread::current().id();
    all.iter().position(|(thread, _)| *thread == own)
}
