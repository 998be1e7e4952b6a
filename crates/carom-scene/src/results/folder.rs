//! The sink that writes a folder.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use carom::{BuildError, Distance, Event, Followed, Frame, Model, Run, RunError, Sink, SinkError, Summary};

use super::error::ResultsError;
use super::place::{
    self, ANALYSIS, DISTANCES, EQUILIBRIUM, Existing, FIELDS, INVERSE, JOINTS, KINEMATICS, SCENE, TIMING,
    VIEW, WEAR, WEAR_PROFILE,
};
use super::summary::{self, Reached};
use super::table::Table;
use super::tables::{Tables, write_profiles};
use crate::scene::{Probe, Scene, SceneText};

/// Lines are not kept back for longer than this.
const PATIENCE: Duration = Duration::from_millis(400);

/// What a summary says until there is another.
pub(super) const UNFINISHED: &str = "the run was not finished";

/// What a folder says of its run beyond what the run tells by itself.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// of the scene
    pub title: String,
    /// that was asked for \[s\]
    pub duration: f64,
    /// integration method
    pub method: String,
    /// relative tolerance
    pub rtol: f64,
    /// absolute tolerance, in the model's scales
    pub atol: f64,
    /// points whose motion is recorded
    pub probes: Vec<Probe>,
    /// distances that are recorded
    pub distances: Vec<Distance>,
    /// the scene, to be kept with the results
    pub scene: Option<SceneText>,
}

impl From<&Scene> for About {
    fn from(scene: &Scene) -> About {
        About {
            title: scene.title.clone(),
            duration: scene.duration,
            method: scene.method.clone(),
            rtol: scene.rtol,
            atol: scene.atol,
            probes: scene.probes.clone(),
            distances: scene.distances.clone(),
            scene: Some(scene.source.clone()),
        }
    }
}

impl About {
    /// The distances, in the model that runs.
    pub(super) fn follow(&self, model: &Model) -> Result<Vec<Followed>, BuildError> {
        self.distances.iter().map(|d| d.follow(model)).collect()
    }
}

/// A folder of results under way. Give it to [`Simulation::run_into`](carom::Simulation::run_into), then
/// [close](Folder::close) it with what that returned.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    about: About,
    names: Vec<String>,
    tables: Option<Tables<Table>>,
    /// the distances, in the model that runs
    followed: Option<(Model, Vec<Followed>)>,
    reached: Reached,
    start: Instant,
    date: SystemTime,
    flushed: Instant,
    /// what `progress` could not say
    trouble: Option<ResultsError>,
}

impl Folder {
    /// Results to be written to `path`, which is made with the folders above it when the run begins. Refuses
    /// a place that may not take them.
    pub fn new(path: impl Into<PathBuf>, about: About, existing: Existing) -> Result<Folder, ResultsError> {
        let path = path.into();
        place::check(&path, existing)?;
        Ok(Folder {
            path,
            about,
            names: Vec::new(),
            tables: None,
            followed: None,
            reached: Reached::default(),
            start: Instant::now(),
            date: SystemTime::now(),
            flushed: Instant::now(),
            trouble: None,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the run has begun, so that there is something in it.
    pub fn has_begun(&self) -> bool {
        self.tables.is_some()
    }

    /// Writes what is left, `summary.json` and `timing.json`. A run that never began leaves no folder.
    pub fn close(&mut self, outcome: &Result<Run, RunError>) -> Result<(), ResultsError> {
        let Some(tables) = &mut self.tables else { return Ok(()) };
        let flushed = self.trouble.take().map_or(Ok(()), Err).and(tables.flush());
        let text = match outcome {
            Ok(run) => summary::of_run(&self.about, &self.names, run),
            Err(error) => {
                if let RunError::Integration { t, .. } | RunError::Sink { t, .. } = error {
                    self.reached.t = Some(*t);
                }
                summary::of_failure(&self.about, &self.names, &self.reached, &error.to_string())
            }
        };
        let worn = outcome.as_ref().map_or(&self.reached.wear, |run| &run.end.frame.wear);
        let profiles = write_profiles(&self.path, worn);
        let written = profiles.and(summary::write(&self.path, place::SUMMARY, &text));
        let timing = summary::timing(self.start.elapsed(), self.date);
        flushed.and(written).and(summary::write(&self.path, TIMING, &timing))
    }

    fn say_trouble(&mut self) -> Result<(), ResultsError> {
        self.trouble.take().map_or(Ok(()), Err)
    }

    fn open(&mut self, model: &Model) -> Result<(), ResultsError> {
        let io = ResultsError::io;
        self.start = Instant::now();
        self.date = SystemTime::now();
        self.names = model.moving_bodies().map(str::to_owned).collect();
        fs::create_dir_all(&self.path).map_err(io(&self.path))?;
        let text = summary::of_failure(&self.about, &self.names, &self.reached, UNFINISHED);
        summary::write(&self.path, place::SUMMARY, &text)?;
        let of_runs = [SCENE, VIEW, TIMING, DISTANCES, FIELDS, JOINTS, WEAR, WEAR_PROFILE];
        let others = of_runs.into_iter().chain([ANALYSIS, KINEMATICS, INVERSE, EQUILIBRIUM]);
        for old in others.map(|name| self.path.join(name)) {
            if old.exists() {
                fs::remove_file(&old).map_err(io(&old))?;
            }
        }
        if let Some(scene) = &self.about.scene {
            scene.write(&self.path)?;
        }
        self.tables = Some(Tables::create(&self.path, model, &self.about)?);
        Ok(())
    }
}

impl Sink for Folder {
    fn begin(&mut self, model: &Model) -> Result<(), SinkError> {
        if !self.about.distances.is_empty() {
            self.followed = Some((model.clone(), self.about.follow(model)?));
        }
        Ok(self.open(model)?)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.say_trouble()?;
        self.reached.note(frame);
        let Some(tables) = &mut self.tables else { return Ok(()) };
        tables.frame(frame, &self.about.probes)?;
        if let Some((model, followed)) = &mut self.followed {
            tables.distances(frame, model, followed)?;
        }
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.say_trouble()?;
        self.reached.note_event(event);
        let Some(tables) = &mut self.tables else { return Ok(()) };
        Ok(tables.event(event)?)
    }

    fn progress(&mut self, _t: f64) -> ControlFlow<()> {
        if self.flushed.elapsed() < PATIENCE {
            return ControlFlow::Continue(());
        }
        self.flushed = Instant::now();
        match self.tables.as_mut().map(Tables::flush) {
            Some(Err(trouble)) => {
                self.trouble = Some(trouble);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn end(&mut self, _summary: &Summary) -> Result<(), SinkError> {
        self.say_trouble()?;
        let Some(tables) = &mut self.tables else { return Ok(()) };
        Ok(tables.flush()?)
    }
}
