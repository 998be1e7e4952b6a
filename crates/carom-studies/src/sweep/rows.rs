//! Reads the journal of a sweep: its first line, and every row with a valid hash.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

use carom_base::file;
use serde_json::{Map, Value, json};

use super::error::SweepError;
use super::files::hash;
use super::shard::Shard;

/// The name of the journal in the folder of the sweep.
pub const JOURNAL: &str = "sweep.journal";

/// Writes a file so that a reader sees either the old text or the new one, never a part.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<(), SweepError> {
    file::write_synced(path, text.as_bytes()).map_err(SweepError::io(path))
}

/// A journal, read back.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) header: Map<String, Value>,
    /// rows by their index in the plan
    pub(super) rows: BTreeMap<usize, String>,
    /// whether it ends within a line
    pub(super) cut: bool,
}

impl Read {
    pub(super) fn open(folder: &Path) -> Result<Read, SweepError> {
        let path = folder.join(JOURNAL);
        let none = |why: String| SweepError::NotASweep { path: folder.to_owned(), why };
        let file = file::open(&path).map_err(|e| none(format!("{JOURNAL}: {e}")))?;
        let mut reader = BufReader::new(file);
        let mut bytes = Vec::new();
        reader.read_until(b'\n', &mut bytes).map_err(SweepError::io(&path))?;
        let header = match serde_json::from_slice(&bytes) {
            Ok(Value::Object(header)) if header.get("carom") == Some(&json!("sweep")) => header,
            _ => return Err(none(format!("the first line of {JOURNAL} is not one of carom's"))),
        };
        let (mut rows, mut cut) = (BTreeMap::new(), false);
        loop {
            bytes.clear();
            if reader.read_until(b'\n', &mut bytes).map_err(SweepError::io(&path))? == 0 {
                return Ok(Read { header, rows, cut });
            }
            cut = bytes.pop_if(|b| *b == b'\n').is_none();
            if let Some((index, line)) = row(&bytes).filter(|_| !cut) {
                rows.insert(index, line.to_owned());
            }
        }
    }

    /// Returns the part of the sweep that it belongs to.
    pub(super) fn shard(&self) -> Option<Shard> {
        self.header.get("shard")?.as_str()?.parse().ok()
    }
}

/// Reads a line if its hash is valid: the index and the row.
fn row(bytes: &[u8]) -> Option<(usize, &str)> {
    let (sum, line) = std::str::from_utf8(bytes).ok()?.split_once(',')?;
    if u64::from_str_radix(sum, 16).ok()? != hash(line.as_bytes()) {
        return None;
    }
    Some((line.split(',').next()?.parse().ok()?, line))
}
