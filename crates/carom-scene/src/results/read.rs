//! A folder of results, read back.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::csv::records;
use super::folder::UNFINISHED;
use super::place::{
    ANALYSIS, DISTANCES, FIELDS, INVERSE, JOINTS, KINEMATICS, SUMMARY, WEAR, WEAR_PROFILE, is_analysis,
    is_summary,
};
use super::quantity::contact::{Touching, touching};
use super::track::{Reaction, Track, reactions, tracks};

/// Why a folder cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// no folder of ours
    #[error("{} is no folder of results: {why}", path.display())]
    NotResults {
        /// what was to be one
        path: PathBuf,
        /// what is missing
        why: String,
    },
    /// a file that is not as it was written
    #[error("{}, line {line}: {why}", path.display())]
    Broken {
        /// the file
        path: PathBuf,
        /// where
        line: usize,
        /// what is wrong
        why: String,
    },
}

/// How a recorded run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// it came to its end
    Done,
    /// someone stopped it
    Stopped,
    /// it still runs, or was killed
    Unfinished,
    /// it failed, and this is why
    Failed(String),
}

/// A touch or a release.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedEvent {
    /// \[s\]
    pub t: f64,
    /// `touch` or `release`
    pub kind: String,
    /// the contact and its point
    pub contact: String,
    /// the contact point
    pub feature: String,
    /// [m/s]
    pub speed: f64,
}

/// How a bearing is worn.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedProfile {
    /// whose
    pub contact: String,
    /// 1, or 2 of a bearing with a length
    pub end: String,
    /// of the middles of its sectors \[rad\]
    pub angle: Vec<f64>,
    /// there \[m\]
    pub depth: Vec<f64>,
}

/// What a folder holds.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// where it is
    pub path: PathBuf,
    /// `summary.json`
    pub summary: Map<String, Value>,
    /// how the run ended
    pub ending: Ending,
    /// output times \[s\]
    pub t: Vec<f64>,
    /// bodies and probes
    pub tracks: Vec<Track>,
    /// times of `energy.csv` \[s\]
    pub energy_t: Vec<f64>,
    /// its other columns \[J\], by name
    pub energies: Vec<(String, Vec<f64>)>,
    /// the columns of `distances.csv`, by name
    pub distances: Vec<(String, Vec<f64>)>,
    /// the columns of `fields.csv`, by name
    pub fields: Vec<(String, Vec<f64>)>,
    /// the columns of `wear.csv`, by name
    pub wear: Vec<(String, Vec<f64>)>,
    /// how bearings are worn at the end
    pub profiles: Vec<RecordedProfile>,
    /// what every joint does
    pub joints: Vec<Reaction>,
    /// the columns of `kinematics.csv` and `inverse.csv`, by name
    pub mechanism: Vec<(String, Vec<f64>)>,
    /// touches and releases
    pub events: Vec<RecordedEvent>,
    /// files that end within a line; what is whole of them is here
    pub cut: Vec<&'static str>,
    /// contact points, once someone [asks](Recorded::contacts) for them
    pub contact_points: OnceLock<Vec<Touching>>,
}

impl Recorded {
    /// Reads a folder that [`Folder`](super::Folder) wrote, or still writes: what is whole of it. One of a kinematic or inverse analysis has neither energies nor events.
    ///
    /// ```no_run
    /// let run = carom_scene::results::Recorded::open("out/bouncing-ball".as_ref())?;
    /// let heights: Vec<f64> = run.tracks[0].position.iter().map(|p| p[2]).collect();
    /// # Ok::<(), carom_scene::results::ReadError>(())
    /// ```
    pub fn open(path: &Path) -> Result<Recorded, ReadError> {
        let none = |why: String| ReadError::NotResults { path: path.to_owned(), why };
        if !path.is_dir() {
            let why = if path.exists() { "it is no folder" } else { "there is nothing there" };
            return Err(none(why.to_owned()));
        }
        let analysed = !path.join(SUMMARY).exists() && path.join(ANALYSIS).exists();
        let head = if analysed { ANALYSIS } else { SUMMARY };
        let text = fs::read(path.join(head)).map_err(|e| none(format!("{head}: {e}")))?;
        let summary: Value = serde_json::from_slice(&text).map_err(|e| none(format!("{head}: {e}")))?;
        let Value::Object(summary) = summary else { return Err(none(format!("{head} is no object"))) };
        if !(if analysed { is_analysis(&summary) } else { is_summary(&summary) }) {
            return Err(none(format!("{head} is not one of carom's")));
        }
        let mut cut = Vec::new();
        let states = Sheet::read(path, "states.csv", &mut cut)?;
        // what an analysis, or a scene without distances, fields and joints, does not have
        let mut other = |name: &'static str, needed: bool| match needed || path.join(name).exists() {
            true => Sheet::read(path, name, &mut cut).map(Some),
            false => Ok(None),
        };
        let columns = |sheet: Option<Sheet>| sheet.map_or(Ok(Vec::new()), |s| s.columns());
        let energy = other("energy.csv", !analysed)?;
        let events = other("events.csv", !analysed)?.map_or(Ok(Vec::new()), |s| recorded_events(&s))?;
        let (distances, fields) = (columns(other(DISTANCES, false)?)?, columns(other(FIELDS, false)?)?);
        let wear = columns(other(WEAR, false)?)?;
        let profiles = other(WEAR_PROFILE, false)?.map_or(Ok(Vec::new()), |s| profiles(&s))?;
        let joints = other(JOINTS, false)?.map_or(Ok(Vec::new()), |s| reactions(&s))?;
        let mut mechanism = columns(other(KINEMATICS, false)?)?;
        mechanism.extend(columns(other(INVERSE, false)?)?);
        let ending = match summary.get("failed").and_then(Value::as_str) {
            Some(UNFINISHED) => Ending::Unfinished,
            Some(why) => Ending::Failed(why.to_owned()),
            None if summary.get("stopped") == Some(&Value::Bool(true)) => Ending::Stopped,
            None => Ending::Done,
        };
        Ok(Recorded {
            path: path.to_owned(),
            ending,
            t: states.numbers(0)?,
            tracks: tracks(&states)?,
            energy_t: energy.as_ref().map_or(Ok(Vec::new()), |e| e.numbers(0))?,
            energies: columns(energy)?,
            distances,
            fields,
            wear,
            profiles,
            joints,
            mechanism,
            events,
            summary,
            cut,
            contact_points: OnceLock::new(),
        })
    }

    /// The contact points that ever carried a force, read from `contacts.csv` when first asked for: there may be many.
    pub fn contacts(&self) -> Result<&[Touching], ReadError> {
        if let Some(known) = self.contact_points.get() {
            return Ok(known);
        }
        let read = touching(&self.path, &self.t)?;
        Ok(self.contact_points.get_or_init(|| read))
    }

    /// The last output time \[s\]; 0 without any.
    pub fn t_end(&self) -> f64 {
        self.t.last().copied().unwrap_or(0.0)
    }
}

/// A CSV file.
pub(super) struct Sheet {
    pub(super) path: PathBuf,
    pub(super) header: Vec<String>,
    pub(super) lines: Vec<(usize, Vec<String>)>,
}

impl Sheet {
    pub(super) fn read(
        folder: &Path,
        name: &'static str,
        cut: &mut Vec<&'static str>,
    ) -> Result<Sheet, ReadError> {
        let path = folder.join(name);
        let why = |e: std::io::Error| ReadError::NotResults {
            path: folder.to_owned(),
            why: format!("{name}: {e}"),
        };
        let text = fs::read_to_string(&path).map_err(why)?;
        let (mut lines, ends_within) = records(&text);
        if ends_within {
            cut.push(name);
        }
        if lines.is_empty() {
            return Err(ReadError::Broken { path, line: 1, why: "it has no header".to_owned() });
        }
        let (_, header) = lines.remove(0);
        if let Some((line, fields)) = lines.iter().find(|(_, l)| l.len() != header.len()) {
            let why = format!("{} fields, not {} as in the header", fields.len(), header.len());
            return Err(ReadError::Broken { path, line: *line, why });
        }
        Ok(Sheet { path, header, lines })
    }

    /// A column of numbers; what is empty is NaN.
    pub(super) fn numbers(&self, column: usize) -> Result<Vec<f64>, ReadError> {
        let number = |(line, fields): &(usize, Vec<String>)| {
            let text = fields[column].as_str();
            if text.is_empty() {
                return Ok(f64::NAN);
            }
            let why = || format!("`{text}` in column {} is no number", self.header[column]);
            text.parse().map_err(|_| ReadError::Broken { path: self.path.clone(), line: *line, why: why() })
        };
        self.lines.iter().map(number).collect()
    }

    /// All columns but the first, by name.
    fn columns(&self) -> Result<Vec<(String, Vec<f64>)>, ReadError> {
        let names = self.header.iter().enumerate().skip(1);
        names.map(|(i, name)| Ok((name.clone(), self.numbers(i)?))).collect()
    }

    /// `N` columns of numbers side by side.
    pub(super) fn vectors<const N: usize>(&self, first: usize) -> Result<Vec<[f64; N]>, ReadError> {
        let mut all = vec![[0.0; N]; self.lines.len()];
        for i in 0..N {
            for (vector, x) in all.iter_mut().zip(self.numbers(first + i)?) {
                vector[i] = x;
            }
        }
        Ok(all)
    }

    pub(super) fn column(&self, name: &str) -> Result<usize, ReadError> {
        let found = self.header.iter().position(|h| h == name);
        let why = || format!("there is no column {name}");
        found.ok_or_else(|| ReadError::Broken { path: self.path.clone(), line: 1, why: why() })
    }

    /// The name before `suffixes`, if the columns from `first` on are those.
    pub(super) fn name_of(&self, first: usize, suffixes: &[&str]) -> Option<&str> {
        let name = self.header.get(first)?.strip_suffix(suffixes[0])?.strip_suffix('.')?;
        let fits = |(i, s): (usize, &&str)| {
            self.header.get(first + i).and_then(|h| h.strip_prefix(name)?.strip_prefix('.')) == Some(*s)
        };
        suffixes.iter().enumerate().all(fits).then_some(name)
    }
}

fn profiles(sheet: &Sheet) -> Result<Vec<RecordedProfile>, ReadError> {
    let (contact, end) = (sheet.column("contact")?, sheet.column("end")?);
    let [angle, depth] = [sheet.numbers(sheet.column("angle")?)?, sheet.numbers(sheet.column("depth")?)?];
    let mut all: Vec<RecordedProfile> = Vec::new();
    for (i, (_, fields)) in sheet.lines.iter().enumerate() {
        let (name, which) = (&fields[contact], &fields[end]);
        if !all.last().is_some_and(|p| p.contact == *name && p.end == *which) {
            let (angle, depth) = (Vec::new(), Vec::new());
            all.push(RecordedProfile { contact: name.clone(), end: which.clone(), angle, depth });
        }
        if let Some(last) = all.last_mut() {
            last.angle.push(angle[i]);
            last.depth.push(depth[i]);
        }
    }
    Ok(all)
}

fn recorded_events(sheet: &Sheet) -> Result<Vec<RecordedEvent>, ReadError> {
    let [t, speed] = [sheet.numbers(sheet.column("t")?)?, sheet.numbers(sheet.column("speed")?)?];
    let (kind, contact, feature) =
        (sheet.column("kind")?, sheet.column("contact")?, sheet.column("feature")?);
    let event = |(i, (_, fields)): (usize, &(usize, Vec<String>))| RecordedEvent {
        t: t[i],
        kind: fields[kind].clone(),
        contact: fields[contact].clone(),
        feature: fields[feature].clone(),
        speed: speed[i],
    };
    Ok(sheet.lines.iter().enumerate().map(event).collect())
}
