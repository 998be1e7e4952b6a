//! xʸ from tables, with sums and products that every processor rounds in the same way.
//!
//! xʸ = exp(y ln x). An error of ln x is multiplied by y, up to 700, so ln x is computed to about 68 bits, as a sum of
//! two numbers. First x = 2ᵏ z with z about 0.7 to 1.4; 1/c is a short number near 1/z from a table of 128, so that r =
//! z/c − 1 is exact and small; then ln x = k ln 2 + ln c + ln(1 + r). Finally exp(e) = 2^(n/128) exp(e − n ln 2/128),
//! where the first factor comes from a table as well.
//! P. T. P. Tang, Table-driven implementation of the exponential and of the logarithm function in IEEE floating-point
//! arithmetic, ACM Transactions on Mathematical Software 15 (1989) 144–157, and 16 (1990) 378–400.

use super::double::{Double, LN_2, fast_two_sum, two_product, two_sum, upper_half};

/// The number of intervals of z, and of the exponent.
const N: usize = 128;

/// The bits of a number that are below one interval of z: 52 of the fraction less 7 for 128 intervals.
const BELOW: u32 = 45;

/// The bits of the smallest z: 1 lies in the middle of an interval, whose 1/c is 1, so that ln x is exact where it is small.
const FIRST: u64 = 1.0_f64.to_bits() - 76 * (1 << BELOW) - (1 << (BELOW - 1));

/// 1/c of an interval of z, and ln c in two parts.
#[derive(Clone, Copy)]
struct Interval {
    /// in 20 bits, so that its products with halves of z are exact
    inverse: f64,
    /// a multiple of 2⁻⁴², so that sums with multiples of ln 2 are exact
    ln_high: f64,
    ln_low: f64,
}

static INTERVALS: [Interval; N] = {
    let mut all = [Interval { inverse: 1.0, ln_high: 0.0, ln_low: 0.0 }; N];
    let mut i = 0;
    while i < N {
        let low = f64::from_bits(FIRST + ((i as u64) << BELOW));
        let high = f64::from_bits(FIRST + ((i as u64 + 1) << BELOW));
        // the interval around 1, whose middle is not 1, keeps the values set above: 1/c = 1
        if !(low < 1.0 && high > 1.0) {
            let inverse = shortened(2.0 / (low + high), 33);
            let ln = Double::ln(inverse);
            let ln_high = -rounded(ln.high, 42);
            all[i] = Interval { inverse, ln_high, ln_low: (-ln.high - ln_high) - ln.low };
        }
        i += 1;
    }
    all
};

/// 2^(i/128), in two parts.
#[derive(Clone, Copy)]
struct Root {
    high: f64,
    /// the remainder, divided by `high`
    rest: f64,
}

static ROOTS: [Root; N] = {
    let mut all = [Root { high: 1.0, rest: 0.0 }; N];
    let mut i = 1;
    while i < N {
        let root = LN_2.times(Double::new(i as f64 / N as f64)).exp();
        all[i] = Root { high: root.high, rest: root.low / root.high };
        i += 1;
    }
    all
};

/// ln 2 in 42 bits after the binary point, and the remainder.
const LN_2_HIGH: f64 = rounded(LN_2.high, 42);
const LN_2_LOW: f64 = (LN_2.high - LN_2_HIGH) + LN_2.low;

/// ln 2/128, in so few bits that multiples up to 2¹⁸ are exact, and the remainder.
const STEP_HIGH: f64 = shortened(LN_2.high / N as f64, 20);
const STEP_LOW: f64 = (LN_2.high / N as f64 - STEP_HIGH) + LN_2.low / N as f64;

/// Returns x with its last `bits` bits set to zero.
const fn shortened(x: f64, bits: u32) -> f64 {
    f64::from_bits(x.to_bits() >> bits << bits)
}

/// Returns x, |x| < 2, rounded to a multiple of 2^−bits.
const fn rounded(x: f64, bits: i32) -> f64 {
    let large = f64::from_bits(((1023 + 52 - bits) as u64) << 52) * 1.5;
    (x + large) - large
}

/// Computes ln x to about 68 bits, as the sum of two numbers, for x normal and positive.
#[inline(always)]
fn ln(x: f64) -> (f64, f64) {
    let from_first = x.to_bits().wrapping_sub(FIRST);
    let k = (from_first as i64 >> 52) as f64;
    let z = f64::from_bits(x.to_bits().wrapping_sub(from_first & (0xfff << 52)));
    let Interval { inverse, ln_high, ln_low } = INTERVALS[(from_first >> BELOW) as usize % N];
    // r = z/c − 1: both products are exact, and so is the difference of nearly equal numbers
    let z_high = upper_half(z);
    let Double { high: r, low: r_low } = two_sum(z_high * inverse - 1.0, (z - z_high) * inverse);
    // ln(1 + r) = r − r²/2 + r³/3 − …, |r| < 2⁻⁸: all digits of the second term matter too; the square of half the
    // digits is exact
    let r_high = upper_half(r);
    let half_square = 0.5 * r_high * r_high;
    let half_rest = 0.5 * (r - r_high) * (r + r_high) + r * r_low;
    // (in pairs of terms, which processors compute at the same time)
    let square = r * r;
    let series = (1.0 / 3.0 - 1.0 / 4.0 * r)
        + square
            * ((1.0 / 5.0 - 1.0 / 6.0 * r) + square * ((1.0 / 7.0 - 1.0 / 8.0 * r) + square * (1.0 / 9.0)));
    // k ln 2 + ln c is exact in its high parts; each sum is of a number and a smaller one, or of 0
    let first = fast_two_sum(k * LN_2_HIGH + ln_high, r);
    let second = fast_two_sum(first.high, -half_square);
    let rest = (k * LN_2_LOW + ln_low) + (r_low - half_rest);
    (second.high, (first.low + second.low) + (rest + r * square * series))
}

/// Computes xʸ. The error is at most 0.53 units in the last place.
#[inline]
pub fn pow(x: f64, y: f64) -> f64 {
    // zeros, subnormal and negative numbers, infinities and NaN are rare
    if !((f64::MIN_POSITIVE..f64::INFINITY).contains(&x) && y.abs() < 1e300) {
        return libm::pow(x, y);
    }
    let (ln_high, ln_low) = ln(x);
    let exponent = two_product(y, ln_high);
    // results that are not normal numbers are rare as well
    if !(exponent.high.abs() < 700.0) {
        return libm::pow(x, y);
    }
    exp(exponent.high, exponent.low + y * ln_low)
}

/// Computes e^(high + low), for |high| < 700 and a small low.
#[inline(always)]
fn exp(high: f64, low: f64) -> f64 {
    // adding 1.5 · 2⁵² rounds to a whole number, which is then in the last bits
    const LARGE: f64 = 6_755_399_441_055_744.0;
    let shifted = high * (N as f64 / LN_2.high) + LARGE;
    let (n, whole) = (shifted - LARGE, i64::from(shifted.to_bits() as i32));
    let r = (high - n * STEP_HIGH) + (low - n * STEP_LOW);
    let Root { high: root, rest } = ROOTS[whole as usize % N];
    let square = r * r;
    let series = (0.5 + 1.0 / 6.0 * r) + square * ((1.0 / 24.0 + 1.0 / 120.0 * r) + square * (1.0 / 720.0));
    let scaled = f64::from_bits(root.to_bits().wrapping_add(((whole >> 7) << 52) as u64));
    scaled + scaled * (rest + (r + square * series))
}
