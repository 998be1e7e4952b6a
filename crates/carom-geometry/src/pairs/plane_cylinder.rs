//! A cylinder on a plane: the lowest and the highest point of each rim.
//!
//! With m = n in the cylinder's frame, m_r = (m_x, m_y, 0) and e = m_r/|m_r|, the rim s = ±1 has its
//! lowest point at −R e + s h z and its highest at +R e + s h z, at the heights
//! n·(c − p) + s h m_z ∓ R |m_r|. Both are stationary around the rim, so the rate of the height is that
//! of the material point there, whatever way the cylinder turns.
//!
//! Why two a rim. On a standing cylinder (m_r → 0) the lowest point alone runs around the rim at the
//! slightest tilt: its height has a kink, −R |m_r|, and a force that acts at one point only would topple
//! what stands. With the highest point as well the rim carries a sum V(a + R|m_r|) + V(a − R|m_r|) that
//! is even in |m_r|: the kinks cancel, the force is that of a potential, and the couple of the two
//! forces brings the cylinder back. Where the axis is along the normal, any direction serves: B's x.
//!
//! Of a cylinder that is deformed by F, m = Fᵀ n, and all of it holds as it stands: heights are n·F x = m·x.

use carom_base::{Pose, Scalar, Vec3};

use super::{SHARP, finite, name_in, plane_box, solid, within};
use crate::closest_point::direction;
use crate::contact::{Contact, RelativeCurvature};
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairSolver};
use crate::shape::Shape;
use crate::surfaces::{Cylinder, Plane};

/// The solver: A a plane, B a cylinder.
#[derive(Debug)]
pub struct PlaneCylinder;

#[derive(Debug)]
struct Bound {
    radius: f64,
    half: f64,
}

const NAMES: [&str; 4] = ["rim+ low", "rim+ high", "rim- low", "rim- high"];

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
    let zero = S::from_f64(0.0);
    let m = x_b.direction_to_local(&x_a.axis(2));
    let (e, _) = direction(&Vec3::new(m.x, m.y, zero), Vec3::x);
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
        Some(Box::new(Bound { radius: cylinder.radius(), half: 0.5 * cylinder.length() }))
    }
    fn deforms(&self) -> bool {
        true
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        PlaneCylinder.name()
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
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
        let k = within(feature, NAMES.len())?;
        let height = if k < 2 { self.half } else { -self.half };
        let outward = if k.is_multiple_of(2) { -self.radius } else { self.radius };
        finite(contact(outward, height, x_a, x_b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standing_it_is_held_on_both_sides() {
        let pair = Bound { radius: 0.5, half: 1.0 };
        let x_b = Pose::at(Vec3::new(0.0, 0.0, 0.9));
        let at = |k| BoundPair::contact(&pair, k, &Pose::identity(), &x_b).unwrap();
        assert!((at(2).delta - 0.1).abs() < 1e-15 && (at(3).delta - 0.1).abs() < 1e-15);
        assert_eq!(at(2).p_b.xy(), -at(3).p_b.xy());
        assert!(at(0).delta < 0.0 && at(1).delta < 0.0);
    }

    #[test]
    fn low_is_below_all_points_of_the_rim_and_high_above() {
        let pair = Bound { radius: 0.5, half: 1.0 };
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
