//! A steady step allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use carom_ode::{Ode, RhsFailure};

use crate::{solver, tolerance};

/// The system's allocator, counting.
struct Counting;

thread_local! {
    /// of this thread: tests run side by side
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

#[allow(unsafe_code, reason = "an allocator is unsafe by nature; this one only counts")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// van der Pol with μ = 100, ∫ y² dt as a quadrature: steps of all kinds.
struct VanDerPol;

impl Ode for VanDerPol {
    fn dim(&self) -> usize {
        3
    }
    fn quadratures(&self) -> usize {
        1
    }
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy.copy_from_slice(&[y[1], 100.0 * (1.0 - y[0] * y[0]) * y[1] - y[0], y[0] * y[0]]);
        Ok(())
    }
}

#[test]
fn a_steady_step_allocates_nothing() {
    let mut ode = VanDerPol;
    let mut solver = solver(&mut ode, 0.0, &[2.0, 0.0, 0.0], 1e3, tolerance(1e-6));
    let before = ALLOCATIONS.with(Cell::get);
    let mut y = [0.0; 3];
    while !solver.done() {
        solver.step(&mut ode).unwrap();
        solver.prepare_dense(&mut ode).unwrap();
        solver.dense().unwrap().at(solver.t(), 0..3, &mut y);
    }
    let stats = solver.stats();
    assert!(stats.steps > 500 && stats.rejected > 5 && stats.jacobians > 100, "{stats:?}");
    assert_eq!(ALLOCATIONS.with(Cell::get), before);
}
