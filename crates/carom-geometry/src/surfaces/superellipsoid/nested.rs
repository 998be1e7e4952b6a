//! F(x) = (|x/a|^γ₂ + |y/b|^γ₂)^(γ₁/γ₂) + |z/c|^γ₁ − 1, Lopes et al. 2010, Eq 33 (with |x|): a superellipse of exponent γ₁ over the
//! superellipse of exponent γ₂.
//!
//! With T = (u^γ₂ + v^γ₂)^(1/γ₂), u = |x|/a, v = |y|/b, (û, v̂) = (u, v)/T and w = |z|/c: F = T^γ₁ + w^γ₁ − 1. With
//! τ = ∇T = (û^(γ₂ − 1)/a, v̂^(γ₂ − 1)/b) and η = (v̂/a, −û/b)
//!
//!   ∇²T = (γ₂ − 1)/T (û v̂)^(γ₂ − 2) η ηᵀ,
//!   ∇²F = γ₁ T^(γ₁ − 2) ((γ₁ − 1) τ τᵀ + (γ₂ − 1) (û v̂)^(γ₂ − 2) η ηᵀ) + γ₁ (γ₁ − 1) w^(γ₁ − 2)/c² e_z e_zᵀ,
//!
//! bounded for all exponents ≥ 2, whatever their ratio. At T = 0 with γ₁ = 2 < γ₂ there is no Hessian: T² has one in every direction
//! of (û, v̂), each another. That of û = v̂ is given.

use carom_base::Vec3;
use carom_base::elementary::{exp, ln, log1p, pow, powi};

use super::closest_point::{Trial, log_sum, shrink};
use super::sharpest::{Cell, largest_eigenvalue};
use crate::shape::Level;
use crate::surfaces::superellipse::{Superellipse, gamma_function, power};

/// Semi axes [m], the superellipses of γ₁ and γ₂.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nested {
    pub(super) semi: Vec3,
    pub(super) profile: Superellipse,
    pub(super) section: Superellipse,
}

impl Nested {
    pub(super) fn level(&self, x: &Vec3) -> Level {
        let (g1, g2) = (self.profile.gamma, self.section.gamma);
        let s = x.component_div(&self.semi);
        // all of u, v and T from their ratio: with q = min/max, T = max (1 + q^γ₂)^(1/γ₂)
        let x_larger = s.x.abs() > s.y.abs();
        let (large, small) = if x_larger { (s.x, s.y) } else { (s.y, s.x) };
        let ratio = if large == 0.0 { 1.0 } else { (small / large).abs() };
        let power_of_ratio = power(ratio, g2 - 2.0);
        let ln = log1p(power_of_ratio * ratio * ratio) / g2;
        let (shrunk, of_large) = (exp(-ln), exp(-(g2 - 2.0) * ln));
        let t = large.abs() / shrunk;
        let (of_small, large, small) =
            (power_of_ratio * of_large, shrunk.copysign(large), (ratio * shrunk).copysign(small));
        let (u, v, of_u, of_v) =
            if x_larger { (large, small, of_large, of_small) } else { (small, large, of_small, of_large) };
        let (of_t, of_w) = (power(t, g1 - 2.0), power(s.z.abs(), g1 - 2.0));
        let [a, b, c]: [f64; 3] = self.semi.into();
        let tau = Vec3::new(of_u * u / a, of_v * v / b, 0.0);
        let eta = Vec3::new(v / a, -u / b, 0.0);
        let mut gradient = tau * (g1 * of_t * t);
        gradient.z = g1 * of_w * s.z / c;
        let across = (g2 - 1.0) * of_u * of_v;
        let mut hessian = (tau * tau.transpose() * (g1 - 1.0) + eta * eta.transpose() * across) * (g1 * of_t);
        hessian[(2, 2)] = g1 * (g1 - 1.0) * of_w / (c * c);
        Level { f: of_t * t * t + of_w * s.z * s.z - 1.0, gradient, hessian }
    }

    /// N with s/N on the surface, s in semi axes: 1 on it, 0 at the centre.
    pub(super) fn gauge(&self, s: &Vec3) -> f64 {
        self.profile.norm(self.section.norm(s.x, s.y), s.z)
    }

    /// The point furthest along `m`, in semi axes: the dual norm of the section, then that of the profile.
    pub(super) fn support(&self, m: &Vec3) -> Vec3 {
        let m = m.component_mul(&self.semi);
        let m = m / m.amax();
        let (reach, [u, v]) = self.section.support(m.x, m.y);
        let [t, w] = self.profile.support(reach, m.z).1;
        Vec3::new(t * u, t * v, w)
    }

    /// That of the point's coordinates along an axis with which it is on the surface, in semi axes.
    pub(super) fn beside(&self, axis: usize, s: &Vec3) -> f64 {
        if axis == 2 {
            return self.profile.beside(self.section.norm(s.x, s.y));
        }
        let t = self.profile.beside(s.z);
        if t > 0.0 { t * self.section.beside(s[1 - axis] / t) } else { 0.0 }
    }

    /// For a closest point from outside (`closest_point.rs`): λ = t γ₁ T^(γ₁ − γ₂) makes c = 1/a², 1/b² for u and v, exponent γ₂; then T is known, and t:
    /// for w it is λ T^(γ₂ − γ₁)/c², exponent γ₁, which grows with λ. With the μ of a `start` on the surface; none on the z axis, T = 0.
    pub(super) fn trial(&self, z: &Vec3, start: &Vec3, t: f64) -> (f64, Option<impl Fn(f64) -> Trial>) {
        let (g1, g2) = (self.profile.gamma, self.section.gamma);
        let (ln_z, ln_c) = (z.map(ln), self.semi.map(|e| -2.0 * ln(e)));
        let size = self.section.norm(start.x, start.y);
        let trial = move |mu: f64| {
            let mut s = Vec3::zeros();
            let mut shrunk = |i: usize, g: f64, ln_lambda: f64| {
                if ln_z[i] == f64::NEG_INFINITY {
                    return (f64::NEG_INFINITY, 0.0);
                }
                let (rho, slope) = shrink(ln_lambda + ln_c[i] + (g - 2.0) * ln_z[i], g);
                s[i] = exp(ln_z[i] + rho);
                (ln_z[i] + rho, slope)
            };
            let [u, v] = [0, 1].map(|i| shrunk(i, g2, mu)).map(|(ln, slope)| (g2 * ln, g2 * slope));
            let (sum, slope) = log_sum([u, v]);
            let (ln_t, slope_t) = (sum / g2, slope / g2);
            let (ln_w, slope_w) = shrunk(2, g1, mu + (g2 - g1) * ln_t);
            let slope_w = slope_w * (1.0 + (g2 - g1) * slope_t);
            let (level, slope) = log_sum([(g1 * ln_t, g1 * slope_t), (g1 * ln_w, g1 * slope_w)]);
            Trial { level, slope, s }
        };
        (ln(g1 * t) + (g1 - g2) * ln(size), (size > 0.0).then_some(trial))
    }

    /// No less than any curvature at shares in the cell [1/m].
    ///
    /// In the tangents across and along τ: k₁₁ = B (η·τ̂⊥)², k₂₂ = (A τ² + B (η·τ̂)²) n_z² + C (1 − n_z²),
    /// k₁₂ = B (η·τ̂)(η·τ̂⊥) n_z, over |∇F|, with ∇²F = A τ τᵀ + B η ηᵀ + C e_z e_zᵀ and |η·τ̂⊥| = 1/(a b |τ|).
    pub(super) fn sharpest_in(&self, cell: &Cell) -> f64 {
        let (g1, g2) = (self.profile.gamma, self.section.gamma);
        let [a, b, c]: [f64; 3] = self.semi.into();
        let (x, y) = (cell.first, cell.second);
        let (tau_x, tau_y) = (x.power(1.0 - 1.0 / g2) * (1.0 / a), y.power(1.0 - 1.0 / g2) * (1.0 / b));
        let tau2 = tau_x.squared() + tau_y.squared();
        let slope2 = cell.plane.power(2.0 - 2.0 / g1) * tau2 * (g1 * g1);
        let rise2 = cell.axis.power(2.0 - 2.0 / g1) * (g1 * g1 / (c * c));
        let (xy2, z2) = (slope2.most_of(&rise2), rise2.most_of(&slope2));
        let of_t = g1 * cell.plane.power(1.0 - 2.0 / g1).hi;
        let of_w = g1 * cell.axis.power(1.0 - 2.0 / g1).hi;
        let both = pow((x.hi * y.hi).min(0.25), 1.0 - 2.0 / g2);
        // η·τ = û v̂ (û^(γ₂ − 2)/a² − v̂^(γ₂ − 2)/b²)
        let of_u = tau_x * y.power(1.0 / g2) * (1.0 / a);
        let of_v = tau_y * x.power(1.0 / g2) * (1.0 / b);
        let along2 = powi((of_u.hi - of_v.lo).max(of_v.hi - of_u.lo), 2) / tau2.lo;
        let across2 = 1.0 / (a * a * b * b * tau2.lo);
        let bend = of_t * (g2 - 1.0) * both;
        let k11 = bend * across2;
        let k22 = (of_t * (g1 - 1.0) * tau2.hi + bend * along2) * z2 + of_w * (g1 - 1.0) / (c * c) * xy2;
        let k12 = bend * (across2 * along2 * z2).sqrt();
        largest_eigenvalue(k11, k22, k12) / (slope2.lo + rise2.lo).sqrt()
    }

    /// The volume and ∫x_i² over the solid.
    pub(super) fn moments(&self) -> (f64, Vec3) {
        let [a, b, c]: [f64; 3] = self.semi.into();
        let g = |k: f64| gamma_function(1.0 + k / self.profile.gamma);
        let (area, second) = (self.section.area(), self.section.second_moment());
        // the section at w is (1 − w^γ₁)^(1/γ₁) as large: ∫w^(k − 1) (1 − w^γ)^(n/γ) dw = Γ(1 + k/γ) Γ(1 + n/γ)/Γ(1 + (k + n)/γ)/k
        let integral = |k: f64, n: f64| 2.0 * a * b * c * g(k) * g(n) / (k * g(k + n));
        let xx = second * integral(1.0, 4.0);
        (area * integral(1.0, 2.0), Vec3::new(a * a * xx, b * b * xx, c * c * area * integral(3.0, 2.0)))
    }
}
