//! Which zeros count: directions, numbers, several at a time, at the start and at the end.

use carom_testkit::near;
use std::cell::Cell;
use std::f64::consts::{PI, TAU};

use carom_ode::{Event, Ivp, Reason};

use crate::common::{G, adaptive, fall, oscillate, times};

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
            near(method, e.t, PI * (k + 1) as f64, 1e-6);
            assert_eq!(e.rising, k % 2 == 1);
        }
        let s = circle(0.5).event(Event::new(g).rising()).solve_to(20.0).unwrap();
        assert_eq!(s.events.len(), 3, "{method}");
        near(method, s.events[0].t, TAU, 1e-6);
        let s = circle(0.5).event(Event::new(g).falling().terminal_after(3)).solve_to(100.0).unwrap();
        assert_eq!((s.events.len(), s.reason), (3, Reason::Event(0)), "{method}");
        near(method, s.t_end(), 5.0 * PI, 1e-6);
        // backward, sin t comes to 0 at −π from below: as t decreases from −0.5 it is negative until there
        let s = circle(-0.5).event(Event::new(g).rising().terminal()).solve_to(-20.0).unwrap();
        near(method, s.t_end(), -PI, 1e-6);
        let s = circle(-0.5).event(Event::new(g).falling()).solve_to(-20.0).unwrap();
        assert_eq!(s.events.len(), 3, "{method}: {:?}", times(&s));
        near(method, s.events[0].t, -TAU, 1e-6);
        assert!(s.t.windows(2).all(|w| w[1] < w[0]));
        near(method, s.at(-7.7).unwrap()[0], f64::sin(-7.7), 1e-6);
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
            near(method, e.t, w.0, 1e-7);
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
        near(method, s.events[0].t, s.events[1].t, 1e-15);
        near(method, s.events[2].t, s.events[4].t, 1e-15);
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
        near(method, up.events[0].t, 10.0 / G, 1e-7);
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
        near(method, s.events[1].t, 10.0 / G, 1e-7);
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
            near(method, e.t, want, 1e-7);
            want += if k % 2 == 0 { cool } else { heat };
        }
        assert_eq!(s.events.len(), 13, "{method}");
        // no output twice: the state did not jump
        assert!(s.t.windows(2).all(|w| w[0] < w[1]), "{method}");
    }
}
