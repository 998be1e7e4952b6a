//! A run, taken step by step.

use super::buffer::Buffer;
use super::runner::Runner;
use super::simulation::{Run, Simulation};
use super::sink::Sink;
use super::snapshot::Snapshot;
use crate::error::RunError;
use crate::record::{Acceleration, Frame};

/// A run in progress, for programs that act between its steps: inspect it, save its state, return to a saved state.
/// [`Simulation::run_into`] takes the same steps.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.05]).surface(Sphere::new(0.02)?));
/// builder.body(Body::fixed("floor").surface(Plane));
/// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
/// let model = builder.build()?;
/// let simulation = Simulation::new(&model).duration(0.3).output_every(0.1);
/// let (mut recording, mut again) = (Recording::default(), Recording::default());
///
/// let mut running = simulation.begin()?;
/// while running.t() < 0.1 && running.step(&mut recording)? {}
/// let snapshot = running.snapshot()?;
/// while running.step(&mut recording)? {}
/// running.restore(&snapshot)?;
/// assert_eq!(running.t(), snapshot.t());
/// while running.step(&mut again)? {}
/// let run = running.finish(&mut again)?;
/// assert_eq!(run.summary.t_end, 0.3);
/// // the rest once more, the same to the bit
/// assert!(recording.frames.ends_with(&again.frames) && recording.events.ends_with(&again.events));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A program that controls a run advances it from one time to the next, and sets [inputs](crate::ModelBuilder::input) in
/// between. The steps do not end at these times, unless an input is set: a run in which nothing is set is the same to the
/// bit as one that is not looked at.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0; 3]).body(Body::new("cart").mass(2.0).inertia([1.0; 3])).input("push", 0.0);
/// builder.force(Force::on("cart", ExternalLoad::default().force_by(["push", "0", "0"])?));
/// let model = builder.build()?;
/// let mut running = Simulation::new(&model).duration(10.0).begin()?;
/// let mut recording = Recording::default();
/// running.advance(1.0, &mut recording)?;
/// running.set("push", 4.0, &mut recording)?;
/// running.advance(3.0, &mut recording)?;
/// assert!((running.frame()?.bodies[0].velocity.x - 4.0 * 2.0 / 2.0).abs() < 1e-12); // F t/m
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Running<'m> {
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

impl std::fmt::Debug for Running<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("t", &self.t()).finish_non_exhaustive()
    }
}

impl<'m> Running<'m> {
    pub(super) fn new(sim: &Simulation<'m>) -> Result<Running<'m>, RunError> {
        sim.check()?;
        Ok(Running { runner: Runner::new(sim)?, now: 0.0, ahead: None, reported: f64::NEG_INFINITY })
    }

    /// Returns the time reached [s].
    pub fn t(&self) -> f64 {
        self.now
    }

    /// Takes one step, which ends at an event if that is nearer, and reports its results to the sink. Returns whether the run
    /// continues: not at the end, nor when the sink has asked to stop; after that a further call continues. The first call
    /// reports the start.
    pub fn step(&mut self, sink: &mut dyn Sink) -> Result<bool, RunError> {
        let goes_on = match self.ahead.take() {
            Some(ahead) => self.pass(ahead, sink)?,
            None => self.runner.advance(sink)?,
        };
        self.now = self.runner.solver.t();
        Ok(goes_on)
    }

    /// Advances to the time `until` [s], and reports results up to there. Returns whether the run continues beyond it: not at
    /// the end, nor when the sink has asked to stop.
    pub fn advance(&mut self, until: f64, sink: &mut dyn Sink) -> Result<bool, RunError> {
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
    pub fn frame(&mut self) -> Result<&Frame, RunError> {
        self.runner.frame_at(self.now)
    }

    /// Returns the accelerations of the rigid bodies that move by their forces at the time reached, in the order of
    /// [`Model::moving_bodies`](crate::Model::moving_bodies).
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::new("stone").mass(1.0).inertia([1.0; 3]));
    /// let model = builder.build()?;
    /// let mut running = Simulation::new(&model).duration(1.0).begin()?;
    /// assert_eq!(running.accelerations()?[0].linear, Vec3::new(0.0, 0.0, -9.81));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accelerations(&mut self) -> Result<Vec<Acceleration>, RunError> {
        self.runner.accelerations_at(self.now)
    }

    /// Sets an [input](crate::ModelBuilder::input) at the time reached. If a step reaches beyond that time, it is taken anew so
    /// that it ends there.
    pub fn set(&mut self, input: &str, value: f64, sink: &mut dyn Sink) -> Result<(), RunError> {
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
    pub fn snapshot(&self) -> Result<Snapshot, RunError> {
        match (self.runner.system.monitor.failure, &self.ahead) {
            (Some(failure), _) => Err(self.runner.failed_within(self.t(), failure)),
            (None, Some(ahead)) => Ok(ahead.before.clone().at(self.now)),
            (None, None) => Ok(self.runner.save()),
        }
    }

    /// Continues from a snapshot of this or another run of the same model with the same options. Any other snapshot is
    /// refused, and changes nothing.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        self.put_back(snapshot)?;
        (self.now, self.reported) = (snapshot.t(), f64::NEG_INFINITY);
        if self.runner.solver.t() < self.now {
            // the step that reaches beyond the time of the snapshot is taken again; what it reports before is known
            self.reported = self.now;
            self.take_ahead(&mut Silent)?;
        }
        Ok(())
    }

    fn put_back(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        self.runner.put_back(snapshot).map_err(RunError::Snapshot)
    }

    /// Ends the run at the time reached in an orderly manner: with the last frame and the summary.
    pub fn finish(mut self, sink: &mut dyn Sink) -> Result<Run, RunError> {
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
