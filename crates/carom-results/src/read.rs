//! Reads a folder of results.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use carom_base::file;
use serde_json::{Map, Value};

use crate::contacts::{PointHistory, RecordedContact, touching};
use crate::data::DataFile;
use crate::error::ReadError;
use crate::files::{
    DISTANCES, ENERGY, EVENTS, FIELDS, FORCES, HEADS, INVERSE, JOINTS, KINEMATICS, SIGNALS, STATES, SUMMARY,
    TEXT, WEAR, WEAR_PROFILE, WITHIN, is_analysis, is_summary,
};
use crate::record::UNFINISHED;
use crate::track::{Reaction, Track, reactions, tracks};

/// A column of numbers with its name.
type NamedColumn = (String, Vec<f64>);

/// How a recorded run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// it reached its end
    #[default]
    Done,
    /// it was stopped by the user
    Stopped,
    /// it is still running, or was killed
    Unfinished,
    /// it failed, for this reason
    Failed(String),
}

/// A touch or a release.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedEvent {
    /// time \[s\]
    pub t: f64,
    /// `touch` or `release`
    pub kind: String,
    /// name of the contact
    pub contact: String,
    /// name of the contact point within the contact
    pub feature: String,
    /// speed of approach or separation [m/s]
    pub speed: f64,
}

/// The wear profile of a bearing.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedProfile {
    /// name of the contact
    pub contact: String,
    /// end of the bearing: 1, or 2 of a bearing with a length
    pub end: String,
    /// angles of the middles of its sectors \[rad\]
    pub angle: Vec<f64>,
    /// depth of wear at these angles \[m\]
    pub depth: Vec<f64>,
}

/// The content of a folder of results.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// path of the folder
    pub path: PathBuf,
    /// `summary.json`
    pub summary: Map<String, Value>,
    /// how the run ended
    pub ending: Ending,
    /// output times \[s\]
    pub t: Vec<f64>,
    /// bodies and probes
    pub tracks: Vec<Track>,
    /// moments of contacts between output times at which bodies and probes are recorded too \[s\]
    pub within_t: Vec<f64>,
    /// bodies and probes at these moments
    pub within_tracks: Vec<Track>,
    /// times of `energy.csv` \[s\]
    pub energy_t: Vec<f64>,
    /// the other columns of `energy.csv` \[J\], by name
    pub energies: Vec<(String, Vec<f64>)>,
    /// the columns of `distances.csv`, by name
    pub distances: Vec<(String, Vec<f64>)>,
    /// the columns of `fields.csv`, by name
    pub fields: Vec<(String, Vec<f64>)>,
    /// the columns of `wear.csv`, by name
    pub wear: Vec<(String, Vec<f64>)>,
    /// wear profiles of bearings at the end
    pub profiles: Vec<RecordedProfile>,
    /// force and couple of every joint
    pub joints: Vec<Reaction>,
    /// the columns of `kinematics.csv` and `inverse.csv`, and those of drives in `forces.csv`, by name
    pub mechanism: Vec<(String, Vec<f64>)>,
    /// the columns of forces in `forces.csv`, by name
    pub forces: Vec<(String, Vec<f64>)>,
    /// the columns of `signals.csv`, by name
    pub signals: Vec<(String, Vec<f64>)>,
    /// touches and releases
    pub events: Vec<RecordedEvent>,
    /// files that end within a line; their whole lines are included
    pub cut: Vec<&'static str>,
    /// contact points; filled by the first call of [`contacts`](Recorded::contacts)
    pub contact_points: OnceLock<Vec<PointHistory>>,
    /// the lines of `contacts.csv`, if the run is in memory
    pub contact_lines: Option<DataFile>,
}

impl Recorded {
    /// Reads a folder that [`Folder`](super::Folder) has written, or is still writing: all whole lines. An analysis has neither
    /// energies nor events; a static one has a single instant.
    ///
    /// ```no_run
    /// let run = carom_results::Recorded::open("out/bouncing-ball".as_ref())?;
    /// let heights: Vec<f64> = run.tracks[0].position.iter().map(|p| p[2]).collect();
    /// # Ok::<(), carom_results::ReadError>(())
    /// ```
    pub fn open(path: &Path) -> Result<Recorded, ReadError> {
        let none = |why: String| ReadError::NotResults { path: path.to_owned(), why };
        if !path.is_dir() {
            let why = if path.exists() { "it is no folder" } else { "there is nothing there" };
            return Err(none(why.to_owned()));
        }
        let head = HEADS.into_iter().find(|head| path.join(head).exists()).unwrap_or(SUMMARY);
        let analysed = head != SUMMARY;
        let text = file::read(&path.join(head), TEXT).map_err(|e| none(format!("{head}: {e}")))?;
        let summary: Value = serde_json::from_slice(&text).map_err(|e| none(format!("{head}: {e}")))?;
        let Value::Object(summary) = summary else { return Err(none(format!("{head} is no object"))) };
        if !(if analysed { is_analysis(&summary) } else { is_summary(&summary) }) {
            return Err(none(format!("{head} is not one of carom's")));
        }
        let mut cut = Vec::new();
        let of_runs = [STATES, ENERGY, EVENTS, DISTANCES, FIELDS, WEAR, WEAR_PROFILE];
        let others = [WITHIN, JOINTS, FORCES, SIGNALS, KINEMATICS, INVERSE];
        let mut tables = Vec::new();
        for file in of_runs.into_iter().chain(others) {
            // an analysis, or a scene without distances, fields and joints, does not have all files
            let needed = file == STATES || (!analysed && [ENERGY, EVENTS].contains(&file));
            if needed || path.join(file).exists() {
                tables.push(DataFile::read(path, file, &mut cut)?);
            }
        }
        Recorded::of(path.to_owned(), summary, tables, cut)
    }

    /// Makes the results from these tables.
    pub(super) fn of(
        path: PathBuf,
        summary: Map<String, Value>,
        mut tables: Vec<DataFile>,
        cut: Vec<&'static str>,
    ) -> Result<Recorded, ReadError> {
        let contact_lines = tables.iter().position(|t| t.name == "contacts").map(|i| tables.swap_remove(i));
        let table = |file: &str| tables.iter().find(|table| table.file == file);
        let time = |file: &str| table(file).map_or(Vec::new(), |table| table.numbers(0).to_vec());
        let named = |file: &str| table(file).map_or(Vec::new(), DataFile::named);
        let ending = match summary.get("failed").and_then(Value::as_str) {
            Some(UNFINISHED) => Ending::Unfinished,
            Some(why) => Ending::Failed(why.to_owned()),
            None if summary.get("stopped") == Some(&Value::Bool(true)) => Ending::Stopped,
            None => Ending::Done,
        };
        // a run that was killed may have moments after the last output time
        let (t, mut within_t) = (time(STATES), time(WITHIN));
        within_t.retain(|moment| t.last().is_some_and(|end| moment < end));
        let mut mechanism = named(KINEMATICS);
        mechanism.extend(named(INVERSE));
        let (drives, forces) = drives_and_forces(named(FORCES));
        mechanism.extend(drives);
        Ok(Recorded {
            ending,
            t,
            tracks: made(&path, table(STATES), tracks)?,
            within_t,
            within_tracks: made(&path, table(WITHIN), tracks)?,
            energy_t: time(ENERGY),
            energies: named(ENERGY),
            distances: named(DISTANCES),
            fields: named(FIELDS),
            wear: named(WEAR),
            profiles: made(&path, table(WEAR_PROFILE), profiles)?,
            joints: made(&path, table(JOINTS), reactions)?,
            mechanism,
            forces,
            signals: named(SIGNALS),
            events: made(&path, table(EVENTS), recorded_events)?,
            summary,
            cut,
            path,
            contact_points: OnceLock::new(),
            contact_lines,
        })
    }

    /// Calls `each` with every line of `contacts.csv` in the order of time.
    pub fn each_contact(&self, each: impl FnMut(&RecordedContact)) -> Result<(), ReadError> {
        match &self.contact_lines {
            Some(table) => RecordedContact::for_each_in(table, each),
            None => RecordedContact::for_each(&self.path, each),
        }
    }

    /// Returns the contact points that ever carried a force. They are read from `contacts.csv` by the first call, because there
    /// may be many.
    pub fn contacts(&self) -> Result<&[PointHistory], ReadError> {
        if let Some(known) = self.contact_points.get() {
            return Ok(known);
        }
        let read = touching(&self.t, |each| self.each_contact(each))?;
        Ok(self.contact_points.get_or_init(|| read))
    }

    /// Returns the last output time \[s\]; 0 if there is none.
    pub fn t_end(&self) -> f64 {
        self.t.last().copied().unwrap_or(0.0)
    }
}

/// Separates the columns of drives from those of forces: only a drive has a column `NAME.force`.
fn drives_and_forces(columns: Vec<NamedColumn>) -> (Vec<NamedColumn>, Vec<NamedColumn>) {
    let owner = |name: &str| name.rsplit_once('.').map(|(owner, _)| owner.to_owned());
    let drives: Vec<String> = columns
        .iter()
        .filter(|(name, _)| name.ends_with(".force"))
        .filter_map(|(name, _)| owner(name))
        .collect();
    columns.into_iter().partition(|(name, _)| owner(name).is_some_and(|owner| drives.contains(&owner)))
}

/// Converts a table, if it exists.
fn made<T>(
    folder: &Path,
    table: Option<&DataFile>,
    make: fn(&DataFile) -> Result<Vec<T>, String>,
) -> Result<Vec<T>, ReadError> {
    let Some(table) = table else { return Ok(Vec::new()) };
    make(table).map_err(|why| ReadError::Broken { path: folder.join(table.file), line: 1, why })
}

fn profiles(table: &DataFile) -> Result<Vec<RecordedProfile>, String> {
    let (contact, end) = (table.texts(table.column("contact")?), table.texts(table.column("end")?));
    let (angle, depth) = (table.numbers(table.column("angle")?), table.numbers(table.column("depth")?));
    let mut all: Vec<RecordedProfile> = Vec::new();
    for (i, (name, which)) in contact.iter().zip(end).enumerate() {
        if !all.last().is_some_and(|p| *p.contact == **name && *p.end == **which) {
            let (contact, end) = (name.to_string(), which.to_string());
            all.push(RecordedProfile { contact, end, angle: Vec::new(), depth: Vec::new() });
        }
        if let Some(last) = all.last_mut() {
            last.angle.push(angle[i]);
            last.depth.push(depth[i]);
        }
    }
    Ok(all)
}

fn recorded_events(table: &DataFile) -> Result<Vec<RecordedEvent>, String> {
    let (t, speed) = (table.numbers(table.column("t")?), table.numbers(table.column("speed")?));
    let texts = |column: &str| table.column(column).map(|i| table.texts(i));
    let (kind, contact, feature) = (texts("kind")?, texts("contact")?, texts("feature")?);
    let event = |i: usize| RecordedEvent {
        t: t[i],
        kind: kind[i].to_string(),
        contact: contact[i].to_string(),
        feature: feature[i].to_string(),
        speed: speed[i],
    };
    Ok((0..table.rows()).map(event).collect())
}
