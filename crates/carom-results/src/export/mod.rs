//! Exports results to the formats of other programs: one source file per format, one line each in [`FORMATS`].
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

/// A format to which results can be exported.
#[derive(Debug)]
pub struct Format {
    /// its name in commands
    pub name: &'static str,
    /// who it is for, in one line
    pub summary: &'static str,
    /// default path in the folder of results: a file, or a folder if it ends in a slash
    pub file: &'static str,
    /// default for the largest number of frames; `None` for a format without frames
    pub frames: Option<usize>,
    /// writes the results of a folder to a path, and returns notices for the user
    write: fn(&Path, &Path, &Options) -> Result<Vec<String>, ExportError>,
}

/// Options of an export.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// largest number of frames; `None`: that of the format ([`Format::frames`])
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

/// Finds a format by its name.
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|f| f.name == name)
}

/// The reason why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// not a folder of results
    #[error(transparent)]
    Read(#[from] ReadError),
    /// there is nothing to show
    #[error(transparent)]
    Film(#[from] FilmError),
    /// more than the format can hold
    #[error("{what}: more than a {format} file can hold")]
    TooMuch {
        /// the format
        format: &'static str,
        /// the data that exceed the limit
        what: String,
    },
    /// a write failed
    #[error("{}: {source}", path.display())]
    Io {
        /// the file or folder
        path: PathBuf,
        /// the error of the operating system
        source: io::Error,
    },
}

impl ExportError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> ExportError {
        move |source| ExportError::Io { path: path.to_owned(), source }
    }
}

/// The result of an export.
#[derive(Clone, Debug)]
pub struct Exported {
    /// the file, or the folder
    pub path: PathBuf,
    /// notices for the user: that the run failed, that the folder has no scene
    pub notices: Vec<String>,
}

impl Format {
    /// Writes the results of a folder in this format and returns the path; without `output` it writes into the folder itself.
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

/// Writes a whole file.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), ExportError> {
    carom_base::file::write(path, bytes).map_err(ExportError::io(path))
}
