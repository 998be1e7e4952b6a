//! Errors as exceptions, with the message people know from the program.

use pyo3::prelude::*;

mod types {
    #![allow(missing_docs, reason = "the exceptions are documented where they are defined, in Python")]
    pyo3::import_exception!(carom._errors, SceneError);
    pyo3::import_exception!(carom._errors, RunError);
    pyo3::import_exception!(carom._errors, ResultsError);
    pyo3::import_exception!(carom._errors, GeometryError);
}

pub(crate) use types::{GeometryError, ResultsError, RunError, SceneError};

/// A scene that cannot be: text with the caret, the message in a line, line and column.
pub(crate) fn scene(error: &carom_scene::SceneError) -> PyErr {
    let (line, column) = error.line_column().unzip();
    SceneError::new_err((error.to_string(), error.message().to_owned(), line, column))
}

/// A folder that cannot be written or read.
pub(crate) fn results(error: impl std::fmt::Display) -> PyErr {
    ResultsError::new_err(error.to_string())
}

/// Surfaces that cannot be, or that no algorithm knows.
pub(crate) fn geometry(error: impl std::fmt::Display) -> PyErr {
    GeometryError::new_err(error.to_string())
}
