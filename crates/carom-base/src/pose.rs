//! Position and orientation of a frame.

use crate::{Mat3, Quat, Scalar, Vec3};

/// The position and orientation of a frame in a reference frame: x ↦ p + R x.
///
/// ```
/// use carom_base::{Pose, Quat, Vec3};
/// let turn = Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::FRAC_PI_2);
/// let pose = Pose::new(Vec3::new(1.0, 0.0, 0.0), &turn);
/// let x = pose.point(&Vec3::new(2.0, 0.0, 0.0));
/// assert!((x - Vec3::new(1.0, 2.0, 0.0)).norm() < 1e-15);
/// assert!((pose.point_to_local(&x) - Vec3::new(2.0, 0.0, 0.0)).norm() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<S: Scalar = f64> {
    /// the frame's origin [m]
    pub p: Vec3<S>,
    /// the frame's axes, as columns
    pub r: Mat3<S>,
}

carom_portable::plain!(Pose { p, r });

impl Pose<f64> {
    /// Returns the frame at `p` with orientation `q`.
    pub fn new(p: Vec3, q: &Quat) -> Pose {
        Pose { p, r: q.to_rotation_matrix().into_inner() }
    }

    /// Returns the reference frame itself.
    pub fn identity() -> Pose {
        Pose { p: Vec3::zeros(), r: Mat3::identity() }
    }

    /// Returns the frame at `p` with the axes of the reference frame.
    pub fn at(p: Vec3) -> Pose {
        Pose { p, r: Mat3::identity() }
    }
}

impl<S: Scalar> Pose<S> {
    /// Transforms a point from the frame to the reference frame.
    #[inline(always)]
    pub fn point(&self, x: &Vec3<S>) -> Vec3<S> {
        self.p + self.r * x
    }

    /// Transforms a point from the reference frame to the frame.
    #[inline(always)]
    pub fn point_to_local(&self, x: &Vec3<S>) -> Vec3<S> {
        self.r.tr_mul(&(x - self.p))
    }

    /// Transforms a direction from the frame to the reference frame.
    #[inline(always)]
    pub fn direction(&self, v: &Vec3<S>) -> Vec3<S> {
        self.r * v
    }

    /// Transforms a direction from the reference frame to the frame.
    #[inline(always)]
    pub fn direction_to_local(&self, v: &Vec3<S>) -> Vec3<S> {
        self.r.tr_mul(v)
    }

    /// Returns the pose in the reference frame of `inner`, whose pose is given in this frame.
    #[inline]
    pub fn then(&self, inner: &Pose<S>) -> Pose<S> {
        Pose { p: self.point(&inner.p), r: self.r * inner.r }
    }

    /// Returns the pose of this frame in the frame `other`; both are given in the same reference frame.
    ///
    /// ```
    /// use carom_base::{Pose, Vec3};
    /// let (room, table) = (Pose::at(Vec3::new(1.0, 0.0, 0.0)), Pose::at(Vec3::new(3.0, 0.0, 0.0)));
    /// assert_eq!(table.seen_from(&room).p, Vec3::new(2.0, 0.0, 0.0));
    /// ```
    #[inline(always)]
    pub fn seen_from(&self, other: &Pose<S>) -> Pose<S> {
        Pose { p: other.point_to_local(&self.p), r: other.r.tr_mul(&self.r) }
    }

    /// Returns the pose without derivatives.
    #[inline(always)]
    pub fn values(&self) -> Pose {
        Pose { p: self.p.map(S::value), r: self.r.map(S::value) }
    }

    /// Returns axis `i` (0 to 2) as a direction in the reference frame.
    #[inline(always)]
    pub fn axis(&self, i: usize) -> Vec3<S> {
        self.r.column(i).into_owned()
    }
}
