//! A smooth convex solid in a cavity: its point deepest in each wall, or nearest to it.
//!
//! - A *flat* wall (of a box, the ends of a can) is a plane: the point furthest towards it (`plane_convex`).
//! - A *round* wall (sphere, ellipsoid, the barrel of a can, a capsule) is a hollow. The gap is the least distance of the solid's points from it.
//!   With S the shape operator of the solid at p, n its outward normal there and the wall seen from p, whose normal into the cavity is n_w and turns by K
//!   as p moves, Newton's step in the tangent plane is (S + K) x = −n_w − n: a hollow of radius R has K = −1/(R − d), so that the matrix is positive as
//!   long as the solid is more curved everywhere than the wall. That is asked for when the pair is bound: a flatter solid touches a hollow
//!   in several places at once. Still, far from the walls several places can be nearest: all ends of the solid are tried, from both sides of its
//!   centre, and the nearest taken.
//!
//! Checked: the sphere in the sphere, search over the surface (`tests/cavity.rs`), derivatives against differences.

use std::sync::Arc;

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3};

use super::convex::newton::{Spot, across, solve, within as within_plane};
use super::plane_convex::PlaneConvex;
use super::{SHARP, corner, finite, name_in, within};
use crate::bend::Bend;
use crate::contact::{Contact, Curvature, RelativeCurvature, Seed};
use crate::error::PairFailure;
use crate::pair::{
    BoundPair, ContactResult, GapBounds, PairDual, PairFeatures, PairSolver, with_derivatives,
};
use crate::shape::{ClosestPoint, Implicit, Project, Shape, Side, Support, Surface};
use crate::surfaces::Plane;

/// The solver: A a cavity with closest points, B smooth and strictly convex.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::{Cuboid, Ellipsoid}};
/// let room = Shape::inside(Cuboid::new([0.2, 0.2, 0.2])?); // [m]
/// let egg = Shape::outside(Ellipsoid::new([0.02, 0.02, 0.03])?);
/// let pair = pairs::bind(&room, &egg)?;
/// let (wall, contact) = pair.nearest(&Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, -0.071)))?;
/// assert_eq!((pair.solver(), pair.feature_name(wall).as_str()), ("cavity", "-z"));
/// assert!((contact.delta - 0.001).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Cavity;

#[derive(Debug)]
struct Bound {
    cavity: Arc<dyn Surface>,
    solid: Arc<dyn Surface>,
    names: &'static [&'static str],
    walls: Vec<Wall>,
    hollow: Option<f64>,
    stray: f64,
}

#[derive(Debug)]
enum Wall {
    /// its plane in the cavity's frame, bound to the solid
    Flat(Pose, Box<dyn BoundPair>),
    Round,
}

/// Steps at most; 4 to 8 are usual.
const MOST_STEPS: usize = 100;
/// A step below this, relative to the size, is the last.
const SMALL: f64 = 1e-9;
/// How far the search goes aside from where the distance falls to both sides, relative to the size.
const ASIDE: f64 = 0.05;
/// A step below this changes the distance by no more than its rounding.
const SHORT: f64 = 1e-5;

impl PairSolver for Cavity {
    fn name(&self) -> &'static str {
        "cavity"
    }
    fn reference(&self) -> &'static str {
        "the least distance from each wall: by the support point, or by Newton's method in the tangent plane"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        (a.side == Side::Inside && b.side == Side::Outside).then_some(())?;
        let project = a.surface.as_project()?;
        let support = b.surface.as_support().filter(|s| s.is_strict())?;
        b.surface.as_implicit()?;
        let names = project.features(Side::Inside);
        let walls = (0..names.len()).map(|wall| Wall::new(project, wall, b)).collect::<Option<Vec<_>>>()?;
        let round = walls.iter().any(|wall| matches!(wall, Wall::Round));
        let radius = project.hollow_radius(Side::Inside);
        // of a flatter solid the ends touch, both at once: one point would not do
        if round && !(support.largest_radius() < radius) {
            return None;
        }
        let spread = support.largest_radius() - support.least_radius();
        // the solid's most curved ball moves in the hollow as a ball does; turning is accounted for by `stray`
        let hollow = match (round, spread.is_finite()) {
            (_, false) => None,
            (false, true) => Some(f64::INFINITY),
            (true, true) => Some(radius - support.largest_radius()),
        };
        let stray = if spread.is_finite() { spread } else { 0.0 };
        let (cavity, solid) = (a.surface.clone(), b.surface.clone());
        Some(Box::new(Bound { cavity, solid, names, walls, hollow, stray }))
    }
}

impl Wall {
    /// A wall whose normal does not turn, and is the same as seen from all sides, is flat; one whose normal turns wherever it is seen from is round. What is neither, as a mesh with its many facets, is no
    /// single wall.
    fn new(project: &dyn Project, wall: usize, solid: &Shape) -> Option<Wall> {
        let reach = project.bounds().radius;
        let seen_from = |k: usize| {
            let x = corner(k, &(Vec3::new(0.11, 0.07, 0.05) * reach));
            project.closest_point_dual(Side::Inside, wall, &Vec3::from_fn(|i, _| Dual::variable(x[i], i)))
        };
        let turns = |seen: &ClosestPoint<Dual<3>>| seen.n.iter().any(|c| c.eps != [0.0; 3]);
        let closest_point = seen_from(0);
        let round = turns(&closest_point);
        let same = |seen: &ClosestPoint<Dual<3>>| {
            round || (seen.n - closest_point.n).iter().all(|c| c.re.abs() < 1e-9)
        };
        if !(1..8).map(seen_from).all(|seen| turns(&seen) == round && same(&seen)) {
            return None;
        }
        if round {
            return Some(Wall::Round);
        }
        let n = closest_point.n.map(|c| c.re);
        let t = across(&n);
        let frame = Mat3::from_columns(&[t.column(0).into(), t.column(1).into(), n]);
        let pair = PlaneConvex.bind(&Shape::outside(Plane), solid)?;
        Some(Wall::Flat(Pose { p: closest_point.p.map(|c| c.re), r: frame }, pair))
    }
}

/// A point of the solid, and the wall as it sees it, in the cavity's frame.
struct Near {
    at: Spot,
    closest_point: ClosestPoint,
    turn: Mat3,
}

/// A way along the solid on which the distance falls to both sides, where it has no slope: towards the least bend, if that is negative.
fn lower_beside(end: &Near) -> Option<Vec3> {
    let t = across(&end.at.n);
    let m = within_plane(&end.at.shape, &t) + within_plane(&end.turn, &t);
    let bends = (m + m.transpose()).symmetric_eigen();
    let least = bends.eigenvalues.imin();
    (bends.eigenvalues[least] < 0.0).then(|| t * bends.eigenvectors.column(least))
}

impl Bound {
    fn parts(&self) -> Option<(&dyn Project, &dyn Support, &dyn Implicit)> {
        Some((self.cavity.as_project()?, self.solid.as_support()?, self.solid.as_implicit()?))
    }

    /// The point of the solid, placed at `x` in the cavity, nearest to a round wall.
    fn nearest_to(&self, wall: usize, x: &Pose, seed: Option<&Seed>) -> Result<Near, PairFailure> {
        let (project, support, _) = self.parts().ok_or(PairFailure::NoFeature(wall))?;
        if !(x.p.sum() + x.r.sum()).is_finite() {
            return Err(PairFailure::NotFinite);
        }
        let closest_point = |p: &Vec3| project.closest_point(Side::Inside, wall, p);
        // towards the wall from the middle, and all ends; the two nearest lead on, and what was nearest before
        let towards = -closest_point(&x.p).n;
        let tip = |m: &Vec3| x.point(&support.support(&x.direction_to_local(m)));
        let mut best = [(f64::INFINITY, x.p); 2];
        let ends = (0..6).map(|k| x.axis(k / 2) * if k % 2 == 0 { 1.0 } else { -1.0 });
        let before = seed.map(|seed| x.point(&seed.p_b));
        for p in std::iter::once(towards).chain(ends).map(|m| tip(&m)).chain(before) {
            let d = closest_point(&p).d;
            if d < best[0].0 {
                best = [(d, p), best[0]];
            } else if d < best[1].0 {
                best[1] = (d, p);
            }
        }
        let [first, second] = best.map(|(_, p)| self.descend(wall, x, &p));
        match (first, second) {
            (Some(a), Some(b)) => Ok(if b.closest_point.d < a.closest_point.d { b } else { a }),
            (Some(found), None) | (None, Some(found)) => Ok(found),
            (None, None) => Err(PairFailure::NoConvergence(MOST_STEPS)),
        }
    }

    fn look(&self, wall: usize, x: &Pose, p: &Vec3) -> Option<Near> {
        let (project, _, implicit) = self.parts()?;
        let at = Spot::on(implicit, &x.point_to_local(p)).seen(x);
        let closest_point =
            project.closest_point_dual(Side::Inside, wall, &Vec3::from_fn(|i, _| Dual::variable(at.p[i], i)));
        let turn = Mat3::from_fn(|i, j| closest_point.n[i].eps[j]);
        let value = |v: &Vec3<Dual<3>>| v.map(|c| c.re);
        Some(Near {
            at,
            closest_point: ClosestPoint {
                p: value(&closest_point.p),
                n: value(&closest_point.n),
                d: closest_point.d.re,
            },
            turn,
        })
    }

    /// Downhill from p, by Newton's steps where they lead further than the tip towards the wall: in a convex cavity the distance from its
    /// walls is a concave function of the place, below its tangents, so that the tip is never further from the wall than p.
    fn descend(&self, wall: usize, x: &Pose, p: &Vec3) -> Option<Near> {
        let end = self.stationary(wall, x, p)?;
        // where a solid lies across a hollow its end may be as near as its neighbours along one way only, and further than those along another
        match lower_beside(&end) {
            Some(way) => self.stationary(wall, x, &(end.at.p + way * (ASIDE * self.solid.bounds().radius))),
            None => Some(end),
        }
    }

    /// Where that ends: the steps of Newton's method lead to any place where the distance has no slope.
    fn stationary(&self, wall: usize, x: &Pose, p: &Vec3) -> Option<Near> {
        let (_, support, _) = self.parts()?;
        let size = self.solid.bounds().radius;
        let mut now = self.look(wall, x, p)?;
        for _ in 0..MOST_STEPS {
            let t = across(&now.at.n);
            let m = within_plane(&now.at.shape, &t) + within_plane(&now.turn, &t);
            let step = t * solve(&m, &-t.tr_mul(&now.closest_point.n));
            let length = step.norm();
            if length <= SHORT * size {
                now = self.look(wall, x, &(now.at.p + step))?;
                if length <= SMALL * size {
                    return Some(now);
                }
                continue;
            }
            let tip = x.point(&support.support(&-x.direction_to_local(&now.closest_point.n)));
            let next = self.look(wall, x, &tip)?;
            let newton = match length < 0.5 * size {
                true => Some(self.look(wall, x, &(now.at.p + step))?),
                false => None,
            };
            let moved = (next.at.p - now.at.p).norm();
            now = newton.filter(|newton| newton.closest_point.d < next.closest_point.d).unwrap_or(next);
            if moved <= SMALL * size {
                return Some(now);
            }
        }
        // slow only where many points are as near
        Some(now)
    }

    fn round(
        &self,
        wall: usize,
        x_a: &Pose,
        x_b: &Pose,
        seed: Option<&Seed>,
    ) -> Result<(Near, Contact), PairFailure> {
        let x = x_b.seen_from(x_a);
        let near = self.nearest_to(wall, &x, seed)?;
        let n = x_a.direction(&near.closest_point.n);
        let p_b = x_a.point(&near.at.p);
        let delta = -near.closest_point.d;
        let contact = finite(Contact { p_a: p_b + n * delta, p_b, n, delta, share: 1.0, common: None })?;
        Ok((near, contact))
    }

    /// The contact with its derivatives: in the cavity's frame the solid's points move with it, its normals turn, and p with them by x,
    /// (S + K) x = what the motion does to n_w and n.
    fn round_dual<const N: usize>(
        &self,
        wall: usize,
        x_a: &Pose<Dual<N>>,
        x_b: &Pose<Dual<N>>,
    ) -> ContactResult<Dual<N>> {
        let (at_a, at_b) = (x_a.values(), x_b.values());
        let (near, c) = self.round(wall, &at_a, &at_b, None)?;
        let still = |v: &Vec3| v.map(Dual::<N>::from_f64);
        // the solid's point and normal in the cavity's frame, if they stayed where they are on it
        let fixed = x_a.point_to_local(&x_b.point(&still(&at_b.point_to_local(&c.p_b))));
        let turned = x_a.direction_to_local(&x_b.direction(&still(&at_b.direction_to_local(&-c.n))));
        let t = across(&near.at.n);
        let (shape, k) = (within_plane(&near.at.shape, &t), within_plane(&near.turn, &t));
        let m = shape + k;
        let (mut p, mut n, mut d) =
            (still(&near.at.p), still(&near.closest_point.n), Dual::<N>::from_f64(near.closest_point.d));
        for i in 0..N {
            let (v, w) = (fixed.map(|c| c.eps[i]), turned.map(|c| c.eps[i]));
            let x = solve(&m, &(-t.tr_mul(&w) - k * t.tr_mul(&v)));
            let (dp, dn) = (v + t * x, t * (k * (t.tr_mul(&v) + x)));
            for j in 0..3 {
                (p[j].eps[i], n[j].eps[i]) = (dp[j], dn[j]);
            }
            d.eps[i] = near.closest_point.n.dot(&v);
        }
        let (n, p_b) = (x_a.direction(&n), x_a.point(&p));
        Ok(Contact { p_a: p_b - n * d, p_b, n, delta: -d, share: Dual::from_f64(1.0), common: None })
    }
}

impl Bound {
    fn moving<const N: usize>(
        &self,
        feature: usize,
        x_a: &Pose<Dual<N>>,
        x_b: &Pose<Dual<N>>,
    ) -> Option<ContactResult<Dual<N>>>
    where
        Dual<N>: PairDual,
    {
        match self.walls.get(feature) {
            Some(Wall::Flat(plane, pair)) => {
                let plane = Pose { p: plane.p.map(Dual::from_f64), r: plane.r.map(Dual::from_f64) };
                PairDual::contact(&**pair, 0, &x_a.then(&plane), x_b, None)
            }
            Some(Wall::Round) => Some(self.round_dual(feature, x_a, x_b)),
            None => Some(Err(PairFailure::NoFeature(feature))),
        }
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        Cavity.name()
    }
    fn features(&self) -> usize {
        self.walls.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(self.names, feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        match self.walls.get(feature) {
            Some(Wall::Flat(plane, pair)) => pair.curvature(0, &x_a.then(plane), x_b),
            Some(Wall::Round) => {
                let (Ok((near, c)), Some((project, _, implicit))) =
                    (self.round(feature, x_a, x_b, None), self.parts())
                else {
                    return SHARP;
                };
                let wall = project.curvature(Side::Inside, feature, &near.closest_point.p);
                let level = implicit.level(&x_b.point_to_local(&c.p_b));
                let solid = Bend::new(&level.gradient, &level.hessian).seen_from(Side::Outside);
                let of = |k: Curvature, x: &Pose| Curvature { direction: x.direction(&k.direction), ..k };
                RelativeCurvature::between(&of(wall, x_a), &of(solid, x_b))
            }
            None => SHARP,
        }
    }
    fn bounds(&self) -> GapBounds {
        GapBounds { stray: self.stray, ..GapBounds::hollow(self.hollow) }
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.contact_from(feature, x_a, x_b, None)
    }
    fn contact_from(&self, feature: usize, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> ContactResult {
        match &self.walls[within(feature, self.walls.len())?] {
            Wall::Flat(plane, pair) => pair.contact(0, &x_a.then(plane), x_b),
            Wall::Round => Ok(self.round(feature, x_a, x_b, seed)?.1),
        }
    }
    fn is_iterative(&self) -> bool {
        self.walls.iter().any(|wall| matches!(wall, Wall::Round))
    }
    with_derivatives!(|pair, k, x_a, x_b, _| pair.moving(k, x_a, x_b));
}
