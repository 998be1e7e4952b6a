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

    /// R \[m\] of √(R δ), the lever of friction as the surfaces spin on the patch: the couple ∫ μ p r dA over the ellipse is (3/8) μ F a 𝐄, which is (3π/16) μ F √(R δ) with
    /// √(R δ) = (2/π) a 𝐄. 1/k where both curvatures are k.
    ///
    /// ```
    /// use carom_law::hertz::PointContact;
    /// assert_eq!(PointContact::new(100e9, 50.0, 50.0)?.spin_radius(), 0.02);
    /// // an ellipse that is long and thin: all its friction is at the distance |x| from the middle, of which the mean is (3/8) a
    /// let slender = PointContact::new(100e9, 1.0, 1e12)?;
    /// let (a, _) = slender.semi_axes(1e-6);
    /// let lever = 3.0 / 16.0 * std::f64::consts::PI * (slender.spin_radius() * 1e-6).sqrt();
    /// assert!((lever / a - 0.375).abs() < 1e-9);
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn spin_radius(&self) -> f64 {
        let part = 2.0 / PI * self.second_kind();
        if self.axes_squared == 1.0 { self.a_squared } else { part * part * self.a_squared }
    }

    /// 𝐄 = 𝐊 − m 𝐃.
    fn second_kind(&self) -> f64 {
        let q = self.axes_squared;
        rf(0.0, q, 1.0) - (1.0 - q) * rd(0.0, q, 1.0) / 3.0
    }

    /// How stiff the ellipse is against spinning, by the lever and the stiffness along the normal that it has, as a part of how stiff a circle with the same two would be; `poisson` is
    /// Σ (ν/G)/Σ (1/G) of the two bodies.
    ///
    /// With the tractions q_x = −A y w and q_y = B x w, w = 1/√(1 − x²/a² − y²/b²), Cerruti's solution turns the ellipse as a whole: integrated along chords of direction φ it is
    ///
    /// - u_x = −(y/2G) [A (P − ν X) + B ν X/b²], u_y = (x/2G) [B (P′ − ν X/b²) + A ν X], in units of a
    /// - P = ∫ cos²φ/γ^{3/2}, P′ = ∫ sin²φ/(b² γ^{3/2}), X = ∫ sin²φ cos²φ/γ^{3/2} over half a turn, γ = cos²φ + sin²φ/b²
    ///
    /// and both are θ times the distance if A and B are right; the couple is (2π/3) a b (B a² + A b²).
    ///
    /// ```
    /// use carom_law::hertz::PointContact;
    /// assert!((PointContact::new(100e9, 50.0, 50.0)?.torsion(0.3) - 1.0).abs() < 1e-15);
    /// assert!(PointContact::new(100e9, 10.0, 1000.0)?.torsion(0.3) < 0.9);
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn torsion(&self, poisson: f64) -> f64 {
        let q = self.axes_squared;
        let [by_y, by_x] = self.tractions(poisson);
        // (16/3) G a³ of a circle, by (2E*a) a²: here 2E*a is π a E*/𝐊 and a is (2/π) a 𝐄
        let (k, e) = (rf(0.0, q, 1.0), self.second_kind());
        let couple = 2.0 / 3.0 * PI * q.sqrt() * (by_x + by_y * q);
        let part = 2.0 / PI * e;
        couple * k / (PI * part * part) * 3.0 / 8.0
    }

    /// A and B in units of G θ.
    fn tractions(&self, poisson: f64) -> [f64; 2] {
        let q = self.axes_squared;
        let (k, d, c) = (rf(0.0, q, 1.0), rd(0.0, q, 1.0) / 3.0, rd(0.0, 1.0, q) / 3.0);
        let m = 1.0 - q;
        // ∫ sin²φ cos²φ/(1 − m sin²φ)^{3/2} over a quarter, (𝐃 − 𝐁)/m; near the circle its series
        let cross = match m > 1e-3 {
            true => (2.0 * d - k) / m,
            false => PI / 16.0 * (1.0 + m * (0.75 + m * (75.0 / 128.0 + m * 245.0 / 512.0))),
        };
        let whole = 2.0 * q * q.sqrt();
        let (p, p_b, x) = (whole * c, whole * (k - q * c) / q, whole * cross);
        let (nu, x_b) = (poisson, x / q);
        // A (P − ν X) + B ν X/b² = 2 and B (P′ − ν X/b²) + A ν X = 2
        let (aa, ab, ba, bb) = (p - nu * x, nu * x_b, nu * x, p_b - nu * x_b);
        let determinant = aa * bb - ab * ba;
        [2.0 * (bb - ab) / determinant, 2.0 * (aa - ba) / determinant]
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

    /// Cerruti's solution, integrated along chords: along a chord of direction φ through a point, ∫ w ds = π/√γ and ∫ s w ds = −(β/γ) π/√γ, w the root of what the tractions are divided by.
    #[test]
    fn tractions_turn_the_ellipse_as_a_whole() {
        for (k_max, nu) in
            [(1.0, 0.3), (1.0005, 0.3), (1.003, 0.5), (2.0, 0.0), (5.0, 0.25), (80.0, 0.5), (3e4, 0.4)]
        {
            let contact = PointContact::new(1.0, 1.0, k_max).unwrap();
            let [by_y, by_x] = contact.tractions(nu);
            let b2 = contact.axes_squared;
            let b = b2.sqrt();
            let n = 40_000;
            for (x, y) in [(0.5, 0.3 * b), (-0.2, 0.8 * b), (0.7, 0.0), (0.0, 0.6 * b)] {
                let (mut u_x, mut u_y) = (0.0, 0.0);
                for i in 0..n {
                    let (sin, cos) = (PI * f64::from(i) / f64::from(n)).sin_cos();
                    let gamma = cos * cos + sin * sin / b2;
                    let back = (x * cos + y * sin / b2) / gamma;
                    // ∫ q_x ds and ∫ q_y ds at the points (x + s cos φ, y + s sin φ)
                    let along = PI / gamma.sqrt();
                    let (q_x, q_y) = (-by_y * (y - back * sin) * along, by_x * (x - back * cos) * along);
                    u_x += q_x * (1.0 - nu + nu * cos * cos) + q_y * nu * cos * sin;
                    u_y += q_y * (1.0 - nu + nu * sin * sin) + q_x * nu * cos * sin;
                }
                let scale = PI / f64::from(n) / (2.0 * PI);
                let (u_x, u_y) = (u_x * scale, u_y * scale);
                assert!(
                    (u_x + y).abs() < 1e-11 && (u_y - x).abs() < 1e-11,
                    "{k_max} {nu}: {u_x} {u_y} at {x} {y}"
                );
            }
            // the couple ∫ (x q_y − y q_x) dA by ∫ x² w dA = (2π/3) a³ b, against the stiffness that is said
            let couple = 2.0 / 3.0 * PI * b * (by_x + by_y * b2);
            let (k, e) = (rf(0.0, b2, 1.0), contact.second_kind());
            let said = contact.torsion(nu) * 8.0 / 3.0 * (2.0 / PI * e).powi(2) * PI / k;
            close(said, couple, 1e-14);
        }
    }

    /// The lever of friction over the patch: ∫ p r dA by Gauss and Chebyshev's rule along the radius and equal steps of the angle.
    #[test]
    fn the_lever_of_friction_over_an_ellipse() {
        for k_max in [1.0, 1.7, 20.0, 900.0] {
            let contact = PointContact::new(1.0, 1.0, k_max).unwrap();
            let (a, b) = contact.semi_axes(1.0);
            let n = 4000;
            let angles = (0..n).map(|i| 2.0 * PI * f64::from(i) / f64::from(n));
            // p/F = 3/(2πab) √(1 − ρ²), r = ρ √(a² cos² + b² sin²), ∫ ρ² √(1 − ρ²) dρ = π/16
            let mean = angles.map(|t| (a * t.cos()).hypot(b * t.sin())).sum::<f64>() / f64::from(n);
            let lever = 1.5 / PI * PI / 16.0 * 2.0 * PI * mean;
            close(3.0 * PI / 16.0 * contact.spin_radius().sqrt(), lever, 1e-13);
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
