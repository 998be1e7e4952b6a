//! ν > K: no logarithms.
//!
//!   R_ν(b) = K! (ν − K − 1)!/(ν − 1)! · Π x_i^−b_i · h_(ν−K−1)(1/x_i, each b_i times)
//!
//! h_n: the sum of all products of n of its arguments, repetition allowed, which grows by an argument w with a_k += w a_(k−1). Every term
//! is positive and nothing cancels: some 1e-15, whatever the heights.

use carom_base::Scalar;

use super::simplex::{Averages, range};

/// ν − K − 1 is less
const MOST: usize = 30;

/// Σ a_k w^(n−k), the last of the sums that an argument w more makes of a_0 … a_n.
fn last<S: Scalar>(a: &[S], w: S) -> S {
    a.iter().fold(S::from_f64(0.0), |sum, &a| sum * w + a)
}

/// a with an argument w more.
fn more<S: Scalar>(a: &mut [S], w: S) {
    let mut sum = S::from_f64(0.0);
    for a in a {
        sum = sum * w + *a;
        *a = sum;
    }
}

/// R(1), R(1 + e_i) or R(1 + e_i + e_j), by the order.
pub(super) fn fill<S: Scalar, const N: usize>(x: &[S; N], nu: u32, order: u32, r: &mut Averages<S, N>) {
    let k = N as u32 - 1 + order;
    // in units of the least height c: w = c/x ≤ 1, and R has the factor c^−ν
    let (c, _) = range(x);
    let w = x.map(|x| S::from_f64(c) / x);
    let terms = (nu - k) as usize;
    let mut a = [S::from_f64(0.0); MOST];
    a[0] = S::from_f64(1.0);
    let a = &mut a[..terms.min(MOST)];
    for &w in &w {
        more(a, w);
    }
    // K! (ν − K − 1)!/(ν − 1)! = Π j/(ν − j)
    let factor = (1..=k).fold(c.powi(-(nu as i32)), |f, j| f * f64::from(j) / f64::from(nu - j));
    let product = w.iter().fold(S::from_f64(factor), |p, &w| p * w);
    match order {
        0 => r.zeroth = product * a[a.len() - 1],
        1 => {
            for i in 0..N {
                r.first[i] = product * w[i] * last(a, w[i]);
            }
        }
        _ => {
            // arguments are added for good, the j-th last: (1 + e_i + e_j) needs i and j alone
            let plain = &*a;
            for i in 0..N {
                let mut with = [S::from_f64(0.0); MOST];
                let with = &mut with[..plain.len()];
                with.copy_from_slice(plain);
                more(with, w[i]);
                for j in i..N {
                    r.second[i][j] = product * w[i] * w[j] * last(with, w[j]);
                    r.second[j][i] = r.second[i][j];
                }
            }
        }
    }
}
