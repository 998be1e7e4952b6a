//! A capsule on a plane: the two balls at its ends.
//!
//! A plane touches a capsule lowest at one of its end balls, or, lying, at both and the line between.
//! Each ball is a contact point of its own: with m = n in the capsule's frame its lowest point is c − r m/|m|, c = ±L/2 z, as in
//! `sphere_plane`; so a lying capsule is held at two points and does not rock. Of a capsule that is deformed by F, m = Fᵀ n is no unit
//! vector, and the ends are ellipsoids.

use carom_base::{Pose, Scalar, Vec3};

use super::deformed::curvature;
use super::{finite, name_in, plane_box, solid, within};
use crate::closest_point::{direction, tangent};
use crate::contact::{Contact, Curvature, RelativeCurvature};
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairSolver};
use crate::shape::Shape;
use crate::surfaces::{Capsule, Plane};

/// The solver: A a plane, B a capsule.
#[derive(Debug)]
pub struct PlaneCapsule;

#[derive(Debug)]
struct Bound {
    radius: f64,
    half: f64,
}

const NAMES: [&str; 2] = ["end+", "end-"];

/// The contact of a ball of that radius [m] about the point `height` [m] of B's z axis with the plane
/// z = 0 of A's frame.
///
/// ```
/// use carom_geometry::{Pose, Vec3, pairs::plane_capsule};
/// let x_b = Pose::at(Vec3::new(0.0, 0.0, 1.25)); // standing
/// let c = plane_capsule::contact(0.5, -1.0, &Pose::identity(), &x_b);
/// assert_eq!(c.delta, 0.25);
/// ```
#[inline]
pub fn contact<S: Scalar>(radius: f64, height: f64, x_a: &Pose<S>, x_b: &Pose<S>) -> Contact<S> {
    let (m, _) = direction(&x_b.direction_to_local(&x_a.axis(2)), Vec3::z);
    let mut lowest = -m * S::from_f64(radius);
    lowest.z += S::from_f64(height);
    plane_box::contact(&lowest, x_a, x_b)
}

impl PairSolver for PlaneCapsule {
    fn name(&self) -> &'static str {
        "plane-capsule"
    }
    fn reference(&self) -> &'static str {
        "Corral et al. 2021, Eqs 9-14, for each end"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        solid::<Plane>(a)?;
        let capsule = solid::<Capsule>(b)?;
        Some(Box::new(Bound { radius: capsule.radius(), half: 0.5 * capsule.length() }))
    }
    fn deforms(&self) -> bool {
        true
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        PlaneCapsule.name()
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    // an end is a ball, lying or not: the line between the ends carries nothing of its own
    fn curvature(&self, _feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let (m, _) = direction(&x_b.direction_to_local(&x_a.axis(2)), Vec3::z);
        let k = Curvature { k1: 1.0 / self.radius, k2: 1.0 / self.radius, direction: tangent(&m) };
        curvature(&k, &-m, &x_b.r, 0.0)
    }
    fn bounds(&self) -> GapBounds {
        GapBounds::CONVEX
    }
}

impl PairFormula for Bound {
    #[inline(always)]
    fn contact<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        let height = if within(feature, NAMES.len())? == 0 { self.half } else { -self.half };
        finite(contact(self.radius, height, x_a, x_b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lying_capsule_touches_with_both_ends() {
        let lying = carom_base::Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
        let pair = Bound { radius: 0.5, half: 1.0 };
        let x_b = Pose::new(Vec3::new(0.0, 0.0, 0.4), &lying);
        for (k, x) in [(0, 1.0), (1, -1.0)] {
            let c = BoundPair::contact(&pair, k, &Pose::identity(), &x_b).unwrap();
            assert!((c.delta - 0.1).abs() < 1e-15 && (c.p_b - Vec3::new(x, 0.0, -0.1)).norm() < 1e-15);
        }
    }
}
