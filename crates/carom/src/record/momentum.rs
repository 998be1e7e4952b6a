//! The momentum of a model in motion, as it is told.

use carom_base::Vec3;

/// Momentum of all bodies that move by their forces, and the impulses of all that acts on them from outside: gravity, and the bodies and directions that are
/// held. Angular momentum is about the centre of mass of these bodies at the start.
///
/// `audit = linear − linear(0) − impulse`: what internal forces, which should cancel, and the integration have added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momentum {
    /// Σ m v [kg m/s]
    pub linear: Vec3,
    /// Σ x × m v + spin [kg m²/s]
    pub angular: Vec3,
    /// of all outside forces, since the start [N s]
    pub impulse: Vec3,
    /// of their torques [N m s]
    pub angular_impulse: Vec3,
    /// linear momentum that no impulse accounts for [kg m/s]
    pub audit: Vec3,
    /// angular momentum that no impulse accounts for [kg m²/s]
    pub angular_audit: Vec3,
}
