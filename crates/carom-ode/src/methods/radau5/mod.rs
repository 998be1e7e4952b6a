//! Radau IIA with three stages, order 5, for stiff problems: `radau5`.
//!
//! E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., IV.5 (the method) and IV.8 (how to
//! make it work: the code RADAU5). A-stable, L-stable, stiffly accurate; every step solves 3m equations by a simplified
//! Newton iteration, transformed into m real and m complex ones.
//!
//! The error, in the maximum norm, is that of an embedded method of order 3, filtered by (γ/h I − J)⁻¹ so that it stays
//! bounded where h J is large (8.19), and once more after a refusal (8.20). The solution has order 5, so its error
//! decreases slightly faster than the tolerance, as its power 5/4.
//!
//! Dense output is the collocation polynomial: through the start, both inner stages and the end, a cubic. Its error
//! is O(h⁴) in a step: uniform order 3, whatever the stiffness (the inner stages are of no higher order). It is
//! continuous; its slope agrees with the rates at the stages, not at the start of the step.
//!
//! On stiff problems the ends of steps are so accurate that steps become long, and the cubic between them can have an
//! error of a thousand tolerances. Where that matters ([`Options::control_dense_error`](crate::Options)) its error is controlled
//! as well. With ω(θ) = θ(θ − c₁)(θ − c₂)(θ − 1), a cubic through a smooth y at its nodes has the error D h⁴ ω, D =
//! y⁗/24, and its slope D h³ ω'. So where two cubics meet, their slopes differ by J = D (h_p³ ω'(1) − h³ ω'(0)),
//! whatever the stiffness. Rates at the start, which are noisy in a stiff problem, are used only where there is no
//! past.
//!
//! Quadratures are h Σ b_i f_i with the rates at the stages, order 5; the polynomial of their slope gives dense output.
//! They cost two evaluations per step, because the last correction of the stages comes after their last rates. The
//! error of quadratures that are controlled is estimated with the same embedded method, without the filter.

mod coefficients;
mod collocation;
mod control;
mod matrices;
mod newton;

use std::ops::Range;

use self::coefficients::{A, C, E, GAMMA, dot};
use self::collocation::Collocation;
use self::control::Control;
use self::matrices::{Age, GOOD_RATE, Matrices};
use self::newton::{Convergence, Newton, Outcome};
use crate::counted::Counted;
use crate::failure::RhsFailure;
use crate::linear::Jacobian;
use crate::method::{Attempt, Buffers, Method, Stepper, Tolerance};
use crate::norm::Largest;
use crate::ode::Ode;
use crate::step::DenseOutput;
use carom_portable::elementary::{pow, powi};

/// The method `radau5`.
#[derive(Debug)]
pub(super) struct Radau5;

impl Method for Radau5 {
    fn name(&self) -> &'static str {
        "radau5"
    }
    fn summary(&self) -> &'static str {
        "Radau IIA, order 5, implicit: for stiff problems"
    }
    fn order(&self) -> usize {
        5
    }
    fn suits_stiff(&self) -> bool {
        true
    }
    fn start_order(&self) -> usize {
        // the order of the estimate, on which the first step depends
        4
    }
    fn start(&'static self, ode: &mut dyn Ode, n: usize) -> Box<dyn Stepper> {
        Box::new(Radau5Stepper::new(ode, n))
    }
}

/// The method `radau5` at work.
pub(crate) struct Radau5Stepper {
    n: usize,
    m: usize,
    matrices: Matrices,
    newton: Newton,
    control: Control,
    /// the polynomial of the last committed step, and its length
    past: Collocation,
    past_h: Option<f64>,
    /// θ/(1 − θ) of the last committed step
    eta: f64,
    /// convergence and error of the last attempt
    convergence: Convergence,
    error: f64,
    /// the error of each component
    e: Vec<f64>,
    arg: Vec<f64>,
    slope: Vec<f64>,
    dense: Collocation,
    dense_end: Vec<f64>,
    control_dense_error: bool,
}

carom_portable::carried!(Radau5Stepper { matrices, newton, control, past, past_h, eta, convergence, error, control_dense_error } scratch { n, m, e, arg, slope, dense, dense_end });

/// The largest |θ(θ − c₁)(θ − c₂)(θ − 1)| in a step.
const MAX_OMEGA: f64 = 0.0183;
/// How many times the error allowed the error of the polynomial within a step may be, if it is controlled. It is as
/// much as it is on problems that are not stiff.
const WITHIN: f64 = 3.0;
/// If no component moves by more than this many allowed errors, the last polynomial is mostly rounding error.
/// Extrapolated over eight times its length it is misleading, across a kink of the rates even to a state from which no
/// iteration returns.
const LITTLE: f64 = 30.0;
/// The largest extrapolation of the last polynomial, in steps.
const MAX_EXTRAPOLATION: f64 = 10.0;

impl Radau5Stepper {
    /// Allocates memory for a problem of `n` components.
    pub(crate) fn new(ode: &mut dyn Ode, n: usize) -> Radau5Stepper {
        let m = n - ode.components().quadratures();
        Radau5Stepper {
            n,
            m,
            matrices: Matrices::new(ode, n),
            newton: Newton::new(n, m),
            control: Control::default(),
            past: Collocation::new(n),
            past_h: None,
            eta: 1.0,
            convergence: Convergence::UNKNOWN,
            error: 0.0,
            e: vec![0.0; m],
            arg: vec![0.0; n],
            slope: vec![0.0; n],
            dense: Collocation::new(n),
            dense_end: vec![0.0; n],
            control_dense_error: false,
        }
    }

    /// Returns the last Jacobian.
    pub(crate) fn jacobian(&self) -> &Jacobian {
        self.matrices.jacobian()
    }

    /// Returns the products of a factorisation, with the real and the complex one counted once, and the evaluations to
    /// which a Jacobian is equivalent.
    pub(crate) fn work(&self) -> (f64, f64) {
        self.matrices.work()
    }

    /// Evaluates the Jacobian at the start of the next step.
    pub(crate) fn linearise(
        &mut self,
        ode: &mut Counted<'_>,
        b: &Buffers,
        tol: &Tolerance<'_>,
    ) -> Result<(), RhsFailure> {
        self.matrices.evaluate(ode, b, self.n, tol)
    }

    /// Computes the stages, with an old Jacobian if the iteration converges with it, else with a new one.
    fn stages_of(
        &mut self,
        ode: &mut Counted<'_>,
        b: &Buffers,
        h: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Outcome, RhsFailure> {
        if self.matrices.age == Age::Due {
            self.matrices.evaluate(ode, b, self.n, tol)?;
        }
        let mut extrapolate = self.past_h.is_some_and(|past| h / past <= MAX_EXTRAPOLATION);
        loop {
            let outcome = match self.matrices.factor(ode, h) {
                Ok(()) => {
                    self.predict(b, h, extrapolate);
                    self.newton.solve(ode, &mut self.matrices, b, h, tol, self.eta)?
                }
                Err(column) => Outcome::Diverged(column),
            };
            if matches!(outcome, Outcome::Converged(_)) {
                return Ok(outcome);
            }
            if self.matrices.age != Age::Here {
                self.matrices.evaluate(ode, b, self.n, tol)?;
            } else if extrapolate && self.newton.linearise(&mut self.matrices, &b.f0, h) <= LITTLE {
                extrapolate = false;
            } else {
                return Ok(outcome);
            }
        }
    }

    /// Computes starting values for the iteration.
    fn predict(&mut self, b: &Buffers, h: f64, extrapolate: bool) {
        match self.past_h {
            Some(past) if extrapolate => self.newton.extrapolate(&self.past, h / past),
            _ => {
                self.newton.linearise(&mut self.matrices, &b.f0, h);
            }
        }
    }

    /// Estimates the error of the stages: (8.19), (8.20).
    fn estimate(
        &mut self,
        ode: &mut Counted<'_>,
        b: &Buffers,
        h: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Attempt, RhsFailure> {
        self.filtered(&b.f0, h);
        let first = self.largest(b, tol);
        let after_jump = self.control.is_first() || self.control.refused;
        if !(after_jump && first.norm > 1.0) {
            return Ok(first);
        }
        let (n, m) = (self.n, self.m);
        for i in 0..m {
            self.arg[i] = b.y0[i] + self.e[i];
        }
        self.arg[m..].copy_from_slice(&b.y0[m..n]);
        let mut slope = std::mem::take(&mut self.slope);
        let evaluated = ode.rhs(b.t0, &self.arg, &mut slope);
        self.filtered(&slope, h);
        self.slope = slope;
        let second = self.largest(b, tol);
        // the argument is not a solution and may be outside the valid states: the first estimate is then used
        Ok(if evaluated.is_err() || second.norm.is_nan() { first } else { second })
    }

    /// Computes e = (γ/h I − J)⁻¹ (f + Σ e_i z_i / h).
    fn filtered(&mut self, f: &[f64], h: f64) {
        for i in 0..self.m {
            self.e[i] = f[i] + dot(&E, self.newton.z.each_ref().map(|z| z[i])) / h;
        }
        self.matrices.real.solve(&mut self.e);
    }

    /// Returns the largest ratio of error to allowed error.
    fn largest(&self, b: &Buffers, tol: &Tolerance<'_>) -> Attempt {
        let mut largest = Largest::NONE;
        for i in 0..self.m {
            let allowed = tol.scale[i] + tol.rtol * b.y0[i].abs().max(b.y1[i].abs());
            largest.see(self.e[i], allowed, i);
        }
        Attempt::with_error(largest.norm, largest.at)
    }

    /// Returns the largest ratio of error to allowed error, including the controlled quadratures. The estimate has
    /// order 3, as (8.19); the corresponding error of order 5 is ρ (200 e/ρ)^{3/2}, where ρ = h max |f − f̄| is the
    /// largest error possible (R. Piessens et al., *QUADPACK*, Springer 1983, p. 67).
    fn error_of_quadratures(&self, b: &Buffers, h: f64, tol: &Tolerance<'_>, so_far: Attempt) -> Attempt {
        let (n, mut largest) = (self.n, Largest { norm: so_far.norm, at: so_far.component });
        for (i, allowed) in (self.m..n).zip(tol.quadratures) {
            let f = [b.f0[i], self.newton.k[i], self.newton.k[n + i], b.f1[i]];
            let mean = self.newton.z[2][i] / h;
            let rest = h.abs() * f.iter().fold(0.0f64, |most, f| most.max((f - mean).abs()));
            let e = (h * f[0] + dot(&E, self.newton.z.each_ref().map(|z| z[i]))) / GAMMA;
            let e = if rest > 0.0 { rest * pow(200.0 * e.abs() / rest, 1.5).min(1.0) } else { 0.0 };
            largest.see(e, *allowed, i);
        }
        Attempt::with_error(largest.norm, largest.at)
    }

    /// Estimates the error of the cubic within the step from the change of slope where it meets the last one: max |D h⁴
    /// ω|, divided by [`WITHIN`] times the error allowed.
    fn error_within(&mut self, b: &Buffers, h: f64, tol: &Tolerance<'_>) -> Attempt {
        self.dense.set(&self.newton.z, |i| b.y1[i] - b.y0[i]);
        // −ω'(0) and ω'(1)
        let (at_start, at_end) = (C[0] * C[1], (1.0 - C[0]) * (1.0 - C[1]));
        let mut largest = Largest::NONE;
        for i in 0..self.m {
            let slope = self.dense.slope_at_start(i);
            // D h⁴ = h J / (ω'(1) (h_p/h)³ − ω'(0))
            let d = match self.past_h.map(|past| past / h) {
                Some(q) => (slope - self.past.slope_at_end(i) / q) / (at_end * powi(q, 3) + at_start),
                None => (slope - h * b.f0[i]) / at_start,
            };
            let allowed = tol.scale[i] + tol.rtol * b.y0[i].abs().max(b.y1[i].abs());
            largest.see(MAX_OMEGA / WITHIN * d, allowed, i);
        }
        Attempt::with_error(largest.norm, largest.at)
    }

    /// Computes the rates at the end, and the quadratures.
    fn complete(&mut self, ode: &mut Counted<'_>, b: &mut Buffers, h: f64) -> Result<(), RhsFailure> {
        let (n, m) = (self.n, self.m);
        ode.rhs(b.t0 + h, &b.y1[..n], &mut b.f1[..n])?;
        self.newton.k[2 * n..].copy_from_slice(&b.f1[..n]);
        if m == n {
            return Ok(());
        }
        // the known rates are those before the last correction: quadratures would be less accurate than the stages
        self.newton.rate(ode, b, h, 0)?;
        self.newton.rate(ode, b, h, 1)?;
        for i in m..n {
            let k = [self.newton.k[i], self.newton.k[n + i], self.newton.k[2 * n + i]];
            for (z, row) in self.newton.z.iter_mut().zip(&A) {
                z[i] = h * dot(row, k);
            }
            b.y1[i] = b.y0[i] + self.newton.z[2][i];
        }
        Ok(())
    }
}

impl Stepper for Radau5Stepper {
    fn attempt(
        &mut self,
        ode: &mut Counted<'_>,
        b: &mut Buffers,
        h: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Attempt, RhsFailure> {
        let (n, m) = (self.n, self.m);
        self.convergence = match self.stages_of(ode, b, h, tol)? {
            Outcome::Converged(convergence) => convergence,
            Outcome::Diverged(component) => return Ok(Attempt::diverged(component)),
            Outcome::NotFinite(component) => return Ok(Attempt::with_error(f64::NAN, component)),
        };
        for i in 0..m {
            b.y1[i] = b.y0[i] + self.newton.z[2][i];
        }
        b.y1[m..n].copy_from_slice(&b.y0[m..n]);
        let mut attempt = self.estimate(ode, b, h, tol)?;
        if self.control_dense_error && attempt.is_good() {
            let within = self.error_within(b, h, tol);
            attempt = if attempt.norm < within.norm { within } else { attempt };
        }
        self.error = attempt.norm;
        if !attempt.is_good() {
            return Ok(attempt);
        }
        self.complete(ode, b, h)?;
        if !tol.quadratures.is_empty() {
            attempt = self.error_of_quadratures(b, h, tol, attempt);
            self.error = attempt.norm;
            if !attempt.is_good() {
                return Ok(attempt);
            }
        }
        if !self.newton.is_solved(&mut self.matrices, &b.f1[..n], h) {
            if self.matrices.age == Age::Here {
                return Ok(Attempt::diverged(0));
            }
            // repeat the attempt with a Jacobian evaluated at the start of this step
            self.matrices.age = Age::Due;
            return self.attempt(ode, b, h, tol);
        }
        Ok(match b.f1[..n].iter().position(|f| !f.is_finite()) {
            Some(component) => Attempt::with_error(f64::NAN, component),
            None => attempt,
        })
    }

    fn wish(&mut self, h: f64, good: &Attempt) -> f64 {
        let factor = self.control.accepted(h, good.norm, self.convergence.iterations);
        let stays = self.convergence.theta <= GOOD_RATE && Control::keeps(factor);
        if stays { h } else { h * factor }
    }

    fn again(&mut self, h: f64, refused: &Attempt) -> f64 {
        h * match refused.diverged {
            true => self.control.diverged(),
            false => self.control.rejected(refused.norm, self.convergence.iterations),
        }
    }

    fn commit(&mut self, b: &Buffers, h: f64, _: &Tolerance<'_>) {
        self.past.set(&self.newton.z, |i| b.y1[i] - b.y0[i]);
        self.past_h = Some(h);
        self.eta = self.convergence.eta;
        self.control.commit(h, self.error);
        let good = self.convergence.theta <= GOOD_RATE;
        self.matrices.age = if good { Age::Old } else { Age::Due };
    }

    fn control_dense_error(&mut self, hold: bool) {
        self.control_dense_error = hold;
    }

    fn restart(&mut self) {
        self.past_h = None;
        self.eta = 1.0;
        self.control = Control::default();
        self.matrices.age = Age::Due;
    }

    fn restructure(&mut self, ode: &mut dyn Ode) {
        self.matrices = Matrices::new(ode, self.n);
    }

    fn stages(&self) -> (&[f64], usize) {
        (&self.newton.k, self.n)
    }

    fn prepare_dense(&mut self, _: &mut Counted<'_>, b: &Buffers, _: f64) -> Result<(), RhsFailure> {
        self.dense.set(&self.newton.z, |i| b.y1[i] - b.y0[i]);
        self.dense_end.copy_from_slice(&b.y1[..self.n]);
        Ok(())
    }
}

impl DenseOutput for Radau5Stepper {
    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let start = range.start;
        self.dense.beyond(theta - 1.0, range, |i, d| out[i - start] = self.dense_end[i] + d);
    }
}
