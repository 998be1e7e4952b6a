//! Contacts that are integrals of pressure over their patch, against closed forms.

use crate::common::{close, near};
use carom::law::impact::effective_restitution;
use carom::ode::methods;
use carom::prelude::*;
use carom::{Mode, ModeKind, Run, Shake};

const G: f64 = 9.81;
/// Edges of the block [m], its mass [kg], and the foundation [Pa/m].
const EDGES: [f64; 3] = [0.2, 0.1, 0.06];
const MASS: f64 = 3.0;
const K: f64 = 2e8;
const AREA: f64 = EDGES[0] * EDGES[1];

fn block(name: &str) -> Body {
    Body::new(name).mass(MASS).surface(Cuboid::new(EDGES).unwrap())
}

/// Inertia of the block about its y axis [kg m²].
fn inertia_y() -> f64 {
    MASS / 12.0 * (EDGES[0] * EDGES[0] + EDGES[2] * EDGES[2])
}

/// The foundation of a rigid block on a soft floor.
fn soft_floor() -> Foundation {
    Foundation::weighted(K, [0.0, 1.0]).unwrap()
}

fn on_floor(law: Foundation) -> ContactRule {
    ContactRule::between("block", "floor").normal(law).solver(Pressure::default())
}

/// A block above a floor.
fn above_floor(body: Body, rule: ContactRule, gravity: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -gravity]);
    b.body(body).body(Body::fixed("floor").surface(Plane)).contact(rule);
    b.integrate_impulses(true);
    b.build().unwrap()
}

fn run(model: &Model, method: &str, rtol: f64, duration: f64) -> (Run, Recording) {
    let mut recording = Recording::default();
    let sim = Simulation::new(model).method(method).rtol(rtol).duration(duration);
    let run = sim.output(Output::Steps).run_into(&mut recording);
    (run.unwrap_or_else(|e| panic!("{method}: {e}")), recording)
}

fn tilt(axis: [f64; 3], angle: f64) -> Quat {
    Quat::from_scaled_axis(Vec3::from(axis).normalize() * angle)
}

/// A block that lands flat is a mass on a spring of K A for half a period; a soft block loses the margin of its face, where its sides
/// are nearer: F = K (a b δ − (a + b) δ² + 4 δ³/3).
#[test]
fn a_flat_landing() {
    let (v, gap) = (0.4, 0.01);
    let omega = (K * AREA / MASS).sqrt();
    let body = || block("block").position([0.0, 0.0, 0.5 * EDGES[2] + gap]).velocity([0.0, 0.0, -v]);
    let model = above_floor(body(), on_floor(soft_floor()), 0.0);
    for method in ["dop853", "ode113", "radau5"] {
        let (run, recording) = run(&model, method, 1e-11, 0.03);
        let [touch, release] = &recording.events[..] else { panic!("{method}: {:?}", recording.events) };
        close("touch", touch.t, gap / v, 1e-11);
        close("release", release.t - touch.t, std::f64::consts::PI / omega, 1e-8);
        close("peak", release.peak_force, v * (K * AREA * MASS).sqrt(), 1e-8);
        close("depth", release.max_indentation, v / omega, 1e-8);
        close("speed", run.end.body("block").unwrap().velocity.z, v, 1e-9);
        assert!(
            run.summary.audit.energy_relative < 1e-9,
            "{method}: {:e}",
            run.summary.audit.energy_relative
        );
        assert_eq!(touch.feature, "patch");
    }
    let soft = Foundation::weighted(K, [1.0, 0.0]).unwrap();
    let (run, recording) = run(&above_floor(body(), on_floor(soft), 0.0), "dop853", 1e-12, 0.03);
    let release = &recording.events[1];
    let (d, [a, b, _]) = (release.max_indentation, EDGES);
    let stored = K * (a * b * d * d / 2.0 - (a + b) * d.powi(3) / 3.0 + d.powi(4) / 3.0);
    close("stored", stored, 0.5 * MASS * v * v, 1e-8);
    close("peak", release.peak_force, K * (a * b * d - (a + b) * d * d + 4.0 * d.powi(3) / 3.0), 1e-8);
    assert!(run.summary.audit.energy_relative < 1e-9, "{:e}", run.summary.audit.energy_relative);
}

/// Blocks that land on an edge or a corner bounce and tumble, and so do two blocks that meet in flight: energy is kept to the
/// tolerance, momentum and angular momentum to rounding.
#[test]
fn tumbling_keeps_energy_and_momentum() {
    let half = Foundation::new(K).unwrap();
    for (law, q) in [
        (soft_floor(), tilt([0.0, 1.0, 0.0], 0.3)),
        (half, tilt([0.3, 1.0, 0.2], 0.02)),
        (half, tilt([1.0, -2.0, 0.7], 0.9)),
    ] {
        let body = block("block").position([0.0, 0.0, 0.16]).orientation(q).velocity([0.1, 0.0, -0.3]);
        let model = above_floor(body, on_floor(law), G);
        for method in ["dop853", "ode113"] {
            let (run, recording) = run(&model, method, 1e-11, 0.4);
            assert!(recording.events.len() >= 2, "{method}: {:?}", recording.events);
            let audit = &run.summary.audit;
            assert!(audit.energy_relative < 1e-9, "{method}: {:e}", audit.energy_relative);
            assert!(audit.momentum_relative < 1e-9, "{method}: {:e}", audit.momentum_relative);
        }
    }
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(block("one").velocity([0.0, 0.0, 0.8]).angular_velocity([1.0, 2.0, 0.5]));
    let other = block("other").position([0.03, 0.02, 0.15]).orientation(tilt([1.0, 0.4, 0.3], 0.5));
    b.body(other.velocity([0.0, 0.0, -0.7]));
    b.contact(ContactRule::between("one", "other").normal(half).solver(Pressure::default()));
    // in free fall, too: forces from outside are then summed up with those between the blocks
    for (gravity, turning) in [([0.0; 3], 1e-11), ([0.0, 0.0, -G], 1e-14)] {
        b.gravity(gravity);
        let (run, recording) = run(&b.build().unwrap(), "dop853", 1e-11, 0.2);
        assert!(recording.events.len() >= 2, "{:?}", recording.events);
        let audit = &run.summary.audit;
        assert!(audit.energy_relative < 1e-9, "{:e}", audit.energy_relative);
        assert!(audit.momentum_relative < 1e-14, "{:e}", audit.momentum_relative);
        assert!(audit.angular_momentum_relative < turning, "{:e}", audit.angular_momentum_relative);
    }
}

/// A block at rest sinks in by m g/(K A), and rocks with ω² = (K A a²/12 − m g (h − δ)/2)/J, as the energy of the volume under water of a
/// ship tells, heaving with ω² = K A/m.
#[test]
fn a_block_at_rest_heaves_and_rocks() {
    let depth = MASS * G / (K * AREA);
    let model = above_floor(block("block").position([0.0, 0.0, 0.5 * EDGES[2]]), on_floor(soft_floor()), G);
    let modes = Modes::new(&model).unwrap();
    near("place", modes.at.bodies[0].position.z, 0.5 * EDGES[2] - depth, 1e-12);
    let heave = K * AREA / MASS;
    let rock = |a: f64, j: f64| (K * AREA * a * a / 12.0 - MASS * G * 0.5 * (EDGES[2] - depth)) / j;
    let inertia_x = MASS / 12.0 * (EDGES[1] * EDGES[1] + EDGES[2] * EDGES[2]);
    let mut expected = [heave, rock(EDGES[0], inertia_y()), rock(EDGES[1], inertia_x)];
    expected.sort_by(f64::total_cmp);
    let mut found: Vec<&Mode> = modes.modes.iter().filter(|m| m.kind == ModeKind::Oscillates).collect();
    found.sort_by(|a, b| a.omega_squared.total_cmp(&b.omega_squared));
    assert_eq!(found.len(), 3, "{:?}", modes.modes);
    for (mode, expected) in found.iter().zip(expected) {
        close("ω²", mode.omega_squared, expected, 1e-6);
    }
    // a run that starts there, a little turned
    let omega = rock(EDGES[0], inertia_y()).sqrt();
    let body = block("block").position([0.0, 0.0, 0.5 * EDGES[2] - depth]).angular_velocity([0.0, 1e-6, 0.0]);
    let model = above_floor(body, on_floor(soft_floor()), G);
    let period = 2.0 * std::f64::consts::PI / omega;
    let sim = Simulation::new(&model).method("dop853").rtol(1e-12).atol(1e-16).duration(1.25 * period);
    let end = sim.run().unwrap().end;
    let block = end.body("block").unwrap();
    assert!(block.angular_velocity.y.abs() < 1e-9, "{}", block.angular_velocity.y);
    close("angle", block.orientation.scaled_axis().y, 1e-6 / omega, 1e-5);
}

/// A flat punch with damping rebounds as any spring whose force is multiplied by 1 + χ v; what is lost is in the audit.
#[test]
fn damping_loses_what_it_should() {
    let v = 0.4;
    for eta in [0.1, 0.7, 3.0] {
        let body = block("block").position([0.0, 0.0, 0.5 * EDGES[2] + 0.001]).velocity([0.0, 0.0, -v]);
        let model = above_floor(body, on_floor(soft_floor().damping(eta / v)), 0.0);
        let (run, recording) = run(&model, "dop853", 1e-11, 0.1);
        let e = effective_restitution(eta);
        close("rebound", run.end.body("block").unwrap().velocity.z, e * v, 1e-8);
        assert!(run.summary.audit.energy_relative < 1e-9, "{eta}: {:e}", run.summary.audit.energy_relative);
        let lost = recording.frames.last().unwrap().energy.dissipated_normal;
        close("lost", lost, 0.5 * MASS * v * v * (1.0 - e * e), 1e-8);
    }
}

/// On an incline a block slides with g (sin α − μ cos α), and what friction takes is in the audit.
#[test]
fn a_block_slides_down_an_incline() {
    let (alpha, mu) = (0.6f64, 0.3);
    let (sin, cos) = alpha.sin_cos();
    // on a soft floor the sides of the block would plough; here it is the block that is soft
    let law = Foundation::weighted(K, [1.0, 0.0]).unwrap().damping(20.0);
    let rule = on_floor(law).friction(Tanh::new(mu, 1e4).unwrap());
    let mut b = ModelBuilder::new();
    b.gravity([G * sin, 0.0, -G * cos]);
    let depth = MASS * G * cos / (K * AREA);
    let body = block("block").position([0.0, 0.0, 0.5 * EDGES[2] - depth]).velocity([0.5, 0.0, 0.0]);
    b.body(body).body(Body::fixed("floor").surface(Plane)).contact(rule);
    let model = b.build().unwrap();
    let at = |t: f64| {
        let sim = Simulation::new(&model).method("radau5").rtol(1e-10).duration(t);
        let run = sim.run().unwrap();
        assert!(run.summary.audit.energy_relative < 1e-7, "{:e}", run.summary.audit.energy_relative);
        run.end.body("block").unwrap().velocity.x
    };
    close("acceleration", (at(0.8) - at(0.5)) / 0.3, G * (sin - mu * cos), 1e-7);
}

/// Every method lands a tilted block: its touches and releases come in turns, and energy is kept as well as its tolerance says.
#[test]
fn every_method() {
    let body = || {
        let q = tilt([0.2, 1.0, 0.0], 0.1);
        block("block").position([0.0, 0.0, 0.05]).orientation(q).velocity([0.0, 0.0, -0.3])
    };
    let model = above_floor(body(), on_floor(Foundation::new(K).unwrap().damping(0.2)), G);
    for method in methods::ALL {
        let mut recording = Recording::default();
        let mut sim = Simulation::new(&model).method(method.name()).rtol(1e-6).duration(0.06);
        if !method.is_adaptive() {
            sim = sim.step(1e-4);
        }
        let run = sim.run_into(&mut recording).unwrap_or_else(|e| panic!("{}: {e}", method.name()));
        let kinds: Vec<_> = recording.events.iter().map(|e| e.kind).collect();
        let turns = kinds
            .iter()
            .enumerate()
            .all(|(i, kind)| *kind == if i % 2 == 0 { EventKind::Touch } else { EventKind::Release });
        assert!(turns && kinds.len() >= 2, "{}: {kinds:?}", method.name());
        let energy = run.summary.audit.energy_relative;
        assert!(energy < if method.is_adaptive() { 1e-4 } else { 2e-2 }, "{}: {energy:e}", method.name());
    }
}

/// What is recorded of a patch is its whole action: the resultant at the centre of pressure, and a couple.
#[test]
fn a_patch_is_recorded_at_its_centre_of_pressure() {
    // a block on its edge: a wedge is pressed in, and the pressure acts at a third of its width
    let (angle, depth) = (0.05f64, 1e-3);
    let (sin, cos) = angle.sin_cos();
    let z = 0.5 * EDGES[0] * sin + 0.5 * EDGES[2] * cos - depth;
    let body = block("block").position([0.0, 0.0, z]).orientation(tilt([0.0, 1.0, 0.0], angle));
    let model = above_floor(body, on_floor(soft_floor()), G);
    let mut recording = Recording::default();
    Simulation::new(&model).duration(1e-6).output(Output::Steps).run_into(&mut recording).unwrap();
    let contact = &recording.frames[0].contacts[0];
    // U = K w D³/(6 sin θ cos θ), D = (a sin θ + h cos θ)/2 − z
    let width = EDGES[1];
    let force = 0.5 * K * width * depth * depth / (sin * cos);
    let turns = 0.5 * (EDGES[0] * cos - EDGES[2] * sin);
    let sharp = (cos * cos - sin * sin) / (sin * cos);
    let torque = -force * (turns - depth / 3.0 * sharp);
    close("force", contact.f_n, force, 1e-12);
    near("depth", contact.delta, depth, 1e-15);
    assert!((contact.normal - Vec3::new(0.0, 0.0, -1.0)).norm() < 1e-12, "{}", contact.normal);
    let arm = contact.point - Vec3::new(0.0, 0.0, z);
    let found = arm.cross(&(contact.normal * -contact.f_n)) + contact.couple;
    assert!((found - Vec3::y() * torque).norm() < 1e-12 * torque.abs(), "{found} {torque}");
    assert!(contact.f_t == Vec3::zeros() && contact.point.y.abs() < 1e-15, "{contact:?}");
}

/// A block that stands on a shaken floor: the work of the floor is in the audit, and so is what friction takes of a block that spins on it,
/// which slows down by μ g r̄ m/J, r̄ being the mean distance of the face's points from its centre.
#[test]
fn work_and_friction_are_in_the_audit() {
    let mut b = ModelBuilder::new();
    let depth = MASS * G / (K * AREA);
    b.body(block("block").position([0.0, 0.0, 0.5 * EDGES[2] - depth]));
    b.body(
        Body::prescribed("floor", Shake { amplitude: Vec3::new(0.0, 0.0, 2e-4), rate: 40.0, phase: 0.0 })
            .surface(Plane),
    );
    b.contact(on_floor(soft_floor().damping(0.5)));
    let model = b.build().unwrap();
    let (shaken, _) = run(&model, "dop853", 1e-10, 0.1);
    assert!(shaken.summary.audit.energy_relative < 1e-8, "{}", shaken.summary);
    assert!(shaken.end.frame.energy.work.abs() > 1e-6, "{}", shaken.summary);

    let (mu, spin) = (0.2, 8.0);
    let rule =
        on_floor(Foundation::weighted(1e12, [1.0, 0.0]).unwrap()).friction(Tanh::new(mu, 1e3).unwrap());
    let body = block("block").position([0.0, 0.0, 0.5 * EDGES[2] - MASS * G / (1e12 * AREA)]);
    let model = above_floor(body.angular_velocity([0.0, 0.0, spin]), rule, G);
    let (spun, _) = run(&model, "radau5", 1e-8, 0.1);
    let lost = spin - spun.end.body("block").unwrap().angular_velocity.z;
    // ∫∫ √(x² + y²) over a quarter of the face, by the midpoint rule
    let (n, [a, b, _]) = (400, EDGES);
    let at = |i: usize, edge: f64| 0.5 * edge * (i as f64 + 0.5) / n as f64;
    let sum: f64 = (0..n).flat_map(|i| (0..n).map(move |j| at(i, a).hypot(at(j, b)))).sum();
    let mean = sum / (n * n) as f64;
    let inertia = MASS / 12.0 * (a * a + b * b);
    close("slows down", lost / 0.1, mu * MASS * G * mean / inertia, 0.02);
    assert!(spun.summary.audit.energy_relative < 1e-6, "{}", spun.summary);
}

/// Without located events the same impact comes out.
#[test]
fn contacts_need_not_be_located() {
    let body = block("block").position([0.0, 0.0, 0.5 * EDGES[2] + 0.002]).velocity([0.0, 0.0, -0.4]);
    let model = above_floor(body, on_floor(soft_floor()), 0.0);
    let sim = Simulation::new(&model).method("dop853").rtol(1e-10).duration(0.02).locate_contacts(false);
    let run = sim.run().unwrap();
    close("speed", run.end.body("block").unwrap().velocity.z, 0.4, 1e-6);
}

/// A run goes on from a snapshot within a contact as if it had not been interrupted.
#[test]
fn snapshots_carry_patches() {
    let q = tilt([0.2, 1.0, 0.0], 0.1);
    let body = block("block").position([0.0, 0.0, 0.05]).orientation(q).velocity([0.0, 0.0, -0.3]);
    let model = above_floor(body, on_floor(Foundation::new(K).unwrap().damping(0.2)), G);
    let sim = Simulation::new(&model).method("dop853").duration(0.05);
    let mut running = sim.begin().unwrap();
    let mut steps = 0;
    while running.t() < 0.03 {
        running.step(&mut Recording::default()).unwrap();
        steps += 1;
    }
    let snapshot = running.snapshot().unwrap();
    let mut again = sim.begin().unwrap();
    again.restore(&snapshot).unwrap();
    let [whole, rest] = [running, again].map(|run| run.finish(&mut Recording::default()).unwrap().end.frame);
    assert!(steps > 3 && rest.bodies == whole.bodies, "{:?} {:?}", rest.bodies, whole.bodies);
}

/// What is no pressure is refused, with what to write.
#[test]
fn what_is_refused() {
    let refused = |rule: ContactRule, words: &str| {
        let mut b = ModelBuilder::new();
        b.body(block("block").position([0.0, 0.0, 1.0])).body(Body::fixed("floor").surface(Plane));
        b.contact(rule);
        let error = b.build().unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let patch = |law| on_floor(law);
    refused(
        patch(soft_floor()).friction(carom::law::friction::Dahl::new(0.3, 1e5).unwrap()),
        "`dahl`, which remembers",
    );
    refused(patch(Foundation::layers([0.0, 1e-3]).unwrap()), "floor/plane1 has no material");
    refused(patch(soft_floor()).wear(Wear::coefficient(1e-13)), "patches do not wear");
    refused(patch(soft_floor()).rolling(TanhCouple::new(1e-4, 0.1).unwrap()), "resist by themselves");
    refused(
        ContactRule::between("block", "floor").normal(soft_floor()).solver(Slices::new(12).unwrap()),
        "`foundation`, a law of pressure, with `slices = 12`",
    );
    refused(
        ContactRule::between("block", "floor")
            .normal(Hertz::new().stiffness(1e8))
            .solver(Pressure::default()),
        "`hertz`, a law of the force at a point",
    );
    refused(ContactRule::between("*", "*").normal(soft_floor()).solver(Pressure::default()), "layers alike");
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("frame")).body(block("block"));
    let hinge = Joint::between("block", "frame", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]);
    b.joint(hinge.upper("angle", 1.0).stop(soft_floor()));
    let error = b.build().unwrap_err().to_string();
    assert!(error.contains("`foundation`, a law of pressure"), "{error}");
}

/// A ball on a soft floor: F = K π (R δ² − δ³/3), stored K π (R δ³/3 − δ⁴/12).
#[test]
fn a_ball_presses_a_cap() {
    let (r, v) = (0.05, 0.6);
    let body = Body::new("block").mass(MASS).surface(Sphere::new(r).unwrap());
    let body = body.position([0.0, 0.0, r + 0.001]).velocity([0.0, 0.0, -v]);
    for weights in [[0.0, 1.0], [1.0, 0.0]] {
        let law = Foundation::weighted(K, weights).unwrap();
        let model = above_floor(body.clone(), on_floor(law), 0.0);
        let mut recording = Recording::default();
        let sim = Simulation::new(&model).method("dop853").rtol(1e-11).duration(0.04);
        let run = sim.output_every(0.02).run_into(&mut recording).unwrap();
        let release = &recording.events[1];
        let d = release.max_indentation;
        if weights[1] == 1.0 {
            let pi = std::f64::consts::PI;
            close("stored", K * pi * (r * d.powi(3) / 3.0 - d.powi(4) / 12.0), 0.5 * MASS * v * v, 1e-9);
            close("force", release.peak_force, K * pi * (r * d * d - d.powi(3) / 3.0), 1e-9);
        }
        close("speed", run.end.body("block").unwrap().velocity.z, v, 1e-9);
        assert!(run.summary.audit.energy_relative < 1e-9, "{weights:?}: {}", run.summary);
    }
}
