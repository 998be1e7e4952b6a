//! Sums over nodes of powers of the position, and the sums that their derivatives need, so that the loop over nodes uses plain
//! numbers for any type of [`Scalar`].

use carom_base::{Mat3, Scalar, Vec3};

use crate::piece::Moments;

/// 1, x, y, z, xx, xy, xz, yy, yz, zz, each times a weight.
pub(crate) type Powers = [f64; 10];

/// Sums of powers, and their derivatives with respect to N variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums<const N: usize> {
    pub values: Powers,
    pub by: [Powers; N],
}

impl<const N: usize> Sums<N> {
    pub(crate) const ZERO: Sums<N> = Sums { values: [0.0; 10], by: [[0.0; 10]; N] };

    pub(crate) fn add(&mut self, other: &Sums<N>) {
        add(&mut self.values, 1.0, &other.values);
        self.by.iter_mut().zip(&other.by).for_each(|(sum, p)| add(sum, 1.0, p));
    }

    /// Returns the moments, for variables with these derivatives (and the value zero).
    pub(crate) fn moments<S: Scalar>(&self, variables: &[S; N]) -> Moments<S> {
        let mut p = self.values.map(S::from_f64);
        if has_derivatives::<S>() {
            for (variable, sums) in variables.iter().zip(&self.by) {
                p.iter_mut().zip(sums).for_each(|(p, sum)| *p += *variable * S::from_f64(*sum));
            }
        }
        let [i0, x, y, z, xx, xy, xz, yy, yz, zz] = p;
        Moments { i0, i1: Vec3::new(x, y, z), i2: Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz) }
    }
}

#[inline(always)]
pub(crate) fn add(sum: &mut Powers, weight: f64, p: &Powers) {
    sum.iter_mut().zip(p).for_each(|(sum, p)| *sum += weight * p);
}

/// Returns whether a number carries derivatives.
#[inline(always)]
pub(crate) fn has_derivatives<S: Scalar>() -> bool {
    size_of::<S>() > size_of::<f64>()
}

/// Returns x with the value zero and the same derivatives.
#[inline(always)]
pub(crate) fn derivatives<S: Scalar>(x: S) -> S {
    x - S::from_f64(x.value())
}
