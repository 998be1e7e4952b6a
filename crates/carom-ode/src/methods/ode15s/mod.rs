//! Numerical differentiation formulas of orders 1 to 5: `ode15s`; backward differentiation: `ode15s-bdf`.
//!
//! L. F. Shampine, M. W. Reichelt, *The MATLAB ODE Suite*, SIAM J. Sci. Comput. 18 (1997) 1–22. With γ_k = Σ_{j≤k} 1/j
//! and the predictor y⁽⁰⁾ = Σ_{m≤k} ∇ᵐy₀, a step solves (Eq 8)
//!
//!   Σ_{m=1}^{k} ∇ᵐy₁/m − h f(t₁, y₁) − κ_k γ_k (y₁ − y⁽⁰⁾) = 0,   (1 − κ_k)γ_k d + Σ_{m=1}^{k} γ_m ∇ᵐy₀ = h f(t₁, y⁽⁰⁾ + d),
//!
//! d = y₁ − y⁽⁰⁾ = ∇ᵏ⁺¹y₁, with the local error (κ_k γ_k + 1/(k+1)) d. The κ_k are those of R. W. Klopfenstein
//! (k = 1, 2) and of the paper's Table 1; κ = 0 is backward differentiation.
//!
//! **Rates at the end.** They are f₁ = ψ + a d, the slope of the formula. Because (a I − J)Δ = f(yⁱ) − ψ − a dⁱ, f₁
//! equals f(yⁱ) + J Δ, the rates at the last iterate extended along the last correction, without another evaluation.
//! The remaining error of the iteration is damped in it, whereas f(t₁, y₁) would amplify it by the stiffness.
//!
//! **What it does not detect.** The rates are evaluated at the ends of steps only. A change of the rates *in time* that
//! comes and goes within a step (a pulse, a switch to and fro) has no effect on the error estimate, and steps may be
//! long; neither has a stiff rate that switches off within a step. Such changes need an event that restarts, or steps
//! shorter than their duration (`max_step`).
//!
//! **Starts.** Nothing is known of the past, so it is constructed from y' and y'' (one more evaluation), and the first
//! step has order 2. The step may then grow a lot at once, because the driver's estimate of it is cautious.
//!
//! **Quadratures** follow the same formula, which is explicit for them: one evaluation at (t₁, y₁), only if there are
//! any. Those whose error is controlled are included in the error estimate.
//!
//! **Steps shortened by the driver.** A step much shorter than the spacing of the history (to end on an event) moves
//! the history along its polynomial and keeps the spacing: if it were resampled at the short spacing and back, the
//! rounding and iteration errors of the k-th difference would grow as the k-th power of the ratio.

mod formulas;
mod history;
mod newton;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub(super) use self::formulas::{BDF, NDF};
use self::formulas::{Formulas, GAMMA, START_ORDER};
use self::history::{Differences, MAX_ORDER};
use self::newton::{Equations, Newton, Outcome};
use crate::counted::Counted;
use crate::failure::RhsFailure;
use crate::lanes::{Worst, blocks, in_blocks, in_blocks_mut};
use crate::method::{Attempt, Buffers, Stepper, Tolerance};
use crate::ode::Ode;
use crate::step::DenseOutput;
use carom_portable::elementary::pow;

/// The error that the step would have had with the order below and above, divided by the allowed error.
#[derive(Clone, Copy, Debug, Default)]
struct Neighbours {
    lower: f64,
    higher: f64,
}

/// The method at work, with either family of formulas.
struct Multistep<const L: usize> {
    formulas: &'static Formulas,
    n: usize,
    /// number of components without the quadratures
    m: usize,
    order: usize,
    /// differences at the end of the last committed step; row 0 is not used, because the problem may correct y
    past: Differences<L>,
    /// spacing of `past`; 0: nothing is known of the past
    spacing: f64,
    /// number of steps of this order and spacing
    equal: usize,
    /// how far the past was moved along its polynomial since it was last sampled
    moved: f64,
    /// steps committed since the start, up to 2
    age: usize,
    /// the length planned for the next step, or to be tried again
    planned: f64,
    /// number of attempts refused since the last committed step
    refused: usize,
    /// differences and length of the last attempt
    trial: Differences<L>,
    trial_h: f64,
    /// length of the step as the driver has it, divided by trial_h
    stretch: f64,
    neighbours: Neighbours,
    /// the order to continue with if the last attempt is committed
    choice: usize,
    equations: Equations<L>,
    newton: Newton<L>,
}

carom_portable::carried!([const L: usize] Multistep<L> { order, past, spacing, equal, moved, age, planned, refused, choice, newton } scratch { formulas, n, m, trial, trial_h, stretch, neighbours, equations });

/// The fraction of the tolerance to which the steps are controlled. Errors of multistep formulas add up with the same
/// sign over many short steps: with this fraction, an elastic impact keeps its energy as well as with `dop853` at the
/// same tolerance within a factor of ten, and errors on stiff problems stay near the tolerance.
const TIGHT: f64 = 1.0 / 6.0;
/// The factor by which the step is kept below what the estimate allows: for the order below, the same order, the order
/// above. A change of order must bring an advantage (as in the paper's code, slightly more cautious).
const SAFETY: [f64; 3] = [1.4, 1.3, 1.5];
/// The largest factor by which a step may grow.
const MAX_GROWTH: f64 = 10.0;
/// The largest factor by which the first step after a start may grow, because it was estimated with little knowledge.
const FIRST_GROWTH: f64 = 1e4;

impl<const L: usize> Multistep<L> {
    fn new(formulas: &'static Formulas, ode: &mut dyn Ode, n: usize) -> Multistep<L> {
        let m = n - ode.components().quadratures();
        let zero = || vec![[0.0; L]; blocks::<L>(n)];
        let equations = Equations {
            t1: 0.0,
            a: 0.0,
            predicted: zero(),
            psi: zero(),
            d: zero(),
            allowed: zero(),
            size: 0.0,
        };
        Multistep {
            formulas,
            n,
            m,
            order: START_ORDER,
            past: Differences::new(n),
            spacing: 0.0,
            equal: 0,
            moved: 0.0,
            age: 0,
            planned: f64::INFINITY,
            refused: 0,
            trial: Differences::new(n),
            trial_h: 0.0,
            stretch: 1.0,
            neighbours: Neighbours::default(),
            choice: START_ORDER,
            equations,
            newton: Newton::new(ode, n),
        }
    }

    /// Computes the past at the spacing of the attempt, into `trial`; the committed past stays unchanged.
    fn resample(&mut self, h: f64) {
        if h == self.spacing {
            self.trial.copy(&self.past);
        } else {
            self.trial.rescale(&self.past, self.order, h / self.spacing);
        }
    }

    /// Constructs a past from y' and y'' where there is none: ∇y = h y' − h²y''/2, ∇²y = h²y''. Returns the index of a
    /// rate that is not finite, if there is one.
    fn make_up(&mut self, ode: &mut Counted<'_>, b: &Buffers, h: f64) -> Result<Option<usize>, RhsFailure> {
        let (n, dt) = (self.n, 0.1 * h);
        let y = &mut self.equations.predicted.as_flattened_mut()[..n];
        let f = &mut self.newton.f.as_flattened_mut()[..n];
        for i in 0..n {
            y[i] = b.y0[i] + dt * b.f0[i];
        }
        ode.rhs(b.t0 + dt, y, f)?;
        self.trial.clear();
        for i in 0..n {
            let second = h * (f[i] - b.f0[i]) * 10.0;
            self.trial.row_mut(1).as_flattened_mut()[i] = h * b.f0[i] - 0.5 * second;
            self.trial.row_mut(2).as_flattened_mut()[i] = second;
        }
        Ok(f.iter().position(|f| !f.is_finite()))
    }

    /// Computes the prediction y⁽⁰⁾ and ψ.
    fn predict(&mut self, b: &Buffers, h: f64, tol: &Tolerance<'_>) {
        let (e, k, blocks) = (&mut self.equations, self.order, blocks::<L>(self.n));
        e.t1 = b.t0 + h;
        e.a = self.formulas.alpha(k) / h;
        let y0 = in_blocks::<L>(&b.y0, blocks);
        for block in 0..blocks {
            let (mut ahead, mut psi) = ([0.0; L], [0.0; L]);
            // small terms first
            for m in (1..=k).rev() {
                let row = &self.trial.row(m)[block];
                for i in 0..L {
                    ahead[i] += row[i];
                    psi[i] += GAMMA[m] * row[i];
                }
            }
            for i in 0..L {
                e.predicted[block][i] = y0[block][i] + ahead[i];
                e.psi[block][i] = psi[i] / h;
            }
        }
        allow(&mut e.allowed, y0, &e.predicted, tol);
        e.size = Worst::of(&e.predicted, &e.allowed, self.m).share;
    }

    /// Computes y₁, its rates and differences from the solved equations. Returns the index of a quadrature whose rate
    /// is not finite, if there is one.
    fn correct(
        &mut self,
        ode: &mut Counted<'_>,
        b: &mut Buffers,
        h: f64,
    ) -> Result<Option<usize>, RhsFailure> {
        let (e, n, m, blocks) = (&mut self.equations, self.n, self.m, blocks::<L>(self.n));
        let (y1, f1) = (in_blocks_mut::<L>(&mut b.y1, blocks), in_blocks_mut::<L>(&mut b.f1, blocks));
        for block in 0..blocks {
            for i in 0..L {
                y1[block][i] = e.predicted[block][i] + e.d[block][i];
                f1[block][i] = e.psi[block][i] + e.a * e.d[block][i];
            }
        }
        if m < n {
            let f = &mut self.newton.f.as_flattened_mut()[..n];
            ode.rhs(b.t0 + h, &b.y1[..n], f)?;
            let (d, psi) = (e.d.as_flattened_mut(), e.psi.as_flattened());
            for i in m..n {
                d[i] = (f[i] - psi[i]) / e.a;
                b.y1[i] = e.predicted.as_flattened()[i] + d[i];
                b.f1[i] = f[i];
            }
        }
        self.trial.update(self.order, &self.equations.d, in_blocks(&b.y1, blocks));
        Ok(b.f1[m..n].iter().position(|f| !f.is_finite()).map(|i| m + i))
    }

    /// Estimates the error of the attempt, and what it would be at the neighbouring orders.
    fn estimate(&mut self, b: &Buffers, tol: &Tolerance<'_>) -> Attempt {
        let (k, m, blocks) = (self.order, tol.count(), blocks::<L>(self.n));
        allow(&mut self.equations.allowed, in_blocks(&b.y0, blocks), in_blocks(&b.y1, blocks), tol);
        let allowed = &self.equations.allowed;
        let worst = Worst::of(&self.equations.d, allowed, m);
        self.neighbours = Neighbours { lower: f64::INFINITY, higher: f64::INFINITY };
        if k > 1 {
            self.neighbours.lower =
                self.formulas.error(k - 1) * Worst::of(self.trial.row(k), allowed, m).share;
        }
        if k < MAX_ORDER {
            let next = self.trial.row(k + 2);
            self.neighbours.higher = self.formulas.error(k + 1) * Worst::of(next, allowed, m).share;
        }
        Attempt::with_error(self.formulas.error(k) * worst.share, worst.at)
    }

    /// Returns whether the driver has shortened the last attempt so much that the past is better moved than resampled.
    fn is_detour(&self) -> bool {
        let (h, spacing) = (self.trial_h.abs(), self.spacing.abs());
        h < 0.5 * spacing && h < 0.9 * self.planned && self.moved + h <= spacing
    }

    /// Includes what the driver has added to y₁ to extend the step by a very small time.
    fn settle(&mut self, b: &Buffers, h: f64) {
        let y1 = in_blocks(&b.y1, blocks::<L>(self.n));
        if self.trial.row(0) != y1 {
            self.trial.advance(self.order + 1, (h - self.trial_h) / self.trial_h);
            self.trial.row_mut(0).copy_from_slice(y1);
            self.stretch = h / self.trial_h;
        }
    }
}

/// Computes the errors allowed in a step from y₀ to y₁.
fn allow<const L: usize>(allowed: &mut [[f64; L]], y0: &[[f64; L]], y1: &[[f64; L]], tol: &Tolerance<'_>) {
    let sizes = y0.as_flattened().iter().zip(y1.as_flattened()).map(|(a, b)| a.abs().max(b.abs()));
    for ((allowed, scale), size) in allowed.as_flattened_mut().iter_mut().zip(tol.scale).zip(sizes) {
        *allowed = TIGHT * (scale + tol.rtol * size);
    }
    let quadratures = allowed.as_flattened_mut()[tol.scale.len()..].iter_mut();
    quadratures.zip(tol.quadratures).for_each(|(allowed, held)| *allowed = *held);
}

/// Returns the factor by which the step may grow, for an error proportional to its p-th power.
fn growth(error: f64, p: usize, safety: f64) -> f64 {
    1.0 / (safety * pow(error, 1.0 / p as f64))
}

impl<const L: usize> Stepper for Multistep<L> {
    fn attempt(
        &mut self,
        ode: &mut Counted<'_>,
        b: &mut Buffers,
        h: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Attempt, RhsFailure> {
        self.choice = self.order;
        (self.trial_h, self.stretch) = (h, 1.0);
        if self.spacing == 0.0 {
            if let Some(i) = self.make_up(ode, b, h)? {
                return Ok(Attempt::with_error(f64::NAN, i));
            }
        } else {
            self.resample(h);
        }
        self.predict(b, h, tol);
        match self.newton.solve(ode, &mut self.equations, tol)? {
            Outcome::Diverged(i) => return Ok(Attempt::diverged(i)),
            Outcome::NotFinite(i) => return Ok(Attempt::with_error(f64::NAN, i)),
            Outcome::Solved => {}
        }
        if let Some(bad) = self.correct(ode, b, h)? {
            return Ok(Attempt::with_error(f64::NAN, bad));
        }
        // quadratures have the rates evaluated at the end, the other components those of the formula
        match if self.m < self.n { self.newton.jumps(&self.equations) } else { None } {
            Some(component) => Ok(Attempt::diverged(component)),
            None => Ok(self.estimate(b, tol)),
        }
    }

    fn wish(&mut self, h: f64, good: &Attempt) -> f64 {
        let k = self.order;
        self.choice = k;
        let equal = if h == self.spacing || self.age == 0 { self.equal + 1 } else { 1 };
        let this = || growth(good.norm, k + 1, SAFETY[1]);
        if self.age == 0 {
            self.planned = h.abs() * this().clamp(1.0, FIRST_GROWTH);
            return h.signum() * self.planned;
        }
        if equal < k + 2 {
            // shortened by the driver: the length planned before remains valid
            self.planned = if self.is_detour() { self.planned } else { h.abs() };
            return h.signum() * self.planned;
        }
        let mut best = this();
        let lower = growth(self.neighbours.lower, k.max(1), SAFETY[0]);
        if lower > best {
            (best, self.choice) = (lower, k - 1);
        }
        let higher = growth(self.neighbours.higher, k + 2, SAFETY[2]);
        if higher > best {
            (best, self.choice) = (higher, k + 1);
        }
        if best <= 1.0 {
            self.choice = k;
        }
        self.planned = h.abs() * best.clamp(1.0, MAX_GROWTH);
        h.signum() * self.planned
    }

    fn again(&mut self, h: f64, refused: &Attempt) -> f64 {
        let k = self.order;
        self.refused += 1;
        let factor = if refused.diverged {
            0.3
        } else if self.refused == 1 {
            let this = growth(refused.norm, k + 1, SAFETY[1]);
            let lower = growth(self.neighbours.lower, k, SAFETY[0]);
            if lower > this && k > 1 {
                self.order = k - 1;
                self.equal = 0;
            }
            this.max(lower).clamp(0.1, 0.9)
        } else {
            0.5
        };
        // a step that must be short is not one shortened by the driver
        self.planned = 0.0;
        factor * h
    }

    fn commit(&mut self, b: &Buffers, h: f64, _: &Tolerance<'_>) {
        self.settle(b, h);
        if self.is_detour() {
            self.past.advance(self.order, self.trial_h / self.spacing);
            self.moved += self.trial_h.abs();
        } else {
            self.equal = if self.trial_h == self.spacing { self.equal + 1 } else { 1 };
            self.spacing = self.trial_h;
            self.moved = 0.0;
            std::mem::swap(&mut self.past, &mut self.trial);
            if self.choice != self.order {
                (self.order, self.equal) = (self.choice, 0);
            }
        }
        self.refused = 0;
        self.age = (self.age + 1).min(2);
    }

    fn restart(&mut self) {
        self.order = START_ORDER;
        self.spacing = 0.0;
        (self.equal, self.age, self.refused) = (0, 0, 0);
        self.moved = 0.0;
        self.planned = f64::INFINITY;
        self.newton.forget();
    }

    fn restructure(&mut self, ode: &mut dyn Ode) {
        self.newton = Newton::new(ode, self.n);
    }

    fn limit(&self) -> f64 {
        match self.age {
            0 => f64::INFINITY,
            1 => FIRST_GROWTH * self.spacing.abs(),
            _ => MAX_GROWTH * self.spacing.abs(),
        }
    }

    /// Differences of states extend back to the start: errors in them oscillate for many steps even if the rates are
    /// zero, and where the spacing grows tenfold they grow as its k-th power.
    fn reach(&self) -> f64 {
        if self.spacing == 0.0 { 0.0 } else { f64::INFINITY }
    }

    fn stages(&self) -> (&[f64], usize) {
        let blocks = blocks::<L>(self.n);
        (self.newton.f[..self.newton.seen * blocks].as_flattened(), blocks * L)
    }

    fn prepare_dense(&mut self, _: &mut Counted<'_>, b: &Buffers, h: f64) -> Result<(), RhsFailure> {
        self.settle(b, h);
        Ok(())
    }
}

impl<const L: usize> DenseOutput for Multistep<L> {
    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        self.trial.interpolate(self.order, (theta - 1.0) * self.stretch, range, out);
    }
}
