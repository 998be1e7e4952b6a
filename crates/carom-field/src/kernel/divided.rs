//! ν ≤ K, heights unlike: divided differences.
//!
//! With f such that f^(K) = d^−ν, and T_L(b) the average of f^(L) with weight Π λ_i^(b_i − 1), |b| = L + 1,
//!
//!   (x_j − x_i) T_L(b) = L (T_(L−1)(b − e_i) − T_(L−1)(b − e_j)),   T_L((L + 1) e_i) = f^(L)(x_i)
//!
//! and T_K is what is asked for. With the heights in order the last and the first of them are the i and j taken: their ratio is great and
//! little cancels. So a triangle is made of the two edges that lack its highest or its lowest vertex, and an edge of its two vertices. The
//! heights of an edge of a triangle may yet be alike: then T_K comes from the integral of `beta`, and the same equation is read
//! the other way round, for T_(L−1) from T_L, in which nothing cancels either.

use carom_base::Scalar;

use super::beta;
use super::simplex::{Averages, factorial};

/// K + 1 at most: a triangle, second order
const LEVELS: usize = 5;

/// f^(L) at a vertex, L = 0 … K: (K − L) times integrated d^−ν.
type Vertex<S> = [S; LEVELS];

/// T_L of an edge, \[L\]\[p\]: its lower vertex p times, its upper one L + 1 − p times.
type Edge<S> = [[S; LEVELS + 1]; LEVELS];

/// f^(L), p = K − L:
/// (−1)^p t^(p−ν)/((ν−1) … (ν−p)) for p < ν, (−1)^(ν−1)/(ν−1)! t^q/q! (ln(t/c) − 1 − 1/2 … − 1/q) with q = p − ν beyond.
/// c may be anything, the same for all vertices.
fn vertex<S: Scalar>(t: S, c: f64, nu: u32, k: u32) -> Vertex<S> {
    let mut f = [S::from_f64(0.0); LEVELS];
    let k = k as usize;
    let mut g = S::from_f64(1.0) / super::simplex::power(t, nu);
    f[k] = g;
    for p in 1..nu {
        g *= t * S::from_f64(-1.0 / f64::from(nu - p));
        f[k - p as usize] = g;
    }
    let sign = if nu % 2 == 1 { 1.0 } else { -1.0 };
    let (mut g, mut ln) = (S::from_f64(sign / factorial(nu - 1)), (t / S::from_f64(c)).ln());
    for q in 0..=k - nu as usize {
        if q > 0 {
            g *= t * S::from_f64(1.0 / q as f64);
            ln -= S::from_f64(1.0 / q as f64);
        }
        f[k - nu as usize - q] = g * ln;
    }
    f
}

/// T_0 … T_K of an edge from its lower to its upper vertex.
fn edge<S: Scalar>(x: &[S; 2], f: [&Vertex<S>; 2], nu: u32, k: u32) -> Edge<S> {
    let top = k as usize;
    let mut t: Edge<S> = [[S::from_f64(0.0); LEVELS + 1]; LEVELS];
    for l in 0..=top {
        t[l][0] = f[1][l];
        t[l][l + 1] = f[0][l];
    }
    match beta::rule(x) {
        None => {
            let inverse = S::from_f64(1.0) / (x[1] - x[0]);
            for l in 1..=top {
                let factor = inverse * S::from_f64(l as f64);
                for p in 1..=l {
                    t[l][p] = (t[l - 1][p - 1] - t[l - 1][p]) * factor;
                }
            }
        }
        Some(rule) => {
            beta::integrate(rule, x, nu, k, |product, q| {
                let mut up = product;
                for p in 1..=top {
                    // q_0^(p−1) q_1^(K−p)
                    t[top][p] += (p..top).fold(up, |up, _| up * q[1]);
                    up *= q[0];
                }
            });
            for l in (1..=top).rev() {
                let factor = (x[1] - x[0]) * S::from_f64(1.0 / l as f64);
                for p in 1..l {
                    t[l - 1][p] = t[l - 1][p - 1] - factor * t[l][p];
                }
            }
        }
    }
    t
}

/// R(1), R(1 + e_i) or R(1 + e_i + e_j), by the order; N = 2 or 3.
pub(super) fn fill<S: Scalar, const N: usize>(x: &[S; N], nu: u32, order: u32, r: &mut Averages<S, N>) {
    let k = N as u32 - 1 + order;
    let mut sorted: [usize; N] = std::array::from_fn(|i| i);
    sorted.sort_unstable_by(|&i, &j| x[i].value().total_cmp(&x[j].value()));
    let c = x[sorted[N - 1]].value();
    let f = sorted.map(|i| vertex(x[i], c, nu, k));
    let edge = |i: usize| edge(&[x[sorted[i]], x[sorted[i + 1]]], [&f[i], &f[i + 1]], nu, k);
    if N == 2 {
        let t = edge(0)[k as usize];
        spread(&sorted, order, r, |b| t[b[0]]);
    } else {
        let t = triangle(x[sorted[2]] - x[sorted[0]], &edge(0), &edge(1), k);
        spread(&sorted, order, r, |b| t[b[0]][b[2]]);
    }
}

/// T_K of a triangle, \[b_0\]\[b_2\]; `low`: the edge without the highest vertex, `high`: the one without the lowest.
fn triangle<S: Scalar>(span: S, low: &Edge<S>, high: &Edge<S>, k: u32) -> [[S; LEVELS]; LEVELS] {
    let mut t = [[S::from_f64(0.0); LEVELS]; LEVELS];
    let inverse = S::from_f64(1.0) / span;
    for l in 2..=k as usize {
        // T_(L−1) on both edges: b = (p, L − p, 0) and (0, L − p, p)
        for p in 1..l {
            t[p][0] = low[l - 1][p];
            t[0][p] = high[l - 1][l - p];
        }
        let factor = inverse * S::from_f64(l as f64);
        // b_0 + b_2 ≤ L; from the greatest down, so that what is read is still T_(L−1)
        for b0 in (1..l).rev() {
            for b2 in (1..=l - b0).rev() {
                t[b0][b2] = (t[b0 - 1][b2] - t[b0][b2 - 1]) * factor;
            }
        }
    }
    t
}

/// From the multiplicities b of the sorted vertices to the vertices as they came.
fn spread<S: Scalar, const N: usize>(
    sorted: &[usize; N],
    order: u32,
    r: &mut Averages<S, N>,
    t: impl Fn(&[usize; N]) -> S,
) {
    let mut b = [1; N];
    if order == 0 {
        r.zeroth = t(&b);
        return;
    }
    for i in 0..N {
        b[i] += 1;
        if order == 1 {
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
