//! Figures of the commands.

use std::path::Path;

use carom_plot::{Figure, PlotError};

use crate::failure::Failure;

/// Whether a figure can be written there, before the work is done.
pub(crate) fn check(path: Option<&Path>) -> Result<(), Failure> {
    Ok(path.map_or(Ok(()), carom_plot::check)?)
}

/// Writes the figure.
pub(crate) fn write(figure: &Figure, path: &Path) -> Result<(), Failure> {
    Ok(figure.write(path)?)
}

impl From<PlotError> for Failure {
    fn from(error: PlotError) -> Failure {
        if error.is_wrong_input() {
            Failure::Input(error.to_string())
        } else {
            Failure::Run(error.to_string())
        }
    }
}
