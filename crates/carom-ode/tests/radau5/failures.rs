//! Bad right-hand sides end in an error that says why, and soon.

use carom_ode::{Derivatives, Jacobian, Ode, RhsFailure, Site, SolveError, StepTrouble};

use super::{finish, solver};
use crate::common::tolerance;

/// A right-hand side of one component, and a Jacobian if there is one; refuses to be asked for ever.
struct Bad<F> {
    f: F,
    jacobian: Option<f64>,
    left: usize,
}

impl<F: FnMut(f64, f64) -> Result<f64, RhsFailure>> Ode for Bad<F> {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        self.left = self.left.checked_sub(1).expect("within a bounded time");
        dy[0] = (self.f)(t, y[0])?;
        Ok(())
    }
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self
    }
}

impl<F: FnMut(f64, f64) -> Result<f64, RhsFailure>> Derivatives for Bad<F> {
    fn jacobian(&mut self, _: f64, _: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        if let Some(v) = self.jacobian {
            j.set(0, 0, v);
        }
        Ok(self.jacobian.is_some())
    }
}

/// From y = 1 at `t0` for two units of time: how it ends.
fn ends(
    t0: f64,
    jacobian: Option<f64>,
    f: impl FnMut(f64, f64) -> Result<f64, RhsFailure>,
) -> Result<f64, SolveError> {
    let mut ode = Bad { f, jacobian, left: 200_000 };
    let mut options = tolerance(1e-8);
    options.max_steps = 5000;
    let mut solver = solver(&mut ode, t0, &[1.0], t0 + 2.0, options);
    finish(&mut solver, &mut ode).map(|()| solver.y()[0])
}

fn too_small(e: Result<f64, SolveError>) -> (f64, StepTrouble) {
    match e {
        Err(SolveError::StepTooSmall { t, trouble, .. }) => (t, trouble),
        other => panic!("{other:?}"),
    }
}

#[test]
fn values_that_are_not_finite() {
    for bad in [f64::NAN, f64::INFINITY] {
        let (t, trouble) = too_small(ends(0.0, None, |t, _| Ok(if t > 0.5 { bad } else { 1.0 })));
        assert!((t - 0.5).abs() < 1e-9, "{t}");
        assert_eq!(trouble, StepTrouble::NotFinite { component: 0 });
        // from the very start
        let (t, _) = too_small(ends(0.0, None, |t, _| Ok(if t > 0.0 { bad } else { 1.0 })));
        assert_eq!(t, 0.0);
    }
    let why = RhsFailure { site: Site::Component(3), reason: "out of oil" };
    let (t, trouble) = too_small(ends(0.0, None, |t, _| if t > 0.5 { Err(why) } else { Ok(1.0) }));
    assert!((t - 0.5).abs() < 1e-9 && trouble == StepTrouble::Rhs(why), "{t} {trouble}");
}

/// Values out of bounds only beyond the solution do not stop it: y' = −√y.
#[test]
fn a_border_nearby_is_no_failure() {
    let why = RhsFailure { site: Site::Component(0), reason: "root of a negative number" };
    let end = ends(0.0, None, |_, y| if y < 0.0 { Err(why) } else { Ok(-0.9 * y.sqrt()) }).unwrap();
    assert!((end - 0.01).abs() < 1e-8, "{end}");
}

#[test]
fn blow_up_in_finite_time() {
    for t0 in [0.0, -1.0, 1e3] {
        let (t, _) = too_small(ends(t0, None, |_, y| Ok(y * y)));
        assert!((t - t0 - 1.0).abs() < 1e-6, "{t}");
    }
}

/// A jump of the rates in time is stepped over; where no solution goes on there is an error.
#[test]
fn discontinuities() {
    let end = ends(0.0, None, |t, _| Ok(if t < 1.0 { 1.0 } else { -5.0 })).unwrap();
    assert!((end - (1.0 + 1.0 - 5.0)).abs() < 1e-6, "{end}");
    // runs into y = 1.5 from both sides
    for t0 in [0.0, 10.0] {
        let e = ends(t0, None, |_, y| Ok(if y < 1.5 { 1.0 } else { -1.0 }));
        let Err(SolveError::Jumps { t, component: 0, .. }) = e else {
            panic!("{e:?}");
        };
        assert!((t - t0 - 0.5).abs() < 1e-3, "{t}");
    }
}

/// Matrices that cannot be factored.
#[test]
fn singular_matrices() {
    for t0 in [0.0, 1.0] {
        for j in [f64::NAN, f64::INFINITY] {
            let (t, trouble) = too_small(ends(t0, Some(j), |_, y| Ok(-y)));
            assert_eq!(t, t0);
            assert!(matches!(trouble, StepTrouble::Rhs(why) if why.reason.contains("Jacobian")), "{trouble}");
        }
    }
    // singular for one step only: γ/h = λ
    let lambda = 3.6378342527444957;
    let mut ode = Bad { f: |_, y| Ok(lambda * y), jacobian: Some(lambda), left: 100_000 };
    let mut options = tolerance(1e-8);
    options.first_step = Some(1.0);
    let mut s = solver(&mut ode, 0.0, &[1.0], 2.0, options);
    finish(&mut s, &mut ode).unwrap();
    assert!((s.y()[0] / (2.0 * lambda).exp() - 1.0).abs() < 1e-6);
}

/// A Jacobian that is wrong costs steps, not accuracy.
#[test]
fn a_wrong_jacobian() {
    let end = ends(0.0, Some(3.0), |_, y| Ok(-y)).unwrap();
    assert!((end - (-2f64).exp()).abs() < 1e-7, "{end}");
}
