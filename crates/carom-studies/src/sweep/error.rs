//! What can be wrong with a sweep as a whole; what is wrong with one run is in its row.

use std::io;
use std::path::{Path, PathBuf};

use carom_scene::SceneError;

/// A sweep that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// what is varied, or how
    #[error("vary {text}: {why}")]
    Vary {
        /// as given
        text: String,
        /// what is wrong
        why: String,
    },
    /// the plan as a whole
    #[error("{0}")]
    Plan(String),
    /// a measure
    #[error("measure {text}: {why}")]
    Measure {
        /// as given
        text: String,
        /// what is wrong
        why: String,
    },
    /// the scene, or a path into it
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// a journal of another sweep
    #[error(
        "{} holds another sweep: its {what} was {was}, not {is}: choose another folder",
        path.display()
    )]
    Other {
        /// the folder
        path: PathBuf,
        /// scene, set, vary …
        what: String,
        /// then
        was: String,
        /// now
        is: String,
    },
    /// a folder in which another process sweeps
    #[error(
        "{} is being written by another process{}: wait for it, or choose another folder",
        path.display(),
        if who.is_empty() { String::new() } else { format!(" ({who})") }
    )]
    Busy {
        /// the folder
        path: PathBuf,
        /// what that process said of itself
        who: String,
    },
    /// a folder with files of someone else
    #[error("{} holds files that are no sweep of carom: choose another folder", path.display())]
    Foreign {
        /// the folder
        path: PathBuf,
    },
    /// a folder without a sweep
    #[error("{} is no folder of a sweep: {why}", path.display())]
    NotASweep {
        /// the folder
        path: PathBuf,
        /// what is missing
        why: String,
    },
    /// a figure that cannot be drawn of the table
    #[error("{0}")]
    Figure(String),
    /// the system would not read or write
    #[error("{}: {source}", path.display())]
    Io {
        /// the file or folder
        path: PathBuf,
        /// what the system said
        source: io::Error,
    },
}

impl SweepError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> SweepError {
        move |source| SweepError::Io { path: path.to_owned(), source }
    }

    /// Whether a sweep that begins anew would be let into the folder.
    pub fn may_be_restarted(&self) -> bool {
        matches!(self, SweepError::Other { .. })
    }

    /// Whether something else should be asked for: the disk and the system are not to blame.
    pub fn is_wrong_input(&self) -> bool {
        !matches!(self, SweepError::Io { .. })
    }
}
