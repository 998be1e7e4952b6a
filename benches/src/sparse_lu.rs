//! Factors of α I − J and one solution: sparse, as dense, and by faer's sparse LU, at the sizes of chains and grids.
//!
//! `sparse-lu` prints a table in Markdown. All solve the same systems, with new values each time and the pattern known:
//! ours goes over the pivots of the last time, faer seeks pivots anew, for it knows nothing else.

mod linear;

use std::error::Error;
use std::hint::black_box;

use cpu_time::ThreadTime;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::lu::{NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::traits::ComplexField;
use faer::{Conj, MatMut, Par};
use linear::{Dense, Field, Jacobian, Sparse, Sparsity};
use num_complex::Complex64;

/// Rounds in which all contenders take their turns.
const ROUNDS: usize = 9;
/// A measurement repeats short work until it lasts about this long [s].
const LEAST: f64 = 2e-3;
/// Above this, dense factors would take longer than all the rest.
const DENSE_LIMIT: usize = 1000;

type Failure = Box<dyn Error>;

/// faer's sparse LU with all memory kept.
struct Peer<T> {
    starts: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<T>,
    symbolic: SymbolicLu<usize>,
    numeric: NumericLu<usize, T>,
    memory: MemBuffer,
}

impl<T: Field + ComplexField> Peer<T> {
    fn new(j: &Jacobian) -> Result<Peer<T>, Failure> {
        let n = j.n();
        let mut starts = vec![0];
        let mut rows = Vec::new();
        for c in 0..n {
            rows.extend_from_slice(j.sparsity().rows(c));
            starts.push(rows.len());
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &rows);
        let symbolic = factorize_symbolic_lu(pattern, Default::default()).map_err(|e| format!("{e:?}"))?;
        let work = symbolic
            .factorize_numeric_lu_scratch::<T>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<T>(1, Par::Seq));
        Ok(Peer {
            values: vec![T::default(); rows.len()],
            starts,
            rows,
            symbolic,
            numeric: NumericLu::new(),
            memory: MemBuffer::new(work),
        })
    }

    fn solve(&mut self, alpha: T, j: &Jacobian, b: &mut [T]) -> Result<(), Failure> {
        let n = j.n();
        let mut k = 0;
        for c in 0..n {
            for (&i, &v) in j.sparsity().rows(c).iter().zip(j.column(c)) {
                self.values[k] = if i == c { alpha - T::from(v) } else { T::from(-v) };
                k += 1;
            }
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.rows);
        let a = SparseColMatRef::new(pattern, &self.values);
        let stack = MemStack::new(&mut self.memory);
        let lu = self
            .symbolic
            .factorize_numeric_lu(&mut self.numeric, a, Par::Seq, stack, Default::default())
            .map_err(|e| format!("{e:?}"))?;
        lu.solve_in_place_with_conj(Conj::No, MatMut::from_column_major_slice_mut(b, n, 1), Par::Seq, stack);
        Ok(())
    }
}

/// A chain of bodies with `m` unknowns each.
fn chain(n: usize, m: usize) -> Sparsity {
    let blocks = n / m;
    Sparsity::new(
        n,
        (0..blocks).flat_map(|b| {
            let near = b.max(1) - 1..(b + 2).min(blocks);
            near.flat_map(move |o| (0..m * m).map(move |e| (m * b + e / m, m * o + e % m)))
        }),
    )
}

/// A square grid, each point with its four neighbours.
fn grid(m: usize) -> Sparsity {
    let right = (0..m).flat_map(|i| (1..m).map(move |j| (i * m + j - 1, i * m + j)));
    let down = (1..m).flat_map(|i| (0..m).map(move |j| ((i - 1) * m + j, i * m + j)));
    Sparsity::new(m * m, right.chain(down).flat_map(|(a, b)| [(a, b), (b, a)]))
}

/// One entry in so many, anywhere.
fn random(n: usize, every: u64) -> Sparsity {
    let mut r = 12_345u64;
    let mut here = || {
        r = r.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (r >> 33) % every == 0
    };
    Sparsity::new(n, (0..n * n).map(|k| (k / n, k % n)).filter(|_| here()))
}

/// The values of a round: a stable J with entries of order 1.
fn fill(j: &mut Jacobian, round: usize) {
    for c in 0..j.n() {
        for i in j.sparsity().rows(c).to_vec() {
            let x = ((i * 7919 + c * 104_729 + round * 31) as f64).sin();
            j.set(i, c, if i == c { x - 3.0 } else { x });
        }
    }
}

/// Microseconds of one go.
fn time(mut go: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    let mut times = 1;
    loop {
        let start = ThreadTime::now();
        for _ in 0..times {
            go()?;
        }
        let seconds = start.elapsed().as_secs_f64();
        if seconds > LEAST || times > 1 << 20 {
            return Ok(1e6 * seconds / times as f64);
        }
        times *= 2;
    }
}

/// µs of sparse, peer, dense and the first sparse factorisation: medians over the rounds.
fn measure<T: Field + ComplexField>(s: &Sparsity, alpha: T) -> Result<[f64; 4], Failure> {
    let n = s.n();
    let mut j = Jacobian::new(s.clone());
    fill(&mut j, 0);
    let singular = |k: usize| Failure::from(format!("singular in column {k}"));
    let mut sparse = Sparse::<T>::new(&j);
    let mut dense = Dense::<T>::new(if n <= DENSE_LIMIT { n } else { 0 });
    let mut peer = Peer::<T>::new(&j)?;
    let b: Vec<T> = (0..n).map(|i| T::from(1.0 + (i as f64).cos())).collect();
    let (mut x, mut y) = (b.clone(), b.clone());
    let mut times = [const { Vec::new() }; 4];
    for round in 0..ROUNDS {
        fill(&mut j, round);
        times[0].push(time(|| {
            x.copy_from_slice(&b);
            sparse.solve(alpha, black_box(&j), &mut x).map_err(singular)
        })?);
        times[1].push(time(|| {
            y.copy_from_slice(&b);
            peer.solve(alpha, black_box(&j), &mut y)
        })?);
        check(&x, &y)?;
        if n <= DENSE_LIMIT {
            times[2].push(time(|| {
                y.copy_from_slice(&b);
                dense.solve(alpha, black_box(&j), &mut y).map_err(singular)
            })?);
            check(&x, &y)?;
        }
        let mut first = Sparse::<T>::new(&j);
        let start = ThreadTime::now();
        first.solve(alpha, &j, &mut y).map_err(singular)?;
        times[3].push(1e6 * start.elapsed().as_secs_f64());
    }
    Ok(times.map(|mut t| {
        t.sort_by(f64::total_cmp);
        t.get(t.len() / 2).copied().unwrap_or(f64::NAN)
    }))
}

fn check<T: Field>(x: &[T], y: &[T]) -> Result<(), Failure> {
    let error = x.iter().zip(y).map(|(&x, &y)| (x - y).size()).fold(0.0, f64::max);
    let size = x.iter().map(|x| x.size()).fold(0.0, f64::max);
    if error <= 1e-9 * size { Ok(()) } else { Err(format!("the solutions differ by {error:e}").into()) }
}

fn or_dash(x: f64) -> String {
    if x.is_nan() { "–".to_owned() } else { format!("{x:.1}") }
}

fn main() -> Result<(), Failure> {
    println!(
        "| pattern | n | entries | numbers | sparse | dense | faer | dense / sparse | faer / sparse | first |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let sizes = [12, 18, 24, 30, 42, 60, 90, 177, 897, 8997];
    let mut patterns: Vec<(&str, Sparsity)> = sizes.map(|n| ("chain, 3", chain(n, 3))).into();
    patterns.extend([42, 60, 180, 900].map(|n| ("chain, 6", chain(n, 6))));
    patterns.extend([6, 8, 13, 30, 95].map(|m| ("grid", grid(m))));
    patterns.extend([(20, 2), (20, 5), (80, 5), (80, 16)].map(|(n, every)| ("random", random(n, every))));
    for (name, s) in patterns {
        let rows = [("real", measure(&s, 2.0)?), ("complex", measure(&s, Complex64::new(2.0, 3.0))?)];
        for (kind, [sparse, peer, dense, first]) in rows {
            println!(
                "| {name} | {} | {} | {kind} | {sparse:.1} | {} | {peer:.1} | {} | {:.1} | {first:.0} |",
                s.n(),
                s.entries(),
                or_dash(dense),
                or_dash(dense / sparse),
                peer / sparse,
            );
        }
    }
    Ok(())
}
