//! The records of a model in motion: events, contacts, joints, energy, warnings. They are plain data.

mod energy;
mod force;
mod momentum;
mod motion;
mod warning;

use carom_base::Vec3;

use crate::state::BodyState;

pub use energy::{Energy, EnergyColumn};
pub use force::{EffortRecord, ForceColumn, ForceRecord, LineRecord};
pub use momentum::Momentum;
pub use motion::{Acceleration, CoordinateRecord, DriveRecord, SignalRecord};
pub use warning::Warning;

/// Whether an event is a touch or a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// the surfaces came into contact
    Touch,
    /// the surfaces separated
    Release,
}

carom_base::plain!(
    enum EventKind {
        Touch,
        Release,
    }
);

/// A touch or release of a contact point.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// time [s]
    pub t: f64,
    /// touch or release
    pub kind: EventKind,
    /// `body/surface~body/surface`
    pub contact: String,
    /// name of the contact point
    pub feature: String,
    /// speed at which the surfaces approach or separate [m/s]
    pub speed: f64,
    /// the largest normal force of this point since touch [N], for a point with parts (a ring solved by an integral) the sum
    /// over them; set at a release
    pub peak_force: f64,
    /// the largest indentation since touch [m]; set at a release
    pub max_indentation: f64,
    /// the time at which the indentation first began to rise again after touch [s]: from then on the surfaces followed each
    /// other; set at a release
    pub follows_from: Option<f64>,
}

carom_base::plain!(Event { t, kind, contact, feature, speed, peak_force, max_indentation, follows_from });

impl Event {
    /// Returns what the contact that ends with this release was: an impact if the indentation had one maximum, or following
    /// if the indentation rose again before. Returns `None` for a touch, for which this is not known yet.
    pub fn phase(&self) -> Option<Phase> {
        match (self.kind, self.follows_from) {
            (EventKind::Touch, _) => None,
            (EventKind::Release, None) => Some(Phase::Impact),
            (EventKind::Release, Some(_)) => Some(Phase::Following),
        }
    }
}

/// The kind of motion between touch and release; between release and touch there is free flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// pressed in once and released: the indentation has one maximum
    Impact,
    /// the indentation rises again before the surfaces separate: they follow each other
    Following,
}

/// A contact point that carries a force. A patch is recorded as one: its resultant, at the centre of pressure.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRecord {
    /// `body/surface~body/surface`
    pub contact: String,
    /// name of the contact point
    pub feature: String,
    /// its position on the surface of the first body, world frame [m]
    pub point: Vec3,
    /// unit normal out of the first body into the second, world frame
    pub normal: Vec3,
    /// indentation [m]
    pub delta: f64,
    /// rate of the indentation [m/s], positive while approaching
    pub delta_dot: f64,
    /// normal force [N]
    pub f_n: f64,
    /// friction force on the first body [N]
    pub f_t: Vec3,
    /// couple of rolling and spinning resistance on the first body, or of a patch about its centre of pressure [N m]
    pub couple: Vec3,
    /// area of a patch [m²]: of each surface inside the other body, weighted by how much that body yields; 0 for a contact point
    pub area: f64,
    /// largest pressure of a patch [Pa]; 0 for a contact point
    pub pressure: f64,
}

carom_base::plain!(ContactRecord {
    contact,
    feature,
    point,
    normal,
    delta,
    delta_dot,
    f_n,
    f_t,
    couple,
    area,
    pressure
});

/// The action of a short-range field on its body.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldRecord {
    /// its name
    pub field: String,
    /// the smallest distance of the body's boundary from the support [m]
    pub gap: f64,
    /// force on the body [N]
    pub force: Vec3,
    /// torque on the body about its centre of mass [N m]
    pub torque: Vec3,
    /// power dissipated by damping and friction [W]
    pub dissipated: f64,
}

/// The action of a joint on its second body: force and couple at the joint's point, world frame.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRecord {
    /// its name; for a drive `joint/coordinate`
    pub joint: String,
    /// force on the second body [N]
    pub force: Vec3,
    /// couple on the second body about the joint's point on it [N m]
    pub couple: Vec3,
}

/// The wear of a contact so far.
#[derive(Clone, Debug, PartialEq)]
pub struct WearRecord {
    /// the name of the contact, or of the joint with clearance
    pub contact: String,
    /// worn volume [m³]
    pub volume: f64,
    /// wear depth of a bearing [m] in the middles of its sectors, which begin at angle 0 and follow one another about the
    /// axis; one list for each contact point: two for a bearing with a length, each for half of it
    pub profiles: Vec<Vec<f64>>,
}

carom_base::plain!(WearRecord { contact, volume, profiles });

impl WearRecord {
    /// Returns the largest wear depth [m], or 0 if there is no profile.
    pub fn deepest(&self) -> f64 {
        self.profiles.iter().flatten().copied().fold(0.0, f64::max)
    }
}

/// The state of a run at an output time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// time [s]
    pub t: f64,
    /// the moving bodies, in the order of [`Model::moving_bodies`](crate::Model::moving_bodies)
    pub bodies: Vec<BodyState>,
    /// the contact points that carry a force
    pub contacts: Vec<ContactRecord>,
    /// the short-range fields
    pub fields: Vec<FieldRecord>,
    /// the joints, in the order of [`Model::joint_names`](crate::Model::joint_names)
    pub joints: Vec<JointRecord>,
    /// the coordinates that the joints leave free, in the order of
    /// [`Model::joint_coordinates`](crate::Model::joint_coordinates)
    pub coordinates: Vec<CoordinateRecord>,
    /// the drives of joints, in the order of [`Model::drive_names`](crate::Model::drive_names)
    pub drives: Vec<DriveRecord>,
    /// the forces, in the order of [`Model::force_names`](crate::Model::force_names)
    pub forces: Vec<ForceRecord>,
    /// the inputs and the outputs of controllers, in the order of [`Model::signal_names`](crate::Model::signal_names)
    pub signals: Vec<SignalRecord>,
    /// the contacts that wear, in the order of [`Model::worn_names`](crate::Model::worn_names)
    pub wear: Vec<WearRecord>,
    /// the energies
    pub energy: Energy,
    /// momentum and impulses
    pub momentum: Momentum,
}

/// The contacts at a time between output times. Together with the output times, moments give the curves of contact forces:
/// straight lines between the recorded points have their peaks and their shape.
///
/// A pair of surfaces is recorded at its touch and its release, with a force of zero, at its largest force and its largest
/// indentation, and at the ends of those steps that a straight line would miss. `contacts` holds the points recorded at this
/// time: those of the pairs for which it is one of these times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// time [s]
    pub t: f64,
    /// the contact points
    pub contacts: Vec<ContactRecord>,
    /// at some touches, peaks and releases all moving bodies, in the order of
    /// [`Model::moving_bodies`](crate::Model::moving_bodies); `contacts` then holds all points that carry a force. Otherwise
    /// empty
    pub bodies: Vec<BodyState>,
}
