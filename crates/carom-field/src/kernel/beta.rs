//! ν ≤ K, heights alike: an integral in one variable.
//!
//!   R_ν(b) = c^μ/B(ν, μ) ∫₀¹ s^(μ−1) (1−s)^(ν−1) Π (c s + (1−s) x_i)^−b_i ds,  μ = K + 1 − ν, any c > 0
//!
//! (Carlson's integral over 0 … ∞ with t = c s/(1−s); Feynman's parameters). All of it is positive, and smooth in the heights wherever
//! they are: equal ones are nothing special, neither to values nor to derivatives. With c² the product of the least and the greatest
//! height, whose ratio is ρ, the nearest poles are 1/(√ρ − 1) beyond the ends of the interval: Gauss's points converge as fast as
//! ellipses about 0 … 1 through the poles are large.

use carom_base::Scalar;

use super::rule::{EIGHT, FOUR, Rule, SIXTEEN, TWELVE};
use super::simplex::{Averages, factorial, power, range};

/// Beyond this ratio of the heights divided differences are as good, and faster.
pub(super) const WIDE: f64 = 5.0;

/// As many points as make 1e-15, derivatives included; none beyond [`WIDE`].
pub(super) fn rule<S: Scalar>(x: &[S]) -> Option<Rule> {
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

/// Hands over, at every point, the integrand with b = 1 and the factors 1/(c s + (1−s) x_i) that raise b.
#[inline(always)]
pub(super) fn integrate<S: Scalar, const N: usize>(
    rule: Rule,
    x: &[S; N],
    nu: u32,
    k: u32,
    mut each: impl FnMut(S, &[S; N]),
) {
    let mu = k + 1 - nu;
    let (least, most) = range(x);
    let c = (least * most).sqrt();
    // c^μ/B(ν, μ)
    let factor = power(c, mu) * factorial(k) / (factorial(nu - 1) * factorial(mu - 1));
    for &(point, weight) in rule {
        for (s, rest) in [(point, 1.0 - point), (1.0 - point, point)] {
            let weight = factor * weight * power(s, mu - 1) * power(rest, nu - 1);
            let q = x.map(|x| S::from_f64(1.0) / (S::from_f64(c * s) + S::from_f64(rest) * x));
            each(q.iter().fold(S::from_f64(weight), |p, &q| p * q), &q);
        }
    }
}

/// R(1), R(1 + e_i) or R(1 + e_i + e_j), by the order.
pub(super) fn fill<S: Scalar, const N: usize>(
    rule: Rule,
    x: &[S; N],
    nu: u32,
    order: u32,
    r: &mut Averages<S, N>,
) {
    let k = N as u32 - 1 + order;
    match order {
        0 => integrate(rule, x, nu, k, |p, _| r.zeroth += p),
        1 => integrate(rule, x, nu, k, |p, q| {
            for i in 0..N {
                r.first[i] += p * q[i];
            }
        }),
        _ => {
            integrate(rule, x, nu, k, |p, q| {
                for i in 0..N {
                    for j in i..N {
                        r.second[i][j] += p * q[i] * q[j];
                    }
                }
            });
            for i in 0..N {
                for j in 0..i {
                    r.second[i][j] = r.second[j][i];
                }
            }
        }
    }
}
