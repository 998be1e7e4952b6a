//! From the numbers of the state to poses and velocities.

use carom_base::{Mat3, Pose, Quat, Scalar, Two, Vec3, inverse};

use crate::layout::{Affine, Rigid};
use crate::model::{BodyKind, BodyModel};

/// Where a body is and how it moves: its internal frame (origin at the centre of mass), world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kinematics {
    /// of a body that deforms, its axes are F: as long and as oblique as the deformation has made them
    pub(crate) x: Pose,
    /// of the centre of mass
    pub(crate) v: Vec3,
    /// angular velocity
    pub(crate) w: Vec3,
    /// whether it ever moves: most contacts are with something that does not, and need half the work
    pub(crate) moves: bool,
    /// whether it deforms
    pub(crate) deforms: bool,
    /// L = Ḟ F⁻¹ of a body that deforms; its skew part is the angular velocity
    pub(crate) l: Mat3,
}

impl Kinematics {
    /// The velocity of the body's material at `p`.
    #[inline(always)]
    pub(crate) fn velocity_at(&self, p: &Vec3) -> Vec3 {
        match (self.moves, self.deforms) {
            (true, false) => self.v + self.w.cross(&(p - self.x.p)),
            (false, _) => Vec3::zeros(),
            (true, true) => self.v + self.l * (p - self.x.p),
        }
    }

    /// How fast a vector that goes with the body changes.
    #[inline(always)]
    pub(crate) fn carried(&self, r: &Vec3) -> Vec3 {
        if self.deforms { self.l * r } else { self.w.cross(r) }
    }

    /// The velocities of the body's material at two points.
    #[inline(always)]
    pub(crate) fn velocities_at(&self, p: &Vec3<Two>) -> Vec3<Two> {
        let arm = || p - Two::both(&self.x.p);
        match (self.moves, self.deforms) {
            (true, false) => Two::both(&self.v) + Two::both(&self.w).cross(&arm()),
            (false, _) => Two::both(&Vec3::zeros()),
            (true, true) => Two::both(&self.v) + self.l.map(Two::from_f64) * arm(),
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
            BodyKind::Dynamic(rows) => self.set_rigid(b, rows.of(y)),
            BodyKind::Affine(rows) => self.set_affine(&rows.of(y)),
            BodyKind::Prescribed(motion) => {
                let m = motion.at(t);
                self.x = Pose::new(b.position + m.displacement, &(m.rotation * b.orientation));
                (self.v, self.w) = (m.velocity, m.angular_velocity);
            }
            BodyKind::Fixed => {}
        }
    }

    /// A rigid body, from its numbers.
    #[inline(always)]
    pub(crate) fn set_rigid(&mut self, b: &BodyModel, s: Rigid<'_>) {
        self.x.p = s.position();
        if b.orientation_matters {
            self.x.r = rotation(&s.quaternion());
        }
        self.v = s.velocity();
        self.w = s.angular_velocity();
    }

    /// A body that deforms, from its numbers.
    pub(crate) fn set_affine(&mut self, &Affine { p, f, v, f_dot }: &Affine) {
        let l = f_dot * inverse(&f).1;
        self.x = Pose { p, r: f };
        (self.v, self.l) = (v, l);
        self.w = spin(&l);
    }
}

/// The angular velocity in L = Ḟ F⁻¹: the axial vector of its skew part.
pub(crate) fn spin<S: Scalar>(l: &Mat3<S>) -> Vec3<S> {
    Vec3::new(l[(2, 1)] - l[(1, 2)], l[(0, 2)] - l[(2, 0)], l[(1, 0)] - l[(0, 1)]) * S::from_f64(0.5)
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
    /// of a body that deforms
    pub deformation: Option<Deformation>,
}

/// How a body is deformed: p = p0 + F X, X from its centre of mass in its own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deformation {
    /// F
    pub f: Mat3,
    /// Ḟ [1/s]
    pub f_dot: Mat3,
}

impl BodyState {
    /// A body that deforms, from position and velocity of its reference point, F and Ḟ.
    pub fn deformed(position: Vec3, f: Mat3, velocity: Vec3, f_dot: Mat3) -> BodyState {
        let angular_velocity = spin(&(f_dot * inverse(&f).1));
        let deformation = Some(Deformation { f, f_dot });
        BodyState { position, orientation: rotation_of(&f), velocity, angular_velocity, deformation }
    }

    /// From the body's axes to the world's: a rotation, or F.
    pub fn axes(&self) -> Mat3 {
        self.deformation.map_or_else(|| self.orientation.to_rotation_matrix().into_inner(), |d| d.f)
    }

    /// Place and velocity of a point of the body [m, m/s], given in its own frame.
    pub fn point(&self, x: &Vec3) -> (Vec3, Vec3) {
        let (arm, v) = match &self.deformation {
            None => {
                let arm = self.orientation * x;
                (arm, self.angular_velocity.cross(&arm))
            }
            Some(d) => (d.f * x, d.f_dot * x),
        };
        (self.position + arm, self.velocity + v)
    }

    pub(crate) fn new(b: &BodyModel, t: f64, y: &[f64]) -> BodyState {
        let mut k = Kinematics::new(b, t, y);
        let orientation = match &b.kind {
            BodyKind::Dynamic(rows) => {
                let q = rows.of(y).quaternion();
                // the reference point is seen even where no force asks for the orientation
                k.x.r = rotation(&q);
                Quat::new_normalize(nalgebra::Quaternion::new(q[0], q[1], q[2], q[3]))
            }
            BodyKind::Affine(_) => rotation_of(&k.x.r),
            BodyKind::Prescribed(motion) => motion.at(t).rotation * b.orientation,
            BodyKind::Fixed => b.orientation,
        };
        let position = k.x.point(&-b.centre);
        let deformation = k.deforms.then(|| Deformation { f: k.x.r, f_dot: k.l * k.x.r });
        let velocity = k.velocity_at(&position);
        BodyState { position, orientation, velocity, angular_velocity: k.w, deformation }
    }
}

/// The rotation R of a deformation F = R U, U symmetric and positive.
fn rotation_of(f: &Mat3) -> Quat {
    // R is where the halves of F and its inverse transpose meet (Higham 1986): quadratic
    let mut r = *f;
    for _ in 0..20 {
        let next = 0.5 * (r + inverse(&r).1.transpose());
        let change = (next - r).norm();
        r = next;
        if change < 1e-15 {
            break;
        }
    }
    Quat::from_matrix(&r)
}
