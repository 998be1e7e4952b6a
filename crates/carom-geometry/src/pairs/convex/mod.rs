//! Two convex solids, both touched from outside: the common normal, right every time.
//!
//! The signed distance is the largest s(n) = −h_A(n) − h_B(−n) over all unit n (`couple.rs`). The witnesses are the tips along that n, and the
//! rate is exact: as n turns, s does not change to first order.
//!
//! | who | start | iteration |
//! |---|---|---|
//! | two ellipsoids | (E_A + E_B)⁻¹ c | n alone, 2 × 2 (`ellipsoids.rs`) |
//! | two smooth ones | distance of the cores (`gjk.rs`) | points and normal in the tangent plane (`newton.rs`) |
//! | a smooth one against box, cylinder, capsule | the same | the same, with closest points on the other |
//! | two with edges, for their distance alone (`any.rs`) | the same | with closest points on both (`edged.rs`) |
//!
//! A start from the step before replaces the first column. What comes out is taken if it is *certified*: s and the points of the cores agree to
//! rounding, which bounds the distance from below and above; else the start is made better and tried again. Solids deeper in one another than their
//! cores' coats have no such bound, and several places where s is largest nearby: there the depth is searched for over all directions
//! (`expand.rs`); of solids of revolution about one axis, over all angles with that (`revolved.rs`),
//! about nearly one, by rings around it (`tilted.rs`).

mod any;
mod batch;
mod certificate;
mod couple;
mod edged;
mod ellipsoids;
mod expand;
mod gjk;
mod moving;
pub(super) mod newton;
mod revolved;
mod tilted;

use std::sync::Arc;

use carom_base::{Dual, Pose, Vec3};

use super::{SHARP, finite, name_in, within};
use crate::bend::Bend;
use crate::contact::{Contact, Curvature, Found, RelativeCurvature, Seed};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairSolver, with_derivatives};
use crate::shape::{Project, Shape, Side, Support, Surface};
use crate::surfaces::Ellipsoid;
pub use any::AnyConvex;
pub use batch::Batch;
pub(crate) use certificate::certificate;
use couple::Couple;
use ellipsoids::Eggs;
use gjk::Cores;
use moving::moving;
use newton::{Follow, Normal};

/// The solver: A smooth and strictly convex, B any convex solid.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::Ellipsoid};
/// let egg = Shape::outside(Ellipsoid::new([0.02, 0.02, 0.03])?); // semi axes [m]
/// let pair = pairs::bind(&egg, &egg)?;
/// let contact = pair.contact(0, &Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, 0.0599)))?;
/// assert_eq!(pair.solver(), "convex");
/// assert!((contact.delta - 0.0001).abs() < 1e-16); // tip to tip
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Convex;

#[derive(Debug)]
struct Bound {
    a: Arc<dyn Surface>,
    b: Arc<dyn Surface>,
    way: Way,
}

/// How the common normal is iterated.
#[derive(Debug)]
enum Way {
    Ellipsoids(Eggs),
    Smooth,
    Projected,
    /// both by their closest points alone
    Edged,
}

const NAMES: [&str; 1] = ["contact"];
/// Both bounds of the distance agree to this, relative to the size.
const CERTAIN: f64 = 1e-14;
/// Bounds that are no further apart, relative to the size, are a certificate.
pub(crate) const SURE: f64 = 1e-12;
/// How exact starts from the cores are, one after the other, relative.
const STARTS: [f64; 4] = [1e-2, 1e-4, 1e-7, 1e-12];

/// Smooth and strictly convex: the equation and the tangent planes.
fn is_smooth(surface: &dyn Surface) -> bool {
    surface.as_implicit().is_some() && surface.as_support().is_some_and(|s| s.is_strict())
}

impl PairSolver for Convex {
    fn name(&self) -> &'static str {
        "convex"
    }
    fn reference(&self) -> &'static str {
        "the largest distance of tangent planes, by Newton's method; certified, else searched for over all directions"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        if a.side == Side::Inside || b.side == Side::Inside || !is_smooth(a.surface.as_ref()) {
            return None;
        }
        b.surface.as_support()?;
        // of two smooth ones of different kinds one order is the other, swapped: the same to the last bit
        if is_smooth(b.surface.as_ref()) && a.surface.kind() > b.surface.kind() {
            return None;
        }
        let ellipsoid = |shape: &Shape| shape.surface.as_any().downcast_ref::<Ellipsoid>().copied();
        let way = match (ellipsoid(a), ellipsoid(b)) {
            (Some(a), Some(b)) => Way::Ellipsoids(Eggs::new(a, b)),
            _ if is_smooth(b.surface.as_ref()) => Way::Smooth,
            _ => {
                b.surface.as_project()?;
                Way::Projected
            }
        };
        Some(Box::new(Bound { a: a.surface.clone(), b: b.surface.clone(), way }))
    }
}

/// Two ellipsoids, bound.
pub(crate) fn ellipsoids_bound(a: &Ellipsoid, b: &Ellipsoid) -> impl BoundPair {
    Bound { a: Arc::new(*a), b: Arc::new(*b), way: Way::Ellipsoids(Eggs::new(*a, *b)) }
}

/// What was found, in A's frame.
struct Solved {
    at: Normal,
    s: f64,
    steps: usize,
    /// both bounds of the distance [m]
    bounds: [f64; 2],
}

impl Solved {
    /// How far the bounds are apart [m].
    fn width(&self) -> f64 {
        self.bounds[1] - self.bounds[0]
    }
}

impl Bound {
    /// The capabilities bind has asked for.
    fn supports(&self) -> Option<(&dyn Support, &dyn Support)> {
        Some((self.a.as_support()?, self.b.as_support()?))
    }

    #[inline(always)]
    fn solve(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<Solved, PairFailure> {
        let mut steps = 0;
        if let Way::Ellipsoids(eggs) = &self.way
            && let Some(found) = eggs.nearest(&x_b.seen_from(x_a), seed.map(|seed| &seed.n), &mut steps)
        {
            return Ok(Solved { at: found.normal(), s: found.s, steps, bounds: [found.s; 2] });
        }
        self.solve_any(x_a, x_b, seed, steps)
    }

    /// From the seed if that is certain, else from scratch.
    #[inline(never)]
    fn solve_any(
        &self,
        x_a: &Pose,
        x_b: &Pose,
        seed: Option<&Seed>,
        mut steps: usize,
    ) -> Result<Solved, PairFailure> {
        let (a, b) = self.supports().ok_or(PairFailure::NoFeature(0))?;
        let couple = Couple::new(a, b, x_a, x_b);
        if !(couple.x.p.sum() + couple.x.r.sum()).is_finite() {
            return Err(PairFailure::NotFinite);
        }
        let quick = match (&self.way, seed) {
            (Way::Smooth | Way::Projected | Way::Edged, Some(seed)) => {
                let near = Normal { n: seed.n, p: seed.p_a, q: couple.x.point(&seed.p_b) };
                self.certified(&couple, &near, &mut steps)
            }
            _ => None,
        };
        match quick {
            Some(found) => Ok(Solved { steps, ..found }),
            None => self.searched(&couple, steps),
        }
    }

    /// The common normal near p and q, if it is certainly that of the distance.
    fn certified(&self, couple: &Couple<'_>, near: &Normal, steps: &mut usize) -> Option<Solved> {
        self.bounded(couple, near, steps).filter(|found| found.width() <= CERTAIN * couple.size)
    }

    /// The common normal near p and q, with bounds of the distance.
    fn bounded(&self, couple: &Couple<'_>, near: &Normal, steps: &mut usize) -> Option<Solved> {
        let at = self.common_normal(couple, near, steps)?;
        let (low, high) = bounds(couple, &at);
        let s = at.n.dot(&(at.q - at.p));
        Some(Solved { at, s, steps: 0, bounds: [low, high] })
    }

    fn common_normal(&self, couple: &Couple<'_>, near: &Normal, steps: &mut usize) -> Option<Normal> {
        if let Way::Edged = self.way {
            let solids = [self.a.as_project()?, self.b.as_project()?];
            return Some(edged::common_normal(couple, solids, near, steps)?.0);
        }
        let a = self.a.as_implicit()?;
        match (&self.way, self.b.as_implicit(), self.b.as_project()) {
            (Way::Projected, _, Some(b)) => newton::projected(couple, a, b, &near.p, None, steps),
            (_, Some(b), _) => newton::smooth(couple, [a, b], [&near.p, &near.q], steps),
            _ => None,
        }
    }

    /// From scratch: the cores' distance, ever better, or the depth.
    fn searched(&self, couple: &Couple<'_>, mut steps: usize) -> Result<Solved, PairFailure> {
        let mut start = couple.outward();
        let mut last = None;
        let mut closest: Option<Solved> = None;
        for tolerance in STARTS {
            match gjk::nearest(couple, &start, tolerance, &mut steps) {
                Cores::Overlap { n } => return self.deep(couple, &n, steps),
                Cores::Apart { n, p, q, low, high } => {
                    let tips = couple.tips(&n);
                    let points = match self.way {
                        Way::Edged => [p, q],
                        _ => [tips.p, tips.q],
                    };
                    let near = Normal { n, p: points[0], q: points[1] };
                    if let Some(found) = self.bounded(couple, &near, &mut steps) {
                        if found.width() <= CERTAIN * couple.size {
                            return Ok(Solved { steps, ..found });
                        }
                        closest = closest.filter(|closest| closest.width() <= found.width()).or(Some(found));
                    }
                    start = n;
                    last = Some((n, p, q, low, high));
                }
            }
        }
        let (n, p, q, low, high) = last.ok_or(PairFailure::NoConvergence(steps))?;
        // they touch, a little in one another: points that are as good as one bound the distance better
        if let Some(found) = closest.filter(|found| found.width() < high - low) {
            return if found.s < 0.0 {
                self.deep(couple, &found.at.n, steps)
            } else {
                Ok(Solved { steps, ..found })
            };
        }
        // flat pieces face each other: the distance is certain, the points are some of many
        let [r_a, r_b] = couple.coat;
        let at = Normal { n, p: p + n * r_a, q: q - n * r_b };
        let coats = r_a + r_b;
        Ok(Solved { at, s: low - coats, steps, bounds: [low - coats, high - coats] })
    }

    /// Deeper in one another than the coats: the least depth over all directions. `n` is one along which they are nearly apart, if they nearly are.
    fn deep(&self, couple: &Couple<'_>, n: &Vec3, mut steps: usize) -> Result<Solved, PairFailure> {
        let tolerance = 1e-13 * couple.size;
        let polish = |n: &Vec3, steps: &mut usize| match &self.way {
            Way::Ellipsoids(eggs) => Some(eggs.uphill(&couple.x, n, steps)?.normal()),
            Way::Smooth | Way::Edged => {
                let tips = couple.tips(n);
                self.common_normal(couple, &Normal { n: *n, p: tips.p, q: tips.q }, steps)
            }
            Way::Projected => None,
        };
        let found = match revolved::Axis::of(couple) {
            Some(axis) if axis.is_one => revolved::depth(couple, &axis, tolerance, &mut steps),
            Some(axis) => {
                let found = tilted::depth(couple, &axis, tolerance, &mut steps);
                match found.most - found.least <= 3.0 * tolerance {
                    true => found,
                    false => found.and(expand::depth(couple, tolerance, &mut steps, polish)),
                }
            }
            None => expand::depth(couple, tolerance, &mut steps, polish),
        };
        if !found.most.is_finite() {
            return Err(PairFailure::NoConvergence(steps));
        }
        // once more from the end itself: where solids are flat steps shrink slowly, and what looked like the last was not
        let starts = [found.at, Normal { p: couple.tips(&found.at.n).p, ..found.at }];
        let mut ends = starts.iter().filter_map(|near| self.beside(couple, near, &mut steps));
        let at = ends.find(|at| -couple.tips(&at.n).s <= found.most + 0.1 * tolerance).unwrap_or(found.at);
        let mut at = at;
        if let Way::Edged = self.way {
            let tips = couple.tips(n);
            let near = Normal { n: *n, p: tips.p, q: tips.q };
            let touching = self.beside(couple, &near, &mut steps);
            at = touching.filter(|other| couple.tips(&other.n).s > couple.tips(&at.n).s).unwrap_or(at);
        }
        let s = couple.tips(&at.n).s;
        Ok(Solved { at, s, steps, bounds: [s, -found.least] })
    }

    /// The common normal close to one that is nearly one, however deep.
    fn beside(&self, couple: &Couple<'_>, near: &Normal, steps: &mut usize) -> Option<Normal> {
        match (&self.way, self.a.as_implicit(), self.b.as_project()) {
            (Way::Ellipsoids(eggs), ..) => Some(eggs.uphill(&couple.x, &near.n, steps)?.normal()),
            (Way::Projected, Some(a), Some(b)) => {
                let l = couple.lever(near.n.dot(&(near.q - near.p)));
                newton::projected(couple, a, b, &near.p, Some(l), steps)
            }
            _ => self.common_normal(couple, near, steps),
        }
    }

    fn follow(&self, couple: &Couple<'_>, at: &Normal, x_a: &Pose) -> Option<Follow> {
        let a = self.a.as_implicit()?;
        match (&self.way, self.b.as_implicit(), self.b.as_project()) {
            (Way::Projected, _, Some(b)) => Some(Follow::projected(couple, a, b, at, x_a)),
            (_, Some(b), _) => Some(Follow::smooth(couple, [a, b], at, x_a)),
            _ => None,
        }
    }

    #[inline(always)]
    fn contact_of(&self, found: &Solved, x_a: &Pose) -> Result<Contact, PairFailure> {
        let n = x_a.direction(&found.at.n);
        let p_a = x_a.point(&found.at.p);
        finite(Contact { p_a, p_b: p_a + n * found.s, n, delta: -found.s, share: 1.0, common: None })
    }
}

/// Certain bounds of the signed distance: of the tangent planes across n, and of the cores' points, which say nothing where the cores are not apart.
fn bounds(couple: &Couple<'_>, at: &Normal) -> (f64, f64) {
    let [r_a, r_b] = couple.coat;
    let (p, q) = (at.p - at.n * r_a, at.q + at.n * r_b);
    (couple.tips(&at.n).s, (q - p).norm() - r_a - r_b)
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        match self.way {
            Way::Edged => AnyConvex.name(),
            _ => Convex.name(),
        }
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let Ok(c) = self.contact(feature, x_a, x_b) else { return SHARP };
        let of = |surface: &Arc<dyn Surface>, x: &Pose, p: &Vec3| {
            let local = x.point_to_local(p);
            let found = match (surface.as_implicit(), surface.as_project()) {
                (Some(implicit), _) => {
                    let level = implicit.level(&local);
                    Some(Bend::new(&level.gradient, &level.hessian).seen_from(Side::Outside))
                }
                (_, Some(project)) => Some(Project::curvature(project, Side::Outside, 0, &local)),
                _ => None,
            }?;
            Some(Curvature { direction: x.direction(&found.direction), ..found })
        };
        match (of(&self.a, x_a, &c.p_a), of(&self.b, x_b, &c.p_b)) {
            (Some(a), Some(b)) => RelativeCurvature::between(&a, &b),
            _ => SHARP,
        }
    }
    /// As long as both only move on, the distance is that of a point from a convex set. As they turn, the tangent planes across the n of the start
    /// bound it from below: their distance bends as in `plane_ellipsoid`, by what both bodies stray, unless something on them is straight.
    fn bounds(&self) -> GapBounds {
        match self.strays() {
            Some(stray) => GapBounds { stray, ..GapBounds::CONVEX },
            None => GapBounds::UNKNOWN,
        }
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.contact_from(feature, x_a, x_b, None)
    }
    fn contact_from(&self, feature: usize, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> ContactResult {
        within(feature, NAMES.len())?;
        self.contact_of(&self.solve(x_a, x_b, seed)?, x_a)
    }
    fn is_iterative(&self) -> bool {
        true
    }
    fn search(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<Found, PairFailure> {
        let found = self.solve(x_a, x_b, seed)?;
        let contact = self.contact_of(&found, x_a)?;
        let size = self.a.bounds().radius + self.b.bounds().radius;
        let (a, b) = self.supports().ok_or(PairFailure::NoFeature(0))?;
        let couple = Couple::new(a, b, x_a, x_b);
        let unique = match self.way {
            Way::Edged => self.is_unique_edged(&couple, &found.at),
            _ => self.follow(&couple, &found.at, x_a).is_some_and(|follow| follow.is_unique(size)),
        };
        // (which may have passed each other by rounding)
        let [low, high] = [found.bounds[0].min(found.s), found.bounds[1].max(found.s)];
        let bounds = (high - low <= SURE * size).then_some([low, high]);
        Ok(Found { contact, steps: found.steps, bounds, unique, solver: self.solver() })
    }
    with_derivatives!(|pair, k, x_a, x_b, seed| pair.moving(k, [x_a, x_b], seed));
}

impl Bound {
    /// The contact with its derivatives.
    fn moving<const N: usize>(
        &self,
        feature: usize,
        [x_a, x_b]: [&Pose<Dual<N>>; 2],
        seed: Option<&Seed>,
    ) -> Option<ContactResult<Dual<N>>> {
        if let Way::Edged = self.way {
            return None;
        }
        let follow = || {
            within(feature, NAMES.len())?;
            let (at_a, at_b) = (x_a.values(), x_b.values());
            let found = self.solve(&at_a, &at_b, seed)?;
            let (a, b) = self.supports().ok_or(PairFailure::NoFeature(0))?;
            let couple = Couple::new(a, b, &at_a, &at_b);
            let follow = self.follow(&couple, &found.at, &at_a).ok_or(PairFailure::NoFeature(0))?;
            Ok(moving(&follow, &self.contact_of(&found, &at_a)?, [x_a, x_b], [&at_a, &at_b]))
        };
        Some(follow())
    }

    fn is_unique_edged(&self, couple: &Couple<'_>, at: &Normal) -> bool {
        let (Some(a), Some(b)) = (self.a.as_project(), self.b.as_project()) else { return false };
        edged::common_normal(couple, [a, b], at, &mut 0).is_some_and(|(_, unique)| unique)
    }

    fn strays(&self) -> Option<f64> {
        let of = |surface: &Arc<dyn Surface>| {
            let support = surface.as_support()?;
            Some(support.largest_radius() - support.least_radius()).filter(|stray| stray.is_finite())
        };
        Some(of(&self.a)? + of(&self.b)?)
    }
}
