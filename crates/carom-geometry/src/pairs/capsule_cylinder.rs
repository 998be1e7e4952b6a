//! Capsules and cylinders against each other, and capsules against boxes: nearest points of their axes.
//!
//! A capsule is its axis, widened by its radius; so is a cylinder, between its caps. With x the point of B's axis nearest to
//! A's (or to the box), d their distance and u its direction, n = u and δ = r_A + r_B − d. Two axes that are parallel, or an axis along a face, have no single
//! nearest points; so both ends of B follow their own (`slide`), each carrying half the force. Lying, the body rests on both; crossed, they meet
//! where the axes are nearest.
//!
//! A capsule against a cylinder is its axis against the cylinder as it is, with rims and caps: of the axis the point with the least distance from the solid, each end its own, δ = r_B − d (`rod_on_can`).
//!
//! The ends of a cylinder are not round, and two of them know barrels only. Where an axis ends before the nearest point, a rim or a cap is nearest, and that is no matter of axes: as far as the solids as they are are apart,
//! that is the gap; where they touch, the contact is refused ([`PairFailure::Rim`]); `crowned`, by name, takes rims too, in more points and more time. How far apart such bodies are is another question, of convex solids
//! with edges: see `search`.

use carom_base::{Dual, Pose, Scalar, Vec3};

use super::convex::AnyConvex;
use super::rod_on_can::RodOnCan;
use super::slide::{Block, Reach, Slid, slide, slide_dual};
use super::{boxes_apart, either_way, finite, name_in, solid, within};
use crate::closest_point::direction;
use crate::contact::{Contact, Curvature, Found, RelativeCurvature, Seed};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairSolver, Sliding};
use crate::shape::Shape;
use crate::surfaces::{Capsule, Cuboid, Cylinder};

/// The solver: A a box, a cylinder or a capsule, B a capsule or a cylinder (a box meets capsules only).
#[derive(Debug)]
pub struct CapsuleCylinder;

/// A body as a core and a coat around it.
#[derive(Clone, Copy, Debug)]
struct Coated {
    core: Vec3,
    radius: f64,
    /// a cylinder: the coat ends with the axis
    flat_ends: bool,
}

#[derive(Debug)]
struct Bound {
    a: Coated,
    b: Coated,
    reach: Reach,
    /// the solids as they are
    sharp: Box<dyn BoundPair>,
}

const NAMES: [&str; 2] = ["end+", "end-"];
/// The normal of a capsule or cylinder is across its axis; crowned, it may lean this much.
const LEAN: f64 = 2e-3;
/// Axes of cylinders are no nearer to each other than this share of the sum of their radii.
const DEEPEST: f64 = 0.25;

fn coated(shape: &Shape) -> Option<Coated> {
    let along = |length: f64| Vec3::new(0.0, 0.0, 0.5 * length);
    if let Some(c) = solid::<Capsule>(shape) {
        return Some(Coated { core: along(c.length()), radius: c.radius(), flat_ends: false });
    }
    let c = solid::<Cylinder>(shape)?;
    Some(Coated { core: along(c.length()), radius: c.radius(), flat_ends: true })
}

impl PairSolver for CapsuleCylinder {
    fn name(&self) -> &'static str {
        "capsule-cylinder"
    }
    fn reference(&self) -> &'static str {
        "nearest points of the axes; cf. Ericson 2005, Real-Time Collision Detection, 5.1.9"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        let (rod, sharp) = (coated(b)?, either_way(&AnyConvex, a, b)?);
        let reach = Reach::new(2.0 * rod.core);
        // a capsule's axis against a cylinder as it is, whichever is the longer
        if let (Some(can), Some(capsule)) = (solid::<Cylinder>(a), solid::<Capsule>(b)) {
            return Some(Box::new(RodOnCan::new(*can, *capsule, sharp)));
        }
        if solid::<Capsule>(a).is_some() && rod.flat_ends {
            return None;
        }
        if let (Some(cuboid), false) = (solid::<Cuboid>(a), rod.flat_ends) {
            let a = Coated { core: *cuboid.half(), radius: 0.0, flat_ends: false };
            return Some(Box::new(Bound { a, b: rod, reach, sharp }));
        }
        let a = coated(a)?;
        // the shorter one's ends are followed
        (rod.core.z <= a.core.z).then(|| Box::new(Bound { a, b: rod, reach, sharp }) as Box<dyn BoundPair>)
    }
}

impl Bound {
    fn at<S: Scalar>(
        &self,
        feature: usize,
        x_a: &Pose<S>,
        x_b: &Pose<S>,
        slide: impl Fn(&Vec3, &Block<S>, &Reach) -> Result<Slid<S>, PairFailure>,
    ) -> Result<Contact<S>, PairFailure> {
        let side = if within(feature, NAMES.len())? == 0 { 1.0 } else { -1.0 };
        let axis = x_b.axis(2);
        let end = x_a.point_to_local(&(x_b.p + axis * S::from_f64(side * self.b.core.z)));
        let inwards = |v: Vec3<S>| x_a.direction_to_local(&v) * S::from_f64(-side);
        let block =
            Block { corner: end, inwards: [inwards(x_b.axis(0)), inwards(x_b.axis(1)), inwards(axis)] };
        let at = slide(&self.a.core, &block, &self.reach)?;
        let n = x_a.direction(&at.u);
        let (r_a, r_b) = (S::from_f64(self.a.radius), S::from_f64(self.b.radius) - self.reach.sag(&at.s));
        let x = x_a.point(&at.x);
        // both ends of a rod carry half of what the law gives
        let (delta, share) = (r_a + r_b - at.d, S::from_f64(0.5));
        let contact = Contact { p_a: x - n * (at.d - r_a), p_b: x - n * r_b, n, delta, share };
        match self.leans(&at, &block).then(|| self.apart(x_a, x_b)) {
            Some(Some(apart)) => finite(apart),
            Some(None) if contact.delta.value() > 0.0 => Err(PairFailure::Rim),
            _ => finite(contact),
        }
    }

    /// The gap where a rim or a cap is nearest, as long as it is one. (It is no force that depends on it, so that it needs no derivatives.)
    fn apart<S: Scalar>(&self, x_a: &Pose<S>, x_b: &Pose<S>) -> Option<Contact<S>> {
        let value = |x: &Pose<S>| Pose { p: x.p.map(Scalar::value), r: x.r.map(Scalar::value) };
        let apart = self.sharp.closest(&value(x_a), &value(x_b)).ok().filter(|c| c.delta < 0.0)?;
        let constant = |v: &Vec3| v.map(S::from_f64);
        let (p_a, p_b, n) = (constant(&apart.p_a), constant(&apart.p_b), constant(&apart.n));
        Some(Contact { p_a, p_b, n, delta: S::from_f64(apart.delta), share: S::from_f64(0.5) })
    }

    /// Whether a cylinder is met beyond the end of its axis; or whether axes are next to each other, as those of cans are that stand on one another: barrels are never that deep.
    fn leans<S: Scalar>(&self, at: &Slid<S>, block: &Block<S>) -> bool {
        let flat_ends = self.a.flat_ends || self.b.flat_ends;
        (flat_ends && at.d.value() < DEEPEST * (self.a.radius + self.b.radius))
            || (self.a.flat_ends && at.u.z.value().abs() > LEAN)
            || (self.b.flat_ends && at.u.dot(&block.inwards[2]).value().abs() > LEAN)
    }

    /// The length along which two bodies lie side by side [m]: the common part of their axes; zero unless these are parallel.
    fn line(&self, x_a: &Pose, x_b: &Pose) -> f64 {
        let (along, axis) = (x_a.axis(2), x_b.axis(2));
        if along.cross(&axis).norm() > LEAN {
            return 0.0;
        }
        let (middle, a, b) = ((x_b.p - x_a.p).dot(&along), self.a.core.z, self.b.core.z);
        (a.min(middle + b) - (-a).max(middle - b)).max(0.0)
    }

    /// The curvature of a coat at its contact: round about an axis that the normal is across, else that of a ball.
    fn coat(&self, body: &Coated, axis: &Vec3, n: &Vec3) -> Curvature {
        let round = if body.radius == 0.0 { 0.0 } else { 1.0 / body.radius };
        let along = if axis.dot(n).abs() > LEAN { round } else { 0.0 };
        Curvature { k1: round, k2: along, direction: direction(&axis.cross(n), Vec3::x).0 }
    }
}

impl PairFeatures for Bound {
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
        let ball = 1.0 / self.b.radius;
        // along a face only the ends carry the load, and they are balls
        if self.a.radius == 0.0 {
            return RelativeCurvature::point(ball, ball);
        }
        let Ok(c) = self.contact(feature, x_a, x_b) else {
            return RelativeCurvature::point(ball, ball);
        };
        let coat = |body: &Coated, x: &Pose| self.coat(body, &x.axis(2), &c.n);
        let k = RelativeCurvature::between(&coat(&self.a, x_a), &coat(&self.b, x_b));
        let (length, radii) = (self.line(x_a, x_b), [self.a.radius, self.b.radius]);
        match length > 0.0 {
            true => RelativeCurvature { k_min: k.k_min.max(0.0), length, radii, ..k },
            false => RelativeCurvature { k_min: k.k_min.max(0.0), ..k },
        }
    }
    // as they slide along the axis, gaps are not convex
    fn bounds(&self) -> GapBounds {
        GapBounds {
            sliding: Some(Sliding { radius: self.reach.radius(), along: Some(Vec3::z()) }),
            ..GapBounds::UNKNOWN
        }
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.at(feature, x_a, x_b, slide)
    }
    fn contact_dual(
        &self,
        feature: usize,
        x_a: &Pose<Dual<6>>,
        x_b: &Pose<Dual<6>>,
    ) -> Option<ContactResult<Dual<6>>> {
        Some(self.at(feature, x_a, x_b, slide_dual))
    }
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.search(x_a, x_b, None).map(|found| found.contact)
    }
    /// A cylinder has rims: the nearest of the solids as they are. Without one, those of the axes.
    fn search(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<Found, PairFailure> {
        if self.a.flat_ends || self.b.flat_ends {
            return self.sharp.search(x_a, x_b, seed);
        }
        let Contact { p_a, p_b, n, delta, .. } = boxes_apart::closest(&self.a.core, &self.b.core, x_a, x_b);
        let (r_a, r_b) = (self.a.radius, self.b.radius);
        let contact =
            Contact { p_a: p_a + n * r_a, p_b: p_b - n * r_b, n, delta: delta + r_a + r_b, share: 1.0 };
        Ok(Found {
            contact: finite(contact)?,
            steps: 0,
            certified: true,
            unique: true,
            solver: CapsuleCylinder.name(),
        })
    }
}
