//! The cone and its frustum: the straight line from (r₀, −h/2) to (r₁, h/2) of the half plane (ρ, z), turned about the z
//! axis and closed by the caps; with r₁ = 0 it ends in a tip.
//!
//! With a = (r₀ + r₁)/2 the radius half way, b = r₁ − r₀ and l = √(h² + b²) the slant height, the mantle's normal is
//! (cos α, sin α) = (h, −b)/l in the half plane. A point (ρ, z) is d_m = (ρ − a) cos α + z sin α beyond the mantle, at
//! t = (z h + (ρ − a) b)/l along it from half way, and d_± = ±z − h/2 beyond the caps.
//! - Outside there is one closest point: on a cap, on the mantle where |t| < l/2, else on a rim or the tip; within the
//!   solid on the nearest of them, that with the largest d.
//! - Inside there is one on every wall: on the mantle d = −d_m, on the caps −d_±. The mantle goes on beyond the caps, up to the
//!   apex of the whole cone and no further: beyond it the apex is the closest point.
//!
//! Solid and shell: with w = z/h from −1/2 to 1/2 and r = a + b w, powers of r are integrated, which gives polynomials of a and b.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::elementary::hypot;
use carom_base::param::Allowed;
use carom_base::{Entry, Mat3, Param, Pose, Quantity, Scalar, Vec3, clamp};

use super::{measure, number, refused};
use crate::anchors::of_rim;
use crate::boundary::{BoundaryPart, PartShape};
use crate::closest_point::{direction, tangent};
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::mesh::{Mesh, Profile};
use crate::shape::{
    Bounds, ClosestPoint, ConvexCore, EDGE, Project, ProjectFormula, Shell, Side, Solid, Support, Surface,
    Tip, Wall,
};

/// A closed cone, or the frustum of one, about the z axis of its frame; the origin is half way up.
///
/// ```
/// use carom_geometry::{Project, Side, Surface, Vec3, surfaces::Cone};
/// let cone = Cone::new(0.75, 0.0, 1.0)?; // radius of the base, of the top, length [m]
/// assert_eq!(cone.closest_point(Side::Outside, 0, &Vec3::new(0.0, 0.0, 2.0)).d, 1.5); // from the tip
/// assert_eq!(cone.closest_point(Side::Outside, 0, &Vec3::new(4.75, 0.0, -3.5)).d, 5.0); // from the rim
/// assert_eq!(cone.features(Side::Inside), ["mantle", "cap-"]);
/// assert_eq!(cone.solid().unwrap().centroid.z, -0.25); // a quarter of its length above the base
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    radius: f64,
    top_radius: f64,
    length: f64,
}

/// The piece of the boundary a point is nearest to; of caps and rims the sign of their z.
enum Piece {
    Mantle,
    Cap(f64),
    Rim(f64),
}

/// A point this much of the size off a rim is still on it.
const ON_RIM: f64 = 1e-12;

impl Cone {
    /// A cone with these radii of base and top and this length [m]. Refused unless they are finite, `radius` and `length` are
    /// greater than zero, and `top_radius` is zero (a tip) or greater and not equal to `radius`: that would be a cylinder.
    pub fn new(radius: f64, top_radius: f64, length: f64) -> Result<Cone, GeometryError> {
        let radius = measure("cone", "radius", radius)?;
        let length = measure("cone", "length", length)?;
        if !(top_radius.is_finite() && top_radius >= 0.0 && top_radius != radius) {
            let allowed = "a finite number, 0 or greater, and not equal to `radius`: that is a `cylinder`";
            let value = top_radius.to_string();
            return Err(GeometryError::BadValue { kind: "cone", name: "top_radius", value, allowed });
        }
        Ok(Cone { radius, top_radius, length })
    }

    /// The radius of its base, at z = −length/2 [m].
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The radius of its top, at z = length/2 [m]; zero of a pointed cone.
    #[inline(always)]
    pub fn top_radius(&self) -> f64 {
        self.top_radius
    }

    /// Its length along the axis [m].
    #[inline(always)]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The slant height l [m].
    #[inline]
    fn slant(&self) -> f64 {
        hypot(self.length, self.top_radius - self.radius)
    }

    /// The radius a half way up, and b by which it grows over the length [m].
    #[inline]
    fn mean_and_growth(&self) -> (f64, f64) {
        (0.5 * (self.radius + self.top_radius), self.top_radius - self.radius)
    }

    /// The radius of the rim of that sign [m].
    #[inline]
    fn rim(&self, s: f64) -> f64 {
        if s < 0.0 { self.radius } else { self.top_radius }
    }

    /// d_m and t of a point of the half plane.
    #[inline]
    fn at_mantle<S: Scalar>(&self, rho: S, z: S) -> (S, S) {
        let (a, b) = self.mean_and_growth();
        let l = self.slant();
        let (h, b) = (S::from_f64(self.length / l), S::from_f64(b / l));
        let off = rho - S::from_f64(a);
        (off * h - z * b, z * h + off * b)
    }

    /// The mantle's point at t, and the outward normal there, in the half plane that e is in.
    #[inline]
    fn mantle<S: Scalar>(&self, t: S, e: &Vec3<S>) -> (Vec3<S>, Vec3<S>) {
        let (a, b) = self.mean_and_growth();
        let l = self.slant();
        let (h, b) = (S::from_f64(self.length / l), S::from_f64(b / l));
        let rho = S::from_f64(a) + t * b;
        (Vec3::new(e.x * rho, e.y * rho, t * h), Vec3::new(e.x * h, e.y * h, -b))
    }

    /// The piece that a point of the half plane is nearest to.
    fn piece(&self, rho: f64, z: f64) -> Piece {
        let (d, t) = self.at_mantle(rho, z);
        let s = if z < 0.0 { -1.0 } else { 1.0 };
        let (beyond, rim) = (s * z - 0.5 * self.length, self.rim(s));
        if d <= 0.0 && beyond <= 0.0 {
            // the cap that is nearer, or the other one if that is the tip
            let (cap, s) = if rim > 0.0 { (beyond, s) } else { (-s * z - 0.5 * self.length, -s) };
            return if cap >= d { Piece::Cap(s) } else { Piece::Mantle };
        }
        if beyond > 0.0 && rho <= rim && rim > 0.0 {
            return Piece::Cap(s);
        }
        match 2.0 * t.abs() < self.slant() {
            true => Piece::Mantle,
            false => Piece::Rim(if t < 0.0 { -1.0 } else { 1.0 }),
        }
    }

    fn solid_closest_point<S: Scalar>(&self, x: &Vec3<S>) -> ClosestPoint<S> {
        let zero = S::from_f64(0.0);
        let (e, rho) = direction(&Vec3::new(x.x, x.y, zero), Vec3::x);
        match self.piece(rho.value(), x.z.value()) {
            Piece::Mantle => {
                let (d, t) = self.at_mantle(rho, x.z);
                let (p, n) = self.mantle(t, &e);
                ClosestPoint { p, n, d }
            }
            Piece::Cap(s) => self.cap(s, 1.0, x),
            Piece::Rim(s) => {
                let (r, z) = (self.rim(s), S::from_f64(0.5 * s * self.length));
                // the tip has no direction across the axis
                let out = if r > 0.0 { e * S::from_f64(r) } else { Vec3::zeros() };
                let p = Vec3::new(out.x, out.y, z);
                let (n, d) = direction(&(x - p), Vec3::z);
                ClosestPoint { p, n, d }
            }
        }
    }

    /// The closest point on the plane of a cap, its normal along `sign` times the outward one.
    fn cap<S: Scalar>(&self, s: f64, sign: f64, x: &Vec3<S>) -> ClosestPoint<S> {
        let (zero, wall) = (S::from_f64(0.0), S::from_f64(0.5 * s * self.length));
        let n = S::from_f64(s * sign);
        ClosestPoint { p: Vec3::new(x.x, x.y, wall), n: Vec3::new(zero, zero, n), d: n * (x.z - wall) }
    }

    fn cavity_closest_point<S: Scalar>(&self, feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
        if feature > 0 {
            let s = if feature == 1 && self.top_radius > 0.0 { 1.0 } else { -1.0 };
            return self.cap(s, -1.0, x);
        }
        let (e, rho) = direction(&Vec3::new(x.x, x.y, S::from_f64(0.0)), Vec3::x);
        let (d, t) = self.at_mantle(rho, x.z);
        let (a, b) = self.mean_and_growth();
        if a + t.value() * b / self.slant() < 0.0 {
            // in the material beyond the apex, where the radius a + b z/h is zero
            let apex = Vec3::z() * S::from_f64(-a * self.length / b);
            let (u, distance) = direction(&(x - apex), || Vec3::z() * S::from_f64(-b.signum()));
            return ClosestPoint { p: apex, n: -u, d: -distance };
        }
        let (p, n) = self.mantle(t, &e);
        ClosestPoint { p, n: -n, d: -d }
    }
}

/// The cone in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: "cone",
    summary: "a closed cone or frustum about the z axis of its frame, its base below; the origin is half way up",
    params: &[
        Param::required(
            "radius",
            Quantity::Length,
            Allowed::Positive,
            "radius of the base, at z = −length/2",
        ),
        Param::required(
            "length",
            Quantity::Length,
            Allowed::Positive,
            "length along the axis, from base to top",
        ),
        Param::optional(
            "top_radius",
            Quantity::Length,
            Allowed::NotNegative,
            "0, a tip",
            "radius of the top, at z = +length/2: less or greater than `radius`",
        ),
    ],
    build: |args| {
        let (radius, length) = (number(args, "cone", "radius")?, number(args, "cone", "length")?);
        let top_radius = args.number("top_radius").unwrap_or(0.0);
        Ok(Arc::new(Cone::new(radius, top_radius, length).map_err(refused)?))
    },
};

impl Surface for Cone {
    fn kind(&self) -> &'static str {
        ENTRY.name
    }
    /// The smallest ball: through both rims, or about the wider one.
    fn bounds(&self) -> Bounds {
        let (a, b) = self.mean_and_growth();
        let half = 0.5 * self.length;
        let z = clamp(a * b / self.length, -half, half);
        let radius = hypot(self.radius, z + half).max(hypot(self.top_radius, z - half));
        Bounds { centre: Vec3::z() * z, radius }
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
        let ((a, b), h) = (self.mean_and_growth(), self.length);
        let (a2, b2) = (a * a, b * b);
        // ∫π r² dz, the same with z and z², and ∫π r⁴/2 dz
        let volume = PI * h * (a2 + b2 / 12.0);
        let z = h * a * b / (6.0 * a2 + 0.5 * b2);
        let zz = PI * h * h * h * (a2 / 12.0 + b2 / 80.0) - volume * z * z;
        let along = 0.5 * PI * h * (a2 * a2 + 0.5 * a2 * b2 + b2 * b2 / 80.0);
        Some(Solid { volume, centroid: Vec3::z() * z, inertia: revolved(along, zz) })
    }
    fn shell(&self) -> Option<Shell> {
        let ((a, b), h) = (self.mean_and_growth(), self.length);
        let [base, top] = [self.radius, self.top_radius].map(|r| r * r);
        let (around, caps) = (2.0 * PI * self.slant(), PI * (base + top));
        let area = around * a + caps;
        // of the mantle ∫r, ∫r z, ∫r z² and ∫r³; the caps are half the length off
        let z = h * (around * b / 12.0 + 0.5 * PI * (top - base)) / area;
        let zz = h * h * (around * a / 12.0 + caps / 4.0) - area * z * z;
        let along = around * a * (a * a + b * b / 4.0) + 0.5 * PI * (base * base + top * top);
        Some(Shell { area, centroid: Vec3::z() * z, inertia: revolved(along, zz) })
    }
    fn boundary(&self) -> Option<Vec<BoundaryPart>> {
        let Cone { radius, top_radius, length } = *self;
        let cap = |s: f64| {
            // turned about x, so that z is outward
            let at =
                Pose { p: Vec3::z() * (0.5 * s * length), r: Mat3::from_diagonal(&Vec3::new(1.0, s, s)) };
            BoundaryPart { name: "caps".into(), shape: PartShape::Disc { radius: self.rim(s) }, at }
        };
        let mut parts =
            vec![BoundaryPart::here("side", PartShape::Mantle { radii: [radius, top_radius], length })];
        parts.extend([1.0, -1.0].into_iter().filter(|s| self.rim(*s) > 0.0).map(cap));
        Some(parts)
    }
    fn mesh(&self, n: usize, _extent: f64) -> Mesh {
        let (r, top, h, l) = (self.radius, self.top_radius, 0.5 * self.length, self.slant());
        let point = |rho, z, n_rho, n_z| Profile { rho, z, n_rho, n_z };
        let (n_rho, n_z) = (self.length / l, (r - top) / l);
        let mut profile = vec![
            point(0.0, -h, 0.0, -1.0),
            point(r, -h, 0.0, -1.0),
            point(r, -h, n_rho, n_z),
            point(top, h, n_rho, n_z),
        ];
        if top > 0.0 {
            profile.extend([point(top, h, 0.0, 1.0), point(0.0, h, 0.0, 1.0)]);
        }
        Mesh::revolved(&profile, n)
    }
}

/// The inertia of a body of revolution, from that about its axis and ∫z² about its centroid.
fn revolved(along: f64, zz: f64) -> Mat3 {
    Mat3::from_diagonal(&Vec3::new(0.5 * along + zz, 0.5 * along + zz, along))
}

impl Support for Cone {
    fn anchors(&self) -> Vec<Vec3> {
        let half = 0.5 * self.length;
        let base = of_rim(self.radius, -half);
        match self.top_radius > 0.0 {
            true => base.chain(of_rim(self.top_radius, half)).collect(),
            false => base.chain([Vec3::z() * half]).collect(),
        }
    }
    /// All walls are moved inwards by the coat: the mantle along its normal.
    fn convex_core(&self, rounded: bool) -> Option<ConvexCore> {
        let (half, (mean, growth)) = (0.5 * self.length, self.mean_and_growth());
        let (slope, slant) = (growth / self.length, self.slant() / self.length);
        // of the balls within, one in the half of the solid that is the wider
        let middle = 0.25 * self.length * growth.signum();
        let inner = ((mean + slope * middle) / slant).min(0.25 * self.length);
        let coat = if rounded { EDGE * inner } else { 0.0 };
        let cap = |side: f64| Wall::Flat { n: Vec3::z() * side, h: half - coat };
        let walls = vec![cap(1.0), cap(-1.0), Wall::Round { radius: mean - coat * slant, slope }];
        // a pointed one ends where the mantle's radius is zero
        let tip = (self.top_radius == 0.0).then(|| Tip { height: half - coat * slant / -slope, slope });
        Some(ConvexCore { walls, middle: Vec3::z() * middle, extends: [true; 3], coat, tip })
    }
    /// A point of a rim, or the tip; of the mantle that half way, of a cap its middle.
    fn support(&self, m: &Vec3) -> Vec3 {
        let (e, across) = direction(&Vec3::new(m.x, m.y, 0.0), Vec3::zeros);
        let ((a, b), h) = (self.mean_and_growth(), 0.5 * self.length);
        // how much further along m the top rim is than the base's
        let higher = b * across + self.length * m.z;
        let (rho, z) = match higher {
            _ if across == 0.0 => (0.0, h.copysign(m.z)),
            x if x > 0.0 => (self.top_radius, h),
            x if x < 0.0 => (self.radius, -h),
            _ => (a, 0.0),
        };
        e * rho + Vec3::z() * z
    }
    fn axis(&self) -> Option<Vec3> {
        Some(Vec3::z())
    }
    fn curvature_at(&self, p: &Vec3, m: &Vec3) -> Curvature {
        let (e, rho) = direction(&Vec3::new(p.x, p.y, 0.0), Vec3::x);
        let near = ON_RIM * self.bounds().radius;
        let k = |k1: f64, k2: f64, direction: Vec3| Curvature { k1, k2, direction };
        let at_end = p.z.abs() > 0.5 * self.length - near;
        let rim = self.rim(p.z);
        if at_end && rim <= near {
            return k(f64::INFINITY, f64::INFINITY, tangent(m));
        }
        if at_end && rho < rim - near {
            return k(0.0, 0.0, tangent(m));
        }
        // along the rim or round the mantle the normal keeps its angle with the axis
        k(m.dot(&e) / rho, if at_end { f64::INFINITY } else { 0.0 }, Vec3::z().cross(&e))
    }
    fn is_strict(&self) -> bool {
        false
    }
}

impl ProjectFormula for Cone {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match side {
            Side::Outside => &["cone"],
            Side::Inside if self.top_radius > 0.0 => &["mantle", "cap+", "cap-"],
            Side::Inside => &["mantle", "cap-"],
        }
    }
    fn closest_point<S: Scalar>(&self, side: Side, feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
        match side {
            Side::Outside => self.solid_closest_point(x),
            Side::Inside => self.cavity_closest_point(feature, x),
        }
    }
    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature {
        let closest_point = ProjectFormula::closest_point(self, side, feature, x);
        let rho = hypot(closest_point.p.x, closest_point.p.y);
        let on_mantle = match side {
            Side::Inside => feature == 0 && rho > 0.0,
            Side::Outside => matches!(self.piece(hypot(x.x, x.y), x.z), Piece::Mantle),
        };
        let (e, _) = direction(&Vec3::new(x.x, x.y, 0.0), Vec3::x);
        let k1 = side.sign() * self.length / (self.slant() * rho);
        match on_mantle && k1.is_finite() {
            true => Curvature { k1, k2: 0.0, direction: Vec3::z().cross(&e) },
            false => Curvature { k1: 0.0, k2: 0.0, direction: tangent(&closest_point.n) },
        }
    }
    /// At the distance d from the mantle and ρ from the axis, d bends by cos α/ρ as a point moves round; d + ρ/cos α, which the
    /// radius must not exceed, is least on the axis at the narrow end: there it is the radius times cos α.
    fn hollow_radius(&self, side: Side) -> f64 {
        match side {
            Side::Outside => f64::INFINITY,
            Side::Inside => self.radius.min(self.top_radius) * self.length / self.slant(),
        }
    }
}
