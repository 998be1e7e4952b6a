//! The kinds of joints, one file each. To add one: write its file, and add its lines below: `mod`, `pub use` and the
//! line in [`JOINTS`].

mod cylindrical;
mod distance;
mod fixed;
mod gear;
mod planar;
mod point_on_line;
mod point_on_plane;
mod prismatic;
mod revolute;
mod rolling;
mod screw;
mod spherical;
mod universal;

use std::sync::Arc;

use carom_base::Entry;

pub use cylindrical::Cylindrical;
pub use distance::DistanceJoint;
pub use fixed::Fixed;
pub use gear::Gear;
pub use planar::PlanarJoint;
pub use point_on_line::PointOnLine;
pub use point_on_plane::PointOnPlane;
pub use prismatic::Prismatic;
pub use revolute::Revolute;
pub use rolling::Rolling;
pub use screw::Screw;
pub use spherical::Spherical;
pub use universal::Universal;

use super::JointKind;

/// Every kind of joint that a scene can have.
///
/// ```
/// use carom::base::{Args, Value};
/// let screw = carom::JOINTS.iter().find(|e| e.name == "screw").unwrap();
/// assert!(screw.make(&Args::new().with("pitch", Value::Number(0.002)))?.has_axis());
/// # Ok::<(), carom::base::SpecError>(())
/// ```
pub static JOINTS: &[Entry<Arc<dyn JointKind>>] = &[
    Spherical::ENTRY,
    Revolute::ENTRY,
    Prismatic::ENTRY,
    Cylindrical::ENTRY,
    Universal::ENTRY,
    Fixed::ENTRY,
    PlanarJoint::ENTRY,
    DistanceJoint::ENTRY,
    PointOnLine::ENTRY,
    PointOnPlane::ENTRY,
    Screw::ENTRY,
    Gear::ENTRY,
    Rolling::ENTRY,
];
