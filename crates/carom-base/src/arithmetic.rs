//! The arithmetic that expressions need.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::units::Dimension;
use carom_portable::elementary::{
    acos, asin, atan, atan2, cos, cosh, exp, hypot, ln, log10, pow, sin, sinh, tan, tanh,
};

/// The sign of a number, as far as it is known: it selects the branch of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// less than zero
    Negative,
    /// zero or greater
    Positive,
    /// negative for some of the numbers in a range, and positive for others
    Either,
    /// not a number
    Undefined,
}

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
    /// A constant with a unit, in SI units.
    fn measured(x: f64, dimension: Dimension) -> Self {
        let _ = dimension;
        Self::constant(x)
    }
    /// Returns the value if it is a constant and a single number.
    fn single(self) -> Option<f64>;
    /// Returns `a` where this is zero or greater, `b` where it is less.
    fn choose(self, a: Self, b: Self) -> Self;
    /// Returns the sign.
    fn sign(self) -> Sign;
    /// Returns what is known of a number that is one of the two: bounds that contain both.
    fn either(self, o: Self) -> Self;
    /// Returns the part of a range that is between two numbers. A number stays what it is.
    fn between(self, lo: f64, hi: f64) -> Self;
    /// c₀ + c₁ x + c₂ x² + c₃ x³. A polynomial in one operation has tighter bounds than its terms.
    fn cubic(self, c: [f64; 4]) -> Self {
        let degree = c.iter().rposition(|c| *c != 0.0).unwrap_or(0);
        c[..degree].iter().rev().fold(Self::constant(c[degree]), |sum, c| Self::constant(*c) + self * sum)
    }
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
    /// arcsin x [rad].
    fn asin(self) -> Self;
    /// arccos x [rad].
    fn acos(self) -> Self;
    /// arctan x [rad].
    fn atan(self) -> Self;
    /// sinh x.
    fn sinh(self) -> Self;
    /// cosh x.
    fn cosh(self) -> Self;
    /// tanh x.
    fn tanh(self) -> Self;
    /// The logarithm to base 10.
    fn log10(self) -> Self;
    /// √(x² + y²).
    fn hypot(self, y: Self) -> Self;
    /// The largest whole number that is not greater than x.
    fn floor(self) -> Self;
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
    fn sign(self) -> Sign {
        if self >= 0.0 {
            Sign::Positive
        } else if self < 0.0 {
            Sign::Negative
        } else {
            Sign::Undefined
        }
    }
    fn either(self, o: f64) -> f64 {
        if self == o { self } else { f64::NAN }
    }
    fn between(self, _: f64, _: f64) -> f64 {
        self
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
    fn asin(self) -> f64 {
        asin(self)
    }
    fn acos(self) -> f64 {
        acos(self)
    }
    fn atan(self) -> f64 {
        atan(self)
    }
    fn sinh(self) -> f64 {
        sinh(self)
    }
    fn cosh(self) -> f64 {
        cosh(self)
    }
    fn tanh(self) -> f64 {
        tanh(self)
    }
    fn log10(self) -> f64 {
        log10(self)
    }
    fn hypot(self, y: f64) -> f64 {
        hypot(self, y)
    }
    fn floor(self) -> f64 {
        f64::floor(self)
    }
    fn min(self, o: f64) -> f64 {
        f64::min(self, o)
    }
    fn max(self, o: f64) -> f64 {
        f64::max(self, o)
    }
}
