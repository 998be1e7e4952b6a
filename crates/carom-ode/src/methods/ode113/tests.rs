//! Tests of the formulas at a given order and on a given mesh.

use super::*;
use crate::counted::Stats;
use crate::ode::Components;

/// x'' = −x as (x, v), with ∫ v² dt as a quadrature.
struct Oscillator;

impl Ode for Oscillator {
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy.copy_from_slice(&[y[1], -y[0], y[1] * y[1]]);
        Ok(())
    }
    fn components(&self) -> &dyn Components {
        self
    }
}

impl Components for Oscillator {
    fn quadratures(&self) -> usize {
        1
    }
}

fn oscillation(t: f64) -> Vec<f64> {
    vec![t.cos(), -t.sin(), 0.5 * t - 0.25 * (2.0 * t).sin()]
}

/// y' = d t^{d−1}, which y = t^d solves.
struct Power(i32);

impl Ode for Power {
    fn rhs(&mut self, t: f64, _: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy[0] = f64::from(self.0) * t.powi(self.0 - 1);
        Ok(())
    }
}

/// The method, stepped without a driver.
struct ByHand<'a> {
    adams: Adams,
    b: Buffers,
    ode: &'a mut dyn Ode,
    stats: Stats,
    scale: Vec<f64>,
}

impl<'a> ByHand<'a> {
    fn new(ode: &'a mut dyn Ode, t0: f64, y0: &[f64]) -> ByHand<'a> {
        let n = y0.len();
        let row = || vec![0.0; n + 5];
        let mut b = Buffers { t0, y0: row(), f0: row(), y1: row(), f1: row() };
        b.y0[..n].copy_from_slice(y0);
        ode.rhs(t0, y0, &mut b.f0[..n]).unwrap();
        let scale = vec![1e100; n - ode.components().quadratures()];
        ByHand { adams: Adams::new(n), b, ode, stats: Stats::default(), scale }
    }

    fn attempt(&mut self, h: f64) -> Attempt {
        let tol = Tolerance { rtol: 0.0, scale: &self.scale, quadratures: &[] };
        let mut counted = Counted { ode: self.ode, stats: &mut self.stats };
        self.adams.attempt(&mut counted, &mut self.b, h, &tol).unwrap()
    }

    /// Makes the last attempt a step of length `h`; the next one has order k.
    fn commit(&mut self, h: f64, k: usize) {
        let tol = Tolerance { rtol: 0.0, scale: &self.scale, quadratures: &[] };
        self.adams.commit(&self.b, h, &tol);
        self.adams.order = k;
        std::mem::swap(&mut self.b.y0, &mut self.b.y1);
        std::mem::swap(&mut self.b.f0, &mut self.b.f1);
        self.b.t0 += h;
    }

    /// Steps along the exact solution, as many as order k needs for its past.
    fn seed(&mut self, k: usize, h: impl Fn(usize) -> f64, exact: impl Fn(f64) -> Vec<f64>) {
        for step in 1..=k {
            let h = h(step);
            self.attempt(h);
            let (n, t) = (self.adams.n, self.b.t0 + h);
            self.b.y1[..n].copy_from_slice(&exact(t));
            self.ode.rhs(t, &self.b.y1[..n], &mut self.b.f1[..n]).unwrap();
            self.commit(h, (step + 1).min(k));
        }
    }

    fn dense(&mut self, h: f64, theta: f64) -> Vec<f64> {
        let mut counted = Counted { ode: self.ode, stats: &mut self.stats };
        self.adams.prepare_dense(&mut counted, &self.b, h).unwrap();
        let mut y = vec![0.0; self.adams.n];
        self.adams.interpolate(theta, 0..self.adams.n, &mut y);
        y
    }
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// With a predictor of order k and a corrector of order k + 1, the solution has order k + 1, and so has the dense
/// output.
#[test]
fn measured_order_of_every_order() {
    // steps neither coarse nor lost in rounding
    let coarse = [0.02, 0.02, 0.04, 0.05, 0.05, 0.05, 0.07, 0.07, 0.1, 0.1, 0.12, 0.1];
    let finer = 1.5f64;
    for k in 1..=MAX_ORDER {
        let errors = [1.0, finer].map(|finer| {
            let h = coarse[k - 1] / finer;
            let mut ode = Oscillator;
            let mut run = ByHand::new(&mut ode, 0.0, &oscillation(0.0));
            run.seed(k, |_| h, oscillation);
            let (mut at, mut between) = (0.0f64, 0.0f64);
            while run.b.t0 < 8.0 {
                run.attempt(h);
                let want = oscillation(run.b.t0 + 0.3 * h);
                between = between.max(difference(&run.dense(h, 0.3), &want));
                run.commit(h, k);
                at = at.max(difference(&run.b.y0, &oscillation(run.b.t0)));
            }
            (at, between)
        });
        let order = (errors[0].0 / errors[1].0).ln() / finer.ln();
        let dense = (errors[0].1 / errors[1].1).ln() / finer.ln();
        let want = (k + 1) as f64;
        // at high orders stability requires short steps, rounding long ones: the range between them is narrow
        let off = if k < 9 { 0.05 } else { 0.15 } * want;
        assert!((order - want).abs() < off, "k = {k}: order {order}, {errors:?}");
        assert!(dense > want - off, "k = {k}: dense output of order {dense}, {errors:?}");
    }
}

/// On an irregular mesh, order k integrates t^{k+1} exactly, its predictor t^k.
#[test]
fn polynomials_are_exact_on_any_mesh() {
    let mesh = |i: usize| 0.1 * [1.0, 1.7, 0.6, 1.0, 0.3, 0.55, 1.1, 1.3][i % 8];
    for k in 1..=MAX_ORDER {
        for back in [1.0, -1.0] {
            let degree = k as i32 + 1;
            let exact = |t: f64| vec![t.powi(degree)];
            let mut ode = Power(degree);
            let mut run = ByHand::new(&mut ode, back, &exact(back));
            run.seed(k, |i| back * mesh(i), exact);
            for i in k..k + 12 {
                let h = back * mesh(i);
                run.attempt(h);
                for theta in [0.0, 0.2, 0.7, 1.0] {
                    let t = run.b.t0 + theta * h;
                    let relative = (run.dense(h, theta)[0] / exact(t)[0] - 1.0).abs();
                    assert!(relative < 1e-12, "k = {k}, θ = {theta}: {relative:e}");
                }
                run.commit(h, k);
            }
        }
    }
}

/// Attempts leave no trace: the result of a committed attempt is as if it had been the only one.
#[test]
fn an_attempt_is_a_function_of_the_past() {
    let run = |tries: &[f64]| {
        let mut ode = Oscillator;
        let mut run = ByHand::new(&mut ode, 0.0, &oscillation(0.0));
        run.seed(6, |_| 0.1, oscillation);
        for _ in 0..5 {
            for h in tries {
                run.attempt(*h);
                run.adams.wish(*h, &Attempt::with_error(0.0, 0));
            }
            run.attempt(0.07);
            run.commit(0.07, 6);
        }
        (run.b.y0.clone(), run.adams.phi[3..24].to_vec(), run.adams.psi)
    };
    assert_eq!(run(&[]), run(&[0.1, 0.2, 0.01]));
}

/// If the end of a step is moved by a very small time, the rates are moved with it.
#[test]
fn a_crumb_at_the_end_is_no_kink() {
    let error = |crumb: f64| {
        let mut ode = Oscillator;
        let mut run = ByHand::new(&mut ode, 0.0, &oscillation(0.0));
        run.seed(8, |_| 0.02, oscillation);
        for _ in 0..10 {
            run.attempt(0.02);
            for i in 0..3 {
                run.b.y1[i] += crumb * run.b.f1[i];
            }
            run.commit(0.02 + crumb, 8);
        }
        difference(&run.b.y0, &oscillation(run.b.t0))
    };
    let (plain, moved) = (error(0.0), error(1e-7));
    // ten times ½ f' dt² with dt = 1e-7, and no more
    assert!(plain < 1e-15 && moved < 2e-13, "{plain:e} {moved:e}");
}

/// Value and slope of the dense output agree with those of the step at both ends, at any order.
#[test]
fn dense_output_is_smooth_from_step_to_step() {
    for k in [1, 2, 5, 12] {
        let mut ode = Oscillator;
        let mut run = ByHand::new(&mut ode, 0.0, &oscillation(0.0));
        // coarse enough for predicted and corrected rates to differ
        let h = 0.5;
        run.seed(k, |_| h, oscillation);
        run.attempt(h);
        let (d, n) = (1e-5, 3);
        let (y0, y1) = (run.b.y0[..n].to_vec(), run.b.y1[..n].to_vec());
        assert!(difference(&run.dense(h, 0.0), &y0) < 1e-14 && difference(&run.dense(h, 1.0), &y1) == 0.0);
        let (start, end) = (run.dense(h, d), run.dense(h, 1.0 - d));
        for i in 0..n {
            let slopes = [(start[i] - y0[i]) / (d * h), (y1[i] - end[i]) / (d * h)];
            for (slope, want) in slopes.into_iter().zip([run.b.f0[i], run.b.f1[i]]) {
                assert!((slope - want).abs() < 1e-4, "k = {k}: {slope} {want}");
            }
        }
    }
}
