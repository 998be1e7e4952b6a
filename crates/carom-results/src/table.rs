//! Lines under way: a CSV file, or columns in memory.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::data::{ColumnValues, DataFile, push_text};
use crate::error::ResultsError;
use crate::number::{push_field, push_number};

/// Lines are kept back until there is so much of them [bytes], or until someone asks.
const FULL: usize = 1 << 16;

/// What takes lines, field by field.
pub(super) trait Rows {
    /// A number more in the line; one that is none is an empty field.
    fn number(&mut self, x: f64);
    /// A text more in the line.
    fn text(&mut self, text: &str);
    /// An empty field more in the line.
    fn nothing(&mut self);
    /// The line is complete.
    fn end_line(&mut self) -> Result<(), ResultsError>;
    /// Some numbers more in the line.
    #[inline]
    fn numbers<'a>(&mut self, x: impl IntoIterator<Item = &'a f64>) {
        for x in x {
            self.number(*x);
        }
    }
}

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
        // in place of the last comma
        if let Some(last) = self.lines.last_mut() {
            *last = b'\n';
        }
        if self.lines.len() >= FULL { self.flush() } else { Ok(()) }
    }
}

/// The columns that a file would have.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) file: DataFile,
    /// the column of the next field
    at: usize,
}

impl Columns {
    /// Those of a file with this header.
    pub(super) fn new(file: &'static str, header: &[String]) -> Columns {
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
    /// Writes it to its file in a folder.
    pub(super) fn write(&self, folder: &Path) -> Result<(), ResultsError> {
        let header: Vec<String> = self.columns.iter().map(|c| c.name.clone()).collect();
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
