//! A driven mechanism at an instant.

use carom_base::Vec3;

use crate::coordinate::Coordinate;
use crate::record::JointRecord;
use crate::state::BodyState;

/// A driven mechanism at an instant.
#[derive(Clone, Debug, Default)]
pub struct Posture {
    /// time [s]
    pub t: f64,
    /// the bodies that are not fixed, in the order in which frames list them
    pub bodies: Vec<BodyState>,
    /// accelerations of the rigid bodies whose motion is determined by forces, in that order
    pub accelerations: Vec<Acceleration>,
    /// the coordinates that the joints leave free, with full turns counted
    pub coordinates: Vec<CoordinateRecord>,
    /// the reaction of every joint and every drive on its second body
    pub joints: Vec<JointRecord>,
    /// the force and power of every drive
    pub drives: Vec<DriveRecord>,
}

/// The acceleration of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Acceleration {
    /// name of the body
    pub body: String,
    /// acceleration of its reference point, world frame [m/s²]
    pub linear: Vec3,
    /// angular acceleration, world frame [rad/s²]
    pub angular: Vec3,
}

/// A coordinate that a joint leaves free.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateRecord {
    /// name of the joint
    pub joint: String,
    /// which of the coordinates that the joint leaves free
    pub coordinate: Coordinate,
    /// value [rad or m]
    pub value: f64,
    /// rate [rad/s or m/s]
    pub rate: f64,
    /// second derivative [rad/s² or m/s²]
    pub second: f64,
}

/// The force and power of a drive.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveRecord {
    /// name of the joint and of the driven quantity, as in `main/speed`
    pub drive: String,
    /// the force along the coordinate, or the couple about it, on the first body [N or N m]
    pub force: f64,
    /// power [W]
    pub power: f64,
}
