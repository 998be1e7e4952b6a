//! Takes lines field by field, for a CSV file or for columns in memory.

use std::path::{Path, PathBuf};

use crate::data::{ColumnValues, DataFile, Heading, push_text};
use crate::error::ResultsError;
use carom_base::file::Growing;
use carom_base::number::{push_field, push_number};

/// Size [bytes] of the lines held back before they are written to the file.
const FULL: usize = 1 << 16;

/// A receiver of lines, field by field.
pub(super) trait Rows {
    /// Adds a number to the line; NaN becomes an empty field.
    fn number(&mut self, x: f64);
    /// Adds a text to the line.
    fn text(&mut self, text: &str);
    /// Adds an empty field to the line.
    fn nothing(&mut self);
    /// Ends the line.
    fn end_line(&mut self) -> Result<(), ResultsError>;
    /// Adds several numbers to the line.
    #[inline]
    fn numbers<'a>(&mut self, x: impl IntoIterator<Item = &'a f64>) {
        for x in x {
            self.number(*x);
        }
    }
}

/// A CSV file. It always contains whole lines only.
#[derive(Debug)]
pub(super) struct Table {
    name: &'static str,
    path: PathBuf,
    file: Growing,
    lines: Vec<u8>,
}

impl Table {
    /// Creates a file with this header, replacing an old one.
    pub(super) fn create(
        folder: &Path,
        name: &'static str,
        header: &[Heading],
    ) -> Result<Table, ResultsError> {
        let path = folder.join(name);
        let file = Growing::create(&path).map_err(ResultsError::io(&path))?;
        let mut table = Table { name, path, file, lines: Vec::with_capacity(FULL + FULL / 4) };
        for column in header {
            table.text(column);
        }
        table.end_line()?;
        table.flush()?;
        Ok(table)
    }

    /// Opens a file to go on after its first `size` bytes; what follows them is lost.
    pub(super) fn reopen(folder: &Path, name: &'static str, size: u64) -> Result<Table, ResultsError> {
        let path = folder.join(name);
        let file = Growing::reopen(&path, size).map_err(ResultsError::io(&path))?;
        Ok(Table { name, path, file, lines: Vec::with_capacity(FULL + FULL / 4) })
    }

    /// Returns the name of the file, and its size \[bytes\].
    pub(super) fn size(&self) -> (&'static str, u64) {
        (self.name, self.file.size())
    }

    /// Waits until the disk has what was written.
    pub(super) fn sync(&self) -> Result<(), ResultsError> {
        self.file.sync().map_err(ResultsError::io(&self.path))
    }

    /// Writes all complete lines to the file.
    pub(super) fn flush(&mut self) -> Result<(), ResultsError> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let result = self.file.append(&self.lines).map_err(ResultsError::io(&self.path));
        // lines that could not be written are dropped: the run ends with this error
        self.lines.clear();
        result
    }
}

impl Rows for Table {
    #[inline]
    fn number(&mut self, x: f64) {
        if !x.is_nan() {
            push_number(&mut self.lines, x);
        }
        self.lines.push(b',');
    }

    fn text(&mut self, text: &str) {
        push_field(&mut self.lines, text);
        self.lines.push(b',');
    }

    fn nothing(&mut self) {
        self.lines.push(b',');
    }

    fn end_line(&mut self) -> Result<(), ResultsError> {
        // replaces the last comma
        if let Some(last) = self.lines.last_mut() {
            *last = b'\n';
        }
        if self.lines.len() >= FULL { self.flush() } else { Ok(()) }
    }
}

/// The columns that a file would have, in memory.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) file: DataFile,
    /// index of the column of the next field
    at: usize,
}

impl Columns {
    /// Makes the columns of a file with this header.
    pub(super) fn new(file: &'static str, header: impl IntoIterator<Item = impl Into<Heading>>) -> Columns {
        Columns { file: DataFile::new(file, header), at: 0 }
    }

    fn next(&mut self) -> Option<&mut ColumnValues> {
        self.at += 1;
        self.file.columns.get_mut(self.at - 1).map(|column| &mut column.values)
    }
}

impl Rows for Columns {
    fn number(&mut self, x: f64) {
        match self.next() {
            Some(ColumnValues::Numbers(all)) => all.push(x),
            Some(ColumnValues::Texts(all)) => push_text(all, &x.to_string()),
            None => {}
        }
    }

    fn text(&mut self, text: &str) {
        match self.next() {
            Some(ColumnValues::Texts(all)) => push_text(all, text),
            Some(ColumnValues::Numbers(all)) => all.push(f64::NAN),
            None => {}
        }
    }

    fn nothing(&mut self) {
        match self.next() {
            Some(ColumnValues::Numbers(all)) => all.push(f64::NAN),
            Some(ColumnValues::Texts(all)) => push_text(all, ""),
            None => {}
        }
    }

    fn end_line(&mut self) -> Result<(), ResultsError> {
        self.at = 0;
        Ok(())
    }
}

impl DataFile {
    /// Writes the table to its file in a folder.
    pub(super) fn write(&self, folder: &Path) -> Result<(), ResultsError> {
        let header: Vec<Heading> = self.columns.iter().map(|c| c.name.clone()).collect();
        let mut table = Table::create(folder, self.file, &header)?;
        for row in 0..self.rows() {
            for column in &self.columns {
                match &column.values {
                    ColumnValues::Numbers(all) => table.number(all[row]),
                    ColumnValues::Texts(all) => table.text(&all[row]),
                }
            }
            table.end_line()?;
        }
        table.flush()
    }
}
