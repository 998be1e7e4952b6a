//! How far any two shapes are apart: the least signed distance from the one over the surface of the other. For distances alone.
//!
//! With d_B the signed distance from B, negative in its material, the distance is the least d_B(x) over all points x of A's surface. Apart, that is the distance of the nearest points. Of solids that
//! overlap it is minus how far the deepest point of A's surface is below that of B, or of B's below that of A, whichever is deeper; of a solid or a sheet in the wall of a cavity, minus how far its deepest point is
//! behind the nearest wall; of a sheet that cuts a solid, minus how far its deepest point is below the solid's surface. Convex solids that overlap have another depth, the shortest translation that parts them (`convex`), balls and tori that of their centres and circles; for small overlaps all are the same.
//!
//! All that is asked of a surface is its closest points ([`Project`]). d_B changes by no more than the way a point goes, so that boxes of space that A's surface passes can be left out as soon as
//! another point is known to be nearer than any in them (`search.rs`). What is left starts Newton's method along A's surface (`descend.rs`).
//! Boxes are halved down to a small share of A, not to rounding: so the least distance found is one that is there, but it is not certain that none is less.
//!
//! Checked: all pairs of shapes against search by trial (`tests/distances/`).

mod chart;
pub(super) mod descend;
mod kink;
pub(super) mod search;

use carom_base::{Dual, Mat3, Pose, Vec3};

use super::{SHARP, finite, name_in, within};
use crate::contact::{Contact, Found, RelativeCurvature, Seed};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, PairFeatures, PairSolver};
use crate::shape::{ClosestPoint, Project, Shape, Side, Start};

/// The solver: A bounded, with its surface walked along; B anything, but no cavity in a cavity and no plane in one.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::{Cuboid, Torus}};
/// let (brick, ring) = (Shape::outside(Cuboid::new([0.2, 0.1, 0.05])?), Shape::outside(Torus::new(0.05, 0.01)?)); // [m]
/// let pair = pairs::bind_for_query(&brick, &ring)?;
/// let found = pair.search(&Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, 0.04)), None)?;
/// assert_eq!(pair.solver(), "apart");
/// assert!((found.contact.delta + 0.005).abs() < 1e-15); // over the upper face, 5 mm
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Apart;

#[derive(Debug)]
struct Bound {
    a: Shape,
    b: Shape,
    /// whether B's surface is looked at, too, where they overlap
    both: bool,
}

const NAMES: [&str; 1] = ["nearest"];
/// What part of the radius of the tightest hollow or bulge is taken for certain.
const SURELY: f64 = 0.9;

/// Whether it is a solid without end around a cavity.
pub(super) fn is_cavity(shape: &Shape) -> bool {
    shape.side == Side::Inside && !shape.surface.is_sheet()
}

impl PairSolver for Apart {
    fn name(&self) -> &'static str {
        "apart"
    }
    fn reference(&self) -> &'static str {
        "the least signed distance over a surface: branch and bound with the Lipschitz constant 1, then Newton's method"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        let walked = |s: &Shape| !is_cavity(s) && s.surface.bounds().radius.is_finite();
        if !walked(a) || a.surface.as_project().is_none() || b.surface.as_project().is_none() {
            return None;
        }
        // a sheet is walked along rather than a solid, the smaller of two of a sort rather than the larger
        let sort = |s: &Shape| (s.surface.is_closed(), s.surface.bounds().radius);
        if walked(b) && sort(b) < sort(a) {
            return None;
        }
        let both = walked(b) && a.surface.is_closed();
        Some(Box::new(Bound { a: a.clone(), b: b.clone(), both }))
    }
}

/// A shape by its closest points, the least over its features.
pub(super) struct Body<'s> {
    pub(super) project: &'s dyn Project,
    pub(super) side: Side,
    pub(super) features: usize,
    /// [m]
    pub(super) size: f64,
    /// up to these distances [m], outside and within, a point that is straight above another of the surface is so above the closest one alone
    only: [f64; 2],
}

impl Body<'_> {
    fn new(shape: &Shape) -> Option<Body<'_>> {
        let project = shape.surface.as_project()?;
        let features = project.features(shape.side).len();
        let only = [Side::Outside, Side::Inside].map(|side| SURELY * project.hollow_radius(side));
        Some(Body { project, side: shape.side, features, size: shape.surface.bounds().radius, only })
    }

    /// The nearest of all features, in a few steps from where a search for a point near by has been, if that is certain; and where to start from for the next.
    pub(super) fn closest_from(&self, x: &Vec3, start: Option<&Start>) -> (ClosestPoint, Start) {
        let start = start.filter(|_| self.features == 1);
        let near = start.and_then(|start| self.project.closest_point_near(x, start));
        let is_closest = |found: &ClosestPoint| found.d < self.only[0] && -found.d < self.only[1];
        if let Some((found, next)) = near.filter(|(found, _)| is_closest(found)) {
            let sign = self.side.sign();
            return (ClosestPoint { p: found.p, n: found.n * sign, d: found.d * sign }, next);
        }
        let found = self.closest(x).1;
        (found, Start::at(found.p))
    }

    /// The nearest of all features.
    pub(super) fn closest(&self, x: &Vec3) -> (usize, ClosestPoint) {
        let mut best = (0, self.project.closest_point(self.side, 0, x));
        for k in 1..self.features {
            let found = self.project.closest_point(self.side, k, x);
            if found.d < best.1.d {
                best = (k, found);
            }
        }
        best
    }
}

/// A's surface, walked along in A's frame, and B, whose frame is at `x` there.
pub(super) struct Walk<'s> {
    pub(super) a: Body<'s>,
    pub(super) b: Body<'s>,
    pub(super) x: Pose,
    pub(super) centre: Vec3,
    /// the smaller of both sizes [m]
    pub(super) size: f64,
}

/// A point of A's surface, and B's closest to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) p: Vec3,
    pub(super) q: Vec3,
    /// out of B
    pub(super) n: Vec3,
    pub(super) d: f64,
}

/// A closest point, and how its normal turns as the point that looks moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) p: Vec3,
    pub(super) n: Vec3,
    pub(super) d: f64,
    pub(super) turn: Mat3,
}

fn look(project: &dyn Project, side: Side, feature: usize, x: &Vec3) -> Look {
    let found = project.closest_point_dual(side, feature, &Vec3::from_fn(|i, _| Dual::variable(x[i], i)));
    Look {
        p: found.p.map(|c| c.re),
        n: found.n.map(|c| c.re),
        d: found.d.re,
        turn: Mat3::from_fn(|i, j| found.n[i].eps[j]),
    }
}

impl<'s> Walk<'s> {
    pub(super) fn new(a: &'s Shape, b: &'s Shape, x_a: &Pose, x_b: &Pose) -> Option<Walk<'s>> {
        let (on, to) = (Body::new(a)?, Body::new(b)?);
        let size = on.size.min(to.size);
        Some(Walk { a: on, b: to, x: x_b.seen_from(x_a), centre: a.surface.bounds().centre, size })
    }

    /// The point of A's surface closest to x.
    pub(super) fn on_a(&self, x: &Vec3) -> ClosestPoint {
        self.a.project.closest_point(Side::Outside, 0, x)
    }

    /// How far x is from B, and the normal there.
    pub(super) fn to_b(&self, x: &Vec3) -> Place {
        self.place(x, &self.b.closest(&self.x.point_to_local(x)).1)
    }

    /// The same, from where a search for a point near by has been, in B's frame.
    pub(super) fn to_b_from(&self, x: &Vec3, start: Option<&Start>) -> (Place, Start) {
        let (found, next) = self.b.closest_from(&self.x.point_to_local(x), start);
        (self.place(x, &found), next)
    }

    fn place(&self, x: &Vec3, found: &ClosestPoint) -> Place {
        Place { p: *x, q: self.x.point(&found.p), n: self.x.direction(&found.n), d: found.d }
    }

    pub(super) fn look_at_b(&self, x: &Vec3) -> Look {
        let local = self.x.point_to_local(x);
        let (feature, _) = self.b.closest(&local);
        let seen = look(self.b.project, self.b.side, feature, &local);
        Look {
            p: self.x.point(&seen.p),
            n: self.x.direction(&seen.n),
            d: seen.d,
            turn: self.x.r * seen.turn * self.x.r.transpose(),
        }
    }
}

/// What a walk has found.
pub(super) struct Least {
    pub(super) place: Place,
    pub(super) steps: usize,
    pub(super) unique: bool,
}

impl Bound {
    fn least(&self, x_a: &Pose, x_b: &Pose) -> Result<(Contact, usize, bool), PairFailure> {
        let walk = Walk::new(&self.a, &self.b, x_a, x_b).ok_or(PairFailure::NoFeature(0))?;
        if !(walk.x.p.sum() + walk.x.r.sum()).is_finite() {
            return Err(PairFailure::NotFinite);
        }
        let here = search::least(&walk)?;
        let Place { p, q, n, d } = here.place;
        let contact = |p: &Vec3, q: &Vec3, n: Vec3, d: f64, x: &Pose| Contact {
            p_a: x.point(p),
            p_b: x.point(q),
            n: x.direction(&-n),
            delta: -d,
            share: 1.0,
            common: None,
        };
        let found = contact(&p, &q, n, d, x_a);
        let is_apart = d > 0.0 && walk.on_a(&q).d > 0.0;
        if !self.both || is_apart {
            return Ok((finite(found)?, here.steps, here.unique));
        }
        let walk = Walk::new(&self.b, &self.a, x_b, x_a).ok_or(PairFailure::NoFeature(0))?;
        let there = search::least(&walk)?;
        let steps = here.steps + there.steps;
        // (B is wholly within A, or A within B: the other way there is no depth at all)
        if there.place.d < d {
            let Place { p, q, n, d } = there.place;
            return Ok((finite(contact(&p, &q, n, d, x_b).swapped())?, steps, there.unique));
        }
        Ok((finite(found)?, steps, here.unique))
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        Apart.name()
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        SHARP
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        within(feature, NAMES.len())?;
        Ok(self.least(x_a, x_b)?.0)
    }
    fn search(&self, x_a: &Pose, x_b: &Pose, _seed: Option<&Seed>) -> Result<Found, PairFailure> {
        let (contact, steps, unique) = self.least(x_a, x_b)?;
        Ok(Found { contact, steps, bounds: None, unique, solver: self.solver() })
    }
}
