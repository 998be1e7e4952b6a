//! Work against precision: Carom's integrators and their peers on problems whose ends are known.
//!
//! `work-precision` measures everything and writes the report; `work-precision report` writes it anew from the points measured
//! before. Options: `--problems A,B`, `--contenders A,B` (parts of their names; what was measured of the others before stays),
//! `--jacobian exact|differences`, `--limit SECONDS` of a run, `--out FOLDER`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]
#![allow(
    clippy::disallowed_methods,
    reason = "bare loops and peers are measured as they would be written elsewhere, with the functions of the platform"
)]

mod contenders;
mod curve;
mod measure;
mod plots;
mod points;
mod report;
mod tables;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use carom_ode::problems;
use contenders::{Contender, Jacobians, Job, scipy};

const USAGE: &str = "usage: work-precision [report] [--problems A,B] [--contenders A,B] \
    [--jacobian exact|differences] [--limit SECONDS] [--out FOLDER]";

/// 1e-3 … 1e-12.
const TOLERANCES: [f64; 10] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12];

/// What is asked for.
struct Wish {
    only_report: bool,
    problems: Vec<String>,
    contenders: Vec<String>,
    jacobians: Jacobians,
    limit: f64,
    out: PathBuf,
}

fn main() -> ExitCode {
    match wish().and_then(|wish| work(&wish)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("work-precision: {what}");
            ExitCode::FAILURE
        }
    }
}

fn wish() -> Result<Wish, Box<dyn Error>> {
    let mut wish = Wish {
        only_report: false,
        problems: Vec::new(),
        contenders: Vec::new(),
        jacobians: Jacobians::Exact,
        limit: 5.0,
        out: PathBuf::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if arg == "report" {
            wish.only_report = true;
            continue;
        }
        let value = args.next().ok_or(USAGE)?;
        let list = || value.split(',').map(str::to_owned).collect();
        match arg.as_str() {
            "--problems" => wish.problems = list(),
            "--contenders" => wish.contenders = list(),
            "--jacobian" if value == "exact" => wish.jacobians = Jacobians::Exact,
            "--jacobian" if value == "differences" => wish.jacobians = Jacobians::Differences,
            "--limit" => wish.limit = value.parse()?,
            "--out" => wish.out = PathBuf::from(value),
            _ => return Err(USAGE.into()),
        }
    }
    if wish.out.as_os_str().is_empty() {
        wish.out = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/work-precision"));
        if wish.jacobians == Jacobians::Differences {
            wish.out.push("differences");
        }
    }
    Ok(wish)
}

fn work(wish: &Wish) -> Result<(), Box<dyn Error>> {
    let table = wish.out.join("results.csv");
    let note_file = wish.out.join("scipy-version.txt");
    if wish.only_report {
        let points = points::from_csv(&std::fs::read_to_string(table)?)?;
        let note = std::fs::read_to_string(note_file).unwrap_or_default();
        return report::write(&wish.out, &points, note.trim());
    }
    let mut all = contenders::compiled();
    let note = match scipy::all() {
        Ok((scipys, version)) => {
            all.extend(scipys);
            version
        }
        Err(why) => {
            println!("Without SciPy ({why}). To have it: pip install scipy numpy; another Python than");
            println!("python3 is taken from CAROM_BENCH_PYTHON.");
            // of a part measured anew, the rest stays with its version
            let kept =
                if wish.contenders.is_empty() { None } else { std::fs::read_to_string(&note_file).ok() };
            kept.map_or("left out".to_owned(), |note| note.trim().to_owned())
        }
    };
    // what peers say when they panic is kept with the failures
    std::panic::set_hook(Box::new(|_| {}));
    let mut points = measure_all(wish, &all);
    if !(wish.problems.is_empty() && wish.contenders.is_empty())
        && let Ok(text) = std::fs::read_to_string(&table)
    {
        // a part of it measured anew
        let order: Vec<String> = all.iter().map(|c| c.label()).collect();
        points = points::merged(points::from_csv(&text)?, points, &order);
    }
    std::fs::create_dir_all(&wish.out)?;
    std::fs::write(note_file, format!("{note}\n"))?;
    report::write(&wish.out, &points, &note)?;
    println!("{} points: {}", points.len(), wish.out.display());
    Ok(())
}

fn measure_all(wish: &Wish, all: &[Box<dyn Contender>]) -> Vec<points::Point> {
    let wanted =
        |name: &str, wishes: &[String]| wishes.is_empty() || wishes.iter().any(|w| name.contains(w.as_str()));
    let mut points = Vec::new();
    for problem in problems::ALL.iter().filter(|p| wanted(p.name, &wish.problems)) {
        println!("{}: {}", problem.name, problem.summary);
        for contender in all {
            let usable = wish.jacobians == Jacobians::Exact || contender.differences();
            if !usable || !contender.suits(problem) || !wanted(&contender.label(), &wish.contenders) {
                continue;
            }
            let limit = Duration::from_secs_f64(wish.limit);
            let job = Job { problem, rtol: 0.0, jacobians: wish.jacobians, limit };
            let curve = measure::curve(contender.as_ref(), &job, &TOLERANCES);
            let done = curve.iter().filter(|p| p.outcome.is_ok()).count();
            println!("    {}: {done} of {} tolerances", contender.label(), curve.len());
            points.extend(curve);
        }
    }
    points
}
