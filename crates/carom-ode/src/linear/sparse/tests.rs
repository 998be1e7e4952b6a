//! Compares sparse factors with dense ones and closed forms, and checks the memory and time they take.

use num_complex::Complex64;
use proptest::prelude::*;

use super::super::dense::{DenseLu, Factors};
use super::super::jacobian::Sparsity;
use super::*;

/// A small generator of numbers in (−1, 1), the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 / (1u64 << 52) as f64) - 1.0
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() * 0.5 + 0.5) * n as f64) as usize % n
    }
}

fn random(pattern: Sparsity, seed: u64) -> Jacobian {
    let mut j = Jacobian::new(pattern);
    refill(&mut j, seed);
    j
}

fn refill(j: &mut Jacobian, seed: u64) {
    let mut r = Random(seed);
    for column in 0..j.n() {
        for i in j.sparsity().rows(column).to_vec() {
            j.set(i, column, r.next());
        }
    }
}

/// Returns the largest residual of (α I − J) x = b, each row divided by the row's sum of sizes and the largest of x:
/// rounding, times the growth of the factorisation.
fn residual<T: Field>(alpha: T, j: &Jacobian, x: &[T], b: &[T]) -> f64 {
    let mut r: Vec<T> = b.to_vec();
    let mut size = vec![alpha.size(); j.n()];
    for column in 0..j.n() {
        r[column] = r[column] - alpha * x[column];
        for (&i, &v) in j.sparsity().rows(column).iter().zip(j.column(column)) {
            r[i] = r[i] + T::from(v) * x[column];
            size[i] += v.abs();
        }
    }
    let largest = x.iter().map(|x| x.size()).fold(0.0, f64::max);
    (0..j.n()).map(|i| r[i].size() / (size[i] * largest)).fold(0.0, f64::max)
}

fn right_side<T: Field>(n: usize) -> Vec<T> {
    (0..n).map(|i| T::from(1.0 + (i as f64).sin())).collect()
}

/// Factors, solves, and returns the residual.
fn check<T: Field>(lu: &mut SparseLu<T>, alpha: T, j: &Jacobian) -> f64 {
    lu.factor(alpha, j).unwrap();
    let b = right_side::<T>(j.n());
    let mut x = b.clone();
    lu.solve(&mut x);
    residual(alpha, j, &x, &b)
}

fn dense<T: Field>(alpha: T, j: &Jacobian) -> (DenseLu<T>, Result<(), usize>) {
    let n = j.n();
    let mut lu = DenseLu::new(n);
    for column in 0..n {
        for i in 0..n {
            lu.column(column)[i] = T::from(-j.get(i, column));
        }
        lu.column(column)[column] = lu.column(column)[column] + alpha;
    }
    let result = lu.factor();
    (lu, result)
}

fn pattern() -> impl Strategy<Value = Sparsity> {
    (1usize..30).prop_flat_map(|n| {
        prop::collection::vec((0..n, 0..n), 0..4 * n).prop_map(move |e| Sparsity::new(n, e))
    })
}

proptest! {
    #[test]
    fn as_dense(pattern in pattern(), seed: u64, alpha in -3.0..3.0f64) {
        let n = pattern.n();
        let mut j = random(pattern, seed);
        let mut real = SparseLu::<f64>::new(&j);
        let mut complex = SparseLu::<Complex64>::new(&j);
        for round in 0..4 {
            let z = Complex64::new(alpha, 0.7);
            let alpha = alpha * 10f64.powi(round - 2);
            if real.factor(alpha, &j).is_ok() {
                let (lu, result) = dense(alpha, &j);
                prop_assert!(result.is_ok());
                let b = right_side::<f64>(n);
                let (mut x, mut y) = (b.clone(), b.clone());
                real.solve(&mut x);
                lu.solve(&mut y);
                // values that change completely use most of the growth allowed: 1e4 times rounding, and a little more
                let (sparse, dense) = (residual(alpha, &j, &x, &b), residual(alpha, &j, &y, &b));
                prop_assert!(sparse < 1e-10 && dense < 1e-14, "{sparse:e} {dense:e}");
            }
            let sparse = check(&mut complex, z, &j);
            prop_assert!(sparse < 1e-10, "{sparse:e}");
            refill(&mut j, seed ^ round as u64);
        }
    }

    /// The result has the same bits whether a matrix is factored for the first time or again.
    #[test]
    fn factored_again_as_at_first(pattern in pattern(), seed: u64) {
        let n = pattern.n();
        let j = random(pattern, seed);
        let b = right_side::<f64>(n);
        let mut lu = SparseLu::new(&j);
        let (mut x, mut y) = (b.clone(), b);
        if lu.factor(1.5, &j).is_ok() {
            lu.solve(&mut x);
            lu.factor(1.5, &j).unwrap();
            lu.solve(&mut y);
            prop_assert_eq!(x, y);
        }
    }
}

fn grid(m: usize) -> Sparsity {
    let at = |i, j| i * m + j;
    let right = (0..m).flat_map(|i| (1..m).map(move |j| (at(i, j - 1), at(i, j))));
    let down = (1..m).flat_map(|i| (0..m).map(move |j| (at(i - 1, j), at(i, j))));
    Sparsity::new(m * m, right.chain(down).flat_map(|(a, b)| [(a, b), (b, a)]))
}

fn arrow(n: usize) -> Sparsity {
    Sparsity::new(n, (0..n).flat_map(|i| [(0, i), (i, 0)]))
}

/// Returns the pattern with rows and columns in another order, the same for both.
fn permuted(s: &Sparsity, seed: u64) -> Sparsity {
    let n = s.n();
    let mut r = Random(seed);
    let mut p: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        p.swap(i, r.below(i + 1));
    }
    Sparsity::new(n, (0..n).flat_map(|j| s.rows(j).iter().map(move |&i| (i, j))).map(|(i, j)| (p[i], p[j])))
}

#[test]
fn bands_arrows_grids_in_any_order() {
    for s in [Sparsity::banded(500, 2, 3), arrow(300), grid(30)] {
        for s in [permuted(&s, 7), s] {
            let j = random(s, 3);
            assert!(check(&mut SparseLu::new(&j), 0.3, &j) < 1e-10);
            assert!(check(&mut SparseLu::new(&j), Complex64::new(-0.3, 2.0), &j) < 1e-10);
        }
    }
}

/// Heat on a square of 100 × 100 points: an eigenvector of the Laplacian is known.
#[test]
fn laplacian_of_a_large_grid() {
    let m = 100;
    let s = grid(m);
    let mut natural = Jacobian::new(s.clone());
    let mut mixed = Jacobian::new(permuted(&s, 1));
    for (matrix, s) in [(&mut natural, s.clone()), (&mut mixed, permuted(&s, 1))] {
        for c in 0..m * m {
            for &i in s.rows(c) {
                matrix.set(i, c, if i == c { -4.0 } else { 1.0 });
            }
        }
        let alpha = 1e-3;
        assert!(check(&mut SparseLu::new(matrix), alpha, matrix) < 1e-13);
    }
    let mode = |k: usize, i: usize| (std::f64::consts::PI * (k * (i + 1)) as f64 / (m + 1) as f64).sin();
    let value = |k: usize| 4.0 * (std::f64::consts::PI * k as f64 / (2 * (m + 1)) as f64).sin().powi(2);
    let (a, b, alpha) = (3, 5, 0.01);
    let exact: Vec<f64> = (0..m * m).map(|k| mode(a, k / m) * mode(b, k % m)).collect();
    let mut x: Vec<f64> = exact.iter().map(|v| v * (alpha + value(a) + value(b))).collect();
    let mut lu = SparseLu::new(&natural);
    lu.factor(alpha, &natural).unwrap();
    lu.solve(&mut x);
    let error = x.iter().zip(&exact).map(|(x, e)| (x - e).abs()).fold(0.0, f64::max);
    assert!(error < 1e-11, "{error}");
}

/// Pivots that vanish with new values are replaced; the others stay.
#[test]
fn new_pivots_where_the_old_ones_fail() {
    // x' = v, v' = −k x − c v: with α → 0 the diagonal of the first column vanishes
    let n = 40;
    let chain = (0..n).flat_map(|b| {
        let near = [b.max(1) - 1, b, (b + 1).min(n - 1)];
        near.into_iter().flat_map(move |o| [(2 * b + 1, 2 * o), (2 * b + 1, 2 * o + 1), (2 * b, 2 * b + 1)])
    });
    let mut j = Jacobian::new(Sparsity::new(2 * n, chain));
    for b in 0..n {
        j.set(2 * b, 2 * b + 1, 1.0);
        for o in [b.max(1) - 1, b, (b + 1).min(n - 1)] {
            j.set(2 * b + 1, 2 * o, if o == b { -2e6 } else { 1e6 });
            j.set(2 * b + 1, 2 * o + 1, if o == b { -2.0 } else { 1.0 });
        }
    }
    let mut lu = SparseLu::new(&j);
    let pivots_on_diagonal = |lu: &SparseLu<f64>| {
        (0..2 * n).filter(|&k| lu.step[lu.order.columns[k] as usize] == k as u32).count()
    };
    for alpha in [1e6, 1e3, 10.0] {
        assert!(check(&mut lu, alpha, &j) < 1e-12, "{alpha}");
        assert_eq!(pivots_on_diagonal(&lu), 2 * n);
    }
    let fill = lu.l.rows.len();
    for alpha in [1e-8, 0.0, 1e-9] {
        assert!(check(&mut lu, alpha, &j) < 1e-12, "{alpha}");
        assert!(pivots_on_diagonal(&lu) < n, "{alpha}: {}", pivots_on_diagonal(&lu));
    }
    assert!(lu.l.rows.len() + lu.u.rows.len() < 3 * fill, "{} {} {fill}", lu.l.rows.len(), lu.u.rows.len());
}

/// Growth is detected for pivots that are large enough to be used again.
#[test]
fn growth_is_seen() {
    let n = 81;
    let mut j = Jacobian::new(Sparsity::banded(n, 1, 1));
    for i in 0..n {
        j.set(i, (i + 1).min(n - 1), -1.0);
        j.set((i + 1).min(n - 1), i, -1.0);
    }
    let set = |j: &mut Jacobian, d: f64| (0..n).for_each(|i| j.set(i, i, -d));
    let moved =
        |lu: &SparseLu<f64>| (0..n).filter(|&k| lu.step[lu.order.columns[k] as usize] != k as u32).count();
    let mut lu = SparseLu::new(&j);
    set(&mut j, 3.0);
    assert!(check(&mut lu, 0.0, &j) < 1e-14);
    assert_eq!(moved(&lu), 0);
    // grows to 1/d
    set(&mut j, 1e-3);
    assert!(check(&mut lu, 0.0, &j) < 1e-12);
    assert_eq!(moved(&lu), 0);
    set(&mut j, 2.0 * REUSED);
    assert!(check(&mut lu, 0.0, &j) < 1e-13);
    assert!(moved(&lu) > n / 2, "{}", moved(&lu));
}

#[test]
fn singular_matrices_are_refused_in_their_column() {
    let mut j = random(Sparsity::banded(20, 1, 1), 5);
    for i in 6..9 {
        j.set(i, 7, 0.0);
    }
    let mut lu = SparseLu::new(&j);
    assert_eq!(lu.factor(0.0, &j), Err(7));
    // and afterwards factorisations succeed again
    assert!(check(&mut lu, 1.0, &j) < 1e-12);
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(lu.factor(bad, &j).is_err());
    }
    assert!(check(&mut lu, 1.0, &j) < 1e-12);
    let mut zero = SparseLu::<f64>::new(&Jacobian::new(Sparsity::banded(3, 1, 1)));
    assert!(zero.factor(0.0, &Jacobian::new(Sparsity::banded(3, 1, 1))).is_err());
    let none = Jacobian::new(Sparsity::new(0, []));
    let mut empty = SparseLu::<f64>::new(&none);
    assert_eq!(empty.factor(1.0, &none), Ok(()));
    empty.solve(&mut []);
}

/// Units that differ by many powers of ten cost neither accuracy nor fill.
#[test]
fn units_do_not_matter() {
    let s = grid(12);
    let n = s.n();
    let plain = random(s.clone(), 11);
    for power in [0, 1, 2, 3] {
        let unit = |i: usize| 10f64.powi((i % 7) as i32 * power - 3 * power);
        let mut scaled = Jacobian::new(s.clone());
        for c in 0..n {
            for &i in s.rows(c) {
                scaled.set(i, c, plain.get(i, c) * unit(i) / unit(c));
            }
        }
        let mut lu = SparseLu::new(&scaled);
        for alpha in [0.2, 20.0] {
            let b = right_side::<f64>(n);
            let mut x: Vec<f64> = (0..n).map(|i| b[i] * unit(i)).collect();
            lu.factor(alpha, &scaled).unwrap();
            lu.solve(&mut x);
            let x: Vec<f64> = (0..n).map(|i| x[i] / unit(i)).collect();
            let r = residual(alpha, &plain, &x, &b);
            assert!(r < 1e-13, "{r}");
            assert!(lu.l.rows.len() < 1000, "{}", lu.l.rows.len());
        }
    }
}

/// The cost of a chain of blocks is proportional to its length.
#[test]
fn chains_cost_linearly() {
    let cost = |blocks: usize| {
        let m = 3;
        let entries = (0..blocks).flat_map(|b| {
            let near = b.max(1) - 1..(b + 2).min(blocks);
            near.flat_map(move |o| (0..m * m).map(move |e| (m * b + e / m, m * o + e % m)))
        });
        let j = random(Sparsity::new(m * blocks, entries), 2);
        let mut lu = SparseLu::<f64>::new(&j);
        assert!(check(&mut lu, 8.0, &j) < 1e-12);
        let products: usize =
            (0..j.n()).flat_map(|k| &lu.u.rows[lu.u.range(k)]).map(|&i| lu.l.range(i as usize).len()).sum();
        (products + lu.l.rows.len() + lu.u.rows.len()) as f64 / blocks as f64
    };
    let (short, long) = (cost(100), cost(10_000));
    assert!(long < 1.1 * short, "{short} {long}");
}
