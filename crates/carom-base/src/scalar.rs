//! The number type for which surfaces and force laws are written.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::two::{Two, tanh_of_one};
use crate::vector::Vec3;
use carom_portable::elementary::{atan2, cos, exp, ln, pow, sin};

/// A real number, or a real number that carries its derivatives.
///
/// Surface formulas and force laws are written once over this trait: with `f64` they give values, with
/// [`Dual`](crate::Dual) values and exact derivatives. Comparisons use the value alone, so a formula with branches
/// differentiates the branch it takes.
///
/// ```
/// use carom_base::{Dual, Scalar};
/// fn hertz<S: Scalar>(k: f64, delta: S) -> S {
///     S::from_f64(k) * delta * delta.sqrt()
/// }
/// let f = hertz(2.0, Dual::<1>::variable(4.0, 0));
/// assert_eq!(f.re, 16.0);
/// assert_eq!(f.eps[0], 6.0); // dF/d(delta) = 3/2 k sqrt(delta)
/// ```
pub trait Scalar:
    nalgebra::Scalar
    + Copy
    + Debug
    + PartialOrd
    + num_traits::Zero
    + num_traits::One
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
    /// A constant: no derivatives.
    fn from_f64(x: f64) -> Self;
    /// The value without derivatives.
    fn value(self) -> f64;
    /// The same number without derivatives.
    #[inline(always)]
    fn constant(self) -> Self {
        Self::from_f64(self.value())
    }
    /// √x. At zero the derivative of a dual is infinite.
    fn sqrt(self) -> Self;
    /// eˣ.
    fn exp(self) -> Self;
    /// ln x.
    fn ln(self) -> Self;
    /// sin x.
    fn sin(self) -> Self;
    /// cos x.
    fn cos(self) -> Self;
    /// tanh x.
    fn tanh(self) -> Self;
    /// The angle of the vector (x, self), as `f64::atan2`.
    fn atan2(self, x: Self) -> Self;
    /// xᵖ for a constant p and x ≥ 0. For p > 1 value and derivative at zero are zero, never NaN.
    fn powf(self, p: f64) -> Self;
    /// |x|; at zero the derivative is that of +x.
    fn abs(self) -> Self {
        if self.value() < 0.0 { -self } else { self }
    }
    /// The larger of the two values, with its derivatives.
    fn max(self, other: Self) -> Self {
        if other.value() > self.value() { other } else { self }
    }
    /// The smaller of the two values, with its derivatives.
    fn min(self, other: Self) -> Self {
        if other.value() < self.value() { other } else { self }
    }
}

impl Scalar for f64 {
    #[inline(always)]
    fn from_f64(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
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
    fn tanh(self) -> f64 {
        // 1 to rounding; most slipping contacts slip so fast that this saves the computation
        if f64::abs(self) > 20.0 { 1.0_f64.copysign(self) } else { tanh_of_one(self) }
    }
    fn atan2(self, x: f64) -> f64 {
        atan2(self, x)
    }
    #[inline]
    fn powf(self, p: f64) -> f64 {
        // contact laws use 3/2 and 1 almost always; both are fast here, and 1 is exact
        if p == 1.5 {
            self * f64::sqrt(self)
        } else if p == 1.0 {
            self
        } else {
            pow(self, p)
        }
    }
    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }
}

impl Scalar for Two {
    #[inline(always)]
    fn from_f64(x: f64) -> Two {
        Two::splat(x)
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self.lanes()[0]
    }
    #[inline(always)]
    fn constant(self) -> Two {
        self
    }
    #[inline(always)]
    fn sqrt(self) -> Two {
        Two::sqrt(self)
    }
    fn exp(self) -> Two {
        self.each(exp)
    }
    fn ln(self) -> Two {
        self.each(ln)
    }
    fn sin(self) -> Two {
        self.each(sin)
    }
    fn cos(self) -> Two {
        self.each(cos)
    }
    #[inline(always)]
    fn tanh(self) -> Two {
        Two::tanh(self)
    }
    fn atan2(self, x: Two) -> Two {
        let ([a, b], [c, d]) = (self.lanes(), x.lanes());
        Two::new(atan2(a, c), atan2(b, d))
    }
    #[inline(always)]
    fn powf(self, p: f64) -> Two {
        // the same operations as for a single number
        if p == 1.5 { self * self.sqrt() } else { self.each(|x| Scalar::powf(x, p)) }
    }
    #[inline(always)]
    fn abs(self) -> Two {
        Two::abs(self)
    }
    #[inline(always)]
    fn max(self, other: Two) -> Two {
        Two::max(self, other)
    }
    #[inline(always)]
    fn min(self, other: Two) -> Two {
        Two::min(self, other)
    }
}

/// Limits x to [lo, hi]; the bounds are constants.
pub fn clamp<S: Scalar>(x: S, lo: f64, hi: f64) -> S {
    if x.value() < lo {
        S::from_f64(lo)
    } else if x.value() > hi {
        S::from_f64(hi)
    } else {
        x
    }
}

/// Returns |v|. At zero the derivative of a dual is not finite, so callers must check for zero first.
#[inline(always)]
pub fn norm<S: Scalar>(v: &Vec3<S>) -> S {
    v.dot(v).sqrt()
}

/// Returns v/|v| and |v|, or (`fallback`, 0) where v is zero and has no direction.
#[inline]
pub fn unit_or<S: Scalar>(v: &Vec3<S>, fallback: Vec3<f64>) -> (Vec3<S>, S) {
    let length = norm(v);
    if length.value() > 0.0 { (v / length, length) } else { (fallback.map(S::from_f64), S::from_f64(0.0)) }
}
