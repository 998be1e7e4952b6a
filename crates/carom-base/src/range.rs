//! Interval arithmetic: numbers of which only bounds are known.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::{Arithmetic, Sign};
use carom_portable::elementary::{
    acos, asin, atan, atan2, cos, cosh, exp, hypot, ln, log10, pow, sin, sinh, tan, tanh,
};

/// All numbers from `lo` to `hi`. The result of an operation on ranges contains every result that the same operation on
/// numbers in them can have, rounding included. Where an operation is not defined for all of these numbers, the result
/// is [`Range::UNKNOWN`].
///
/// ```
/// use carom_base::{Arithmetic, Range};
/// let angle = Range::new(0.0, 2.0);
/// assert_eq!(angle.sin().hi, 1.0);
/// assert!(angle.sin().lo <= 0.0 && angle.sin().lo > -1e-300);
/// assert!(!(Range::new(-1.0, 1.0).sqrt()).is_bounded());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// the smallest number
    pub lo: f64,
    /// the largest number
    pub hi: f64,
}

impl Range {
    /// The result of an undefined operation: no bounds, and possibly no number at all.
    pub const UNKNOWN: Range = Range { lo: f64::NAN, hi: f64::NAN };
    /// Any number.
    const ANY: Range = Range { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// Returns the range between two numbers, in either order.
    pub fn new(a: f64, b: f64) -> Range {
        match a.is_nan() || b.is_nan() {
            true => Range::UNKNOWN,
            false => Range { lo: a.min(b), hi: a.max(b) },
        }
    }

    /// A single number.
    pub fn point(x: f64) -> Range {
        Range { lo: x, hi: x }
    }

    /// Returns the smallest range that contains both.
    pub fn hull(self, o: Range) -> Range {
        match self.is_known() && o.is_known() {
            true => Range { lo: self.lo.min(o.lo), hi: self.hi.max(o.hi) },
            false => Range::UNKNOWN,
        }
    }

    /// Returns the largest magnitude in the range; infinite if nothing is known.
    pub fn magnitude(self) -> f64 {
        if self.is_known() { self.lo.abs().max(self.hi.abs()) } else { f64::INFINITY }
    }

    /// Whether both ends are finite.
    pub fn is_bounded(self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    /// Returns whether the number is in the range.
    pub fn contains(self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    fn is_known(self) -> bool {
        !(self.lo.is_nan() || self.hi.is_nan())
    }

    /// Returns the range widened for rounding errors: by one unit in the last place, while sums, products and roots are
    /// off by at most half a unit. Other functions, off by less than two, are widened twice. (A zero is not widened:
    /// the zero of a sum or product is taken as exact.)
    fn rounded(lo: f64, hi: f64) -> Range {
        let down = |x: f64| if x == 0.0 { x } else { x.next_down() };
        let up = |x: f64| if x == 0.0 { x } else { x.next_up() };
        match lo.is_nan() || hi.is_nan() {
            true => Range::UNKNOWN,
            false => Range { lo: down(lo), hi: up(hi) },
        }
    }

    /// Returns the range of a monotone function f, from its values at both ends.
    fn monotone(self, f: impl Fn(f64) -> f64) -> Range {
        let (a, b) = (f(self.lo), f(self.hi));
        let ends = Range::rounded(a.min(b), a.max(b));
        if a.is_nan() || b.is_nan() { Range::UNKNOWN } else { Range::rounded(ends.lo, ends.hi) }
    }

    /// Returns whether `at + k · period` is in the range, or nearly so, for some whole number k.
    fn meets(self, at: f64, period: f64) -> bool {
        let slack = 8.0 * f64::EPSILON * (self.magnitude() + period);
        let k = ((self.lo - slack - at) / period).ceil();
        at + k * period <= self.hi + slack
    }

    /// Returns the range of a wave between −1 and 1 whose maxima are at `crest` + 2πk.
    fn wave(self, f: impl Fn(f64) -> f64, crest: f64) -> Range {
        if !self.is_known() {
            return Range::UNKNOWN;
        }
        if !(self.hi - self.lo < TAU) {
            return Range { lo: -1.0, hi: 1.0 };
        }
        let ends = self.monotone(f);
        let lo = if self.meets(crest - PI, TAU) { -1.0 } else { ends.lo };
        let hi = if self.meets(crest, TAU) { 1.0 } else { ends.hi };
        Range { lo, hi }
    }

    /// xᵖ for a whole p > 0.
    fn whole_power(self, p: f64) -> Range {
        if p % 2.0 == 1.0 {
            return self.monotone(|x| pow(x, p));
        }
        self.sizes().monotone(|x| pow(x, p))
    }

    /// Returns the magnitudes of the numbers in the range.
    fn sizes(self) -> Range {
        let sizes = Range { lo: self.lo.abs().min(self.hi.abs()), hi: self.magnitude() };
        if self.contains(0.0) { Range { lo: 0.0, ..sizes } } else { sizes }
    }
}

impl Add for Range {
    type Output = Range;
    fn add(self, o: Range) -> Range {
        Range::rounded(self.lo + o.lo, self.hi + o.hi)
    }
}

impl Sub for Range {
    type Output = Range;
    fn sub(self, o: Range) -> Range {
        Range::rounded(self.lo - o.hi, self.hi - o.lo)
    }
}

impl Mul for Range {
    type Output = Range;
    fn mul(self, o: Range) -> Range {
        if !(self.is_known() && o.is_known()) {
            return Range::UNKNOWN;
        }
        // an infinite end stands for any large number: zero times that is zero
        let times = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let all = [times(self.lo, o.lo), times(self.lo, o.hi), times(self.hi, o.lo), times(self.hi, o.hi)];
        let lo = all.iter().copied().fold(f64::INFINITY, f64::min);
        let hi = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Range::rounded(lo, hi)
    }
}

impl Div for Range {
    type Output = Range;
    fn div(self, o: Range) -> Range {
        // at a pole there is no number, and near it any number is possible
        if !(self.is_known() && o.is_known())
            || (o.contains(0.0) && self.contains(0.0))
            || o == Range::point(0.0)
        {
            return Range::UNKNOWN;
        }
        if o.lo < 0.0 && o.hi > 0.0 {
            return Range::ANY;
        }
        // the divisor is on one side of zero
        let (lo, hi) = match o.hi > 0.0 {
            true => (1.0 / o.hi, if o.lo == 0.0 { f64::INFINITY } else { 1.0 / o.lo }),
            false => (if o.hi == 0.0 { f64::NEG_INFINITY } else { 1.0 / o.hi }, 1.0 / o.lo),
        };
        self * Range::rounded(lo, hi)
    }
}

impl Neg for Range {
    type Output = Range;
    fn neg(self) -> Range {
        Range { lo: -self.hi, hi: -self.lo }
    }
}

impl Arithmetic for Range {
    fn constant(x: f64) -> Range {
        Range::point(x)
    }
    fn single(self) -> Option<f64> {
        (self.lo == self.hi).then_some(self.lo)
    }
    fn choose(self, a: Range, b: Range) -> Range {
        if self.lo >= 0.0 {
            a
        } else if self.hi < 0.0 {
            b
        } else {
            a.hull(b)
        }
    }
    fn sign(self) -> Sign {
        if !self.is_known() {
            Sign::Undefined
        } else if self.lo >= 0.0 {
            Sign::Positive
        } else if self.hi < 0.0 {
            Sign::Negative
        } else {
            Sign::Either
        }
    }
    fn either(self, o: Range) -> Range {
        self.hull(o)
    }
    fn between(self, lo: f64, hi: f64) -> Range {
        let inside = |x: f64| x.max(lo).min(hi);
        if self.is_known() { Range { lo: inside(self.lo), hi: inside(self.hi) } } else { self }
    }
    fn cubic(self, c: [f64; 4]) -> Range {
        let [c0, c1, c2, c3] = c.map(Range::point);
        if c[1..].iter().all(|c| *c == 0.0) {
            return if self.is_known() { c0 } else { self };
        }
        let value = |x: Range| c0 + x * (c1 + x * (c2 + x * c3));
        let slope = |x: Range| c1 + x * (c2 + c2 + x * (Range::point(3.0) * c3));
        if !self.is_bounded() {
            return value(self);
        }
        // a cubic lies between its Bernstein coefficients: its values at both ends, and those of its tangents there at a
        // third of the length
        let [a, b] = [self.lo, self.hi].map(Range::point);
        let third = (b - a) / Range::point(3.0);
        let ends = value(a).hull(value(b));
        ends.hull(value(a) + third * slope(a)).hull(value(b) - third * slope(b))
    }
    fn power(self, p: Range) -> Range {
        if !(self.is_known() && p.is_known()) {
            return Range::UNKNOWN;
        }
        match p.single() {
            Some(0.0) => Range::point(1.0),
            Some(p) if p.fract() == 0.0 && p > 0.0 => self.whole_power(p),
            Some(p) if p.fract() == 0.0 => Range::point(1.0) / self.whole_power(-p),
            Some(_) if self.lo < 0.0 => Range::UNKNOWN,
            Some(p) => self.monotone(|x| pow(x, p)),
            None if self.lo > 0.0 => (p * self.ln()).exp(),
            None => Range::UNKNOWN,
        }
    }
    fn square(self) -> Range {
        if self.is_known() { self.whole_power(2.0) } else { self }
    }
    fn sqrt(self) -> Range {
        self.monotone(f64::sqrt)
    }
    fn abs(self) -> Range {
        let ends = Range::new(self.lo.abs(), self.hi.abs());
        if self.contains(0.0) { Range { lo: 0.0, ..ends } } else { ends }
    }
    fn exp(self) -> Range {
        let e = self.monotone(exp);
        Range { lo: e.lo.max(0.0), ..e }
    }
    fn ln(self) -> Range {
        self.monotone(ln)
    }
    fn sin(self) -> Range {
        self.wave(sin, FRAC_PI_2)
    }
    fn cos(self) -> Range {
        self.wave(cos, 0.0)
    }
    fn tan(self) -> Range {
        if !self.is_known() {
            return Range::UNKNOWN;
        }
        let pole = !(self.hi - self.lo < PI) || self.meets(FRAC_PI_2, PI);
        if pole { Range::ANY } else { self.monotone(tan) }
    }
    fn atan2(self, x: Range) -> Range {
        let (y, known) = (self, self.is_known() && x.is_known());
        // around the origin, and across the branch cut where it jumps, the angle has no useful bounds
        if !known || (y.contains(0.0) && x.lo <= 0.0) {
            return Range::UNKNOWN;
        }
        let corner = |x: f64| y.monotone(|y| atan2(y, x));
        corner(x.lo).hull(corner(x.hi))
    }
    fn asin(self) -> Range {
        self.monotone(asin)
    }
    fn acos(self) -> Range {
        self.monotone(acos)
    }
    fn atan(self) -> Range {
        self.monotone(atan)
    }
    fn sinh(self) -> Range {
        self.monotone(sinh)
    }
    fn cosh(self) -> Range {
        let c = if self.is_known() { self.sizes().monotone(cosh) } else { self };
        Range { lo: c.lo.max(1.0), ..c }.or_unknown(self, self)
    }
    fn tanh(self) -> Range {
        let t = self.monotone(tanh);
        Range { lo: t.lo.max(-1.0), hi: t.hi.min(1.0) }.or_unknown(self, self)
    }
    fn log10(self) -> Range {
        self.monotone(log10)
    }
    fn hypot(self, y: Range) -> Range {
        if !(self.is_known() && y.is_known()) {
            return Range::UNKNOWN;
        }
        let (x, y) = (self.sizes(), y.sizes());
        let ends = Range::rounded(hypot(x.lo, y.lo), hypot(x.hi, y.hi));
        let ends = Range::rounded(ends.lo, ends.hi);
        Range { lo: ends.lo.max(0.0), ..ends }
    }
    fn floor(self) -> Range {
        Range { lo: self.lo.floor(), hi: self.hi.floor() }
    }
    fn min(self, o: Range) -> Range {
        Range::new(self.lo.min(o.lo), self.hi.min(o.hi)).or_unknown(self, o)
    }
    fn max(self, o: Range) -> Range {
        Range::new(self.lo.max(o.lo), self.hi.max(o.hi)).or_unknown(self, o)
    }
}

impl Range {
    /// Returns UNKNOWN if one of the operands is unknown, because `f64::min` and `f64::max` ignore a NaN.
    fn or_unknown(self, a: Range, b: Range) -> Range {
        if a.is_known() && b.is_known() { self } else { Range::UNKNOWN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks, for every function and ranges of all kinds, that no value lies outside.
    #[test]
    fn nothing_is_outside() {
        type One = (fn(Range) -> Range, fn(f64) -> f64);
        let one: [One; 15] = [
            (|x| x.sqrt(), f64::sqrt),
            (|x| x.abs(), f64::abs),
            (|x| x.exp(), f64::exp),
            (|x| x.ln(), f64::ln),
            (|x| x.sin(), f64::sin),
            (|x| x.cos(), f64::cos),
            (|x| x.tan(), f64::tan),
            (|x| x.asin(), f64::asin),
            (|x| x.acos(), f64::acos),
            (|x| x.atan(), f64::atan),
            (|x| x.sinh(), f64::sinh),
            (|x| x.cosh(), f64::cosh),
            (|x| x.tanh(), f64::tanh),
            (|x| x.log10(), f64::log10),
            (|x| x.floor(), f64::floor),
        ];
        type Two = (fn(Range, Range) -> Range, fn(f64, f64) -> f64);
        let two: [Two; 9] = [
            (|x, y| x + y, |x, y| x + y),
            (|x, y| x - y, |x, y| x - y),
            (|x, y| x * y, |x, y| x * y),
            (|x, y| x / y, |x, y| x / y),
            (|x, y| x.power(y), f64::powf),
            (|x, y| x.atan2(y), f64::atan2),
            (|x, y| x.hypot(y), f64::hypot),
            (|x, y| x.min(y), f64::min),
            (|x, y| x.max(y), f64::max),
        ];
        let ends = [-7.0, -3.0, -1.5, -1.0, 0.0, 0.3, 1.0, 2.0, 5.0, 100.0];
        let inside = |r: Range, k: u32| (r.lo + (r.hi - r.lo) * f64::from(k) / 8.0).min(r.hi);
        let ranges: Vec<Range> = ends
            .iter()
            .flat_map(|&a| ends.iter().filter(move |&&b| b >= a).map(move |&b| Range::new(a, b)))
            .collect();
        let holds =
            |of: Range, x: f64| of.contains(x) || !of.is_known() || !(x.is_finite() || of.is_bounded());
        for &r in &ranges {
            for k in 0..=8 {
                for (range, f) in one {
                    assert!(holds(range(r), f(inside(r, k))), "{r:?} {k}: {:?}", range(r));
                }
            }
            for &s in &ranges {
                for (k, l) in (0..=8).flat_map(|k| (0..=8).map(move |l| (k, l))) {
                    for (range, f) in two {
                        assert!(holds(range(r, s), f(inside(r, k), inside(s, l))), "{r:?} {s:?} {k} {l}");
                    }
                }
            }
        }
    }

    /// Checks that the bounds are tight where they can be.
    #[test]
    fn nothing_is_given_away() {
        let close = |r: Range, lo: f64, hi: f64| {
            assert!((r.lo - lo).abs() < 1e-14 && (r.hi - hi).abs() < 1e-14, "{r:?} for {lo} to {hi}");
        };
        close(Range::new(-1.0, 2.0).power(Range::point(2.0)), 0.0, 4.0);
        close(Range::new(-1.0, 2.0).power(Range::point(3.0)), -1.0, 8.0);
        close(Range::new(1.0, 2.0).power(Range::point(-2.0)), 0.25, 1.0);
        close(Range::new(0.0, 4.0).power(Range::point(0.5)), 0.0, 2.0);
        close(Range::new(1.0, 2.0) / Range::new(2.0, 4.0), 0.25, 1.0);
        close(Range::new(3.0, 4.0).sin(), 4f64.sin(), 3f64.sin());
        close(Range::new(-0.5, 1.0).cos(), 1f64.cos(), 1.0);
        close(Range::new(-1.0, 1.0).atan2(Range::new(1.0, 2.0)), -PI / 4.0, PI / 4.0);
        close(Range::new(-1.0, 2.0).cosh(), 1.0, 2f64.cosh());
        close(Range::new(-3.0, 1.0).hypot(Range::new(2.0, 4.0)), 2.0, 5.0);
        // 3 x² − 2 x³ rises from 0 to 1
        close(Range::new(0.0, 1.0).cubic([0.0, 0.0, 3.0, -2.0]), 0.0, 1.0);
        close(Range::new(0.5, 1.0).cubic([0.0, 0.0, 3.0, -2.0]), 0.5, 1.0);
        close(Range::new(-1.0, 5.0).between(0.0, 1.0), 0.0, 1.0);
        assert_eq!(Range::point(0.0) * Range::new(-1.0, 3.0), Range::point(0.0));
        assert!(!(Range::new(-1.0, 1.0).power(Range::point(0.5))).is_bounded());
        assert!(!(Range::point(1.0) / Range::new(-1.0, 1.0)).is_bounded());
        assert!(!(Range::new(-1.0, 1.0).atan2(Range::new(-2.0, -1.0))).is_bounded());
    }
}
