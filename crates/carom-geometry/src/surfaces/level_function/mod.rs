//! A closed surface F(x, y, z) = 0 by a function of numbers, as programs have it.
//!
//! Gradient and Hessian of F come from central differences unless the gradient is given. Closest points: the nearest of many points of the surface, found once on a
//! grid, starts Newton's method in the tangent plane, downhill always. So the nearest closest point is found as long as the surface has no two sheets or folds
//! nearer to each other than the grid tells apart; where Newton's method fails, the closest point is no number, and a step that asks for it fails.
//!
//! The radius of the tightest hollow is the least of those at these points, halved: sampled, not proved. One that is convex, by these points (`convex.rs`), touches whatever convex solids
//! touch; any other touches balls.
//!
//! Checked: closest points and curvatures against those of spheres, ellipsoids and tori (`tests/level_function.rs`).

mod convex;

use std::fmt;

use carom_base::{Dual, Mat3, Vec3};

use crate::bend::Bend;
use crate::closest_point::closest_near;
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::level_mesh::level_mesh;
use crate::mesh::Mesh;
use crate::patch::Region;
use crate::shape::{Bounds, ClosestPoint, Implicit, Level, Project, Side, Start, Support, Surface};
use convex::Bulge;

const KIND: &str = "own";

/// Segments of the mesh whose corners start the searches: half as many cells along the box.
const SEGMENTS: usize = 40;
/// Steps of Newton's method; where the surface is flat, or its points are as near, they shrink slowly.
const MOST_STEPS: usize = 100;
/// No step is longer than this, relative to the box; one below the other is the last, as the next would be its square.
const LONGEST: f64 = 0.2;
const SMALL: f64 = 1e-8;
/// What is expected of a step that does not go down however short, at the end, relative to the box.
const GENTLE: f64 = 1e-9;
/// What the Hessian of the square of a distance counts for at least.
const STIFF: f64 = 1e-10;
/// Starts at most for one closest point.
const MOST_STARTS: usize = 8;
/// Steps of differences, relative to the box: the cube root of the rounding for first ones, the fourth for second ones.
const FIRST: f64 = 6.055e-6;
const SECOND: f64 = 1.221e-4;

type Function = Box<dyn Fn(&Vec3) -> f64 + Send + Sync>;
type Gradient = Box<dyn Fn(&Vec3) -> Vec3 + Send + Sync>;

/// A closed, smooth surface F = 0 within a box: F is negative in the material, positive outside.
///
/// ```
/// use carom_geometry::{Project, Region, Side, Vec3, surfaces::LevelFunction};
/// let within = Region::new([-1.2; 3], [1.2; 3])?;
/// let ball = LevelFunction::new(within, |x| x.norm_squared() - 1.0)?;
/// let closest = ball.closest_point(Side::Outside, 0, &Vec3::new(0.0, 3.0, 4.0));
/// assert!((closest.d - 4.0).abs() < 1e-12 && (closest.p - Vec3::new(0.0, 0.6, 0.8)).norm() < 1e-9);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
pub struct LevelFunction {
    function: Function,
    gradient: Option<Gradient>,
    within: Region,
    /// of the box [m]
    size: f64,
    /// points of the surface
    seeds: Vec<Vec3>,
    /// of the tightest hollow, seen from outside and from inside [m]
    hollow: [f64; 2],
    /// if it is convex
    bulge: Option<Bulge>,
}

/// Whether x is near a centre of curvature of the surface at its closest point, a share of the radius or beyond.
fn is_hollow(x: &Vec3, (p, level): &(Vec3, Level)) -> bool {
    let bend = Bend::new(&level.gradient, &level.hessian);
    let d = (x - p).dot(&bend.n);
    bend.k.iter().any(|k| 1.0 + d * k < 0.7)
}

/// A step in the tangent plane, and how much lower it is expected to lead [m].
struct Planned {
    way: Vec3,
    /// its part along the direction in which the height is curved the most
    firm: Vec3,
    /// whether it is curved much less in the other direction
    valley: bool,
    gain: f64,
}

impl LevelFunction {
    /// The surface F = 0, all of it within the box; refused if there is none, or if it passes the box.
    pub fn new(
        within: Region,
        function: impl Fn(&Vec3) -> f64 + Send + Sync + 'static,
    ) -> Result<LevelFunction, GeometryError> {
        LevelFunction::made(within, Box::new(function), None)
    }

    /// The same with ∇F [1/m], which makes closest points exact to rounding and saves calls.
    pub fn with_gradient(
        within: Region,
        function: impl Fn(&Vec3) -> f64 + Send + Sync + 'static,
        gradient: impl Fn(&Vec3) -> Vec3 + Send + Sync + 'static,
    ) -> Result<LevelFunction, GeometryError> {
        LevelFunction::made(within, Box::new(function), Some(Box::new(gradient)))
    }

    fn made(
        within: Region,
        function: Function,
        gradient: Option<Gradient>,
    ) -> Result<LevelFunction, GeometryError> {
        let size = (within.max() - within.min()).max();
        // (the corners alone are wanted: no gradient)
        let bare = |x: &Vec3| Level { f: function(x), gradient: Vec3::zeros(), hessian: Mat3::zeros() };
        let seeds: Vec<Vec3> =
            level_mesh(&bare, &within, SEGMENTS).vertices.into_iter().map(Vec3::from).collect();
        let bad = |value: &str, allowed| {
            Err(GeometryError::BadValue { kind: KIND, name: "function", value: value.to_owned(), allowed })
        };
        if seeds.is_empty() {
            return bad("without a zero in the box", "negative in the material, positive outside it");
        }
        let on_box = |p: &Vec3| (0..3).any(|i| p[i] == within.min()[i] || p[i] == within.max()[i]);
        if seeds.iter().any(on_box) {
            return bad("zero on the box", "a surface that is closed, all of it within the box");
        }
        let hollow = [f64::INFINITY; 2];
        let mut surface = LevelFunction { function, gradient, within, size, seeds, hollow, bulge: None };
        let Some(bends) = surface.bends() else {
            return bad("without a direction at a zero", "a gradient that is not zero on the surface");
        };
        surface.hollow = surface.tightest(&bends);
        surface.bulge = Bulge::of(&surface.seeds, &bends, size);
        Ok(surface)
    }

    /// How it is bent at the seeds; `None`: somewhere it has no direction.
    fn bends(&self) -> Option<Vec<Bend>> {
        let bend = |p: &Vec3| {
            let level = self.level(p);
            (level.gradient.norm() > 0.0).then(|| Bend::new(&level.gradient, &level.hessian))
        };
        self.seeds.iter().map(bend).collect()
    }

    /// Half the least radius of a hollow at the seeds, seen from outside and from inside.
    fn tightest(&self, bends: &[Bend]) -> [f64; 2] {
        let most = bends.iter().fold([0.0f64; 2], |most, b| [most[0].max(-b.k[1]), most[1].max(b.k[0])]);
        // what is flat but for rounding is no hollow
        most.map(|k| if k * self.size > 1e-6 { 0.5 / k } else { f64::INFINITY })
    }

    fn gradient_at(&self, x: &Vec3) -> Vec3 {
        if let Some(gradient) = &self.gradient {
            return gradient(x);
        }
        let h = FIRST * self.size;
        Vec3::from_fn(|i, _| {
            let way = Vec3::ith(i, h);
            ((self.function)(&(x + way)) - (self.function)(&(x - way))) / (2.0 * h)
        })
    }

    fn hessian(&self, x: &Vec3, f: f64) -> Mat3 {
        if let Some(gradient) = &self.gradient {
            let h = FIRST * self.size;
            let columns = [0, 1, 2].map(|i| {
                let way = Vec3::ith(i, h);
                (gradient(&(x + way)) - gradient(&(x - way))) / (2.0 * h)
            });
            let m = Mat3::from_columns(&columns);
            return (m + m.transpose()) * 0.5;
        }
        let h = SECOND * self.size;
        let at = |i: usize, a: f64, j: usize, b: f64| {
            (self.function)(&(x + Vec3::ith(i, a * h) + Vec3::ith(j, b * h)))
        };
        let mut m = Mat3::zeros();
        for i in 0..3 {
            m[(i, i)] = (at(i, 1.0, i, 0.0) - 2.0 * f + at(i, -1.0, i, 0.0)) / (h * h);
            for j in 0..i {
                let sum =
                    at(i, 1.0, j, 1.0) - at(i, 1.0, j, -1.0) - at(i, -1.0, j, 1.0) + at(i, -1.0, j, -1.0);
                m[(i, j)] = sum / (4.0 * h * h);
                m[(j, i)] = m[(i, j)];
            }
        }
        m
    }

    /// F and its derivatives, the second ones to seven digits, in half the calls: enough for steps of Newton's method.
    fn level_in_passing(&self, x: &Vec3) -> Level {
        let Some(gradient) = &self.gradient else { return self.level(x) };
        let (f, here, h) = ((self.function)(x), gradient(x), f64::EPSILON.sqrt() * self.size);
        let columns = [0, 1, 2].map(|i| (gradient(&(x + Vec3::ith(i, h))) - here) / h);
        let m = Mat3::from_columns(&columns);
        Level { f, gradient: here, hessian: (m + m.transpose()) * 0.5 }
    }

    /// The seed nearest to x of those that are so far from some points.
    fn seed(&self, x: &Vec3, from: &[Vec3], apart: f64) -> Option<&Vec3> {
        let mut best = (f64::INFINITY, None);
        for s in &self.seeds {
            let square = (s - x).norm_squared();
            if square < best.0 && from.iter().all(|from| (s - from).norm_squared() >= apart * apart) {
                best = (square, Some(s));
            }
        }
        best.1
    }

    /// The point of the surface nearest to x, with F's derivatives there; no number where it is not found.
    ///
    /// With d n the part of x − p along the normal the Hessian of ½ |p − x|² along the surface is E + d S.
    fn nearest(&self, x: &Vec3) -> (Vec3, Level) {
        let far = |p: &Vec3| (p - x).norm();
        // next to a centre of curvature the spread nearly vanishes, beyond it the slope leads uphill: steps go by its size
        let step = |p: &Vec3, bend: &Bend| {
            let way = x - p;
            let (d, h) = (way.dot(&bend.n), way.norm() + f64::MIN_POSITIVE);
            let along = |i: usize| {
                let (slope, spread) = (way.dot(&bend.t[i]), (1.0 + d * bend.k[i]).abs().max(STIFF));
                let step = (slope / spread).clamp(-LONGEST * self.size, LONGEST * self.size);
                (bend.t[i] * step, 0.5 * slope * step / h, spread)
            };
            let [a, b] = [along(0), along(1)];
            let (firm, soft) = if a.2 > b.2 { (a, b) } else { (b, a) };
            Planned { way: a.0 + b.0, firm: firm.0, valley: soft.2 < 0.1 * firm.2, gain: a.1 + b.1 }
        };
        let mut best: Option<(Vec3, Level)> = None;
        let mut tried = [Vec3::zeros(); MOST_STARTS];
        let h = 2.0 * self.size / SEGMENTS as f64;
        for k in 0..MOST_STARTS {
            let d = best.map_or(f64::INFINITY, |b| far(&b.0));
            // in a hollow two closest points may be next to each other, else they are on different sides
            let other = if best.is_some_and(|b| is_hollow(x, &b)) { 0.7 * h } else { 2.0 * h };
            let Some(start) = self.seed(x, &tried[..k], other) else { break };
            // a seed is off the closest point by a cell h at most, and so further by h² (1/d + k)/2, k being the greatest curvature of a bulge
            let bulge = 0.5 / self.hollow[1];
            if far(start) > d + h.min(0.5 * h * h * (1.0 / d + bulge)) {
                break;
            }
            tried[k] = *start;
            if let Some(found) = self.lowest(start, far, step) {
                tried[k] = found.0;
                best = best.filter(|best| far(&best.0) <= far(&found.0)).or(Some(found));
            }
            // (from outside there is no other side of what is convex)
            if self.bulge.is_some() && best.is_some_and(|b| b.1.gradient.dot(&(x - b.0)) >= 0.0) {
                break;
            }
        }
        best.unwrap_or_else(|| (Vec3::repeat(f64::NAN), self.level(x)))
    }

    /// The point of the surface where a height is least: from a point of it on by steps in the tangent plane, which are put back on the surface, and halved as long as they do not go down.
    fn lowest(
        &self,
        start: &Vec3,
        height: impl Fn(&Vec3) -> f64,
        step: impl Fn(&Vec3, &Bend) -> Planned,
    ) -> Option<(Vec3, Level)> {
        let (mut p, mut level) = (*start, self.level(start));
        let mut gentle = false;
        for _ in 0..MOST_STEPS {
            let planned = step(&p, &Bend::new(&level.gradient, &level.hessian));
            gentle = planned.gain <= GENTLE * self.size;
            // along a bent valley straight steps lead up its side: they are put back to its bottom before they count
            let bottom = |mut p: Vec3| {
                for _ in 0..if planned.valley { 2 } else { 0 } {
                    let level = self.level(&p);
                    p = self.onto(&(p + step(&p, &Bend::new(&level.gradient, &level.hessian)).firm))?;
                }
                Some(p)
            };
            let next = self.down(&p, planned.way, &height, bottom);
            // next to points that are as near all around a step along these leads anywhere: that across them counts
            let next = next.or_else(|| self.down(&p, planned.firm, &height, Some));
            let Some((next, moved)) = next else { return gentle.then_some((p, level)) };
            (p, level) = (next, self.level(&next));
            if moved <= SMALL * self.size {
                return Some((p, level));
            }
        }
        gentle.then_some((p, level))
    }

    /// The point of the surface after a step that goes down, halved until it does, and how long it is; `None`: however short, it does not.
    fn down(
        &self,
        p: &Vec3,
        mut way: Vec3,
        height: impl Fn(&Vec3) -> f64,
        then: impl Fn(Vec3) -> Option<Vec3>,
    ) -> Option<(Vec3, f64)> {
        way *= (LONGEST * self.size / way.norm()).min(1.0);
        let here = height(p);
        let most = here + 8.0 * f64::EPSILON * (here.abs() + self.size);
        loop {
            let moved = way.norm();
            let next = self.onto(&(p + way)).and_then(&then);
            // (a step may be too long to get back on the surface)
            if next.is_some_and(|next| height(&next) <= most) {
                return next.map(|next| (next, moved));
            }
            if !(moved > SMALL * self.size) {
                return None;
            }
            way *= 0.5;
        }
    }

    /// The point of the surface down the gradient from x, if that leads there.
    fn onto(&self, x: &Vec3) -> Option<Vec3> {
        let mut p = *x;
        let mut moved = f64::INFINITY;
        for _ in 0..8 {
            let (f, slope) = ((self.function)(&p), self.gradient_at(&p));
            let way = slope * (f / slope.norm_squared());
            moved = way.norm();
            if !moved.is_finite() {
                break;
            }
            p -= way;
            if moved <= 2.0 * f64::EPSILON * self.size {
                break;
            }
        }
        (moved <= 1e-10 * self.size).then_some(p)
    }
}

impl fmt::Debug for LevelFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("LevelFunction");
        out.field("within", &self.within).field("hollow", &self.hollow).finish_non_exhaustive()
    }
}

impl Surface for LevelFunction {
    fn kind(&self) -> &'static str {
        KIND
    }
    fn bounds(&self) -> Bounds {
        self.within.ball()
    }
    fn is_closed(&self) -> bool {
        true
    }
    fn as_project(&self) -> Option<&dyn Project> {
        Some(self)
    }
    fn as_implicit(&self) -> Option<&dyn Implicit> {
        Some(self)
    }
    fn as_support(&self) -> Option<&dyn Support> {
        self.bulge.is_some().then_some(self as &dyn Support)
    }
    fn mesh(&self, n: usize, _extent: f64) -> Mesh {
        // (no Hessian: it is not asked for)
        let f =
            |x: &Vec3| Level { f: (self.function)(x), gradient: self.gradient_at(x), hessian: Mat3::zeros() };
        level_mesh(&f, &self.within, n)
    }
}

impl Implicit for LevelFunction {
    fn level(&self, x: &Vec3) -> Level {
        let f = (self.function)(x);
        Level { f, gradient: self.gradient_at(x), hessian: self.hessian(x, f) }
    }
    fn slope(&self, x: &Vec3) -> (f64, Vec3) {
        ((self.function)(x), self.gradient_at(x))
    }
    /// Down the gradient: nothing is known of F elsewhere, nor of where the origin is.
    fn settle(&self, x: &Vec3) -> (Vec3, Level) {
        let p = self.onto(x).unwrap_or(*x);
        (p, self.level(&p))
    }
}

impl Project for LevelFunction {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match side {
            Side::Outside => &["surface"],
            Side::Inside => &["wall"],
        }
    }
    fn closest_point(&self, side: Side, _feature: usize, x: &Vec3) -> ClosestPoint {
        let (p, level) = self.nearest(x);
        let n = level.gradient.normalize() * side.sign();
        ClosestPoint { p, n, d: n.dot(&(x - p)) }
    }
    fn closest_point_near(&self, x: &Vec3, start: &Start) -> Option<(ClosestPoint, Start)> {
        closest_near(|p| self.level_in_passing(p), x, start)
    }
    fn closest_point_dual(&self, side: Side, _feature: usize, x: &Vec3<Dual<3>>) -> ClosestPoint<Dual<3>> {
        let (p, level) = self.nearest(&x.map(|c| c.re));
        Bend::new(&level.gradient, &level.hessian).closest_point_dual(side, &p, x)
    }
    fn curvature(&self, side: Side, _feature: usize, x: &Vec3) -> Curvature {
        let (_, level) = self.nearest(x);
        Bend::new(&level.gradient, &level.hessian).seen_from(side)
    }
    fn hollow_radius(&self, side: Side) -> f64 {
        match side {
            Side::Outside => self.hollow[0],
            Side::Inside => self.hollow[1],
        }
    }
}
