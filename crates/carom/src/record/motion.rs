//! The records of coordinates of joints, and of their drives.

use crate::coordinate::Coordinate;

/// A coordinate that a joint leaves free.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateRecord {
    /// name of the joint
    pub joint: String,
    /// which of the coordinates that the joint leaves free
    pub coordinate: Coordinate,
    /// value [rad or m], with full turns counted
    pub value: f64,
    /// rate [rad/s or m/s]
    pub rate: f64,
    /// second derivative [rad/s² or m/s²]; NaN where the accelerations cannot be computed
    pub second: f64,
}

/// The force and power of a drive of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveRecord {
    /// name of the joint and of the driven quantity, as in `main/speed`
    pub drive: String,
    /// the force along the coordinate, or the couple about it, on the first body [N or N m]; NaN where it cannot be computed
    pub force: f64,
    /// power [W]
    pub power: f64,
}
