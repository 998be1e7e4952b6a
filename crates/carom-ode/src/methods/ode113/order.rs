//! Which order and which step come next.
//!
//! Shampine, Gordon, *Computer Solution of Ordinary Differential Equations* (1975), chapters 6 and 7. Errors are in units of
//! the tolerance. They are those of a constant step of the length just taken, at the orders k − 2 to k + 1.
//!
//! Shampine and Gordon double a step or leave it, and raise the order only after k + 1 steps of the same length; on
//! a mesh without this rule the coefficients cost more. Rates cost more still: here a step grows by what the error
//! allows, and the order goes up at any step. That saves a tenth of the evaluations of orbits and rigid bodies.

use super::coefficients::MAX_ORDER;
use carom_portable::elementary::pow;

/// The steps aim at this share of the tolerance.
const AIM: f64 = 0.5;
/// The same in the start phase, where the error at the next order is not known yet.
const START_AIM: f64 = 0.1;
/// A step is made longer only by this factor and more.
const WORTH_WHILE: f64 = 1.2;
/// At this order and below, the start phase makes steps longer as fast as the error allows. A first step is a guess,
/// most often far too short, and a run may have thousands of them. At higher orders such growth would blow up the
/// rounding errors of the differences: β_i goes as its power i − 1.
const LOW_ORDER: usize = 2;

/// What an attempt of order k has shown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimates {
    /// the order
    pub(super) k: usize,
    /// the error at order k
    pub(super) erk: f64,
    /// at order k − 1; for k ≥ 2
    pub(super) erkm1: f64,
    /// at order k − 2; for k ≥ 3
    pub(super) erkm2: f64,
    /// at order k + 1, where it can be told
    pub(super) erkp1: Option<f64>,
}

/// The order and the step to go on with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) order: usize,
    /// over the step just taken
    pub(super) factor: f64,
    /// the start phase goes on
    pub(super) starting: bool,
}

impl Estimates {
    /// Whether the lower order does as well: the errors do not fall with the order.
    pub(super) fn lower_is_better(&self) -> bool {
        match self.k {
            1 => false,
            2 => self.erkm1 <= 0.5 * self.erk,
            _ => self.erkm1.max(self.erkm2) <= self.erk,
        }
    }

    /// After a good step. In the start phase the order goes up with every step, and the step at least doubles.
    pub(super) fn choose(&self, starting: bool) -> Choice {
        let k = self.k;
        let lower = self.lower_is_better();
        if starting && k < MAX_ORDER {
            let allowed = root(START_AIM / self.erk, k);
            // far below the tolerance the step is what has to grow, not the order
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

/// The factor that brings the error of an order to what it should be: errors go as h^{k+1}.
fn root(ratio: f64, k: usize) -> f64 {
    pow(ratio, 1.0 / (k + 1) as f64)
}

/// Longer if that is worth it, the same, or shorter.
fn factor(k: usize, error: f64) -> f64 {
    match root(AIM / error, k) {
        r if r >= WORTH_WHILE => r.min(most(k, false)),
        r if r >= 1.0 => 1.0,
        r => r.clamp(0.5, 0.9),
    }
}

/// The most a step of order k may be longer than the one before it: farther, and the differences of the past are
/// extrapolated too far.
pub(super) fn most(k: usize, starting: bool) -> f64 {
    if starting && k <= LOW_ORDER { 16.0 } else { 2.0 }
}

/// After a refused step with an error of `err`: half the step, less where the error is out of all proportion.
pub(super) fn shrink(k: usize, err: f64) -> f64 {
    root(AIM / err, k).clamp(0.1, 0.5)
}
