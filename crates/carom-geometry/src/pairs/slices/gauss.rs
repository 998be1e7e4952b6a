//! Gauss rules over an arc, for integrands that grow from its ends with given powers of the depth.
//!
//! On −1 < x < 1 the depth is (1 − x²) times something smooth, and a force is δⁿ, or δⁿ and δᵖ side by side (spring and dashpot). Neither is smooth at the ends.
//! With m the least whole number that makes m (n − p) whole, put
//!
//!   x = c ∫₀ˢ (1 − t²)^{m−1} dt,   x(1) = 1,   dx = c (1 − s²)^{m−1} ds,
//!
//! so that 1 − x² is (1 − s²)^m times something smooth: both powers become (1 − s²)^a, a = m min(n, p) + m − 1, times something smooth. The Gauss rule of
//! that weight (Gegenbauer) converges geometrically. With one power, or two that are a whole number apart, m is 1 and x = s. Powers that have no such m up to 4 are taken with
//! m = 4: what is left of the larger one then vanishes with a high power at the ends, and the rule converges fast, if not geometrically.
//!
//! Places are the zeros of the orthogonal polynomials, found by bisection with the Sturm sequence of their three-term recurrence; weights are
//! 1/Σ p_k², the polynomials being orthonormal (Gautschi, Orthogonal Polynomials, 2004, sections 1.4 and 3.1).

use std::f64::consts::PI;

use carom_base::elementary::{pow, sin};

/// Places and weights on −1 < x < 1 with ∫ f dx = Σ w f(x), for f that grows from the ends with these powers of 1 − x².
pub(super) fn rule(count: usize, powers: [f64; 2]) -> Vec<[f64; 2]> {
    let [n, p] = powers;
    let whole = |m: usize| {
        let apart = m as f64 * (n - p);
        (apart - apart.round()).abs() < 1e-9
    };
    let m = (1..MOST).find(|m| whole(*m)).unwrap_or(MOST);
    let a = m as f64 * n.min(p) + (m - 1) as f64;
    let map = Map::new(m);
    let mapped = |[s, w]: [f64; 2]| [map.at(s), w * map.c * pow(1.0 - s * s, (m - 1) as f64 - a)];
    gegenbauer(count, a).into_iter().map(mapped).collect()
}

/// The largest m.
const MOST: usize = 4;

/// x(s), a polynomial of the degree 2m − 1.
struct Map {
    c: f64,
    /// of s, s³, s⁵ …
    terms: Vec<f64>,
}

impl Map {
    fn new(m: usize) -> Map {
        // (1 − t²)^{m−1} by the binomial theorem, term by term
        let mut binomial = 1.0;
        let term = |k: usize| {
            let term = binomial / (2 * k + 1) as f64;
            binomial *= -((m - 1 - k) as f64) / (k + 1) as f64;
            term
        };
        let terms: Vec<f64> = (0..m).map(term).collect();
        let c = 1.0 / terms.iter().sum::<f64>();
        Map { c, terms }
    }

    fn at(&self, s: f64) -> f64 {
        self.c * s * self.terms.iter().rev().fold(0.0, |sum, term| sum * s * s + term)
    }
}

/// Places and weights of the Gauss rule with the weight function (1 − s²)^a, from the largest place to the least.
fn gegenbauer(count: usize, a: f64) -> Vec<[f64; 2]> {
    // b_k² of s p_k = b_{k+1} p_{k+1} + b_k p_{k−1}, from k = 1 on
    let square = |k: usize| {
        let k = k as f64;
        k * (k + 2.0 * a) / ((2.0 * k + 2.0 * a - 1.0) * (2.0 * k + 2.0 * a + 1.0))
    };
    let squares: Vec<f64> = (1..count).map(square).collect();
    let total = total(a);
    let mut rule = vec![[0.0; 2]; count];
    for i in 0..count.div_ceil(2) {
        // the middle one of an odd number is at zero
        let s = if 2 * i + 1 == count { 0.0 } else { zero(&squares, i) };
        let w = total / kernel(&squares, s);
        rule[i] = [s, w];
        rule[count - 1 - i] = [-s, w];
    }
    rule
}

/// The i-th largest zero of the polynomial with this recurrence, which is above 0.
fn zero(squares: &[f64], i: usize) -> f64 {
    // p_{k+1}/p_k, as often negative as there are zeros above s
    let above = |s: f64| {
        let (mut ratio, mut count) = (s, usize::from(s < 0.0));
        for b2 in squares {
            ratio = s - b2 / if ratio == 0.0 { f64::EPSILON } else { ratio };
            count += usize::from(ratio < 0.0);
        }
        count
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        *(if above(middle) > i { &mut low } else { &mut high }) = middle;
    }
    0.5 * (low + high)
}

/// Σ p_k²(s) of polynomials that are orthonormal for a weight whose integral is 1.
fn kernel(squares: &[f64], s: f64) -> f64 {
    let (mut before, mut here, mut b_before, mut sum) = (0.0, 1.0, 0.0, 1.0);
    for b in squares.iter().map(|b2| b2.sqrt()) {
        (before, here) = (here, (s * here - b_before * before) / b);
        (b_before, sum) = (b, sum + here * here);
    }
    sum
}

/// ∫ (1 − s²)^a ds from −1 to 1: by I(a) = I(a + 1) (2a + 3)/(2a + 2) from a power so high that the midpoint rule in arccos s is exact to rounding.
fn total(a: f64) -> f64 {
    let (up, points) = (20, 200);
    let factor: f64 = (1..=up).map(|j| 2.0 * (a + f64::from(j))).map(|x| (x + 1.0) / x).product();
    let sine = |k: i32| sin(PI * (f64::from(k) + 0.5) / f64::from(points));
    let high = 2.0 * (a + f64::from(up)) + 1.0;
    factor * (0..points).map(|k| pow(sine(k), high)).sum::<f64>() * PI / f64::from(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫ (1 − s²)^a: closed forms.
    #[test]
    fn the_integral_of_the_weight() {
        let known =
            [(0.0, 2.0), (0.5, PI / 2.0), (1.0, 4.0 / 3.0), (1.5, 3.0 * PI / 8.0), (3.0, 32.0 / 35.0)];
        for (a, want) in known {
            assert!((total(a) / want - 1.0).abs() < 4e-15, "{a}: {}", total(a));
        }
    }

    /// N places are exact for polynomials up to the degree 2N − 1, moments of (1 − x²)^q being known by [`total`].
    #[test]
    fn polynomials_are_exact() {
        for n in [0.0, 0.3, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 10.0] {
            for count in [1, 2, 5, 12, 31] {
                let rule = rule(count, [n; 2]);
                for more in 0..count {
                    let q = n + more as f64;
                    let sum: f64 = rule.iter().map(|[x, w]| w * (1.0 - x * x).powf(q)).sum();
                    assert!((sum / total(q) - 1.0).abs() < 1e-13, "{n} {count} {more}: {sum}");
                }
                assert!(rule.is_sorted_by(|x, y| x[0] > y[0]) && rule.iter().all(|r| r[1] > 0.0));
            }
        }
    }

    /// Two powers at once, each with its own known integral.
    #[test]
    fn two_powers() {
        for (powers, count) in [([1.0, 0.0], 8), ([1.5, 0.0], 12), ([1.5, 0.25], 16), ([1.2, 0.0], 24)] {
            let rule = rule(count, powers);
            for q in [powers[0], powers[1], powers[0] + 1.0] {
                let sum: f64 = rule.iter().map(|[x, w]| w * (1.0 - x * x).powf(q)).sum();
                assert!((sum / total(q) - 1.0).abs() < 1e-11, "{powers:?} {q}: {:e}", sum / total(q) - 1.0);
            }
        }
    }
}
