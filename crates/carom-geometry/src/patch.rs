//! Surfaces F = 0 that end at the faces of a box: thin sheets, touched from both sides.
//!
//! The closest point to x is the nearest of three sorts of points, distinguished by the coordinates that are free: within the box all three, on a
//! face two (the rim there is a plane curve), on an edge of the box one (the rim has a corner). What is held is on its face exactly.
//!
//! A sheet has no material: d = |x − p| and n = (x − p)/d everywhere, so that a ball rolls over the rim and on to the other side, and
//! the distance is continuous wherever x goes. There is no negative d, and a ball must not be pressed in by more than its radius.
//!
//! Derivatives: within the box those of the shape operator (`bend.rs`). On a face the same with F of the free coordinates alone: with τ
//! the rim's tangent, ν the normal of F in the face and k = τ·Hτ/|∇F| there,
//! dp = τ τᵀ dx/(1 + k ν·(x − p)), and with it dn = (E − n nᵀ − ∂p)/d dx. A corner stays where it is.
//!
//! Checked: against differences for every surface that uses it (`tests/surfaces.rs`, `tests/quadrics.rs`).

use carom_base::{Dual, Mat3, Vec3};

use crate::bend::Bend;
use crate::closest_point::{direction, tangent};
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::shape::{Bounds, ClosestPoint, Level, Side};

/// A box of a surface's frame, its faces across the axes: the surface ends there.
///
/// ```
/// use carom_geometry::{Region, Vec3};
/// let region = Region::new([-1.0, -1.0, 0.0], [1.0, 1.0, 0.5])?; // [m]
/// assert!(region.holds(&Vec3::new(0.2, -0.3, 0.5)));
/// assert!(Region::new([0.0; 3], [1.0, 0.0, 1.0]).is_err());
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    min: Vec3,
    max: Vec3,
}

impl Region {
    /// From the least to the greatest x, y, z [m], refused unless all are finite and in order.
    pub fn new(min: [f64; 3], max: [f64; 3]) -> Result<Region, GeometryError> {
        let good = (0..3).all(|i| min[i] < max[i] && (max[i] - min[i]).is_finite());
        match good {
            true => Ok(Region { min: min.into(), max: max.into() }),
            false => Err(GeometryError::BadValue {
                kind: "surface",
                name: "within",
                value: format!("{min:?} to {max:?}"),
                allowed: "finite numbers, `min` less than `max`",
            }),
        }
    }

    /// The least x, y, z [m].
    pub fn min(&self) -> &Vec3 {
        &self.min
    }

    /// The greatest x, y, z [m].
    pub fn max(&self) -> &Vec3 {
        &self.max
    }

    /// Whether the point is in the box or on a face of it.
    #[inline]
    pub fn holds(&self, p: &Vec3) -> bool {
        (0..3).all(|i| self.min[i] <= p[i] && p[i] <= self.max[i])
    }

    /// The face below (`false`) or above along an axis: its coordinate [m].
    #[inline]
    pub(crate) fn face(&self, axis: usize, above: bool) -> f64 {
        if above { self.max[axis] } else { self.min[axis] }
    }

    /// The ball around it.
    pub(crate) fn ball(&self) -> Bounds {
        let half = (self.max - self.min) * 0.5;
        Bounds { centre: self.min + half, radius: half.norm() * (1.0 + 1e-15) }
    }

    /// The lines along the edges of the box: the axis they run along and a point of each.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (usize, Vec3)> + '_ {
        (0..12).map(|k| {
            let (axis, j, l) = (k / 4, (k / 4 + 1) % 3, (k / 4 + 2) % 3);
            let mut at = self.min;
            at[j] = self.face(j, k & 1 == 1);
            at[l] = self.face(l, k & 2 == 2);
            (axis, at)
        })
    }
}

/// Which coordinates of a point of a patch are free, the others held on faces of the box.
pub(crate) type Free = [bool; 3];

/// Anywhere within the box.
pub(crate) const WITHIN: Free = [true; 3];

/// A corner of the rim.
pub(crate) const CORNER: Free = [false; 3];

/// All coordinates free but one.
pub(crate) fn on_face(axis: usize) -> Free {
    std::array::from_fn(|i| i != axis)
}

/// A point of a patch, and what can move it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PatchPoint {
    pub(crate) p: Vec3,
    pub(crate) free: Free,
}

/// F's derivatives by the free coordinates alone.
pub(crate) fn restricted(level: &Level, free: &Free) -> Level {
    let keep = Vec3::from_fn(|i, _| f64::from(u8::from(free[i])));
    Level {
        f: level.f,
        gradient: level.gradient.component_mul(&keep),
        hessian: level.hessian.component_mul(&(keep * keep.transpose())),
    }
}

impl PatchPoint {
    fn is_within(&self) -> bool {
        self.free == WITHIN
    }

    /// The side of the sheet that x is on; that asked for, on the sheet itself.
    fn seen_from(n: &Vec3, side: Side, apart: &Vec3) -> Side {
        match n.dot(apart) {
            d if d > 0.0 => Side::Outside,
            d if d < 0.0 => Side::Inside,
            _ => side,
        }
    }

    /// The closest point to `x`, here.
    pub(crate) fn closest_point(&self, side: Side, level: &Level, x: &Vec3) -> ClosestPoint {
        let (p, apart) = (self.p, x - self.p);
        let normal = direction(&level.gradient, Vec3::z).0;
        if self.is_within() {
            let n = normal * PatchPoint::seen_from(&normal, side, &apart).sign();
            return ClosestPoint { p, n, d: n.dot(&apart) };
        }
        let (n, d) = direction(&apart, || normal * side.sign());
        ClosestPoint { p, n, d }
    }

    /// The same with its derivatives by what `x` depends on.
    pub(crate) fn closest_point_dual(
        &self,
        side: Side,
        level: &Level,
        x: &Vec3<Dual<3>>,
    ) -> ClosestPoint<Dual<3>> {
        let at = x.map(|c| c.re);
        if self.is_within() {
            let bend = Bend::new(&level.gradient, &level.hessian);
            return bend.closest_point_dual(PatchPoint::seen_from(&bend.n, side, &(at - self.p)), &self.p, x);
        }
        let ClosestPoint { p, n, d } = self.closest_point(side, level, &at);
        let dp = self.slide(level, &at);
        let across = Mat3::identity() - n * n.transpose();
        // on the rim itself the normal has no derivative
        let dn = if d > 0.0 { (across - dp) / d } else { Mat3::zeros() };
        let dual = |re: f64, by: Vec3| Dual { re, eps: by.into() }.compose(x.as_slice());
        let vector = |v: &Vec3, m: &Mat3| Vec3::from_fn(|i, _| dual(v[i], m.row(i).transpose()));
        ClosestPoint { p: vector(&p, &dp), n: vector(&n, &dn), d: dual(d, n) }
    }

    /// ∂p/∂x of a closest point on the rim.
    fn slide(&self, level: &Level, x: &Vec3) -> Mat3 {
        let held = (0..3).find(|i| !self.free[*i]).map(|i| Vec3::ith(i, 1.0));
        let Some(held) = held.filter(|_| self.free != CORNER) else { return Mat3::zeros() };
        let plane = restricted(level, &self.free);
        let (nu, slope) = direction(&plane.gradient, || tangent(&held));
        let tau = held.cross(&nu);
        let k = tau.dot(&(plane.hessian * tau)) / slope;
        let spread = 1.0 + k * nu.dot(&(x - self.p));
        if spread > 1e-14 { tau * tau.transpose() / spread } else { Mat3::zeros() }
    }

    /// The principal curvatures as seen from where `x` is; the rim, an edge, counts as flat.
    pub(crate) fn curvature(&self, side: Side, level: &Level, x: &Vec3) -> Curvature {
        if self.is_within() {
            let bend = Bend::new(&level.gradient, &level.hessian);
            return bend.seen_from(PatchPoint::seen_from(&bend.n, side, &(x - self.p)));
        }
        Curvature { k1: 0.0, k2: 0.0, direction: tangent(&self.closest_point(side, level, x).n) }
    }
}
