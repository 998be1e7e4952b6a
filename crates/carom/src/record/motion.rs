//! The records of accelerations, of coordinates of joints, of their drives, and of inputs and controllers.

use carom_base::Vec3;

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

/// The value of an input, or of an output of a controller.
///
/// It is constant from one instant to the next. At an instant at which a controller's output changes, a frame has the
/// new value: that which holds from then on.
#[derive(Clone, Debug, PartialEq)]
pub struct SignalRecord {
    /// its name in results: see [`Model::signal_names`](crate::Model::signal_names)
    pub signal: String,
    /// its value, in SI units
    pub value: f64,
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
