//! Backward, over spans of all sizes, and with events.

use carom_ode::events::{Bounds, Found, Sample, first_crossing};
use carom_ode::{EventAction, Events, Interpolant, Landing, Ode, RhsFailure, Step};

use super::{finish, solver};
use crate::common::tolerance;

/// The pendulum φ'' = −ω² sin φ, watched where φ crosses zero downwards.
struct Pendulum {
    omega: f64,
    act: Option<EventAction>,
    events: Vec<f64>,
}

impl Pendulum {
    fn new(omega: f64, act: Option<EventAction>) -> Pendulum {
        Pendulum { omega, act, events: Vec::new() }
    }
    fn energy(&self, y: &[f64]) -> f64 {
        0.5 * y[1] * y[1] - self.omega * self.omega * y[0].cos()
    }
}

impl Ode for Pendulum {
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy.copy_from_slice(&[y[1], -self.omega * self.omega * y[0].sin()]);
        Ok(())
    }
    fn events(&mut self) -> &mut dyn Events {
        self
    }
}

impl Events for Pendulum {
    fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        Ok(self.act.is_none() || !(step.y0[0] > 1e-9 && step.y1[0] <= 0.0))
    }
    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let mut g = |t: f64| {
            let mut y = [0.0; 2];
            dense.at(t, 0..2, &mut y);
            Sample { t, g: y[0], rate: y[1] }
        };
        let bounds = Bounds { rate: 2.0 * step.max_rate(0), curvature: self.omega * self.omega };
        let (a, b) = (g(step.t0), g(step.t1));
        Ok(first_crossing(&mut g, a, b, &bounds, 1e-15))
    }
    fn landing(&mut self, step: &Step<'_>) -> Landing {
        Landing { dt: -step.y1[0] / step.y1[1] }
    }
    fn on_event(&mut self, t: f64, _: &mut [f64]) -> EventAction {
        self.events.push(t);
        self.act.unwrap()
    }
}

/// y' = (−y₀, y₀, 0): one component starts at zero, one stays there.
struct Zeros;

impl Ode for Zeros {
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy.copy_from_slice(&[-y[0], y[0], 0.0]);
        Ok(())
    }
}

#[test]
fn no_absolute_or_no_relative_tolerance() {
    for (rtol, atol) in [(1e-8, 0.0), (0.0, 1e-8), (1e-13, 1e-13)] {
        let mut options = tolerance(rtol);
        options.atol = atol;
        options.first_step = Some(1e-4);
        let mut s = solver(&mut Zeros, 0.0, &[1.0, 0.0, 0.0], 3.0, options);
        finish(&mut s, &mut Zeros).unwrap();
        let want = [(-3f64).exp(), 1.0 - (-3f64).exp(), 0.0];
        for i in 0..3 {
            assert!((s.y()[i] - want[i]).abs() < 1e-8, "{rtol:e} {atol:e}: {:?}", s.y());
        }
    }
}

#[test]
fn backward_and_forward_again() {
    let mut ode = Pendulum::new(1.0, None);
    let start = [1.0, 0.5];
    let mut there = solver(&mut ode, 3.0, &start, -7.0, tolerance(1e-10));
    finish(&mut there, &mut ode).unwrap();
    let mut back = solver(&mut ode, -7.0, there.y(), 3.0, tolerance(1e-10));
    finish(&mut back, &mut ode).unwrap();
    for i in 0..2 {
        assert!((back.y()[i] - start[i]).abs() < 1e-9, "{:?}", back.y());
    }
}

/// Time has no scale of its own: as many steps for spans from 1e-12 to 1e12.
#[test]
fn spans_of_all_sizes() {
    let run = |span: f64| {
        let mut ode = Pendulum::new(5.0 / span, None);
        let mut o = tolerance(1e-9);
        o.scale = vec![1.0, 5.0 / span];
        let mut s = solver(&mut ode, 0.0, &[1.0, 0.0], span, o);
        finish(&mut s, &mut ode).unwrap();
        (s.y()[0], s.stats().steps)
    };
    let (want, steps) = run(1.0);
    for span in [1e-12, 1e-6, 1e6, 1e12] {
        let (got, taken) = run(span);
        assert!(
            (got - want).abs() < 1e-9 && taken.abs_diff(steps) <= steps / 20,
            "{span:e}: {got} {taken} {steps}"
        );
    }
}

/// The period of a pendulum that swings to φ0 by the arithmetic-geometric mean.
fn period(omega: f64, phi: f64) -> f64 {
    let (mut a, mut g) = (1.0, (0.5 * phi).cos());
    for _ in 0..6 {
        (a, g) = (0.5 * (a + g), f64::sqrt(a * g));
    }
    std::f64::consts::TAU / (omega * a)
}

#[test]
fn events_stop_restart_or_go_on() {
    let t = period(2.0, 1.0);
    let actions =
        [EventAction::Stop, EventAction::Restart { time_scale: f64::INFINITY }, EventAction::Continue];
    let mut work = Vec::new();
    for act in actions {
        let mut ode = Pendulum::new(2.0, Some(act));
        let mut s = solver(&mut ode, 0.0, &[1.0, 0.0], 20.0, tolerance(1e-10));
        finish(&mut s, &mut ode).unwrap();
        let many = if act == EventAction::Stop { 1 } else { (20.0 / t + 0.75).floor() as usize };
        assert_eq!(ode.events.len(), many, "{act:?}");
        for (i, at) in ode.events.iter().enumerate() {
            let want = t * (0.25 + i as f64);
            assert!((at - want).abs() < 2e-9, "{act:?}: event {i} at {at} instead of {want}");
        }
        let drift = ode.energy(s.y()) - ode.energy(&[1.0, 0.0]);
        assert!(drift.abs() < 2e-9, "{act:?}: {drift:e}");
        work.push(s.stats().evaluations);
    }
    // to go on costs less than to start anew, and little more than no events at all
    let mut ode = Pendulum::new(2.0, None);
    let mut s = solver(&mut ode, 0.0, &[1.0, 0.0], 20.0, tolerance(1e-10));
    finish(&mut s, &mut ode).unwrap();
    assert!(work[2] <= work[1], "{work:?}");
    assert!(work[2] as f64 <= 1.15 * s.stats().evaluations as f64, "{work:?}, {:?}", s.stats());
}
