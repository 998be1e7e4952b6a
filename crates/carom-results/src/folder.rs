//! Writes the output of a run to a folder.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use carom::{Event, Frame, Model, Moment, Run, RunError, Sink, SinkError, Summary};

use crate::about::About;
use crate::error::ResultsError;
use crate::figures::remove_figures;
use crate::files::{
    self, ANALYSIS, DISTANCES, EQUILIBRIUM, Existing, FIELDS, FORCES, INVERSE, JOINTS, KINEMATICS, MODES,
    SCENE, SIGNALS, TIMING, VIEW, WEAR, WEAR_PROFILE,
};
use crate::lock::Lock;
use crate::record::Record;
use crate::result_set;
use crate::scene::write_scene;
use crate::summary;
use crate::table::Table;
use crate::tables::{Tables, profiles};

/// Longest time for which lines are held back before they are written.
const PATIENCE: Duration = Duration::from_millis(400);

/// A folder of results of a run in progress. Pass it to [`Simulation::run_into`](carom::Simulation::run_into), then
/// [close](Folder::close) it with the result of that call.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    existing: Existing,
    /// held from the begin of the run to the close
    lock: Option<Lock>,
    record: Record<Table>,
    start: Instant,
    date: SystemTime,
    flushed: Instant,
    /// an error in `progress`, which cannot return one; it is returned by the next call
    trouble: Option<ResultsError>,
}

impl Folder {
    /// Prepares to write results to `path`; the folder and those above it are created when the run begins. Returns an error if
    /// the folder must not be written to.
    pub fn new(path: impl Into<PathBuf>, about: About, existing: Existing) -> Result<Folder, ResultsError> {
        let path = path.into();
        existing.check(&path)?;
        let (now, date) = (Instant::now(), SystemTime::now());
        let record = Record::new(about);
        Ok(Folder { path, existing, lock: None, record, start: now, date, flushed: now, trouble: None })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the run has begun, so that the folder has some content.
    pub fn has_begun(&self) -> bool {
        self.record.tables.is_some()
    }

    /// Writes the remaining lines, `summary.json` and `timing.json`. A run that never began leaves no folder.
    pub fn close(&mut self, outcome: &Result<Run, RunError>) -> Result<(), ResultsError> {
        let lock = self.lock.take();
        let Some(tables) = &mut self.record.tables else { return Ok(()) };
        let flushed = self.trouble.take().map_or(Ok(()), Err).and(tables.flush());
        let (text, worn) = self.record.end(outcome.as_ref());
        let profiles = profiles(worn)?.map_or(Ok(()), |table| table.write(&self.path));
        let written = profiles.and(summary::write(&self.path, files::SUMMARY, &text));
        let timing = summary::timing(
            self.start.elapsed(),
            self.date,
            outcome.as_ref().map_or(1, |run| run.summary.threads),
        );
        let closed = flushed.and(written).and(summary::write(&self.path, TIMING, &timing));
        drop(lock);
        closed
    }

    fn say_trouble(&mut self) -> Result<(), ResultsError> {
        self.trouble.take().map_or(Ok(()), Err)
    }
}

/// Creates and locks the folder when a run begins, and deletes the files that an earlier run left, with the figures of it.
fn open(path: &Path, existing: Existing, record: &Record<Table>) -> Result<Lock, ResultsError> {
    let lock = result_set::begin(path, existing)?;
    summary::write(path, files::SUMMARY, &record.unfinished())?;
    let of_runs = [SCENE, VIEW, TIMING, DISTANCES, FIELDS, JOINTS, FORCES, SIGNALS, WEAR, WEAR_PROFILE];
    let others = of_runs.into_iter().chain([ANALYSIS, KINEMATICS, INVERSE, EQUILIBRIUM]).chain(MODES);
    for old in others.map(|name| path.join(name)) {
        if old.exists() {
            fs::remove_file(&old).map_err(ResultsError::io(&old))?;
        }
    }
    remove_figures(path)?;
    record.about.scene.as_ref().map_or(Ok(()), |scene| write_scene(scene, path))?;
    Ok(lock)
}

impl Sink for Folder {
    fn begin(&mut self, model: &Model) -> Result<(), SinkError> {
        (self.start, self.date) = (Instant::now(), SystemTime::now());
        let (path, lock, existing) = (&self.path, &mut self.lock, self.existing);
        let make = &mut |name: &'static str, header: &[String]| Table::create(path, name, header);
        let open = |record: &Record<Table>| {
            *lock = Some(open(path, existing, record)?);
            Ok(())
        };
        self.record.begin(model, open, make)
    }

    fn wants_within(&self) -> bool {
        true
    }

    fn within(&mut self, moment: &Moment) -> Result<(), SinkError> {
        self.say_trouble()?;
        Ok(self.record.within(moment)?)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.say_trouble()?;
        Ok(self.record.frame(frame)?)
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.say_trouble()?;
        Ok(self.record.event(event)?)
    }

    fn progress(&mut self, _t: f64) -> ControlFlow<()> {
        if self.flushed.elapsed() < PATIENCE {
            return ControlFlow::Continue(());
        }
        self.flushed = Instant::now();
        match self.record.tables.as_mut().map(Tables::flush) {
            Some(Err(trouble)) => {
                self.trouble = Some(trouble);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn end(&mut self, _summary: &Summary) -> Result<(), SinkError> {
        self.say_trouble()?;
        let Some(tables) = &mut self.record.tables else { return Ok(()) };
        Ok(tables.flush()?)
    }
}
