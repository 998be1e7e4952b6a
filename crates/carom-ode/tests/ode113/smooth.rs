//! Orbits and rigid bodies: the error follows the tolerance, at a known cost.

use carom_ode::Options;

use crate::{Plain, error, solve, tolerance};

/// Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, II.0: Arenstorf's closed orbit.
fn arenstorf(_: f64, y: &[f64], dy: &mut [f64]) {
    let mu = 0.012277471;
    let (x, z) = (y[0], y[1]);
    let d1 = ((x + mu).powi(2) + z * z).powf(1.5);
    let d2 = ((x - 1.0 + mu).powi(2) + z * z).powf(1.5);
    (dy[0], dy[1]) = (y[2], y[3]);
    dy[2] = x + 2.0 * y[3] - (1.0 - mu) * (x + mu) / d1 - mu * (x - 1.0 + mu) / d2;
    dy[3] = z - 2.0 * y[2] - (1.0 - mu) * z / d1 - mu * z / d2;
}

/// The same book, II.10: seven bodies of mass 1 … 7 in the plane.
pub(crate) fn pleiades(_: f64, y: &[f64], dy: &mut [f64]) {
    dy[..14].copy_from_slice(&y[14..]);
    dy[14..].fill(0.0);
    for i in 0..7 {
        for j in (0..7).filter(|j| *j != i) {
            let (dx, dz) = (y[j] - y[i], y[j + 7] - y[i + 7]);
            let pull = (j + 1) as f64 / (dx * dx + dz * dz).powf(1.5);
            dy[14 + i] += pull * dx;
            dy[21 + i] += pull * dz;
        }
    }
}

/// Euler's equations without forces: F. T. Krogh's problem, B5 of the set DETEST.
fn rigid_body(_: f64, y: &[f64], dy: &mut [f64]) {
    dy.copy_from_slice(&[y[1] * y[2], -y[0] * y[2], -0.51 * y[0] * y[1]]);
}

/// An orbit about a centre; eccentricity ½ from (½, 0) with speed √3, period 2π.
fn kepler(_: f64, y: &[f64], dy: &mut [f64]) {
    let r3 = (y[0] * y[0] + y[1] * y[1]).powf(1.5);
    dy.copy_from_slice(&[y[2], y[3], -y[0] / r3, -y[1] / r3]);
}

pub(crate) struct Problem {
    name: &'static str,
    rates: fn(f64, &[f64], &mut [f64]),
    pub(crate) y0: Vec<f64>,
    t_end: f64,
    /// known to 1e-13, or the start of a closed orbit
    want: Vec<f64>,
    /// evaluations for an error of 1e-3, 1e-5, 1e-7 with LSODA (ODEPACK through SciPy 1.17), from the line nearest to its
    /// runs at the same tolerances
    lsoda: [f64; 3],
    /// largest error over tolerance
    amplification: f64,
}

pub(crate) fn problems() -> Vec<Problem> {
    let moon = vec![0.994, 0.0, 0.0, -2.00158510637908252240537862224];
    let orbit = vec![0.5, 0.0, 0.0, 3f64.sqrt()];
    let mut stars = vec![3.0, 3.0, -1.0, -3.0, 2.0, -2.0, 2.0, 3.0, -3.0, 2.0, 0.0, 0.0, -4.0, 4.0];
    stars.extend([0.0, 0.0, 0.0, 0.0, 0.0, 1.75, -1.5, 0.0, 0.0, 0.0, -1.25, 1.0, 0.0, 0.0]);
    vec![
        Problem {
            name: "rigid body",
            rates: rigid_body,
            y0: vec![0.0, 1.0, 1.0],
            t_end: 20.0,
            want: vec![-0.9396570798729205, -0.3421177754000746, 0.7414126596199953],
            lsoda: [254.0, 416.0, 605.0],
            amplification: 30.0,
        },
        Problem {
            name: "pleiades",
            rates: pleiades,
            y0: stars,
            t_end: 3.0,
            want: PLEIADES.to_vec(),
            lsoda: [1226.0, 1916.0, 2857.0],
            amplification: 3e3,
        },
        Problem {
            name: "arenstorf",
            rates: arenstorf,
            y0: moon.clone(),
            t_end: 17.0652165601579625588917206249,
            want: moon,
            lsoda: [1238.0, 1845.0, 2831.0],
            amplification: 3e4,
        },
        Problem {
            name: "kepler",
            rates: kepler,
            y0: orbit.clone(),
            t_end: 20.0 * std::f64::consts::PI,
            want: orbit,
            lsoda: [2216.0, 3211.0, 4312.0],
            amplification: 2e4,
        },
    ]
}

const PLEIADES: [f64; 28] = [
    0.3706139143969231,
    3.237284092057232,
    -3.2225590324183115,
    0.6597091455775296,
    0.3425581707156579,
    1.5621721014006353,
    -0.700309292221239,
    -3.943437585517564,
    -3.2713809739725517,
    5.225081843456532,
    -2.5906124349774746,
    1.1982136933922987,
    -0.24296823449358343,
    1.091449240428997,
    3.417003806313957,
    1.3545845016255036,
    -2.590065597810765,
    2.025053734714299,
    -1.1558151001604893,
    -0.8072988170222881,
    0.5952396354209014,
    -3.7412449612342407,
    0.37734596857505914,
    0.9386858869550937,
    0.3667922227200601,
    -0.3474046353808349,
    2.3449154481809353,
    -1.9470204342632624,
];

/// (tolerance, error, evaluations) over the tolerances 1e-3 … 1e-12, two in a decade.
fn runs(p: &Problem) -> Vec<(f64, f64, f64)> {
    (6..=24)
        .map(|half| {
            let rtol = 10f64.powf(-0.5 * f64::from(half));
            let (y, stats) = solve(&mut Plain(p.y0.len(), p.rates), &p.y0, 0.0, p.t_end, tolerance(rtol));
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
    for p in problems() {
        let runs = runs(&p);
        // an error of the size of the orbit says nothing
        let small: Vec<_> = runs.iter().filter(|r| r.1 < 0.1).map(|r| (r.0.log10(), r.1.log10())).collect();
        let (slope, _) = line(&small, 0.0);
        assert!(small.len() > 12 && (slope - 1.0).abs() < 0.15, "{}: error as tolerance^{slope}", p.name);
        for (rtol, error, _) in &runs {
            assert!(*error < p.amplification * rtol, "{}: {error:e} at {rtol:e}", p.name);
        }
        for (lsoda, at) in p.lsoda.into_iter().zip([-3.0, -5.0, -7.0]) {
            let near: Vec<_> = runs.iter().map(|r| (r.1.log10(), r.2.log10())).collect();
            let near: Vec<_> = near.into_iter().filter(|r| (r.0 - at).abs() < 2.0).collect();
            let evaluations = 10f64.powf(line(&near, at).1);
            assert!(evaluations < 0.85 * lsoda, "{}: {evaluations} for 1e{at}, LSODA {lsoda}", p.name);
        }
    }
}

/// y' = a polynomial of degree below the order reached: nothing but rounding is left.
#[test]
fn polynomials_are_exact() {
    let mut ode = Plain(1, |t: f64, _: &[f64], dy: &mut [f64]| dy[0] = 7.0 * t.powi(6) - 4.0 * t.powi(3));
    let (y, stats) = solve(&mut ode, &[0.0], 0.0, 20.0, tolerance(1e-6));
    let want = 20f64.powi(7) - 20f64.powi(4);
    // the first steps, at low order, are good to the tolerance; they are of no weight in the end
    assert!((y[0] / want - 1.0).abs() < 1e-13 && stats.steps < 60, "{y:?} {want} {stats:?}");
}

#[test]
fn there_and_back() {
    let y0 = [0.0, 1.0, 1.0];
    for rtol in [1e-6, 1e-9, 1e-12] {
        let (there, _) = solve(&mut Plain(3, rigid_body), &y0, 0.0, 20.0, tolerance(rtol));
        let (back, _) = solve(&mut Plain(3, rigid_body), &there, 20.0, 0.0, tolerance(rtol));
        assert!(error(&back, &y0) < 30.0 * rtol, "{back:?} at {rtol:e}");
    }
}

/// A problem that runs 10¹² times slower or faster takes the same steps; powers of two leave even rounding alone.
#[test]
fn spans_of_all_sizes() {
    let run = |span: f64, first: Option<f64>| {
        let rates = move |_: f64, y: &[f64], dy: &mut [f64]| {
            rigid_body(0.0, y, dy);
            dy.iter_mut().for_each(|f| *f /= span);
        };
        let options = Options { first_step: first.map(|h| h * span), ..tolerance(1e-9) };
        solve(&mut Plain(3, rates), &[0.0, 1.0, 1.0], 0.0, 12.0 * span, options)
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
    let (y, stats) = solve(&mut Plain(3, rigid_body), &[0.0, 1.0, 1.0], 0.0, 20.0, tolerance(1e-14));
    let want = [-0.9396570798729205, -0.3421177754000746, 0.7414126596199953];
    assert!(error(&y, &want) < 1e-13 && stats.evaluations < 4000, "{:e} {stats:?}", error(&y, &want));
}
