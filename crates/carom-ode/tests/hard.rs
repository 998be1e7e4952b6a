//! Right-hand sides that change their nature: what is stiff goes soft within a step, and no method may say it has solved
//! what it has not.

use crate::common::adaptive;
use carom_ode::{Event, Ivp};

/// The end, if the method comes to it; a named error is no wrong answer.
fn end(method: &str, tol: f64, f: impl FnMut(f64, &[f64], &mut [f64]), y0: &[f64], t: f64) -> Option<f64> {
    let mut ivp = Ivp::new(f, 0.0, y0).method(method).rtol(tol).atol(tol).max_steps(300_000).dense(false);
    ivp.solve_to(t).ok().map(|s| s.y_end()[0])
}

#[test]
fn stiffness_that_vanishes() {
    for method in ["auto", "radau5"] {
        for tol in [1e-3, 1e-6, 1e-8] {
            let off = |what: &str, y: Option<f64>, exact: f64| {
                let Some(y) = y else { return };
                assert!((y - exact).abs() < 1e3 * tol, "{method} at {tol:e}, {what}: {y}, not {exact}");
            };
            let y = end(
                method,
                tol,
                |t, y, d| d[0] = if t < 0.5 { -1e9 * (y[0] - 1.0) } else { 1.0 },
                &[0.0],
                1.0,
            );
            off("switch in time", y, 1.5);
            let y = end(method, tol, |_, y, d| d[0] = 1.0 / y[0], &[1e-14], 1.0);
            off("1/y", y, 2f64.sqrt());
            let kink = |_: f64, y: &[f64], d: &mut [f64]| {
                d[0] = if y[0] < 1.0 { 1.0 } else { 1.0 - 1e8 * (y[0] - 1.0) };
            };
            off("kink", end(method, tol, kink, &[0.0], 2.0), 1.0);
        }
    }
}

/// `ode15s` sees the rates once a step: it must be told when they become others.
#[test]
fn stiffness_that_vanishes_from_under_a_multistep_method() {
    for method in ["ode15s", "ode15s-bdf"] {
        let switch = |t: f64, y: &[f64], d: &mut [f64]| {
            d[0] = if t < 0.5 { -1e8 * (y[0] - t.cos()) } else { 5.0 * y[0] };
        };
        let event = Event::new(|t, _| t - 0.5).restart();
        let s = Ivp::new(switch, 0.0, [1.0]).event(event).method(method).rtol(1e-6).atol(1e-6).solve_to(1.0);
        let (y, exact) = (s.unwrap().y_end()[0], 0.5f64.cos() * 2.5f64.exp());
        assert!((y - exact).abs() < 1e-3, "{method}: {y}, not {exact}");
    }
}

/// A body pressed on a stiff, damped wall, then pulled off.
#[test]
fn a_wall_that_lets_go() {
    for method in ["auto", "radau5"] {
        let f = |t: f64, y: &[f64], d: &mut [f64]| {
            let wall = if y[0] < 0.0 { -1e12 * y[0] - 1e6 * y[1] } else { 0.0 };
            (d[0], d[1]) = (y[1], (3.0 * t).sin() - 0.5 + wall);
        };
        let Some(x) = end(method, 1e-8, f, &[0.0, 0.0], 1.0) else { continue };
        assert!((x - 0.1078).abs() < 1e-3, "{method}: {x}");
    }
}

#[test]
fn bad_quadratures_are_told() {
    for method in adaptive() {
        let f = |t: f64, y: &[f64], d: &mut [f64]| {
            (d[0], d[1]) = (-y[0], if t > 0.5 { f64::NAN } else { 1.0 });
        };
        let e = Ivp::new(f, 0.0, [1.0, 0.0]).quadratures(1).method(method).solve_to(1.0).unwrap_err();
        assert!(e.to_string().contains("component 1 is not finite"), "{method}: {e}");
    }
}

#[test]
fn a_component_that_stays_zero_without_an_absolute_tolerance() {
    for method in adaptive() {
        let f = |_: f64, y: &[f64], d: &mut [f64]| (d[0], d[1]) = (-y[0], 0.0);
        let s = Ivp::new(f, 0.0, [1.0, 0.0]).rtol(1e-6).atol(0.0).method(method).solve_to(1.0).unwrap();
        assert!((s.y_end()[0] - (-1f64).exp()).abs() < 1e-4, "{method}");
    }
}

#[test]
fn spans_of_a_few_roundings() {
    for method in adaptive() {
        for span in [1e-13, 1e-14, 4e-16] {
            let s = Ivp::new(|_, y: &[f64], d: &mut [f64]| d[0] = -y[0], 1.0, [1.0]).method(method);
            let mut s = s;
            assert!((s.solve_to(1.0 + span).unwrap().y_end()[0] - 1.0).abs() < 1e-12, "{method} {span:e}");
        }
    }
}

/// Without a pattern, thousands of components are not given a full matrix behind one's back.
#[test]
fn many_components_without_a_pattern() {
    let n = 6000;
    let heat = |_: f64, y: &[f64], d: &mut [f64]| {
        for i in 0..n {
            let left = if i > 0 { y[i - 1] } else { 0.0 };
            let right = if i + 1 < n { y[i + 1] } else { 0.0 };
            d[i] = 50.0 * (left - 2.0 * y[i] + right);
        }
    };
    let y0: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == n / 2))).collect();
    let s = Ivp::new(heat, 0.0, &y0[..]).rtol(1e-4).atol(1e-6).dense(false).solve_to(1.0).unwrap();
    assert_eq!(s.stats.factorisations, 0);
}

/// Rest at a corner of the rates, left a thousand times faster to one side than to the other, as bristles have it that gain
/// by rest and lose by slip: once nothing but rounding moves, no method may stumble over the corner.
#[test]
fn rest_at_a_corner() {
    let rate = |y: f64| if y < 1.0 { 10.0 } else { 1e4 };
    let rates = move |_: f64, y: &[f64], dy: &mut [f64]| dy[0] = rate(y[0]) * (1.0 - y[0]);
    for method in ["radau5", "ode15s", "auto"] {
        for exact in [true, false] {
            let mut problem = Ivp::new(rates, 0.0, [0.0]).method(method).rtol(1e-8).atol(1e-8);
            if exact {
                problem = problem.jacobian(move |_, y, j| j.set(0, 0, -rate(y[0])));
            }
            let end = problem.solve_to(1e4).unwrap();
            assert!((end.y_end()[0] - 1.0).abs() < 1e-8, "{method}: {:e}", end.y_end()[0] - 1.0);
            assert!(end.stats.steps < 2000, "{method}, exact {exact}: {:?}", end.stats);
        }
    }
}
