//! What can go wrong with a folder of results.

use std::io;
use std::path::{Path, PathBuf};

/// A folder that cannot take results.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// something there that is no folder
    #[error("{} is not a folder", path.display())]
    NotAFolder {
        /// what was to be the folder
        path: PathBuf,
    },
    /// a folder with files of someone else
    #[error("{} holds files that are no results of carom: choose another folder", path.display())]
    Foreign {
        /// the folder
        path: PathBuf,
    },
    /// a file of someone else that has the name of one of ours
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
        /// what that process said of itself
        who: String,
    },
    /// the system would not read or write
    #[error("{}: {source}", path.display())]
    Io {
        /// the file or folder
        path: PathBuf,
        /// what the system said
        source: io::Error,
    },
}

impl ResultsError {
    /// Whether [`Existing::AddToForeign`](super::Existing) would do: whoever asked says how to ask for it.
    pub fn may_be_forced(&self) -> bool {
        matches!(self, ResultsError::Foreign { .. })
    }

    /// Whether another folder would do: the disk and the system are not to blame.
    pub fn is_wrong_folder(&self) -> bool {
        !matches!(self, ResultsError::Io { .. })
    }

    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> ResultsError {
        move |source| ResultsError::Io { path: path.to_owned(), source }
    }
}

/// Why a folder cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// no folder of ours
    #[error("{} is no folder of results: {why}", path.display())]
    NotResults {
        /// what was to be one
        path: PathBuf,
        /// what is missing
        why: String,
    },
    /// a file that is not as it was written
    #[error("{}, line {line}: {why}", path.display())]
    Broken {
        /// the file
        path: PathBuf,
        /// where
        line: usize,
        /// what is wrong
        why: String,
    },
}
