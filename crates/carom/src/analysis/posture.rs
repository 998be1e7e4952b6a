//! A driven mechanism at an instant.

use crate::record::{Acceleration, CoordinateRecord, DriveRecord, ForceRecord, JointRecord};
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
    /// the forces, in the order of [`Model::force_names`](crate::Model::force_names); works are not integrated
    pub forces: Vec<ForceRecord>,
}
