//! Tests of the formulas at constant steps of one order, from an exact past, and of what an attempt may change.

use super::*;
use crate::counted::Stats;
use crate::linear::Jacobian;
use crate::ode::{Components, Derivatives};

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
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self
    }
}

impl Components for Oscillator {
    fn quadratures(&self) -> usize {
        1
    }
}

impl Derivatives for Oscillator {
    fn jacobian(&mut self, _: f64, _: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        j.set(0, 1, 1.0);
        j.set(1, 0, -1.0);
        Ok(true)
    }
}

fn exact(t: f64) -> [f64; 3] {
    [t.cos(), -t.sin(), 0.5 * t - 0.25 * (2.0 * t).sin()]
}

const TIGHT_TOL: Tolerance<'static> = Tolerance { rtol: 1e-14, scale: &[1e-14; 2], quadratures: &[] };

/// Returns a method of one order, at t, with an exact past of spacing h.
fn at(formulas: &'static Formulas, k: usize, t: f64, h: f64) -> (Multistep<4>, Buffers) {
    let mut s = Multistep::new(formulas, &mut Oscillator, 3);
    let mut v: Vec<[f64; 3]> = (0..=k + 1).map(|i| exact(t - i as f64 * h)).collect();
    for m in 0..=k + 1 {
        s.past.row_mut(m).as_flattened_mut()[..3].copy_from_slice(&v[0]);
        for i in 0..=k - m.min(k) {
            for c in 0..3 {
                v[i][c] -= v[i + 1][c];
            }
        }
    }
    (s.order, s.spacing, s.age) = (k, h, 2);
    let mut b = Buffers { t0: t, ..Buffers::default() };
    b.resize(3);
    b.y0[..3].copy_from_slice(&exact(t));
    (s, b)
}

fn try_step(s: &mut Multistep<4>, b: &mut Buffers, h: f64) -> Attempt {
    let mut stats = Stats::default();
    let mut counted = Counted { ode: &mut Oscillator, stats: &mut stats };
    s.attempt(&mut counted, b, h, &TIGHT_TOL).unwrap()
}

fn worst(y: &[f64], want: &[f64]) -> f64 {
    y.iter().zip(want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Returns the errors at t = 2 after `n` steps: of the state, of the quadrature, and of the dense output within the
/// first step.
fn constant_steps(formulas: &'static Formulas, k: usize, n: usize) -> [f64; 3] {
    let h = 2.0 / n as f64;
    let (mut s, mut b) = at(formulas, k, 0.0, h);
    let mut dense = 0.0f64;
    for i in 0..n {
        let a = try_step(&mut s, &mut b, h);
        assert!(a.norm.is_finite() && !a.diverged);
        if i == 0 {
            for theta in [0.3, 0.7] {
                let mut y = [0.0; 3];
                s.interpolate(theta, 0..3, &mut y);
                dense = dense.max(worst(&y, &exact(theta * h)));
            }
            let mut y = [0.0; 3];
            s.interpolate(1.0, 0..3, &mut y);
            assert_eq!(worst(&y, &b.y1), 0.0);
            s.interpolate(0.0, 0..3, &mut y);
            assert!(worst(&y, &b.y0) < 1e-15);
        }
        s.commit(&b, h, &TIGHT_TOL);
        b.t0 += h;
        std::mem::swap(&mut b.y0, &mut b.y1);
        std::mem::swap(&mut b.f0, &mut b.f1);
    }
    let rates = [b.y0[1], -b.y0[0], b.y0[1] * b.y0[1]];
    assert!(worst(&b.f0, &rates) < 1e-12, "rates at the end");
    [worst(&b.y0[..2], &exact(2.0)[..2]), (b.y0[2] - exact(2.0)[2]).abs(), dense]
}

#[test]
fn measured_orders() {
    for formulas in [&NDF, &BDF] {
        for (k, n) in [(1, 400), (2, 200), (3, 100), (4, 80), (5, 40)] {
            let (a, b) = (constant_steps(formulas, k, n), constant_steps(formulas, k, 2 * n));
            let order = |i: usize| (a[i] / b[i]).log2();
            let (state, quadrature, dense) = (order(0), order(1), order(2));
            let name = formulas.name;
            assert!((state - k as f64).abs() < 0.15, "{name}: {state} instead of {k}");
            assert!((quadrature - k as f64).abs() < 0.4, "{name}: quadrature {quadrature} instead of {k}");
            // within one step the error is one power of h smaller still
            assert!(dense - 1.0 > k as f64 - 0.3, "{name}: dense output {dense} for order {k}");
        }
    }
}

/// The formulas of the paper's Eq 8 with κ have a smaller error than those with κ = 0, by the amount given in Table 1.
#[test]
fn error_constants() {
    let ratios: Vec<f64> = (1..=5).map(|k| NDF.error(k) / BDF.error(k)).collect();
    // step ratios 1.26, 1.26, 1.26, 1.12, 1
    for (k, (ratio, step)) in ratios.iter().zip([1.26, 1.26, 1.26, 1.12, 1.0]).enumerate() {
        let wins = (1.0 / ratio).powf(1.0 / (k as f64 + 2.0));
        assert!((wins - step).abs() < 0.01, "order {}: {wins}", k + 1);
    }
}

/// Attempts of any length leave the past unchanged; the error of steps from it is no larger than estimated.
#[test]
fn attempts_leave_the_past_alone() {
    for k in 1..=5 {
        let h = 0.02;
        let (mut s, mut b) = at(&NDF, k, 0.0, h);
        let before: Vec<_> = (1..=k + 2).flat_map(|m| s.past.row(m).to_vec()).collect();
        try_step(&mut s, &mut b, h);
        let first = b.y1.clone();
        for r in [0.5, 1e-3, 1e-9, 3.0, 10.0, 1e4] {
            let a = try_step(&mut s, &mut b, r * h);
            assert!(a.norm.is_finite() && b.y1.iter().all(|y| y.is_finite()), "order {k}, {r} times as long");
            let wrong = worst(&b.y1[..2], &exact(r * h)[..2]);
            // for very short steps, the error of the past between its points is larger
            assert!(wrong <= a.norm * 1e-13 + 1e-14 || r > 5.0, "order {k}: {wrong:e} for {}", a.norm);
        }
        try_step(&mut s, &mut b, h);
        assert!(worst(&first, &b.y1) < 1e-15);
        let after: Vec<_> = (1..=k + 2).flat_map(|m| s.past.row(m).to_vec()).collect();
        assert_eq!(before, after);
    }
}

/// Covers a very small time with the slope, as the driver does, after a step much shorter than the spacing.
#[test]
fn short_steps_keep_the_past() {
    for k in 2..=5 {
        let h = 0.05;
        let (mut s, mut b) = at(&NDF, k, 0.0, h);
        try_step(&mut s, &mut b, h);
        let whole = worst(&b.y1, &exact(h));
        s.planned = h;
        let short = 0.01 * h;
        try_step(&mut s, &mut b, short);
        let dt = 1e-8 * h;
        for i in 0..3 {
            b.y1[i] += dt * b.f1[i];
        }
        s.commit(&b, short + dt, &TIGHT_TOL);
        assert_eq!(s.spacing, h);
        b.t0 = short + dt;
        b.y0.copy_from_slice(&b.y1);
        try_step(&mut s, &mut b, h);
        let wrong = worst(&b.y1, &exact(b.t0 + h));
        assert!(wrong < 2.0 * whole, "order {k}: {wrong:e}, {whole:e} without the short step");
    }
}
