//! An independent quadrature: intervals on which the height no more than doubles, each by the rule of Clenshaw and Curtis.

use std::f64::consts::PI;

/// intervals have one more point; with heights that double the error falls as 5.8^−n
const N: usize = 28;

/// Points cos(jπ/N) mapped to 0 … 1, and weights, in closed form.
fn clenshaw_curtis() -> Vec<(f64, f64)> {
    let n = N as f64;
    let point = |j: usize| {
        let theta = PI * j as f64 / n;
        let mut weight = 1.0;
        for k in 1..=N / 2 {
            let half = if 2 * k == N { 1.0 } else { 2.0 };
            weight -= half * (2.0 * k as f64 * theta).cos() / (4.0 * (k * k) as f64 - 1.0);
        }
        let ends = if j == 0 || j == N { 1.0 } else { 2.0 };
        (0.5 * (1.0 - theta.cos()), 0.5 * ends * weight / n)
    };
    (0..=N).map(point).collect()
}

/// Points and weights for 0 … 1 on which start + slope s no more than doubles from point to point of the division.
fn graded(rule: &[(f64, f64)], start: f64, slope: f64) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    let mut from = 0.0;
    while from < 1.0 {
        let to = (from + (start + slope * from) / slope).min(1.0);
        points.extend(rule.iter().map(|(s, w)| (from + (to - from) * s, (to - from) * w)));
        from = to;
    }
    points
}

/// ∫ d^−ν {1, x, y, x², xy, y²} dx dy for ν = 0 … 12.
pub(crate) struct Sums {
    /// by ν
    pub(crate) by_exponent: [[f64; 6]; 13],
}

impl Sums {
    /// d = a + p x + q y, none of them negative.
    pub(crate) fn over_the_unit_square(a: f64, p: f64, q: f64) -> Sums {
        let rule = clenshaw_curtis();
        let mut by_exponent = [[0.0; 6]; 13];
        for (y, weight_y) in graded(&rule, a, q) {
            let start = a + q * y;
            // by powers of x first: fewer roundings
            let mut row = [[0.0; 3]; 13];
            for (x, weight) in graded(&rule, start, p) {
                let inverse = 1.0 / (start + p * x);
                let mut power = weight;
                for row in &mut row {
                    row[0] += power;
                    row[1] += power * x;
                    row[2] += power * x * x;
                    power *= inverse;
                }
            }
            for (sum, [one, x, xx]) in by_exponent.iter_mut().zip(row) {
                let terms = [one, x, y * one, xx, y * x, y * y * one];
                for (sum, term) in sum.iter_mut().zip(terms) {
                    *sum += weight_y * term;
                }
            }
        }
        Sums { by_exponent }
    }
}
