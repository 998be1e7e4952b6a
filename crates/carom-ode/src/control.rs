//! Step-size control: a PI controller.
//!
//! Hairer, Wanner, *Solving Ordinary Differential Equations II*, IV.2, as in the codes DOPRI5 and DOP853: h ← h ·
//! safety · err^(−α) · err_old^β, with α = 1/q − 0.75 β. With β = 0 this is the standard (integral) controller.

use carom_portable::elementary::{exp, ln, pow};

/// The controller: its constants for a method, and the last error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Control {
    /// 1/q − 0.75 β
    alpha: f64,
    beta: f64,
    min_factor: f64,
    max_factor: f64,
    /// ln err_old
    ln_old: f64,
    rejected: bool,
}

carom_portable::carried!(Control { ln_old, rejected } scratch { alpha, beta, min_factor, max_factor });

const SAFETY: f64 = 0.9;
/// ln 1e-4: smaller errors are stored as 1e-4.
const LN_LEAST: f64 = -4.0 * std::f64::consts::LN_10;

impl Control {
    pub(crate) fn new(error_order: usize, beta: f64, min_factor: f64, max_factor: f64) -> Control {
        let alpha = 1.0 / error_order as f64 - 0.75 * beta;
        Control { alpha, beta, min_factor, max_factor, ln_old: LN_LEAST, rejected: false }
    }

    /// Forgets the earlier errors, which say nothing about the motion after a restart.
    pub(crate) fn restart(&mut self) {
        self.ln_old = LN_LEAST;
        self.rejected = false;
    }

    /// Returns the factor for the length of the next step, after a step accepted with error `err` ≤ 1.
    pub(crate) fn accepted(&mut self, err: f64) -> f64 {
        let err = err.max(1e-16);
        let wish = if self.beta == 0.0 {
            SAFETY * pow(err, -self.alpha)
        } else {
            // one logarithm and one exponential take half the time of two powers, which is noticeable in a short step
            let ln_err = ln(err);
            let ln_old = std::mem::replace(&mut self.ln_old, ln_err.max(LN_LEAST));
            SAFETY * exp(self.beta * ln_old - self.alpha * ln_err)
        };
        // the step must not grow directly after a rejection
        let most = if self.rejected { 1.0 } else { self.max_factor };
        self.rejected = false;
        wish.clamp(self.min_factor, most)
    }

    /// Returns the factor for the length of the next attempt, after an error `err` > 1.
    pub(crate) fn rejected(&mut self, err: f64) -> f64 {
        self.rejected = true;
        (SAFETY * pow(err, -self.alpha)).clamp(self.min_factor, 1.0)
    }
}
