//! Gauss's rules on 0 … 1, computed once.

use std::sync::LazyLock;

use crate::kernel::rule::legendre;

/// The available numbers of points, each a half or a third more than the one before.
const COUNTS: [usize; 16] = [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384];

/// Largest number of points.
pub(crate) const MOST: usize = COUNTS[COUNTS.len() - 1];

static RULES: LazyLock<[Vec<(f64, f64)>; 16]> = LazyLock::new(|| COUNTS.map(legendre));

/// Returns points and weights of the smallest rule with at least this many points, or of the largest rule.
pub(crate) fn points(count: usize) -> &'static [(f64, f64)] {
    let k = COUNTS.partition_point(|n| *n < count).min(COUNTS.len() - 1);
    &RULES[k]
}
