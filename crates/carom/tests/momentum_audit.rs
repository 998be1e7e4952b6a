//! Momentum against the impulses of all that holds bodies: whatever acts between two bodies must be equal and opposite, at one point.

use carom::law::elastic::{Elastic, NeoHookean};
use carom::law::friction::Coulomb;
use carom::prelude::*;
use carom::{
    Cylindrical, FieldRule, Formula, Gear, Repulsion, Rolling, Run, Screw, Shake, Universal, Warning,
};

const RTOL: f64 = 1e-10;

/// A brick, turning, whose centre of mass is not in its middle.
fn brick(name: &str) -> Body {
    let body =
        Body::new(name).mass(0.7).inertia([1e-3, 1.4e-3, 0.8e-3]).centre_of_mass([0.01, -0.004, 0.005]);
    body.angular_velocity([1.0, 3.0, -2.0])
}

fn ball(name: &str) -> Body {
    Body::new(name).mass(0.3).surface(Sphere::new(0.05).unwrap())
}

fn jelly(name: &str) -> Body {
    let elastic = Elastic::new(NeoHookean::new(9e4).unwrap()).viscosity(5.0);
    Body::affine(name, elastic).density(1000.0).surface(Sphere::new(0.05).unwrap())
}

fn spring() -> SpringDamper {
    SpringDamper::new(200.0, 0.2).unwrap().damping(0.3)
}

fn formula(text: &str) -> Formula {
    Formula::new(text).unwrap()
}

fn hertz(a: &str, b: &str) -> ContactRule {
    ContactRule::between(a, b).normal(HuntCrossley::restitution(0.8).unwrap().stiffness(1e6))
}

type Make = fn(&mut ModelBuilder);

/// One scene a kind of interaction, with what is held: the name, and how it is made.
const SCENES: &[(&str, Make)] = &[
    ("ball on a fixed plane", |b| {
        b.body(ball("ball").position([0.3, 0.2, 0.08]).velocity([1.0, 0.0, 0.0]));
        b.body(Body::fixed("floor").position([5.0, 3.0, 0.0]).surface(Plane));
        b.contact(hertz("ball", "floor"));
    }),
    ("box on a table that shakes", |b| {
        let cube = Body::new("box").density(500.0).surface(Cuboid::new([0.1, 0.14, 0.06]).unwrap());
        b.body(cube.position([0.3, 0.2, 0.07]).orientation(Quat::from_euler_angles(0.4, 0.3, 0.1)));
        let shake = Shake { amplitude: Vec3::new(0.002, 0.0, 0.004), rate: 40.0, phase: 0.0 };
        b.body(Body::prescribed("table", shake).surface(Plane));
        b.contact(hertz("box", "table"));
    }),
    ("springs between all kinds of bodies", |b| {
        b.body(brick("a").position([0.3, 0.0, 0.0])).body(brick("b").position([0.0, 0.3, 0.1]));
        b.body(Body::fixed("wall").position([1.0, 0.0, 0.0]));
        b.body(Body::prescribed("hand", Slide { velocity: Vec3::new(0.1, 0.2, 0.0) }));
        let at = ([0.02, 0.0, 0.01], [0.0, 0.03, 0.0]);
        for (p, q) in [("a", "b"), ("a", "wall"), ("hand", "b")] {
            b.force(Force::between(p, q, spring()).points(at.0, at.1));
        }
    }),
    ("couples, bushings, torsion springs", |b| {
        b.body(brick("a").position([0.3, 0.0, 0.0])).body(brick("b").position([0.5, 0.1, 0.0]));
        b.body(Body::fixed("wall").position([1.0, 2.0, 0.0]));
        b.body(Body::prescribed("shaft", Spin { rate: 3.0, axis: Vec3::z_axis() }));
        let along = [800.0, 900.0, 700.0];
        let bushing = Bushing::new(along, [2.0, 3.0, 4.0]).unwrap().damping([1.0; 3], [0.01; 3]);
        b.force(Force::bushing("a", "b", bushing).at([0.4, 0.1, 0.0]));
        b.force(Force::bushing("b", "wall", bushing).at([0.6, 0.1, 0.0]));
        b.force(Force::torque("a", "wall", [0.01, 0.02, -0.01]));
        b.force(Force::torsion_about("a", "shaft", [0.0, 0.0, 1.0], CoordinateSpring::new(0.1).unwrap()));
    }),
    ("joints to ground", |b| {
        b.body(Body::fixed("ground").position([0.3, 0.1, 0.2]));
        b.body(brick("a").position([0.1, 0.0, 0.0])).body(brick("b").position([0.3, 0.0, 0.0]));
        b.body(brick("c").position([0.4, 0.1, 0.0]));
        b.joint(
            Joint::between("a", "ground", Universal)
                .at([0.0; 3])
                .axis([0.0, 0.0, 1.0])
                .second_axis([0.0, 1.0, 0.0]),
        );
        b.joint(Joint::between("b", "a", Revolute).at([0.2, 0.0, 0.0]).axis([0.0, 1.0, 1.0]));
        b.joint(Joint::between("c", "b", Spherical).at([0.35, 0.05, 0.0]));
    }),
    ("a joint that is driven, on a body that is moved", |b| {
        b.body(Body::prescribed("car", Slide { velocity: Vec3::new(0.5, 0.2, 0.0) }));
        b.body(brick("arm").position([0.1, 0.0, 0.0]).angular_velocity([0.0; 3]));
        b.body(brick("hand").position([0.3, 0.0, 0.0]).angular_velocity([0.0; 3]));
        b.joint(Joint::between("arm", "car", Revolute).named("shoulder").at([0.0; 3]).axis([0.0, 1.0, 0.0]));
        b.joint(Joint::between("hand", "arm", Cylindrical).at([0.2, 0.0, 0.0]).axis([1.0, 1.0, 0.0]));
        b.drive(Drive::new("joint/shoulder/angle", formula("0.3*sin(9*t)")));
    }),
    ("gear and screw", |b| {
        b.body(Body::fixed("ground").position([0.0, 0.4, 0.0]));
        b.body(brick("one").position([0.2, 0.0, 0.0]).angular_velocity([0.0, 0.0, 5.0]));
        b.body(brick("two").position([-0.2, 0.1, 0.0]).angular_velocity([0.0, 0.0, -2.5]));
        b.body(brick("nut").position([0.1, 0.5, 0.0]));
        let z = [0.0, 0.0, 1.0];
        b.joint(Joint::between("one", "ground", Revolute).named("one").at([0.2, 0.0, 0.0]).axis(z));
        b.joint(Joint::between("two", "ground", Revolute).named("two").at([-0.2, 0.1, 0.0]).axis(z));
        b.joint(Joint::between("one", "two", Gear { ratio: -2.0 }).named("mesh"));
        b.joint(Joint::between("nut", "ground", Screw { pitch: 0.02 }).at([0.1, 0.5, 0.0]).axis(z));
    }),
    ("friction in a joint, and its limits", |b| {
        b.body(Body::fixed("ground"));
        b.body(brick("arm").position([0.1, 0.0, 0.0]).angular_velocity([0.0, 3.0, 0.0]));
        let rubs = JointFriction::new(Coulomb::new(0.1).unwrap()).radius(0.01);
        b.joint(Joint::between("arm", "ground", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]).friction(rubs));
    }),
    ("a ball that rolls in a cup that moves", |b| {
        b.body(
            ball("ball")
                .position([0.0, 0.0, 0.05])
                .velocity([0.4, 0.1, 0.0])
                .angular_velocity([-2.0, 8.0, 0.3]),
        );
        b.body(Body::prescribed("table", Spin { rate: 2.0, axis: Vec3::z_axis() }).surface(Plane));
        b.joint(Joint::between("ball", "table", Rolling));
    }),
    ("a field over a fixed support, and one over a free one", |b| {
        let cube = |name: &str, z: f64| {
            let body = Body::new(name).density(1000.0).position([0.2, 0.1, z]).velocity([0.3, 0.1, -0.1]);
            body.angular_velocity([0.1, 0.2, 0.3]).surface(Cuboid::new([1.0; 3]).unwrap())
        };
        b.body(cube("cube", 0.6));
        b.body(Body::fixed("support").surface(Plane));
        let rule = FieldRule::between("cube", "support").repulsion(6, Repulsion::RestGap(0.02));
        b.field(rule.damping(2, 10.0).friction(2, 20.0));
    }),
    ("jelly on a floor, and on a spring", |b| {
        b.body(
            jelly("jelly")
                .position([0.3, 0.2, 0.08])
                .velocity([0.5, 0.0, 0.0])
                .angular_velocity([0.0, 9.0, 3.0]),
        );
        b.body(brick("brick").position([0.5, 0.2, 0.3]));
        b.body(Body::fixed("floor").surface(Plane));
        b.force(Force::between("jelly", "brick", spring()).points([0.0, 0.02, 0.03], [0.01, 0.0, 0.0]));
        b.force(Force::torque("jelly", "brick", [0.01, 0.0, 0.005]).named("couple"));
        b.contact(hertz("jelly", "floor"));
    }),
    ("bodies that cannot move in all directions", |b| {
        let plane = [Dof::X, Dof::Z, Dof::Ry];
        b.body(brick("flat").dofs(&plane).centre_of_mass([0.0; 3]).angular_velocity([0.0, 4.0, 0.0]));
        b.body(brick("free").position([0.2, 0.2, 0.1]));
        b.body(brick("stiff").dofs(&[Dof::X, Dof::Y]).centre_of_mass([0.0; 3]).angular_velocity([0.0; 3]));
        let at = ([0.02, 0.01, 0.01], [0.0, 0.03, 0.0]);
        b.force(Force::between("flat", "free", spring()).points(at.0, at.1));
        b.force(Force::between("stiff", "free", spring()).points(at.0, at.1));
    }),
    ("mass and gravity in time", |b| {
        b.body(brick("bucket").velocity([1.0, 0.5, 0.0]));
        b.body(brick("cart").position([0.2, 0.1, 0.0]));
        b.force(Force::between("bucket", "cart", spring()).points([0.02, 0.0, 0.01], [0.0, 0.03, 0.0]));
        b.drive(Drive::new("body/bucket/mass", formula("0.7*(1 + t)")));
        b.drive(Drive::new("world/gravity/0", formula("3*sin(7*t)")));
    }),
    ("no gravity, nothing held", |b| {
        b.gravity([0.0; 3]);
        b.body(brick("a")).body(brick("b").position([0.3, 0.1, 0.0]).velocity([0.0, 1.0, 0.0]));
        b.force(Force::between("a", "b", spring()).points([0.02, 0.0, 0.01], [0.0, 0.03, 0.0]));
    }),
];

fn model(make: Make, impulses: bool) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.4, -9.81]).integrate_impulses(impulses);
    make(&mut b);
    b.build().unwrap()
}

fn run(model: &Model, method: &str, rtol: f64) -> (Run, Recording) {
    let mut recording = Recording::default();
    let sim = Simulation::new(model).method(method).rtol(rtol).atol(rtol).duration(0.4).output_every(0.02);
    (sim.run_into(&mut recording).unwrap(), recording)
}

/// Whatever acts, and on whatever is held: momentum is what the impulses made of it.
#[test]
fn impulses_account_for_momentum() {
    for (name, make, impulses) in
        SCENES.iter().flat_map(|(name, make)| [(name, make, true), (name, make, false)])
    {
        let model = model(*make, impulses);
        let (run, recording) = run(&model, "dop853", RTOL);
        let audit = run.summary.audit;
        for off in [audit.momentum_relative, audit.angular_momentum_relative] {
            assert!(
                off < if impulses || *name == "no gravity, nothing held" { 100.0 * RTOL } else { 0.1 * RTOL },
                "{name}: {off:e}\n{}",
                run.summary
            );
        }
        // (velocities that joints do not allow are put right, and that is said)
        let large = |w: &carom::WarningCount| matches!(w.warning, Warning::LargeAudit { .. });
        assert!(!run.summary.warnings.iter().any(large), "{name}: {}", run.summary);
        // and not because nothing happens
        let [first, last] = [recording.frames.first(), recording.frames.last()].map(|f| f.unwrap().momentum);
        let changed = [last.linear - first.linear, last.angular - first.angular].map(|v| v.norm());
        if *name == "no gravity, nothing held" && impulses {
            assert!(changed[0] < 1e-10 && first.angular.norm() > 1e-4 && last.impulse == Vec3::zeros());
        } else if *name != "no gravity, nothing held" {
            assert!(changed.iter().all(|x| *x > 1e-4), "{name}: {changed:?}");
        }
    }
}

/// By hand: of a ball that bounces, m v and m g t and what the floor gave.
#[test]
fn numbers_are_those_of_mechanics() {
    let model = model(SCENES[0].1, true);
    let (_, recording) = run(&model, "dop853", RTOL);
    let first = recording.frames.first().unwrap();
    for frame in &recording.frames {
        let (b, p) = (&frame.bodies[0], frame.momentum);
        assert!((p.linear - b.velocity * 0.3).norm() < 1e-15);
        let arm = b.position - first.bodies[0].position;
        let spin = b.angular_velocity * (0.4 * 0.3 * 0.05 * 0.05);
        assert!((p.angular - arm.cross(&p.linear) - spin).norm() < 1e-15, "about where it starts");
        assert!((p.impulse.y - 0.3 * 0.4 * frame.t).abs() < 1e-13, "nothing but gravity acts along y");
        assert!((p.audit - (p.linear - first.momentum.linear - p.impulse)).norm() < 1e-15);
    }
}

/// It holds with every method: momentum is linear in velocities, so that steps of any kind keep it as they keep the impulses.
#[test]
fn every_method_keeps_the_books() {
    for method in ["ode45", "tsit5", "ode113", "ode15s", "radau5", "auto"] {
        for (name, make) in [SCENES[0], SCENES[2], SCENES[4], SCENES[10]] {
            let (run, _) = run(&model(make, true), method, 1e-8);
            let audit = run.summary.audit;
            assert!(audit.momentum_relative < 1e-6, "{method}, {name}: {}", run.summary);
            assert!(audit.angular_momentum_relative < 1e-5, "{method}, {name}: {}", run.summary);
        }
    }
}

/// Friction that acts on two bodies at points a depth apart makes angular momentum: by the integral of δ × f_t. The energy knows nothing of it.
#[test]
fn forces_out_of_line_are_seen() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(
        ball("a").position([-0.06, 0.02, 0.0]).velocity([2.0, 0.0, 0.0]).angular_velocity([0.0, 0.0, 40.0]),
    );
    b.body(ball("b").position([0.06, 0.0, 0.0]).velocity([-2.0, 0.0, 0.0]));
    let rule = ContactRule::between("a", "b").normal(Hertz::new().stiffness(1e6));
    b.contact(rule.friction(Tanh::new(0.3, 100.0).unwrap()).friction_at(FrictionAt::Surfaces));
    let model = b.build().unwrap();
    let (run, recording) = run(&model, "dop853", RTOL);
    let [first, last] = [recording.frames.first(), recording.frames.last()].map(|f| f.unwrap().momentum);
    let made = (last.angular - first.angular).norm();
    assert!(made > 1e-3 * first.angular.norm(), "{made:e}");
    assert!((last.angular_audit.norm() - made).abs() < 1e-14);
    assert!(
        run.summary.audit_relative < 1e-8 && run.summary.audit.momentum_relative < 1e-12,
        "{}",
        run.summary
    );
    assert!(run.summary.audit.angular_momentum_relative > 1e-4, "{}", run.summary);
    // it was asked for by name
    assert!(run.summary.warnings.is_empty(), "{}", run.summary);
}

/// The same on a floor: what is summed up at the end of every step is what the whole integral says, as well as the ends of steps can.
#[test]
fn a_floor_out_of_line_is_seen() {
    let run = |impulses: bool| {
        let mut b = ModelBuilder::new();
        b.integrate_impulses(impulses);
        b.body(
            ball("ball")
                .position([0.0, 0.0, 0.06])
                .velocity([2.0, 0.0, 0.0])
                .angular_velocity([0.0, 0.0, 40.0]),
        );
        b.body(Body::fixed("floor").position([3.0, 1.0, 0.0]).surface(Plane));
        let rule = ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e6));
        b.contact(rule.friction(Tanh::new(0.3, 100.0).unwrap()).friction_at(FrictionAt::Surfaces));
        run(&b.build().unwrap(), "dop853", RTOL).0.summary.audit
    };
    let [at_steps, whole] = [false, true].map(run);
    assert!(whole.angular_momentum_relative > 1e-5 && whole.momentum_relative < 1e-13, "{whole:?}");
    let ratio = at_steps.angular_momentum_relative / whole.angular_momentum_relative;
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
}
