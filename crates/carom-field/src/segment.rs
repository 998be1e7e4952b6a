//! Averages of d^−ν and its products with powers of the position along a segment.

use carom_base::{Dual, Scalar};

use crate::kernel::simplex::averages;
use crate::sums::has_derivatives;

/// Averages of d^−ν t^j, j = 0 … order, where t goes from −1 at one end to 1 at the other, with their derivatives with respect
/// to the heights of both ends, on which alone they depend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment([Dual<2>; 3]);

impl Segment {
    /// Computes them for ends at the heights x0 and x1, both greater than zero; they are zero beyond the order. Derivatives are
    /// computed only if S carries some.
    #[inline]
    pub(crate) fn new<S: Scalar>(x0: f64, x1: f64, nu: u32, order: u32) -> Segment {
        match has_derivatives::<S>() {
            true => Segment(powers(Dual::variable(x0, 0), Dual::variable(x1, 1), nu, order)),
            false => Segment(powers(x0, x1, nu, order).map(Dual::from_f64)),
        }
    }

    /// Returns the averages.
    #[inline]
    pub(crate) fn values(&self) -> [f64; 3] {
        self.0.map(|f| f.re)
    }

    /// Returns their derivatives with respect to a common rise of both ends.
    #[inline]
    pub(crate) fn by_height(&self) -> [f64; 3] {
        self.0.map(|f| f.eps[0] + f.eps[1])
    }

    /// Returns their derivatives for a rise of the end at t = 1 and an equal fall of the other.
    #[inline]
    pub(crate) fn by_tilt(&self) -> [f64; 3] {
        self.0.map(|f| f.eps[1] - f.eps[0])
    }

    /// Returns the averages if both ends rise by `height`, and the end at t = 1 rises and the other falls by `tilt`. The values
    /// of both arguments are zero, their derivatives are not.
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
