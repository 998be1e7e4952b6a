//! Quadrics F = a11 x² + a22 y² + a33 z² + a1 x + a2 y + a3 z − 1 = 0, a_ii a_i = 0 (Lopes et al. 2010, Eqs 25, 26).
//!
//! | surface (Lopes, Table 3) | coefficients |
//! |---|---|
//! | ellipsoid | a11, a22, a33 > 0 |
//! | hyperboloid of one sheet about z | a11, a22 > 0, a33 < 0 |
//! | hyperboloid of two sheets along z | a11, a22 < 0, a33 > 0 |
//! | elliptic paraboloid | a11, a22 > 0, a33 = 0, a3 < 0 |
//! | hyperbolic paraboloid | a11 > 0, a22 < 0, a33 = 0, a3 < 0 |
//!
//! and all others of these coefficients: cylinders, the axes exchanged. a_ii in 1/m², a_i in 1/m; dimensions a = |a11|^(−1/2) (Eq 27).
//! ∇F = 2 a_ii x_i + a_i (Eq 31), the Hessian 2 diag(a_ii) (Eq 32).
//!
//! An ellipsoid that is not cut is a closed surface; all else are sheets that end at a box (`patch.rs`). Closest points: the nearest place of the
//! whole quadric by its secular equation (`secular.rs`); where that is out of the box, the nearest of those that are nearer than their
//! neighbours, of the conics on the faces, and of the corners where the edges of the box meet the surface. Every one is an exact
//! root, so the nearest is found.
//!
//! How near a place can be that is as far from another one: t reaches a pole there, |x − p| = ½|t||∇F| ≥ |∇F|/(2 max|a_ii|), and on
//! the quadric |∇F| ≥ 2√(least a_ii > 0), or |∇F|² ≥ Σ a_i². The same with the rims' conics Σ a_ii p_i² = c bounds
//! `hollow_radius`. (Not bounded: two pieces of a sheet that a bulge across an edge of the box cuts apart.)
//!
//! Checked: closest points against search over the surface, closed forms at vertices, waists and saddles, the ellipsoid (`tests/quadrics.rs`).

mod secular;
mod support;

use std::sync::Arc;

use carom_base::elementary::sincos;
use carom_base::param::Allowed;
use carom_base::{Dual, Entry, Mat3, Param, Quantity, SpecError, Vec3};

use super::{Ellipsoid, refused};
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::level_mesh::level_mesh;
use crate::mesh::Mesh;
use crate::patch::{CORNER, Free, PatchPoint, Region, WITHIN, on_face};
use crate::shape::{Bounds, ClosestPoint, Implicit, Level, Project, Shell, Side, Solid, Support, Surface};
use secular::{ClosestPoints, Secular};

const KIND: &str = "quadric";

/// A quadric: an ellipsoid, or a sheet of a quadric that ends at a box.
///
/// ```
/// use carom_geometry::{Project, Region, Side, Vec3, surfaces::Quadric};
/// // the dish z = (x² + y²)/(2 R) − 1 m with R = 2 m, up to z = 0
/// let dish = Quadric::new(&[0.25, 0.25, 0.0, 0.0, 0.0, -1.0], Some(Region::new([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0])?))?;
/// let closest = dish.closest_point(Side::Inside, 0, &Vec3::new(0.0, 0.0, -0.5));
/// assert_eq!((closest.p, closest.n, closest.d), (Vec3::new(0.0, 0.0, -1.0), Vec3::z(), 0.5));
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Quadric {
    /// a_ii [1/m²]
    square: Vec3,
    /// a_i [1/m]
    linear: Vec3,
    extent: Extent,
}

/// How far it goes.
#[derive(Clone, Debug, PartialEq)]
enum Extent {
    Closed(Ellipsoid),
    Sheet {
        within: Region,
        /// where the rim meets the edges of the box
        corners: Vec<Vec3>,
        /// a point of the sheet, for what has no nearest
        any: Vec3,
    },
}

impl Quadric {
    /// From a11, a22, a33 [1/m²], a1, a2, a3 [1/m] and the box it ends at, which only an ellipsoid can do without.
    ///
    /// Refused if a number is not finite, an a_ii a_i is not zero, no point satisfies F = 0, or none of those is in the box.
    pub fn new(coefficients: &[f64; 6], within: Option<Region>) -> Result<Quadric, GeometryError> {
        let bad = |allowed: &'static str| GeometryError::BadValue {
            kind: KIND,
            name: "coefficients",
            value: format!("{coefficients:?}"),
            allowed,
        };
        let [a11, a22, a33, a1, a2, a3] = *coefficients;
        let (square, linear) = (Vec3::new(a11, a22, a33), Vec3::new(a1, a2, a3));
        if !coefficients.iter().all(|a| a.is_finite()) {
            return Err(bad("six finite numbers"));
        }
        // Eq 26
        if (0..3).any(|i| square[i] != 0.0 && linear[i] != 0.0) {
            return Err(bad("a square or a linear coefficient along each axis, not both"));
        }
        if !(square.max() > 0.0) && linear == Vec3::zeros() {
            return Err(bad("a square coefficient greater than 0 or a linear one: else F = 0 nowhere"));
        }
        let surface = |extent| Quadric { square, linear, extent };
        let Some(within) = within else {
            let closed = square.min() > 0.0;
            let semi = square.map(|a| 1.0 / a.sqrt());
            return match closed {
                true => Ok(surface(Extent::Closed(Ellipsoid::new(semi.into()).map_err(|_| bad("lengths"))?))),
                false => Err(GeometryError::NeedsWithin { kind: KIND }),
            };
        };
        let start = within.ball().centre;
        let mut sheet = surface(Extent::Sheet { within, corners: Vec::new(), any: start });
        let corners = sheet.corners_of(&within);
        sheet.extent = Extent::Sheet { within, corners, any: start };
        let Some(point) = sheet.nearest(&start) else {
            return Err(GeometryError::BadValue {
                kind: KIND,
                name: "within",
                value: format!("{:?} to {:?}", within.min().as_slice(), within.max().as_slice()),
                allowed: "a box that holds a part of the surface",
            });
        };
        if let Extent::Sheet { any, .. } = &mut sheet.extent {
            *any = point.p;
        }
        Ok(sheet)
    }

    /// The box it ends at; none, if it is closed.
    pub fn within(&self) -> Option<&Region> {
        match &self.extent {
            Extent::Closed(_) => None,
            Extent::Sheet { within, .. } => Some(within),
        }
    }

    /// The point r (sin θ cos φ, sin θ sin φ, cos θ) of the quadric, cut or not [m], angles in rad: with r1 = Σ a_i u_i and
    /// r2 = Σ a_ii u_i² the root r = 2/(r1 + √(r1² + 4 r2)) (Lopes, Eqs 29, 30; printed with cos φ in the third component and the a_ii
    /// in r1). None where that direction does not meet it.
    ///
    /// ```
    /// use carom_geometry::surfaces::Quadric;
    /// let egg = Quadric::new(&[1.0, 1.0, 0.25, 0.0, 0.0, 0.0], None)?;
    /// assert_eq!(egg.point(0.3, 0.0).unwrap().z, 2.0);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn point(&self, phi: f64, theta: f64) -> Option<Vec3> {
        let ((sin_p, cos_p), (sin_t, cos_t)) = (sincos(phi), sincos(theta));
        let u = Vec3::new(sin_t * cos_p, sin_t * sin_p, cos_t);
        let (r1, r2) = (self.linear.dot(&u), self.square.dot(&u.component_mul(&u)));
        let root = r1 * r1 + 4.0 * r2;
        let below = r1 + root.sqrt();
        (root >= 0.0 && below > 0.0).then(|| u * (2.0 / below))
    }

    /// F's part along an axis: a_ii q² + a_i q.
    fn part(&self, axis: usize, q: f64) -> f64 {
        (self.square[axis] * q + self.linear[axis]) * q
    }

    /// Where the edges of the box meet the surface.
    fn corners_of(&self, within: &Region) -> Vec<Vec3> {
        let mut corners = Vec::new();
        for (axis, mut at) in within.edges() {
            let c = 1.0 - (0..3).filter(|i| *i != axis).map(|i| self.part(i, at[i])).sum::<f64>();
            let (a, b) = (self.square[axis], self.linear[axis]);
            let root = (c / a).sqrt();
            for q in if a == 0.0 { [c / b, f64::NAN] } else { [root, -root] } {
                at[axis] = q;
                if within.holds(&at) {
                    corners.push(at);
                }
            }
        }
        corners
    }

    /// The secular equation over some coordinates, on the side `sign`.
    fn secular(&self, free: &Free, x: &Vec3, c: f64, sign: f64) -> Secular {
        Secular::new(&self.square, &self.linear, free, x, c, sign)
    }

    /// The nearest point of the whole quadric, or conic.
    fn global(&self, free: &Free, x: &Vec3, c: f64) -> ClosestPoints {
        let f = (0..3).filter(|i| free[*i]).map(|i| self.part(i, x[i])).sum::<f64>() - c;
        self.secular(free, x, c, if f > 0.0 { -1.0 } else { 1.0 }).nearest()
    }

    /// The point of the surface nearest to x.
    fn nearest(&self, x: &Vec3) -> Option<PatchPoint> {
        let closest_points = self.global(&WITHIN, x, 1.0);
        let held = |p: &Vec3| self.within().is_none_or(|within| within.holds(p));
        if let Some(p) = closest_points.into_iter().flatten().find(held) {
            return Some(PatchPoint { p, free: WITHIN });
        }
        match &self.extent {
            Extent::Closed(_) => None,
            Extent::Sheet { within, corners, .. } => self.nearest_of_all(within, corners, x),
        }
    }

    /// The nearest of those that are nearer than their neighbours, on the sheet, its rims and its corners.
    fn nearest_of_all(&self, within: &Region, corners: &[Vec3], x: &Vec3) -> Option<PatchPoint> {
        let mut best: Option<PatchPoint> = None;
        let mut least = f64::INFINITY;
        let mut offer = |p: Vec3, free: Free, least: &mut f64| {
            let square = (x - p).norm_squared();
            if square < *least && within.holds(&p) {
                (best, *least) = (Some(PatchPoint { p, free }), square);
            }
        };
        for sign in [1.0, -1.0] {
            if let Some(p) = self.secular(&WITHIN, x, 1.0, sign).second() {
                offer(p, WITHIN, &mut least);
            }
        }
        for (axis, above) in (0..6).map(|k| (k / 2, k % 2 == 1)) {
            let mut on = *x;
            on[axis] = within.face(axis, above);
            if (x[axis] - on[axis]) * (x[axis] - on[axis]) >= least {
                continue;
            }
            let (free, c) = (on_face(axis), 1.0 - self.part(axis, on[axis]));
            let others = [1.0, -1.0].map(|sign| self.secular(&free, &on, c, sign).second());
            for p in self.global(&free, &on, c).into_iter().chain(others).flatten() {
                offer(p, free, &mut least);
            }
        }
        for corner in corners {
            offer(*corner, CORNER, &mut least);
        }
        best
    }

    /// The place of the closest point to `x`; any place for what is not a number.
    fn patch_point(&self, x: &Vec3) -> PatchPoint {
        let any = match &self.extent {
            Extent::Closed(egg) => Vec3::new(egg.semi_axes().x, 0.0, 0.0),
            Extent::Sheet { any, .. } => *any,
        };
        self.nearest(x).unwrap_or(PatchPoint { p: any, free: WITHIN })
    }

    /// No point that has two nearest points of F = c over some coordinates is nearer than this [m]; infinite, if none of it is in the box.
    fn reach(&self, within: &Region, free: &Free, c: f64) -> f64 {
        let axes = || (0..3).filter(|i| free[*i]);
        // F over the box, axis by axis
        let (mut low, mut high) = (-c, -c);
        // |∇F|² by what is linear, and by the part of the box nearest to the middle
        let (mut lines, mut inner) = (0.0, 0.0);
        for i in axes() {
            let (min, max) = (within.min()[i], within.max()[i]);
            let nearest = if min > 0.0 { min } else { max.min(0.0) };
            let parts = [min, max, nearest].map(|q| self.part(i, q));
            low += parts.into_iter().fold(f64::INFINITY, f64::min);
            high += parts.into_iter().fold(f64::NEG_INFINITY, f64::max);
            lines += self.linear[i] * self.linear[i];
            inner += (2.0 * self.square[i] * nearest) * (2.0 * self.square[i] * nearest);
        }
        let most = axes().fold(0.0, |m: f64, i| m.max(self.square[i].abs()));
        let of_its_sign = axes().map(|i| self.square[i]).filter(|a| a * c > 0.0);
        let least = of_its_sign.fold(f64::INFINITY, |m: f64, a| m.min(a.abs()));
        let definite = axes().all(|i| self.square[i] >= 0.0) || axes().all(|i| self.square[i] <= 0.0);
        let at_most_a_point = lines == 0.0 && least.is_infinite() && (c != 0.0 || definite);
        if low > 0.0 || high < 0.0 || at_most_a_point || most == 0.0 {
            return f64::INFINITY;
        }
        // Σ a_ii p_i² = c, so those of c's sign alone make up |c|: |∇F|² = 4 Σ a_ii² p_i² ≥ 4 least |c|
        let central = if lines == 0.0 && least.is_finite() { 4.0 * least * c.abs() } else { 0.0 };
        central.max(lines + inner).sqrt() / (2.0 * most)
    }
}

/// The quadric in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: KIND,
    summary: "a quadric a11 x² + a22 y² + a33 z² + a1 x + a2 y + a3 z = 1: an ellipsoid, or a sheet of a paraboloid, a hyperboloid, a cylinder, touched from both sides",
    params: &[
        Param::required(
            "coefficients",
            Quantity::Number,
            Allowed::Finite,
            "a11, a22, a33 in 1/m² and a1, a2, a3 in 1/m; along each axis one of the two is 0",
        )
        .array(6),
        Param::region(
            "within",
            "an ellipsoid is whole, others need it",
            "the box in the surface's frame that it ends at",
        ),
    ],
    build: |args| {
        let within = super::region(args, KIND)?;
        match args.numbers("coefficients").map(<&[f64; 6]>::try_from) {
            Some(Ok(coefficients)) => Ok(Arc::new(Quadric::new(coefficients, within).map_err(refused)?)),
            _ => Err(SpecError::Missing { kind: KIND, name: "coefficients", doc: "six numbers" }),
        }
    },
};

impl Surface for Quadric {
    fn kind(&self) -> &'static str {
        KIND
    }
    fn bounds(&self) -> Bounds {
        match &self.extent {
            Extent::Closed(egg) => egg.bounds(),
            Extent::Sheet { within, .. } => within.ball(),
        }
    }
    fn is_closed(&self) -> bool {
        matches!(self.extent, Extent::Closed(_))
    }
    fn is_sheet(&self) -> bool {
        !self.is_closed()
    }
    fn as_project(&self) -> Option<&dyn Project> {
        Some(self)
    }
    fn as_implicit(&self) -> Option<&dyn Implicit> {
        Some(self)
    }
    fn as_support(&self) -> Option<&dyn Support> {
        self.is_closed().then_some(self as &dyn Support)
    }
    fn solid(&self) -> Option<Solid> {
        match &self.extent {
            Extent::Closed(egg) => egg.solid(),
            Extent::Sheet { .. } => None,
        }
    }
    fn shell(&self) -> Option<Shell> {
        match &self.extent {
            Extent::Closed(egg) => egg.shell(),
            Extent::Sheet { .. } => None,
        }
    }
    fn mesh(&self, n: usize, extent: f64) -> Mesh {
        match &self.extent {
            Extent::Closed(egg) => egg.mesh(n, extent),
            Extent::Sheet { within, .. } => level_mesh(&|x| self.level(x), within, n),
        }
    }
}

impl Implicit for Quadric {
    fn level(&self, x: &Vec3) -> Level {
        let f = (0..3).map(|i| self.part(i, x[i])).sum::<f64>() - 1.0; // Eq 25
        let gradient = self.square.component_mul(x) * 2.0 + self.linear; // Eq 31
        Level { f, gradient, hessian: Mat3::from_diagonal(&(self.square * 2.0)) } // Eq 32
    }
}

impl Project for Quadric {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match (self.is_closed(), side) {
            (false, _) => &["sheet"],
            (true, Side::Outside) => &["quadric"],
            (true, Side::Inside) => &["wall"],
        }
    }
    fn closest_point(&self, side: Side, feature: usize, x: &Vec3) -> ClosestPoint {
        if let Extent::Closed(egg) = &self.extent {
            return egg.closest_point(side, feature, x);
        }
        let point = self.patch_point(x);
        point.closest_point(side, &self.level(&point.p), x)
    }
    fn closest_point_dual(&self, side: Side, feature: usize, x: &Vec3<Dual<3>>) -> ClosestPoint<Dual<3>> {
        if let Extent::Closed(egg) = &self.extent {
            return egg.closest_point_dual(side, feature, x);
        }
        let point = self.patch_point(&x.map(|c| c.re));
        point.closest_point_dual(side, &self.level(&point.p), x)
    }
    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature {
        if let Extent::Closed(egg) = &self.extent {
            return egg.curvature(side, feature, x);
        }
        let point = self.patch_point(x);
        point.curvature(side, &self.level(&point.p), x)
    }
    fn hollow_radius(&self, side: Side) -> f64 {
        let within = match &self.extent {
            Extent::Closed(egg) => return egg.hollow_radius(side),
            Extent::Sheet { within, .. } => within,
        };
        let rim = |k: usize| {
            let axis = k / 2;
            self.reach(within, &on_face(axis), 1.0 - self.part(axis, within.face(axis, k % 2 == 1)))
        };
        (0..6).map(rim).fold(self.reach(within, &WITHIN, 1.0), f64::min)
    }
}
