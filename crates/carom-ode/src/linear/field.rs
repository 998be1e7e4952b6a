//! The numbers of which matrices are made: real or complex.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use carom_portable::snapshot::Plain;
use num_complex::Complex64;

/// Real or complex numbers.
pub(crate) trait Field:
    Copy
    + 'static
    + Debug
    + Default
    + PartialEq
    + Plain
    + Send
    + From<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Returns a size that is cheap to compute, within a factor of two of the absolute value; for choosing pivots.
    fn size(self) -> f64;

    /// Returns 1 / self, for all numbers whose inverse can be represented; for zero the result is not finite.
    fn inverse(self) -> Self;
}

impl Field for f64 {
    #[inline]
    fn size(self) -> f64 {
        self.abs()
    }

    #[inline]
    fn inverse(self) -> f64 {
        1.0 / self
    }
}

impl Field for Complex64 {
    #[inline]
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }

    #[inline]
    fn inverse(self) -> Complex64 {
        let square = self.re * self.re + self.im * self.im;
        if 1e-280 < square && square < 1e280 {
            let over = 1.0 / square;
            return Complex64::new(self.re * over, -self.im * over);
        }
        // scaled, because the square may be too large or too small to be represented
        let scale = 1.0 / self.size();
        let (re, im) = (self.re * scale, self.im * scale);
        let over = scale / (re * re + im * im);
        Complex64::new(re * over, -im * over)
    }
}
