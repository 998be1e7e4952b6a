//! Why a figure was not written.

use std::path::PathBuf;

/// Why a figure was not written.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// an ending that says neither SVG nor PNG
    #[error("{}: a figure ends in .svg or .png", path.display())]
    Ending {
        /// the file asked for
        path: PathBuf,
    },
    /// built without drawing
    #[error("this program was built without figures: build it with `--features plots`")]
    LeftOut,
    /// it could not be drawn
    #[error("the figure cannot be drawn: {0}")]
    Draw(String),
    /// it could not be written
    #[error("{}: {source}", path.display())]
    Io {
        /// the file
        path: PathBuf,
        /// what the system said
        source: std::io::Error,
    },
}

impl PlotError {
    /// Whether something else should be asked for: the disk and the system are not to blame.
    pub fn is_wrong_input(&self) -> bool {
        matches!(self, PlotError::Ending { .. } | PlotError::LeftOut)
    }
}
