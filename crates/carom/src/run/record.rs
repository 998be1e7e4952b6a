//! What a run tells, and to whom.

use std::ops::ControlFlow;

use carom_base::Vec3;

use super::summary::{Summary, Warning};
use crate::energy::Energy;
use crate::model::Model;
use crate::momentum::Momentum;
use crate::state::BodyState;

/// A touch or a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// the surfaces came together
    Touch,
    /// the surfaces parted
    Release,
}

/// A touch or release of a contact point.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// time [s]
    pub t: f64,
    /// which
    pub kind: EventKind,
    /// `body/surface~body/surface`
    pub contact: String,
    /// which point of the contact
    pub feature: String,
    /// at which the surfaces approach or part [m/s]
    pub speed: f64,
    /// the largest normal force of this point since touch [N], of a point with parts (a ring by an integral) of all of it; of a release
    pub peak_force: f64,
    /// the largest indentation since touch [m]; of a release
    pub max_indentation: f64,
    /// when the indentation began to rise again since touch [s]: from there on the surfaces followed each other; of a release
    pub follows_from: Option<f64>,
}

impl Event {
    /// What the contact that ends with this release was: an impact, if it was pressed in once and let go, or following, if its indentation rose again before.
    /// Of a touch, which is not known to be either, `None`.
    pub fn phase(&self) -> Option<Phase> {
        match (self.kind, self.follows_from) {
            (EventKind::Touch, _) => None,
            (EventKind::Release, None) => Some(Phase::Impact),
            (EventKind::Release, Some(_)) => Some(Phase::Following),
        }
    }
}

/// What goes on between touch and release; between release and touch it is free flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// pressed in once and let go: the indentation has one maximum
    Impact,
    /// the indentation rises again before the surfaces part: they follow each other
    Following,
}

/// A contact point that carries a force.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRecord {
    /// `body/surface~body/surface`
    pub contact: String,
    /// which point of the contact
    pub feature: String,
    /// on the first body [m]
    pub point: Vec3,
    /// out of the first body into the second
    pub normal: Vec3,
    /// indentation [m]
    pub delta: f64,
    /// its rate [m/s], positive while approaching
    pub delta_dot: f64,
    /// normal force [N]
    pub f_n: f64,
    /// friction force on the first body [N]
    pub f_t: Vec3,
    /// couple against rolling and spinning on the first body [N m]
    pub couple: Vec3,
}

/// What a short-range field does to its body.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldRecord {
    /// its name
    pub field: String,
    /// the least distance of the boundary to the support [m]
    pub gap: f64,
    /// on the body [N]
    pub force: Vec3,
    /// on the body about its centre of mass [N m]
    pub torque: Vec3,
    /// what damping and friction dissipate [W]
    pub dissipated: f64,
}

/// What a joint does to its second body: force and couple at the joint's point, world frame.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRecord {
    /// its name; that of a drive is `joint/coordinate`
    pub joint: String,
    /// on the second body [N]
    pub force: Vec3,
    /// on the second body, about the joint's point on it [N m]
    pub couple: Vec3,
}

/// What a contact has worn off so far.
#[derive(Clone, Debug, PartialEq)]
pub struct WearRecord {
    /// the name of the contact, or of the joint with clearance
    pub contact: String,
    /// [m³]
    pub volume: f64,
    /// the depth of a bearing [m] in the middles of its sectors, which begin at angle 0 and follow one another about the axis; one list a contact point: two of a
    /// bearing with a length, each for half of it
    pub profiles: Vec<Vec<f64>>,
}

impl WearRecord {
    /// The largest depth [m]; 0 where there is no profile.
    pub fn deepest(&self) -> f64 {
        self.profiles.iter().flatten().copied().fold(0.0, f64::max)
    }
}

/// A moment of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// time [s]
    pub t: f64,
    /// the moving bodies, in the order of [`Model::moving_bodies`]
    pub bodies: Vec<BodyState>,
    /// the contact points that carry a force
    pub contacts: Vec<ContactRecord>,
    /// the short-range fields
    pub fields: Vec<FieldRecord>,
    /// the joints, in the order of [`Model::joint_names`]
    pub joints: Vec<JointRecord>,
    /// the contacts that wear, in the order of [`Model::worn_names`]
    pub wear: Vec<WearRecord>,
    /// the ledger
    pub energy: Energy,
    /// momentum and impulses
    pub momentum: Momentum,
}

/// A moment between output times: what the curves of contact forces need besides the output times, so that straight lines
/// between the points recorded have its peaks and its shape.
///
/// A pair of surfaces is recorded at its touch and its release, with a force of zero, at its largest force and its largest indentation, and at
/// the ends of those steps that a straight line would miss. `contacts` are the points recorded at this moment: those of the pairs that it is one of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// time [s]
    pub t: f64,
    /// the contact points
    pub contacts: Vec<ContactRecord>,
    /// at some touches, peaks and releases all moving bodies, in the order of [`Model::moving_bodies`]; then `contacts` are all that carry a
    /// force. Else empty
    pub bodies: Vec<BodyState>,
}

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
