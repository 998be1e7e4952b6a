//! Checks the problems: Jacobians against differences, final states against an integration.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

use super::{ALL, Problem, brusselator_start, find};
use crate::{Options, Solver, methods};

/// Returns the problem's Jacobian as a full matrix, row by row.
fn matrix(p: &Problem, t: f64, y: &[f64]) -> Vec<f64> {
    let n = y.len();
    let mut full = vec![f64::NAN; n * n];
    (p.jacobian.unwrap())(t, y, &mut |i, j, value| {
        assert!(full[i * n + j].is_nan(), "{}: ({i}, {j}) named twice", p.name);
        full[i * n + j] = value;
    });
    full.iter().map(|v| if v.is_nan() { 0.0 } else { *v }).collect()
}

/// Checks a Jacobian against central differences of order four at y, column by column.
fn check_jacobian(p: &Problem, y: &[f64]) {
    let (n, exact) = (y.len(), matrix(p, 0.3, y));
    let rates = |y: &[f64]| {
        let mut dy = vec![0.0; n];
        (p.rhs)(0.3, y, &mut dy);
        dy
    };
    let here = rates(y);
    for j in 0..n {
        let h = 1e-5 * y[j].abs().max(1e-9);
        let moved = |k: f64| {
            let mut arg = y.to_vec();
            arg[j] += k * h;
            rates(&arg)
        };
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(moved);
        for i in 0..n {
            let difference = (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h);
            // the truncation error is a fraction of the entry, the rounding error a fraction of the largest term of the
            // row
            let row = (0..n).fold(here[i].abs(), |s, k| s.max((exact[i * n + k] * y[k]).abs()));
            let allowed = 1e-8 * exact[i * n + j].abs() + 1e-14 * row / h;
            let off = (exact[i * n + j] - difference).abs();
            assert!(off <= allowed, "{}: ({i}, {j}): {} but {difference}", p.name, exact[i * n + j]);
        }
    }
}

#[test]
fn jacobians_match_differences() {
    for p in ALL {
        check_jacobian(p, p.end);
        // a state where no component is 0 and all are different
        let y: Vec<f64> =
            (0..p.dim()).map(|i| 0.7 + 0.21 * (i as f64 * 1.7).sin() + 0.01 * i as f64).collect();
        check_jacobian(p, &y);
    }
    check_jacobian(find("brusselator").unwrap(), &brusselator_start(7));
}

#[test]
fn lengths_and_measures_fit() {
    for p in ALL {
        assert_eq!(p.start().len(), p.dim(), "{}", p.name);
        assert!(p.scale_atol.is_empty() || p.scale_atol.len() == p.dim(), "{}", p.name);
        assert!(p.end.iter().all(|y| y.abs() + p.floor > 0.0), "{}", p.name);
        assert_eq!(p.error(p.end), 0.0);
        assert!(p.error(&p.start()[1..]).is_infinite());
        assert_eq!(ALL.iter().filter(|other| other.name == p.name).count(), 1, "{}", p.name);
    }
}

fn integrate(p: &Problem, rtol: f64) -> Vec<f64> {
    let options = Options { rtol, atol: rtol, scale: p.scales(), ..Options::default() };
    let mut ode = p.ode();
    let method = methods::find("dop853").unwrap();
    let mut solver = Solver::new(method, &mut ode, p.t0, &p.start(), p.t_end, options).unwrap();
    while !solver.done() {
        solver.step(&mut ode).unwrap();
    }
    solver.y().to_vec()
}

/// dop853 at 1e-12 reaches the final states; orbits amplify its errors.
#[test]
fn ends_are_reached() {
    for p in ALL.iter().filter(|p| !p.stiff) {
        let allowed = match p.name {
            "arenstorf" => 3e-9,
            "arenstorf-3/4" | "pleiades" => 1e-10,
            _ => 2e-11,
        };
        let error = p.error(&integrate(p, 1e-12));
        assert!(error <= allowed, "{}: {error:e}", p.name);
    }
}

/// The Brusselator is stiff enough to slow dop853 down, but not to stop it.
#[test]
fn brusselator_is_reached() {
    let p = find("brusselator").unwrap();
    let error = p.error(&integrate(p, 1e-12));
    assert!(error <= 1e-12, "{error:e}");
}

/// Reactions convert substances into each other: their sum is constant.
#[test]
fn reactions_keep_mass() {
    for name in ["robertson", "robertson-long"] {
        let end = find(name).unwrap().end;
        assert!((end.iter().sum::<f64>() - 1.0).abs() < 3e-16, "{name}");
    }
}
