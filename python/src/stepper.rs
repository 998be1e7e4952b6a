//! The thread of a run that a program takes from one time to the next.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};

use carom::{Event, Frame, Moment, RunError, Running, Simulation, Sink, SinkError, Snapshot};
use carom_results::{About, Folder, Memory, ResultSet};
use carom_scene::Scene;
use pyo3::prelude::*;

use crate::command::{Answer, Command, Item, Record, Refused, Reply};
use crate::error::{self, Raised};
use crate::run::{Listener, existing};

/// Carries out commands until nobody asks any more.
pub(crate) fn work(
    scene: &Scene,
    raised: &Raised,
    stop: &AtomicBool,
    progress: Option<Py<PyAny>>,
    asked: &Receiver<Command>,
    tell: &Sender<Answer>,
) {
    let simulation = scene.simulation();
    let mut stepper = match simulation.begin() {
        Ok(running) => {
            let kept = Kept {
                items: Vec::new(),
                known: f64::NEG_INFINITY,
                listener: Listener::new(progress, raised),
                stop,
            };
            Stepper {
                scene,
                raised,
                simulation: &simulation,
                running: Some(running),
                t: 0.0,
                failed: None,
                kept,
            }
        }
        Err(why) => {
            let reply = Err(raised.take().map_or_else(|| why.into(), Refused::Function));
            // (nobody waits if the program has ended)
            let _ = tell.send(Answer { t: 0.0, reply });
            return;
        }
    };
    // the start is recorded, and the first step is taken ahead
    let mut reply = stepper.carry_out(Command::Advance(0.0));
    while tell.send(Answer { t: stepper.t, reply }).is_ok() {
        let Ok(command) = asked.recv() else { return };
        reply = stepper.carry_out(command);
    }
}

/// A run, and what is kept of it.
struct Stepper<'m> {
    scene: &'m Scene,
    raised: &'m Raised,
    simulation: &'m Simulation<'m>,
    /// none once it has ended
    running: Option<Running<'m>>,
    /// the time reached [s]
    t: f64,
    /// why it failed
    failed: Option<RunError>,
    kept: Kept<'m>,
}

impl<'m> Stepper<'m> {
    fn carry_out(&mut self, command: Command) -> Result<Reply, Refused> {
        let reply = self.answer(command);
        if let Some(running) = &self.running {
            self.t = running.t();
        }
        match (self.raised.take(), self.kept.listener.take_raised(), reply) {
            (Some(raised), _, _) => Err(Refused::Function(raised)),
            (None, Some(raised), _) => Err(Refused::Raised(raised)),
            (None, None, Err(Refused::Run(why))) => Err(Refused::Run(self.raised.explain(&why))),
            (None, None, reply) => reply,
        }
    }

    fn answer(&mut self, command: Command) -> Result<Reply, Refused> {
        match command {
            Command::Rewind(snapshot, record) => return self.rewind(&snapshot, record),
            Command::Finish(folder, force) => return self.finish(folder, force),
            _ => {}
        }
        if let Some(why) = &self.failed {
            return Err(why.clone().into());
        }
        let Some(running) = &mut self.running else {
            return Err(Refused::Run("the run has ended".to_owned()));
        };
        match command {
            Command::Advance(until) => {
                let advanced = running.advance(until, &mut self.kept);
                Ok(Reply::GoesOn(noted(&mut self.failed, advanced)?))
            }
            Command::Set(inputs) => {
                for (name, value) in inputs {
                    let set = running.set(&name, value, &mut self.kept);
                    noted(&mut self.failed, set)?;
                }
                Ok(Reply::GoesOn(true))
            }
            Command::Checkpoint => {
                Ok(Reply::Checkpoint(running.snapshot()?.to_bytes(), self.kept.items.clone()))
            }
            _ => {
                let frame = noted(&mut self.failed, running.frame())?;
                let (t, mut state) = (frame.t, state(self.scene, frame)?);
                let accelerations = noted(&mut self.failed, running.accelerations())?;
                state.add_accelerations(t, &accelerations);
                Ok(Reply::State(state))
            }
        }
    }

    /// Goes on from a snapshot with what was recorded before it; if that is not known, with what this run has recorded up to its time.
    fn rewind(&mut self, snapshot: &Snapshot, record: Option<Record>) -> Result<Reply, Refused> {
        if self.failed.is_some() || self.running.is_none() {
            self.running = Some(self.simulation.begin()?);
        }
        let Some(running) = &mut self.running else { return Ok(Reply::GoesOn(false)) };
        running.restore(snapshot)?;
        self.failed = None;
        self.kept.go_back(snapshot.t(), record);
        Ok(Reply::GoesOn(true))
    }

    /// Ends the run, and hands its results to those who keep them.
    fn finish(&mut self, folder: Option<PathBuf>, force: bool) -> Result<Reply, Refused> {
        let about = About::from(self.scene);
        let open = |path| Folder::new(path, about.clone(), existing(force)).map_err(error::folder);
        let mut folder = folder.map(open).transpose()?;
        let Some(running) = self.running.take() else {
            return Err(Refused::Run("the run has ended".to_owned()));
        };
        let outcome = match self.failed.take() {
            Some(why) => Err(why),
            None => running.finish(&mut self.kept),
        };
        let mut memory = Memory::new(about.clone());
        self.kept.replay(self.scene, &mut memory).map_err(error::results)?;
        if let Some(folder) = &mut folder {
            self.kept.replay(self.scene, folder).map_err(error::results)?;
            folder.close(&outcome).map_err(error::folder)?;
        }
        let kept = memory.keep(outcome.as_ref())?;
        let text = outcome.as_ref().map_or_else(ToString::to_string, |run| run.summary.to_string());
        Ok(Reply::Finished(Box::new((kept, text, outcome.err().map(|e| e.to_string())))))
    }
}

/// What was done; an error after which the run cannot go on is noted.
fn noted<T>(failed: &mut Option<RunError>, done: Result<T, RunError>) -> Result<T, Refused> {
    done.map_err(|why| {
        if !matches!(why, RunError::Input { .. } | RunError::Snapshot(_)) {
            *failed = Some(why.clone());
        }
        why.into()
    })
}

/// A state as results of one output time.
fn state(scene: &Scene, frame: &Frame) -> Result<ResultSet, Refused> {
    let mut memory = Memory::new(About { scene: None, ..About::from(scene) });
    memory.begin(&scene.model).map_err(error::results)?;
    memory.frame(frame).map_err(error::results)?;
    // a run that goes on has no summary yet
    let unfinished = RunError::Input { name: "run".to_owned(), why: "goes on".to_owned() };
    Ok(memory.keep(Err(&unfinished))?)
}

impl Item {
    fn t(&self) -> f64 {
        match self {
            Item::Frame(frame) => frame.t,
            Item::Moment(moment) => moment.t,
            Item::Event(event) => event.t,
        }
    }
}

/// All that a run has reported, until it ends: a run that goes back to an earlier state forgets what came after.
struct Kept<'f> {
    items: Record,
    /// what was reported up to this time [s] is not taken again
    known: f64,
    listener: Listener<'f>,
    stop: &'f AtomicBool,
}

impl Kept<'_> {
    fn take(&mut self, item: Item) -> Result<(), SinkError> {
        if item.t() > self.known {
            self.items.push(item);
        }
        Ok(())
    }

    fn go_back(&mut self, t: f64, record: Option<Record>) {
        match record {
            Some(record) => self.items = record,
            None => self.items.retain(|item| item.t() <= t),
        }
        self.known = t;
    }

    fn replay(&self, scene: &Scene, sink: &mut dyn Sink) -> Result<(), SinkError> {
        sink.begin(&scene.model)?;
        self.items.iter().try_for_each(|item| match item {
            Item::Frame(frame) => sink.frame(frame),
            Item::Moment(moment) => sink.within(moment),
            Item::Event(event) => sink.event(event),
        })
    }
}

impl Sink for Kept<'_> {
    fn wants_within(&self) -> bool {
        true
    }
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.take(Item::Frame(Arc::new(frame.clone())))
    }
    fn within(&mut self, moment: &Moment) -> Result<(), SinkError> {
        self.take(Item::Moment(Arc::new(moment.clone())))
    }
    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.take(Item::Event(Arc::new(event.clone())))
    }
    fn progress(&mut self, t: f64) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        self.listener.go_on(t)
    }
}
