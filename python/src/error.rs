//! Errors as exceptions, with the message people know from the program.

use std::sync::Mutex;

use pyo3::prelude::*;

mod types {
    #![allow(missing_docs, reason = "the exceptions are documented where they are defined, in Python")]
    pyo3::import_exception!(carom._errors, SceneError);
    pyo3::import_exception!(carom._errors, ResultsError);
    pyo3::import_exception!(carom._errors, GeometryError);
    pyo3::import_exception!(carom._errors, OdeError);
}

pub(crate) use types::{GeometryError, OdeError, ResultsError, SceneError};

/// A scene that cannot be: text with the caret, the message in a line, line and column.
pub(crate) fn scene(error: &carom_scene::SceneError) -> PyErr {
    let (line, column) = error.line_column().unzip();
    SceneError::new_err((error.to_string(), error.message().to_owned(), line, column))
}

/// A folder that cannot be written.
pub(crate) fn folder(error: carom_scene::results::ResultsError) -> PyErr {
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

/// The first exception that a function of the user raised. From then on none is called any more: the run or the integration ends, and the
/// exception is raised where it was asked for.
#[derive(Debug, Default)]
pub(crate) struct Raised(Mutex<Option<PyErr>>);

impl Raised {
    /// What the function gives; nothing if it raises, or any has before.
    pub(crate) fn unless<T>(&self, function: impl FnOnce(()) -> PyResult<T>) -> Option<T> {
        if self.is_some() {
            return None;
        }
        match function(()) {
            Ok(value) => Some(value),
            Err(error) => {
                if let Ok(mut first) = self.0.lock() {
                    first.get_or_insert(error);
                }
                None
            }
        }
    }

    pub(crate) fn is_some(&self) -> bool {
        self.0.lock().is_ok_and(|raised| raised.is_some())
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().ok()?.take()
    }
}
