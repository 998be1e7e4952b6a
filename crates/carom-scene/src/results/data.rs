//! The CSV files of a folder as columns of numbers and texts, as they are.

use std::path::Path;

use super::place::{CONTACTS, DISTANCES, FIELDS, INVERSE, JOINTS, KINEMATICS};
use super::read::{ReadError, Sheet};

/// The files there may be, by their names without ending, and the columns of each that are texts.
pub(super) const DATA: [(&str, &str, &[&str]); 9] = [
    ("states", "states.csv", &[]),
    ("energy", "energy.csv", &[]),
    ("contacts", CONTACTS, &["contact", "feature"]),
    ("events", "events.csv", &["kind", "contact", "feature", "phase"]),
    ("distances", DISTANCES, &[]),
    ("fields", FIELDS, &[]),
    ("joints", JOINTS, &["joint"]),
    ("kinematics", KINEMATICS, &[]),
    ("inverse", INVERSE, &[]),
];

/// A CSV file of a folder.
#[derive(Clone, Debug, PartialEq)]
pub struct DataFile {
    /// without its ending: `states`
    pub name: &'static str,
    /// in the order of the file
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// its head
    pub name: String,
    /// its values, from the first line to the last whole one
    pub values: ColumnValues,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// numbers; NaN where a field is empty
    Numbers(Vec<f64>),
    /// texts
    Texts(Vec<String>),
}

/// All CSV files of a run or an analysis that are there.
pub fn data_files(folder: &Path) -> Result<Vec<DataFile>, ReadError> {
    let mut all = Vec::new();
    for (name, file, texts) in DATA {
        if !folder.join(file).exists() {
            continue;
        }
        let sheet = Sheet::read(folder, file, &mut Vec::new())?;
        let mut columns = Vec::with_capacity(sheet.header.len());
        for (i, head) in sheet.header.iter().enumerate() {
            let values = match texts.contains(&head.as_str()) {
                true => {
                    ColumnValues::Texts(sheet.lines.iter().map(|(_, fields)| fields[i].clone()).collect())
                }
                false => ColumnValues::Numbers(sheet.numbers(i)?),
            };
            columns.push(Column { name: head.clone(), values });
        }
        all.push(DataFile { name, columns });
    }
    Ok(all)
}
