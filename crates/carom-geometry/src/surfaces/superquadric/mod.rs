//! Open superquadrics F = (a11 |x|^γ2 + a22 |y|^γ2)^(γ1/γ2) + a33 |z|^γ1 − 1 = 0 (Lopes et al. 2010, Eq 33, after A. H. Barr 1981).
//!
//! | surface (Lopes, Table 4) | coefficients |
//! |---|---|
//! | superhyperboloid of one sheet about z | a11, a22 > 0, a33 < 0 |
//! | superhyperboloid of two sheets along x | a11 > 0, a22 < 0, a33 < 0 |
//!
//! and cylinders (a coefficient 0); a11, a22 in 1/m^γ2, a33 in 1/m^γ1, γ ≥ 2. The paper prints x^γ for |x|^γ. With B = a11 |x|^γ2 +
//! a22 |y|^γ2 and E = γ1/γ2 the first term is sign(B)|B|^E; on the surface B ≥ 1, as a33 ≤ 0, so that its derivatives
//!
//!   ∂_i = E B^(E−1) B_i,   ∂_ij = E (E−1) B^(E−2) B_i B_j + E B^(E−1) B_ij
//!
//! are smooth there for all E, and the paper's limit γ1 ≥ 2 γ2 is not needed. (Superellipsoids are closed and have kinds of their own.)
//!
//! They are sheets that end at a box (`patch.rs`). A closest point has no closed form: it is looked for from the nearest of many points of the
//! surface in each octant and on each rim (`search.rs`), so it is the nearest place there is unless the surface bends much between
//! those points. Nothing is claimed of hollows (`hollow_radius` is 0).
//!
//! Checked: closest points against search over the surface, against the quadric at γ = 2 (`tests/quadrics.rs`).

mod search;

use std::sync::Arc;

use carom_base::elementary::{pow, sincos};
use carom_base::param::Allowed;
use carom_base::{Dual, Entry, Mat3, Param, Quantity, SpecError, Vec3};

use super::{refused, superellipse};
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::level_mesh::level_mesh;
use crate::mesh::Mesh;
use crate::patch::{PatchPoint, Region};
use crate::shape::{Bounds, ClosestPoint, Implicit, Level, Project, Side, Surface};
use search::Seeds;

const KIND: &str = "superquadric";

/// A sheet of an open superquadric that ends at a box.
///
/// ```
/// use carom_geometry::{Project, Region, Side, Vec3, surfaces::Superquadric};
/// let region = Region::new([-3.0, -3.0, -1.0], [3.0, 3.0, 1.0])?; // [m]
/// let waist = Superquadric::new(&[1.0, 1.0, -1.0], &[4.0, 3.0], region)?;
/// let closest = waist.closest_point(Side::Outside, 0, &Vec3::new(1.5, 0.0, 0.0));
/// assert!((closest.p - Vec3::x()).norm() < 1e-15 && (closest.d - 0.5).abs() < 1e-15);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Superquadric {
    form: Form,
    within: Region,
    seeds: Seeds,
}

/// F alone.
#[derive(Clone, Copy, Debug)]
struct Form {
    /// a11, a22 [1/m^γ2], a33 [1/m^γ1]
    a: Vec3,
    /// γ1, γ2
    gamma: [f64; 2],
}

/// a |q|^γ and its first two derivatives.
fn power(a: f64, q: f64, gamma: f64) -> [f64; 3] {
    let power = superellipse::power(q.abs(), gamma - 2.0);
    [a * power * q * q, a * gamma * power * q, a * gamma * (gamma - 1.0) * power]
}

impl Form {
    fn level(&self, x: &Vec3) -> Level {
        let [gamma1, gamma2] = self.gamma;
        let (px, py, pz) =
            (power(self.a.x, x.x, gamma2), power(self.a.y, x.y, gamma2), power(self.a.z, x.z, gamma1));
        let (b, e) = (px[0] + py[0], gamma1 / gamma2);
        let size = b.abs();
        let power = if e == 1.0 { 1.0 } else { pow(size, e - 1.0) };
        let first = e * power;
        let slope = Vec3::new(px[1], py[1], 0.0);
        // off the surface B may vanish, where the second derivative has no bound
        let second = if e == 1.0 || size == 0.0 { 0.0 } else { first * (e - 1.0) / b };
        let bend = Mat3::from_diagonal(&Vec3::new(first * px[2], first * py[2], pz[2]));
        Level {
            f: if size == 0.0 { 0.0 } else { b * power } + pz[0] - 1.0, // Eq 33
            gradient: slope * first + Vec3::new(0.0, 0.0, pz[1]),
            hessian: bend + slope * slope.transpose() * second,
        }
    }

    /// F's part along an axis grows with its coordinate's size or falls: where it makes F zero, the others given.
    fn corner(&self, axis: usize, at: &Vec3) -> Option<f64> {
        let [gamma1, gamma2] = self.gamma;
        let part = |i: usize| power(self.a[i], at[i], if i == 2 { gamma1 } else { gamma2 })[0];
        let size = match axis {
            2 => {
                let b = part(0) + part(1);
                pow((1.0 - b.signum() * pow(b.abs(), gamma1 / gamma2)) / self.a.z, 1.0 / gamma1)
            }
            _ => pow((pow(1.0 - part(2), gamma2 / gamma1) - part(1 - axis)) / self.a[axis], 1.0 / gamma2),
        };
        size.is_finite().then_some(size)
    }
}

impl Superquadric {
    /// From a11, a22, a33, [γ1, γ2] and the box it ends at.
    ///
    /// Refused unless all are finite, a11 or a22 > 0, a33 ≤ 0, the exponents 2 or greater, and some of it in the box.
    pub fn new(
        coefficients: &[f64; 3],
        exponents: &[f64; 2],
        within: Region,
    ) -> Result<Superquadric, GeometryError> {
        let bad = |name, value: String, allowed| GeometryError::BadValue { kind: KIND, name, value, allowed };
        let a = Vec3::from(*coefficients);
        if let Some(value) = exponents.iter().find(|g| !(g.is_finite() && **g >= 2.0)) {
            return Err(GeometryError::BadExponent { kind: KIND, name: "exponents", value: *value });
        }
        let refuse = |allowed| Err(bad("coefficients", format!("{coefficients:?}"), allowed));
        if !coefficients.iter().all(|a| a.is_finite()) {
            return refuse("three finite numbers");
        }
        if a.min() > 0.0 {
            return refuse("open surfaces: closed ones are `barr-superellipsoid` and `superellipsoid`");
        }
        if !(a.x.max(a.y) > 0.0 && a.z <= 0.0) {
            return refuse("a11 or a22 greater than 0, a33 at most 0");
        }
        let form = Form { a, gamma: *exponents };
        let seeds = Seeds::new(&form, &within);
        match seeds.is_empty() {
            false => Ok(Superquadric { form, within, seeds }),
            true => Err(bad(
                "within",
                format!("{:?} to {:?}", within.min().as_slice(), within.max().as_slice()),
                "a box that holds a part of the surface",
            )),
        }
    }

    /// The box it ends at.
    pub fn within(&self) -> &Region {
        &self.within
    }

    /// The point r (sin θ cos φ, sin θ sin φ, cos θ) of the superquadric, cut or not [m], angles in rad: for a direction u
    /// r = ((a11 |u_x|^γ2 + a22 |u_y|^γ2)^(γ1/γ2) + a33 |u_z|^γ1)^(−1/γ1) (Lopes, Eqs 35, 36; printed without the exponent γ1/γ2). None
    /// where that direction does not meet it.
    pub fn point(&self, phi: f64, theta: f64) -> Option<Vec3> {
        let ((sin_p, cos_p), (sin_t, cos_t)) = (sincos(phi), sincos(theta));
        let u = Vec3::new(sin_t * cos_p, sin_t * sin_p, cos_t);
        let growth = self.form.level(&u).f + 1.0;
        (growth > 0.0).then(|| u * pow(growth, -1.0 / self.form.gamma[0]))
    }

    fn patch_point(&self, x: &Vec3) -> PatchPoint {
        self.seeds.nearest(&self.form, &self.within, x)
    }
}

/// The superquadric in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: KIND,
    summary: "a sheet of an open superquadric (a11 |x|^γ2 + a22 |y|^γ2)^(γ1/γ2) + a33 |z|^γ1 = 1, a superhyperboloid or a cylinder, touched from both sides",
    params: &[
        Param::required(
            "coefficients",
            Quantity::Number,
            Allowed::Finite,
            "a11, a22 in 1/m^γ2, one of them greater than 0, and a33 in 1/m^γ1, at most 0",
        )
        .array(3),
        Param::required("exponents", Quantity::Number, Allowed::Between(2.0, f64::INFINITY), "γ1, γ2")
            .array(2),
        Param::region("within", "an error", "the box in the surface's frame that it ends at"),
    ],
    build: |args| {
        let within = super::region(args, KIND)?;
        let missing = |name, doc| SpecError::Missing { kind: KIND, name, doc };
        let Some(Ok(a)) = args.numbers("coefficients").map(<&[f64; 3]>::try_from) else {
            return Err(missing("coefficients", "three numbers"));
        };
        let Some(Ok(gamma)) = args.numbers("exponents").map(<&[f64; 2]>::try_from) else {
            return Err(missing("exponents", "two numbers"));
        };
        let within = within.ok_or_else(|| refused(GeometryError::NeedsWithin { kind: KIND }))?;
        Ok(Arc::new(Superquadric::new(a, gamma, within).map_err(refused)?))
    },
};

impl Surface for Superquadric {
    fn kind(&self) -> &'static str {
        KIND
    }
    fn bounds(&self) -> Bounds {
        self.within.ball()
    }
    fn is_sheet(&self) -> bool {
        true
    }
    fn as_project(&self) -> Option<&dyn Project> {
        Some(self)
    }
    fn as_implicit(&self) -> Option<&dyn Implicit> {
        Some(self)
    }
    fn mesh(&self, n: usize, _extent: f64) -> Mesh {
        level_mesh(&|x| self.form.level(x), &self.within, n)
    }
}

impl Implicit for Superquadric {
    fn level(&self, x: &Vec3) -> Level {
        self.form.level(x)
    }
}

impl Project for Superquadric {
    fn features(&self, _side: Side) -> &'static [&'static str] {
        &["sheet"]
    }
    fn closest_point(&self, side: Side, _feature: usize, x: &Vec3) -> ClosestPoint {
        let point = self.patch_point(x);
        point.closest_point(side, &self.form.level(&point.p), x)
    }
    fn closest_point_dual(&self, side: Side, _feature: usize, x: &Vec3<Dual<3>>) -> ClosestPoint<Dual<3>> {
        let point = self.patch_point(&x.map(|c| c.re));
        point.closest_point_dual(side, &self.form.level(&point.p), x)
    }
    fn curvature(&self, side: Side, _feature: usize, x: &Vec3) -> Curvature {
        let point = self.patch_point(x);
        point.curvature(side, &self.form.level(&point.p), x)
    }
    fn hollow_radius(&self, _side: Side) -> f64 {
        0.0
    }
}
