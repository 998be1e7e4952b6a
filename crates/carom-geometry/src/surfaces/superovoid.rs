//! The superovoid: a superellipsoid whose sections grow linearly along z, as eggs, heads of bones and pebbles do. It is what the authors of Lopes et al. 2010 went on to.
//!
//! With ζ = z/c and f = 1 + κ ζ, κ the *taper*,
//!
//!   F(x, y, z) = (|x/(a f)|^γ₂ + |y/(b f)|^γ₂)^(γ₁/γ₂) + |ζ|^γ₁ − 1:
//!
//! Barr's superellipsoid (Eq 33) at (x/f, y/f, z). Its sections across z are alike, of the size w(ζ) = (1 + κ ζ)(1 − |ζ|^γ₁)^(1/γ₁).
//!
//! **Convex** it is if and only if w is concave, that is if (γ₁ − 1)(1 + κ ζ) + 2 κ ζ (1 − |ζ|^γ₁) ≥ 0 for all |ζ| ≤ 1. The worst ζ has |ζ|^γ₁ = 1/2, which gives
//!
//!   |κ| ≤ (1 − 1/γ₁) 2^(1/γ₁):
//!
//! 0.7071 for γ₁ = 2. More is refused. (Sections that grow differently along x and y would never be convex for γ₁ > 2: the middle would be a saddle.)
//!
//! Gradient and Hessian are exact, by the chain rule; so are volume, centroid and inertia, by Γ functions, and the furthest point along m: with M = max (a m_x u + b m_y v) over the section of size one
//! the largest w(ζ) M + c m_z ζ. The area of a shell is a quadrature, to some 1e-9. Closest points come from Newton's method, those deep within from a search started on a grid (`level_function`). The least and the largest radius
//! of curvature are sampled, not proved: for γ₁ = γ₂ = 2 they are those of a search from the best of a grid, 1 % less and more; for other exponents the least is that of a grid, halved, and the poles and
//! sides are flat.
//!
//! Checked: `tests/superovoid.rs`.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use carom_base::elementary::{pow, tan};
use carom_base::param::Allowed;
use carom_base::{Dual, Entry, Mat3, Param, Quantity, SpecError, Vec3};
use nalgebra::{Matrix4, Vector4};

use super::superellipse::{Superellipse, gamma_function, is_smooth_power};
use super::{LevelFunction, Superellipsoid, refused};
use crate::bend::Bend;
use crate::closest_point::closest_near;
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::mesh::{Mesh, segments};
use crate::patch::Region;
use crate::quadrature::nodes;
use crate::shape::{
    Bounds, ClosestPoint, Implicit, Level, Octants, Project, Shell, Side, Solid, Start, Support, Surface,
};

const KIND: &str = "superovoid";
/// Newton's steps at most to a closest point, of which 4 to 8 are usual; steps below this share of the size are those of rounding.
const MOST_STEPS: usize = 40;
const STILL: f64 = 4e-16;
/// A point this share of the size off the surface is on it.
const SURFACE: f64 = 1e-12;
/// Trials at most for a zero of one variable, of which 8 to 12 are usual.
const MOST_TRIALS: usize = 200;
/// What is between the places at which curvatures were looked at, where they are analytic.
const BETWEEN: f64 = 1.01;
/// Curvatures below this, relative to the size, are those of something straight.
const STRAIGHT: f64 = 1e-6;

/// The equation: Barr's superellipsoid and the taper.
#[derive(Clone, Debug)]
struct Tapered {
    base: Superellipsoid,
    semi: Vec3,
    /// γ₁ and γ₂
    profile: Superellipse,
    section: Superellipse,
    taper: f64,
}

impl Tapered {
    fn level(&self, x: &Vec3) -> Level {
        let zeta = x.z / self.semi.z;
        // beyond the poles there is no surface: sections stay as they are, lest they vanish
        let slope = if zeta.abs() <= 1.0 { self.taper / self.semi.z } else { 0.0 };
        let f = 1.0 + self.taper * zeta.clamp(-1.0, 1.0);
        let at = self.base.level(&Vec3::new(x.x / f, x.y / f, x.z));
        let by_z = |x: f64| -x * slope / (f * f);
        let j = Mat3::new(1.0 / f, 0.0, by_z(x.x), 0.0, 1.0 / f, by_z(x.y), 0.0, 0.0, 1.0);
        let mut hessian = j.tr_mul(&(at.hessian * j));
        for i in 0..2 {
            let mixed = -at.gradient[i] * slope / (f * f);
            hessian[(i, 2)] += mixed;
            hessian[(2, i)] += mixed;
            hessian[(2, 2)] += 2.0 * at.gradient[i] * x[i] * slope * slope / (f * f * f);
        }
        Level { f: at.f, gradient: j.tr_mul(&at.gradient), hessian }
    }

    /// The point furthest along m.
    fn support(&self, m: &Vec3) -> Vec3 {
        let m = m / m.amax();
        let (across, [u, v]) = self.section.support(self.semi.x * m.x, self.semi.y * m.y);
        let (kappa, g) = (self.taper, self.profile.gamma);
        // the derivative of w M + c m_z ζ by ζ, times ω^(γ − 1): it falls from one pole to the other
        let rise = |t: f64| {
            let p = self.profile.barr(t);
            let (omega, zeta) = (p.x.max(0.0), p.y);
            let steep = pow(zeta.abs(), g - 1.0).copysign(zeta);
            (kappa * omega * across + self.semi.z * m.z) * pow(omega, g - 1.0)
                - (1.0 + kappa * zeta) * steep * across
        };
        let p = self.profile.barr(crossing(-FRAC_PI_2, FRAC_PI_2, rise));
        let w = (1.0 + kappa * p.y) * p.x.max(0.0);
        Vec3::new(self.semi.x * w * u, self.semi.y * w * v, self.semi.z * p.y)
    }

    /// Where the ray along d, in semi axes, leaves the surface.
    fn towards(&self, d: &Vec3) -> Vec3 {
        let d = d.component_mul(&self.semi);
        let most = 2.0 / d.component_div(&self.semi).amax();
        let out = |l: f64| -self.level(&(d * l)).f;
        d * crossing(0.0, most, out)
    }
}

/// The zero of a function that falls from positive to negative, to rounding: R. Brent's method (Algorithms for Minimization without Derivatives, 1973, ch. 4).
fn crossing(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (at_low, at_high) = (f(low), f(high));
    if at_low <= 0.0 {
        return low;
    }
    if at_high >= 0.0 {
        return high;
    }
    // b is the best point so far, a the one before it, and the zero is between b and c
    let ([mut a, mut b, mut c], [mut f_a, mut f_b, mut f_c]) = ([low, high, low], [at_low, at_high, at_low]);
    let (mut step, mut last) = (b - a, b - a);
    for _ in 0..MOST_TRIALS {
        if f_c.abs() < f_b.abs() {
            (a, b, c) = (b, c, b);
            (f_a, f_b, f_c) = (f_b, f_c, f_b);
        }
        let (grain, half) = (f64::EPSILON * (b.abs() + f64::EPSILON * (high - low)), 0.5 * (c - b));
        if half.abs() <= grain || f_b == 0.0 {
            break;
        }
        // a parabola through three points or a secant through two, unless bisection is further on
        let s = f_b / f_a;
        let (p, q) = match a == c {
            true => (2.0 * half * s, 1.0 - s),
            false => {
                let (q, r) = (f_a / f_c, f_b / f_c);
                (s * (2.0 * half * q * (q - r) - (b - a) * (r - 1.0)), (q - 1.0) * (r - 1.0) * (s - 1.0))
            }
        };
        let (p, q) = if p > 0.0 { (p, -q) } else { (-p, q) };
        let short = 2.0 * p < (3.0 * half * q - (grain * q).abs()).min((last * q).abs());
        (last, step) = if short && last.abs() >= grain { (step, p / q) } else { (half, half) };
        (a, f_a) = (b, f_b);
        b += if step.abs() > grain { step } else { grain.copysign(half) };
        f_b = f(b);
        if (f_b > 0.0) == (f_c > 0.0) {
            (c, f_c) = (a, f_a);
            (step, last) = (b - a, b - a);
        }
    }
    b
}

/// A superovoid, its widest section off the middle, its axes along those of its frame. The origin is in the middle between the poles, not at the centroid.
///
/// ```
/// use carom_geometry::{Surface, surfaces::Superovoid};
/// let egg = Superovoid::new([0.022, 0.022, 0.028], [2.0, 2.0], -0.2)?; // semi axes [m]: the blunt end is below
/// let solid = egg.solid().unwrap();
/// let ellipsoid = 4.0 / 3.0 * std::f64::consts::PI * 0.022 * 0.022 * 0.028;
/// assert!((solid.volume / ellipsoid - 1.0 - 0.2 * 0.2 / 5.0).abs() < 1e-13 && solid.centroid.z < 0.0);
/// assert!(Superovoid::new([0.022, 0.022, 0.028], [2.0, 2.0], 0.71).is_err()); // not convex
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Debug)]
pub struct Superovoid {
    of: Tapered,
    /// for closest points
    field: LevelFunction,
    reach: f64,
    /// the least and the largest radius of curvature [m]
    radii: [f64; 2],
}

impl Superovoid {
    /// From semi axes [m], the exponents γ₁ of the profile along z and γ₂ of the sections across it, and the taper.
    pub fn new(semi_axes: [f64; 3], exponents: [f64; 2], taper: f64) -> Result<Superovoid, GeometryError> {
        let base = Superellipsoid::barr(semi_axes, exponents).map_err(|error| match error {
            GeometryError::BadMeasure { name, value, .. } => {
                GeometryError::BadMeasure { kind: KIND, name, value }
            }
            GeometryError::BadExponent { name, value, .. } => {
                GeometryError::BadExponent { kind: KIND, name, value }
            }
            other => other,
        })?;
        if !(taper.abs() <= Superovoid::largest_taper(exponents[0])) {
            return Err(GeometryError::BadValue {
                kind: KIND,
                name: "taper",
                value: taper.to_string(),
                allowed: "at most (1 - 1/g1) 2^(1/g1) in magnitude, 0.7071 for g1 = 2: more is not convex",
            });
        }
        let [profile, section] = exponents.map(|gamma| Superellipse { gamma });
        let of = Tapered { base, semi: Vec3::from(semi_axes), profile, section, taper };
        let tips = [Vec3::x(), Vec3::y(), Vec3::z()].map(|m| of.support(&m));
        let room = Vec3::new(tips[0].x, tips[1].y, of.semi.z) * 1.1;
        let within = Region::new((-room).into(), room.into())?;
        let (f, g) = (of.clone(), of.clone());
        let field =
            LevelFunction::with_gradient(within, move |x| f.level(x).f, move |x| g.level(x).gradient)?;
        let points: Vec<Vec3> = around(10).map(|d| of.towards(&d)).collect();
        // the largest of a grid, and a fiftieth for what is between its points
        let reach = points.iter().fold(0.0f64, |most, p| most.max(p.norm())) * 1.02;
        let radii = radii(&of, reach, exponents == [2.0; 2]);
        Ok(Superovoid { of, field, reach, radii })
    }

    /// The largest taper with which it is convex, by the exponent γ₁ of its profile.
    ///
    /// ```
    /// use carom_geometry::surfaces::Superovoid;
    /// assert!((Superovoid::largest_taper(2.0) - 0.5f64.sqrt()).abs() < 1e-15);
    /// ```
    pub fn largest_taper(gamma: f64) -> f64 {
        (1.0 - 1.0 / gamma) * pow(2.0, 1.0 / gamma)
    }

    /// The closest point to x, by Newton's method on x − p = λ ∇F, F(p) = 0 from where the ray to x leaves the surface. The solid is convex, so that no other point has λ > 0; and a ball of the least radius of curvature touches every
    /// point from within, so that a point no deeper than that has no other as near. Nothing, if x is deeper or the search does not end.
    fn nearest(&self, x: &Vec3) -> Option<Vec3> {
        let is_beyond = self.of.level(x).f > 0.0;
        let mut p = self.of.towards(&x.component_div(&self.of.semi));
        for _ in 0..MOST_STEPS {
            let at = self.of.level(&p);
            let (r, g) = (x - p, at.gradient);
            let lambda = r.dot(&g) / g.norm_squared();
            let top = Mat3::identity() + at.hessian * lambda;
            let rows = Matrix4::from_fn(|i, j| match (i, j) {
                (3, 3) => 0.0,
                (3, k) | (k, 3) => g[k],
                _ => top[(i, j)],
            });
            let rest = r - g * lambda;
            let step = rows.lu().solve(&Vector4::new(rest.x, rest.y, rest.z, -at.f))?.xyz();
            if step.norm() <= STILL * self.reach {
                // (next to the surface, rounding decides on which side of it x is)
                let depth = if is_beyond { SURFACE * self.reach } else { self.radii[0] };
                return (lambda > 0.0 || r.norm() <= depth).then_some(p);
            }
            p += step * (0.3 * self.reach / step.norm()).min(1.0);
        }
        None
    }

    /// The closest point to x and how the surface is bent there. Far from the surface the line to the closest point tells the normal better than that point does, which is rounded.
    fn closest(&self, side: Side, x: &Vec3) -> (Vec3, Bend) {
        let p = self.nearest(x).unwrap_or_else(|| self.field.closest_point(side, 0, x).p);
        let mut level = self.of.level(&p);
        let r = x - p;
        let away = r.norm();
        if away > 0.1 * self.reach && away.is_finite() {
            level.gradient = r * (level.gradient.norm() / away).copysign(r.dot(&level.gradient));
        }
        (p, Bend::new(&level.gradient, &level.hessian))
    }
}

fn bend(of: &Tapered, p: &Vec3) -> Bend {
    let level = of.level(p);
    Bend::new(&level.gradient, &level.hessian)
}

/// The least and the largest radius of curvature [m]; `round`: the surface is analytic.
fn radii(of: &Tapered, reach: f64, round: bool) -> [f64; 2] {
    let k = |d: &Vec3| bend(of, &of.towards(d)).k;
    let most = |of: &dyn Fn(&Vec3) -> f64| {
        let best = around(10).map(|d| (of(&d), d)).max_by(|a, b| a.0.total_cmp(&b.0));
        let (mut value, mut at) = best.unwrap_or((0.0, Vec3::z()));
        let mut step = 0.1;
        while step > 1e-4 {
            let near =
                (0..6).map(|i| (at + Vec3::ith(i / 2, if i % 2 == 0 { step } else { -step })).normalize());
            match near.map(|d| (of(&d), d)).max_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((higher, d)) if higher > value => (value, at) = (higher, d),
                _ => step *= 0.5,
            }
        }
        value
    };
    let sharpest = most(&|d| k(d)[0]);
    if !round {
        return [1.0 / (BETWEEN * sharpest), f64::INFINITY];
    }
    let flattest = -most(&|d| -k(d)[1]);
    let largest = if flattest * reach > STRAIGHT { BETWEEN / flattest } else { f64::INFINITY };
    [1.0 / (BETWEEN * sharpest), largest]
}

/// Directions through the nodes of a grid on the faces of a cube, 2 n + 1 across each.
fn around(n: usize) -> impl Iterator<Item = Vec3> {
    let node = move |i: usize| tan(0.5 * FRAC_PI_2 * (i as f64 / n as f64 - 1.0));
    let faces = (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]);
    faces.flat_map(move |(axis, sign)| {
        (0..=2 * n).flat_map(move |i| {
            (0..=2 * n).map(move |j| {
                let mut d = Vec3::ith(axis, sign);
                (d[(axis + 1) % 3], d[(axis + 2) % 3]) = (sign * node(i), node(j));
                d
            })
        })
    })
}

/// Its line in [`ALL`](super::ALL).
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: KIND,
    summary: "a superellipsoid whose sections grow linearly along z: (|x/(a f)|^g2 + |y/(b f)|^g2)^(g1/g2) + |z/c|^g1 = 1, f = 1 + taper z/c",
    params: &[
        Param::required(
            "semi_axes",
            Quantity::Length,
            Allowed::Positive,
            "a, b, c: half the length along z, and of the section at z = 0",
        )
        .array(3),
        Param::required(
            "exponents",
            Quantity::Number,
            Allowed::Between(2.0, f64::INFINITY),
            "exponents g1 of the profile along z, g2 of the sections across it: 2 is round, more is squarer",
        )
        .array(2),
        Param::required(
            "taper",
            Quantity::Number,
            Allowed::Between(-1.0, 1.0),
            "how sections grow along z; convex, and allowed, up to (1 - 1/g1) 2^(1/g1) in magnitude",
        ),
    ],
    build: |args| {
        let missing = |name| SpecError::Missing { kind: KIND, name, doc: "numbers" };
        let semi = args.numbers("semi_axes").and_then(|all| all.try_into().ok());
        let exponents = args.numbers("exponents").and_then(|all| all.try_into().ok());
        let made = Superovoid::new(
            semi.ok_or(missing("semi_axes"))?,
            exponents.ok_or(missing("exponents"))?,
            args.number("taper").ok_or(missing("taper"))?,
        );
        Ok(Arc::new(made.map_err(refused)?))
    },
};

impl Surface for Superovoid {
    fn kind(&self) -> &'static str {
        KIND
    }
    fn bounds(&self) -> Bounds {
        Bounds { centre: Vec3::zeros(), radius: self.reach }
    }
    fn skin(&self) -> f64 {
        self.radii[0]
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
        let (g, k) = (self.of.profile.gamma, self.of.taper * self.of.taper);
        let [a, b, c]: [f64; 3] = self.of.semi.into();
        // ∫ |ζ|^k (1 − |ζ|^γ)^(n/γ) dζ from −1 to 1
        let gamma = |s: f64| gamma_function(1.0 + s / g);
        let integral = |k: f64, n: f64| 2.0 * gamma(k + 1.0) * gamma(n) / ((k + 1.0) * gamma(k + 1.0 + n));
        let area = a * b * c * self.of.section.area();
        let volume = area * (integral(0.0, 2.0) + k * integral(2.0, 2.0));
        let first = area * c * 2.0 * self.of.taper * integral(2.0, 2.0);
        let zz = area * c * c * (integral(2.0, 2.0) + k * integral(4.0, 2.0));
        let fourth = integral(0.0, 4.0) + 6.0 * k * integral(2.0, 4.0) + k * k * integral(4.0, 4.0);
        let second = a * b * c * self.of.section.second_moment() * fourth;
        let z = first / volume;
        let (xx, yy, zz) = (a * a * second, b * b * second, zz - first * z);
        let inertia = Mat3::from_diagonal(&Vec3::new(yy + zz, xx + zz, xx + yy));
        Some(Solid { volume, centroid: Vec3::new(0.0, 0.0, z), inertia })
    }
    fn shell(&self) -> Option<Shell> {
        // as for superellipsoids: a cone over dy dz of a cube's face has a third of dA (p·n); quarters are alike
        let (mut area, mut first, mut square) = (0.0, 0.0, Vec3::zeros());
        let semi = self.of.semi;
        for (face, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)] {
            for (y, across) in nodes(0.0, 1.0) {
                for (z, along) in nodes(0.0, 1.0) {
                    let mut d = Vec3::ith(face, 1.0);
                    (d[(face + 1) % 3], d[(face + 2) % 3]) = (y, z);
                    d.z *= sign;
                    let p = self.of.towards(&d);
                    let size = (p.component_div(&semi)).amax();
                    let height = p.dot(&self.of.level(&p).gradient.normalize());
                    let sheet = 4.0 * across * along * semi.product() * size * size * size / height;
                    area += sheet;
                    first += sheet * p.z;
                    square += p.component_mul(&p) * sheet;
                }
            }
        }
        let z = first / area;
        square.z -= first * z;
        let inertia = Mat3::from_diagonal(&square.map(|s| square.sum() - s));
        Some(Shell { area, centroid: Vec3::new(0.0, 0.0, z), inertia })
    }
    fn mesh(&self, n: usize, _extent: f64) -> Mesh {
        let half = segments(n).div_ceil(8);
        let across = 2 * half + 1;
        let mut mesh = Mesh::default();
        for d in around(half) {
            let p = self.of.towards(&d);
            mesh.vertices.push(p.into());
            mesh.normals.push(self.of.level(&p).gradient.normalize().into());
        }
        for face in 0..6 {
            let at = |i: usize, j: usize| ((face * across + i) * across + j) as u32;
            for (i, j) in (0..2 * half).flat_map(|i| (0..2 * half).map(move |j| (i, j))) {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
                mesh.triangles.extend([[a, b, d], [a, d, c]]);
            }
        }
        mesh
    }
}

impl Support for Superovoid {
    fn support(&self, m: &Vec3) -> Vec3 {
        self.of.support(m)
    }
    fn curvature_at(&self, p: &Vec3, _m: &Vec3) -> Curvature {
        bend(&self.of, p).seen_from(Side::Outside)
    }
    fn least_radius(&self) -> f64 {
        self.radii[0]
    }
    fn largest_radius(&self) -> f64 {
        self.radii[1]
    }
}

impl Implicit for Superovoid {
    fn octants(&self) -> Option<Octants> {
        self.of.base.octants()
    }
    fn level(&self, x: &Vec3) -> Level {
        self.of.level(x)
    }
    /// On the ray of `x`: F + 1 is no power along it.
    fn settle(&self, x: &Vec3) -> (Vec3, Level) {
        let p = self.of.towards(&x.component_div(&self.of.semi));
        (p, self.of.level(&p))
    }
}

impl Project for Superovoid {
    fn features(&self, side: Side) -> &'static [&'static str] {
        self.field.features(side)
    }
    fn closest_point(&self, side: Side, _feature: usize, x: &Vec3) -> ClosestPoint {
        let (p, bend) = self.closest(side, x);
        let n = bend.n * side.sign();
        ClosestPoint { p, n, d: n.dot(&(x - p)) }
    }
    fn closest_point_near(&self, x: &Vec3, start: &Start) -> Option<(ClosestPoint, Start)> {
        closest_near(|p| self.level(p), x, start)
    }
    fn seam(&self, k: usize, x: &Vec3) -> Option<(f64, Vec3)> {
        let Tapered { base, profile, section, .. } = &self.of;
        let is_split = base.has_rough_poles() || !is_smooth_power(section.gamma);
        match k.checked_sub(if is_split { 2 } else { 0 }) {
            // by symmetry the closest points of such a plane are in it
            None => Some((x[k], Vec3::ith(k, 1.0))),
            // closest points half way up are those of a surface of lines along the normals; down to half the least radius of curvature they move at most twice as far as x
            Some(0) if !is_smooth_power(profile.gamma) => {
                let x = Vec3::from_fn(|i, _| Dual::<3>::variable(x[i], i));
                let z = self.closest_point_dual(Side::Outside, 0, &x).p.z;
                Some((0.5 * z.re, Vec3::from(z.eps) * 0.5))
            }
            _ => None,
        }
    }
    fn closest_point_dual(&self, side: Side, _feature: usize, x: &Vec3<Dual<3>>) -> ClosestPoint<Dual<3>> {
        let (p, bend) = self.closest(side, &x.map(|c| c.re));
        bend.closest_point_dual(side, &p, x)
    }
    fn curvature(&self, side: Side, _feature: usize, x: &Vec3) -> Curvature {
        self.closest(side, x).1.seen_from(side)
    }
    fn hollow_radius(&self, side: Side) -> f64 {
        match side {
            Side::Outside => f64::INFINITY,
            Side::Inside => self.radii[0],
        }
    }
}
