//! The journal of a sweep: a file to which finished rows are appended.
//!
//! Its first line describes the sweep in JSON. Every other line is a row of the table, in the order of finishing, after a hash
//! of the row: a line that a crash has cut or damaged does not count, and its point is run again. A row is written at once
//! and as a whole.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use carom_base::file;
use carom_results::lock::{Lock, Locked};
use carom_scene::same_setting;
use serde_json::{Map, Value, json};

use super::error::SweepError;
use super::files::hash;
use super::rows::{JOURNAL, Read, write_whole};
use super::shard::Shard;
use super::study::{Row, Study, runs};
use super::table::{TABLE, write_table};
use super::vary::Vary;

/// The entries that must be equal for a sweep to be continued, and their names in messages.
const SAME: [(&str, &str); 11] = [
    ("version", "version of carom"),
    ("scene", "scene (by a hash of its text)"),
    ("files", "files that the scene names (by hashes of what is in them)"),
    ("functions", "functions in the scene (by a hash of their code)"),
    ("set", "set"),
    ("vary", "vary"),
    ("design", "design and samples"),
    ("seed", "seed"),
    ("measures", "measure"),
    ("keep", "keep"),
    ("shard", "shard"),
];

/// Makes the first line, which describes the sweep.
fn header(study: &Study, shard: Shard, keep: bool) -> Map<String, Value> {
    let plan = study.plan();
    let design = plan.design();
    let measures: Vec<Value> =
        study.measures().iter().zip(study.units()).map(|(m, unit)| json!([m.name, m.text, unit])).collect();
    let header = json!({
        "carom": "sweep",
        "version": env!("CARGO_PKG_VERSION"),
        "file": study.name(),
        "scene": format!("{:016x}", hash(study.text().as_bytes())),
        "set": study.set(),
        "vary": plan.varied().iter().map(|v| v.text.as_str()).collect::<Vec<_>>(),
        "design": [design.name(), plan.len()],
        "seed": design.seed(),
        "measures": measures,
        "keep": keep,
        "columns": study.columns(),
        "runs": plan.len(),
        "shard": shard.to_string(),
    });
    let mut map = if let Value::Object(map) = header { map } else { Map::new() };
    // included only if there are any, so that they are missing in both or differ
    let files = study.files().iter().map(|(name, hash)| (name.clone(), json!(format!("{hash:016x}"))));
    let more = [("files", Value::Object(files.collect())), ("functions", json!(study.mark()))];
    let empty = |v: &Value| v.as_str() == Some("") || v.as_object().is_some_and(Map::is_empty);
    map.extend(more.into_iter().filter(|(_, v)| !empty(v)).map(|(key, v)| (key.to_owned(), v)));
    map
}

/// Compares two texts of a list by their meaning.
type Alike = fn(&str, &str) -> bool;

/// Returns whether two headers agree in an entry; paths and values may be written in several forms (`1e-3`, `0.001`; `1 s`,
/// `"1 s"`).
fn agree(key: &str, was: Option<&Value>, is: Option<&Value>) -> bool {
    let alike: Alike = match key {
        "vary" => |a, b| match (Vary::parse(a), Vary::parse(b)) {
            (Ok(a), Ok(b)) => (a.path, a.over, a.unit) == (b.path, b.over, b.unit),
            _ => a == b,
        },
        "set" => same_setting,
        _ => |a, b| a == b,
    };
    let texts = |v: Option<&Value>| -> Option<Vec<String>> {
        v?.as_array()?.iter().map(|t| t.as_str().map(str::to_owned)).collect()
    };
    match (texts(was), texts(is)) {
        (Some(was), Some(is)) => was.len() == is.len() && was.iter().zip(&is).all(|(a, b)| alike(a, b)),
        _ => was == is,
    }
}

/// Returns the first difference between two sweeps, if any: the entry, its value then and now.
fn difference(
    was: &Map<String, Value>,
    is: &Map<String, Value>,
    but: &str,
) -> Option<(String, String, String)> {
    let shown = |v: Option<&Value>| v.map_or("nothing".to_owned(), Value::to_string);
    let mut keys = SAME.iter().filter(|(key, _)| *key != but && !agree(key, was.get(*key), is.get(*key)));
    keys.next().map(|(key, what)| ((*what).to_owned(), shown(was.get(*key)), shown(is.get(*key))))
}

/// A sweep in progress, in a folder.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    _lock: Lock,
    file: File,
    shard: Shard,
    done: Vec<bool>,
    measures: usize,
    count: usize,
    failed: usize,
}

impl Journal {
    /// Begins a sweep in this folder, or continues the same one. Another sweep there is an error, or with `restart` is deleted.
    /// The folder is locked against other processes for the lifetime of the journal.
    pub fn open(
        folder: &Path,
        study: &Study,
        shard: Shard,
        keep: bool,
        restart: bool,
    ) -> Result<Journal, SweepError> {
        let path = folder.join(JOURNAL);
        let header = header(study, shard, keep);
        check_folder(folder)?;
        fs::create_dir_all(folder).map_err(SweepError::io(folder))?;
        let lock = take(folder)?;
        if restart && path.exists() {
            let kept = runs(folder);
            for old in [&path, &folder.join(TABLE)] {
                if old.exists() {
                    fs::remove_file(old).map_err(SweepError::io(old))?;
                }
            }
            if kept.exists() {
                fs::remove_dir_all(&kept).map_err(SweepError::io(&kept))?;
            }
        }
        let (mut done, mut failed, mut cut) = (vec![false; study.plan().len()], 0, false);
        if path.exists() {
            let read = Read::open(folder)?;
            if let Some((what, was, is)) = difference(&read.header, &header, "") {
                return Err(SweepError::Other { path: folder.to_owned(), what, was, is });
            }
            for (index, line) in &read.rows {
                if let Some(done) = done.get_mut(*index) {
                    *done = true;
                    failed += usize::from(!line.ends_with(','));
                }
            }
            cut = read.cut;
        } else {
            write_whole(&path, &format!("{}\n", Value::Object(header)))?;
        }
        let mut file = file::open_to_append(&path).map_err(SweepError::io(&path))?;
        if cut {
            // the rest of a line that was cut remains as a line without a valid hash
            file.write_all(b"\n").map_err(SweepError::io(&path))?;
        }
        let count = done.iter().filter(|d| **d).count();
        let measures = study.measures().len();
        Ok(Journal { folder: folder.to_owned(), _lock: lock, file, shard, done, measures, count, failed })
    }

    /// Returns the number of finished runs, and how many of them failed.
    pub fn done(&self) -> (usize, usize) {
        (self.count, self.failed)
    }

    /// Returns the number of all runs.
    pub fn all(&self) -> usize {
        self.shard.len(self.done.len())
    }

    /// Returns the indices of the runs still to do.
    pub fn pending(&self) -> Vec<usize> {
        (0..self.done.len()).filter(|i| self.shard.has(*i) && !self.done[*i]).collect()
    }

    /// Appends a row.
    pub fn append(&mut self, row: &Row) -> Result<(), SweepError> {
        let line = row.line(self.measures);
        let text = format!("{:016x},{line}\n", hash(line.as_bytes()));
        self.file.write_all(text.as_bytes()).map_err(SweepError::io(&self.folder.join(JOURNAL)))?;
        if let Some(done) = self.done.get_mut(row.index) {
            self.count += usize::from(!*done);
            *done = true;
        }
        self.failed += usize::from(row.values.is_err());
        Ok(())
    }

    /// Makes the operating system write the file to the disk.
    pub fn sync(&self) -> Result<(), SweepError> {
        self.file.sync_data().map_err(SweepError::io(&self.folder.join(JOURNAL)))
    }

    /// Writes the table of the finished runs, in the order of the plan, and replaces the old one as a whole.
    pub fn table(&self) -> Result<PathBuf, SweepError> {
        self.sync()?;
        let read = Read::open(&self.folder)?;
        write_table(&self.folder, &read)
    }
}

/// The lock file of a sweep's folder; it remains, and names the last process.
const LOCK: &str = "sweep.lock";

/// Locks a sweep's folder against other processes.
fn take(folder: &Path) -> Result<Lock, SweepError> {
    Lock::take(folder, LOCK).map_err(|locked| match locked {
        Locked::Busy(who) => SweepError::Busy { path: folder.to_owned(), who },
        Locked::Io(path, source) => SweepError::Io { path, source },
    })
}

/// Checks that the folder holds a sweep, is empty, or holds folders only (such as those of shards).
fn check_folder(folder: &Path) -> Result<(), SweepError> {
    if !folder.exists() || folder.join(JOURNAL).exists() {
        return Ok(());
    }
    let foreign = || SweepError::Foreign { path: folder.to_owned() };
    if !folder.is_dir() {
        return Err(foreign());
    }
    let entries = fs::read_dir(folder).map_err(SweepError::io(folder))?;
    let ours = |e: &fs::DirEntry| {
        e.path().is_dir() || e.file_name() == LOCK || e.file_name().to_string_lossy().ends_with(".part")
    };
    match entries.filter_map(Result::ok).all(|e| ours(&e)) {
        true => Ok(()),
        false => Err(foreign()),
    }
}

/// Merges the shards of a sweep into one folder; returns the path of the table, its number of rows, and the number it should
/// have. Missing runs can be done there: the folder is that of the same sweep without `--shard`.
pub fn merge(shards: &[PathBuf], into: &Path) -> Result<(PathBuf, usize, usize), SweepError> {
    let mut all: Option<Read> = None;
    let own = into.join(JOURNAL).exists().then(|| into.to_owned());
    for folder in shards.iter().chain(&own) {
        let read = Read::open(folder)?;
        let Some(all) = &mut all else {
            all = Some(read);
            continue;
        };
        if let Some((what, was, is)) = difference(&all.header, &read.header, "shard") {
            return Err(SweepError::Other { path: folder.clone(), what, was: is, is: was });
        }
        let counts = [&read, all].map(|r| r.shard().map(|s| s.n));
        if own.as_ref() != Some(folder) && counts[0] != counts[1] {
            let [is, was] = [&read, all].map(|r| r.shard().map_or(String::new(), |s| s.to_string()));
            let what = "shard".to_owned();
            return Err(SweepError::Other { path: folder.clone(), what, was: is, is: was });
        }
        all.rows.extend(read.rows);
    }
    let Some(mut all) = all else { return Err(SweepError::Plan("merge what? Name folders".to_owned())) };
    all.header.insert("shard".to_owned(), json!(Shard::WHOLE.to_string()));
    check_folder(into)?;
    fs::create_dir_all(into).map_err(SweepError::io(into))?;
    let _lock = take(into)?;
    let mut text = format!("{}\n", Value::Object(all.header.clone()));
    for line in all.rows.values() {
        text += &format!("{:016x},{line}\n", hash(line.as_bytes()));
    }
    write_whole(&into.join(JOURNAL), &text)?;
    let runs = all.header.get("runs").and_then(Value::as_u64).unwrap_or(0) as usize;
    Ok((write_table(into, &all)?, all.rows.len(), runs))
}
