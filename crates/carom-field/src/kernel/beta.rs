//! ν ≤ K, heights alike: an integral in one variable.
//!
//!   R_ν(b) = 1/B(ν, μ) ∫₀^∞ t^(μ−1) Π (t + x_i)^−b_i dt,  μ = K + 1 − ν
//!
//! (Carlson 1977; Feynman's parameters). All of it is positive, and smooth in the heights wherever they are: equal ones are nothing
//! special, neither to values nor to derivatives. With t = c s/(1−s), c² the product of the least and the greatest height, whose ratio
//! is ρ, the nearest poles are 1/(√ρ − 1) beyond the ends of 0 ≤ s ≤ 1: Gauss's points converge as fast as ellipses about the
//! interval through the poles are large.

use carom_base::Scalar;

use super::rule::{EIGHT, FOUR, Rule, SIXTEEN, TWELVE};
use super::simplex::{Averages, FACTORIAL, power, range};

/// Beyond this ratio of the heights divided differences are as good, and faster.
pub(super) const WIDE: f64 = 5.0;

/// As many points as make 1e-15, derivatives included; none beyond [`WIDE`].
#[inline(always)]
pub(super) fn rule<S: Scalar, const N: usize>(x: &[S; N]) -> Option<Rule> {
    let (least, most) = range(x);
    let wide = |ratio: f64| most > ratio * least;
    if wide(WIDE) {
        return None;
    }
    Some(if wide(2.5) {
        SIXTEEN
    } else if wide(1.4) {
        TWELVE
    } else if wide(1.003) {
        EIGHT
    } else {
        FOUR
    })
}

/// Hands over, at every point, the integrand with b = 1 and the factors 1/(t + x_i) that raise b.
#[inline(always)]
pub(super) fn integrate<S: Scalar, const N: usize>(
    rule: Rule,
    x: &[S; N],
    nu: usize,
    k: usize,
    mut each: impl FnMut(S, &[S; N]),
) {
    let mu = k + 1 - nu;
    let (least, most) = range(x);
    let c = (least * most).sqrt();
    // c^μ/B(ν, μ)
    let factor = power(c, mu) * FACTORIAL[k] / (FACTORIAL[nu - 1] * FACTORIAL[mu - 1]);
    for &(tau, weight) in rule {
        let mut height = *x;
        for height in &mut height {
            *height += S::from_f64(c * tau);
        }
        // 1/height with one division for all
        let mut product = height[0];
        for height in &height[1..] {
            product *= *height;
        }
        let inverse = S::from_f64(1.0) / product;
        let mut q = [inverse; N];
        for i in 0..N {
            for j in 0..N {
                if i != j {
                    q[i] *= height[j];
                }
            }
        }
        each(inverse * S::from_f64(factor * weight * power(tau, mu - 1)), &q);
    }
}

/// R(1), R(1 + e_i) or R(1 + e_i + e_j), by the order.
pub(super) fn fill<S: Scalar, const N: usize, const ORDER: usize>(
    rule: Rule,
    x: &[S; N],
    nu: usize,
    r: &mut Averages<S, N>,
) {
    let mut sum = Averages::zero();
    integrate(rule, x, nu, N - 1 + ORDER, |p, q| match ORDER {
        0 => sum.zeroth += p,
        1 => {
            for i in 0..N {
                sum.first[i] += p * q[i];
            }
        }
        _ => {
            for i in 0..N {
                let p = p * q[i];
                for j in i..N {
                    sum.second[i][j] += p * q[j];
                }
            }
        }
    });
    for i in 0..N {
        for j in 0..i {
            sum.second[i][j] = sum.second[j][i];
        }
    }
    *r = sum;
}
