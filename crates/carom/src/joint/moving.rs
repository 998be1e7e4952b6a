//! The motion of a body, as the equations of joints need it: a point fixed to a body is p = x + R X, with R the body's
//! axes or, if it deforms, F.
//!
//! ṗ = v + Ṙ X, p̈ = v̇ + R̈ X. The part of R̈ that is known before the accelerations are is [ω]² R for a rigid body
//! and zero for F̈; for a body whose motion is prescribed all of R̈ is known.

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3, inverse};

use crate::state::Kinematics;
use crate::world::{BodyKind, BodyModel};

/// The position and motion of a body, with the part of its second rates that is known without the forces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moving<S: Scalar = f64> {
    /// position of the centre of mass [m]
    pub(crate) x: Vec3<S>,
    pub(crate) v: Vec3<S>,
    /// the part of v̇ that is known [m/s²]
    pub(crate) a: Vec3<S>,
    /// R, or F if the body deforms
    pub(crate) r: Mat3<S>,
    /// Ṙ
    pub(crate) r_dot: Mat3<S>,
    /// the part of R̈ that is known
    pub(crate) r_ddot: Mat3<S>,
}

impl Moving {
    /// Returns the motion of a body at t, with the prescribed accelerations if its motion is prescribed.
    pub(crate) fn new(b: &BodyModel, k: &Kinematics, t: f64) -> Moving {
        let mut moving = Moving::of(k);
        if let BodyKind::Prescribed(motion) = &b.kind {
            let state = motion.at(t);
            moving.a = state.acceleration;
            moving.r_ddot += state.angular_acceleration.cross_matrix() * k.x.r;
        }
        moving
    }

    /// Returns the motion of a body without prescribed accelerations, which are taken as unknown.
    pub(crate) fn of(k: &Kinematics) -> Moving {
        match (k.moves, k.deforms) {
            (true, false) => Moving::rigid(k.x.p, k.x.r, k.v, k.w),
            (true, true) => Moving::affine(k.x.p, k.x.r, k.v, k.l * k.x.r),
            (false, _) => Moving::still(&k.x),
        }
    }

    /// Returns the motion of a body at rest at x.
    pub(crate) fn still(x: &Pose) -> Moving {
        Moving::affine(x.p, x.r, Vec3::zeros(), Mat3::zeros())
    }
}

impl<S: Scalar> Moving<S> {
    /// Returns the motion of a rigid body with the angular velocity ω.
    #[inline(always)]
    pub(crate) fn rigid(x: Vec3<S>, r: Mat3<S>, v: Vec3<S>, w: Vec3<S>) -> Moving<S> {
        let r_dot = turned(&w, &r);
        let r_ddot = turned(&w, &r_dot);
        Moving { x, v, a: zero(), r, r_dot, r_ddot }
    }

    /// Returns the motion of a body that deforms.
    pub(crate) fn affine(x: Vec3<S>, f: Mat3<S>, v: Vec3<S>, f_dot: Mat3<S>) -> Moving<S> {
        let none = Mat3::from_element(S::from_f64(0.0));
        Moving { x, v, a: zero(), r: f, r_dot: f_dot, r_ddot: none }
    }

    /// Returns the angular velocity [rad/s]; for a body that deforms, that of the skew part of its velocity gradient.
    pub(crate) fn angular_velocity(&self) -> Vec3<S> {
        let gradient = self.r_dot * inverse(&self.r).1;
        let half = S::from_f64(0.5);
        let skew = |i: usize, k: usize| (gradient[(i, k)] - gradient[(k, i)]) * half;
        Vec3::new(skew(2, 1), skew(0, 2), skew(1, 0))
    }

    /// Returns the motion with every number replaced by a function of it.
    #[inline(always)]
    pub(crate) fn map<T: Scalar>(&self, f: impl Fn(S) -> T + Copy) -> Moving<T> {
        Moving {
            x: self.x.map(f),
            v: self.v.map(f),
            a: self.a.map(f),
            r: self.r.map(f),
            r_dot: self.r_dot.map(f),
            r_ddot: self.r_ddot.map(f),
        }
    }

    /// Returns the motion without derivatives.
    pub(crate) fn values(&self) -> Moving {
        self.map(|x| x.value())
    }

    /// Returns the motion of a vector fixed to the body; x: the vector in the body's axes.
    #[inline(always)]
    pub(crate) fn carried(&self, x: &Vec3) -> VectorMotion<S> {
        let x = x.map(S::from_f64);
        VectorMotion { w: self.r * x, rate: self.r_dot * x, bias: self.r_ddot * x }
    }

    /// Returns the motion of a point fixed to the body, and the vector to it from the centre of mass; x: that vector in
    /// the body's axes.
    #[inline(always)]
    pub(crate) fn point(&self, x: &Vec3) -> (VectorMotion<S>, Vec3<S>) {
        let arm = self.carried(x);
        let p = VectorMotion { w: self.x + arm.w, rate: self.v + arm.rate, bias: self.a + arm.bias };
        (p, arm.w)
    }
}

impl<const N: usize> Moving<Dual<N>> {
    /// Returns the motion after a small step along one of its variables, to first order.
    pub(crate) fn along(&self, variable: usize, step: f64) -> Moving {
        self.map(|x| x.re + step * x.eps[variable])
    }
}

/// A vector and its motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VectorMotion<S: Scalar = f64> {
    pub(crate) w: Vec3<S>,
    /// ẇ
    pub(crate) rate: Vec3<S>,
    /// the part of ẅ that is known
    pub(crate) bias: Vec3<S>,
}

impl<S: Scalar> std::ops::Sub for VectorMotion<S> {
    type Output = VectorMotion<S>;
    fn sub(self, other: VectorMotion<S>) -> VectorMotion<S> {
        VectorMotion { w: self.w - other.w, rate: self.rate - other.rate, bias: self.bias - other.bias }
    }
}

/// Returns ω × each column of R.
#[inline(always)]
fn turned<S: Scalar>(w: &Vec3<S>, r: &Mat3<S>) -> Mat3<S> {
    let mut out = *r;
    for i in 0..3 {
        let (x, y, z) = (r[(0, i)], r[(1, i)], r[(2, i)]);
        out[(0, i)] = w.y * z - w.z * y;
        out[(1, i)] = w.z * x - w.x * z;
        out[(2, i)] = w.x * y - w.y * x;
    }
    out
}

pub(crate) fn zero<S: Scalar>() -> Vec3<S> {
    Vec3::from_element(S::from_f64(0.0))
}
