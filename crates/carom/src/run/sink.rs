//! Who listens to a run.

use std::ops::ControlFlow;

use super::summary::Summary;
use crate::model::Model;
use crate::record::{Event, Frame, Moment, Warning};

/// Why a sink could not take what it was given.
pub type SinkError = Box<dyn std::error::Error + Send + Sync>;

/// One who listens to a run.
pub trait Sink {
    /// Before the first frame.
    fn begin(&mut self, model: &Model) -> Result<(), SinkError> {
        let _ = model;
        Ok(())
    }
    /// An output time.
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        let _ = frame;
        Ok(())
    }
    /// Whether it wants to be told of [moments](Moment) between output times. Asked once, before the run; steps are the same either way.
    fn wants_within(&self) -> bool {
        false
    }
    /// A moment between the last output time and the next: told before the next, in the order of time.
    fn within(&mut self, moment: &Moment) -> Result<(), SinkError> {
        let _ = moment;
        Ok(())
    }
    /// A touch or release, in the order of time among themselves.
    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        let _ = event;
        Ok(())
    }
    /// Something that is better known while the run goes on than at its end; the summary has it too.
    fn warning(&mut self, warning: &Warning) -> Result<(), SinkError> {
        let _ = warning;
        Ok(())
    }
    /// After every step: how far the run is. `Break` ends it here, in good order.
    fn progress(&mut self, t: f64) -> ControlFlow<()> {
        let _ = t;
        ControlFlow::Continue(())
    }
    /// After the last frame.
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
    /// one an output time
    pub frames: Vec<Frame>,
    /// all touches and releases
    pub events: Vec<Event>,
    /// moments between output times, if [asked for](Recording::within)
    pub moments: Vec<Moment>,
    within: bool,
}

impl Recording {
    /// One that keeps [moments](Moment) between output times, too.
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

/// Listens to nothing.
pub(crate) struct Silence;

impl Sink for Silence {}
