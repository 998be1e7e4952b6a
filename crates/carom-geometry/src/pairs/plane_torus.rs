//! A torus on a plane: the lowest and the highest point of its ring, each with the tube around it.
//!
//! With m the plane's normal in the torus' frame, m_r = (m_x, m_y, 0) and e = m_r/|m_r|, the ring's lowest and highest points are ∓R e,
//! at the heights n·(c − p) ∓ R|m_r|, and the tube reaches r below them (Marques & Silva, Eqs 9–14, for the continuous ring), to
//! ∓R e − r m/|m|. Of a torus that is deformed by F, m = Fᵀ n is no unit vector, and the same points are stationary: along the ring
//! R m·e − r |m_e + m_z z| is where m·e is.
//! As with a cylinder's rim both are stationary, so the rate is exact, and both are needed: flat on the plane the lowest point alone
//! would run around the ring at the slightest tilt (`plane_cylinder`).

use carom_base::{Pose, Scalar, Vec3};

use super::deformed::curvature;
use super::{finite, name_in, plane_box, solid, within};
use crate::closest_point::{direction, uphill};
use crate::contact::{Contact, Curvature, RelativeCurvature};
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairSolver};
use crate::shape::Shape;
use crate::surfaces::{Plane, Torus};

/// The solver: A a plane, B a torus.
#[derive(Debug)]
pub struct PlaneTorus;

#[derive(Debug)]
struct Bound {
    torus: Torus,
}

const NAMES: [&str; 2] = ["low", "high"];

/// The contact of the tube of radius `minor` around the ring's point that is lowest (`major` > 0) or highest (`major` < 0) with the
/// plane z = 0 of A's frame [m].
///
/// ```
/// use carom_geometry::{Pose, Quat, Vec3, pairs::plane_torus};
/// let upright = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
/// let c = plane_torus::contact(0.025, 0.005, &Pose::identity(), &Pose::new(Vec3::new(0.0, 0.0, 0.029), &upright));
/// assert!((c.delta - 0.001).abs() < 1e-15);
/// ```
#[inline]
pub fn contact<S: Scalar>(major: f64, minor: f64, x_a: &Pose<S>, x_b: &Pose<S>) -> Contact<S> {
    let (m, _) = direction(&x_b.direction_to_local(&x_a.axis(2)), Vec3::z);
    let (e, _) = uphill(&m);
    let lowest = e * S::from_f64(-major) - m * S::from_f64(minor);
    plane_box::contact(&lowest, x_a, x_b)
}

impl PairSolver for PlaneTorus {
    fn name(&self) -> &'static str {
        "plane-torus"
    }
    fn reference(&self) -> &'static str {
        "the ring's lowest and highest point; cf. Marques & Silva, Eqs 9-14"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        solid::<Plane>(a)?;
        Some(Box::new(Bound { torus: *solid::<Torus>(b)? }))
    }
    fn deforms(&self) -> bool {
        true
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        PlaneTorus.name()
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let (m, _) = direction(&x_b.direction_to_local(&x_a.axis(2)), Vec3::z);
        let (e, across) = uphill(&m);
        // the contact is where the outward normal is −m; the highest point's is seen from the inner side
        let cos = across * if feature == 0 { 1.0 } else { -1.0 };
        let along = cos / (self.torus.major() + self.torus.minor() * cos);
        let k = Curvature { k1: along, k2: 1.0 / self.torus.minor(), direction: Vec3::z().cross(&e) };
        curvature(&k, &-m, &x_b.r, 0.0)
    }
    // heights of a ring's lowest and highest points have kinks where it lies flat
    fn bounds(&self) -> GapBounds {
        GapBounds::UNKNOWN
    }
}

impl PairFormula for Bound {
    #[inline(always)]
    fn contact<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        let side = if within(feature, NAMES.len())? == 0 { 1.0 } else { -1.0 };
        finite(contact(side * self.torus.major(), self.torus.minor(), x_a, x_b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_base::Quat;

    #[test]
    fn a_tilted_ring_is_lowest_where_it_leans() {
        let pair = Bound { torus: Torus::new(0.025, 0.005).unwrap() };
        let tilt: f64 = 1.0;
        let x_b = Pose::new(Vec3::new(0.0, 0.0, 0.05), &Quat::from_axis_angle(&Vec3::x_axis(), tilt));
        let (k, c) = pair.nearest(&Pose::identity(), &x_b).unwrap();
        assert_eq!(k, 0);
        assert!((-c.delta - (0.05 - 0.025 * tilt.sin() - 0.005)).abs() < 1e-17);
        let k = pair.curvature(0, &Pose::identity(), &x_b);
        assert!((k.k_min - tilt.sin() / (0.025 + 0.005 * tilt.sin())).abs() < 1e-12 && k.k_max == 200.0);
    }
}
