//! Solves the equations of an implicit step by simplified Newton iteration from the predictor.
//!
//! With y = y⁽⁰⁾ + d, the step is f(t₁, y) = ψ + a d, a = (1 − κ)γ_k/h. The factors of a I − J are kept for as long as
//! a stays the same, and with them the rate of convergence, so that one iteration may suffice (Shampine, Reichelt,
//! section 2.3). The Jacobian is kept for many steps: until the iteration fails with it, has cost as many evaluations
//! as a new one would, or the steps have become too long for it.

use crate::counted::Counted;
use crate::differences::Linearised;
use crate::failure::RhsFailure;
use crate::lanes::{Worst, blocks};
use crate::linear::Shifted;
use crate::method::Tolerance;
use crate::ode::Ode;
use carom_portable::elementary::powi;

/// The number of iterations after which a new Jacobian or a shorter step is needed.
pub(super) const MAX_ITERATIONS: usize = 4;
/// The fraction of the tolerance allowed for the error of the iteration, as predicted from this step's rate of
/// convergence.
const SHARE: f64 = 0.1;
/// The fraction of the tolerance allowed where the rate of convergence is that of an earlier step.
const SHARE_BLIND: f64 = 0.05;

/// A Jacobian is not used for steps longer by more than this factor than the one for which it was computed. Its errors
/// have an effect proportional to 1/a; in a mode that moves slowly, the iteration seems to have converged because of
/// the others, and that mode then stands still.
const OUTGROWN: f64 = 3.0;
/// The number of iterations beyond the first of a step after which an old Jacobian is renewed. With more components
/// than this, it is the number of components, as many evaluations as differences would take.
const PATIENCE: usize = 20;

/// The result of an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    Solved,
    /// it converges too slowly; the largest correction is in this component
    Diverged(usize),
    /// a value of this component is infinite or not a number
    NotFinite(usize),
}

/// The equations and the solution of a step.
#[derive(Debug)]
pub(super) struct Equations<const L: usize> {
    pub(super) t1: f64,
    /// (1 − κ)γ_k/h
    pub(super) a: f64,
    /// y⁽⁰⁾
    pub(super) predicted: Vec<[f64; L]>,
    /// Σ γ_m ∇ᵐy₀ / h: the rates according to the formula if y⁽⁰⁾ were exact
    pub(super) psi: Vec<[f64; L]>,
    /// y − y⁽⁰⁾ = ∇ᵏ⁺¹y₁
    pub(super) d: Vec<[f64; L]>,
    /// the error allowed for each component
    pub(super) allowed: Vec<[f64; L]>,
    /// the largest |y_i|/allowed_i: corrections below rounding cannot be reduced further
    pub(super) size: f64,
}

/// The Jacobian, its factors, and their rate of convergence.
pub(super) struct Newton<const L: usize> {
    n: usize,
    m: usize,
    linearised: Linearised,
    lu: Shifted<f64>,
    /// |a| for which the Jacobian was evaluated; 0: there is none
    jacobian_a: f64,
    /// number of iterations beyond the first of each step since the Jacobian was evaluated
    extra: usize,
    /// the value of a for which the matrix was factored; NaN: there are no factors
    lu_a: f64,
    /// the rate of convergence with these factors
    rate: Option<f64>,
    /// rates at the iterates, one row of blocks each; the first is at the predictor
    pub(super) f: Vec<[f64; L]>,
    /// rows of `f` that belong to the last attempt
    pub(super) seen: usize,
    y: Vec<[f64; L]>,
    delta: Vec<[f64; L]>,
}

carom_portable::carried!([const L: usize] Newton<L> { linearised, lu, jacobian_a, extra, lu_a, rate, seen } scratch { n, m, f, y, delta });

impl<const L: usize> Newton<L> {
    pub(super) fn new(ode: &mut dyn Ode, n: usize) -> Newton<L> {
        let m = n - ode.components().quadratures();
        let linearised = Linearised::new(ode, n);
        let blocks = blocks::<L>(n);
        Newton {
            n,
            m,
            lu: Shifted::new(&linearised.j),
            linearised,
            jacobian_a: 0.0,
            extra: 0,
            lu_a: f64::NAN,
            rate: None,
            f: vec![[0.0; L]; (MAX_ITERATIONS + 1) * blocks],
            seen: 0,
            y: vec![[0.0; L]; blocks],
            delta: vec![[0.0; L]; blocks],
        }
    }

    /// Discards the Jacobian after the rates have changed.
    pub(super) fn forget(&mut self) {
        self.jacobian_a = 0.0;
    }

    /// Solves the equations of a step.
    pub(super) fn solve(
        &mut self,
        ode: &mut Counted<'_>,
        e: &mut Equations<L>,
        tol: &Tolerance<'_>,
    ) -> Result<Outcome, RhsFailure> {
        let n = self.n;
        self.seen = 0;
        let f = &mut self.f.as_flattened_mut()[..n];
        ode.rhs(e.t1, &e.predicted.as_flattened()[..n], f)?;
        self.seen = 1;
        if let Some(i) = f[..self.m].iter().position(|f| !f.is_finite()) {
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
            // an old Jacobian may be the cause
            self.linearise(ode, e, tol)?;
            fresh = true;
        }
    }

    /// Returns whether there is a Jacobian with which the iteration may start.
    fn is_jacobian_good(&self, a: f64) -> bool {
        let cheap = self.extra <= self.m.max(PATIENCE);
        self.jacobian_a > 0.0 && a.abs() * OUTGROWN >= self.jacobian_a && cheap
    }

    /// Evaluates the Jacobian at the predictor, where the rates are already known.
    fn linearise(
        &mut self,
        ode: &mut Counted<'_>,
        e: &Equations<L>,
        tol: &Tolerance<'_>,
    ) -> Result<(), RhsFailure> {
        self.lu_a = f64::NAN;
        self.jacobian_a = 0.0;
        let (y, f) = (&e.predicted.as_flattened()[..self.n], &self.f.as_flattened()[..self.n]);
        self.linearised.evaluate(ode, e.t1, y, f, tol)?;
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

    fn iterate(&mut self, ode: &mut Counted<'_>, e: &mut Equations<L>) -> Result<Outcome, RhsFailure> {
        let (n, m, blocks) = (self.n, self.m, blocks::<L>(self.n));
        e.d.fill([0.0; L]);
        self.y.copy_from_slice(&e.predicted);
        let mut last = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            let f = &mut self.f[iteration * blocks..][..blocks];
            if iteration > 0 {
                self.extra += 1;
                ode.rhs(e.t1, &self.y.as_flattened()[..n], &mut f.as_flattened_mut()[..n])?;
                self.seen = self.seen.max(iteration + 1);
            }
            for block in 0..blocks {
                for i in 0..L {
                    self.delta[block][i] = f[block][i] - e.psi[block][i] - e.a * e.d[block][i];
                }
            }
            // quadratures are not part of the iteration
            self.delta.as_flattened_mut()[m..].fill(0.0);
            self.lu.solve(&mut self.delta.as_flattened_mut()[..m]);
            let Worst { share: norm, at: worst } = Worst::of(&self.delta, &e.allowed, m);
            if !norm.is_finite() {
                return Ok(Outcome::NotFinite(worst));
            }
            for block in 0..blocks {
                for i in 0..L {
                    e.d[block][i] += self.delta[block][i];
                    self.y[block][i] = e.predicted[block][i] + e.d[block][i];
                }
            }
            match self.judge(iteration, norm, last, e.size) {
                Some(true) => return Ok(Outcome::Solved),
                Some(false) => return Ok(Outcome::Diverged(worst)),
                None => last = norm,
            }
        }
        Ok(Outcome::Diverged(0))
    }

    /// Checks whether the rates at the solution (the first row of `f`) agree with those of the formula: another
    /// correction would then move no component by more than the error allowed. If not, they jump at the end of the
    /// step, within the distance by which rounding or the last correction moved it: a force sets in there. Returns the
    /// component with the largest difference.
    pub(super) fn jumps(&mut self, e: &Equations<L>) -> Option<usize> {
        let blocks = blocks::<L>(self.n);
        for block in 0..blocks {
            for i in 0..L {
                self.delta[block][i] = self.f[block][i] - e.psi[block][i] - e.a * e.d[block][i];
            }
        }
        // first without a Jacobian, which would make corrections smaller where it matters
        if Worst::of(&self.delta, &e.allowed, self.m).share <= e.a.abs() {
            return None;
        }
        self.lu.solve(&mut self.delta.as_flattened_mut()[..self.m]);
        let worst = Worst::of(&self.delta, &e.allowed, self.m);
        (!(worst.share <= 1.0)).then_some(worst.at)
    }

    /// Returns whether the iteration has converged (`true`) or will not converge (`false`); `None`: continue.
    fn judge(&mut self, iteration: usize, norm: f64, last: f64, size: f64) -> Option<bool> {
        let lost_in_rounding = norm <= 10.0 * f64::EPSILON * size;
        if iteration == 0 {
            let error = self.rate.map_or(f64::INFINITY, |rate| norm * rate / (1.0 - rate));
            return (lost_in_rounding || error <= SHARE_BLIND).then_some(true);
        }
        if !(norm <= 0.9 * last) {
            return Some(lost_in_rounding);
        }
        // the rate varies from one iteration to the next: bad values are forgotten slowly
        let rate = (norm / last).max(0.9 * self.rate.unwrap_or(0.0));
        self.rate = Some(rate);
        let error = norm * rate / (1.0 - rate);
        if lost_in_rounding || error <= SHARE {
            return Some(true);
        }
        let left = (MAX_ITERATIONS - 1 - iteration) as i32;
        (error * powi(rate, left) > SHARE).then_some(false)
    }
}
