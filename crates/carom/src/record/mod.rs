//! What is told of a model in motion: events, contacts, joints, energy, warnings. Plain data.

mod energy;
mod momentum;
mod warning;

use carom_base::Vec3;

use crate::state::BodyState;

pub use energy::Energy;
pub use momentum::Momentum;
pub use warning::Warning;

/// A touch or a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// the surfaces came together
    Touch,
    /// the surfaces parted
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

carom_base::plain!(Event { t, kind, contact, feature, speed, peak_force, max_indentation, follows_from });

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

carom_base::plain!(ContactRecord { contact, feature, point, normal, delta, delta_dot, f_n, f_t, couple });

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
    /// the moving bodies, in the order of [`Model::moving_bodies`](crate::Model::moving_bodies)
    pub bodies: Vec<BodyState>,
    /// the contact points that carry a force
    pub contacts: Vec<ContactRecord>,
    /// the short-range fields
    pub fields: Vec<FieldRecord>,
    /// the joints, in the order of [`Model::joint_names`](crate::Model::joint_names)
    pub joints: Vec<JointRecord>,
    /// the contacts that wear, in the order of [`Model::worn_names`](crate::Model::worn_names)
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
    /// at some touches, peaks and releases all moving bodies, in the order of [`Model::moving_bodies`](crate::Model::moving_bodies); then `contacts` are all that carry a
    /// force. Else empty
    pub bodies: Vec<BodyState>,
}
