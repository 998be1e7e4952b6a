//! `ode15s` and `ode15s-bdf` on stiff problems, at events, and where things go wrong.
//!
//! Problems: E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, IV.10 (ROBER, VDPOL with µ = 1000, HIRES,
//! OREGO). End values: extrapolation in quadruple precision, two tolerances agree to 16 digits or more.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use carom_ode::events::{Bounds, Found, Sample, first_crossing};
use carom_ode::{
    EventAction, Interpolant, Jacobian, Landing, Ode, Options, RhsFailure, SolveError, Solver, Stats, Step,
    StepTrouble, methods,
};

const BOTH: [&str; 2] = ["ode15s", "ode15s-bdf"];

type Rates = fn(&[f64], &mut [f64]);
type Entries = fn(&[f64], &mut Jacobian);

/// A problem with its reference solution, and what a code of the same family makes of it: (error, evaluations with
/// exact Jacobians, evaluations with Jacobians by differences) at rtol 1e-3, 1e-4 … 1e-10.
struct Problem {
    name: &'static str,
    f: Rates,
    jacobian: Entries,
    t_end: f64,
    y0: &'static [f64],
    scale: &'static [f64],
    end: &'static [f64],
    /// solve_ivp(method="BDF") of SciPy 1.17.1 with the same tolerances
    peer: [(f64, usize, usize); 8],
}

fn rober(y: &[f64], d: &mut [f64]) {
    d[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    d[2] = 3e7 * y[1] * y[1];
    d[1] = 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] * y[1];
}

fn rober_jacobian(y: &[f64], j: &mut Jacobian) {
    let (a, b, c) = (1e4 * y[2], 1e4 * y[1], 6e7 * y[1]);
    set(j, &[(0, 0, -0.04), (0, 1, a), (0, 2, b), (1, 0, 0.04), (1, 1, -a - c), (1, 2, -b), (2, 1, c)]);
}

fn vdpol(y: &[f64], d: &mut [f64]) {
    d[0] = y[1];
    d[1] = 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
}

fn vdpol_jacobian(y: &[f64], j: &mut Jacobian) {
    set(j, &[(0, 1, 1.0), (1, 0, -2000.0 * y[0] * y[1] - 1.0), (1, 1, 1000.0 * (1.0 - y[0] * y[0]))]);
}

fn hires(y: &[f64], d: &mut [f64]) {
    d[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    d[1] = 1.71 * y[0] - 8.75 * y[1];
    d[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    d[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    d[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
    d[5] = -280.0 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    d[6] = 280.0 * y[5] * y[7] - 1.81 * y[6];
    d[7] = -d[6];
}

fn hires_jacobian(y: &[f64], j: &mut Jacobian) {
    let (a, b) = (280.0 * y[7], 280.0 * y[5]);
    set(j, &[(0, 0, -1.71), (0, 1, 0.43), (0, 2, 8.32), (1, 0, 1.71), (1, 1, -8.75), (2, 2, -10.03)]);
    set(j, &[(2, 3, 0.43), (2, 4, 0.035), (3, 1, 8.32), (3, 2, 1.71), (3, 3, -1.12), (4, 4, -1.745)]);
    set(j, &[(4, 5, 0.43), (4, 6, 0.43), (5, 3, 0.69), (5, 4, 1.71), (5, 5, -a - 0.43), (5, 6, 0.69)]);
    set(j, &[(5, 7, -b), (6, 5, a), (6, 6, -1.81), (6, 7, b), (7, 5, -a), (7, 6, 1.81), (7, 7, -b)]);
}

fn orego(y: &[f64], d: &mut [f64]) {
    d[0] = 77.27 * (y[1] + y[0] * (1.0 - 8.375e-6 * y[0] - y[1]));
    d[1] = (y[2] - (1.0 + y[0]) * y[1]) / 77.27;
    d[2] = 0.161 * (y[0] - y[2]);
}

fn orego_jacobian(y: &[f64], j: &mut Jacobian) {
    set(j, &[(0, 0, 77.27 * (1.0 - 2.0 * 8.375e-6 * y[0] - y[1])), (0, 1, 77.27 * (1.0 - y[0]))]);
    set(j, &[(1, 0, -y[1] / 77.27), (1, 1, -(1.0 + y[0]) / 77.27), (1, 2, 1.0 / 77.27)]);
    set(j, &[(2, 0, 0.161), (2, 2, -0.161)]);
}

fn set(j: &mut Jacobian, entries: &[(usize, usize, f64)]) {
    for &(row, column, value) in entries {
        j.set(row, column, value);
    }
}

static ROBER_40: Problem = Problem {
    name: "robertson, t = 40",
    f: rober,
    jacobian: rober_jacobian,
    t_end: 40.0,
    y0: &[1.0, 0.0, 0.0],
    scale: &[1.0, 1e-5, 1.0],
    end: &[0.715827068719405090474473, 9.18553476455776390528e-06, 0.284163745745830351761622],
    peer: [
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

static ROBER: Problem = Problem {
    name: "robertson, t = 1e11",
    t_end: 1e11,
    scale: &[1e-8, 1e-14, 1.0],
    end: &[2.08334014970129423058317e-08, 8.33336077033478340069014e-14, 0.999999979166515169379354],
    peer: [
        (7.7e-04, 777, 830),
        (2.0e-04, 1247, 1300),
        (3.1e-05, 1743, 1816),
        (4.9e-06, 2461, 2542),
        (6.2e-07, 3623, 3710),
        (8.8e-08, 5388, 5498),
        (1.3e-08, 7872, 8005),
        (2.5e-09, 11400, 11518),
    ],
    ..ROBER_40
};

static VDPOL: Problem = Problem {
    name: "van der Pol, mu = 1000",
    f: vdpol,
    jacobian: vdpol_jacobian,
    t_end: 2000.0,
    y0: &[2.0, 0.0],
    scale: &[1.0, 1e-3],
    end: &[1.706167732170465008045, -0.000892809701024816547478939],
    peer: [
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

static HIRES: Problem = Problem {
    name: "hires",
    f: hires,
    jacobian: hires_jacobian,
    t_end: 321.8122,
    y0: &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057],
    scale: &[1e-4; 8],
    end: &[
        0.000737131257332566780727169,
        0.000144248572631618465818617,
        5.88872974096757500752943e-05,
        0.00117565134328314914550615,
        0.00238635619883133046882306,
        0.0062389682527427957867333,
        0.00284999839518576865781936,
        0.00285000160481423134218064,
    ],
    peer: [
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

static OREGO: Problem = Problem {
    name: "orego",
    f: orego,
    jacobian: orego_jacobian,
    t_end: 360.0,
    y0: &[1.0, 2.0, 3.0],
    scale: &[1.0; 3],
    end: &[1.00081487031852271635096, 1228.17852154988798372093, 132.055494284650828788135],
    peer: [
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

static STIFF: [&Problem; 5] = [&ROBER_40, &ROBER, &VDPOL, &HIRES, &OREGO];

/// A problem as the integrators see it.
struct Stiff {
    problem: &'static Problem,
    exact_jacobian: bool,
    /// time runs this many times as fast
    pace: f64,
}

impl Ode for Stiff {
    fn dim(&self) -> usize {
        self.problem.y0.len()
    }
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        (self.problem.f)(y, dy);
        dy.iter_mut().for_each(|d| *d *= self.pace);
        Ok(())
    }
    fn jacobian(&mut self, _: f64, y: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        if self.exact_jacobian && self.pace == 1.0 {
            (self.problem.jacobian)(y, j);
        }
        Ok(self.exact_jacobian && self.pace == 1.0)
    }
}

fn solve(method: &str, ode: &mut dyn Ode, y0: &[f64], t_end: f64, o: Options) -> (Vec<f64>, Stats) {
    let mut solver = Solver::new(methods::find(method).unwrap(), ode, 0.0, y0, t_end, o).unwrap();
    while !solver.done() {
        solver.step(ode).unwrap();
    }
    (solver.y().to_vec(), solver.stats())
}

fn run(method: &str, p: &'static Problem, rtol: f64, exact_jacobian: bool, pace: f64) -> (f64, Stats) {
    let mut ode = Stiff { problem: p, exact_jacobian, pace };
    let o = Options { rtol, atol: rtol, scale: p.scale.to_vec(), ..Options::default() };
    let (y, stats) = solve(method, &mut ode, p.y0, p.t_end / pace, o);
    let error = |i: usize| (y[i] - p.end[i]).abs() / (p.scale[i] + p.end[i].abs());
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
                for (i, &(peer, ..)) in p.peer.iter().enumerate() {
                    let rtol = 10f64.powi(-3 - i as i32);
                    let (error, stats) = run(method, p, rtol, exact, 1.0);
                    let what = format!("{method}, {}, rtol {rtol:e}", p.name);
                    assert!(error <= 3.0 * peer, "{what}: {error:e}, SciPy {peer:e}");
                    assert!(error <= 60.0 * rtol && error >= 1e-3 * rtol, "{what}: {error:e}");
                    assert!(stats.diverged * 20 <= stats.steps, "{what}: {stats:?}");
                    work.push((error, stats.evaluations as f64));
                }
                let peer: Vec<(f64, f64)> =
                    p.peer.iter().map(|w| (w.0, if exact { w.1 } else { w.2 } as f64)).collect();
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

/// x'' = −x as (x, v), with ∫ v² dt as a quadrature; marks at x = 0 where asked for; now and then only short steps.
#[derive(Default)]
struct Oscillator {
    marks: Option<Vec<f64>>,
    /// every so many steps only a short one is allowed
    hurdles: usize,
    steps: usize,
}

impl Ode for Oscillator {
    fn dim(&self) -> usize {
        3
    }
    fn quadratures(&self) -> usize {
        1
    }
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy.copy_from_slice(&[y[1], -y[0], y[1] * y[1]]);
        Ok(())
    }
    fn max_step(&mut self, _: f64, _: &[f64], _: &[f64]) -> f64 {
        self.steps += 1;
        if self.hurdles > 0 && self.steps.is_multiple_of(self.hurdles) { 1e-5 } else { f64::INFINITY }
    }
    fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        // a step that starts on a mark leaves it
        Ok(self.marks.is_none() || (step.y0[0] > 0.0) == (step.y1[0] > 0.0) || step.y0[0].abs() < 1e-9)
    }
    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let sign = step.y0[0].signum();
        let mut g = |t: f64| {
            let mut y = [0.0; 2];
            dense.at(t, 0..2, &mut y);
            Sample { t, g: sign * y[0], rate: sign * y[1] }
        };
        let (a, b) = (g(step.t0), g(step.t1));
        Ok(first_crossing(&mut g, a, b, &Bounds { rate: 2.0, curvature: 2.0 }, 1e-15))
    }
    fn landing(&mut self, step: &Step<'_>) -> Landing {
        Landing { dt: -step.y1[0] / step.y1[1] }
    }
    fn on_event(&mut self, t: f64, _: &mut [f64]) -> EventAction {
        if let Some(marks) = &mut self.marks {
            marks.push(t);
        }
        EventAction::Continue
    }
}

fn exact(t: f64) -> [f64; 3] {
    [t.cos(), -t.sin(), 0.5 * t - 0.25 * (2.0 * t).sin()]
}

fn wrong(y: &[f64], t: f64) -> f64 {
    y.iter().zip(exact(t)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn both(rtol: f64) -> Options {
    Options { rtol, atol: rtol, ..Options::default() }
}

/// Not stiff, either way in time, quadratures included: with each step's error held to the tolerance, steps are as
/// rtol^(1/6) at order 5 and the errors of 1/h of them add up: rtol^(5/6), over nine decades.
#[test]
fn error_follows_tolerance() {
    for method in BOTH {
        for p in 3..12 {
            let rtol = 10f64.powi(-p);
            for t_end in [10.0, -10.0] {
                let (y, _) = solve(method, &mut Oscillator::default(), &exact(0.0), t_end, both(rtol));
                let error = wrong(&y[..2], t_end);
                let quadrature = (y[2] - exact(t_end)[2]).abs();
                let follows = rtol.powf(5.0 / 6.0);
                assert!(error < 2.0 * follows, "{method}: {error:e} at {rtol:e}");
                // at twice the frequency, and outside of the error norm
                assert!(quadrature < 12.0 * follows, "{method}: {quadrature:e} at {rtol:e}");
            }
        }
    }
}

/// The motion within steps is as good as at their ends.
#[test]
fn dense_output() {
    for method in BOTH {
        let mut ode = Oscillator::default();
        let y0 = exact(0.0);
        let mut solver =
            Solver::new(methods::find(method).unwrap(), &mut ode, 0.0, &y0, 10.0, both(1e-8)).unwrap();
        let (mut within, mut ends) = (0.0f64, 0.0f64);
        while !solver.done() {
            solver.step(&mut ode).unwrap();
            solver.prepare_dense(&mut ode).unwrap();
            let (t0, t1) = (solver.t_start(), solver.t());
            let dense = solver.dense().unwrap();
            for theta in [0.0, 0.25, 0.5, 0.75, 1.0] {
                let t = t0 + theta * (t1 - t0);
                let mut y = [0.0; 3];
                dense.at(t, 0..3, &mut y);
                within = within.max(wrong(&y, t));
                dense.at(t, 1..3, &mut y[..2]);
                within = within.max((y[0] - exact(t)[1]).abs()).max((y[1] - exact(t)[2]).abs());
            }
            ends = ends.max(wrong(solver.y(), t1));
        }
        assert!(
            within < 2.0 * ends && ends < 3e-6,
            "{method}: {within:e} within steps, {ends:e} at their ends"
        );
    }
}

/// Steps that an event or the problem cuts short cost little and spoil nothing: the past is kept.
#[test]
fn short_steps_from_outside() {
    for method in BOTH {
        let t_end = 60.0;
        let (y, plain) = solve(method, &mut Oscillator::default(), &exact(0.0), t_end, both(1e-8));
        let undisturbed = wrong(&y, t_end);
        let mut marked = Oscillator { marks: Some(Vec::new()), ..Oscillator::default() };
        let (y, stats) = solve(method, &mut marked, &exact(0.0), t_end, both(1e-8));
        let marks = marked.marks.unwrap();
        assert_eq!(marks.len(), 19, "{method}: {marks:?}");
        for (i, t) in marks.iter().enumerate() {
            let want = (i as f64 + 0.5) * std::f64::consts::PI;
            assert!((t - want).abs() < 2.0 * undisturbed, "{method}: mark {i} at {t}");
        }
        assert!(wrong(&y, t_end) < 3.0 * undisturbed, "{method}: {:e}, {undisturbed:e}", wrong(&y, t_end));
        let more = stats.evaluations as f64 / plain.evaluations as f64;
        assert!(more < 1.3, "{method}: {more} times the evaluations for marks");
        for hurdles in [2, 3, 7] {
            let mut ode = Oscillator { hurdles, ..Oscillator::default() };
            let (y, stats) = solve(method, &mut ode, &exact(0.0), t_end, both(1e-8));
            let error = wrong(&y, t_end);
            assert!(error < 5.0 * undisturbed, "{method}: {error:e}, {undisturbed:e} ({hurdles})");
            // half of the steps are hurdles
            let more = stats.evaluations as f64 / plain.evaluations as f64;
            assert!(more < 5.0, "{method}: {more} times the evaluations ({hurdles})");
        }
    }
}

/// A ball that bounces without loss: v → −v where x = 0.
struct Bouncer {
    bounces: Vec<f64>,
}

impl Ode for Bouncer {
    fn dim(&self) -> usize {
        2
    }
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy.copy_from_slice(&[y[1], -9.81]);
        Ok(())
    }
    fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        let bounds = Bounds { rate: step.max_rate(0), curvature: 9.81 };
        let at = |t, y: &[f64]| Sample { t, g: y[0].max(0.0), rate: y[1] };
        Ok(step.y1[0] >= 0.0 && bounds.keep_clear(&at(step.t0, step.y0), &at(step.t1, step.y1)))
    }
    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let mut g = |t: f64| {
            let mut y = [0.0; 2];
            dense.at(t, 0..2, &mut y);
            Sample { t, g: y[0], rate: y[1] }
        };
        let bounds = Bounds { rate: step.max_rate(0), curvature: 9.81 };
        let (a, b) = (g(step.t0), g(step.t1));
        Ok(first_crossing(&mut g, a, b, &bounds, 1e-15))
    }
    fn landing(&mut self, step: &Step<'_>) -> Landing {
        Landing { dt: -step.y1[0] / step.y1[1] }
    }
    fn on_event(&mut self, t: f64, y: &mut [f64]) -> EventAction {
        self.bounces.push(t);
        *y.last_mut().unwrap() *= -1.0;
        y[0] = 0.0;
        if self.bounces.len() == 5 {
            return EventAction::Stop;
        }
        EventAction::Restart { time_scale: f64::INFINITY }
    }
}

#[test]
fn steps_land_on_events_and_start_anew() {
    for method in BOTH {
        let mut ode = Bouncer { bounces: Vec::new() };
        let o = both(1e-10);
        let mut solver =
            Solver::new(methods::find(method).unwrap(), &mut ode, 0.0, &[1.0, 0.0], 100.0, o).unwrap();
        while !solver.done() {
            solver.step(&mut ode).unwrap();
            solver.finish(&mut ode).unwrap();
        }
        let fall = (2.0f64 / 9.81).sqrt();
        for (i, t) in ode.bounces.iter().enumerate() {
            // parabolas are followed exactly
            assert!((t - fall * (2 * i + 1) as f64).abs() < 1e-12 * t, "{method}: bounce {i} at {t}");
        }
        assert_eq!(solver.t(), ode.bounces[4], "the event asked to stop");
        assert!(solver.stats().evaluations < 1500, "{method}: {:?}", solver.stats());
    }
}

/// A right-hand side by what is wrong with it.
struct Bad(fn(f64, f64) -> Result<f64, RhsFailure>);

impl Ode for Bad {
    fn dim(&self) -> usize {
        1
    }
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy[0] = (self.0)(t, y[0])?;
        Ok(())
    }
}

fn fails(method: &str, f: fn(f64, f64) -> Result<f64, RhsFailure>) -> (SolveError, Stats) {
    let mut ode = Bad(f);
    let o = Options { max_steps: 10_000, ..both(1e-8) };
    let mut solver = Solver::new(methods::find(method).unwrap(), &mut ode, 0.0, &[1.0], 2.0, o).unwrap();
    loop {
        match solver.step(&mut ode) {
            Ok(()) if solver.done() => panic!("no failure"),
            Ok(()) => {}
            Err(e) => return (e, solver.stats()),
        }
    }
}

#[test]
fn failures_say_when_and_why() {
    const WHY: RhsFailure = RhsFailure { place: 7, reason: "out of oil" };
    for method in BOTH {
        for f in [
            |t: f64, _: f64| Ok(if t > 0.5 { f64::NAN } else { 0.0 }),
            |t: f64, _: f64| Ok(if t > 0.5 { f64::INFINITY } else { 0.0 }),
            |t: f64, _: f64| if t > 0.5 { Err(WHY) } else { Ok(0.0) },
        ] {
            match fails(method, f) {
                (SolveError::StepTooSmall { t, trouble, .. }, stats) => {
                    assert!((t - 0.5).abs() < 1e-9, "{method}: {t}");
                    let named = matches!(trouble, StepTrouble::NotFinite { component: 0 });
                    assert!(named || trouble == StepTrouble::Rhs(WHY), "{method}: {trouble}");
                    assert!(stats.evaluations < 1000, "{method}: {stats:?}");
                }
                (e, _) => panic!("{method}: {e}"),
            }
        }
        match fails(method, |_, y| Ok(y * y)) {
            (SolveError::StepTooSmall { t, .. }, stats) => {
                assert!((t - 1.0).abs() < 1e-6, "{method}: {t}");
                assert!(stats.evaluations < 20_000, "{method}: {stats:?}");
            }
            (e, _) => panic!("{method}: {e}"),
        }
        // pushed to zero from both sides: there is no solution beyond
        match fails(method, |_, y| Ok(if y > 0.0 { -1.0 } else { 1.0 })) {
            (SolveError::StepTooSmall { t, .. } | SolveError::TooManySteps { t, .. }, stats) => {
                assert!((0.9..1.1).contains(&t), "{method}: {t}");
                assert!(stats.evaluations < 100_000, "{method}: {stats:?}");
            }
            (e, _) => panic!("{method}: {e}"),
        }
    }
}

/// Jumps of the rates that do not stop the motion are stepped over to the tolerance.
#[test]
fn jumps_of_the_rates() {
    for method in BOTH {
        let mut ode = Bad(|t, y| Ok(if t % 0.2 < 0.1 { 2.0 - y } else { -y }));
        let (y, stats) = solve(method, &mut ode, &[1.0], 2.0, both(1e-8));
        // ten times towards 2, then towards 0
        let fade = (-0.1f64).exp();
        let want = (0..10).fold(1.0, |y: f64, _| (2.0 + (y - 2.0) * fade) * fade);
        assert!((y[0] - want).abs() < 1e-6, "{method}: {} {want}", y[0]);
        assert!(stats.evaluations < 20_000, "{method}: {stats:?}");
    }
}

/// y' = λ y with a λ that makes the matrix of the first step singular.
struct Singular(f64);

impl Ode for Singular {
    fn dim(&self) -> usize {
        1
    }
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy[0] = self.0 * y[0];
        Ok(())
    }
    fn jacobian(&mut self, _: f64, _: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        j.set(0, 0, self.0);
        Ok(true)
    }
}

#[test]
fn a_singular_matrix_shortens_the_step() {
    for (method, alpha) in [("ode15s", (1.0 + 1.0 / 9.0) * 1.5), ("ode15s-bdf", 1.5)] {
        let o = Options { first_step: Some(0.125), ..both(1e-6) };
        let lambda = alpha / 0.125;
        let (y, stats) = solve(method, &mut Singular(lambda), &[1.0], 1.0, o);
        assert!(stats.diverged >= 1, "{method}: {stats:?}");
        assert!((y[0] / lambda.exp() - 1.0).abs() < 1e-4, "{method}: {}", y[0]);
    }
}

/// The system's allocator, counting.
struct Counting;

thread_local! {
    /// of this thread: tests run side by side
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

#[allow(unsafe_code, reason = "an allocator is unsafe by nature; this one only counts")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn steps_allocate_nothing() {
    for method in BOTH {
        for exact_jacobian in [true, false] {
            let mut ode = Stiff { problem: &OREGO, exact_jacobian, pace: 1.0 };
            let method = methods::find(method).unwrap();
            let mut solver = Solver::new(method, &mut ode, 0.0, OREGO.y0, 360.0, both(1e-6)).unwrap();
            let before = ALLOCATIONS.with(Cell::get);
            let mut y = [0.0; 3];
            while !solver.done() {
                solver.step(&mut ode).unwrap();
                solver.prepare_dense(&mut ode).unwrap();
                solver.dense().unwrap().at(0.5 * (solver.t_start() + solver.t()), 0..3, &mut y);
            }
            let stats = solver.stats();
            assert!(stats.jacobians > 10 && stats.rejected > 10, "{stats:?}");
            assert_eq!(ALLOCATIONS.with(Cell::get), before);
        }
    }
}
