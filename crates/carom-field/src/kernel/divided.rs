//! The case ν ≤ K with heights further apart than `beta` allows: divided differences.
//!
//! With f such that f^(K) = d^−ν, and T_L(b) the average of f^(L) with weight Π λ_i^(b_i − 1), |b| = L + 1,
//!
//!   (x_j − x_i) T_L(b) = L (T_(L−1)(b − e_i) − T_(L−1)(b − e_j)),   T_L((L + 1) e_i) = f^(L)(x_i)
//!
//! and T_K is the result. With the heights in order, i and j are the last and the first of them: their ratio is large, and
//! little cancels. A triangle is thus computed from the two edges without its highest or its lowest vertex, and an edge from
//! its two vertices. The heights of an edge of a triangle may still be similar: then T_K comes from the integral of `beta`,
//! and the equation is solved for T_(L−1) from T_L, in which nothing cancels either.

use carom_base::Scalar;

use super::beta;
use super::simplex::{Averages, power};

/// Above this ratio of the heights of its ends, the differences along an edge are as accurate as the integral, and faster.
const WIDE: f64 = 6.2;

/// Largest K + 1: a triangle, second order
const LEVELS: usize = 5;

/// The derivatives f^(L) at a vertex, L = 0 … K: d^−ν integrated K − L times.
type Vertex<S> = [S; LEVELS];

/// T_L of an edge as \[L\]\[p\]: its lower vertex is taken p times, its upper one L + 1 − p times.
type Edge<S> = [[S; LEVELS + 1]; LEVELS];

/// 1/n, and −1 for the factor n = 0 that ends (ν−1) … (ν−p) at p = ν
const INVERSE: [f64; LEVELS + 1] = [-1.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0];

/// Computes f^(L), with p = K − L:
/// (−1)^p t^(p−ν)/((ν−1) … (ν−p)) for p < ν, (−1)^(ν−1)/(ν−1)! t^q/q! (ln(t/c) − 1 − 1/2 … − 1/q) with q = p − ν beyond.
/// The constant c is arbitrary, but the same for all vertices.
#[inline(always)]
fn vertex<S: Scalar>(t: S, c: f64, nu: usize, k: usize) -> Vertex<S> {
    let mut f = [S::from_f64(0.0); LEVELS];
    let inverse = S::from_f64(1.0) / t;
    // t^(p−ν) and (−1)^p/((ν−1) … (ν−p))
    let (mut power, mut unit) = (power(inverse, nu), 1.0);
    for p in 0..nu {
        f[k - p] = power * S::from_f64(unit);
        power *= t;
        unit *= -INVERSE[nu - 1 - p];
    }
    // t^q/q! and ln(t/c) − 1 − 1/2 … − 1/q
    let (mut power, mut ln) = (S::from_f64(unit), (t * S::from_f64(1.0 / c)).ln());
    for q in 0..k - nu + 1 {
        f[k - nu - q] = power * ln;
        power *= t * S::from_f64(INVERSE[q + 1]);
        ln -= S::from_f64(INVERSE[q + 1]);
    }
    f
}

/// Computes T_0 … T_K of an edge from its lower to its upper vertex.
#[inline(always)]
fn edge<S: Scalar>(x: &[S; 2], f: [&Vertex<S>; 2], nu: usize, k: usize) -> Edge<S> {
    let mut t: Edge<S> = [[S::from_f64(0.0); LEVELS + 1]; LEVELS];
    for l in 0..k + 1 {
        t[l][0] = f[1][l];
        t[l][l + 1] = f[0][l];
    }
    match beta::rule(x, WIDE) {
        None => {
            let inverse = S::from_f64(1.0) / (x[1] - x[0]);
            for l in 1..k + 1 {
                let factor = inverse * S::from_f64(l as f64);
                for p in 1..l + 1 {
                    t[l][p] = (t[l - 1][p - 1] - t[l - 1][p]) * factor;
                }
            }
        }
        Some(rule) => {
            let factor = beta::integrate(rule, x, nu, k, |product, q| {
                // q_0^(p−1) q_1^(K−p)
                let mut terms = [product; LEVELS + 1];
                for p in 2..k + 1 {
                    terms[p] = terms[p - 1] * q[0];
                }
                let mut power = S::from_f64(1.0);
                for p in (1..k + 1).rev() {
                    t[k][p] += terms[p] * power;
                    power *= q[1];
                }
            });
            for p in 1..k + 1 {
                t[k][p] *= factor;
            }
            for l in (1..k + 1).rev() {
                let factor = (x[1] - x[0]) * S::from_f64(1.0 / l as f64);
                for p in 1..l {
                    t[l - 1][p] = t[l - 1][p - 1] - factor * t[l][p];
                }
            }
        }
    }
    t
}

/// Computes R(1), R(1 + e_i) or R(1 + e_i + e_j), depending on the order; N = 2 or 3.
pub(super) fn fill<S: Scalar, const N: usize, const ORDER: usize>(
    given: &[S; N],
    nu: usize,
    r: &mut Averages<S, N>,
) {
    let k = N - 1 + ORDER;
    let mut sorted: [usize; N] = std::array::from_fn(|i| i);
    for i in 1..N {
        for j in (1..i + 1).rev() {
            if given[sorted[j]] < given[sorted[j - 1]] {
                sorted.swap(j, j - 1);
            }
        }
    }
    let mut x = *given;
    for i in 0..N {
        x[i] = given[sorted[i]];
    }
    // c is arbitrary; this one keeps the logarithms small for both the lower edge and the upper one
    let c = (x[N - 2].value() * x[N - 1].value()).sqrt();
    let mut f = [[S::from_f64(0.0); LEVELS]; N];
    for i in 0..N {
        f[i] = vertex(x[i], c, nu, k);
    }
    let low = edge(&[x[0], x[1]], [&f[0], &f[1]], nu, k);
    if N == 2 {
        spread::<S, N, ORDER>(&sorted, r, |b| low[k][b[0]]);
    } else {
        let high = edge(&[x[1], x[2]], [&f[1], &f[2]], nu, k);
        let t = triangle(x[2] - x[0], &low, &high, k);
        spread::<S, N, ORDER>(&sorted, r, |b| t[b[0]][b[2]]);
    }
}

/// Computes T_K of a triangle as \[b_0\]\[b_2\]; `low` is the edge without the highest vertex, `high` the one without the
/// lowest.
#[inline(always)]
fn triangle<S: Scalar>(span: S, low: &Edge<S>, high: &Edge<S>, k: usize) -> [[S; LEVELS]; LEVELS] {
    let mut t = [[S::from_f64(0.0); LEVELS]; LEVELS];
    let inverse = S::from_f64(1.0) / span;
    for l in 2..k + 1 {
        // T_(L−1) on both edges: b = (p, L − p, 0) and (0, L − p, p)
        for p in 1..l {
            t[p][0] = low[l - 1][p];
            t[0][p] = high[l - 1][l - p];
        }
        let factor = inverse * S::from_f64(l as f64);
        // b_0 + b_2 ≤ L; in decreasing order, so that the entries read are still T_(L−1)
        for b0 in (1..l).rev() {
            for b2 in (1..l - b0 + 1).rev() {
                t[b0][b2] = (t[b0 - 1][b2] - t[b0][b2 - 1]) * factor;
            }
        }
    }
    t
}

/// Assigns the values for the multiplicities b of the sorted vertices to the vertices in their original order.
#[inline(always)]
fn spread<S: Scalar, const N: usize, const ORDER: usize>(
    sorted: &[usize; N],
    r: &mut Averages<S, N>,
    t: impl Fn(&[usize; N]) -> S,
) {
    let mut b = [1; N];
    if ORDER == 0 {
        r.zeroth = t(&b);
        return;
    }
    for i in 0..N {
        b[i] += 1;
        if ORDER == 1 {
            r.first[sorted[i]] = t(&b);
        } else {
            for j in 0..N {
                b[j] += 1;
                r.second[sorted[i]][sorted[j]] = t(&b);
                b[j] -= 1;
            }
        }
        b[i] -= 1;
    }
}
