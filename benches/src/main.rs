//! Speed of a bouncing ball: Carom against its own integrator on a hand-written ball, a bare loop, and Exudyn.
//!
//! `bounce` measures and prints tables; `bounce run NAME RTOL TIMES` only runs one contender, for a profiler.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]
#![allow(
    clippy::disallowed_methods,
    reason = "bare loops and peers are measured as they would be written elsewhere, with the functions of the platform"
)]

mod ball;
mod bare;
mod engine;
mod handwritten;
mod peer;
mod table;

use std::error::Error;
use std::process::ExitCode;

use ball::{EnergyError, Outcome};
use cpu_time::ThreadTime;
use peer::Peer;
use table::{CLASSES, Figures};

/// Rounds in which every contender runs at every tolerance.
const ROUNDS: usize = 100;
/// Rounds in which every contender runs in every error class, Exudyn too.
const CLASS_ROUNDS: usize = 40;
/// A measurement repeats short runs until it lasts about this long [s].
const LEAST: f64 = 300e-6;

/// One who solves the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contender {
    Engine,
    Handwritten,
    Bare,
}

impl Contender {
    const ALL: [Contender; 3] = [Contender::Engine, Contender::Handwritten, Contender::Bare];

    fn name(self) -> &'static str {
        match self {
            Contender::Engine => "carom",
            Contender::Handwritten => "handwritten",
            Contender::Bare => "bare",
        }
    }

    fn run(self, model: &carom::Model, rtol: f64) -> Result<Outcome, String> {
        match self {
            Contender::Engine => engine::run(model, rtol),
            Contender::Handwritten => handwritten::run(model.scale(), rtol, |_, _| {}),
            Contender::Bare => Ok(bare::run(rtol, |_, _| {})),
        }
    }

    fn energy_error(self, model: &carom::Model, rtol: f64) -> Result<f64, String> {
        let mut error = EnergyError::default();
        let see = |height, speed| error.see(height, speed);
        match self {
            Contender::Engine => return engine::energy_error(model, rtol),
            Contender::Handwritten => drop(handwritten::run(model.scale(), rtol, see)?),
            Contender::Bare => drop(bare::run(rtol, see)),
        }
        Ok(error.0)
    }

    /// CPU time of one run [s], the mean over `times` of them.
    fn time(self, model: &carom::Model, rtol: f64, times: usize) -> Result<f64, String> {
        // caches hold what ran before: warm up
        self.run(model, rtol)?;
        let start = ThreadTime::now();
        for _ in 0..times {
            std::hint::black_box(self.run(model, std::hint::black_box(rtol))?);
        }
        Ok(start.elapsed().as_secs_f64() / times as f64)
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        [] => measure(),
        ["run", name, rtol, times] => repeat(name, rtol, times),
        _ => Err("usage: bounce [run carom|handwritten|bare RTOL TIMES]".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("bounce: {what}");
            ExitCode::FAILURE
        }
    }
}

fn repeat(name: &str, rtol: &str, times: &str) -> Result<(), Box<dyn Error>> {
    let (rtol, times): (f64, usize) = (rtol.parse()?, times.parse()?);
    let model = engine::model()?;
    let found = Contender::ALL.into_iter().find(|c| c.name() == name);
    let contender = found.ok_or("contenders: carom, handwritten, bare")?;
    let seconds = contender.time(&model, rtol, times)?;
    let outcome = contender.run(&model, rtol)?;
    println!("{name}, rtol {rtol:e}: {:.4} ms, {outcome:?}", 1e3 * seconds);
    Ok(())
}

fn measure() -> Result<(), Box<dyn Error>> {
    let model = engine::model()?;
    let mut all = Vec::new();
    for rtol in tolerances() {
        for contender in Contender::ALL {
            all.push(Figures::new(contender, rtol, accuracy(contender, &model, rtol)?));
        }
    }
    for f in &mut all {
        let once = (0..5).map(|_| f.contender.time(&model, f.rtol, 1)).collect::<Result<Vec<_>, _>>()?;
        let fastest = once.into_iter().fold(f64::INFINITY, f64::min);
        f.batch = (LEAST / fastest).ceil() as usize;
    }
    for round in 0..ROUNDS {
        for i in 0..all.len() {
            // nobody is always first
            let i = (i + round) % all.len();
            let f = &mut all[i];
            f.times.push(f.contender.time(&model, f.rtol, f.batch)?);
        }
    }
    table::tolerances(&all);
    classes(&model, &all)
}

/// 1e-3, 3e-4, 1e-4 … 1e-14; at the last ones rounding begins to tell.
fn tolerances() -> Vec<f64> {
    let words = (3..=14).flat_map(|p| [format!("1e-{p}"), format!("3e-{}", p + 1)]);
    words.filter_map(|w| w.parse().ok()).filter(|rtol| *rtol >= 1e-14).collect()
}

/// What a run reaches, checked.
fn accuracy(contender: Contender, model: &carom::Model, rtol: f64) -> Result<(Outcome, f64), String> {
    let outcome = contender.run(model, rtol)?;
    let error = contender.energy_error(model, rtol)?;
    let name = contender.name();
    if outcome.touches != ball::TOUCHES {
        return Err(format!(
            "{name}, rtol {rtol:e}: {} touches instead of {}",
            outcome.touches,
            ball::TOUCHES
        ));
    }
    // the end is near an apex; an energy error moves it and the bounces before
    let off = (outcome.gap - ball::exact_gap()).abs();
    if !(off <= 10.0 * ball::DROP * error.max(1e-9)) {
        return Err(format!("{name}, rtol {rtol:e}: ends {off:.1e} m off, energy error {error:.1e}"));
    }
    Ok((outcome, error))
}

/// The cheapest setting of each in every error class, in rounds of their own together with Exudyn.
fn classes(model: &carom::Model, all: &[Figures]) -> Result<(), Box<dyn Error>> {
    let mut peer = match Peer::start() {
        Ok(peer) => Some(peer),
        Err(why) => {
            println!("\nWithout Exudyn ({why}). To have it: pip install exudyn numpy; another Python than");
            println!("python3 is taken from CAROM_BENCH_PYTHON.");
            None
        }
    };
    let mut best: Vec<[Option<Figures>; 3]> = CLASSES
        .iter()
        .map(|&class| {
            Contender::ALL.map(|contender| {
                let reaches = |f: &&Figures| f.contender == contender && f.error <= class;
                let cheapest = all.iter().filter(reaches).min_by(|a, b| a.least().total_cmp(&b.least()));
                cheapest.map(Figures::anew)
            })
        })
        .collect();
    for _ in 0..CLASS_ROUNDS {
        for f in best.iter_mut().flatten().flatten() {
            f.times.push(f.contender.time(model, f.rtol, f.batch)?);
        }
        if let Some(peer) = &mut peer {
            peer.round()?;
        }
    }
    table::classes(&best);
    if let Some(peer) = &peer {
        table::peer(&best, peer);
    }
    Ok(())
}
