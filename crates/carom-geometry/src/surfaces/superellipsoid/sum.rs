//! F(x) = |x/a|^γ₁ + |y/b|^γ₂ + |z/c|^γ₃ − 1, Lopes et al. 2010, Eq 37 (with |x|^γ = (x²)^(γ/2)).
//!
//! With s_i = |x_i|/e_i: ∂F/∂x_i = ± γ_i s_i^(γ_i − 1)/e_i, the Hessian diag(γ_i (γ_i − 1) s_i^(γ_i − 2)/e_i²): finite for γ ≥ 2.
//!
//! The point furthest along m: m = L ∇F, so with M_i = e_i |m_i|
//!
//!   s_i = (M_i/(γ_i L))^(1/(γ_i − 1)),   Σ s_i^γ_i = 1,
//!
//! one equation for ln L. Powers w_i = s_i^γ_i are the *shares* of the axes, of sum 1.

use carom_base::elementary::{exp, ln, pow};
use carom_base::{Mat3, Vec3};

use super::closest_point::{Trial, log_sum, shrink};
use super::sharpest::{Cell, largest_eigenvalue};
use crate::shape::Level;
use crate::surfaces::superellipse::{gamma_function, power};

/// Semi axes [m] and exponents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sum {
    pub(super) semi: Vec3,
    pub(super) g: Vec3,
}

/// δ with Σ t_i exp(−q_i δ) = 1, q_i > 0, one of the t_i ≥ 0 at least 1: by Halley's method for the logarithm Λ of the sum, which is
/// convex and straight if all q are the same.
fn balance(mut t: Vec3, q: &Vec3) -> f64 {
    let mut delta = 0.0;
    for _ in 0..60 {
        let sum = t.sum();
        let level = ln(sum);
        // −Λ' is the mean of the q, Λ'' their variance
        let mean = q.dot(&t) / sum;
        let variance = (0..3).map(|i| t[i] * (q[i] - mean) * (q[i] - mean)).sum::<f64>() / sum;
        let step = level / mean / (1.0 - 0.5 * level * variance / (mean * mean)).max(0.5);
        delta += step;
        // the error of the next would be the third power of this
        if !((q.max() * step).abs() > 1e-6) {
            break;
        }
        t = t.zip_map(q, |t, q| t * exp(-q * step));
    }
    delta
}

/// The largest Σ h_i y_i with 0 ≤ y_i ≤ room_i, Σ y_i = 1.
fn most_within(mut h: [f64; 3], mut room: [f64; 3]) -> f64 {
    for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        if h[i] < h[j] {
            h.swap(i, j);
            room.swap(i, j);
        }
    }
    let first = room[0].min(1.0);
    let second = room[1].min(1.0 - first);
    h[0] * first + h[1] * second + h[2] * (1.0 - first - second)
}

impl Sum {
    pub(super) fn level(&self, x: &Vec3) -> Level {
        let (mut f, mut gradient, mut hessian) = (-1.0, Vec3::zeros(), Mat3::zeros());
        for i in 0..3 {
            let (s, g, e) = (x[i] / self.semi[i], self.g[i], self.semi[i]);
            let power = power(s.abs(), g - 2.0);
            f += power * s * s;
            gradient[i] = g * power * s / e;
            hessian[(i, i)] = g * (g - 1.0) * power / (e * e);
        }
        Level { f, gradient, hessian }
    }

    /// N with s/N on the surface, s in semi axes: 1 on it, 0 at the centre.
    pub(super) fn gauge(&self, s: &Vec3) -> f64 {
        let largest = s.amax();
        if !(largest > 0.0 && largest.is_finite()) {
            return largest;
        }
        let t = s.zip_map(&self.g, |s, g| pow(s.abs() / largest, g));
        largest * exp(balance(t, &self.g))
    }

    /// The point furthest along `m`, in semi axes.
    pub(super) fn support(&self, m: &Vec3) -> Vec3 {
        // their largest is 1, as L is for now
        let base = m.component_mul(&self.semi).abs().component_div(&self.g);
        let base = base / base.max();
        let s = base.zip_map(&self.g, |b, g| pow(b, 1.0 / (g - 1.0)));
        // L → L e^δ takes s_i to s_i e^(−δ/(γ_i − 1)), w_i to w_i e^(−δ γ_i/(γ_i − 1))
        let delta = balance(s.component_mul(&base), &self.g.map(|g| g / (g - 1.0)));
        Vec3::from_fn(|i, _| (s[i] * exp(-delta / (self.g[i] - 1.0))).copysign(m[i]))
    }

    /// That of the point's coordinates along an axis with which it is on the surface, in semi axes.
    pub(super) fn beside(&self, axis: usize, s: &Vec3) -> f64 {
        let others: f64 = (0..3).filter(|i| *i != axis).map(|i| pow(s[i].abs(), self.g[i])).sum();
        pow((1.0 - others).max(0.0), 1.0 / self.g[axis])
    }

    /// For a closest point from outside (`closest_point.rs`): λ is t, c_i = γ_i/e_i².
    pub(super) fn trial(&self, z: &Vec3) -> impl Fn(f64) -> Trial {
        let (g, ln_z) = (self.g, z.map(ln));
        let ln_c = self.g.zip_map(&self.semi, |g, e| ln(g / (e * e)));
        move |mu| {
            let mut s = Vec3::zeros();
            let mut terms = [(f64::NEG_INFINITY, 0.0); 3];
            for i in (0..3).filter(|i| ln_z[*i] > f64::NEG_INFINITY) {
                let (rho, slope) = shrink(mu + ln_c[i] + (g[i] - 2.0) * ln_z[i], g[i]);
                s[i] = exp(ln_z[i] + rho);
                terms[i] = (g[i] * (ln_z[i] + rho), g[i] * slope);
            }
            let (level, slope) = log_sum(terms);
            Trial { level, slope, s }
        }
    }

    /// No less than any curvature at shares in the cell [1/m].
    ///
    /// With h_i the Hessian's diagonal, ρ² = n_x² + n_y² and the tangents (−n_y, n_x, 0)/ρ, (n_x n_z, n_y n_z, −ρ²)/ρ:
    ///   k₁₁ = (h_x n_y² + h_y n_x²)/ρ², k₂₂ = n_z² (h_x n_x² + h_y n_y²)/ρ² + h_z ρ², k₁₂ = (h_y − h_x) n_x n_y n_z/ρ², over |∇F|.
    pub(super) fn sharpest_in(&self, cell: &Cell) -> f64 {
        let shares = [cell.plane * cell.first, cell.plane * cell.second, cell.axis];
        let slope = |i: usize| shares[i].power((self.g[i] - 1.0) / self.g[i]) * (self.g[i] / self.semi[i]);
        let [gx, gy, gz] = [0, 1, 2].map(|i| slope(i).squared());
        let bend = |i: usize| {
            let (g, e) = (self.g[i], self.semi[i]);
            shares[i].power((g - 2.0) / g) * (g * (g - 1.0) / (e * e))
        };
        let [hx, hy, hz] = [0, 1, 2].map(bend);
        // n_x²/ρ² and the like, at most
        let (x_of_rho, y_of_rho) = (gx.most_of(&gy), gy.most_of(&gx));
        let (rho2, z2) = ((gx + gy).most_of(&gz), gz.most_of(&(gx + gy)));
        let wider = hx.hi.max(hy.hi);
        let k11 = (hx.hi * y_of_rho + hy.hi * x_of_rho).min(wider);
        let k22 = (hx.hi * x_of_rho + hy.hi * y_of_rho).min(wider) * z2 + hz.hi * rho2;
        let apart = (hx.hi - hy.lo).max(hy.hi - hx.lo);
        let k12 = apart * (x_of_rho * y_of_rho).min(0.25).sqrt() * z2.sqrt();
        // where n_x and n_y vanish their ratio is any; but Σ h_i v_i² with Σ v_i² = 1, v_i² ≤ 1 − n_i² is no less either
        let room = [(gy + gz).most_of(&gx), (gz + gx).most_of(&gy), rho2];
        let most = most_within([hx.hi, hy.hi, hz.hi], room);
        largest_eigenvalue(k11, k22, k12).min(most) / (gx.lo + gy.lo + gz.lo).sqrt()
    }

    /// The volume and ∫x_i² over the solid: Dirichlet's integral.
    pub(super) fn moments(&self) -> (f64, Vec3) {
        // ∫ x^(α₁ − 1) y^(α₂ − 1) z^(α₃ − 1) over an octant of semi axes 1 = Π Γ(1 + α_i/γ_i)/α_i / Γ(1 + Σ α_i/γ_i)
        let integral = |alpha: Vec3| {
            let z = alpha.component_div(&self.g);
            let product: f64 = (0..3).map(|i| gamma_function(1.0 + z[i]) / alpha[i]).product();
            8.0 * self.semi.product() * product / gamma_function(1.0 + z.sum())
        };
        let second = |i: usize| self.semi[i] * self.semi[i] * integral(Vec3::repeat(1.0) + Vec3::ith(i, 2.0));
        (integral(Vec3::repeat(1.0)), Vec3::new(second(0), second(1), second(2)))
    }
}
