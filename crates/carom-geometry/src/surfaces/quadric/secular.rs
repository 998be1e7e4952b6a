//! The closest points to a point on F = Σ a_ii p_i² + a_i p_i = c over some of the coordinates: a quadric, or a conic in a plane.
//!
//! x − p is along ∇F, so with 2(x − p) = t ∇F(p)
//!
//!   p_i = (x_i − t a_i/2)/(1 + t a_ii),   G(t) = F(p(t)) − c = 0,   G(0) = F(x) − c.
//!
//! E + tA, A = diag(a_ii), says which root is which. The nearest point of all has it positive semidefinite (J. J. Moré 1993,
//! Generalizations of the trust region problem, Theorem 3.2), and there G falls: one root. A point nearer than its neighbours has it
//! positive on the tangent plane, so at most one 1 + t a_ii is negative: one more on either side of the poles next to t = 0
//! (J. M. Martínez 1994, Local minimizers of quadratic functions on Euclidean balls and spheres, has the case of the sphere).
//!
//! Both sides are one with t = ∓τ, b = ±a: for τ ≥ 0, w_i = 1 − τ b_i,
//!
//!   G(τ) = Σ b_ii (x_i/w_i)² + Σ b_i x_i + ½ τ Σ b_i² − c,   p_i = (x_i + τ b_i/2)/w_i.
//!
//! G rises up to the pole 1/b of the largest b > 0, from G(0) ≤ 0 on the side that is taken. Close to a pole u = |1 − τ b| is the
//! unknown instead of τ, so that nothing cancels, and the step is that of A/u² + B with the value and slope of G, exact for one pole.
//! Beyond the pole G comes down from infinity, as Σ b² x²/w³ shows, turns at most once before the next pole, and only the root on
//! the way down is such a point.
//!
//! If x has no part along the axes of the pole there is none, and G may stay below zero: then u = 0, and the rest of F is made up along
//! such an axis, either way (a point of the axis of a dish above its centre of curvature).

use crate::patch::Free;
use carom_base::Vec3;
use carom_base::elementary::hypot;

/// The iterations take 3 to 10 steps; the bisection that guards them at most this many.
const MOST_STEPS: usize = 200;

/// Closest points of one point: none, one or two.
pub(super) type ClosestPoints = [Option<Vec3>; 2];

/// F and x as one side of t = 0 sees them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Secular {
    /// b_ii, zero where a coordinate is not free
    square: Vec3,
    /// b_i
    linear: Vec3,
    /// of the point; where a coordinate is not free, what it is held at
    x: Vec3,
    c: f64,
}

/// An unknown of the secular equation: τ, or the distance from the pole of b as u or −u.
#[derive(Clone, Copy, Debug)]
enum At {
    Tau(f64),
    Before(f64),
    Beyond(f64),
}

impl Secular {
    /// F = Σ a_ii p_i² + a_i p_i = c over the free coordinates, on the side t ≤ 0 (`sign` +1) or t ≥ 0 (−1).
    pub(super) fn new(square: &Vec3, linear: &Vec3, free: &Free, x: &Vec3, c: f64, sign: f64) -> Secular {
        let kept = |a: &Vec3| Vec3::from_fn(|i, _| if free[i] { sign * a[i] } else { 0.0 });
        Secular { square: kept(square), linear: kept(linear), x: *x, c: sign * c }
    }

    /// The largest b_ii, that of the first pole if it is positive.
    fn first(&self) -> f64 {
        self.square.max()
    }

    fn tau(&self, at: At) -> f64 {
        match at {
            At::Tau(tau) => tau,
            At::Before(u) => (1.0 - u) / self.first(),
            At::Beyond(u) => (1.0 + u) / self.first(),
        }
    }

    /// w_i = 1 − τ b_ii.
    fn w(&self, i: usize, at: At) -> f64 {
        let (b, first) = (self.square[i], self.first());
        match at {
            At::Tau(tau) => 1.0 - tau * b,
            At::Before(u) => (first - b) / first + u * (b / first),
            At::Beyond(u) => (first - b) / first - u * (b / first),
        }
    }

    /// Whether b_ii x_i² has a pole.
    fn counts(&self, i: usize) -> bool {
        self.square[i] != 0.0 && self.x[i] != 0.0
    }

    /// G and dG/dτ of the terms asked for, and of all that is linear.
    fn g(&self, at: At, with: impl Fn(usize) -> bool) -> [f64; 2] {
        let tau = self.tau(at);
        let mut g = self.linear.dot(&self.x) - self.c + 0.5 * tau * self.linear.norm_squared();
        let mut slope = 0.5 * self.linear.norm_squared();
        for i in (0..3).filter(|i| self.counts(*i) && with(*i)) {
            let (b, w) = (self.square[i], self.w(i, at));
            let s = self.x[i] / w;
            g += b * s * s;
            slope += 2.0 * (b * s) * (b * s) / w;
        }
        [g, slope]
    }

    fn point(&self, at: At) -> Vec3 {
        let tau = self.tau(at);
        Vec3::from_fn(|i, _| match self.x[i] {
            x if self.square[i] == 0.0 => x + 0.5 * tau * self.linear[i],
            0.0 => 0.0,
            x => x / self.w(i, at),
        })
    }

    /// The nearest point, G(0) ≤ 0; two if it is not unique. None if there are no points.
    pub(super) fn nearest(&self) -> ClosestPoints {
        let first = self.first();
        if !(first > 0.0) {
            // without linear terms G stays below −c
            return match self.linear == Vec3::zeros() && self.c >= 0.0 {
                true => [None; 2],
                false => [self.root(At::Tau, 0.0, f64::INFINITY, 0.0).map(|at| self.point(at)), None],
            };
        }
        let half = 0.5 / first;
        if self.g(At::Tau(half), |_| true)[0] >= 0.0 {
            return [self.root(At::Tau, 0.0, half, 0.0).map(|at| self.point(at)), None];
        }
        self.next_to_pole()
    }

    /// The same where u ≤ 1/2.
    fn next_to_pole(&self) -> ClosestPoints {
        let first = self.first();
        let at_pole = |i: usize| self.square[i] == first;
        let along = (0..3).filter(|i| at_pole(*i)).fold(0.0, |l: f64, i| hypot(l, self.x[i]));
        let rest = |u: f64| -self.g(At::Before(u), |i| !at_pole(i))[0];
        let (least, most) = (rest(0.0), rest(0.5));
        if along == 0.0 && least >= 0.0 {
            let mut p = self.point(At::Before(0.0));
            let Some(k) = (0..3).rev().find(|i| at_pole(*i)) else { return [None; 2] };
            let length = (least / first).sqrt();
            return [length, -length].map(|along| {
                p[k] = along;
                Some(p)
            });
        }
        // the pole's term b along²/u² is what the others lack, and they lack more the further u is from the pole
        let bound = |lack: f64| if lack > 0.0 { along * (first / lack).sqrt() } else { f64::INFINITY };
        let (low, high) = (bound(most), bound(least).min(0.5));
        let start = if low > 0.0 { low } else { high };
        [self.root(At::Before, low, high, start).map(|at| self.point(at)), None]
    }

    /// The point beyond the first pole that is nearer than its neighbours, if there is one.
    pub(super) fn second(&self) -> Option<Vec3> {
        let first = self.first();
        let at_pole = |i: usize| self.square[i] == first;
        if !(first > 0.0) || (0..3).filter(|i| at_pole(*i)).count() != 1 {
            return None;
        }
        let k = (0..3).find(|i| at_pole(*i) && self.counts(*i))?;
        let lack = -self.g(At::Beyond(0.0), |i| i != k)[0];
        if !(lack > 0.0) {
            return None;
        }
        // the others only rise: up to here G is above zero
        let mut low = self.x[k].abs() * (first / lack).sqrt();
        let next = (0..3).filter(|i| *i != k && self.counts(*i)).fold(0.0, |b: f64, i| b.max(self.square[i]));
        let end = if next > 0.0 { (first - next) / next } else { f64::MAX };
        let mut high = end;
        let mut u = low;
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let [g, slope] = self.g(At::Beyond(u), |_| true);
            let fall = -slope / first; // −dG/du
            if u < end && fall >= 0.0 && g >= 0.0 {
                low = low.max(u);
            } else {
                high = high.min(u);
            }
            let next = pole_step(u, g, fall);
            let next = if next >= low && next <= high { next } else { between(low, high) };
            let step = (next - u).abs();
            if !(step > 0.0) || (step < 1e-9 * u && step >= 0.5 * last) {
                break;
            }
            (u, last) = (next, step);
        }
        // a turn above zero is no root
        let [g, slope] = self.g(At::Beyond(u * (1.0 + 1e-9)), |_| true);
        (g < 0.0 && slope <= 0.0).then(|| self.point(At::Beyond(u)))
    }

    /// The root of the rising G between two values of an unknown.
    fn root(&self, unknown: fn(f64) -> At, mut low: f64, mut high: f64, start: f64) -> Option<At> {
        let (mut u, mut last) = (start, f64::INFINITY);
        for _ in 0..MOST_STEPS {
            let at = unknown(u);
            let [g, slope] = self.g(at, |_| true);
            // in τ G rises, in u it falls
            let (rises, next) = match at {
                At::Tau(_) => (true, u - g / slope),
                _ => (false, pole_step(u, g, slope / self.first())),
            };
            if (g < 0.0) == rises {
                low = u;
            } else {
                high = u;
            }
            let next = if next >= low && next <= high { next } else { between(low, high) };
            let step = (next - u).abs();
            // steps that no longer shrink are rounding
            if !(step > 0.0) || (step < 1e-9 * u && step >= 0.5 * last) {
                break;
            }
            (u, last) = (next, step);
        }
        u.is_finite().then(|| unknown(u))
    }
}

/// Where A/u² + B vanishes that has at u the value g and the slope −`fall`.
fn pole_step(u: f64, g: f64, fall: f64) -> f64 {
    let a = 0.5 * fall * u; // A/u²
    u * (a / (a - g)).sqrt()
}

/// A number between: the geometric mean, far apart.
fn between(low: f64, high: f64) -> f64 {
    if high.is_infinite() {
        2.0 * low + f64::MIN_POSITIVE
    } else if low > 0.0 && high > 4.0 * low {
        low.sqrt() * high.sqrt()
    } else {
        0.5 * (low + high)
    }
}
