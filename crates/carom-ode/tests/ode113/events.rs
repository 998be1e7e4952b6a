//! Between steps, and steps that end on events.

use carom_ode::{Ode, RhsFailure, Steps};

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

/// x'' = −x, and u' = (5/2) (t − at)^{3/2}/w^{5/2} from t = `at` on, so that u = 1 at `at` + w; steps get shorter towards it by `share` of what is left, as those towards a touch do that is not located.
struct SetsIn {
    at: f64,
    w: f64,
    share: f64,
}

impl Ode for SetsIn {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let since = (t - self.at).max(0.0) / self.w;
        dy.copy_from_slice(&[y[1], -y[0], 2.5 / self.w * since.powf(1.5)]);
        Ok(())
    }
    fn steps(&mut self) -> &mut dyn Steps {
        self
    }
}

impl Steps for SetsIn {
    fn max_step(&mut self, t: f64, _: &[f64], _: &[f64], _: f64) -> f64 {
        if t < self.at { (self.share * (self.at - t)).max(0.05 * self.w) } else { f64::INFINITY }
    }
}

/// A short step after long ones, within which a force sets in: a polynomial through all of them would take next to nothing of it for an error.
#[test]
fn what_sets_in_is_no_matter_of_the_past() {
    let mut worst = (0.0, String::new());
    for share in [0.3, 0.6, 0.8, 0.95, 1.0] {
        for (i, w) in (0..40).flat_map(|i| [(i, 1e-2), (i, 1e-3), (i, 1e-4)]) {
            for rtol in [1e-5, 1e-7, 1e-9] {
                let at = 3.0 + 0.0123 * f64::from(i);
                let mut ode = SetsIn { at, w, share };
                let (y, _) = solve(&mut ode, &[1.0, 0.0, 0.0], 0.0, at + w, tolerance(rtol));
                let off = (y[2] - 1.0).abs() / rtol;
                if off > worst.0 {
                    worst = (off, format!("share {share}, w {w}, at {at}, rtol {rtol:e}"));
                }
            }
        }
    }
    println!("{worst:?}");
    assert!(worst.0 < 30.0, "{}: off by {:.0} rtol", worst.1, worst.0);
}
