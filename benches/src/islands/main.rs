//! Many bodies with located contacts: what a body and a millisecond of the motion take as the number of bodies grows, in islands and
//! with all bodies together.
//!
//! `islands` measures a gas of elastic balls, balls that settle, boxes and tori that fall, walls and towers of boxes, a ball bearing and a row of dominoes; `islands JOB N [METHOD
//! [RTOL]]` one of `gas`, `settle`, `boxes`, `tori`, `wall`, `tower`, `bearing` and `dominoes`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use carom::Endpoint;
use carom::base::elementary::{cbrt, cos, sin};
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

const JOBS: [Job; 8] = [
    Job { name: "gas", model: gas, duration: 0.05, counts: &[10, 32, 100, 300, 1000, 3000], together: 300 },
    Job { name: "settle", model: settle, duration: 0.1, counts: &[100, 300, 1000], together: 300 },
    Job { name: "boxes", model: boxes, duration: 0.1, counts: &[27, 100], together: 27 },
    Job { name: "tori", model: tori, duration: 0.1, counts: &[30, 100], together: 30 },
    Job { name: "wall", model: wall, duration: 0.05, counts: &[50, 100], together: 0 },
    Job { name: "tower", model: tower, duration: 0.2, counts: &[5, 10, 20, 40], together: 0 },
    Job { name: "bearing", model: bearing, duration: 0.01, counts: &[6, 12, 20, 38], together: 0 },
    Job { name: "dominoes", model: dominoes, duration: 1.0, counts: &[100, 500], together: 100 },
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
    println!(
        "| job | bodies | | s | µs a body and ms | steps | refused | events | repeated | evaluations | contacts | energy audit |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
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
            "| {} | {count} | {way} | {took:.3} | {:.2} | {} | {} | {} | {} | {} | {} | {:.0e} |",
            job.name,
            took * 1e6 / count as f64 / (job.duration * 1e3),
            run.stats.steps,
            run.stats.rejected,
            run.stats.events,
            run.stats.landings,
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

/// Flat boxes, one on the other.
fn tower(count: usize) -> Result<Model, Box<dyn Error>> {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("floor").surface(Plane));
    for i in 0..count {
        let slab = Body::new(&format!("b{i}")).mass(0.1).surface(Cuboid::new([0.1, 0.1, 0.05])?);
        // (a little askew, so that it rocks)
        let askew = 1e-3 * (i % 3) as f64;
        b.body(slab.position([askew, 0.5 * askew, 0.025 + 0.05 * i as f64]));
    }
    b.contact(hard()?);
    Ok(b.build()?)
}

/// Balls between the grooves of two rings, of which the inner one turns and the outer one is pressed on it.
fn bearing(count: usize) -> Result<Model, Box<dyn Error>> {
    let (d, play, rate) = (9.525e-3, -10e-6, 157.0);
    let pitch = f64::max(46e-3, count as f64 * d * 1.15 / std::f64::consts::PI);
    let groove = 0.52 * d;
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.material(Material::new("steel").youngs_modulus(2.1e11).poisson_ratio(0.3).density(7800.0));
    let race = |major: f64| {
        Ok::<_, Box<dyn Error>>(SurfaceSpec::new(Torus::new(major, groove)?).inside().material("steel"))
    };
    let inner = race(0.5 * (pitch - d) - 0.25 * play + groove)?;
    b.body(Body::prescribed("inner", Spin { axis: Vec3::z_axis(), rate }).surface(inner));
    let outer = race(0.5 * (pitch + d) + 0.25 * play - groove)?;
    b.body(Body::new("outer").mass(0.6).inertia([1e-3; 3]).dofs(&[Dof::Y]).surface(outer));
    for i in 0..count {
        let angle = i as f64 / count as f64 * std::f64::consts::TAU;
        let (sin, cos) = (sin(angle), cos(angle));
        let speed = 0.25 * rate * (pitch - d);
        let turns = -rate * (pitch * pitch - d * d) / (2.0 * pitch * d);
        let ball =
            Body::new(&format!("ball{i}")).surface(SurfaceSpec::new(Sphere::new(0.5 * d)?).material("steel"));
        let ball = ball.position([0.5 * pitch * cos, 0.5 * pitch * sin, 0.0]);
        b.body(ball.velocity([-speed * sin, speed * cos, 0.0]).angular_velocity([0.0, 0.0, turns]));
        for ring in ["inner", "outer"] {
            let touches = ContactRule::between(&format!("ball{i}"), ring).normal(HuntCrossley::damping(1.0)?);
            b.contact(touches.friction(Tanh::new(0.08, 100.0)?));
        }
    }
    b.force(Force::on("outer", ExternalLoad::force([0.0, -1000.0, 0.0])));
    Ok(b.build()?)
}

/// Dominoes in a row, of which the first is pushed over: those of `examples/dominoes.toml`.
fn dominoes(count: usize) -> Result<Model, Box<dyn Error>> {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("floor").surface(Plane));
    for i in 0..count {
        let shape = Cuboid::new([7.5e-3, 24e-3, 48e-3])?.with_edge_radius(0.3e-3)?;
        let domino = Body::new(&format!("d{i}")).density(1400.0).surface(shape);
        let domino = domino.position([20e-3 * i as f64, 0.0, 24e-3]);
        b.body(match i {
            0 => domino.velocity([0.24, 0.0, 0.0375]).angular_velocity([0.0, 10.0, 0.0]),
            _ => domino,
        });
    }
    let all = || Endpoint::several("dominoes", (0..count).map(|i| Endpoint::Body(format!("d{i}"))), true);
    let touches = |other: Endpoint, damping: f64, friction: f64| {
        let normal = carom::law::normal::KelvinVoigt::damping(damping)?.stiffness(1e4);
        let rule = ContactRule::between_sides(all(), other).normal(normal);
        Ok::<_, Box<dyn Error>>(rule.friction(Tanh::new(friction, 100.0)?))
    };
    b.contact(touches(Endpoint::parse("floor"), 15.0, 0.5)?).contact(touches(all(), 10.0, 0.2)?);
    Ok(b.build()?)
}
