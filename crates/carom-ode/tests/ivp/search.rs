//! Zeros that are hard to see, and where they are.

use carom_testkit::near;
use std::f64::consts::PI;

use carom_ode::{Event, Ivp};

use crate::common::{G, adaptive, fall, oscillate, times};

/// Two zeros within one long step; certified, ones that no looking would find.
#[test]
fn dips_within_a_step() {
    for method in adaptive() {
        let line = || Ivp::new(|_, _, dy| dy[0] = 1.0, 0.0, [0.0]).method(method).first_step(1.0);
        let dip = |t: f64, _: &[f64]| (t - 0.437).powi(2) - 1e-6;
        let s = line().event(Event::new(dip)).solve_to(1.0).unwrap();
        assert_eq!(s.events.len(), 2, "{method}: {:?}", times(&s));
        near(method, s.events[0].t, 0.436, 1e-12);
        near(method, s.events[1].t, 0.438, 1e-12);
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
            near(method, s.events[0].t, 0.427, 1e-12);
            near(method, s.events[1].t, 0.447, 1e-12);
            let backward = Ivp::new(|_, _, dy| dy[0] = 1.0, 1.0, [1.0])
                .method(method)
                .event(Event::new(spike).bounded(limit, curvature).rising())
                .solve_to(0.0)
                .unwrap();
            assert_eq!(backward.events.len(), 1, "{method}: {:?}", times(&backward));
            near(method, backward.events[0].t, 0.427, 1e-12);
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
            near(&format!("{method}, bounce {k}"), e.t, want, 1e-4);
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
            near(method, s.events[0].t, 7f64.ln(), 1e-3);
            assert!(s.events[0].rising);
        }
        // of time alone: to rounding
        let s = Ivp::new(oscillate, 0.0, [1.0, 0.0])
            .event(Event::new(|t, _| if t < 1.3 { 1.0 } else { -1.0 }).restart())
            .method(method)
            .solve_to(3.0)
            .unwrap();
        assert_eq!(s.events.len(), 1, "{method}: {:?}", times(&s));
        near(method, s.events[0].t, 1.3, 1e-15);
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
                near(&format!("{method}, {span:e}"), e.t / span, want, 1e-7);
            }
            near(method, s.at(span * t / 2.0).unwrap()[0], 0.75, 1e-7);
        }
        // far from zero, where time itself is coarse
        let s = Ivp::new(oscillate, 1e9, [0.0, 1.0])
            .event(Event::new(|_, y| y[0]))
            .method(method)
            .solve_to(1e9 + 10.0);
        let s = s.unwrap();
        assert_eq!(s.events.len(), 3, "{method}");
        near(method, s.events[0].t - 1e9, PI, 1e-5);
    }
}
