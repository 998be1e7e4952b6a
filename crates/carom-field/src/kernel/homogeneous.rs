//! The case ν > K, without logarithms.
//!
//!   R_ν(b) = K! (ν − K − 1)!/(ν − 1)! · Π x_i^−b_i · h_(ν−K−1)(1/x_i, each b_i times)
//!
//! where h_n is the sum of all products of n of its arguments, with repetition. With a further argument w it becomes
//! h_n + w h⁺_(n−1), where h⁺ includes w. All terms are positive and nothing cancels: the relative error is about 1e-15 for
//! any heights.

use carom_base::Scalar;

use super::simplex::{Averages, FACTORIAL};

/// Computes R(1), R(1 + e_i) or R(1 + e_i + e_j), depending on the order.
#[inline(always)]
pub(super) fn fill<S: Scalar, const N: usize, const ORDER: usize>(
    x: &[S; N],
    nu: usize,
    r: &mut Averages<S, N>,
) {
    let k = N - 1 + ORDER;
    let one = S::from_f64(1.0);
    let mut w = *x;
    for w in &mut w {
        *w = one / *w;
    }
    // h with the arguments w_0 … w_i; with these and w_i; with these and w_i and w_j
    let (mut h, mut first, mut second) = ([one; N], [one; N], [[one; N]; N]);
    for _ in k + 1..nu {
        h[0] *= w[0];
        for i in 1..N {
            h[i] = h[i - 1] + w[i] * h[i];
        }
        for i in 0..N {
            if ORDER >= 1 {
                first[i] = h[N - 1] + w[i] * first[i];
            }
            for j in i..N {
                if ORDER >= 2 {
                    second[i][j] = first[i] + w[j] * second[i][j];
                }
            }
        }
    }
    // (ν − 1)!/(ν − K − 1)! = (ν − 1) … (ν − K)
    let mut divisor = 1.0;
    for j in 1..k + 1 {
        divisor *= (nu - j) as f64;
    }
    let mut product = S::from_f64(FACTORIAL[k] / divisor);
    for &w in &w {
        product *= w;
    }
    match ORDER {
        0 => r.zeroth = product * h[N - 1],
        1 => {
            for i in 0..N {
                r.first[i] = product * w[i] * first[i];
            }
        }
        _ => {
            for i in 0..N {
                for j in i..N {
                    r.second[i][j] = product * w[i] * w[j] * second[i][j];
                    r.second[j][i] = r.second[i][j];
                }
            }
        }
    }
}
