//! The arithmetic that expressions need.

use std::ops::{Add, Div, Mul, Neg, Sub};

use carom_portable::elementary::{atan2, cos, exp, ln, pow, sin, tan};

/// A number with which an [`Expression`](crate::expression::Expression) can be evaluated: `f64`, a
/// [`Range`](crate::Range) that contains the value, a [`Jet`](crate::Jet) with its time derivatives, or a jet of
/// ranges.
///
/// A [`Scalar`](crate::Scalar), for which force laws and surfaces are written, can be compared with another. Two ranges
/// cannot always be compared: here a comparison is [`choose`](Arithmetic::choose), whose result contains both cases if
/// necessary.
pub trait Arithmetic:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A constant.
    fn constant(x: f64) -> Self;
    /// Returns the value if it is a constant and a single number.
    fn single(self) -> Option<f64>;
    /// Returns `a` where this is zero or greater, `b` where it is less.
    fn choose(self, a: Self, b: Self) -> Self;
    /// xᵖ.
    fn power(self, p: Self) -> Self;
    /// x².
    fn square(self) -> Self {
        self * self
    }
    /// √x.
    fn sqrt(self) -> Self;
    /// |x|.
    fn abs(self) -> Self;
    /// eˣ.
    fn exp(self) -> Self;
    /// ln x.
    fn ln(self) -> Self;
    /// sin x.
    fn sin(self) -> Self;
    /// cos x.
    fn cos(self) -> Self;
    /// tan x.
    fn tan(self) -> Self;
    /// The angle of the vector (x, self) [rad].
    fn atan2(self, x: Self) -> Self;
    /// The smaller of the two.
    fn min(self, o: Self) -> Self;
    /// The larger of the two.
    fn max(self, o: Self) -> Self;
}

impl Arithmetic for f64 {
    fn constant(x: f64) -> f64 {
        x
    }
    fn single(self) -> Option<f64> {
        Some(self)
    }
    fn choose(self, a: f64, b: f64) -> f64 {
        if self >= 0.0 { a } else { b }
    }
    fn power(self, p: f64) -> f64 {
        pow(self, p)
    }
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    fn abs(self) -> f64 {
        f64::abs(self)
    }
    fn exp(self) -> f64 {
        exp(self)
    }
    fn ln(self) -> f64 {
        ln(self)
    }
    fn sin(self) -> f64 {
        sin(self)
    }
    fn cos(self) -> f64 {
        cos(self)
    }
    fn tan(self) -> f64 {
        tan(self)
    }
    fn atan2(self, x: f64) -> f64 {
        atan2(self, x)
    }
    fn min(self, o: f64) -> f64 {
        f64::min(self, o)
    }
    fn max(self, o: f64) -> f64 {
        f64::max(self, o)
    }
}
