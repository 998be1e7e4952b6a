//! The crate differential-equations: Dormand–Prince 5(4) and 8(5,3), Radau IIA, BDF, Kværnø's 5(4).
//!
//! States are arrays of fixed length, which its documentation prefers (and Radau5 of release 0.7.0 takes no vectors). Its
//! matrices are dense.

use std::cell::Cell;

use carom_ode::problems::Problem;
use differential_equations::linalg::Matrix;
use differential_equations::ode::{ODE, OrdinaryNumericalMethod};
use differential_equations::prelude::{
    BackwardDifferentiationFormula, DiagonallyImplicitRungeKutta, ExplicitRungeKutta, ImplicitRungeKutta,
};
use differential_equations::stats::Evals;
use differential_equations::status::Status;
use differential_equations::traits::State;

use super::{Contender, Family, Guard, Jacobians, Job, MAX_STEPS, Work};

#[derive(Clone, Copy)]
enum Differential {
    Dopri5,
    Dop853,
    Radau5,
    Bdf,
    Kvaerno745,
}

pub(super) fn all() -> Vec<Box<dyn Contender>> {
    use Differential::{Bdf, Dop853, Dopri5, Kvaerno745, Radau5};
    let all = [Dopri5, Dop853, Radau5, Bdf, Kvaerno745];
    all.into_iter().map(|d| Box::new(d) as Box<dyn Contender>).collect()
}

impl Contender for Differential {
    fn library(&self) -> &'static str {
        "differential-equations"
    }
    fn method(&self) -> &'static str {
        match self {
            Differential::Dopri5 => "dopri5",
            Differential::Dop853 => "dop853",
            Differential::Radau5 => "radau5",
            Differential::Bdf => "bdf",
            Differential::Kvaerno745 => "kvaerno745",
        }
    }
    fn family(&self) -> Family {
        match self {
            Differential::Dopri5 => Family::Five,
            Differential::Dop853 => Family::Eight,
            Differential::Radau5 => Family::Radau,
            Differential::Bdf => Family::Bdf,
            Differential::Kvaerno745 => Family::Sdirk,
        }
    }
    fn run(&self, job: &Job) -> Result<Work, String> {
        match job.problem.dim() {
            2 => self.sized::<2>(job),
            3 => self.sized::<3>(job),
            4 => self.sized::<4>(job),
            8 => self.sized::<8>(job),
            10 => self.sized::<10>(job),
            28 => self.sized::<28>(job),
            200 => self.sized::<200>(job),
            _ => self.start(job, &job.problem.start()),
        }
    }
}

/// A problem with a counter.
struct Counted {
    problem: &'static Problem,
    exact: bool,
    evaluations: Cell<usize>,
}

impl Counted {
    fn entries<Y: State<f64>>(&self, t: f64, y: &Y, j: &mut Matrix<f64>, slice: &[f64]) {
        match self.problem.jacobian {
            Some(jacobian) if self.exact => {
                for row in 0..y.len() {
                    for column in 0..y.len() {
                        j[(row, column)] = 0.0;
                    }
                }
                jacobian(t, slice, &mut |row, column, value| j[(row, column)] = value);
            }
            // the crate's own differences, through the counter
            _ => Rates(self).jacobian(t, y, j),
        }
    }
}

/// The rates alone, so that the crate's default Jacobian is at work.
struct Rates<'a>(&'a Counted);

impl<Y: State<f64>> ODE<f64, Y> for Rates<'_> {
    fn diff(&self, t: f64, y: &Y, dydt: &mut Y) {
        let y: Vec<f64> = (0..y.len()).map(|i| y.get_component(i)).collect();
        let mut dy = vec![0.0; y.len()];
        self.0.evaluations.set(self.0.evaluations.get() + 1);
        (self.0.problem.rhs)(t, &y, &mut dy);
        dydt.map_components_mut(|i, value| *value = dy[i]);
    }
}

impl<const N: usize> ODE<f64, [f64; N]> for Counted {
    fn diff(&self, t: f64, y: &[f64; N], dydt: &mut [f64; N]) {
        self.evaluations.set(self.evaluations.get() + 1);
        (self.problem.rhs)(t, y, dydt);
    }
    fn jacobian(&self, t: f64, y: &[f64; N], j: &mut Matrix<f64>) {
        self.entries(t, y, j, y);
    }
}

impl ODE<f64, Vec<f64>> for Counted {
    fn diff(&self, t: f64, y: &Vec<f64>, dydt: &mut Vec<f64>) {
        self.evaluations.set(self.evaluations.get() + 1);
        dydt.resize(y.len(), 0.0);
        (self.problem.rhs)(t, y, dydt);
    }
    fn jacobian(&self, t: f64, y: &Vec<f64>, j: &mut Matrix<f64>) {
        self.entries(t, y, j, y);
    }
}

impl Differential {
    fn sized<const N: usize>(self, job: &Job) -> Result<Work, String> {
        let start: [f64; N] =
            job.problem.start().try_into().map_err(|_| "a start of the wrong length".to_owned())?;
        self.start(job, &start)
    }

    fn start<Y: State<f64>>(self, job: &Job, y0: &Y) -> Result<Work, String>
    where
        Counted: ODE<f64, Y>,
    {
        let (rtol, atol) = (job.rtol, job.problem.absolute(job.rtol));
        // one for each component: Radau5 of release 0.7.0 transforms a single one once per component
        let rtols = vec![rtol; job.problem.dim()];
        match self {
            Differential::Dopri5 => {
                advance(job, y0, ExplicitRungeKutta::dopri5().rtol(rtol).atol(atol).max_steps(MAX_STEPS))
            }
            Differential::Dop853 => {
                advance(job, y0, ExplicitRungeKutta::dop853().rtol(rtol).atol(atol).max_steps(MAX_STEPS))
            }
            Differential::Radau5 => {
                advance(job, y0, ImplicitRungeKutta::radau5().rtol(rtols).atol(atol).max_steps(MAX_STEPS))
            }
            Differential::Bdf => {
                let bdf = BackwardDifferentiationFormula::adaptive();
                advance(job, y0, bdf.rtol(rtol).atol(atol).max_steps(MAX_STEPS))
            }
            Differential::Kvaerno745 => {
                let kvaerno = DiagonallyImplicitRungeKutta::kvaerno745();
                advance(job, y0, kvaerno.rtol(rtol).atol(atol).max_steps(MAX_STEPS))
            }
        }
    }
}

/// Steps to the end, as the crate's own loop does, under guard.
fn advance<Y, S>(job: &Job, y0: &Y, mut solver: S) -> Result<Work, String>
where
    Y: State<f64>,
    S: OrdinaryNumericalMethod<f64, Y>,
    Counted: ODE<f64, Y>,
{
    let p = job.problem;
    let exact = job.jacobians == Jacobians::Exact;
    let ode = Counted { problem: p, exact, evaluations: Cell::new(0) };
    let mut guard = Guard::new(job);
    let (mut evals, mut steps) = (Evals::new(), 0);
    evals += solver.init(&ode, p.t0, p.t_end, y0).map_err(|e| short(&e))?;
    solver.set_status(Status::Solving);
    // the last crumb is rounding
    while p.t_end - solver.t() > 4.0 * f64::EPSILON * p.t_end {
        if solver.t() + solver.h() > p.t_end {
            solver.set_h(p.t_end - solver.t());
        }
        evals += solver.step(&ode).map_err(|e| short(&e))?;
        if !matches!(solver.status(), Status::RejectedStep) {
            steps += 1;
        }
        if solver.t().is_nan() || solver.h().is_nan() || solver.h() == 0.0 {
            return Err(format!("a step of {} at t = {}", solver.h(), solver.t()));
        }
        guard.step(solver.t())?;
    }
    let y = solver.y();
    Ok(Work {
        end: (0..p.dim()).map(|i| y.get_component(i)).collect(),
        evaluations: ode.evaluations.get(),
        jacobians: Some(evals.jacobian),
        // not all of its methods count them
        factorizations: Some(evals.decompositions).filter(|n| *n > 0),
        steps,
    })
}

/// An error without the state it carries.
fn short<Y: State<f64>>(e: &differential_equations::error::Error<f64, Y>) -> String {
    let text = format!("{e:?}");
    let cut = text.find(" at (t, y)").or_else(|| text.find(", y:")).unwrap_or(text.len());
    text[..cut].to_owned()
}
