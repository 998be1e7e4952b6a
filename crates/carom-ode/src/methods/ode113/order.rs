//! The choice of the next order and step.
//!
//! Shampine, Gordon, *Computer Solution of Ordinary Differential Equations* (1975), chapters 6 and 7. Errors are in
//! units of the tolerance. They are the errors of a constant step of the length just taken, at the orders k − 2 to k +
//! 1.
//!
//! Shampine and Gordon either double a step or keep its length, and raise the order only after k + 1 steps of the same
//! length; without this rule the coefficients cost more. Rates cost even more: here a step grows by what the error
//! allows, and the order may increase at any step. That saves a tenth of the evaluations for orbits and rigid bodies.

use super::coefficients::MAX_ORDER;
use carom_portable::elementary::pow;

/// The fraction of the tolerance at which the steps aim.
const AIM: f64 = 0.5;
/// The fraction of the tolerance at which steps aim in the start phase, where the error at the next order is not known
/// yet.
const START_AIM: f64 = 0.1;
/// The least factor by which a step is made longer.
const WORTH_WHILE: f64 = 1.2;
/// Up to this order, the start phase makes steps longer as fast as the error allows. A first step is an estimate, most
/// often far too short, and a run may have thousands of them. At higher orders such growth would amplify the rounding
/// errors of the differences: β_i is proportional to its power i − 1.
const LOW_ORDER: usize = 2;

/// The error estimates of an attempt of order k.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimates {
    /// the order
    pub(super) k: usize,
    /// the error at order k
    pub(super) erk: f64,
    /// the error at order k − 1; for k ≥ 2
    pub(super) erkm1: f64,
    /// the error at order k − 2; for k ≥ 3
    pub(super) erkm2: f64,
    /// the error at order k + 1, where it can be estimated
    pub(super) erkp1: Option<f64>,
}

/// The order and the step to continue with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) order: usize,
    /// length of the next step, divided by that of the step just taken
    pub(super) factor: f64,
    /// whether the start phase continues
    pub(super) starting: bool,
}

impl Estimates {
    /// Returns whether the lower order is as good: the errors do not decrease with the order.
    pub(super) fn lower_is_better(&self) -> bool {
        match self.k {
            1 => false,
            2 => self.erkm1 <= 0.5 * self.erk,
            _ => self.erkm1.max(self.erkm2) <= self.erk,
        }
    }

    /// Chooses after an accepted step. In the start phase the order increases with every step, and the step at least
    /// doubles.
    pub(super) fn choose(&self, starting: bool) -> Choice {
        let k = self.k;
        let lower = self.lower_is_better();
        if starting && k < MAX_ORDER {
            let allowed = root(START_AIM / self.erk, k);
            // far below the tolerance the step must grow, not the order
            if k == LOW_ORDER && allowed >= most(k, true) {
                return Choice { order: k, factor: most(k, true), starting: true };
            }
            if !lower {
                return Choice {
                    order: k + 1,
                    factor: allowed.clamp(2.0, most(k + 1, true)),
                    starting: true,
                };
            }
        }
        let (order, error) = match self.erkp1 {
            _ if lower => (k - 1, self.erkm1),
            None => (k, self.erk),
            Some(erkp1) if k == 1 && erkp1 < 0.5 * self.erk => (2, erkp1),
            Some(_) if k == 1 => (1, self.erk),
            Some(erkp1) if self.erkm1 <= self.erk.min(erkp1) => (k - 1, self.erkm1),
            Some(erkp1) if erkp1 < self.erk && k < MAX_ORDER => (k + 1, erkp1),
            Some(_) => (k, self.erk),
        };
        Choice { order, factor: factor(order, error), starting: false }
    }
}

/// Returns the factor that brings the error of an order to its target: errors are proportional to h^{k+1}.
fn root(ratio: f64, k: usize) -> f64 {
    pow(ratio, 1.0 / (k + 1) as f64)
}

/// Returns the factor for the next step: longer if that is worthwhile, the same, or shorter.
fn factor(k: usize, error: f64) -> f64 {
    match root(AIM / error, k) {
        r if r >= WORTH_WHILE => r.min(most(k, false)),
        r if r >= 1.0 => 1.0,
        r => r.clamp(0.5, 0.9),
    }
}

/// Returns the largest ratio of a step of order k to the one before it: beyond it, the differences of the past would be
/// extrapolated too far.
pub(super) fn most(k: usize, starting: bool) -> f64 {
    if starting && k <= LOW_ORDER { 16.0 } else { 2.0 }
}

/// Returns the factor after a refused step with an error of `err`: one half, less if the error is out of all
/// proportion.
pub(super) fn shrink(k: usize, err: f64) -> f64 {
    root(AIM / err, k).clamp(0.1, 0.5)
}
