//! A run, taken step by step.

use super::crowded::Crowded;
use super::runner::passed_on;
use super::simulation::{Run, Simulation};
use super::sink::{Pause, Sink};
use super::snapshot::Snapshot;
use super::stepping::Stepping;
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
pub struct Running<'m>(Kind<'m>);

/// What takes the steps.
enum Kind<'m> {
    /// an integrator
    Stepping(Box<Stepping<'m>>),
    /// steps of one length, for a crowd
    Crowded(Box<Crowded<'m>>),
}

impl std::fmt::Debug for Running<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("t", &self.t()).finish_non_exhaustive()
    }
}

impl<'m> Running<'m> {
    pub(super) fn new(sim: &Simulation<'m>) -> Result<Running<'m>, RunError> {
        sim.check()?;
        Ok(Running(match sim.is_crowd() {
            true => Kind::Crowded(Box::new(Crowded::new(sim)?)),
            false => Kind::Stepping(Box::new(Stepping::new(sim)?)),
        }))
    }

    /// Returns the time reached [s].
    pub fn t(&self) -> f64 {
        match &self.0 {
            Kind::Stepping(run) => run.t(),
            Kind::Crowded(run) => run.t(),
        }
    }

    /// Takes one step, which ends at an event if that is nearer, and reports its results to the sink. Returns whether the run
    /// continues: not at the end, nor when the sink has asked to stop; after that a further call continues. The first call
    /// reports the start.
    pub fn step(&mut self, sink: &mut dyn Sink) -> Result<bool, RunError> {
        match &mut self.0 {
            Kind::Stepping(run) => run.step(sink),
            Kind::Crowded(run) => run.step(f64::INFINITY, sink),
        }
    }

    /// Advances to the time `until` [s], and reports results up to there. Returns whether the run continues beyond it: not at
    /// the end, nor when the sink has asked to stop. (A step of a crowd ends there.)
    pub fn advance(&mut self, until: f64, sink: &mut dyn Sink) -> Result<bool, RunError> {
        if !(until >= self.t()) {
            let why = format!("{until} s, where the run is at {} s already", self.t());
            return Err(RunError::Input { name: "until".to_owned(), why });
        }
        match &mut self.0 {
            Kind::Stepping(run) => run.advance(until, sink),
            Kind::Crowded(run) => run.advance(until, sink),
        }
    }

    /// Returns the state of the run at the time reached.
    pub fn frame(&mut self) -> Result<&Frame, RunError> {
        match &mut self.0 {
            Kind::Stepping(run) => run.frame(),
            Kind::Crowded(run) => Ok(run.frame()),
        }
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
        match &mut self.0 {
            Kind::Stepping(run) => run.accelerations(),
            Kind::Crowded(run) => Ok(run.accelerations()),
        }
    }

    /// Sets an [input](crate::ModelBuilder::input) at the time reached. If a step reaches beyond that time, it is taken anew so
    /// that it ends there.
    pub fn set(&mut self, input: &str, value: f64, sink: &mut dyn Sink) -> Result<(), RunError> {
        match &mut self.0 {
            Kind::Stepping(run) => run.set(input, value, sink),
            // (a crowd has no inputs)
            Kind::Crowded(_) => Err(RunError::Input {
                name: input.to_owned(),
                why: "no input of a crowd: it has none".to_owned(),
            }),
        }
    }

    /// Returns everything that the rest of the run depends on. Taking a snapshot does not change the run. A run that has
    /// failed has no snapshot: the error says why.
    pub fn snapshot(&self) -> Result<Snapshot, RunError> {
        match &self.0 {
            Kind::Stepping(run) => run.snapshot(),
            Kind::Crowded(run) => run.snapshot(),
        }
    }

    /// Continues from a snapshot of this or another run of the same model with the same options. Any other snapshot is
    /// refused, and changes nothing.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        match &mut self.0 {
            Kind::Stepping(run) => run.restore(snapshot),
            Kind::Crowded(run) => run.restore(snapshot),
        }
    }

    /// Continues from a snapshot, of which the sink has what was reported before it.
    pub(super) fn resume(&mut self, snapshot: &Snapshot, sink: &mut dyn Sink) -> Result<(), RunError> {
        match &mut self.0 {
            Kind::Stepping(run) => run.resume(snapshot, sink),
            Kind::Crowded(run) => run.resume(snapshot, sink),
        }
    }

    /// Takes all steps to the end, and gives the sink the snapshots it wants.
    pub(super) fn run_to_end(mut self, sink: &mut dyn Sink) -> Result<Run, RunError> {
        loop {
            let pause = if self.reaches_end() { Pause::BeforeEnd } else { Pause::Between };
            self.offer_snapshot(pause, sink)?;
            if !self.step(sink)? {
                break;
            }
        }
        if self.is_stopped() {
            self.offer_snapshot(Pause::Stopped, sink)?;
        }
        self.finish(sink)
    }

    fn reaches_end(&self) -> bool {
        match &self.0 {
            Kind::Stepping(run) => run.reaches_end(),
            Kind::Crowded(run) => run.reaches_end(),
        }
    }

    fn is_stopped(&self) -> bool {
        match &self.0 {
            Kind::Stepping(run) => run.is_stopped(),
            Kind::Crowded(run) => run.is_stopped(),
        }
    }

    fn offer_snapshot(&self, pause: Pause, sink: &mut dyn Sink) -> Result<(), RunError> {
        let has_begun = match &self.0 {
            Kind::Stepping(run) => run.has_begun(),
            Kind::Crowded(run) => run.has_begun(),
        };
        // (the start of a run needs none)
        match has_begun && sink.wants_snapshot(pause) {
            true => passed_on(self.t(), sink.snapshot(pause, &self.snapshot()?)),
            false => Ok(()),
        }
    }

    /// Ends the run at the time reached in an orderly manner: with the last frame and the summary.
    pub fn finish(self, sink: &mut dyn Sink) -> Result<Run, RunError> {
        match self.0 {
            Kind::Stepping(run) => run.finish(sink),
            Kind::Crowded(run) => run.finish(sink),
        }
    }
}
