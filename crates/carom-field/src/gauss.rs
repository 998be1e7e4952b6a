//! Gauss's rule on (−1, 1).

use std::f64::consts::PI;
use std::sync::LazyLock;

/// Rules of these many nodes, each a half more or a third more than the one before.
const COUNTS: [usize; 16] = [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384];

/// The most nodes there are.
pub(crate) const MOST: usize = COUNTS[COUNTS.len() - 1];

/// Nodes and weights.
static RULES: LazyLock<[Vec<(f64, f64)>; 16]> = LazyLock::new(|| COUNTS.map(made));

/// The rule of at least that many nodes, or of the most there are.
pub(crate) fn nodes(count: usize) -> &'static [(f64, f64)] {
    let k = COUNTS.partition_point(|n| *n < count).min(COUNTS.len() - 1);
    &RULES[k]
}

/// Newton's method for the zeros of P_n from their asymptotic places; weights 2/((1 − x²) P_n'²).
fn made(n: usize) -> Vec<(f64, f64)> {
    let node = |i: usize| {
        let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..8 {
            let (mut below, mut p) = (1.0, x);
            for k in 1..n {
                (below, p) = (p, ((2 * k + 1) as f64 * x * p - k as f64 * below) / (k + 1) as f64);
            }
            slope = n as f64 * (x * p - below) / (x * x - 1.0);
            x -= p / slope;
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..n).map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_exact() {
        for n in COUNTS {
            let rule = nodes(n);
            assert_eq!(rule.len(), n);
            for degree in [0, 2, 2 * n - 2] {
                let sum: f64 = rule.iter().map(|(x, w)| w * x.powi(degree as i32)).sum();
                assert!(
                    (sum * (degree + 1) as f64 / 2.0 - 1.0).abs() < 1e-12,
                    "{n} nodes, degree {degree}: {sum}"
                );
            }
        }
    }
}
