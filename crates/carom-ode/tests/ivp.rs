//! The front end: events, outputs, failures, with every adaptive method.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

use std::cell::Cell;
use std::f64::consts::{PI, TAU};

use carom_ode::events::Found;
use carom_ode::{
    Event, EventAction, Interpolant, Ivp, IvpError, Landing, Ode, Options, Reason, RhsFailure, Solution,
    SolveError, Solver, Step, StepTrouble, methods,
};

const G: f64 = 9.81;

fn adaptive() -> Vec<&'static str> {
    methods::ALL.iter().filter(|m| m.is_adaptive()).map(|m| m.name()).collect()
}

fn fall(_: f64, y: &[f64], dy: &mut [f64]) {
    dy[0] = y[1];
    dy[1] = -G;
}

fn oscillate(_: f64, y: &[f64], dy: &mut [f64]) {
    dy[0] = y[1];
    dy[1] = -y[0];
}

fn close(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance, "{what}: {a} instead of {b}, off by {:e}", a - b);
}

fn times(s: &Solution) -> Vec<f64> {
    s.events.iter().map(|e| e.t).collect()
}

/// Dropped from 1 m, 0.9 of the speed kept: t_k = T (1 + 2 Σ 0.9^i).
#[test]
fn bouncing_ball() {
    for method in adaptive() {
        for atol in [1e-6, 1e-10] {
            let s = Ivp::new(fall, 0.0, [1.0, 0.0])
                .event(Event::new(|_, y| y[0]).falling().action(|_, y| y[1] *= -0.9).terminal_after(12))
                .method(method)
                .rtol(atol)
                .atol(atol)
                .solve_to(1e3)
                .unwrap();
            assert_eq!((s.events.len(), s.reason), (12, Reason::Event(0)), "{method}");
            let t = (2.0 / G).sqrt();
            let mut want = t;
            for (k, e) in s.events.iter().enumerate() {
                close(e.t, want, 300.0 * atol * want, &format!("{method}, bounce {k}"));
                close(e.y[1], -(2.0 * G).sqrt() * 0.9f64.powi(k as i32), 1e3 * atol, method);
                assert!(
                    e.y[0].abs() < 1e-14 && e.y_after[1] == -0.9 * e.y[1] && !e.rising,
                    "{method}: {e:?}"
                );
                // before and after
                let at = s.t.iter().position(|&t| t == e.t).unwrap();
                assert_eq!((s.y(at), s.y(at + 1)), (&e.y[..], &e.y_after[..]), "{method}");
                want += 2.0 * t * 0.9f64.powi(k as i32 + 1);
            }
            assert_eq!((s.t_end(), s.y_end()), (s.events[11].t, &s.events[11].y_after[..]));
            // never below the floor between
            let lowest =
                (0..5000).map(|i| s.at(s.t_end() * f64::from(i) / 5e3).unwrap()[0]).fold(1.0, f64::min);
            assert!(lowest > -300.0 * atol, "{method}: {lowest:e}");
        }
    }
}

/// Falling through the floor is what must not happen when bounces pile up at t = 19 √(2/g).
#[test]
fn zeno_ends_in_a_named_error() {
    for method in adaptive() {
        for keep in [0.9, 0.5, 0.1, 1e-2] {
            let ball = || {
                Ivp::new(fall, 0.0, [1.0, 0.0])
                    .event(Event::new(|_, y| y[0]).falling().action(move |_, y| y[1] *= -keep))
                    .method(method)
                    .rtol(1e-10)
                    .atol(1e-10)
            };
            let e = ball().solve_to(100.0).unwrap_err();
            let end = (2.0 / G).sqrt() * (1.0 + keep) / (1.0 - keep);
            let storm = matches!(e.cause, IvpError::Solve(SolveError::EventStorm { .. }));
            assert!(storm, "{method}, {keep}: {e}");
            close(e.so_far.t_end(), end, 1e-3 * end, method);
            // what there is stands
            let s = &e.so_far;
            assert!(s.events.len() > 2 && s.at(0.1).is_ok() && s.stats.steps > 0, "{method}, {keep}");
            assert_eq!(s.reason, Reason::Unfinished);
            assert!(s.y_end()[0].abs() < 1e-8, "{method}: {:?}", s.y_end());

            let e = ball().max_events(3).solve_to(100.0).unwrap_err();
            let IvpError::TooManyEvents { events: 3, t, apart } = e.cause else { panic!("{method}: {e}") };
            assert!(t == e.so_far.events[2].t && apart > 0.0 && e.so_far.events.len() == 3);
        }
    }
}

/// A pile of bounces at t = 0 itself, where numbers are as fine as one likes.
#[test]
fn zeno_at_time_zero_comes_to_an_end() {
    for method in adaptive() {
        let start = -3.0 * (2.0 / G).sqrt();
        let ball = Ivp::new(fall, start, [1.0, 0.0])
            .event(Event::new(|_, y| y[0]).falling().action(|_, y| y[1] *= -0.5))
            .method(method)
            .solve_to(1.0);
        let e = ball.unwrap_err();
        close(e.so_far.t_end(), 0.0, 1e-3, method);
    }
}

/// On one side of zero pushed to the other, and back.
#[test]
fn chattering_is_an_event_storm() {
    for method in adaptive() {
        let sign = Cell::new(1.0);
        let e = Ivp::new(|_, _, dy: &mut [f64]| dy[0] = -sign.get(), 0.0, [0.5])
            .event(Event::new(|_, y| y[0]).action(|_, _| sign.set(-sign.get())))
            .method(method)
            .solve_to(10.0);
        // after the switch y leaves zero for the side it came from: it does not chatter
        assert!((e.unwrap().y_end()[0] - 9.5).abs() < 1e-6, "{method}");

        let e = Ivp::new(|_, _, dy: &mut [f64]| dy[0] = -1.0, 0.0, [0.5])
            .event(Event::new(|_, y| y[0]).falling().action(|_, y| y[0] = 1e-15))
            .method(method)
            .solve_to(10.0)
            .unwrap_err();
        let IvpError::Solve(SolveError::EventStorm { t, events }) = e.cause else { panic!("{method}: {e}") };
        assert!((t - 0.5).abs() < 1e-6 && events > 1, "{method}: {e}");
        assert_eq!(e.to_string(), format!("at t = {t}: {events} events without time advancing"));
    }
}

/// sin t: every zero, those of one direction, the k-th of them, backward too.
#[test]
fn directions_and_counts() {
    for method in adaptive() {
        let circle = |t0: f64| {
            let start = [f64::sin(t0), f64::cos(t0)];
            Ivp::new(oscillate, t0, start).method(method).rtol(1e-9).atol(1e-9)
        };
        let g = |_: f64, y: &[f64]| y[0];
        let s = circle(0.5).event(Event::new(g)).solve_to(20.0).unwrap();
        assert_eq!(s.events.len(), 6, "{method}");
        for (k, e) in s.events.iter().enumerate() {
            close(e.t, PI * (k + 1) as f64, 1e-6, method);
            assert_eq!(e.rising, k % 2 == 1);
        }
        let s = circle(0.5).event(Event::new(g).rising()).solve_to(20.0).unwrap();
        assert_eq!(s.events.len(), 3, "{method}");
        close(s.events[0].t, TAU, 1e-6, method);
        let s = circle(0.5).event(Event::new(g).falling().terminal_after(3)).solve_to(100.0).unwrap();
        assert_eq!((s.events.len(), s.reason), (3, Reason::Event(0)), "{method}");
        close(s.t_end(), 5.0 * PI, 1e-6, method);
        // backward, sin t comes to 0 at −π from below: as t decreases from −0.5 it is negative until there
        let s = circle(-0.5).event(Event::new(g).rising().terminal()).solve_to(-20.0).unwrap();
        close(s.t_end(), -PI, 1e-6, method);
        let s = circle(-0.5).event(Event::new(g).falling()).solve_to(-20.0).unwrap();
        assert_eq!(s.events.len(), 3, "{method}: {:?}", times(&s));
        close(s.events[0].t, -TAU, 1e-6, method);
        assert!(s.t.windows(2).all(|w| w[1] < w[0]));
        close(s.at(-7.7).unwrap()[0], f64::sin(-7.7), 1e-6, method);
    }
}

/// Three oscillators added up: every zero of the sum, as many as the exact solution has.
#[test]
fn many_zeros() {
    const W: [f64; 3] = [1.0, 2.7, 6.1];
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    for _ in 0..10 {
        let phase = [TAU * random(), TAU * random(), TAU * random()];
        let level = 0.8 * random();
        let exact = |t: f64| (0..3).map(|k| (W[k] * t + phase[k]).sin() / W[k].sqrt()).sum::<f64>() - level;
        // zeros so close to each other that the tolerance may merge them are no test
        let fine: Vec<f64> = (0..=200_000).map(|i| exact(f64::from(i) * 1e-4)).collect();
        let grazing = |w: &[f64]| w[1].abs() < 1e-5 && (w[1] - w[0]) * (w[2] - w[1]) <= 0.0;
        if fine.windows(3).any(grazing) || fine[0].abs() < 1e-3 || fine[200_000].abs() < 1e-3 {
            continue;
        }
        let zeros: Vec<f64> =
            (0..200_000).filter(|&i| fine[i] * fine[i + 1] < 0.0).map(|i| i as f64 * 1e-4).collect();
        let start: Vec<f64> =
            (0..3).flat_map(|k| [phase[k].sin() / W[k].sqrt(), phase[k].cos() * W[k].sqrt()]).collect();
        for method in adaptive() {
            let rates = |_: f64, y: &[f64], dy: &mut [f64]| {
                for k in 0..3 {
                    dy[2 * k] = y[2 * k + 1];
                    dy[2 * k + 1] = -W[k] * W[k] * y[2 * k];
                }
            };
            let s = Ivp::new(rates, 0.0, start.clone())
                .event(Event::new(|_, y| y[0] + y[2] + y[4] - level))
                .method(method)
                .rtol(1e-8)
                .atol(1e-8)
                .solve_to(20.0)
                .unwrap();
            assert_eq!(s.events.len(), zeros.len(), "{method}");
            for (e, z) in s.events.iter().zip(&zeros) {
                assert!((-1e-3..2e-3).contains(&(e.t - z)), "{method}: {} instead of {z}", e.t);
                let g = e.y[0] + e.y[2] + e.y[4] - level;
                assert!(g.abs() < 1e-13, "{method}: {g:e}");
            }
        }
    }
}

#[test]
fn events_at_the_same_time_are_all_reported() {
    for method in adaptive() {
        // two balls from one height, one from a lower one; each bounces by itself
        let rates = |_: f64, y: &[f64], dy: &mut [f64]| {
            for k in 0..3 {
                dy[2 * k] = y[2 * k + 1];
                dy[2 * k + 1] = -G;
            }
        };
        let mut ivp =
            Ivp::new(rates, 0.0, [1.0, 0.0, 1.0, 0.0, 0.5, 0.0]).method(method).rtol(1e-9).atol(1e-9);
        for k in 0..3 {
            let floor = Event::new(move |_, y| y[2 * k]).falling();
            ivp = ivp.event(floor.action(move |_, y| y[2 * k + 1] *= -1.0));
        }
        let s = ivp.solve_to(2.0).unwrap();
        let (a, b) = ((2.0 / G).sqrt(), (1.0 / G).sqrt());
        let mut want: Vec<(f64, usize)> = Vec::new();
        for k in 0..20 {
            let odd = f64::from(2 * k + 1);
            want.extend([(a * odd, 0), (a * odd, 1), (b * odd, 2)]);
        }
        want.retain(|w| w.0 < 2.0);
        want.sort_by(|x, y| x.0.total_cmp(&y.0));
        assert_eq!(s.events.len(), want.len(), "{method}: {:?}", times(&s));
        for (e, w) in s.events.iter().zip(&want) {
            assert_eq!(e.event, w.1, "{method}");
            close(e.t, w.0, 1e-7, method);
        }
        assert!(s.y_end().iter().step_by(2).all(|&y| y > 0.0), "{method}: through the floor");

        // a function and its negative, twice: one time, in order
        let s = Ivp::new(oscillate, 0.0, [1.0, 0.0])
            .event(Event::new(|_, y| -y[0]))
            .event(Event::new(|_, y| y[0]))
            .event(Event::new(|_, y| 3.0 * y[0]).rising())
            .method(method)
            .solve_to(6.0)
            .unwrap();
        let order: Vec<usize> = s.events.iter().map(|e| e.event).collect();
        assert_eq!(order, [0, 1, 0, 1, 2], "{method}: {:?}", times(&s));
        close(s.events[0].t, s.events[1].t, 1e-15, method);
        close(s.events[2].t, s.events[4].t, 1e-15, method);
    }
}

#[test]
fn a_zero_at_the_start() {
    for method in adaptive() {
        let thrown = |v: f64| Ivp::new(fall, 0.0, [0.0, v]).method(method);
        let floor = || Event::new(|_, y: &[f64]| y[0]);
        // left, whichever way it goes
        let up = thrown(5.0).event(floor()).solve_to(3.0).unwrap();
        assert_eq!(up.events.len(), 1, "{method}");
        close(up.events[0].t, 10.0 / G, 1e-7, method);
        assert!(!up.events[0].rising);
        let down = thrown(-5.0).event(floor().falling()).solve_to(3.0).unwrap();
        assert!(down.events.is_empty(), "{method}");
        // pending: at once, if it goes the right way
        let s = thrown(-5.0).event(floor().falling().pending().terminal()).solve_to(3.0).unwrap();
        assert_eq!((times(&s), s.reason, s.t_end()), (vec![0.0], Reason::Event(0), 0.0), "{method}");
        let s = thrown(5.0).event(floor().falling().pending()).solve_to(3.0).unwrap();
        assert_eq!(s.events.len(), 1, "{method}");
        let s =
            thrown(-5.0).event(floor().falling().pending().action(|_, y| y[1] = 5.0)).solve_to(1.5).unwrap();
        assert_eq!(s.events.len(), 2, "{method}: {:?}", times(&s));
        close(s.events[1].t, 10.0 / G, 1e-7, method);
        assert_eq!((&s.t[..2], s.y(1)), (&[0.0, 0.0][..], &[0.0, 5.0][..]));
        // on the floor, at rest, with nothing to hold it
        let s = thrown(0.0).event(floor().falling()).solve_to(1.0).unwrap();
        assert!(s.events.is_empty(), "{method}");
        // a function that is zero all along says nothing
        let s = thrown(1.0).event(Event::new(|_, _| 0.0)).solve_to(1.0).unwrap();
        assert!(s.events.is_empty(), "{method}");
    }
}

#[test]
fn a_zero_at_the_end_counts_once() {
    for method in adaptive() {
        let mut ivp =
            Ivp::new(|_, _, dy| dy[0] = 1.0, 0.0, [0.0]).event(Event::new(|t, _| t - 1.0)).method(method);
        let s = ivp.solve_to(1.0).unwrap();
        assert_eq!(times(&s), [1.0], "{method}");
        let s = ivp.extend(s, 2.0).unwrap();
        assert_eq!(times(&s), [1.0], "{method}");
    }
}

/// Two zeros within one long step; certified, ones that no looking would find.
#[test]
fn dips_within_a_step() {
    for method in adaptive() {
        let line = || Ivp::new(|_, _, dy| dy[0] = 1.0, 0.0, [0.0]).method(method).first_step(1.0);
        let dip = |t: f64, _: &[f64]| (t - 0.437).powi(2) - 1e-6;
        let s = line().event(Event::new(dip)).solve_to(1.0).unwrap();
        assert_eq!(s.events.len(), 2, "{method}: {:?}", times(&s));
        close(s.events[0].t, 0.436, 1e-12, method);
        close(s.events[1].t, 0.438, 1e-12, method);
        let s = line().event(Event::new(dip).rising()).solve_to(1.0).unwrap();
        assert_eq!(s.events.len(), 1, "{method}: {:?}", times(&s));

        // on a slope: invisible at the eighths of a step
        let spike = |_: f64, y: &[f64]| {
            let t = y[0];
            if (t - 0.437).abs() < 0.02 { (t - 0.437).abs() * 100.0 - 1.0 } else { 1.0 + 1e-9 * t }
        };
        for (limit, curvature) in [(100.0, f64::INFINITY), (1e4, f64::INFINITY)] {
            let s = line().event(Event::new(spike).bounded(limit, curvature)).solve_to(1.0).unwrap();
            assert_eq!(s.events.len(), 2, "{method}: {:?}", times(&s));
            close(s.events[0].t, 0.427, 1e-12, method);
            close(s.events[1].t, 0.447, 1e-12, method);
            let backward = Ivp::new(|_, _, dy| dy[0] = 1.0, 1.0, [1.0])
                .method(method)
                .event(Event::new(spike).bounded(limit, curvature).rising())
                .solve_to(0.0)
                .unwrap();
            assert_eq!(backward.events.len(), 1, "{method}: {:?}", times(&backward));
            close(backward.events[0].t, 0.427, 1e-12, method);
        }
        // or with steps that cannot hide it
        let s = line().event(Event::new(spike)).max_step(0.04).solve_to(1.0).unwrap();
        assert_eq!(s.events.len(), 2, "{method}");
    }
}

/// The bouncing ball once more, with |g'| and |g''| promised.
#[test]
fn certified_bounces() {
    for method in adaptive() {
        let s = Ivp::new(fall, 0.0, [1.0, 0.0])
            .event(Event::new(|_, y| y[0]).falling().bounded(10.0, G).action(|_, y| y[1] *= -0.5))
            .method(method)
            .rtol(1e-9)
            .atol(1e-9)
            .max_events(15)
            .solve_to(10.0)
            .unwrap_err()
            .so_far;
        let t = (2.0 / G).sqrt();
        let mut want = t;
        for (k, e) in s.events.iter().enumerate() {
            close(e.t, want, 1e-4, &format!("{method}, bounce {k}"));
            want += 2.0 * t * 0.5f64.powi(k as i32 + 1);
        }
        assert_eq!(s.events.len(), 15, "{method}");
    }
}

#[test]
fn functions_that_jump_are_located() {
    for method in adaptive() {
        for bounded in [false, true] {
            let jump = |_: f64, y: &[f64]| if y[0] < 0.7 { -2.0 - y[0] } else { 1.0 + y[0] };
            let mut event = Event::new(jump);
            if bounded {
                // a lie: no end to the search, but an end
                event = event.bounded(1.0, f64::INFINITY);
            }
            let s = Ivp::new(|_, y, dy| dy[0] = y[0], 0.0, [0.1])
                .event(event)
                .method(method)
                .rtol(1e-6)
                .atol(1e-6)
                .solve_to(3.0)
                .unwrap();
            assert_eq!(s.events.len(), 1, "{method}: {:?}", times(&s));
            close(s.events[0].t, 7f64.ln(), 1e-3, method);
            assert!(s.events[0].rising);
        }
        // of time alone: to rounding
        let s = Ivp::new(oscillate, 0.0, [1.0, 0.0])
            .event(Event::new(|t, _| if t < 1.3 { 1.0 } else { -1.0 }).restart())
            .method(method)
            .solve_to(3.0)
            .unwrap();
        assert_eq!(s.events.len(), 1, "{method}: {:?}", times(&s));
        close(s.events[0].t, 1.3, 1e-15, method);
    }
}

/// A thermostat: rates that switch at events, without the state jumping.
#[test]
fn switching_rates() {
    for method in adaptive() {
        let on = Cell::new(true);
        let rates = |_: f64, y: &[f64], dy: &mut [f64]| dy[0] = if on.get() { 3.0 } else { 0.0 } - y[0];
        let s = Ivp::new(rates, 0.0, [0.0])
            .event(Event::new(|_, y| y[0] - 2.0).rising().action(|_, _| on.set(false)))
            .event(Event::new(|_, y| y[0] - 1.0).falling().action(|_, _| on.set(true)))
            .method(method)
            .rtol(1e-9)
            .atol(1e-9)
            .solve_to(10.0)
            .unwrap();
        // 3 − 3 e^−t = 2; then down by e^−t to 1; then 3 − 2 e^−t
        let (heat, cool) = (2f64.ln(), 2f64.ln());
        let mut want = 3f64.ln();
        for (k, e) in s.events.iter().enumerate() {
            assert_eq!(e.event, k % 2, "{method}");
            close(e.t, want, 1e-7, method);
            want += if k % 2 == 0 { cool } else { heat };
        }
        assert_eq!(s.events.len(), 13, "{method}");
        // no output twice: the state did not jump
        assert!(s.t.windows(2).all(|w| w[0] < w[1]), "{method}");
    }
}

#[test]
fn outputs() {
    for method in adaptive() {
        let circle = || Ivp::new(oscillate, 0.0, [0.0, 1.0]).method(method).rtol(1e-9).atol(1e-9);
        let at = [0.0, 0.1, 0.1, 2.5, 6.0, 7.0];
        let s = circle().output_at(at).solve_to(7.0).unwrap();
        assert_eq!(s.t, at);
        for (t, y) in s.iter() {
            close(y[0], t.sin(), 1e-6, method);
            close(y[1], t.cos(), 1e-6, method);
        }
        let steps = circle().solve_to(7.0).unwrap();
        assert_eq!(steps.len(), steps.stats.steps + 1, "{method}");
        assert_eq!((steps.t[0], steps.t_end(), steps.t[steps.len() - 1]), (0.0, 7.0, 7.0));
        let fine = circle().refine(4).solve_to(7.0).unwrap();
        assert_eq!(fine.len(), 4 * fine.stats.steps + 1, "{method}");
        for (t, y) in fine.iter() {
            close(y[0], t.sin(), 1e-6, method);
        }
        assert_eq!(fine.component(1).count(), fine.len());
        // the same steps, whatever is asked for
        assert_eq!(fine.stats.steps, steps.stats.steps, "{method}");
        // backward
        let s = circle().output_at([-0.5, -1.0]).solve_to(-1.0).unwrap();
        close(s.y(0)[0], -(0.5f64.sin()), 1e-6, method);
        assert_eq!(s.t, [-0.5, -1.0]);
        // an end at the start
        let s = circle().solve_to(0.0).unwrap();
        assert_eq!((s.t.as_slice(), s.reason, s.at(0.0).unwrap()), (&[0.0][..], Reason::End, vec![0.0, 1.0]));
        // after the end of a terminal event there is nothing
        let s = circle()
            .output_at([1.0, 2.0, 3.0])
            .event(Event::new(|_, y| y[1]).terminal())
            .solve_to(3.0)
            .unwrap();
        assert_eq!(s.t, [1.0]);
        close(s.t_end(), PI / 2.0, 1e-7, method);
        assert!(s.at(1.6).is_err());
    }
}

/// The solution between the outputs is the method's own dense output, to rounding.
#[test]
fn dense_output_is_the_methods_own() {
    for method in adaptive() {
        let rates = |t: f64, y: &[f64], dy: &mut [f64]| {
            dy[0] = y[1];
            dy[1] = -y[0] + 0.1 * t;
            dy[2] = 1000.0 * t.cos();
        };
        struct Plain<F>(F);
        impl<F: Fn(f64, &[f64], &mut [f64])> Ode for Plain<F> {
            fn dim(&self) -> usize {
                3
            }
            fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
                (self.0)(t, y, dy);
                Ok(())
            }
        }
        let s = Ivp::new(rates, 0.0, [1.0, 0.0, 0.0])
            .method(method)
            .rtol(1e-6)
            .atol(1e-6)
            .solve_to(10.0)
            .unwrap();
        let mut ode = Plain(rates);
        let options = Options { rtol: 1e-6, atol: 1e-6, ..Options::default() };
        let start = methods::find(method).unwrap();
        let mut solver = Solver::new(start, &mut ode, 0.0, &[1.0, 0.0, 0.0], 10.0, options).unwrap();
        let mut seen = 0;
        while !solver.done() {
            solver.step(&mut ode).unwrap();
            let (a, b) = (solver.t_start(), solver.t());
            solver.prepare_dense(&mut ode).unwrap();
            let dense = solver.dense().unwrap();
            for k in 1..10 {
                let t = a + (b - a) * f64::from(k) / 10.0;
                let mut y = [0.0; 3];
                dense.at(t, 0..3, &mut y);
                let kept = s.at(t).unwrap();
                for i in 0..3 {
                    let size = if i == 2 { 1000.0 } else { 1.0 };
                    close(kept[i], y[i], 1e-14 * size, &format!("{method}, component {i} at {t}"));
                }
                seen += 1;
            }
        }
        assert!(seen > 50 && solver.stats().steps == s.stats.steps);
        // and at the outputs the outputs
        for (t, y) in s.iter() {
            close(s.at(t).unwrap()[0], y[0], 1e-14, method);
        }
        let none = Ivp::new(rates, 0.0, [1.0, 0.0, 0.0]).method(method).dense(false).solve_to(1.0).unwrap();
        assert_eq!(none.at(0.5), Err(IvpError::NotKept));
    }
}

#[test]
fn spans_of_all_sizes() {
    for method in adaptive() {
        for span in [1e-12, 1.0, 1e12, -1e12] {
            // a bouncing ball in its own units of time
            let s = Ivp::new(
                move |_, y, dy| {
                    dy[0] = y[1] / span;
                    dy[1] = -G / span;
                },
                0.0,
                [1.0, 0.0],
            )
            .event(Event::new(|_, y| y[0]).falling().action(|_, y| y[1] *= -0.9))
            .method(method)
            .rtol(1e-9)
            .atol(1e-9)
            .solve_to(2.0 * span)
            .unwrap();
            let t = (2.0 / G).sqrt();
            let want = [t, 2.8 * t, 4.42 * t];
            assert_eq!(s.events.len(), 3, "{method}, {span:e}: {:?}", times(&s));
            for (e, want) in s.events.iter().zip(want) {
                close(e.t / span, want, 1e-7, &format!("{method}, {span:e}"));
            }
            close(s.at(span * t / 2.0).unwrap()[0], 0.75, 1e-7, method);
        }
        // far from zero, where time itself is coarse
        let s = Ivp::new(oscillate, 1e9, [0.0, 1.0])
            .event(Event::new(|_, y| y[0]))
            .method(method)
            .solve_to(1e9 + 10.0);
        let s = s.unwrap();
        assert_eq!(s.events.len(), 3, "{method}");
        close(s.events[0].t - 1e9, PI, 1e-5, method);
    }
}

#[test]
fn quadratures_and_statistics() {
    for method in adaptive() {
        let rates = |_: f64, y: &[f64], dy: &mut [f64]| {
            dy[0] = y[1];
            dy[1] = -y[0];
            dy[2] = 1e6 * y[1] * y[1];
        };
        let calls = Cell::new(0);
        let counted = |t: f64, y: &[f64], dy: &mut [f64]| {
            calls.set(calls.get() + 1);
            rates(t, y, dy);
        };
        let s = Ivp::new(counted, 0.0, [1.0, 0.0, 0.0])
            .quadratures(1)
            .event(Event::new(|_, y| y[0]))
            .method(method)
            .rtol(1e-9)
            .atol(1e-9)
            .solve_to(10.0)
            .unwrap();
        close(s.y_end()[2], 1e6 * (5.0 - 0.25 * 20f64.sin()), 10.0, method);
        assert_eq!(s.stats.evaluations, calls.get(), "{method}");
        assert_eq!((s.stats.events, s.events.len(), &*s.method), (3, 3, method));
        assert!(s.stats.landings >= 3 && s.stats.steps >= 3);
    }
}

#[test]
fn tolerances_component_by_component() {
    for method in adaptive() {
        // a small component beside a large one
        let rates = |_: f64, y: &[f64], dy: &mut [f64]| {
            dy[0] = 1e6 * y[1];
            dy[1] = -1e-6 * y[0];
        };
        let s = Ivp::new(rates, 0.0, [1e6, 0.0]).method(method).rtol(1e-12).atol_each(&[1e-2, 1e-8]);
        let s = { s }.solve_to(10.0).unwrap();
        close(s.y_end()[0] / 1e6, 10f64.cos(), 1e-6, method);
        close(s.y_end()[1], -(10f64.sin()), 1e-6, method);
    }
}

#[test]
fn a_jacobian_and_its_pattern() {
    for method in adaptive() {
        let s = Ivp::new(oscillate, 0.0, [1.0, 0.0])
            .jacobian(|_, _, j| {
                j.set(0, 1, 1.0);
                j.set(1, 0, -1.0);
            })
            .method(method)
            .solve_to(1.0)
            .unwrap();
        close(s.y_end()[0], 1f64.cos(), 1e-6, method);
    }
    let e = Ivp::new(oscillate, 0.0, [1.0, 0.0])
        .sparsity(carom_ode::Sparsity::full(3))
        .solve_to(1.0)
        .unwrap_err();
    assert_eq!(e.to_string(), "`sparsity` has 3 values, the problem 2 components");
}

#[test]
fn solutions_can_be_carried_on() {
    for method in adaptive() {
        let mut ivp = Ivp::new(fall, 0.0, [1.0, 0.0])
            .event(Event::new(|_, y| y[0]).falling().terminal())
            .method(method)
            .rtol(1e-9)
            .atol(1e-9);
        let mut s = ivp.solve_to(10.0).unwrap();
        // as ballode does it
        for _ in 0..4 {
            let v = s.y_end()[1];
            s = ivp.extend_with(s, [0.0, -0.9 * v], 10.0).unwrap();
        }
        let t = (2.0 / G).sqrt();
        let want = t * (1.0 + 2.0 * (0.9 + 0.81 + 0.729 + 0.6561));
        assert_eq!(s.events.len(), 5, "{method}");
        close(s.t_end(), want, 1e-7, method);
        close(s.at(0.5 * t).unwrap()[0], 0.75, 1e-7, method);
        // without changing anything it falls on
        let s = ivp.extend(s, 10.0).unwrap();
        assert_eq!((s.events.len(), s.reason), (5, Reason::End), "{method}");
        let e = ivp.extend(s, 9.0).unwrap_err();
        assert_eq!(e.to_string(), "`t_end`: t = 10 is not between 0 and 9");
        assert_eq!(e.so_far.events.len(), 5);
    }
}

/// What goes wrong says when, how, in which component; what was computed stands.
#[test]
fn failures() {
    for method in adaptive() {
        let ivp = |rates: fn(f64, &[f64], &mut [f64])| {
            Ivp::new(rates, 0.0, [1.0, 1.0]).method(method).rtol(1e-8).atol(1e-8)
        };
        let step_too_small = |mut ivp: Ivp<'_>| {
            let e = ivp.solve_to(3.0).unwrap_err();
            let IvpError::Solve(SolveError::StepTooSmall { t, h, trouble }) = e.cause.clone() else {
                panic!("{method}: {e}")
            };
            assert!(t == e.so_far.t_end() && e.so_far.len() > 1, "{method}");
            assert!(e.so_far.at(0.3 * t).is_ok());
            assert_eq!(e.to_string(), format!("at t = {t}: no step is small enough (h = {h:e}): {trouble}"));
            (t, trouble)
        };
        // y = 1/(1 − t)
        let (t, trouble) = step_too_small(ivp(|_, y, dy| {
            dy[0] = 0.0;
            dy[1] = y[1] * y[1];
        }));
        close(t, 1.0, 1e-6, method);
        assert!(
            matches!(
                trouble,
                StepTrouble::Error { component: 1 }
                    | StepTrouble::NotFinite { component: 1 }
                    | StepTrouble::NoConvergence { component: 1 }
                    | StepTrouble::TooFast
            ),
            "{method}: {trouble}"
        );
        for bad in [f64::NAN, f64::INFINITY] {
            let rates = move |t: f64, _: &[f64], dy: &mut [f64]| {
                dy[0] = 1.0;
                dy[1] = if t > 0.5 { bad } else { 0.0 };
            };
            let (t, trouble) = step_too_small(Ivp::new(rates, 0.0, [1.0, 1.0]).method(method));
            close(t, 0.5, 1e-6, method);
            assert_eq!(trouble, StepTrouble::NotFinite { component: 1 }, "{method}");
        }
        let why = RhsFailure { place: 7, reason: "out of oil" };
        let rates = move |t: f64, _: &[f64], dy: &mut [f64]| {
            dy.fill(1.0);
            if t > 0.5 { Err(why) } else { Ok(()) }
        };
        let (t, trouble) = step_too_small(Ivp::fallible(rates, 0.0, [1.0]).method(method));
        close(t, 0.5, 1e-6, method);
        assert_eq!(trouble.to_string(), "the right-hand side failed at place 7: out of oil");
        // an event function that is not a number
        let (t, trouble) = step_too_small(
            ivp(|_, _, dy| dy.fill(1.0)).event(Event::new(|t, _| if t < 0.5 { 1.0 } else { f64::NAN })),
        );
        close(t, 0.5, 1e-6, method);
        assert!(trouble.to_string().contains("event function"), "{method}: {trouble}");
        // bad from the start
        let e = ivp(|_, _, dy| dy.fill(f64::NAN)).solve_to(1.0).unwrap_err();
        assert_eq!(e.to_string(), "at the start, t = 0: component 0 is not finite");
        assert_eq!(e.so_far.t, [0.0]);
        // limits
        let e = ivp(oscillate).max_steps(5).solve_to(1e4).unwrap_err();
        assert_eq!(e.to_string(), format!("at t = {}: 5 steps taken, the limit", e.so_far.t_end()));
        assert_eq!(e.so_far.len(), 6, "{method}");
    }
}

/// A jump in the rates that nobody announced costs steps, no more.
#[test]
fn unannounced_jumps_in_the_rates() {
    for method in adaptive() {
        let s = Ivp::new(|t, _, dy| dy[0] = if t < 0.5 { 1.0 } else { -3.0 }, 0.0, [0.0])
            .method(method)
            .rtol(1e-8)
            .atol(1e-8)
            .solve_to(1.0)
            .unwrap();
        close(s.y_end()[0], -1.0, 1e-5, method);
    }
}

#[test]
fn bad_requests() {
    let ask = |ivp: Ivp<'_>, t_end: f64| { ivp }.solve_to(t_end).unwrap_err().to_string();
    let circle = || Ivp::new(oscillate, 0.0, [0.0, 1.0]);
    assert_eq!(ask(circle().output_at([0.5, 1.5]), 1.0), "`output_at`: t = 1.5 is not between 0 and 1");
    assert_eq!(ask(circle().output_at([-0.1]), 1.0), "`output_at`: t = -0.1 is not between 0 and 1");
    assert_eq!(ask(circle().output_at([f64::NAN]), 1.0), "`output_at`: t = NaN is not between 0 and 1");
    let order = "`output_at`: t = 0.2 comes after t = 0.5, against the direction of integration";
    assert_eq!(ask(circle().output_at([0.5, 0.2]), 1.0), order);
    let order = "`output_at`: t = -0.2 comes after t = -0.5, against the direction of integration";
    assert_eq!(ask(circle().output_at([-0.5, -0.2]), -1.0), order);
    assert_eq!(ask(circle().atol_each(&[1.0]), 1.0), "`atol_each` has 1 values, the problem 2 components");
    assert_eq!(ask(circle().atol_each(&[1.0, 0.0]), 1.0), "`atol_each` is 0.0; allowed: greater than 0");
    assert!(ask(circle().method("ode46"), 1.0).starts_with("no method `ode46`; there are "));
    assert!(ask(circle().rtol(-1.0), 1.0).contains("`rtol` is -1.0"));
    assert!(ask(circle(), f64::NAN).contains("t_end"));
    assert!(ask(circle().max_step(0.0), 1.0).contains("max_step"));
    assert!(ask(circle().event(Event::new(|_, _| 1.0).bounded(-1.0, 0.0)), 1.0).contains("rate"));
    assert!(ask(circle().quadratures(3), 1.0).contains("quadratures"));
    let s = circle().solve_to(1.0).unwrap();
    assert_eq!(s.at(1.5).unwrap_err().to_string(), "`at`: t = 1.5 is not between 0 and 1");
    assert!(s.at(f64::NAN).is_err() && s.at(-1e-300).is_err());
}

/// An [`Ode`] with events of its own keeps them.
#[test]
fn own_events_and_given_ones() {
    struct Bell {
        rings: Vec<f64>,
    }
    impl Ode for &mut Bell {
        fn dim(&self) -> usize {
            1
        }
        fn rhs(&mut self, _: f64, _: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
            dy[0] = 1.0;
            Ok(())
        }
        fn certify(&mut self, _: &Step<'_>) -> Result<bool, RhsFailure> {
            Ok(false)
        }
        fn first_event(&mut self, step: &Step<'_>, _: &Interpolant<'_>) -> Result<Found, RhsFailure> {
            let next = self.rings.len() as f64 + 1.0;
            Ok(if next <= step.t1 { Found::At(next) } else { Found::Nothing })
        }
        fn landing(&mut self, step: &Step<'_>) -> Landing {
            Landing { dt: self.rings.len() as f64 + 1.0 - step.t1 }
        }
        fn on_event(&mut self, t: f64, _: &mut [f64]) -> EventAction {
            self.rings.push(t);
            if t == 3.0 { EventAction::Stop } else { EventAction::Continue }
        }
    }
    for method in adaptive() {
        let mut bell = Bell { rings: Vec::new() };
        let s = Ivp::of(&mut bell, 0.0, [0.0])
            .event(Event::new(|t, _| t - 1.5))
            .event(Event::new(|t, _| t - 2.0))
            .method(method)
            .solve_to(5.0)
            .unwrap();
        assert_eq!(times(&s), [1.5, 2.0], "{method}");
        assert_eq!((s.reason, s.t_end()), (Reason::Problem, 3.0), "{method}");
        drop(s);
        assert_eq!(bell.rings, [1.0, 2.0, 3.0], "{method}");
    }
}
