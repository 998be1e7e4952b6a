//! Factors of α I − J and one solution: sparse, as dense, and by faer's sparse LU, at the sizes of chains and grids.
//!
//! `sparse-lu` prints a table in Markdown. All solve the same systems, with new values each time and the pattern known:
//! ours goes over the pivots of the last time, faer seeks pivots anew, for it knows nothing else.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]
#![allow(
    clippy::disallowed_methods,
    reason = "bare loops and peers are measured as they would be written elsewhere, with the functions of the platform"
)]

mod linear;
#[cfg(feature = "peers")]
mod peer;

use std::error::Error;
use std::hint::black_box;

use cpu_time::ThreadTime;
use linear::{Dense, Field, Jacobian, Sparse, Sparsity};
use num_complex::Complex64;
#[cfg(feature = "peers")]
use peer::{Number, peer};

/// Rounds in which all contenders take their turns.
const ROUNDS: usize = 9;
/// A measurement repeats short work until it lasts about this long [s].
const LEAST: f64 = 2e-3;
/// Above this, dense factors would take longer than all the rest.
const DENSE_LIMIT: usize = 1000;

type Failure = Box<dyn Error>;
/// Puts the solution of (α I − J) x = b into b.
type Solve<'a, T> = Box<dyn FnMut(T, &Jacobian, &mut [T]) -> Result<(), Failure> + 'a>;

#[cfg(not(feature = "peers"))]
use linear::Field as Number;

/// Nobody to compare with is compiled in.
#[cfg(not(feature = "peers"))]
fn peer<'a, T: Number>(_: &Jacobian) -> Result<Option<Solve<'a, T>>, Failure> {
    Ok(None)
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
        (r >> 33).is_multiple_of(every)
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
fn measure<T: Number>(s: &Sparsity, alpha: T) -> Result<[f64; 4], Failure> {
    let n = s.n();
    let mut j = Jacobian::new(s.clone());
    fill(&mut j, 0);
    let singular = |k: usize| Failure::from(format!("singular in column {k}"));
    let mut sparse = Sparse::<T>::new(&j);
    let mut dense = Dense::<T>::new(if n <= DENSE_LIMIT { n } else { 0 });
    let mut peer = peer::<T>(&j)?;
    let b: Vec<T> = (0..n).map(|i| T::from(1.0 + (i as f64).cos())).collect();
    let (mut x, mut y) = (b.clone(), b.clone());
    let mut times = [const { Vec::new() }; 4];
    for round in 0..ROUNDS {
        fill(&mut j, round);
        times[0].push(time(|| {
            x.copy_from_slice(&b);
            sparse.solve(alpha, black_box(&j), &mut x).map_err(singular)
        })?);
        if let Some(solve) = &mut peer {
            times[1].push(time(|| {
                y.copy_from_slice(&b);
                solve(alpha, black_box(&j), &mut y)
            })?);
            check(&x, &y)?;
        }
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
                "| {name} | {} | {} | {kind} | {sparse:.1} | {} | {} | {} | {} | {first:.0} |",
                s.n(),
                s.entries(),
                or_dash(dense),
                or_dash(peer),
                or_dash(dense / sparse),
                or_dash(peer / sparse),
            );
        }
    }
    Ok(())
}
