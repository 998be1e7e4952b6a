//! Outputs, between them, statistics, carrying on.

use carom_testkit::near;
use std::cell::Cell;
use std::f64::consts::PI;

use carom_ode::{Direction, Event, Ivp, IvpError, Options, Reason, Solution, Solver, methods};

use crate::common::{G, Plain, adaptive, fall, oscillate};

#[test]
fn outputs() {
    for method in adaptive() {
        let circle = || Ivp::new(oscillate, 0.0, [0.0, 1.0]).method(method).rtol(1e-9).atol(1e-9);
        let at = [0.0, 0.1, 0.1, 2.5, 6.0, 7.0];
        let s = circle().output_at(at).solve_to(7.0).unwrap();
        assert_eq!(s.t, at);
        for (t, y) in s.iter() {
            near(method, y[0], t.sin(), 1e-6);
            near(method, y[1], t.cos(), 1e-6);
        }
        let steps = circle().solve_to(7.0).unwrap();
        assert_eq!(steps.len(), steps.stats.steps + 1, "{method}");
        assert_eq!((steps.t[0], steps.t_end(), steps.t[steps.len() - 1]), (0.0, 7.0, 7.0));
        let fine = circle().refine(4).solve_to(7.0).unwrap();
        assert_eq!(fine.len(), 4 * fine.stats.steps + 1, "{method}");
        for (t, y) in fine.iter() {
            near(method, y[0], t.sin(), 1e-6);
        }
        assert_eq!(fine.component(1).count(), fine.len());
        // the same steps, whatever is asked for
        assert_eq!(fine.stats.steps, steps.stats.steps, "{method}");
        // backward
        let s = circle().output_at([-0.5, -1.0]).solve_to(-1.0).unwrap();
        near(method, s.y(0)[0], -(0.5f64.sin()), 1e-6);
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
        near(method, s.t_end(), PI / 2.0, 1e-7);
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
                    near(&format!("{method}, component {i} at {t}"), kept[i], y[i], 1e-14 * size);
                }
                seen += 1;
            }
        }
        assert!(seen > 50 && solver.stats().steps == s.stats.steps);
        // and at the outputs the outputs
        for (t, y) in s.iter() {
            near(method, s.at(t).unwrap()[0], y[0], 1e-14);
        }
        let none = Ivp::new(rates, 0.0, [1.0, 0.0, 0.0]).method(method).dense(false).solve_to(1.0).unwrap();
        assert_eq!(none.at(0.5), Err(IvpError::NotKept));
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
        near(method, s.y_end()[2], 1e6 * (5.0 - 0.25 * 20f64.sin()), 10.0);
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
        near(method, s.y_end()[0] / 1e6, 10f64.cos(), 1e-6);
        near(method, s.y_end()[1], -(10f64.sin()), 1e-6);
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
        near(method, s.y_end()[0], 1f64.cos(), 1e-6);
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
        near(method, s.t_end(), want, 1e-7);
        near(method, s.at(0.5 * t).unwrap()[0], 0.75, 1e-7);
        // without changing anything it falls on
        let s = ivp.extend(s, 10.0).unwrap();
        assert_eq!((s.events.len(), s.reason), (5, Reason::End), "{method}");
        let e = ivp.extend(s, 9.0).unwrap_err();
        assert_eq!(e.to_string(), "`t_end`: t = 10 is not between 0 and 9");
        assert_eq!(e.so_far.events.len(), 5);
    }
}

/// Between the steps of a stiff problem, long as they are: y' = −λ(y − sin t) + cos t, y = sin t (A. Prothero,
/// A. Robinson, Math. Comp. 28 (1974) 145–162). What is kept, refined and asked for is held to the tolerance.
#[test]
fn between_the_steps_of_a_stiff_problem() {
    for method in ["auto", "radau5", "ode15s", "ode15s-bdf"] {
        for lambda in [1.0, 1e4, 1e8] {
            for tol in [1e-4, 1e-6, 1e-8] {
                let rates = |t: f64, y: &[f64], dy: &mut [f64]| dy[0] = -lambda * (y[0] - t.sin()) + t.cos();
                let ivp = || Ivp::new(rates, 0.0, [0.0]).method(method).rtol(tol).atol(tol);
                let s = ivp().solve_to(10.0).unwrap();
                let wrong = |t: f64, y: f64| (y - t.sin()).abs();
                let kept = (0..=1000).map(|k| 0.01 * f64::from(k)).map(|t| wrong(t, s.at(t).unwrap()[0]));
                let kept = kept.fold(0.0, f64::max);
                assert!(kept < 15.0 * tol, "{method}, {lambda:e}, {tol:e}: {kept:e}");
                // the explicit half of auto starts with a few steps beyond its stability, as good at their ends only
                if method != "auto" {
                    let fine = ivp().dense(false).refine(8).solve_to(10.0).unwrap();
                    let refined = fine.iter().map(|(t, y)| wrong(t, y[0])).fold(0.0, f64::max);
                    assert!(refined < 15.0 * tol, "{method}, {lambda:e}, {tol:e}: {refined:e}");
                }
                // who asks for the end alone takes the longer steps
                let end = ivp().dense(false).solve_to(10.0).unwrap();
                assert!(
                    end.stats.steps <= s.stats.steps && wrong(10.0, end.y_end()[0]) < 15.0 * tol,
                    "{method}"
                );
            }
        }
    }
}

#[test]
fn a_solution_is_the_same_from_its_bytes() {
    let bounce =
        Event::new(|_, y| y[0]).direction(Direction::Falling).action(|_, y| y[1] *= -0.9).terminal_after(3);
    let mut ivp = Ivp::new(|_, y, dy| (dy[0], dy[1]) = (y[1], -9.81), 0.0, [1.0, 0.0]).event(bounce);
    let s = ivp.solve_to(60.0).unwrap();
    let bytes = s.to_bytes();
    let again = Solution::from_bytes(&bytes).unwrap();
    assert_eq!(again.to_bytes(), bytes);
    assert_eq!((again.at(0.3).unwrap(), again.reason), (s.at(0.3).unwrap(), s.reason));
    // whatever is cut off is missed, and other bytes are refused or read without a panic
    for end in 0..bytes.len() {
        assert!(Solution::from_bytes(&bytes[..end]).is_err());
    }
    for i in 0..bytes.len() {
        let mut bad = bytes.clone();
        bad[i] ^= 0x40;
        if let Ok(read) = Solution::from_bytes(&bad) {
            let _ = read.at(0.3);
        }
    }
}
