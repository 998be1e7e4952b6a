//! A ring dropped at 60 degrees on a plane, 1 s: Carom against SciPy's LSODA, and what slices cost.
//!
//! The case is the torus paper's second one, with 36 slices and friction. Every contender runs at many tolerances; in each error class
//! its cheapest setting that reaches it counts. `torus` measures and prints tables; `torus run SLICES METHOD RTOL TIMES` only runs Carom, for a profiler.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]
#![allow(
    clippy::disallowed_methods,
    reason = "bare loops and peers are measured as they would be written elsewhere, with the functions of the platform"
)]

mod ring;
mod scipy;
mod slices;

use std::error::Error;
use std::process::ExitCode;

use carom::Model;
use carom::prelude::Slices;
use cpu_time::ThreadTime;
use ring::{METHODS, Reference, SLICES};
use scipy::Scipy;

/// Distances of the centre of mass from the reference that are to be reached [m].
const CLASSES: [f64; 2] = [1.5e-6, 7e-9];
/// Runs at each tolerance from which the cheapest setting is chosen; of NumPy's, which are long, one.
const TRIES: usize = 3;
/// Rounds in which the chosen ones run in turn.
const ROUNDS: usize = 15;
/// Carom's runs are short: a measurement is the mean of so many.
const BATCH: usize = 5;

/// What a run came to.
struct Outcome {
    /// CPU time [s]
    seconds: f64,
    evaluations: usize,
    steps: usize,
    /// of the centre of mass, at the times asked for [m]
    places: Vec<[f64; 3]>,
}

/// One who solves the case.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Contender {
    Carom,
    /// right-hand side and front end of LSODA
    Scipy(&'static str, &'static str),
}

impl Contender {
    const ALL: [Contender; 5] = [
        Contender::Carom,
        Contender::Scipy("numba", "solve_ivp"),
        Contender::Scipy("numba", "odeint"),
        Contender::Scipy("numpy", "solve_ivp"),
        Contender::Scipy("numpy", "odeint"),
    ];

    fn name(self) -> String {
        match self {
            Contender::Carom => "carom".to_owned(),
            Contender::Scipy(rates, front) => format!("{rates}, {front}"),
        }
    }

    fn methods(self) -> &'static [&'static str] {
        match self {
            Contender::Carom => &METHODS,
            Contender::Scipy(..) => &["LSODA"],
        }
    }
}

/// Whoever runs.
struct Arena {
    reference: Reference,
    model: Model,
    scipy: Option<Scipy>,
}

/// A contender at a tolerance.
#[derive(Clone)]
struct Setting {
    contender: Contender,
    method: &'static str,
    rtol: f64,
    /// at the end, and the largest [m]
    errors: [f64; 2],
    evaluations: usize,
    steps: usize,
    /// [s]
    times: Vec<f64>,
}

impl Arena {
    fn new() -> Result<Arena, Box<dyn Error>> {
        let reference = Reference::read()?;
        let model = reference.model(Slices::new(SLICES)?)?;
        Ok(Arena { reference, model, scipy: None })
    }

    /// A setting and how close it gets, from a run that is not timed.
    fn setting(&mut self, contender: Contender, method: &'static str, rtol: f64) -> Result<Setting, String> {
        let times = &self.reference.times;
        let outcome = match (contender, &mut self.scipy) {
            (Contender::Scipy(rates, front), Some(scipy)) => {
                let places = scipy.run(rates, front, rtol, times)?.places;
                Outcome { places, ..scipy.run(rates, front, rtol, &[])? }
            }
            _ => ring::watched(&self.model, method, rtol, times)?,
        };
        let errors = self.reference.errors(&outcome.places)?;
        let Outcome { evaluations, steps, .. } = outcome;
        Ok(Setting { contender, method, rtol, errors, evaluations, steps, times: Vec::new() })
    }

    /// CPU time of one run [s].
    fn time(&mut self, setting: &Setting) -> Result<f64, String> {
        match (setting.contender, &mut self.scipy) {
            (Contender::Scipy(rates, front), Some(scipy)) => {
                Ok(scipy.run(rates, front, setting.rtol, &[])?.seconds)
            }
            _ => timed(|| ring::run(&self.model, setting.method, setting.rtol, true)),
        }
    }
}

/// CPU time of a run of ours [s].
fn timed<T>(run: impl Fn() -> Result<T, String>) -> Result<f64, String> {
    // caches hold what ran before: warm up
    run()?;
    let begin = ThreadTime::now();
    for _ in 0..BATCH {
        std::hint::black_box(run()?);
    }
    Ok(begin.elapsed().as_secs_f64() / BATCH as f64)
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        [] => measure(),
        ["run", slices, method, rtol, times] => repeat(slices, method, rtol, times),
        _ => Err("usage: torus [run SLICES METHOD RTOL TIMES]".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("torus: {what}");
            ExitCode::FAILURE
        }
    }
}

fn repeat(slices: &str, method: &str, rtol: &str, times: &str) -> Result<(), Box<dyn Error>> {
    let (rtol, times): (f64, usize) = (rtol.parse()?, times.parse()?);
    let model = Reference::read()?.model(Slices::new(slices.parse()?)?)?;
    for _ in 1..times {
        std::hint::black_box(ring::run(&model, method, rtol, true)?);
    }
    println!("{}", ring::run(&model, method, rtol, true)?);
    Ok(())
}

fn measure() -> Result<(), Box<dyn Error>> {
    let mut arena = Arena::new()?;
    let scale = arena.model.scale();
    match Scipy::start(&arena.reference.description(), scale.length, scale.speed) {
        Ok(scipy) => {
            println!("{}", scipy.version);
            arena.scipy = Some(scipy);
        }
        Err(why) => {
            println!("Without SciPy ({why}). To have it: pip install scipy numba; another Python than");
            println!("python3 is taken from CAROM_BENCH_PYTHON.");
        }
    }
    let all = survey(&mut arena)?;
    println!("\nCPU time, the least of {TRIES} runs\n");
    println!("| | rtol | off at the end, m | off at most, m | steps | evaluations | time, ms |");
    println!("|---|---|---|---|---|---|---|");
    for s in &all {
        let (name, [end, most]) = (s.contender.name(), s.errors);
        println!(
            "| {name}, {} | {:.0e} | {end:.1e} | {most:.1e} | {} | {} | {:.2} |",
            s.method,
            s.rtol,
            s.steps,
            s.evaluations,
            1e3 * least(&s.times)
        );
    }
    classes(&mut arena, &all)?;
    slices::measure(&arena.reference)
}

/// 1e-3, 3e-4, 1e-4 … 1e-12.
fn tolerances() -> Vec<f64> {
    let words = (3..=12).flat_map(|p| [format!("1e-{p}"), format!("3e-{}", p + 1)]);
    words.filter_map(|w| w.parse().ok()).filter(|rtol| *rtol >= 1e-12).collect()
}

/// Everyone at every tolerance.
fn survey(arena: &mut Arena) -> Result<Vec<Setting>, String> {
    let mut all = Vec::new();
    for contender in Contender::ALL {
        if contender != Contender::Carom && arena.scipy.is_none() {
            continue;
        }
        for method in contender.methods() {
            for rtol in tolerances() {
                all.push(arena.setting(contender, method, rtol)?);
            }
        }
    }
    for round in 0..TRIES {
        let tried = |s: &Setting| matches!(s.contender, Contender::Scipy("numpy", _)) && round > 0;
        for setting in all.iter_mut().filter(|s| !tried(s)) {
            let time = arena.time(setting)?;
            setting.times.push(time);
        }
    }
    Ok(all)
}

/// The cheapest setting of everyone that reaches an error, in rounds of their own.
fn classes(arena: &mut Arena, all: &[Setting]) -> Result<(), String> {
    println!(
        "\nThe cheapest setting that gets there; median (least) of {ROUNDS} rounds, ratios round by round\n"
    );
    println!(
        "| to be reached, m | | setting | off at the end, m | off at most, m | tighter ones too | evaluations | time, ms | it / carom |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for class in CLASSES {
        let mut best = Vec::new();
        for contender in Contender::ALL {
            let reaches = |s: &&Setting| s.contender == contender && s.errors[1] <= class;
            let cheapest =
                all.iter().filter(reaches).min_by(|a, b| least(&a.times).total_cmp(&least(&b.times)));
            best.extend(cheapest.map(|s| Setting { times: Vec::new(), ..s.clone() }));
        }
        for _ in 0..ROUNDS {
            for setting in &mut best {
                let time = arena.time(setting)?;
                setting.times.push(time);
            }
        }
        for s in &best {
            let ratio = s.times.iter().zip(&best[0].times).map(|(it, ours)| it / ours).collect();
            // no lucky hit
            let kin = |o: &&Setting| o.contender == s.contender && o.method == s.method && o.rtol < s.rtol;
            let sure = all.iter().filter(kin).all(|o| o.errors[1] <= class);
            let (name, [end, most]) = (s.contender.name(), s.errors);
            println!(
                "| {class:.1e} | {name} | {}, {:.0e} | {end:.1e} | {most:.1e} | {} | {} | {:.2} ({:.2}) | {:.1} |",
                s.method,
                s.rtol,
                if sure { "yes" } else { "no" },
                s.evaluations,
                1e3 * median(s.times.clone()),
                1e3 * least(&s.times),
                median(ratio)
            );
        }
    }
    Ok(())
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
