//! The coefficients of a step: they depend on the mesh alone, not on the solution.
//!
//! Shampine, Gordon, *Computer Solution of Ordinary Differential Equations* (1975), chapter 5. Indices are those of
//! the book: they count from 1, and the entries 0 are not used. The times of the past are x_n, x_{n−1} …; the step
//! under way goes to x_{n+1} = x_n + h.

/// The highest order of the predictor; the corrector's is one more.
pub(super) const MAX_ORDER: usize = 12;
/// Rows of differences, 1 to k + 2, and the entry 0.
pub(super) const ROWS: usize = MAX_ORDER + 3;

/// The local error of a step of order k at constant steps is γ*_k h ∇^k f: |γ*_k| for k = 1 … 13.
/// Henrici, *Discrete Variable Methods in Ordinary Differential Equations* (1962), chapter 5.
pub(super) const GAMMA_STAR: [f64; MAX_ORDER + 2] = [
    1.0,
    1.0 / 2.0,
    1.0 / 12.0,
    1.0 / 24.0,
    19.0 / 720.0,
    3.0 / 160.0,
    863.0 / 60_480.0,
    275.0 / 24_192.0,
    33_953.0 / 3_628_800.0,
    8_183.0 / 1_036_800.0,
    3_250_433.0 / 479_001_600.0,
    4_671.0 / 788_480.0,
    13_695_779_093.0 / 2_615_348_736_000.0,
    2_224_234_463.0 / 475_517_952_000.0,
];

/// The coefficients for a step of length h after the steps of the past.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coefficients {
    /// the length of the step
    pub(super) h: f64,
    /// ψ_i(n+1) = x_{n+1} − x_{n+1−i}
    pub(super) psi: [f64; ROWS],
    /// α_i(n+1) = h / ψ_i(n+1)
    pub(super) alpha: [f64; ROWS],
    /// β_i(n+1) = Π_{j<i} ψ_j(n+1) / ψ_j(n)
    pub(super) beta: [f64; ROWS],
    /// σ_i(n+1) = h^{i−1} (i−1)! / Π_{j<i} ψ_j(n+1): 1 at constant steps
    pub(super) sigma: [f64; ROWS],
    /// g_i: the integral over the step of the i-th basis function, over h
    pub(super) g: [f64; ROWS],
}

impl Coefficients {
    /// Computes the coefficients for a step `h` of order k, from ψ(n) and the number of known differences.
    pub(super) fn set(&mut self, past: &[f64; ROWS], known: usize, k: usize, h: f64) {
        self.h = h;
        self.psi[1] = h;
        for i in 2..ROWS {
            self.psi[i] = past[i - 1] + h;
        }
        (self.beta[1], self.sigma[1]) = (1.0, 1.0);
        for i in 1..=k + 1 {
            self.alpha[i] = h / self.psi[i];
            self.sigma[i + 1] = i as f64 * self.alpha[i] * self.sigma[i];
        }
        for i in 2..=known.min(k + 1) {
            self.beta[i] = self.beta[i - 1] * (self.psi[i - 1] / past[i - 1]);
        }
        self.integrate(k);
    }

    /// Computes g: g_{1,q} = 1/q, g_{2,q} = 1/(q(q+1)), g_{i,q} = g_{i−1,q} − α_{i−1} g_{i−1,q+1}; g_i = g_{i,1}.
    fn integrate(&mut self, k: usize) {
        let mut v = [0.0; ROWS];
        for q in 1..=k {
            v[q] = 1.0 / (q * (q + 1)) as f64;
        }
        (self.g[1], self.g[2]) = (1.0, v[1]);
        for i in 3..=k + 1 {
            for q in 1..=k + 2 - i {
                v[q] -= self.alpha[i - 1] * v[q + 1];
            }
            self.g[i] = v[1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At constant steps g are Adams's γ_i, and g_k − g_{k+1} are |γ*_k|.
    #[test]
    fn constant_steps_give_the_classical_coefficients() {
        let past: [f64; ROWS] = std::array::from_fn(|i| -0.1 * i as f64);
        let mut c = Coefficients::default();
        c.set(&past, MAX_ORDER + 1, MAX_ORDER, -0.1);
        for (i, gamma) in [(1, 1.0), (2, 1.0 / 2.0), (3, 5.0 / 12.0), (4, 3.0 / 8.0), (5, 251.0 / 720.0)] {
            assert!((c.g[i] - gamma).abs() < 1e-15, "{i}");
        }
        for k in 1..=MAX_ORDER {
            assert!((c.g[k] - c.g[k + 1] - GAMMA_STAR[k]).abs() < 1e-14, "{k}: {}", c.g[k] - c.g[k + 1]);
            assert!((c.beta[k] - 1.0).abs() < 1e-14 && (c.sigma[k] - 1.0).abs() < 1e-13, "{k}");
        }
    }

    /// On any mesh g_i is the integral of Π (x − x_{n+1−j}) / Π ψ_j(n+1), the product over j = 1 … i−1.
    #[test]
    fn g_integrates_the_basis_functions() {
        let steps = [0.3, 0.1, 0.25, 0.7, 0.05];
        let mut past = [0.0; ROWS];
        for (i, h) in steps.iter().enumerate() {
            past[i + 1] = past[i] + h;
        }
        let (h, k) = (0.4, 5);
        let mut c = Coefficients::default();
        c.set(&past, k, k, h);
        for i in 1..=k + 1 {
            let cells = 200_000;
            let integral: f64 = (0..cells)
                .map(|m| h * (m as f64 + 0.5) / cells as f64)
                .map(|x| (1..i).map(|j| (x + past[j - 1]) / c.psi[j]).product::<f64>() / cells as f64)
                .sum();
            assert!((c.g[i] - integral).abs() < 1e-10, "{i}: {} {integral}", c.g[i]);
        }
    }
}
