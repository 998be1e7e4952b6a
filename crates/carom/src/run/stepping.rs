//! A run of an integrator, taken step by step.

use super::buffer::Buffer;
use super::runner::Runner;
use super::simulation::{Run, Simulation};
use super::sink::Sink;
use super::snapshot::Snapshot;
use crate::error::RunError;
use crate::record::{Acceleration, Frame};

/// A run of an integrator in progress: its steps, and the times that a program advances to.
pub(super) struct Stepping<'m> {
    runner: Runner<'m>,
    /// the time that the program has advanced to [s]
    now: f64,
    /// the step that reaches beyond that time, taken but not passed yet
    ahead: Option<StepAhead>,
    /// what was reported up to this time [s] is not reported again
    reported: f64,
}

/// A step that is taken but not passed yet.
struct StepAhead {
    /// the run before the step
    before: Snapshot,
    /// what the step has reported
    buffer: Buffer,
}

impl<'m> Stepping<'m> {
    pub(super) fn new(sim: &Simulation<'m>) -> Result<Stepping<'m>, RunError> {
        Ok(Stepping { runner: Runner::new(sim)?, now: 0.0, ahead: None, reported: f64::NEG_INFINITY })
    }

    /// Returns the time reached [s].
    pub(super) fn t(&self) -> f64 {
        self.now
    }

    /// Takes one step, which ends at an event if that is nearer, and reports its results to the sink. Returns whether the run
    /// continues: not at the end, nor when the sink has asked to stop; after that a further call continues. The first call
    /// reports the start.
    pub(super) fn step(&mut self, sink: &mut dyn Sink) -> Result<bool, RunError> {
        let goes_on = match self.ahead.take() {
            Some(ahead) => self.pass(ahead, sink)?,
            None => self.runner.advance(sink)?,
        };
        self.now = self.runner.solver.t();
        Ok(goes_on)
    }

    /// Advances to the time `until` [s], and reports results up to there. Returns whether the run continues beyond it: not at
    /// the end, nor when the sink has asked to stop.
    pub(super) fn advance(&mut self, until: f64, sink: &mut dyn Sink) -> Result<bool, RunError> {
        if !(until >= self.now) {
            let why = format!("{until} s, where the run is at {} s already", self.now);
            return Err(RunError::Input { name: "until".to_owned(), why });
        }
        if self.runner.islands.is_some() {
            return self.advance_windows(until, sink);
        }
        loop {
            if let Some(mut ahead) = self.ahead.take() {
                if self.runner.solver.t() > until {
                    self.report(&mut ahead.buffer, until, sink)?;
                    self.ahead = Some(ahead);
                    (self.now, self.reported) = (until, until);
                    return Ok(true);
                }
                if !self.pass(ahead, sink)? {
                    self.now = self.runner.solver.t();
                    return Ok(false);
                }
            }
            if self.runner.solver.t() == until && until > 0.0 {
                self.now = until;
                return Ok(true);
            }
            if !self.take_ahead(sink)? {
                self.now = self.runner.solver.t();
                return Ok(false);
            }
        }
    }

    /// Advances to that time in windows, of which none goes past it.
    fn advance_windows(&mut self, until: f64, sink: &mut dyn Sink) -> Result<bool, RunError> {
        // (at the start nothing is left to be done but to report it)
        self.runner.open(sink)?;
        while self.now < until {
            self.runner.window_end = until;
            let goes_on = self.runner.advance(sink);
            self.runner.window_end = f64::INFINITY;
            self.now = self.runner.solver.t();
            if !goes_on? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes the next step, without passing it. Returns `false` at the end of the run.
    fn take_ahead(&mut self, sink: &mut dyn Sink) -> Result<bool, RunError> {
        let (before, mut buffer) = (self.runner.save(), Buffer::of(sink));
        let taken = self.runner.take_step(&mut buffer);
        if !matches!(taken, Ok(true)) {
            self.report(&mut buffer, f64::INFINITY, sink)?;
            return taken;
        }
        self.ahead = Some(StepAhead { before, buffer });
        Ok(true)
    }

    /// Passes a step that was taken: reports what lies within it, and its event. Returns whether the run continues.
    fn pass(&mut self, mut ahead: StepAhead, sink: &mut dyn Sink) -> Result<bool, RunError> {
        self.report(&mut ahead.buffer, f64::INFINITY, sink)?;
        self.runner.conclude(sink)
    }

    /// Reports what a step has reported up to the time `until` [s], unless it is known.
    fn report(&mut self, buffer: &mut Buffer, until: f64, sink: &mut dyn Sink) -> Result<(), RunError> {
        let t = self.runner.solver.t();
        let passed = buffer.pass_on(self.runner.sim.model, (self.reported, until), sink);
        passed.map_err(|source| RunError::Sink { t, why: source.to_string() })
    }

    /// Returns the state of the run at the time reached.
    pub(super) fn frame(&mut self) -> Result<&Frame, RunError> {
        self.runner.frame_at(self.now)
    }

    /// Returns the accelerations of the rigid bodies that move by their forces at the time reached.
    pub(super) fn accelerations(&mut self) -> Result<Vec<Acceleration>, RunError> {
        self.runner.accelerations_at(self.now)
    }

    /// Sets an [input](crate::ModelBuilder::input) at the time reached. If a step reaches beyond that time, it is taken anew so
    /// that it ends there.
    pub(super) fn set(&mut self, input: &str, value: f64, sink: &mut dyn Sink) -> Result<(), RunError> {
        let inputs = &self.runner.sim.model.controls.inputs;
        let Some(index) = inputs.iter().position(|i| i.name == input) else {
            let names: Vec<&str> = inputs.iter().map(|i| i.name.as_str()).collect();
            let nearest = carom_base::words::nearest(input, &names);
            let nearest = nearest.map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
            let why = format!("no input of the model{nearest}: it has {}", names.join(", "));
            return Err(RunError::Input { name: input.to_owned(), why });
        };
        if !value.is_finite() {
            return Err(RunError::Input {
                name: input.to_owned(),
                why: format!("{value}: allowed are finite numbers"),
            });
        }
        self.end_step_now(sink)?;
        self.runner.set_input(index, value)
    }

    /// Takes the step that reaches beyond the time reached anew, so that it ends there.
    fn end_step_now(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        let Some(ahead) = self.ahead.take() else { return Ok(()) };
        self.put_back(&ahead.before)?;
        self.runner.end_steps_at(self.now);
        while self.runner.solver.t() < self.now && self.take_ahead(sink)? {
            if let Some(ahead) = self.ahead.take() {
                self.pass(ahead, sink)?;
            }
        }
        Ok(())
    }

    /// Returns everything that the rest of the run depends on. Taking a snapshot does not change the run. A run that has
    /// failed has no snapshot: the error says why.
    pub(super) fn snapshot(&self) -> Result<Snapshot, RunError> {
        match (self.runner.system.monitor.failure, &self.ahead) {
            (Some(failure), _) => Err(self.runner.failed_within(self.t(), failure)),
            (None, Some(ahead)) => Ok(ahead.before.clone().at(self.now)),
            (None, None) => Ok(self.runner.save()),
        }
    }

    /// Continues from a snapshot of this or another run of the same model with the same options. Any other snapshot is
    /// refused, and changes nothing.
    pub(super) fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        self.put_back(snapshot)?;
        (self.now, self.reported) = (snapshot.t(), f64::NEG_INFINITY);
        if self.runner.solver.t() < self.now {
            // the step that reaches beyond the time of the snapshot is taken again; what it reports before is known
            self.reported = self.now;
            self.take_ahead(&mut Silent)?;
        }
        Ok(())
    }

    /// Continues from a snapshot, and gives the model to the sink, which will receive the rest; a sink is given nothing if the
    /// snapshot is refused.
    pub(super) fn resume(&mut self, snapshot: &Snapshot, sink: &mut dyn Sink) -> Result<(), RunError> {
        self.runner.reported.follows = sink.wants_within();
        self.restore(snapshot)?;
        self.runner.open(sink)
    }

    /// Returns whether the start was reported.
    pub(super) fn has_begun(&self) -> bool {
        self.runner.reported.started
    }

    /// Returns whether the next step may be the last.
    pub(super) fn reaches_end(&self) -> bool {
        match &self.runner.islands {
            Some(islands) => islands.reach_end(&self.runner),
            None => self.runner.solver.reaches_end(),
        }
    }

    /// Returns whether the sink has asked to stop before the end.
    pub(super) fn is_stopped(&self) -> bool {
        self.runner.reported.stopped && !self.runner.solver.done()
    }

    fn put_back(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        self.runner.put_back(snapshot).map_err(RunError::Snapshot)
    }

    /// Ends the run at the time reached in an orderly manner: with the last frame and the summary.
    pub(super) fn finish(mut self, sink: &mut dyn Sink) -> Result<Run, RunError> {
        self.end_step_now(sink)?;
        self.runner.close(sink)
    }
}

/// A sink that ignores everything. It asks for moments, so that the sink that comes after it is given them.
struct Silent;

impl Sink for Silent {
    fn wants_within(&self) -> bool {
        true
    }
}
