//! A capsule against a cylinder as it is, with its rims and caps: the point of the capsule's axis nearest to the solid.
//!
//! d, the signed distance from the solid cylinder, is a convex function of the place. An axis that lies along the barrel or on a cap has no single nearest point; so each of its ends has its own, that of the axis
//! with the least
//!
//!   F(s) = d(c + s a) + s²/2R ,      0 ≤ s ≤ L ,
//!
//! c the end, a the direction to the other one, R = L/κ as in `slide`. F is convex, its minimum unique, and the rate of the gap is that of the material there. δ = r − F, r the capsule's radius, and each end carries half of what a law gives.
//!
//! Where the axis itself is within the cylinder, two of its sides may be as near: d has a kink there, the contact has no normal, and is refused as too deep.

use carom_base::{Dual, Pose, Scalar, Vec3};

use super::{LEAN, finite, name_in, side_by_side, within};
use crate::contact::{Contact, Curvature, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairSolver, Sliding, with_derivatives};
use crate::pairs::capsule_cylinder::CapsuleCylinder;
use crate::shape::{ClosestPoint, ProjectFormula, Side};
use crate::surfaces::{Capsule, Cylinder};

/// κ, as in `slide`.
const CROWN: f64 = 1e-4;
/// Steps at most; 3 to 6 are usual.
const MOST_STEPS: usize = 200;
/// A step below this share of the length is the last.
const SMALL: f64 = 1e-15;
/// Slopes up to this are those of a minimum.
const FLAT: f64 = 1e-9;
const NAMES: [&str; 2] = ["end+", "end-"];

/// The pair: A the cylinder, B the capsule.
#[derive(Debug)]
pub(super) struct CapsuleOnCylinder {
    cylinder: Cylinder,
    capsule: Capsule,
    slide: AxisOnCylinder,
    /// the solids as they are
    sharp: Box<dyn BoundPair>,
}

/// An end of the axis and the direction to the other one, in the cylinder's frame.
#[derive(Clone, Copy)]
pub(super) struct Axis<S: Scalar> {
    pub(super) end: Vec3<S>,
    pub(super) along: Vec3<S>,
}

impl<S: Scalar> Axis<S> {
    /// The axis of a capsule or cylinder of that length whose frame is `x`, from its upper end if `side` is 1, from the lower one if it is −1.
    pub(super) fn new(x: &Pose<S>, length: f64, side: f64) -> Axis<S> {
        let along = x.axis(2) * S::from_f64(-side);
        Axis { end: x.p - along * S::from_f64(0.5 * length), along }
    }

    fn value(&self) -> Axis<f64> {
        Axis { end: self.end.map(|c| c.value()), along: self.along.map(|c| c.value()) }
    }
}

/// The distance of a point from a cylinder whose walls are `inset` further in [m], with the normal there: that of a point as much further out from the cylinder as it is.
pub(super) fn from_inset<T: Scalar>(cylinder: &Cylinder, x: &Vec3<T>, inset: T) -> ClosestPoint<T> {
    if inset.value() == 0.0 {
        return ProjectFormula::closest_point(cylinder, Side::Outside, 0, x);
    }
    let zero = T::from_f64(0.0);
    let (e, _) = crate::closest_point::direction(&Vec3::new(x.x, x.y, zero), Vec3::x);
    let side = T::from_f64(if x.z.value() < 0.0 { -1.0 } else { 1.0 });
    let out = Vec3::new(e.x, e.y, side) * inset;
    let found = ProjectFormula::closest_point(cylinder, Side::Outside, 0, &(x + out));
    ClosestPoint { p: x - found.n * found.d, ..found }
}

/// The search for the point of an axis with the least F.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisOnCylinder {
    cylinder: Cylinder,
    /// s at most [m]
    pub(super) reach: f64,
    /// R⁻¹ [1/m]
    pub(super) crown: f64,
}

/// The point found.
#[derive(Clone, Copy)]
pub(super) struct OnAxis<S: Scalar> {
    pub(super) s: S,
    /// the point of the axis, in the cylinder's frame [m]
    pub(super) p: Vec3<S>,
    /// the cylinder's closest point to it
    pub(super) closest: ClosestPoint<S>,
}

impl<S: Scalar> OnAxis<S> {
    /// How much the crown takes off the radius there [m].
    pub(super) fn sag(&self, crown: f64) -> S {
        self.s * self.s * S::from_f64(0.5 * crown)
    }
}

impl AxisOnCylinder {
    /// For an axis of that length [m].
    pub(super) fn new(cylinder: Cylinder, length: f64) -> AxisOnCylinder {
        AxisOnCylinder { cylinder, reach: length, crown: CROWN / length }
    }

    /// The closest point of the cylinder, its walls `inset` further in [m].
    fn closest<T: Scalar>(&self, x: &Vec3<T>, inset: T) -> ClosestPoint<T> {
        from_inset(&self.cylinder, x, inset)
    }

    /// F' and F''.
    fn slope(&self, axis: &Axis<f64>, s: f64, inset: f64) -> [f64; 2] {
        let x = Vec3::from_fn(|i, _| Dual::<1> { re: axis.end[i] + s * axis.along[i], eps: [axis.along[i]] });
        let n = self.closest(&x, Dual::from_f64(inset)).n;
        let part = |f: fn(&Dual<1>) -> f64| (0..3).map(|i| f(&n[i]) * axis.along[i]).sum::<f64>();
        [part(|c| c.re) + self.crown * s, part(|c| c.eps[0]) + self.crown]
    }

    /// s where F is least, and F'' there, infinite at the ends of the axis.
    fn least(&self, axis: &Axis<f64>, inset: f64) -> Result<(f64, f64), PairFailure> {
        let (mut low, mut high) = (0.0, self.reach);
        for end in [low, high] {
            let slope = self.slope(axis, end, inset)[0];
            if (end == low && slope >= 0.0) || (end > low && slope <= 0.0) {
                return Ok((end, f64::INFINITY));
            }
        }
        let mut s = low;
        let mut here = self.slope(axis, s, inset);
        for _ in 0..MOST_STEPS {
            if here[0] > 0.0 {
                high = s
            } else {
                low = s
            }
            let mut next = s - here[0] / here[1];
            if !(next > low && next < high) {
                next = 0.5 * (low + high);
            }
            let moved = (next - s).abs();
            s = next;
            here = self.slope(axis, s, inset);
            if moved <= SMALL * self.reach {
                break;
            }
        }
        if here[0].abs() <= FLAT { Ok((s, here[1])) } else { Err(PairFailure::TooDeep) }
    }

    /// The point of the axis with the least F, the cylinder's walls being `inset` further in [m].
    pub(super) fn nearest<S: Scalar>(&self, axis: &Axis<S>, inset: S) -> Result<OnAxis<S>, PairFailure> {
        let value = axis.value();
        if !(value.end + value.along).sum().is_finite() {
            return Err(PairFailure::NotFinite);
        }
        let (s, bend) = self.least(&value, inset.value())?;
        let at = |s: S| {
            let p = axis.end + axis.along * s;
            OnAxis { s, p, closest: self.closest(&p, inset) }
        };
        // one more step of Newton's method carries the derivatives of s
        let here = at(S::from_f64(s));
        let slope = here.closest.n.dot(&axis.along) + S::from_f64(self.crown) * here.s;
        Ok(at(here.s + (S::from_f64(slope.value()) - slope) / S::from_f64(bend)))
    }
}

impl CapsuleOnCylinder {
    pub(super) fn new(cylinder: Cylinder, capsule: Capsule, sharp: Box<dyn BoundPair>) -> CapsuleOnCylinder {
        CapsuleOnCylinder { cylinder, capsule, slide: AxisOnCylinder::new(cylinder, capsule.length()), sharp }
    }

    fn at<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        let side = if within(feature, NAMES.len())? == 0 { 1.0 } else { -1.0 };
        let at = self
            .slide
            .nearest(&Axis::new(&x_b.seen_from(x_a), self.capsule.length(), side), S::from_f64(0.0))?;
        let (n, d) = (x_a.direction(&at.closest.n), at.closest.d);
        let r = S::from_f64(self.capsule.radius()) - at.sag(self.slide.crown);
        let p = x_a.point(&at.p);
        finite(Contact {
            p_a: p - n * d,
            p_b: p - n * r,
            n,
            delta: r - d,
            share: S::from_f64(0.5),
            common: None,
        })
    }
}

impl PairFeatures for CapsuleOnCylinder {
    fn solver(&self) -> &'static str {
        CapsuleCylinder.name()
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let round = 1.0 / self.capsule.radius();
        let Ok(c) = self.contact(feature, x_a, x_b) else { return RelativeCurvature::point(round, round) };
        // (a point a little way out is on the same side of what is nearest)
        let out = x_a.point_to_local(&(c.p_a + c.n * (1e-6 * self.capsule.radius())));
        let of_cylinder = ProjectFormula::curvature(&self.cylinder, Side::Outside, 0, &out);
        let of_cylinder = Curvature { direction: x_a.direction(&of_cylinder.direction), ..of_cylinder };
        let axis = x_b.axis(2);
        let at_end = axis.dot(&c.n).abs() > LEAN;
        let direction = crate::closest_point::direction(&axis.cross(&c.n), Vec3::x).0;
        let of_capsule = Curvature { k1: round, k2: if at_end { round } else { 0.0 }, direction };
        let k = RelativeCurvature::between(&of_cylinder, &of_capsule);
        let barrel = x_a.axis(2).dot(&c.n).abs() <= LEAN;
        let lengths = [self.cylinder.length(), self.capsule.length()];
        let length = if barrel { side_by_side(lengths, x_a, x_b) } else { 0.0 };
        let k = RelativeCurvature { k_min: k.k_min.max(0.0), ..k };
        match length > 0.0 {
            true => RelativeCurvature { length, radii: [self.cylinder.radius(), self.capsule.radius()], ..k },
            false => k,
        }
    }
    // as they slide along the axis, gaps are not convex
    fn bounds(&self) -> GapBounds {
        let sliding = Some(Sliding { radius: 1.0 / self.slide.crown, along: Some(Vec3::z()) });
        GapBounds { sliding, ..GapBounds::UNKNOWN }
    }
}

impl BoundPair for CapsuleOnCylinder {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        self.at(feature, x_a, x_b)
    }
    with_derivatives!(|pair, k, x_a, x_b, _| Some(pair.at(k, x_a, x_b)));
    fn sharp(&self) -> Option<&dyn BoundPair> {
        Some(&*self.sharp)
    }
}
