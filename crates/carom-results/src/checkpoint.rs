//! `checkpoint.bin`: what a run that was broken off goes on from.
//!
//! Its bytes, numbers with the lowest byte first, lists and texts with their length before them:
//!
//! | what | bytes |
//! |---|---|
//! | `carom\0\0c` | 8 |
//! | the number of this format | 4 |
//! | the version of the program, a text | |
//! | what every table had when the checkpoint was made: its name, its size | |
//! | what the summary of a run that fails would say; where searches of distances start | |
//! | the snapshot of the run ([`Snapshot::to_bytes`]) | |
//! | the check sum of all that ([`check_sum`]) | 8 |
//!
//! [`check_sum`]: carom_base::snapshot::check_sum

use std::path::Path;

use carom::Snapshot;
use carom_base::file;
use carom_base::snapshot::{Plain, Reader, SnapshotError, Writer};

use crate::error::ResultsError;
use crate::files::{self, CHECKPOINT, TABLE};

/// The first bytes of every checkpoint.
const MAGIC: [u8; 8] = *b"carom\0\0c";
/// The number of the format, changed whenever other data are saved.
const FORMAT: u32 = 2;
/// The program that wrote it: another one need not give the same bits.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A run on its way, with the results it has written.
#[derive(Debug)]
pub(super) struct Checkpoint {
    pub(super) snapshot: Snapshot,
    /// names and sizes of the tables \[bytes\]
    pub(super) sizes: Vec<(String, u64)>,
    /// what the record of the run carries
    pub(super) record: Vec<u8>,
}

impl Checkpoint {
    /// Returns the bytes of a checkpoint.
    pub(super) fn bytes(snapshot: &Snapshot, sizes: &[(&'static str, u64)], record: Vec<u8>) -> Vec<u8> {
        let mut to = Writer::default();
        MAGIC.write(&mut to);
        FORMAT.write(&mut to);
        VERSION.to_owned().write(&mut to);
        sizes.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect::<Vec<_>>().write(&mut to);
        record.write(&mut to);
        snapshot.to_bytes().write(&mut to);
        to.seal();
        to.into_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, String> {
        let mut from = Reader::new(bytes);
        if <[u8; 8]>::read(&mut from) != Ok(MAGIC) {
            return Err("it is no checkpoint of a run".to_owned());
        }
        let format = u32::read(&mut from).map_err(text)?;
        if format != FORMAT {
            return Err(format!("it has the format {format}, and this program reads the format {FORMAT}"));
        }
        if from.unseal(bytes).is_err() {
            return Err("it is damaged: its check sum is another than the one it was written with".to_owned());
        }
        let version = String::read(&mut from).map_err(text)?;
        if version != VERSION {
            return Err(format!(
                "it was written by version {version} of carom, and this is version {VERSION}"
            ));
        }
        let sizes = Plain::read(&mut from).map_err(text)?;
        let record = Plain::read(&mut from).map_err(text)?;
        let snapshot = Snapshot::from_bytes(&Vec::read(&mut from).map_err(text)?).map_err(text)?;
        from.end().map_err(text)?;
        Ok(Checkpoint { snapshot, sizes, record })
    }

    /// Reads the checkpoint in a folder; `None` if it has none.
    pub(super) fn read(folder: &Path) -> Result<Option<Checkpoint>, ResultsError> {
        let path = folder.join(CHECKPOINT);
        match file::read(&path, TABLE) {
            Ok(bytes) => {
                let read = Checkpoint::from_bytes(&bytes);
                Ok(Some(read.map_err(|why| ResultsError::Checkpoint { path, why })?))
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(ResultsError::io(&path)(e)),
        }
    }

    /// Returns the size of a table when the checkpoint was made \[bytes\].
    pub(super) fn size(&self, table: &str) -> Option<u64> {
        self.sizes.iter().find(|(name, _)| name == table).map(|(_, size)| *size)
    }
}

fn text(error: SnapshotError) -> String {
    error.to_string()
}

/// Puts the bytes of a checkpoint into a folder. If it is to be `synced`, the old one or the new one is there after a loss of power.
pub(super) fn write(folder: &Path, bytes: &[u8], synced: bool) -> Result<(), ResultsError> {
    let path = folder.join(CHECKPOINT);
    let written = if synced { file::write_synced(&path, bytes) } else { file::write(&path, bytes) };
    written.map_err(ResultsError::io(&path))
}

/// Removes the checkpoint of a folder, if it has one.
pub(super) fn remove(folder: &Path) -> Result<(), ResultsError> {
    files::remove(&folder.join(CHECKPOINT))
}
