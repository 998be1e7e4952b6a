//! Rolling without slip, against closed forms.

use carom::geometry::surfaces::Ellipsoid;
use carom::law::elastic::{Elastic, NeoHookean};
use carom::prelude::*;
use carom::{Rolling, Shake, Spin};

const G: f64 = 9.81;

fn at(model: &Model, t: f64) -> (Frame, carom::Run) {
    let mut recording = Recording::default();
    let sim = Simulation::new(model).method("dop853").duration(t).rtol(1e-12).atol(1e-12);
    let run = sim.output(Output::At(vec![t])).run_into(&mut recording).unwrap();
    (recording.frames.pop().unwrap(), run)
}

/// A ball on a turntable goes round in a circle at 2/7 of its rate, wherever it was put and however it was pushed.
#[test]
fn a_ball_on_a_turntable() {
    let (r, omega, t) = (0.02, 3.0, 4.0);
    let (x, v) = (Vec3::new(0.3, 0.1, r), Vec3::new(0.1, -0.2, 0.0));
    let n = Vec3::z();
    let w = n.cross(&((v - n.cross(&x) * omega) / r)) + n * 5.0;
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -G]);
    let ball = Body::new("ball").density(7800.0).surface(Sphere::new(r).unwrap());
    b.body(ball.position(x.into()).velocity(v.into()).angular_velocity(w.into()));
    b.body(Body::prescribed("table", Spin { axis: Vec3::z_axis(), rate: omega }).surface(Plane));
    b.joint(Joint::between("ball", "table", Rolling));
    let (frame, run) = at(&b.build().unwrap(), t);
    let angle: f64 = 2.0 / 7.0 * omega * t;
    let turned = |u: Vec3| {
        Vec3::new(u.x * angle.cos() - u.y * angle.sin(), u.x * angle.sin() + u.y * angle.cos(), 0.0)
    };
    // about the centre c: v = 2/7 Ω × (x − c)
    let c = x - v.cross(&n) / (2.0 / 7.0 * omega);
    let expected = c + turned(x - c);
    let off = frame.bodies[0].position - expected;
    assert!(off.norm() < 1e-10, "{off}");
    assert!((frame.bodies[0].angular_velocity.z - 5.0).abs() < 1e-10);
    assert!(frame.joints[0].couple.norm() < 1e-12);
    assert!(run.summary.audit_relative < 1e-11, "{:e}", run.summary.audit_relative);
}

/// A pendulum of length 1 m released from horizontal (A01 of the IFToMM benchmarks).
const PENDULUM: [(f64, f64, f64); 2] =
    [(1.0, -0.986291751131875319, -0.165010853125541169), (5.0, 0.942305435043757335, -0.334754338414000581)];

/// A ball in a bowl swings as a pendulum of length 7/5 (R − r) does.
#[test]
fn a_ball_in_a_bowl() {
    let r = 0.25;
    for (t, x, z) in PENDULUM {
        let mut b = ModelBuilder::new();
        b.gravity([0.0, 0.0, -1.4 * G]);
        b.body(Body::new("ball").density(1e3).surface(Sphere::new(r).unwrap()).position([1.0, 0.0, 0.0]));
        b.body(Body::fixed("bowl").surface(SurfaceSpec::new(Sphere::new(1.0 + r).unwrap()).inside()));
        b.joint(Joint::between("ball", "bowl", Rolling));
        let (frame, run) = at(&b.build().unwrap(), t);
        let off = frame.bodies[0].position - Vec3::new(x, 0.0, z);
        assert!(off.norm() < 1e-10, "{off}");
        assert!((frame.bodies[0].position.norm() - 1.0).abs() < 1e-15);
        assert!(run.summary.audit_relative < 1e-11);
    }
}

/// A cylinder on a slope touches along a line: two points, one of whose six equations repeats the others. a = 2/3 g sin θ.
#[test]
fn a_cylinder_rolls_down() {
    let mut b = ModelBuilder::new();
    b.gravity([3.0, 0.0, -9.0]);
    let lying = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
    let roll = Body::new("roll").density(1e3).surface(Cylinder::new(0.1, 0.4).unwrap());
    b.body(roll.position([0.0, 0.0, 0.1]).orientation(lying)).body(Body::fixed("slope").surface(Plane));
    b.joint(Joint::between("roll", "slope", Rolling));
    let (frame, run) = at(&b.build().unwrap(), 2.0);
    assert!((frame.bodies[0].velocity.x - 4.0).abs() < 1e-11, "{}", frame.bodies[0].velocity);
    let warned = run.summary.warnings.iter().any(|w| format!("{w:?}").contains("roll~slope"));
    assert!(warned, "{:?}", run.summary.warnings);
}

/// Eggs, rings, balls on balls, on tables that are shaken, soft balls: what rolls without slip loses nothing.
#[test]
fn nothing_is_lost() {
    let shake = Shake { amplitude: Vec3::new(0.05, 0.02, 0.03), rate: 5.0, phase: 0.0 };
    let egg = || {
        Body::new("a")
            .density(1e3)
            .surface(Ellipsoid::new([0.1, 0.15, 0.2]).unwrap())
            .position([0.0, 0.0, 0.2])
    };
    let ring =
        || Body::new("a").density(1e3).surface(Torus::new(0.2, 0.05).unwrap()).position([0.0, 0.0, 0.3]);
    let tilted = |angle: f64| Quat::from_axis_angle(&Vec3::x_axis(), angle);
    let soft = Elastic::new(NeoHookean::new(5e3).unwrap());
    let soft =
        Body::affine("a", soft).density(1e3).surface(Sphere::new(0.1).unwrap()).position([0.0, 0.0, 0.1]);
    let cases = [
        ("egg", egg().angular_velocity([0.3, 0.8, 2.0]), Body::fixed("b").surface(Plane)),
        ("shaken egg", egg().angular_velocity([0.3, 0.8, 2.0]), Body::prescribed("b", shake).surface(Plane)),
        (
            "ring",
            ring().orientation(tilted(1.3)).angular_velocity([0.2, 6.0, 0.3]),
            Body::fixed("b").surface(Plane),
        ),
        (
            "ball",
            Body::new("a")
                .density(1e3)
                .surface(Sphere::new(0.1).unwrap())
                .position([0.0, 0.1, 0.6])
                .angular_velocity([0.5, 0.0, 3.0]),
            Body::fixed("b").surface(Sphere::new(0.5).unwrap()),
        ),
        (
            "two eggs",
            egg().position([0.0, 0.0, 0.4]).angular_velocity([0.1, 0.0, 3.0]),
            Body::new("b").density(2e3).surface(Ellipsoid::new([0.3, 0.25, 0.2]).unwrap()),
        ),
        (
            "soft ball",
            soft.velocity([0.2, 0.0, 0.0]).angular_velocity([0.0, 2.0, 0.0]),
            Body::fixed("b").surface(Plane),
        ),
    ];
    for (what, a, other) in cases {
        let mut b = ModelBuilder::new();
        b.gravity([0.3, 0.0, -2.0]).body(a).body(other).joint(Joint::between("a", "b", Rolling));
        let (_, run) = at(&b.build().unwrap(), 1.0);
        println!("{what}: {:.1e}, {} steps", run.summary.audit_relative, run.summary.stats.steps);
        assert!(run.summary.audit_relative < 1e-10, "{what}: {:e}", run.summary.audit_relative);
    }
}

/// The lowest point of an egg with half axes a is at −A² n/√(n·A² n) from its centre, n upwards in its axes: it is on the plane, and at rest.
#[test]
fn an_egg_does_not_slip() {
    let half = Vec3::new(0.1, 0.15, 0.2);
    let mut b = ModelBuilder::new();
    let egg = Body::new("egg").density(1e3).surface(Ellipsoid::new(half.into()).unwrap());
    b.gravity([0.3, 0.0, -2.0]).body(egg.position([0.0, 0.0, 0.2]).angular_velocity([0.3, 0.8, 2.0]));
    b.body(Body::fixed("plane").surface(Plane)).joint(Joint::between("egg", "plane", Rolling));
    for t in [0.1, 0.7, 2.0] {
        let egg = at(&b.build().unwrap(), t).0.bodies[0];
        let squares = half.component_mul(&half);
        let n = egg.orientation.inverse() * Vec3::z();
        let r = egg.orientation * -(squares.component_mul(&n) / squares.component_mul(&n).dot(&n).sqrt());
        let slip = egg.velocity + egg.angular_velocity.cross(&r);
        assert!(
            slip.norm() < 1e-14 && (egg.position + r).z.abs() < 1e-15,
            "{t}: {slip} {}",
            (egg.position + r).z
        );
        assert!(egg.angular_velocity.norm() > 0.1);
    }
}

#[test]
fn what_cannot_roll_is_told() {
    let refused = |a: &str, b: &str| {
        let mut m = ModelBuilder::new();
        m.body(
            Body::new("brick")
                .density(1e3)
                .surface(Cuboid::new([0.1; 3]).unwrap())
                .position([0.0, 0.0, 0.05]),
        );
        m.body(Body::fixed("table").surface(Plane)).body(Body::new("point").mass(1.0).inertia([1.0; 3]));
        m.joint(Joint::between(a, b, Rolling)).build().unwrap_err().to_string()
    };
    for (a, b, said) in [
        ("brick", "table", "4 points"),
        ("point", "table", "0 surfaces"),
        ("brick/box1", "table/flat", "table/plane1"),
        ("brik", "table", "brick"),
        ("brick", "brick", "twice"),
    ] {
        let error = refused(a, b);
        assert!(error.contains(said), "{a}, {b}: {error}");
    }
}
