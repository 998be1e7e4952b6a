//! Many bodies with located contacts: what a body and a millisecond of the motion take as the number of bodies grows, in islands and
//! with all bodies together.
//!
//! `islands` measures a gas of elastic balls, balls that settle, boxes and tori that fall, and a wall of boxes; `islands JOB N [METHOD
//! [RTOL]]` one of `gas`, `settle`, `boxes`, `tori` and `wall`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use carom::base::elementary::cbrt;
use carom::prelude::*;
use carom_testkit::Random;

/// Radius of the balls of the gas, and of those that settle [m].
const GAS: f64 = 0.01;
const BALL: f64 = 0.02;

/// A motion to be measured.
struct Job {
    name: &'static str,
    model: fn(usize) -> Result<Model, Box<dyn Error>>,
    /// [s]
    duration: f64,
    /// numbers of bodies, and the largest one that is run with all bodies together, too
    counts: &'static [usize],
    together: usize,
}

const JOBS: [Job; 5] = [
    Job { name: "gas", model: gas, duration: 0.05, counts: &[10, 32, 100, 300, 1000, 3000], together: 300 },
    Job { name: "settle", model: settle, duration: 0.1, counts: &[100, 300, 1000], together: 300 },
    Job { name: "boxes", model: boxes, duration: 0.1, counts: &[27, 100], together: 27 },
    Job { name: "tori", model: tori, duration: 0.1, counts: &[30, 100], together: 30 },
    Job { name: "wall", model: wall, duration: 0.05, counts: &[50, 100], together: 0 },
];

fn main() -> ExitCode {
    match measure(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("islands: {why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(asked: &[String]) -> Result<(), Box<dyn Error>> {
    println!("| job | bodies | | s | µs a body and ms | steps | evaluations | contacts | energy audit |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let method = asked.get(2).map_or("auto", String::as_str);
    let rtol = asked.get(3).map_or(Ok(1e-8), |rtol| rtol.parse())?;
    let Some(name) = asked.first() else {
        return JOBS.iter().try_for_each(|job| {
            job.counts.iter().try_for_each(|&count| compare(job, count, method, rtol, job.together >= count))
        });
    };
    let names = JOBS.map(|job| job.name).join(", ");
    let job =
        JOBS.iter().find(|job| job.name == name).ok_or(format!("no job `{name}`; there are {names}"))?;
    let count = asked.get(1).map_or(Ok(job.counts[0]), |count| count.parse())?;
    compare(job, count, method, rtol, false)
}

fn compare(job: &Job, count: usize, method: &str, rtol: f64, together: bool) -> Result<(), Box<dyn Error>> {
    let model = (job.model)(count)?;
    let simulation = Simulation::new(&model).duration(job.duration).method(method).rtol(rtol);
    let mut ways = vec![("islands, 1 thread", simulation.clone().threads(1))];
    ways.push(("islands, 2 threads", simulation.clone().threads(2)));
    if together {
        ways.push(("together", simulation.islands(false)));
    }
    for (way, simulation) in ways {
        let start = Instant::now();
        let run = simulation.run()?.summary;
        let took = start.elapsed().as_secs_f64();
        println!(
            "| {} | {count} | {way} | {took:.3} | {:.2} | {} | {} | {} | {:.0e} |",
            job.name,
            took * 1e6 / count as f64 / (job.duration * 1e3),
            run.stats.steps,
            run.stats.evaluations,
            run.contacts,
            run.audit_relative,
        );
    }
    Ok(())
}

/// Places on a grid about the origin, so many in each direction, this far apart.
fn grid(count: usize, apart: f64) -> impl Iterator<Item = Vec3> {
    let rows = cbrt(count as f64).ceil() as usize;
    let along = move |i: usize| (i as f64 + 0.5 - 0.5 * rows as f64) * apart;
    (0..count).map(move |i| Vec3::new(along(i % rows), along(i / rows % rows), along(i / rows / rows)))
}

/// Elastic balls in a closed box, of which they fill 5 %.
fn gas(count: usize) -> Result<Model, Box<dyn Error>> {
    let (mut random, mut b) = (Random::of("gas"), ModelBuilder::new());
    let rows = cbrt(count as f64).ceil();
    let apart = cbrt(4.0 / 3.0 * std::f64::consts::PI * GAS * GAS * GAS / 0.05 * count as f64) / rows;
    b.gravity([0.0; 3]);
    let sides = [rows * apart; 3];
    b.body(Body::fixed("box").surface(SurfaceSpec::new(Cuboid::new(sides)?).inside()));
    for (i, place) in grid(count, apart).enumerate() {
        let place = place + random.vector() * 0.1 * (apart - 2.0 * GAS);
        let ball = Body::new(&format!("b{i}")).mass(0.01).surface(Sphere::new(GAS)?).position(place.into());
        b.body(ball.velocity(random.vector().into()));
    }
    b.contact(ContactRule::between("*", "*").normal(Hertz::new().stiffness(1e7)));
    Ok(b.build()?)
}

/// Balls of a soft material on a shaken grid, which fall on a floor between four walls.
fn settle(count: usize) -> Result<Model, Box<dyn Error>> {
    let (mut random, mut b) = (Random::of("settle"), ModelBuilder::new());
    let (rows, apart) = (cbrt(count as f64).ceil(), 2.1 * BALL);
    let half = 0.5 * rows * apart;
    b.material(Material::new("soft").youngs_modulus(1e7).poisson_ratio(0.3).density(1000.0));
    b.body(
        Body::fixed("floor").position([0.0, 0.0, -half]).surface(SurfaceSpec::new(Plane).material("soft")),
    );
    for (i, inward) in [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y()].into_iter().enumerate() {
        let turn = Quat::rotation_between(&Vec3::z(), &inward).unwrap_or_default();
        let wall = Body::fixed(&format!("wall{i}")).position((-half * inward).into()).orientation(turn);
        b.body(wall.surface(SurfaceSpec::new(Plane).material("soft")));
    }
    for (i, place) in grid(count, apart).enumerate() {
        let place = place + random.vector() * 0.01 * BALL;
        let ball = SurfaceSpec::new(Sphere::new(BALL)?).material("soft");
        b.body(Body::new(&format!("b{i}")).surface(ball).position(place.into()));
    }
    let normal = HuntCrossley::damping(0.3)?;
    b.contact(ContactRule::between("*", "*").normal(normal).friction(Tanh::new(0.3, 100.0)?));
    Ok(b.build()?)
}

/// Solids on a grid, turned at random, that fall on a floor.
fn falling(
    count: usize,
    apart: f64,
    shape: impl Fn() -> Result<SurfaceSpec, Box<dyn Error>>,
) -> Result<Model, Box<dyn Error>> {
    let (mut random, mut b) = (Random::of("falling"), ModelBuilder::new());
    let height = 0.5 * cbrt(count as f64).ceil() * apart;
    b.body(Body::fixed("floor").position([0.0, 0.0, -height]).surface(Plane));
    for (i, place) in grid(count, apart).enumerate() {
        let body = Body::new(&format!("b{i}")).mass(0.1).surface(shape()?);
        b.body(body.position(place.into()).orientation(random.turn()));
    }
    b.contact(hard()?);
    Ok(b.build()?)
}

fn hard() -> Result<ContactRule, Box<dyn Error>> {
    let normal = HuntCrossley::damping(0.5)?.stiffness(1e6);
    Ok(ContactRule::between("*", "*").normal(normal).friction(Tanh::new(0.4, 100.0)?))
}

fn boxes(count: usize) -> Result<Model, Box<dyn Error>> {
    falling(count, 0.09, || Ok(SurfaceSpec::new(Cuboid::new([0.05; 3])?)))
}

fn tori(count: usize) -> Result<Model, Box<dyn Error>> {
    falling(count, 0.09, || Ok(SurfaceSpec::new(Torus::new(0.03, 0.01)?)))
}

/// Boxes laid as bricks, twenty in a row.
fn wall(count: usize) -> Result<Model, Box<dyn Error>> {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("floor").surface(Plane));
    for i in 0..count {
        let (row, k) = ((i / 20) as f64, (i % 20) as f64);
        let brick = Body::new(&format!("b{i}")).mass(0.1).surface(Cuboid::new([0.098, 0.05, 0.05])?);
        b.body(brick.position([0.1 * k + 0.05 * (row % 2.0), 0.0, 0.025 + 0.05 * row]));
    }
    b.contact(hard()?);
    Ok(b.build()?)
}
