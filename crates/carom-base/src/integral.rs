//! Numerical integration of functions given by their values.

use std::sync::OnceLock;

use carom_portable::elementary::cos;

/// The number of points of the Gauss rule.
const POINTS: usize = 16;
/// The largest number of times that an interval is halved.
const DEEPEST: usize = 40;

/// Computes ∫ f from a to b, to rounding where f is smooth: Gauss's rule of 16 points, on intervals that are halved
/// until both halves together agree with the whole.
///
/// ```
/// let area = carom_base::integral(&|x| x.exp(), 0.0, 2.0);
/// assert!((area - (2f64.exp() - 1.0)).abs() < 1e-14);
/// let root = carom_base::integral(&|x| x.sqrt(), 0.0, 1.0);
/// assert!((root - 2.0 / 3.0).abs() < 1e-13);
/// ```
pub fn integral(f: &dyn Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    let whole = gauss(f, a, b);
    refined(f, a, b, whole, 1e-14 * whole.abs(), DEEPEST)
}

fn refined(f: &dyn Fn(f64) -> f64, a: f64, b: f64, whole: f64, allowed: f64, depth: usize) -> f64 {
    let middle = 0.5 * (a + b);
    let (left, right) = (gauss(f, a, middle), gauss(f, middle, b));
    let error = (left + right - whole).abs();
    // (written so that a NaN ends the recursion)
    if depth == 0 || !(error > allowed) {
        return left + right;
    }
    refined(f, a, middle, left, allowed, depth - 1) + refined(f, middle, b, right, allowed, depth - 1)
}

fn gauss(f: &dyn Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    let (centre, half) = (0.5 * (a + b), 0.5 * (b - a));
    rule().iter().map(|[x, w]| w * f(centre + half * x)).sum::<f64>() * half
}

/// Returns points and weights on [−1, 1]: zeros of the Legendre polynomial, by Newton's method (Press et al.,
/// *Numerical Recipes*, 4.6).
fn rule() -> &'static [[f64; 2]; POINTS] {
    static RULE: OnceLock<[[f64; 2]; POINTS]> = OnceLock::new();
    RULE.get_or_init(|| {
        std::array::from_fn(|i| {
            let n = POINTS as f64;
            let mut x = cos(std::f64::consts::PI * (i as f64 + 0.75) / (n + 0.5));
            let mut slope = 1.0;
            for _ in 0..20 {
                let (mut p, mut before) = (1.0, 0.0);
                for k in 1..=POINTS {
                    let k = k as f64;
                    (p, before) = (((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k, p);
                }
                slope = n * (x * p - before) / (x * x - 1.0);
                x -= p / slope;
            }
            [x, 2.0 / ((1.0 - x * x) * slope * slope)]
        })
    })
}
