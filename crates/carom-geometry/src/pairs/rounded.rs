//! How deep a point is in a box with rounded edges, so that the depth has a slope everywhere.
//!
//! Its levels of depth are those of [`levels`](super::levels), in closed form: the level of depth t has the half sizes h − t and edges of the radius ρ(t), the sum over the coordinates of
//!
//!   max(|x_i| − h_i + a(t), 0)² = ρ(t)² ,      a = t + ρ .
//!
//! Seen along the normal u of a level, Σ λ_j is ‖u‖₁ = Σ |u_i|, and t grows by w = 1/(‖u‖₁ a′ − ρ′) per length.

use carom_base::{Mat3, Scalar, Vec3, clamp, norm};

use super::levels::{EdgeRadius, Levels};
use crate::error::PairFailure;

/// Deeper than this part of the thickness, a point is nearly as deep on the other side.
const MIDDLE: f64 = 0.4;
/// More steps than the search for a level takes, each at least as good as halving.
const STEPS: usize = 100;

/// A box about the origin: its core |x_i| ≤ c_i, and the radius around it. With no radius it is the core alone, which has kinks within.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounded {
    /// half sizes of the core [m]
    pub(super) core: Vec3,
    /// r [m]
    pub(super) radius: f64,
}

/// How deep a point is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level<S: Scalar = f64> {
    /// r − t [m]: the distance from the core, as far as that tells
    pub(super) d: S,
    /// the unit normal of the level, outwards
    pub(super) u: Vec3<S>,
    /// how much d changes for a unit of way along u
    pub(super) steepness: S,
}

/// A face of the box and the level that has it at some depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub(super) axis: usize,
    /// 1 or −1
    pub(super) side: f64,
    /// the radius of the level at its edges [m]
    pub(super) rho: f64,
    /// half sizes of the level's core [m]
    core: Vec3,
}

impl Face {
    /// How far a point is beyond that level's core beside the face: zero where the level is flat.
    #[inline]
    pub(super) fn overhang(&self, x: &Vec3) -> Vec3 {
        Vec3::from_fn(
            |i, _| if i == self.axis { 0.0 } else { x[i] - x[i].clamp(-self.core[i], self.core[i]) },
        )
    }

    /// How far a coordinate of a point is beyond that level's core on one side; negative: how far it is within.
    #[inline]
    pub(super) fn beyond(&self, x: f64, axis: usize, side: f64) -> f64 {
        x * side - self.core[axis]
    }
}

impl<S: Scalar> Level<S> {
    /// The gradient of d.
    pub(super) fn slope(&self) -> Vec3<S> {
        self.u * self.steepness
    }
}

/// How d bends at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    /// which coordinates are beyond the core, or the core of the level
    pub(super) beyond: [bool; 3],
    /// the radius of the level at its edges [m]; zero on a face of a core without radius
    pub(super) radius: f64,
    /// the second derivative of d [1/m], where d is not the distance from the core
    pub(super) deep: Option<Mat3>,
}

impl Rounded {
    /// Whether there are kinks within.
    pub(super) fn has_kinks(&self) -> bool {
        self.radius == 0.0
    }

    /// How deep a point is.
    #[inline]
    pub(super) fn level<S: Scalar>(&self, x: &Vec3<S>) -> Result<Level<S>, PairFailure> {
        let (d, u) = from_core(&self.core, x);
        match d.value() >= 0.5 * self.radius || self.radius == 0.0 {
            true => Ok(Level { d, u, steepness: S::from_f64(1.0) }),
            false => self.deep(x),
        }
    }

    /// How d bends at a point that is so deep.
    #[inline]
    pub(super) fn bend(&self, x: &Vec3, level: &Level) -> Bend {
        match level.d >= 0.5 * self.radius || self.radius == 0.0 {
            true => Bend {
                beyond: [0, 1, 2].map(|i| x[i].abs() > self.core[i]),
                radius: level.d.abs(),
                deep: None,
            },
            false => self.bend_within(x, level),
        }
    }

    /// What the level of a point's depth below the face across that axis is like. Nothing is said in the middle, where both sides are as near, within a core that has kinks, and of numbers that are none.
    #[inline]
    pub(super) fn face(&self, x: &Vec3, axis: usize) -> Option<Face> {
        let side = if x[axis] < 0.0 { -1.0 } else { 1.0 };
        let below = self.core[axis] + self.radius - x[axis].abs();
        let (rho, inset) = match below <= 0.5 * self.radius {
            true => (self.radius - below, self.radius),
            false if self.radius == 0.0 || below > 2.0 * MIDDLE * (self.core[axis] + self.radius) => {
                return None;
            }
            false => {
                let rho = self.radius_at(below).rho;
                (rho, below + rho)
            }
        };
        let core = self.core.add_scalar(self.radius - inset);
        // (deeper below this face than below another, there may be no such level)
        (0..3).all(|i| core[i] >= 0.0).then_some(Face { axis, side, rho, core })
    }

    /// How deep a point is on a level that is a face there.
    #[inline]
    pub(super) fn below_face<S: Scalar>(&self, x: &Vec3<S>, face: &Face) -> Level<S> {
        let mut u = Vec3::zeros();
        u[face.axis] = S::from_f64(face.side);
        let d = x[face.axis] * S::from_f64(face.side) - S::from_f64(self.core[face.axis]);
        Level { d, u, steepness: S::from_f64(1.0) }
    }

    /// ρ at a depth t.
    fn radius_at<S: Scalar>(&self, t: S) -> EdgeRadius<S> {
        Levels { radius: self.radius, deepest: f64::INFINITY }.edge_radius(t)
    }

    /// The radius of the level of depth t at its edges, any depth: less than half the radius deep it is r − t.
    pub(super) fn edge_radius<S: Scalar>(&self, t: S) -> EdgeRadius<S> {
        let of = S::from_f64;
        match t.value() <= 0.5 * self.radius {
            true => EdgeRadius { rho: of(self.radius) - t, rho_1: of(-1.0), rho_2: of(0.0) },
            false => self.radius_at(t),
        }
    }

    /// How much further in the core of the level of depth t is than that of the solid [m].
    pub(super) fn inset(&self, t: f64) -> f64 {
        t + self.edge_radius(t).rho - self.radius
    }

    /// How far each coordinate is beyond the core of the level of depth t.
    fn beyond<S: Scalar>(&self, x: &Vec3<S>, t: S, rho: S) -> Vec3<S> {
        let zero = S::from_f64(0.0);
        Vec3::from_fn(|i, _| (x[i].abs() - S::from_f64(self.core[i] + self.radius) + t + rho).max(zero))
    }

    /// How deep a point is that is nearer to the core than half the radius, or within it.
    #[cold]
    fn deep<S: Scalar>(&self, x: &Vec3<S>) -> Result<Level<S>, PairFailure> {
        let values = x.map(Scalar::value);
        let nearest = face(&self.core, &values).0;
        if let Some(face) = self.face(&values, nearest).filter(|face| face.overhang(&values) == Vec3::zeros())
        {
            return Ok(self.below_face(x, &face));
        }
        let t = self.depth(&values)?;
        let slope_at = |c: &Vec3, r: &EdgeRadius<f64>| (1.0 + r.rho_1) * c.sum() / c.norm() - r.rho_1;
        let r = self.radius_at(t);
        let slope = slope_at(&self.beyond(&values, t, r.rho), &r);
        // one more step of Newton's method, whose residual carries the derivatives
        let residual = norm(&self.beyond(x, S::from_f64(t), S::from_f64(r.rho))) - S::from_f64(r.rho);
        let t = S::from_f64(t) - residual / S::from_f64(slope);
        let r = self.radius_at(t);
        let c = self.beyond(x, t, r.rho);
        let size = norm(&c);
        let one_norm = (c.x + c.y + c.z) / size;
        let sides = Vec3::from_fn(|i, _| S::from_f64(if values[i] < 0.0 { -1.0 } else { 1.0 }));
        Ok(Level {
            d: S::from_f64(self.radius) - t,
            u: c.component_mul(&sides) / size,
            steepness: S::from_f64(1.0) / (one_norm * (S::from_f64(1.0) + r.rho_1) - r.rho_1),
        })
    }

    /// The depth t of a point [m], between r/2 and that below the nearest face, where it is on a level.
    fn depth(&self, x: &Vec3) -> Result<f64, PairFailure> {
        let below: Vec3 = (self.core - x.abs()).add_scalar(self.radius);
        let axis = below.imin();
        if below[axis] > 2.0 * MIDDLE * (self.core[axis] + self.radius) {
            return Err(PairFailure::TooDeep);
        }
        let (mut low, mut high) = (0.5 * self.radius, below[axis].max(0.5 * self.radius));
        let mut t = high;
        // the excess is a difference of lengths as large as the box
        let rounding = 2.0 * f64::EPSILON * self.core.max();
        for _ in 0..STEPS {
            let r = self.radius_at(t);
            let c = self.beyond(x, t, r.rho);
            let size = c.norm();
            let excess = size - r.rho;
            if excess > 0.0 {
                high = t
            } else {
                low = t
            }
            let slope = (1.0 + r.rho_1) * c.sum() / size.max(f64::MIN_POSITIVE) - r.rho_1;
            let newton = t - excess / slope;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if excess.abs() <= rounding || (next - t).abs() <= 2.0 * f64::EPSILON * t {
                return Ok(t);
            }
            t = next;
        }
        Err(PairFailure::NoConvergence(STEPS))
    }

    /// The second derivative of d on the level of that depth, by differentiating its equation twice: with q the gradient of d, σ the signs of the coordinates that are beyond the
    /// core and P those coordinates, (P − a′ (σ qᵀ + q σᵀ) + D′ q qᵀ)/D, where D = ρ/w and D′ is its derivative by t.
    #[cold]
    fn bend_within(&self, x: &Vec3, level: &Level) -> Bend {
        let t = self.radius - level.d;
        let EdgeRadius { rho, rho_1, rho_2 } = self.radius_at(t);
        let c = self.beyond(x, t, rho);
        let (slope, a_1) = (level.slope(), 1.0 + rho_1);
        let sigma = Vec3::from_fn(|i, _| if c[i] > 0.0 { 1f64.copysign(x[i]) } else { 0.0 });
        let by_t = sigma.dot(&sigma) * a_1 * a_1 + c.sum() * rho_2 - rho_1 * rho_1 - rho * rho_2;
        let mut bend = Mat3::from_diagonal(&sigma.abs());
        bend -= (sigma * slope.transpose() + slope * sigma.transpose()) * a_1;
        bend += slope * slope.transpose() * by_t;
        Bend {
            beyond: [0, 1, 2].map(|i| c[i] > 0.0),
            radius: rho,
            deep: Some(bend * (level.steepness / rho)),
        }
    }
}

/// The core's nearest face, for a point within: its axis and on which side.
fn face(core: &Vec3, x: &Vec3) -> (usize, f64) {
    let axis = (x.abs() - core).imax();
    (axis, if x[axis] < 0.0 { -1.0 } else { 1.0 })
}

/// Distance and direction of a point from the core |x_i| ≤ h_i.
fn from_core<S: Scalar>(core: &Vec3, x: &Vec3<S>) -> (S, Vec3<S>) {
    let e = Vec3::from_fn(|i, _| x[i] - clamp(x[i], -core[i], core[i]));
    let square: S = e.dot(&e);
    if square.value() > 0.0 {
        let d = square.sqrt();
        return (d, e / d);
    }
    let (axis, side) = face(core, &x.map(Scalar::value));
    let mut u = Vec3::zeros();
    u[axis] = S::from_f64(side);
    (x[axis] * S::from_f64(side) - S::from_f64(core[axis]), u)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_base::Dual;

    const BOX: Rounded = Rounded { core: Vec3::new(0.9, 0.6, 0.4), radius: 0.05 };

    /// Points about an edge and a corner, from outside to deep within.
    fn points() -> impl Iterator<Item = Vec3> {
        (0..4000).map(|i| {
            let at = |prime: f64| (f64::from(i) * prime).fract();
            let start = Vec3::new(0.95, 0.65, 0.45);
            start - Vec3::new(at(0.618), at(0.754), at(0.569)) * 0.2 * at(0.414)
        })
    }

    #[test]
    fn derivatives_are_those_of_the_depth() {
        let mut deep = 0;
        for x in points() {
            let level = BOX.level(&x).unwrap();
            let variable = Vec3::from_fn(|i, _| Dual::<3>::variable(x[i], i));
            let dual = BOX.level(&variable).unwrap();
            let slope = level.slope();
            let bend = BOX.bend(&x, &level);
            for i in 0..3 {
                assert!((dual.d.eps[i] - slope[i]).abs() < 1e-13, "{x:?}");
                let Some(deep) = bend.deep else { continue };
                let by = dual.slope()[i].eps;
                (0..3).for_each(|j| {
                    assert!((by[j] - deep[(i, j)]).abs() < 1e-9 * deep.norm().max(1.0), "{x:?}")
                });
            }
            deep += usize::from(level.d < 0.0);
            assert!((level.u.norm() - 1.0).abs() < 1e-14 && level.steepness <= 1.0 + 1e-14);
            assert!(level.steepness >= 3f64.sqrt().recip() - 1e-14);
        }
        assert!(deep > 500);
    }

    #[test]
    fn below_a_face_it_is_the_depth_below_the_face() {
        for (x, depth) in [(Vec3::new(0.1, 0.2, 0.3), 0.15), (Vec3::new(0.0, -0.48, 0.0), 0.17)] {
            let level = BOX.level(&x).unwrap();
            assert!(
                (BOX.radius - level.d - depth).abs() < 2e-16 && (level.steepness - 1.0).abs() < 1e-15,
                "{level:?}"
            );
        }
    }

    /// The depth is convex, downwards, and continuous with its first derivatives where it ceases to be the distance from the core.
    #[test]
    fn one_point_is_the_deepest() {
        let all: Vec<Vec3> = points().collect();
        let d = |x: &Vec3| BOX.level(x).unwrap().d;
        for (x, y) in all.iter().zip(&all[1..]) {
            assert!(d(&((x + y) * 0.5)) <= 0.5 * (d(x) + d(y)) + 1e-15);
        }
        let edge = Vec3::new(0.9, 0.6, 0.0);
        for way in [Vec3::new(0.6, 0.8, 0.0), Vec3::new(1.0, 0.0, 0.0)] {
            let [out, within] = [1.0, -1.0].map(|s| BOX.level(&(edge + way * (0.025 + s * 1e-9))).unwrap());
            assert!((out.slope() - within.slope()).norm() < 1e-7 && (out.d - within.d - 2e-9).abs() < 1e-15);
        }
    }
}
