//! How a frame moves.

use carom_base::{Pose, Vec3, rotation_by};

/// What a motion never exceeds in the interval it is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// |p̈| of the frame's origin [m/s²]
    pub acceleration: f64,
    /// |ω| [rad/s]
    pub spin: f64,
    /// |ω̇| [rad/s²]
    pub spin_rate: f64,
}

/// A rigid motion of a frame.
pub trait Motion {
    /// Where the frame is at the time t [s].
    fn pose(&self, t: f64) -> Pose;
    /// The velocity of its origin [m/s] and its angular velocity [rad/s], in the world.
    fn velocity(&self, t: f64) -> (Vec3, Vec3);
    /// What it does not exceed from 0 to `end` [s].
    fn limits(&self, end: f64) -> Limits;
}

/// Constant velocity of the origin, constant angular velocity about it.
///
/// ```
/// use carom_geometry::proximity::ellipsoids::{Motion, Twist};
/// use carom_geometry::{Pose, Vec3};
/// let top = Twist { start: Pose::identity(), v: Vec3::new(1.0, 0.0, 0.0), omega: Vec3::new(0.0, 0.0, 2.0) }; // [m/s], [rad/s]
/// let x = top.pose(std::f64::consts::FRAC_PI_4).point(&Vec3::x()); // turned by 90 degrees
/// assert!((x - Vec3::new(std::f64::consts::FRAC_PI_4, 1.0, 0.0)).norm() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist {
    /// where the frame is at t = 0
    pub start: Pose,
    /// the velocity of its origin [m/s]
    pub v: Vec3,
    /// its angular velocity, in the world [rad/s]
    pub omega: Vec3,
}

impl Twist {
    /// A frame that stays where it is.
    pub fn rest(start: Pose) -> Twist {
        Twist { start, v: Vec3::zeros(), omega: Vec3::zeros() }
    }
}

impl Motion for Twist {
    fn pose(&self, t: f64) -> Pose {
        let turn = rotation_by(&(self.omega * t)).to_rotation_matrix();
        Pose { p: self.start.p + self.v * t, r: turn.matrix() * self.start.r }
    }
    fn velocity(&self, _t: f64) -> (Vec3, Vec3) {
        (self.v, self.omega)
    }
    fn limits(&self, _end: f64) -> Limits {
        Limits { acceleration: 0.0, spin: self.omega.norm(), spin_rate: 0.0 }
    }
}
