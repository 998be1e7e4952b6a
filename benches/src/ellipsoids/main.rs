//! Distances of two ellipsoids: Carom cold, warm and in batches, against parry's GJK and the plain Newton's method in six unknowns.
//!
//! `ellipsoids` prints a table in Markdown; `ellipsoids run NAME TIMES` runs one contender only, for a profiler. Everyone gets the same pairs, all apart, as poses
//! in the world.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]
#![allow(
    clippy::disallowed_methods,
    reason = "bare loops and peers are measured as they would be written elsewhere, with the functions of the platform"
)]

mod ours;
mod pairs;
#[cfg(feature = "peers")]
mod parry;
mod six;

use std::error::Error;
use std::hint::black_box;

use cpu_time::ThreadTime;
use ours::{Many, Ours};
use pairs::{CLASSES, Pair};
use six::Six;

type Failure = Box<dyn Error>;

const PAIRS: usize = 400;
/// Rounds in which all contenders take their turns.
const ROUNDS: usize = 101;
/// Times that a contender goes over all pairs in a round; even, so that poses that take turns end where they began.
const TIMES: usize = 10;

/// Puts the distances of all pairs into the slice [m].
type Contender<'p> = (&'static str, Box<dyn FnMut(&mut [f64]) + 'p>);

fn contenders<'p>(pairs: &'p [Pair]) -> Result<Vec<Contender<'p>>, Failure> {
    let ours = || pairs.iter().map(Ours::new).collect::<Result<Vec<_>, _>>();
    let mut all: Vec<Contender<'p>> = Vec::new();
    #[cfg(feature = "peers")]
    all.extend(parry::all(pairs));
    for (name, warm) in [("six unknowns", false), ("six unknowns, warm", true)] {
        let peers: Vec<_> = pairs.iter().map(Six::new).collect();
        all.push((
            name,
            Box::new(move |out| out.iter_mut().zip(&peers).for_each(|(d, peer)| *d = peer.distance(warm))),
        ));
    }
    for (name, warm) in [("carom", false), ("carom, warm", true)] {
        let bound = ours()?;
        all.push((
            name,
            Box::new(move |out| out.iter_mut().zip(&bound).for_each(|(d, pair)| *d = pair.distance(warm))),
        ));
    }
    for (name, warm) in [("carom, batch", false), ("carom, batch, warm", true)] {
        let mut many = Many::new(pairs);
        all.push((name, Box::new(move |out| many.distances(warm, out))));
    }
    Ok(all)
}

/// What is printed of a contender.
#[derive(Default)]
struct Row {
    /// [ns] a pair, round by round
    times: Vec<f64>,
    distances: Vec<f64>,
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn report(pairs: &[Pair]) -> Result<(), Failure> {
    let mut all = contenders(pairs)?;
    let mut rows: Vec<Row> = all.iter().map(|_| Row::default()).collect();
    let mut out = vec![0.0; pairs.len()];
    for round in 0..ROUNDS {
        for ((_, go), row) in all.iter_mut().zip(&mut rows) {
            let start = ThreadTime::now();
            for _ in 0..TIMES {
                go(black_box(&mut out));
            }
            let seconds = start.elapsed().as_secs_f64();
            // the first round warms caches
            if round > 0 {
                row.times.push(1e9 * seconds / (TIMES * pairs.len()) as f64);
            }
            row.distances.clone_from(&out);
        }
    }
    let parry = all.iter().position(|(name, _)| *name == "parry").map_or(&[][..], |k| &rows[k].times);
    let truth = all.iter().position(|(name, _)| *name == "carom").map_or(0, |k| k);
    println!(
        "| | ns a pair: median (least) | parry / it | failed | off at most, of the distance | of the size |"
    );
    println!("|---|---|---|---|---|---|");
    for (k, (name, _)) in all.iter().enumerate() {
        let ratio = median(parry.iter().zip(&rows[k].times).map(|(p, t)| p / t).collect());
        let off = |scale: &dyn Fn(usize) -> f64| {
            let each =
                (0..pairs.len()).map(|i| (rows[k].distances[i] - rows[truth].distances[i]).abs() / scale(i));
            each.filter(|x| x.is_finite()).fold(0.0, f64::max)
        };
        println!(
            "| {name} | {:.0} ({:.0}) | {ratio:.2} | {} | {:.1e} | {:.1e} |",
            median(rows[k].times.clone()),
            rows[k].times.iter().copied().fold(f64::INFINITY, f64::min),
            rows[k].distances.iter().filter(|d| d.is_nan()).count(),
            off(&|i| rows[truth].distances[i]),
            off(&|i| pairs[i].size),
        );
    }
    for warm in [false, true] {
        let steps = pairs.iter().map(|pair| Ours::new(pair).map(|ours| ours.steps(warm) as f64));
        let steps = steps.collect::<Result<Vec<_>, _>>()?;
        let most = steps.iter().copied().fold(0.0, f64::max);
        println!(
            "\nSteps of Carom, {}: median {}, at most {most}.",
            if warm { "warm" } else { "cold" },
            median(steps)
        );
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["run", name, times] => {
            let times: usize = times.parse()?;
            let pairs = pairs::random(PAIRS, &CLASSES[0])?;
            let mut all = contenders(&pairs)?;
            let (_, go) = all.iter_mut().find(|(known, _)| *known == name).ok_or("no such contender")?;
            let mut out = vec![0.0; pairs.len()];
            (0..times).for_each(|_| go(black_box(&mut out)));
            Ok(())
        }
        [] => CLASSES.iter().try_for_each(|class| {
            println!("\n{PAIRS} pairs, {}:\n", class.name);
            report(&pairs::random(PAIRS, class)?)
        }),
        _ => Err("ellipsoids [run NAME TIMES]".into()),
    }
}
