//! Averages of d^−ν along a segment, by powers of the place on it.

use carom_base::{Dual, Scalar};

use crate::kernel::simplex::averages;

/// Averages of d^−ν t^j, j = 0 … order, t from −1 at one end to 1 at the other, with their derivatives by the heights of both ends, which
/// are all they depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment([Dual<2>; 3]);

impl Segment {
    /// Of ends at the heights x0 and x1, both greater than zero; zero beyond the order. Derivatives are left out unless S has some.
    #[inline]
    pub(crate) fn new<S: Scalar>(x0: f64, x1: f64, nu: u32, order: u32) -> Segment {
        match has_derivatives::<S>() {
            true => Segment(powers(Dual::variable(x0, 0), Dual::variable(x1, 1), nu, order)),
            false => Segment(powers(x0, x1, nu, order).map(Dual::from_f64)),
        }
    }

    /// The averages if the heights of the ends change by e0 and e1, whose values are zero but whose derivatives are not.
    #[inline]
    pub(crate) fn moved<S: Scalar>(&self, e0: S, e1: S) -> [S; 3] {
        self.0.map(|f| S::from_f64(f.re) + e0 * S::from_f64(f.eps[0]) + e1 * S::from_f64(f.eps[1]))
    }

    /// By how much they change if both ends change by e.
    #[inline]
    pub(crate) fn change<S: Scalar>(&self, e: S) -> [S; 3] {
        self.0.map(|f| e * S::from_f64(f.eps[0] + f.eps[1]))
    }
}

/// Whether a number carries derivatives.
#[inline(always)]
pub(crate) fn has_derivatives<S: Scalar>() -> bool {
    size_of::<S>() > size_of::<f64>()
}

/// x with the value zero and the same derivatives.
#[inline(always)]
pub(crate) fn derivatives<S: Scalar>(x: S) -> S {
    x - S::from_f64(x.value())
}

#[inline]
fn powers<S: Scalar>(x0: S, x1: S, nu: u32, order: u32) -> [S; 3] {
    let avg = averages(&[x0, x1], nu, order);
    // t = λ1 − λ0
    let [[aa, ab], [_, bb]] = avg.second;
    [avg.zeroth, avg.first[1] - avg.first[0], aa + bb - (ab + ab)]
}
