//! Gauss rules on the interval from 0 to 1, and how well they resolve a function.

use std::f64::consts::PI;
use std::sync::OnceLock;

use carom_base::elementary::cos;

/// The greatest number of points along a side of a cell.
pub(super) const MOST: usize = 8;

/// A Gauss–Legendre rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) nodes: Vec<f64>,
    pub(super) weights: Vec<f64>,
    /// what the values at the nodes are multiplied with to have the coefficients of the two Legendre polynomials of highest degree that they determine; of that one alone, if there are few
    highest: Vec<Vec<f64>>,
}

/// P_n and P_n′ at x, and P_{n−1}, by the recurrence of Legendre polynomials.
fn legendre(n: usize, x: f64) -> (f64, f64, f64) {
    let (mut before, mut now) = (0.0, 1.0);
    for k in 0..n {
        let k = k as f64;
        (before, now) = (now, ((2.0 * k + 1.0) * x * now - k * before) / (k + 1.0));
    }
    (now, n as f64 * (x * now - before) / (x * x - 1.0), before)
}

impl Rule {
    fn new(n: usize) -> Rule {
        let mut rule = Rule {
            nodes: Vec::new(),
            weights: Vec::new(),
            highest: vec![Vec::new(); if n > 4 { 2 } else { 1 }],
        };
        for i in 0..n {
            let mut x = -cos(PI * (i as f64 + 0.75) / (n as f64 + 0.5));
            for _ in 0..10 {
                let (p, slope, _) = legendre(n, x);
                x -= p / slope;
            }
            let (_, slope, _) = legendre(n, x);
            let weight = 1.0 / ((1.0 - x * x) * slope * slope);
            rule.nodes.push(0.5 * (1.0 + x));
            rule.weights.push(weight);
            // c_k = (2k + 1) ∫ f P_k over the interval from 0 to 1
            for (back, highest) in rule.highest.iter_mut().enumerate() {
                let k = n - 1 - back;
                highest.push((2 * k + 1) as f64 * weight * legendre(k, x).0);
            }
        }
        rule
    }

    /// The rule of that many points, 3, 4, 6, 8 or 12.
    pub(super) fn of(n: usize) -> &'static Rule {
        const SIZES: [usize; 5] = [3, 4, 6, 8, 12];
        static RULES: [OnceLock<Rule>; SIZES.len()] = [const { OnceLock::new() }; SIZES.len()];
        let k = SIZES.iter().position(|size| n <= *size).unwrap_or(SIZES.len() - 1);
        RULES[k].get_or_init(|| Rule::new(SIZES[k]))
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The largest coefficient of the highest degrees of a function by its values at the nodes.
    pub(super) fn roughness_along(&self, values: &[f64]) -> f64 {
        let coefficient = |h: &Vec<f64>| h.iter().zip(values).map(|(h, x)| h * x).sum::<f64>().abs();
        self.highest.iter().map(coefficient).fold(0.0, f64::max)
    }

    /// The largest coefficient of the highest degrees, along each side, of a function by its values at the nodes of a square.
    pub(super) fn roughness(&self, values: &[f64]) -> [f64; 2] {
        let n = self.len();
        let mut most = [0.0f64; 2];
        for i in 0..n {
            for highest in &self.highest {
                let (mut first, mut second) = (0.0, 0.0);
                for (k, h) in highest.iter().enumerate() {
                    first += h * values[k * n + i];
                    second += h * values[i * n + k];
                }
                most = [most[0].max(first.abs()), most[1].max(second.abs())];
            }
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_exact_for_their_degree() {
        for n in [3, 4, 6, 8, 12] {
            let rule = Rule::of(n);
            assert_eq!(rule.len(), n);
            for degree in 0..2 * n as i32 {
                let sum: f64 = rule.nodes.iter().zip(&rule.weights).map(|(x, w)| w * x.powi(degree)).sum();
                assert!((sum * f64::from(degree + 1) - 1.0).abs() < 1e-14, "{n} {degree} {sum}");
            }
        }
    }

    #[test]
    fn what_has_a_low_degree_is_not_rough() {
        let rule = Rule::of(6);
        let of = |f: fn(f64, f64) -> f64| {
            let at = |k: usize| f(rule.nodes[k / 6], rule.nodes[k % 6]);
            rule.roughness(&(0..36).map(at).collect::<Vec<_>>())
        };
        assert!(of(|x, y| 1.0 + x * y.powi(3) - x.powi(3)).iter().all(|c| *c < 1e-14));
        // P_4 has the leading coefficient 70 on the interval from 0 to 1
        let [first, second] = of(|_, y| 70.0 * y.powi(4));
        assert!(first < 1e-13 && (second - 1.0).abs() < 1e-13);
    }
}
