//! The case ν ≤ K with heights within a factor of 65 of one another: an integral in one variable.
//!
//!   R_ν(b) = 1/B(ν, μ) ∫₀^∞ t^(μ−1) Π (t + x_i)^−b_i dt,  μ = K + 1 − ν
//!
//! (Carlson 1977; Feynman's parameters). The integrand is positive and smooth in the heights everywhere: equal heights are no
//! special case, neither for values nor for derivatives. With t = c s/(1−s), where c² is the product of the least and the
//! greatest height, whose ratio is ρ, the closest poles are 1/(√ρ − 1) beyond the ends of 0 ≤ s ≤ 1. The convergence of
//! Gauss's rule depends on the size of the ellipse about the interval through the poles.

use carom_base::Scalar;

use super::rule::{RULES, Rule};
use super::simplex::{Averages, FACTORIAL, power, range};

/// Returns the rule with as many points as give 1e-15, in all lanes; `None` if the greatest height is `wide` times the least or
/// more, or if no rule is accurate enough.
#[inline(always)]
pub(super) fn rule<S: Scalar, const N: usize>(x: &[S; N], wide: f64) -> Option<Rule> {
    let (least, most) = range(x);
    let fits = |ratio: f64| most < least * S::from_f64(ratio);
    RULES
        .iter()
        .take_while(|(ratio, _)| *ratio <= wide)
        .find(|(ratio, _)| fits(*ratio))
        .map(|(_, rule)| *rule)
}

/// Calls `each` at every point with the integrand for b = 1 and the factors 1/(t + x_i) that raise b; returns the factor by
/// which the sum over the points must be multiplied.
#[inline(always)]
pub(super) fn integrate<S: Scalar, const N: usize>(
    rule: Rule,
    x: &[S; N],
    nu: usize,
    k: usize,
    mut each: impl FnMut(S, &[S; N]),
) -> S {
    let mu = k + 1 - nu;
    let (least, most) = range(x);
    let c = (least * most).sqrt();
    for &(tau, weights) in rule {
        let mut height = *x;
        for height in &mut height {
            *height += c * S::from_f64(tau);
        }
        // 1/height with a single division for all
        let mut others = [S::from_f64(1.0); N];
        for i in 0..N {
            for j in 0..N {
                if i != j {
                    others[i] *= height[j];
                }
            }
        }
        let inverse = S::from_f64(1.0) / (height[0] * others[0]);
        let mut q = others;
        for q in &mut q {
            *q *= inverse;
        }
        each(inverse * S::from_f64(weights[mu - 1]), &q);
    }
    // c^μ/B(ν, μ)
    power(c, mu) * S::from_f64(FACTORIAL[k] / (FACTORIAL[nu - 1] * FACTORIAL[mu - 1]))
}

/// Computes R(1), R(1 + e_i) or R(1 + e_i + e_j), depending on the order.
#[inline(always)]
pub(super) fn fill<S: Scalar, const N: usize, const ORDER: usize>(
    rule: Rule,
    x: &[S; N],
    nu: usize,
    r: &mut Averages<S, N>,
) {
    let mut sum = Averages::<S, N>::zero();
    let factor = integrate(rule, x, nu, N - 1 + ORDER, |p, q| match ORDER {
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
    match ORDER {
        0 => r.zeroth = sum.zeroth * factor,
        1 => {
            for i in 0..N {
                r.first[i] = sum.first[i] * factor;
            }
        }
        _ => {
            for i in 0..N {
                for j in i..N {
                    r.second[i][j] = sum.second[i][j] * factor;
                    r.second[j][i] = r.second[i][j];
                }
            }
        }
    }
}
