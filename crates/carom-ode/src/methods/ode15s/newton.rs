//! The equations of an implicit step: simplified Newton iteration from the predictor.
//!
//! With y = y⁽⁰⁾ + d, the step is f(t₁, y) = ψ + a d, a = (1 − κ)γ_k/h. The factors of a I − J are kept for as long as a
//! stays, and with them the rate of convergence, so that one iteration can do (Shampine, Reichelt, section 2.3). The
//! Jacobian is kept for many steps: until the iteration fails with it, has cost as many evaluations as a new one would,
//! or the steps have outgrown it.

use crate::linear::{Linearised, Shifted};
use crate::methods::{Counted, Tolerance};
use crate::ode::{Ode, RhsFailure};

/// Iterations before the Jacobian is blamed, or the step.
pub(super) const MAX_ITERATIONS: usize = 4;
/// Share of the tolerance the iteration's error may take, as predicted from this step's rate of convergence.
const SHARE: f64 = 0.1;
/// The same where the rate is that of an earlier step.
const SHARE_BLIND: f64 = 0.05;

/// A Jacobian is not used for steps this much longer than the one it was made for. What is wrong in it weighs as 1/a; in
/// a mode that creeps, the iteration looks converged by the others, and the motion stands still with it.
const OUTGROWN: f64 = 3.0;
/// Iterations after the first of a step that an old Jacobian may cost before it is renewed; with more components than
/// this, as many as differences would take.
const PATIENCE: usize = 20;

/// How an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    Solved,
    /// too slow, worst in this component
    Diverged(usize),
    /// a value that is not a number
    NotFinite(usize),
}

/// The equations and the solution of a step.
#[derive(Debug)]
pub(super) struct Equations {
    pub(super) t1: f64,
    /// (1 − κ)γ_k/h
    pub(super) a: f64,
    /// y⁽⁰⁾
    pub(super) predicted: Vec<f64>,
    /// Σ γ_m ∇ᵐy₀ / h: the rates by the formula if y⁽⁰⁾ were right
    pub(super) psi: Vec<f64>,
    /// y − y⁽⁰⁾ = ∇ᵏ⁺¹y₁
    pub(super) d: Vec<f64>,
    /// the error allowed for each component
    pub(super) allowed: Vec<f64>,
    /// the largest |y_i|/allowed_i: rounding cannot be iterated away
    pub(super) size: f64,
}

/// The Jacobian, the factors, and how well they did.
pub(super) struct Newton {
    m: usize,
    linearised: Linearised,
    lu: Shifted<f64>,
    /// |a| where the Jacobian was evaluated; 0: there is none
    jacobian_a: f64,
    /// iterations after the first since the Jacobian was evaluated
    extra: usize,
    /// the a of the factors; NaN: there are none
    lu_a: f64,
    /// the rate of convergence with these factors
    rate: Option<f64>,
    /// rates at the iterates, one row of n each; the first is at the predictor
    pub(super) f: Vec<f64>,
    /// rows of `f` that belong to the last attempt
    pub(super) seen: usize,
    y: Vec<f64>,
    delta: Vec<f64>,
}

impl Newton {
    pub(super) fn new(ode: &dyn Ode) -> Newton {
        let (n, m) = (ode.dim(), ode.dim() - ode.quadratures());
        let linearised = Linearised::new(ode);
        Newton {
            m,
            lu: Shifted::new(&linearised.j),
            linearised,
            jacobian_a: 0.0,
            extra: 0,
            lu_a: f64::NAN,
            rate: None,
            f: vec![0.0; (MAX_ITERATIONS + 1) * n],
            seen: 0,
            y: vec![0.0; n],
            delta: vec![0.0; m],
        }
    }

    /// The rates have changed: what is known of them is worth nothing.
    pub(super) fn forget(&mut self) {
        self.jacobian_a = 0.0;
    }

    /// Solves the equations of a step.
    pub(super) fn solve(
        &mut self,
        ode: &mut Counted<'_>,
        e: &mut Equations,
        tol: &Tolerance<'_>,
    ) -> Result<Outcome, RhsFailure> {
        let n = e.predicted.len();
        self.seen = 0;
        ode.rhs(e.t1, &e.predicted, &mut self.f[..n])?;
        self.seen = 1;
        if let Some(i) = self.f[..self.m].iter().position(|f| !f.is_finite()) {
            return Ok(Outcome::NotFinite(i));
        }
        let mut fresh = !self.is_jacobian_good(e.a);
        if fresh {
            self.linearise(ode, e, tol)?;
        }
        loop {
            let outcome = match self.factor(ode, e.a) {
                Ok(()) => self.iterate(ode, e)?,
                Err(column) => Outcome::Diverged(column),
            };
            if outcome == Outcome::Solved || fresh {
                return Ok(outcome);
            }
            // blame the old Jacobian first
            self.linearise(ode, e, tol)?;
            fresh = true;
        }
    }

    /// Whether there is a Jacobian worth starting with.
    fn is_jacobian_good(&self, a: f64) -> bool {
        let cheap = self.extra <= self.m.max(PATIENCE);
        self.jacobian_a > 0.0 && a.abs() * OUTGROWN >= self.jacobian_a && cheap
    }

    /// The Jacobian at the predictor, where the rates are known already.
    fn linearise(
        &mut self,
        ode: &mut Counted<'_>,
        e: &Equations,
        tol: &Tolerance<'_>,
    ) -> Result<(), RhsFailure> {
        self.lu_a = f64::NAN;
        self.jacobian_a = 0.0;
        self.linearised.evaluate(ode, e.t1, &e.predicted, &self.f[..e.predicted.len()], tol)?;
        self.jacobian_a = e.a.abs();
        self.extra = 0;
        Ok(())
    }

    fn factor(&mut self, ode: &mut Counted<'_>, a: f64) -> Result<(), usize> {
        if self.lu_a != a {
            ode.stats().factorisations += 1;
            self.rate = None;
            self.lu_a = f64::NAN;
            self.lu.factor(a, &self.linearised.j)?;
            self.lu_a = a;
        }
        Ok(())
    }

    fn iterate(&mut self, ode: &mut Counted<'_>, e: &mut Equations) -> Result<Outcome, RhsFailure> {
        let (n, m) = (e.predicted.len(), self.m);
        e.d.fill(0.0);
        self.y.copy_from_slice(&e.predicted);
        let mut last = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            let f = &mut self.f[iteration * n..(iteration + 1) * n];
            if iteration > 0 {
                self.extra += 1;
                ode.rhs(e.t1, &self.y, f)?;
                self.seen = self.seen.max(iteration + 1);
            }
            for i in 0..m {
                self.delta[i] = f[i] - e.psi[i] - e.a * e.d[i];
            }
            self.lu.solve(&mut self.delta);
            let (norm, worst) = largest(&self.delta, &e.allowed);
            if !norm.is_finite() {
                return Ok(Outcome::NotFinite(worst));
            }
            for i in 0..m {
                e.d[i] += self.delta[i];
                self.y[i] = e.predicted[i] + e.d[i];
            }
            match self.judge(iteration, norm, last, e.size) {
                Some(true) => return Ok(Outcome::Solved),
                Some(false) => return Ok(Outcome::Diverged(worst)),
                None => last = norm,
            }
        }
        Ok(Outcome::Diverged(0))
    }

    /// Whether the iteration is done, or will not come to an end; `None`: go on.
    fn judge(&mut self, iteration: usize, norm: f64, last: f64, size: f64) -> Option<bool> {
        let lost_in_rounding = norm <= 10.0 * f64::EPSILON * size;
        if iteration == 0 {
            let error = self.rate.map_or(f64::INFINITY, |rate| norm * rate / (1.0 - rate));
            return (lost_in_rounding || error <= SHARE_BLIND).then_some(true);
        }
        if !(norm <= 0.9 * last) {
            return Some(lost_in_rounding);
        }
        // rates vary from one iteration to the next: forget bad ones slowly
        let rate = (norm / last).max(0.9 * self.rate.unwrap_or(0.0));
        self.rate = Some(rate);
        let error = norm * rate / (1.0 - rate);
        if lost_in_rounding || error <= SHARE {
            return Some(true);
        }
        let left = (MAX_ITERATIONS - 1 - iteration) as i32;
        (error * rate.powi(left) > SHARE).then_some(false)
    }
}

/// The largest |v_i|/allowed_i, and where. NaN wins over every number.
pub(super) fn largest(v: &[f64], allowed: &[f64]) -> (f64, usize) {
    let (mut worst, mut at) = (0.0, 0);
    for (i, (v, allowed)) in v.iter().zip(allowed).enumerate() {
        // nothing is within any tolerance, even none
        let e = if *v == 0.0 { 0.0 } else { v.abs() / allowed };
        if !(e <= worst) {
            (worst, at) = (e, i);
            if e.is_nan() {
                break;
            }
        }
    }
    (worst, at)
}
