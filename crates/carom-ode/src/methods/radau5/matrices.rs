//! The Jacobian and the factors of γ/h I − J and (α + iβ)/h I − J, which are kept for as long as possible.

use num_complex::Complex64;

use super::coefficients::{ALPHA_BETA, GAMMA};
use crate::counted::Counted;
use crate::differences::Linearised;
use crate::failure::RhsFailure;
use crate::linear::{Jacobian, Shifted};
use crate::method::{Buffers, Tolerance};
use crate::ode::Ode;

/// The time at which the Jacobian was evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// a new Jacobian is needed
    Due,
    /// at the start of an earlier step
    Old,
    /// at the start of the present step
    Here,
}

carom_portable::plain!(
    enum Age {
        Due,
        Old,
        Here,
    }
);

/// The rate of convergence up to which the Jacobian is kept for another step: IV.8, "simplified Newton". A Jacobian,
/// exact or not, is as expensive as a step or two. Instructions counted on contacts: with 1e-3, up to a tenth more at
/// rtol 1e-6 and up to a tenth fewer at 1e-10; with 1e-2, up to a quarter fewer at 1e-6 and up to a quarter more at
/// 1e-10.
pub(super) const GOOD_RATE: f64 = 3e-3;
/// The relative difference up to which two steps share the same factors: it has no visible effect on the rate of
/// convergence.
const SAME: f64 = 1e-6;

/// The matrices of the iteration.
pub(super) struct Matrices {
    linear: Linearised,
    pub(super) real: Shifted<f64>,
    pub(super) complex: Shifted<Complex64>,
    pub(super) age: Age,
    /// the step length to which the factors belong
    factored: Option<f64>,
}

carom_portable::carried!(Matrices { linear, real, complex, age, factored });

impl Matrices {
    /// Allocates memory for the matrices of a problem.
    pub(super) fn new(ode: &mut dyn Ode, n: usize) -> Matrices {
        let linear = Linearised::new(ode, n);
        Matrices {
            real: Shifted::new(&linear.j),
            complex: Shifted::new(&linear.j),
            linear,
            age: Age::Due,
            factored: None,
        }
    }

    /// Evaluates the Jacobian at the start of the step.
    pub(super) fn evaluate(
        &mut self,
        ode: &mut Counted<'_>,
        b: &Buffers,
        n: usize,
        tol: &Tolerance<'_>,
    ) -> Result<(), RhsFailure> {
        self.factored = None;
        self.age = Age::Due;
        self.linear.evaluate(ode, b.t0, &b.y0[..n], &b.f0[..n], tol)?;
        self.age = Age::Here;
        Ok(())
    }

    /// Computes the factors for a step. `Err(k)`: a matrix is singular, as found in column k.
    pub(super) fn factor(&mut self, ode: &mut Counted<'_>, h: f64) -> Result<(), usize> {
        // steps that differ only by rounding share their factors
        if self.factored.is_some_and(|factored| (factored / h - 1.0).abs() <= SAME) {
            return Ok(());
        }
        self.factored = None;
        ode.stats().factorisations += 1;
        self.real.factor(GAMMA / h, &self.linear.j)?;
        self.complex.factor(ALPHA_BETA / h, &self.linear.j)?;
        self.factored = Some(h);
        Ok(())
    }

    /// Returns the products of a factorisation, with the real and the complex one counted once, and the evaluations to
    /// which a Jacobian is equivalent.
    pub(super) fn work(&self) -> (f64, f64) {
        (self.real.work(&self.linear.j), self.linear.columns() as f64)
    }

    /// The last Jacobian.
    pub(super) fn jacobian(&self) -> &Jacobian {
        &self.linear.j
    }
}
