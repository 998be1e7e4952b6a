//! The components of the state of a rigid body.

use std::ops::Range;

use carom_base::{Quat, Vec3, rotation_by};
use nalgebra::Quaternion;

use super::chunk;

/// The number of components of a rigid body, and the index of each of its vectors among them.
pub(super) const RIGID: usize = 13;
const POSITION: usize = 0;
const QUATERNION: usize = 3;
const VELOCITY: usize = 7;
const ANGULAR_VELOCITY: usize = 10;

/// The components of a rigid body, in the order of the state.
pub(crate) type RigidNumbers = [f64; RIGID];
/// A part of the components of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RigidPart {
    Position,
    Orientation,
    Velocity,
    AngularVelocity,
}

impl RigidPart {
    pub(super) fn of(i: usize) -> RigidPart {
        match i {
            POSITION..QUATERNION => RigidPart::Position,
            QUATERNION..VELOCITY => RigidPart::Orientation,
            VELOCITY..ANGULAR_VELOCITY => RigidPart::Velocity,
            _ => RigidPart::AngularVelocity,
        }
    }

    /// Returns its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            RigidPart::Position => "position",
            RigidPart::Orientation => "orientation",
            RigidPart::Velocity => "velocity",
            RigidPart::AngularVelocity => "angular velocity",
        }
    }
}

/// The indices of the components of a rigid body in the state, which are also its rows and columns in the Jacobian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RigidRows {
    pub(super) first: usize,
}

impl RigidRows {
    /// Returns the indices of all its components.
    pub(crate) fn all(self) -> Range<usize> {
        self.first..self.first + RIGID
    }

    /// Returns the index of a component of the position, 0 to 2.
    pub(crate) fn position(self, i: usize) -> usize {
        self.first + POSITION + i
    }

    /// Returns the index of a component of the quaternion, 0 to 3.
    pub(crate) fn quaternion(self, i: usize) -> usize {
        self.first + QUATERNION + i
    }

    /// Returns the index of a component of the velocity, 0 to 2.
    pub(crate) fn velocity(self, i: usize) -> usize {
        self.first + VELOCITY + i
    }

    /// Returns the index of a component of the angular velocity, 0 to 2.
    pub(crate) fn angular_velocity(self, i: usize) -> usize {
        self.first + ANGULAR_VELOCITY + i
    }

    /// Returns the body in a state.
    #[inline(always)]
    pub(crate) fn of(self, y: &[f64]) -> Rigid<'_> {
        Rigid(chunk(y, self.first))
    }

    /// Returns the body in a state, for writing.
    pub(crate) fn of_mut(self, y: &mut [f64]) -> Option<RigidMut<'_>> {
        y.get_mut(self.first..)?.first_chunk_mut().map(RigidMut)
    }

    /// Returns the components that `read` writes into a slice for these indices.
    pub(crate) fn read(self, read: impl FnOnce(Range<usize>, &mut [f64])) -> RigidNumbers {
        let mut numbers = [0.0; RIGID];
        read(self.all(), &mut numbers);
        numbers
    }
}

/// The components of a rigid body, for reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rigid<'y>(pub(crate) &'y RigidNumbers);

impl Rigid<'_> {
    /// Returns the position of the centre of mass [m].
    #[inline(always)]
    pub(crate) fn position(self) -> Vec3 {
        Vec3::new(self.0[POSITION], self.0[POSITION + 1], self.0[POSITION + 2])
    }

    /// Returns the quaternion (w, x, y, z) from the body axes to the world axes; of length 1 up to the error of a trial
    /// state.
    #[inline(always)]
    pub(crate) fn quaternion(self) -> [f64; 4] {
        [self.0[QUATERNION], self.0[QUATERNION + 1], self.0[QUATERNION + 2], self.0[QUATERNION + 3]]
    }

    /// Returns the velocity of the centre of mass [m/s].
    #[inline(always)]
    pub(crate) fn velocity(self) -> Vec3 {
        Vec3::new(self.0[VELOCITY], self.0[VELOCITY + 1], self.0[VELOCITY + 2])
    }

    /// Returns the angular velocity in the world frame [rad/s].
    #[inline(always)]
    pub(crate) fn angular_velocity(self) -> Vec3 {
        Vec3::new(self.0[ANGULAR_VELOCITY], self.0[ANGULAR_VELOCITY + 1], self.0[ANGULAR_VELOCITY + 2])
    }
}

/// The components of a rigid body, or their rates, for writing.
#[derive(Debug)]
pub(crate) struct RigidMut<'y>(pub(super) &'y mut RigidNumbers);

impl RigidMut<'_> {
    /// Returns the present values.
    #[inline(always)]
    pub(crate) fn now(&self) -> Rigid<'_> {
        Rigid(self.0)
    }

    /// Sets all components at once.
    #[inline(always)]
    pub(crate) fn set(&mut self, x: &Vec3, q: &[f64; 4], v: &Vec3, w: &Vec3) {
        *self.0 = [x.x, x.y, x.z, q[0], q[1], q[2], q[3], v.x, v.y, v.z, w.x, w.y, w.z];
    }

    pub(crate) fn set_position(&mut self, x: &Vec3) {
        self.0[POSITION..QUATERNION].copy_from_slice(x.as_slice());
    }

    pub(crate) fn set_quaternion(&mut self, q: &[f64; 4]) {
        self.0[QUATERNION..VELOCITY].copy_from_slice(q);
    }

    pub(crate) fn set_velocity(&mut self, v: &Vec3) {
        self.0[VELOCITY..ANGULAR_VELOCITY].copy_from_slice(v.as_slice());
    }

    pub(crate) fn set_angular_velocity(&mut self, w: &Vec3) {
        self.0[ANGULAR_VELOCITY..].copy_from_slice(w.as_slice());
    }

    /// Returns the quaternion of the body rotated by `turn`, a rotation in the world frame, before it is normalised.
    pub(crate) fn turned(&self, turn: Quat) -> Quaternion<f64> {
        let [w, x, y, z] = self.now().quaternion();
        turn.into_inner() * Quaternion::new(w, x, y, z)
    }

    /// Advances the body by the time `h` [s] at constant velocities.
    pub(crate) fn drift(&mut self, h: f64) {
        let now = self.now();
        let (x, w) = (now.position() + h * now.velocity(), now.angular_velocity());
        // q ← exp(½ h ω) q
        let q = self.turned(rotation_by(&(w * h)));
        self.set_position(&x);
        self.set_quaternion(&[q.w, q.i, q.j, q.k]);
    }
}

/// Returns the scale of each component, given those of lengths and speeds.
pub(super) fn scales(length: f64, speed: f64) -> RigidNumbers {
    let mut scales = [1.0; RIGID];
    scales[POSITION..QUATERNION].fill(length);
    scales[VELOCITY..ANGULAR_VELOCITY].fill(speed);
    scales[ANGULAR_VELOCITY..].fill(speed / length);
    scales
}
