//! The standard impact under F = K δⁿ (1 + η δ̇/v₀), in closed form.
//!
//! A mass m meets a fixed surface at the speed v₀, no other force: m δ̈ = −F, δ(0) = 0, δ̇(0) = v₀. Dividing
//! the variables, m v dv/(1 + η v/v₀) = −K δⁿ dδ, and both sides integrate:
//!
//! - rebound: η(1+e) = ln[(1+η)/(1−ηe)], whatever n, m, K and v₀ are
//! - deepest: δmaxⁿ⁺¹ = (n+1)(m v₀²/K) [1/η − ln(1+η)/η²]
//! - peak force: where n m v v₀ = η K δⁿ⁺¹, from dF/dt = 0
//! - elastic duration: (2 δmax/v₀) √π Γ(1 + 1/(n+1))/Γ(½ + 1/(n+1))
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | m | kg | mass, for two bodies the effective mass along the normal |
//! | v₀ | m/s | impact speed |
//! | K, n | N/mⁿ, 1 | stiffness and exponent |
//! | η | 1 | damping factor of the law, ≥ 0 |
//! | e | 1 | effective coefficient of restitution |
//!
//! Derived here, and checked by numerical integration of every law of the family. Small η: e = 1 − (2/3) η, so
//! a law is right as c → 1 only if its η → (3/2)(1 − c).

use std::f64::consts::PI;

use carom_base::elementary::{exp, expm1, log1p, pow};

/// The effective coefficient of restitution of F = K δⁿ (1 + η δ̇/v₀), to rounding error; NaN for η < 0.
///
/// ```
/// use carom_law::impact::effective_restitution;
/// // Hunt and Crossley's η for c = 0.5 rebounds faster than asked
/// assert!((effective_restitution(0.75) - 0.66296220000155).abs() < 1e-13);
/// assert_eq!(effective_restitution(0.0), 1.0);
/// ```
pub fn effective_restitution(eta: f64) -> f64 {
    if eta == 0.0 {
        return 1.0;
    }
    if eta.is_nan() || eta < 0.0 {
        return f64::NAN;
    }
    // With g = η e = 1 − e^{−λ} the relation is λ − 1 + e^{−λ} = η − ln(1+η): both sides convex, the left one
    // with slope g. Newton overshoots once at most, then falls onto the root; for large η, λ is right at once.
    let target = linear_minus_log(eta);
    let mut lambda = if target < 1.0 { (2.0 * target).sqrt() } else { target + 1.0 };
    for _ in 0..50 {
        let step = (exp_minus_linear(lambda) - target) / -expm1(-lambda);
        lambda -= step;
        if step.abs() <= f64::EPSILON * lambda {
            break;
        }
    }
    -expm1(-lambda) / eta
}

/// The η for which the effective coefficient of restitution is e, 0 < e ≤ 1, to rounding error; NaN for others.
///
/// ```
/// use carom_law::impact::{effective_restitution, exact_factor};
/// assert!((effective_restitution(exact_factor(0.2)) - 0.2).abs() < 1e-15);
/// assert_eq!(exact_factor(1.0), 0.0);
/// ```
pub fn exact_factor(e: f64) -> f64 {
    if !(e > 0.0 && e <= 1.0) {
        return f64::NAN;
    }
    // η is about 0.55 here, below beyond
    if e > 0.73 { factor_near_one(e) } else { factor_by_rebound(e) }
}

/// The root, for η < 0.6, of η(1+e) = ln(1+η) − ln(1−ηe), as a power series: what is left of it, divided by η², is
/// (1−e²)/2 = η(1+e³)/3 − η²(1−e⁴)/4 + η³(1+e⁵)/5 − …, in which nothing cancels as e → 1.
fn factor_near_one(e: f64) -> f64 {
    let left = 0.5 * (1.0 - e) * (1.0 + e);
    let mut eta = 1.5 * (1.0 - e);
    for _ in 0..50 {
        let (mut sum, mut slope) = (-left, 0.0);
        let (mut eta_power, mut e_power, mut sign) = (1.0, e * e, 1.0);
        for k in 3..70 {
            e_power *= e;
            let term = (e_power + sign) * eta_power / f64::from(k);
            slope += f64::from(k - 2) * term;
            eta_power *= eta;
            sum += term * eta;
            sign = -sign;
        }
        let step = sum / slope;
        eta -= step;
        if step.abs() <= f64::EPSILON * eta {
            break;
        }
    }
    eta
}

/// The same root by λ = −ln(1 − ηe), which stays exact where ηe is 1 but for rounding: λ + ln(1+η) = η(1+e),
/// η = (1 − e^{−λ})/e. From above, where the difference is convex, Newton falls onto the root.
fn factor_by_rebound(e: f64) -> f64 {
    let eta = |lambda: f64| -expm1(-lambda) / e;
    let mut lambda = 1.0 + 1.0 / e;
    for _ in 0..50 {
        let (x, x_slope) = (eta(lambda), exp(-lambda) / e);
        let excess = lambda + log1p(x) - x * (1.0 + e);
        let step = excess / (1.0 + x_slope / (1.0 + x) - x_slope * (1.0 + e));
        lambda -= step;
        if step.abs() <= f64::EPSILON * lambda {
            break;
        }
    }
    eta(lambda)
}

/// x − ln(1 + x), x ≥ 0, without cancellation.
fn linear_minus_log(x: f64) -> f64 {
    if x > 0.3 {
        return x - log1p(x);
    }
    // Σ_{k≥2} (−1)ᵏ xᵏ/k
    let (mut sum, mut power) = (0.0, -x);
    for k in 2..40 {
        power *= -x;
        sum += power / f64::from(k);
    }
    sum
}

/// e^{−x} − 1 + x, x ≥ 0, without cancellation.
fn exp_minus_linear(x: f64) -> f64 {
    if x > 0.5 {
        return x + expm1(-x);
    }
    // Σ_{k≥2} (−x)ᵏ/k!
    let (mut sum, mut term) = (0.0, -x);
    for k in 2..20 {
        term *= -x / f64::from(k);
        sum += term;
    }
    sum
}

/// A mass against a fixed surface under a law of the family.
///
/// ```
/// use carom_law::impact::StandardImpact;
/// // 1 kg at 1 m/s onto K = 1.4e8 N/m^1.5, elastic: ½ m v² = K δ^{5/2}/(5/2)
/// let impact = StandardImpact { mass: 1.0, v0: 1.0, stiffness: 1.4e8, exponent: 1.5, eta: 0.0 };
/// let delta_max = impact.max_indentation();
/// assert!((1.4e8 * delta_max.powf(2.5) / 2.5 - 0.5).abs() < 1e-13);
/// assert!((impact.elastic_duration() - 2.9432751843247047 * delta_max).abs() < 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StandardImpact {
    /// mass m \[kg\]
    pub mass: f64,
    /// impact speed v₀ [m/s], > 0
    pub v0: f64,
    /// stiffness K [N/mⁿ]
    pub stiffness: f64,
    /// exponent n
    pub exponent: f64,
    /// damping factor η ≥ 0
    pub eta: f64,
}

impl StandardImpact {
    /// The length (m v₀²/K)^{1/(n+1)} \[m\] in which all impacts of the family look alike.
    pub fn length(&self) -> f64 {
        pow(self.mass * self.v0 * self.v0 / self.stiffness, 1.0 / (self.exponent + 1.0))
    }

    /// The effective coefficient of restitution e.
    pub fn restitution(&self) -> f64 {
        effective_restitution(self.eta)
    }

    /// The deepest indentation δmax \[m\].
    pub fn max_indentation(&self) -> f64 {
        self.length() * self.deepest()
    }

    /// The largest force \[N\]; with damping it comes before the deepest indentation.
    pub fn peak_force(&self) -> f64 {
        let (n, eta) = (self.exponent, self.eta);
        // In units of length() and v₀: xⁿ⁺¹/(n+1) = ∫ᵥ¹ u du/(1 + ηu), and dF/dt = 0 where n v = η xⁿ⁺¹. The
        // difference of the two falls from v = 0 to v = 1; bisection is exact enough and cannot fail.
        let x_power = |v: f64| (n + 1.0) * work_between(v, eta);
        let (mut lo, mut hi) = (0.0, 1.0);
        while hi - lo > f64::EPSILON {
            let v = 0.5 * (lo + hi);
            if n * v < eta * x_power(v) {
                lo = v;
            } else {
                hi = v;
            }
        }
        let force = pow(x_power(lo), n / (n + 1.0)) * (1.0 + eta * lo);
        force * self.stiffness * pow(self.length(), n)
    }

    /// The contact duration \[s\] without damping (η is not looked at).
    pub fn elastic_duration(&self) -> f64 {
        let a = 1.0 / (self.exponent + 1.0);
        let elastic = StandardImpact { eta: 0.0, ..*self };
        2.0 * elastic.max_indentation() / self.v0 * PI.sqrt() * gamma(1.0 + a) / gamma(0.5 + a)
    }

    /// δmax in units of [`length`](Self::length).
    fn deepest(&self) -> f64 {
        let n = self.exponent;
        pow((n + 1.0) * work_between(0.0, self.eta), 1.0 / (n + 1.0))
    }
}

/// ∫ᵥ¹ u du/(1 + ηu): the elastic energy in units of m v₀² when the speed has fallen to v (in units of v₀).
fn work_between(v: f64, eta: f64) -> f64 {
    if eta < 1e-3 {
        // Σ_k (−η)ᵏ (1 − vᵏ⁺²)/(k+2), six terms to rounding
        let (mut sum, mut factor, mut power) = (0.0, 1.0, v * v);
        for k in 2..8 {
            sum += factor * (1.0 - power) / f64::from(k);
            factor *= -eta;
            power *= v;
        }
        return sum;
    }
    // η² times the integral is p(η) − p(ηv), p(x) = x − ln(1+x)
    (linear_minus_log(eta) - linear_minus_log(eta * v)) / (eta * eta)
}

/// Γ(x), x > 0: Stirling's series (DLMF 5.11.1) beyond 12, brought there by Γ(x+1) = x Γ(x).
fn gamma(mut x: f64) -> f64 {
    let mut product = 1.0;
    while x < 12.0 {
        product *= x;
        x += 1.0;
    }
    let u = 1.0 / (x * x);
    // B_{2k}/(2k(2k−1)) for k = 1 … 6
    let series = 1.0 / 12.0
        - u * (1.0 / 360.0
            - u * (1.0 / 1260.0 - u * (1.0 / 1680.0 - u * (1.0 / 1188.0 - u * 691.0 / 360360.0))));
    // ln(x)·(x − ½) in one power: fewer digits are lost than in the logarithm of Γ
    (2.0 * PI).sqrt() * pow(x, x - 0.5) * exp(-x) * exp(series / x) / product
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance * b.abs(), "{a:e} is not {b:e}: {:e}", (a - b).abs() / b.abs());
    }

    #[test]
    fn gamma_at_known_points() {
        close(gamma(0.5), PI.sqrt(), 5e-15);
        close(gamma(1.0), 1.0, 5e-15);
        close(gamma(5.0), 24.0, 5e-15);
        close(gamma(1.5), 0.5 * PI.sqrt(), 5e-15);
        close(gamma(1.4), 0.88726381750307528922, 5e-15);
        close(gamma(1.0 / 3.0), 2.67893853470774763366, 5e-15);
        // reflection, DLMF 5.5.3
        close(gamma(0.3) * gamma(0.7), PI / (PI * 0.3).sin(), 5e-15);
    }

    #[test]
    fn restitution_solves_its_equation() {
        for eta in [1e-9, 1e-6, 1e-3, 0.1, 0.3, 1.0, 3.0, 14.4] {
            let e = effective_restitution(eta);
            let right = eta.ln_1p() - (-eta * e).ln_1p();
            // the logarithm magnifies the rounding of e by η/(1 − ηe)
            close(eta * (1.0 + e), right, 1e-15 * (1.0 + eta / (1.0 - eta * e)));
            // e = 1 − (2/3)η + (4/9)η² − …
            assert!((e - (1.0 - 2.0 / 3.0 * eta)).abs() <= 4.0 / 9.0 * eta * eta + 3e-16, "{eta}: {e}");
        }
    }

    #[test]
    fn the_exact_factor_gives_its_restitution() {
        for i in 1..1000 {
            let e = f64::from(i) / 1000.0;
            let eta = exact_factor(e);
            // a rounding error of η moves e by (η/e) de/dη of it, which is 1 at most
            close(effective_restitution(eta), e, 4e-15);
        }
        for tiny in [1e-300, 1e-100, 1e-12, 1e-3] {
            close(exact_factor(tiny), 1.0 / tiny, 1e-15);
        }
        // η = (3/2)(1−e) (1 + (1−e) + …): relative, however close to 1
        for gap in [1e-3, 1e-6, 1e-9, 1e-14] {
            let e = 1.0 - gap;
            let gap = 1.0 - e;
            close(exact_factor(e), 1.5 * gap * (1.0 + gap), gap * gap + 1e-15);
        }
        // the two ways meet
        close(factor_near_one(0.73), factor_by_rebound(0.73), 5e-15);
        assert_eq!(exact_factor(1.0), 0.0);
        assert!(exact_factor(0.0).is_nan() && exact_factor(1.1).is_nan() && exact_factor(f64::NAN).is_nan());
    }

    #[test]
    fn restitution_falls_smoothly_with_damping() {
        let mut last = 1.0;
        for i in -120..=120 {
            let eta = 10f64.powf(f64::from(i) / 10.0);
            let e = effective_restitution(eta);
            assert!(e < last && e > 0.0 && e * eta < 1.0 + 1e-15, "{eta}: {e}");
            last = e;
        }
        close(effective_restitution(1e6), 1e-6, 1e-15);
        assert!(effective_restitution(-0.1).is_nan() && effective_restitution(f64::NAN).is_nan());
    }

    #[test]
    fn small_damping_goes_over_into_none() {
        let impact = |eta| StandardImpact { mass: 2.0, v0: 0.3, stiffness: 5e7, exponent: 1.5, eta };
        for eta in [1e-12, 0.9999e-3, 1.0001e-3] {
            // δmax ≈ elastic (1 − (2/3)η/(n+1)), and near it for the force
            let (elastic, damped) = (impact(0.0), impact(eta));
            close(
                damped.max_indentation(),
                elastic.max_indentation() * (1.0 - eta * 4.0 / 15.0),
                eta * eta + 1e-15,
            );
            close(damped.peak_force(), elastic.peak_force(), eta + 1e-15);
        }
        let below = impact(1e-3 * (1.0 - 1e-15)).max_indentation();
        close(below, impact(1e-3).max_indentation(), 1e-14);
    }
}
