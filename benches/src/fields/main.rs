//! Cubes that fall on a corner or are thrown near a support with a short-range field: closed forms against Gauss points.
//!
//! The cases are those of Figs 17 to 22 of the paper, each of which took its authors 30 minutes. First the whole motion of each figure, as its scene has it.
//! Then the first second of it, once by closed forms and once by the same program with n × n Gauss points on every face, n being the least of a list
//! that comes as near to a reference (closed forms, rtol 1e-13) as the closed forms do at the same tolerance.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use carom::Output;
use carom_scene::Scene;
use cpu_time::ThreadTime;

/// The figures, and what they change of the scene.
const FIGURES: [(&str, &[&str]); 6] = [
    ("17", &["run/duration=4"]),
    ("18", &["parameter/spin=50", "run/duration=6"]),
    ("19", &["parameter/damping_exponent=2", "run/duration=5"]),
    ("20", &["parameter/spin=50", "parameter/damping_exponent=2", "run/duration=8"]),
    ("21", &[
        "parameter/tilt=0.1",
        "parameter/lift=0.3",
        "parameter/damping_exponent=2",
        "body/cube/velocity=[1, 0, 0]",
        "body/cube/angular_velocity=[0, 10, 0]",
        "run/duration=3",
    ]),
    ("22", &[
        "parameter/tilt=0.1",
        "parameter/lift=0.3",
        "parameter/damping_exponent=2",
        "body/cube/velocity=[1, 0, 0]",
        "body/cube/angular_velocity=[0, 0, 10]",
        "run/duration=3",
    ]),
];
const POINTS: [usize; 9] = [24, 36, 48, 72, 96, 120, 144, 180, 216];
/// What is compared [s].
const PART: f64 = 1.0;
const RTOL: f64 = 1e-8;
/// Runs of the closed forms: the cheapest counts.
const TRIES: usize = 5;

/// A run: CPU time [s], and where the centre is at tenths of it [m].
struct Outcome {
    seconds: f64,
    places: Vec<[f64; 3]>,
}

fn run(figure: &[&str], points: Option<usize>, rtol: f64) -> Result<Outcome, Box<dyn Error>> {
    let scene = scene(figure, points)?;
    let times: Vec<f64> = (1..=10).map(|i| PART * f64::from(i) / 10.0).collect();
    let mut recording = carom::Recording::default();
    let start = ThreadTime::now();
    let simulation = carom::Simulation::new(&scene.model).duration(PART).method("dop853").rtol(rtol).atol(rtol);
    simulation.output(Output::At(times)).run_into(&mut recording)?;
    let seconds = start.elapsed().as_secs_f64();
    let places = recording.frames.iter().map(|f| f.bodies[0].position.into()).collect();
    Ok(Outcome { seconds, places })
}

fn scene(figure: &[&str], points: Option<usize>) -> Result<Scene, Box<dyn Error>> {
    let mut set: Vec<String> = figure.iter().map(|s| (*s).to_owned()).collect();
    set.extend(points.map(|n| format!("field/cube~support/gauss_points={n}")));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../papers/short-range-fields/scenes/corner.toml");
    Ok(Scene::from_file(Path::new(path), &set)?)
}

fn error(a: &Outcome, b: &Outcome) -> f64 {
    let apart = |(p, q): (&[f64; 3], &[f64; 3])| (0..3).map(|i| (p[i] - q[i]).abs()).fold(0.0, f64::max);
    a.places.iter().zip(&b.places).map(apart).fold(0.0, f64::max)
}

fn measure() -> Result<(), Box<dyn Error>> {
    println!("The whole motion, rtol as in the scene:\n");
    println!("| figure | simulated [s] | CPU time [ms] | steps | evaluations | µs an evaluation |");
    println!("|---|---|---|---|---|---|");
    for (name, figure) in FIGURES {
        let scene = scene(figure, None)?;
        let mut best = f64::INFINITY;
        let mut stats = None;
        for _ in 0..TRIES {
            let start = ThreadTime::now();
            let run = scene.simulation().output(Output::Ends).run()?;
            best = best.min(start.elapsed().as_secs_f64());
            stats = Some(run.summary.stats);
        }
        let Some(stats) = stats else { continue };
        let each = 1e6 * best / stats.evaluations as f64;
        println!(
            "| {name} | {} | {:.1} | {} | {} | {each:.2} |",
            scene.duration,
            1e3 * best,
            stats.steps,
            stats.evaluations
        );
    }
    println!("\nThe first second by closed forms and by Gauss points, dop853, rtol {RTOL:e}:\n");
    println!("| figure | error, closed [m] | CPU time [ms] | Gauss points | error [m] | CPU time [ms] | ratio |");
    println!("|---|---|---|---|---|---|---|");
    for (name, figure) in FIGURES {
        let reference = run(figure, None, 1e-13)?;
        let mut closed = run(figure, None, RTOL)?;
        for _ in 1..TRIES {
            closed.seconds = closed.seconds.min(run(figure, None, RTOL)?.seconds);
        }
        let own = error(&closed, &reference);
        // too few points let a corner through the support
        let gauss = POINTS.iter().filter_map(|&n| Some((n, run(figure, Some(n), RTOL).ok()?)));
        let mut gauss = gauss.map(|(n, outcome)| (n, error(&outcome, &reference), outcome));
        match gauss.find(|(_, error, _)| *error <= 2.0 * own) {
            Some((n, error, outcome)) => println!(
                "| {name} | {own:.1e} | {:.2} | {n} × {n} | {error:.1e} | {:.0} | {:.0} |",
                1e3 * closed.seconds,
                1e3 * outcome.seconds,
                outcome.seconds / closed.seconds
            ),
            None => println!("| {name} | {own:.1e} | {:.2} | none of {POINTS:?} | | | |", 1e3 * closed.seconds),
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
