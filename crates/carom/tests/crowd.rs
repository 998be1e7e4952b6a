//! Crowds: the forces are those of other methods, the motion converges to theirs, the books close, and no number of threads changes a bit.

use std::ops::ControlFlow;
use std::sync::Arc;

use carom::Shake;
use carom::geometry::surfaces::Ellipsoid;
use carom::law::friction::{CundallStrack, Mindlin};
use carom::law::normal::{KelvinVoigt, Tsuji};
use carom::law::{Friction, Normal};
use carom::prelude::*;
use carom::{Frame, Pause, SinkError};
use carom_testkit::Random;

use crate::derivatives::{friction_laws, normal_laws};
use crate::laws::fits;

/// Two bodies that overlap, approach each other, slide and turn.
fn two(
    surfaces: [SurfaceSpec; 2],
    depth: f64,
    normal: Arc<dyn Normal>,
    friction: Option<Arc<dyn Friction>>,
) -> Model {
    let mut b = ModelBuilder::new();
    let [first, second] = surfaces;
    let body = |name: &str| Body::new(name).mass(1.0).inertia([0.02, 0.021, 0.022]);
    b.body(body("a").surface(first).velocity([0.3, 0.2, 0.5]).angular_velocity([1.0, -2.0, 0.7]));
    b.body(body("b").surface(second).position([0.0, 0.0, 0.5 - depth]).angular_velocity([0.3, 1.0, -0.4]));
    let mut rule = ContactRule::between("a", "b").normal_arc(normal).min_impact_speed(1e-6);
    if let Some(friction) = friction {
        rule = rule.friction_arc(friction);
    }
    b.contact(rule.rolling(ViscousCouple::new(0.02).unwrap()).may_start_deep());
    b.build().unwrap()
}

fn balls() -> [SurfaceSpec; 2] {
    [Sphere::new(0.3).unwrap().into(), Sphere::new(0.2).unwrap().into()]
}

/// The largest difference of the accelerations at the start, as a part of the largest one.
fn difference(model: &Model) -> f64 {
    let start = |method: &str| {
        let simulation = Simulation::new(model).method(method).step(1e-4).duration(1.0);
        simulation.begin().unwrap().accelerations().unwrap()
    };
    let (crowd, other) = (start("crowd"), start("dop853"));
    let size = other.iter().map(|a| a.linear.norm() + a.angular.norm()).fold(0.0, f64::max);
    let off = |(a, b): (&carom::Acceleration, &carom::Acceleration)| {
        (a.linear - b.linear).norm() + (a.angular - b.angular).norm()
    };
    crowd.iter().zip(&other).map(off).fold(0.0, f64::max) / size
}

/// Every normal law of the registry gives the force that it gives in other methods, between balls and between other surfaces.
#[test]
fn normal_forces_are_those_of_other_methods() {
    let eggs = || {
        let egg = |r: f64| SurfaceSpec::new(Ellipsoid::new([1.1 * r, 0.9 * r, r]).unwrap());
        [egg(0.3), egg(0.2)]
    };
    let mut tested = 0;
    for laws in normal_laws() {
        for law in [&laws[0], &laws[laws.len() - 1]] {
            for surfaces in [balls(), eggs()] {
                let off = difference(&two(surfaces, 1e-3, law.clone(), None));
                assert!(off < 1e-12, "{law:?}: {off:e}");
                tested += 1;
            }
        }
    }
    assert!(tested > 80, "{tested}");
}

/// So does every friction law.
#[test]
fn friction_is_that_of_other_methods() {
    // (one is refused, see below)
    for laws in friction_laws().into_iter().filter(|laws| laws[0].name() != "maw-barber-fawcett") {
        let law = &laws[0];
        for normal in [
            Arc::new(Hertz::new().stiffness(1e6)) as Arc<dyn Normal>,
            Arc::new(Tsuji::restitution(0.5).unwrap().stiffness(1e6)),
        ] {
            if fits(&*normal, &**law) {
                let off = difference(&two(balls(), 1e-3, normal, Some(law.clone())));
                assert!(off < 1e-12, "{law:?}: {off:e}");
            }
        }
    }
}

/// A ball that strikes a plane, or another body, slantwise; the state after the impact.
fn strike(model: &Model, method: &str, step: f64) -> Vec<f64> {
    let simulation = Simulation::new(model).method(method).rtol(1e-11).step(step).duration(0.02);
    let bodies = simulation.run().unwrap().end.frame.bodies;
    bodies.iter().flat_map(|b| [b.velocity, b.angular_velocity * 0.1]).flat_map(|v| [v.x, v.y, v.z]).collect()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn striking(surface: SurfaceSpec, normal: impl Normal + 'static, friction: Arc<dyn Friction>) -> Model {
    let mut b = ModelBuilder::new();
    b.body(
        Body::new("ball")
            .mass(0.5)
            .inertia([0.002; 3])
            .position([0.0, 0.0, 0.1005])
            .velocity([1.3, 0.4, -1.0])
            .angular_velocity([2.0, 3.0, -5.0])
            .surface(surface),
    );
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal(normal).friction_arc(friction));
    b.build().unwrap()
}

/// Motions converge to those of located, adaptive runs, with order 2 where laws are smooth.
#[test]
fn impacts_converge_to_located_ones() {
    let sphere = || SurfaceSpec::new(Sphere::new(0.1).unwrap());
    let egg = || SurfaceSpec::new(Ellipsoid::new([0.1, 0.1, 0.1 - 1e-9]).unwrap());
    for surface in [sphere, egg] {
        let damped = HuntCrossley::restitution(0.6).unwrap().stiffness(1e7);
        let model = striking(surface(), damped, Arc::new(Tanh::new(0.3, 3.0).unwrap()));
        let truth = strike(&model, "dop853", 1e-5);
        let errors = [4e-5, 2e-5, 1e-5].map(|step| distance(&strike(&model, "crowd", step), &truth));
        assert!(errors[0] < 2e-3 && errors[2] < 0.3 * errors[1] + 1e-6, "{errors:?}");
    }
}

/// Springs and bristles of friction, too: those of every law, within what steps of 1/400 of the impact explain.
#[test]
fn friction_that_remembers_converges() {
    let mut tested = Vec::new();
    for laws in friction_laws() {
        let law = &laws[0];
        if !law.remembers() || !fits(&Hertz::new().stiffness(1e7), &**law) {
            continue;
        }
        let model = striking(Sphere::new(0.1).unwrap().into(), Hertz::new().stiffness(1e7), law.clone());
        if law.name() == "maw-barber-fawcett" {
            let refusal = Simulation::new(&model).method("crowd").run().unwrap_err().to_string();
            assert!(refusal.contains("with the friction law `maw-barber-fawcett`"), "{refusal}");
            continue;
        }
        let truth = strike(&model, "dop853", 1e-5);
        let errors = [8e-6, 4e-6, 2e-6].map(|step| distance(&strike(&model, "crowd", step), &truth));
        println!("{}: {errors:?}", law.name());
        // (of the smallest errors, how far depends on where in a step the touch lies)
        let most = errors.into_iter().fold(0.0, f64::max);
        assert!(most < 1e-4 && (most < 1e-6 || errors[2] < 0.2 * errors[0]), "{}: {errors:?}", law.name());
        tested.push(law.name());
    }
    assert!(tested.len() >= 6, "{tested:?}");
}

/// A plane on a body that falls, beside planes that stand: onto a ball, and a ball onto a moving wall, as in located runs.
#[test]
fn walls_may_move() {
    let mut b = ModelBuilder::new();
    let down = Quat::from_scaled_axis(Vec3::x() * std::f64::consts::PI);
    let lid = Body::new("lid").mass(0.5).inertia([0.01; 3]).position([0.0, 0.0, 0.201]).orientation(down);
    b.body(lid.velocity([0.1, 0.0, -0.5]).surface(Plane));
    b.body(Body::fixed("post").position([0.03, 0.0, 0.1]).surface(Sphere::new(0.1).unwrap()));
    let shake = Shake { amplitude: Vec3::new(0.0, 0.0, 0.01), rate: 50.0, phase: 0.0 };
    b.body(Body::prescribed("floor", shake).position([0.0, 0.0, -1.0]).surface(Plane));
    let ball = Body::new("ball").mass(0.2).position([0.3, 0.0, -0.8985]).velocity([0.2, 0.0, -0.3]);
    b.body(ball.surface(Sphere::new(0.1).unwrap()));
    for ends in [["lid", "post"], ["ball", "floor"]] {
        let normal = HuntCrossley::restitution(0.7).unwrap().stiffness(1e7);
        b.contact(
            ContactRule::between(ends[0], ends[1]).normal(normal).friction(Tanh::new(0.2, 10.0).unwrap()),
        );
    }
    b.contact(ContactRule::none("lid", "floor")).contact(ContactRule::none("lid", "ball"));
    let model = b.build().unwrap();
    let truth = strike(&model, "dop853", 1e-5);
    let errors = [2e-5, 1e-5, 5e-6].map(|step| distance(&strike(&model, "crowd", step), &truth));
    assert!(errors[0] < 2e-3 && errors[2] < 0.3 * errors[1] + 1e-6, "{errors:?}");
    let summary = Simulation::new(&model).method("crowd").step(5e-6).duration(0.02).run().unwrap().summary;
    assert!(summary.touches >= 2 && summary.audit.momentum_relative < 1e-12, "{summary}");
}

/// Balls and eggs in a box whose floor is shaken.
fn pile(count: usize, eggs: bool) -> Model {
    let mut b = ModelBuilder::new();
    let mut random = Random::of("pile");
    b.material(Material::new("soft").youngs_modulus(2e7).poisson_ratio(0.3).density(1000.0));
    let shake = Shake { amplitude: Vec3::new(0.0, 0.0, 2e-3), rate: 20.0, phase: 0.0 };
    b.body(Body::prescribed("floor", shake).surface(SurfaceSpec::new(Plane).material("soft")));
    for (name, at, axis) in [("left", -0.08, 1.0), ("right", 0.08, -1.0)] {
        for (i, along) in [Vec3::x(), Vec3::y()].into_iter().enumerate() {
            let turned =
                Quat::from_scaled_axis(Vec3::z().cross(&along) * (axis * std::f64::consts::FRAC_PI_2));
            let wall = Body::fixed(&format!("{name}{i}")).position((along * at).into()).orientation(turned);
            b.body(wall.surface(SurfaceSpec::new(Plane).material("soft")));
        }
    }
    for i in 0..count {
        let place = [i % 4, i / 4 % 4, i / 16].map(|i| i as f64);
        let at = |x: f64, random: &mut Random| (x - 1.5) * 0.042 + random.between(-5e-4, 5e-4);
        let (x, y) = (at(place[0], &mut random), at(place[1], &mut random));
        let surface: SurfaceSpec = match eggs && i % 2 == 0 {
            true => Ellipsoid::new([0.018, 0.016, 0.02]).unwrap().into(),
            false => Sphere::new(0.018).unwrap().into(),
        };
        let body = Body::new(&format!("body{i}")).position([x, y, 0.022 + 0.042 * place[2]]);
        b.body(body.surface(surface.material("soft")));
    }
    let normal = HuntCrossley::restitution(0.5).unwrap();
    b.contact(ContactRule::between("*", "*").normal(normal).friction(Mindlin::new(0.4).unwrap().rescaled()));
    b.build().unwrap()
}

/// Results are the same to the bit for any number of threads.
#[test]
fn threads_change_nothing() {
    let model = pile(600, true);
    let run = |threads: usize| {
        let mut recording = Recording::default();
        let simulation = Simulation::new(&model).method("crowd").duration(0.03).output_every(0.01);
        let run = simulation.threads(threads).run_into(&mut recording).unwrap();
        assert!(run.summary.touches > 300, "{}", run.summary);
        (recording.frames, run.summary.energy, run.summary.audit)
    };
    let one = run(1);
    for threads in [2, 3] {
        let many = run(threads);
        assert!(one.0 == many.0, "{threads} threads");
        assert_eq!((one.1, one.2), (many.1, many.2));
    }
}

/// A run as its program sees it: what was reported, and how it ended.
fn told(recording: &Recording, mut run: carom::Run) -> String {
    run.summary.threads = 0;
    format!("{:?}\n{run:?}", recording.frames)
}

/// A floor that is shaken, a lid that falls, a plane on a body, a cup (a large surface), and bodies of several kinds under springs.
fn kitchen() -> Model {
    let mut b = ModelBuilder::new();
    let shake = Shake { amplitude: Vec3::new(0.0, 0.0, 2e-3), rate: 60.0, phase: 0.0 };
    b.body(Body::prescribed("floor", shake).surface(Plane));
    let down = Quat::from_scaled_axis(Vec3::x() * std::f64::consts::PI);
    let lid = Body::new("lid").mass(0.3).inertia([0.01; 3]).position([0.0, 0.0, 0.16]).orientation(down);
    b.body(lid.velocity([0.02, 0.0, -1.0]).surface(Plane));
    b.body(Body::fixed("block").position([0.5, 0.0, 0.0]).surface(Cuboid::new([0.5, 0.5, 0.2]).unwrap()));
    for i in 0..24 {
        let surface: SurfaceSpec = match i % 3 {
            0 => Sphere::new(0.018).unwrap().into(),
            1 => Ellipsoid::new([0.018, 0.016, 0.02]).unwrap().into(),
            _ => Cuboid::new([0.03, 0.026, 0.028]).unwrap().into(),
        };
        let at = [
            0.039 * f64::from(i % 4) + 0.1 + 0.001 * f64::from(i / 4),
            0.04 * f64::from(i / 4 % 3),
            0.0225 + 0.042 * f64::from(i / 12),
        ];
        b.body(
            Body::new(&format!("body{i}"))
                .density(1500.0)
                .position(at)
                .velocity([0.5, 0.1, 0.0])
                .surface(surface),
        );
    }
    let springs = CundallStrack::new(0.4).unwrap().stiffness(2e4);
    b.contact(
        ContactRule::between("*", "*")
            .normal(KelvinVoigt::restitution(0.6).unwrap().stiffness(3e4))
            .friction(springs)
            .rolling(ViscousCouple::new(0.002).unwrap()),
    );
    b.contact(ContactRule::none("lid", "floor")).contact(ContactRule::none("lid", "block"));
    b.build().unwrap()
}

/// From a snapshot, as bytes, a crowd goes on to the same bits, on any number of threads.
#[test]
fn snapshots_go_on_to_the_same_bits() {
    for (name, model, duration) in
        [("balls", pile(80, false), 0.03), ("eggs", pile(600, true), 0.02), ("kitchen", kitchen(), 0.06)]
    {
        let simulation =
            Simulation::new(&model).method("crowd").duration(duration).output_every(0.004).threads(1);
        let mut plain = Recording::default();
        let run = simulation.run_into(&mut plain).unwrap();
        assert!(run.summary.crowd.unwrap().lists > 1 && run.summary.touches > 30, "{name}: {}", run.summary);
        let undisturbed = told(&plain, run);
        let mut recording = Recording::default();
        let mut running = simulation.begin().unwrap();
        let (mut kept, mut step) = (Vec::new(), 0);
        while running.step(&mut recording).unwrap() {
            step += 1;
            if step % 37 == 1 {
                kept.push((running.snapshot().unwrap().to_bytes(), recording.clone()));
            }
        }
        assert_eq!(
            told(&recording, running.finish(&mut recording.clone()).unwrap()),
            undisturbed,
            "{name}: snapshots change the run"
        );
        let far = kept.len() - 1;
        for (i, at) in [0, 1, far / 3, far / 2, far - 1, far].into_iter().enumerate() {
            let (bytes, mut recording) = kept[at].clone();
            let simulation = simulation.clone().threads(1 + i % 3);
            let mut fresh = simulation.begin().unwrap();
            fresh.restore(&carom::Snapshot::from_bytes(&bytes).unwrap()).unwrap();
            assert!(
                fresh.snapshot().unwrap().to_bytes() == bytes,
                "{name}: snapshot {at} is not what was put back"
            );
            while fresh.step(&mut recording).unwrap() {}
            let run = fresh.finish(&mut recording.clone()).unwrap();
            assert!(told(&recording, run) == undisturbed, "{name}: snapshot {at} of {far}");
        }
    }
}

/// Keeps the snapshots of a pause, and stops a run at a time [s].
struct Keeper {
    pause: Pause,
    stop: f64,
    frames: Recording,
    kept: Option<(carom::Snapshot, Recording)>,
}

impl Sink for Keeper {
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.frames.frame(frame)
    }
    fn progress(&mut self, t: f64) -> ControlFlow<()> {
        if t >= self.stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn wants_snapshot(&mut self, pause: Pause) -> bool {
        pause == self.pause
    }
    fn snapshot(&mut self, _: Pause, snapshot: &carom::Snapshot) -> Result<(), SinkError> {
        self.kept = Some((snapshot.clone(), self.frames.clone()));
        Ok(())
    }
}

/// A crowd that was stopped goes on, and one that is finished is prolonged, to the bits of a run that was not.
#[test]
fn crowds_go_on_beyond_a_stop_and_beyond_their_end() {
    let model = kitchen();
    let simulation = Simulation::new(&model).method("crowd").duration(0.03).output_every(0.004);
    let mut plain = Recording::default();
    let run = simulation.run_into(&mut plain).unwrap();
    let undisturbed = told(&plain, run);
    // (0.0187 and 0.018 are no output times, 0.012 is one, and 0.002 comes before the first)
    for (pause, first, stop) in [
        (Pause::Stopped, 0.03, 0.0187),
        (Pause::BeforeEnd, 0.018, f64::INFINITY),
        (Pause::BeforeEnd, 0.012, f64::INFINITY),
    ] {
        let mut keeper = Keeper { pause, stop, frames: Recording::default(), kept: None };
        simulation.clone().duration(first).run_into(&mut keeper).unwrap();
        let (snapshot, mut recording) = keeper.kept.unwrap();
        let run = simulation.resume_into(Some(&snapshot), &mut recording).unwrap();
        assert!(told(&recording, run) == undisturbed, "{pause:?} {first}");
    }
    let mut keeper =
        Keeper { pause: Pause::BeforeEnd, stop: f64::INFINITY, frames: Recording::default(), kept: None };
    simulation.clone().duration(0.002).run_into(&mut keeper).unwrap();
    assert!(keeper.kept.is_none(), "every step of a run without outputs depends on its end");
}

/// What is no snapshot of the run is refused, and damage makes no run panic.
#[test]
fn snapshots_of_others_are_refused() {
    let (model, other) = (kitchen(), pile(24, true));
    let of = |model: &Model, step: f64| {
        Simulation::new(model).method("crowd").step(step).duration(0.01).begin().unwrap().snapshot().unwrap()
    };
    let mut running = Simulation::new(&model).method("crowd").step(1e-5).duration(0.01).begin().unwrap();
    for wrong in [of(&model, 2e-5), of(&other, 1e-5)] {
        assert!(running.restore(&wrong).unwrap_err().to_string().contains("of another model"));
    }
    running.restore(&of(&model, 1e-5)).unwrap();
}

/// The books close: linear momentum within rounding, angular momentum too where bodies are balls, and else with order 2, as energy.
#[test]
fn books_close() {
    for eggs in [false, true] {
        let model = pile(48, eggs);
        let run = |step: f64| {
            Simulation::new(&model).method("crowd").step(step).duration(0.2).run().unwrap().summary
        };
        let [coarse, fine] = [4e-5, 1e-5].map(run);
        println!("{coarse}\n{fine}");
        assert!(coarse.audit.momentum_relative < 1e-12 && fine.audit.momentum_relative < 1e-12);
        let [angular, finer] = [&coarse, &fine].map(|summary| summary.audit.angular_momentum_relative);
        assert!(if eggs { finer < 0.15 * angular } else { angular < 1e-12 }, "{angular:e} {finer:e}");
        assert!(coarse.energy.work.abs() > 1e-4 && coarse.energy.dissipated() > 1e-3);
        assert!(coarse.audit_relative < 1e-2 && fine.audit_relative < 0.15 * coarse.audit_relative);
    }
}

/// What a crowd cannot have it refuses by name.
#[test]
fn what_it_cannot_have_is_refused() {
    let refusal = |b: &mut ModelBuilder| {
        let model = b.build().unwrap();
        Simulation::new(&model).method("crowd").step(1e-4).run().unwrap_err().to_string()
    };
    let arm = || Body::new("arm").mass(1.0).inertia([1.0; 3]);
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("ground")).body(arm());
    b.joint(Joint::between("arm", "ground", Spherical).at([0.0; 3]).named("hip"));
    assert!(refusal(&mut b).starts_with("`method` is crowd, and there is joint `hip`"));
    let mut b = ModelBuilder::new();
    b.body(arm()).force(Force::on("arm", ExternalLoad::force([1.0, 0.0, 0.0])).named("push"));
    assert!(refusal(&mut b).contains("force or field `push`"));
    let model = ModelBuilder::new().body(arm()).build().unwrap();
    let endless = Simulation::new(&model).method("crowd").step(1e-12).run().unwrap_err().to_string();
    assert_eq!(endless, "`step` is 1e-12; allowed: at least 1e-9 of the time to integrate");
    let mut b = ModelBuilder::new();
    b.body(arm()).input("gas", 0.0);
    assert!(refusal(&mut b).contains("input `gas`"));
}

/// The step follows from the stiffest contact, ends at output times, and is told; a crowd that is too soft is told, too.
#[test]
fn steps_are_chosen() {
    let ball = |k: f64| {
        let mut b = ModelBuilder::new();
        b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.12]).surface(Sphere::new(0.02).unwrap()));
        b.body(Body::fixed("floor").surface(Plane));
        b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(k)));
        b.build().unwrap()
    };
    let (hard, soft) = (ball(1e9), ball(1e5));
    let run = |model: &Model| {
        Simulation::new(model).method("crowd").duration(0.4).output_every(0.01).run().unwrap()
    };
    let [hard, soft] = [&hard, &soft].map(run).map(|run| run.summary);
    let steps = [&hard, &soft].map(|summary| summary.crowd.unwrap());
    assert!(steps[0].overlap < 0.01 && steps[1].overlap > 0.01, "{steps:?}");
    let warned = |summary: &carom::Summary| {
        summary.warnings.iter().any(|w| w.warning.to_string().contains("too soft"))
    };
    assert!(!warned(&hard) && warned(&soft));
    // a whole number of steps to an output; 40 to an impact of about (m²/K²v)^(1/5)
    let many = 0.01 / steps[0].step;
    assert!((many - many.round()).abs() < 1e-6, "{many}");
    assert!((steps[1].step / steps[0].step / 1e4f64.powf(0.4) - 1.0).abs() < 0.1, "{steps:?}");
}

/// A block of a spring-and-slider friction stays on an incline, where a ball rolls down with 5/7 of g sin θ.
#[test]
fn balls_roll_and_boxes_stay() {
    let mut b = ModelBuilder::new();
    let (sin, cos) = 0.3f64.sin_cos();
    b.gravity([9.81 * sin, 0.0, -9.81 * cos]);
    b.body(Body::fixed("slope").surface(Plane));
    b.body(
        Body::new("ball")
            .mass(1.0)
            .position([0.0, 0.0, 0.1])
            .inertia([0.4 * 0.01; 3])
            .surface(Sphere::new(0.1).unwrap()),
    );
    b.body(
        Body::new("block")
            .mass(1.0)
            .position([0.0, 1.0, 0.1])
            .inertia([0.01; 3])
            .surface(Cuboid::new([0.2; 3]).unwrap()),
    );
    let normal = KelvinVoigt::restitution(0.2).unwrap().stiffness(1e6);
    let friction = CundallStrack::new(0.5).unwrap().stiffness(5e5);
    b.contact(ContactRule::between("*", "slope").normal(normal).friction(friction));
    let run = Simulation::new(&b.build().unwrap()).method("crowd").duration(1.0).run().unwrap();
    let rolled = run.end.body("ball").unwrap().velocity.x;
    assert!((rolled / (5.0 / 7.0 * 9.81 * sin) - 1.0).abs() < 1e-3, "{rolled}");
    let slid = run.end.body("block").unwrap();
    assert!(slid.velocity.norm() < 1e-4 && slid.position.x.abs() < 1e-4, "{slid:?}");
}
