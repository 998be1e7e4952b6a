//! A ball against any surface that knows the closest point to a point: a point contact widened by the radius.
//!
//! With (p, n, d) the closest point to the ball's centre c on A: p_A = p, p_B = c − r n, δ = r − d. Corral et
//! al. 2021 do so case by case (Eqs 11–14 plane, 15–16 sphere, 17–19 cylinder, 24–32 box); here the
//! surface brings its closest point, and a surface from outside this crate is a case like any other.

use std::sync::Arc;

use carom_base::{Pose, Scalar, Vec3};

use super::{finite, name_in, solid, within};
use crate::contact::{Contact, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairScalar, PairSolver};
use crate::shape::{ClosestPoint, Shape, Side, Surface};
use crate::surfaces::Sphere;

/// The solver: A any surface with [`Project`](crate::Project), B a ball.
#[derive(Debug)]
pub struct SphereAny;

#[derive(Debug)]
struct Bound {
    surface: Arc<dyn Surface>,
    side: Side,
    names: &'static [&'static str],
    radius: f64,
    hollow: Option<f64>,
}

/// The contact of a ball with a surface, from the closest point to its `centre` [m, world] in the surface's
/// frame `x_a`.
///
/// ```
/// use carom_geometry::{Pose, Project, Side, Vec3, pairs::sphere_any, surfaces::Cuboid};
/// let brick = Cuboid::new([2.0, 2.0, 2.0])?; // [m]
/// let (x_a, centre) = (Pose::identity(), Vec3::new(0.0, 0.0, 1.75));
/// let closest = brick.closest_point(Side::Outside, 0, &x_a.point_to_local(&centre));
/// assert_eq!(sphere_any::contact(1.0, &x_a, &centre, &closest).delta, 0.25);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[inline]
pub fn contact<S: Scalar>(
    radius: f64,
    x_a: &Pose<S>,
    centre: &Vec3<S>,
    closest_point: &ClosestPoint<S>,
) -> Contact<S> {
    let radius = S::from_f64(radius);
    let n = x_a.direction(&closest_point.n);
    Contact {
        p_a: x_a.point(&closest_point.p),
        p_b: centre - n * radius,
        n,
        delta: radius - closest_point.d,
        share: S::from_f64(1.0),
        common: None,
    }
}

/// [`GapBounds::hollow_radius`] of a ball at a wall of that hollow radius [m]: at the gap g its centre is
/// R − r − g from the middle of the hollow, and the gap bends by at most one over that. A ball that does
/// not fit has no such bound.
pub(crate) fn hollow_of_ball(wall: f64, ball: f64) -> Option<f64> {
    if wall == f64::INFINITY {
        Some(f64::INFINITY)
    } else if wall > ball {
        Some(wall - ball)
    } else {
        None
    }
}

impl PairSolver for SphereAny {
    fn name(&self) -> &'static str {
        "sphere-any"
    }
    fn reference(&self) -> &'static str {
        "Corral et al. 2021, Eqs 9-32, as one: the closest point to the centre, less the radius"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        let radius = solid::<Sphere>(b)?.radius();
        let project = a.surface.as_project()?;
        let hollow = hollow_of_ball(project.hollow_radius(a.side), radius);
        let names = project.features(a.side);
        (!names.is_empty()).then_some(())?;
        Some(Box::new(Bound { surface: a.surface.clone(), side: a.side, names, radius, hollow }))
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        SphereAny.name()
    }
    fn features(&self) -> usize {
        self.names.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(self.names, feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let ball = 1.0 / self.radius;
        match self.surface.as_project() {
            Some(project) if feature < self.names.len() => {
                let k = project.curvature(self.side, feature, &x_a.point_to_local(&x_b.p));
                RelativeCurvature::point(k.k1.min(k.k2) + ball, k.k1.max(k.k2) + ball)
            }
            _ => RelativeCurvature::point(ball, ball),
        }
    }
    fn bounds(&self) -> GapBounds {
        GapBounds::hollow(self.hollow)
    }
}

impl PairFormula for Bound {
    #[inline]
    fn contact<S: PairScalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        within(feature, self.names.len())?;
        // it was there when the pair was bound; a surface that takes it back has no features left
        let project = self.surface.as_project().ok_or(PairFailure::NoFeature(feature))?;
        let closest_point = S::closest_point(project, self.side, feature, &x_a.point_to_local(&x_b.p));
        finite(contact(self.radius, x_a, &x_b.p, &closest_point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surfaces::Cylinder;

    #[test]
    fn curvatures_add() {
        let (tube, ball) = (Cylinder::new(0.5, 2.0).unwrap(), Sphere::new(0.25).unwrap());
        let (origin, at) = (Pose::identity(), Pose::at(Vec3::new(0.2, 0.0, 0.0)));
        let inside = SphereAny.bind(&Shape::inside(tube), &Shape::outside(ball)).unwrap();
        assert_eq!(inside.curvature(0, &origin, &at), RelativeCurvature::point(2.0, 4.0));
        assert_eq!(inside.curvature(1, &origin, &at), RelativeCurvature::point(4.0, 4.0));
        let outside = SphereAny.bind(&Shape::outside(tube), &Shape::outside(ball)).unwrap();
        let at = Pose::at(Vec3::new(0.7, 0.0, 0.0));
        assert_eq!(outside.curvature(0, &origin, &at), RelativeCurvature::point(4.0, 6.0));
    }

    #[test]
    fn a_ball_in_a_hollow_moves_on_the_difference_of_the_radii() {
        assert_eq!(hollow_of_ball(1.0, 0.25), Some(0.75));
        assert_eq!(hollow_of_ball(f64::INFINITY, 0.4), Some(f64::INFINITY));
        assert_eq!(hollow_of_ball(0.4, 0.4), None);
        assert_eq!(hollow_of_ball(f64::NAN, 0.4), None);
    }

    #[test]
    fn a_feature_too_many_is_an_error() {
        let tube = Shape::inside(Cylinder::new(0.5, 2.0).unwrap());
        let pair = SphereAny.bind(&tube, &Shape::outside(Sphere::new(0.25).unwrap())).unwrap();
        let result = pair.contact(3, &Pose::identity(), &Pose::identity());
        assert!(matches!(result, Err(PairFailure::NoFeature(3))));
        assert_eq!(pair.feature_name(3), "");
    }
}
