//! Computes the stages of a step by simplified Newton iteration.
//!
//! Hairer, Wanner, *Solving Ordinary Differential Equations II*, IV.8: Z = (z₁, z₂, z₃), z_i = Y_i − y0, solves Z = h
//! (A ⊗ I) F(Z); with W = (T⁻¹ ⊗ I) Z the 3m equations separate into m real and m complex ones (8.6).

use carom_portable::elementary::{pow, powi};
use num_complex::Complex64;

use super::coefficients::{ALPHA_BETA, C, GAMMA, T, T_INVERSE, dot};
use super::collocation::Collocation;
use super::matrices::Matrices;
use crate::counted::Counted;
use crate::failure::RhsFailure;
use crate::method::{Buffers, Tolerance};
use crate::norm::Largest;

/// The number of iterations after which the step is refused.
pub(super) const MAX_ITERATIONS: usize = 7;

/// What is known about the convergence of the iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Convergence {
    /// number of iterations
    pub(super) iterations: usize,
    /// the rate: ratio of a correction to the one before
    pub(super) theta: f64,
    /// θ/(1 − θ): the remaining error is at most this times the last correction (8.10)
    pub(super) eta: f64,
}

carom_portable::plain!(Convergence { iterations, theta, eta });

impl Convergence {
    /// The value before the first iteration.
    pub(super) const UNKNOWN: Convergence = Convergence { iterations: 0, theta: 0.0, eta: 1.0 };
}

/// The result of an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Converged(Convergence),
    /// it did not converge; the largest correction is in this component
    Diverged(usize),
    /// the rates of a component are not finite
    NotFinite(usize),
}

/// The iteration and its workspace.
pub(super) struct Newton {
    /// number of components, and of those that are not quadratures
    n: usize,
    m: usize,
    /// the stages minus the start
    pub(super) z: [Vec<f64>; 3],
    w: [Vec<f64>; 3],
    /// the rates at the stages, one row each
    pub(super) k: Vec<f64>,
    arg: Vec<f64>,
    real: Vec<f64>,
    complex: Vec<Complex64>,
    /// errors allowed at the start of the step
    allowed: Vec<f64>,
    /// corrections up to this size may be rounding errors
    noise: f64,
    /// F − A⁻¹Z/h at the last stage before the last correction, and the size of that correction
    before: Vec<f64>,
    size: f64,
}

carom_portable::carried!(Newton {} scratch { n, m, z, w, k, arg, real, complex, allowed, noise, before, size });

impl Newton {
    /// Allocates memory for n components, m of which are not quadratures.
    pub(super) fn new(n: usize, m: usize) -> Newton {
        let rows = || std::array::from_fn(|_| vec![0.0; n]);
        Newton {
            n,
            m,
            z: rows(),
            w: rows(),
            k: vec![0.0; 3 * n],
            arg: vec![0.0; n],
            real: vec![0.0; m],
            complex: vec![Complex64::default(); m],
            allowed: vec![0.0; m],
            noise: 0.0,
            before: vec![0.0; m],
            size: 0.0,
        }
    }

    /// Computes starting values from the polynomial of the last step; this step is `ratio` times as long as that one.
    pub(super) fn extrapolate(&mut self, past: &Collocation, ratio: f64) {
        for (z, c) in self.z.iter_mut().zip(C) {
            past.beyond(c * ratio, 0..self.m, |i, d| z[i] = d);
        }
        for j in 0..self.m {
            let z = self.z.each_ref().map(|z| z[j]);
            for (w, row) in self.w.iter_mut().zip(&T_INVERSE) {
                w[j] = dot(row, z);
            }
        }
    }

    /// Computes starting values where nothing is known of the past: the first iterate from Z = 0, with the rates at the
    /// start used for those of the stages. This is exact for linear autonomous problems, and needs no evaluation.
    /// Returns the largest ratio of these values to the errors allowed in the last iteration.
    pub(super) fn linearise(&mut self, matrices: &mut Matrices, f0: &[f64], h: f64) -> f64 {
        for row in self.k.chunks_exact_mut(self.n.max(1)) {
            row.copy_from_slice(&f0[..self.n]);
        }
        for w in &mut self.w {
            w[..self.m].fill(0.0);
        }
        self.correct(matrices, h).0
    }

    /// Iterates to Z = h (A ⊗ I) F(Z). `eta` is the factor θ/(1 − θ) of the last step.
    pub(super) fn solve(
        &mut self,
        ode: &mut Counted<'_>,
        matrices: &mut Matrices,
        b: &Buffers,
        h: f64,
        tol: &Tolerance<'_>,
        eta: f64,
    ) -> Result<Outcome, RhsFailure> {
        let kappa = self.prepare(b, h, tol);
        let (mut last, mut theta_last) = (f64::INFINITY, 0.0);
        // IV.8, below (8.11): the last step's rate, with caution; a lucky value there proves nothing for this step
        let mut c = Convergence { eta: pow(eta.max(0.1), 0.8), ..Convergence::UNKNOWN };
        let mut worst = 0;
        for iteration in 1..=MAX_ITERATIONS {
            self.rates(ode, b, h)?;
            for j in 0..self.m {
                self.before[j] = self.k[2 * self.n + j] - self.slope_at_end(j) / h;
            }
            let size;
            (size, worst) = self.correct(matrices, h);
            self.size = size;
            if !size.is_finite() {
                let bad = self.k.iter().position(|k| !k.is_finite());
                return Ok(bad.map_or(Outcome::Diverged(worst), |i| Outcome::NotFinite(i % self.n)));
            }
            c.iterations = iteration;
            if iteration > 1 {
                let ratio = size / last;
                // geometric mean of the last two ratios, as in the code RADAU5
                c.theta = if iteration > 2 { (ratio * theta_last).sqrt() } else { ratio };
                theta_last = ratio;
                if !(c.theta < 0.99) {
                    // corrections that no longer decrease are rounding errors, if they are small enough
                    return Ok(match size <= self.noise {
                        true => Outcome::Converged(c),
                        false => Outcome::Diverged(worst),
                    });
                }
                c.eta = c.theta / (1.0 - c.theta);
            }
            // (8.10); a correction of zero has converged at any rate
            if c.eta * size <= kappa || size == 0.0 {
                return Ok(Outcome::Converged(c));
            }
            // (8.11): whether the remaining iterations will be enough
            let left = (MAX_ITERATIONS - iteration) as i32;
            if iteration > 1 && powi(c.theta, left) * c.eta * size > kappa {
                break;
            }
            last = size;
        }
        Ok(Outcome::Diverged(worst))
    }

    /// Returns whether the last correction has reduced the residual of the last stage as predicted; f1 are the rates at
    /// its end. With a Jacobian much steeper than the problem, every correction is small, and nothing else shows that
    /// the stages do not solve the equations. A correction of rounding size predicts nothing. In that case a further
    /// correction must not move a component by more than the error allowed: rates that jump at the end of the step, to
    /// rounding, are those of a force that the stages do not contain.
    pub(super) fn is_solved(&mut self, matrices: &mut Matrices, f1: &[f64], h: f64) -> bool {
        let (mut old, mut new) = (0.0f64, 0.0f64);
        for j in 0..self.m {
            old = old.max(self.before[j].abs() / self.allowed[j]);
            new = new.max((f1[j] - self.slope_at_end(j) / h).abs() / self.allowed[j]);
        }
        // the residual is small in any case, or was reduced
        if h.abs() * new / GAMMA <= 0.1 {
            return true;
        }
        if self.size > self.noise {
            return new <= 0.5 * old;
        }
        for j in 0..self.m {
            self.real[j] = f1[j] - self.slope_at_end(j) / h;
        }
        matrices.real.solve(&mut self.real);
        let most = self.noise.max(1.0);
        (0..self.m).all(|j| self.real[j].abs() <= most * self.allowed[j])
    }

    /// Returns h u'(1) of the collocation polynomial u through 0 and the stages: the last row of A⁻¹ times Z.
    fn slope_at_end(&self, j: usize) -> f64 {
        let [c1, c2, _] = C;
        let l1 = (1.0 - c2) / (c1 * (c1 - c2) * (c1 - 1.0));
        let l2 = (1.0 - c1) / (c2 * (c2 - c1) * (c2 - 1.0));
        let l3 = 1.0 + 1.0 / (1.0 - c1) + 1.0 / (1.0 - c2);
        l1 * self.z[0][j] + l2 * self.z[1][j] + l3 * self.z[2][j]
    }

    /// Computes the errors allowed. Returns κ, the fraction of them left to the iteration.
    fn prepare(&mut self, b: &Buffers, h: f64, tol: &Tolerance<'_>) -> f64 {
        let mut largest = 0.0f64;
        for i in 0..self.m {
            let allowed = tol.scale[i] + tol.rtol * b.y0[i].abs();
            // a component at zero without an absolute tolerance: relative to the value it will reach
            let allowed = if allowed > 0.0 { allowed } else { tol.rtol * (h * b.f0[i]).abs() };
            self.allowed[i] = allowed.max(f64::MIN_POSITIVE);
            largest = largest.max(b.y0[i].abs() / self.allowed[i]);
        }
        self.noise = 100.0 * f64::EPSILON * largest;
        // the solution is more accurate than its estimate by h², hence the square root: RADAU5, FNEWT
        let rtol = if tol.rtol > 0.0 { tol.rtol } else { 1.0 / largest };
        rtol.sqrt().min(0.03).max(10.0 * f64::EPSILON * largest)
    }

    /// Evaluates the rates at all stages.
    fn rates(&mut self, ode: &mut Counted<'_>, b: &Buffers, h: f64) -> Result<(), RhsFailure> {
        (0..3).try_for_each(|i| self.rate(ode, b, h, i))
    }

    /// Evaluates the rates at one stage.
    pub(super) fn rate(
        &mut self,
        ode: &mut Counted<'_>,
        b: &Buffers,
        h: f64,
        i: usize,
    ) -> Result<(), RhsFailure> {
        let (n, m) = (self.n, self.m);
        for j in 0..m {
            self.arg[j] = b.y0[j] + self.z[i][j];
        }
        // no rate depends on the quadratures
        self.arg[m..].copy_from_slice(&b.y0[m..n]);
        ode.rhs(b.t0 + C[i] * h, &self.arg, &mut self.k[i * n..(i + 1) * n])
    }

    /// Corrects W, and Z with it: (8.6). Returns the largest ratio of correction to allowed error, and its component.
    fn correct(&mut self, matrices: &mut Matrices, h: f64) -> (f64, usize) {
        let (n, m) = (self.n, self.m);
        for j in 0..m {
            let k = [self.k[j], self.k[n + j], self.k[2 * n + j]];
            let w = Complex64::new(self.w[1][j], self.w[2][j]);
            self.real[j] = dot(&T_INVERSE[0], k) - GAMMA / h * self.w[0][j];
            self.complex[j] =
                Complex64::new(dot(&T_INVERSE[1], k), dot(&T_INVERSE[2], k)) - ALPHA_BETA / h * w;
        }
        matrices.real.solve(&mut self.real);
        matrices.complex.solve(&mut self.complex);
        let mut largest = Largest::NONE;
        for j in 0..m {
            let dw = [self.real[j], self.complex[j].re, self.complex[j].im];
            for (w, dw) in self.w.iter_mut().zip(dw) {
                w[j] += dw;
            }
            let w = self.w.each_ref().map(|w| w[j]);
            for (z, row) in self.z.iter_mut().zip(&T) {
                largest.see(dot(row, dw), self.allowed[j], j);
                z[j] = dot(row, w);
            }
        }
        (largest.norm, largest.at)
    }
}
