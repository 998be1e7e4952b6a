//! A run, taken step by step.

use super::runner::Runner;
use super::simulation::{Run, Simulation};
use super::sink::Sink;
use super::snapshot::Snapshot;
use crate::error::RunError;

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
pub struct Running<'m> {
    runner: Runner<'m>,
}

impl std::fmt::Debug for Running<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("t", &self.t()).finish_non_exhaustive()
    }
}

impl<'m> Running<'m> {
    pub(super) fn new(sim: &Simulation<'m>) -> Result<Running<'m>, RunError> {
        sim.check()?;
        Ok(Running { runner: Runner::new(sim)? })
    }

    /// Returns the time reached [s].
    pub fn t(&self) -> f64 {
        self.runner.solver.t()
    }

    /// Takes one step, which ends at an event if that is nearer, and reports its results to the sink. Returns whether the run
    /// continues: not at the end, nor when the sink has asked to stop; after that a further call continues. The first call
    /// reports the start.
    pub fn step(&mut self, sink: &mut dyn Sink) -> Result<bool, RunError> {
        self.runner.advance(sink)
    }

    /// Returns everything that the rest of the run depends on. Taking a snapshot does not change the run. A run that has
    /// failed has no snapshot: the error says why.
    pub fn snapshot(&self) -> Result<Snapshot, RunError> {
        match self.runner.system.monitor.failure {
            None => Ok(self.runner.save()),
            Some(failure) => Err(self.runner.failed_within(self.t(), failure)),
        }
    }

    /// Continues from a snapshot of this or another run of the same model with the same options. Any other snapshot is
    /// refused, and changes nothing.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        self.runner.put_back(snapshot).map_err(RunError::Snapshot)
    }

    /// Ends the run at the time reached in an orderly manner: with the last frame and the summary.
    pub fn finish(mut self, sink: &mut dyn Sink) -> Result<Run, RunError> {
        self.runner.close(sink)
    }
}
