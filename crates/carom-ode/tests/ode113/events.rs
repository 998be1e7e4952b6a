//! Between steps, and steps that end on events.

use super::{error, solve, start};
use crate::common::{Bouncer, Oscillator, tolerance};

/// Between steps the error is that at the steps, quadratures included.
#[test]
fn dense_output_is_as_good_as_the_steps() {
    for p in 3..13 {
        let rtol = 10f64.powi(-p);
        let mut ode = Oscillator::default();
        let mut solver = start(&mut ode, &Oscillator::exact(0.0), 0.0, 10.0, tolerance(rtol));
        // of the motion and of the quadrature
        let (mut at, mut between) = ([0.0f64; 2], [0.0f64; 2]);
        while !solver.done() {
            solver.step(&mut ode).unwrap();
            solver.prepare_dense(&mut ode).unwrap();
            let (a, b) = (solver.t_start(), solver.t());
            for i in 0..=20 {
                let t = a + (b - a) * f64::from(i) / 20.0;
                let (mut y, want) = ([0.0; 3], Oscillator::exact(t));
                solver.dense().unwrap().at(t, 0..3, &mut y);
                let worst = if i % 20 == 0 { &mut at } else { &mut between };
                worst[0] = worst[0].max((y[0] - want[0]).abs()).max((y[1] - want[1]).abs());
                worst[1] = worst[1].max((y[2] - want[2]).abs());
                // a part of the state alone
                let mut v = [0.0];
                solver.dense().unwrap().at(t, 1..2, &mut v);
                assert_eq!(v[0], y[1]);
            }
        }
        assert!(at[0] < 10.0 * rtol && at[1] < 100.0 * rtol, "{at:?} at {rtol:e}");
        assert!(between[0] < 1.2 * at[0] + rtol, "{at:?} {between:?} at {rtol:e}");
        assert!(between[1] < 1.2 * at[1] + rtol, "{at:?} {between:?} at {rtol:e}");
    }
}

/// An event that changes nothing: the past stays, whatever the length of the step that landed on it.
#[test]
fn events_that_change_nothing_cost_little() {
    for rtol in [1e-5, 1e-8, 1e-11] {
        let t_end = 100.0;
        let (_, free) =
            solve(&mut Oscillator::default(), &Oscillator::exact(0.0), 0.0, t_end, tolerance(rtol));
        let mut ode = Oscillator::marked_falling();
        let (y, stats) = solve(&mut ode, &Oscillator::exact(0.0), 0.0, t_end, tolerance(rtol));
        let crossings = ode.marks.unwrap();
        assert_eq!(crossings.len(), 16);
        assert!(stats.evaluations < free.evaluations * 5 / 4, "{stats:?}, without events {free:?}");
        for (i, t) in crossings.iter().enumerate() {
            let want = (2.0 * i as f64 + 0.5) * std::f64::consts::PI;
            assert!((t - want).abs() < 100.0 * rtol, "{t} for {want} at {rtol:e}");
        }
        assert!(error(&y, &Oscillator::exact(t_end)) < 100.0 * rtol, "{y:?}");
    }
}

#[test]
fn steps_land_on_events() {
    let stats = Bouncer::check("ode113", 1e-13);
    // a flight is found out to be one in a few steps, though each is a new start
    assert!(stats.evaluations < 5 * 50, "{stats:?}");
}
