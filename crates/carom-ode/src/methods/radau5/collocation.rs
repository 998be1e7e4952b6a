//! The collocation polynomial of a step: the cubic through its start, its two inner stages and its end.
//!
//! Newton's form with the nodes 1, c₂, c₁, 0 (Hairer, Wanner, *Solving Ordinary Differential Equations II*, IV.8,
//! "starting values"): u(θ) = u(1) + x (r₁ + (x + 1 − c₂)(r₂ + (x + 1 − c₁) r₃)), x = θ − 1.

use std::ops::Range;

use super::coefficients::C;

/// The divided differences of a step's stages, minus its end.
pub(super) struct Collocation {
    r: [Vec<f64>; 3],
}

carom_portable::carried!(Collocation { r });

impl Collocation {
    /// Allocates memory for n components.
    pub(super) fn new(n: usize) -> Collocation {
        Collocation { r: std::array::from_fn(|_| vec![0.0; n]) }
    }

    /// Computes the polynomial with the stages z₁, z₂ and the end z₃, all minus the start.
    pub(super) fn set(&mut self, z: &[Vec<f64>; 3], z3: impl Fn(usize) -> f64) {
        let [c1, c2, _] = C;
        for i in 0..self.r[0].len() {
            let (z1, z2, z3) = (z[0][i], z[1][i], z3(i));
            let (d32, d21, d10) = ((z3 - z2) / (1.0 - c2), (z2 - z1) / (c2 - c1), z1 / c1);
            let (d321, d210) = ((d32 - d21) / (1.0 - c1), (d21 - d10) / c2);
            self.r[0][i] = d32;
            self.r[1][i] = d321;
            self.r[2][i] = d321 - d210;
        }
    }

    /// Passes u(1 + x) − u(1) for a range of components to `out`.
    #[inline]
    pub(super) fn beyond(&self, x: f64, range: Range<usize>, mut out: impl FnMut(usize, f64)) {
        let (x2, x3) = (x * (x + 1.0 - C[1]), x * (x + 1.0 - C[1]) * (x + 1.0 - C[0]));
        let [r1, r2, r3] = &self.r;
        for i in range {
            out(i, x * r1[i] + x2 * r2[i] + x3 * r3[i]);
        }
    }
}

impl Collocation {
    /// Returns du/dθ at the start of the step, θ = 0.
    #[inline]
    pub(super) fn slope_at_start(&self, i: usize) -> f64 {
        let (a, b) = (1.0 - C[1], 1.0 - C[0]);
        self.r[0][i] + (a - 2.0) * self.r[1][i] + (3.0 - 2.0 * (a + b) + a * b) * self.r[2][i]
    }

    /// Returns du/dθ at the end of the step, θ = 1.
    #[inline]
    pub(super) fn slope_at_end(&self, i: usize) -> f64 {
        let (a, b) = (1.0 - C[1], 1.0 - C[0]);
        self.r[0][i] + a * self.r[1][i] + a * b * self.r[2][i]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_is_reproduced() {
        let u = |t: f64| 2.0 * t - 3.0 * t * t + 0.5 * t * t * t;
        let z = C.map(|c| vec![u(c)]);
        let mut p = Collocation::new(1);
        p.set(&z, |i| z[2][i]);
        for theta in [0.0, 0.3, 1.0, 2.5] {
            p.beyond(theta - 1.0, 0..1, |_, d| assert!((u(1.0) + d - u(theta)).abs() < 1e-13));
        }
        // u' = 2 − 6 t + 1.5 t²
        assert!((p.slope_at_start(0) - 2.0).abs() < 1e-13 && (p.slope_at_end(0) + 2.5).abs() < 1e-13);
    }
}
