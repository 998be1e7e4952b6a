//! Two convex solids with flat faces, edges or rims: contact points that neither jump nor coincide.
//!
//! Solids that lie flat on one another have no single nearest points, and those that do not lie quite flat have them jump from
//! corner to corner with the least tilt. So A carries *anchors* c, fixed points spread over it (corners, points of rims), and
//! each anchor has a contact point of its own: the point x of A with the least
//!
//!   g(x) = d_B(x) + (|x − c|² − a²)/2R ,      R = ℓ/κ ,
//!
//! d_B the distance from B, ℓ the size of A. In other words A counts as crowned about each anchor in turn, as rollers are: by
//! |x − c|²/2R, which is at most 2 κ ℓ. An anchor is not quite at its corner but at a = 2 % of the ball within A from each of the faces that meet there, so that it is not over the rounded edge of a B that is flush with A: there its normal would lean by a κ/ℓ. On these
//! faces the crown begins at zero; at the corner itself it is a²/R at most, 4e-8 ℓ. Crowned, a face touches in one point, which moves continuously with the poses. Over a face of B the
//! corners of A stay the contact points; a corner that hangs over an edge of B hands over to the nearest point that does not; where
//! edges cross, that is the crossing; tilted by more than κ, all anchors meet at the lowest corner. As x is that of the least g, the rate of the gap is that
//! of the material there (envelope theorem), so that the forces have a potential. All anchors together make one contact: each has an equal share.
//!
//! B counts as rounded: its edges have a radius r of 2 % of the ball that fits into it (a box's `edge_radius`); faces, barrels and mantles stay where they are, so that
//! what lies on them is exact, and edges that meet edges do so up to (1/sin(β/2) − 1) r late, β the angle between the faces. So d_B is the distance from B's core less r, and from half that depth on it is by the level of depth that A touches, whose edges keep a radius
//! (`levels.rs`): the depth has a slope everywhere, and one minimum. A level has a core as B has, with walls further in, so that one problem serves all (`program.rs`): g is convex, and its minimum is found from the last one by Newton's method on the walls that hold
//! (`active.rs`), and where that leads nowhere by an interior-point method (`interior.rs`).
//!
//! Where g has a kink Newton's method would not arrive: at the tip of a cone. The point is held there as long as what pushes it off is no more than what the kink can hold. Refused as too deep is what comes near the middle of B.
//!
//! Checked: against search, rates against differences, forces against the slopes of their potential (`tests/crowned.rs`).

mod active;
mod anew;
mod interior;
mod program;
mod search;

use std::sync::{Arc, Mutex};

use carom_base::{Pose, Scalar, Two, Vec3};
use nalgebra::SVector;

use super::levels::{Levels, Near, along_level};
use super::{LEAN, SHARP, finite, side_by_side, within};
use crate::contact::{Contact, Curvature, RelativeCurvature, Seed};
use crate::error::PairFailure;
use crate::pair::{
    BoundPair, ContactResult, GapBounds, PairFeatures, PairSolver, Sliding, two_by_two, with_derivatives,
};
use crate::pairs::convex::AnyConvex;
use crate::pairs::either_way;
use crate::shape::{ConvexCore, Project, Shape, Side, Support, Surface};
use crate::surfaces::{Capsule, Cone, Cylinder};
use active::{MOST_ACTIVE, Walls, differentiate};
use program::{MOST_WALLS, Program};
use search::{Last, Minimum};

/// κ: tilts below it move a contact point by less than the size of the solid.
const CROWN: f64 = 1e-4;

/// The solver: two convex solids known by walls, touched from outside; A is the smaller.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::{Cuboid, Cylinder}};
/// let block = Shape::outside(Cuboid::new([0.2, 0.2, 0.1])?); // [m]
/// let can = Shape::outside(Cylinder::new(0.03, 0.10)?);
/// let pair = pairs::bind(&can, &block)?;
/// let standing = Pose::at(Vec3::new(0.0, 0.0, 0.0999)); // 0.1 mm deep
/// let (_, contact) = pair.nearest(&standing, &Pose::identity())?;
/// assert_eq!(pair.solver(), "crowned");
/// assert!((contact.delta - 1e-4).abs() < 1e-14 && (contact.n + Vec3::z()).norm() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Crowned;

#[derive(Debug)]
struct Bound {
    a: Arc<dyn Surface>,
    b: Arc<dyn Surface>,
    /// the solids as they are
    sharp: Box<dyn BoundPair>,
    cores: [ConvexCore; 2],
    /// those of B, if its core is thick enough
    levels: Option<Levels>,
    /// c of each contact point, in A's frame [m], and a [m]
    anchors: Vec<(Vec3, f64)>,
    /// R [m]
    radius: f64,
    /// ℓ [m]
    size: f64,
    /// the minimum of each anchor found last: it is asked for again in the same poses, with derivatives and without
    last: Mutex<Vec<Option<Last>>>,
}

impl PairSolver for Crowned {
    fn name(&self) -> &'static str {
        "crowned"
    }
    fn reference(&self) -> &'static str {
        "the nearest point of a solid that is crowned about each of its corners in turn, by an interior-point method"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        if a.side == Side::Inside || b.side == Side::Inside {
            return None;
        }
        let [of_a, of_b] = [a.surface.as_support()?, b.surface.as_support()?];
        a.surface.as_project().and(b.surface.as_project())?;
        let cores = [of_a.convex_core(false)?, of_b.convex_core(true)?];
        let (size, other) = (a.surface.bounds().radius, b.surface.bounds().radius);
        // the smaller one of two is crowned, a capsule always, which has but two anchors: asked the other way round, they are swapped
        let [of_line, with_line] = [a, b].map(|shape| shape.surface.as_any().is::<Capsule>());
        let smaller = if of_line == with_line { size <= other } else { of_line };
        if !smaller || cores.iter().map(|core| core.walls.len()).sum::<usize>() > MOST_WALLS {
            return None;
        }
        let sharp = either_way(&AnyConvex, a, b)?;
        let rounded = of_a.convex_core(true)?;
        let anchors: Vec<(Vec3, f64)> = of_a.anchors().iter().map(|corner| rounded.inset(corner)).collect();
        let last = Mutex::new(vec![None; anchors.len()]);
        let (a, b, levels) = (a.surface.clone(), b.surface.clone(), levels_of(&cores[1]));
        Some(Box::new(Bound { a, b, sharp, cores, levels, anchors, radius: size / CROWN, size, last }))
    }
}

/// The levels of depth of a solid whose core is thicker than its coat.
fn levels_of(core: &ConvexCore) -> Option<Levels> {
    let inner = core.inner();
    (inner > core.coat && core.coat > 0.0).then(|| Levels::new(core.coat, inner))
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        Crowned.name()
    }
    fn features(&self) -> usize {
        self.anchors.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        if feature < self.anchors.len() { format!("point {}", feature + 1) } else { String::new() }
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let (Ok(c), Some(a), Some(b)) =
            (self.contact(feature, x_a, x_b), self.a.as_project(), self.b.as_project())
        else {
            return SHARP;
        };
        if let Some(line) = self.line(&c, x_a, x_b) {
            return line;
        }
        let of = |surface: &dyn Project, x: &Pose, p: &Vec3| {
            let found = surface.curvature(Side::Outside, 0, &x.point_to_local(p));
            Curvature { direction: x.direction(&found.direction), ..found }
        };
        let both = RelativeCurvature::between(&of(a, x_a, &c.p_a), &of(b, x_b, &c.p_b));
        match (both.k_min + both.k_max).is_finite() {
            true => RelativeCurvature { k_min: both.k_min.max(0.0), k_max: both.k_max.max(0.0), ..both },
            false => SHARP,
        }
    }
    fn bounds(&self) -> GapBounds {
        // a solid of revolution that spins about its axis stays where it is, and only the axis turns its points' directions
        let kind = self.a.as_any();
        let round = kind.is::<Cylinder>() || kind.is::<Cone>() || kind.is::<Capsule>();
        let sliding = Some(Sliding { radius: self.radius, along: round.then(Vec3::z) });
        GapBounds { sliding, ..GapBounds::UNKNOWN }.swapped()
    }
    fn late(&self) -> f64 {
        let sharp = |b: &dyn Support| self.cores[1].late(&b.corners().unwrap_or_else(|| b.anchors()));
        self.b.as_support().map_or(0.0, sharp)
    }
    /// Leaning by the crown, a point runs over a face.
    fn fine(&self) -> f64 {
        CROWN * self.size
    }
    // the point furthest from an anchor is a corner, or on a rim opposite another anchor
    fn crown(&self) -> f64 {
        let corners = self.a.as_support().and_then(|a| a.corners());
        let corners = corners.unwrap_or_else(|| self.anchors.iter().map(|(anchor, _)| *anchor).collect());
        let sag = |(anchor, inset): &(Vec3, f64)| {
            let far = corners.iter().map(|corner| (corner - anchor).norm() + inset).fold(0.0, f64::max);
            (far * far - inset * inset) / (2.0 * self.radius)
        };
        self.anchors.iter().map(sag).fold(0.0, f64::max)
    }
}

impl Bound {
    /// The line of contact of two barrels side by side.
    fn line(&self, c: &Contact, x_a: &Pose, x_b: &Pose) -> Option<RelativeCurvature> {
        let barrel = |surface: &dyn Surface| {
            let cylinder = surface.as_any().downcast_ref::<Cylinder>().map(|c| (c.radius(), c.length()));
            cylinder.or(surface.as_any().downcast_ref::<Capsule>().map(|c| (c.radius(), c.length())))
        };
        let ((r_a, l_a), (r_b, l_b)) = (barrel(&*self.a)?, barrel(&*self.b)?);
        if x_a.axis(2).dot(&c.n).abs() > LEAN {
            return None;
        }
        let length = side_by_side([l_a, l_b], x_a, x_b);
        (length > 0.0).then(|| RelativeCurvature::line([r_a, r_b], length))
    }

    fn program<'r>(&'r self, feature: usize, x: &'r Pose, inset: f64, held: [bool; 2]) -> Program<'r> {
        let ([a, b], (anchor, _)) = (&self.cores, self.anchors[feature]);
        let tips = [a.tip, b.tip_within(inset)];
        Program { a, b, x, anchor, radius: self.radius, size: self.size, inset, tips, held }
    }

    /// How much further in than B's core that of a level is [m].
    fn inset<S: Scalar>(&self, depth: Option<S>) -> S {
        match (depth, &self.levels) {
            (Some(t), Some(levels)) => levels.inset(t),
            _ => S::from_f64(0.0),
        }
    }

    /// The problem that a minimum is of.
    fn program_of<'r>(&'r self, feature: usize, x: &'r Pose, found: &Minimum) -> Program<'r> {
        self.program(feature, x, self.inset(found.depth), found.held)
    }

    /// By how much the crown is lower at a point of A than about its anchor [m].
    fn sag<S: Scalar>(&self, feature: usize, p: &Vec3<S>) -> S {
        let (anchor, inset) = self.anchors[feature];
        let off = p - anchor.map(S::from_f64);
        (off.dot(&off) - S::from_f64(inset * inset)) * S::from_f64(0.5 / self.radius)
    }

    /// How much the distance from B's core grows as its walls go inwards: Σ λ over the walls that hold.
    fn by_inset<S: Scalar>(
        &self,
        program: &Program<'_>,
        walls: &Walls,
        lambda: &[S; MOST_ACTIVE],
        n: &Vec3<S>,
    ) -> S {
        match program.tips[1].filter(|_| program.held[1]) {
            Some(tip) => n.dot(&tip.way_inwards().map(S::from_f64)),
            None => {
                let of_b = walls.iter().zip(lambda).filter(|(wall, _)| *wall >= program.a.walls.len());
                of_b.fold(S::from_f64(0.0), |sum, (_, own)| sum + *own)
            }
        }
    }

    /// The contact of the minimum `w`, with derivatives if it has some.
    fn touch<S: Scalar>(
        &self,
        feature: usize,
        (w, lambda): (&SVector<S, 6>, &[S; MOST_ACTIVE]),
        found: &Minimum,
        depth: Option<S>,
        [x, x_b]: [&Pose<S>; 2],
    ) -> Result<Contact<S>, PairFailure> {
        let [a, b] = &self.cores;
        let vector = |row: usize| Vec3::new(w[row], w[row + 1], w[row + 2]);
        let p = vector(0);
        let here = x.point(&p);
        let apart = vector(3) - here;
        let d = apart.dot(&apart).sqrt();
        let n = apart / d;
        let coats = [a.coat, b.coat].map(S::from_f64);
        let t = depth.unwrap_or_else(|| coats[1] - d - self.sag(feature, &p));
        let delta = coats[0] + t;
        let n_world = x_b.direction(&n);
        let p_b = x_b.point(&(here - n * (coats[1] + self.inset(depth) - d)));
        let mut share = S::from_f64(1.0 / self.anchors.len() as f64);
        let mut common = None;
        if let (Some(t), Some(levels)) = (depth, &self.levels) {
            let still = Pose { p: x.p.map(Scalar::value), r: x.r.map(Scalar::value) };
            let program = self.program_of(feature, &still, found);
            let steepness = levels.steepness(t, self.by_inset(&program, &found.least.walls, lambda, &n));
            share *= steepness;
            common = Some(along_level(&n_world, steepness));
        }
        finite(Contact { p_a: p_b + n_world * delta, p_b, n: n_world, delta, share, common })
    }
}

impl Bound {
    /// The contact with its derivatives.
    fn moving<S: Scalar>(
        &self,
        feature: usize,
        [x_a, x_b]: [&Pose<S>; 2],
        seed: Option<&Seed>,
    ) -> Option<ContactResult<S>> {
        let x = x_a.seen_from(x_b);
        let value = Pose { p: x.p.map(Scalar::value), r: x.r.map(Scalar::value) };
        let found = match within(feature, self.anchors.len()).and_then(|k| self.least(k, &value, seed)) {
            Ok(found) => found,
            Err(e) => return Some(Err(e)),
        };
        let program = self.program_of(feature, &value, &found);
        let depth = self.depth_by_pose(feature, &program, &found, &x);
        let (w, lambda) = differentiate(&program, &found.least, &x, self.inset(depth))?;
        Some(self.touch(feature, (&w, &lambda), &found, depth, [&x, x_b]))
    }

    /// The depth of the level that A touches with its derivatives: those of the distance from its core, which is least.
    fn depth_by_pose<S: Scalar>(
        &self,
        feature: usize,
        program: &Program<'_>,
        found: &Minimum,
        x: &Pose<S>,
    ) -> Option<S> {
        let (t, levels) = (found.depth?, self.levels.as_ref()?);
        let constant = |v: Vec3| v.map(S::from_f64);
        let w = &found.least.w;
        let apart = constant(Program::q(w)) - x.point(&constant(Program::p(w)));
        let d = apart.dot(&apart).sqrt();
        let near = self.near(feature, program, &found.least, ());
        let steepness = levels.steepness(t, near.walls);
        Some(S::from_f64(t) - (d - S::from_f64(d.value())) * S::from_f64(steepness))
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        self.contact_from(feature, x_a, x_b, None)
    }
    fn contact_from(&self, feature: usize, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> ContactResult {
        let feature = within(feature, self.anchors.len())?;
        let x = x_a.seen_from(x_b);
        let found = self.least(feature, &x, seed)?;
        let Minimum { least, depth, .. } = &found;
        self.touch(feature, (&least.w, &least.lambda), &found, *depth, [&x, x_b])
    }
    fn is_iterative(&self) -> bool {
        true
    }
    fn contacts_from(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        seed: &dyn Fn(usize) -> Option<Seed>,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        two_by_two(features, contacts, |k| self.contact_from(k, x_a, x_b, seed(k).as_ref()))
    }
    with_derivatives!(|pair, k, x_a, x_b, seed| pair.moving(k, [x_a, x_b], seed));
    fn sharp(&self) -> Option<&dyn BoundPair> {
        Some(&*self.sharp)
    }
}

#[cfg(test)]
mod tests;
