//! Velocity Verlet with fixed steps, order 2: `verlet`.
//!
//! L. Verlet, Phys. Rev. 159 (1967) 98; velocity form: Swope et al., J. Chem. Phys. 76 (1982) 637.
//! v½ = v0 + ½h a(x0, v0);  x1 = x0 drifted by h at v½;  v1 = v½ + ½h a(x1, v0 + h a0).
//! Where the forces depend on positions alone this is the symplectic method; where they depend on
//! velocities too, the predicted v0 + h a0 keeps the order at 2. One evaluation a step. What is neither position nor
//! velocity goes by the trapezoidal rule with a predicted end, order 2 too.

use std::ops::Range;

use super::{Attempt, Buffers, Counted, Method, Stepper, Tolerance};
use crate::ode::{Ode, RhsFailure};

/// The method.
#[derive(Debug)]
pub(super) struct Verlet;

/// The method at work.
struct VerletStepper {
    n: usize,
    arg: Vec<f64>,
    /// y0, y1, h f0, h f1: what the cubic Hermite interpolant needs
    r: [Vec<f64>; 4],
}

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
    fn start(&'static self, ode: &dyn Ode) -> Box<dyn Stepper> {
        let n = ode.dim();
        let row = || vec![0.0; n];
        Box::new(VerletStepper { n, arg: row(), r: [row(), row(), row(), row()] })
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
        let ode = problem.ode();
        let quadratures = n - ode.quadratures();
        let part = |ode: &dyn Ode, i| if i < quadratures { ode.is_velocity(i) } else { None };
        // v½ in place of the velocities, then drift
        self.arg.copy_from_slice(&b.y0[..n]);
        for i in 0..n {
            if part(ode, i) == Some(true) {
                self.arg[i] += 0.5 * h * b.f0[i];
            }
        }
        ode.drift(h, &mut self.arg);
        // x1 with the predicted velocity
        for i in 0..n {
            b.y1[i] = if part(ode, i) == Some(false) { self.arg[i] } else { b.y0[i] + h * b.f0[i] };
        }
        problem.rhs(b.t0 + h, &b.y1[..n], &mut b.f1[..n])?;
        let ode = problem.ode();
        for i in 0..n {
            match part(ode, i) {
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

    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let (s, [y0, y1, d0, d1]) = (1.0 - theta, &self.r);
        for (i, out) in range.zip(out) {
            let hermite = theta * s * ((theta - s) * (y1[i] - y0[i]) + s * d0[i] - theta * d1[i]);
            *out = s * y0[i] + theta * y1[i] + hermite;
        }
    }
}
