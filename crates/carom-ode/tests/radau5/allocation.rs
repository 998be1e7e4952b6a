//! A steady step allocates nothing.

use carom_ode::{Components, Ode, RhsFailure};

use super::solver;
use crate::common::tolerance;
use carom_testkit::allocations;

/// van der Pol with μ = 100, ∫ y² dt as a quadrature: steps of all kinds.
struct VanDerPol;

impl Ode for VanDerPol {
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy.copy_from_slice(&[y[1], 100.0 * (1.0 - y[0] * y[0]) * y[1] - y[0], y[0] * y[0]]);
        Ok(())
    }
    fn components(&self) -> &dyn Components {
        self
    }
}

impl Components for VanDerPol {
    fn quadratures(&self) -> usize {
        1
    }
}

#[test]
fn a_steady_step_allocates_nothing() {
    let mut ode = VanDerPol;
    let mut solver = solver(&mut ode, 0.0, &[2.0, 0.0, 0.0], 1e3, tolerance(1e-6));
    let before = allocations();
    let mut y = [0.0; 3];
    while !solver.done() {
        solver.step(&mut ode).unwrap();
        solver.prepare_dense(&mut ode).unwrap();
        solver.dense().unwrap().at(solver.t(), 0..3, &mut y);
    }
    let stats = solver.stats();
    assert!(stats.steps > 500 && stats.rejected > 5 && stats.jacobians > 100, "{stats:?}");
    assert_eq!(allocations(), before);
}
