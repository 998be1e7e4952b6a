//! A cylinder, a cone or a frustum on a plane: the lowest and the highest point of each rim, and the tip.
//!
//! With m = n in the solid's frame, m_r = (m_x, m_y, 0) and e = m_r/|m_r|, the rim s = ±1 of radius R_s has its
//! lowest point at −R_s e + s h z and its highest at +R_s e + s h z, at the heights
//! n·(c − p) + s h m_z ∓ R_s |m_r|. Both are stationary around the rim, so the rate of the height is that
//! of the material point there, whatever way the solid turns. The tip of a cone, R = 0, is a point of the solid.
//!
//! Why two a rim. On a standing cylinder (m_r → 0) the lowest point alone runs around the rim at the
//! slightest tilt: its height has a kink, −R |m_r|, and a force that acts at one point only would topple
//! what stands. With the highest point as well the rim carries a sum V(a + R|m_r|) + V(a − R|m_r|) that
//! is even in |m_r|: the kinks cancel, the force is that of a potential, and the couple of the two
//! forces brings the cylinder back. Where the axis is along the normal, any direction serves: B's x.
//!
//! Of a solid that is deformed by F, m = Fᵀ n, and all of it holds as it stands: heights are n·F x = m·x.

use carom_base::{Pose, Scalar, Vec3};

use super::{SHARP, finite, name_in, plane_box, solid, within};
use crate::closest_point::uphill;
use crate::contact::{Contact, RelativeCurvature};
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairSolver};
use crate::shape::Shape;
use crate::surfaces::{Cone, Cylinder, Plane};

/// The solver: A a plane, B a cylinder.
#[derive(Debug)]
pub struct PlaneCylinder;

/// The solver: A a plane, B a cone or a frustum.
#[derive(Debug)]
pub struct PlaneCone;

#[derive(Debug)]
struct Bound {
    solver: &'static str,
    /// of the rims above and below [m]; zero for a tip
    radii: [f64; 2],
    half: f64,
}

const NAMES: [&str; 4] = ["rim+ low", "rim+ high", "rim- low", "rim- high"];
/// Of a solid that ends in a tip above.
const POINTED: [&str; 3] = ["tip", "rim- low", "rim- high"];

/// The contact of a stationary point of a rim with the plane z = 0 of A's frame: the rim has the radius
/// |`outward`| [m] and lies `height` [m] up B's z axis; the point is the highest if `outward` is
/// positive, the lowest if it is negative.
///
/// ```
/// use carom_geometry::{Pose, Quat, Vec3, pairs::plane_cylinder};
/// let lying = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
/// let x_b = Pose::new(Vec3::new(0.0, 0.0, 0.4), &lying);
/// let low = plane_cylinder::contact(-0.5, 1.0, &Pose::identity(), &x_b);
/// assert!((low.delta - 0.1).abs() < 1e-15);
/// ```
#[inline]
pub fn contact<S: Scalar>(outward: f64, height: f64, x_a: &Pose<S>, x_b: &Pose<S>) -> Contact<S> {
    let m = x_b.direction_to_local(&x_a.axis(2));
    let (e, _) = uphill(&m);
    let reach = S::from_f64(outward);
    let point = Vec3::new(e.x * reach, e.y * reach, S::from_f64(height));
    plane_box::contact(&point, x_a, x_b)
}

impl PairSolver for PlaneCylinder {
    fn name(&self) -> &'static str {
        "plane-cylinder"
    }
    fn reference(&self) -> &'static str {
        "the stationary heights of the rims; plane as in Corral et al. 2021, Eqs 9-12"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        solid::<Plane>(a)?;
        let cylinder = solid::<Cylinder>(b)?;
        let (radius, half) = (cylinder.radius(), 0.5 * cylinder.length());
        Some(Box::new(Bound { solver: self.name(), radii: [radius; 2], half }))
    }
    fn deforms(&self) -> bool {
        true
    }
}

impl PairSolver for PlaneCone {
    fn name(&self) -> &'static str {
        "plane-cone"
    }
    fn reference(&self) -> &'static str {
        "the stationary heights of the rims, and the tip"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        solid::<Plane>(a)?;
        let cone = solid::<Cone>(b)?;
        let (radii, half) = ([cone.top_radius(), cone.radius()], 0.5 * cone.length());
        Some(Box::new(Bound { solver: self.name(), radii, half }))
    }
    fn deforms(&self) -> bool {
        true
    }
}

impl Bound {
    fn names(&self) -> &'static [&'static str] {
        if self.radii[0] > 0.0 { &NAMES } else { &POINTED }
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        self.solver
    }
    fn features(&self) -> usize {
        self.names().len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(self.names(), feature)
    }
    fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        SHARP
    }
    // turning through the upright the height has a kink
    fn bounds(&self) -> GapBounds {
        GapBounds::UNKNOWN
    }
}

impl PairFormula for Bound {
    #[inline(always)]
    fn contact<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        let k = within(feature, self.names().len())?;
        // counted from the last, so that the numbers of the lower rim are the same with a tip above
        let from_last = self.names().len() - 1 - k;
        let [above, below] = self.radii;
        let (radius, height) = if from_last < 2 { (below, -self.half) } else { (above, self.half) };
        if radius == 0.0 {
            let tip = Vec3::z() * S::from_f64(height);
            return finite(plane_box::contact(&tip, x_a, x_b));
        }
        let outward = if from_last.is_multiple_of(2) { radius } else { -radius };
        finite(contact(outward, height, x_a, x_b))
    }
}

#[cfg(test)]
mod tests {
    use carom_base::Quat;

    use super::*;
    use crate::pairs::bind;

    fn can() -> Bound {
        Bound { solver: "plane-cylinder", radii: [0.5; 2], half: 1.0 }
    }

    /// A cone that lies on the plane touches it along a generator: with the tip and the low end of its rim.
    #[test]
    fn a_lying_cone_touches_with_tip_and_rim() {
        let cone = Shape::outside(Cone::new(0.75, 0.0, 1.0).unwrap());
        let pair = bind(&Shape::outside(Plane), &cone).unwrap();
        // the axis leans by the half angle, whose tangent is 3/4; the middle of the axis is 0.5 · 0.6 over the plane
        let lying = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2 + 0.75f64.atan());
        let x_b = Pose::new(Vec3::new(0.0, 0.0, 0.3), &lying);
        let at = |k| BoundPair::contact(&*pair, k, &Pose::identity(), &x_b).unwrap();
        assert_eq!([0, 1, 2].map(|k| pair.feature_name(k)), ["tip", "rim- low", "rim- high"]);
        assert!(at(0).delta.abs() < 1e-15 && at(1).delta.abs() < 1e-15 && at(2).delta < -1.0);
        // 1.25 m of slant height apart
        assert!(((at(0).p_b - at(1).p_b).norm() - 1.25).abs() < 1e-15);
    }

    #[test]
    fn the_rims_of_a_frustum_have_their_own_radii() {
        let cone = Shape::outside(Cone::new(0.25, 0.75, 1.0).unwrap());
        let pair = bind(&Shape::outside(Plane), &cone).unwrap();
        let on_its_side = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
        let x_b = Pose::new(Vec3::z(), &on_its_side);
        let heights =
            [0, 1, 2, 3].map(|k| -BoundPair::contact(&*pair, k, &Pose::identity(), &x_b).unwrap().delta);
        for (height, expected) in heights.into_iter().zip([0.25, 1.75, 0.75, 1.25]) {
            assert!((height - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn standing_it_is_held_on_both_sides() {
        let pair = can();
        let x_b = Pose::at(Vec3::new(0.0, 0.0, 0.9));
        let at = |k| BoundPair::contact(&pair, k, &Pose::identity(), &x_b).unwrap();
        assert!((at(2).delta - 0.1).abs() < 1e-15 && (at(3).delta - 0.1).abs() < 1e-15);
        assert_eq!(at(2).p_b.xy(), -at(3).p_b.xy());
        assert!(at(0).delta < 0.0 && at(1).delta < 0.0);
    }

    #[test]
    fn low_is_below_all_points_of_the_rim_and_high_above() {
        let pair = can();
        let x_a = Pose::new(Vec3::new(0.1, 0.2, 0.3), &carom_base::Quat::from_euler_angles(0.4, -0.2, 0.9));
        let x_b = Pose::new(Vec3::new(1.0, -1.0, 2.0), &carom_base::Quat::from_euler_angles(1.4, 0.7, -0.3));
        let height = |p: &Vec3| x_a.axis(2).dot(&(p - x_a.p));
        for (low, high, z) in [(0, 1, 1.0), (2, 3, -1.0)] {
            let [low, high] = [low, high].map(|k| -BoundPair::contact(&pair, k, &x_a, &x_b).unwrap().delta);
            for i in 0..360 {
                let (s, c) = f64::from(i).to_radians().sin_cos();
                let here = height(&x_b.point(&Vec3::new(0.5 * c, 0.5 * s, z)));
                assert!(low <= here + 1e-15 && here <= high + 1e-15);
            }
        }
    }
}
