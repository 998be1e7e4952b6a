//! A ball on a plane, without a detour through the plane's frame.
//!
//! d = n·(c − p), p_A = c − d n, δ = r − d: Corral et al. 2021, Eqs 11, 12 and 14, n being a unit vector.

use carom_base::{Pose, Scalar};

use super::{name_in, solid, within};
use crate::contact::{Contact, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairSolver};
use crate::shape::Shape;
use crate::surfaces::{Plane, Sphere};

/// The solver: a plane and a ball, in either order.
#[derive(Debug)]
pub struct SpherePlane;

#[derive(Debug)]
struct Bound {
    radius: f64,
    /// the ball is A: this pair is in every innermost loop, and a wrapper would cost a third of it
    ball_first: bool,
}

/// The contact of a ball of that radius [m] about the origin of B's frame with the plane z = 0 of A's.
///
/// ```
/// use carom_geometry::{Pose, Vec3, pairs::sphere_plane};
/// let c = sphere_plane::contact(1.0, &Pose::identity(), &Pose::at(Vec3::new(3.0, 4.0, 0.75)));
/// assert_eq!((c.p_a, c.delta), (Vec3::new(3.0, 4.0, 0.0), 0.25));
/// ```
#[inline]
pub fn contact<S: Scalar>(radius: f64, x_a: &Pose<S>, x_b: &Pose<S>) -> Contact<S> {
    let radius = S::from_f64(radius);
    let n = x_a.axis(2);
    let d = n.dot(&(x_b.p - x_a.p)); // Eqs 10, 11
    Contact {
        p_a: x_b.p - n * d,
        p_b: x_b.p - n * radius,
        n,
        delta: radius - d,
        share: S::from_f64(1.0),
        common: None,
    } // Eqs 12, 14
}

impl PairSolver for SpherePlane {
    fn name(&self) -> &'static str {
        "sphere-plane"
    }
    fn reference(&self) -> &'static str {
        "Corral et al. 2021, Eqs 9-14"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        let (ball, ball_first) = match (solid::<Plane>(a), solid::<Plane>(b)) {
            (Some(_), _) => (b, false),
            (_, Some(_)) => (a, true),
            _ => return None,
        };
        Some(Box::new(Bound { radius: solid::<Sphere>(ball)?.radius(), ball_first }))
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        SpherePlane.name()
    }
    fn features(&self) -> usize {
        1
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&["plane"], feature)
    }
    fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        RelativeCurvature::point(1.0 / self.radius, 1.0 / self.radius)
    }
    fn bounds(&self) -> GapBounds {
        GapBounds { follows_b: !self.ball_first, ..GapBounds::CONVEX }
    }
}

impl PairFormula for Bound {
    #[inline(always)]
    fn contact<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        within(feature, 1)?;
        let c = if self.ball_first {
            contact(self.radius, x_b, x_a).swapped()
        } else {
            contact(self.radius, x_a, x_b)
        };
        // d is a sum of products with all that the poses say (and 0 · ∞ is no number): one test for all
        if c.delta.value().is_finite() { Ok(c) } else { Err(PairFailure::NotFinite) }
    }
}
