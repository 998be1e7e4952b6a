//! Many runs of a small scene: bounces a second and core in a sweep.
//!
//! An elastic ball (0.1 kg, R = 0.02 m, Hertz with E* = 1e9 Pa) falls 0.05 m onto a plane and bounces for 1 s: five touches. A sweep runs it with many masses, each of which
//! changes every touch; it computes the standard measures of each run. `ensemble [RUNS]`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]

use std::error::Error;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use carom::Analysis;
use carom_scene::Format;
use carom_studies::sweep::{Design, Measure, Plan, Row, Study, Vary, run_all};
use cpu_time::ProcessTime;

const SCENE: &str = r#"
[run]
duration = "1 s"
output_every = "0.5 s"
[[body]]
name = "floor"
fixed = true
surface = [{ type = "plane" }]
[[body]]
name = "ball"
mass = "0.1 kg"
position = [0, 0, "70 mm"]
surface = [{ type = "sphere", radius = "20 mm" }]
[[contact]]
between = ["ball", "floor"]
normal = { law = "hertz", stiffness = 188561808.3 }
"#;
/// Touches of every run.
const TOUCHES: f64 = 5.0;

fn main() -> ExitCode {
    let runs = std::env::args().nth(1).map_or(Ok(4000), |count| count.parse());
    match runs.map_err(Box::from).and_then(measure) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("ensemble: {why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(runs: usize) -> Result<(), Box<dyn Error>> {
    println!("| method | rtol | threads | runs | s | CPU s | bounces a second of a core | energy error |");
    println!("|---|---|---|---|---|---|---|---|");
    for method in ["auto", "dop853", "ode45"] {
        for rtol in ["1e-4", "1e-6", "1e-9"] {
            for threads in [1, 2] {
                sweep(runs, method, rtol, threads)?;
            }
        }
    }
    Ok(())
}

fn sweep(runs: usize, method: &str, rtol: &str, threads: usize) -> Result<(), Box<dyn Error>> {
    let plan = Plan::new(vec![Vary::parse(&format!("body/ball/mass=0.05:0.2:{runs}"))?], Design::Grid)?;
    let set = [format!("run/method={method}"), format!("run/rtol={rtol}")];
    let measures = Measure::standard(Analysis::Dynamic);
    let column = |name: &str| measures.iter().position(|m| m.name == name).unwrap_or_default();
    let (touches, before, after) = (column("touches"), column("energy_start"), column("energy_end"));
    let study = Study::new(SCENE, Format::Toml, "ball.toml", &set, plan, measures)?;
    let all: Vec<usize> = (0..runs).collect();
    let (start, cpu) = (Instant::now(), ProcessTime::now());
    let mut rows: Vec<Row> = Vec::with_capacity(runs);
    run_all::<()>(&study, &all, threads, None, &AtomicBool::new(false), |row| {
        rows.push(row);
        Ok(())
    })
    .map_err(|()| "the sweep was stopped")?;
    let (took, cpu) = (start.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    let mut error = 0.0_f64;
    for row in rows {
        let values = row.values?;
        if values[touches] != TOUCHES {
            return Err(format!("{} touches", values[touches]).into());
        }
        error = error.max(((values[after] - values[before]) / values[before]).abs());
    }
    let rate = TOUCHES * runs as f64 / cpu;
    println!("| {method} | {rtol} | {threads} | {runs} | {took:.3} | {cpu:.3} | {rate:.0} | {error:.1e} |");
    Ok(())
}
