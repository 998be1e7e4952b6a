//! Converts the components of the state to poses and velocities.

use carom_base::{Mat3, Pose, Quat, Scalar, Two, Vec3, inverse};
use nalgebra::Rotation3;

use crate::layout::{Affine, Rigid};

/// Pose and velocity of a body: its internal frame (origin at the centre of mass), given in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kinematics {
    /// pose; if the body deforms, the axes are the columns of F, stretched and sheared by the deformation
    pub(crate) x: Pose,
    /// velocity of the centre of mass [m/s]
    pub(crate) v: Vec3,
    /// angular velocity [rad/s]
    pub(crate) w: Vec3,
    /// whether the body ever moves: most contacts are with a body that does not, and need half the computation
    pub(crate) moves: bool,
    /// whether it deforms
    pub(crate) deforms: bool,
    /// velocity gradient L = Ḟ F⁻¹ of a body that deforms; its skew part is the angular velocity
    pub(crate) l: Mat3,
}

carom_base::plain!(Kinematics { x, v, w, moves, deforms, l });

impl Kinematics {
    /// Returns the velocity of the material point of the body at `p`.
    #[inline(always)]
    pub(crate) fn velocity_at(&self, p: &Vec3) -> Vec3 {
        match (self.moves, self.deforms) {
            (true, false) => self.v + self.w.cross(&(p - self.x.p)),
            (false, _) => Vec3::zeros(),
            (true, true) => self.v + self.l * (p - self.x.p),
        }
    }

    /// Returns the rate of change of a vector fixed in the body.
    #[inline(always)]
    pub(crate) fn carried(&self, r: &Vec3) -> Vec3 {
        if self.deforms { self.l * r } else { self.w.cross(r) }
    }

    /// Returns the velocities of the material points of the body at two positions.
    #[inline(always)]
    pub(crate) fn velocities_at(&self, p: &Vec3<Two>) -> Vec3<Two> {
        let arm = || p - Two::both(&self.x.p);
        match (self.moves, self.deforms) {
            (true, false) => Two::both(&self.v) + Two::both(&self.w).cross(&arm()),
            (false, _) => Two::both(&Vec3::zeros()),
            (true, true) => Two::both(&self.v) + self.l.map(Two::from_f64) * arm(),
        }
    }

    /// Sets the pose and velocity of a rigid body from its components of the state; its axes only if its orientation matters.
    #[inline(always)]
    pub(crate) fn set_rigid(&mut self, orientation_matters: bool, s: Rigid<'_>) {
        self.x.p = s.position();
        if orientation_matters {
            self.x.r = rotation(&s.quaternion());
        }
        self.v = s.velocity();
        self.w = s.angular_velocity();
    }

    /// Sets the pose and velocity of a body that deforms from its components of the state.
    pub(crate) fn set_affine(&mut self, &Affine { p, f, v, f_dot }: &Affine) {
        let l = f_dot * inverse(&f).1;
        self.x = Pose { p, r: f };
        (self.v, self.l) = (v, l);
        self.w = spin(&l);
    }
}

/// A body with the loads on it. The fields are in this order for speed: with force and torque side by side, the processor
/// would write them in other pairs than it reads them in, and the reads would stall.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Loaded {
    /// resultant force [N]
    pub(crate) force: Vec3,
    pub(crate) k: Kinematics,
    /// resultant torque about its centre of mass [N m]
    pub(crate) torque: Vec3,
}

carom_base::plain!(Loaded { force, k, torque });

impl Loaded {
    /// Adds a force [N] that acts at the point `p`.
    #[inline(always)]
    pub(crate) fn load(&mut self, p: &Vec3, f: &Vec3) {
        self.force += f;
        self.torque += (p - self.k.x.p).cross(f);
    }
}

/// Returns the angular velocity contained in L = Ḟ F⁻¹: the axial vector of its skew part.
pub(crate) fn spin<S: Scalar>(l: &Mat3<S>) -> Vec3<S> {
    Vec3::new(l[(2, 1)] - l[(1, 2)], l[(0, 2)] - l[(2, 0)], l[(1, 0)] - l[(0, 1)]) * S::from_f64(0.5)
}

/// Returns the rotation matrix of a quaternion (w, x, y, z) of any length: in a trial state the length is not quite 1.
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

/// The state of a body in an output frame, given at its reference point in the world frame.
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
    /// position of the reference point [m]
    pub position: Vec3,
    /// rotation from the body axes to the world axes
    pub orientation: Quat,
    /// velocity of the reference point [m/s]
    pub velocity: Vec3,
    /// angular velocity, world frame [rad/s]
    pub angular_velocity: Vec3,
    /// the deformation, if the body deforms
    pub deformation: Option<Deformation>,
}

carom_base::plain!(BodyState { position, orientation, velocity, angular_velocity, deformation });

/// The homogeneous deformation of a body: p = p0 + F X, with X from its centre of mass in its body axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deformation {
    /// deformation gradient F
    pub f: Mat3,
    /// its rate Ḟ [1/s]
    pub f_dot: Mat3,
}

carom_base::plain!(Deformation { f, f_dot });

impl BodyState {
    /// Creates the state of a body that deforms, from position and velocity of its reference point, F and Ḟ.
    pub fn deformed(position: Vec3, f: Mat3, velocity: Vec3, f_dot: Mat3) -> BodyState {
        let angular_velocity = spin(&(f_dot * inverse(&f).1));
        let deformation = Some(Deformation { f, f_dot });
        BodyState { position, orientation: rotation_of(&f), velocity, angular_velocity, deformation }
    }

    /// Returns the matrix from the body axes to the world axes: a rotation, or F if the body deforms.
    pub fn axes(&self) -> Mat3 {
        self.deformation.map_or_else(|| self.orientation.to_rotation_matrix().into_inner(), |d| d.f)
    }

    /// Returns position and velocity [m, m/s] of a point of the body that is given in the body frame.
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
}

/// Returns the rotation R of the polar decomposition F = R U, with U symmetric and positive definite.
pub(crate) fn rotation_of(f: &Mat3) -> Quat {
    // the iteration R ← ½ (R + R⁻ᵀ) from R = F converges quadratically (Higham 1986)
    let mut r = *f;
    for _ in 0..20 {
        let next = 0.5 * (r + inverse(&r).1.transpose());
        let change = (next - r).norm();
        r = next;
        if change < 1e-15 {
            break;
        }
    }
    Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(r))
}

/// Returns the torque ∫ r × f contained in the moment tensor ∫ f ⊗ r.
pub(crate) fn torque_of(moment: &Mat3) -> Vec3 {
    let m = moment;
    Vec3::new(m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)])
}

/// Computes q̇ = ½ (0, ω) q, with ω in the world frame.
#[inline]
pub(crate) fn quaternion_rate(w: &Vec3, &[q0, q1, q2, q3]: &[f64; 4]) -> [f64; 4] {
    [
        0.5 * (-w.x * q1 - w.y * q2 - w.z * q3),
        0.5 * (w.x * q0 + w.y * q3 - w.z * q2),
        0.5 * (w.y * q0 + w.z * q1 - w.x * q3),
        0.5 * (w.z * q0 + w.x * q2 - w.y * q1),
    ]
}

/// Gives a reference to a surface's frame in the world: `$local` is its pose in its body, which is at `$x`; `$room` is filled
/// only if the two frames differ. (A function would have to fill it always: this is the innermost loop.)
macro_rules! placed {
    ($local:expr, $x:expr, $room:ident) => {
        match &$local {
            None => &$x,
            Some(local) => {
                $room = $x.then(local);
                &$room
            }
        }
    };
}
pub(crate) use placed;
