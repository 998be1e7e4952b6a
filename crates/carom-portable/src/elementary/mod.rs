//! The elementary functions of the engine, with the same bits on every platform.
//!
//! Sums, products, quotients and square roots are rounded in the same way everywhere (IEEE 754). Sines, exponentials
//! and powers are not: the standard library uses the platform's, which differ in the last bit from system to system,
//! and on one system from processor to processor. A run with contacts amplifies a difference in the last bit until the
//! number of bounces differs. These functions come from the crate `libm`, which is written entirely in Rust, and powers
//! from [`pow()`], which is five times faster than that of `libm`.
//!
//! ```
//! use carom_portable::elementary::{exp, pow};
//! assert_eq!(exp(1.0).to_bits(), 0x4005_bf0a_8b14_576a); // on every platform, and within one unit of the last place
//! assert_eq!(pow(2.0, 0.5), 2.0_f64.sqrt());
//! ```

mod double;
mod pow;
#[cfg(test)]
mod tests;

pub use libm::{
    acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, cos, cosh, exp, exp2, expm1, hypot, log as ln, log1p,
    log2, log10, sin, sincos, sinh, tan, tanh,
};
pub use pow::pow;

/// Computes xⁿ by repeated squaring.
///
/// ```
/// assert_eq!(carom_portable::elementary::powi(3.0, 4), 81.0);
/// assert_eq!(carom_portable::elementary::powi(2.0, -2), 0.25);
/// ```
#[inline(always)]
pub fn powi(x: f64, n: i32) -> f64 {
    let (mut power, mut square, mut left) = (1.0, x, n.unsigned_abs());
    while left > 0 {
        if left & 1 == 1 {
            power *= square;
        }
        left >>= 1;
        if left > 0 {
            square *= square;
        }
    }
    if n < 0 { 1.0 / power } else { power }
}
