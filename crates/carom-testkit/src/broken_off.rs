//! Runs that are broken off, and the folders that they leave.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::{fs, io};

/// The files of a folder by their names, and their bytes.
pub type Files = BTreeMap<OsString, Vec<u8>>;

/// Returns the files of a folder of results but for those that differ from run to run: the times on the clock, and the lock.
pub fn files(folder: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name != "timing.json" && name != "run.lock" {
            files.insert(name, fs::read(entry.path())?);
        }
    }
    Ok(files)
}

/// Returns in what a folder differs from the files of an undisturbed run; `None`: in nothing.
pub fn difference(folder: &Path, undisturbed: &Files) -> io::Result<Option<String>> {
    let found = files(folder)?;
    if !found.keys().eq(undisturbed.keys()) {
        return Ok(Some(format!("there are {:?}", found.keys())));
    }
    let other = found.iter().find(|(name, bytes)| *bytes != &undisturbed[*name]);
    Ok(other.map(|(name, _)| format!("{} differs", name.display())))
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// by itself
    Never,
    /// it is stopped in good order once a time [s] is reached
    StoppedAt(f64),
    /// it is stopped in good order after so many steps
    Stopped(usize),
    /// the program is gone after so many steps
    Killed(usize),
}

impl End {
    /// Returns what is called after every step of a run, with the time reached [s].
    pub fn watch(self) -> impl FnMut(f64) -> ControlFlow<()> {
        let mut steps = 0;
        move |t| {
            steps += 1;
            match self {
                End::StoppedAt(end) if t >= end => ControlFlow::Break(()),
                End::Stopped(after) if steps > after => ControlFlow::Break(()),
                End::Killed(after) if steps > after => resume_unwind(Box::new("killed")),
                _ => ControlFlow::Continue(()),
            }
        }
    }

    /// Does something that may be [killed](End::Killed) meanwhile: then what it holds in memory is lost, and there is no answer.
    pub fn of<T>(does: impl FnOnce() -> T) -> Option<T> {
        catch_unwind(AssertUnwindSafe(does)).ok()
    }
}
