//! What factors are made of: real or complex numbers.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use num_complex::Complex64;

/// Real or complex numbers.
pub(crate) trait Field:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + From<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A size that is cheap to compute, within a factor of two of the absolute value; for choosing pivots.
    fn size(self) -> f64;
}

impl Field for f64 {
    fn size(self) -> f64 {
        self.abs()
    }
}

impl Field for Complex64 {
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
}
