//! Errors in writing or reading a folder of results.

use std::io;
use std::path::{Path, PathBuf};

/// The reason why results cannot be written to a folder.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// the path exists and is not a folder
    #[error("{} is not a folder", path.display())]
    NotAFolder {
        /// the path given for the folder
        path: PathBuf,
    },
    /// a folder with files that are not results
    #[error("{} holds files that are no results of carom: choose another folder", path.display())]
    Foreign {
        /// the folder
        path: PathBuf,
    },
    /// a file that is not a result, with the name of a result file
    #[error("{} is no file of carom and stays as it is: choose another folder", path.display())]
    ForeignFile {
        /// the file
        path: PathBuf,
    },
    /// a folder that another run or analysis writes to
    #[error(
        "{} is being written by another run{}: wait for it or end it, or choose another folder",
        path.display(),
        if who.is_empty() { String::new() } else { format!(" ({who})") }
    )]
    Busy {
        /// the folder
        path: PathBuf,
        /// the description that the other process wrote into its lock file
        who: String,
    },
    /// a run that cannot go on from its checkpoint
    #[error("{}: {why}: run the scene anew", path.display())]
    Checkpoint {
        /// the file
        path: PathBuf,
        /// what is wrong
        why: String,
    },
    /// a read or write failed
    #[error("{}: {source}", path.display())]
    Io {
        /// the file or folder
        path: PathBuf,
        /// the error of the operating system
        source: io::Error,
    },
}

impl ResultsError {
    /// Returns whether [`Existing::AddToForeign`](super::Existing) would allow it; the caller then says how to ask for that.
    pub fn may_be_forced(&self) -> bool {
        matches!(self, ResultsError::Foreign { .. })
    }

    /// Returns whether another folder would do, that is, whether the error is not one of the disk or the operating system.
    pub fn is_wrong_folder(&self) -> bool {
        !matches!(self, ResultsError::Io { .. })
    }

    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> ResultsError {
        move |source| ResultsError::Io { path: path.to_owned(), source }
    }
}

/// The reason why a folder cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// not a folder of results
    #[error("{} is no folder of results: {why}", path.display())]
    NotResults {
        /// the path given for the folder
        path: PathBuf,
        /// what is missing
        why: String,
    },
    /// a file that is damaged
    #[error("{}, line {line}: {why}", path.display())]
    Broken {
        /// the file
        path: PathBuf,
        /// line number
        line: usize,
        /// what is wrong
        why: String,
    },
}
