//! Friction in joints, against closed forms.

use carom::base::{Args, Value};
use carom::law::elastic::{Elastic, NeoHookean};
use carom::law::friction::{self, Coulomb, ElastoPlastic, GonthierBristle, Tanh};
use carom::prelude::*;
use carom::{Cylindrical, PointOnPlane, Screw, Slip};

use crate::laws::friction_with;

const G: f64 = 9.81;

fn model(joint: Joint, bodies: Vec<Body>, g: [f64; 3]) -> Model {
    built(joint, bodies, g).unwrap()
}

fn built(joint: Joint, bodies: Vec<Body>, g: [f64; 3]) -> Result<Model, BuildError> {
    let mut b = ModelBuilder::new();
    b.gravity(g).body(Body::fixed("ground"));
    bodies.into_iter().for_each(|body| {
        b.body(body);
    });
    b.joint(joint);
    b.build()
}

fn run(model: &Model, t: f64) -> (Frame, carom::Run) {
    let mut recording = Recording::default();
    let sim = Simulation::new(model).method("dop853").duration(t).rtol(1e-12).atol(1e-12);
    let run = sim.output(Output::At(vec![t])).run_into(&mut recording).unwrap();
    (recording.frames.pop().unwrap(), run)
}

/// A wheel on a horizontal axle: its weight is the load, I ω̇ = −ρ μ m g.
#[test]
fn a_wheel_runs_out_in_its_bearing() {
    let (m, i, rho, mu, w0, t) = (2.0, 0.05, 0.01, 0.3, 30.0, 10.0);
    let wheel = Body::new("wheel").mass(m).inertia([0.1, i, 0.1]).angular_velocity([0.0, w0, 0.0]);
    let rubs = JointFriction::new(Coulomb::new(mu).unwrap()).radius(rho);
    let hinge = Joint::between("wheel", "ground", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]).friction(rubs);
    let (frame, run) = run(&model(hinge, vec![wheel], [0.0, 0.0, -G]), t);
    let expected = w0 - rho * mu * m * G * t / i;
    assert!((frame.bodies[0].angular_velocity.y - expected).abs() < 1e-11 * w0);
    // what the wheel does to the ground: its weight, and the friction that it is braked by
    assert!((frame.joints[0].force - Vec3::new(0.0, 0.0, -m * G)).norm() < 1e-10);
    assert!((frame.joints[0].couple - Vec3::new(0.0, rho * mu * m * G, 0.0)).norm() < 1e-10);
    let lost = 0.5 * i * (w0 * w0 - expected * expected);
    assert!((run.summary.energy.dissipated_joint - lost).abs() < 1e-10 * lost);
}

/// A block on a guide that passes by its centre at h: friction F at the guide makes a couple F h, whose load makes friction: F = μ m g cos θ/(1 − 2 μ h/ℓ).
fn guided(mu: f64, h: f64, length: f64) -> Model {
    let block = Body::new("block").mass(1.5).inertia([0.01; 3]).position([0.0, 0.0, h]);
    let rubs = JointFriction::new(Coulomb::new(mu).unwrap()).length(length);
    let guide =
        Joint::between("block", "ground", Prismatic).at([0.0; 3]).axis([1.0, 0.0, 0.0]).friction(rubs);
    // down the slope is along x
    let theta: f64 = 0.9;
    model(guide, vec![block.velocity([0.1, 0.0, 0.0])], [G * theta.sin(), 0.0, -G * theta.cos()])
}

#[test]
fn a_block_slides_down_its_guide() {
    let theta: f64 = 0.9;
    for (mu, h, length) in [(0.2, 0.0, 0.1), (0.2, 0.1, 0.3), (0.1, 0.2, 0.1), (0.05, 0.9, 0.1)] {
        let (frame, run) = run(&guided(mu, h, length), 2.0);
        // gravity acts at the centre and has no couple about the guide's point but that of the normal force
        let friction = mu * G * theta.cos() / (1.0 - 2.0 * mu * h / length);
        let v = 0.1 + 2.0 * (G * theta.sin() - friction);
        let off = (frame.bodies[0].velocity.x - v).abs();
        assert!(v > 0.1 && off < 1e-11 * v, "μ {mu}, h {h}: {off:e} of {v}");
        assert!(run.summary.audit_relative < 1e-11, "{:e}", run.summary.audit_relative);
    }
}

/// 2 μ h/ℓ > 1: friction adds more to its load than it needs.
#[test]
fn a_guide_that_jams_says_so() {
    let error = Simulation::new(&guided(0.3, 0.2, 0.1)).duration(1.0).run().unwrap_err().to_string();
    assert!(error.contains("block~ground") && error.contains("jams"), "{error}");
}

/// The same block, its centre also d = ℓ behind the guide's point: what its weight does there friction takes back, n = N/(m g cos θ) = 1 + |κ n − D|, κ = 2 μ h/ℓ = 1.2, D = 2 d/ℓ = 2. Two loads balance,
/// (1 + D)/(1 + κ) and (D − 1)/(κ − 1) = 5; friction that builds up from none comes to the first.
#[test]
fn of_two_loads_that_balance_the_least_is_found() {
    let (mu, h, length, d, theta) = (0.3, 0.2, 0.1, 0.1, 0.9_f64);
    let block = Body::new("block").mass(1.5).inertia([0.01; 3]).position([-d, 0.0, h]);
    let rubs = JointFriction::new(Coulomb::new(mu).unwrap()).length(length);
    let guide =
        Joint::between("block", "ground", Prismatic).at([0.0; 3]).axis([1.0, 0.0, 0.0]).friction(rubs);
    let block = block.velocity([0.1, 0.0, 0.0]);
    let (frame, _) = run(&model(guide, vec![block], [G * theta.sin(), 0.0, -G * theta.cos()]), 2.0);
    let n = (1.0 + 2.0 * d / length) / (1.0 + 2.0 * mu * h / length);
    let v = 0.1 + 2.0 * G * (theta.sin() - mu * n * theta.cos());
    let off = (frame.bodies[0].velocity.x - v).abs();
    assert!(off < 1e-11 * v, "{} instead of {v}", frame.bodies[0].velocity.x);
}

/// A ball of a gram on an axle beside its centre, whose bristles are damped so strongly that damping alone makes most of the load: three loads balance, and which it is the state does not say.
#[test]
fn several_loads_that_balance_are_told() {
    let axis = [0.2553, -0.01727, -0.2185];
    let law = GonthierBristle::new(0.5784, 0.7849, 0.02785, 197_100.0, 6.32, 0.01841).unwrap();
    let rubs = JointFriction::new(law).radius(0.002118).length(0.005295);
    let axle = Joint::between("ball", "ground", Cylindrical).at([0.0, 0.0, 0.005295]).axis(axis);
    let ball = Body::new("ball").mass(0.001).surface(Sphere::new(0.005974).unwrap());
    let ball = ball.velocity([-0.1664, -0.2175, -0.07815]);
    let model = model(axle.friction(rubs), vec![ball], [0.0, 0.0, -G]);
    for method in ["radau5", "auto"] {
        let run = Simulation::new(&model).method(method).rtol(9.33e-9).duration(0.0626).run();
        let error = run.unwrap_err().to_string();
        assert!(
            error.contains("joint ball~ground") && error.contains("3 loads balance"),
            "{method}: {error}"
        );
    }
}

/// A nut that runs down an upright screw, r = h/2π a radian: with s² = ρ² + r² and the force λ of the thread,
/// I θ̈ = λ (μ ρ²/s − r), m r θ̈ = λ (1 + μ r/s) − m g.
#[test]
fn a_nut_runs_down_its_screw() {
    let (m, i, rho, pitch, mu, t) = (0.4_f64, 2e-4_f64, 0.008_f64, 0.05_f64, 0.1_f64, 0.5_f64);
    let r = pitch / std::f64::consts::TAU;
    let s = rho.hypot(r);
    let lambda = m * G / (1.0 + mu * r / s + (m * r / i) * (r - mu * rho * rho / s));
    let alpha = lambda * (mu * rho * rho / s - r) / i;
    // it runs already
    let w0 = -1.0;
    let nut = Body::new("nut").mass(m).inertia([1e-4, 1e-4, i]);
    let nut = nut.angular_velocity([0.0, 0.0, w0]).velocity([0.0, 0.0, r * w0]);
    let rubs = JointFriction::new(Coulomb::new(mu).unwrap()).radius(rho);
    let screw =
        Joint::between("nut", "ground", Screw { pitch }).at([0.0; 3]).axis([0.0, 0.0, 1.0]).friction(rubs);
    let (frame, run) = run(&model(screw, vec![nut], [0.0, 0.0, -G]), t);
    let w = frame.bodies[0].angular_velocity.z;
    assert!(alpha < 0.0 && (w - w0 - alpha * t).abs() < 1e-11 * w.abs(), "{w} {}", w0 + alpha * t);
    assert!(run.summary.audit_relative < 1e-11);
}

/// What friction holds it holds without creep, if it remembers: bristles of σ₀ bend by the torque over σ₀ ρ².
#[test]
fn bristles_hold_a_lever() {
    let (m, l, rho, mu, sigma) = (1.0, 0.1, 0.05, 0.8, 1e6);
    // across: ρ μ N = 0.4 N m against m g l sin θ = 0.098 N m
    let theta: f64 = 0.1;
    let lever =
        Body::new("lever").mass(m).inertia([0.01; 3]).position([l * theta.sin(), 0.0, -l * theta.cos()]);
    let law = ElastoPlastic::new(mu, mu, 0.01, sigma).unwrap().damping(1e3);
    let rubs = JointFriction::new(law).radius(rho);
    let hinge = Joint::between("lever", "ground", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]).friction(rubs);
    let model = model(hinge, vec![lever], [0.0, 0.0, -G]);
    let places: Vec<f64> = [5.0, 50.0]
        .map(|t| {
            let sim = Simulation::new(&model).method("radau5").duration(t).rtol(1e-12);
            let run = sim.run().unwrap();
            // The largest of the run, at ends of steps: positions are known to rtol, and m g l of energy with them; the books themselves are rounded, by as much as the audit says. The lever's own energy is the
            // hundred-thousandth part of m g l as it sets.
            let audit = &run.summary.audit;
            let largest = audit.energy / audit.energy_relative;
            assert!(audit.energy_relative < 1e-12 * m * G * l / largest + audit.rounding[0], "{audit:?}");
            run.end.body("lever").unwrap().position.x
        })
        .to_vec();
    assert!((places[1] - places[0]).abs() < 1e-12, "creeps by {:e}", places[1] - places[0]);
    // θ has gone back by what the bristles bend
    let now = (places[1] / l).asin();
    let bent = m * G * l * now.sin() / (sigma * rho * rho);
    assert!((theta - now - bent).abs() < 1e-9, "{} {bent}", theta - now);
}

fn value(name: &str) -> Value {
    Value::Number(match name {
        "coefficient" => 0.3,
        "static_coefficient" => 0.4,
        "bristle_stiffness" => 1e4,
        "stribeck_speed" | "v0" => 0.01,
        "v1" => 0.02,
        "slope" => 100.0,
        _ => 0.5,
    })
}

/// A joint of every kind that rubs, with bodies that swing in it.
fn swinging(
    law: &std::sync::Arc<dyn carom::law::Friction>,
    joint: &Joint,
    of_kind: &dyn carom::JointKind,
) -> Model {
    let rubs = JointFriction::by(law.clone()).radius(0.05).preload(0.5);
    let body = Body::new("bob").mass(1.0).inertia([0.02, 0.03, 0.04]).position([0.3, 0.0, 0.0]);
    let spin = match of_kind.slips()[0][0] {
        Slip::Slide(_) => [0.0; 3],
        _ => [0.3, 0.2, 0.5],
    };
    let body = body.velocity([0.1, 0.2, 0.0]).angular_velocity(spin);
    // a length is refused where no couple is carried
    let long = joint.clone().friction(rubs.clone().length(0.2));
    let built = built(long, vec![body.clone()], [1.0, 0.5, -G]);
    built.unwrap_or_else(|_| model(joint.clone().friction(rubs), vec![body], [1.0, 0.5, -G]))
}

/// Every friction law in a hinge, explicit and stiff; one of each sort in every joint: the ledger closes.
#[test]
fn every_law_rubs_in_every_joint() {
    let args = |e: &friction::FrictionEntry| {
        let needed = e.entry.params.iter().filter(|p| p.presence == carom::base::param::Presence::Required);
        needed.fold(Args::new(), |args, p| args.with(p.name, value(p.name)))
    };
    let mut worst = 0.0_f64;
    for entry in carom::JOINTS {
        let pitch = Args::new().with("pitch", Value::Number(0.3));
        let kind = entry.make(&Args::new()).or_else(|_| entry.make(&pitch));
        let Ok(kind) = kind else { continue };
        if kind.slips().is_empty() {
            continue;
        }
        let joint = Joint::between_arc("bob", "ground", kind.clone()).at([0.0; 3]);
        let joint =
            if kind.has_axis() || kind.has_second_axis() { joint.axis([0.0, 0.6, 0.8]) } else { joint };
        let joint = if kind.has_second_axis() { joint.second_axis([0.0, 0.8, -0.6]) } else { joint };
        let for_joints = |e: &&friction::FrictionEntry| !friction_with(e, &[]).follows_depth();
        for law in friction::ALL.iter().filter(|e| e.name() != "coulomb").filter(for_joints) {
            let all = entry.name == "revolute" || ["tanh", "lugre"].contains(&law.name());
            let methods: &[&str] = if all { &["dop853", "radau5"] } else { &[] };
            for method in methods {
                let model = swinging(&law.make(&args(law)).unwrap(), &joint, &*kind);
                let sim = Simulation::new(&model).method(method).duration(0.5).rtol(1e-9).atol(1e-9);
                let what = format!("{} in {}, {method}", law.name(), entry.name);
                let run = sim.run().unwrap_or_else(|e| panic!("{what}: {e}"));
                let s = &run.summary;
                println!("{what}: {:.1e}, {} steps", s.audit_relative, s.stats.steps);
                assert!(s.audit_relative < 1e-9, "{what}: {:e}", s.audit_relative);
                assert!(s.energy.dissipated_joint > 0.0, "{what}");
                worst = worst.max(s.audit_relative);
            }
        }
    }
    println!("worst {worst:.1e}");
}

/// A soft block, and one on a guide that is moved: what friction takes is what is missing.
#[test]
fn soft_and_moved_bodies_rub() {
    let elastic = Elastic::new(NeoHookean::new(2e3).unwrap()).viscosity(1.0);
    let cube = || Cuboid::new([0.2; 3]).unwrap();
    let rubs = |joint: &Joint| {
        let rubs = JointFriction::new(Tanh::new(0.3, 50.0).unwrap()).radius(0.03);
        let turns = format!("{joint:?}");
        if turns.contains("Revolute") || turns.contains("Cylindrical") { rubs.length(0.5) } else { rubs }
    };
    let joints = [
        Joint::between("cube", "ground", Revolute).axis([0.0, 1.0, 0.0]),
        Joint::between("cube", "ground", Cylindrical).axis([0.0, 0.6, 0.8]),
        Joint::between("ground", "cube", Spherical),
        Joint::between("cube", "ground", PointOnPlane).axis([0.0, 0.0, 1.0]),
    ];
    let soft = || Body::affine("cube", elastic.clone()).density(1e3).surface(cube());
    let rigid = || Body::new("cube").density(1e3).surface(cube());
    for joint in joints {
        for (body, moves) in [(soft(), false), (rigid(), true), (soft(), true)] {
            let mut b = ModelBuilder::new();
            let motion = carom::Shake { amplitude: Vec3::new(0.03, 0.01, 0.02), rate: 12.0, phase: 0.0 };
            b.body(if moves { Body::prescribed("ground", motion) } else { Body::fixed("ground") });
            b.gravity([0.0, 0.0, -G]).body(body.angular_velocity([0.1, 1.0, 0.3]));
            let what = format!("{:?}, moves: {moves}", joint);
            b.joint(joint.clone().at([-0.1, 0.0, 0.1]).friction(rubs(&joint)));
            let model = b.build().unwrap();
            let sim = Simulation::new(&model).method("dop853").duration(0.3).rtol(1e-11).atol(1e-11);
            let s = sim.run().unwrap_or_else(|e| panic!("{what}: {e}")).summary;
            assert!(s.audit_relative < 1e-10, "{what}: {:e}", s.audit_relative);
            assert!(s.energy.dissipated_joint > 0.0, "{what}");
        }
    }
}
