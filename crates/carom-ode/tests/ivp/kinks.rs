//! Rates with kinks and jumps at known times: steps end there, and every method keeps its order.

use carom_ode::{Ivp, Ode, Options, RhsFailure, Solver, Split, Steps, methods};
use carom_testkit::near;

use crate::common::adaptive;

/// The times of the kinks.
const TIMES: [f64; 5] = [0.0, 0.7, 1.3, 2.0, 3.5];
/// What a table has there: between them straight lines.
const VALUES: [f64; 5] = [1.0, 3.0, -2.0, 0.5, 0.5];

fn table(t: f64) -> f64 {
    let i = TIMES.partition_point(|&x| x <= t).clamp(1, 4);
    let (t0, t1) = (TIMES[i - 1], TIMES[i]);
    VALUES[i - 1] + (VALUES[i] - VALUES[i - 1]) * (t - t0) / (t1 - t0)
}

/// y' = table(t) cos t, and its slope, which jumps, as a quadrature; forward and backward. Exact: piece by piece,
/// ∫ (a + b t) cos t = (a + b t) sin t + b cos t.
fn exact(from: f64, to: f64) -> f64 {
    let mut sum = 0.0;
    for i in 1..5 {
        let (t0, t1) = (TIMES[i - 1], TIMES[i]);
        let b = (VALUES[i] - VALUES[i - 1]) / (t1 - t0);
        let a = VALUES[i - 1] - b * t0;
        let whole = |t: f64| (a + b * t) * t.sin() + b * t.cos();
        let (lo, hi) = (t0.max(from), t1.min(to));
        if lo < hi {
            sum += whole(hi) - whole(lo);
        }
    }
    sum
}

fn slope(t: f64) -> f64 {
    let i = TIMES.partition_point(|&x| x <= t).clamp(1, 4);
    (VALUES[i] - VALUES[i - 1]) / (TIMES[i] - TIMES[i - 1])
}

fn rates(t: f64, y: &[f64], dy: &mut [f64]) {
    // a decay that implicit methods can bite on, and the state under test
    dy[0] = -y[0];
    dy[1] = table(t) * t.cos();
    // the integral of a rate that jumps, outside the error norm
    dy[2] = slope(t);
}

/// The error is at the tolerance, and no steps are refused for a kink.
#[test]
fn every_method_keeps_its_order() {
    for method in adaptive() {
        for tol in [1e-6, 1e-9, 1e-12] {
            let solve = |from: f64, to: f64| {
                Ivp::new(rates, from, [1.0, 0.0, 0.0])
                    .quadratures(1)
                    .kinks(TIMES)
                    .method(method)
                    .rtol(tol)
                    .atol(tol)
                    .dense(false)
                    .solve_to(to)
                    .unwrap()
            };
            let what = format!("{method} at {tol:e}");
            let s = solve(0.0, 3.5);
            near(&what, s.y_end()[1], exact(0.0, 3.5), 30.0 * tol + 1e-14);
            near(&what, s.y_end()[2], VALUES[4] - VALUES[0], 1e-13);
            let back = solve(3.2, 0.1);
            near(&what, back.y_end()[1], -exact(0.1, 3.2), 30.0 * tol + 1e-14);
            near(&what, back.y_end()[2], table(0.1) - table(3.2), 1e-13);
            // a method that starts anew may be refused a step or two of its first ones
            assert!(s.stats.rejected <= 2 * TIMES.len(), "{what}: {} rejected", s.stats.rejected);
            for kink in TIMES {
                assert!(s.t.contains(&kink), "{what}: no step ends at {kink}");
            }
        }
    }
}

/// Without being told, the eighth order is lost: a dozen steps are refused at every kink.
#[test]
fn untold_kinks_cost() {
    let solve = |kinks: &[f64]| {
        Ivp::new(rates, 0.0, [1.0, 0.0, 0.0])
            .quadratures(1)
            .kinks(kinks)
            .method("dop853")
            .rtol(1e-12)
            .atol(1e-12)
            .dense(false)
            .solve_to(3.5)
            .unwrap()
    };
    let (told, untold) = (solve(&TIMES), solve(&[]));
    let (told, untold) = (told.stats, untold.stats);
    assert!(told.rejected <= 2 && untold.rejected > 40, "{told:?} {untold:?}");
    assert!(5 * told.evaluations < untold.evaluations, "{told:?} {untold:?}");
}

/// A method of fixed steps ends one at a kink too, and keeps its second order.
#[test]
fn fixed_steps_land() {
    struct Kick(f64);
    impl Ode for Kick {
        fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
            dy.copy_from_slice(&[y[1], self.0]);
            Ok(())
        }
        fn steps(&mut self) -> &mut dyn Steps {
            self
        }
        fn split(&mut self) -> &mut dyn Split {
            self
        }
    }

    impl Steps for Kick {
        fn smooth_until(&mut self, t: f64, end: f64) -> f64 {
            // a force that jumps at 1/3
            let kink = 1.0 / 3.0;
            self.0 = if t < kink { 0.0 } else { 2.0 };
            if t < kink { kink.min(end) } else { end }
        }
    }

    impl Split for Kick {
        fn is_velocity(&self, i: usize) -> Option<bool> {
            Some(i == 1)
        }
        fn drift(&mut self, h: f64, y: &mut [f64]) {
            y[0] += h * y[1];
        }
    }
    for method in methods::ALL {
        let mut ode = Kick(0.0);
        let options = Options { first_step: Some(0.01), ..Options::default() };
        let mut solver = Solver::new(*method, &mut ode, 0.0, &[0.0, 0.0], 1.0, options).unwrap();
        while !solver.done() {
            solver.step(&mut ode).unwrap();
            solver.finish(&mut ode).unwrap();
        }
        // x = (t − 1/3)²: exact for every method, if the kick comes where it should
        near(method.name(), solver.y()[0], 4.0 / 9.0, 1e-7);
        near(method.name(), solver.y()[1], 4.0 / 3.0, 1e-13);
    }
}
