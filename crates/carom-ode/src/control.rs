//! How long the next step should be: a PI controller.
//!
//! Hairer, Wanner, *Solving Ordinary Differential Equations II*, IV.2, as in the codes DOPRI5 and
//! DOP853: h ← h · safety · err^(−α) · err_old^β, with α = 1/q − 0.75 β; β = 0 is plain control.

/// A method's constants for the controller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Control {
    /// 1/q − 0.75 β
    alpha: f64,
    beta: f64,
    min_factor: f64,
    max_factor: f64,
    err_old: f64,
    rejected: bool,
}

const SAFETY: f64 = 0.9;

impl Control {
    pub(crate) fn new(error_order: usize, beta: f64, min_factor: f64, max_factor: f64) -> Control {
        let alpha = 1.0 / error_order as f64 - 0.75 * beta;
        Control { alpha, beta, min_factor, max_factor, err_old: 1e-4, rejected: false }
    }

    /// After a restart nothing is known of earlier errors.
    pub(crate) fn restart(&mut self) {
        self.err_old = 1e-4;
        self.rejected = false;
    }

    /// The factor for the next step after one accepted with error `err` ≤ 1.
    pub(crate) fn accepted(&mut self, err: f64) -> f64 {
        let memory = if self.beta > 0.0 { self.err_old.powf(self.beta) } else { 1.0 };
        let wish = SAFETY * err.max(1e-16).powf(-self.alpha) * memory;
        // right after a rejection the step must not grow again at once
        let most = if self.rejected { 1.0 } else { self.max_factor };
        self.err_old = err.max(1e-4);
        self.rejected = false;
        wish.clamp(self.min_factor, most)
    }

    /// The factor for another try after an error `err` > 1.
    pub(crate) fn rejected(&mut self, err: f64) -> f64 {
        self.rejected = true;
        (SAFETY * err.powf(-self.alpha)).clamp(self.min_factor, 1.0)
    }
}
