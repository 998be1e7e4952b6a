//! Motions that are not stiff: tolerances, between steps, steps cut short, events, memory.

use carom_ode::problems;

use super::BOTH;
use crate::common::{Bouncer, Oscillator, Stiff, solve, start, tolerance};
use carom_testkit::allocations;

/// Not stiff, either way in time, quadratures included: with each step's error held to the tolerance, steps are as
/// rtol^(1/6) at order 5 and the errors of 1/h of them add up: rtol^(5/6), over nine decades.
#[test]
fn error_follows_tolerance() {
    for method in BOTH {
        for p in 3..12 {
            let rtol = 10f64.powi(-p);
            for t_end in [10.0, -10.0] {
                let (y, _) = solve(
                    method,
                    &mut Oscillator::default(),
                    &Oscillator::exact(0.0),
                    t_end,
                    tolerance(rtol),
                );
                let error = Oscillator::wrong(&y[..2], t_end);
                let quadrature = (y[2] - Oscillator::exact(t_end)[2]).abs();
                let follows = rtol.powf(5.0 / 6.0);
                assert!(error < 2.0 * follows, "{method}: {error:e} at {rtol:e}");
                // at twice the frequency, and outside of the error norm
                assert!(quadrature < 12.0 * follows, "{method}: {quadrature:e} at {rtol:e}");
            }
        }
    }
}

/// The motion within steps is as good as at their ends.
#[test]
fn dense_output() {
    for method in BOTH {
        let mut ode = Oscillator::default();
        let y0 = Oscillator::exact(0.0);
        let mut solver = start(method, &mut ode, &y0, 10.0, tolerance(1e-8));
        let (mut within, mut ends) = (0.0f64, 0.0f64);
        while !solver.done() {
            solver.step(&mut ode).unwrap();
            solver.prepare_dense(&mut ode).unwrap();
            let (t0, t1) = (solver.t_start(), solver.t());
            let dense = solver.dense().unwrap();
            for theta in [0.0, 0.25, 0.5, 0.75, 1.0] {
                let t = t0 + theta * (t1 - t0);
                let mut y = [0.0; 3];
                dense.at(t, 0..3, &mut y);
                within = within.max(Oscillator::wrong(&y, t));
                dense.at(t, 1..3, &mut y[..2]);
                within = within
                    .max((y[0] - Oscillator::exact(t)[1]).abs())
                    .max((y[1] - Oscillator::exact(t)[2]).abs());
            }
            ends = ends.max(Oscillator::wrong(solver.y(), t1));
        }
        assert!(
            within < 2.0 * ends && ends < 3e-6,
            "{method}: {within:e} within steps, {ends:e} at their ends"
        );
    }
}

/// Steps that an event or the problem cuts short cost little and spoil nothing: the past is kept.
#[test]
fn short_steps_from_outside() {
    for method in BOTH {
        let t_end = 60.0;
        let (y, plain) =
            solve(method, &mut Oscillator::default(), &Oscillator::exact(0.0), t_end, tolerance(1e-8));
        let undisturbed = Oscillator::wrong(&y, t_end);
        let mut marked = Oscillator::marked();
        let (y, stats) = solve(method, &mut marked, &Oscillator::exact(0.0), t_end, tolerance(1e-8));
        let marks = marked.marks.unwrap();
        assert_eq!(marks.len(), 19, "{method}: {marks:?}");
        for (i, t) in marks.iter().enumerate() {
            let want = (i as f64 + 0.5) * std::f64::consts::PI;
            assert!((t - want).abs() < 2.0 * undisturbed, "{method}: mark {i} at {t}");
        }
        assert!(
            Oscillator::wrong(&y, t_end) < 3.0 * undisturbed,
            "{method}: {:e}, {undisturbed:e}",
            Oscillator::wrong(&y, t_end)
        );
        let more = stats.evaluations as f64 / plain.evaluations as f64;
        assert!(more < 1.3, "{method}: {more} times the evaluations for marks");
        for hurdles in [2, 3, 7] {
            let mut ode = Oscillator::with_hurdles(hurdles);
            let (y, stats) = solve(method, &mut ode, &Oscillator::exact(0.0), t_end, tolerance(1e-8));
            let error = Oscillator::wrong(&y, t_end);
            assert!(error < 5.0 * undisturbed, "{method}: {error:e}, {undisturbed:e} ({hurdles})");
            // half of the steps are hurdles
            let more = stats.evaluations as f64 / plain.evaluations as f64;
            assert!(more < 5.0, "{method}: {more} times the evaluations ({hurdles})");
        }
    }
}

#[test]
fn steps_land_on_events_and_start_anew() {
    for method in BOTH {
        // parabolas are followed exactly
        let stats = Bouncer::check(method, 1e-12);
        assert!(stats.evaluations < 1500, "{method}: {stats:?}");
    }
}

#[test]
fn steps_allocate_nothing() {
    let orego = problems::find("orego").unwrap();
    for method in BOTH {
        for exact in [true, false] {
            let mut ode = Stiff::new(orego, exact, 1.0);
            let mut solver = start(method, &mut ode, &orego.start(), orego.t_end, tolerance(1e-6));
            let before = allocations();
            let mut y = [0.0; 3];
            while !solver.done() {
                solver.step(&mut ode).unwrap();
                solver.prepare_dense(&mut ode).unwrap();
                solver.dense().unwrap().at(0.5 * (solver.t_start() + solver.t()), 0..3, &mut y);
            }
            let stats = solver.stats();
            assert!(stats.jacobians > 10 && stats.rejected > 10, "{stats:?}");
            assert_eq!(allocations(), before);
        }
    }
}
