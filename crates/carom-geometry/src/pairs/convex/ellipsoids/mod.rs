//! Two ellipsoids: Newton's method on the unit sphere of normals, two unknowns.
//!
//! In A's frame, with E_A = diag(a_i²), E_B = R diag(b_i²) Rᵀ the shape matrices and c B's centre: h_A = √(nᵀE_A n), p = E_A n/h_A,
//! q = c − E_B n/h_B, s(n) = n·c − h_A − h_B. The gradient of s over the sphere is the part g of q − p across n, and minus its Hessian is
//! R_A + R_B + s E, R_A = (E_A − p pᵀ)/h_A the radii of curvature: Newton's step turns n by v,
//!
//!   (R_A + R_B + s E) v = g.
//!
//! Where the ellipsoids are apart the matrix is positive and s has one maximum; the start n ∝ (E_A + E_B)⁻¹ c is exact for two balls. Where it
//! is not, its eigenvalues are taken positive, and the step goes uphill all the same.
//!
//! From a good start the same steps are taken in a plane that touches the sphere (`chart.rs`), which is quicker and all that most pairs need. What has no end
//! there goes uphill on the sphere itself, with trial steps.
//!
//! Checked: independent values, random pairs by their certificate (`tests/convex.rs`).

pub(super) mod chart;

use carom_base::elementary::{atan2, hypot, sincos};
use carom_base::{Pose, Vec3};

use super::newton::Normal;
use crate::surfaces::Ellipsoid;

/// Steps at most; 3 or 4 are usual, 2 or 3 from a good start.
const MOST_STEPS: usize = 40;
/// n turns by no more at once [rad].
const LARGEST_TURN: f64 = 0.7;
/// n is this exact, about [rad].
const EXACT: f64 = 1e-15;
/// A step that may be the last, and one that certainly is [rad].
const SHORT: f64 = 6e-8;
const LAST: f64 = 3e-9;

/// Two ellipsoids of a bound pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eggs {
    a: Ellipsoid,
    b: Ellipsoid,
    /// both smallest radii of curvature [m]: no deeper, what is largest nearby is largest
    coats: f64,
}

/// A common normal in A's frame, A's tip along it, and s; B's tip is at p + s n.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub(super) n: Vec3,
    pub(super) p: Vec3,
    /// [m]
    pub(super) s: f64,
}

impl Nearest {
    /// With both points.
    #[inline(always)]
    pub(super) fn normal(&self) -> Normal {
        Normal { n: self.n, p: self.p, q: self.p + self.n * self.s }
    }
}

impl Eggs {
    pub(super) fn new(a: Ellipsoid, b: Ellipsoid) -> Eggs {
        Eggs { a, b, coats: a.radii_of_curvature()[0] + b.radii_of_curvature()[0] }
    }

    /// The nearest points from a good start: certain if the ellipsoids are apart, or no deeper than their coats; else there is no answer.
    #[inline]
    pub(super) fn nearest(&self, x: &Pose, start: Option<&Vec3>, steps: &mut usize) -> Option<Nearest> {
        let (a, b) = (self.a.semi_axes(), self.b.semi_axes());
        let start = unit(&start.copied().unwrap_or_else(|| Ellipsoids::new(a, b, x).start()))?;
        let found = match chart::of(a, b, x, &start).stationary(steps) {
            Some(y) => chart::nearest(a, b, x, &chart::direction(&start, y)),
            None => self.uphill(x, &start, steps)?,
        };
        self.is_certain(found.s).then_some(found)
    }

    /// Whether a stationary s [m] is certainly the largest.
    #[inline(always)]
    pub(super) fn is_certain(&self, s: f64) -> bool {
        s + self.coats > 0.0
    }

    /// The nearest points uphill from n, whatever it takes; largest nearby only.
    #[cold]
    pub(super) fn uphill(&self, x: &Pose, n: &Vec3, steps: &mut usize) -> Option<Nearest> {
        let (a, b) = (self.a.semi_axes(), self.b.semi_axes());
        let n = Ellipsoids::new(a, b, x).climb(n, steps)?;
        Some(chart::nearest(a, b, x, &n))
    }
}

/// n made a unit vector; nearly one, as seeds are, without a root.
#[inline(always)]
fn unit(n: &Vec3) -> Option<Vec3> {
    let square = n.norm_squared();
    if (square - 1.0).abs() < 1e-8 {
        Some(n * (1.5 - 0.5 * square))
    } else {
        (square > 0.0 && square.is_finite()).then(|| n / square.sqrt())
    }
}

/// Two ellipsoids in A's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ellipsoids {
    /// a_i² [m²]
    a: Vec3,
    /// E_B [m²]: its diagonal, and yz, zx, xy
    b: Vec3,
    b_off: Vec3,
    /// B's centre [m]
    c: Vec3,
}

/// s(n), and what it needs for the next step.
#[derive(Clone, Copy)]
struct At {
    s: f64,
    h: [f64; 2],
    p: Vec3,
    /// q − c
    q: Vec3,
}

impl Ellipsoids {
    #[inline]
    pub(super) fn new(semi_a: &Vec3, semi_b: &Vec3, x: &Pose) -> Ellipsoids {
        let (b, r) = (semi_b.component_mul(semi_b), &x.r);
        let entry = |i: usize, j: usize| {
            r[(i, 0)] * r[(j, 0)] * b.x + r[(i, 1)] * r[(j, 1)] * b.y + r[(i, 2)] * r[(j, 2)] * b.z
        };
        Ellipsoids {
            a: semi_a.component_mul(semi_a),
            b: Vec3::new(entry(0, 0), entry(1, 1), entry(2, 2)),
            b_off: Vec3::new(entry(1, 2), entry(2, 0), entry(0, 1)),
            c: x.p,
        }
    }

    /// E_B n.
    #[inline(always)]
    fn b_times(&self, n: &Vec3) -> Vec3 {
        let (d, o) = (&self.b, &self.b_off);
        Vec3::new(
            d.x * n.x + o.z * n.y + o.y * n.z,
            o.z * n.x + d.y * n.y + o.x * n.z,
            o.y * n.x + o.x * n.y + d.z * n.z,
        )
    }

    #[inline(always)]
    fn at(&self, n: &Vec3) -> At {
        let (p, q) = (self.a.component_mul(n), self.b_times(n));
        let h = [n.dot(&p).sqrt(), n.dot(&q).sqrt()];
        At { s: n.dot(&self.c) - h[0] - h[1], h, p: p / h[0], q: q / -h[1] }
    }

    /// (E_A + E_B)⁻¹ c, made a unit vector; not a number for centres that coincide.
    #[inline(always)]
    pub(super) fn start(&self) -> Vec3 {
        let (d, o) = (self.a + self.b, &self.b_off);
        // by the adjugate: the determinant is positive and only scales
        let n = Vec3::new(
            (d.y * d.z - o.x * o.x) * self.c.x
                + (o.x * o.y - o.z * d.z) * self.c.y
                + (o.z * o.x - d.y * o.y) * self.c.z,
            (o.x * o.y - o.z * d.z) * self.c.x
                + (d.z * d.x - o.y * o.y) * self.c.y
                + (o.y * o.z - o.x * d.x) * self.c.z,
            (o.z * o.x - d.y * o.y) * self.c.x
                + (o.y * o.z - o.x * d.x) * self.c.y
                + (d.x * d.y - o.z * o.z) * self.c.z,
        );
        n / n.norm()
    }

    /// The local maximum of s uphill from `n`, a unit vector; `None` if there is no end to it.
    #[inline]
    fn climb(&self, n: &Vec3, steps: &mut usize) -> Option<Vec3> {
        let mut n = *n;
        let mut at = self.at(&n);
        // the last step, and the one before, when there are any
        let mut turns = [f64::NAN; 2];
        for _ in 0..MOST_STEPS {
            *steps += 1;
            let v = self.turn(&n, &at);
            let square = v.norm_squared();
            if !square.is_finite() {
                return None;
            }
            let turn = square.sqrt();
            // steps go as C v², C of order 1: the next one would be C v² with C from the last two
            let next = turn * turn * turn / (turns[1] * turns[1]);
            if turn <= LAST || (turn < SHORT && next < EXACT) {
                return Some((n + v).normalize());
            }
            let mut v = if turn > LARGEST_TURN { v * (LARGEST_TURN / turn) } else { v };
            // rounding of s: a sum of lengths
            let grain = 4.0 * f64::EPSILON * (at.h[0] + at.h[1] + at.s.abs());
            loop {
                let m = (n + v).normalize();
                let new = self.at(&m);
                if new.s >= at.s - grain {
                    turns = [turns[1], v.norm()];
                    (n, at) = (m, new);
                    break;
                }
                v *= 0.5;
                if v.norm_squared() < EXACT * EXACT {
                    return Some(n);
                }
            }
            // rounding ends where steps no longer shrink
            if turns[0] > 0.0 && turns[1] < 1e-7 && turns[1] >= 0.5 * turns[0] {
                return Some(n);
            }
        }
        None
    }

    /// Newton's step.
    #[inline(always)]
    fn turn(&self, n: &Vec3, at: &At) -> Vec3 {
        let [t, b] = chart::across(n);
        let [i_a, i_b] = [1.0 / at.h[0], 1.0 / at.h[1]];
        let sum = |v: &Vec3| self.a.component_mul(v) * i_a + self.b_times(v) * i_b;
        let (mt, mb) = (sum(&t), sum(&b));
        let [pt, pb, qt, qb] = [at.p.dot(&t), at.p.dot(&b), at.q.dot(&t), at.q.dot(&b)];
        let tt = t.dot(&mt) - pt * pt * i_a - qt * qt * i_b + at.s;
        let tb = t.dot(&mb) - pt * pb * i_a - qt * qb * i_b;
        let bb = b.dot(&mb) - pb * pb * i_a - qb * qb * i_b + at.s;
        let (gt, gb) = (self.c.dot(&t) + qt - pt, self.c.dot(&b) + qb - pb);
        let det = tt * bb - tb * tb;
        let (vt, vb) = if det > 0.0 && tt > 0.0 {
            ((bb * gt - tb * gb) / det, (tt * gb - tb * gt) / det)
        } else {
            uphill(tt, tb, bb, gt, gb)
        };
        t * vt + b * vb
    }
}

/// |M|⁻¹ g: the eigenvalues of M taken positive, so that the step goes uphill.
#[cold]
fn uphill(tt: f64, tb: f64, bb: f64, gt: f64, gb: f64) -> (f64, f64) {
    let (sin, cos) = sincos(0.5 * atan2(2.0 * tb, tt - bb));
    let (mean, radius) = (0.5 * (tt + bb), hypot(0.5 * (tt - bb), tb));
    let least = 1e-3 * (mean.abs() + radius);
    let along = (cos * gt + sin * gb) / (mean + radius).abs().max(least);
    let over = (cos * gb - sin * gt) / (mean - radius).abs().max(least);
    (cos * along - sin * over, sin * along + cos * over)
}
