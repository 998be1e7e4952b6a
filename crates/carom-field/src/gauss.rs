//! Gauss's rules on 0 … 1, made once.

use std::sync::LazyLock;

use crate::kernel::rule::legendre;

/// Rules of these many points, each a half more or a third more than the one before.
const COUNTS: [usize; 16] = [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384];

/// The most points there are.
pub(crate) const MOST: usize = COUNTS[COUNTS.len() - 1];

static RULES: LazyLock<[Vec<(f64, f64)>; 16]> = LazyLock::new(|| COUNTS.map(legendre));

/// Points and weights of the rule of at least that many, or of the most there are.
pub(crate) fn points(count: usize) -> &'static [(f64, f64)] {
    let k = COUNTS.partition_point(|n| *n < count).min(COUNTS.len() - 1);
    &RULES[k]
}
