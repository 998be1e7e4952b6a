//! Orbits and rigid bodies: the error follows the tolerance, at a known cost.

use carom_ode::Options;
use carom_ode::problems::{self, Problem, Rhs};

use super::{error, solve};
use crate::common::{Plain, tolerance};

/// A problem of the library, and what another code makes of it.
struct Peer {
    problem: &'static Problem,
    y0: Vec<f64>,
    t_end: f64,
    /// known to 1e-13, or the start of a closed orbit
    want: Vec<f64>,
    /// evaluations for an error of 1e-3, 1e-5, 1e-7 with LSODA (ODEPACK through SciPy 1.17), from the line nearest to its
    /// runs at the same tolerances
    lsoda: [f64; 3],
    /// largest error over tolerance
    amplification: f64,
}

impl Peer {
    fn of(name: &str, lsoda: [f64; 3], amplification: f64) -> Peer {
        let problem = problems::find(name).unwrap();
        let (y0, t_end, want) = (problem.start(), problem.t_end, problem.end.to_vec());
        Peer { problem, y0, t_end, want, lsoda, amplification }
    }

    /// Ten rounds of the ellipse of eccentricity ½, from (½, 0) with speed √3, period 2π.
    fn ellipse() -> Peer {
        let orbit = vec![0.5, 0.0, 0.0, 3f64.sqrt()];
        let t_end = 20.0 * std::f64::consts::PI;
        let lsoda = [2216.0, 3211.0, 4312.0];
        Peer { y0: orbit.clone(), t_end, want: orbit, ..Peer::of("kepler", lsoda, 2e4) }
    }
}

fn peers() -> [Peer; 4] {
    [
        Peer::of("rigid-20", [254.0, 416.0, 605.0], 30.0),
        Peer::of("pleiades", [1226.0, 1916.0, 2857.0], 3e3),
        Peer::of("arenstorf", [1238.0, 1845.0, 2831.0], 3e4),
        Peer::ellipse(),
    ]
}

/// (tolerance, error, evaluations) over the tolerances 1e-3 … 1e-12, two in a decade.
fn runs(p: &Peer) -> Vec<(f64, f64, f64)> {
    (6..=24)
        .map(|half| {
            let rtol = 10f64.powf(-0.5 * f64::from(half));
            let (y, stats) = solve(&mut Plain(p.problem.rhs), &p.y0, 0.0, p.t_end, tolerance(rtol));
            (rtol, error(&y, &p.want), stats.evaluations as f64)
        })
        .collect()
}

/// Slope and value at x of the straight line nearest to points.
fn line(points: &[(f64, f64)], x: f64) -> (f64, f64) {
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (xx, xy) =
        points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - mx).powi(2), b + (x - mx) * (y - my)));
    (xy / xx, my + xy / xx * (x - mx))
}

/// Over nine decades the error goes as the tolerance, and an error costs less than with LSODA, another Adams code.
#[test]
fn error_and_cost_on_smooth_problems() {
    for p in peers() {
        let runs = runs(&p);
        // an error of the size of the orbit says nothing
        let small: Vec<_> = runs.iter().filter(|r| r.1 < 0.1).map(|r| (r.0.log10(), r.1.log10())).collect();
        let (slope, _) = line(&small, 0.0);
        assert!(
            small.len() > 12 && (slope - 1.0).abs() < 0.15,
            "{}: error as tolerance^{slope}",
            p.problem.name
        );
        for (rtol, error, _) in &runs {
            assert!(*error < p.amplification * rtol, "{}: {error:e} at {rtol:e}", p.problem.name);
        }
        for (lsoda, at) in p.lsoda.into_iter().zip([-3.0, -5.0, -7.0]) {
            let near: Vec<_> = runs.iter().map(|r| (r.1.log10(), r.2.log10())).collect();
            let near: Vec<_> = near.into_iter().filter(|r| (r.0 - at).abs() < 2.0).collect();
            let evaluations = 10f64.powf(line(&near, at).1);
            assert!(
                evaluations < 0.85 * lsoda,
                "{}: {evaluations} for 1e{at}, LSODA {lsoda}",
                p.problem.name
            );
        }
    }
}

/// y' = a polynomial of degree below the order reached: nothing but rounding is left.
#[test]
fn polynomials_are_exact() {
    let mut ode = Plain(|t: f64, _: &[f64], dy: &mut [f64]| dy[0] = 7.0 * t.powi(6) - 4.0 * t.powi(3));
    let (y, stats) = solve(&mut ode, &[0.0], 0.0, 20.0, tolerance(1e-6));
    let want = 20f64.powi(7) - 20f64.powi(4);
    // the first steps, at low order, are good to the tolerance; they are of no weight in the end
    assert!((y[0] / want - 1.0).abs() < 1e-13 && stats.steps < 60, "{y:?} {want} {stats:?}");
}

/// Euler's equations without forces.
fn rigid_body() -> Rhs {
    problems::find("rigid-20").unwrap().rhs
}

#[test]
fn there_and_back() {
    let y0 = [0.0, 1.0, 1.0];
    for rtol in [1e-6, 1e-9, 1e-12] {
        let (there, _) = solve(&mut Plain(rigid_body()), &y0, 0.0, 20.0, tolerance(rtol));
        let (back, _) = solve(&mut Plain(rigid_body()), &there, 20.0, 0.0, tolerance(rtol));
        assert!(error(&back, &y0) < 30.0 * rtol, "{back:?} at {rtol:e}");
    }
}

/// A problem that runs 10¹² times slower or faster takes the same steps; powers of two leave even rounding alone.
#[test]
fn spans_of_all_sizes() {
    let rigid = rigid_body();
    let run = |span: f64, first: Option<f64>| {
        let rates = move |_: f64, y: &[f64], dy: &mut [f64]| {
            rigid(0.0, y, dy);
            dy.iter_mut().for_each(|f| *f /= span);
        };
        let options = Options { first_step: first.map(|h| h * span), ..tolerance(1e-9) };
        solve(&mut Plain(rates), &[0.0, 1.0, 1.0], 0.0, 12.0 * span, options)
    };
    let want = [-0.7053978095225718, -0.708811632467158, 0.8638466903702221];
    let plain = run(1.0, Some(1e-4));
    for exponent in [-40, 40] {
        assert_eq!(run(2f64.powi(exponent), Some(1e-4)), plain);
    }
    for span in [1e-12, 1e12] {
        let (y, stats) = run(span, None);
        assert!(error(&y, &want) < 1e-7 && stats.evaluations < 800, "{y:?} {stats:?}");
    }
}

/// The tightest tolerance there is: rounding does not stop it.
#[test]
fn the_tightest_tolerance() {
    let (y, stats) = solve(&mut Plain(rigid_body()), &[0.0, 1.0, 1.0], 0.0, 20.0, tolerance(1e-14));
    let want = [-0.9396570798729205, -0.3421177754000746, 0.7414126596199953];
    assert!(error(&y, &want) < 1e-13 && stats.evaluations < 4000, "{:e} {stats:?}", error(&y, &want));
}
