//! The tables of results as columns of numbers and texts: read from the CSV files of a folder, or kept in memory.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use carom_base::file::read_text;

use crate::csv::records;
use crate::error::ReadError;
use crate::files::{
    CONTACTS, DISTANCES, ENERGY, EVENTS, FIELDS, FORCES, INVERSE, JOINTS, KINEMATICS, MODES, MOMENTUM,
    SIGNALS, STATES, TABLE, WEAR, WEAR_PROFILE, WITHIN,
};

/// A table that a folder may have: its name, its file, and the columns that are texts.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    texts: &'static [&'static str],
}

/// Makes a row of the list below.
const fn t(name: &'static str, file: &'static str, texts: &'static [&'static str]) -> Known {
    Known { name, file, texts }
}

/// All tables that a folder may have.
static KNOWN: [Known; 17] = [
    t("states", STATES, &[]),
    t("states_within", WITHIN, &[]),
    t("energy", ENERGY, &[]),
    t("momentum", MOMENTUM, &[]),
    t("contacts", CONTACTS, &["contact", "feature"]),
    t("events", EVENTS, &["kind", "contact", "feature", "phase"]),
    t("distances", DISTANCES, &[]),
    t("fields", FIELDS, &[]),
    t("joints", JOINTS, &["joint"]),
    t("forces", FORCES, &[]),
    t("signals", SIGNALS, &[]),
    t("wear", WEAR, &[]),
    t("wear_profile", WEAR_PROFILE, &["contact", "end"]),
    t("kinematics", KINEMATICS, &[]),
    t("inverse", INVERSE, &[]),
    t("modes", MODES[1], &["kind"]),
    t("roots", MODES[2], &["kind"]),
];

impl Known {
    /// Finds the table of a file.
    pub(super) fn of(file: &str) -> Option<&'static Known> {
        KNOWN.iter().find(|known| known.file == file)
    }
}

/// A table of results.
#[derive(Clone, Debug, PartialEq)]
pub struct DataFile {
    /// name of its file without the ending: `states`
    pub name: &'static str,
    /// its file: `states.csv`
    pub file: &'static str,
    /// its columns, in the order of the file
    pub columns: Vec<Column>,
}

/// The heading of a column: most are the same in every run.
pub(crate) type Heading = Cow<'static, str>;

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// its heading
    pub name: Heading,
    /// its values, from the first line to the last whole one
    pub values: ColumnValues,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// numbers; NaN where a field is empty
    Numbers(Vec<f64>),
    /// texts; equal ones share their memory
    Texts(Vec<Arc<str>>),
}

impl ColumnValues {
    /// Returns the number of values.
    fn len(&self) -> usize {
        match self {
            ColumnValues::Numbers(x) => x.len(),
            ColumnValues::Texts(x) => x.len(),
        }
    }
}

impl DataFile {
    /// Makes a table without lines.
    pub(super) fn new(file: &'static str, header: impl IntoIterator<Item = impl Into<Heading>>) -> DataFile {
        let (name, texts) = Known::of(file).map_or((file, &[][..]), |known| (known.name, known.texts));
        let values = |name: &str| match texts.contains(&name) {
            true => ColumnValues::Texts(Vec::new()),
            false => ColumnValues::Numbers(Vec::new()),
        };
        let columns =
            header.into_iter().map(Into::into).map(|name: Heading| Column { values: values(&name), name });
        DataFile { name, file, columns: columns.collect() }
    }

    /// Returns the number of lines.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// Returns the numbers of a column; empty for a column of texts.
    pub(super) fn numbers(&self, column: usize) -> &[f64] {
        match self.columns.get(column).map(|c| &c.values) {
            Some(ColumnValues::Numbers(x)) => x,
            _ => &[],
        }
    }

    /// Returns the texts of a column; empty for a column of numbers.
    pub(super) fn texts(&self, column: usize) -> &[Arc<str>] {
        match self.columns.get(column).map(|c| &c.values) {
            Some(ColumnValues::Texts(x)) => x,
            _ => &[],
        }
    }

    /// Returns `N` adjacent columns of numbers as vectors.
    pub(super) fn vectors<const N: usize>(&self, first: usize) -> Vec<[f64; N]> {
        let columns: [&[f64]; N] = std::array::from_fn(|i| self.numbers(first + i));
        let rows = columns.iter().map(|c| c.len()).min().unwrap_or(0);
        (0..rows).map(|row| columns.map(|column| column[row])).collect()
    }

    /// Returns all columns of numbers but the first, by name.
    pub(super) fn named(&self) -> Vec<(String, Vec<f64>)> {
        let rest = self.columns.iter().enumerate().skip(1);
        rest.map(|(i, column)| (column.name.to_string(), self.numbers(i).to_vec())).collect()
    }

    /// Returns the index of a column.
    pub(super) fn column(&self, name: &str) -> Result<usize, String> {
        let found = self.columns.iter().position(|c| c.name == name);
        found.ok_or_else(|| format!("there is no column {name}"))
    }

    /// Returns the name before `suffixes`, if the columns from `first` on have the form NAME.suffix.
    pub(super) fn name_of(&self, first: usize, suffixes: &[&str]) -> Option<&str> {
        let name = self.columns.get(first)?.name.strip_suffix(suffixes[0])?.strip_suffix('.')?;
        let fits = |(i, s): (usize, &&str)| {
            let column = self.columns.get(first + i);
            column.and_then(|c| c.name.strip_prefix(name)?.strip_prefix('.')) == Some(*s)
        };
        suffixes.iter().enumerate().all(fits).then_some(name)
    }

    /// Reads a file of a folder; adds its name to `cut` if it ends within a line.
    pub(super) fn read(
        folder: &Path,
        file: &'static str,
        cut: &mut Vec<&'static str>,
    ) -> Result<DataFile, ReadError> {
        let path = folder.join(file);
        let why = |e: std::io::Error| ReadError::NotResults {
            path: folder.to_owned(),
            why: format!("{file}: {e}"),
        };
        let text = read_text(&path, TABLE).map_err(why)?;
        let (mut lines, ends_within) = records(&text);
        if ends_within {
            cut.push(file);
        }
        let broken = |line: usize, why: String| ReadError::Broken { path: path.clone(), line, why };
        if lines.is_empty() {
            return Err(broken(1, "it has no header".to_owned()));
        }
        let (_, header) = lines.remove(0);
        if let Some((line, fields)) = lines.iter().find(|(_, l)| l.len() != header.len()) {
            let why = format!("{} fields, not {} as in the header", fields.len(), header.len());
            return Err(broken(*line, why));
        }
        let mut data = DataFile::new(file, header);
        for (i, Column { name, values }) in data.columns.iter_mut().enumerate() {
            for (line, fields) in &lines {
                let text = fields[i].as_str();
                match values {
                    ColumnValues::Texts(all) => push_text(all, text),
                    ColumnValues::Numbers(all) if text.is_empty() => all.push(f64::NAN),
                    ColumnValues::Numbers(all) => all.push(
                        text.parse()
                            .map_err(|_| broken(*line, format!("`{text}` in column {name} is no number")))?,
                    ),
                }
            }
        }
        Ok(data)
    }
}

/// Number of previous texts among which an equal one is searched.
const RECENT: usize = 64;

/// Adds a text; it shares the memory of an equal one among the last ones.
pub(super) fn push_text(all: &mut Vec<Arc<str>>, text: &str) {
    let same = all.iter().rev().take(RECENT).find(|known| ***known == *text).cloned();
    all.push(same.unwrap_or_else(|| Arc::from(text)));
}

/// Reads all CSV files of a run or an analysis that exist.
pub fn data_files(folder: &Path) -> Result<Vec<DataFile>, ReadError> {
    let there = KNOWN.iter().filter(|known| folder.join(known.file).exists());
    there.map(|known| DataFile::read(folder, known.file, &mut Vec::new())).collect()
}
