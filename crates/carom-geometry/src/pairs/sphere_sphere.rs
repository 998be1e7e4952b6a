//! A ball against a ball, or in a round cavity, without a detour through the cavity's frame.
//!
//! v = c_B − c_A, l = |v|, u = v/l. From outside n = u, δ = R + r − l (Corral et al. 2021, Eq 15);
//! in a cavity n = −u, δ = r + l − R (our reading of Eq 16, see `surfaces::sphere`).

use carom_base::{Pose, Scalar};

use super::{finite, name_in, solid, within};
use crate::closest_point::direction;
use crate::contact::{Contact, RelativeCurvature};
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairSolver};
use crate::pairs::sphere_any::hollow_of_ball;
use crate::shape::{Shape, Side};
use crate::surfaces::Sphere;

/// The solver: A a sphere from outside or inside, B a ball.
#[derive(Debug)]
pub struct SphereSphere;

#[derive(Debug)]
struct Bound {
    side: Side,
    r_a: f64,
    r_b: f64,
}

/// The contact of a ball of radius `r_b` with a sphere of radius `r_a` [m], touched from `side`.
///
/// ```
/// use carom_geometry::{Pose, Side, Vec3, pairs::sphere_sphere};
/// let (a, b) = (Pose::identity(), Pose::at(Vec3::new(0.0, 0.0, 2.5)));
/// assert_eq!(sphere_sphere::contact(Side::Outside, 2.0, 1.0, &a, &b).delta, 0.5);
/// assert_eq!(sphere_sphere::contact(Side::Inside, 4.0, 1.0, &a, &b).delta, -0.5);
/// ```
#[inline]
pub fn contact<S: Scalar>(side: Side, r_a: f64, r_b: f64, x_a: &Pose<S>, x_b: &Pose<S>) -> Contact<S> {
    let [r_a, r_b] = [r_a, r_b].map(S::from_f64);
    let v = x_b.p - x_a.p;
    // concentric: the direction is A's own, as its closest point would have it
    let (u, l) = direction(&v, || x_a.axis(2));
    let (p_a, share) = (x_a.p + u * r_a, S::from_f64(1.0));
    match side {
        Side::Outside => {
            Contact { p_a, p_b: x_b.p - u * r_b, n: u, delta: r_a + r_b - l, share, common: None }
        } // Eq 15
        Side::Inside => {
            Contact { p_a, p_b: x_b.p + u * r_b, n: -u, delta: l - (r_a - r_b), share, common: None }
        } // Eq 16
    }
}

impl PairSolver for SphereSphere {
    fn name(&self) -> &'static str {
        "sphere-sphere"
    }
    fn reference(&self) -> &'static str {
        "Corral et al. 2021, Eqs 15, 16"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        let r_a = a.surface.as_any().downcast_ref::<Sphere>()?.radius();
        let r_b = solid::<Sphere>(b)?.radius();
        Some(Box::new(Bound { side: a.side, r_a, r_b }))
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        SphereSphere.name()
    }
    fn features(&self) -> usize {
        1
    }
    fn feature_name(&self, feature: usize) -> String {
        match self.side {
            Side::Outside => name_in(&["sphere"], feature),
            Side::Inside => name_in(&["wall"], feature),
        }
    }
    fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        let k = self.side.sign() / self.r_a + 1.0 / self.r_b;
        RelativeCurvature::point(k, k)
    }
    fn bounds(&self) -> GapBounds {
        match self.side {
            Side::Outside => GapBounds::CONVEX,
            Side::Inside => GapBounds::hollow(hollow_of_ball(self.r_a, self.r_b)),
        }
    }
}

impl PairFormula for Bound {
    #[inline(always)]
    fn contact<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        within(feature, 1)?;
        finite(contact(self.side, self.r_a, self.r_b, x_a, x_b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_base::Vec3;

    #[test]
    fn a_ball_in_a_race_bends_as_their_difference() {
        let (race, ball) = (Sphere::new(0.5).unwrap(), Sphere::new(0.25).unwrap());
        let pair = SphereSphere.bind(&Shape::inside(race), &Shape::outside(ball)).unwrap();
        let at = Pose::at(Vec3::new(0.1, 0.0, 0.0));
        assert_eq!(pair.curvature(0, &Pose::identity(), &at), RelativeCurvature::point(2.0, 2.0));
        assert!(SphereSphere.bind(&Shape::inside(race), &Shape::inside(ball)).is_none());
    }

    #[test]
    fn concentric_spheres_touch_along_the_axis_of_the_first() {
        let turn = carom_base::Quat::from_axis_angle(&Vec3::x_axis(), 0.3);
        let x_a = Pose::new(Vec3::new(1.0, 2.0, 3.0), &turn);
        let c = contact(Side::Outside, 2.0, 1.0, &x_a, &Pose::at(x_a.p));
        assert_eq!((c.n, c.delta), (x_a.axis(2), 3.0));
    }
}
