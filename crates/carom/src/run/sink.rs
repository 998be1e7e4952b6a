//! Receivers of the results of a run.

use std::ops::ControlFlow;

use super::snapshot::Snapshot;
use super::summary::Summary;
use crate::model::Model;
use crate::record::{Event, Frame, Moment, Warning};

/// The reason why a sink could not accept what it was given.
pub type SinkError = Box<dyn std::error::Error + Send + Sync>;

/// An instant between two steps of a run at which a [sink](Sink) may want a [snapshot](Snapshot).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// before any step
    Between,
    /// before a step that may be the last, or, of a crowd, before the first one whose length depends on the end: up to here the run is the
    /// beginning of a longer one, too. There may be several; the last counts
    BeforeEnd,
    /// the sink has asked to stop, and the last frame is not recorded yet
    Stopped,
}

/// A receiver of the results of a run.
pub trait Sink {
    /// Is called once, before the first frame.
    fn begin(&mut self, model: &Model) -> Result<(), SinkError> {
        let _ = model;
        Ok(())
    }
    /// Receives a frame at an output time.
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        let _ = frame;
        Ok(())
    }
    /// Says whether the sink wants [moments](Moment) between output times. Called once, before the run; the steps do not
    /// depend on it.
    fn wants_within(&self) -> bool {
        false
    }
    /// Receives a moment between the last output time and the next, before the frame of the latter; moments come in the order
    /// of time.
    fn within(&mut self, moment: &Moment) -> Result<(), SinkError> {
        let _ = moment;
        Ok(())
    }
    /// Receives a touch or release; events come in the order of time.
    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        let _ = event;
        Ok(())
    }
    /// Receives a warning that is more useful during the run than at its end; the summary contains it too.
    fn warning(&mut self, warning: &Warning) -> Result<(), SinkError> {
        let _ = warning;
        Ok(())
    }
    /// Is called after every step with the time reached [s], and where bodies advance in islands also within a window, with the time
    /// at its start. `Break` ends the run there in an orderly manner.
    fn progress(&mut self, t: f64) -> ControlFlow<()> {
        let _ = t;
        ControlFlow::Continue(())
    }
    /// Says whether the sink wants a [snapshot](Self::snapshot) now. Called between the steps of [`Simulation::run_into`] and
    /// [`Simulation::resume_into`](crate::Simulation::resume_into).
    ///
    /// [`Simulation::run_into`]: crate::Simulation::run_into
    fn wants_snapshot(&mut self, pause: Pause) -> bool {
        let _ = pause;
        false
    }
    /// Receives a snapshot it has asked for. Everything before it has been reported, and nothing after it.
    fn snapshot(&mut self, pause: Pause, snapshot: &Snapshot) -> Result<(), SinkError> {
        let _ = (pause, snapshot);
        Ok(())
    }
    /// Is called after the last frame.
    fn end(&mut self, summary: &Summary) -> Result<(), SinkError> {
        let _ = summary;
        Ok(())
    }
}

/// A sink that keeps everything in memory.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("stone").mass(1.0).inertia([1.0; 3]));
/// let model = builder.build()?;
/// let mut recording = Recording::default();
/// Simulation::new(&model).duration(1.0).output_every(0.25).run_into(&mut recording)?;
/// assert_eq!(recording.frames.len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// one frame for each output time
    pub frames: Vec<Frame>,
    /// all touches and releases
    pub events: Vec<Event>,
    /// moments between output times, if [asked for](Recording::within)
    pub moments: Vec<Moment>,
    within: bool,
}

impl Recording {
    /// Creates a recording that keeps [moments](Moment) between output times, too.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.12]).surface(Sphere::new(0.02)?));
    /// builder.body(Body::fixed("floor").surface(Plane));
    /// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
    /// let model = builder.build()?;
    /// let mut recording = Recording::within();
    /// let run = Simulation::new(&model).duration(0.3).output_every(0.1).run_into(&mut recording)?;
    /// let forces = recording.moments.iter().flat_map(|m| &m.contacts).map(|c| c.f_n);
    /// let largest = forces.fold(0.0, f64::max); // [N]
    /// assert!((largest / run.summary.peak_force - 1.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within() -> Recording {
        Recording { within: true, ..Recording::default() }
    }
}

impl Sink for Recording {
    fn wants_within(&self) -> bool {
        self.within
    }
    fn within(&mut self, moment: &Moment) -> Result<(), SinkError> {
        self.moments.push(moment.clone());
        Ok(())
    }
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.frames.push(frame.clone());
        Ok(())
    }
    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.events.push(event.clone());
        Ok(())
    }
}

/// A sink that discards everything.
pub(crate) struct Silence;

impl Sink for Silence {}
