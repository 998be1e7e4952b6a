//! The cylinder x² + y² = R², |z| ≤ L/2, closed by two caps.
//!
//! With ρ = √(x² + y²), e the radial unit vector, h = L/2 and s = ±1 the sign of z, the point is
//! d_r = ρ − R beyond the barrel and d_z = s z − h beyond the cap.
//! - Outside there is one closest point: on the rim where both are positive, d = √(d_r² + d_z²); else on the one
//!   that is larger, d = max(d_r, d_z), within the solid the nearer of barrel and cap.
//! - Inside there are three: barrel d = R − ρ, n = −e, and the caps d = h ∓ z, n = ∓z. Corral et al.
//!   2021, Eqs 17–19 for the barrel and Sec 3.1 for the bases. We read Eq 17 without the division by
//!   |d| (the axis is a unit vector), and Eq 19 as δ = R_j + |n_v| − R_i: the distance is that from the
//!   axis, Eq 18, and the cylinder's radius counts negative.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::elementary::hypot;
use carom_base::param::Allowed;
use carom_base::{Entry, Mat3, Param, Pose, Quantity, Scalar, Vec3};

use super::{measure, number, refused};
use crate::anchors::of_rim;
use crate::boundary::{BoundaryPart, PartShape};
use crate::closest_point::{direction, round_wall, tangent};
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::mesh::{Mesh, Profile};
use crate::shape::{
    Bounds, ClosestPoint, ConvexCore, EDGE, Project, ProjectFormula, Shell, Side, Solid, Support, Surface,
    Wall,
};

/// A closed cylinder about the z axis of its frame, centred.
///
/// ```
/// use carom_geometry::{Project, Side, Vec3, surfaces::Cylinder};
/// let can = Cylinder::new(0.5, 2.0)?; // radius, length [m]
/// assert_eq!(can.closest_point(Side::Outside, 0, &Vec3::new(2.0, 0.0, 0.3)).d, 1.5); // from the barrel
/// assert_eq!(can.closest_point(Side::Outside, 0, &Vec3::new(3.5, 0.0, 5.0)).d, 5.0); // from the rim
/// assert_eq!(can.features(Side::Inside), ["barrel", "cap+", "cap-"]);
/// assert_eq!(can.closest_point(Side::Inside, 2, &Vec3::new(0.1, 0.0, -0.8)).n, Vec3::z());
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    radius: f64,
    length: f64,
}

/// The piece of the boundary a point is nearest to.
enum Piece {
    Barrel,
    Cap,
    Rim,
}

impl Cylinder {
    /// A cylinder of that radius and length [m], refused unless both are finite and greater than zero.
    pub fn new(radius: f64, length: f64) -> Result<Cylinder, GeometryError> {
        Ok(Cylinder {
            radius: measure("cylinder", "radius", radius)?,
            length: measure("cylinder", "length", length)?,
        })
    }

    /// Its radius [m].
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Its length [m].
    #[inline(always)]
    pub fn length(&self) -> f64 {
        self.length
    }

    #[inline]
    fn piece(beyond_barrel: f64, beyond_cap: f64) -> Piece {
        if beyond_barrel > 0.0 && beyond_cap > 0.0 {
            Piece::Rim
        } else if beyond_barrel > beyond_cap {
            Piece::Barrel
        } else {
            Piece::Cap
        }
    }

    fn solid_closest_point<S: Scalar>(&self, x: &Vec3<S>) -> ClosestPoint<S> {
        let zero = S::from_f64(0.0);
        let (e, rho) = direction(&Vec3::new(x.x, x.y, zero), Vec3::x);
        let s = S::from_f64(if x.z.value() < 0.0 { -1.0 } else { 1.0 });
        let (r, h) = (S::from_f64(self.radius), S::from_f64(0.5 * self.length));
        let (d_r, d_z) = (rho - r, s * x.z - h);
        let up = Vec3::new(zero, zero, s);
        match Self::piece(d_r.value(), d_z.value()) {
            Piece::Rim => {
                let (n, d) = direction(&(e * d_r + up * d_z), Vec3::z);
                ClosestPoint { p: e * r + up * h, n, d }
            }
            Piece::Barrel => ClosestPoint { p: Vec3::new(e.x * r, e.y * r, x.z), n: e, d: d_r },
            Piece::Cap => ClosestPoint { p: Vec3::new(x.x, x.y, s * h), n: up, d: d_z },
        }
    }

    fn cavity_closest_point<S: Scalar>(&self, feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
        let zero = S::from_f64(0.0);
        if feature == 0 {
            // Corral Eqs 17, 18: off the axis
            let (e, rho) = direction(&Vec3::new(x.x, x.y, zero), Vec3::x);
            return round_wall(Side::Inside, self.radius, Vec3::new(zero, zero, x.z), e, rho);
        }
        let s = S::from_f64(if feature == 1 { 1.0 } else { -1.0 });
        let h = S::from_f64(0.5 * self.length);
        ClosestPoint { p: Vec3::new(x.x, x.y, s * h), n: Vec3::new(zero, zero, -s), d: h - s * x.z }
    }
}

/// The cylinder in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: "cylinder",
    summary: "a closed cylinder about the z axis of its frame, centred",
    params: &[
        Param::required("radius", Quantity::Length, Allowed::Positive, "radius"),
        Param::required("length", Quantity::Length, Allowed::Positive, "length between the caps"),
    ],
    build: |args| {
        let (radius, length) = (number(args, "cylinder", "radius")?, number(args, "cylinder", "length")?);
        Ok(Arc::new(Cylinder::new(radius, length).map_err(refused)?))
    },
};

impl Surface for Cylinder {
    fn kind(&self) -> &'static str {
        ENTRY.name
    }
    fn bounds(&self) -> Bounds {
        Bounds { centre: Vec3::zeros(), radius: hypot(self.radius, 0.5 * self.length) }
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
        let (r2, l2) = (self.radius * self.radius, self.length * self.length);
        let volume = PI * r2 * self.length;
        let across = volume * (3.0 * r2 + l2) / 12.0;
        let inertia = Mat3::from_diagonal(&Vec3::new(across, across, 0.5 * volume * r2));
        Some(Solid { volume, centroid: Vec3::zeros(), inertia })
    }
    fn shell(&self) -> Option<Shell> {
        let (r2, l2) = (self.radius * self.radius, self.length * self.length);
        let (barrel, caps) = (2.0 * PI * self.radius * self.length, 2.0 * PI * r2);
        let along = r2 * (barrel + 0.5 * caps);
        let across = 0.5 * along + l2 * (barrel / 12.0 + caps / 4.0);
        let inertia = Mat3::from_diagonal(&Vec3::new(across, across, along));
        Some(Shell { area: barrel + caps, centroid: Vec3::zeros(), inertia })
    }
    fn boundary(&self) -> Option<Vec<BoundaryPart>> {
        let Cylinder { radius, length } = *self;
        let cap = |s: f64| {
            // turned about x, so that z is outward
            let at =
                Pose { p: Vec3::z() * (0.5 * s * length), r: Mat3::from_diagonal(&Vec3::new(1.0, s, s)) };
            BoundaryPart { name: "caps".into(), shape: PartShape::Disc { radius }, at }
        };
        Some(vec![BoundaryPart::here("side", PartShape::Barrel { radius, length }), cap(1.0), cap(-1.0)])
    }
    fn mesh(&self, n: usize, _extent: f64) -> Mesh {
        let (r, h) = (self.radius, 0.5 * self.length);
        let point = |rho, z, n_rho, n_z| Profile { rho, z, n_rho, n_z };
        let profile = [
            point(0.0, -h, 0.0, -1.0),
            point(r, -h, 0.0, -1.0),
            point(r, -h, 1.0, 0.0),
            point(r, h, 1.0, 0.0),
            point(r, h, 0.0, 1.0),
            point(0.0, h, 0.0, 1.0),
        ];
        Mesh::revolved(&profile, n)
    }
}

impl Support for Cylinder {
    /// A point of the rim; of the barrel that half way, of a cap its middle.
    fn support(&self, m: &Vec3) -> Vec3 {
        let up = if m.z == 0.0 { 0.0 } else { (0.5 * self.length).copysign(m.z) };
        let (e, rho) = direction(&Vec3::new(m.x, m.y, 0.0), Vec3::zeros);
        e * if rho > 0.0 { self.radius } else { 0.0 } + Vec3::z() * up
    }
    fn axis(&self) -> Option<Vec3> {
        Some(Vec3::z())
    }
    fn curvature_at(&self, p: &Vec3, m: &Vec3) -> Curvature {
        let (e, rho) = direction(&Vec3::new(p.x, p.y, 0.0), Vec3::x);
        if rho < self.radius {
            return Curvature { k1: 0.0, k2: 0.0, direction: tangent(m) };
        }
        // along the rim or round the barrel the normal keeps its angle with the axis
        let round = Vec3::z().cross(&e);
        let k2 = if p.z.abs() < 0.5 * self.length { 0.0 } else { f64::INFINITY };
        Curvature { k1: m.dot(&e) / self.radius, k2, direction: round }
    }
    fn anchors(&self) -> Vec<Vec3> {
        let half = 0.5 * self.length;
        of_rim(self.radius, half).chain(of_rim(self.radius, -half)).collect()
    }
    fn convex_core(&self, rounded: bool) -> Option<ConvexCore> {
        let half = 0.5 * self.length;
        let coat = if rounded { EDGE * half.min(self.radius) } else { 0.0 };
        let cap = |side: f64| Wall::Flat { n: Vec3::z() * side, h: half - coat };
        let walls = vec![cap(1.0), cap(-1.0), Wall::Round { radius: self.radius - coat, slope: 0.0 }];
        Some(ConvexCore { walls, middle: Vec3::zeros(), extends: [true; 3], coat, tip: None })
    }
    fn is_strict(&self) -> bool {
        false
    }
}

impl ProjectFormula for Cylinder {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match side {
            Side::Outside => &["cylinder"],
            Side::Inside => &["barrel", "cap+", "cap-"],
        }
    }
    fn closest_point<S: Scalar>(&self, side: Side, feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
        match side {
            Side::Outside => self.solid_closest_point(x),
            Side::Inside => self.cavity_closest_point(feature, x),
        }
    }
    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature {
        let on_barrel = match side {
            Side::Inside => feature == 0,
            Side::Outside => {
                let beyond = (hypot(x.x, x.y) - self.radius, x.z.abs() - 0.5 * self.length);
                matches!(Self::piece(beyond.0, beyond.1), Piece::Barrel)
            }
        };
        if on_barrel {
            let (e, _) = direction(&Vec3::new(x.x, x.y, 0.0), Vec3::x);
            Curvature { k1: side.sign() / self.radius, k2: 0.0, direction: Vec3::z().cross(&e) }
        } else {
            let closest_point = ProjectFormula::closest_point(self, side, feature, x);
            Curvature { k1: 0.0, k2: 0.0, direction: tangent(&closest_point.n) }
        }
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

    fn can() -> Cylinder {
        Cylinder::new(1.0, 4.0).unwrap()
    }

    fn closest_point(side: Side, feature: usize, x: [f64; 3]) -> ClosestPoint {
        Project::closest_point(&can(), side, feature, &Vec3::from(x))
    }

    #[test]
    fn refuses_what_is_no_measure() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Cylinder::new(bad, 1.0), Err(GeometryError::BadMeasure { name: "radius", .. })));
            assert!(matches!(Cylinder::new(1.0, bad), Err(GeometryError::BadMeasure { name: "length", .. })));
        }
    }

    #[test]
    fn outside_has_barrel_cap_and_rim() {
        let barrel = closest_point(Side::Outside, 0, [0.0, -3.0, 1.0]);
        assert_eq!((barrel.p, barrel.n, barrel.d), (Vec3::new(0.0, -1.0, 1.0), -Vec3::y(), 2.0));
        let cap = closest_point(Side::Outside, 0, [0.5, 0.0, -2.5]);
        assert_eq!((cap.p, cap.n, cap.d), (Vec3::new(0.5, 0.0, -2.0), -Vec3::z(), 0.5));
        let rim = closest_point(Side::Outside, 0, [4.0, 0.0, 6.0]);
        assert_eq!((rim.p, rim.n, rim.d), (Vec3::new(1.0, 0.0, 2.0), Vec3::new(0.6, 0.0, 0.8), 5.0));
    }

    #[test]
    fn within_the_solid_the_nearer_wall_wins() {
        assert_eq!(closest_point(Side::Outside, 0, [0.75, 0.0, 0.0]).n, Vec3::x());
        assert_eq!(closest_point(Side::Outside, 0, [0.75, 0.0, 1.875]).n, Vec3::z());
        assert_eq!(closest_point(Side::Outside, 0, [0.0, 0.0, 0.0]).d, -1.0);
    }

    #[test]
    fn inside_has_three_walls() {
        let x = [0.0, 0.75, 1.5];
        assert_eq!([0, 1, 2].map(|k| closest_point(Side::Inside, k, x).d), [0.25, 0.5, 3.5]);
        assert_eq!(
            [0, 1, 2].map(|k| closest_point(Side::Inside, k, x).n),
            [-Vec3::y(), -Vec3::z(), Vec3::z()]
        );
        assert_eq!(closest_point(Side::Inside, 0, [0.0, 2.0, 0.0]).d, -1.0);
    }

    #[test]
    fn only_the_barrel_is_curved() {
        let k = |side, feature, x: [f64; 3]| Project::curvature(&can(), side, feature, &Vec3::from(x));
        let barrel = k(Side::Outside, 0, [2.0, 0.0, 0.0]);
        assert_eq!((barrel.k1, barrel.k2, barrel.direction), (1.0, 0.0, Vec3::y()));
        assert_eq!(k(Side::Outside, 0, [2.0, 0.0, 3.0]).k1, 0.0); // the rim is sharp
        assert_eq!(k(Side::Outside, 0, [0.0, 0.0, 3.0]).k1, 0.0);
        assert_eq!([0, 1, 2].map(|f| k(Side::Inside, f, [0.5, 0.0, 0.0]).k1), [-1.0, 0.0, 0.0]);
    }
}
