//! Gauss rules on the interval from 0 to 1, and how well they resolve a function.

use std::f64::consts::PI;
use std::sync::OnceLock;

use carom_base::elementary::{cos, exp, ln, pow};

/// Parts of the interval at whose ends it is looked how near a function comes to zero.
const PLACES: usize = 40;
/// The greatest number of points along a side of a cell.
pub(super) const MOST: usize = 8;

/// A Gauss–Legendre rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) nodes: Vec<f64>,
    pub(super) weights: Vec<f64>,
    /// what the values at the nodes are multiplied with to have the coefficients of the two Legendre polynomials of highest degree that they determine; of that one alone, if there are few
    highest: Vec<Vec<f64>>,
    /// the same for the one or two degrees below
    middle: Vec<Vec<f64>>,
    /// what the values at the nodes are multiplied with to have those of the polynomial through them at `PLACES` + 1 equal places
    between: Vec<Vec<f64>>,
    /// by how many times as many powers of the degree coefficients fall from the highest degrees to twice the number of points as from the middle degrees to the highest, and the least share that is left of them
    further: f64,
    steepest: f64,
}

/// How the coefficients of Legendre polynomials of a function fall with the degree k: as powers of a number where the function is analytic, and as powers of k where it is not. At an end of the interval, |x|^g has k^(−2g−1); between its ends, k^(−g−½).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fall {
    Geometric,
    Algebraic,
}

impl Fall {
    /// That of a function with such powers, or of one without.
    pub(super) fn of(is_rough: bool) -> Fall {
        if is_rough { Fall::Algebraic } else { Fall::Geometric }
    }
}

/// The highest power of 1/k with which coefficients are taken to fall where a function is not analytic: that of |x|^3.5.
const STEEPEST: f64 = 8.0;

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
        let each = vec![Vec::new(); if n > 4 { 2 } else { 1 }];
        let (nodes, weights) = (Vec::new(), Vec::new());
        // degrees in the middle of the highest ones, and of those below
        let few = each.len() as f64;
        let (high, low) = (n as f64 - 0.5 * (few + 1.0), n as f64 - 0.5 * (3.0 * few + 1.0));
        let beyond = ln(2.0 * n as f64 / high);
        let mut rule = Rule {
            nodes,
            weights,
            highest: each.clone(),
            middle: each,
            between: Vec::new(),
            further: beyond / ln(high / low),
            steepest: exp(-STEEPEST * beyond),
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
            for (back, row) in rule.highest.iter_mut().chain(&mut rule.middle).enumerate() {
                let k = n - 1 - back;
                row.push((2 * k + 1) as f64 * weight * legendre(k, x).0);
            }
        }
        rule.between = (0..=PLACES).map(|i| rule.values_at(i as f64 / PLACES as f64)).collect();
        rule
    }

    /// What the values at the nodes are multiplied with to have that of the polynomial through them at a place: Σ (2k + 1) w P_k(node) P_k(place).
    fn values_at(&self, s: f64) -> Vec<f64> {
        let share = |(x, w): (&f64, &f64)| {
            let product = |k: usize| legendre(k, 2.0 * x - 1.0).0 * legendre(k, 2.0 * s - 1.0).0;
            (0..self.len()).map(|k| (2 * k + 1) as f64 * w * product(k)).sum()
        };
        self.nodes.iter().zip(&self.weights).map(share).collect()
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

    /// Where between nodes the polynomial through the values comes nearest to zero, or crosses it, seen at some places; the values have one sign. And how far it is from zero there, negative if across.
    pub(super) fn nearest_to_zero(&self, values: &[f64]) -> (f64, f64) {
        let sign = if values.first().is_some_and(|x| *x < 0.0) { -1.0 } else { 1.0 };
        let mut least = (0.0, f64::INFINITY);
        for (i, row) in self.between.iter().enumerate() {
            let value = sign * row.iter().zip(values).map(|(share, x)| share * x).sum::<f64>();
            if value < least.1 {
                least = (i as f64 / PLACES as f64, value);
            }
        }
        least
    }

    /// About the error of an integral of a function by its values at the nodes, relative to the length: the coefficients of its Legendre polynomials fall on to twice the degree as they do from middle degrees to the highest.
    pub(super) fn error_along(&self, values: &[f64], fall: Fall) -> f64 {
        let coefficient = |h: &Vec<f64>| h.iter().zip(values).map(|(h, x)| h * x).sum::<f64>().abs();
        let most = |all: &[Vec<f64>]| all.iter().map(coefficient).fold(0.0, f64::max);
        let scale = values.iter().fold(0.0, |m: f64, x| m.max(x.abs())).max(f64::MIN_POSITIVE);
        scale * self.beyond(most(&self.highest) / scale, most(&self.middle) / scale, fall)
    }

    /// The same along each side of a square.
    pub(super) fn errors(&self, values: &[f64], falls: [Fall; 2]) -> [f64; 2] {
        let scale = values.iter().fold(0.0, |m: f64, x| m.max(x.abs())).max(f64::MIN_POSITIVE);
        let (highest, middle) = (self.largest(&self.highest, values), self.largest(&self.middle, values));
        [0, 1].map(|k| scale * self.beyond(highest[k] / scale, middle[k] / scale, falls[k]))
    }

    /// The largest coefficient of the highest polynomials along the sides of a square.
    pub(super) fn rest(&self, values: &[f64]) -> f64 {
        let [u, v] = self.largest(&self.highest, values);
        u.max(v)
    }

    /// The largest of some coefficients along each side of a square.
    fn largest(&self, all: &[Vec<f64>], values: &[f64]) -> [f64; 2] {
        let n = self.len();
        let mut most = [0.0f64; 2];
        for (i, weights) in (0..n).flat_map(|i| all.iter().map(move |weights| (i, weights))) {
            let (mut first, mut second) = (0.0, 0.0);
            for (k, h) in weights.iter().enumerate() {
                first += h * values[k * n + i];
                second += h * values[i * n + k];
            }
            most = [most[0].max(first.abs()), most[1].max(second.abs())];
        }
        most
    }

    fn beyond(&self, highest: f64, middle: f64, fall: Fall) -> f64 {
        let ratio = if middle > highest { highest / middle } else { 1.0 };
        let falling = match fall {
            // from the highest degree to twice it, in steps of two
            Fall::Geometric => highest * pow(ratio, (self.len() / 2) as f64),
            Fall::Algebraic => highest * pow(ratio, self.further).max(self.steepest),
        };
        // chance may make them fall fast: no less than the square either
        falling.max(pow(highest, 1.0 / 0.45))
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
    fn errors_of_smooth_functions_are_small_and_those_of_kinks_are_not() {
        let rule = Rule::of(6);
        let of = |f: fn(f64, f64) -> f64| {
            let at = |k: usize| f(rule.nodes[k / 6], rule.nodes[k % 6]);
            rule.errors(&(0..36).map(at).collect::<Vec<_>>(), [Fall::Geometric; 2])
        };
        assert!(of(|x, y| 1.0 + x * y.powi(3) - x.powi(3)).iter().all(|e| *e < 1e-14));
        let [first, second] = of(|x, y| y / (3.0 + x));
        assert!(first < 1e-9 && second < 1e-14, "{first} {second}");
        let [first, second] = of(|_, y| (y - 0.3).max(0.0).powi(2));
        assert!(first < 1e-14 && second > 1e-8, "{first} {second}");
    }
    /// Powers that are no even numbers, at an end of the interval, alone or beside what is smooth: the error is about what it is said to be.
    #[test]
    fn errors_of_powers_are_seen() {
        for n in [6, 8] {
            let rule = Rule::of(n);
            for (g, scale) in [1.5f64, 2.3, 2.5, 3.5].into_iter().flat_map(|g| [(g, 0.0), (g, 1.0)]) {
                let f = |x: f64| scale * (1.0 + 0.3 * x - 0.2 * x * x) + x.powf(g);
                let values: Vec<f64> = rule.nodes.iter().map(|x| f(*x)).collect();
                let sum: f64 = values.iter().zip(&rule.weights).map(|(x, w)| w * x).sum();
                let error = (sum - scale * (1.0 + 0.15 - 0.2 / 3.0) - 1.0 / (g + 1.0)).abs();
                let said = rule.error_along(&values, Fall::Algebraic);
                assert!(error < 4.0 * said, "{n} {g} {scale}: {error:e}, said {said:e}");
            }
        }
    }
}
