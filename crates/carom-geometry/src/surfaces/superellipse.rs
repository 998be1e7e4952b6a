//! The superellipse |u|^γ + |v|^γ = 1, γ ≥ 2: the unit circle of the γ-norm. A circle for γ = 2, nearly a square for large γ.
//!
//! It is followed by its polar angle t: with w = (cos t, sin t) and N the γ-norm of w the point is D = w/N. Unlike Barr's
//! (|cos|^(2/γ), |sin|^(2/γ)), whose speed is infinite or zero on the axes, this has a speed of 1 to 2 everywhere. With L = ln N
//!
//!   D' = (w' − L' w)/N,    D'' = −((1 + L'' − L'²) w + 2 L' w')/N.
//!
//! Area 4 Γ(1 + 1/γ)²/Γ(1 + 2/γ), ∫u² = 4/3 Γ(1 + 1/γ) Γ(1 + 3/γ)/Γ(1 + 4/γ): Beta functions (Dirichlet's integral).
//! Checked: circle, derivatives against differences, lengths and moments against quadrature in another variable.

use std::f64::consts::{E, FRAC_PI_2, FRAC_PI_4, PI};

use carom_base::Scalar;
use carom_base::elementary::{atan2, cos, exp, log1p, pow, powi, sin, sincos};
use nalgebra::Vector2;

use crate::quadrature::nodes;

/// The curve of that exponent γ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Superellipse {
    pub(crate) gamma: f64,
}

/// A point of the curve and its derivatives by the polar angle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jet {
    pub(crate) p: Vector2<f64>,
    pub(crate) d1: Vector2<f64>,
    pub(crate) d2: Vector2<f64>,
}

/// (|x|^γ + |y|^γ)^(1/γ), scaled so that nothing overflows.
pub(crate) fn norm<S: Scalar>(gamma: f64, x: S, y: S) -> S {
    let (x, y) = (x.abs(), y.abs());
    let (large, small) = if y.value() > x.value() { (y, x) } else { (x, y) };
    if large.value() == 0.0 {
        return large;
    }
    large * (S::from_f64(1.0) + (small / large).powf(gamma)).powf(1.0 / gamma)
}

/// The largest exponent, doubled, that `power` takes by products.
const MOST_PRODUCTS: u8 = 32;

/// x^p, x ≥ 0: for the exponents that are mostly used, whole numbers and halves of these, by products and a square root, which take a tenth of the time of a logarithm.
#[inline]
pub(crate) fn power(x: f64, p: f64) -> f64 {
    let twice = 2.0 * p;
    let halves = twice as u8;
    if f64::from(halves) != twice || halves > MOST_PRODUCTS {
        return pow(x, p);
    }
    let whole = powi(x, i32::from(halves / 2));
    if halves.is_multiple_of(2) { whole } else { whole * x.sqrt() }
}

/// sign(x) |x|^p; at zero no derivative where that is infinite, p < 1.
pub(crate) fn signed_power<S: Scalar>(x: S, p: f64) -> S {
    match x.value() {
        _ if p == 1.0 => x,
        0.0 => S::from_f64(0.0),
        v if v < 0.0 => -(-x).powf(p),
        _ => x.powf(p),
    }
}

/// Whether |x|^γ is smooth at zero.
pub(crate) fn is_smooth_power(gamma: f64) -> bool {
    gamma % 2.0 == 0.0
}

impl Superellipse {
    /// The γ-norm: 1 on the curve.
    pub(crate) fn norm<S: Scalar>(&self, x: S, y: S) -> S {
        norm(self.gamma, x, y)
    }

    /// The same for numbers.
    pub(crate) fn size(&self, x: f64, y: f64) -> f64 {
        let (x, y) = (x.abs(), y.abs());
        let (large, small) = if y > x { (y, x) } else { (x, y) };
        if large == 0.0 {
            large
        } else {
            large * pow(1.0 + power(small / large, self.gamma), 1.0 / self.gamma)
        }
    }

    /// (sign u |u|^(γ−1), sign v |v|^(γ−1)): the gradient of |u|^γ + |v|^γ over γ, on the curve that of the norm.
    pub(crate) fn covector(&self, p: &Vector2<f64>) -> Vector2<f64> {
        let of = |u: f64| power(u.abs(), self.gamma - 1.0).copysign(u);
        Vector2::new(of(p.x), of(p.y))
    }

    /// The coordinate that belongs to another, 0 beyond the curve.
    pub(crate) fn beside(&self, u: f64) -> f64 {
        pow((1.0 - pow(u.abs(), self.gamma)).max(0.0), 1.0 / self.gamma)
    }

    /// Barr's point (c_γ, s_γ) = (sign cos φ |cos φ|^(2/γ), sign sin φ |sin φ|^(2/γ)).
    pub(crate) fn barr(&self, phi: f64) -> Vector2<f64> {
        let (sin, cos) = sincos(phi);
        Vector2::new(signed_power(cos, 2.0 / self.gamma), signed_power(sin, 2.0 / self.gamma))
    }

    /// The polar angle of Barr's point: the same quarter turns, in between tan t = tan^(2/γ) φ.
    fn polar(&self, phi: f64) -> f64 {
        let quarters = (phi / FRAC_PI_2).floor();
        let p = self.barr(phi - quarters * FRAC_PI_2);
        // at the end of a quarter a rounded cosine may be negative
        quarters * FRAC_PI_2 + atan2(p.y.abs(), p.x.abs())
    }

    /// The point at the polar angle t.
    pub(crate) fn jet(&self, t: f64) -> Jet {
        let g = self.gamma;
        let (s, c) = sincos(t);
        let (s2, c2) = (s * s, c * c);
        let (large, small) = if s2 > c2 { (s2, c2) } else { (c2, s2) };
        // Σ = |c|^γ + |s|^γ = large^(γ/2) (1 + r^γ), r = min/max
        let r2 = small / large;
        let power = power(r2, 0.5 * g - 1.0);
        let sum = 1.0 + power * r2;
        // |c|^(γ−2)/Σ and |s|^(γ−2)/Σ
        let (of_large, of_small) = (1.0 / (large * sum), power / (large * sum));
        let (a_s, a_c) = if s2 > c2 { (of_large, of_small) } else { (of_small, of_large) };
        let inverse = exp(-log1p(power * r2) / g) / large.sqrt(); // 1/N
        let l1 = s * c * (a_s - a_c);
        let l2 = (c2 - s2) * (a_s - a_c) + (g - 2.0) * (c2 * a_s + s2 * a_c) - g * l1 * l1;
        let (w, dw) = (Vector2::new(c, s), Vector2::new(-s, c));
        Jet {
            p: w * inverse,
            d1: (dw - w * l1) * inverse,
            d2: (w * (1.0 + l2 - l1 * l1) + dw * (2.0 * l1)) * -inverse,
        }
    }

    /// `n` points around, as evenly in polar angle as in the normal's: flats and corners have theirs.
    pub(crate) fn around(&self, n: usize) -> impl Iterator<Item = Vector2<f64>> {
        let curve = *self;
        (0..n).map(move |i| {
            let turns = 4.0 * i as f64 / n as f64;
            let (quarter, goal) = (turns.floor() * FRAC_PI_2, turns.fract() * FRAC_PI_2);
            let mean =
                |t: f64| 0.5 * (t + atan2(pow(sin(t), curve.gamma - 1.0), pow(cos(t), curve.gamma - 1.0)));
            let (mut low, mut high) = (0.0, FRAC_PI_2);
            while high - low > 1e-12 {
                let t = 0.5 * (low + high);
                if mean(t) < goal { low = t } else { high = t }
            }
            curve.jet(quarter + if goal > 0.0 { 0.5 * (low + high) } else { 0.0 }).p
        })
    }

    /// max (p u + q v) over the curve, the dual norm of (p, q) with 1/γ + 1/γ' = 1, and the point (u, v) where, its gradient.
    /// (0, 0) has every point: (0, 1) is taken.
    pub(crate) fn support<S: Scalar>(&self, p: S, q: S) -> (S, [S; 2]) {
        let h = norm(self.gamma / (self.gamma - 1.0), p, q);
        if h.value() == 0.0 {
            return (q, [S::from_f64(0.0), S::from_f64(1.0)]);
        }
        let power = 1.0 / (self.gamma - 1.0);
        (h, [signed_power(p / h, power), signed_power(q / h, power)])
    }

    /// The largest curvature, where |u| = |v|.
    pub(crate) fn sharpest(&self) -> f64 {
        (self.gamma - 1.0) * pow(2f64, 1.0 / self.gamma - 0.5)
    }

    /// The length from one of Barr's angles to a greater one.
    pub(crate) fn length(&self, from: f64, to: f64) -> f64 {
        let (from, to) = (self.polar(from), self.polar(to));
        // the curve is smooth but at the axes (|v|^γ), and bends most on the diagonals: both at ends of pieces
        let (first, last) = ((from / FRAC_PI_4).floor(), (to / FRAC_PI_4).ceil());
        let piece = |i: usize| {
            let k = first + i as f64;
            let (a, b) = (from.max(k * FRAC_PI_4), to.min((k + 1.0) * FRAC_PI_4));
            nodes(a, b).map(|(t, weight)| weight * self.jet(t).d1.norm()).sum::<f64>()
        };
        (0..(last - first) as usize).map(piece).sum()
    }

    /// The area within.
    pub(crate) fn area(&self) -> f64 {
        let g = |k: f64| gamma_function(1.0 + k / self.gamma);
        4.0 * g(1.0) * g(1.0) / g(2.0)
    }

    /// ∫u² over the area within.
    pub(crate) fn second_moment(&self) -> f64 {
        let g = |k: f64| gamma_function(1.0 + k / self.gamma);
        4.0 / 3.0 * g(1.0) * g(3.0) / g(4.0)
    }
}

/// Γ(x) for x > 0, to 1e-14: Stirling's series at x + 12 (Abramowitz & Stegun 6.1.40), then down by Γ(x + 1) = x Γ(x).
pub(crate) fn gamma_function(x: f64) -> f64 {
    let product: f64 = (0..12).map(|k| x + f64::from(k)).product();
    let z = x + 12.0;
    let y = 1.0 / (z * z);
    let series = (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0)))) / z;
    (2.0 * PI / z).sqrt() * pow(z / E, z) * exp(series) / product
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPONENTS: [f64; 6] = [2.0, 2.3, 3.0, 4.0, 7.5, 20.0];

    #[test]
    fn gamma_has_its_known_values() {
        for (x, value) in
            [(1.0, 1.0), (2.0, 1.0), (3.0, 2.0), (1.5, 0.5 * PI.sqrt()), (2.5, 0.75 * PI.sqrt())]
        {
            assert!((gamma_function(x) / value - 1.0).abs() < 1e-14, "{x}");
        }
    }

    #[test]
    fn the_point_is_on_the_curve_and_its_derivatives_are_those_of_differences() {
        for gamma in EXPONENTS {
            let curve = Superellipse { gamma };
            for i in 0..40 {
                let t = -3.0 + 0.157 * f64::from(i);
                let jet = curve.jet(t);
                assert!((curve.norm(jet.p.x, jet.p.y) - 1.0).abs() < 4e-16);
                assert!((jet.p.y.atan2(jet.p.x) - t).abs() < 1e-15);
                let h = 1e-5;
                let (a, b) = (curve.jet(t - h), curve.jet(t + h));
                assert!(((b.p - a.p) / (2.0 * h) - jet.d1).norm() < 1e-7 * gamma * gamma, "{gamma} {t}");
                assert!(((b.d1 - a.d1) / (2.0 * h) - jet.d2).norm() < 1e-7 * gamma.powi(3), "{gamma} {t}");
            }
        }
    }

    #[test]
    fn a_support_is_the_furthest_point() {
        for gamma in EXPONENTS {
            let curve = Superellipse { gamma };
            for (p, q) in [(1.0, 0.0), (0.3, -0.8), (-2.0, 0.001), (0.0, -1e-200), (3e250, 4e250)] {
                let (h, [u, v]) = curve.support(p, q);
                assert!((curve.norm(u, v) - 1.0).abs() < 1e-15 && (p * u + q * v - h).abs() <= 1e-15 * h);
                let reach = |t: f64| curve.jet(t).p.dot(&Vector2::new(p, q));
                assert!((0..360).all(|i| reach(f64::from(i).to_radians()) <= h * (1.0 + 1e-15)));
            }
            assert_eq!(curve.support(0.0, 0.0), (0.0, [0.0, 1.0]));
        }
    }

    #[test]
    fn a_circle_has_its_length_area_and_moment() {
        let circle = Superellipse { gamma: 2.0 };
        assert!((circle.length(-0.3, 1.9) - 2.2).abs() < 1e-14);
        assert!((circle.area() - PI).abs() < 1e-13 && (circle.second_moment() - 0.25 * PI).abs() < 1e-13);
        assert!((circle.sharpest() - 1.0).abs() < 1e-15);
    }

    /// Values to 18 digits by adaptive quadrature of the explicit form v = (1 − u^γ)^(1/γ): area, ∫u², length, length from
    /// Barr's angle 0.2 to 1.
    #[test]
    fn areas_moments_and_lengths_are_those_of_the_explicit_form() {
        for (gamma, area, moment, length, part) in [
            (2.3, 3.29870186440668774, 0.86676400081584695, 6.45037239945461152, 0.756577711586574253),
            (3.0, 3.53327750057089991, 1.0, 6.74499314012634014, 0.66553506709362969),
            (4.0, 3.70814935460274384, 1.11072073453959156, 7.01769794356404165, 0.562309722706284569),
            (7.5, 3.9030824989812917, 1.25095615313307318, 7.44537735952700303, 0.357643046340549242),
            (20.0, 3.98469454206269945, 1.31903034730308862, 7.78371005412145946, 0.153094040795224298),
        ] {
            let curve = Superellipse { gamma };
            assert!((curve.area() / area - 1.0).abs() < 2e-14, "{gamma}");
            assert!((curve.second_moment() / moment - 1.0).abs() < 2e-14, "{gamma}");
            assert!((curve.length(0.0, 2.0 * PI) / length - 1.0).abs() < 1e-14, "{gamma}");
            assert!((curve.length(0.2, 1.0) / part - 1.0).abs() < 1e-14, "{gamma}");
        }
    }

    #[test]
    fn nothing_bends_more_than_the_diagonal() {
        for gamma in EXPONENTS {
            let curve = Superellipse { gamma };
            for i in 0..=400 {
                let jet = curve.jet(FRAC_PI_2 * f64::from(i) / 400.0);
                let k = jet.d1.perp(&jet.d2) / jet.d1.norm().powi(3);
                assert!(k <= curve.sharpest() * (1.0 + 1e-12), "{gamma} {i}: {k}");
            }
        }
    }
}
