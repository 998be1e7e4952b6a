//! Cubes that fall on a corner or are thrown near a support with a short-range field: closed forms against Gauss points.
//!
//! The cases are those of Figs 17 to 22 of the paper, each of which took its authors 30 minutes. First the whole motion of each figure, as its scene has it.
//! Then the part of it that errors have not been multiplied in yet, once by closed forms and once by the same program with n × n Gauss points on every face, n being the
//! least of a list that comes as near to a reference (closed forms, rtol 1e-13) as the closed forms do at the same tolerance: within three times, and within a tenth. Before that, many bodies at once.
//!
//! `fields 21` measures only figures whose names begin so.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]
#![allow(
    clippy::disallowed_methods,
    reason = "bare loops and peers are measured as they would be written elsewhere, with the functions of the platform"
)]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use carom::Output;
use carom_scene::{Format, Scene};
use cpu_time::ThreadTime;

/// The figures, what they change of the scene, and up to when errors are compared [s]: impacts multiply them.
const FIGURES: [(&str, &[&str], f64); 7] = [
    ("17", &["run/duration=4"], 1.0),
    ("18", &["parameter/spin=50", "run/duration=6"], 1.0),
    ("19", &["parameter/damping_exponent=2", "run/duration=5"], 1.0),
    ("20", &["parameter/spin=50", "parameter/damping_exponent=2", "run/duration=8"], 1.0),
    (
        "21",
        &[
            "parameter/tilt=0.1",
            "parameter/lift=0.3",
            "parameter/damping_exponent=2",
            "body/cube/velocity=[1, 0, 0]",
            "body/cube/angular_velocity=[0, 10, 0]",
            "run/duration=3",
        ],
        3.0,
    ),
    (
        "21, β_d = 1",
        &[
            "parameter/tilt=0.1",
            "parameter/lift=0.3",
            "parameter/damping_exponent=2",
            "body/cube/velocity=[1, 0, 0]",
            "body/cube/angular_velocity=[0, 10, 0]",
            "field/cube~support/damping/coefficient=1",
            "run/duration=3",
        ],
        0.5,
    ),
    (
        "22",
        &[
            "parameter/tilt=0.1",
            "parameter/lift=0.3",
            "parameter/damping_exponent=2",
            "body/cube/velocity=[1, 0, 0]",
            "body/cube/angular_velocity=[0, 0, 10]",
            "run/duration=3",
        ],
        3.0,
    ),
];
const POINTS: [usize; 13] = [6, 12, 18, 24, 30, 36, 72, 144, 180, 216, 252, 288, 384];
const RTOL: f64 = 1e-6;
/// Runs of the closed forms: the cheapest counts.
const TRIES: usize = 5;

/// A run: CPU time [s], and where the centre is at tenths of it [m].
struct Outcome {
    seconds: f64,
    places: Vec<[f64; 3]>,
}

fn run(figure: &[&str], part: f64, points: Option<usize>, rtol: f64) -> Result<Outcome, Box<dyn Error>> {
    let scene = scene(figure, points)?;
    let times: Vec<f64> = (1..=10).map(|i| part * f64::from(i) / 10.0).collect();
    let mut recording = carom::Recording::default();
    let start = ThreadTime::now();
    let simulation =
        carom::Simulation::new(&scene.model).duration(part).method("dop853").rtol(rtol).atol(rtol);
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

/// The figures that are asked for.
fn figures() -> impl Iterator<Item = (&'static str, &'static [&'static str], f64)> {
    let asked = std::env::args().nth(1).unwrap_or_default();
    FIGURES.into_iter().filter(move |(name, _, _)| name.starts_with(&asked))
}

/// The cheapest of some runs of a scene as it is: CPU time [s], steps and evaluations.
fn cheapest(scene: &Scene) -> Result<(f64, usize, usize), Box<dyn Error>> {
    let mut best = (f64::INFINITY, 0, 0);
    for _ in 0..TRIES {
        let start = ThreadTime::now();
        let stats = scene.simulation().output(Output::Ends).run()?.summary.stats;
        best = (best.0.min(start.elapsed().as_secs_f64()), stats.steps, stats.evaluations);
    }
    Ok(best)
}

fn motions() -> Result<(), Box<dyn Error>> {
    println!("The whole motion, rtol as in the scene:\n");
    println!("| figure | simulated [s] | CPU time [ms] | steps | evaluations | µs an evaluation |");
    println!("|---|---|---|---|---|---|");
    for (name, figure, _) in figures() {
        let scene = scene(figure, None)?;
        let (seconds, steps, evaluations) = cheapest(&scene)?;
        let each = 1e6 * seconds / evaluations as f64;
        println!(
            "| {name} | {} | {:.1} | {steps} | {evaluations} | {each:.2} |",
            scene.duration,
            1e3 * seconds
        );
    }
    Ok(())
}

fn against_gauss() -> Result<(), Box<dyn Error>> {
    println!("\nClosed forms and Gauss points, dop853, rtol {RTOL:e}:\n");
    println!(
        "| figure | up to [s] | error, closed [m] | CPU time [ms] | Gauss points | error [m] | CPU time [ms] | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (name, figure, part) in figures() {
        let reference = run(figure, part, None, 1e-13)?;
        let mut closed = run(figure, part, None, RTOL)?;
        for _ in 1..TRIES {
            closed.seconds = closed.seconds.min(run(figure, part, None, RTOL)?.seconds);
        }
        let own = error(&closed, &reference);
        let mut within_three_times = false;
        for n in POINTS {
            // too few points let a corner through the support
            let Ok(gauss) = run(figure, part, Some(n), RTOL) else { continue };
            let (off, ratio) = (error(&gauss, &reference), gauss.seconds / closed.seconds);
            let times = [&closed, &gauss].map(|o| 1e3 * o.seconds);
            let line = format!(
                "| {name} | {part} | {own:.1e} | {:.2} | {n} × {n} | {off:.1e} | {:.0} | {ratio:.0} |",
                times[0], times[1]
            );
            // those that are not yet as near are told beside the table
            if off <= 1.1 * own {
                println!("{line}");
                break;
            } else if off <= 3.0 * own && !within_three_times {
                println!("{line}");
                within_three_times = true;
            } else {
                eprintln!("not yet: {line}");
            }
        }
    }
    Ok(())
}

/// As many cubes as that, side by side over one support, each spun at its own rate.
fn many(count: usize) -> Result<Scene, Box<dyn Error>> {
    let mut text = String::from(
        "run = { duration = 0.1, method = \"dop853\", rtol = 1e-8 }\n[[body]]\nname = \"support\"\nfixed = true\nsurface = [{ type = \"plane\" }]\n",
    );
    for i in 0..count {
        let spin = 1.0 + (0.618 * i as f64).fract();
        text += &format!(
            "[[body]]\nname = \"b{i}\"\ndensity = 1000\nposition = [{}, 0, 0.87]\norientation = {{ axis = [1, -1, 0.1], angle = 0.9 }}\n\
             angular_velocity = [0, 0, {spin}]\nsurface = [{{ type = \"box\", size = [1, 1, 1] }}]\n\
             [[field]]\nbetween = [\"b{i}\", \"support\"]\nrepulsion = {{ exponent = 8, rest_gap = 2e-3 }}\n\
             damping = {{ exponent = 2, coefficient = 1000 }}\nfriction = {{ exponent = 2, coefficient = 100 }}\n",
            2 * i
        );
    }
    Ok(Scene::from_text(&text, Format::Toml, "many", &[])?)
}

fn crowds() -> Result<(), Box<dyn Error>> {
    println!("\nMany cubes at once over one support, 0.1 s, dop853, rtol 1e-8:\n");
    println!(
        "| cubes | steps | evaluations | CPU time [ms] | µs an evaluation | µs an evaluation and cube |"
    );
    println!("|---|---|---|---|---|---|");
    for count in [1, 10, 100, 1000] {
        let (seconds, steps, evaluations) = cheapest(&many(count)?)?;
        let each = 1e6 * seconds / evaluations as f64;
        let one = each / count as f64;
        println!("| {count} | {steps} | {evaluations} | {:.1} | {each:.1} | {one:.2} |", 1e3 * seconds);
    }
    Ok(())
}

fn main() -> ExitCode {
    match motions().and_then(|()| crowds()).and_then(|()| against_gauss()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
