//! Averages of d^−ν along a segment, by powers of the place on it.

use carom_base::Scalar;

use crate::kernel::simplex::averages;

/// Averages of d^−ν t^j, j = 0 … order, t from −1 at the height x0 to 1 at the height x1, both greater than zero; zero beyond the order.
#[inline]
pub(crate) fn segment<S: Scalar>(x0: S, x1: S, nu: u32, order: u32) -> [S; 3] {
    let avg = averages(&[x0, x1], nu, order);
    // t = λ1 − λ0
    let [[aa, ab], [_, bb]] = avg.second;
    [avg.zeroth, avg.first[1] - avg.first[0], aa + bb - (ab + ab)]
}
