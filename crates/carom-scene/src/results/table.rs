//! A CSV file under way.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::error::ResultsError;
use super::number::{push_field, push_number};

/// Lines are kept back until there is so much of them [bytes], or until someone asks.
const FULL: usize = 1 << 16;

/// A CSV file. What is in it is whole lines, always.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    file: File,
    lines: Vec<u8>,
}

impl Table {
    /// A new file with this header, in place of an old one.
    pub(super) fn create(folder: &Path, name: &str, header: &[String]) -> Result<Table, ResultsError> {
        let path = folder.join(name);
        let file = File::create(&path).map_err(ResultsError::io(&path))?;
        let mut table = Table { path, file, lines: Vec::with_capacity(FULL + FULL / 4) };
        for column in header {
            table.text(column);
        }
        table.end_line()?;
        table.flush()?;
        Ok(table)
    }

    /// A number more in the line.
    #[inline]
    pub(super) fn number(&mut self, x: f64) {
        push_number(&mut self.lines, x);
        self.lines.push(b',');
    }

    /// Some numbers more in the line.
    #[inline]
    pub(super) fn numbers<'a>(&mut self, x: impl IntoIterator<Item = &'a f64>) {
        for x in x {
            self.number(*x);
        }
    }

    /// A text more in the line.
    pub(super) fn text(&mut self, text: &str) {
        push_field(&mut self.lines, text);
        self.lines.push(b',');
    }

    /// An empty field more in the line.
    pub(super) fn nothing(&mut self) {
        self.lines.push(b',');
    }

    /// The line is complete.
    pub(super) fn end_line(&mut self) -> Result<(), ResultsError> {
        // in place of the last comma
        if let Some(last) = self.lines.last_mut() {
            *last = b'\n';
        }
        if self.lines.len() >= FULL { self.flush() } else { Ok(()) }
    }

    /// Hands all complete lines to the system.
    pub(super) fn flush(&mut self) -> Result<(), ResultsError> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let result = self.file.write_all(&self.lines).map_err(ResultsError::io(&self.path));
        // what could not be written is given up: the file must not get half a line twice
        self.lines.clear();
        result
    }
}
