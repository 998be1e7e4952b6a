//! Curves of work over error, compared at equal accuracy.

use crate::points::Outcome;

/// The errors at which curves are compared.
pub(crate) const ERRORS: [f64; 8] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];

/// The work at which a curve, from coarse to fine, first gets down to an error: straight lines between points, in
/// logarithms. `None` where the curve does not come from above it or does not reach it.
pub(crate) fn work_at(curve: &[(f64, f64)], error: f64) -> Option<f64> {
    let log = |v: f64| v.max(1e-18).log10();
    let wanted = log(error);
    for pair in curve.windows(2) {
        let ((e0, w0), (e1, w1)) = (pair[0], pair[1]);
        let (a, b) = (log(e0), log(e1));
        if a >= wanted && b <= wanted && a > b {
            let share = (a - wanted) / (a - b);
            return Some(10f64.powf(log(w0) + share * (log(w1) - log(w0))));
        }
    }
    None
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    Evaluations,
    Cpu,
    CpuPerStep,
}

impl Cost {
    fn of(self, o: &Outcome) -> f64 {
        match self {
            Cost::Evaluations => o.evaluations as f64,
            Cost::Cpu => o.cpu,
            Cost::CpuPerStep => o.cpu / o.steps.max(1) as f64,
        }
    }
}

/// The ratios a / b of a cost at all errors that both curves reach, from the smallest to the largest.
pub(crate) fn ratios(a: &[(f64, &Outcome)], b: &[(f64, &Outcome)], cost: Cost) -> Vec<f64> {
    let curve = |points: &[(f64, &Outcome)]| -> Vec<(f64, f64)> {
        points.iter().map(|(_, o)| (o.error, cost.of(o))).collect()
    };
    let (a, b) = (curve(a), curve(b));
    let ratio = |error: &f64| Some(work_at(&a, *error)? / work_at(&b, *error)?);
    let mut all: Vec<f64> = ERRORS.iter().filter_map(ratio).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// The middle of sorted values, and the last.
pub(crate) fn median_and_worst(sorted: &[f64]) -> Option<(f64, f64)> {
    let (n, worst) = (sorted.len(), sorted.last()?);
    let median = if n % 2 == 1 { sorted[n / 2] } else { (sorted[n / 2 - 1] * sorted[n / 2]).sqrt() };
    Some((median, *worst))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use super::*;

    #[test]
    fn between_points_lines_are_straight() {
        let curve = [(1e-2, 10.0), (1e-4, 1000.0), (1e-6, 1e5)];
        assert!((work_at(&curve, 1e-3).unwrap() - 100.0).abs() < 1e-9);
        assert!((work_at(&curve, 1e-5).unwrap() - 1e4).abs() < 1e-6);
        assert_eq!(work_at(&curve, 1e-1), None);
        assert_eq!(work_at(&curve, 1e-7), None);
    }

    #[test]
    fn medians_are_geometric() {
        assert_eq!(median_and_worst(&[]), None);
        assert_eq!(median_and_worst(&[1.0, 4.0]), Some((2.0, 4.0)));
        assert_eq!(median_and_worst(&[1.0, 2.0, 7.0]), Some((2.0, 7.0)));
    }
}
