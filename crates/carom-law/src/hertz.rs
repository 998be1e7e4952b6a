//! The Hertz stiffness K of F = K δ^{3/2} from the contact modulus and the two relative curvatures.
//!
//! Two smooth surfaces touch in a point; near it their gap is ½ k_min x² + ½ k_max y². Under load they
//! flatten over an ellipse of semi-axes a ≥ b, with m = 1 − (b/a)² (Johnson 1985, section 4.2):
//!
//! - A = ½ k_min = (p₀ b/(E* a²)) 𝐃,  B = ½ k_max = (p₀ b/(E* a²)) 𝐂,  δ = (p₀ b/E*) 𝐊,  F = ⅔ π p₀ a b
//! - 𝐊 = R_F(0, 1−m, 1),  𝐃 = (𝐊 − 𝐄)/m = R_D(0, 1−m, 1)/3,  𝐂 = (𝐄/(1−m) − 𝐊)/m = R_D(0, 1, 1−m)/3
//!
//! B/A = 𝐂/𝐃 gives m; eliminating p₀ and a gives K = (2π E*/3) 𝐊^{−3/2} (𝐃/A)^{1/2}. Circle: K = (4/3) E* √R.
//! Carlson's forms lose no digits as m → 0, where the classical ones are 0/0.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | E* | Pa | contact modulus, 1/E* = Σ (1−ν²)/E |
//! | k_min, k_max | 1/m | relative principal curvatures of the gap, both > 0 |
//! | a, b | m | semi-axes of the contact ellipse, a along k_min |
//! | p₀ | Pa | largest pressure |
//! | K | N/m^{3/2} | stiffness |
//!
//! Source: H. Hertz, *J. reine angew. Math.* 92 (1882) 156–171; K. L. Johnson, *Contact Mechanics*, 1985,
//! section 4.2. Derived again here in Carlson's integrals, and checked by integrating the pressure directly.
//! Valid: small strains, a ≪ 1/k_max, frictionless, bodies like half-spaces near the contact.

use std::f64::consts::PI;

use carom_base::elementary::{exp, ln};
use carom_base::param::Allowed;

use crate::elliptic::{rd, rf};
use crate::error::LawError;

/// The Hertz solution of a point contact, for any load.
///
/// ```
/// use carom_law::hertz::PointContact;
/// // a ball of 10 mm radius on a flat, E* = 100 GPa
/// let ball = PointContact::new(100e9, 100.0, 100.0)?;
/// assert_eq!(ball.stiffness(), 4.0 / 3.0 * 100e9 * 0.01f64.sqrt());
/// let (a, b) = ball.semi_axes(1e-6);
/// assert!((a - 1e-4).abs() < 1e-18 && a == b); // a² = R δ
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointContact {
    stiffness: f64,
    /// (b/a)²
    axes_squared: f64,
    /// a²/δ \[m\]
    a_squared: f64,
}

impl PointContact {
    /// The solution for E* \[Pa\] and the relative curvatures [1/m], in either order.
    ///
    /// Refuses a curvature that is not above zero: a line or a conformal contact has no Hertz point stiffness.
    pub fn new(e_star: f64, k_1: f64, k_2: f64) -> Result<PointContact, LawError> {
        if !Allowed::Positive.number(e_star) {
            return Err(LawError::BadHertzValue {
                name: "e_star",
                value: e_star,
                allowed: Allowed::Positive,
            });
        }
        for value in [k_1, k_2] {
            if !value.is_finite() {
                let allowed = Allowed::Positive;
                return Err(LawError::BadHertzValue { name: "curvature", value, allowed });
            }
        }
        let (k_min, k_max) = (k_1.min(k_2), k_1.max(k_2));
        if k_min <= 0.0 {
            return Err(LawError::NotPointContact { k_min, k_max });
        }
        if k_min == k_max {
            let r = 1.0 / k_min;
            let stiffness = 4.0 / 3.0 * e_star * r.sqrt();
            return Ok(PointContact { stiffness, axes_squared: 1.0, a_squared: r });
        }
        let q = axes_squared(k_max / k_min);
        let (k, d) = (rf(0.0, q, 1.0), rd(0.0, q, 1.0) / 3.0);
        let d_over_a = d / (0.5 * k_min);
        let stiffness = 2.0 * PI / 3.0 * e_star * (d_over_a / k).sqrt() / k;
        if !(stiffness.is_finite() && stiffness > 0.0) {
            // so slender that doubles cannot tell it from a line
            return Err(LawError::NotPointContact { k_min, k_max });
        }
        // δ = (p₀ b/E*) 𝐊 and A = (p₀ b/(E* a²)) 𝐃: a² = δ 𝐃/(A 𝐊)
        Ok(PointContact { stiffness, axes_squared: q, a_squared: d_over_a / k })
    }

    /// K [N/m^{3/2}] of F = K δ^{3/2}.
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// b/a, from 1 (circle) towards 0 (line).
    pub fn axis_ratio(&self) -> f64 {
        self.axes_squared.sqrt()
    }

    /// How much the contact yields along a more than along b when it is sheared, from 0 (circle) towards 1 (line), by what Poisson's ratio lets it: (𝐃 − 𝐁)/𝐊, 𝐁 = 𝐊 − 𝐃
    /// ([`MaterialPair::shear_contrast`](crate::MaterialPair::shear_contrast)).
    ///
    /// ```
    /// use carom_law::hertz::PointContact;
    /// assert_eq!(PointContact::new(100e9, 100.0, 100.0)?.elongation(), 0.0);
    /// let slender = PointContact::new(100e9, 100.0, 1e10)?;
    /// assert!(slender.elongation() > 0.7 && slender.elongation() < 1.0);
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn elongation(&self) -> f64 {
        let q = self.axes_squared;
        if q == 1.0 { 0.0 } else { 2.0 / 3.0 * rd(0.0, q, 1.0) / rf(0.0, q, 1.0) - 1.0 }
    }

    /// The semi-axes (a, b) \[m\] of the contact ellipse at the indentation δ \[m\]; a lies along k_min.
    pub fn semi_axes(&self, delta: f64) -> (f64, f64) {
        let a = (self.a_squared * delta).sqrt();
        (a, a * self.axis_ratio())
    }

    /// ab/δ \[m\]: the area of the contact is π times that and the indentation.
    pub fn area_radius(&self) -> f64 {
        self.a_squared * self.axis_ratio()
    }

    /// The largest pressure p₀ = 3F/(2πab) \[Pa\] at the indentation δ \[m\], in the middle of the ellipse.
    pub fn peak_pressure(&self, delta: f64) -> f64 {
        // F/(ab) with ab = a² (b/a): one √δ stays, so that δ → 0 is no 0/0
        1.5 * self.stiffness * delta.sqrt() / (PI * self.a_squared * self.axis_ratio())
    }
}

/// K [N/m^{3/2}] of F = K δ^{3/2} for E* \[Pa\] and the two relative curvatures [1/m], in either order.
///
/// ```
/// let k = carom_law::hertz::stiffness(100e9, 40.0, 100.0)?;
/// assert!(k > 4.0 / 3.0 * 100e9 * 0.010f64.sqrt() && k < 4.0 / 3.0 * 100e9 * 0.025f64.sqrt());
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub fn stiffness(e_star: f64, k_1: f64, k_2: f64) -> Result<f64, LawError> {
    Ok(PointContact::new(e_star, k_1, k_2)?.stiffness)
}

/// (b/a)² of the contact ellipse for a ratio of curvatures B/A ≥ 1: the root q of 𝐂(q)/𝐃(q) = B/A.
///
/// In y = −ln q the function h(y) = ln(𝐂/𝐃) is nearly straight: its slope rises from 3/4 at the circle
/// towards 1. So ln(B/A) ≤ y ≤ (4/3) ln(B/A), and a secant kept within that bracket (a little widened against
/// rounding) converges in a few steps, from a circle up to ratios of 1e200 and more.
fn axes_squared(ratio: f64) -> f64 {
    let target = ln(ratio);
    let excess = |y: f64| {
        let q = exp(-y);
        ln(rd(0.0, 1.0, q) / rd(0.0, q, 1.0)) - target
    };
    let (mut lo, mut hi) = (target, 1.5 * target);
    let (mut y0, mut f0) = (lo, excess(lo));
    let mut y = 4.0 / 3.0 * target;
    for _ in 0..60 {
        let f = excess(y);
        if f == 0.0 {
            break;
        }
        if f < 0.0 {
            lo = y;
        } else {
            hi = y;
        }
        let mut next = y - f * (y - y0) / (f - f0);
        if !(lo..=hi).contains(&next) {
            next = 0.5 * (lo + hi);
        }
        if (next - y).abs() <= 2.0 * f64::EPSILON * y || hi - lo <= f64::EPSILON * hi {
            break;
        }
        (y0, f0, y) = (y, f, next);
    }
    exp(-y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance * b.abs(), "{a:e} is not {b:e}: {:e}", (a - b).abs() / b.abs());
    }

    /// The normal displacement at (x, y) under p₀ √(1 − x²/a² − y²/b²), by integrating Boussinesq's 1/(π E* r)
    /// over the ellipse in polar coordinates about the point. Along a chord of direction θ the pressure is the
    /// root of α − βs − γs², whose integral is π (α + β²/(4γ))/(2√γ); over θ the trapezoidal rule converges
    /// exponentially.
    fn displacement(e_star: f64, p0: f64, (a, b): (f64, f64), (x, y): (f64, f64)) -> f64 {
        let n = 4000;
        let alpha = 1.0 - (x / a).powi(2) - (y / b).powi(2);
        let sum: f64 = (0..n)
            .map(|i| {
                let (sin, cos) = (PI * f64::from(i) / f64::from(n)).sin_cos();
                let beta = 2.0 * (x * cos / (a * a) + y * sin / (b * b));
                let gamma = (cos / a).powi(2) + (sin / b).powi(2);
                0.5 * PI / gamma.sqrt() * (alpha + beta * beta / (4.0 * gamma))
            })
            .sum();
        p0 / (PI * e_star) * sum * PI / f64::from(n)
    }

    #[test]
    fn the_pressure_presses_the_surfaces_together() {
        let (e_star, delta) = (115e9, 3e-6);
        for (k_min, k_max) in [(50.0, 50.000001), (50.0, 60.0), (10.0, 100.0), (1.0, 100.0), (0.3, 200.0)] {
            let contact = PointContact::new(e_star, k_min, k_max).unwrap();
            let (a, b) = contact.semi_axes(delta);
            let p0 = contact.peak_pressure(delta);
            // load of the semi-ellipsoid of pressure
            close(2.0 / 3.0 * PI * p0 * a * b, contact.stiffness() * delta.powf(1.5), 1e-14);
            // the gap closes over the whole ellipse: u = δ − ½ k_min x² − ½ k_max y²
            for (x, y) in [(0.0, 0.0), (0.6 * a, 0.0), (0.0, 0.9 * b), (0.5 * a, -0.7 * b), (a, 0.0)] {
                let wanted = delta - 0.5 * k_min * x * x - 0.5 * k_max * y * y;
                let u = displacement(e_star, p0, (a, b), (x, y));
                assert!((u - wanted).abs() < 1e-13 * delta, "{k_min} {k_max} at {x} {y}: {u:e}, {wanted:e}");
            }
        }
    }

    #[test]
    fn a_circle_is_exact_and_its_neighbours_join_it() {
        let circle = stiffness(1.0, 3.0, 3.0).unwrap();
        assert_eq!(circle, 4.0 / 3.0 * (1.0f64 / 3.0).sqrt());
        for i in 1..52 {
            // at equal mean curvature the ellipse differs in second order
            let x = 0.5f64.powi(i);
            let near = stiffness(1.0, 3.0 * (1.0 - x), 3.0 * (1.0 + x)).unwrap();
            close(near, circle, x * x + 1e-15);
        }
    }

    #[test]
    fn stiffness_falls_with_either_curvature_over_all_ratios() {
        let mut last = f64::INFINITY;
        let mut axes = 1.0;
        for i in 0..=1200 {
            let ratio = 10f64.powf(f64::from(i) / 100.0);
            let contact = PointContact::new(1.0, 1.0, ratio).unwrap();
            assert!(contact.stiffness() < last && contact.axis_ratio() <= axes, "ratio {ratio:e}");
            assert!(last.is_infinite() || contact.stiffness() > 0.99 * last, "jump at ratio {ratio:e}");
            (last, axes) = (contact.stiffness(), contact.axis_ratio());
        }
        for i in 0..2000 {
            // no step where the branch for circles ends
            let k = 1.0 + f64::from(i) * 1e-16;
            close(stiffness(1.0, 1.0, k).unwrap(), 4.0 / 3.0 / k.powf(0.25), 2e-15);
        }
    }

    #[test]
    fn the_ratio_of_curvatures_is_met() {
        for ratio in [1.0 + 1e-9, 1.01, 2.0, 30.0, 1e4, 1e8, 1e12] {
            let q = axes_squared(ratio);
            close(rd(0.0, 1.0, q) / rd(0.0, q, 1.0), ratio, 2e-14);
        }
    }

    /// Computed with mpmath to 30 digits, by the classical 𝐊 and 𝐄: E* = 1, k_min = 1.
    #[test]
    fn values_in_extended_precision() {
        let rows = [
            (2.0, 1.1323996556884069, 0.6305957014280997),
            (10.0, 0.8315455530743361, 0.22224951924622138),
            (100.0, 0.60507309258995043, 0.054984018057118764),
            (1e4, 0.39815494548967053, 0.0041248573583856217),
            (1e8, 0.24041581680304396, 3.0449128970768588e-5),
            (1e12, 0.17322748767613243, 2.5339099700177539e-7),
        ];
        for (ratio, stiffness, axis_ratio) in rows {
            let contact = PointContact::new(1.0, ratio, 1.0).unwrap();
            close(contact.stiffness(), stiffness, 5e-15);
            close(contact.axis_ratio(), axis_ratio, 2e-14);
        }
    }

    #[test]
    fn no_point_contact_no_stiffness() {
        for k_min in [0.0, -2.0] {
            let error = stiffness(1e9, 5.0, k_min).unwrap_err();
            assert_eq!(error, LawError::NotPointContact { k_min, k_max: 5.0 });
            assert!(error.to_string().contains("`stiffness`"));
        }
        assert!(stiffness(1.0, 1e-200, 1e200).is_err() && stiffness(1.0, 1e-100, 1e100).is_ok());
        assert!(stiffness(0.0, 1.0, 1.0).is_err() && stiffness(f64::NAN, 1.0, 1.0).is_err());
        assert!(stiffness(1e9, f64::NAN, 1.0).is_err() && stiffness(1e9, 1.0, f64::INFINITY).is_err());
    }
}
