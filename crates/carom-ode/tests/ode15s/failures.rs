//! Where things go wrong.

use carom_ode::{Derivatives, Jacobian, Ode, Options, RhsFailure, Site, SolveError, Stats, StepTrouble};

use super::BOTH;
use crate::common::{solve, start, tolerance};

/// A right-hand side by what is wrong with it.
struct Bad(fn(f64, f64) -> Result<f64, RhsFailure>);

impl Ode for Bad {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy[0] = (self.0)(t, y[0])?;
        Ok(())
    }
}

fn fails(method: &str, f: fn(f64, f64) -> Result<f64, RhsFailure>) -> (SolveError, Stats) {
    let mut ode = Bad(f);
    let o = Options { max_steps: 10_000, ..tolerance(1e-8) };
    let mut solver = start(method, &mut ode, &[1.0], 2.0, o);
    loop {
        match solver.step(&mut ode) {
            Ok(()) if solver.done() => panic!("no failure"),
            Ok(()) => {}
            Err(e) => return (e, solver.stats()),
        }
    }
}

#[test]
fn failures_say_when_and_why() {
    const WHY: RhsFailure = RhsFailure { site: Site::Component(7), reason: "out of oil" };
    for method in BOTH {
        for f in [
            |t: f64, _: f64| Ok(if t > 0.5 { f64::NAN } else { 0.0 }),
            |t: f64, _: f64| Ok(if t > 0.5 { f64::INFINITY } else { 0.0 }),
            |t: f64, _: f64| if t > 0.5 { Err(WHY) } else { Ok(0.0) },
        ] {
            match fails(method, f) {
                (SolveError::StepTooSmall { t, trouble, .. }, stats) => {
                    assert!((t - 0.5).abs() < 1e-9, "{method}: {t}");
                    let named = matches!(trouble, StepTrouble::NotFinite { component: 0 });
                    assert!(named || trouble == StepTrouble::Rhs(WHY), "{method}: {trouble}");
                    assert!(stats.evaluations < 1000, "{method}: {stats:?}");
                }
                (e, _) => panic!("{method}: {e}"),
            }
        }
        match fails(method, |_, y| Ok(y * y)) {
            (SolveError::StepTooSmall { t, .. }, stats) => {
                assert!((t - 1.0).abs() < 1e-6, "{method}: {t}");
                assert!(stats.evaluations < 20_000, "{method}: {stats:?}");
            }
            (e, _) => panic!("{method}: {e}"),
        }
        // pushed to zero from both sides: there is no solution beyond
        match fails(method, |_, y| Ok(if y > 0.0 { -1.0 } else { 1.0 })) {
            (SolveError::Jumps { t, component: 0, .. }, stats) => {
                assert!((0.9..1.1).contains(&t), "{method}: {t}");
                assert!(stats.evaluations < 100_000, "{method}: {stats:?}");
            }
            (e, _) => panic!("{method}: {e}"),
        }
    }
}

/// Jumps of the rates that do not stop the motion are stepped over to the tolerance.
#[test]
fn jumps_of_the_rates() {
    for method in BOTH {
        let mut ode = Bad(|t, y| Ok(if t % 0.2 < 0.1 { 2.0 - y } else { -y }));
        let (y, stats) = solve(method, &mut ode, &[1.0], 2.0, tolerance(1e-8));
        // ten times towards 2, then towards 0
        let fade = (-0.1f64).exp();
        let want = (0..10).fold(1.0, |y: f64, _| (2.0 + (y - 2.0) * fade) * fade);
        assert!((y[0] - want).abs() < 1e-6, "{method}: {} {want}", y[0]);
        assert!(stats.evaluations < 20_000, "{method}: {stats:?}");
    }
}

/// y' = λ y with a λ that makes the matrix of the first step singular.
struct Singular(f64);

impl Ode for Singular {
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy[0] = self.0 * y[0];
        Ok(())
    }
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self
    }
}

impl Derivatives for Singular {
    fn jacobian(&mut self, _: f64, _: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        j.set(0, 0, self.0);
        Ok(true)
    }
}

#[test]
fn a_singular_matrix_shortens_the_step() {
    for (method, alpha) in [("ode15s", (1.0 + 1.0 / 9.0) * 1.5), ("ode15s-bdf", 1.5)] {
        let o = Options { first_step: Some(0.125), ..tolerance(1e-6) };
        let lambda = alpha / 0.125;
        let (y, stats) = solve(method, &mut Singular(lambda), &[1.0], 1.0, o);
        assert!(stats.diverged >= 1, "{method}: {stats:?}");
        assert!((y[0] / lambda.exp() - 1.0).abs() < 1e-4, "{method}: {}", y[0]);
    }
}
