//! Right-hand sides gone bad, with every adaptive method: the right answer or an error that names what is wrong, within a
//! budget counted in evaluations.

use carom_testkit::near;
use std::cell::Cell;

use crate::common::adaptive;
use carom_ode::{Event, Ivp, IvpError, Solution, SolveError, StepTrouble, Unfinished};

/// From y0 at t = 0, with the default tolerances, in at most so many evaluations.
fn solve(
    method: &str,
    most: usize,
    f: impl Fn(f64, f64) -> f64,
    y0: f64,
    t_end: f64,
) -> Result<Solution, Unfinished> {
    let calls = Cell::new(0);
    let rates = |t: f64, y: &[f64], dy: &mut [f64]| {
        calls.set(calls.get() + 1);
        assert!(calls.get() <= most, "{method}: more than {most} evaluations, t = {t}");
        dy[0] = f(t, y[0]);
    };
    let solution = Ivp::new(rates, 0.0, [y0]).method(method).solve_to(t_end);
    let stats = solution.as_ref().map_or_else(|e| e.so_far.stats, |s| s.stats);
    assert_eq!(stats.evaluations, calls.get(), "{method}: every evaluation counts");
    solution
}

/// The jump that ended a run: when, and the rates on both sides.
fn jump(method: &str, e: &Unfinished) -> (f64, f64, f64) {
    let IvpError::Solve(SolveError::Jumps { t, h, component: 0, from, to }) = e.cause else {
        panic!("{method}: {e}")
    };
    assert!(h > 0.0 && t == e.so_far.t_end(), "{method}: {e}");
    let says =
        format!("at t = {t}: steps of h = {h:e} get nowhere: the rate of component 0 jumps here, from");
    assert!(e.to_string().starts_with(&says), "{method}: {e}");
    (t, from, to)
}

/// Slip in a plane that ends: v' = −3 v/|v| and a pull that could not overcome it, which turns. The rates jump at a point that no step passes through.
#[test]
fn sliding_in_a_plane() {
    for method in adaptive() {
        let calls = Cell::new(0);
        let rates = |t: f64, v: &[f64], dv: &mut [f64]| {
            calls.set(calls.get() + 1);
            assert!(calls.get() <= 200_000, "{method}: t = {t}, v = {v:?}");
            let speed = v[0].hypot(v[1]);
            for (i, pull) in [(5.0 * t).cos(), 1.5 * (3.0 * t).sin()].into_iter().enumerate() {
                dv[i] = pull - if speed > 0.0 { 3.0 * v[i] / speed } else { 0.0 };
            }
        };
        let e = Ivp::new(rates, 0.0, [1.0, 0.4]).method(method).solve_to(5.0).unwrap_err();
        let IvpError::Solve(SolveError::Jumps { t, from, to, .. }) = e.cause else { panic!("{method}: {e}") };
        // slip ends at 0.527336 s, by an independent integrator
        assert!((t - 0.527336).abs() < 1e-2, "{method}: {e}");
        assert!((to - from).abs() > 0.5 && (to - from).abs() < 6.1, "{method}: {e}");
        assert!(e.so_far.y_end().iter().all(|v| v.abs() < 1e-2), "{method}: {e}");
    }
}

/// Pushed onto a jump from both sides, at rest and along with it, slow and fast: there is no solution beyond.
#[test]
fn sliding() {
    for method in adaptive() {
        for size in [1.0, 1e6] {
            let e = solve(method, 100_000, |_, y| if y > 0.0 { -size } else { size }, 1.0, 2.0).unwrap_err();
            let (t, from, to) = jump(method, &e);
            near(method, t * size, 1.0, 1e-2);
            assert!(from.abs() == size && to == -from, "{method}: {e}");
            near(method, e.so_far.y_end()[0], 0.0, 1e-6);
        }
        let along = |t: f64, y: f64| if y > 0.5 * t { -3.0 } else { 3.0 };
        let e = solve(method, 100_000, along, 1.0, 2.0).unwrap_err();
        near(method, jump(method, &e).0, 1.0 / 3.5, 1e-3);
        // dry friction: 3/2 s from 3 m/s to rest
        let brake = |_: f64, v: f64| 1.0 - 3.0 * v.signum();
        let e = solve(method, 100_000, brake, 3.0, 10.0).unwrap_err();
        near(method, jump(method, &e).0, 1.5, 1e-2);
    }
}

/// Loose tolerances slide in few steps: then the motion along the jump is what comes out, to the tolerance.
#[test]
fn sliding_that_can_be_afforded() {
    for method in adaptive() {
        let rates = |_: f64, y: &[f64], dy: &mut [f64]| dy[0] = if y[0] > 0.0 { -1.0 } else { 1.0 };
        match Ivp::new(rates, 0.0, [1.0]).method(method).rtol(1e-3).atol(1e-3).solve_to(2.0) {
            Ok(s) => near(method, s.y_end()[0], 0.0, 1e-2),
            Err(e) => near(method, jump(method, &e).0, 1.0, 1e-2),
        }
    }
}

/// The same jump, announced: the rates of either state know nothing of the jump.
#[test]
fn sliding_announced() {
    for method in adaptive() {
        let friction = Cell::new(3.0);
        let brake = |_: f64, _: &[f64], dv: &mut [f64]| dv[0] = 1.0 - friction.get();
        let stop = Event::new(|_, v| v[0]).falling().action(|_, v| {
            v[0] = 0.0;
            friction.set(1.0);
        });
        let s = Ivp::new(brake, 0.0, [3.0]).event(stop).method(method).solve_to(10.0).unwrap();
        near(method, s.events[0].t, 1.5, 1e-13);
        assert_eq!(s.y_end(), [0.0], "{method}");
    }
}

/// Rates that switch to and fro in time, unannounced: the integral is a zigzag.
#[test]
fn switching_to_and_fro() {
    let exact = {
        let rest = 10.0 % (std::f64::consts::PI / 25.0);
        rest.min(std::f64::consts::PI / 25.0 - rest)
    };
    for method in adaptive() {
        let square = |t: f64, _: f64| (50.0 * t).sin().signum();
        // steps that see no switch grow as if there were none: nobody sees the first ones before he has met one
        if method != "ode113" {
            let s = solve(method, 150_000, square, 0.0, 10.0).unwrap();
            near(method, s.y_end()[0], exact, 1e-5);
        }
        let rates = |t: f64, y: &[f64], dy: &mut [f64]| dy[0] = square(t, y[0]);
        let s = Ivp::new(rates, 0.0, [0.0]).method(method).max_step(0.05).solve_to(10.0).unwrap();
        near(method, s.y_end()[0], exact, 1e-5);
    }
}

#[test]
fn blow_up() {
    for method in adaptive() {
        let too_small = |e: Unfinished| match e.cause {
            IvpError::Solve(SolveError::StepTooSmall { t, .. }) => t,
            _ => panic!("{method}: {e}"),
        };
        let e = solve(method, 20_000, |_, y| y * y, 1.0, 2.0).unwrap_err();
        near(method, too_small(e), 1.0, 1e-6);
        // at t = 0.5 a pole, where the integral has none to go on from
        let e = solve(method, 20_000, |t, _| 1.0 / (t - 0.5), 1.0, 2.0).unwrap_err();
        near(method, too_small(e), 0.5, 1e-9);
        // beyond the largest number
        let e = solve(method, 200_000, |_, y| y, 1.0, 2000.0).unwrap_err();
        near(method, too_small(e), f64::MAX.ln(), 5.0);
    }
}

/// Not a number, or infinite, beyond a border: the border is found, and no state beyond it is kept. The rates take no
/// notice of a state that is not a number.
#[test]
fn borders() {
    for method in adaptive() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let e = solve(method, 5_000, |_, y| if y < 0.0 { bad } else { -1.0 }, 1.0, 3.0).unwrap_err();
            let IvpError::Solve(SolveError::StepTooSmall { t, trouble, .. }) = e.cause else {
                panic!("{method}: {e}")
            };
            near(method, t, 1.0, 1e-9);
            assert_eq!(trouble, StepTrouble::NotFinite { component: 0 }, "{method}");
            assert!(e.so_far.iter().all(|(_, y)| y[0] >= 0.0), "{method}");
        }
        // a tank that runs empty at t = 2, with and without rates for an empty one
        let e = solve(method, 5_000, |_, y| -y.sqrt(), 1.0, 3.0).unwrap_err();
        assert!(matches!(e.cause, IvpError::Solve(SolveError::StepTooSmall { .. })), "{method}: {e}");
        near(method, e.so_far.t_end(), 2.0, 1e-4);
        let s = solve(method, 100_000, |_, y| -y.max(0.0).sqrt(), 1.0, 3.0).unwrap();
        near(method, s.y_end()[0], 0.0, 1e-6);
    }
}

/// Steps may be as many as the problem needs: an explicit method on a stiff problem, with a jump now and then.
#[test]
fn many_steps_are_no_failure() {
    for method in ["ode45", "tsit5", "dop853"] {
        let rates = |t: f64, y: &[f64], dy: &mut [f64]| {
            let target = if (t * 100.0) as i64 % 2 == 0 { 1.0 } else { 2.0 };
            dy[0] = -1e6 * (y[0] - target);
        };
        let s = Ivp::new(rates, 0.0, [1.0]).method(method).dense(false).solve_to(0.1 - 1e-4).unwrap();
        near(method, s.y_end()[0], 2.0, 1e-6);
        assert!(s.stats.steps > 10_000, "{method}");
    }
    // a period in 1e5
    let rates = |t: f64, _: &[f64], dy: &mut [f64]| dy[0] = t.cos();
    let s = Ivp::new(rates, 0.0, [0.0]).method("dop853").rtol(1e-6).atol(1e-6).dense(false).solve_to(1e6);
    near("dop853", s.unwrap().y_end()[0], 1e6f64.sin(), 1e-2);
}

/// A function that oscillates ever faster, and events whose action sends them back.
#[test]
fn event_functions_gone_bad() {
    for method in adaptive() {
        let line = |calls: &Cell<usize>| {
            calls.set(calls.get() + 1);
            assert!(calls.get() < 3_000_000, "{method}");
        };
        let calls = Cell::new(0);
        let chirp = |t: f64, _: &[f64]| {
            line(&calls);
            (1.0 / (t - 0.5)).sin()
        };
        // all zeros before 0.5 are more than can be counted; it is passed, or the storm is named
        let mut ivp = Ivp::new(|_, _, dy: &mut [f64]| dy[0] = 1.0, 0.0, [0.0]).event(Event::new(chirp));
        match { ivp.method(method).max_events(10_000) }.solve_to(1.0) {
            Ok(s) => assert!(s.events.len() > 2, "{method}"),
            Err(e) => near(method, e.so_far.t_end(), 0.5, 1e-2),
        }
        calls.set(0);
        let hum = |t: f64, _: &[f64]| {
            line(&calls);
            (1e5 * t).sin()
        };
        ivp = Ivp::new(|_, _, dy: &mut [f64]| dy[0] = 1.0, 0.0, [0.0]).event(Event::new(hum));
        match { ivp.method(method).max_events(1000) }.solve_to(1.0) {
            // long steps see little of it: that is what `max_step` and `bounded` are for
            Ok(s) => assert!(s.events.len() < 1000, "{method}"),
            Err(e) => {
                assert!(matches!(e.cause, IvpError::TooManyEvents { events: 1000, .. }), "{method}: {e}")
            }
        }
        // back a little above the floor each time
        let calls = Cell::new(0);
        let floor = |_: f64, y: &[f64]| {
            line(&calls);
            y[0]
        };
        let e = Ivp::new(|_, _, dy: &mut [f64]| dy[0] = -1.0, 0.0, [0.5])
            .event(Event::new(floor).falling().action(|_, y| y[0] = 1e-9))
            .method(method)
            .max_events(5000)
            .solve_to(10.0)
            .unwrap_err();
        assert!(matches!(e.cause, IvpError::TooManyEvents { .. }), "{method}: {e}");
    }
}

/// What an event's action leaves behind is blamed on it.
#[test]
fn bad_values_after_an_event() {
    for method in adaptive() {
        let bad: [fn(f64, &mut [f64]); 2] = [|_, y| y[0] = f64::NAN, |_, y| y[1] = f64::INFINITY];
        for (component, action) in bad.into_iter().enumerate() {
            let e = Ivp::new(|_, _, dy: &mut [f64]| dy.fill(1.0), 0.0, [0.0, 0.0])
                .event(Event::new(|t, _| t - 0.5).action(action))
                .method(method)
                .solve_to(1.0)
                .unwrap_err();
            assert_eq!(
                e.to_string(),
                format!("after the event at t = 0.5: component {component} is not finite"),
                "{method}"
            );
        }
        let broken = Cell::new(false);
        let rates = |_: f64, _: &[f64], dy: &mut [f64]| dy[0] = if broken.get() { f64::NAN } else { 1.0 };
        let e = Ivp::new(rates, 0.0, [0.0])
            .event(Event::new(|t, _| t - 0.5).action(|_, _| broken.set(true)))
            .method(method)
            .solve_to(1.0)
            .unwrap_err();
        assert_eq!(e.to_string(), "after the event at t = 0.5: component 0 is not finite", "{method}");
    }
}

/// All components quadratures: nothing would choose the steps.
#[test]
fn something_must_be_controlled() {
    for method in adaptive() {
        let e = Ivp::new(|t, _, dy: &mut [f64]| dy[0] = t, 0.0, [0.0])
            .quadratures(1)
            .method(method)
            .solve_to(1.0);
        assert!(
            e.unwrap_err().to_string().starts_with("`quadratures` is 1.0; allowed: fewer than"),
            "{method}"
        );
    }
}

/// y'' = −sign y: a jump that is passed at a speed, twice in a period of 4 √(2 A), A = 1e-12. Every pass is right, and a run of thousands of them ends well; one of hundreds of millions is told of soon.
#[test]
fn jumps_that_are_passed_again_and_again() {
    for method in ["dop853", "tsit5", "ode45", "auto"] {
        let run = |t_end: f64| {
            let rates = |_: f64, y: &[f64], dy: &mut [f64]| (dy[0], dy[1]) = (y[1], -y[0].signum());
            let y0 = [1e-12, 0.0];
            Ivp::new(rates, 0.0, y0).method(method).rtol(1e-9).atol(1e-21).dense(false).solve_to(t_end)
        };
        let period = 4.0 * 2e-12_f64.sqrt();
        let end = run(2000.0 * period).unwrap();
        // (the energy ½ v² + |y|, after four thousand passes)
        let [y, v] = [end.y_end()[0], end.y_end()[1]];
        near(method, 0.5 * v * v + y.abs(), 1e-12, 1e-15);
        let e = run(1e9 * period).unwrap_err();
        let IvpError::Solve(SolveError::Jumps { component: 1, .. }) = e.cause else {
            panic!("{method}: {e}")
        };
        let stats = e.so_far.stats;
        assert!(stats.steps + stats.rejected < 100_000, "{method}: {stats:?}");
    }
}
