//! The sphere |x| = R about its frame's origin.
//!
//! With l = |x|, u = x/l the closest point is p = R u. Outside n = u, d = l − R: with a ball of radius r at x
//! the indentation r − d = R + r − l is Corral et al. 2021, Eq 15. Inside n = −u, d = R − l, so that
//! r − d = r + l − R: our reading of their Eq 16 (there the larger radius takes a minus sign; the
//! normal turns over, which the paper leaves out).

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Mat3, Param, Quantity, Scalar, Vec3};

use super::{measure, number, refused};
use crate::boundary::{BoundaryPart, PartShape};
use crate::closest_point::{direction, round_wall, tangent};
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::mesh::{Mesh, Profile, segments};
use crate::shape::{Bounds, ClosestPoint, Project, ProjectFormula, Shell, Side, Solid, Support, Surface};

/// A sphere about its frame's origin: a ball from outside, a round cavity from inside.
///
/// ```
/// use carom_geometry::{Project, Side, Vec3, surfaces::Sphere};
/// let ball = Sphere::new(0.5)?; // radius [m]
/// let closest = ball.closest_point(Side::Outside, 0, &Vec3::new(0.0, 2.0, 0.0));
/// assert_eq!(closest.p, Vec3::new(0.0, 0.5, 0.0));
/// assert_eq!(closest.d, 1.5);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    radius: f64,
}

impl Sphere {
    /// A sphere of that radius [m], refused unless finite and greater than zero.
    pub fn new(radius: f64) -> Result<Sphere, GeometryError> {
        Ok(Sphere { radius: measure("sphere", "radius", radius)? })
    }

    /// Its radius [m].
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// The sphere in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: "sphere",
    summary: "a sphere about its frame's origin",
    params: &[Param::required("radius", Quantity::Length, Allowed::Positive, "radius")],
    build: |args| Ok(Arc::new(Sphere::new(number(args, "sphere", "radius")?).map_err(refused)?)),
};

impl Surface for Sphere {
    fn kind(&self) -> &'static str {
        ENTRY.name
    }
    fn bounds(&self) -> Bounds {
        Bounds { centre: Vec3::zeros(), radius: self.radius }
    }
    fn skin(&self) -> f64 {
        self.radius
    }
    fn is_closed(&self) -> bool {
        true
    }
    fn as_project(&self) -> Option<&dyn Project> {
        Some(self)
    }
    fn as_support(&self) -> Option<&dyn Support> {
        Some(self)
    }
    fn solid(&self) -> Option<Solid> {
        let r2 = self.radius * self.radius;
        let volume = 4.0 / 3.0 * PI * r2 * self.radius;
        let inertia = Mat3::from_diagonal_element(0.4 * volume * r2);
        Some(Solid { volume, centroid: Vec3::zeros(), inertia })
    }
    fn shell(&self) -> Option<Shell> {
        let r2 = self.radius * self.radius;
        let area = 4.0 * PI * r2;
        // 2/3 m R²
        let inertia = Mat3::from_diagonal_element(area * 2.0 / 3.0 * r2);
        Some(Shell { area, centroid: Vec3::zeros(), inertia })
    }
    fn boundary(&self) -> Option<Vec<BoundaryPart>> {
        Some(vec![BoundaryPart::here("surface", PartShape::Ellipsoid { semi_axes: [self.radius; 3] })])
    }
    fn mesh(&self, n: usize, _extent: f64) -> Mesh {
        Mesh::revolved(&Profile::arc(self.radius, 0.0, -0.5 * PI, 0.5 * PI, segments(n).div_ceil(2)), n)
    }
}

impl Support for Sphere {
    fn support(&self, m: &Vec3) -> Vec3 {
        direction(m, Vec3::z).0 * self.radius
    }
    fn curvature_at(&self, _p: &Vec3, m: &Vec3) -> Curvature {
        Curvature { k1: 1.0 / self.radius, k2: 1.0 / self.radius, direction: tangent(m) }
    }
    fn least_radius(&self) -> f64 {
        self.radius
    }
    fn largest_radius(&self) -> f64 {
        self.radius
    }
}

impl ProjectFormula for Sphere {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match side {
            Side::Outside => &["sphere"],
            Side::Inside => &["wall"],
        }
    }
    fn closest_point<S: Scalar>(&self, side: Side, _feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
        let (u, distance) = direction(x, Vec3::z);
        round_wall(side, self.radius, Vec3::zeros(), u, distance)
    }
    fn curvature(&self, side: Side, _feature: usize, x: &Vec3) -> Curvature {
        let k = side.sign() / self.radius;
        Curvature { k1: k, k2: k, direction: tangent(&direction(x, Vec3::z).0) }
    }
    fn hollow_radius(&self, side: Side) -> f64 {
        match side {
            Side::Outside => f64::INFINITY,
            Side::Inside => self.radius,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_no_radius() {
        for radius in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(matches!(Sphere::new(radius), Err(GeometryError::BadMeasure { name: "radius", .. })));
        }
    }

    #[test]
    fn inside_the_normal_turns_over() {
        let race = Sphere::new(2.0).unwrap();
        let closest_point = Project::closest_point(&race, Side::Inside, 0, &Vec3::new(1.5, 0.0, 0.0));
        assert_eq!(
            (closest_point.p, closest_point.n, closest_point.d),
            (Vec3::new(2.0, 0.0, 0.0), -Vec3::x(), 0.5)
        );
        assert!(Project::closest_point(&race, Side::Inside, 0, &Vec3::new(0.0, 2.5, 0.0)).d < 0.0);
    }

    #[test]
    fn the_centre_has_a_closest_point() {
        let ball = Sphere::new(2.0).unwrap();
        let closest_point = Project::closest_point(&ball, Side::Outside, 0, &Vec3::zeros());
        assert_eq!((closest_point.p, closest_point.n, closest_point.d), (Vec3::z() * 2.0, Vec3::z(), -2.0));
    }

    #[test]
    fn bulges_outside_and_is_hollow_inside() {
        let s = Sphere::new(0.25).unwrap();
        let x = Vec3::new(0.1, 0.2, 0.3);
        assert_eq!(Project::curvature(&s, Side::Outside, 0, &x).k1, 4.0);
        assert_eq!(Project::curvature(&s, Side::Inside, 0, &x).k2, -4.0);
        assert_eq!(Project::hollow_radius(&s, Side::Outside), f64::INFINITY);
        assert_eq!(Project::hollow_radius(&s, Side::Inside), 0.25);
    }
}
