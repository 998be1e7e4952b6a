//! Superellipsoids: ellipsoids with other exponents than 2, from round (2) to nearly a box.
//!
//! Two families, after D. S. Lopes et al., A mathematical framework for rigid contact detection between quadric and superquadric
//! surfaces, Multibody System Dynamics 24, 2010:
//!
//!   F(x) = |x/a|^γ₁ + |y/b|^γ₂ + |z/c|^γ₃ − 1                    Eq 37, `superellipsoid`, [`Superellipsoid::new`] (`sum.rs`)
//!   F(x) = (|x/a|^γ₂ + |y/b|^γ₂)^(γ₁/γ₂) + |z/c|^γ₁ − 1          Eq 33, `barr-superellipsoid`, [`Superellipsoid::barr`] (`nested.rs`)
//!
//! Semi axes a, b, c > 0 [m], exponents γ ≥ 2: convex, without edges, with finite curvatures; where an exponent is above 2 it is flat
//! on the plane of symmetry across that axis. Equal exponents make both the same, exponents of 2 the ellipsoid.
//!
//! The smallest radius of curvature by branch and bound (`sharpest.rs`), closest points in `closest_point.rs`, volume and inertia by Beta functions.
//!
//! Checked: against the ellipsoid and each other; derivatives against differences; supports in higher precision; closest points, radii and reach
//! against search; solids and shells against Gauss' rule (`tests/superellipsoid.rs`, `tests/shells.rs`).

mod closest_point;
mod nested;
mod sharpest;
mod sum;

use std::sync::Arc;

use carom_base::elementary::{pow, sincos};
use carom_base::param::Allowed;
use carom_base::{Args, Entry, Mat3, Param, Quantity, SpecError, Vec3};

use super::superellipse::{Superellipse, is_smooth_power, signed_power};
use super::{measure, refused};
use crate::bend::Bend;
use crate::closest_point::direction;
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::mesh::{Mesh, segments};
use crate::quadrature::nodes;
use crate::shape::{Bounds, Implicit, Level, Octants, Project, Shell, Side, Solid, Support, Surface};
use nested::Nested;
use sum::Sum;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Sum(Sum),
    Nested(Nested),
}

/// A superellipsoid, centred, its axes along those of its frame.
///
/// It has one closest point on either side, the nearest point.
///
/// ```
/// use carom_geometry::{Support, Vec3, surfaces::Superellipsoid};
/// let die = Superellipsoid::new([1.0, 1.0, 1.0], [8.0; 3])?; // semi axes [m], exponents
/// assert_eq!(die.support(&Vec3::z()), Vec3::z());
/// let corner = die.support(&Vec3::new(1.0, 1.0, 1.0));
/// assert!((corner.x - 3f64.powf(-1.0 / 8.0)).abs() < 1e-15);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superellipsoid {
    semi: Vec3,
    form: Form,
    /// the smallest radius of curvature, or less, and the largest distance from the centre, or more [m]
    least: f64,
    reach: f64,
}

impl Superellipsoid {
    /// F = |x/a|^γ₁ + |y/b|^γ₂ + |z/c|^γ₃ − 1: semi axes along x, y, z [m] and exponents. Refused unless the axes are finite and greater
    /// than zero, the exponents finite and 2 or greater.
    pub fn new(semi_axes: [f64; 3], exponents: [f64; 3]) -> Result<Superellipsoid, GeometryError> {
        let semi = checked(ENTRY.name, semi_axes, &exponents)?;
        let sum = Sum { semi, g: Vec3::from(exponents) };
        let least = 1.0 / sharpest::largest_curvature(|cell| sum.sharpest_in(cell));
        let reach = farthest(&semi_axes, &exponents);
        Ok(Superellipsoid { semi, form: Form::Sum(sum), least, reach })
    }

    /// Barr's F = (|x/a|^γ₂ + |y/b|^γ₂)^(γ₁/γ₂) + |z/c|^γ₁ − 1: semi axes along x, y, z [m] and exponents [γ₁, γ₂], that of the
    /// profile along z first. Refused as in [`Superellipsoid::new`].
    ///
    /// ```
    /// use carom_geometry::{Support, Vec3, surfaces::Superellipsoid};
    /// let can = Superellipsoid::barr([1.0, 1.0, 2.0], [10.0, 2.0])?; // nearly a cylinder
    /// let m = Vec3::new(0.6, 0.8, 0.0);
    /// assert!((can.support(&m) - m).norm() < 1e-15);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn barr(semi_axes: [f64; 3], exponents: [f64; 2]) -> Result<Superellipsoid, GeometryError> {
        let semi = checked(BARR.name, semi_axes, &exponents)?;
        let [profile, section] = exponents.map(|gamma| Superellipse { gamma });
        let nested = Nested { semi, profile, section };
        let least = 1.0 / sharpest::largest_curvature(|cell| nested.sharpest_in(cell));
        let [a, b, c] = semi_axes;
        let across = farthest(&[a, b], &[section.gamma; 2]);
        let reach = farthest(&[across, c], &[profile.gamma; 2]);
        Ok(Superellipsoid { semi, form: Form::Nested(nested), least, reach })
    }

    /// Its semi axes along x, y, z [m].
    pub fn semi_axes(&self) -> &Vec3 {
        &self.semi
    }

    /// The exponents along x, y, z: of Barr's form γ₂, γ₂, γ₁.
    pub fn exponents(&self) -> Vec3 {
        match &self.form {
            Form::Sum(sum) => sum.g,
            Form::Nested(f) => Vec3::new(f.section.gamma, f.section.gamma, f.profile.gamma),
        }
    }

    /// The point of the surface with the shares cos²θ cos²φ, cos²θ sin²φ, sin²θ of x, y, z [m], angles in rad: Barr's parametric form,
    /// x = a |cos θ|^(2/γ₁) |cos φ|^(2/γ₂) and so on with the signs of sine and cosine.
    pub fn point(&self, phi: f64, theta: f64) -> Vec3 {
        let ((sin_p, cos_p), (sin_t, cos_t)) = (sincos(phi), sincos(theta));
        let s = match &self.form {
            Form::Sum(sum) => {
                let root = |x: f64, i: usize| signed_power(x, 2.0 / sum.g[i]);
                Vec3::new(root(cos_t * cos_p, 0), root(cos_t * sin_p, 1), root(sin_t, 2))
            }
            Form::Nested(f) => {
                let (t, w) = (f.profile.barr(theta), f.section.barr(phi));
                Vec3::new(t.x * w.x, t.x * w.y, t.y)
            }
        };
        s.component_mul(&self.semi)
    }

    /// F: zero on the surface, negative within.
    pub fn implicit(&self, x: &Vec3) -> f64 {
        self.level(x).f
    }

    /// The outward normal at a point of the surface.
    pub fn normal(&self, p: &Vec3) -> Vec3 {
        direction(&self.level(p).gradient, Vec3::z).0
    }

    /// The principal curvatures at a point of the surface, positive where that side sees a bulge.
    ///
    /// ```
    /// use carom_geometry::{Side, Vec3, surfaces::Superellipsoid};
    /// let die = Superellipsoid::new([1.0, 1.0, 1.0], [4.0; 3])?;
    /// let face = die.curvature_at(Side::Outside, &Vec3::x());
    /// assert_eq!((face.k1, face.k2), (0.0, 0.0)); // flat in the middle
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn curvature_at(&self, side: Side, p: &Vec3) -> Curvature {
        self.bend(p).seen_from(side)
    }

    /// Whether derivatives of the surface have no bound at its poles on the z axis: Barr's, unless (|u|^γ₂ + |v|^γ₂)^(γ₁/γ₂) is a polynomial there.
    pub(crate) fn has_rough_poles(&self) -> bool {
        match &self.form {
            Form::Sum(_) => false,
            Form::Nested(f) => {
                let (g1, g2) = (f.profile.gamma, f.section.gamma);
                !is_smooth_power(g2) || g1 % g2 != 0.0
            }
        }
    }

    fn bend(&self, p: &Vec3) -> Bend {
        let level = self.level(p);
        Bend::new(&level.gradient, &level.hessian)
    }

    /// N with s/N on the surface, s in semi axes.
    fn gauge(&self, s: &Vec3) -> f64 {
        match &self.form {
            Form::Sum(sum) => sum.gauge(s),
            Form::Nested(nested) => nested.gauge(s),
        }
    }

    /// The point of the surface in the direction of d, a vector in semi axes.
    fn towards(&self, d: &Vec3) -> Vec3 {
        (d / self.gauge(d)).component_mul(&self.semi)
    }
}

fn checked(kind: &'static str, semi_axes: [f64; 3], exponents: &[f64]) -> Result<Vec3, GeometryError> {
    for value in semi_axes {
        measure(kind, "semi_axes", value)?;
    }
    match exponents.iter().find(|g| !(g.is_finite() && **g >= 2.0)) {
        Some(&value) => Err(GeometryError::BadExponent { kind, name: "exponents", value }),
        None => Ok(Vec3::from(semi_axes)),
    }
}

/// The largest distance from the centre √max Σ e_i² w_i^(2/γ_i), Σ w_i = 1, or a little more: for every λ > 0 the square is no greater
/// than λ + Σ max (e_i² w^(2/γ_i) − λ w) over 0 ≤ w ≤ 1, least where the w_i add up to 1.
fn farthest(semi: &[f64], exponents: &[f64]) -> f64 {
    let unit = semi.iter().copied().fold(0.0, f64::max);
    let terms = || semi.iter().map(|e| (e / unit) * (e / unit)).zip(exponents);
    let share = |square: f64, g: f64, lambda: f64| {
        let ratio = 2.0 * square / (g * lambda);
        // at γ = 2 all or nothing
        if ratio >= 1.0 { 1.0 } else { pow(ratio, g / (g - 2.0)) }
    };
    let bound = |lambda: f64| {
        let term = |(square, g): (f64, &f64)| {
            let w = share(square, *g, lambda);
            square * pow(w, 2.0 / g) - lambda * w
        };
        lambda + terms().map(term).sum::<f64>()
    };
    let mut low = terms().map(|(square, g)| 2.0 * square / g).fold(0.0, f64::max);
    let mut high = 3.0;
    for _ in 0..100 {
        let lambda = 0.5 * (low + high);
        let sum: f64 = terms().map(|(square, g)| share(square, *g, lambda)).sum();
        if sum > 1.0 { low = lambda } else { high = lambda }
    }
    unit * bound(low).min(bound(high)).sqrt() * (1.0 + 4.0 * f64::EPSILON)
}

const AXES: Param =
    Param::required("semi_axes", Quantity::Length, Allowed::Positive, "half lengths along x, y, z").array(3);

fn numbers<const N: usize>(
    args: &Args,
    kind: &'static str,
    name: &'static str,
) -> Result<[f64; N], SpecError> {
    let missing = SpecError::Missing { kind, name, doc: "as many numbers as there are axes or exponents" };
    args.numbers(name).and_then(|all| all.try_into().ok()).ok_or(missing)
}

/// The superellipsoid of Eq 37 in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: "superellipsoid",
    summary: "a superellipsoid |x/a|^g1 + |y/b|^g2 + |z/c|^g3 = 1, centred, its axes along those of its frame",
    params: &[
        AXES,
        Param::required(
            "exponents",
            Quantity::Number,
            Allowed::Between(2.0, f64::INFINITY),
            "exponents g1, g2, g3 along x, y, z: 2 is round, more is squarer",
        )
        .array(3),
    ],
    build: |args| {
        let (axes, exponents) =
            (numbers(args, ENTRY.name, "semi_axes")?, numbers(args, ENTRY.name, "exponents")?);
        Ok(Arc::new(Superellipsoid::new(axes, exponents).map_err(refused)?))
    },
};

/// Barr's superellipsoid, Eq 33, in the registry.
pub const BARR: Entry<Arc<dyn Surface>> = Entry {
    name: "barr-superellipsoid",
    summary: "a superellipsoid (|x/a|^g2 + |y/b|^g2)^(g1/g2) + |z/c|^g1 = 1, centred, its axes along those of its frame",
    params: &[
        AXES,
        Param::required(
            "exponents",
            Quantity::Number,
            Allowed::Between(2.0, f64::INFINITY),
            "exponents g1 of the profile along z, g2 of the section across it: 2 is round, more is squarer",
        )
        .array(2),
    ],
    build: |args| {
        let (axes, exponents) =
            (numbers(args, BARR.name, "semi_axes")?, numbers(args, BARR.name, "exponents")?);
        Ok(Arc::new(Superellipsoid::barr(axes, exponents).map_err(refused)?))
    },
};

impl Surface for Superellipsoid {
    fn kind(&self) -> &'static str {
        match self.form {
            Form::Sum(_) => ENTRY.name,
            Form::Nested(_) => BARR.name,
        }
    }
    fn bounds(&self) -> Bounds {
        Bounds { centre: Vec3::zeros(), radius: self.reach }
    }
    fn skin(&self) -> f64 {
        // a ball of that radius touches every point of the surface from within
        self.least
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
        let (volume, square) = match &self.form {
            Form::Sum(sum) => sum.moments(),
            Form::Nested(nested) => nested.moments(),
        };
        let inertia = Mat3::from_diagonal(&square.map(|s| square.sum() - s));
        Some(Solid { volume, centroid: Vec3::zeros(), inertia })
    }
    fn shell(&self) -> Option<Shell> {
        // an octant as seen from the centre through the faces of a cube: with d = (1, y, z) and its like, p = d/N in semi axes, the
        // cone over dy dz has the volume abc dy dz/(3 N³), and a third of dA (p·n)
        let (mut area, mut square) = (0.0, Vec3::zeros());
        for face in 0..3 {
            for (y, across) in nodes(0.0, 1.0) {
                for (z, along) in nodes(0.0, 1.0) {
                    let mut d = Vec3::ith(face, 1.0);
                    (d[(face + 1) % 3], d[(face + 2) % 3]) = (y, z);
                    let size = 1.0 / self.gauge(&d);
                    let p = (d * size).component_mul(&self.semi);
                    let height = p.dot(&self.normal(&p));
                    let sheet = 8.0 * across * along * self.semi.product() * size * size * size / height;
                    area += sheet;
                    square += p.component_mul(&p) * sheet;
                }
            }
        }
        let inertia = Mat3::from_diagonal(&square.map(|s| square.sum() - s));
        Some(Shell { area, centroid: Vec3::zeros(), inertia })
    }
    fn mesh(&self, n: usize, _extent: f64) -> Mesh {
        // a cube's faces, seen from the centre; their nodes as those of a superellipse, so that flats and edges have theirs
        let half = segments(n).div_ceil(8);
        let gamma = (2.0 * self.exponents().mean()).sqrt(); // between a sphere's and its own
        let mut nodes: Vec<f64> =
            Superellipse { gamma }.around(8 * half).take(half).map(|p| p.y / p.x).collect();
        nodes.push(1.0);
        let node = |i: usize| if i < half { -nodes[half - i] } else { nodes[i - half] };
        let mut mesh = Mesh::default();
        let across = 2 * half + 1;
        for (axis, sign) in (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]) {
            let first = mesh.vertices.len() as u32;
            for (i, j) in (0..across).flat_map(|i| (0..across).map(move |j| (i, j))) {
                let mut d = Vec3::ith(axis, sign);
                (d[(axis + 1) % 3], d[(axis + 2) % 3]) = (sign * node(i), node(j));
                let p = self.towards(&d);
                mesh.vertices.push(p.into());
                mesh.normals.push(self.normal(&p).into());
            }
            for (i, j) in (0..2 * half).flat_map(|i| (0..2 * half).map(move |j| (i, j))) {
                let at = |i: usize, j: usize| first + (i * across + j) as u32;
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
                mesh.triangles.extend([[a, b, d], [a, d, c]]);
            }
        }
        mesh
    }
}

impl Support for Superellipsoid {
    fn support(&self, m: &Vec3) -> Vec3 {
        // of any length: products with semi axes neither overflow nor vanish
        let m = m / m.amax();
        let s = match &self.form {
            Form::Sum(sum) => sum.support(&m),
            Form::Nested(nested) => nested.support(&m),
        };
        s.component_mul(&self.semi)
    }
    fn axis(&self) -> Option<Vec3> {
        // Barr's is about z alone, unless it is an ellipsoid
        let g = self.exponents();
        let is_axis = |i: &usize| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let plain = matches!(self.form, Form::Sum(_)) || *i == 2;
            plain && self.semi[j] == self.semi[k] && g[j] == 2.0 && g[k] == 2.0
        };
        (0..3).rev().find(is_axis).map(|i| Vec3::ith(i, 1.0))
    }
    fn curvature_at(&self, p: &Vec3, _m: &Vec3) -> Curvature {
        Superellipsoid::curvature_at(self, Side::Outside, p)
    }
    fn least_radius(&self) -> f64 {
        self.least
    }
    fn largest_radius(&self) -> f64 {
        match self.exponents() == Vec3::repeat(2.0) {
            true => self.semi.max() * (self.semi.max() / self.semi.min()),
            false => f64::INFINITY,
        }
    }
}

impl Implicit for Superellipsoid {
    fn octants(&self) -> Option<Octants> {
        let has_rough_edges = !self.exponents().iter().all(|g| is_smooth_power(*g));
        Some(Octants { has_rough_poles: self.has_rough_poles(), has_rough_edges })
    }
    fn level(&self, x: &Vec3) -> Level {
        match &self.form {
            Form::Sum(sum) => sum.level(x),
            Form::Nested(nested) => nested.level(x),
        }
    }
}
