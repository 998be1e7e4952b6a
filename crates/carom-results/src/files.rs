//! The names of the result files, and the check whether a folder may be written to.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use carom_base::file;
use serde_json::Value;

use crate::error::ResultsError;
use crate::lock::{Lock, Locked};

/// A text that describes a run or a scene is read up to this size, and a table or a checkpoint up to that one [GB].
pub(super) const TEXT: u64 = 1;
pub(super) const TABLE: u64 = 16;

/// The summary of a run; it is the first file written, so a folder that has it holds results.
pub(super) const SUMMARY: &str = "summary.json";
/// The scene that was run.
pub(crate) const SCENE: &str = "scene.json";
/// The page that shows the run (`carom view`).
pub const VIEW: &str = "view.html";
/// The list of the figures in the folder (`carom plot`).
pub(super) const FIGURES: &str = "figures.json";
/// The file of the data that differ from one run to the next.
pub(super) const TIMING: &str = "timing.json";

/// The file of bodies and probes.
pub(super) const STATES: &str = "states.csv";
/// The file of bodies and probes at moments of contacts between output times.
pub(super) const WITHIN: &str = "states-within.csv";
/// The file of the energy balance.
pub(super) const ENERGY: &str = "energy.csv";
/// The file of momentum and impulses.
pub(super) const MOMENTUM: &str = "momentum.csv";
/// The file of touches and releases.
pub(super) const EVENTS: &str = "events.csv";
/// The file of contact points.
pub(super) const CONTACTS: &str = "contacts.csv";
/// The file of distances, if the scene has any.
pub(super) const DISTANCES: &str = "distances.csv";
/// The file of short-range fields, if the scene has any.
pub(super) const FIELDS: &str = "fields.csv";
/// The file of joints, if the scene has any.
pub(super) const JOINTS: &str = "joints.csv";

/// The file of the forces and of the drives of joints, if the scene has any.
pub(super) const FORCES: &str = "forces.csv";

/// The file of inputs and of the outputs of controllers, if the scene has any.
pub(super) const SIGNALS: &str = "signals.csv";

/// The file of the wear of contacts, if any wear.
pub(super) const WEAR: &str = "wear.csv";
/// The file of the wear profiles of bearings at the end.
pub(super) const WEAR_PROFILE: &str = "wear-profile.csv";

/// The files of an equilibrium and the small motions about it.
pub(super) const MODES: [&str; 3] = ["modes.json", "modes.csv", "roots.csv"];

/// The file that names an analysis without integration.
pub(super) const ANALYSIS: &str = "analysis.json";
/// The file of joint coordinates, if the scene has any; for a driven mechanism also of accelerations.
pub(super) const KINEMATICS: &str = "kinematics.csv";
/// The file of the forces and powers of the drives of a driven mechanism.
pub(super) const INVERSE: &str = "inverse.csv";
/// The file of a static equilibrium.
pub(super) const EQUILIBRIUM: &str = "equilibrium.json";
/// The files that say whether a folder holds a run or an analysis.
pub(super) const HEADS: [&str; 3] = [SUMMARY, ANALYSIS, EQUILIBRIUM];

/// The lock file, which keeps other processes out while results are written. It is deleted after the run; if the run is
/// killed it remains, and has no effect.
const LOCK: &str = "run.lock";

/// Locks an existing folder against all other processes, for the lifetime of the lock.
pub(super) fn lock(folder: &Path) -> Result<Lock, ResultsError> {
    Lock::take_for_now(folder, LOCK).map_err(|locked| match locked {
        Locked::Busy(who) => ResultsError::Busy { path: folder.to_owned(), who },
        Locked::Io(path, source) => ResultsError::Io { path, source },
    })
}

/// The file that a run which was broken off goes on from.
pub(super) const CHECKPOINT: &str = "checkpoint.bin";

/// Removes a file or a link, if there is one of this name.
pub(super) fn remove(path: &Path) -> Result<(), ResultsError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(ResultsError::io(path)(e)),
        _ => Ok(()),
    }
}

/// The names of all result files.
pub const FILES: [&str; 26] = [
    STATES,
    WITHIN,
    ENERGY,
    MOMENTUM,
    CONTACTS,
    EVENTS,
    DISTANCES,
    FIELDS,
    JOINTS,
    FORCES,
    SIGNALS,
    WEAR,
    WEAR_PROFILE,
    SUMMARY,
    SCENE,
    VIEW,
    FIGURES,
    TIMING,
    CHECKPOINT,
    MODES[0],
    MODES[1],
    MODES[2],
    ANALYSIS,
    KINEMATICS,
    INVERSE,
    EQUILIBRIUM,
];

/// What to do with a folder that is not empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// results of an earlier run are replaced; a folder with anything else is refused
    #[default]
    ReplaceResults,
    /// results of an earlier run are replaced; in a folder with other files results are added, unless one of these files has the
    /// name of a result file
    AddToForeign,
}

impl Existing {
    /// Checks whether results may be written to the folder. It writes nothing: call it before long computations.
    pub fn check(self, path: &Path) -> Result<(), ResultsError> {
        let io = ResultsError::io;
        match fs::metadata(path) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
            Err(e) if e.kind() == ErrorKind::NotADirectory => {
                return Err(ResultsError::NotAFolder { path: path.parent().unwrap_or(path).to_owned() });
            }
            Err(e) => return Err(io(path)(e)),
            Ok(meta) if !meta.is_dir() => return Err(ResultsError::NotAFolder { path: path.to_owned() }),
            Ok(_) => {}
        }
        if let Some(who) = Lock::holder(path, LOCK) {
            return Err(ResultsError::Busy { path: path.to_owned(), who });
        }
        self.check_content(path)
    }

    /// Checks the content of an existing folder that only this process writes to.
    pub(super) fn check_content(self, path: &Path) -> Result<(), ResultsError> {
        let mut entries = fs::read_dir(path).map_err(ResultsError::io(path))?;
        let is_empty = entries.all(|entry| entry.is_ok_and(|e| e.file_name() == LOCK));
        let analysed = || [ANALYSIS, EQUILIBRIUM].iter().any(|name| is_ours(&path.join(name), is_analysis));
        if is_empty
            || is_ours(&path.join(SUMMARY), is_summary)
            || is_ours(&path.join(MODES[0]), is_modes)
            || analysed()
        {
            return Ok(());
        }
        if self == Existing::ReplaceResults {
            return Err(ResultsError::Foreign { path: path.to_owned() });
        }
        match FILES.iter().map(|name| path.join(name)).find(|file| fs::symlink_metadata(file).is_ok()) {
            Some(path) => Err(ResultsError::ForeignFile { path }),
            None => Ok(()),
        }
    }
}

/// Reads the JSON files of a run or an analysis that exist and have the expected keys.
pub(super) fn texts(folder: &Path) -> Vec<(&'static str, Value)> {
    let all: [(&'static str, HasKeys); 4] =
        [(SUMMARY, is_summary), (ANALYSIS, is_analysis), (EQUILIBRIUM, is_analysis), (MODES[0], is_modes)];
    let found =
        all.into_iter().filter_map(|(name, has_keys)| Some((name, ours(&folder.join(name), has_keys)?)));
    found.collect()
}

/// Reads a JSON file, if it has the expected keys.
fn ours(path: &Path, has_keys: HasKeys) -> Option<Value> {
    let value: Value = serde_json::from_slice(&file::read(path, TEXT).ok()?).ok()?;
    value.as_object().is_some_and(has_keys).then_some(value)
}

fn is_ours(file: &Path, has_keys: HasKeys) -> bool {
    ours(file, has_keys).is_some()
}

type Keys = serde_json::Map<String, Value>;
type HasKeys = fn(&Keys) -> bool;

/// Returns whether it has the keys of a summary.
pub(super) fn is_summary(keys: &Keys) -> bool {
    ["title", "version", "method", "duration", "audit", "end_state"].iter().all(|k| keys.contains_key(*k))
}

/// Returns whether it has the keys of an analysis.
pub(super) fn is_analysis(keys: &Keys) -> bool {
    ["title", "version", "analysis"].iter().all(|k| keys.contains_key(*k))
}

/// Returns whether it has the keys of a file of modes.
fn is_modes(keys: &Keys) -> bool {
    ["title", "version", "equilibrium", "modes", "roots"].iter().all(|k| keys.contains_key(*k))
}
