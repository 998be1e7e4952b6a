//! Instructions that each class of scenes takes, by callgrind: they are the same on a busy machine, so that a slow-down of a few parts in a hundred is seen.
//!
//! `instructions` runs all jobs under callgrind, twice each, with one repetition and with three: the difference is two runs, without what reads the scene and starts the program. It prints
//! a table beside the last version in `benches/instructions.csv`; `instructions --keep` adds this version to it. `instructions run JOB TIMES` is what callgrind watches, `instructions JOB…` does
//! some jobs alone. It needs valgrind.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]
#![allow(clippy::disallowed_methods, reason = "the bare loop uses the functions of the platform")]

#[path = "../ball.rs"]
#[allow(dead_code, reason = "this program compares no heights")]
mod ball;
#[path = "../bare.rs"]
mod bare;
#[path = "../engine.rs"]
#[allow(dead_code, reason = "this program measures no errors")]
mod engine;
#[path = "../handwritten.rs"]
mod handwritten;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use ball::{Outcome, TOUCHES};
use carom::Model;
use carom_scene::Scene;

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Where the numbers of earlier versions are.
const KEPT: &str = "benches/instructions.csv";
/// The head of that file.
const HEAD: &str = "version,job,instructions,evaluations";

/// What is run: a name, and a scene with its values replaced, or a tolerance of the bouncing ball.
struct Job {
    name: &'static str,
    what: What,
}

enum What {
    /// the ball of the first benchmark, by Carom, by its integrator alone and by a bare loop
    Bounce(fn(&Model, f64) -> Result<Outcome, String>, f64),
    /// a scene, and how long it is run \[s\]
    Scene(&'static str, f64),
}

const fn bounce(name: &'static str, by: fn(&Model, f64) -> Result<Outcome, String>, rtol: f64) -> Job {
    Job { name, what: What::Bounce(by, rtol) }
}

const fn scene(name: &'static str, path: &'static str, duration: f64) -> Job {
    Job { name, what: What::Scene(path, duration) }
}

static JOBS: [Job; 19] = [
    bounce("bounce 1e-6", engine::run, 1e-6),
    bounce("bounce 1e-6, integrator alone", by_integrator, 1e-6),
    bounce("bounce 1e-6, bare loop", by_bare_loop, 1e-6),
    bounce("bounce 1e-10", engine::run, 1e-10),
    bounce("bounce 1e-10, integrator alone", by_integrator, 1e-10),
    bounce("bounce 1e-10, bare loop", by_bare_loop, 1e-10),
    scene("torus", "examples/torus-tilted.toml", 0.3),
    scene("break", "papers/sphere-algorithms/scenes/break.toml", 0.2),
    scene("slider-crank with clearance", "examples/slider-crank-clearance.toml", 0.01),
    scene("chain", "examples/chain.toml", 0.2),
    scene("rattleback", "examples/rattleback.toml", 0.5),
    scene("stack of boxes", "examples/stack-of-boxes.toml", 0.05),
    scene("jelly", "examples/jelly-drop.toml", 0.2),
    scene("bearing", "examples/ball-bearing.toml", 0.002),
    scene("egg in a bowl", "examples/egg-in-bowl.toml", 0.1),
    scene("gripper", "examples/gripper.toml", 0.02),
    scene("dice", "examples/tumbling-dice.toml", 0.1),
    scene("chain of tori, islands", "examples/torus-chain.toml", 0.01),
    scene("sandpile, crowd", "examples/sandpile.toml", 0.002),
];

fn by_integrator(model: &Model, rtol: f64) -> Result<Outcome, String> {
    handwritten::run(model.scale(), rtol, |_, _| {})
}

fn by_bare_loop(_: &Model, rtol: f64) -> Result<Outcome, String> {
    Ok(bare::run(rtol, |_, _| {}))
}

impl Job {
    /// Runs the job so many times; returns the evaluations of one run.
    fn run(&self, times: usize) -> Result<usize, Box<dyn Error>> {
        let mut evaluations = 0;
        match self.what {
            What::Bounce(by, rtol) => {
                let model = engine::model()?;
                for _ in 0..times {
                    let done = by(&model, rtol)?;
                    if done.touches != TOUCHES {
                        return Err(format!("{} touches", done.touches).into());
                    }
                    evaluations = done.evaluations;
                }
            }
            What::Scene(path, duration) => {
                let set = [format!("run/duration={duration}"), format!("run/output_every={duration}")];
                let scene = Scene::from_file(&Path::new(ROOT).join(path), &set)?;
                for _ in 0..times {
                    let run = scene.simulation().threads(1).run()?;
                    evaluations = run.summary.stats.evaluations;
                }
            }
        }
        Ok(evaluations)
    }

    /// Instructions of one run, under callgrind, and its evaluations.
    fn measure(&self) -> Result<Count, Box<dyn Error>> {
        let (once, evaluations) = watched(self.name, 1)?;
        let (thrice, _) = watched(self.name, 3)?;
        Ok(Count { instructions: (thrice - once) / 2, evaluations })
    }
}

/// What one run takes.
#[derive(Clone, Copy)]
struct Count {
    instructions: u64,
    evaluations: usize,
}

fn main() -> ExitCode {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    match go(&asked) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("instructions: {why}");
            ExitCode::FAILURE
        }
    }
}

fn go(asked: &[String]) -> Result<(), Box<dyn Error>> {
    if let [word, name, times] = asked
        && word == "run"
    {
        println!("{}", job(name)?.run(times.parse()?)?);
        return Ok(());
    }
    let names: Vec<&str> = asked.iter().map(String::as_str).filter(|a| *a != "--keep").collect();
    let keep = names.len() < asked.len();
    let jobs = names.iter().map(|name| job(name)).collect::<Result<Vec<_>, _>>()?;
    let jobs = if jobs.is_empty() { JOBS.iter().collect() } else { jobs };
    let path = Path::new(ROOT).join(KEPT);
    let kept = std::fs::read_to_string(&path).unwrap_or_else(|_| format!("{HEAD}\n"));
    println!("| job | instructions | evaluations | instructions an evaluation | before | ratio |");
    println!("|---|---|---|---|---|---|");
    let mut lines = String::new();
    for job in jobs {
        let now = job.measure()?;
        let before = last(&kept, job.name);
        let ratio = |b: u64| format!("{:.3}", now.instructions as f64 / b as f64);
        let (before, ratio) = before.map_or(("–".into(), "–".into()), |b| (b.to_string(), ratio(b)));
        let each = now.instructions / (now.evaluations.max(1) as u64);
        println!(
            "| {} | {} | {} | {each} | {before} | {ratio} |",
            job.name, now.instructions, now.evaluations
        );
        let version = env!("CARGO_PKG_VERSION");
        lines += &format!("{version},\"{}\",{},{}\n", job.name, now.instructions, now.evaluations);
    }
    if keep {
        std::fs::write(path, kept + &lines)?;
    }
    Ok(())
}

fn job(name: &str) -> Result<&'static Job, String> {
    JOBS.iter().find(|job| job.name == name).ok_or_else(|| {
        format!(
            "no job `{name}`; there are {}",
            JOBS.iter().map(|job| job.name).collect::<Vec<_>>().join("; ")
        )
    })
}

/// The instructions of a job in the last version that was kept.
fn last(kept: &str, name: &str) -> Option<u64> {
    let quoted = format!(",\"{name}\",");
    let line = kept.lines().rev().find(|line| line.contains(&quoted))?;
    line.split(&quoted).nth(1)?.split(',').next()?.parse().ok()
}

/// Runs this program under callgrind: all instructions, and the evaluations that it says.
fn watched(name: &str, times: usize) -> Result<(u64, usize), Box<dyn Error>> {
    let program: PathBuf = std::env::current_exe()?;
    let out = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["run", name, &times.to_string()])
        .output()
        .map_err(|e| format!("valgrind: {e}"))?;
    let said = String::from_utf8_lossy(&out.stderr);
    if !out.status.success() {
        return Err(format!("{name}: {said}").into());
    }
    let total = said.lines().find_map(|line| line.split("Collected :").nth(1)).ok_or("no count")?;
    let evaluations = String::from_utf8_lossy(&out.stdout).trim().parse()?;
    Ok((total.trim().parse()?, evaluations))
}
