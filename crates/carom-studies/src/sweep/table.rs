//! The table of a sweep: its rows in the order of the plan.

use std::path::{Path, PathBuf};

use carom_base::number::push_field;
use carom_results::records;
use serde_json::Value;

use super::error::SweepError;
use super::rows::{Read, write_whole};
use super::vary::Vary;

/// The name of the table in the folder of the sweep.
pub const TABLE: &str = "table.csv";

/// Writes the table, replacing the old one as a whole; returns its path.
pub(super) fn write_table(folder: &Path, read: &Read) -> Result<PathBuf, SweepError> {
    let path = folder.join(TABLE);
    write_whole(&path, &text(read))?;
    Ok(path)
}

fn text(read: &Read) -> String {
    let mut head = Vec::new();
    for (i, column) in texts(&read.header, "columns").iter().enumerate() {
        if i > 0 {
            head.push(b',');
        }
        push_field(&mut head, column);
    }
    let mut out = String::from_utf8_lossy(&head).into_owned() + "\n";
    for line in read.rows.values() {
        out += line;
        out.push('\n');
    }
    out
}

fn texts(header: &serde_json::Map<String, Value>, key: &str) -> Vec<String> {
    let all = header.get(key).and_then(Value::as_array).into_iter().flatten();
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The results of a sweep so far.
#[derive(Clone, Debug)]
pub struct Table {
    /// the varied paths: the columns after the run's number
    pub varied: Vec<Vary>,
    /// names and SI units of the measures: the columns after these
    pub measures: Vec<(String, String)>,
    /// `grid`, `latin-hypercube`, `sobol`
    pub design: String,
    /// the fields of every row, in the order of the plan
    pub rows: Vec<Vec<String>>,
    /// number of rows when the sweep is finished
    pub runs: usize,
    /// the text of [`TABLE`]
    pub text: String,
}

impl Table {
    /// Reads the folder of a sweep, finished or not.
    pub fn open(folder: &Path) -> Result<Table, SweepError> {
        let read = Read::open(folder)?;
        let varied = texts(&read.header, "vary").iter().map(|v| Vary::parse(v)).collect::<Result<_, _>>()?;
        let word = |v: &Value, i: usize| v.get(i).and_then(Value::as_str).unwrap_or_default().to_owned();
        let measures = read.header.get("measures").and_then(Value::as_array).into_iter().flatten();
        let measures = measures.map(|m| (word(m, 0), word(m, 2))).collect();
        let design = read.header.get("design").map(|d| word(d, 0)).unwrap_or_default();
        let fields = |line: &String| records(&format!("{line}\n")).0.pop().map(|(_, fields)| fields);
        let rows = read.rows.values().filter_map(fields).collect();
        let runs = read.header.get("runs").and_then(Value::as_u64).unwrap_or(0) as usize;
        let text = text(&read);
        Ok(Table { varied, measures, design, rows, runs, text })
    }

    /// Returns the values of a measure, one per row; NaN where there is none.
    pub fn measure(&self, name: &str) -> Result<Vec<f64>, SweepError> {
        let Some(i) = self.measures.iter().position(|m| m.0 == name) else {
            let known: Vec<&str> = self.measures.iter().map(|m| m.0.as_str()).collect();
            let meant = carom::words::nearest(name, &known).map(|n| format!(" did you mean `{n}`?"));
            return Err(SweepError::Figure(format!(
                "there is no measure `{name}`;{} there are: {}",
                meant.unwrap_or_default(),
                known.join(", ")
            )));
        };
        let number = |row: &Vec<String>| row.get(1 + self.varied.len() + i).and_then(|x| x.parse().ok());
        Ok(self.rows.iter().map(|row| number(row).unwrap_or(f64::NAN)).collect())
    }
}
