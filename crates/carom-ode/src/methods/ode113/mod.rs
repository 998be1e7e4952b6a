//! Adams–Bashforth–Moulton of variable step and variable order, 1 to 12, as predictor, evaluation, corrector,
//! evaluation (PECE), with local extrapolation to order 13: `ode113`.
//!
//! L. F. Shampine, M. K. Gordon, *Computer Solution of Ordinary Differential Equations: The Initial Value Problem*,
//! Freeman 1975: the modified divided differences and the formulas in them are those of chapter 5, errors and the
//! choice of order and step start from those of chapters 6 and 7 (see `order`). The book's routines are STEP and INTRP.
//!
//! The past is stored as modified divided differences φ_i(n) = ψ_1(n) … ψ_{i−1}(n) f[x_n, …, x_{n−i+1}]. An attempt
//! computes what it needs beside them; only a commit updates them.

mod coefficients;
mod dense;
mod order;
#[cfg(test)]
mod tests;

use std::ops::Range;

use self::coefficients::{Coefficients, GAMMA_STAR, MAX_ORDER, ROWS};
use self::dense::Polynomial;
use self::order::{Choice, Estimates, most, shrink};
use crate::counted::Counted;
use crate::failure::RhsFailure;
use crate::method::{Attempt, Buffers, Method, Stepper, Tolerance};
use crate::norm::Largest;
use crate::ode::Ode;
use crate::step::DenseOutput;

/// A step is short compared with those before it if the error it would have among equal steps is this many times
/// smaller.
const SHORT: f64 = 0.25;
/// How many times larger than predicted from the past a difference may be.
const SURPRISE: f64 = 4.0;

/// Returns the factor by which errors are multiplied. The errors of consecutive Adams steps tend to have the same sign,
/// and add up; with this factor an elastic ball keeps its energy about as well as with `dop853` at the same tolerance.
/// It is smaller near rounding, where that accuracy cannot be reached.
fn stricter(tol: &Tolerance<'_>) -> f64 {
    (tol.rtol / 1e-14).clamp(4.0, 16.0)
}

/// The method `ode113`.
#[derive(Debug)]
pub(super) struct Ode113;

impl Method for Ode113 {
    fn name(&self) -> &'static str {
        "ode113"
    }
    fn summary(&self) -> &'static str {
        "Adams–Bashforth–Moulton of order 1 to 13, as MATLAB's ode113: costly rates, tight tolerances"
    }
    fn order(&self) -> usize {
        MAX_ORDER + 1
    }
    fn remembers(&self) -> bool {
        true
    }
    fn start_order(&self) -> usize {
        // Euler's predictor, the trapezoidal rule as corrector
        2
    }
    fn start(&'static self, _: &mut dyn Ode, n: usize) -> Box<dyn Stepper> {
        Box::new(Adams::new(n))
    }
}

/// The method `ode113` at work.
struct Adams {
    n: usize,
    /// φ_i(n), one row of n each; row 0 is not used
    phi: Vec<f64>,
    /// number of differences that are known
    known: usize,
    /// ψ_i(n)
    psi: [f64; ROWS],
    /// the last step committed; 0 after a restart
    last: f64,
    /// the order of the next attempt
    order: usize,
    /// whether the start phase is in progress: order and step increase
    starting: bool,
    /// attempts refused since the last commit
    refused: usize,
    /// rounding error of y0 (compensated summation)
    carry: Vec<f64>,
    /// the last attempt
    tried: Tried,
    dense: Polynomial,
}

carom_portable::carried!(Adams { phi, known, psi, last, order, starting, refused, carry } scratch { n, tried, dense });

/// An attempt, and all that a commit needs of it.
struct Tried {
    k: usize,
    c: Coefficients,
    /// φᵉ_i(n+1), i = 1 … k: the differences extrapolated to the end of the step; row 0 is not used
    phi_e: Vec<f64>,
    /// the predicted state
    p: Vec<f64>,
    /// the rates at the predicted state
    fp: Vec<f64>,
    /// rounding error of y1
    carry: Vec<f64>,
    estimates: Estimates,
    choice: Choice,
}

impl Adams {
    fn new(n: usize) -> Adams {
        let row = || vec![0.0; n];
        let tried = Tried {
            k: 1,
            c: Coefficients::default(),
            phi_e: vec![0.0; (MAX_ORDER + 2) * n],
            p: row(),
            fp: row(),
            carry: row(),
            estimates: Estimates::default(),
            choice: Choice { order: 1, factor: 1.0, starting: true },
        };
        Adams {
            n,
            phi: vec![0.0; ROWS * n],
            known: 0,
            psi: [0.0; ROWS],
            last: 0.0,
            order: 1,
            starting: true,
            refused: 0,
            carry: row(),
            tried,
            dense: Polynomial::new(n),
        }
    }

    /// Predicts φᵉ_i(n+1) = Σ_{j=i}^{k} β_j φ_j(n), and p = y0 + h Σ g_i β_i φ_i(n), small terms first.
    fn predict(&mut self, y0: &[f64]) {
        let (n, t) = (self.n, &mut self.tried);
        let (k, c) = (t.k, &t.c);
        t.p.fill(0.0);
        t.phi_e[(k + 1) * n..(k + 2) * n].fill(0.0);
        for i in (1..=k).rev() {
            let (beta, g) = (c.beta[i], c.g[i]);
            let (below, above) = t.phi_e[i * n..(i + 2) * n].split_at_mut(n);
            let phi = &self.phi[i * n..(i + 1) * n];
            for (((e, up), phi), p) in below.iter_mut().zip(above.iter()).zip(phi).zip(&mut t.p) {
                let star = beta * phi;
                *e = up + star;
                *p += g * star;
            }
        }
        // compensated summation, as in STEP where tolerances are tight
        for i in 0..n {
            let tau = c.h * t.p[i] - self.carry[i];
            t.p[i] = y0[i] + tau;
            t.carry[i] = (t.p[i] - y0[i]) - tau;
        }
    }

    /// Corrects the prediction: y1 = p + h g_{k+1} (f(p) − φᵉ_1), one order more than the predictor.
    fn correct(&mut self, y1: &mut [f64]) {
        let (n, t) = (self.n, &mut self.tried);
        let weight = t.c.h * t.c.g[t.k + 1];
        for i in 0..n {
            let rho = weight * (t.fp[i] - t.phi_e[n + i]) - t.carry[i];
            y1[i] = t.p[i] + rho;
            t.carry[i] = (y1[i] - t.p[i]) - rho;
        }
    }

    /// Estimates the errors at orders k, k − 1 and k − 2, and returns the error that decides.
    fn estimate(&mut self, b: &Buffers, tol: &Tolerance<'_>) -> Attempt {
        let (n, t) = (self.n, &mut self.tried);
        let (k, c) = (t.k, &t.c);
        let (mut erk, mut erkm1, mut erkm2) = (Largest::NONE, Largest::NONE, Largest::NONE);
        for i in 0..tol.count() {
            let allowed = tol.allowed(i, b.y0[i], b.y1[i]);
            let d = t.fp[i] - t.phi_e[n + i];
            erk.see(d, allowed, i);
            if k > 1 {
                erkm1.see(t.phi_e[k * n + i] + d, allowed, i);
            }
            if k > 2 {
                erkm2.see(t.phi_e[(k - 1) * n + i] + d, allowed, i);
            }
        }
        let h = stricter(tol) * c.h.abs();
        let at_constant_steps =
            |order: usize, d: Largest| h * GAMMA_STAR[order] * c.sigma[order + 1] * d.norm;
        t.estimates = Estimates {
            k,
            erk: at_constant_steps(k, erk),
            erkm1: if k > 1 { at_constant_steps(k - 1, erkm1) } else { 0.0 },
            erkm2: if k > 2 { at_constant_steps(k - 2, erkm2) } else { 0.0 },
            erkp1: None,
        };
        // the difference of the correctors of order k and k + 1
        let share = c.g[k] - c.g[k + 1];
        let error = Attempt::with_error(h * share * erk.norm, erk.at);
        if SHORT * GAMMA_STAR[k] <= share || self.known <= k || !error.is_good() {
            return error;
        }
        let surprise = self.surprise(b, tol);
        let norm = h * GAMMA_STAR[k] * surprise.norm;
        if norm > error.norm { Attempt::with_error(norm, surprise.at) } else { error }
    }

    /// Returns the largest difference d that the past does not predict. After steps much longer than this one, the last
    /// difference d is attributed to a polynomial through all of them, and almost none of it to an error. That is right
    /// if d has developed from the difference before, as β_{k+1} φ_{k+1}(n) predicts. If it has not, a force has set in
    /// within the step that has nothing to do with the past.
    fn surprise(&self, b: &Buffers, tol: &Tolerance<'_>) -> Largest {
        let (n, t) = (self.n, &self.tried);
        let row = t.k + 1;
        let mut largest = Largest::NONE;
        for i in 0..tol.count() {
            let d = t.fp[i] - t.phi_e[n + i];
            if d.abs() > SURPRISE * (t.c.beta[row] * self.phi[row * n + i]).abs() {
                largest.see(d, tol.allowed(i, b.y0[i], b.y1[i]), i);
            }
        }
        largest
    }

    /// Estimates the error at order k + 1, which needs the second evaluation: γ*_{k+1} h σ_{k+2} φ_{k+2}(n+1).
    fn estimate_above(&self, b: &Buffers, tol: &Tolerance<'_>) -> Option<f64> {
        let (n, t) = (self.n, &self.tried);
        let (k, c) = (t.k, &t.c);
        if self.starting || k >= MAX_ORDER || self.known < k + 1 {
            return None;
        }
        let mut largest = Largest::NONE;
        for i in 0..tol.count() {
            let allowed = tol.allowed(i, b.y0[i], b.y1[i]);
            let d = b.f1[i] - t.phi_e[n + i] - c.beta[k + 1] * self.phi[(k + 1) * n + i];
            largest.see(d, allowed, i);
        }
        Some(stricter(tol) * c.h.abs() * GAMMA_STAR[k + 1] * c.sigma[k + 2] * largest.norm)
    }

    /// Computes, in `fp`, the rates at the true end of a step that was moved by `dt` after its last evaluation: adds dt
    /// times the slope of the polynomial through the rates, Σ_{i≥2} φ_i(n+1) / ψ_{i−1}(n+1).
    fn move_end(&mut self, f1: &[f64], dt: f64) {
        let (n, t) = (self.n, &mut self.tried);
        for i in 0..n {
            let d = f1[i] - t.phi_e[n + i];
            let mut slope = d / t.c.psi[t.k];
            for row in 2..=t.k {
                slope += (t.phi_e[row * n + i] + d) / t.c.psi[row - 1];
            }
            t.fp[i] = f1[i] + dt * slope;
        }
        let h = t.c.h + dt;
        t.c.set(&self.psi, self.known, t.k, h);
        t.phi_e[(t.k + 1) * n..(t.k + 2) * n].fill(0.0);
        for row in (1..=t.k).rev() {
            for i in 0..n {
                t.phi_e[row * n + i] = t.phi_e[(row + 1) * n + i] + t.c.beta[row] * self.phi[row * n + i];
            }
        }
    }

    /// Updates the differences: φ_i(n+1) = φᵉ_i(n+1) + d, i ≤ k; φ_{k+1} = d, φ_{k+2} = d − β_{k+1} φ_{k+1}(n); d = f1
    /// − φᵉ_1.
    fn difference(&mut self, moved: bool, f1: &[f64]) {
        let (n, t) = (self.n, &self.tried);
        let k = t.k;
        let f1 = if moved { &t.fp[..n] } else { &f1[..n] };
        let phi = &mut self.phi;
        if self.known > k {
            for i in 0..n {
                let d = f1[i] - t.phi_e[n + i];
                phi[(k + 2) * n + i] = d - t.c.beta[k + 1] * phi[(k + 1) * n + i];
            }
        }
        for i in 0..n {
            phi[n + i] = f1[i];
            phi[(k + 1) * n + i] = f1[i] - t.phi_e[n + i];
        }
        for row in 2..=k {
            let (below, top) = phi.split_at_mut((k + 1) * n);
            let rows = below[row * n..(row + 1) * n].iter_mut().zip(&t.phi_e[row * n..]);
            for ((phi, e), d) in rows.zip(&top[..n]) {
                *phi = e + d;
            }
        }
        self.known = if self.known > k { k + 2 } else { k + 1 };
    }
}

impl Stepper for Adams {
    fn attempt(
        &mut self,
        ode: &mut Counted<'_>,
        b: &mut Buffers,
        h: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Attempt, RhsFailure> {
        let n = self.n;
        if self.known == 0 {
            self.phi[n..2 * n].copy_from_slice(&b.f0[..n]);
            self.known = 1;
        }
        self.tried.k = self.order;
        self.tried.c.set(&self.psi, self.known, self.order, h);
        self.predict(&b.y0);
        ode.rhs(b.t0 + h, &self.tried.p, &mut self.tried.fp)?;
        self.correct(&mut b.y1);
        let attempt = self.estimate(b, tol);
        if !attempt.is_good() {
            return Ok(attempt);
        }
        ode.rhs(b.t0 + h, &b.y1[..n], &mut b.f1[..n])?;
        if let Some(component) = b.f1[..n].iter().position(|f| !f.is_finite()) {
            return Ok(Attempt::with_error(f64::NAN, component));
        }
        self.tried.estimates.erkp1 = self.estimate_above(b, tol);
        self.tried.choice = self.tried.estimates.choose(self.starting);
        Ok(attempt)
    }

    fn wish(&mut self, h: f64, _: &Attempt) -> f64 {
        h * self.tried.choice.factor
    }

    fn again(&mut self, h: f64, refused: &Attempt) -> f64 {
        self.refused += 1;
        // a first step that was estimated too long is no reason to leave the start phase
        self.starting &= self.last == 0.0;
        let factor = if refused.diverged { 0.5 } else { shrink(self.tried.k, refused.norm) };
        if !refused.diverged && self.tried.estimates.lower_is_better() {
            self.order = self.tried.k - 1;
        }
        // after three refusals the past does not predict what comes
        if self.refused >= 3 {
            self.order = 1;
        }
        h * factor
    }

    fn commit(&mut self, b: &Buffers, h: f64, _: &Tolerance<'_>) {
        let dt = h - self.tried.c.h;
        let grain = 4.0 * f64::EPSILON * b.t0.abs().max((b.t0 + h).abs());
        let moved = dt.abs() > grain;
        if moved {
            self.move_end(&b.f1, dt);
        }
        self.difference(moved, &b.f1);
        let t = &mut self.tried;
        (self.psi, self.last) = (t.c.psi, t.c.h);
        (self.order, self.starting) = (t.choice.order, t.choice.starting);
        self.refused = 0;
        std::mem::swap(&mut self.carry, &mut t.carry);
    }

    fn restart(&mut self) {
        (self.known, self.last, self.psi) = (0, 0.0, [0.0; ROWS]);
        (self.order, self.starting, self.refused) = (1, true, 0);
        self.carry.fill(0.0);
    }

    fn limit(&self) -> f64 {
        if self.last == 0.0 { f64::INFINITY } else { most(self.order, self.starting) * self.last.abs() }
    }

    fn reach(&self) -> f64 {
        // (entry 0 is zero)
        self.psi[self.known.saturating_sub(1)].abs()
    }

    fn stages(&self) -> (&[f64], usize) {
        (&self.tried.fp, self.n)
    }

    fn prepare_dense(&mut self, _: &mut Counted<'_>, b: &Buffers, _: f64) -> Result<(), RhsFailure> {
        self.dense.set(self.tried.k, &self.tried.c, &self.tried.phi_e, b);
        Ok(())
    }
}

impl DenseOutput for Adams {
    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        self.dense.at(theta, range, out);
    }
}
