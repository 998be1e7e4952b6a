//! A chain of N links that falls from horizontal, 1 s: Carom against MuJoCo, Drake and Exudyn, each at its own drift of energy.
//!
//! A peer runs as it is set; Carom runs at the loosest tolerance whose drift is no larger, nor that of any tighter one, for as long as the peer got. `chain` measures and prints tables; `chain 10` does
//! so for chains of 10 links alone; `chain run N RTOL TIMES` only runs Carom, for a profiler.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]
#![allow(
    clippy::disallowed_methods,
    reason = "bare loops and peers are measured as they would be written elsewhere, with the functions of the platform"
)]

use std::error::Error;
use std::process::{Command, ExitCode};

use carom::BodyState;
use carom::prelude::*;
use cpu_time::ThreadTime;
use serde_json::Value;

/// Links, and rounds in which peer and Carom run in turn.
const CHAINS: [(usize, usize); 3] = [(10, 7), (100, 3), (1000, 1)];
/// Peers with their settings, and the longest chain they are run with.
const PEERS: [(&str, [&str; 2], usize); 5] = [
    ("mujoco", ["RK4", "1e-3"], 1000),
    ("drake", ["runge_kutta3", "1e-4"], 1000),
    ("drake", ["runge_kutta3", "1e-7"], 100),
    ("exudyn", ["joints", "1e-3"], 1000),
    ("exudyn", ["tree", "1e-3"], 100),
];
/// A peer's run ends after so much CPU time [s].
const LONGEST: f64 = 40.0;
const METHOD: &str = "dop853";
const TOLERANCES: [f64; 8] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];
/// m, kg, m/s², kg m²
const LENGTH: f64 = 0.1;
const MASS: f64 = 0.1;
const G: f64 = 9.81;
const INERTIA: f64 = MASS * LENGTH * LENGTH / 12.0;

/// A run: CPU time [s], |E(t) − E(0)| over M g min(half the chain's length, g t²/2), and what it took.
#[derive(Clone, Copy)]
struct Outcome {
    seconds: f64,
    drift: f64,
    steps: usize,
    evaluations: usize,
}

fn chain(links: usize) -> Result<Model, Box<dyn Error>> {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -G]).body(Body::fixed("ground"));
    let mut last = "ground".to_owned();
    for i in 0..links {
        let (name, x) = (format!("link{i}"), LENGTH * i as f64);
        // a rod has no inertia about its axis; as the peers', this one has a little
        let rod = Body::new(&name).mass(MASS).inertia([1e-9, INERTIA, INERTIA]);
        b.body(rod.position([x + 0.5 * LENGTH, 0.0, 0.0]));
        b.joint(Joint::between(&name, &last, Revolute).at([x, 0.0, 0.0]).axis([0.0, 1.0, 0.0]));
        last = name;
    }
    Ok(b.build()?)
}

fn run(model: &Model, links: usize, rtol: f64, duration: f64) -> Result<Outcome, Box<dyn Error>> {
    let start = ThreadTime::now();
    let simulation = Simulation::new(model).duration(duration).method(METHOD).rtol(rtol);
    let run = simulation.output(Output::Ends).run()?;
    let seconds = start.elapsed().as_secs_f64();
    let energy = |s: &BodyState| {
        let (v, w) = (s.velocity.norm_squared(), s.angular_velocity.norm_squared());
        MASS * G * s.position.z + 0.5 * MASS * v + 0.5 * INERTIA * w
    };
    let total: f64 = run.end.frame.bodies.iter().map(energy).sum();
    let fall = (0.5 * LENGTH * links as f64).min(0.5 * G * duration * duration);
    let drift = total.abs() / (MASS * links as f64 * G * fall);
    let stats = run.summary.stats;
    Ok(Outcome { seconds, drift, steps: stats.steps, evaluations: stats.evaluations })
}

/// The loosest tolerance from which on no run drifts more.
fn tolerance(model: &Model, links: usize, duration: f64, drift: f64) -> Result<Option<f64>, Box<dyn Error>> {
    let mut found = None;
    for rtol in TOLERANCES.into_iter().rev() {
        if run(model, links, rtol, duration)?.drift > drift {
            break;
        }
        found = Some(rtol);
    }
    Ok(found)
}

/// What a peer says of a run: CPU time and time reached [s], drift, version.
struct Said {
    cpu: f64,
    reached: f64,
    drift: f64,
    version: String,
}

fn peer(name: &str, links: usize, setting: [&str; 2]) -> Result<Said, Box<dyn Error>> {
    let python = std::env::var("CAROM_BENCH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/chain.py");
    let (links, longest) = (links.to_string(), LONGEST.to_string());
    let said = Command::new(python)
        .args([script, name, &links, &longest])
        .args(setting)
        .envs([("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1")])
        .output()?;
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    let Some(line) = text.lines().rfind(|line| line.starts_with('{')) else {
        return Err(String::from_utf8_lossy(&said.stderr).lines().last().unwrap_or("says nothing").into());
    };
    let v: Value = serde_json::from_str(line)?;
    let number = |key: &str| v[key].as_f64().ok_or_else(|| format!("no {key} in {line}"));
    Ok(Said {
        cpu: number("cpu")?,
        reached: number("reached")?,
        drift: number("drift")?,
        version: v["version"].as_str().unwrap_or_default().to_owned(),
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A row of the table: peer and Carom in turn.
fn compare(links: usize, rounds: usize, name: &str, setting: [&str; 2]) -> Result<(), Box<dyn Error>> {
    let model = chain(links)?;
    let first = peer(name, links, setting)?;
    let label = format!("{name} {}, {}", first.version, setting.join(" "));
    let Some(rtol) = tolerance(&model, links, first.reached, first.drift)? else {
        println!(
            "| {links} | {label} | {} | {:.1e} | {:.2} | – | not reached | – | – | – |",
            first.reached,
            first.drift,
            1e3 * first.cpu
        );
        return Ok(());
    };
    let (mut theirs, mut ours) = (vec![first.cpu], Vec::new());
    for round in 0..rounds {
        if round > 0 {
            theirs.push(peer(name, links, setting)?.cpu);
        }
        ours.push(run(&model, links, rtol, first.reached)?);
    }
    let own = ours[0];
    let ratio = median(theirs.iter().zip(&ours).map(|(t, o)| t / o.seconds).collect());
    println!(
        "| {links} | {label} | {:.3} | {:.1e} | {:.2} | {rtol:.0e} | {:.1e} | {} | {:.2} | {ratio:.1} |",
        first.reached,
        first.drift,
        1e3 * median(theirs),
        own.drift,
        own.evaluations,
        1e3 * median(ours.iter().map(|o| o.seconds).collect()),
    );
    Ok(())
}

fn tables(only: Option<usize>) -> Result<(), Box<dyn Error>> {
    let chains = || CHAINS.into_iter().filter(|(n, _)| only.is_none_or(|only| only == *n));
    println!(
        "| links | peer | up to [s] | its drift | its CPU time [ms] | carom's rtol | its drift | evaluations | its CPU time [ms] | peer / carom |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (links, rounds) in chains() {
        for (name, setting, longest) in PEERS {
            if links <= longest
                && let Err(e) = compare(links, rounds, name, setting)
            {
                println!("| {links} | {name}: {e} | | | | | | | | |");
            }
        }
    }
    println!("\nThe cost of a link, {METHOD}, rtol 1e-4, 1 s:\n");
    println!("| links | steps | evaluations | drift | CPU time [ms] | µs an evaluation and link |");
    println!("|---|---|---|---|---|---|");
    for (links, rounds) in chains() {
        let model = chain(links)?;
        let all: Result<Vec<Outcome>, _> =
            (0..rounds.max(3)).map(|_| run(&model, links, 1e-4, 1.0)).collect();
        let all = all?;
        let (o, seconds) = (all[0], median(all.iter().map(|o| o.seconds).collect()));
        let each = 1e6 * seconds / o.evaluations as f64 / links as f64;
        println!(
            "| {links} | {} | {} | {:.1e} | {:.2} | {each:.3} |",
            o.steps,
            o.evaluations,
            o.drift,
            1e3 * seconds
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = given.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["run", links, rtol, times] => profile(links, rtol, times),
        [links] => links.parse().map_err(Into::into).and_then(|links| tables(Some(links))),
        _ => tables(None),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn profile(links: &str, rtol: &str, times: &str) -> Result<(), Box<dyn Error>> {
    let links = links.parse()?;
    let (model, rtol) = (chain(links)?, rtol.parse()?);
    for _ in 0..times.parse()? {
        let o = run(&model, links, rtol, 1.0)?;
        println!("{:.3} ms, drift {:.1e}, {} evaluations", 1e3 * o.seconds, o.drift, o.evaluations);
    }
    Ok(())
}
