//! A box in a box: each of its corners against each of the six walls.
//!
//! With x a corner in the cavity's frame, the wall's distance is d = h_i ∓ x_i and δ = −d. A corner in a corner of the cavity touches
//! three walls at once. The walls have no end: a box in a cavity cannot get round them.

use carom_base::{Pose, Scalar};

use super::{CORNERS, SHARP, corner, finite, within};
use crate::contact::{Contact, RelativeCurvature};
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairSolver};
use crate::shape::{ProjectFormula, Shape, Side};
use crate::surfaces::Cuboid;

/// The solver: A the inside of a box, B a box.
#[derive(Debug)]
pub struct BoxInBox;

#[derive(Debug)]
struct Bound {
    cavity: Cuboid,
    block: Cuboid,
}

const WALLS: [&str; 6] = ["+x", "-x", "+y", "-y", "+z", "-z"];

impl PairSolver for BoxInBox {
    fn name(&self) -> &'static str {
        "box-in-box"
    }
    fn reference(&self) -> &'static str {
        "the distances of the corners from the walls; plane as in Corral et al. 2021, Eqs 9-12"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        (a.side == Side::Inside).then_some(())?;
        let cavity = *a.surface.as_any().downcast_ref::<Cuboid>()?;
        Some(Box::new(Bound { cavity, block: *super::solid::<Cuboid>(b)? }))
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        BoxInBox.name()
    }
    fn features(&self) -> usize {
        48
    }
    fn feature_name(&self, feature: usize) -> String {
        match CORNERS.get(feature / 6) {
            Some(corner) => format!("{corner} at {}", WALLS[feature % 6]),
            None => String::new(),
        }
    }
    fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        SHARP
    }
    fn bounds(&self) -> GapBounds {
        GapBounds::CONVEX
    }
}

impl PairFormula for Bound {
    fn contact<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        let k = within(feature, self.features())?;
        let p_b = x_b.point(&corner(k / 6, self.block.half()).map(S::from_f64));
        let closest_point =
            ProjectFormula::closest_point(&self.cavity, Side::Inside, k % 6, &x_a.point_to_local(&p_b));
        let (n, share) = (x_a.direction(&closest_point.n), S::from_f64(1.0));
        finite(Contact { p_a: x_a.point(&closest_point.p), p_b, n, delta: -closest_point.d, share })
    }
}
