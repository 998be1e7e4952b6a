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
//! B counts as rounded: its edges have a radius r of 2 % of the ball that fits into it (a box's `edge_radius`); faces and barrels stay where they are, so that
//! what lies on them is exact, and edges that meet edges do so up to (√2 − 1) r late. So d_B is the distance from B's core less r, and as long as A does
//! not reach into the core, g is smooth and convex, with one minimum (`interior.rs`).
//!
//! Checked: against search, rates against differences, forces against the slopes of their potential (`tests/crowned.rs`).

mod interior;

use std::sync::Arc;

use carom_base::{Pose, Vec3};

use super::{SHARP, finite, within};
use crate::contact::{Contact, Curvature, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairSolver, Sliding};
use crate::shape::{ConvexCore, Project, Shape, Side, Surface};
use interior::{MOST_WALLS, Problem};

/// κ: tilts below it hardly move a contact point.
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
        let (a, b, anchors) = (a.surface.clone(), b.surface.clone(), of_a.anchors());
        Some(Box::new(Bound { a, b, cores, anchors, radius: size / CROWN, size }))
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

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        let anchor = self.anchors[within(feature, self.anchors.len())?];
        let x = x_a.seen_from(x_b);
        if !(x.p.sum() + x.r.sum()).is_finite() {
            return Err(PairFailure::NotFinite);
        }
        let [a, b] = &self.cores;
        let problem = Problem { a, b, x: &x, anchor, radius: self.radius, size: self.size };
        let found = problem.solve().ok_or(PairFailure::TooDeep)?;
        let apart = found.q - x.point(&found.p);
        let d = apart.norm();
        let n = x_b.direction(&(apart / d));
        let sag = (found.p - anchor).norm_squared() / (2.0 * self.radius);
        let delta = a.coat + b.coat - d - sag;
        let p_b = x_b.point(&found.q) - n * b.coat;
        finite(Contact { p_a: p_b + n * delta, p_b, n, delta, share: 1.0 / self.anchors.len() as f64 })
    }
}
