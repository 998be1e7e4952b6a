//! Pairs of numbers in portable code; the compiler translates it to vector instructions.

pub(super) type Raw = [f64; 2];

pub(super) const ZERO: Raw = [0.0; 2];

#[inline(always)]
fn each(a: Raw, b: Raw, f: impl Fn(f64, f64) -> f64) -> Raw {
    [f(a[0], b[0]), f(a[1], b[1])]
}
#[inline(always)]
fn bits(a: Raw, b: Raw, f: impl Fn(u64, u64) -> u64) -> Raw {
    each(a, b, |a, b| f64::from_bits(f(a.to_bits(), b.to_bits())))
}
#[inline(always)]
pub(super) fn new(x: [f64; 2]) -> Raw {
    x
}
#[inline(always)]
pub(super) fn lanes(x: Raw) -> [f64; 2] {
    x
}
#[inline(always)]
pub(super) fn add(a: Raw, b: Raw) -> Raw {
    each(a, b, |a, b| a + b)
}
#[inline(always)]
pub(super) fn sub(a: Raw, b: Raw) -> Raw {
    each(a, b, |a, b| a - b)
}
#[inline(always)]
pub(super) fn mul(a: Raw, b: Raw) -> Raw {
    each(a, b, |a, b| a * b)
}
#[inline(always)]
pub(super) fn div(a: Raw, b: Raw) -> Raw {
    each(a, b, |a, b| a / b)
}
#[inline(always)]
pub(super) fn sqrt(x: Raw) -> Raw {
    x.map(f64::sqrt)
}
/// Returns, in each lane, a if it is larger, else b.
#[inline(always)]
pub(super) fn larger(a: Raw, b: Raw) -> Raw {
    each(a, b, |a, b| if a > b { a } else { b })
}
/// Returns, in each lane, a if it is smaller, else b.
#[inline(always)]
pub(super) fn smaller(a: Raw, b: Raw) -> Raw {
    each(a, b, |a, b| if a < b { a } else { b })
}
/// Returns, in each lane, x if `of` is positive, else zero.
#[inline(always)]
pub(super) fn where_positive(x: Raw, of: Raw) -> Raw {
    each(x, of, |x, of| if of > 0.0 { x } else { 0.0 })
}
/// Returns x & mask, bit by bit.
#[inline(always)]
pub(super) fn and(x: Raw, mask: Raw) -> Raw {
    bits(x, mask, |x, mask| x & mask)
}
/// Returns x & !mask, bit by bit.
#[inline(always)]
pub(super) fn without(x: Raw, mask: Raw) -> Raw {
    bits(x, mask, |x, mask| x & !mask)
}
/// Returns a | b, bit by bit.
#[inline(always)]
pub(super) fn or(a: Raw, b: Raw) -> Raw {
    bits(a, b, |a, b| a | b)
}
/// Returns 2ⁿ for the whole number n in the last bits of x.
#[inline(always)]
pub(super) fn power(x: Raw) -> Raw {
    bits(x, [1.0; 2], |x, one| (x << 52).wrapping_add(one))
}
/// Returns x ^ mask, bit by bit.
#[inline(always)]
pub(super) fn flipped(x: Raw, mask: Raw) -> Raw {
    bits(x, mask, |x, mask| x ^ mask)
}
