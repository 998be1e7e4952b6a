//! A driven mechanism at an instant.

use carom_base::Vec3;

use crate::coordinate::Coordinate;
use crate::record::JointRecord;
use crate::state::BodyState;

/// A driven mechanism at an instant.
#[derive(Clone, Debug, Default)]
pub struct Posture {
    /// [s]
    pub t: f64,
    /// the bodies that are not fixed, in the order of frames
    pub bodies: Vec<BodyState>,
    /// of the bodies that move by their forces, in that order
    pub accelerations: Vec<Acceleration>,
    /// what the joints leave free, turns counted
    pub coordinates: Vec<CoordinateRecord>,
    /// what every joint and every drive does, on its second body
    pub joints: Vec<JointRecord>,
    /// what every drive must do
    pub drives: Vec<DriveRecord>,
}

/// The acceleration of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Acceleration {
    /// the body
    pub body: String,
    /// of its reference point, world frame [m/s²]
    pub linear: Vec3,
    /// world frame [rad/s²]
    pub angular: Vec3,
}

/// A coordinate that a joint leaves free.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateRecord {
    /// the joint
    pub joint: String,
    /// which of those it leaves free
    pub coordinate: Coordinate,
    /// [rad] or [m]
    pub value: f64,
    /// [rad/s] or [m/s]
    pub rate: f64,
    /// [rad/s²] or [m/s²]
    pub second: f64,
}

/// What a drive does.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveRecord {
    /// `main/speed`: the joint, and what is driven of it
    pub drive: String,
    /// the force along the coordinate, or the couple about it, on the first body [N or N m]
    pub force: f64,
    /// [W]
    pub power: f64,
}
