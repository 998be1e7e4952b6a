//! A cylinder in a hollow cylinder: a journal in its bearing, parallel or askew.
//!
//! The barrels come nearest at the ends of the shorter one, so its two end circles are followed:
//! - a journal shorter than the bearing is in a can: of each of its rims the point furthest from the bearing's axis, δ = ρ − R_b, and its rims against the
//!   caps, lowest and highest point as in `plane_cylinder`;
//! - one longer than the bearing runs through it, and the bearing is open: of each of the bearing's mouths the point nearest to the journal's
//!   axis, δ = R_j − ρ.
//!
//! Each end carries half of what a law gives: parallel, both are as deep as the eccentricity e is beyond the clearance, δ = e − (R_b − R_j), and share
//! the line of contact; askew, one end or two opposite ones touch.
//!
//! The furthest point of a circle of radius r, centre c and axis a from the z axis, and the nearest. With e and a_⊥ the parts of c and a across z, the point
//! p = e + d, |d| = r, d ⊥ a is stationary where (1 − a aᵀ) p ∥ d. So d = (1 − a aᵀ) q with (ν + a_⊥ a_⊥ᵀ) q = e and |d| = r, an equation for the
//! number ν: along and across a_⊥, with s = |a_⊥|,
//!
//!   e_∥² (1 − s²)/(ν + s²)² + e_⊥²/ν² = r².
//!
//! The furthest point is that of the largest root, ν > 0, the nearest that of the least, ν < −s². 1/|d| is concave in |ν| and nearly straight: Newton's
//! steps from the bound that either term alone gives rise to the root one after another; parallel, the first one is it (ν = ±|e|/r). Stationary around the
//! circle, the rate of ρ is that of the point of the body there. Where two points are as far (a circle with its centre on the axis) one is taken, always the same; the gap is continuous there too. Two points of one rim can touch only if
//! the circle is less curved than the end of the ellipse in which its plane cuts the barrel, R_b cos θ < R_j at the tilt θ, and that tilt is reached only by a journal with (L/2)² + R_j² ≤ R_b², one that can turn over in the can: such
//! discs are left to `rims_in_cavity`.
//!
//! A circle that has left the other cylinder by more than a tenth of its length touches no barrel there: refused ([`PairFailure::Rim`]) as soon as it
//! would carry a force. Up to there the barrel is taken to go on.
//!
//! Checked: search around the circles, closed form where parallel, the ball in a ball in the plane, rates and derivatives (`tests/journal.rs`).

use carom_base::elementary::{hypot, powi};
use carom_base::{Mat3, Pose, Scalar, Vec3};

use super::{SHARP, finite, plane_cylinder, solid, within};
use crate::closest_point::direction;
use crate::contact::{Contact, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairSolver};
use crate::shape::{Shape, Side};
use crate::surfaces::Cylinder;

/// The solver: A the inside of a cylinder, B a thinner cylinder.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::Cylinder};
/// let bearing = Shape::inside(Cylinder::new(0.0100, 0.020)?); // radius, length [m]
/// let journal = Shape::outside(Cylinder::new(0.0095, 0.030)?); // runs through
/// let pair = pairs::bind(&bearing, &journal)?;
/// let (_, c) = pair.nearest(&Pose::identity(), &Pose::at(Vec3::new(0.0006, 0.0, 0.0)))?;
/// assert!((pair.solver() == "journal") && (c.delta - 0.0001).abs() < 1e-17 && c.share == 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal;

#[derive(Debug)]
struct Bound {
    bearing: Cylinder,
    journal: Cylinder,
    /// the journal runs through: the bearing has no caps
    through: bool,
}

const ENDS: [&str; 2] = ["end+", "end-"];
/// Rims at caps: bits, highest first, say rim −, cap −, the high point.
const CAPS: [&str; 8] = [
    "rim+ low at cap+",
    "rim+ high at cap+",
    "rim+ low at cap-",
    "rim+ high at cap-",
    "rim- low at cap+",
    "rim- high at cap+",
    "rim- low at cap-",
    "rim- high at cap-",
];
/// How far a circle may have left the other cylinder, by the length of the shorter one.
const OVERHANG: f64 = 0.1;
/// A circle's centre is this far off where no point of it is furthest, by the radius.
const OFF_CENTRE: f64 = 1e-15;

impl PairSolver for Journal {
    fn name(&self) -> &'static str {
        "journal"
    }
    fn reference(&self) -> &'static str {
        "the furthest or nearest points of the shorter cylinder's end circles from the other's axis, by their secular equation"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        (a.side == Side::Inside).then_some(())?;
        let bearing = *a.surface.as_any().downcast_ref::<Cylinder>()?;
        let journal = *solid::<Cylinder>(b)?;
        let through = journal.length() > bearing.length();
        // one that can turn over in its bearing may lie askew on two points of a rim (`rims_in_cavity`)
        let turns_over = hypot(journal.radius(), 0.5 * journal.length()) <= bearing.radius();
        let fits = journal.radius() < bearing.radius();
        (fits && (through || !turns_over)).then(|| Box::new(Bound { bearing, journal, through }) as _)
    }
}

/// What is stationary on a circle, as seen from the z axis.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Extreme {
    Furthest,
    Nearest,
}

/// The root ν of e_∥² c²/(ν + s²)² + e_⊥²/ν² = r², c² = 1 − s², that belongs to the furthest or to the nearest point, and the slope of the left side there.
fn secular(extreme: Extreme, along: f64, across: f64, [s2, c]: [f64; 2], r: f64) -> (f64, f64) {
    let sign = if extreme == Extreme::Furthest { 1.0 } else { -1.0 };
    // in τ = |ν|: g²/(τ − pole)² for both
    let terms = [(along.abs() * c, -sign * s2), (across.abs(), 0.0)];
    let mut tau = terms.iter().map(|(g, pole)| pole + g / r).fold(0.0, f64::max);
    let sums = |tau: f64| {
        let power = |k: i32| terms.iter().map(|(g, pole)| g * g / powi(tau - pole, k)).sum::<f64>();
        (power(2), -2.0 * power(3))
    };
    for _ in 0..100 {
        let (n, slope) = sums(tau);
        // Newton for 1/√n = 1/r
        let next = tau + 2.0 * n * (1.0 - n.sqrt() / r) / slope;
        if !(next > tau * (1.0 + f64::EPSILON)) {
            break;
        }
        tau = next;
    }
    (sign * tau, sign * sums(tau).1)
}

/// From the centre of a circle to its point furthest from the z axis, or nearest to it.
fn stationary<S: Scalar>(extreme: Extreme, r: f64, centre: &Vec3<S>, axis: &Vec3<S>) -> Vec3<S> {
    let (zero, one) = (S::from_f64(0.0), S::from_f64(1.0));
    let mut e = Vec3::new(centre.x, centre.y, zero);
    let a = Vec3::new(axis.x, axis.y, zero);
    let (t, _) = direction(&a, Vec3::x);
    let u = Vec3::new(-t.y, t.x, zero);
    // (√(1 − s²) would have lost its digits where a is nearly across)
    let (s2, c) = (a.dot(&a), axis.z.value().abs());
    // without a part along the direction that bends least, two points are as far, or all
    let (weak, strong) = match extreme {
        Extreme::Furthest => (&u, e.dot(&t).value().abs() * c),
        Extreme::Nearest => (&t, e.dot(&u).value().abs()),
    };
    let least = r * OFF_CENTRE;
    if e.dot(weak).value().abs() < least && strong <= r * s2.value() + least {
        e += weak * S::from_f64(least);
    }
    let (along, across) = (e.dot(&t), e.dot(&u));
    let (nu, slope) = secular(extreme, along.value(), across.value(), [s2.value(), c], r);
    let nu = S::from_f64(nu);
    let q_of = |nu: S| match extreme == Extreme::Furthest && nu.value() < s2.value() {
        // along and across: no digits are lost if ν is small
        true => t * (along / (nu + s2)) + u * (across / nu),
        // the same without the direction of a_⊥, which parallel cylinders have none of
        false => (e - a * (a.dot(&e) / (nu + s2))) / nu,
    };
    // one more step over S: the derivatives of the root come with it
    let q = q_of(nu);
    let square = q.dot(&q) - a.dot(&q) * a.dot(&q);
    let q = q_of(nu - (square - S::from_f64(r * r)) / S::from_f64(slope));
    let d = q - axis * axis.dot(&q);
    d * (S::from_f64(r) * one / d.dot(&d).sqrt())
}

impl Bound {
    /// The shorter cylinder's half length [m].
    fn half(&self) -> f64 {
        0.5 * self.bearing.length().min(self.journal.length())
    }

    /// The point of an end circle, of the cylinder at `x`, next to the barrel about the z axis of `other`: itself, the radial direction there, its distance from
    /// that axis and the closest point on a barrel of that radius, all in the world but the distance.
    fn end<S: Scalar>(&self, side: f64, x: &Pose<S>, other: &Pose<S>) -> Result<End<S>, PairFailure> {
        let (extreme, r, wall) = match self.through {
            true => (Extreme::Nearest, self.bearing.radius(), &self.journal),
            false => (Extreme::Furthest, self.journal.radius(), &self.bearing),
        };
        let axis = x.axis(2);
        let centre = other.point_to_local(&(x.p + axis * S::from_f64(side * self.half())));
        if !centre.sum().value().is_finite() {
            return Err(PairFailure::NotFinite);
        }
        let p = centre + stationary(extreme, r, &centre, &other.direction_to_local(&axis));
        let (out, rho) = direction(&Vec3::new(p.x, p.y, S::from_f64(0.0)), Vec3::x);
        let closest_point =
            out * S::from_f64(wall.radius()) + Vec3::new(S::from_f64(0.0), S::from_f64(0.0), p.z);
        let left = p.z.value().abs() > 0.5 * wall.length() + OVERHANG * 2.0 * self.half();
        Ok(End {
            p: other.point(&p),
            closest_point: other.point(&closest_point),
            out: other.direction(&out),
            rho,
            left,
        })
    }

    fn radial<S: Scalar>(&self, side: f64, x_a: &Pose<S>, x_b: &Pose<S>) -> Result<Contact<S>, PairFailure> {
        let share = S::from_f64(0.5);
        let (end, contact) = match self.through {
            true => {
                let end = self.end(side, x_a, x_b)?;
                let delta = S::from_f64(self.journal.radius()) - end.rho;
                (end, Contact { p_a: end.p, p_b: end.closest_point, n: -end.out, delta, share, common: None })
            }
            false => {
                let end = self.end(side, x_b, x_a)?;
                let delta = end.rho - S::from_f64(self.bearing.radius());
                (end, Contact { p_a: end.closest_point, p_b: end.p, n: -end.out, delta, share, common: None })
            }
        };
        if end.left && contact.delta.value() > 0.0 {
            return Err(PairFailure::Rim);
        }
        finite(contact)
    }

    /// A point of a rim at a cap, z = ±L/2 with its normal inwards.
    fn cap<S: Scalar>(&self, k: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> Contact<S> {
        let sign = |bit: usize| if k & bit == 0 { 1.0 } else { -1.0 };
        let cap = sign(2);
        // turned over about x, the plane of the upper cap looks down
        let p = Vec3::z() * (0.5 * cap * self.bearing.length());
        let plane = Pose { p, r: Mat3::from_diagonal(&Vec3::new(1.0, -cap, -cap)) };
        let plane = Pose { p: plane.p.map(S::from_f64), r: plane.r.map(S::from_f64) };
        plane_cylinder::contact(
            -sign(1) * self.journal.radius(),
            sign(4) * self.half(),
            &x_a.then(&plane),
            x_b,
        )
    }
}

/// A point of an end circle and the barrel beside it.
#[derive(Clone, Copy)]
struct End<S: Scalar> {
    p: Vec3<S>,
    closest_point: Vec3<S>,
    out: Vec3<S>,
    rho: S,
    /// whether it is no longer beside the barrel
    left: bool,
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        Journal.name()
    }
    fn features(&self) -> usize {
        if self.through { ENDS.len() } else { ENDS.len() + CAPS.len() }
    }
    fn feature_name(&self, feature: usize) -> String {
        let names = ENDS.iter().chain(&CAPS).take(self.features());
        names.map(|name| (*name).to_owned()).nth(feature).unwrap_or_default()
    }
    fn curvature(&self, feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        let radii = [self.journal.radius(), -self.bearing.radius()];
        if feature < ENDS.len() { RelativeCurvature::line(radii, 2.0 * self.half()) } else { SHARP }
    }
    // the point runs around its circle
    fn bounds(&self) -> GapBounds {
        GapBounds::UNKNOWN
    }
}

impl PairFormula for Bound {
    fn contact<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        match within(feature, self.features())? {
            0 => self.radial(1.0, x_a, x_b),
            1 => self.radial(-1.0, x_a, x_b),
            k => finite(self.cap(k - ENDS.len(), x_a, x_b)),
        }
    }
}
