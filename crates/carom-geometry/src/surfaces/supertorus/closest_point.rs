//! Closest points of the supertorus.
//!
//! The closest point minimises f = ½|x − p|² over the polar angles α of the ring and β of the section (see `superellipse.rs`):
//! p = (q D(α), b v(β)), q = R + a u(β). There may be several minima, in the tube above all. So
//! 1. by symmetry x is taken to 0 ≤ y ≤ x, 0 ≤ z, where its closest point is, too;
//! 2. a descent starts where walls are nearest if they are flat, as they nearly are for large exponents, and at the lowest nodes of a
//!    coarse grid over that sixteenth of the surface, which is enough for small ones; not where it is too far to win;
//! 3. it goes by Newton's method: the Hessian made positive by the absolute values of its eigenvalues (Dauphin et al. 2014), steps
//!    halved until f falls, saddles left;
//! 4. the nearest wins.
//!
//! About sixteen evaluations of f with its derivatives, 29,000 instructions, 4 to 5 µs. That no nearer point is missed is shown by search alone
//! (`tests/supertorus.rs`; once over 88,000 points more, exponents 2 to 20, thin and thick).
//!
//! Derivatives by the shape operator (`bend.rs`).

use std::f64::consts::{FRAC_PI_4, PI};

use carom_base::elementary::{atan2, cos, hypot, sin, sincos};
use carom_base::{Dual, Vec3};
use nalgebra::{Matrix2, Vector2};

use super::{Supertorus, SurfacePoint};
use crate::closest_point::closest_near;
use crate::contact::Curvature;
use crate::shape::{ClosestPoint, Project, Side, Start};
use crate::surfaces::superellipse::{Superellipse, is_smooth_power};

/// Nodes along an eighth of the ring, and around half the section.
const ALONG: usize = 5;
const AROUND: usize = 13;
const MOST_STEPS: usize = 60;
/// The longest step in either angle [rad].
const FURTHEST: f64 = 0.4;
/// Minima no further apart than this [rad] are one: between two the distance would differ by its fourth power.
const SAME: f64 = 1e-4;

/// The nodes a search starts from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// D at the nodes of the ring
    ring: [Vector2<f64>; ALONG],
    /// q and z at those of the section [m]
    section: [Vector2<f64>; AROUND],
    /// the longest way from a node to a neighbour [m]
    mesh: f64,
}

impl Grid {
    pub(super) fn new(major: f64, a: f64, b: f64, section: &Superellipse, ring: &Superellipse) -> Grid {
        let ring = std::array::from_fn(|i| ring.jet(alpha(i)).p);
        let section = std::array::from_fn(|j| {
            let p = section.jet(beta(j)).p;
            Vector2::new(major + a * p.x, b * p.y)
        });
        let longest = |p: &[Vector2<f64>]| p.windows(2).map(|w| (w[1] - w[0]).norm()).fold(0.0, f64::max);
        // sections are stretched by |D| ≤ √2, the ring by q ≤ R + a
        let mesh = 2f64.sqrt() * longest(&section) + (major + a) * longest(&ring);
        Grid { ring, section, mesh }
    }

    /// |x − p| ² at every node.
    fn squares(&self, x: &Vec3) -> [[f64; AROUND]; ALONG] {
        let square = |d: &Vector2<f64>, s: &Vector2<f64>| {
            let (dx, dy, dz) = (x.x - s.x * d.x, x.y - s.x * d.y, x.z - s.y);
            dx * dx + dy * dy + dz * dz
        };
        self.ring.map(|d| self.section.map(|s| square(&d, &s)))
    }
}

fn alpha(i: usize) -> f64 {
    FRAC_PI_4 * i as f64 / (ALONG - 1) as f64
}

fn beta(j: usize) -> f64 {
    PI * j as f64 / (AROUND - 1) as f64
}

/// Whether no neighbour of a node is lower; of equals the first counts as lower.
fn is_lowest(f: &[[f64; AROUND]; ALONG], i: usize, j: usize) -> bool {
    let here = f[i][j];
    for k in i.saturating_sub(1)..(i + 2).min(ALONG) {
        for l in j.saturating_sub(1)..(j + 2).min(AROUND) {
            if f[k][l] < here || (f[k][l] == here && (k, l) < (i, j)) {
                return false;
            }
        }
    }
    true
}

/// A point by the symmetry that takes x to 0 ≤ y ≤ x, 0 ≤ z.
fn folded(x: &Vec3, point: &Vec3) -> Vec3 {
    let w = Vec3::from_fn(|i, _| if x[i] < 0.0 { -point[i] } else { point[i] });
    if x.y.abs() > x.x.abs() { Vec3::new(w.y, w.x, w.z) } else { w }
}

/// The place that the same symmetry takes to this one.
fn unfolded(x: &Vec3, mut point: SurfacePoint) -> SurfacePoint {
    if x.y.abs() > x.x.abs() {
        point.ring = Vector2::new(point.ring.y, point.ring.x);
    }
    let sign = |s: f64, of: f64| if of < 0.0 { -s } else { s };
    point.ring = Vector2::new(sign(point.ring.x, x.x), sign(point.ring.y, x.y));
    point.section.y = sign(point.section.y, x.z);
    point
}

/// f at two angles: its derivatives, and the squared speeds along them.
#[derive(Clone, Copy)]
struct Height {
    angles: Vector2<f64>,
    point: SurfacePoint,
    f: f64,
    gradient: Vector2<f64>,
    hessian: Matrix2<f64>,
    speed2: Vector2<f64>,
}

impl Height {
    /// Newton's step, positive curvature made of any, at most `FURTHEST`; and whether it is the plain one.
    fn step(&self) -> (Vector2<f64>, bool) {
        // in the lengths it goes along both tangents
        let speed = self.speed2.map(f64::sqrt);
        let g = self.gradient.component_div(&speed);
        let m = Matrix2::from_fn(|i, j| self.hessian[(i, j)] / (speed[i] * speed[j]));
        let (mean, half) = (0.5 * (m[(0, 0)] + m[(1, 1)]), 0.5 * (m[(0, 0)] - m[(1, 1)]));
        let radius = hypot(half, m[(0, 1)]);
        let mut plain = mean - radius > 1e-3 * (mean + radius);
        let mut step = if plain {
            let det = (mean - radius) * (mean + radius);
            Vector2::new(m[(0, 1)] * g.y - m[(1, 1)] * g.x, m[(0, 1)] * g.x - m[(0, 0)] * g.y) / det
        } else {
            let (sin, cos) = sincos(0.5 * atan2(m[(0, 1)], half));
            let floor = 1e-14 * (mean.abs() + radius) + f64::MIN_POSITIVE;
            let nudge = 0.1 * FURTHEST * speed.min();
            let along = |k: f64, v: Vector2<f64>| {
                let slope = g.dot(&v);
                // on a saddle the slope says nothing: down either way
                if k < -1e-9 && slope.abs() < -1e-2 * k * nudge {
                    v * nudge.copysign(-slope)
                } else {
                    v * (-slope / k.abs().max(floor))
                }
            };
            along(mean + radius, Vector2::new(cos, sin)) + along(mean - radius, Vector2::new(-sin, cos))
        };
        step.component_div_assign(&speed);
        let length = step.amax();
        if length > FURTHEST {
            step *= FURTHEST / length;
            plain = false;
        }
        (step, plain)
    }
}

impl Supertorus {
    fn height(&self, x: &Vec3, angles: &Vector2<f64>) -> Height {
        let (d, s) = (self.ring.jet(angles.x), self.section.jet(angles.y));
        let (a, b) = (self.a, self.b);
        let (q, dq, d2q) = (self.major + a * s.p.x, a * s.d1.x, a * s.d2.x);
        let (dz, d2z) = (b * s.d1.y, b * s.d2.y);
        // r = x − p
        let (r, r_z) = (Vector2::new(x.x, x.y) - d.p * q, x.z - b * s.p.y);
        let speed2 = Vector2::new(q * q * d.d1.norm_squared(), dq * dq * d.p.norm_squared() + dz * dz);
        let mixed = dq * (q * d.p.dot(&d.d1) - r.dot(&d.d1));
        Height {
            angles: *angles,
            point: SurfacePoint { ring: d.p, section: s.p },
            f: 0.5 * (r.norm_squared() + r_z * r_z),
            gradient: -Vector2::new(q * r.dot(&d.d1), dq * r.dot(&d.p) + dz * r_z),
            hessian: Matrix2::new(
                speed2.x - q * r.dot(&d.d2),
                mixed,
                mixed,
                speed2.y - d2q * r.dot(&d.p) - d2z * r_z,
            ),
            speed2,
        }
    }

    /// The minimum below a start, or the `best` one known unless that is lower.
    fn descend(&self, x: &Vec3, mut here: Height, best: Option<Height>) -> Height {
        let scale = x.norm() + self.major + self.a + self.b;
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let (mut step, plain) = here.step();
            if let Some(best) = best {
                // near a minimum it is half of g·step below
                let lowest = here.f + here.gradient.dot(&step);
                let higher = plain && step.amax() < 0.1 * FURTHEST && lowest > best.f;
                if higher || (best.angles - here.angles).amax() < SAME {
                    return best;
                }
            }
            // f is known to the rounding of x − p
            let rounding = 4.0 * f64::EPSILON * scale * ((2.0 * here.f).sqrt() + f64::EPSILON * scale);
            let mut next = self.height(x, &(here.angles + step));
            let mut halvings = 0;
            while !(next.f <= here.f + rounding) && halvings < 30 {
                step *= 0.5;
                halvings += 1;
                next = self.height(x, &(here.angles + step));
            }
            let length = step.norm();
            // steps that no longer shrink are rounding
            if !(next.f <= here.f + rounding) || (length < 1e-9 && length >= 0.5 * last) {
                break;
            }
            here = next;
            last = length;
            if length < 1e-16 {
                break;
            }
        }
        best.filter(|best| best.f <= here.f).unwrap_or(here)
    }

    /// The place nearest to x.
    fn nearest(&self, x: &Vec3) -> SurfacePoint {
        unfolded(x, self.nearest_folded(&folded(x, x)))
    }

    fn nearest_folded(&self, x: &Vec3) -> SurfacePoint {
        let f = self.grid.squares(x);
        let angles = |(i, j): (usize, usize)| Vector2::new(alpha(i), beta(j));
        // the nearest start first, as others are then seen to be hopeless
        let mut at = (0, 0);
        for i in 0..ALONG {
            for j in 0..AROUND {
                at = if f[i][j] < f[at.0][at.1] { (i, j) } else { at };
            }
        }
        let walls = self.walls(x).map(|start| self.height(x, &start));
        let mut first = self.height(x, &angles(at));
        for wall in &walls {
            first = if wall.f < first.f { *wall } else { first };
        }
        let mut best = self.descend(x, first, None);
        for wall in walls.iter().filter(|wall| wall.angles != first.angles) {
            // on a wall the minimum is almost no nearer than its start
            if 0.5 * wall.f < best.f {
                best = self.descend(x, *wall, Some(best));
            }
        }
        for i in 0..ALONG {
            for j in 0..AROUND {
                // the minimum is almost no further from the node than its neighbours
                let near = (2.0 * best.f).sqrt() + self.grid.mesh;
                if f[i][j] < near * near && is_lowest(&f, i, j) && angles((i, j)) != first.angles {
                    best = self.descend(x, self.height(x, &angles((i, j))), Some(best));
                }
            }
        }
        best.point
    }

    /// Where the outer, the inner and the upper wall are nearest if they are flat, the first two also if the ring is round: nodes miss
    /// minima beside sharp corners.
    fn walls(&self, x: &Vec3) -> [Vector2<f64>; 5] {
        let point = self.surface_point(x);
        let (u, v) = (self.section.beside(point.section.x), self.section.beside(point.section.y));
        let (outer, inner) = (atan2(point.section.y, v), atan2(point.section.y, -v));
        let flat = |q: f64| {
            let y = x.y / q;
            atan2(y, self.ring.beside(y)).min(FRAC_PI_4)
        };
        let round = atan2(x.y, x.x);
        [
            Vector2::new(flat(self.major + self.a), outer),
            Vector2::new(flat(self.major - self.a), inner),
            Vector2::new(round, outer),
            Vector2::new(round, inner),
            Vector2::new(round, atan2(u, point.section.x)),
        ]
    }

    /// The largest curvature of the tube as seen from within: the best of a grid over the normals' angles, at which corners are
    /// wide, then uphill in steps halved when no neighbour is higher.
    fn tightest(&self) -> f64 {
        const CELLS: (i32, i32) = (16, 64);
        let curvature = |at: &Vector2<f64>| {
            let on = |curve: &Superellipse, t: f64| Vector2::from(curve.support(cos(t), sin(t)).1);
            let point = SurfacePoint { ring: on(&self.ring, at.x), section: on(&self.section, at.y) };
            self.bend(&point).k[0]
        };
        let mut step = Vector2::new(FRAC_PI_4 / f64::from(CELLS.0), PI / f64::from(CELLS.1));
        let node = |i: i32, j: i32| step.component_mul(&Vector2::new(f64::from(i), f64::from(j)));
        let mut best = (f64::NEG_INFINITY, Vector2::zeros());
        let higher = |best: &mut (f64, Vector2<f64>), at: Vector2<f64>| {
            let k = curvature(&at);
            if k > best.0 {
                *best = (k, at);
            }
        };
        for (i, j) in (0..=CELLS.0).flat_map(|i| (0..=CELLS.1).map(move |j| (i, j))) {
            higher(&mut best, node(i, j));
        }
        for _ in 0..200 {
            let (k, middle) = best;
            for (i, j) in (-1..=1).flat_map(|i| (-1..=1).map(move |j| (i, j))) {
                let to = step.component_mul(&Vector2::new(f64::from(i), f64::from(j)));
                higher(&mut best, middle + to);
            }
            // k is known to the square of the angle
            if !(best.0 > k) {
                step *= 0.5;
                if step.y < 1e-6 {
                    break;
                }
            }
        }
        best.0
    }
}

impl Project for Supertorus {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match side {
            Side::Outside => &["supertorus"],
            Side::Inside => &["tube"],
        }
    }
    fn closest_point(&self, side: Side, _feature: usize, x: &Vec3) -> ClosestPoint {
        let point = self.nearest(x);
        let (p, n) = (self.at(&point), self.normal_at(&point) * side.sign());
        ClosestPoint { p, n, d: n.dot(&(x - p)) }
    }
    fn closest_point_near(&self, x: &Vec3, start: &Start) -> Option<(ClosestPoint, Start)> {
        closest_near(|p| self.level_over(p), x, start)
    }
    fn seam(&self, k: usize, x: &Vec3) -> Option<(f64, Vec3)> {
        let [section, ring] = self.exponents().map(is_smooth_power);
        let of_ring = if ring { 0 } else { 2 };
        match k.checked_sub(of_ring) {
            // by symmetry the closest points of such a plane are in it
            None => Some((x[k], Vec3::ith(k, 1.0))),
            Some(0) if !section => Some((x.z, Vec3::z())),
            // where the section is highest its normals go along the axis
            Some(1) if !section => {
                let point = self.surface_point(x);
                let slope = self.ring.covector(&point.ring);
                Some((self.a * point.section.x, Vec3::new(slope.x, slope.y, 0.0)))
            }
            _ => None,
        }
    }
    fn curvatures_at(&self, p: &Vec3) -> Option<(f64, f64)> {
        Some(self.level_over(p).curvatures())
    }
    fn closest_point_dual(&self, side: Side, _feature: usize, x: &Vec3<Dual<3>>) -> ClosestPoint<Dual<3>> {
        let point = self.nearest(&x.map(|c| c.re));
        self.bend(&point).closest_point_dual(side, &self.at(&point), x)
    }
    fn curvature(&self, side: Side, _feature: usize, x: &Vec3) -> Curvature {
        self.bend(&self.nearest(x)).seen_from(side)
    }
    /// Exact outside: nothing bends in more than the hole at z = 0, κ ≤ κ_max/(R − a) with κ_max of the ring's superellipse, as U'', V'' ≥ 0
    /// and |∇²q| ≤ |∇q| κ/q. Inside by search, less a billionth. Opposite walls are further apart than twice that: 2 (R − a) across
    /// the hole, 2 min(a, b) in the tube.
    fn hollow_radius(&self, side: Side) -> f64 {
        match side {
            Side::Outside => (self.major - self.a) / self.ring.sharpest(),
            Side::Inside => self.a.min(self.b).min((1.0 - 1e-9) / self.tightest()),
        }
    }
}
