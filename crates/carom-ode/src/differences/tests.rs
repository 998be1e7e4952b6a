//! Differences against exact Jacobians.

use super::*;
use crate::counted::Stats;
use crate::ode::{Components, Derivatives};

type Rates = fn(&[f64], &mut [f64]);

/// A problem by its rates and, for comparison, its Jacobian.
struct Problem {
    quadratures: usize,
    sparsity: Option<Sparsity>,
    rates: Rates,
    /// evaluations at other states fail
    allowed: fn(&[f64]) -> bool,
}

impl Problem {
    fn new(rates: Rates) -> Problem {
        Problem { quadratures: 0, sparsity: None, rates, allowed: |_| true }
    }
}

impl Ode for Problem {
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        if !(self.allowed)(y) {
            return Err(RhsFailure { site: Site::Whole, reason: "not allowed" });
        }
        (self.rates)(y, dy);
        Ok(())
    }
    fn components(&self) -> &dyn Components {
        self
    }
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self
    }
}

impl Components for Problem {
    fn quadratures(&self) -> usize {
        self.quadratures
    }
}

impl Derivatives for Problem {
    fn sparsity(&mut self) -> Option<Sparsity> {
        self.sparsity.clone()
    }
}

/// Returns the Jacobian at y, and the number of evaluations it took.
fn jacobian(p: &mut Problem, y: &[f64], rtol: f64, scale: &[f64]) -> Result<(Jacobian, usize), RhsFailure> {
    let mut l = Linearised::new(p, y.len());
    let (j, evaluations) = again(&mut l, p, y, rtol, scale)?;
    Ok((j, evaluations))
}

fn again(
    l: &mut Linearised,
    p: &mut Problem,
    y: &[f64],
    rtol: f64,
    scale: &[f64],
) -> Result<(Jacobian, usize), RhsFailure> {
    let mut f = vec![0.0; y.len()];
    p.rhs(0.0, y, &mut f)?;
    let mut stats = Stats::default();
    let mut counted = Counted { ode: p, stats: &mut stats };
    l.evaluate(&mut counted, 0.0, y, &f, &Tolerance { rtol, scale, quadratures: &[] })?;
    assert_eq!(stats.jacobians, 1);
    Ok((l.j.clone(), stats.evaluations))
}

/// Returns the largest error of the entries as changes of the rates, J_ij s_j with s_j the size of component j, divided
/// by the largest of these changes.
fn error(j: &Jacobian, exact: impl Fn(usize, usize) -> f64, sizes: &[f64]) -> f64 {
    let n = j.n();
    let all = || (0..n * n).map(|k| (k / n, k % n));
    let largest = all().map(|(i, c)| (exact(i, c) * sizes[c]).abs()).fold(0.0, f64::max);
    all().map(|(i, c)| ((j.get(i, c) - exact(i, c)) * sizes[c]).abs()).fold(0.0, f64::max) / largest
}

fn robertson(y: &[f64], dy: &mut [f64]) {
    dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    dy[2] = 3e7 * y[1] * y[1];
    dy[1] = -dy[0] - dy[2];
}

fn robertson_exact(y: &[f64]) -> [[f64; 3]; 3] {
    let first = [-0.04, 1e4 * y[2], 1e4 * y[1]];
    let last = [0.0, 6e7 * y[1], 0.0];
    [first, [0, 1, 2].map(|j| -first[j] - last[j]), last]
}

#[test]
fn robertson_from_the_start_to_the_end() {
    let states = [
        [0.9, 3e-5, 0.1],
        [0.7158270687194051, 9.18553476455776e-6, 0.2841637457458304],
        [2.083340149701294e-8, 8.33336077033478e-14, 0.9999999791665152],
    ];
    for y in states {
        for (rtol, atol) in [(1e-3, 1e-6), (1e-6, 1e-12), (1e-10, 1e-18)] {
            let mut p = Problem::new(robertson);
            let (j, evaluations) = jacobian(&mut p, &y, rtol, &[atol; 3]).unwrap();
            let exact = robertson_exact(&y);
            let e = error(&j, |i, c| exact[i][c], &y.map(|y| y.max(atol / rtol)));
            assert!(e < 1e-6, "{y:?} {rtol}: {e}");
            // the third rate does not depend on y₁, but the others do
            assert_eq!(evaluations, 3);
        }
    }
}

/// At the start two components are zero, and with a tiny tolerance nothing indicates how large they will be.
#[test]
fn robertson_at_zero_with_tiny_tolerances() {
    let y = [1.0, 0.0, 0.0];
    for atol in [1e-6, 1e-12, 1e-18] {
        let mut p = Problem::new(robertson);
        let (j, _) = jacobian(&mut p, &y, 1e-6, &[atol; 3]).unwrap();
        // the column of y₂ is all zero there: only the effect of the increments is left
        let largest = (0..3).map(|i| j.get(i, 1).abs()).fold(0.0, f64::max);
        assert!((j.get(0, 0) + 0.04).abs() < 1e-8 && largest < 3e7 * atol.max(1e-9), "{atol}: {largest}");
    }
    // rates with a large part that hides the small one: 0.04 + 1e4 y₂
    let rates: Rates = |y, dy| {
        dy[0] = 0.04 * y[0] + 1e4 * y[1];
        dy[1] = -dy[0];
    };
    for atol in [1e-8, 1e-12, 1e-16] {
        let mut p = Problem::new(rates);
        let mut l = Linearised::new(&mut p, 2);
        for _ in 0..2 {
            let (j, evaluations) = again(&mut l, &mut p, &[1.0, 0.0], 1e-3, &[atol; 2]).unwrap();
            let e = (j.get(0, 1) / 1e4 - 1.0).abs();
            assert!(e < 1e-4, "{atol}: {e}");
            assert!(evaluations <= 3);
        }
    }
}

#[test]
fn hires() {
    let rates: Rates = |y, dy| {
        dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
        dy[1] = 1.71 * y[0] - 8.75 * y[1];
        dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
        dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
        dy[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
        dy[5] = -280.0 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
        dy[6] = 280.0 * y[5] * y[7] - 1.81 * y[6];
        dy[7] = -dy[6];
    };
    let exact = |y: &[f64], i: usize, j: usize| match (i, j) {
        (0, 0) => -1.71,
        (0, 1) | (2, 3) | (4, 5) | (4, 6) => 0.43,
        (0, 2) | (3, 1) => 8.32,
        (1, 0) | (3, 2) | (5, 4) => 1.71,
        (1, 1) => -8.75,
        (2, 2) => -10.03,
        (2, 4) => 0.035,
        (3, 3) => -1.12,
        (4, 4) => -1.745,
        (5, 3) | (5, 6) => 0.69,
        (5, 5) => -280.0 * y[7] - 0.43,
        (5, 7) => -280.0 * y[5],
        (6, 5) => 280.0 * y[7],
        (7, 5) => -280.0 * y[7],
        (6, 7) => 280.0 * y[5],
        (7, 7) => -280.0 * y[5],
        (6, 6) => -1.81,
        (7, 6) => 1.81,
        _ => 0.0,
    };
    let end = [7.371e-4, 1.442e-4, 5.889e-5, 1.176e-3, 2.386e-3, 6.239e-3, 2.850e-3, 2.850e-3];
    for y in [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057], end] {
        for (rtol, atol) in [(1e-4, 1e-8), (1e-8, 1e-12)] {
            let (j, evaluations) = jacobian(&mut Problem::new(rates), &y, rtol, &[atol; 8]).unwrap();
            let e = error(&j, |i, c| exact(&y, i, c), &[1e-3; 8]);
            // at the start, increments of 1e-12 must change rates of order 1
            assert!(e < 3e-5, "{rtol}: {e}");
            assert!(evaluations <= 10, "{evaluations}");
        }
    }
}

/// The Jacobian is also accurate in units in which the values are 1e±12 as large.
#[test]
fn van_der_pol_in_any_units() {
    for (unit, rates) in [
        (1.0, (|y, dy| (dy[0], dy[1]) = (y[1], 1e3 * (1.0 - y[0] * y[0]) * y[1] - y[0])) as Rates),
        (1e-12, |y, dy| (dy[0], dy[1]) = (y[1], 1e3 * (1.0 - y[0] * y[0] * 1e24) * y[1] - y[0])),
        (1e12, |y, dy| (dy[0], dy[1]) = (y[1], 1e3 * (1.0 - y[0] * y[0] * 1e-24) * y[1] - y[0])),
    ] {
        for (a, b) in [(2.0, 0.0), (1.70616773217, -8.9281e-4), (-1.0, 1.3e3), (0.0, 1.0)] {
            let y = [a * unit, b * unit];
            let (j, _) = jacobian(&mut Problem::new(rates), &y, 1e-6, &[1e-6 * unit; 2]).unwrap();
            let exact = [[0.0, 1.0], [-2e3 * a * b - 1.0, 1e3 * (1.0 - a * a)]];
            let e = error(&j, |i, c| exact[i][c], &[1.0, 1.0]);
            assert!(e < 1e-7, "{unit} {a} {b}: {e}");
        }
    }
}

const POINTS: usize = 200;

fn brusselator(y: &[f64], dy: &mut [f64]) {
    let n = POINTS;
    let c = 0.02 * ((n + 1) * (n + 1)) as f64;
    let at = |i: usize, k: usize| y[2 * i + k];
    for i in 0..n {
        let near = |k: usize, edge: f64| {
            let left = if i > 0 { at(i - 1, k) } else { edge };
            let right = if i + 1 < n { at(i + 1, k) } else { edge };
            c * (left - 2.0 * at(i, k) + right)
        };
        let (u, v) = (at(i, 0), at(i, 1));
        dy[2 * i] = 1.0 + u * u * v - 4.0 * u + near(0, 1.0);
        dy[2 * i + 1] = 3.0 * u - u * u * v + near(1, 3.0);
    }
}

/// 400 unknowns in a band: five evaluations.
#[test]
fn a_brusselator_in_a_band() {
    let n = 2 * POINTS;
    let mut p = Problem::new(brusselator);
    p.sparsity = Some(Sparsity::banded(n, 2, 2));
    let y: Vec<f64> = (0..n).map(|k| if k % 2 == 0 { 1.0 + (0.03 * k as f64).sin() } else { 3.0 }).collect();
    let (j, evaluations) = jacobian(&mut p, &y, 1e-6, &vec![1e-6; n]).unwrap();
    assert_eq!(evaluations, 5);
    let c = 0.02 * ((POINTS + 1) * (POINTS + 1)) as f64;
    let exact = |i: usize, k: usize| {
        let (u, v) = (y[i / 2 * 2], y[i / 2 * 2 + 1]);
        match (i % 2, k as isize - i as isize) {
            (0, 0) => 2.0 * u * v - 4.0 - 2.0 * c,
            (0, 1) => u * u,
            (1, 0) => -u * u - 2.0 * c,
            (1, -1) => 3.0 - 2.0 * u * v,
            (_, 2 | -2) => c,
            _ => 0.0,
        }
    };
    let e = error(&j, exact, &vec![1.0; n]);
    assert!(e < 1e-7, "{e}");
}

/// Rates of an irregular pattern, each of a few components: sin of one, the square of another.
#[test]
fn a_random_sparse_system() {
    const N: usize = 150;
    fn next(i: usize, k: usize) -> usize {
        (i * (37 + 16 * k) + 11 * k + i * i % 7) % N
    }
    let rates: Rates = |y, dy| {
        for i in 0..N {
            dy[i] = -2.0 * y[i] + y[next(i, 1)].sin() + 0.5 * y[next(i, 2)].powi(2);
        }
    };
    let mut p = Problem::new(rates);
    p.sparsity = Some(Sparsity::new(N, (0..N).flat_map(|i| [(i, next(i, 1)), (i, next(i, 2))])));
    let y: Vec<f64> = (0..N).map(|i| 1.5 * (1.0 + i as f64).cos()).collect();
    let (j, evaluations) = jacobian(&mut p, &y, 1e-6, &[1e-6; N]).unwrap();
    assert!(evaluations < 30, "{evaluations}");
    let mut exact = vec![0.0; N * N];
    for i in 0..N {
        exact[i * N + i] -= 2.0;
        exact[i * N + next(i, 1)] += y[next(i, 1)].cos();
        exact[i * N + next(i, 2)] += y[next(i, 2)];
    }
    let e = error(&j, |i, c| exact[i * N + c], &[1.0; N]);
    assert!(e < 1e-7, "{e}");
}

/// At the edge of the states where rates exist, the other sign is tried, or one column after the other.
#[test]
fn at_the_edge_of_what_is_allowed() {
    // y₁ ≥ 0 and y₂ ≤ 1 only, and at both edges; both in one colour and moving outwards
    let rates: Rates = |y, dy| (dy[0], dy[1]) = (-1.0 - y[0], 2.0 * y[1]);
    let edges: [fn(&[f64]) -> bool; 3] =
        [|y| y[0] >= 0.0 && y[1] <= 1.0, |y| y[0] >= 0.0 && y[1] >= 1.0, |y| y[0] <= 0.0 && y[1] <= 1.0];
    for allowed in edges {
        let mut p = Problem { allowed, sparsity: Some(Sparsity::new(2, [])), ..Problem::new(rates) };
        let (j, evaluations) = jacobian(&mut p, &[0.0, 1.0], 1e-6, &[1e-6; 2]).unwrap();
        assert!((j.get(0, 0) + 1.0).abs() < 1e-7 && (j.get(1, 1) - 2.0).abs() < 1e-7);
        assert!(evaluations <= 6);
    }
    // not a number instead of a failure
    let mut p = Problem::new(|y, dy| dy[0] = -1.0 + 3.0 * y[0] + 0.0 * y[0].sqrt());
    let (j, evaluations) = jacobian(&mut p, &[0.0], 1e-6, &[1e-6]).unwrap();
    assert!((j.get(0, 0) - 3.0).abs() < 1e-7 && evaluations == 2);
    // no increment works
    let mut p = Problem { allowed: |y| y[0] == 0.0, ..Problem::new(|_, dy| dy[0] = 1.0) };
    assert_eq!(jacobian(&mut p, &[0.0], 1e-6, &[1e-6]).map_err(|f| f.reason).unwrap_err(), "not allowed");
    let mut p = Problem::new(|y, dy| dy[0] = if y[0] == 0.0 { 1.0 } else { f64::NAN });
    assert!(jacobian(&mut p, &[0.0], 1e-6, &[1e-6]).is_err());
}

/// Quadratures have no columns and no rows, and take no evaluation; a component on which nothing depends takes one
/// more, once.
#[test]
fn quadratures_and_cyclic_components() {
    let rates: Rates = |y, dy| {
        dy[0] = y[1];
        dy[1] = -1.0;
        dy[2] = f64::NAN;
    };
    let mut p = Problem { quadratures: 1, ..Problem::new(rates) };
    let mut l = Linearised::new(&mut p, 3);
    for expected in [3, 2, 2] {
        let (j, evaluations) = again(&mut l, &mut p, &[0.3, 0.0, 0.0], 1e-6, &[1e-6; 2]).unwrap();
        assert_eq!((j.n(), evaluations), (2, expected));
        assert_eq!([j.get(0, 0), j.get(0, 1), j.get(1, 0), j.get(1, 1)], [0.0, 1.0, 0.0, 0.0]);
    }
}

/// Without a tolerance or a value, the size of the other components is used.
#[test]
fn without_an_absolute_tolerance() {
    let rates: Rates = |y, dy| (dy[0], dy[1]) = (y[0] * y[1] * 1e12, y[0] + y[1]);
    let (j, _) = jacobian(&mut Problem::new(rates), &[1e-12, 0.0], 1e-6, &[0.0; 2]).unwrap();
    let exact = [[0.0, 1.0], [1.0, 1.0]];
    assert!(error(&j, |i, c| exact[i][c], &[1.0, 1.0]) < 1e-7);
    let (j, _) = jacobian(&mut Problem::new(rates), &[0.0, 0.0], 1e-6, &[0.0; 2]).unwrap();
    assert!(j.get(1, 1) == 1.0);
}
