//! Averages over a simplex of powers of a height that is affine on it.
//!
//! | symbol | meaning |
//! |---|---|
//! | x_i > 0 | heights of the N vertices; N = 2: segment, N = 3: triangle |
//! | λ_i | barycentric coordinates; d = Σ λ_i x_i |
//! | m | powers of the λ_i; the *order* is \|m\| = Σ m_i, which is 0, 1 or 2 |
//! | K | N − 1 + \|m\| |
//! | R_ν(b) | average of d^−ν with weight Π λ_i^(b_i − 1), \|b\| = K + 1: Carlson's R_−ν(b; x) |
//!
//!   avg λ^m d^−ν = (N − 1)! Π m_i!/K! · R_ν(1 + m)
//!
//! R is K! times the divided difference, at the heights each taken b_i times, of a function whose K-th derivative is d^−ν
//! (Hermite, Genocchi); B. C. Carlson, *Special Functions of Applied Mathematics* (1977), chapters 5 and 6. Averages of lower
//! order are sums of those of the order computed, since Σ λ_i = 1.
//!
//! It is checked against divided differences with 120 digits and against adaptive quadrature (tests/planar.rs).

use carom_base::{Scalar, Two};

use super::{beta, divided, homogeneous};

/// Averages over a simplex of N vertices; multiplied by its length or area they give integrals. Averages of an order that was
/// not asked for are zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Averages<S, const N: usize> {
    /// average of d^−ν
    pub(crate) zeroth: S,
    /// averages of λ_i d^−ν
    pub(crate) first: [S; N],
    /// averages of λ_i λ_j d^−ν
    pub(crate) second: [[S; N]; N],
}

impl<S: Scalar, const N: usize> Averages<S, N> {
    #[inline(always)]
    pub(super) fn zero() -> Self {
        let zero = S::from_f64(0.0);
        Averages { zeroth: zero, first: [zero; N], second: [[zero; N]; N] }
    }
}

/// Computes the averages up to an order (0, 1 or 2) for an exponent ν (0 to 30) over a segment (N = 2) or a triangle (N = 3)
/// with these heights at the vertices, all greater than zero, in any order, equal or not.
///
/// For a segment from p0 to p1, of length l: ∫ d^−ν ds = l·zeroth, ∫ d^−ν p ds = l·Σ first[i] p_i, and so on:
///
/// ```text
/// let avg = simplex::averages(&[x0, x1], nu, 2);
/// let i0 = length * avg.zeroth;
/// let i1 = length * (avg.first[0] * s0 + avg.first[1] * s1);
/// ```
#[inline]
pub(crate) fn averages<S: Scalar, const N: usize>(x: &[S; N], nu: u32, order: u32) -> Averages<S, N> {
    match order {
        0 => of_order::<S, N, 0>(x, nu),
        1 => of_order::<S, N, 1>(x, nu),
        _ => of_order::<S, N, 2>(x, nu),
    }
}

/// Computes the averages of an order that is known at compile time, as [`averages`] does; also for two simplexes at once, if
/// [`together`] allows it.
#[inline(always)]
pub(crate) fn of_order<S: Scalar, const N: usize, const ORDER: usize>(x: &[S; N], nu: u32) -> Averages<S, N> {
    let nu = nu as usize;
    let mut r = Averages::zero();
    if nu == 0 {
        let one = S::from_f64(1.0);
        match ORDER {
            0 => r.zeroth = one,
            1 => r.first = [one; N],
            _ => r.second = [[one; N]; N],
        }
    } else if nu > N - 1 + ORDER {
        homogeneous::fill::<S, N, ORDER>(x, nu, &mut r);
    } else if let Some(rule) = beta::rule(x, f64::INFINITY) {
        beta::fill::<S, N, ORDER>(rule, x, nu, &mut r);
    } else {
        divided::fill::<S, N, ORDER>(x, nu, &mut r);
    }
    // from R(1), R(1 + e_i) or R(1 + e_i + e_j) to averages by (N − 1)! Π m_i!/K!, and from those to the ones of lower order
    let n = N as f64;
    if ORDER >= 2 {
        let (mixed, square) = (S::from_f64(1.0 / (n * (n + 1.0))), S::from_f64(2.0 / (n * (n + 1.0))));
        for i in 0..N {
            r.second[i][i] *= square;
            for j in 0..i {
                r.second[i][j] *= mixed;
                r.second[j][i] = r.second[i][j];
            }
        }
        for i in 0..N {
            r.first[i] = sum(&r.second[i]);
        }
    } else if ORDER == 1 {
        for first in &mut r.first {
            *first *= S::from_f64(1.0 / n);
        }
    }
    if ORDER >= 1 {
        r.zeroth = sum(&r.first);
    }
    r
}

/// Returns whether two simplexes take the same branch in [`of_order`]; divided differences branch separately in each.
#[inline(always)]
pub(crate) fn together<const N: usize, const ORDER: usize>(x: &[Two; N], nu: u32) -> bool {
    nu == 0 || nu as usize > N - 1 + ORDER || beta::rule(x, f64::INFINITY).is_some()
}

#[inline(always)]
fn sum<S: Scalar, const N: usize>(terms: &[S; N]) -> S {
    let mut sum = terms[0];
    for &x in &terms[1..] {
        sum += x;
    }
    sum
}

/// Returns the least and the greatest of some heights, without derivatives.
#[inline(always)]
pub(super) fn range<S: Scalar, const N: usize>(x: &[S; N]) -> (S, S) {
    let (mut least, mut most) = (x[0].constant(), x[0].constant());
    for x in &x[1..] {
        least = least.min(x.constant());
        most = most.max(x.constant());
    }
    (least, most)
}

/// n!, n ≤ K
pub(super) const FACTORIAL: [f64; 5] = [1.0, 1.0, 2.0, 6.0, 24.0];

/// Returns xⁿ for small n.
#[inline(always)]
pub(super) fn power<S: Scalar>(x: S, n: usize) -> S {
    let mut product = S::from_f64(1.0);
    for _ in 0..n {
        product *= x;
    }
    product
}
