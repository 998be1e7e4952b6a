//! The 16-ball break with cloth and cushions, 2 s: Carom against the same forces in SciPy with numba.
//!
//! The scene is that of the paper (`papers/sphere-algorithms/scenes/break.toml`), made elastic throughout: laws that
//! remember an impact speed are no function of the state alone, which is all SciPy can integrate.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]
#![allow(
    clippy::disallowed_methods,
    reason = "bare loops and peers are measured as they would be written elsewhere, with the functions of the platform"
)]

mod scipy;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use carom::{Output, Recording, Simulation};
use carom_scene::Scene;
use cpu_time::ThreadTime;
use scipy::Scipy;

/// Simulated time [s].
const DURATION: f64 = 2.0;
const RTOL: f64 = 1e-8;
/// Rounds in which both run.
const ROUNDS: usize = 5;
/// Every contact elastic.
const ELASTIC: [&str; 3] = [
    "contact/balls/normal/restitution=1",
    "contact/cloth/normal/restitution=1",
    "contact/cushions/normal/restitution=1",
];
/// How far from the truth a run of ours is found out by one at this tolerance.
const TIGHT: f64 = 1e-13;

/// What a contender did.
struct Outcome {
    evaluations: usize,
    steps: usize,
    /// where the balls are in the end [m]
    end: Vec<[f64; 3]>,
}

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("billiards: {what}");
            ExitCode::FAILURE
        }
    }
}

fn scene() -> Result<Scene, Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../papers/sphere-algorithms/scenes/break.toml");
    Ok(Scene::from_file(Path::new(path), &ELASTIC.map(str::to_owned))?)
}

fn run(scene: &Scene, method: &str, rtol: f64, duration: f64) -> Result<Outcome, Box<dyn Error>> {
    let simulation = Simulation::new(&scene.model).method(method).rtol(rtol).duration(duration);
    let done = simulation.run()?;
    let end = done.end.frame.bodies.iter().map(|b| b.position.into()).collect();
    Ok(Outcome { evaluations: done.summary.stats.evaluations, steps: done.summary.stats.steps, end })
}

fn measure() -> Result<(), Box<dyn Error>> {
    let scene = scene()?;
    let mut start = Recording::default();
    Simulation::new(&scene.model).duration(1e-6).output(Output::Ends).run_into(&mut start)?;
    let truth = run(&scene, "dop853", TIGHT, DURATION)?;
    let methods = ["auto", "dop853", "ode45", "ode113"];
    let mut times = vec![Vec::new(); methods.len()];
    let mut peer = match Scipy::start(&scene.model, &start.frames[0].bodies, RTOL, DURATION) {
        Ok(peer) => Some(peer),
        Err(why) => {
            println!(
                "Without SciPy ({why}). To have it: pip install scipy numba; another Python than python3 is"
            );
            println!("taken from CAROM_BENCH_PYTHON.");
            None
        }
    };
    let mut ours = Vec::new();
    for _ in 0..ROUNDS {
        ours.clear();
        for (method, times) in methods.iter().zip(&mut times) {
            let begin = ThreadTime::now();
            ours.push(run(&scene, method, RTOL, DURATION)?);
            times.push(begin.elapsed().as_secs_f64());
        }
        if let Some(peer) = &mut peer {
            peer.round()?;
        }
    }
    println!(
        "16 balls, {DURATION} s, rtol {RTOL:e}; CPU time of a run, median (least) of {ROUNDS}; ratios round by round\n"
    );
    println!("| | time, ms | steps | evaluations | µs an evaluation | off at the end, m | SciPy / it |");
    println!("|---|---|---|---|---|---|---|");
    for ((method, times), outcome) in methods.iter().zip(&times).zip(&ours) {
        let ratio =
            peer.as_ref().map(|p| p.times.iter().zip(times).map(|(peer, ours)| peer / ours).collect());
        line(&format!("carom, {method}"), times, outcome, &truth, ratio.map(median));
    }
    if let Some(Scipy { version, times, outcome: Some(outcome), .. }) = &peer {
        line(&format!("{version}, DOP853"), times, outcome, &truth, None);
    }
    Ok(())
}

fn line(name: &str, times: &[f64], outcome: &Outcome, truth: &Outcome, ratio: Option<f64>) {
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    let apart = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
    let off = outcome.end.iter().zip(&truth.end).map(apart).fold(0.0, f64::max);
    println!(
        "| {name} | {:.0} ({:.0}) | {} | {} | {:.2} | {off:.0e} | {} |",
        1e3 * median(times.to_vec()),
        1e3 * least,
        outcome.steps,
        outcome.evaluations,
        1e6 * least / outcome.evaluations as f64,
        ratio.map_or_else(|| "–".to_owned(), |r| format!("{r:.1}"))
    );
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
