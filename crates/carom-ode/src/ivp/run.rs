//! Runs an integration from the start to the end and records what is requested.

use std::ops::ControlFlow;

use super::dense::Pieces;
use super::error::{IvpError, Unfinished};
use super::happen::Next;
use super::monitor::EventMonitor;
use super::solution::{Reason, Solution};
use super::system::System;
use super::{EachOutput, Ivp, Output};
use crate::counted::Stats;
use crate::error::{SolveError, StepTrouble};
use crate::method::Method;
use crate::ode::Ode;
use crate::options::Options;
use crate::solver::Solver;
use crate::step::Step;

/// The largest number of steps if the user gives none.
const MOST_STEPS: usize = 10_000_000;
/// The largest amount of stored numbers if the user gives no number of steps: 4 GB.
const KEPT: usize = 1 << 29;

/// Records the outputs.
struct Recorder<'r, 'a> {
    solution: &'r mut Solution,
    output: &'r Output,
    /// index of the next output time
    next: usize,
    each: &'r mut Option<EachOutput<'a>>,
    stopped: bool,
    y: Vec<f64>,
}

/// Continues a solution from its end, in state `y`, to `t_end`.
pub(super) fn run(
    ivp: &mut Ivp<'_>,
    mut solution: Solution,
    y: Vec<f64>,
    t_end: f64,
) -> Result<Solution, Unfinished> {
    solution.reason = Reason::Unfinished;
    match advance(ivp, &mut solution, y, t_end) {
        Ok(reason) => {
            solution.reason = reason;
            Ok(solution)
        }
        Err(cause) => Err(Unfinished { cause, so_far: Box::new(solution) }),
    }
}

fn advance(
    ivp: &mut Ivp<'_>,
    solution: &mut Solution,
    mut y: Vec<f64>,
    t_end: f64,
) -> Result<Reason, IvpError> {
    let t0 = solution.t_end();
    if solution.dim() != ivp.dim() && solution.dim() != y.len() {
        return Err(IvpError::Count { name: "solution", expected: ivp.dim(), got: solution.dim() });
    }
    let method = ivp.find_method()?;
    let options = checked_options(ivp, method, &y, t0, t_end)?;
    check_times(&ivp.output, solution, t_end)?;
    keep_dense(ivp.dense, method, solution, y.len());
    let past = solution.stats;
    let left: Vec<_> = solution.events.iter().filter(|o| o.t == t0).cloned().collect();
    let changed_at_once = y != solution.end.1;
    solution.end = (t0, y.clone());

    let monitor = EventMonitor::new(&mut ivp.events, ivp.max_events, t0, &y, &left);
    let mut system = System::new(&mut ivp.problem, monitor);
    let next = match &ivp.output {
        Output::At(times) if !solution.is_empty() => {
            times.partition_point(|&t| before(t, t0, t_end)) + usize::from(times.contains(&t0))
        }
        _ => 0,
    };
    let mut out = Recorder {
        y: vec![0.0; y.len()],
        output: &ivp.output,
        next,
        each: &mut ivp.each_output,
        stopped: false,
        solution,
    };
    if out.solution.is_empty() || changed_at_once {
        out.start(t0, &y);
    }
    if start_events(&mut system, t0, &mut y, t_end)? {
        out.after_event(t0, &y);
    }
    let outcome = integrate(&mut system, &mut out, method, (t0, &y, t_end), options);
    let (stopped, solution) = (out.stopped, out.solution);
    solution.events.append(&mut system.monitor.log);
    solution.stats = sum(past, solution.stats);
    outcome?;
    if let Some(failure) = system.monitor.failure.take() {
        return Err(failure);
    }
    Ok(match system.monitor.ended_by {
        Some(event) => Reason::Event(event),
        None if system.own_stop => Reason::Problem,
        None if stopped => Reason::Stopped,
        None => Reason::End,
    })
}

/// Takes all steps, and records their output.
fn integrate(
    system: &mut System<'_, '_>,
    out: &mut Recorder<'_, '_>,
    method: &'static dyn Method,
    (t0, y, t_end): (f64, &[f64], f64),
    options: Options,
) -> Result<(), IvpError> {
    out.solution.stats = Stats::default();
    let over = system.monitor.ended_by.is_some() || system.monitor.failure.is_some();
    if over || out.stopped {
        return Ok(());
    }
    let mut solver = Solver::new(method, system, t0, y, t_end, options)?;
    let mut outcome = Ok(());
    while !solver.done() && !out.stopped && system.monitor.failure.is_none() {
        outcome = one_step(&mut solver, system, out);
        out.solution.stats = solver.stats();
        if outcome.is_err() {
            break;
        }
        out.solution.end.0 = solver.t();
        out.solution.end.1.copy_from_slice(solver.y());
    }
    outcome.map_err(|e| match e {
        IvpError::Solve(e) => system.monitor.storm(&e, t0).unwrap_or(e).into(),
        e => e,
    })
}

fn one_step(
    solver: &mut Solver,
    system: &mut System<'_, '_>,
    out: &mut Recorder<'_, '_>,
) -> Result<(), IvpError> {
    solver.step(system)?;
    let (from, to) = (solver.t_start(), solver.t());
    if from != to {
        out.step(solver, system)?;
    }
    if out.stopped {
        return Ok(());
    }
    system.changed = false;
    let finished = solver.finish(system);
    let before = out.y.len();
    if let Some(now) = system.components().dim().filter(|now| *now != before) {
        return Err(IvpError::Resized { t: to, before, now });
    }
    if system.changed {
        out.after_event(to, solver.y());
    }
    Ok(finished?)
}

impl Recorder<'_, '_> {
    fn put(&mut self, t: f64, y: &[f64]) {
        if self.stopped {
            return;
        }
        self.solution.push(t, y);
        if let Some(each) = self.each {
            self.stopped = each(t, y) == ControlFlow::Break(());
        }
    }

    fn start(&mut self, t: f64, y: &[f64]) {
        match self.output {
            Output::Refine(_) => self.put(t, y),
            Output::At(times) => {
                while times.get(self.next) == Some(&t) {
                    self.put(t, y);
                    self.next += 1;
                }
            }
        }
    }

    /// Records the state after an event has changed it.
    fn after_event(&mut self, t: f64, y: &[f64]) {
        self.solution.end = (t, y.to_vec());
        if matches!(self.output, Output::Refine(_)) {
            self.put(t, y);
        }
    }

    /// Records all output of the last step.
    fn step(&mut self, solver: &mut Solver, system: &mut System<'_, '_>) -> Result<(), SolveError> {
        let (from, to) = (solver.t_start(), solver.t());
        let trouble =
            |failure| SolveError::StepTooSmall { t: from, h: to - from, trouble: StepTrouble::Rhs(failure) };
        if let Some(pieces) = &mut self.solution.pieces {
            solver.prepare_dense(system).map_err(trouble)?;
            if let Some(dense) = solver.dense() {
                pieces.push(from, to, &dense);
            }
        }
        let mut y = std::mem::take(&mut self.y);
        match self.output {
            Output::Refine(k) => {
                for j in 1..*k {
                    let t = from + (to - from) * j as f64 / *k as f64;
                    solver.state_at(system, t, &mut y).map_err(trouble)?;
                    self.put(t, &y);
                }
                self.put(to, solver.y());
            }
            Output::At(times) => {
                while let Some(&t) = times.get(self.next).filter(|t| !before(to, **t, **t + (to - from))) {
                    solver.state_at(system, t, &mut y).map_err(trouble)?;
                    self.put(t, &y);
                    self.next += 1;
                }
            }
        }
        self.y = y;
        Ok(())
    }
}

/// Returns whether a comes before b when going towards an end beyond b.
fn before(a: f64, b: f64, end: f64) -> bool {
    if end < b { a > b } else { a < b }
}

/// Handles events that happen at the very start. Returns whether they changed the state.
fn start_events(system: &mut System<'_, '_>, t0: f64, y: &mut [f64], t_end: f64) -> Result<bool, SolveError> {
    if !system.monitor.events.iter().any(|e| e.pending) {
        return Ok(false);
    }
    let mut f = vec![0.0; y.len()];
    system.rhs(t0, y, &mut f).map_err(|e| SolveError::BadStart { t: t0, trouble: StepTrouble::Rhs(e) })?;
    let start = y.to_vec();
    let step = Step { t1: t_end, ..Step::still(t0, &start, &f) };
    let next = system.monitor.start_with(&step, y);
    Ok(next != Next::Continue && y != start)
}

/// Checks the options and converts them to those of the driver.
fn checked_options(
    ivp: &Ivp<'_>,
    method: &dyn Method,
    y: &[f64],
    t0: f64,
    t_end: f64,
) -> Result<Options, IvpError> {
    let n = ivp.dim();
    if y.len() != n {
        return Err(SolveError::BadLength { expected: n, got: y.len() }.into());
    }
    let quadratures = ivp.problem.quadratures.unwrap_or_else(|| ivp.problem.ode.components().quadratures());
    let m = n.saturating_sub(quadratures);
    if let Some(s) = ivp.problem.sparsity.as_ref().filter(|s| s.n() != m) {
        return Err(IvpError::Count { name: "sparsity", expected: m, got: s.n() });
    }
    let mut options = ivp.options.clone();
    options.control_dense_error = ivp.dense || ivp.output != Output::Refine(1);
    options.keep_dense = ivp.dense;
    options.max_steps = ivp.max_steps.unwrap_or_else(|| most_steps(ivp, method));
    if let Some(each) = &ivp.atol_each {
        if each.len() != m && each.len() != n {
            return Err(IvpError::Count { name: "atol_each", expected: m, got: each.len() });
        }
        if let Some(&value) = each.iter().find(|a| !(**a > 0.0 && a.is_finite())) {
            return Err(SolveError::BadOption { name: "atol_each", value, allowed: "greater than 0" }.into());
        }
        (options.atol, options.scale) = (1.0, each.clone());
    }
    options.check(method, t0, t_end)?;
    for bounds in ivp.events.iter().filter_map(|e| e.bounds) {
        for (name, value) in [("bounded: rate", bounds.0), ("bounded: curvature", bounds.1)] {
            if !(value >= 0.0) {
                return Err(SolveError::BadOption { name, value, allowed: "0 or greater" }.into());
            }
        }
    }
    Ok(options)
}

/// Returns the largest number of steps if the user gives none: such that no more than [`KEPT`] numbers are stored.
fn most_steps(ivp: &Ivp<'_>, method: &dyn Method) -> usize {
    let n = ivp.dim();
    let outputs = match ivp.output {
        Output::Refine(k) => k.saturating_mul(n + 1),
        Output::At(_) => 0,
    };
    // a polynomial of the method's degree, and its position
    let dense = if ivp.dense { (method.order() + 1).saturating_mul(n) + 4 } else { 0 };
    (KEPT / outputs.saturating_add(dense).max(1)).clamp(1000, MOST_STEPS)
}

/// Checks that output times lie between start and end, in the order of integration, and that a continued solution keeps
/// its direction.
fn check_times(output: &Output, solution: &Solution, t_end: f64) -> Result<(), IvpError> {
    let (start, now) = (solution.t_start(), solution.t_end());
    if (t_end - now) * (now - start) < 0.0 {
        return Err(IvpError::OutsideSpan { name: "t_end", t: now, from: start, to: t_end });
    }
    let Output::At(times) = output else { return Ok(()) };
    let (low, high) = (start.min(t_end), start.max(t_end));
    if let Some(&t) = times.iter().find(|t| !(low..=high).contains(t)) {
        return Err(IvpError::OutsideSpan { name: "output_at", t, from: start, to: t_end });
    }
    match times.windows(2).find(|w| before(w[1], w[0], w[0] + (t_end - start))) {
        Some(w) => Err(IvpError::OutputOrder { t: w[1], before: w[0] }),
        None => Ok(()),
    }
}

/// Prepares the storage of the trajectory within steps. A solution begun without it stays without it.
fn keep_dense(keep: bool, method: &dyn Method, solution: &mut Solution, n: usize) {
    // no method's polynomial has a higher degree: it is 3 for order 2 and 7 for order 8
    let degree = method.order() + 1;
    let fresh = solution.t_start() == solution.t_end();
    match &mut solution.pieces {
        Some(pieces) if keep => pieces.set_degree(degree),
        None if keep && fresh => solution.pieces = Some(Pieces::new(n, degree)),
        _ => solution.pieces = None,
    }
}

fn sum(a: Stats, b: Stats) -> Stats {
    Stats {
        steps: a.steps + b.steps,
        rejected: a.rejected + b.rejected,
        evaluations: a.evaluations + b.evaluations,
        differences: a.differences + b.differences,
        jacobians: a.jacobians + b.jacobians,
        factorisations: a.factorisations + b.factorisations,
        diverged: a.diverged + b.diverged,
        events: a.events + b.events,
        landings: a.landings + b.landings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods;

    /// If the user gives no number of steps, memory limits it.
    #[test]
    fn steps_that_can_be_kept() {
        let dop853 = methods::find("dop853").ok();
        let most = |n: usize, set: fn(Ivp<'_>) -> Ivp<'_>| {
            dop853.map(|method| most_steps(&set(Ivp::new(|_, _, _| {}, 0.0, vec![0.0; n])), method))
        };
        assert_eq!(most(1, |ivp| ivp), Some(MOST_STEPS));
        // nine numbers for each component in a step, one in an output, and the times
        assert_eq!(most(10_000, |ivp| ivp), Some(KEPT / 100_005));
        assert_eq!(most(10_000, |ivp| ivp.dense(false)), Some(KEPT / 10_001));
        assert_eq!(most(10_000, |ivp| ivp.dense(false).output_at([])), Some(MOST_STEPS));
    }
}
