//! Results in the formats of others: one file a format, one line each in [`FORMATS`].
//!
//! ```no_run
//! let npz = carom_results::export::find("npz").unwrap();
//! let written = npz.export("out/bouncing-ball".as_ref(), None, &Default::default())?;
//! println!("{}", written.path.display());
//! # Ok::<(), carom_results::export::ExportError>(())
//! ```

mod data;
mod gltf;
mod mat;
mod npz;
#[cfg(feature = "parquet")]
mod parquet;
mod vtk;
mod zip;

use std::io;
use std::path::{Path, PathBuf};

use crate::ReadError;
use crate::film::FilmError;

/// A format that results can be had in.
#[derive(Debug)]
pub struct Format {
    /// what commands call it
    pub name: &'static str,
    /// for whom, in a line
    pub summary: &'static str,
    /// where it goes in the folder of results, unless told otherwise: a file, or a folder where it ends in a slash
    pub file: &'static str,
    /// from a folder to a place; what to know of it
    write: fn(&Path, &Path, &Options) -> Result<Vec<String>, ExportError>,
}

/// What may be said of an export.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// at most so many frames of films; `None`: as a [`Film`](crate::film::Film) has
    pub frames: Option<usize>,
}

/// All formats.
pub const FORMATS: &[&Format] = &[
    &vtk::VTK,
    &gltf::GLTF,
    &npz::NPZ,
    &mat::MAT,
    #[cfg(feature = "parquet")]
    &parquet::PARQUET,
];

/// A format by its name.
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|f| f.name == name)
}

/// Why results cannot be had in a format.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// no folder of ours
    #[error(transparent)]
    Read(#[from] ReadError),
    /// nothing to see
    #[error(transparent)]
    Film(#[from] FilmError),
    /// more than the format can hold
    #[error("{what}: more than a {format} file can hold")]
    TooMuch {
        /// the format
        format: &'static str,
        /// what there is too much of
        what: String,
    },
    /// the system would not write
    #[error("{}: {source}", path.display())]
    Io {
        /// the file or folder
        path: PathBuf,
        /// what the system said
        source: io::Error,
    },
}

impl ExportError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> ExportError {
        move |source| ExportError::Io { path: path.to_owned(), source }
    }
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Exported {
    /// the file, or the folder
    pub path: PathBuf,
    /// what to know of it: a run that failed, a folder without a scene
    pub notices: Vec<String>,
}

impl Format {
    /// Writes the results in a folder in this format, and says where; into the folder itself where no other place is given.
    pub fn export(
        &self,
        folder: &Path,
        output: Option<&Path>,
        options: &Options,
    ) -> Result<Exported, ExportError> {
        let path = output.map_or_else(|| folder.join(self.file), Path::to_owned);
        let notices = (self.write)(folder, &path, options)?;
        Ok(Exported { path, notices })
    }
}

/// Writes a file at once.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), ExportError> {
    std::fs::write(path, bytes).map_err(ExportError::io(path))
}
