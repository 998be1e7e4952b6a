//! The ellipsoid Σ (x_i/e_i)² = 1, e_i its semi axes.
//!
//! Implicit form F(x) = Σ (x_i/e_i)² − 1, ∇F = 2 x_i/e_i², the Hessian 2 diag(1/e_i²). Support function h(m) = √Σ (e_i m_i)², its
//! gradient the point q_i = e_i² m_i/h furthest along m, its Hessian ∂q/∂m = (diag(e_i²) − q qᵀ)/h.
//!
//! The closest point to x: x − p is along ∇F, so p_i = e_i² x_i/(e_i² + t), and p on the surface makes the secular equation
//! Σ (e_i x_i/(e_i² + t))² = 1, whose largest root is the nearest of all closest points (D. Eberly, Distance from a Point to an Ellipse, an
//! Ellipsoid, or a Hyperellipsoid, Geometric Tools 2013). With c the shortest semi axis, r_i = (e_i/c)², z_i = |x_i|/e_i,
//! u = 1 + t/c² ≥ 0:
//!
//!   G(u) = Σ s_i² = 1,   s_i = r_i z_i/(u + r_i − 1),   p_i = ± e_i s_i.
//!
//! G falls, so the root is the only one. u, not t, is the unknown, and r_i − 1 = (e_i − c)(e_i + c)/c², so that nothing cancels next
//! to u = 0. If no point of the shortest axes' z is left and G(0) < 1, x is on the focal ellipse's disk, u = 0, and the rest of the
//! unit is along a shortest axis, either way. Derivatives by the shape operator (`bend.rs`).
//!
//! Valid for any positive semi axes. Checked: closest points against search over the surface, aspect ratios to 100, both sides, axes, planes of
//! symmetry, focal disk (`tests/ellipsoid.rs`); against the sphere; area against spheroids.

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

use carom_base::elementary::{cos, sin, sincos};
use carom_base::param::Allowed;
use carom_base::{Dual, Entry, Mat3, Param, Quantity, Scalar, SpecError, Vec3};

use super::{measure, refused};
use crate::bend::Bend;
use crate::boundary::{BoundaryPart, PartShape};
use crate::closest_point::direction;
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::mesh::{Mesh, Profile, segments};
use crate::quadrature::nodes;
use crate::shape::{Bounds, ClosestPoint, Implicit, Level, Project, Shell, Side, Solid, Support, Surface};

/// Newton's method takes 3 to 6 steps; the bisection that guards it at most this many.
const MOST_STEPS: usize = 120;

/// An ellipsoid, centred, its axes along those of its frame: an egg from outside, a cavity from inside.
///
/// It has one closest point on either side, the nearest point.
///
/// ```
/// use carom_geometry::{Project, Side, Vec3, surfaces::Ellipsoid};
/// let egg = Ellipsoid::new([1.0, 2.0, 3.0])?; // semi axes [m]
/// let closest = egg.closest_point(Side::Outside, 0, &Vec3::new(0.0, 0.0, 5.0));
/// assert_eq!((closest.p, closest.d), (Vec3::new(0.0, 0.0, 3.0), 2.0));
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    /// e_i [m]
    semi: Vec3,
    /// r_i = (e_i/c)², c the shortest
    ratio: Vec3,
    /// r_i − 1
    excess: Vec3,
}

impl Ellipsoid {
    /// An ellipsoid of these semi axes along x, y, z [m], refused unless all are finite and greater than zero.
    pub fn new(semi_axes: [f64; 3]) -> Result<Ellipsoid, GeometryError> {
        for value in semi_axes {
            measure(ENTRY.name, "semi_axes", value)?;
        }
        let semi = Vec3::from(semi_axes);
        let c = semi.min();
        let ratio = semi.map(|e| (e / c) * (e / c));
        let excess = semi.map(|e| (e - c) / c * ((e + c) / c));
        Ok(Ellipsoid { semi, ratio, excess })
    }

    /// Its semi axes along x, y, z [m].
    #[inline(always)]
    pub fn semi_axes(&self) -> &Vec3 {
        &self.semi
    }

    /// The point (e_x cos θ cos φ, e_y cos θ sin φ, e_z sin θ) of the surface [m], angles in rad.
    pub fn point(&self, phi: f64, theta: f64) -> Vec3 {
        let ((sin_p, cos_p), (sin_t, cos_t)) = (sincos(phi), sincos(theta));
        Vec3::new(cos_t * cos_p, cos_t * sin_p, sin_t).component_mul(&self.semi)
    }

    /// F = Σ (x_i/e_i)² − 1: zero on the surface, negative within.
    pub fn implicit<S: Scalar>(&self, x: &Vec3<S>) -> S {
        let s = self.scaled(x);
        s.dot(&s) - S::from_f64(1.0)
    }

    /// ∇F [1/m].
    pub fn gradient(&self, x: &Vec3) -> Vec3 {
        self.scaled(x).component_div(&self.semi) * 2.0
    }

    /// The Hessian of F [1/m²], everywhere the same.
    pub fn hessian(&self) -> Mat3 {
        Mat3::from_diagonal(&self.semi.map(|e| 2.0 / (e * e)))
    }

    /// The outward normal at a point of the surface.
    pub fn normal(&self, p: &Vec3) -> Vec3 {
        direction(&self.gradient(p), Vec3::z).0
    }

    /// The point furthest along `m`, a vector of any length but zero [m]: q_i = e_i² m_i/h.
    ///
    /// ```
    /// use carom_geometry::{Vec3, surfaces::Ellipsoid};
    /// let egg = Ellipsoid::new([1.0, 2.0, 3.0])?;
    /// let m = Vec3::new(0.6, 0.0, 0.8);
    /// assert!((egg.normal(&egg.support(&m)) - m).norm() < 1e-15);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    #[inline(always)]
    pub fn support<S: Scalar>(&self, m: &Vec3<S>) -> Vec3<S> {
        let semi = self.semi.map(S::from_f64);
        direction(&m.component_mul(&semi), Vec3::z).0.component_mul(&semi)
    }

    /// ∂q/∂m of the support point at a unit vector m [m]: its eigenvalues are the radii of curvature there, and zero along m.
    pub fn support_slope(&self, m: &Vec3) -> Mat3 {
        // with w = q_i/e_i, a unit vector: e_i e_j (δ_ij − w_i w_j)/h, and 1 − w_i² by the other two, so that nothing cancels
        let (w, h) = direction(&m.component_mul(&self.semi), Vec3::z);
        Mat3::from_fn(|i, j| {
            let (k, l) = ((i + 1) % 3, (i + 2) % 3);
            let across = if i == j { w[k] * w[k] + w[l] * w[l] } else { -w[i] * w[j] };
            self.semi[i] * (self.semi[j] / h) * across
        })
    }

    /// The principal curvatures at a point of the surface, positive where that side sees a bulge.
    ///
    /// ```
    /// use carom_geometry::{Side, Vec3, surfaces::Ellipsoid};
    /// let egg = Ellipsoid::new([1.0, 2.0, 4.0])?;
    /// let k = egg.curvature_at(Side::Outside, &Vec3::new(0.0, 0.0, 4.0)); // e_z/e_x², e_z/e_y²
    /// assert_eq!((k.k1, k.k2), (4.0, 1.0));
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn curvature_at(&self, side: Side, p: &Vec3) -> Curvature {
        self.bend(p).seen_from(side)
    }

    /// The smallest and the largest radius of curvature [m]: c²/a and a²/c, a the longest, c the shortest semi axis.
    pub fn radii_of_curvature(&self) -> [f64; 2] {
        let (a, c) = (self.semi.max(), self.semi.min());
        [c * (c / a), a * (a / c)]
    }

    fn scaled<S: Scalar>(&self, x: &Vec3<S>) -> Vec3<S> {
        x.component_div(&self.semi.map(S::from_f64))
    }

    fn bend(&self, p: &Vec3) -> Bend {
        Bend::new(&self.gradient(p), &self.hessian())
    }

    /// s_i of the secular equation; a coordinate of zero stays zero at u = 0, too.
    fn shares(&self, z: &Vec3, u: f64) -> Vec3 {
        let share = |i: usize| {
            if z[i] == 0.0 { 0.0 } else { self.ratio[i] * z[i] / (u + self.excess[i]) }
        };
        Vec3::new(share(0), share(1), share(2))
    }

    /// The s_i of the closest point to a point with that z ≥ 0.
    fn nearest_shares(&self, z: &Vec3) -> Vec3 {
        let reach = z.component_mul(&self.ratio);
        // one term alone is 1 at u = r_i z_i − (r_i − 1): the root is not below; it is not above Σ r_i z_i ≥ √Σ (r_i z_i)²
        let mut low = (reach - self.excess).max().max(0.0);
        let mut high = reach.sum();
        let mut u = low;
        let mut s = self.shares(z, u);
        if u == 0.0 && s.norm_squared() <= 1.0 {
            s[self.semi.iter().rposition(|e| *e == self.semi.min()).unwrap_or(2)] =
                (1.0 - s.norm_squared()).max(0.0).sqrt();
            return s;
        }
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let length = s.norm();
            if length >= 1.0 {
                low = u
            } else {
                high = u
            }
            // Newton's step for 1/√G − 1, nearly straight: √G² (√G − 1)/Σ s_i²/(u + r_i − 1)
            let slope: f64 =
                (0..3).filter(|i| s[*i] != 0.0).map(|i| s[i] * (s[i] / (u + self.excess[i]))).sum();
            let mut next = u + length * length * (length - 1.0) / slope;
            if !(next >= low && next <= high) {
                next = if low > 0.0 { low.sqrt() * high.sqrt() } else { 0.5 * high };
            }
            let step = (next - u).abs();
            // steps that no longer shrink are rounding
            if !(step > 0.0) || (step < 1e-9 * u && step >= 0.5 * last) {
                break;
            }
            (u, last) = (next, step);
            s = self.shares(z, u);
        }
        s
    }

    /// The point of the surface nearest to x.
    pub(crate) fn nearest(&self, x: &Vec3) -> Vec3 {
        let z = self.scaled(x).abs();
        let s = direction(&self.nearest_shares(&z), Vec3::z).0;
        Vec3::from_fn(|i, _| if x[i] < 0.0 { -s[i] } else { s[i] } * self.semi[i])
    }
}

/// The ellipsoid in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: "ellipsoid",
    summary: "an ellipsoid, centred, its axes along those of its frame",
    params: &[Param::required(
        "semi_axes",
        Quantity::Length,
        Allowed::Positive,
        "half lengths along x, y, z",
    )
    .array(3)],
    build: |args| match args.numbers("semi_axes") {
        Some(&[a, b, c]) => Ok(Arc::new(Ellipsoid::new([a, b, c]).map_err(refused)?)),
        _ => Err(SpecError::Missing { kind: "ellipsoid", name: "semi_axes", doc: "three lengths" }),
    },
};

impl Surface for Ellipsoid {
    fn kind(&self) -> &'static str {
        ENTRY.name
    }
    fn bounds(&self) -> Bounds {
        Bounds { centre: Vec3::zeros(), radius: self.semi.max() }
    }
    fn skin(&self) -> f64 {
        // a ball of that radius touches every point of the surface from within
        self.radii_of_curvature()[0]
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
    fn as_implicit(&self) -> Option<&dyn Implicit> {
        Some(self)
    }
    fn solid(&self) -> Option<Solid> {
        let volume = 4.0 / 3.0 * PI * self.semi.product();
        // ∫x_i² = V e_i²/5
        let square = self.semi.component_mul(&self.semi) * (0.2 * volume);
        let inertia = Mat3::from_diagonal(&square.map(|s| square.sum() - s));
        Some(Solid { volume, centroid: Vec3::zeros(), inertia })
    }
    fn shell(&self) -> Option<Shell> {
        // dA = abc √Σ (s_i/e_i)² dω over the unit sphere, the pole along the shortest axis: over an eighth of it, s_k = the sine
        // of the latitude, so that all that is not smooth is at the ends
        let k = self.semi.imin();
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (mut area, mut square) = (0.0, Vec3::zeros());
        for (phi, across) in nodes(0.0, FRAC_PI_2) {
            for (sine, along) in nodes(0.0, 1.0) {
                let cosine = ((1.0 - sine) * (1.0 + sine)).max(0.0).sqrt();
                let mut s = Vec3::zeros();
                (s[i], s[j], s[k]) = (cosine * cos(phi), cosine * sin(phi), sine);
                let sheet = 8.0 * across * along * self.semi.product() * s.component_div(&self.semi).norm();
                area += sheet;
                square += s.component_mul(&self.semi).map(|x| x * x) * sheet;
            }
        }
        let inertia = Mat3::from_diagonal(&square.map(|s| square.sum() - s));
        Some(Shell { area, centroid: Vec3::zeros(), inertia })
    }
    fn boundary(&self) -> Option<Vec<BoundaryPart>> {
        Some(vec![BoundaryPart::here("surface", PartShape::Ellipsoid { semi_axes: self.semi.into() })])
    }
    fn mesh(&self, n: usize, _extent: f64) -> Mesh {
        // that of the unit sphere, stretched
        let mut mesh =
            Mesh::revolved(&Profile::arc(1.0, 0.0, -FRAC_PI_2, FRAC_PI_2, segments(n).div_ceil(2)), n);
        for (vertex, normal) in mesh.vertices.iter_mut().zip(&mut mesh.normals) {
            let p = Vec3::from(*vertex).component_mul(&self.semi);
            (*vertex, *normal) = (p.into(), self.normal(&p).into());
        }
        mesh
    }
}

impl Support for Ellipsoid {
    fn support(&self, m: &Vec3) -> Vec3 {
        Ellipsoid::support(self, m)
    }
    fn axis(&self) -> Option<Vec3> {
        let is_axis = |i: &usize| self.semi[(i + 1) % 3] == self.semi[(i + 2) % 3];
        (0..3).rev().find(is_axis).map(|i| Vec3::ith(i, 1.0))
    }
    fn curvature_at(&self, p: &Vec3, _m: &Vec3) -> Curvature {
        Ellipsoid::curvature_at(self, Side::Outside, p)
    }
    fn least_radius(&self) -> f64 {
        self.radii_of_curvature()[0]
    }
    fn largest_radius(&self) -> f64 {
        self.radii_of_curvature()[1]
    }
}

impl Implicit for Ellipsoid {
    fn level(&self, x: &Vec3) -> Level {
        Level { f: self.implicit(x), gradient: self.gradient(x), hessian: self.hessian() }
    }
}

impl Project for Ellipsoid {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match side {
            Side::Outside => &["ellipsoid"],
            Side::Inside => &["wall"],
        }
    }
    fn closest_point(&self, side: Side, _feature: usize, x: &Vec3) -> ClosestPoint {
        let p = self.nearest(x);
        let n = self.normal(&p) * side.sign();
        ClosestPoint { p, n, d: n.dot(&(x - p)) }
    }
    fn closest_point_dual(&self, side: Side, _feature: usize, x: &Vec3<Dual<3>>) -> ClosestPoint<Dual<3>> {
        let p = self.nearest(&x.map(|c| c.re));
        self.bend(&p).closest_point_dual(side, &p, x)
    }
    fn curvature(&self, side: Side, _feature: usize, x: &Vec3) -> Curvature {
        self.curvature_at(side, &self.nearest(x))
    }
    fn hollow_radius(&self, side: Side) -> f64 {
        match side {
            Side::Outside => f64::INFINITY,
            Side::Inside => self.radii_of_curvature()[0],
        }
    }
}
