//! The problems with known ends, by every method that suits: no more than three times the error of the reference code of
//! its family at the same tolerance, and in proportion to the tolerance.

use carom_ode::problems::{self, Problem};
use carom_ode::{Method, Options, Solver, Stats, methods};

/// SciPy 1.17.1, and diffsol 0.18.0 for tsit45, as measured by `cargo xtask work-precision`.
const REFERENCE: &str = include_str!("data/reference_errors.csv");

/// The reference code of a method's family, if `data/reference_errors.csv` has one.
fn reference(method: &str) -> Option<&'static str> {
    Some(match method {
        "ode45" => "RK45",
        "tsit5" => "tsit45",
        "dop853" => "DOP853",
        "ode113" | "auto" => "LSODA",
        "ode15s" | "ode15s-bdf" => "BDF",
        "radau5" => "Radau",
        _ => return None,
    })
}

fn suits(method: &dyn Method, problem: &Problem) -> bool {
    // auto takes both kinds of steps
    method.name() == "auto" || method.suits_stiff() == problem.stiff
}

fn solve(method: &'static dyn Method, p: &Problem, rtol: f64, exact: bool) -> (f64, Stats) {
    let options = Options { rtol, atol: rtol, scale: p.scales(), max_steps: 1_000_000, ..Options::default() };
    let mut ode = p.ode();
    ode.exact = exact;
    let mut solver = Solver::new(method, &mut ode, p.t0, &p.start(), p.t_end, options).unwrap();
    while !solver.done() {
        solver.step(&mut ode).unwrap_or_else(|e| panic!("{} on {} at {rtol:e}: {e}", method.name(), p.name));
    }
    (p.error(solver.y()), solver.stats())
}

/// Solves every problem that suits the method at the tolerances of its reference code, and compares; without a reference,
/// at those of any code, for `check` alone.
fn all(method: &'static dyn Method, check: impl Fn(&Problem, &[(f64, f64)])) {
    let reference = reference(method.name());
    for p in problems::ALL.iter().filter(|p| suits(method, p)) {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for line in REFERENCE.lines().skip(1) {
            let [problem, code, rtol, error] = line.split(',').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let (rtol, mut theirs): (f64, f64) = (rtol.parse().unwrap(), error.parse().unwrap());
            let asked = match reference {
                Some(reference) => code == reference,
                None => points.last().is_none_or(|last| last.0 > rtol),
            };
            if problem == p.name && asked {
                if reference.is_none() {
                    theirs = f64::INFINITY;
                }
                let ours = solve(method, p, rtol, true).0;
                // below what the end itself is known to, and near rounding, nothing can be compared
                let mut floor = 3.0 * p.trust + 1e-13;
                if method.name() == "tsit5" {
                    // no code of the field is its reference; a peer's luck at loose tolerances is not its measure
                    floor += 10.0 * rtol;
                }
                assert!(
                    ours <= 3.0 * theirs + floor,
                    "{} on {} at {rtol:e}: {ours:e}, {theirs:e}",
                    method.name(),
                    p.name
                );
                points.push((rtol, ours.max(floor)));
            }
        }
        assert!(points.len() >= 3, "{} on {}: {} references", method.name(), p.name, points.len());
        check(p, &points);
    }
}

/// error ∝ rtol^p over the decades above rounding: p near 1. Controlled step by step, a method of order k gives k/(k+1); an
/// estimate of lower order than the method, as radau5's, more than 1.
fn in_proportion(method: &str, p: &Problem, points: &[(f64, f64)]) {
    let (first, last) = (points[0], points[points.len() - 1]);
    let power = (first.1 / last.1).log10() / (first.0 / last.0).log10();
    let range = if method.starts_with("ode15s") { 0.6..1.15 } else { 0.7..1.4 };
    assert!(range.contains(&power) || last.1 <= 1e-12, "{method} on {}: rtol^{power:.2}, {points:?}", p.name);
}

/// A test for each method, so that they run side by side, and one for all methods that have none.
macro_rules! of {
    ($($test:ident $name:literal)*) => {
        $(
            #[test]
            fn $test() {
                all(methods::find($name).unwrap(), |p, points| in_proportion($name, p, points));
            }
        )*

        #[test]
        fn any_other() {
            let named = [$($name),*];
            for method in methods::ALL.iter().filter(|m| m.is_adaptive() && !named.contains(&m.name())) {
                all(*method, |p, points| in_proportion(method.name(), p, points));
            }
        }
    };
}

of! {
    auto "auto"
    ode45 "ode45"
    tsit5 "tsit5"
    dop853 "dop853"
    ode113 "ode113"
    ode15s "ode15s"
    ode15s_bdf "ode15s-bdf"
    radau5 "radau5"
}

/// With the pattern of the Jacobian, differences take few evaluations, and lose nothing.
#[test]
fn differences_instead_of_the_jacobian() {
    let p = problems::find("brusselator").unwrap();
    for name in ["ode15s", "radau5"] {
        let method = methods::find(name).unwrap();
        let ((a, exact), (b, differences)) = (solve(method, p, 1e-6, true), solve(method, p, 1e-6, false));
        assert!(b < 3.0 * a + 1e-6, "{name}: {a:e}, {b:e}");
        let extra = differences.evaluations as f64 - exact.evaluations as f64;
        assert!(extra < 10.0 * differences.jacobians as f64, "{name}: {exact:?} {differences:?}");
    }
}
