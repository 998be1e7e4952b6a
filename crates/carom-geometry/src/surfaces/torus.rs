//! The torus (√(x² + y²) − R)² + z² = r²: a tube of radius r around the ring of radius R in the plane z = 0.
//!
//! Parametric form (Marques & Silva, Eqs 1, 2): with φ around the ring and θ around the tube
//!
//!   p = ((R + r cos θ) cos φ, (R + r cos θ) sin φ, r sin θ),    n = (cos θ cos φ, cos θ sin φ, sin θ).
//!
//! With e = (x, y, 0)/ρ the nearest point of the ring is c = R e, and the closest point is on the tube around it: u = (x − c)/|x − c|,
//! d = |x − c| − r outside, r − |x − c| inside. Curvatures: 1/r around the tube, cos θ/(R + r cos θ) along the ring, a hollow on
//! the inner half.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::elementary::{cos, sin};
use carom_base::param::Allowed;
use carom_base::{Entry, Mat3, Param, Quantity, Scalar, Vec3};

use super::{measure, number, refused};
use crate::closest_point::{direction, round_wall};
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::mesh::{Mesh, Profile, segments};
use crate::shape::{
    Bounds, ClosestPoint, Project, ProjectFormula, Ring, Section, Shell, Side, Solid, Surface,
};

/// A torus about the z axis of its frame, centred: a ring from outside, a raceway from inside its tube.
///
/// ```
/// use carom_geometry::{Project, Side, Vec3, surfaces::Torus};
/// let ring = Torus::new(0.025, 0.005)?; // radius of the ring, of the tube [m]
/// let closest = ring.closest_point(Side::Outside, 0, &Vec3::new(0.0, 0.04, 0.0));
/// assert!((closest.d - 0.01).abs() < 1e-17 && (closest.p - Vec3::new(0.0, 0.03, 0.0)).norm() < 1e-17);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torus {
    major: f64,
    minor: f64,
}

impl Torus {
    /// A torus of these radii [m]: of the ring its tube follows, and of the tube. Refused unless both are finite and greater
    /// than zero, and the tube is thinner than the ring is wide: a spindle that cuts itself has no inside.
    pub fn new(major: f64, minor: f64) -> Result<Torus, GeometryError> {
        let major = measure("torus", "major_radius", major)?;
        let minor = measure("torus", "minor_radius", minor)?;
        if minor >= major {
            return Err(GeometryError::Spindle { kind: ENTRY.name, name: "minor_radius", major, minor });
        }
        Ok(Torus { major, minor })
    }

    /// The radius of the ring [m].
    #[inline(always)]
    pub fn major(&self) -> f64 {
        self.major
    }

    /// The radius of the tube [m].
    #[inline(always)]
    pub fn minor(&self) -> f64 {
        self.minor
    }

    /// The point of the surface at φ around the ring and θ around the tube [rad].
    pub fn point(&self, phi: f64, theta: f64) -> Vec3 {
        self.ring(phi) + self.normal(phi, theta) * self.minor
    }

    /// The outward normal there.
    pub fn normal(&self, phi: f64, theta: f64) -> Vec3 {
        Vec3::new(cos(theta) * cos(phi), cos(theta) * sin(phi), sin(theta))
    }

    /// The tangents ∂p/∂φ and ∂p/∂θ there [m].
    ///
    /// ```
    /// use carom_geometry::surfaces::Torus;
    /// let ring = Torus::new(2.0, 0.5)?;
    /// let [along, around] = ring.tangents(0.3, 1.1);
    /// let n = along.cross(&around).normalize();
    /// assert!((n - ring.normal(0.3, 1.1)).norm() < 1e-15);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn tangents(&self, phi: f64, theta: f64) -> [Vec3; 2] {
        let rho = self.major + self.minor * cos(theta);
        let along = Vec3::new(-sin(phi), cos(phi), 0.0) * rho;
        let (c, s) = (cos(theta), sin(theta));
        [along, Vec3::new(-s * cos(phi), -s * sin(phi), c) * self.minor]
    }

    /// (ρ − R)² + z² − r² [m²]: zero on the surface, negative in the tube.
    pub fn implicit<S: Scalar>(&self, x: &Vec3<S>) -> S {
        let rho = (x.x * x.x + x.y * x.y).sqrt() - S::from_f64(self.major);
        rho * rho + x.z * x.z - S::from_f64(self.minor * self.minor)
    }

    fn ring(&self, phi: f64) -> Vec3 {
        Vec3::new(cos(phi), sin(phi), 0.0) * self.major
    }
}

/// The torus in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: "torus",
    summary: "a torus about the z axis of its frame, centred",
    params: &[
        Param::required(
            "major_radius",
            Quantity::Length,
            Allowed::Positive,
            "radius of the ring that the tube follows",
        ),
        Param::required("minor_radius", Quantity::Length, Allowed::Positive, "radius of the tube"),
    ],
    build: |args| {
        let (major, minor) = (number(args, "torus", "major_radius")?, number(args, "torus", "minor_radius")?);
        Ok(Arc::new(Torus::new(major, minor).map_err(refused)?))
    },
};

impl Surface for Torus {
    fn kind(&self) -> &'static str {
        ENTRY.name
    }
    fn bounds(&self) -> Bounds {
        Bounds { centre: Vec3::zeros(), radius: self.major + self.minor }
    }
    fn skin(&self) -> f64 {
        self.minor
    }
    fn is_closed(&self) -> bool {
        true
    }
    fn as_project(&self) -> Option<&dyn Project> {
        Some(self)
    }
    fn as_ring(&self) -> Option<&dyn Ring> {
        Some(self)
    }
    fn solid(&self) -> Option<Solid> {
        let (a2, r2) = (self.major * self.major, self.minor * self.minor);
        let volume = 2.0 * PI * PI * self.major * r2;
        // I_z = m (R² + 3/4 r²), I_x = m (R²/2 + 5/8 r²)
        let (across, along) = (volume * (0.5 * a2 + 0.625 * r2), volume * (a2 + 0.75 * r2));
        let inertia = Mat3::from_diagonal(&Vec3::new(across, across, along));
        Some(Solid { volume, centroid: Vec3::zeros(), inertia })
    }
    fn shell(&self) -> Option<Shell> {
        let (a2, r2) = (self.major * self.major, self.minor * self.minor);
        let area = 4.0 * PI * PI * self.major * self.minor;
        // I_z = m (R² + 3/2 r²), I_x = m (R²/2 + 5/4 r²)
        let (across, along) = (area * (0.5 * a2 + 1.25 * r2), area * (a2 + 1.5 * r2));
        let inertia = Mat3::from_diagonal(&Vec3::new(across, across, along));
        Some(Shell { area, centroid: Vec3::zeros(), inertia })
    }
    fn mesh(&self, n: usize, _extent: f64) -> Mesh {
        let around = segments(n);
        let at = |i: usize| {
            // from the bottom over the outer side to the top and back over the inner one; closed exactly
            let theta = 2.0 * PI * (i % around) as f64 / around as f64;
            let (n_rho, n_z) = (cos(theta), sin(theta));
            Profile { rho: self.major + self.minor * n_rho, z: self.minor * n_z, n_rho, n_z }
        };
        Mesh::revolved(&(0..=around).map(at).collect::<Vec<_>>(), n)
    }
}

impl Ring for Torus {
    fn section(&self, phi: f64) -> Section {
        let e = Vec3::new(cos(phi), sin(phi), 0.0);
        Section { centre: e * self.major, radial: e * self.minor, axial: self.minor, exponent: 2.0 }
    }
    fn length(&self, from: f64, to: f64) -> f64 {
        self.major * (to - from)
    }
    fn round(&self) -> Option<[f64; 2]> {
        Some([self.major, self.minor])
    }
}

impl ProjectFormula for Torus {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match side {
            Side::Outside => &["torus"],
            Side::Inside => &["tube"],
        }
    }
    fn closest_point<S: Scalar>(&self, side: Side, _feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
        // on the axis every point of the ring is as near; on the ring itself the tube's top is taken
        let zero = S::from_f64(0.0);
        let (e, rho) = direction(&Vec3::new(x.x, x.y, zero), Vec3::x);
        // in the half plane through the point: near the axis e turns fast, and ρ does not care
        let major = S::from_f64(self.major);
        let (v, distance) = direction(&Vec3::new(rho - major, zero, x.z), Vec3::z);
        let u = e * v.x + Vec3::new(zero, zero, v.z);
        round_wall(side, self.minor, e * major, u, distance)
    }
    fn curvature(&self, side: Side, _feature: usize, x: &Vec3) -> Curvature {
        let (e, _) = direction(&Vec3::new(x.x, x.y, 0.0), Vec3::x);
        let (u, _) = direction(&(x - e * self.major), Vec3::z);
        let cos = u.dot(&e);
        let (around, along) = (1.0 / self.minor, cos / (self.major + self.minor * cos));
        Curvature {
            k1: side.sign() * around,
            k2: side.sign() * along,
            direction: e.cross(&Vec3::z()).cross(&u),
        }
    }
    fn hollow_radius(&self, side: Side) -> f64 {
        match side {
            // the inner side of the ring, at its narrowest
            Side::Outside => self.major - self.minor,
            Side::Inside => self.minor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_base::Dual;

    #[test]
    fn refuses_what_is_no_torus() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Torus::new(bad, 0.1), Err(GeometryError::BadMeasure { .. })));
            assert!(matches!(Torus::new(1.0, bad), Err(GeometryError::BadMeasure { .. })));
        }
        assert!(matches!(Torus::new(1.0, 1.0), Err(GeometryError::Spindle { .. })));
    }

    #[test]
    fn the_forms_agree() {
        let ring = Torus::new(2.0, 0.5).unwrap();
        for (phi, theta) in [(0.0, 0.0), (0.7, 1.9), (-2.5, -0.6), (3.0, 3.1)] {
            let p = ring.point(phi, theta);
            assert!(ring.implicit(&p).abs() < 1e-15);
            // the gradient of the implicit form is along the normal
            let x = Vec3::from_fn(|i, _| Dual::<3>::variable(p[i], i));
            let gradient = Vec3::from(ring.implicit(&x).eps);
            assert!((gradient / (2.0 * 0.5) - ring.normal(phi, theta)).norm() < 1e-14);
            // so are closest points to points off the surface
            let closest_point =
                Project::closest_point(&ring, Side::Outside, 0, &(p + ring.normal(phi, theta) * 0.25));
            assert!((closest_point.p - p).norm() < 1e-15 && (closest_point.d - 0.25).abs() < 1e-15);
            let closest_point =
                Project::closest_point(&ring, Side::Inside, 0, &(p - ring.normal(phi, theta) * 0.25));
            assert!((closest_point.p - p).norm() < 1e-15 && (closest_point.d - 0.25).abs() < 1e-15);
            assert!((closest_point.n + ring.normal(phi, theta)).norm() < 1e-14);
        }
    }

    #[test]
    fn the_inner_side_is_a_hollow() {
        let ring = Torus::new(2.0, 0.5).unwrap();
        let k = |x: [f64; 3]| Project::curvature(&ring, Side::Outside, 0, &Vec3::from(x));
        assert_eq!((k([3.0, 0.0, 0.0]).k1, k([3.0, 0.0, 0.0]).k2), (2.0, 0.4));
        assert_eq!((k([0.0, 1.0, 0.0]).k1, k([0.0, 1.0, 0.0]).k2), (2.0, -1.0 / 1.5));
        assert_eq!(k([2.0, 0.0, 1.0]).k2, 0.0);
    }
}
