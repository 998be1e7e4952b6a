//! The momentum of a model in motion, as frames report it.

use carom_base::Vec3;

/// Momentum of all bodies whose motion is determined by forces, and the impulses of everything external that acts on them:
/// gravity, fixed and prescribed bodies, and locked directions. Angular momentum is about the centre of mass of these bodies
/// at the start.
///
/// `audit = linear − linear(0) − impulse`: what internal forces, which should cancel, and the integration have added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momentum {
    /// linear momentum Σ m v [kg m/s]
    pub linear: Vec3,
    /// angular momentum Σ (x × m v + spin) [kg m²/s]
    pub angular: Vec3,
    /// impulse of all external forces since the start [N s]
    pub impulse: Vec3,
    /// angular impulse of their torques since the start [N m s]
    pub angular_impulse: Vec3,
    /// linear momentum for which no impulse accounts [kg m/s]
    pub audit: Vec3,
    /// angular momentum for which no impulse accounts [kg m²/s]
    pub angular_audit: Vec3,
}
