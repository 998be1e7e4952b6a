//! Rotations about axes, from elementary functions that are the same on every platform.

use carom_portable::elementary::sincos;
use nalgebra::{Quaternion, Unit};

use crate::vector::{Quat, Vec3};

/// Returns the rotation about an axis by an angle [rad].
///
/// ```
/// use carom_base::{Vec3, rotation_about};
/// let turned = rotation_about(&Vec3::z_axis(), std::f64::consts::FRAC_PI_2) * Vec3::x();
/// assert!((turned - Vec3::y()).norm() < 1e-15);
/// ```
pub fn rotation_about(axis: &Unit<Vec3>, angle: f64) -> Quat {
    let (sin, cos) = sincos(0.5 * angle);
    Quat::new_unchecked(Quaternion::from_parts(cos, axis.into_inner() * sin))
}

/// Returns the rotation about a vector by its length [rad].
///
/// ```
/// use carom_base::{Quat, Vec3, rotation_by};
/// assert_eq!(rotation_by(&Vec3::zeros()), Quat::identity());
/// let turned = rotation_by(&Vec3::new(0.0, 0.0, std::f64::consts::PI)) * Vec3::x();
/// assert!((turned + Vec3::x()).norm() < 1e-15);
/// ```
pub fn rotation_by(vector: &Vec3) -> Quat {
    match Unit::try_new_and_get(*vector, 0.0) {
        Some((axis, angle)) => rotation_about(&axis, angle),
        None => Quat::identity(),
    }
}
