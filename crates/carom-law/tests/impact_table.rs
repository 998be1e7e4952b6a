//! The standard impact of every normal law, integrated here step by step, against an independent table and
//! against the closed forms.

// also outside of #[test] functions: a table that cannot be read is a failed test
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use carom_base::{Args, Dual, Value};
use carom_law::impact::{StandardImpact, effective_restitution};
use carom_law::normal::{self, Hertz, HuntCrossley};
use carom_law::{Indentation, Normal, Touch};
use common::close;

/// What an impact is judged by; in units of length(), v0 and their kin where those are one.
#[derive(Debug, Default)]
struct Outcome {
    restitution: f64,
    max_indentation: f64,
    peak_force: f64,
    duration: f64,
    compression: f64,
}

type Pair = [f64; 2];

/// One classical Runge–Kutta step of y' = f(s, y).
fn step(f: &impl Fn(f64, Pair) -> Pair, s: f64, y: Pair, h: f64) -> Pair {
    let add = |a: Pair, k: Pair, c: f64| [a[0] + c * k[0], a[1] + c * k[1]];
    let k1 = f(s, y);
    let k2 = f(s + 0.5 * h, add(y, k1, 0.5 * h));
    let k3 = f(s + 0.5 * h, add(y, k2, 0.5 * h));
    let k4 = f(s + h, add(y, k3, h));
    let sum = |i: usize| k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i];
    [y[0] + h / 6.0 * sum(0), y[1] + h / 6.0 * sum(1)]
}

/// The part h of a step after which g, positive at its start, has reached zero.
fn locate(step_to: impl Fn(f64) -> Pair, g: impl Fn(Pair) -> f64, h: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, h);
    for _ in 0..60 {
        let mid = 0.5 * (lo + hi);
        if g(step_to(mid)) > 0.0 { lo = mid } else { hi = mid }
    }
    hi
}

/// m δ̈ = −F for mass 1, speed 1 and stiffness 1.
///
/// Near touch and release δⁿ is not smooth in time, but everything is smooth in z = √δ: there z is the
/// independent variable, dv/dz = −2z F/v and dt/dz = 2z/v. In between it is time.
fn standard_impact(law: &dyn Normal) -> Outcome {
    let touch = Touch { stiffness: 1.0, v0: 1.0, mass: 1.0 };
    let force = |x: f64, v: f64| law.force(Indentation { delta: x, delta_dot: v }, &touch).f_n;
    let force_rate = |[x, v]: Pair| {
        let c = Indentation { delta: Dual::variable(x, 0), delta_dot: Dual::variable(v, 1) };
        let f = law.force_dual(c, &touch).f_n;
        f.eps[0] * v - f.eps[1] * f.re
    };
    let edge = |z: f64, [v, _]: Pair| [-2.0 * z * force(z * z, v) / v, 2.0 * z / v];
    let inside = |_: f64, [x, v]: Pair| [v, -force(x, v)];

    let z_edge = 0.3;
    let n = 4000;
    let dz = z_edge / f64::from(n);
    let mut y = [1.0, 0.0];
    for i in 0..n {
        y = step(&edge, f64::from(i) * dz, y, dz);
    }

    let (mut t, h) = (y[1], 2e-4);
    let mut out = Outcome::default();
    y = [z_edge * z_edge, y[0]];
    loop {
        let next = step(&inside, t, y, h);
        let to = |h: f64| step(&inside, t, y, h);
        if force_rate(y) > 0.0 && force_rate(next) <= 0.0 {
            let [x, v] = to(locate(to, force_rate, h));
            out.peak_force = force(x, v);
        }
        if y[1] > 0.0 && next[1] <= 0.0 {
            let part = locate(to, |y| y[1], h);
            (out.max_indentation, out.compression) = (to(part)[0], t + part);
        }
        if next[1] < 0.0 && next[0] < z_edge * z_edge {
            let part = locate(to, |y| y[0] - z_edge * z_edge, h);
            (y, t) = (to(part), t + part);
            break;
        }
        (y, t) = (next, t + h);
    }

    y = [y[1], t];
    for i in 0..n {
        y = step(&edge, f64::from(n - i) * dz, y, -dz);
    }
    (out.restitution, out.duration) = (-y[0], y[1]);
    out
}

fn table() -> serde_json::Value {
    serde_json::from_str(include_str!("data/impact.json")).unwrap()
}

const TOLERANCE: f64 = 1e-11;

fn compare(out: &Outcome, row: &serde_json::Value, what: &str) {
    let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{what}: no `{key}` in the table"));
    close(out.restitution, number("restitution"), TOLERANCE, 0.0, &format!("{what} restitution"));
    close(out.max_indentation, number("max_indentation"), TOLERANCE, 0.0, &format!("{what} max indentation"));
    close(out.peak_force, number("peak_force"), TOLERANCE, 0.0, &format!("{what} peak force"));
    close(out.duration, number("duration"), TOLERANCE, 0.0, &format!("{what} duration"));
    if row.get("compression").is_some() {
        close(out.compression, number("compression"), TOLERANCE, 0.0, &format!("{what} compression"));
    }
}

fn compare_closed(out: &Outcome, exponent: f64, eta: f64, what: &str) {
    let closed = StandardImpact { mass: 1.0, v0: 1.0, stiffness: 1.0, exponent, eta };
    close(out.restitution, closed.restitution(), TOLERANCE, 0.0, what);
    close(out.max_indentation, closed.max_indentation(), TOLERANCE, 0.0, what);
    close(out.peak_force, closed.peak_force(), TOLERANCE, 0.0, what);
    if eta == 0.0 {
        close(out.duration, closed.elastic_duration(), TOLERANCE, 0.0, what);
    }
}

#[test]
fn elastic_impacts() {
    let table = table();
    for (n, row) in table["elastic"].as_object().unwrap() {
        let exponent: f64 = n.parse().unwrap();
        let out = standard_impact(&Hertz::new().exponent(exponent).stiffness(1.0));
        compare(&out, row, &format!("hertz n = {n}"));
        compare_closed(&out, exponent, 0.0, n);
    }
}

#[test]
fn every_law_of_the_family() {
    let table = table();
    for entry in normal::ALL {
        let Some(eta) = entry.eta else { continue };
        let rows = table["family"][entry.name()].as_object();
        let rows = rows.unwrap_or_else(|| panic!("no rows of {} in tests/data/impact.json", entry.name()));
        assert_eq!(rows.len(), 9, "{}", entry.name());
        for (c, row) in rows {
            let what = format!("{} c = {c}", entry.name());
            let c: f64 = c.parse().unwrap();
            close(eta(c), row["eta"].as_f64().unwrap(), 1e-13, 0.0, &what);
            let law = entry.make(&Args::new().with("restitution", Value::Number(c))).unwrap();
            let out = standard_impact(&*law);
            compare(&out, row, &what);
            compare_closed(&out, 1.5, eta(c), &what);
        }
        // the restitution does not depend on the exponent
        let args = [("restitution", 0.6), ("exponent", 2.0), ("stiffness", 1.0)];
        let args = args.iter().fold(Args::new(), |args, (name, x)| args.with(name, Value::Number(*x)));
        let out = standard_impact(&*entry.make(&args).unwrap());
        compare_closed(&out, 2.0, eta(0.6), entry.name());
    }
}

#[test]
fn constant_damping_is_the_family_with_eta_by_speed() {
    for chi in [0.05, 0.4, 2.0] {
        let out = standard_impact(&HuntCrossley::damping(chi).unwrap());
        close(out.restitution, effective_restitution(chi), TOLERANCE, 0.0, "constant damping");
        compare_closed(&out, 1.5, chi, "constant damping");
    }
}

/// 1 kg at 1 m/s onto K = 1.4e8 N/m^{3/2}, Hunt and Crossley for c = 0.7: reference values in SI units.
#[test]
fn closed_forms_in_si_units() {
    let eta = HuntCrossley::restitution(0.7).unwrap().eta().unwrap();
    let impact = StandardImpact { mass: 1.0, v0: 1.0, stiffness: 1.4e8, exponent: 1.5, eta };
    close(impact.max_indentation(), 0.000544454931315, 1e-11, 0.0, "max indentation");
    close(impact.peak_force(), 1888.54143522, 1e-11, 0.0, "peak force");
}
