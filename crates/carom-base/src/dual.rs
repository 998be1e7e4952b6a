//! Dual numbers: values with N first derivatives.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::Scalar;
use carom_portable::elementary::{atan2, cos, exp, ln, sin};

/// A dual number re + Σ epsᵢ εᵢ with εᵢεⱼ = 0: a value and its N partial derivatives.
///
/// ```
/// use carom_base::{Dual, Scalar};
/// let x = Dual::<2>::variable(3.0, 0);
/// let y = Dual::<2>::variable(5.0, 1);
/// let z = x * y + x.sin();
/// assert_eq!(z.re, 15.0 + 3f64.sin());
/// assert_eq!(z.eps, [5.0 + 3f64.cos(), 3.0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dual<const N: usize> {
    /// the value
    pub re: f64,
    /// the partial derivatives
    pub eps: [f64; N],
}

impl<const N: usize> Dual<N> {
    /// Returns the i-th independent variable at the value `re`; an i beyond N gives a constant.
    pub fn variable(re: f64, i: usize) -> Self {
        let mut eps = [0.0; N];
        if let Some(e) = eps.get_mut(i) {
            *e = 1.0;
        }
        Dual { re, eps }
    }

    /// Returns f(self), given f and f' at the value, by the chain rule.
    #[inline]
    pub fn chain(self, f: f64, df: f64) -> Self {
        Dual { re: f, eps: self.eps.map(|e| df * e) }
    }

    /// Returns this function in terms of other variables: `self` is f with its derivatives with respect to N arguments,
    /// and `arguments` are those arguments with their derivatives with respect to M variables. Missing arguments count
    /// as constant.
    ///
    /// ```
    /// use carom_base::Dual;
    /// // f(x, y) = x y at (3, 5), where x = 3 + t, y = 5 + 2 t
    /// let f = Dual::<2>::variable(3.0, 0) * Dual::variable(5.0, 1);
    /// let t = [Dual { re: 3.0, eps: [1.0] }, Dual { re: 5.0, eps: [2.0] }];
    /// assert_eq!(f.compose(&t).eps, [5.0 + 2.0 * 3.0]);
    /// ```
    #[inline]
    pub fn compose<const M: usize>(&self, arguments: &[Dual<M>]) -> Dual<M> {
        let mut eps = [0.0; M];
        for (df, x) in self.eps.iter().zip(arguments) {
            for (e, dx) in eps.iter_mut().zip(&x.eps) {
                *e += df * dx;
            }
        }
        Dual { re: self.re, eps }
    }

    #[inline]
    fn zip(self, o: Self, re: f64, a: f64, b: f64) -> Self {
        let mut eps = [0.0; N];
        for (i, e) in eps.iter_mut().enumerate() {
            *e = a * self.eps[i] + b * o.eps[i];
        }
        Dual { re, eps }
    }
}

// comparisons use the values alone, so branches are taken as with f64
impl<const N: usize> PartialEq for Dual<N> {
    fn eq(&self, o: &Self) -> bool {
        self.re == o.re
    }
}
impl<const N: usize> PartialOrd for Dual<N> {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        self.re.partial_cmp(&o.re)
    }
}

impl<const N: usize> Add for Dual<N> {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        self.zip(o, self.re + o.re, 1.0, 1.0)
    }
}
impl<const N: usize> Sub for Dual<N> {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        self.zip(o, self.re - o.re, 1.0, -1.0)
    }
}
impl<const N: usize> Mul for Dual<N> {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        self.zip(o, self.re * o.re, o.re, self.re)
    }
}
impl<const N: usize> Div for Dual<N> {
    type Output = Self;
    #[inline]
    fn div(self, o: Self) -> Self {
        let q = self.re / o.re;
        self.zip(o, q, 1.0 / o.re, -q / o.re)
    }
}
impl<const N: usize> Neg for Dual<N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.chain(-self.re, -1.0)
    }
}
impl<const N: usize> AddAssign for Dual<N> {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<const N: usize> SubAssign for Dual<N> {
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
impl<const N: usize> MulAssign for Dual<N> {
    fn mul_assign(&mut self, o: Self) {
        *self = *self * o;
    }
}
impl<const N: usize> DivAssign for Dual<N> {
    fn div_assign(&mut self, o: Self) {
        *self = *self / o;
    }
}
impl<const N: usize> num_traits::Zero for Dual<N> {
    fn zero() -> Self {
        Self::from_f64(0.0)
    }
    fn is_zero(&self) -> bool {
        self.re == 0.0 && self.eps.iter().all(|e| *e == 0.0)
    }
}
impl<const N: usize> num_traits::One for Dual<N> {
    fn one() -> Self {
        Self::from_f64(1.0)
    }
}

impl<const N: usize> Scalar for Dual<N> {
    #[inline]
    fn from_f64(x: f64) -> Self {
        Dual { re: x, eps: [0.0; N] }
    }
    #[inline]
    fn value(self) -> f64 {
        self.re
    }
    fn sqrt(self) -> Self {
        let r = self.re.sqrt();
        self.chain(r, 0.5 / r)
    }
    fn exp(self) -> Self {
        let e = exp(self.re);
        self.chain(e, e)
    }
    fn ln(self) -> Self {
        self.chain(ln(self.re), 1.0 / self.re)
    }
    fn sin(self) -> Self {
        self.chain(sin(self.re), cos(self.re))
    }
    fn cos(self) -> Self {
        self.chain(cos(self.re), -sin(self.re))
    }
    fn tanh(self) -> Self {
        let t = Scalar::tanh(self.re);
        self.chain(t, 1.0 - t * t)
    }
    fn atan2(self, x: Self) -> Self {
        let r2 = self.re * self.re + x.re * x.re;
        self.zip(x, atan2(self.re, x.re), x.re / r2, -self.re / r2)
    }
    fn powf(self, p: f64) -> Self {
        if self.re == 0.0 && p > 1.0 {
            return Self::from_f64(0.0);
        }
        let f = Scalar::powf(self.re, p);
        self.chain(f, p * f / self.re)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares every function with a central difference of itself.
    #[test]
    fn derivatives_match_central_differences() {
        type Pair = (fn(f64) -> f64, fn(Dual<1>) -> Dual<1>);
        let functions: [Pair; 9] = [
            (|x| Scalar::sqrt(x), |x| x.sqrt()),
            (|x| Scalar::exp(x), |x| x.exp()),
            (|x| Scalar::ln(x), |x| x.ln()),
            (|x| Scalar::sin(x), |x| x.sin()),
            (|x| Scalar::cos(x), |x| x.cos()),
            (|x| Scalar::tanh(x), |x| x.tanh()),
            (|x| Scalar::powf(x, 1.5), |x| x.powf(1.5)),
            (|x| Scalar::atan2(x, 0.4), |x| x.atan2(Dual::from_f64(0.4))),
            (|x| (1.0 + x) / (2.0 - x * x), |x| (Dual::from_f64(1.0) + x) / (Dual::from_f64(2.0) - x * x)),
        ];
        for (k, (f, d)) in functions.iter().enumerate() {
            let x = 0.7;
            let h = 1e-5;
            let numeric = (f(x + h) - f(x - h)) / (2.0 * h);
            let exact = d(Dual::variable(x, 0));
            assert!((exact.re - f(x)).abs() <= 1e-15 * f(x).abs(), "value of function {k}");
            assert!((exact.eps[0] - numeric).abs() < 1e-9 * numeric.abs(), "slope of function {k}");
        }
    }

    #[test]
    fn a_contact_power_is_flat_at_zero() {
        let f = Dual::<1>::variable(0.0, 0).powf(1.5);
        assert_eq!((f.re, f.eps[0]), (0.0, 0.0));
    }
}
