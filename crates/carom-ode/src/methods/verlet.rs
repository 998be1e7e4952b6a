//! Velocity Verlet with fixed steps, order 2: `verlet`.
//!
//! L. Verlet, Phys. Rev. 159 (1967) 98; velocity form: Swope et al., J. Chem. Phys. 76 (1982) 637.
//! v½ = v0 + ½h a(x0, v0);  x1 = x0 drifted by h at v½;  v1 = v½ + ½h a(x1, v0 + h a0).
//! Where the forces depend on positions alone this is the symplectic method; where they depend on velocities too, the
//! predicted v0 + h a0 keeps the order at 2. It takes one evaluation per step. Components that are neither positions
//! nor velocities are integrated by the trapezoidal rule with a predicted end, also of order 2. Where such a component
//! relaxes by itself at a rate λ, which may be fast compared with the step, the exponential rule is used: z' = f = N −
//! λ z with N changing linearly from N0 to N1 gives
//!
//! z1 = z0 + h φ1 f0 + h φ2 (f1 − f0 + λ (z1* − z0)),  φ1 = (1 − e^{−λh})/(λh),  φ2 = (1 − φ1)/(λh),
//!
//! z1* = z0 + h φ1 f0 is predicted with the rate at the start; after that, λ is the larger one of start and end.
//! (Exponential Runge-Kutta methods: Hochbruck and Ostermann, Acta Numerica 19 (2010) 209.)

use std::ops::Range;

use crate::counted::Counted;
use crate::failure::RhsFailure;
use crate::method::{Attempt, Buffers, Method, Stepper, Tolerance};
use crate::ode::{Ode, Split};
use crate::step::DenseOutput;
use carom_portable::elementary::expm1;

/// The method `verlet`.
#[derive(Debug)]
pub(super) struct Verlet;

/// The method `verlet` at work.
struct VerletStepper {
    n: usize,
    arg: Vec<f64>,
    /// λ at the start and at the end, of the components that relax
    rates: [Vec<f64>; 2],
    /// y0, y1, h f0, h f1: what the cubic Hermite interpolant needs
    r: [Vec<f64>; 4],
}

carom_portable::carried!(VerletStepper {} scratch { n, arg, rates, r });

impl Method for Verlet {
    fn name(&self) -> &'static str {
        "verlet"
    }
    fn summary(&self) -> &'static str {
        "velocity Verlet with fixed steps, order 2; for many bodies"
    }
    fn order(&self) -> usize {
        2
    }
    fn is_adaptive(&self) -> bool {
        false
    }
    fn needs_split(&self) -> bool {
        true
    }
    fn start(&'static self, _: &mut dyn Ode, n: usize) -> Box<dyn Stepper> {
        let row = || vec![0.0; n];
        Box::new(VerletStepper { n, arg: row(), rates: [row(), row()], r: [row(), row(), row(), row()] })
    }
}

impl Stepper for VerletStepper {
    fn attempt(
        &mut self,
        problem: &mut Counted<'_>,
        b: &mut Buffers,
        h: f64,
        _: &Tolerance<'_>,
    ) -> Result<Attempt, RhsFailure> {
        let n = self.n;
        let controlled = n - problem.ode().components().quadratures();
        let part = |split: &dyn Split, i| if i < controlled { split.is_velocity(i) } else { None };
        let split = problem.ode().split();
        // v½ in place of the velocities, then the positions drift
        self.arg.copy_from_slice(&b.y0[..n]);
        for i in 0..n {
            if part(split, i) == Some(true) {
                self.arg[i] += 0.5 * h * b.f0[i];
            }
        }
        split.drift(h, &mut self.arg);
        // x1 with the predicted velocity
        for i in 0..n {
            b.y1[i] = if part(split, i) == Some(false) { self.arg[i] } else { b.y0[i] + h * b.f0[i] };
        }
        let [start, end] = &mut self.rates;
        start.fill(0.0);
        let relaxes = split.relaxation(b.t0, &b.y0[..n], start);
        if relaxes {
            for i in 0..controlled {
                b.y1[i] = if start[i] > 0.0 { b.y0[i] + h * phi(start[i] * h)[0] * b.f0[i] } else { b.y1[i] };
            }
            end.fill(0.0);
            split.relaxation(b.t0 + h, &b.y1[..n], end);
        }
        problem.rhs(b.t0 + h, &b.y1[..n], &mut b.f1[..n])?;
        let split = problem.ode().split();
        for i in 0..n {
            match part(split, i) {
                None if relaxes && self.rates[0][i].max(self.rates[1][i]) > 0.0 => {
                    let rate = self.rates[0][i].max(self.rates[1][i]);
                    let [one, two] = phi(rate * h);
                    let bend = b.f1[i] - b.f0[i] + rate * (b.y1[i] - b.y0[i]);
                    b.y1[i] = b.y0[i] + h * (one * b.f0[i] + two * bend);
                }
                None => b.y1[i] = b.y0[i] + 0.5 * h * (b.f0[i] + b.f1[i]), // trapezoid
                Some(true) => b.y1[i] = self.arg[i] + 0.5 * h * b.f1[i],
                Some(false) => {}
            }
        }
        let bad = b.y1[..n].iter().position(|y| !y.is_finite());
        let norm = if bad.is_some() { f64::NAN } else { 0.0 };
        Ok(Attempt::with_error(norm, bad.unwrap_or(0)))
    }

    fn wish(&mut self, h: f64, _: &Attempt) -> f64 {
        h
    }

    fn again(&mut self, h: f64, _: &Attempt) -> f64 {
        0.1 * h
    }

    fn stages(&self) -> (&[f64], usize) {
        (&[], 1)
    }

    fn prepare_dense(&mut self, _: &mut Counted<'_>, b: &Buffers, h: f64) -> Result<(), RhsFailure> {
        for i in 0..self.n {
            self.r[0][i] = b.y0[i];
            self.r[1][i] = b.y1[i];
            self.r[2][i] = h * b.f0[i];
            self.r[3][i] = h * b.f1[i];
        }
        Ok(())
    }
}

impl DenseOutput for VerletStepper {
    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let (s, [y0, y1, d0, d1]) = (1.0 - theta, &self.r);
        for (i, out) in range.zip(out) {
            let hermite = theta * s * ((theta - s) * (y1[i] - y0[i]) + s * d0[i] - theta * d1[i]);
            *out = s * y0[i] + theta * y1[i] + hermite;
        }
    }
}

/// Returns φ1 and φ2 of −x: (1 − e^{−x})/x and (1 − φ1)/x, by their series where these formulas lose digits.
fn phi(x: f64) -> [f64; 2] {
    if x < 1e-3 {
        return [1.0 - x * (0.5 - x / 6.0), 0.5 - x * (1.0 / 6.0 - x / 24.0)];
    }
    let one = -expm1(-x) / x;
    [one, (1.0 - one) / x]
}

#[cfg(test)]
mod tests {
    use crate::failure::RhsFailure;
    use crate::ode::{Ode, Split};
    use crate::{Options, SolveError, Solver, methods};

    /// x' = v, v' = −x, and z follows v at a rate: z' = λ (v − z).
    struct Follower(f64);

    impl Ode for Follower {
        fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
            dy.copy_from_slice(&[y[1], -y[0], self.0 * (y[1] - y[2])]);
            Ok(())
        }
        fn split(&mut self) -> &mut dyn Split {
            self
        }
    }

    impl Split for Follower {
        fn is_velocity(&self, i: usize) -> Option<bool> {
            (i < 2).then_some(i == 1)
        }
        fn drift(&mut self, h: f64, y: &mut [f64]) {
            y[0] += h * y[1];
        }
        fn relaxation(&mut self, _: f64, _: &[f64], rates: &mut [f64]) -> bool {
            rates[2] = self.0;
            true
        }
    }

    /// Returns the error of z at t = 1, from x = 0, v = 1 and z on its steady solution.
    fn off(rate: f64, h: f64) -> Result<f64, SolveError> {
        // z = (cos t + sin t/λ)/(1 + 1/λ²)
        let exact = |t: f64| (t.cos() + t.sin() / rate) / (1.0 + 1.0 / (rate * rate));
        let options = Options { first_step: Some(h), ..Options::default() };
        let verlet = methods::find("verlet")?;
        let mut follower = Follower(rate);
        let start = [0.0, 1.0, exact(0.0)];
        let mut solver = Solver::new(verlet, &mut follower, 0.0, &start, 1.0, options)?;
        while !solver.done() {
            solver.step(&mut follower)?;
            solver.finish(&mut follower)?;
        }
        Ok((solver.y()[2] - exact(1.0)).abs())
    }

    #[test]
    fn what_relaxes_faster_than_a_step_follows() -> Result<(), SolveError> {
        for rate in [1.0, 1e2, 1e4, 1e8] {
            let (whole, half) = (off(rate, 1e-2)?, off(rate, 5e-3)?);
            // the velocity is taken as constant over a step: of its change, h v', z misses at most a tenth where λ h is
            // about 1, and ever less on both sides
            assert!(whole < 1e-3, "{rate}: {whole:e}");
            // of second order where steps resolve the relaxation
            assert!(rate > 1.0 || (whole / half - 4.0).abs() < 0.1, "{rate}: {whole:e} {half:e}");
        }
        Ok(())
    }
}
