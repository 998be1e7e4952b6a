//! What goes wrong, and what it says.

use carom_ode::{Event, Ivp, IvpError, RhsFailure, Site, SolveError, StepTrouble};
use carom_testkit::near;

use crate::common::{adaptive, oscillate};

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
        near(method, t, 1.0, 1e-6);
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
            near(method, t, 0.5, 1e-6);
            assert_eq!(trouble, StepTrouble::NotFinite { component: 1 }, "{method}");
        }
        let why = RhsFailure { site: Site::Component(7), reason: "out of oil" };
        let rates = move |t: f64, _: &[f64], dy: &mut [f64]| {
            dy.fill(1.0);
            if t > 0.5 { Err(why) } else { Ok(()) }
        };
        let (t, trouble) = step_too_small(Ivp::fallible(rates, 0.0, [1.0]).method(method));
        near(method, t, 0.5, 1e-6);
        assert_eq!(trouble, StepTrouble::Rhs(why));
        assert_eq!(trouble.to_string(), "the right-hand side failed: out of oil");
        // an event function that is not a number
        let (t, trouble) = step_too_small(
            ivp(|_, _, dy| dy.fill(1.0)).event(Event::new(|t, _| if t < 0.5 { 1.0 } else { f64::NAN })),
        );
        near(method, t, 0.5, 1e-6);
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
        near(method, s.y_end()[0], -1.0, 1e-5);
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
