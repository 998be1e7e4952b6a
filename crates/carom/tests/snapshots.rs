//! A run that is taken from a snapshot goes on as if nothing had happened, to the bit.

use carom::base::snapshot::SnapshotError;
use carom::geometry::surfaces::Superellipsoid;
use carom::law::elastic::{Elastic, MooneyRivlin};
use carom::law::friction::Coulomb;
use carom::law::normal::{LINES, Line, Thornton};
use carom::ode::methods;
use carom::prelude::*;
use carom::{FieldRule, Linear, Repulsion, Run, RunError, Snapshot, Spline};

/// About so many snapshots are taken of a run at equal distances, and so many after touches and releases.
const SPREAD: usize = 6;
const AT_EVENTS: usize = 5;

fn built(change: impl FnOnce(&mut ModelBuilder)) -> Model {
    let mut b = ModelBuilder::new();
    change(&mut b);
    b.build().unwrap()
}

fn ball(name: &str) -> Body {
    Body::new(name).mass(0.1).surface(Sphere::new(0.02).unwrap())
}

fn floor() -> Body {
    Body::fixed("floor").surface(Plane)
}

fn bouncing() -> Model {
    built(|b| {
        b.body(ball("ball").position([0.0, 0.0, 0.03]).velocity([0.3, 0.0, 0.0])).body(floor());
        let law = HuntCrossley::damping(0.2).unwrap().stiffness(1e7);
        b.contact(ContactRule::between("ball", "floor").normal(law).friction(Tanh::new(0.2, 100.0).unwrap()));
    })
}

/// Two balls that meet as they bounce: places of memories come and go.
fn bristles() -> Model {
    built(|b| {
        b.body(ball("one").position([0.0, 0.0, 0.021]).velocity([0.4, 0.0, 0.0]));
        b.body(ball("other").position([0.045, 0.004, 0.023]).angular_velocity([3.0, 1.0, 5.0])).body(floor());
        let law = HuntCrossley::damping(1.0).unwrap().stiffness(1e6);
        let rubs = LuGre::new(0.2, 0.3, 0.01, 1e4).unwrap().damping(10.0);
        for (a, b_) in [("one", "floor"), ("other", "floor"), ("one", "other")] {
            b.contact(ContactRule::between(a, b_).normal(law).friction(rubs));
        }
    })
}

/// A parallelogram whose cranks rub in their hinges, one with bristles, and whose swing ends at stops: some of its equations repeat others.
fn mechanism() -> Model {
    built(|b| {
        let bar = |name: &str, at: [f64; 3], length: f64| {
            Body::new(name)
                .mass(1.0)
                .inertia([1e-3, length * length / 12.0, length * length / 12.0])
                .position(at)
        };
        let upright = Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::FRAC_PI_2);
        b.gravity([0.0, -9.81, 0.0]).body(Body::fixed("ground"));
        b.body(bar("left", [0.0, -0.1, 0.0], 0.2).orientation(upright).angular_velocity([0.0, 0.0, 6.0]));
        b.body(bar("right", [0.3, -0.1, 0.0], 0.2).orientation(upright));
        b.body(bar("coupler", [0.15, -0.2, 0.0], 0.3));
        let pin =
            |a: &str, b: &str, at: [f64; 3]| Joint::between(a, b, Revolute).at(at).axis([0.0, 0.0, 1.0]);
        let rubs = JointFriction::new(Coulomb::new(0.1).unwrap()).radius(0.01);
        let bends = JointFriction::new(LuGre::new(0.2, 0.3, 0.01, 1e4).unwrap().damping(5.0)).radius(0.01);
        let spring = Hertz::new().stiffness(300.0).exponent(1.0);
        b.joint(
            pin("left", "ground", [0.0; 3])
                .lower("angle", -0.4)
                .upper("angle", 0.5)
                .stop(spring)
                .friction(rubs),
        );
        b.joint(pin("right", "ground", [0.3, 0.0, 0.0]).friction(bends));
        b.joint(pin("coupler", "left", [0.0, -0.2, 0.0]));
        b.joint(pin("coupler", "right", [0.3, -0.2, 0.0]));
    })
}

/// A shaft that turns in its bearing, with play.
fn journal(wear: Option<Wear>) -> Model {
    built(|b| {
        b.gravity([0.0, -9.81, 0.0]).body(Body::fixed("housing"));
        let shaft = Body::new("shaft").mass(2.0).inertia([1e-4; 3]).position([2e-4, 0.0, 0.0]);
        b.body(shaft.angular_velocity([0.0, 0.0, 100.0]).dofs(&[Dof::X, Dof::Y, Dof::Rz]));
        let z = [0.0, 0.0, 1.0];
        let joint =
            Joint::between("shaft", "housing", Revolute).named("pin").points([0.0; 3], [0.0; 3]).axis(z);
        let law = HuntCrossley::damping(0.5).unwrap().stiffness(1e8);
        let pin = Clearance::new(joint, 0.5e-3).radius(9.5e-3).normal(law);
        let pin = pin.friction(Tanh::new(0.1, 100.0).unwrap());
        b.clearance(match wear {
            Some(wear) => pin.wear(wear),
            None => pin,
        });
    })
}

fn soft() -> Model {
    built(|b| {
        let rubber = Elastic::new(MooneyRivlin::new(8e3, 0.0).unwrap()).viscosity(5.0);
        let body = Body::affine("ball", rubber).density(1000.0).position([0.0, 0.0, 0.06]);
        b.body(body.velocity([0.2, 0.0, 0.0]).surface(Sphere::new(0.05).unwrap())).body(floor());
        let law = Hertz::new().stiffness(2e5);
        b.contact(ContactRule::between("ball", "floor").normal(law).friction(Tanh::new(0.3, 50.0).unwrap()));
    })
}

fn ring() -> Model {
    built(|b| {
        b.material(Material::new("rubber").youngs_modulus(1e8).poisson_ratio(0.3));
        let turn = Quat::from_axis_angle(&Vec3::x_axis(), 0.2);
        let ring = Body::new("ring").mass(0.0968).inertia([3.9e-5, 3.9e-5, 6.23e-5]).orientation(turn);
        let tread = SurfaceSpec::new(Torus::new(0.025, 0.005).unwrap()).material("rubber");
        b.body(ring.position([0.0, 0.0, 0.012]).surface(tread));
        b.body(Body::fixed("floor").surface(SurfaceSpec::new(Plane).material("rubber")));
        let law = ElasticFoundation::depth(1.0).unwrap().damping(0.05);
        let rule = ContactRule::between("ring", "floor").normal(law).solver(Slices::new(12).unwrap());
        b.contact(rule.friction(Tanh::new(0.2, 100.0).unwrap()));
    })
}

/// Found by iteration, from where the points were before.
fn dice() -> Model {
    built(|b| {
        let die = |name: &str, at: [f64; 3]| {
            let shape = Superellipsoid::new([0.02, 0.03, 0.04], [3.0, 4.0, 2.5]).unwrap();
            Body::new(name).density(2000.0).surface(shape).position(at)
        };
        let turn = Quat::from_euler_angles(0.6, -0.4, 0.3);
        b.body(die("die", [0.0, 0.0, 0.05]).orientation(turn).angular_velocity([3.0, -2.0, 5.0]));
        b.body(die("other", [0.005, 0.0, 0.13]).velocity([0.0, 0.0, -0.5])).body(floor());
        for (a, b_) in [("die", "floor"), ("die", "other"), ("other", "floor")] {
            let law = HuntCrossley::damping(0.3).unwrap().stiffness(1e7);
            b.contact(ContactRule::between(a, b_).normal(law).friction(Tanh::new(0.2, 100.0).unwrap()));
        }
    })
}

fn field() -> Model {
    built(|b| {
        let block = Body::new("block").density(500.0).surface(Cuboid::new([0.1, 0.08, 0.04]).unwrap());
        b.body(block.position([0.0, 0.0, 0.08]).angular_velocity([1.0, 0.5, 0.0])).body(floor());
        let rule = FieldRule::between("block", "floor").repulsion(6, Repulsion::RestGap(0.02));
        b.field(rule.damping(1, 2.0).friction(2, 0.05));
    })
}

/// A tray that is moved by a table, and a ball on it whose mass is driven too, with kinks.
fn driven() -> Model {
    built(|b| {
        let table = [[0.0, 0.0], [0.03, 0.003], [0.05, -0.002], [0.11, 0.004], [0.2, 0.0]];
        b.body(Body::fixed("tray").surface(Plane));
        b.body(Body::new("ball").surface(Sphere::new(0.02).unwrap()).position([0.0, 0.0, 0.021]));
        b.drive(Drive::new("body/tray/position/2", Spline::new(&table).unwrap()));
        let heavier = Linear::new(&[[0.02, 0.1], [0.07, 0.2], [0.2, 0.15]]).unwrap();
        b.drive(Drive::new("body/ball/mass", heavier));
        let law = HuntCrossley::damping(0.3).unwrap().stiffness(1e6);
        b.contact(ContactRule::between("tray", "ball").normal(law).friction(Tanh::new(0.2, 100.0).unwrap()));
    })
}

/// Balls in a box, many enough for pairs to be bound as they come near.
fn shaken() -> Model {
    built(|b| {
        let walls = SurfaceSpec::new(Cuboid::new([0.2; 3]).unwrap()).inside();
        b.body(Body::fixed("box").surface(walls));
        for i in 0..8 {
            let [x, y, z] = [i % 2, i / 2 % 2, i / 4].map(|k| 0.05 * f64::from(k) - 0.03);
            let fast = [0.7 - 0.2 * f64::from(i), 0.3 * f64::from(i % 3), -0.5];
            b.body(ball(&format!("ball{i}")).position([x, y, z]).velocity(fast));
        }
        let law = HuntCrossley::damping(0.1).unwrap().stiffness(1e6);
        b.contact(ContactRule::between("*", "*").normal(law).friction(Tanh::new(0.2, 100.0).unwrap()));
    })
}

/// What a run tells from some step on.
#[derive(Clone, Copy)]
struct Told {
    frames: usize,
    events: usize,
    moments: usize,
}

impl Told {
    fn by(recording: &Recording) -> Told {
        let Recording { frames, events, moments, .. } = recording;
        Told { frames: frames.len(), events: events.len(), moments: moments.len() }
    }
}

/// Bits, not values: zeros have signs, and what is no number is not equal to itself.
fn bits(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

fn end(run: &Run) -> String {
    bits(run)
}

/// Runs to the end undisturbed, with snapshots of every step, and from some of them; says how many.
fn check(name: &str, sim: &Simulation<'_>) -> usize {
    let mut plain = Recording::within();
    let undisturbed = sim.run_into(&mut plain).unwrap();
    let mut recording = Recording::within();
    let mut running = sim.begin().unwrap();
    let mut all = vec![(running.snapshot().unwrap(), Told::by(&recording))];
    let mut events = Vec::new();
    while running.step(&mut recording).unwrap() {
        let before = all.last().unwrap().1;
        all.push((running.snapshot().unwrap(), Told::by(&recording)));
        if all.last().unwrap().1.events > before.events {
            events.push(all.len() - 1);
        }
    }
    let run = running.finish(&mut recording).unwrap();
    assert_eq!(end(&run), end(&undisturbed), "{name}: snapshots change the run");
    assert_eq!(bits(&recording.frames), bits(&plain.frames), "{name}");
    assert_eq!(bits(&recording.events), bits(&plain.events), "{name}");
    assert_eq!(bits(&recording.moments), bits(&plain.moments), "{name}");
    let spread = (0..SPREAD).map(|i| i * (all.len() - 1) / (SPREAD - 1));
    let stride = events.len().div_ceil(AT_EVENTS).max(1);
    let mut chosen: Vec<usize> = spread.chain(events.into_iter().step_by(stride)).collect();
    chosen.sort_unstable();
    chosen.dedup();
    for &step in &chosen {
        let (snapshot, told) = &all[step];
        let kept = Snapshot::from_bytes(&snapshot.to_bytes()).unwrap();
        assert_eq!(&kept, snapshot, "{name}");
        let mut fresh = sim.begin().unwrap();
        fresh.restore(&kept).unwrap();
        assert!(fresh.snapshot().unwrap() == *snapshot, "{name}: step {step} is not what was put back");
        let mut rest = Recording::within();
        while fresh.step(&mut rest).unwrap() {}
        let last = fresh.snapshot().unwrap();
        let run = fresh.finish(&mut rest).unwrap();
        let place = format!("{name}, from step {step} of {}, t = {}", all.len(), snapshot.t());
        assert_eq!(bits(&rest.events), bits(&plain.events[told.events..].to_vec()), "{place}");
        assert_eq!(bits(&rest.frames), bits(&plain.frames[told.frames..].to_vec()), "{place}");
        assert_eq!(bits(&rest.moments), bits(&plain.moments[told.moments..].to_vec()), "{place}");
        assert_eq!(end(&run), end(&undisturbed), "{place}");
        assert!(step + 1 == all.len() || last.t() == undisturbed.summary.t_end, "{place}");
    }
    chosen.len()
}

fn simulation(model: &Model, duration: f64) -> Simulation<'_> {
    Simulation::new(model).duration(duration).rtol(1e-7).atol(1e-7).output_every(4e-3)
}

#[test]
fn every_method() {
    let model = bouncing();
    for method in methods::ALL {
        let sim = simulation(&model, 0.12).method(method.name());
        let sim = if method.is_adaptive() { sim } else { sim.step(1e-4) };
        assert!(check(method.name(), &sim) > 5);
    }
}

/// Scenes by an explicit method, one that builds on its past, and an implicit one with its Jacobian.
fn by_three_methods(name: &str, model: &Model, duration: f64) {
    for method in ["dop853", "ode113", "radau5"] {
        check(&format!("{name} by {method}"), &simulation(model, duration).method(method));
    }
}

#[test]
fn memories_come_and_go() {
    by_three_methods("bristles", &bristles(), 0.15);
}

/// Dents that a law remembers: a ball between a floor and a mass on a spring loads and unloads them again and again.
#[test]
fn dents_are_remembered() {
    let model = built(|b| {
        b.body(ball("ball").position([0.0, 0.0, 0.021]));
        b.body(
            Body::new("top")
                .mass(1.0)
                .inertia([1e-3; 3])
                .position([0.0, 0.0, 0.121])
                .velocity([0.0, 0.0, -1.0]),
        )
        .body(floor());
        b.force(Force::between("top", "ball", SpringDamper::new(2e4, 0.1).unwrap()));
        let law = Thornton::yield_pressure(2e8).unwrap().stiffness(1e9).radius(0.02);
        b.contact(ContactRule::between("ball", "floor").normal(law));
    });
    by_three_methods("dents", &model, 0.04);
    check("dents, not located", &simulation(&model, 0.04).method("dop853").locate_contacts(false));
}

#[test]
fn mechanisms_rub_and_stop() {
    by_three_methods("mechanism", &mechanism(), 0.4);
}

#[test]
fn journals_and_what_is_worn() {
    by_three_methods("journal", &journal(None), 0.03);
    by_three_methods("wear", &journal(Some(Wear::coefficient(1e-9).length(0.02))), 0.03);
}

#[test]
fn bodies_that_deform() {
    by_three_methods("soft", &soft(), 0.12);
}

#[test]
fn rings_by_slices() {
    by_three_methods("ring", &ring(), 0.08);
}

#[test]
fn pairs_found_by_iteration() {
    check("dice", &simulation(&dice(), 0.15));
}

#[test]
fn short_range_fields() {
    by_three_methods("field", &field(), 0.2);
}

#[test]
fn motions_and_numbers_that_are_driven() {
    by_three_methods("driven", &driven(), 0.15);
}

#[test]
fn pairs_that_are_bound_as_they_come_near() {
    let model = shaken();
    check("all pairs", &simulation(&model, 0.1));
    check("sweep", &simulation(&model, 0.1).eager_pairs(0));
}

#[test]
fn contacts_that_are_not_located() {
    for model in [bouncing(), shaken()] {
        for (method, step) in [("dop853", None), ("verlet", Some(1e-4))] {
            let sim = simulation(&model, 0.06).method(method).locate_contacts(false).eager_pairs(0);
            check(&format!("not located, {method}"), &step.map_or(sim.clone(), |h| sim.step(h)));
        }
    }
}

/// A run goes back to what it was, as often as one likes, whatever has happened since.
#[test]
fn a_run_goes_back() {
    let model = shaken();
    let sim = simulation(&model, 0.05).eager_pairs(0);
    let mut running = sim.begin().unwrap();
    let mut silent = Recording::default();
    let start = running.snapshot().unwrap();
    while running.t() < 0.02 {
        running.step(&mut silent).unwrap();
    }
    let (middle, mut ends) = (running.snapshot().unwrap(), Vec::new());
    for snapshot in [&middle, &start, &middle, &start] {
        running.restore(snapshot).unwrap();
        assert_eq!(running.t(), snapshot.t());
        while running.step(&mut silent).unwrap() {}
        ends.push(running.snapshot().unwrap());
    }
    assert!(ends.iter().all(|end| *end == ends[0]));
}

/// A sink that stops the run after some steps.
struct Impatient(usize);

impl carom::Sink for Impatient {
    fn progress(&mut self, _: f64) -> std::ops::ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    }
}

/// A run that was stopped goes on from there.
#[test]
fn a_stopped_run_goes_on() {
    let model = bouncing();
    let sim = simulation(&model, 0.1);
    let mut running = sim.begin().unwrap();
    let mut impatient = Impatient(20);
    while running.step(&mut impatient).unwrap() {}
    let snapshot = running.snapshot().unwrap();
    let stopped = running.finish(&mut impatient).unwrap().summary;
    assert!(stopped.stopped && stopped.t_end == snapshot.t() && snapshot.t() < 0.1);
    let mut resumed = sim.begin().unwrap();
    resumed.restore(&snapshot).unwrap();
    let mut rest = Recording::default();
    while resumed.step(&mut rest).unwrap() {}
    assert_eq!(end(&resumed.finish(&mut rest).unwrap()), end(&sim.run().unwrap()));
}

#[test]
fn what_is_of_another_run_is_refused() {
    let (model, other) = (bouncing(), soft());
    let sim = simulation(&model, 0.05);
    let mut running = sim.begin().unwrap();
    running.step(&mut Recording::default()).unwrap();
    let snapshot = running.snapshot().unwrap();
    let heavier = built(|b| {
        b.body(ball("ball").mass(0.2).position([0.0, 0.0, 0.03]).velocity([0.3, 0.0, 0.0])).body(floor());
        let law = HuntCrossley::damping(0.2).unwrap().stiffness(1e7);
        b.contact(ContactRule::between("ball", "floor").normal(law).friction(Tanh::new(0.2, 100.0).unwrap()));
    });
    let sims = [
        simulation(&other, 0.05),
        simulation(&heavier, 0.05),
        simulation(&model, 0.05).max_step(1e-3),
        simulation(&model, 0.05).rtol(1e-9),
        simulation(&model, 0.05).method("radau5"),
        simulation(&model, 0.05).output_every(1e-3),
    ];
    for sim in sims {
        let mut fresh = sim.begin().unwrap();
        let before = fresh.snapshot().unwrap();
        let refused = fresh.restore(&snapshot).unwrap_err();
        assert!(matches!(refused, RunError::Snapshot(SnapshotError::OtherModel)), "{refused}");
        assert!(fresh.snapshot().unwrap() == before);
    }
    // made once more, the model is the same
    let again = bouncing();
    simulation(&again, 0.05).begin().unwrap().restore(&snapshot).unwrap();
}

/// What a model shows of itself is the same in every program that makes it: no address in memory is in it.
#[test]
fn fingerprints_are_those_of_every_process() {
    let lines = LINES.iter().map(|line| {
        built(|b| {
            let law = LankaraniNikravesh::restitution(0.9).unwrap().line(Line::new(line.name).unwrap());
            b.material(Material::new("steel").youngs_modulus(207e9).poisson_ratio(0.3));
            b.body(Body::fixed("housing")).body(Body::new("shaft").mass(2.0).inertia([1e-4; 3]));
            let z = [0.0, 0.0, 1.0];
            let joint = Joint::between("shaft", "housing", Revolute).at([0.0; 3]).axis(z);
            let pin = Clearance::new(joint, 0.5e-3).radius(9.5e-3).length(0.02).materials("steel", "steel");
            b.clearance(pin.normal(law));
        })
    });
    let scenes = [bouncing(), bristles(), mechanism(), soft(), ring(), dice(), field(), driven(), shaken()];
    let worn = journal(Some(Wear::coefficient(1e-9).length(0.02)));
    for model in lines.chain(scenes).chain([worn]) {
        let shown = format!("{:?}", simulation(&model, 0.1));
        assert!(!shown.contains("0x"), "{}", &shown[shown.find("0x").unwrap() - 200..]);
    }
}

#[test]
fn damaged_bytes_are_refused() {
    let model = bouncing();
    let mut running = simulation(&model, 0.05).begin().unwrap();
    running.step(&mut Recording::default()).unwrap();
    let bytes = running.snapshot().unwrap().to_bytes();
    for i in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[i] ^= 1 << (i % 8);
        assert!(Snapshot::from_bytes(&damaged).is_err(), "byte {i}");
        assert!(Snapshot::from_bytes(&bytes[..i]).is_err(), "cut at {i}");
    }
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert_eq!(Snapshot::from_bytes(&longer), Err(SnapshotError::Damaged));
    assert_eq!(Snapshot::from_bytes(b"a page of text"), Err(SnapshotError::NoSnapshot));
    let mut newer = bytes;
    newer[8] = 77;
    assert_eq!(Snapshot::from_bytes(&newer), Err(SnapshotError::OtherFormat { found: 77, expected: 12 }));
}
