//! All common normals of two ellipsoids: every line that meets both surfaces at right angles, and that none is missed.
//!
//! With n a unit vector, h_A and h_B the support functions, g = ∇h the points where the outward normals are n, c the vector from
//! centre to centre and s = ±1, the planes across n that touch A, and B at the point whose outward normal is s n, are apart by
//!
//!   φ_s(n) = c·n + s h_B(n) − h_A(n),   grad φ_s = P (c + s g_B − g_A),   P = I − n nᵀ.
//!
//! The points p = g_A and q = c + s g_B have a common normal if and only if q − p is along n: where φ_s is stationary on the unit sphere.
//! So all of them are the stationary points of two functions of two coordinates: s = −1, surfaces that face each other or
//! look away from each other, and s = +1, surfaces that look the same way. φ_s is the distance of q from p along n, and the largest value of
//! φ₋ the signed distance of the solids.
//!
//! **None is missed.** The sphere is covered by discs, of angular radius ρ about a direction with the gradient G and the Hessian
//! H = P (s ∇²h_B − ∇²h_A) P − φ P. On the disc no derivative of H exceeds M, from bounds of h = |y|, y = E^{1/2} n, there:
//! |∇³h| ≤ (2/√3) σ³/h², σ the largest stretch of E^{1/2} across n. Then a stationary point of the disc is within
//! ½M ρ²/μ of the zero of G + H δ, μ the least eigenvalue of H in magnitude, so that
//! - there is none if |H⁻¹ G| > ρ + ½M ρ²/μ, or if |G| > (|H| + ½M ρ) ρ;
//! - there is one at most if M ρ + |H| ρ² < ½μ (the second term for the turning of tangent planes around the disc, and half of μ to spare); Newton's method
//!   from the middle finds it.
//!
//! Discs of which neither is known are divided into four, until nothing is left. As an independent check the indices of each φ_s
//! must add up to Euler's number of the sphere, Σ (−1)^index = 2.
//!
//! **What each is.** With S_A, S_B the shape operators, the second variation of ½|q − p|² as both points move is
//! (u, v)·[[I + φ S_A, −I], [−I, I − s φ S_B]]·(u, v). The number of its negative eigenvalues is the index: 0 where the points are nearest to
//! each other, 4 where they are furthest from each other, among their neighbours; else a saddle. These, too, add up: Σ (−1)^index = 4, Euler's number of the pairs of points.
//! Ellipsoids with a common axis of revolution have circles of common normals, and concentric spheres nothing else: these are not isolated, and `complete` is false.
//!
//! Checked: closed forms (balls; aligned axes), an independent search from many pairs of points (`oracles/common_normals.py`), the distance of
//! `pairs::convex`, and both sums of indices for random pairs of aspect ratios to 20 (`tests/common_normals.rs`).

use std::collections::VecDeque;

use carom_base::elementary::{cos, sin};
use carom_base::{Mat3, Pose, Vec3};
use nalgebra::{Matrix2, Matrix4, Vector2};

use crate::closest_point::tangent;
use crate::contact::Contact;
use crate::shape::{Shape, Side};
use crate::surfaces::{Ellipsoid, Sphere};

/// What two points with a common normal are among their neighbours on the two surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stationary {
    /// no pair of points near by is as close
    Nearest,
    /// none is as far apart
    Furthest,
    /// some are closer, some further apart
    Saddle,
}

impl Stationary {
    /// The word for it in answers.
    pub fn word(self) -> &'static str {
        match self {
            Stationary::Nearest => "nearest",
            Stationary::Furthest => "furthest",
            Stationary::Saddle => "saddle",
        }
    }
}

/// A line at right angles to both surfaces, and where it meets them.
#[derive(Clone, Copy, Debug)]
pub struct CommonNormal {
    /// the points, n out of A, and δ = −n·(p_b − p_a) [m]
    pub contact: Contact,
    /// in how many directions the distance of the points falls as they move on their surfaces, of 4
    pub index: usize,
    /// what that makes them
    pub kind: Stationary,
    /// whether the outward normals are opposite, as at two surfaces that touch from outside; else they are the same
    pub opposite: bool,
}

/// All common normals of two ellipsoids.
#[derive(Clone, Debug)]
pub struct CommonNormals {
    /// the one with the signed distance of the solids first, the others by the distance of their points
    pub all: Vec<CommonNormal>,
    /// whether it is certain that there are no others; false if some are not isolated
    pub complete: bool,
}

/// Discs that are divided at most, for each sign; a few hundred are usual.
const MOST_DISCS: usize = 1 << 18;
/// No disc is divided whose radius is less [rad].
const SMALLEST: f64 = 1e-8;
/// Directions closer than this are the same [rad].
const SAME: f64 = 1e-7;
/// Newton's steps at most.
const MOST_STEPS: usize = 30;

/// An ellipsoid about the origin, in the world's axes.
struct Body {
    /// E^{1/2}, such that h = |K n|
    k: Mat3,
    longest: f64,
    shortest: f64,
}

/// What is known of a support function at one direction.
struct SupportAt {
    /// h [m]
    h: f64,
    /// ∇h, the point [m]
    g: Vec3,
    /// the Hessian in the tangent plane: the radii of curvature are its eigenvalues [m]
    radii: Matrix2<f64>,
    /// the largest stretch of E^{1/2} across n [m]
    stretch: f64,
}

impl Body {
    fn new(e: &Ellipsoid, x: &Pose) -> Body {
        let axes = e.semi_axes();
        Body { k: Mat3::from_diagonal(axes) * x.r.transpose(), longest: axes.max(), shortest: axes.min() }
    }

    fn at(&self, n: &Vec3, [t, b]: &[Vec3; 2]) -> SupportAt {
        let (y, y_t, y_b) = (self.k * n, self.k * t, self.k * b);
        let h = y.norm();
        let u = y / h;
        let entry = |p: &Vec3, q: &Vec3| (p.dot(q) - u.dot(p) * u.dot(q)) / h;
        let across = entry(&y_t, &y_b);
        let radii = Matrix2::new(entry(&y_t, &y_t), across, across, entry(&y_b, &y_b));
        let gram = Matrix2::new(y_t.dot(&y_t), y_t.dot(&y_b), y_t.dot(&y_b), y_b.dot(&y_b));
        SupportAt { h, g: self.k.tr_mul(&u), radii, stretch: largest(&gram).sqrt() }
    }

    /// Upper bounds of the first two derivatives of the gradient on a disc of that radius: of the radii of curvature, and of their change.
    fn bounds(&self, at: &SupportAt, n: &Vec3, rho: f64) -> [f64; 2] {
        // h is convex: it is above its tangent
        let aside = (at.g - n * at.h).norm();
        let least = (at.h * cos(rho) - aside * sin(rho)).max(self.shortest);
        let stretch = (at.stretch + self.longest * rho).min(self.longest);
        [stretch * stretch / least, 2.0 / 3f64.sqrt() * stretch * stretch * stretch / (least * least)]
    }
}

/// The eigenvalues of a symmetric matrix, the lesser first.
fn eigenvalues(m: &Matrix2<f64>) -> [f64; 2] {
    let (mean, half) = (0.5 * (m.m11 + m.m22), 0.5 * (m.m11 - m.m22));
    let root = (half * half + m.m12 * m.m12).sqrt();
    [mean - root, mean + root]
}

fn largest(m: &Matrix2<f64>) -> f64 {
    eigenvalues(m)[1].max(0.0)
}

/// φ_s and its derivatives at one direction, in the tangent plane.
struct At {
    phi: f64,
    gradient: Vector2<f64>,
    hessian: Matrix2<f64>,
    tangents: [Vec3; 2],
    a: SupportAt,
    b: SupportAt,
}

/// Two ellipsoids and a sign.
struct Field<'a> {
    a: &'a Body,
    b: &'a Body,
    c: Vec3,
    s: f64,
}

/// What a disc holds.
enum Holds {
    Nothing,
    One(Vec3),
    Unknown,
}

impl Field<'_> {
    fn at(&self, n: &Vec3) -> At {
        let t = tangent(n);
        let tangents = [t, n.cross(&t)];
        let (a, b) = (self.a.at(n, &tangents), self.b.at(n, &tangents));
        let apart = self.c + b.g * self.s - a.g;
        let phi = apart.dot(n);
        let gradient = Vector2::new(apart.dot(&tangents[0]), apart.dot(&tangents[1]));
        let hessian = b.radii * self.s - a.radii - Matrix2::identity() * phi;
        At { phi, gradient, hessian, tangents, a, b }
    }

    /// Newton's method from there, for a direction at most that far away [rad].
    fn newton(&self, from: &Vec3, within: f64) -> Option<Vec3> {
        let (mut n, mut last) = (*from, f64::INFINITY);
        for _ in 0..MOST_STEPS {
            let at = self.at(&n);
            let step = -(at.hessian.try_inverse()? * at.gradient);
            let long = step.norm();
            n = (n + at.tangents[0] * step.x + at.tangents[1] * step.y).normalize();
            if !((n - from).norm() <= 2.0 * within) {
                return None;
            }
            // short, or no shorter than the one before by rounding
            if long < 1e-13 || (long < 1e-9 && long > 0.5 * last) {
                return ((n - from).norm() <= within * (1.0 + 1e-9) + 1e-12).then_some(n);
            }
            last = long;
        }
        None
    }

    /// What is known of the disc of that radius about n.
    fn holds(&self, n: &Vec3, rho: f64) -> Holds {
        let at = self.at(n);
        let [r_a, m_a] = self.a.bounds(&at.a, n, rho);
        let [r_b, m_b] = self.b.bounds(&at.b, n, rho);
        let gradient = at.gradient.norm();
        let [low, high] = eigenvalues(&at.hessian);
        let (least, most) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
        // how large the Hessian can be on the disc: |φ| is less than its value, slope and half the bound itself say
        let slope = (r_a + r_b + at.phi.abs() + gradient * rho) / (1.0 - 0.5 * rho * rho);
        let m = m_a + m_b + gradient + slope * rho;
        if gradient > (most + 0.5 * m * rho) * rho {
            return Holds::Nothing;
        }
        if let Some(inverse) = at.hessian.try_inverse()
            && low * high != 0.0
        {
            if (inverse * at.gradient).norm() > rho + 0.5 * m * rho * rho / least {
                return Holds::Nothing;
            }
            if m * rho + most * rho * rho < 0.5 * least
                && let Some(found) = self.newton(n, rho)
            {
                return Holds::One(found);
            }
        }
        Holds::Unknown
    }

    /// All stationary directions, and whether there are certainly no others.
    fn search(&self) -> (Vec<Vec3>, bool) {
        let mut found: Vec<Vec3> = Vec::new();
        let mut budget = MOST_DISCS;
        // the largest first, so that what is isolated is found even where something else is not
        let mut open = VecDeque::from(octahedron());
        while let Some(triangle) = open.pop_front() {
            let n = triangle.iter().sum::<Vec3>().normalize();
            let chord = triangle.iter().map(|v| (v - n).norm()).fold(0.0, f64::max);
            // an arc is longer than its chord, by less than this if it is shorter than a right angle
            let rho = chord * (1.0 + 0.06 * chord * chord);
            match self.holds(&n, rho) {
                Holds::Nothing => {}
                Holds::One(n) => {
                    if !found.iter().any(|other| (other - n).norm() < SAME) {
                        found.push(n);
                    }
                }
                Holds::Unknown => {
                    if budget == 0 || rho < SMALLEST {
                        return (found, false);
                    }
                    budget -= 1;
                    open.extend(divided(&triangle));
                }
            }
        }
        let sum: i32 =
            found.iter().map(|n| if self.at(n).hessian.determinant() > 0.0 { 1 } else { -1 }).sum();
        (found, sum == 2)
    }

    fn common_normal(&self, n: &Vec3, origin: &Vec3) -> CommonNormal {
        let At { phi, a, b, .. } = self.at(n);
        let (one, r_a, r_b) = (Matrix2::identity(), a.radii, b.radii);
        // shape operators are the inverses of the matrices of the radii
        let shape = |r: &Matrix2<f64>| r.try_inverse().unwrap_or_else(Matrix2::zeros);
        let mut second = Matrix4::zeros();
        second.fixed_view_mut::<2, 2>(0, 0).copy_from(&(one + shape(&r_a) * phi));
        second.fixed_view_mut::<2, 2>(2, 2).copy_from(&(one - shape(&r_b) * (self.s * phi)));
        second.fixed_view_mut::<2, 2>(0, 2).copy_from(&-one);
        second.fixed_view_mut::<2, 2>(2, 0).copy_from(&-one);
        let values = second.symmetric_eigenvalues();
        let scale = values.abs().max();
        let index = values.iter().filter(|x| **x < -1e-12 * scale).count();
        let kind = match index {
            0 => Stationary::Nearest,
            4 => Stationary::Furthest,
            _ => Stationary::Saddle,
        };
        let (p_a, p_b) = (origin + a.g, origin + self.c + b.g * self.s);
        let contact = Contact { p_a, p_b, n: *n, delta: -phi, share: 1.0, common: None };
        CommonNormal { contact, index, kind, opposite: self.s < 0.0 }
    }
}

/// The faces of an octahedron on the unit sphere, each divided twice. Turned a little, so that axes and planes of symmetry are not along edges.
fn octahedron() -> Vec<[Vec3; 3]> {
    let turned = |v: Vec3| {
        let r = Mat3::new(0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6);
        r * v
    };
    let face = |k: usize| {
        let [x, y, z] = [0, 1, 2].map(|i| Vec3::ith(i, if k >> i & 1 == 0 { 1.0 } else { -1.0 }));
        [x, y, z].map(turned)
    };
    let once = (0..8).map(face).flat_map(|t| divided(&t));
    once.flat_map(|t| divided(&t)).collect()
}

/// A triangle on the unit sphere in four.
fn divided(&[a, b, c]: &[Vec3; 3]) -> [[Vec3; 3]; 4] {
    let [d, e, f] = [b + c, c + a, a + b].map(|v: Vec3| v.normalize());
    [[a, f, e], [f, b, d], [e, d, c], [d, e, f]]
}

/// The ellipsoid that a solid is: itself, or one of equal axes if it is a ball.
///
/// ```
/// use carom_geometry::proximity::ellipsoids::as_ellipsoid;
/// use carom_geometry::{Shape, surfaces::{Cuboid, Sphere}};
/// assert!(as_ellipsoid(&Shape::outside(Sphere::new(0.1)?)).is_some());
/// assert!(as_ellipsoid(&Shape::outside(Cuboid::new([0.1; 3])?)).is_none());
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
pub fn as_ellipsoid(shape: &Shape) -> Option<Ellipsoid> {
    (shape.side == Side::Outside).then_some(())?;
    let any = shape.surface.as_any();
    let ball = || Ellipsoid::new([any.downcast_ref::<Sphere>()?.radius(); 3]).ok();
    any.downcast_ref::<Ellipsoid>().copied().or_else(ball)
}

/// All common normals of two ellipsoids at these poses; `None` for poses that are not finite.
///
/// ```
/// use carom_geometry::proximity::ellipsoids::{Stationary, common_normals};
/// use carom_geometry::{Pose, Vec3, surfaces::Ellipsoid};
/// let ball = Ellipsoid::new([1.0; 3])?; // semi axes [m]
/// let found = common_normals(&ball, &ball, &Pose::identity(), &Pose::at(Vec3::new(5.0, 0.0, 0.0))).unwrap();
/// let distances: Vec<f64> = found.all.iter().map(|c| (c.contact.p_b - c.contact.p_a).norm()).collect();
/// assert!(found.complete && distances.iter().zip([3.0, 5.0, 5.0, 7.0]).all(|(d, e)| (d - e).abs() < 1e-14));
/// assert_eq!(found.all[0].kind, Stationary::Nearest);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
pub fn common_normals(a: &Ellipsoid, b: &Ellipsoid, x_a: &Pose, x_b: &Pose) -> Option<CommonNormals> {
    let c = x_b.p - x_a.p;
    let finite = |x: &Pose| x.p.iter().chain(x.r.iter()).all(|v| v.is_finite());
    (finite(x_a) && finite(x_b) && c.norm().is_finite()).then_some(())?;
    let (body_a, body_b) = (Body::new(a, x_a), Body::new(b, x_b));
    let (mut all, mut complete) = (Vec::new(), true);
    for s in [-1.0, 1.0] {
        let field = Field { a: &body_a, b: &body_b, c, s };
        let (found, certain) = field.search();
        complete &= certain;
        all.extend(found.iter().map(|n| field.common_normal(n, &x_a.p)));
    }
    let facing = all.iter().enumerate().filter(|(_, x)| x.opposite);
    let first = facing.min_by(|(_, x), (_, y)| x.contact.delta.total_cmp(&y.contact.delta)).map(|(i, _)| i);
    let closest = first.map(|i| all.swap_remove(i));
    all.sort_by(|x, y| x.contact.delta.abs().total_cmp(&y.contact.delta.abs()));
    all.splice(0..0, closest);
    Some(CommonNormals { all, complete })
}
