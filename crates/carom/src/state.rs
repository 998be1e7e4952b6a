//! From the numbers of the state to poses and velocities.

use carom_base::{Mat3, Pose, Quat, Vec3};

use crate::model::{BODY, BodyKind, BodyModel};

/// Where a body is and how it moves: its internal frame (origin at the centre of mass), world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kinematics {
    pub(crate) x: Pose,
    /// of the centre of mass
    pub(crate) v: Vec3,
    /// angular velocity
    pub(crate) w: Vec3,
}

impl Kinematics {
    /// The velocity of the body's material at `p`.
    #[inline(always)]
    pub(crate) fn velocity_at(&self, p: &Vec3) -> Vec3 {
        self.v + self.w.cross(&(p - self.x.p))
    }

    /// A dynamic body, from its 13 numbers.
    #[inline]
    pub(crate) fn of_state(s: &[f64; BODY]) -> Kinematics {
        let r = rotation(&[s[3], s[4], s[5], s[6]]);
        let mut k = Kinematics { x: Pose { p: Vec3::zeros(), r }, v: Vec3::zeros(), w: Vec3::zeros() };
        k.set_but_orientation(s);
        k
    }

    /// Everything but the orientation, from the 13 numbers of a dynamic body.
    #[inline(always)]
    pub(crate) fn set_but_orientation(&mut self, s: &[f64; BODY]) {
        self.x.p = Vec3::new(s[0], s[1], s[2]);
        self.v = Vec3::new(s[7], s[8], s[9]);
        self.w = Vec3::new(s[10], s[11], s[12]);
    }

    /// A body that does not depend on the state.
    pub(crate) fn of_body(b: &BodyModel, t: f64) -> Kinematics {
        match &b.kind {
            BodyKind::Prescribed(motion) => {
                let m = motion.at(t);
                let x = Pose::new(b.position + m.displacement, &(m.rotation * b.orientation));
                Kinematics { x, v: m.velocity, w: m.angular_velocity }
            }
            BodyKind::Fixed | BodyKind::Dynamic(_) => {
                Kinematics { x: Pose::new(b.position, &b.orientation), v: Vec3::zeros(), w: Vec3::zeros() }
            }
        }
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
        let (k, orientation) = match &b.kind {
            BodyKind::Dynamic(d) => {
                let s = body_slice(y, *d);
                let q = nalgebra::Quaternion::new(s[3], s[4], s[5], s[6]);
                (Kinematics::of_state(s), Quat::new_normalize(q))
            }
            BodyKind::Prescribed(motion) => {
                (Kinematics::of_body(b, t), motion.at(t).rotation * b.orientation)
            }
            BodyKind::Fixed => (b.rest, b.orientation),
        };
        let position = k.x.point(&-b.centre);
        BodyState { position, orientation, velocity: k.velocity_at(&position), angular_velocity: k.w }
    }
}
