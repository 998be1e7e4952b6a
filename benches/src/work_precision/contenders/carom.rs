//! Carom's own methods, whatever there is.

use carom_ode::{Method, Ode, Options, Solver, methods};

use super::{Contender, Family, Guard, Jacobians, Job, MAX_STEPS, Work};

/// The library's name in tables.
pub(crate) const NAME: &str = "carom";

struct Carom(&'static dyn Method);

/// Every method that chooses its steps.
pub(super) fn all() -> Vec<Box<dyn Contender>> {
    let adaptive = methods::ALL.iter().copied().filter(|m| m.is_adaptive());
    adaptive.map(|m| Box::new(Carom(m)) as Box<dyn Contender>).collect()
}

impl Contender for Carom {
    fn library(&self) -> &'static str {
        NAME
    }
    fn method(&self) -> &'static str {
        self.0.name()
    }
    fn family(&self) -> Family {
        match self.0.name() {
            "ode45" | "tsit5" => Family::Five,
            "dop853" => Family::Eight,
            "ode113" => Family::Adams,
            "ode15s" | "ode15s-bdf" => Family::Bdf,
            "radau5" => Family::Radau,
            "auto" => Family::Switching,
            _ => Family::Other,
        }
    }
    fn run(&self, job: &Job) -> Result<Work, String> {
        match job.jacobians {
            Jacobians::Exact => solve(self.0, &mut job.problem.ode(), job),
            Jacobians::Differences => {
                let mut ode = job.problem.ode();
                ode.exact = false;
                solve(self.0, &mut ode, job)
            }
        }
    }
}

fn solve(method: &'static dyn Method, ode: &mut dyn Ode, job: &Job) -> Result<Work, String> {
    let p = job.problem;
    let options = Options {
        rtol: job.rtol,
        atol: job.rtol,
        scale: p.scales(),
        max_steps: MAX_STEPS,
        ..Options::default()
    };
    let mut guard = Guard::new(job);
    let mut solver =
        Solver::new(method, ode, p.t0, &p.start(), p.t_end, options).map_err(|e| e.to_string())?;
    while !solver.done() {
        solver.step(ode).map_err(|e| e.to_string())?;
        guard.step(solver.t())?;
    }
    let stats = solver.stats();
    Ok(Work {
        end: solver.y().to_vec(),
        evaluations: stats.evaluations,
        jacobians: Some(stats.jacobians),
        factorizations: Some(stats.factorisations),
        steps: stats.steps,
    })
}
