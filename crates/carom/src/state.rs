//! From the numbers of the state to poses and velocities.

use carom_base::{Mat3, Pose, Quat, Two, Vec3};

use crate::model::{BODY, BodyKind, BodyModel};

/// Where a body is and how it moves: its internal frame (origin at the centre of mass), world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kinematics {
    pub(crate) x: Pose,
    /// of the centre of mass
    pub(crate) v: Vec3,
    /// angular velocity
    pub(crate) w: Vec3,
    /// whether it ever moves: most contacts are with something that does not, and need half the work
    pub(crate) moves: bool,
}

impl Kinematics {
    /// The velocity of the body's material at `p`.
    #[inline(always)]
    pub(crate) fn velocity_at(&self, p: &Vec3) -> Vec3 {
        if self.moves { self.v + self.w.cross(&(p - self.x.p)) } else { Vec3::zeros() }
    }

    /// The velocities of the body's material at two points.
    #[inline(always)]
    pub(crate) fn velocities_at(&self, p: &Vec3<Two>) -> Vec3<Two> {
        match self.moves {
            true => Two::both(&self.v) + Two::both(&self.w).cross(&(p - Two::both(&self.x.p))),
            false => Two::both(&Vec3::zeros()),
        }
    }

    /// A body at a time, in a state.
    pub(crate) fn new(b: &BodyModel, t: f64, y: &[f64]) -> Kinematics {
        let mut k = b.rest;
        k.update(b, t, y);
        k
    }

    /// Moves a body on to another time and state.
    #[inline]
    pub(crate) fn update(&mut self, b: &BodyModel, t: f64, y: &[f64]) {
        match &b.kind {
            BodyKind::Dynamic(d) => self.set_state(b, body_slice(y, *d)),
            BodyKind::Prescribed(motion) => {
                let m = motion.at(t);
                self.x = Pose::new(b.position + m.displacement, &(m.rotation * b.orientation));
                (self.v, self.w) = (m.velocity, m.angular_velocity);
            }
            BodyKind::Fixed => {}
        }
    }

    /// A dynamic body, from its 13 numbers.
    #[inline(always)]
    pub(crate) fn set_state(&mut self, b: &BodyModel, s: &[f64; BODY]) {
        self.x.p = Vec3::new(s[0], s[1], s[2]);
        if b.orientation_matters {
            self.x.r = rotation(&[s[3], s[4], s[5], s[6]]);
        }
        self.v = Vec3::new(s[7], s[8], s[9]);
        self.w = Vec3::new(s[10], s[11], s[12]);
    }
}

/// The numbers of a dynamic body.
#[inline(always)]
pub(crate) fn body_slice(y: &[f64], dynamic: usize) -> &[f64; BODY] {
    &y.as_chunks::<BODY>().0[dynamic]
}

/// The rotation of a quaternion (w, x, y, z) of any length: a trial state's is not quite 1.
#[inline]
pub(crate) fn rotation(&[w, x, y, z]: &[f64; 4]) -> Mat3 {
    let s = 2.0 / (w * w + x * x + y * y + z * z);
    let (sx, sy, sz) = (s * x, s * y, s * z);
    let (wx, wy, wz) = (w * sx, w * sy, w * sz);
    let (xx, xy, xz) = (x * sx, x * sy, x * sz);
    let (yy, yz, zz) = (y * sy, y * sz, z * sz);
    Mat3::new(
        1.0 - (yy + zz),
        xy - wz,
        xz + wy,
        xy + wz,
        1.0 - (xx + zz),
        yz - wx,
        xz - wy,
        yz + wx,
        1.0 - (xx + yy),
    )
}

/// A body in a frame of output: its reference point, world frame.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("stone").mass(1.0).inertia([1.0; 3]).velocity([1.0, 0.0, 0.0]));
/// let run = Simulation::new(&builder.build()?).duration(1.0).run()?;
/// let stone = run.end.body("stone").unwrap();
/// assert!((stone.position.x - 1.0).abs() < 1e-12 && (stone.position.z + 4.905).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// of the reference point [m]
    pub position: Vec3,
    /// from the body's axes to the world's
    pub orientation: Quat,
    /// of the reference point [m/s]
    pub velocity: Vec3,
    /// [rad/s]
    pub angular_velocity: Vec3,
}

impl BodyState {
    pub(crate) fn new(b: &BodyModel, t: f64, y: &[f64]) -> BodyState {
        let mut k = Kinematics::new(b, t, y);
        let orientation = match &b.kind {
            BodyKind::Dynamic(d) => {
                let s = body_slice(y, *d);
                // the reference point is seen even where no force asks for the orientation
                k.x.r = rotation(&[s[3], s[4], s[5], s[6]]);
                Quat::new_normalize(nalgebra::Quaternion::new(s[3], s[4], s[5], s[6]))
            }
            BodyKind::Prescribed(motion) => motion.at(t).rotation * b.orientation,
            BodyKind::Fixed => b.orientation,
        };
        let position = k.x.point(&-b.centre);
        BodyState { position, orientation, velocity: k.velocity_at(&position), angular_velocity: k.w }
    }
}
