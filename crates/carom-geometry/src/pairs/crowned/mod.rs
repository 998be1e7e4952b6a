//! Two convex solids with flat faces, edges or rims: contact points that neither jump nor coincide.
//!
//! Solids that lie flat on one another have no single nearest points, and those that do not lie quite flat have them jump from
//! corner to corner with the least tilt. So A carries *anchors* c, fixed points spread over it (corners, points of rims), and
//! each anchor has a contact point of its own: the point x of A with the least
//!
//!   g(x) = d_B(x) + |x − c|²/2R ,      R = ℓ/κ ,
//!
//! d_B the distance from B, ℓ the size of A. In other words A counts as crowned about each anchor in turn, as rollers are: by
//! |x − c|²/2R, which is at most 2 κ ℓ. Crowned, a face touches in one point, which moves continuously with the poses. Over a face of B the
//! corners of A stay the contact points; a corner that hangs over an edge of B hands over to the nearest point that does not; where
//! edges cross, that is the crossing; tilted by more than κ, all anchors meet at the lowest corner. As x is that of the least g, the rate of the gap is that
//! of the material there (envelope theorem), so that the forces have a potential. All anchors together make one contact: each has an equal share.
//!
//! B counts as rounded: its edges have a radius r of 2 % of the ball that fits into it (a box's `edge_radius`); faces, barrels and mantles stay where they are, so that
//! what lies on them is exact, and edges that meet edges do so up to (1/sin(β/2) − 1) r late, β the angle between the faces. So d_B is the distance from B's core less r, within the core that from
//! its nearest wall. g is convex and has one minimum (`program.rs`). It is found from the last one by Newton's method on the walls that hold (`active.rs`), and where that leads nowhere
//! by an interior-point method (`interior.rs`).
//!
//! Refused as too deep: a point that is as near to two walls of B's core as to each other, far within, where the contact has no normal.
//!
//! Checked: against search, rates against differences, forces against the slopes of their potential (`tests/crowned.rs`).

mod active;
mod interior;
mod program;

use std::sync::Arc;

use carom_base::{Dual, Pose, Scalar, Two, Vec3};
use nalgebra::SVector;

use super::{SHARP, finite, within};
use crate::contact::{Contact, Curvature, Found, RelativeCurvature, Seed};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairSolver, Sliding, two_by_two};
use crate::pairs::convex::AnyConvex;
use crate::pairs::either_way;
use crate::shape::{ConvexCore, Project, Shape, Side, Surface};
use active::{Least, Walls, differentiate, settle};
use program::{MOST_WALLS, Program, Unknowns};

/// κ: tilts below it hardly move a contact point.
const CROWN: f64 = 1e-4;

/// A point this much of the size off a wall was on it.
const HELD: f64 = 1e-9;

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
    /// c of each contact point, in A's frame [m]
    anchors: Vec<Vec3>,
    /// R [m]
    radius: f64,
    /// ℓ [m]
    size: f64,
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
        // the smaller one of two is crowned: asked the other way round, they are swapped
        if size > other || cores.iter().map(|core| core.walls.len()).sum::<usize>() > MOST_WALLS {
            return None;
        }
        let sharp = either_way(&AnyConvex, a, b)?;
        let (a, b, anchors) = (a.surface.clone(), b.surface.clone(), of_a.anchors());
        Some(Box::new(Bound { a, b, sharp, cores, anchors, radius: size / CROWN, size }))
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        Crowned.name()
    }
    fn features(&self) -> usize {
        self.anchors.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        format!("point {}", feature + 1)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let (Ok(c), Some(a), Some(b)) =
            (self.contact(feature, x_a, x_b), self.a.as_project(), self.b.as_project())
        else {
            return SHARP;
        };
        let of = |surface: &dyn Project, x: &Pose, p: &Vec3| {
            let found = surface.curvature(Side::Outside, 0, &x.point_to_local(p));
            Curvature { direction: x.direction(&found.direction), ..found }
        };
        let both = RelativeCurvature::between(&of(a, x_a, &c.p_a), &of(b, x_b, &c.p_b));
        RelativeCurvature { k_min: both.k_min.max(0.0), k_max: both.k_max.max(0.0), ..both }
    }
    fn bounds(&self) -> GapBounds {
        let sliding = Some(Sliding { radius: self.radius, along: None });
        GapBounds { sliding, ..GapBounds::UNKNOWN }.swapped()
    }
}

/// Where the minimum was found.
struct Minimum {
    least: Least,
    /// whether it is within B's core
    within: bool,
    /// which tips are held
    held: [bool; 2],
}

impl Bound {
    fn program<'r>(&'r self, feature: usize, x: &'r Pose, within: bool, held: [bool; 2]) -> Program<'r> {
        let ([a, b], anchor) = (&self.cores, self.anchors[feature]);
        Program { a, b, x, anchor, radius: self.radius, size: self.size, within, held }
    }

    /// The minimum; `x` is A's frame in B's.
    fn least(&self, feature: usize, x: &Pose, seed: Option<&Seed>) -> Result<Minimum, PairFailure> {
        if !(x.p.sum() + x.r.sum()).is_finite() {
            return Err(PairFailure::NotFinite);
        }
        if let Some(found) = seed.and_then(|seed| self.from_seed(feature, x, seed)) {
            return Ok(found);
        }
        for within in [false, true] {
            for held in [[false; 2], [true, false], [false, true], [true; 2]] {
                if (0..2).any(|k| held[k] && self.cores[k].tip.is_none()) || (within && held[1]) {
                    continue;
                }
                let program = self.program(feature, x, within, held);
                if let Some(least) = from_nowhere(&program).filter(|least| is_it(&program, least)) {
                    return Ok(Minimum { least, within, held });
                }
            }
        }
        Err(PairFailure::TooDeep)
    }

    /// The minimum from that of the last step, whose walls most likely still hold.
    fn from_seed(&self, feature: usize, x: &Pose, seed: &Seed) -> Option<Minimum> {
        let [a, b] = &self.cores;
        let sag = |p: &Vec3| (p - self.anchors[feature]).norm_squared() / (2.0 * self.radius);
        let p = seed.p_a - seed.n * (a.coat - sag(&seed.p_a));
        let t = a.coat + b.coat - seed.delta - sag(&p);
        let (within, q) = (t <= 0.0, seed.p_b + x.direction(&seed.n) * b.coat);
        let at_tip = |core: &ConvexCore, p: &Vec3| {
            core.tip.is_some_and(|tip| (tip.point() - p).norm() <= HELD * self.size)
        };
        let held = [at_tip(a, &p), !within && at_tip(b, &q)];
        let program = self.program(feature, x, within, held);
        let mut w = Unknowns::zeros();
        w.fixed_rows_mut::<3>(0).copy_from(&p);
        w.fixed_rows_mut::<3>(3).copy_from(&q);
        program.hold(&mut w);
        let mut walls = Walls::default();
        if within {
            let height = |k: usize| b.walls[k].height(&x.point(&p)).g;
            let highest = (0..b.walls.len()).max_by(|j, k| height(*j).total_cmp(&height(*k)))?;
            walls.add(a.walls.len() + highest);
            (w[3], w[4], w[5]) = (height(highest), 0.0, 0.0);
        }
        for i in 0..if within { a.walls.len() } else { program.count() } {
            if program.limit(i, &w)?.g.abs() <= HELD * self.size && !walls.add(i) {
                return None;
            }
        }
        let least = settle(&program, &w, walls)?;
        is_it(&program, &least).then_some(Minimum { least, within, held })
    }

    /// The contact of the minimum `w`, with derivatives if it has some.
    fn touch<S: Scalar>(
        &self,
        feature: usize,
        w: &SVector<S, 6>,
        found: &Minimum,
        [x, x_b]: [&Pose<S>; 2],
    ) -> Result<Contact<S>, PairFailure> {
        let [a, b] = &self.cores;
        let vector = |row: usize| Vec3::new(w[row], w[row + 1], w[row + 2]);
        let p = vector(0);
        let here = x.point(&p);
        let (t, n) = if found.within {
            let mut n = Vec3::from_element(S::from_f64(0.0));
            let at_x = here.map(Scalar::value);
            for (k, wall) in found.least.walls.iter().enumerate() {
                let Some(wall) = wall.checked_sub(a.walls.len()) else { continue };
                let height = b.walls[wall].height(&at_x);
                let moved = here - at_x.map(S::from_f64);
                let gradient = height.gradient.map(S::from_f64) + height.hessian.map(S::from_f64) * moved;
                n -= gradient * S::from_f64(found.least.lambda[k]);
            }
            // two walls as near: no normal
            if !(n.map(Scalar::value).norm() > 1.0 - 1e-6) {
                return Err(PairFailure::TooDeep);
            }
            (w[3], n / n.dot(&n).sqrt())
        } else {
            let apart = vector(3) - here;
            let d = apart.dot(&apart).sqrt();
            (d, apart / d)
        };
        let from_anchor = p - self.anchors[feature].map(S::from_f64);
        let sag = from_anchor.dot(&from_anchor) * S::from_f64(0.5 / self.radius);
        let coats = [a.coat, b.coat].map(S::from_f64);
        let delta = coats[0] + coats[1] - t - sag;
        let n_world = x_b.direction(&n);
        let p_b = x_b.point(&(here - n * (coats[1] - t)));
        let share = S::from_f64(1.0 / self.anchors.len() as f64);
        finite(Contact { p_a: p_b + n_world * delta, p_b, n: n_world, delta, share })
    }
}

/// Whether what was found solves the problem itself, not only as it was put.
fn is_it(program: &Program<'_>, least: &Least) -> bool {
    (!program.within || least.w[3] <= 0.0) && program.may_be_held(&least.w)
}

/// The minimum by the interior-point method, made exact.
fn from_nowhere(program: &Program<'_>) -> Option<Least> {
    let near = interior::approach(program)?;
    let mut walls = Walls::default();
    for i in 0..program.count() {
        let slack = -program.limit(i, &near.w)?.g;
        if near.lambda[i] > slack / program.size && !walls.add(i) {
            return None;
        }
    }
    settle(program, &near.w, walls)
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        self.contact_from(feature, x_a, x_b, None)
    }
    fn contact_from(&self, feature: usize, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> ContactResult {
        let feature = within(feature, self.anchors.len())?;
        let x = x_a.seen_from(x_b);
        let found = self.least(feature, &x, seed)?;
        self.touch(feature, &found.least.w, &found, [&x, x_b])
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
    fn contact_dual(
        &self,
        feature: usize,
        x_a: &Pose<Dual<6>>,
        x_b: &Pose<Dual<6>>,
    ) -> Option<ContactResult<Dual<6>>> {
        let x = x_a.seen_from(x_b);
        let value = Pose { p: x.p.map(Scalar::value), r: x.r.map(Scalar::value) };
        let found = match within(feature, self.anchors.len()).and_then(|k| self.least(k, &value, None)) {
            Ok(found) => found,
            Err(e) => return Some(Err(e)),
        };
        let program = self.program(feature, &value, found.within, found.held);
        let w = differentiate(&program, &found.least, &x)?;
        Some(self.touch(feature, &w, &found, [&x, x_b]))
    }
    /// Of the solids as they are, with sharp edges.
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> ContactResult {
        self.sharp.closest(x_a, x_b)
    }
    fn search(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<Found, PairFailure> {
        self.sharp.search(x_a, x_b, seed)
    }
}
