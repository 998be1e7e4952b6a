//! Work with many runs: parameter studies, recipes for the figures of papers, figures of recorded runs, and distance queries
//! line by line.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

pub mod paper;
pub mod plot;
pub mod query;
pub mod sweep;

/// The integral of values over time by the trapezoidal rule; `points`: times and values.
fn trapezoidal(points: &[(f64, f64)]) -> f64 {
    points.windows(2).map(|w| 0.5 * (w[1].0 - w[0].0) * (w[0].1 + w[1].1)).sum()
}
