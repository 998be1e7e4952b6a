//! Stores the solution between the ends of steps, for all steps.
//!
//! Within a step every method's dense output is a polynomial. It is sampled at the Chebyshev points of the step and
//! stored as a Chebyshev series, with as many terms as are above rounding: L. N. Trefethen, *Approximation Theory and
//! Approximation Practice*, ch. 3 (interpolation) and 19 (Clenshaw, barycentric: both stable). So the method's own
//! values are reproduced to rounding, and a step needs no more memory than the degree of its polynomial requires.

use crate::step::Interpolant;
use carom_portable::elementary::cos;

/// The Chebyshev series of one step.
#[derive(Clone, Copy, Debug)]
struct Piece {
    t0: f64,
    t1: f64,
    /// index of its first coefficient
    at: usize,
    /// number of terms for each component
    terms: usize,
}

/// The Chebyshev series of all steps.
#[derive(Clone, Default)]
pub(super) struct Pieces {
    n: usize,
    pieces: Vec<Piece>,
    /// coefficients of each step, term by term; the components of a term are next to each other
    coefficients: Vec<f64>,
    /// matrix from values at the Chebyshev points to coefficients, with `points` rows
    transform: Vec<f64>,
    points: usize,
    values: Vec<f64>,
}

carom_portable::plain!(Piece { t0, t1, at, terms });
carom_portable::plain!(Pieces { n, pieces, coefficients, transform, points, values });

impl Pieces {
    /// Whether every step has its coefficients, for states of `n` components.
    pub(super) fn are_whole(&self, n: usize) -> bool {
        let has_terms = |p: &Piece| {
            let end = p.terms.checked_mul(n).and_then(|count| count.checked_add(p.at));
            p.terms > 0 && end.is_some_and(|end| end <= self.coefficients.len())
        };
        self.n == n && self.pieces.iter().all(has_terms)
    }

    /// Allocates workspace for polynomials of a degree.
    pub(super) fn new(n: usize, degree: usize) -> Pieces {
        let mut pieces = Pieces { n, ..Pieces::default() };
        pieces.set_degree(degree);
        pieces
    }

    /// Sets the degree of the polynomials of all further steps.
    pub(super) fn set_degree(&mut self, degree: usize) {
        let last = degree.max(1);
        self.points = last + 1;
        self.values = vec![0.0; self.points * self.n];
        self.transform.clear();
        for j in 0..=last {
            for k in 0..=last {
                // c_j = 2/N Σ'' f(x_k) cos(π j k/N); the first and the last coefficient are halved too
                let half = |i: usize| if i == 0 || i == last { 0.5 } else { 1.0 };
                let angle = std::f64::consts::PI * ((j * k) % (2 * last)) as f64 / last as f64;
                self.transform.push(2.0 / last as f64 * half(j) * half(k) * cos(angle));
            }
        }
    }

    /// Stores a step.
    pub(super) fn push(&mut self, t0: f64, t1: f64, dense: &Interpolant<'_>) {
        let (n, last) = (self.n, self.points - 1);
        for k in 0..=last {
            let x = cos(std::f64::consts::PI * k as f64 / last as f64);
            let t = if k == 0 { t1 } else { t0 + 0.5 * (1.0 + x) * (t1 - t0) };
            dense.at(t, 0..n, &mut self.values[k * n..(k + 1) * n]);
        }
        let at = self.coefficients.len();
        let mut terms = 1;
        for j in 0..=last {
            let row = &self.transform[j * self.points..(j + 1) * self.points];
            for i in 0..n {
                let column = || (0..=last).map(|k| self.values[k * n + i]);
                let c: f64 = row.iter().zip(column()).map(|(w, v)| w * v).sum();
                let size = column().fold(0.0f64, |s, v| s.max(v.abs()));
                self.coefficients.push(c);
                // a term of the size of rounding is dropped
                if c.abs() > 2.0 * f64::EPSILON * size {
                    terms = j + 1;
                }
            }
        }
        self.coefficients.truncate(at + terms * n);
        self.pieces.push(Piece { t0, t1, at, terms });
    }

    /// Writes the components of y at t. Returns whether a step covers t. Where two steps do, the later one in the order
    /// of integration is used.
    pub(super) fn at(&self, t: f64, out: &mut [f64]) -> bool {
        let (Some(first), Some(last)) = (self.pieces.first(), self.pieces.last()) else { return false };
        let sign = (last.t1 - first.t0).signum();
        let after = self.pieces.partition_point(|p| sign * p.t0 <= sign * t);
        let Some(p) = after.checked_sub(1).map(|k| &self.pieces[k]) else { return false };
        if !(sign * t <= sign * p.t1) {
            return false;
        }
        let x = ((t - p.t0) - (p.t1 - t)) / (p.t1 - p.t0);
        let c = &self.coefficients[p.at..p.at + p.terms * self.n];
        for (i, out) in out.iter_mut().enumerate().take(self.n) {
            // Clenshaw's recurrence
            let (mut b1, mut b2) = (0.0, 0.0);
            for k in (1..p.terms).rev() {
                (b1, b2) = (c[k * self.n + i] + 2.0 * x * b1 - b2, b1);
            }
            *out = c[i] + x * b1 - b2;
        }
        true
    }
}
