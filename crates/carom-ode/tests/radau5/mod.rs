//! `radau5`: its order, its error against the tolerance, its work, its events, its failures.

mod against_scipy;
mod allocation;
mod failures;
mod order;
mod problems;
mod time;

use carom_ode::{Ode, Options, SolveError, Solver, methods};

/// `radau5` at work.
fn solver(ode: &mut dyn Ode, t0: f64, y0: &[f64], t_end: f64, options: Options) -> Solver {
    Solver::new(methods::find("radau5").unwrap(), ode, t0, y0, t_end, options).unwrap()
}

/// Steps to the end.
fn finish(solver: &mut Solver, ode: &mut dyn Ode) -> Result<(), SolveError> {
    while !solver.done() {
        solver.step(ode)?;
        solver.finish(ode)?;
    }
    Ok(())
}
