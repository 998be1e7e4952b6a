//! Capsules against each other, against cylinders and against boxes: nearest points of their axes.
//!
//! A capsule is its axis, widened by its radius. With x the point of B's axis nearest to
//! A's (or to the box), d their distance and u its direction, n = u and δ = r_A + r_B − d. Two axes that are parallel, or an axis along a face, have no single
//! nearest points; so both ends of B follow their own (`slide`), each carrying half the force. Lying, the body rests on both; crossed, they meet
//! where the axes are nearest.
//!
//! A capsule against a cylinder as it is, with rims and caps: of the axis the point with the least distance from the solid, each end its own, δ = r_B − d (`capsule_on_cylinder`).

use carom_base::{Pose, Scalar, Vec3};

use super::capsule_on_cylinder::CapsuleOnCylinder;
use super::convex::AnyConvex;
use super::rounded::Rounded;
use super::slide::{Block, Reach, Slid, slide, slide_dual};
use super::{LEAN, boxes_apart, either_way, finite, name_in, side_by_side, solid, within};
use crate::closest_point::{direction, tangent};
use crate::contact::{Contact, Curvature, Found, RelativeCurvature, Seed};
use crate::error::PairFailure;
use crate::pair::{BoundPair, GapBounds, PairFeatures, PairSolver, Sliding, with_derivatives};
use crate::shape::Shape;
use crate::surfaces::{Capsule, Cuboid, Cylinder};

/// The solver: A a box, a cylinder or a capsule, B a capsule.
#[derive(Debug)]
pub struct CapsuleCylinder;

/// A body as a core and a coat around it.
#[derive(Clone, Copy, Debug)]
struct Coated {
    core: Vec3,
    radius: f64,
}

#[derive(Debug)]
struct Bound {
    a: Coated,
    b: Coated,
    reach: Reach,
}

const NAMES: [&str; 2] = ["end+", "end-"];

fn coated(capsule: &Capsule) -> Coated {
    Coated { core: Vec3::new(0.0, 0.0, 0.5 * capsule.length()), radius: capsule.radius() }
}

impl PairSolver for CapsuleCylinder {
    fn name(&self) -> &'static str {
        "capsule-cylinder"
    }
    fn reference(&self) -> &'static str {
        "nearest points of the axes; cf. Ericson 2005, Real-Time Collision Detection, 5.1.9"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        let capsule = solid::<Capsule>(b)?;
        // its axis against a cylinder as it is, whichever is the longer
        if let Some(cylinder) = solid::<Cylinder>(a) {
            let sharp = either_way(&AnyConvex, a, b)?;
            return Some(Box::new(CapsuleOnCylinder::new(*cylinder, *capsule, sharp)));
        }
        let b = coated(capsule);
        let reach = Reach::new(2.0 * b.core);
        if let Some(cuboid) = solid::<Cuboid>(a) {
            let a = Coated { core: *cuboid.half(), radius: 0.0 };
            return Some(Box::new(Bound { a, b, reach }));
        }
        let a = coated(solid::<Capsule>(a)?);
        // the shorter one's ends are followed
        (b.core.z <= a.core.z).then(|| Box::new(Bound { a, b, reach }) as Box<dyn BoundPair>)
    }
}

impl Bound {
    fn at<S: Scalar>(
        &self,
        feature: usize,
        x_a: &Pose<S>,
        x_b: &Pose<S>,
        slide: impl Fn(&Rounded, &Block<S>, &Reach) -> Result<Slid<S>, PairFailure>,
    ) -> Result<Contact<S>, PairFailure> {
        let side = if within(feature, NAMES.len())? == 0 { 1.0 } else { -1.0 };
        let axis = x_b.axis(2);
        let end = x_a.point_to_local(&(x_b.p + axis * S::from_f64(side * self.b.core.z)));
        let inwards = |v: Vec3<S>| x_a.direction_to_local(&v) * S::from_f64(-side);
        let block =
            Block { corner: end, inwards: [inwards(x_b.axis(0)), inwards(x_b.axis(1)), inwards(axis)] };
        let core = Rounded { core: self.a.core, radius: 0.0 };
        let at = slide(&core, &block, &self.reach)?;
        let n = x_a.direction(&at.level.u);
        let (r_a, r_b) = (S::from_f64(self.a.radius), S::from_f64(self.b.radius) - self.reach.sag(&at.s));
        let x = x_a.point(&at.x);
        // both ends of a capsule carry half of what the law gives
        let (delta, share) = (r_a + r_b - at.level.d, S::from_f64(0.5));
        finite(Contact { p_a: x - n * (at.level.d - r_a), p_b: x - n * r_b, n, delta, share, common: None })
    }

    /// The direction that parts two axes the furthest, and by how much they overlap along it [m]: of axes that nearly touch, points do not tell it to the last digit. It is across
    /// the axes between whose ends the points are.
    fn parting(&self, n: &Vec3, x_a: &Pose, x_b: &Pose) -> (Vec3, f64) {
        let (u, v, c) = (x_a.axis(2), x_b.axis(2), x_b.p - x_a.p);
        let overlap = |n: &Vec3| self.a.core.z * u.dot(n).abs() + self.b.core.z * v.dot(n).abs() - n.dot(&c);
        // (twice: what is left of one almost along the axis is rounding)
        let once = |n: Vec3, axis: &Vec3| direction(&(n - axis * axis.dot(&n)), || tangent(axis)).0;
        let across = |n: Vec3, axis: &Vec3| once(once(n, axis), axis);
        let normal = u.cross(&v);
        let mut best = (*n, overlap(n));
        for near in [*n, normal * 1f64.copysign(normal.dot(&c)), c] {
            let (by_u, by_v) = (across(near, &u), across(near, &v));
            for n in [by_u, by_v, across(by_u, &v), across(by_v, &u)] {
                best = if overlap(&n) < best.1 { (n, overlap(&n)) } else { best };
            }
        }
        best
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
        let lengths = [2.0 * self.a.core.z, 2.0 * self.b.core.z];
        let (length, radii) = (side_by_side(lengths, x_a, x_b), [self.a.radius, self.b.radius]);
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
    with_derivatives!(|pair, k, x_a, x_b, _| Some(pair.at(k, x_a, x_b, slide_dual)));
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.search(x_a, x_b, None).map(|found| found.contact)
    }
    fn search(&self, x_a: &Pose, x_b: &Pose, _seed: Option<&Seed>) -> Result<Found, PairFailure> {
        let Contact { p_a, n, delta, .. } = boxes_apart::closest(&self.a.core, &self.b.core, x_a, x_b);
        let (r_a, r_b) = (self.a.radius, self.b.radius);
        let (n, delta) = if r_a > 0.0 { self.parting(&n, x_a, x_b) } else { (n, delta) };
        let (p_a, delta) = (p_a + n * r_a, delta + r_a + r_b);
        let contact = Contact { p_a, p_b: p_a - n * delta, n, delta, share: 1.0, common: None };
        Ok(Found {
            contact: finite(contact)?,
            steps: 0,
            bounds: None,
            unique: true,
            solver: CapsuleCylinder.name(),
        })
    }
}
