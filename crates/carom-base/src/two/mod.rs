//! Two numbers processed at once.
//!
//! Operations on many contact points are done for two of them in the time of one: processors of every kind of the last
//! twenty years add and multiply numbers in pairs. Each lane has the same bits as a single number would.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::vector::Vec3;

mod raw;

/// Two numbers, each in its lane.
///
/// It is a [`Scalar`](crate::Scalar) for formulas without branches: a comparison has only one result for both lanes,
/// and [`value`](crate::Scalar::value) is that of the first lane. `max`, `min` and `abs` work lane by lane.
///
/// ```
/// use carom_base::{Scalar, Two};
/// let x = Two::new(4.0, 9.0);
/// assert_eq!((x * x.sqrt()).lanes(), [8.0, 27.0]);
/// assert_eq!(Two::new(-1.0, 2.0).max(Two::splat(0.0)).lanes(), [0.0, 2.0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Two(raw::Raw);

impl Two {
    /// Zero in both lanes.
    pub const ZERO: Two = Two(raw::ZERO);

    /// Creates a pair from the numbers of the two lanes.
    #[inline(always)]
    pub fn new(a: f64, b: f64) -> Two {
        Two(raw::new([a, b]))
    }

    /// Returns the same number in both lanes.
    #[inline(always)]
    pub fn splat(x: f64) -> Two {
        Two::new(x, x)
    }

    /// Returns a vector that is the same in both lanes.
    #[inline(always)]
    pub fn both(v: &Vec3) -> Vec3<Two> {
        v.map(Two::splat)
    }

    /// Returns a pair of vectors, one for each lane.
    #[inline(always)]
    pub fn vector(a: &Vec3, b: &Vec3) -> Vec3<Two> {
        Vec3::new(Two::new(a.x, b.x), Two::new(a.y, b.y), Two::new(a.z, b.z))
    }

    /// Returns the pair with the second lane replaced.
    #[inline(always)]
    pub fn and(self, second: f64) -> Two {
        Two::new(self.lanes()[0], second)
    }

    /// Returns the numbers of the two lanes.
    #[inline(always)]
    pub fn lanes(self) -> [f64; 2] {
        raw::lanes(self.0)
    }

    /// Returns the sum of both lanes.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        let [a, b] = self.lanes();
        a + b
    }

    /// Returns, in each lane, this number where `of` is positive, else zero.
    #[inline(always)]
    pub fn where_positive(self, of: Two) -> Two {
        Two(raw::where_positive(self.0, of.0))
    }

    /// √x in each lane.
    #[inline(always)]
    pub fn sqrt(self) -> Two {
        Two(raw::sqrt(self.0))
    }

    /// tanh x in each lane.
    #[inline(always)]
    pub fn tanh(self) -> Two {
        tanh(self)
    }

    /// |x| in each lane.
    #[inline(always)]
    pub fn abs(self) -> Two {
        Two(raw::without(self.0, Two::splat(-0.0).0))
    }

    /// The larger number in each lane.
    #[inline(always)]
    pub fn max(self, other: Two) -> Two {
        Two(raw::larger(other.0, self.0))
    }

    /// The smaller number in each lane.
    #[inline(always)]
    pub fn min(self, other: Two) -> Two {
        Two(raw::smaller(other.0, self.0))
    }

    /// Applies a function to each lane.
    #[inline(always)]
    pub(crate) fn each(self, f: impl Fn(f64) -> f64) -> Two {
        let [a, b] = self.lanes();
        Two::new(f(a), f(b))
    }
}

/// 1.5 × 2⁵²: after adding it, the last bits of a number hold its value rounded to an integer.
const WHOLE: f64 = 6755399441055744.0;
/// ln 2 in two parts: the last bits of the first are zero, so that small multiples of it are exact.
const LN_2: [f64; 2] = [6.93147180369123816490e-01, 1.90821492927058770002e-10];

/// Computes tanh x to two or three units in the last place.
///
/// tanh |x| = −e/(2 + e) with e = exp(−2|x|) − 1. With −2|x| = n ln 2 + r, r from −¾ ln 2 to ¼ ln 2, this is e = 2ⁿ
/// (exp r − 1) + 2ⁿ − 1, which loses no digits where e is small, because n = 0 there. exp r − 1 = 2 r b/(a − r b) with
/// the Padé approximant of exp of orders 6 and 6, (a + r b)/(a − r b); its error is (6!)² r¹³/(12! 13!), below 4e-17.
/// One division suffices for everything.
#[inline(always)]
fn tanh(x: Two) -> Two {
    let number = Two::splat;
    let sign = number(-0.0);
    // beyond 20 the result is 1 to rounding; a NaN stays NaN
    let size = Two(raw::smaller(number(20.0).0, raw::without(x.0, sign.0)));
    let y = size * number(-2.0);
    let whole = (y * number(std::f64::consts::LOG2_E) + number(0.25)) + number(WHOLE);
    let n = whole - number(WHOLE);
    let r = y - n * number(LN_2[0]) - n * number(LN_2[1]);
    let two_n = Two(raw::power(whole.0));
    let square = r * r;
    let a = number(1.0)
        + square * (number(5.0 / 44.0) + square * (number(1.0 / 792.0) + square * number(1.0 / 665280.0)));
    let b = number(0.5) + square * (number(1.0 / 66.0) + square * number(1.0 / 15840.0));
    let r_b = r * b;
    let (d, e) = (a - r_b, two_n * (r_b + r_b));
    let t = ((number(1.0) - two_n) * d - e) / ((number(1.0) + two_n) * d + e);
    Two(raw::or(t.0, raw::and(x.0, sign.0)))
}

/// Computes tanh x of one number, with the same bits as in [`Two`].
#[inline]
pub(crate) fn tanh_of_one(x: f64) -> f64 {
    tanh(Two::splat(x)).lanes()[0]
}

macro_rules! operator {
    ($op:ident $method:ident $assign:ident $method_assign:ident) => {
        impl $op for Two {
            type Output = Two;
            #[inline(always)]
            fn $method(self, other: Two) -> Two {
                Two(raw::$method(self.0, other.0))
            }
        }
        impl $assign for Two {
            #[inline(always)]
            fn $method_assign(&mut self, other: Two) {
                self.0 = raw::$method(self.0, other.0);
            }
        }
    };
}
operator!(Add add AddAssign add_assign);
operator!(Sub sub SubAssign sub_assign);
operator!(Mul mul MulAssign mul_assign);
operator!(Div div DivAssign div_assign);

impl Neg for Two {
    type Output = Two;
    #[inline(always)]
    fn neg(self) -> Two {
        Two(raw::flipped(self.0, Two::splat(-0.0).0))
    }
}

impl PartialEq for Two {
    fn eq(&self, other: &Two) -> bool {
        self.lanes() == other.lanes()
    }
}

impl PartialOrd for Two {
    /// Returns an order only if both lanes have the same.
    fn partial_cmp(&self, other: &Two) -> Option<std::cmp::Ordering> {
        let ([a, b], [c, d]) = (self.lanes(), other.lanes());
        a.partial_cmp(&c).filter(|order| b.partial_cmp(&d) == Some(*order))
    }
    #[inline(always)]
    fn lt(&self, other: &Two) -> bool {
        let ([a, b], [c, d]) = (self.lanes(), other.lanes());
        a < c && b < d
    }
}

impl num_traits::Zero for Two {
    #[inline(always)]
    fn zero() -> Two {
        Two::splat(0.0)
    }
    fn is_zero(&self) -> bool {
        self.lanes() == [0.0; 2]
    }
}

impl num_traits::One for Two {
    #[inline(always)]
    fn one() -> Two {
        Two::splat(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scalar;

    /// In either lane, a formula gives the same bits as for a single number.
    #[test]
    fn lanes_are_numbers() {
        let numbers = [0.0, -0.0, 1.0, -2.5, 1e-300, 3e200, 0.1, f64::INFINITY];
        fn formula<S: Scalar>(x: S, y: S) -> S {
            let z = (x * x + y * y).sqrt() - x / (y + S::from_f64(3.5));
            (-z).max(x).min(y.abs()) + y.tanh() * x.abs().powf(1.5)
        }
        for a in numbers {
            for b in numbers {
                let [first, second] = formula(Two::new(a, b), Two::new(b, a)).lanes();
                assert_eq!(first.to_bits(), formula(a, b).to_bits(), "{a} {b}");
                assert_eq!(second.to_bits(), formula(b, a).to_bits(), "{b} {a}");
            }
        }
        let masked = Two::new(3.0, 4.0).where_positive(Two::new(0.0, 1e-300));
        assert_eq!((masked.lanes(), masked.sum()), ([0.0, 4.0], 4.0));
    }

    /// Compares tanh with the library's, which is right to a unit or two in the last place; checks that it is odd and
    /// within its bounds.
    #[test]
    fn the_tangent_is_exact() {
        let mut worst = 0.0f64;
        let check = |x: f64, worst: &mut f64| {
            let (t, exact) = (tanh_of_one(x), x.tanh());
            *worst = worst.max((t / exact - 1.0).abs());
            assert!(t <= 1.0 && tanh_of_one(-x) == -t, "{x}: {t}");
        };
        for i in 0..400_000 {
            check(22.0 * f64::from(i + 1) / 400_000.0, &mut worst);
            check(1e-12 * (1.0 + f64::from(i)).powf(2.1), &mut worst);
        }
        assert!(worst <= 4.0 * f64::EPSILON, "{worst}");
        assert_eq!(tanh_of_one(0.0).to_bits(), 0.0f64.to_bits());
        assert_eq!(tanh_of_one(-0.0).to_bits(), (-0.0f64).to_bits());
        assert_eq!([f64::INFINITY, -f64::INFINITY, 25.0].map(tanh_of_one), [1.0, -1.0, 1.0]);
        assert!(tanh_of_one(f64::NAN).is_nan());
    }
}
