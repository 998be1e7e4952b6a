//! The crate diffsol: BDF, two diagonally implicit Runge–Kutta methods, Tsitouras 5(4).
//!
//! Small problems with nalgebra's dense matrices, the large one with faer's sparse ones, as its documentation has it. It
//! takes Jacobians only as products with vectors, and never by differences.

use std::cell::Cell;

use carom_ode::problems::Problem;
use diffsol::{
    FaerSparseLU, FaerSparseMat, NalgebraLU, NalgebraMat, OdeBuilder, OdeEquations, OdeSolverMethod,
    OdeSolverStopReason, Op, Vector,
};

use super::{Contender, Family, Guard, Job, Work};

/// The whole run with one kind of matrices: their types are too many to be written out as bounds.
macro_rules! solve {
    ($method:expr, $job:expr, $matrix:ty, $lu:ty) => {{
        let p = $job.problem;
        let evaluations = Cell::new(0);
        let problem = OdeBuilder::<$matrix>::new()
            .t0(p.t0)
            .rtol($job.rtol)
            .atol(p.absolute($job.rtol))
            .rhs_implicit(
                |y, _, t, dy| {
                    evaluations.set(evaluations.get() + 1);
                    (p.rhs)(t, y, dy);
                },
                |y, _, t, v, out| product(p, t, y, v, out),
            )
            .init(|_, _, y| y.copy_from_slice(&p.start()), p.dim())
            .build()
            .map_err(|e| e.to_string())?;
        let work = match $method {
            Diffsol::Bdf => advance(problem.bdf::<$lu>().map_err(|e| e.to_string())?, $job),
            Diffsol::Esdirk34 => advance(problem.esdirk34::<$lu>().map_err(|e| e.to_string())?, $job),
            Diffsol::TrBdf2 => advance(problem.tr_bdf2::<$lu>().map_err(|e| e.to_string())?, $job),
            Diffsol::Tsit45 => advance(problem.tsit45().map_err(|e| e.to_string())?, $job),
        }?;
        let jacobians = problem.eqn.rhs().statistics().number_of_matrix_evals;
        Ok(Work { evaluations: evaluations.get(), jacobians: Some(jacobians), ..work })
    }};
}

#[derive(Clone, Copy)]
enum Diffsol {
    Bdf,
    Esdirk34,
    TrBdf2,
    Tsit45,
}

pub(super) fn all() -> Vec<Box<dyn Contender>> {
    use Diffsol::{Bdf, Esdirk34, TrBdf2, Tsit45};
    [Bdf, Esdirk34, TrBdf2, Tsit45].into_iter().map(|d| Box::new(d) as Box<dyn Contender>).collect()
}

impl Contender for Diffsol {
    fn library(&self) -> &'static str {
        "diffsol"
    }
    fn method(&self) -> &'static str {
        match self {
            Diffsol::Bdf => "bdf",
            Diffsol::Esdirk34 => "esdirk34",
            Diffsol::TrBdf2 => "tr_bdf2",
            Diffsol::Tsit45 => "tsit45",
        }
    }
    fn family(&self) -> Family {
        match self {
            Diffsol::Bdf => Family::Bdf,
            Diffsol::Esdirk34 | Diffsol::TrBdf2 => Family::Sdirk,
            Diffsol::Tsit45 => Family::Five,
        }
    }
    fn differences(&self) -> bool {
        matches!(self, Diffsol::Tsit45)
    }
    fn run(&self, job: &Job) -> Result<Work, String> {
        if job.problem.dim() > 60 {
            solve!(self, job, FaerSparseMat<f64>, FaerSparseLU<f64>)
        } else {
            solve!(self, job, NalgebraMat<f64>, NalgebraLU<f64>)
        }
    }
}

/// J v.
fn product(p: &Problem, t: f64, y: &[f64], v: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    if let Some(jacobian) = p.jacobian {
        jacobian(t, y, &mut |i, j, value| out[i] += value * v[j]);
    }
}

/// Steps to the end.
fn advance<'a, Eqn, S>(mut solver: S, job: &Job) -> Result<Work, String>
where
    Eqn: OdeEquations<T = f64> + 'a,
    S: OdeSolverMethod<'a, Eqn>,
{
    let mut guard = Guard::new(job);
    solver.set_stop_time(job.problem.t_end).map_err(|e| e.to_string())?;
    loop {
        let reason = solver.step().map_err(|e| e.to_string())?;
        if matches!(reason, OdeSolverStopReason::TstopReached) {
            break;
        }
        guard.step(solver.state().t)?;
    }
    let stats = solver.get_statistics();
    let (steps, setups) = (stats.number_of_steps, stats.number_of_linear_solver_setups);
    let end = solver.state().y.clone_as_vec();
    Ok(Work { end, factorizations: Some(setups), steps, ..Work::default() })
}
