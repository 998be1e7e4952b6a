//! A torus against a smooth convex solid, both touched from outside: the point of the ring nearest to the solid, less the tube.
//!
//! The signed distance d(x) of a convex solid is a convex function of the place. Along the ring c(φ) of radius R about e₁, e₂ it is above its tangents,
//!
//!   d(c(φ)) ≥ d₀ + n₀·(c(φ) − c₀),
//!
//! sinusoids whose least value over an arc is known: arcs that cannot hold the least distance are left out, the others halved. What is left
//! is polished by Newton's method: f' = n·c', f'' = n·c'' + c'ᵀK c', K the derivative of the closest point's normal.
//!
//! One contact point. Where two places are as near it jumps from one to the other: the gap is continuous and has a kink.
//!
//! Checked: the ball, search along the ring (`tests/torus_convex.rs`), derivatives against differences.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use carom_base::elementary::{atan2, cos, hypot, sincos};
use carom_base::{Dual, Pose, Scalar, Vec3};

use super::{SHARP, finite, name_in, solid, sphere_any, within};
use crate::contact::{Contact, Curvature, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{
    BoundPair, ContactResult, GapBounds, PairFeatures, PairScalar, PairSolver, with_derivatives,
};
use crate::shape::{Project, ProjectFormula, Shape, Side, Surface};
use crate::surfaces::Torus;

/// The solver: A smooth and strictly convex, B a torus.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::{Ellipsoid, Torus}};
/// let (egg, ring) = (Shape::outside(Ellipsoid::new([0.02, 0.02, 0.03])?), Shape::outside(Torus::new(0.05, 0.01)?)); // [m]
/// let pair = pairs::bind(&egg, &ring)?;
/// // within the ring, off its middle: 19 mm to the tube on one side
/// let contact = pair.contact(0, &Pose::identity(), &Pose::at(Vec3::new(0.001, 0.0, 0.0)))?;
/// assert!((contact.delta + 0.019).abs() < 1e-15 && (contact.n + Vec3::x()).norm() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TorusConvex;

#[derive(Debug)]
struct Bound {
    solid: Arc<dyn Surface>,
    torus: Torus,
}

const NAMES: [&str; 1] = ["torus"];
/// Arcs the ring is first divided into, and the most that are looked at.
const FIRST: usize = 8;
const MOST: usize = 256;
/// What the search leaves to Newton's method, relative to the ring.
const CLOSE: f64 = 1e-4;
const MOST_STEPS: usize = 20;

/// The ring in the solid's frame.
struct Along {
    middle: Vec3,
    /// R e₁, R e₂
    x: Vec3,
    y: Vec3,
}

impl Along {
    fn at(&self, phi: f64) -> Vec3 {
        let (sin, cos) = sincos(phi);
        self.middle + self.x * cos + self.y * sin
    }

    fn slope(&self, phi: f64) -> Vec3 {
        let (sin, cos) = sincos(phi);
        self.y * cos - self.x * sin
    }

    /// The least of n·(c(φ) − c(φ₀)) over |φ − φ₀| ≤ w.
    fn least(&self, n: &Vec3, phi: f64, w: f64) -> f64 {
        let (a, b) = (n.dot(&self.x), n.dot(&self.y));
        let (rho, psi) = (hypot(a, b), atan2(b, a));
        // how far φ₀ is from the bottom of the cosine, at ψ + π
        let off = (phi - psi - PI).rem_euclid(TAU);
        let off = if off > PI { TAU - off } else { off };
        rho * (cos(off) - cos((off - w).max(0.0)))
    }
}

impl PairSolver for TorusConvex {
    fn name(&self) -> &'static str {
        "torus-convex"
    }
    fn reference(&self) -> &'static str {
        "the point of the ring nearest to the solid; the global minimum by tangents of a convex function"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        let smooth = a.side == Side::Outside && a.surface.as_support()?.is_strict();
        (smooth && a.surface.as_project().is_some()).then_some(())?;
        Some(Box::new(Bound { solid: a.surface.clone(), torus: *solid::<Torus>(b)? }))
    }
}

impl Bound {
    fn along(&self, x: &Pose) -> Along {
        Along { middle: x.p, x: x.axis(0) * self.torus.major(), y: x.axis(1) * self.torus.major() }
    }

    /// φ of the point of the ring nearest to the solid.
    fn nearest(&self, project: &dyn Project, ring: &Along) -> f64 {
        let look = |phi: f64| project.closest_point(Side::Outside, 0, &ring.at(phi));
        let close = CLOSE * self.torus.major();
        let mut arcs = [(0.0, 0.0, 0.0); MOST];
        let mut best = (f64::INFINITY, 0.0);
        let mut judge = |phi: f64, w: f64| {
            let closest_point = look(phi);
            if closest_point.d < best.0 {
                best = (closest_point.d, phi);
            }
            (closest_point.d + ring.least(&closest_point.n, phi, w), best)
        };
        let (mut count, mut looked) = (0, FIRST);
        let mut found = (f64::INFINITY, 0.0);
        for k in 0..FIRST {
            let (phi, w) = (TAU * (k as f64 + 0.5) / FIRST as f64, PI / FIRST as f64);
            let (bound, best) = judge(phi, w);
            (arcs[count], found) = ((bound, phi, w), best);
            count += 1;
        }
        // that with the lowest bound first; what is not below the best found is done with
        while looked < MOST && count > 0 {
            let lowest = (0..count).min_by(|i, j| arcs[*i].0.total_cmp(&arcs[*j].0)).unwrap_or(0);
            let (bound, phi, w) = arcs[lowest];
            if bound >= found.0 - close {
                break;
            }
            count -= 1;
            arcs[lowest] = arcs[count];
            for half in [phi - 0.5 * w, phi + 0.5 * w] {
                let (bound, best) = judge(half, 0.5 * w);
                (arcs[count], found) = ((bound, half, 0.5 * w), best);
                count += 1;
                looked += 1;
            }
        }
        self.polish(project, ring, found.1)
    }

    /// Newton's method, as long as it leads down; where the ring is so deep in the solid that two of its sides are as near, the least distance is
    /// at a kink, which is closed in on.
    fn polish(&self, project: &dyn Project, ring: &Along, start: f64) -> f64 {
        let look = |phi: f64| project.closest_point(Side::Outside, 0, &ring.at(phi)).d;
        let (mut phi, mut d) = (start, look(start));
        for _ in 0..MOST_STEPS {
            let (rise, bend) = slopes(project, ring, phi);
            let step = -rise / bend;
            let next = look(phi + step);
            // a short step changes the distance by less than its rounding
            if !(bend > 0.0 && step.abs() < 0.5) || (next > d && step.abs() > 1e-6) {
                return kink(project, ring, phi);
            }
            (phi, d) = (phi + step, next);
            if step.abs() < 1e-9 {
                break;
            }
        }
        phi
    }

    fn contact_at<S: PairScalar>(
        &self,
        feature: usize,
        x_a: &Pose<S>,
        x_b: &Pose<S>,
        phi: impl FnOnce(&dyn Project) -> S,
    ) -> Result<Contact<S>, PairFailure> {
        within(feature, NAMES.len())?;
        let project = self.solid.as_project().ok_or(PairFailure::NoFeature(feature))?;
        let phi = phi(project);
        let (sin, cos) = (phi.sin(), phi.cos());
        let major = S::from_f64(self.torus.major());
        let centre = x_b.p + (x_b.axis(0) * cos + x_b.axis(1) * sin) * major;
        let closest_point = S::closest_point(project, Side::Outside, 0, &x_a.point_to_local(&centre));
        finite(sphere_any::contact(self.torus.minor(), x_a, &centre, &closest_point))
    }

    /// The contact with its derivatives.
    fn moving<const N: usize>(
        &self,
        feature: usize,
        x_a: &Pose<Dual<N>>,
        x_b: &Pose<Dual<N>>,
    ) -> ContactResult<Dual<N>> {
        let x = x_b.values().seen_from(&x_a.values());
        let follow = |project: &dyn Project| {
            let ring = self.along(&x);
            let phi = self.nearest(project, &ring);
            let (_, bend) = slopes(project, &ring, phi);
            // n·c' = 0 stays: f'' dφ = −d(n·c') with φ held
            let (sin, cos) = sincos(phi);
            let (s, c) = (Dual::from_f64(sin), Dual::from_f64(cos));
            let local = |v: Vec3<Dual<N>>| x_a.direction_to_local(&v) * Dual::from_f64(self.torus.major());
            let slope = local(x_b.axis(1) * c - x_b.axis(0) * s);
            let centre = x_a.point_to_local(&x_b.p) + local(x_b.axis(0) * c + x_b.axis(1) * s);
            let closest_point = Dual::<N>::closest_point(project, Side::Outside, 0, &centre);
            let mut turned = -closest_point.n.dot(&slope) / Dual::from_f64(bend);
            turned.re = phi;
            turned
        };
        self.contact_at(feature, x_a, x_b, follow)
    }
}

/// f' and f'' of the distance along the ring.
fn slopes(project: &dyn Project, ring: &Along, phi: f64) -> (f64, f64) {
    let (c, slope) = (ring.at(phi), ring.slope(phi));
    let closest_point =
        project.closest_point_dual(Side::Outside, 0, &Vec3::from_fn(|i, _| Dual::variable(c[i], i)));
    let n = closest_point.n.map(|c| c.re);
    let turn = closest_point.n.map(|c| Vec3::from(c.eps).dot(&slope));
    // c'' = middle − c
    (n.dot(&slope), slope.dot(&turn) + n.dot(&(ring.middle - c)))
}

/// Where the distance stops falling and rises, next to φ: by halving.
#[cold]
fn kink(project: &dyn Project, ring: &Along, phi: f64) -> f64 {
    let rises = |phi: f64| slopes(project, ring, phi).0 > 0.0;
    let ahead = if rises(phi) { -1.0 } else { 1.0 };
    let mut reach = 1e-6;
    while rises(phi + ahead * reach) == rises(phi) {
        reach *= 2.0;
        if reach > 1.0 {
            return phi;
        }
    }
    let (mut near, mut far) = (0.0, reach);
    for _ in 0..50 {
        let half = 0.5 * (near + far);
        if rises(phi + ahead * half) == rises(phi) { near = half } else { far = half }
    }
    phi + ahead * near
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        TorusConvex.name()
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let (Ok(c), Some(project)) = (self.contact(feature, x_a, x_b), self.solid.as_project()) else {
            return SHARP;
        };
        let of = |k: Curvature, x: &Pose| Curvature { direction: x.direction(&k.direction), ..k };
        let solid = project.curvature(Side::Outside, 0, &x_a.point_to_local(&c.p_a));
        let ring = ProjectFormula::curvature(&self.torus, Side::Outside, 0, &x_b.point_to_local(&c.p_b));
        RelativeCurvature::between(&of(solid, x_a), &of(ring, x_b))
    }
    // as of two tori: where another place becomes the nearest the gap has a kink, bent towards contact
    fn bounds(&self) -> GapBounds {
        GapBounds::UNKNOWN
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        let x = x_b.seen_from(x_a);
        if !(x.p.sum() + x.r.sum()).is_finite() {
            return Err(PairFailure::NotFinite);
        }
        let nearest = |project: &dyn Project| self.nearest(project, &self.along(&x));
        self.contact_at(feature, x_a, x_b, nearest)
    }
    with_derivatives!(|pair, k, x_a, x_b, _| Some(pair.moving(k, x_a, x_b)));
}
