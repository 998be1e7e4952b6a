//! Averages of d^−ν along a segment, by powers of the place on it.

use carom_base::{Dual, Scalar};

use crate::kernel::simplex::averages;
use crate::sums::has_derivatives;

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

    /// The averages.
    #[inline]
    pub(crate) fn values(&self) -> [f64; 3] {
        self.0.map(|f| f.re)
    }

    /// Their derivatives as both ends rise.
    #[inline]
    pub(crate) fn by_height(&self) -> [f64; 3] {
        self.0.map(|f| f.eps[0] + f.eps[1])
    }

    /// Their derivatives as the end at t = 1 rises and the other falls.
    #[inline]
    pub(crate) fn by_tilt(&self) -> [f64; 3] {
        self.0.map(|f| f.eps[1] - f.eps[0])
    }

    /// The averages if both ends rise by `height` and one rises and the other falls by `tilt`, whose values are zero but whose derivatives
    /// are not.
    pub(crate) fn moved<S: Scalar>(&self, height: S, tilt: S) -> [S; 3] {
        let number = S::from_f64;
        let (value, by_height, by_tilt) = (self.values(), self.by_height(), self.by_tilt());
        std::array::from_fn(|j| number(value[j]) + height * number(by_height[j]) + tilt * number(by_tilt[j]))
    }
}

#[inline]
fn powers<S: Scalar>(x0: S, x1: S, nu: u32, order: u32) -> [S; 3] {
    let avg = averages(&[x0, x1], nu, order);
    // t = λ1 − λ0
    let [[aa, ab], [_, bb]] = avg.second;
    [avg.zeroth, avg.first[1] - avg.first[0], aa + bb - (ab + ab)]
}
