//! An integration that is saved and restored goes on as if nothing had happened, to the bit.

use carom_ode::problems::{self, ProblemOde};
use carom_ode::snapshot::{Reader, SnapshotError, Writer};
use carom_ode::{Ode, Options, Solver, methods};

/// The times, states and rates of every step, as bits.
type Steps = Vec<Vec<u64>>;

fn bits(solver: &Solver) -> Vec<u64> {
    let numbers =
        [solver.t()].into_iter().chain(solver.y().iter().copied()).chain(solver.dy().iter().copied());
    numbers.map(f64::to_bits).collect()
}

/// Goes on to the end; keeps what was saved after every `every`-th step.
fn go_on(solver: &mut Solver, ode: &mut dyn Ode, every: usize) -> (Steps, Vec<(usize, Vec<u8>)>) {
    let (mut steps, mut saved) = (Vec::new(), Vec::new());
    while !solver.done() {
        solver.step(ode).unwrap();
        solver.finish(ode).unwrap();
        steps.push(bits(solver));
        if steps.len() % every == 0 {
            let mut writer = Writer::default();
            solver.save(&mut writer);
            saved.push((steps.len(), writer.into_bytes()));
        }
    }
    (steps, saved)
}

/// Every method, on problems that are stiff and that are not, with dense, sparse and differenced Jacobians.
#[test]
fn restored_integrations_take_the_same_steps() {
    let names = ["arenstorf", "vdpol", "brusselator", "pleiades", "hires", "orego"];
    let known = problems::ALL.iter().filter(|p| names.contains(&p.name));
    let mut restored = 0;
    for (problem, method) in known.flat_map(|p| methods::ALL.iter().map(move |m| (p, *m))) {
        if problem.stiff && !method.suits_stiff() || method.needs_split() {
            continue;
        }
        for exact in [true, false] {
            let mut ode = ProblemOde { problem, exact };
            let options = Options { rtol: 1e-6, atol: 1e-6, ..Options::default() };
            let t_end = problem.t0 + 0.2 * (problem.t_end - problem.t0);
            let mut start =
                || Solver::new(method, &mut ode, problem.t0, &problem.start(), t_end, options.clone());
            let (mut solver, mut fresh) = (start().unwrap(), start().unwrap());
            let (steps, saved) = go_on(&mut solver, &mut ode, 9);
            for (step, bytes) in saved {
                let mut reader = Reader::new(&bytes);
                fresh.restore(&mut ode, &mut reader).unwrap();
                reader.end().unwrap();
                let (rest, _) = go_on(&mut fresh, &mut ode, usize::MAX);
                assert!(rest == steps[step..], "{} by {}, from step {step} on", problem.name, method.name());
                assert_eq!(fresh.stats(), solver.stats(), "{} by {}", problem.name, method.name());
                restored += 1;
            }
        }
    }
    assert!(restored > 100, "{restored}");
}

#[test]
fn what_is_no_snapshot_of_the_problem_is_refused() {
    let [small, large] =
        ["arenstorf", "pleiades"].map(|name| problems::ALL.iter().find(|p| p.name == name).unwrap());
    let start = |problem| {
        let mut ode = ProblemOde { problem, exact: true };
        let method = methods::find("dop853").unwrap();
        Solver::new(method, &mut ode, 0.0, &problem.start(), problem.t_end, Options::default()).unwrap()
    };
    let mut writer = Writer::default();
    start(small).save(&mut writer);
    let (mut other, mut ode) = (start(large), ProblemOde { problem: large, exact: true });
    let refused = other.restore(&mut ode, &mut Reader::new(writer.bytes()));
    assert_eq!(refused, Err(SnapshotError::OtherModel));
    let cut = &writer.bytes()[..writer.bytes().len() / 2];
    let mut ode = ProblemOde { problem: small, exact: true };
    assert_eq!(start(small).restore(&mut ode, &mut Reader::new(cut)), Err(SnapshotError::TooShort));
}
