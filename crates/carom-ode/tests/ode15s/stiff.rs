//! Stiff problems: E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, IV.10 (ROBER, VDPOL with µ = 1000,
//! HIRES, OREGO), against a code of the same family.

use carom_ode::{Options, Stats, problems};

use super::BOTH;
use crate::common::{Stiff, solve};

/// What a code of the same family makes of a problem of the library.
struct Peer {
    name: &'static str,
    /// the absolute tolerance is the relative one times these
    scale: &'static [f64],
    /// solve_ivp(method="BDF") of SciPy 1.17.1: (error, evaluations with exact Jacobians, evaluations with Jacobians by
    /// differences) at rtol 1e-3, 1e-4 … 1e-10
    work: [(f64, usize, usize); 8],
}

static ROBER_40: Peer = Peer {
    name: "robertson",
    scale: &[1.0, 1e-5, 1.0],
    work: [
        (1.6e-04, 117, 130),
        (2.9e-05, 224, 245),
        (3.3e-06, 339, 368),
        (8.0e-07, 421, 446),
        (9.9e-08, 596, 625),
        (2.0e-08, 864, 901),
        (3.3e-09, 1316, 1361),
        (4.6e-10, 1841, 1890),
    ],
};

static ROBER: Peer = Peer {
    name: "robertson-long",
    scale: &[1e-8, 1e-14, 1.0],
    work: [
        (7.7e-04, 777, 830),
        (2.0e-04, 1247, 1300),
        (3.1e-05, 1743, 1816),
        (4.9e-06, 2461, 2542),
        (6.2e-07, 3623, 3710),
        (8.8e-08, 5388, 5498),
        (1.3e-08, 7872, 8005),
        (2.5e-09, 11400, 11518),
    ],
};

static VDPOL: Peer = Peer {
    name: "vdpol",
    scale: &[1.0, 1e-3],
    work: [
        (8.2e-03, 1238, 1452),
        (5.7e-04, 1786, 1972),
        (4.7e-05, 2543, 2753),
        (7.6e-06, 3775, 4012),
        (1.2e-06, 5511, 5779),
        (1.0e-07, 8277, 8536),
        (1.4e-08, 12496, 13068),
        (1.3e-09, 18477, 19110),
    ],
};

static HIRES: Peer = Peer {
    name: "hires",
    scale: &[1e-4; 8],
    work: [
        (1.2e-02, 312, 476),
        (1.2e-03, 462, 635),
        (8.2e-05, 648, 831),
        (8.5e-06, 911, 1137),
        (1.2e-06, 1281, 1570),
        (7.6e-08, 1981, 2271),
        (1.3e-08, 2873, 3272),
        (2.8e-09, 3940, 4385),
    ],
};

static OREGO: Peer = Peer {
    name: "orego",
    scale: &[1.0; 3],
    work: [
        (1.0e-02, 1432, 1792),
        (6.4e-04, 1926, 2326),
        (2.3e-04, 2787, 3225),
        (7.0e-05, 3926, 4438),
        (9.6e-06, 5851, 6383),
        (1.6e-06, 8722, 9334),
        (2.0e-07, 12967, 13682),
        (3.3e-08, 18964, 19666),
    ],
};

static STIFF: [&Peer; 5] = [&ROBER_40, &ROBER, &VDPOL, &HIRES, &OREGO];

fn run(method: &str, p: &Peer, rtol: f64, exact: bool, pace: f64) -> (f64, Stats) {
    let problem = problems::find(p.name).unwrap();
    let mut ode = Stiff::new(problem, exact, pace);
    let o = Options { rtol, atol: rtol, scale: p.scale.to_vec(), ..Options::default() };
    let (y, stats) = solve(method, &mut ode, &problem.start(), problem.t_end / pace, o);
    let error = |i: usize| (y[i] - problem.end[i]).abs() / (p.scale[i] + problem.end[i].abs());
    ((0..y.len()).map(error).fold(0.0, f64::max), stats)
}

/// Evaluations for an error, from pairs of both: a straight line in logarithms through the neighbours, where a better
/// result for less counts.
fn evaluations_for(error: f64, work: &[(f64, f64)]) -> Option<f64> {
    let cost = |e: f64| work.iter().filter(|w| w.0 <= e).map(|w| w.1).fold(f64::INFINITY, f64::min);
    let better = work.iter().map(|w| w.0).filter(|e| *e <= error).fold(0.0, f64::max);
    let worse = work.iter().map(|w| w.0).filter(|e| *e > error).fold(f64::INFINITY, f64::min);
    if better == 0.0 || worse.is_infinite() {
        return None;
    }
    let x = (error / better).ln() / (worse / better).ln();
    Some((cost(better).ln() * (1.0 - x) + cost(worse).ln() * x).exp())
}

/// The error follows the tolerance over seven decades, stays below three times that of a code of the same family at the
/// same tolerance, and costs no more evaluations than that code at the same accuracy.
#[test]
fn stiff_problems() {
    for method in BOTH {
        for p in STIFF {
            for exact in [true, false] {
                let mut work = Vec::new();
                for (i, &(peer, ..)) in p.work.iter().enumerate() {
                    let rtol = 10f64.powi(-3 - i as i32);
                    let (error, stats) = run(method, p, rtol, exact, 1.0);
                    let what = format!("{method}, {}, rtol {rtol:e}", p.name);
                    assert!(error <= 3.0 * peer, "{what}: {error:e}, SciPy {peer:e}");
                    assert!(error <= 60.0 * rtol && error >= 1e-3 * rtol, "{what}: {error:e}");
                    assert!(stats.diverged * 20 <= stats.steps, "{what}: {stats:?}");
                    work.push((error, stats.evaluations as f64));
                }
                let peer: Vec<(f64, f64)> =
                    p.work.iter().map(|w| (w.0, if exact { w.1 } else { w.2 } as f64)).collect();
                let mut ratios: Vec<f64> = (3..=8)
                    .map(|e| 10f64.powi(-e))
                    .filter_map(|e| Some(evaluations_for(e, &work)? / evaluations_for(e, &peer)?))
                    .collect();
                ratios.sort_by(f64::total_cmp);
                let median = ratios[ratios.len() / 2];
                assert!(ratios.len() >= 4, "{}: {ratios:?}", p.name);
                assert!(median < 1.0 && ratios[ratios.len() - 1] < 1.3, "{method}, {}: {ratios:?}", p.name);
            }
        }
    }
}

/// A Jacobian made in the fast part of a cycle must not freeze the slow one, whatever the steps are.
#[test]
fn an_old_jacobian_does_not_freeze_the_motion() {
    for method in BOTH {
        for i in 0..40 {
            let rtol = 1e-3 * 0.9f64.powi(i);
            for p in [&VDPOL, &OREGO] {
                let (error, _) = run(method, p, rtol, i % 2 == 0, 1.0);
                assert!(error < 0.1, "{method}, {} at {rtol:e}: {error}", p.name);
            }
        }
    }
}

/// Time in units from 1e-12 to 1e12 of the problem's own: the same steps but for rounding.
#[test]
fn spans_of_all_sizes() {
    for method in BOTH {
        let (_, plain) = run(method, &HIRES, 1e-6, false, 1.0);
        for pace in [1e-12, 1e-3, 1e3, 1e12] {
            let (error, stats) = run(method, &HIRES, 1e-6, false, pace);
            assert!(error < 30e-6, "{method}, {pace:e}: {error:e}");
            let more = stats.evaluations as f64 / plain.evaluations as f64;
            assert!((0.7..1.4).contains(&more), "{method}, {pace:e}: {more} times the evaluations");
        }
    }
}
