//! Many bodies advance in islands: the motion is that of a run in which all take the same steps, whatever acts between them.

use carom::geometry::surfaces::Ellipsoid;
use carom::law::friction::{CundallStrack, Mindlin};
use carom::law::normal::{Jkr, KelvinVoigt, Thornton};
use carom::law::resistance::TanhCouple;
use carom::prelude::*;
use carom::{Run, RunError, Snapshot};
use carom_testkit::Random;

/// How far runs at rtol 1e-10 may be apart at the end, in radii: errors grow from impact to impact.
const APART: f64 = 2e-5;
const RADIUS: f64 = 0.01;
const SIDE: f64 = 0.16;

/// Balls on a grid in a closed box, with random velocities; `shape` may be of another kind for some.
fn cloud(
    n: usize,
    speed: f64,
    gravity: f64,
    rule: ContactRule,
    shape: impl Fn(usize) -> SurfaceSpec,
) -> Model {
    let mut random = Random::of("cloud");
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -gravity]);
    b.body(Body::fixed("box").surface(SurfaceSpec::new(Cuboid::new([SIDE; 3]).unwrap()).inside()));
    let d = SIDE / 5.0;
    for i in 0..n {
        let place = [i % 5, i / 5 % 5, i / 25].map(|k| (k as f64 + 0.5) * d - 0.5 * SIDE);
        let v = random.vector() * speed;
        let body =
            Body::new(&format!("b{i}")).mass(0.01).surface(shape(i)).position(place).velocity(v.into());
        b.body(body.angular_velocity((random.vector() * 20.0).into()));
    }
    b.contact(rule);
    b.build().unwrap()
}

fn ball(_: usize) -> SurfaceSpec {
    SurfaceSpec::new(Sphere::new(RADIUS).unwrap())
}

fn rule() -> ContactRule {
    ContactRule::between("*", "*")
}

fn run(simulation: &Simulation<'_>) -> Run {
    simulation.run().unwrap()
}

/// Compares a run in islands with one of all bodies together, and returns it.
fn agree(what: &str, model: &Model, method: &str, duration: f64, audit: f64) -> Run {
    let simulation = Simulation::new(model).duration(duration).method(method).rtol(1e-10);
    let (apart, together) = (run(&simulation), run(&simulation.clone().islands(false)));
    assert_ne!(apart.summary.stats, together.summary.stats, "{what}: no islands");
    let touches = |run: &Run| (run.summary.contacts, run.summary.touches);
    assert_eq!(touches(&apart), touches(&together), "{what}");
    assert!(apart.summary.contacts > 10, "{what}: {} contacts", apart.summary.contacts);
    for (a, b) in apart.end.frame.bodies.iter().zip(&together.end.frame.bodies) {
        let off = (a.position - b.position).norm() / RADIUS;
        assert!(off < APART, "{what}: {off:e} radii apart");
    }
    let close = |name: &str, a: f64, b: f64| {
        let scale = together.summary.energy_start.abs().max(together.summary.energy.kinetic);
        assert!((a - b).abs() < APART * scale, "{what}: {name} {a} against {b}");
    };
    let (a, b) = (&apart.end.frame.energy, &together.end.frame.energy);
    close("dissipated", a.dissipated(), b.dissipated());
    close("elastic", a.elastic, b.elastic);
    close("work", a.work, b.work);
    let peaks = (apart.summary.peak_force, together.summary.peak_force);
    assert!((peaks.0 / peaks.1 - 1.0).abs() < 1e-4, "{what}: largest forces {peaks:?}");
    let found = apart.summary.audit;
    assert!(found.energy_relative < audit, "{what}: energy {:e}", found.energy_relative);
    assert!(found.momentum_relative < 1e-13, "{what}: momentum {:e}", found.momentum_relative);
    assert!(found.angular_momentum_relative < 1e-13, "{what}: {:e}", found.angular_momentum_relative);
    apart
}

/// Elastic balls, with each kind of method.
#[test]
fn a_gas_moves_the_same() {
    let model = cloud(40, 1.0, 0.0, rule().normal(Hertz::new().stiffness(1e7)), ball);
    for method in ["ode45", "dop853", "ode113", "radau5", "auto"] {
        agree(method, &model, method, 0.03, 3e-9);
    }
}

/// Laws that remember, in the state or from the last touch, and surfaces that hold each other.
#[test]
fn laws_with_memory_are_handed_over() {
    let hertz = || HuntCrossley::damping(0.3).unwrap().stiffness(1e7);
    let laws = [
        ("bristles", rule().normal(hertz()).friction(LuGre::new(0.2, 0.3, 0.01, 1e5).unwrap().damping(10.0))),
        ("mindlin", rule().normal(hertz()).friction(Mindlin::new(0.3).unwrap().ratio(0.8).rescaled())),
        ("spring", rule().normal(hertz()).friction(CundallStrack::new(0.3).unwrap().ratio(0.8))),
        ("plastic", rule().normal(Thornton::yield_pressure(1e7).unwrap().stiffness(1e7).radius(5e-3))),
        ("sticky", rule().normal(Jkr::adhesion_energy(2.0).unwrap().stiffness(1e6).radius(5e-3))),
    ];
    for (what, rule) in laws {
        agree(what, &cloud(50, 0.7, 9.81, rule, ball), "dop853", 0.03, 1e-8);
    }
}

/// Boxes, capsules, ellipsoids and balls together, with friction and rolling resistance.
#[test]
fn shapes_of_all_kinds_move_the_same() {
    let shape = |i: usize| match i % 4 {
        0 => SurfaceSpec::new(Cuboid::new([0.018; 3]).unwrap()),
        1 => SurfaceSpec::new(Capsule::new(0.006, 0.012).unwrap()),
        2 => SurfaceSpec::new(Ellipsoid::new([0.01, 0.007, 0.005]).unwrap()),
        _ => ball(i),
    };
    let normal = HuntCrossley::damping(0.2).unwrap().stiffness(1e7);
    let rule = rule().normal(normal).friction(Tanh::new(0.3, 100.0).unwrap());
    agree("shapes", &cloud(40, 0.8, 9.81, rule, shape), "dop853", 0.015, 1e-7);
    let round = rule_that_resists(normal);
    agree("resistance", &cloud(40, 0.8, 9.81, round, ball), "dop853", 0.03, 1e-8);
}

fn rule_that_resists(normal: HuntCrossley) -> ContactRule {
    rule()
        .normal(normal)
        .friction(Tanh::new(0.3, 100.0).unwrap())
        .rolling(TanhCouple::new(0.05, 10.0).unwrap())
}

/// A body whose motion is prescribed belongs to every island: what it does work on is in the balance.
#[test]
fn a_moving_wall_does_work() {
    let mut random = Random::of("drum");
    let mut b = ModelBuilder::new();
    let spin = Spin { axis: Vec3::y_axis(), rate: 12.0 };
    let drum = SurfaceSpec::new(Cylinder::new(0.1, 0.4).unwrap()).inside();
    let lying = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
    b.body(Body::prescribed("drum", spin).surface(drum.turned(lying)));
    for i in 0..40 {
        let place = [(i % 4) as f64, (i / 4 % 5) as f64, (i / 20) as f64];
        let place = [0.03 * place[0] - 0.045, 0.03 * place[1] - 0.06, 0.03 * place[2] - 0.06];
        let body = Body::new(&format!("b{i}")).mass(0.01).surface(ball(i)).position(place);
        b.body(body.velocity((random.vector() * 0.3).into()));
    }
    let normal = HuntCrossley::damping(0.3).unwrap().stiffness(1e6);
    b.contact(rule().normal(normal).friction(Tanh::new(0.4, 100.0).unwrap()));
    let run = agree("drum", &b.build().unwrap(), "dop853", 0.06, 1e-8);
    assert!(run.end.frame.energy.work > 1e-4, "{}", run.end.frame.energy.work);
}

/// Results are the same to the bit, whatever the number of threads.
#[test]
fn threads_change_nothing() {
    let normal = HuntCrossley::damping(0.3).unwrap().stiffness(1e7);
    let model = cloud(100, 1.0, 9.81, rule().normal(normal).friction(Tanh::new(0.3, 100.0).unwrap()), ball);
    let with = |threads: usize| {
        let mut recording = Recording::within();
        let simulation = Simulation::new(&model).duration(0.03).output_every(0.007).threads(threads);
        let run = simulation.run_into(&mut recording).unwrap();
        (run.summary.stats, recording.frames, recording.events, recording.moments)
    };
    let one = with(1);
    assert!(one.2.len() > 50 && one.3.len() > 50);
    for threads in [2, 3, 8] {
        assert!(with(threads) == one, "{threads} threads");
    }
}

/// Frames are at their times, events and moments in the order of time; the largest force is among the moments.
#[test]
fn reports_are_in_order() {
    let model = cloud(50, 1.0, 0.0, rule().normal(Hertz::new().stiffness(1e7)), ball);
    let mut recording = Recording::within();
    let run = Simulation::new(&model).duration(0.03).output_every(0.004).run_into(&mut recording).unwrap();
    let times: Vec<f64> = recording.frames.iter().map(|frame| frame.t).collect();
    let wanted: Vec<f64> = (0..8).map(|i| f64::from(i) * 0.004).chain([0.03]).collect();
    assert_eq!(times, wanted);
    assert!(recording.events.is_sorted_by_key(|event| event.t));
    assert!(recording.moments.is_sorted_by_key(|moment| moment.t));
    let forces = recording.moments.iter().flat_map(|m| &m.contacts).map(|c| c.f_n);
    let largest =
        forces.chain(recording.frames.iter().flat_map(|f| &f.contacts).map(|c| c.f_n)).fold(0.0, f64::max);
    assert!((largest / run.summary.peak_force - 1.0).abs() < 1e-9, "{largest} {}", run.summary.peak_force);
    assert_eq!(run.summary.touches, recording.events.iter().filter(|e| e.kind == EventKind::Touch).count());
}

/// Every contact that has ended is in the curves, whatever has become of its island before the next output.
#[test]
fn contacts_of_dissolved_islands_are_recorded() {
    let model = cloud(100, 1.5, 0.0, rule().normal(Hertz::new().stiffness(1e7)), ball);
    let mut recording = Recording::within();
    Simulation::new(&model).duration(0.05).output_every(0.05).run_into(&mut recording).unwrap();
    let mut ended = 0;
    for (i, touch) in recording.events.iter().enumerate().filter(|(_, e)| e.kind == EventKind::Touch) {
        let ends = |e: &&Event| e.kind == EventKind::Release && e.contact == touch.contact;
        let Some(release) = recording.events[i..].iter().find(ends) else { continue };
        let seen = |m: &carom::Moment| {
            let own = m.contacts.iter().any(|c| c.contact == touch.contact && c.f_n > 0.0);
            own && (touch.t..=release.t).contains(&m.t)
        };
        assert!(recording.moments.iter().any(seen), "{} from {} to {}", touch.contact, touch.t, release.t);
        ended += 1;
    }
    assert!(ended > 50, "{ended}");
}

/// A fast body that crosses the whole cloud in less than a window meets all that it meets in smaller steps.
#[test]
fn a_bullet_is_not_missed() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    for i in 0..60 {
        // beside the line of flight, and some on it
        let y = if i % 7 == 3 { 0.4 * RADIUS } else { 3.0 * RADIUS };
        b.body(Body::new(&format!("b{i}")).mass(0.01).surface(ball(i)).position([
            0.05 * f64::from(i as u8),
            y,
            0.0,
        ]));
    }
    b.body(
        Body::new("bullet").mass(5.0).surface(ball(0)).position([-0.1, 0.0, 0.0]).velocity([300.0, 0.0, 0.0]),
    );
    b.contact(rule().normal(Hertz::new().stiffness(1e9)));
    let run = agree("bullet", &b.build().unwrap(), "dop853", 0.011, 1e-8);
    assert!(run.summary.contacts >= 9, "{}", run.summary.contacts);
    assert!(run.end.body("bullet").unwrap().position.x > 2.9);
}

/// A run that is taken from a snapshot goes on to the same end, to the bit; so does one that is advanced from time to time.
#[test]
fn snapshots_and_stops() -> Result<(), RunError> {
    let normal = HuntCrossley::damping(0.3).unwrap().stiffness(1e7);
    let rubs = LuGre::new(0.2, 0.3, 0.01, 1e5).unwrap().damping(10.0);
    let model = cloud(50, 1.0, 9.81, rule().normal(normal).friction(rubs), ball);
    let simulation = Simulation::new(&model).duration(0.02);
    let mut recording = Recording::within();
    let mut running = simulation.begin()?;
    let mut saved = Vec::new();
    while running.step(&mut recording)? {
        saved.push(running.snapshot()?.to_bytes());
    }
    let end = running.finish(&mut recording)?;
    assert!(saved.len() > 10);
    for bytes in saved.iter().step_by(saved.len() / 4) {
        let mut resumed = simulation.begin()?;
        resumed.restore(&Snapshot::from_bytes(bytes).unwrap())?;
        assert_eq!(resumed.snapshot()?.to_bytes(), *bytes);
        while resumed.step(&mut Recording::default())? {}
        let run = resumed.finish(&mut Recording::default())?;
        assert_eq!((run.end.frame, run.summary.stats), (end.end.frame.clone(), end.summary.stats));
    }
    let mut stopped = simulation.clone().rtol(1e-10).begin()?;
    for until in [0.0, 1e-5, 0.003, 0.0031, 0.011, 0.02] {
        stopped.advance(until, &mut recording)?;
        assert_eq!((stopped.t(), stopped.frame()?.t), (until, until));
    }
    let [stopped, whole] =
        [stopped.finish(&mut recording)?, simulation.clone().rtol(1e-10).run()?].map(|run| run.end.frame);
    for (a, b) in stopped.bodies.iter().zip(&whole.bodies) {
        assert!((a.position - b.position).norm() < APART * RADIUS);
    }
    Ok(())
}

/// Balls that lie on a floor take no steps once they are at rest, until another one meets them: then they move as they would.
#[test]
fn bodies_at_rest_take_no_steps_until_something_comes() {
    let scene = |thrown: f64| {
        let mut b = ModelBuilder::new();
        b.body(Body::fixed("floor").surface(Plane));
        for i in 0..40 {
            let place = [0.1 * f64::from(i % 8), 0.1 * f64::from(i / 8), RADIUS];
            b.body(Body::new(&format!("b{i}")).mass(0.01).surface(ball(0)).position(place));
        }
        // it flies over the first and comes down on one of them
        let above = [0.3, 0.0, 3.0 * RADIUS + 0.5 * 9.81 * 0.5 * 0.5];
        b.body(Body::new("thrown").mass(0.02).surface(ball(0)).position(above).velocity([thrown, 0.0, 0.0]));
        let normal = KelvinVoigt::damping(10.0).unwrap().stiffness(1e4);
        b.contact(rule().normal(normal).friction(Tanh::new(0.3, 100.0).unwrap()));
        b.build().unwrap()
    };
    let model = scene(1e-4);
    let run = |until: f64| Simulation::new(&model).duration(until).rtol(1e-9).run().unwrap();
    let [early, late] = [run(0.2), run(0.4)].map(|run| run.summary.stats.steps);
    // (each would take two hundred)
    assert!(late < early + 400, "{early} steps, then {late}");
    let apart = run(0.56);
    let together = Simulation::new(&model).duration(0.56).rtol(1e-9).islands(false).run().unwrap();
    assert_eq!(apart.summary.contacts, together.summary.contacts);
    assert!(apart.summary.contacts > 40, "{}", apart.summary.contacts);
    for (a, b) in apart.end.frame.bodies.iter().zip(&together.end.frame.bodies) {
        assert!((a.position - b.position).norm() < 1e-6 * RADIUS, "{a:?} {b:?}");
    }
    assert!(apart.end.body("b3").unwrap().velocity.norm() > 1e-3);
    assert!(apart.summary.audit_relative < 1e-8, "{:e}", apart.summary.audit_relative);
}
