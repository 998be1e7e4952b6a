//! Numbers with their first and second time derivatives.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::{Arithmetic, Range, Scalar, Sign};

/// A number that changes in time, with its first and second derivative. A jet of ranges holds bounds on all three.
///
/// ```
/// use carom_base::{Arithmetic, Jet, Range};
/// let t = Jet::time(2.0);
/// let x = t * t * t;
/// assert_eq!((x.value, x.rate, x.second), (8.0, 12.0, 12.0));
/// let t = Jet::time(Range::new(0.0, 3.0));
/// let x = t.sin();
/// assert!(x.rate.contains(3f64.cos()) && x.second.magnitude() < 1.0 + 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet<N = f64> {
    /// x
    pub value: N,
    /// ẋ
    pub rate: N,
    /// ẍ
    pub second: N,
}

impl<N: Arithmetic> Jet<N> {
    /// Returns the time itself as a jet: its rate is 1.
    pub fn time(t: N) -> Jet<N> {
        Jet { value: t, rate: N::constant(1.0), second: N::constant(0.0) }
    }

    /// Returns f(x), given f, f' and f'' at the value, by the chain rule: d²f/dt² = f'' ẋ² + f' ẍ.
    fn chain(self, f: N, df: N, ddf: N) -> Jet<N> {
        Jet { value: f, rate: df * self.rate, second: ddf * self.rate.square() + df * self.second }
    }

    /// Returns c xⁿ, which is 0 if c is 0: at x = 0 the power alone may be infinite.
    fn term(c: f64, x: N, n: f64) -> N {
        if c == 0.0 { N::constant(0.0) } else { N::constant(c) * x.power(N::constant(n)) }
    }

    fn is_constant(self) -> bool {
        self.rate.single() == Some(0.0) && self.second.single() == Some(0.0)
    }

    /// Returns 1/√(1 − x²), the derivative of arcsin x.
    fn arc_rate(self) -> N {
        N::constant(1.0) / (N::constant(1.0) - self.value.square()).sqrt()
    }

    /// Returns a jet with this value, and with the derivatives of `a` or `b` according to a sign.
    fn pick(sign: N, value: N, a: Jet<N>, b: Jet<N>) -> Jet<N> {
        Jet { value, rate: sign.choose(a.rate, b.rate), second: sign.choose(a.second, b.second) }
    }
}

impl Jet<Range> {
    /// Returns the smallest ranges that contain both jets.
    pub fn hull(self, o: Jet<Range>) -> Jet<Range> {
        Jet {
            value: self.value.hull(o.value),
            rate: self.rate.hull(o.rate),
            second: self.second.hull(o.second),
        }
    }
}

impl<N: Arithmetic> Add for Jet<N> {
    type Output = Jet<N>;
    fn add(self, o: Jet<N>) -> Jet<N> {
        Jet { value: self.value + o.value, rate: self.rate + o.rate, second: self.second + o.second }
    }
}

impl<N: Arithmetic> Sub for Jet<N> {
    type Output = Jet<N>;
    fn sub(self, o: Jet<N>) -> Jet<N> {
        Jet { value: self.value - o.value, rate: self.rate - o.rate, second: self.second - o.second }
    }
}

impl<N: Arithmetic> Mul for Jet<N> {
    type Output = Jet<N>;
    fn mul(self, o: Jet<N>) -> Jet<N> {
        Jet {
            value: self.value * o.value,
            rate: self.rate * o.value + self.value * o.rate,
            second: self.second * o.value + N::constant(2.0) * self.rate * o.rate + self.value * o.second,
        }
    }
}

impl<N: Arithmetic> Div for Jet<N> {
    type Output = Jet<N>;
    fn div(self, o: Jet<N>) -> Jet<N> {
        // from q o = x follow q̇ o + q ȯ = ẋ, and the equation for the second derivative
        let q = self.value / o.value;
        let rate = (self.rate - q * o.rate) / o.value;
        let second = (self.second - N::constant(2.0) * rate * o.rate - q * o.second) / o.value;
        Jet { value: q, rate, second }
    }
}

impl<N: Arithmetic> Neg for Jet<N> {
    type Output = Jet<N>;
    fn neg(self) -> Jet<N> {
        Jet { value: -self.value, rate: -self.rate, second: -self.second }
    }
}

impl AddAssign for Jet {
    fn add_assign(&mut self, o: Jet) {
        *self = *self + o;
    }
}
impl SubAssign for Jet {
    fn sub_assign(&mut self, o: Jet) {
        *self = *self - o;
    }
}
impl MulAssign for Jet {
    fn mul_assign(&mut self, o: Jet) {
        *self = *self * o;
    }
}
impl DivAssign for Jet {
    fn div_assign(&mut self, o: Jet) {
        *self = *self / o;
    }
}
// comparisons use the values alone, so branches are taken as with f64
impl PartialOrd for Jet {
    fn partial_cmp(&self, o: &Jet) -> Option<Ordering> {
        self.value.partial_cmp(&o.value)
    }
}
impl num_traits::Zero for Jet {
    fn zero() -> Jet {
        Scalar::from_f64(0.0)
    }
    fn is_zero(&self) -> bool {
        *self == Jet::zero()
    }
}
impl num_traits::One for Jet {
    fn one() -> Jet {
        Scalar::from_f64(1.0)
    }
}

/// Formulas over [`Scalar`] give their second derivatives as well.
///
/// ```
/// use carom_base::{Jet, Scalar};
/// let x = Jet::time(4.0);
/// let f = Scalar::powf(x, 1.5);
/// assert_eq!((f.value, f.rate, f.second), (8.0, 3.0, 0.375));
/// ```
impl Scalar for Jet {
    fn from_f64(x: f64) -> Jet {
        Arithmetic::constant(x)
    }
    fn value(self) -> f64 {
        self.value
    }
    fn sqrt(self) -> Jet {
        let r = self.value.sqrt();
        self.chain(r, 0.5 / r, -0.25 / (r * self.value))
    }
    fn exp(self) -> Jet {
        let e = Scalar::exp(self.value);
        self.chain(e, e, e)
    }
    fn ln(self) -> Jet {
        let inverse = 1.0 / self.value;
        self.chain(Scalar::ln(self.value), inverse, -inverse * inverse)
    }
    fn sin(self) -> Jet {
        let (sin, cos) = (Scalar::sin(self.value), Scalar::cos(self.value));
        self.chain(sin, cos, -sin)
    }
    fn cos(self) -> Jet {
        let (sin, cos) = (Scalar::sin(self.value), Scalar::cos(self.value));
        self.chain(cos, -sin, -cos)
    }
    fn tanh(self) -> Jet {
        let t = Scalar::tanh(self.value);
        let slope = 1.0 - t * t;
        self.chain(t, slope, -2.0 * t * slope)
    }
    fn atan2(self, x: Jet) -> Jet {
        // the rate is (x ẏ − y ẋ)/r², and its rate follows
        let square = x.value * x.value + self.value * self.value;
        let rate = (x.value * self.rate - self.value * x.rate) / square;
        let turning = x.value * self.second - self.value * x.second;
        let along = x.value * x.rate + self.value * self.rate;
        Jet {
            value: Scalar::atan2(self.value, x.value),
            rate,
            second: (turning - 2.0 * rate * along) / square,
        }
    }
    fn powf(self, p: f64) -> Jet {
        if self.value == 0.0 && p > 1.0 {
            return Scalar::from_f64(0.0);
        }
        let f = Scalar::powf(self.value, p);
        let slope = p * f / self.value;
        self.chain(f, slope, (p - 1.0) * slope / self.value)
    }
}

impl<N: Arithmetic> Arithmetic for Jet<N> {
    fn constant(x: f64) -> Jet<N> {
        let zero = N::constant(0.0);
        Jet { value: N::constant(x), rate: zero, second: zero }
    }
    fn single(self) -> Option<f64> {
        self.value.single().filter(|_| self.is_constant())
    }
    fn choose(self, a: Jet<N>, b: Jet<N>) -> Jet<N> {
        Jet::pick(self.value, self.value.choose(a.value, b.value), a, b)
    }
    fn sign(self) -> Sign {
        self.value.sign()
    }
    fn either(self, o: Jet<N>) -> Jet<N> {
        Jet {
            value: self.value.either(o.value),
            rate: self.rate.either(o.rate),
            second: self.second.either(o.second),
        }
    }
    fn between(self, lo: f64, hi: f64) -> Jet<N> {
        Jet { value: self.value.between(lo, hi), ..self }
    }
    fn cubic(self, c: [f64; 4]) -> Jet<N> {
        let x = self.value;
        let (df, ddf) = ([c[1], 2.0 * c[2], 3.0 * c[3], 0.0], [2.0 * c[2], 6.0 * c[3], 0.0, 0.0]);
        self.chain(x.cubic(c), x.cubic(df), x.cubic(ddf))
    }
    fn power(self, p: Jet<N>) -> Jet<N> {
        let x = self.value;
        let value = x.power(p.value);
        match p.single() {
            Some(n) => self.chain(value, Jet::term(n, x, n - 1.0), Jet::term(n * (n - 1.0), x, n - 2.0)),
            // xᵖ = exp(p ln x)
            None => (p * self.ln()).chain(value, value, value),
        }
    }
    fn sqrt(self) -> Jet<N> {
        let root = self.value.sqrt();
        let df = N::constant(0.5) / root;
        self.chain(root, df, -(N::constant(0.5) * df / self.value))
    }
    fn abs(self) -> Jet<N> {
        Jet::pick(self.value, self.value.abs(), self, -self)
    }
    fn exp(self) -> Jet<N> {
        let e = self.value.exp();
        self.chain(e, e, e)
    }
    fn ln(self) -> Jet<N> {
        let df = N::constant(1.0) / self.value;
        self.chain(self.value.ln(), df, -df.square())
    }
    fn sin(self) -> Jet<N> {
        let (s, c) = (self.value.sin(), self.value.cos());
        self.chain(s, c, -s)
    }
    fn cos(self) -> Jet<N> {
        let (s, c) = (self.value.sin(), self.value.cos());
        self.chain(c, -s, -c)
    }
    fn tan(self) -> Jet<N> {
        let tan = self.value.tan();
        let df = N::constant(1.0) + tan.square();
        self.chain(tan, df, N::constant(2.0) * tan * df)
    }
    fn atan2(self, x: Jet<N>) -> Jet<N> {
        // φ̇ = (x ẏ − y ẋ)/r², and its time derivative
        let (y, two) = (self, N::constant(2.0));
        let r_2 = x.value.square() + y.value.square();
        let rate = (x.value * y.rate - y.value * x.rate) / r_2;
        let stretch = two * (x.value * x.rate + y.value * y.rate) / r_2;
        let second = (x.value * y.second - y.value * x.second) / r_2 - rate * stretch;
        Jet { value: y.value.atan2(x.value), rate, second }
    }
    fn asin(self) -> Jet<N> {
        let df = self.arc_rate();
        self.chain(self.value.asin(), df, self.value * df * df.square())
    }
    fn acos(self) -> Jet<N> {
        let df = self.arc_rate();
        self.chain(self.value.acos(), -df, -(self.value * df * df.square()))
    }
    fn atan(self) -> Jet<N> {
        let df = N::constant(1.0) / (N::constant(1.0) + self.value.square());
        self.chain(self.value.atan(), df, N::constant(-2.0) * self.value * df.square())
    }
    fn sinh(self) -> Jet<N> {
        let (s, c) = (self.value.sinh(), self.value.cosh());
        self.chain(s, c, s)
    }
    fn cosh(self) -> Jet<N> {
        let (s, c) = (self.value.sinh(), self.value.cosh());
        self.chain(c, s, c)
    }
    fn tanh(self) -> Jet<N> {
        let tanh = self.value.tanh();
        let df = N::constant(1.0) - tanh.square();
        self.chain(tanh, df, N::constant(-2.0) * tanh * df)
    }
    fn log10(self) -> Jet<N> {
        let df = N::constant(1.0) / (N::constant(std::f64::consts::LN_10) * self.value);
        self.chain(self.value.log10(), df, -df / self.value)
    }
    fn hypot(self, y: Jet<N>) -> Jet<N> {
        // from r² = x² + y² follow r ṙ = x ẋ + y ẏ, and the equation for the second derivative
        let (x, r) = (self, self.value.hypot(y.value));
        let rate = (x.value * x.rate + y.value * y.rate) / r;
        let squares = x.rate.square() + y.rate.square() - rate.square();
        Jet { value: r, rate, second: (squares + x.value * x.second + y.value * y.second) / r }
    }
    fn floor(self) -> Jet<N> {
        let zero = N::constant(0.0);
        Jet { value: self.value.floor(), rate: zero, second: zero }
    }
    fn min(self, o: Jet<N>) -> Jet<N> {
        Jet::pick(o.value - self.value, self.value.min(o.value), self, o)
    }
    fn max(self, o: Jet<N>) -> Jet<N> {
        Jet::pick(self.value - o.value, self.value.max(o.value), self, o)
    }
}
