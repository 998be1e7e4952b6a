//! `ode113` on known problems: its error against the tolerance, its cost, its events and its dense output.

mod events;
mod smooth;

use crate::common::{Plain, tolerance};
use carom_ode::{Ode, Options, RhsFailure, Site, SolveError, Solver, Stats, StepTrouble, methods, problems};
use carom_testkit::allocations;

fn start(ode: &mut dyn Ode, y0: &[f64], t0: f64, t_end: f64, options: Options) -> Solver {
    Solver::new(methods::find("ode113").unwrap(), ode, t0, y0, t_end, options).unwrap()
}

fn solve(ode: &mut dyn Ode, y0: &[f64], t0: f64, t_end: f64, options: Options) -> (Vec<f64>, Stats) {
    let mut solver = start(ode, y0, t0, t_end, options);
    while !solver.done() {
        solver.step(ode).unwrap();
    }
    solver.finish(ode).unwrap();
    (solver.y().to_vec(), solver.stats())
}

/// The largest error, relative where values are large.
fn error(y: &[f64], want: &[f64]) -> f64 {
    y.iter().zip(want).map(|(y, w)| (y - w).abs() / (1.0 + w.abs())).fold(0.0, f64::max)
}

#[test]
fn a_steady_step_allocates_nothing() {
    let p = problems::find("pleiades").unwrap();
    let mut ode = Plain(p.rhs);
    let mut solver = start(&mut ode, &p.start(), p.t0, p.t_end, tolerance(1e-8));
    let (mut before, mut y) = (0, [0.0; 28]);
    for step in 0..400 {
        if step == 2 {
            before = allocations();
        }
        solver.step(&mut ode).unwrap();
        solver.prepare_dense(&mut ode).unwrap();
        let (a, b) = (solver.t_start(), solver.t());
        solver.dense().unwrap().at(0.5 * (a + b), 0..28, &mut y);
    }
    assert_eq!(allocations(), before);
}

fn fails(ode: &mut dyn Ode, y0: &[f64]) -> SolveError {
    let mut solver = start(ode, y0, 0.0, 2.0, Options::default());
    loop {
        match solver.step(ode) {
            Ok(()) if solver.done() => panic!("no failure"),
            Ok(()) => {}
            Err(e) => return e,
        }
    }
}

/// A right-hand side that fails from t = 0.5 on.
struct TurnsBad;

impl Ode for TurnsBad {
    fn rhs(&mut self, t: f64, _: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy[0] = 1.0;
        if t > 0.5 { Err(RhsFailure { site: Site::Component(7), reason: "out of oil" }) } else { Ok(()) }
    }
}

#[test]
fn failures_say_when_and_why() {
    let mut blow_up = Plain(|_: f64, y: &[f64], dy: &mut [f64]| dy[0] = y[0] * y[0]);
    match fails(&mut blow_up, &[1.0]) {
        SolveError::StepTooSmall { t, .. } => assert!((t - 1.0).abs() < 1e-6, "{t}"),
        e => panic!("{e}"),
    }
    let nan = |t: f64, _: &[f64], dy: &mut [f64]| {
        dy.copy_from_slice(&[1.0, if t > 0.5 { f64::NAN } else { 0.0 }]);
    };
    match fails(&mut Plain(nan), &[0.0, 0.0]) {
        SolveError::StepTooSmall { t, trouble: StepTrouble::NotFinite { component: 1 }, .. } => {
            assert!((t - 0.5).abs() < 1e-9, "{t}");
        }
        e => panic!("{e}"),
    }
    match fails(&mut TurnsBad, &[0.0]) {
        SolveError::StepTooSmall { t, trouble: StepTrouble::Rhs(f), .. } => {
            assert!((t - 0.5).abs() < 1e-9 && f.site == Site::Component(7), "{t}");
        }
        e => panic!("{e}"),
    }
}

/// A jump in the rates that no event tells of is stepped over, with an error of the tolerance's size.
#[test]
fn a_jump_is_found_and_passed() {
    let jump = |t: f64, _: &[f64], dy: &mut [f64]| dy[0] = if t < 1.0 / 3.0 { 0.0 } else { 100.0 };
    for rtol in [1e-4, 1e-7, 1e-10] {
        let (y, stats) = solve(&mut Plain(jump), &[1.0], 0.0, 1.0, tolerance(rtol));
        let want = 1.0 + 200.0 / 3.0;
        assert!((y[0] / want - 1.0).abs() < 10.0 * rtol, "{y:?} at {rtol:e}");
        assert!(stats.evaluations < 400, "{stats:?}");
    }
}
