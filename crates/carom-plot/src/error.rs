//! Errors in writing a figure.

use std::path::PathBuf;

/// A PNG has at most so many pixels; they take about 8 bytes each while it is made.
pub(crate) const MOST_PIXELS: u64 = 100_000_000;

/// The reason why a figure was not written.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// the file's ending is none of .svg, .png, .pdf
    #[error("{}: a figure ends in .svg, .png or .pdf", path.display())]
    Ending {
        /// the file asked for
        path: PathBuf,
    },
    /// the program was built without drawing
    #[error("this program was built without figures: build it with `--features plots`")]
    LeftOut,
    /// a picture of so many pixels would exhaust the memory
    #[error(
        "the figure would have {width} by {height} pixels, and may have {MOST_PIXELS} in all: give a smaller size, fewer panels, or a file that ends in .svg or .pdf"
    )]
    TooLarge {
        /// width of the picture [px]
        width: u64,
        /// height of the picture [px]
        height: u64,
    },
    /// the figure could not be drawn
    #[error("the figure cannot be drawn: {0}")]
    Draw(String),
    /// the figure could not be written
    #[error("{}: {source}", path.display())]
    Io {
        /// the file
        path: PathBuf,
        /// the error of the operating system
        source: std::io::Error,
    },
}

impl PlotError {
    /// Returns whether the input should be changed, that is, whether the error is not one of the disk or the operating system.
    pub fn is_wrong_input(&self) -> bool {
        matches!(self, PlotError::Ending { .. } | PlotError::LeftOut | PlotError::TooLarge { .. })
    }
}
