//! Errors of a sweep as a whole; the error of a single run is in its row.

use std::io;
use std::path::{Path, PathBuf};

use carom_scene::SceneError;

/// The reason why a sweep fails.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// an error in a varied path or its values
    #[error("vary {text}: {why}")]
    Vary {
        /// text as given
        text: String,
        /// what is wrong
        why: String,
    },
    /// an error in the plan as a whole
    #[error("{0}")]
    Plan(String),
    /// an error in a measure
    #[error("measure {text}: {why}")]
    Measure {
        /// text as given
        text: String,
        /// what is wrong
        why: String,
    },
    /// an error in the scene, or in a path into it
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// the folder has the journal of another sweep
    #[error(
        "{} holds another sweep: its {what} was {was}, not {is}: choose another folder",
        path.display()
    )]
    Other {
        /// the folder
        path: PathBuf,
        /// the setting that differs: scene, set, vary …
        what: String,
        /// its value in the journal
        was: String,
        /// its value now
        is: String,
    },
    /// another process is sweeping in the folder
    #[error(
        "{} is being written by another process{}: wait for it, or choose another folder",
        path.display(),
        if who.is_empty() { String::new() } else { format!(" ({who})") }
    )]
    Busy {
        /// the folder
        path: PathBuf,
        /// the description that the other process wrote into its lock file
        who: String,
    },
    /// a folder with files that are not a sweep
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
    /// a figure that cannot be drawn from the table
    #[error("{0}")]
    Figure(String),
    /// a read or write failed
    #[error("{}: {source}", path.display())]
    Io {
        /// the file or folder
        path: PathBuf,
        /// the error of the operating system
        source: io::Error,
    },
}

impl SweepError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> SweepError {
        move |source| SweepError::Io { path: path.to_owned(), source }
    }

    /// Returns whether a sweep that starts again may use the folder.
    pub fn may_be_restarted(&self) -> bool {
        matches!(self, SweepError::Other { .. })
    }

    /// Returns whether the input should be changed, that is, whether the error is not one of the disk or the operating system.
    pub fn is_wrong_input(&self) -> bool {
        !matches!(self, SweepError::Io { .. })
    }
}
