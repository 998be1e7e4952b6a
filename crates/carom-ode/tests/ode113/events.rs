//! Between steps, and steps that end on events.

use carom_ode::events::{Bounds, Found, Sample, first_crossing};
use carom_ode::{EventAction, Interpolant, Landing, Ode, RhsFailure, Step};

use crate::{error, solve, start, tolerance};

/// x'' = −x as (x, v), with ∫ v² dt as a quadrature. Crossings of x = 0 from above are events, when wanted.
#[derive(Default)]
struct Oscillator {
    watched: bool,
    crossings: Vec<f64>,
}

impl Ode for Oscillator {
    fn dim(&self) -> usize {
        3
    }
    fn quadratures(&self) -> usize {
        1
    }
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy.copy_from_slice(&[y[1], -y[0], y[1] * y[1]]);
        Ok(())
    }
    fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        Ok(!self.watched || step.y0[0] <= 1e-12 || step.y1[0] > 0.0)
    }
    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let mut g = |t: f64| {
            let mut y = [0.0; 2];
            dense.at(t, 0..2, &mut y);
            Sample { t, g: y[0], rate: y[1] }
        };
        let (a, b) = (g(step.t0), g(step.t1));
        Ok(first_crossing(&mut g, a, b, &Bounds { rate: 2.0, curvature: 2.0 }, 1e-15))
    }
    fn landing(&mut self, step: &Step<'_>) -> Landing {
        Landing { dt: -step.y1[0] / step.y1[1] }
    }
    fn on_event(&mut self, t: f64, _: &mut [f64]) -> EventAction {
        self.crossings.push(t);
        EventAction::Continue
    }
}

fn oscillation(t: f64) -> [f64; 3] {
    [t.cos(), -t.sin(), 0.5 * t - 0.25 * (2.0 * t).sin()]
}

/// Between steps the error is that at the steps, quadratures included.
#[test]
fn dense_output_is_as_good_as_the_steps() {
    for p in 3..13 {
        let rtol = 10f64.powi(-p);
        let mut ode = Oscillator::default();
        let mut solver = start(&mut ode, &oscillation(0.0), 0.0, 10.0, tolerance(rtol));
        // of the motion and of the quadrature
        let (mut at, mut between) = ([0.0f64; 2], [0.0f64; 2]);
        while !solver.done() {
            solver.step(&mut ode).unwrap();
            solver.prepare_dense(&mut ode).unwrap();
            let (a, b) = (solver.t_start(), solver.t());
            for i in 0..=20 {
                let t = a + (b - a) * f64::from(i) / 20.0;
                let (mut y, want) = ([0.0; 3], oscillation(t));
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
        let (_, free) = solve(&mut Oscillator::default(), &oscillation(0.0), 0.0, t_end, tolerance(rtol));
        let mut ode = Oscillator { watched: true, ..Oscillator::default() };
        let (y, stats) = solve(&mut ode, &oscillation(0.0), 0.0, t_end, tolerance(rtol));
        assert_eq!(ode.crossings.len(), 16);
        assert!(stats.evaluations < free.evaluations * 5 / 4, "{stats:?}, without events {free:?}");
        for (i, t) in ode.crossings.iter().enumerate() {
            let want = (2.0 * i as f64 + 0.5) * std::f64::consts::PI;
            assert!((t - want).abs() < 100.0 * rtol, "{t} for {want} at {rtol:e}");
        }
        assert!(error(&y, &oscillation(t_end)) < 100.0 * rtol, "{y:?}");
    }
}

/// A ball that bounces without loss: v → −v where x = 0.
struct Bouncer {
    bounces: Vec<f64>,
}

impl Ode for Bouncer {
    fn dim(&self) -> usize {
        2
    }
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy.copy_from_slice(&[y[1], -9.81]);
        Ok(())
    }
    fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        let bounds = Bounds { rate: step.max_rate(0), curvature: 9.81 };
        let at = |t, y: &[f64]| Sample { t, g: y[0].max(0.0), rate: y[1] };
        Ok(step.y1[0] >= 0.0 && bounds.keep_clear(&at(step.t0, step.y0), &at(step.t1, step.y1)))
    }
    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let mut g = |t: f64| {
            let mut y = [0.0; 2];
            dense.at(t, 0..2, &mut y);
            Sample { t, g: y[0], rate: y[1] }
        };
        let bounds = Bounds { rate: step.max_rate(0), curvature: 9.81 };
        let (a, b) = (g(step.t0), g(step.t1));
        Ok(first_crossing(&mut g, a, b, &bounds, 1e-15))
    }
    fn landing(&mut self, step: &Step<'_>) -> Landing {
        Landing { dt: -step.y1[0] / step.y1[1] }
    }
    fn on_event(&mut self, t: f64, y: &mut [f64]) -> EventAction {
        self.bounces.push(t);
        y[1] = -y[1];
        y[0] = 0.0;
        if self.bounces.len() == 5 {
            return EventAction::Stop;
        }
        EventAction::Restart { time_scale: f64::INFINITY }
    }
}

#[test]
fn steps_land_on_events() {
    let mut ode = Bouncer { bounces: Vec::new() };
    let mut solver = start(&mut ode, &[1.0, 0.0], 0.0, 100.0, tolerance(1e-10));
    while !solver.done() {
        solver.step(&mut ode).unwrap();
        solver.finish(&mut ode).unwrap();
    }
    let fall = (2.0f64 / 9.81).sqrt();
    for (i, t) in ode.bounces.iter().enumerate() {
        assert!((t - fall * (2 * i + 1) as f64).abs() < 1e-13 * t, "bounce {i} at {t}");
    }
    assert_eq!(solver.t(), ode.bounces[4], "the event asked to stop");
    // a flight is found out to be one in a few steps, though each is a new start
    assert!(solver.stats().evaluations < 5 * 50, "{:?}", solver.stats());
}
