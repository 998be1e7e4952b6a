//! Step-size control: the predictive controller.
//!
//! K. Gustafsson, ACM Trans. Math. Software 20 (1994) 496; Hairer, Wanner, *Solving Ordinary Differential
//! Equations II*, IV.8 (8.21)–(8.25).

use super::newton::MAX_ITERATIONS;
use carom_portable::elementary::pow;

/// The error estimate is proportional to h to this power.
const ERROR_ORDER: f64 = 4.0;
const SAFETY: f64 = 0.9;
/// The least and the largest factor by which a step changes.
const MIN_FACTOR: f64 = 0.2;
const MAX_FACTOR: f64 = 8.0;
/// A step longer by less than this factor is not worth a new factorisation.
const NOT_WORTH_IT: f64 = 1.2;

/// The state of the controller.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Control {
    /// the last committed step and its error
    past: Option<(f64, f64)>,
    /// whether an attempt at the present step was refused
    pub(super) refused: bool,
    /// number of attempts at the present step that diverged
    diverged: u32,
}

carom_portable::plain!(Control { past, refused, diverged });

impl Control {
    /// Returns whether nothing is known of the past.
    pub(super) fn is_first(&self) -> bool {
        self.past.is_none()
    }

    /// Records a committed step and its error.
    pub(super) fn commit(&mut self, h: f64, error: f64) {
        *self = Control { past: Some((h, error.max(1e-2))), refused: false, diverged: 0 };
    }

    /// Returns the factor for the step after one of length `h` with error ≤ 1, which took this many iterations.
    pub(super) fn accepted(&self, h: f64, error: f64, iterations: usize) -> f64 {
        let safety = safety(iterations);
        let error = error.max(1e-10);
        // (8.21)
        let mut factor = safety * pow(error, -1.0 / ERROR_ORDER);
        if let Some((h_old, error_old)) = self.past {
            // (8.25): includes the growth of the error from step to step
            let growing = pow(error_old / error, 1.0 / ERROR_ORDER) * (h / h_old).abs();
            factor = factor.min(factor * growing);
        }
        // the step must not grow directly after a refusal
        factor.clamp(MIN_FACTOR, if self.refused { 1.0 } else { MAX_FACTOR })
    }

    /// Returns the factor for the next attempt after an error > 1.
    pub(super) fn rejected(&mut self, error: f64, iterations: usize) -> f64 {
        self.refused = true;
        let factor = safety(iterations) * pow(error, -1.0 / ERROR_ORDER);
        // a first step was only estimated (as in the code RADAU5)
        factor.clamp(if self.is_first() { 0.1 } else { MIN_FACTOR }, 0.9)
    }

    /// Returns the factor for the next attempt after the iteration diverged.
    pub(super) fn diverged(&mut self) -> f64 {
        self.refused = true;
        self.diverged += 1;
        // if halving does not help soon, a much shorter step is tried
        if self.diverged <= 3 { 0.5 } else { 0.1 }
    }

    /// Returns whether keeping the factors of the present step is better than a step longer by this factor.
    pub(super) fn keeps(factor: f64) -> bool {
        (1.0..=NOT_WORTH_IT).contains(&factor)
    }
}

/// Returns the safety factor; it is smaller after more iterations: IV.8, below (8.21).
fn safety(iterations: usize) -> f64 {
    let most = 2.0 * MAX_ITERATIONS as f64;
    SAFETY * (most + 1.0) / (most + iterations.max(1) as f64)
}
