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
pub(crate) struct Raised {
    all: Mutex<Vec<(ThreadId, PyErr)>>,
    /// the last number that a function gave on a thread and that is not finite
    notes: Mutex<Vec<(ThreadId, String)>>,
}

impl Raised {
    /// What the function gives; nothing if it raises, or any has before.
    pub(crate) fn unless<T>(&self, function: impl FnOnce(()) -> PyResult<T>) -> Option<T> {
        if self.is_some() {
            return None;
        }
        match function(()) {
            Ok(value) => Some(value),
            Err(error) => {
                if let Ok(mut all) = self.all.lock() {
                    all.push((thread::current().id(), error));
                }
                None
            }
        }
    }

    pub(crate) fn is_some(&self) -> bool {
        // nearly always there is none of any thread
        self.all.lock().is_ok_and(|all| !all.is_empty() && place(&all).is_some())
    }

    /// Notes that a function gave a number that is not finite.
    pub(crate) fn note(&self, text: String) {
        let own = thread::current().id();
        let Ok(mut notes) = self.notes.lock() else { return };
        notes.retain(|(thread, _)| *thread != own);
        notes.push((own, text));
    }

    /// Forgets what functions gave in an earlier run on this thread.
    pub(crate) fn forget(&self) {
        let own = thread::current().id();
        if let Ok(mut notes) = self.notes.lock() {
            notes.retain(|(thread, _)| *thread != own);
        }
    }

    /// Why a run failed, with what a function gave if that is the reason.
    pub(crate) fn explain(&self, why: &impl std::fmt::Display) -> String {
        let (why, own) = (why.to_string(), thread::current().id());
        let Ok(mut notes) = self.notes.lock() else { return why };
        let place = notes.iter().position(|(thread, _)| *thread == own);
        match place.map(|place| notes.swap_remove(place).1) {
            Some(note) if why.contains("finite") || why.contains("NaN") => format!("{why}: {note}"),
            _ => why,
        }
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        let mut all = self.all.lock().ok()?;
        let place = place(&all)?;
        Some(all.swap_remove(place).1)
    }
}

/// That of this thread.
fn place(all: &[(ThreadId, PyErr)]) -> Option<usize> {
    let own = thread::current().id();
    all.iter().position(|(thread, _)| *thread == own)
}
