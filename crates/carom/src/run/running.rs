//! A run, step by step.

use super::runner::Runner;
use super::simulation::{Run, Simulation};
use super::sink::Sink;
use super::snapshot::Snapshot;
use crate::error::RunError;

/// A run under way, for those who want to do something between its steps: look, keep what it carries, go back to what it carried before.
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

    /// The time reached [s].
    pub fn t(&self) -> f64 {
        self.runner.solver.t()
    }

    /// Takes one step, shorter where an event is nearer, and tells the sink what has come of it. Says whether there is more to come: not at the end, nor where the sink
    /// has said to stop; after that a further call goes on. The sink is told of the beginning by the first call.
    pub fn step(&mut self, sink: &mut dyn Sink) -> Result<bool, RunError> {
        self.runner.advance(sink)
    }

    /// All that the rest of the run depends on. The run is the same whether it is taken or not. Of a run that has failed there is none: the error says why.
    pub fn snapshot(&self) -> Result<Snapshot, RunError> {
        match self.runner.system.monitor.failure {
            None => Ok(self.runner.save()),
            Some(failure) => Err(self.runner.failed_within(self.t(), failure)),
        }
    }

    /// Goes on from a snapshot of a run of the same model with the same options, this one or another. A snapshot of another one is refused, and changes nothing.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        self.runner.put_back(snapshot).map_err(RunError::Snapshot)
    }

    /// Ends the run where it is, in good order: the last frame, the summary.
    pub fn finish(mut self, sink: &mut dyn Sink) -> Result<Run, RunError> {
        self.runner.close(sink)
    }
}
