//! Events that change the state, and pile up.

use carom_testkit::near;
use std::cell::Cell;

use carom_ode::{Event, Ivp, IvpError, Reason, SolveError};

use crate::common::{G, adaptive, fall};

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
                near(&format!("{method}, bounce {k}"), e.t, want, 300.0 * atol * want);
                near(method, e.y[1], -(2.0 * G).sqrt() * 0.9f64.powi(k as i32), 1e3 * atol);
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
            near(method, e.so_far.t_end(), end, 1e-3 * end);
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
        near(method, e.so_far.t_end(), 0.0, 1e-3);
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
