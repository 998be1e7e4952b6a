//! Which order and which step come next.
//!
//! Shampine, Gordon, *Computer Solution of Ordinary Differential Equations* (1975), chapter 7. Errors are in units of
//! the tolerance. They are those of a constant step of the length just taken, at the orders k − 2 to k + 1.

use super::coefficients::MAX_ORDER;

/// The steps aim at this share of the tolerance.
const AIM: f64 = 0.5;

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

    /// After a good step. In the start phase the order goes up and the step doubles with every step.
    pub(super) fn choose(&self, starting: bool) -> Choice {
        let k = self.k;
        let lower = self.lower_is_better();
        if starting && !lower && k < MAX_ORDER {
            return Choice { order: k + 1, factor: 2.0, starting: true };
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

/// Double the step, keep it, or shorten it a little.
fn factor(order: usize, error: f64) -> f64 {
    let power = order as i32 + 1;
    if error * 2f64.powi(power) <= AIM {
        2.0
    } else if error <= AIM {
        1.0
    } else {
        (AIM / error).powf(1.0 / power as f64).clamp(0.5, 0.9)
    }
}

/// After a refused step with an error of `err`: half the step, less where the error is out of all proportion.
pub(super) fn shrink(k: usize, err: f64) -> f64 {
    (AIM / err).powf(1.0 / (k + 1) as f64).clamp(0.1, 0.5)
}
