//! The supertorus, Barr's supertoroid: a tube of superelliptic section along a superelliptic ring.
//!
//! With the superelliptic radius q = (|x|^γ_r + |y|^γ_r)^(1/γ_r), R the radius of the ring, a and b the semi axes of the section
//! across and along the z axis, γ_s and γ_r the exponents of section and ring, both ≥ 2:
//!
//!   F(x) = |(q − R)/a|^γ_s + |z/b|^γ_s − 1 = 0.
//!
//! Parametric form (A. H. Barr, Superquadrics and angle-preserving transformations, IEEE Computer Graphics and Applications 1,
//! 1981; his exponents are ε = 2/γ): with φ along the ring, θ around the section, c_γ(t) = sign(cos t) |cos t|^(2/γ), s_γ likewise,
//!
//!   p = ((R + a c_s(θ)) c_r(φ), (R + a c_s(θ)) s_r(φ), b s_s(θ)).
//!
//! With U = |(q − R)/a|^γ_s and V = |z/b|^γ_s the gradient is ∇F = U' ∇q + V' e_z, the Hessian U'' ∇q ∇qᵀ + U' ∇²q + V'' e_z e_zᵀ,
//! the shape operator S = P H P/|∇F|, P = E − n nᵀ, dn = S dp; its eigenvalues are the principal curvatures. For γ ≥ 2 all of them are
//! finite. γ_s = γ_r = 2 and a = b make a torus.
//!
//! Checked: against the torus; forms against each other; derivatives against duals and differences; closest points against search over the
//! whole surface (`tests/supertorus.rs`); volume, inertia, area against quadrature.

mod closest_point;
mod slice;

use std::f64::consts::FRAC_PI_4;
use std::sync::Arc;

use carom_base::elementary::{pow, powi};
use carom_base::param::Allowed;
use carom_base::{Entry, Mat3, Param, Quantity, Scalar, SpecError, Vec3};
use nalgebra::Vector2;

use super::superellipse::{self, Superellipse, power};
use super::{measure, number, refused};
use crate::bend::Bend;
use crate::closest_point::direction;
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::mesh::{Mesh, segments};
use crate::quadrature::nodes;
use crate::shape::{Bounds, Level, Project, Ring, Shell, Side, Solid, Surface};
use closest_point::Grid;

/// A supertorus about the z axis of its frame, centred: a ring from outside, a raceway from inside its tube.
///
/// It has one closest point on either side, the nearest point. A ball larger than the corners of the tube touches one wall of two.
///
/// ```
/// use carom_geometry::{Project, Side, Vec3, surfaces::Supertorus};
/// // radius of the ring, semi axes of the section across and along z [m], exponents of section and ring
/// let link = Supertorus::new(0.025, [0.005, 0.008], [4.0, 3.0])?;
/// let closest = link.closest_point(Side::Outside, 0, &Vec3::new(0.0, 0.04, 0.0));
/// assert!((closest.d - 0.01).abs() < 1e-17 && (closest.p - Vec3::new(0.0, 0.03, 0.0)).norm() < 1e-17);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Supertorus {
    major: f64,
    /// semi axes of the section, across and along the axis
    a: f64,
    b: f64,
    section: Superellipse,
    ring: Superellipse,
    /// where the search for a closest point starts
    grid: Grid,
}

/// A place on the surface: (x, y) = (R + a u) D, z = b v, with D on the ring's superellipse, (u, v) on the section's.
#[derive(Clone, Copy, Debug)]
struct SurfacePoint {
    ring: Vector2<f64>,
    section: Vector2<f64>,
}

impl Supertorus {
    /// A supertorus of that radius of the ring and semi axes [a, b] of the section, across and along the axis [m], and exponents of
    /// section and ring. Refused unless all lengths are finite and greater than zero, a is less than the radius of the ring, and the
    /// exponents are finite and 2 or greater.
    pub fn new(major: f64, semi_axes: [f64; 2], exponents: [f64; 2]) -> Result<Supertorus, GeometryError> {
        let major = measure(ENTRY.name, "major_radius", major)?;
        let [a, b] = semi_axes;
        let (a, b) = (measure(ENTRY.name, "semi_axes", a)?, measure(ENTRY.name, "semi_axes", b)?);
        if let Some(&value) = exponents.iter().find(|g| !(g.is_finite() && **g >= 2.0)) {
            return Err(GeometryError::BadExponent { kind: ENTRY.name, name: "exponents", value });
        }
        if a >= major {
            return Err(GeometryError::Spindle { kind: ENTRY.name, name: "semi_axes", major, minor: a });
        }
        let [section, ring] = exponents.map(|gamma| Superellipse { gamma });
        Ok(Supertorus { major, a, b, section, ring, grid: Grid::new(major, a, b, &section, &ring) })
    }

    /// The radius R of the ring on the axes x and y [m].
    #[inline(always)]
    pub fn major(&self) -> f64 {
        self.major
    }

    /// The semi axes of the section across and along the axis [m].
    pub fn semi_axes(&self) -> [f64; 2] {
        [self.a, self.b]
    }

    /// The exponents of section and ring.
    pub fn exponents(&self) -> [f64; 2] {
        [self.section.gamma, self.ring.gamma]
    }

    /// Barr's point of the surface at φ along the ring and θ around the section [rad].
    pub fn point(&self, phi: f64, theta: f64) -> Vec3 {
        self.at(&self.barr(phi, theta))
    }

    /// The outward normal there.
    pub fn normal(&self, phi: f64, theta: f64) -> Vec3 {
        self.normal_at(&self.barr(phi, theta))
    }

    /// Unit tangents there, along the ring and around the section, the ways φ and θ grow. (∂p/∂φ and ∂p/∂θ themselves are infinite
    /// where the exponents are above 2 and a sine or cosine is zero.)
    ///
    /// ```
    /// use carom_geometry::surfaces::Supertorus;
    /// let link = Supertorus::new(2.0, [0.5, 0.7], [3.0, 5.0])?;
    /// let [along, around] = link.tangents(0.3, 1.1);
    /// let n = along.cross(&around).normalize();
    /// assert!((n - link.normal(0.3, 1.1)).norm() < 1e-15);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn tangents(&self, phi: f64, theta: f64) -> [Vec3; 2] {
        let SurfacePoint { ring, section } = self.barr(phi, theta);
        let (along, around) = (turned(self.ring.covector(&ring)), turned(self.section.covector(&section)));
        let around = Vec3::new(ring.x * self.a * around.x, ring.y * self.a * around.x, self.b * around.y);
        [direction(&Vec3::new(along.x, along.y, 0.0), Vec3::y).0, direction(&around, Vec3::z).0]
    }

    /// The point at the polar angles α of the ring and β of the section [rad], its derivatives by both, and the outward normal.
    pub(crate) fn by_angles(&self, alpha: f64, beta: f64) -> (Vec3, [Vec3; 2], Vec3) {
        let (d, s) = (self.ring.jet(alpha), self.section.jet(beta));
        let (q, dq) = (self.major + self.a * s.p.x, self.a * s.d1.x);
        let along = Vec3::new(q * d.d1.x, q * d.d1.y, 0.0);
        let around = Vec3::new(dq * d.p.x, dq * d.p.y, self.b * s.d1.y);
        let p = Vec3::new(q * d.p.x, q * d.p.y, self.b * s.p.y);
        (p, [along, around], direction(&along.cross(&around), Vec3::z).0)
    }

    /// F = |(q − R)/a|^γ_s + |z/b|^γ_s − 1: zero on the surface, negative in the tube.
    pub fn implicit<S: Scalar>(&self, x: &Vec3<S>) -> S {
        let u = (self.ring.norm(x.x, x.y) - S::from_f64(self.major)) / S::from_f64(self.a);
        let v = x.z / S::from_f64(self.b);
        u.abs().powf(self.section.gamma) + v.abs().powf(self.section.gamma) - S::from_f64(1.0)
    }

    /// ∇F [1/m], off the axis.
    ///
    /// ```
    /// use carom_geometry::{Vec3, surfaces::Supertorus};
    /// let link = Supertorus::new(2.0, [0.5, 0.25], [4.0, 3.0])?;
    /// assert_eq!(link.gradient(&Vec3::new(2.5, 0.0, 0.0)), Vec3::x() * 8.0); // γ/a
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn gradient(&self, x: &Vec3) -> Vec3 {
        self.gradient_at(&self.surface_point(x)) * self.section.gamma
    }

    /// The Hessian of F [1/m²], off the axis.
    pub fn hessian(&self, x: &Vec3) -> Mat3 {
        self.hessian_at(&self.surface_point(x)) * self.section.gamma
    }

    /// The principal curvatures at a point of the surface, positive where that side sees a bulge.
    ///
    /// ```
    /// use carom_geometry::{Side, surfaces::Supertorus};
    /// let link = Supertorus::new(2.0, [0.5, 0.5], [2.0, 2.0])?; // a torus
    /// let k = link.curvature_at(Side::Outside, &link.point(0.4, 0.0));
    /// assert!((k.k1 - 2.0).abs() < 1e-14 && (k.k2 - 0.4).abs() < 1e-15);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn curvature_at(&self, side: Side, p: &Vec3) -> Curvature {
        self.bend(&self.surface_point(p)).seen_from(side)
    }

    fn barr(&self, phi: f64, theta: f64) -> SurfacePoint {
        SurfacePoint { ring: self.ring.barr(phi), section: self.section.barr(theta) }
    }

    /// The place of a point, (u, v) on the section's superellipse if it is one of the surface.
    fn surface_point(&self, x: &Vec3) -> SurfacePoint {
        let q = self.ring.size(x.x, x.y);
        let ring = if q > 0.0 { Vector2::new(x.x / q, x.y / q) } else { Vector2::x() };
        SurfacePoint { ring, section: Vector2::new((q - self.major) / self.a, x.z / self.b) }
    }

    fn at(&self, point: &SurfacePoint) -> Vec3 {
        let q = self.major + self.a * point.section.x;
        Vec3::new(q * point.ring.x, q * point.ring.y, self.b * point.section.y)
    }

    /// ∇F/γ_s.
    fn gradient_at(&self, point: &SurfacePoint) -> Vec3 {
        let (dq, dn) = (self.ring.covector(&point.ring), self.section.covector(&point.section));
        let du = dn.x / self.a;
        Vec3::new(dq.x * du, dq.y * du, dn.y / self.b)
    }

    fn normal_at(&self, point: &SurfacePoint) -> Vec3 {
        direction(&self.gradient_at(point), Vec3::z).0
    }

    /// The Hessian of F over γ_s.
    fn hessian_at(&self, point: &SurfacePoint) -> Mat3 {
        let (d, s) = (point.ring, point.section);
        let (g_s, g_r) = (self.section.gamma, self.ring.gamma);
        let dq = self.ring.covector(&d);
        let dq = Vec3::new(dq.x, dq.y, 0.0);
        // ∇²q = (γ_r − 1)/q |D_x D_y|^(γ_r − 2) (D_y, −D_x)(D_y, −D_x)ᵀ
        let across = Vec3::new(d.y, -d.x, 0.0);
        let q = self.major + self.a * s.x;
        let ring = (g_r - 1.0) / q * power((d.x * d.y).abs(), g_r - 2.0);
        let du = self.section.covector(&s).x / self.a;
        let d2u = (g_s - 1.0) * power(s.x.abs(), g_s - 2.0) / (self.a * self.a);
        let d2v = (g_s - 1.0) * power(s.y.abs(), g_s - 2.0) / (self.b * self.b);
        let mut h = dq * dq.transpose() * d2u + across * across.transpose() * (du * ring);
        h[(2, 2)] += d2v;
        h
    }

    /// F/γ_s and its derivatives, in as few powers as they need.
    fn level_over(&self, x: &Vec3) -> Level {
        let (g_s, g_r) = (self.section.gamma, self.ring.gamma);
        let SurfacePoint { ring: d, section: s } = self.surface_point(x);
        let q = self.major + self.a * s.x;
        // |·|^(γ − 2), and with two factors more each power that F and its derivatives have
        let (d_x, d_y) = (power(d.x.abs(), g_r - 2.0), power(d.y.abs(), g_r - 2.0));
        let (s_x, s_y) = (power(s.x.abs(), g_s - 2.0), power(s.y.abs(), g_s - 2.0));
        let dq = Vec3::new(d_x * d.x, d_y * d.y, 0.0);
        let across = Vec3::new(d.y, -d.x, 0.0);
        let du = s_x * s.x / self.a;
        let second = (g_s - 1.0) / (self.a * self.a) * s_x;
        let ring = (g_r - 1.0) / q * d_x * d_y;
        let mut hessian = dq * dq.transpose() * second + across * across.transpose() * (du * ring);
        hessian[(2, 2)] += (g_s - 1.0) / (self.b * self.b) * s_y;
        let gradient = dq * du + Vec3::z() * (s_y * s.y / self.b);
        Level { f: (s_x * s.x * s.x + s_y * s.y * s.y - 1.0) / g_s, gradient, hessian }
    }

    fn bend(&self, point: &SurfacePoint) -> Bend {
        Bend::new(&self.gradient_at(point), &self.hessian_at(point))
    }
}

fn turned(v: Vector2<f64>) -> Vector2<f64> {
    Vector2::new(-v.y, v.x)
}

/// The supertorus in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: "supertorus",
    summary: "a tube of superelliptic section along a superelliptic ring about the z axis of its frame, centred",
    params: &[
        Param::required(
            "major_radius",
            Quantity::Length,
            Allowed::Positive,
            "radius of the ring, along x and y",
        ),
        Param::required(
            "semi_axes",
            Quantity::Length,
            Allowed::Positive,
            "half lengths of the section, across and along the axis",
        )
        .array(2),
        Param::required(
            "exponents",
            Quantity::Number,
            Allowed::Between(2.0, f64::INFINITY),
            "exponents of section and ring: 2 is round, more is squarer",
        )
        .array(2),
    ],
    build: |args| {
        let kind = "supertorus";
        let two = |name, doc| match args.numbers(name) {
            Some(&[x, y]) => Ok([x, y]),
            _ => Err(SpecError::Missing { kind, name, doc }),
        };
        let major = number(args, kind, "major_radius")?;
        let (axes, exponents) = (two("semi_axes", "two lengths")?, two("exponents", "two numbers")?);
        Ok(Arc::new(Supertorus::new(major, axes, exponents).map_err(refused)?))
    },
};

impl Surface for Supertorus {
    fn kind(&self) -> &'static str {
        ENTRY.name
    }
    fn bounds(&self) -> Bounds {
        // |p| ≤ w R + |(w a u, b v)|, w the ring's widest; the second by Hölder's inequality in u², v²
        let widest = pow(2f64, 0.5 - 1.0 / self.ring.gamma);
        let (across, g) = (widest * self.a, self.section.gamma);
        let corner = if g > 2.0 {
            superellipse::norm(2.0 * g / (g - 2.0), across, self.b)
        } else {
            across.max(self.b)
        };
        Bounds { centre: Vec3::zeros(), radius: widest * self.major + corner }
    }
    fn skin(&self) -> f64 {
        // a ball of that radius touches every point of the surface from within
        Project::hollow_radius(self, Side::Inside)
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
        // A and M: area and ∫u² of the unit superellipses. In the plane the area between q and q + dq is 2 A_r q dq, its
        // ∫x² 4 M_r q³ dq; over the section ∫q = R a b A_s, ∫q³ = R³ a b A_s + 3 R a³ b M_s
        let (r, a, b) = (self.major, self.a, self.b);
        let (area_r, area_s) = (self.ring.area(), self.section.area());
        let (m_r, m_s) = (self.ring.second_moment(), self.section.second_moment());
        let xx = 4.0 * m_r * (r * r * r * a * b * area_s + 3.0 * r * a * a * a * b * m_s);
        let zz = 2.0 * area_r * r * a * b * b * b * m_s;
        let inertia = Mat3::from_diagonal(&Vec3::new(xx + zz, xx + zz, 2.0 * xx));
        Some(Solid { volume: 2.0 * area_r * area_s * r * a * b, centroid: Vec3::zeros(), inertia })
    }
    fn shell(&self) -> Option<Shell> {
        // dA = q √(z'² |D'|² + q'² (D × D')²): over an eighth of the ring and a quarter of the section, u → −u and all
        let (r, a, b) = (self.major, self.a, self.b);
        let ring = |(t, weight)| {
            let jet = self.ring.jet(t);
            (weight, jet.d1.norm_squared(), powi(jet.p.perp(&jet.d1), 2), jet.p.norm_squared())
        };
        let ring: Vec<_> = nodes(0.0, FRAC_PI_4).map(ring).collect();
        let (mut area, mut xx, mut zz) = (0.0, 0.0, 0.0);
        for (t, weight) in nodes(0.0, FRAC_PI_4).chain(nodes(FRAC_PI_4, 2.0 * FRAC_PI_4)) {
            let jet = self.section.jet(t);
            let (dq2, dz2) = (powi(a * jet.d1.x, 2), powi(b * jet.d1.y, 2));
            let (u2, z2) = (powi(a * jet.p.x, 2), powi(b * jet.p.y, 2));
            for (w, speed2, cross2, d2) in &ring {
                let sheet = 32.0 * weight * w * (dz2 * speed2 + dq2 * cross2).sqrt();
                area += r * sheet;
                zz += r * z2 * sheet;
                // the mean of q³ at ±u is R³ + 3 R u², that of x² over the ring's symmetry q² |D|²/2
                xx += 0.5 * d2 * (r * r * r + 3.0 * r * u2) * sheet;
            }
        }
        let inertia = Mat3::from_diagonal(&Vec3::new(xx + zz, xx + zz, 2.0 * xx));
        Some(Shell { area, centroid: Vec3::zeros(), inertia })
    }
    fn mesh(&self, n: usize, _extent: f64) -> Mesh {
        let n = segments(n);
        let mut mesh = Mesh::default();
        for section in self.section.around(n) {
            for ring in self.ring.around(n) {
                let point = SurfacePoint { ring, section };
                mesh.vertices.push(self.at(&point).into());
                mesh.normals.push(self.normal_at(&point).into());
            }
        }
        for (j, i) in (0..n).flat_map(|j| (0..n).map(move |i| (j, i))) {
            let at = |j: usize, i: usize| ((j % n) * n + i % n) as u32;
            let [a, b, c, d] = [at(j, i), at(j, i + 1), at(j + 1, i), at(j + 1, i + 1)];
            mesh.triangles.extend([[a, b, d], [a, d, c]]);
        }
        mesh
    }
}
