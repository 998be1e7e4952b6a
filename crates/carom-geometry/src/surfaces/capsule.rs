//! The capsule: all points at the distance R from the segment |z| ≤ L/2 of the z axis.
//!
//! With c = (0, 0, clamp(z, ±L/2)) the nearest point of the segment, l = |x − c| and u = (x − c)/l:
//! p = c + R u; outside n = u, d = l − R; inside n = −u, d = R − l.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Mat3, Param, Quantity, Scalar, Vec3, clamp};

use super::{measure, number, refused};
use crate::closest_point::{direction, round_wall, tangent};
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::mesh::{Mesh, Profile, segments};
use crate::shape::{
    Bounds, ClosestPoint, ConvexCore, Project, ProjectFormula, Shell, Side, Solid, Support, Surface, Wall,
};

/// A capsule about the z axis of its frame, centred: a cylinder with a half ball at each end.
///
/// ```
/// use carom_geometry::{Project, Side, Vec3, surfaces::Capsule};
/// let pill = Capsule::new(0.5, 2.0)?; // radius, length of the straight part [m]
/// assert_eq!(pill.closest_point(Side::Outside, 0, &Vec3::new(0.0, 0.0, 2.0)).d, 0.5);
/// assert_eq!(pill.closest_point(Side::Outside, 0, &Vec3::new(3.0, 0.0, 0.7)).d, 2.5);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    radius: f64,
    length: f64,
}

impl Capsule {
    /// A capsule of that radius and straight length [m], refused unless both are finite and greater
    /// than zero.
    pub fn new(radius: f64, length: f64) -> Result<Capsule, GeometryError> {
        Ok(Capsule {
            radius: measure("capsule", "radius", radius)?,
            length: measure("capsule", "length", length)?,
        })
    }

    /// Its radius [m].
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The length of its straight part [m].
    #[inline(always)]
    pub fn length(&self) -> f64 {
        self.length
    }
}

/// The capsule in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: "capsule",
    summary: "a cylinder with a half ball at each end, about the z axis of its frame, centred",
    params: &[
        Param::required("radius", Quantity::Length, Allowed::Positive, "radius"),
        Param::required("length", Quantity::Length, Allowed::Positive, "length of the straight part"),
    ],
    build: |args| {
        let (radius, length) = (number(args, "capsule", "radius")?, number(args, "capsule", "length")?);
        Ok(Arc::new(Capsule::new(radius, length).map_err(refused)?))
    },
};

impl Surface for Capsule {
    fn kind(&self) -> &'static str {
        ENTRY.name
    }
    fn bounds(&self) -> Bounds {
        Bounds { centre: Vec3::zeros(), radius: self.radius + 0.5 * self.length }
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
        let (r, l) = (self.radius, self.length);
        let (barrel, ball) = (PI * r * r * l, 4.0 / 3.0 * PI * r * r * r);
        let along = r * r * (0.5 * barrel + 0.4 * ball);
        // a half ball's centroid is 3/8 R beyond its flat, L/2 from the middle
        let across =
            barrel * (3.0 * r * r + l * l) / 12.0 + ball * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
        let inertia = Mat3::from_diagonal(&Vec3::new(across, across, along));
        Some(Solid { volume: barrel + ball, centroid: Vec3::zeros(), inertia })
    }
    fn shell(&self) -> Option<Shell> {
        let (r, l) = (self.radius, self.length);
        let (barrel, ball) = (2.0 * PI * r * l, 4.0 * PI * r * r);
        let along = r * r * (barrel + 2.0 / 3.0 * ball);
        // a half sphere's centroid is R/2 beyond its rim, L/2 from the middle
        let zz = barrel * l * l / 12.0 + ball * (0.25 * l * l + 0.5 * l * r + r * r / 3.0);
        let inertia = Mat3::from_diagonal(&Vec3::new(0.5 * along + zz, 0.5 * along + zz, along));
        Some(Shell { area: barrel + ball, centroid: Vec3::zeros(), inertia })
    }
    fn mesh(&self, n: usize, _extent: f64) -> Mesh {
        let (h, quarter) = (0.5 * self.length, segments(n).div_ceil(4));
        let mut profile = Profile::arc(self.radius, -h, -0.5 * PI, 0.0, quarter);
        profile.extend(Profile::arc(self.radius, h, 0.0, 0.5 * PI, quarter));
        Mesh::revolved(&profile, n)
    }
}

impl Support for Capsule {
    /// Of the barrel the point half way.
    fn support(&self, m: &Vec3) -> Vec3 {
        let end = if m.z == 0.0 { 0.0 } else { (0.5 * self.length).copysign(m.z) };
        direction(m, Vec3::x).0 * self.radius + Vec3::z() * end
    }
    fn axis(&self) -> Option<Vec3> {
        Some(Vec3::z())
    }
    fn curvature_at(&self, p: &Vec3, m: &Vec3) -> Curvature {
        let k = 1.0 / self.radius;
        let barrel = p.z.abs() < 0.5 * self.length;
        let direction = if barrel { Vec3::z().cross(m) } else { tangent(m) };
        Curvature { k1: k, k2: if barrel { 0.0 } else { k }, direction }
    }
    fn least_radius(&self) -> f64 {
        self.radius
    }
    fn anchors(&self) -> Vec<Vec3> {
        self.corners().unwrap_or_default()
    }
    /// The ends of its axis.
    fn corners(&self) -> Option<Vec<Vec3>> {
        Some([0.5, -0.5].map(|side| Vec3::z() * (side * self.length)).to_vec())
    }
    /// Its axis; the coat is its radius.
    fn convex_core(&self, _rounded: bool) -> Option<ConvexCore> {
        let end = |side: f64| Wall::Flat { n: Vec3::z() * side, h: 0.5 * self.length };
        let extends = [false, false, true];
        Some(ConvexCore {
            walls: vec![end(1.0), end(-1.0)],
            middle: Vec3::zeros(),
            extends,
            coat: self.radius,
            tip: None,
        })
    }
    fn is_strict(&self) -> bool {
        false
    }
}

impl ProjectFormula for Capsule {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match side {
            Side::Outside => &["capsule"],
            Side::Inside => &["wall"],
        }
    }
    fn closest_point<S: Scalar>(&self, side: Side, _feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
        let (zero, h) = (S::from_f64(0.0), 0.5 * self.length);
        let axis = Vec3::new(zero, zero, clamp(x.z, -h, h));
        let (u, distance) = direction(&(x - axis), Vec3::x);
        round_wall(side, self.radius, axis, u, distance)
    }
    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature {
        let k = side.sign() / self.radius;
        let n = ProjectFormula::closest_point(self, side, feature, x).n;
        if x.z.abs() > 0.5 * self.length {
            Curvature { k1: k, k2: k, direction: tangent(&n) }
        } else {
            Curvature { k1: k, k2: 0.0, direction: Vec3::z().cross(&n) }
        }
    }
    fn seam(&self, k: usize, x: &Vec3) -> Option<(f64, Vec3)> {
        // the barrel ends there, and with it the curvature of the ends along it
        let end = [0.5 * self.length, -0.5 * self.length].get(k).copied()?;
        Some((x.z - end, Vec3::z()))
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

    fn pill() -> Capsule {
        Capsule::new(1.0, 4.0).unwrap()
    }

    #[test]
    fn refuses_what_is_no_measure() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Capsule::new(bad, 1.0), Err(GeometryError::BadMeasure { name: "radius", .. })));
            assert!(matches!(Capsule::new(1.0, bad), Err(GeometryError::BadMeasure { name: "length", .. })));
        }
    }

    #[test]
    fn has_a_barrel_and_round_ends() {
        let closest_point = |side, x: [f64; 3]| Project::closest_point(&pill(), side, 0, &Vec3::from(x));
        let barrel = closest_point(Side::Outside, [0.0, 3.0, -1.0]);
        assert_eq!((barrel.p, barrel.n, barrel.d), (Vec3::new(0.0, 1.0, -1.0), Vec3::y(), 2.0));
        let end = closest_point(Side::Outside, [3.0, 0.0, 6.0]);
        assert_eq!((end.p, end.n, end.d), (Vec3::new(0.6, 0.0, 2.8), Vec3::new(0.6, 0.0, 0.8), 4.0));
        let wall = closest_point(Side::Inside, [0.0, -0.75, 0.0]);
        assert_eq!((wall.p, wall.n, wall.d), (-Vec3::y(), Vec3::y(), 0.25));
        assert_eq!(closest_point(Side::Outside, [0.0, 0.0, 1.0]).d, -1.0); // on the axis: some closest point
    }

    #[test]
    fn curves_once_along_the_barrel_and_twice_at_the_ends() {
        let barrel = Project::curvature(&pill(), Side::Outside, 0, &Vec3::new(2.0, 0.0, 0.0));
        assert_eq!((barrel.k1, barrel.k2, barrel.direction), (1.0, 0.0, Vec3::y()));
        let end = Project::curvature(&pill(), Side::Inside, 0, &Vec3::new(0.5, 0.0, 2.5));
        assert_eq!((end.k1, end.k2), (-1.0, -1.0));
    }
}
