//! Integrals over time of what was recorded.

/// The integral of values over time by the trapezoidal rule; `points`: times and values.
pub(crate) fn trapezoidal(points: &[(f64, f64)]) -> f64 {
    points.windows(2).map(|w| 0.5 * (w[1].0 - w[0].0) * (w[0].1 + w[1].1)).sum()
}
