//! Integrals that have no closed form.

use std::f64::consts::FRAC_PI_2;

use carom_base::elementary::{cosh, sinh, tanh};

/// Nodes and weights of an integral from a to b, by the double exponential rule x = tanh(π/2 sinh t) (Takahasi & Mori 1974):
/// functions smooth within and not at the ends are as good as others. The sum of the weights is b − a to rounding.
pub(crate) fn nodes(a: f64, b: f64) -> impl Iterator<Item = (f64, f64)> {
    const STEP: f64 = 1.0 / 32.0;
    const EACH_SIDE: i32 = 106; // beyond, the weights are below 1e-17
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    (-EACH_SIDE..=EACH_SIDE).map(move |k| {
        let t = STEP * f64::from(k);
        let s = FRAC_PI_2 * sinh(t);
        let weight = FRAC_PI_2 * cosh(t) / (cosh(s) * cosh(s));
        (middle + half * tanh(s), half * STEP * weight)
    })
}
