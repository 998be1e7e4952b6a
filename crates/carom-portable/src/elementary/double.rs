//! Numbers of twice the precision, each the sum of two `f64`: the tables of [`pow`](super::pow()) are computed with
//! them at compile time.
//!
//! T. J. Dekker, A floating-point technique for extending the available precision, Numerische Mathematik 18 (1971) 224–242.

/// An unevaluated sum `high + low` with |low| at most half a unit in the last place of `high`: about 106 bits.
#[derive(Clone, Copy)]
pub(super) struct Double {
    pub(super) high: f64,
    pub(super) low: f64,
}

/// Returns a + b, exactly, if |a| ≥ |b| or a is 0.
#[inline(always)]
pub(super) const fn fast_two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    Double { high, low: b - (high - a) }
}

/// Returns a + b, exactly.
#[inline(always)]
pub(super) const fn two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let b_rounded = high - a;
    Double { high, low: (a - (high - b_rounded)) + (b - b_rounded) }
}

/// Returns the first 26 bits of a number.
#[inline(always)]
pub(super) const fn upper_half(a: f64) -> f64 {
    f64::from_bits(a.to_bits() & !0x07ff_ffff)
}

/// Returns a b. The low part is exact except for one rounding of its last term: products of halves are exact. No fused
/// multiply-add instruction is needed, which not all processors have.
#[inline(always)]
pub(super) const fn two_product(a: f64, b: f64) -> Double {
    let high = a * b;
    let (a_high, b_high) = (upper_half(a), upper_half(b));
    let (a_low, b_low) = (a - a_high, b - b_high);
    Double { high, low: ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low }
}

impl Double {
    pub(super) const fn new(high: f64) -> Double {
        Double { high, low: 0.0 }
    }

    pub(super) const fn add(self, other: Double) -> Double {
        let sum = two_sum(self.high, other.high);
        fast_two_sum(sum.high, sum.low + (self.low + other.low))
    }

    pub(super) const fn times(self, other: Double) -> Double {
        let product = two_product(self.high, other.high);
        fast_two_sum(product.high, product.low + (self.high * other.low + self.low * other.high))
    }

    pub(super) const fn over(self, other: Double) -> Double {
        let first = self.high / other.high;
        let rest = self.add(other.times(Double::new(-first)));
        let second = rest.high / other.high;
        let rest = rest.add(other.times(Double::new(-second)));
        fast_two_sum(first, second).add(Double::new(rest.high / other.high))
    }

    /// artanh u = u + u³/3 + u⁵/5 + …, for |u| up to 1/3.
    const fn artanh(self) -> Double {
        let square = self.times(self);
        let (mut power, mut sum, mut n) = (self, Double::new(0.0), 1);
        while n < 75 {
            sum = sum.add(power.over(Double::new(n as f64)));
            power = power.times(square);
            n += 2;
        }
        sum
    }

    const fn doubled(self) -> Double {
        Double { high: 2.0 * self.high, low: 2.0 * self.low }
    }

    /// ln x = 2 artanh((x − 1)/(x + 1)), for x from 1/2 to 2.
    pub(super) const fn ln(x: f64) -> Double {
        let x = Double::new(x);
        x.add(Double::new(-1.0)).over(x.add(Double::new(1.0))).artanh().doubled()
    }

    /// eˣ for x from 0 to ln 2, by its power series.
    pub(super) const fn exp(self) -> Double {
        let (mut term, mut sum, mut n) = (Double::new(1.0), Double::new(1.0), 1);
        while n < 30 {
            term = term.times(self).over(Double::new(n as f64));
            sum = sum.add(term);
            n += 1;
        }
        sum
    }
}

/// ln 2.
pub(super) const LN_2: Double = Double::ln(2.0);
