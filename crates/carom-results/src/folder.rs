//! Writes the output of a run to a folder.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use carom::{Event, Frame, Model, Moment, Pause, Run, RunError, Sink, SinkError, Snapshot, Summary};
use carom_base::file;

use crate::about::About;
use crate::checkpoint::{self, Checkpoint};
use crate::data::Heading;
use crate::error::ResultsError;
use crate::figures::remove_figures;
use crate::files::{
    self, ANALYSIS, CHECKPOINT, DISTANCES, EQUILIBRIUM, Existing, FIELDS, FILES, FORCES, INVERSE, JOINTS,
    KINEMATICS, MODES, SCENE, SIGNALS, TIMING, VIEW, WEAR, WEAR_PROFILE,
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
/// The time between two checkpoints.
const BETWEEN: Duration = Duration::from_secs(5);
/// Checkpoints take no more than this part of the time: the next one waits if the last one took long.
const SHARE: u32 = 100;

/// A folder of results of a run in progress. Pass it to [`Simulation::run_into`](carom::Simulation::run_into), then
/// [close](Folder::close) it with the result of that call.
///
/// Every few seconds it gets a checkpoint, `checkpoint.bin`, from which the run goes on after it was broken off: see [`resume`](Folder::resume).
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
    checkpoints: Checkpoints,
}

/// The checkpoints of a run.
#[derive(Debug)]
struct Checkpoints {
    /// what the run goes on from
    from: Option<Checkpoint>,
    /// the time between two
    between: Duration,
    last: Instant,
    /// how long the last one took
    took: Duration,
    /// the last one before the end: a longer run goes on from there
    before_end: Option<Vec<u8>>,
}

impl Folder {
    /// Prepares to write results to `path`; the folder and those above it are created when the run begins. Returns an error if
    /// the folder must not be written to.
    pub fn new(path: impl Into<PathBuf>, about: About, existing: Existing) -> Result<Folder, ResultsError> {
        let path = path.into();
        existing.check(&path)?;
        Ok(Folder::of(path, about, existing, None))
    }

    /// Prepares to go on with the run whose results are in `path`: one that was broken off by whatever it was, or, by `about` with a longer
    /// duration, one that is finished. Also returns the snapshot to [resume](carom::Simulation::resume_into) from. Without one, where the
    /// run was broken off before its first checkpoint, it has to be run from its start; this folder then replaces the results.
    ///
    /// The folder is locked from now on, and changes when the run begins.
    ///
    /// ```no_run
    /// use carom_results::{About, Folder};
    /// use carom_scene::Scene;
    /// let scene = Scene::from_file("out/bouncing-ball/scene.json".as_ref(), &[])?;
    /// let (mut folder, snapshot) = Folder::resume("out/bouncing-ball", About::from(&scene))?;
    /// let outcome = scene.simulation().resume_into(snapshot.as_ref(), &mut folder);
    /// folder.close(&outcome)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume(
        path: impl Into<PathBuf>,
        about: About,
    ) -> Result<(Folder, Option<Snapshot>), ResultsError> {
        let (path, existing) = (path.into(), Existing::ReplaceResults);
        existing.check(&path)?;
        let lock = files::lock(&path)?;
        let checkpoint = Checkpoint::read(&path)?;
        let snapshot = checkpoint.as_ref().map(|checkpoint| checkpoint.snapshot.clone());
        let mut folder = Folder::of(path, about, existing, checkpoint);
        folder.lock = Some(lock);
        Ok((folder, snapshot))
    }

    fn of(path: PathBuf, about: About, existing: Existing, from: Option<Checkpoint>) -> Folder {
        let (now, date) = (Instant::now(), SystemTime::now());
        let (between, took) = (BETWEEN, Duration::ZERO);
        let before_end = from.as_ref().and_then(|checkpoint| checkpoint.before_end.clone());
        let checkpoints = Checkpoints { from, between, last: now, took, before_end };
        let record = Record::new(about);
        Folder {
            path,
            existing,
            lock: None,
            record,
            start: now,
            date,
            flushed: now,
            trouble: None,
            checkpoints,
        }
    }

    /// Sets the time between two checkpoints; by default 5 s. Where one takes long, the time to the next is 100 times that; with
    /// no time between them there is one before every step.
    pub fn checkpoint_every(mut self, between: Duration) -> Folder {
        self.checkpoints.between = between;
        self
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
        // (a run that has had no checkpoint before is run again as quickly as the disk is waited for)
        let synced = !self.checkpoints.took.is_zero();
        let flushed = flushed.and_then(|()| if synced { tables.sync() } else { Ok(()) });
        // (a run that was stopped goes on from where it was)
        let kept = match (outcome, self.checkpoints.before_end.take()) {
            (Ok(run), _) if run.summary.stopped => Ok(()),
            (Ok(_), Some(bytes)) => checkpoint::write(&self.path, &bytes, synced),
            (Ok(_), None) => checkpoint::remove(&self.path),
            (Err(RunError::Sink { .. }), _) => Ok(()),
            // (it would fail there once more)
            (Err(_), _) => checkpoint::remove(&self.path),
        };
        let (text, worn) = self.record.end(outcome.as_ref());
        let profiles = profiles(worn)?.map_or(Ok(()), |table| table.write(&self.path));
        let written = kept.and(profiles).and(summary::write(&self.path, files::SUMMARY, &text));
        let threads = outcome.as_ref().map_or(1, |run| run.summary.threads);
        let timing = summary::timing(self.start.elapsed(), self.date, threads);
        let closed = flushed.and(written).and(summary::write(&self.path, TIMING, &timing));
        drop(lock);
        closed
    }

    fn say_trouble(&mut self) -> Result<(), ResultsError> {
        self.trouble.take().map_or(Ok(()), Err)
    }

    /// Writes all lines, and returns the bytes of a checkpoint; one on the way has that `before_end` with it.
    fn checkpoint(&mut self, snapshot: &Snapshot, on_the_way: bool) -> Result<Vec<u8>, ResultsError> {
        let Some(tables) = &mut self.record.tables else { return Ok(Vec::new()) };
        tables.flush()?;
        let (sizes, record) = (tables.sizes(), self.record.carried());
        let before_end = self.checkpoints.before_end.as_ref().filter(|_| on_the_way);
        Ok(Checkpoint::bytes(snapshot, &sizes, record, before_end))
    }

    /// Writes a checkpoint from which the run goes on if it is broken off.
    fn save(&mut self, snapshot: &Snapshot) -> Result<(), ResultsError> {
        let start = Instant::now();
        let bytes = self.checkpoint(snapshot, true)?;
        // (what it goes on from has to be on the disk before it)
        self.record.tables.as_ref().map_or(Ok(()), Tables::sync)?;
        checkpoint::write(&self.path, &bytes, true)?;
        (self.checkpoints.took, self.checkpoints.last) = (start.elapsed(), Instant::now());
        Ok(())
    }
}

/// Creates and locks the folder when a run begins, and deletes the files that an earlier run left, with the figures of it.
fn open(
    path: &Path,
    existing: Existing,
    lock: Option<Lock>,
    record: &Record<Table>,
) -> Result<Lock, ResultsError> {
    let lock = lock.map_or_else(|| result_set::begin(path, existing), Ok)?;
    remove_parts(path)?;
    // (first of all: it belongs to the results that go now)
    checkpoint::remove(path)?;
    summary::write(path, files::SUMMARY, &record.unfinished())?;
    let of_runs = [SCENE, VIEW, TIMING, DISTANCES, FIELDS, JOINTS, FORCES, SIGNALS, WEAR, WEAR_PROFILE];
    let others = of_runs.into_iter().chain([ANALYSIS, KINEMATICS, INVERSE, EQUILIBRIUM]).chain(MODES);
    others.map(|name| path.join(name)).try_for_each(|old| files::remove(&old))?;
    remove_figures(path)?;
    record.about.scene.as_ref().map_or(Ok(()), |scene| write_scene(scene, path))?;
    Ok(lock)
}

fn remove_parts(path: &Path) -> Result<(), ResultsError> {
    file::remove_parts(path, &FILES).map_err(ResultsError::io(path))
}

/// Prepares a folder for the rest of its run: what was made of its results goes.
fn reopen(path: &Path, record: &Record<Table>) -> Result<(), ResultsError> {
    remove_parts(path)?;
    summary::write(path, files::SUMMARY, &record.unfinished())?;
    [VIEW, TIMING, WEAR_PROFILE].map(|name| path.join(name)).iter().try_for_each(|old| files::remove(old))?;
    remove_figures(path)?;
    // (of a prolonged run it is another one)
    record.about.scene.as_ref().map_or(Ok(()), |scene| write_scene(scene, path))
}

impl Sink for Folder {
    fn begin(&mut self, model: &Model) -> Result<(), SinkError> {
        (self.start, self.date) = (Instant::now(), SystemTime::now());
        let (path, lock, existing) = (&self.path, &mut self.lock, self.existing);
        let Some(from) = self.checkpoints.from.take() else {
            let make = &mut |name: &'static str, header: Vec<Heading>| Table::create(path, name, &header);
            let open = |record: &Record<Table>| {
                *lock = Some(open(path, existing, lock.take(), record)?);
                Ok(())
            };
            return self.record.begin(model, open, true, make);
        };
        let make = &mut |name: &'static str, _: Vec<Heading>| {
            let size = from.size(name).ok_or_else(|| ResultsError::Checkpoint {
                path: path.join(CHECKPOINT),
                why: format!("it knows nothing of {name}"),
            })?;
            Table::reopen(path, name, size)
        };
        self.record.begin(model, |record| reopen(path, record), true, make)?;
        self.record.restore(&from.record).map_err(|error| ResultsError::Checkpoint {
            path: path.join(CHECKPOINT),
            why: error.to_string(),
        })?;
        Ok(())
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

    fn wants_snapshot(&mut self, pause: Pause) -> bool {
        let Checkpoints { between, last, took, .. } = self.checkpoints;
        let is_due = || between.is_zero() || last.elapsed() >= between.max(took.saturating_mul(SHARE));
        self.trouble.is_none() && (pause != Pause::Between || is_due())
    }

    fn snapshot(&mut self, pause: Pause, snapshot: &Snapshot) -> Result<(), SinkError> {
        match pause {
            Pause::Between | Pause::Stopped => self.save(snapshot)?,
            Pause::BeforeEnd => self.checkpoints.before_end = Some(self.checkpoint(snapshot, false)?),
        }
        Ok(())
    }

    fn end(&mut self, _summary: &Summary) -> Result<(), SinkError> {
        self.say_trouble()?;
        let Some(tables) = &mut self.record.tables else { return Ok(()) };
        Ok(tables.flush()?)
    }
}
