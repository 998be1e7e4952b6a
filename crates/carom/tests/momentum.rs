//! Nothing within a system changes its momentum or its angular momentum, whatever rubs.

use std::sync::Arc;

use carom::law::{Friction, friction};
use carom::prelude::*;
use carom::{Formula, Summary};
use carom_base::{Args, Value};

const RTOL: f64 = 1e-10;

/// Momentum and angular momentum about the origin of all bodies in a frame.
fn momenta(model: &Model, f: &Frame) -> (Vec3, Vec3) {
    let (mut p, mut l) = (Vec3::zeros(), Vec3::zeros());
    for (name, b) in model.moving_bodies().zip(&f.bodies) {
        let m = model.mass(name).unwrap();
        let arm = b.orientation * model.centre_of_mass(name).unwrap();
        let (x, v) = (b.position + arm, b.velocity + b.angular_velocity.cross(&arm));
        let w = b.orientation.inverse() * b.angular_velocity;
        p += v * m;
        l += x.cross(&(v * m)) + b.orientation * (model.inertia(name).unwrap() * w);
    }
    (p, l)
}

/// The largest changes of momentum and angular momentum over a run, as parts of their largest sizes about the centre of the scene.
fn changes(model: &Model, duration: f64, method: &str) -> ([f64; 2], Summary) {
    let mut r = Recording::default();
    let sim =
        Simulation::new(model).method(method).duration(duration).rtol(RTOL).output_every(duration / 50.0);
    let run = sim.run_into(&mut r).unwrap();
    let (p0, l0) = momenta(model, &r.frames[0]);
    let mut worst = [0.0f64; 2];
    for f in &r.frames {
        let (p, l) = momenta(model, f);
        worst = [worst[0].max((p - p0).norm() / p0.norm()), worst[1].max((l - l0).norm() / l0.norm())];
    }
    (worst, run.summary)
}

/// Every friction law of the registry, with values of its own.
fn laws() -> Vec<(&'static str, Arc<dyn Friction>)> {
    let value = |key: &str| match key {
        "coefficient" => 0.4,
        "static_coefficient" => 0.5,
        "slope" => 20.0,
        "v0" => 0.02,
        "v1" => 0.2,
        "decay" => 20.0,
        "stribeck_speed" => 0.1,
        "shape" => 2.0,
        "viscous" => 0.05,
        "transition_force" => 3.0,
        "exponent" => 1.0,
        "breakaway" => 0.5,
        "stiffness" | "bristle_stiffness" => 1e5,
        "stiffness_ratio" => 0.8,
        "rings" | "elements" => 8.0,
        _ => 0.02,
    };
    let make = |entry: &friction::FrictionEntry| {
        let args = entry.entry.params.iter().fold(Args::new(), |args, p| match p.allowed {
            carom_base::param::Allowed::OneOf(_) => args,
            // (one of two, which exclude each other)
            _ if p.name == "tangential_stiffness" => args,
            _ => args.with(p.name, Value::Number(value(p.name))),
        });
        (entry.name(), entry.make(&args).unwrap())
    };
    // (where slip ends, a law that jumps there ends the run)
    friction::ALL.iter().filter(|entry| entry.continuous).map(make).collect()
}

/// Two free balls that meet off the line of their centres, soft enough that their contact points are far apart.
fn balls(friction: &Arc<dyn Friction>, at: FrictionAt) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = |name: &str, mass: f64, r: f64| Body::new(name).mass(mass).surface(Sphere::new(r).unwrap());
    b.body(ball("a", 0.3, 0.05).velocity([2.0, 0.0, 0.1]).angular_velocity([1.0, 30.0, -40.0]));
    b.body(ball("b", 0.2, 0.04).position([0.1, 0.03, 0.01]).angular_velocity([0.0, 20.0, 10.0]));
    let rule = ContactRule::between("a", "b").normal(HuntCrossley::damping(0.2).unwrap().stiffness(1e6));
    b.contact(rule.friction_arc(Arc::clone(friction)).friction_at(at));
    b.build().unwrap()
}

/// Under every law of friction an impact leaves both momenta as they were; with friction on the surfaces the couple of the two forces, δ apart, is seen.
#[test]
fn two_balls_under_every_law() {
    for (name, law) in laws() {
        let (kept, summary) = changes(&balls(&law, FrictionAt::Middle), 0.04, "dop853");
        assert!(summary.touches == 1 && summary.energy.dissipated_friction > 1e-4, "{name}: {summary}");
        assert!(kept[0] < 1e-14 && kept[1] < 100.0 * RTOL, "{name}: {kept:?}");
        assert!(summary.audit_relative < 100.0 * RTOL, "{name}: {summary}");
        let (lost, _) = changes(&balls(&law, FrictionAt::Surfaces), 0.04, "dop853");
        assert!(lost[0] < 1e-14 && lost[1] > 1e-3, "{name}: {lost:?}");
    }
}

/// Two balls that never stop slipping, as Exudyn 1.13 has them (`ObjectContactSphereSphere`, RK44 with 160,000 steps, whose last digits its own steps leave
/// open): velocities and angular velocities after 0.04 s.
#[test]
fn two_balls_as_exudyn_has_them() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = |name: &str, mass: f64, r: f64| Body::new(name).mass(mass).surface(Sphere::new(r).unwrap());
    b.body(ball("a", 0.3, 0.05).velocity([2.0, 0.0, 0.1]).angular_velocity([1.0, 300.0, -400.0]));
    b.body(ball("b", 0.2, 0.04).position([0.1, 0.03, 0.01]).angular_velocity([0.0, 200.0, 100.0]));
    let rule = ContactRule::between("a", "b").normal(Hertz::new().stiffness(1e6));
    b.contact(rule.friction(Tanh::new(0.4, 1e6).unwrap()));
    let run = Simulation::new(&b.build().unwrap()).duration(0.04).rtol(1e-12).run().unwrap();
    let wanted = [
        (
            "a",
            Vec3::new(0.42721022656050006, -0.18085752212591272, 0.41766462994496056),
            Vec3::new(7.214545758168853, 278.04988293616174, -381.7285060965389),
        ),
        (
            "b",
            Vec3::new(2.359184660159297, 0.27128628318886466, -0.47649694491744654),
            Vec3::new(11.576903369595861, 159.10979543645902, 134.03724759220813),
        ),
    ];
    for (name, v, w) in wanted {
        let end = run.end.body(name).unwrap();
        assert!((end.velocity - v).norm() < 1e-10, "{name}: {}", end.velocity - v);
        assert!((end.angular_velocity - w).norm() < 1e-7, "{name}: {}", end.angular_velocity - w);
    }
}

/// Every family of methods: what is left is the rounding of sums over steps.
#[test]
fn two_balls_by_every_method() {
    let law: Arc<dyn Friction> = Arc::new(Tanh::new(0.4, 20.0).unwrap());
    for method in ["dop853", "tsit5", "ode45", "ode113", "ode15s", "radau5", "auto"] {
        let (kept, _) = changes(&balls(&law, FrictionAt::Middle), 0.04, method);
        assert!(kept[0] < 1e-12 && kept[1] < 100.0 * RTOL, "{method}: {kept:?}");
    }
}

/// Balls and a brick, one of them with its centre of mass elsewhere, in a heap that flies apart.
#[test]
fn a_heap_that_flies_apart() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = |name: &str, mass: f64, r: f64| Body::new(name).mass(mass).surface(Sphere::new(r).unwrap());
    let first = ball("a", 0.3, 0.05).position([-0.3, 0.01, 0.0]).velocity([2.0, 0.0, 0.1]);
    b.body(first.angular_velocity([1.0, 5.0, -3.0]));
    let brick = Body::new("brick").mass(0.8).surface(Cuboid::new([0.1, 0.16, 0.06]).unwrap());
    b.body(brick.angular_velocity([0.5, -1.0, 2.0]).orientation(Quat::from_euler_angles(0.2, 0.5, -0.4)));
    let lopsided = Body::new("lopsided").mass(0.5).inertia([1e-3, 1.2e-3, 0.8e-3]);
    let lopsided = lopsided.centre_of_mass([0.01, 0.0, 0.005]).surface(Sphere::new(0.04).unwrap());
    b.body(lopsided.position([0.3, -0.02, 0.01]).velocity([-1.5, 0.1, 0.0]));
    b.body(ball("c", 0.2, 0.03).position([0.02, 0.3, 0.0]).velocity([0.0, -1.0, 0.0]));
    let friction = Tanh::new(0.3, 100.0).unwrap();
    b.contact(ContactRule::between("*", "*").normal(Hertz::new().stiffness(1e7)).friction(friction));
    let (kept, summary) = changes(&b.build().unwrap(), 0.6, "dop853");
    assert!(summary.touches >= 2 && summary.energy.dissipated_friction > 1e-3, "{summary}");
    assert!(kept[0] < 1e-12 && kept[1] < 100.0 * RTOL, "{kept:?}");
}

/// A floating bar whose two wheels are driven the same way round and rub on one another for a minute: what it has of angular momentum at the start
/// is what it has at the end.
#[test]
fn a_bar_with_two_rubbing_wheels() {
    let turns = |at: FrictionAt| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        b.body(Body::new("bar").mass(1.0).inertia([1e-3, 4e-3, 4e-3]));
        let (r, depth) = (0.05, 1e-3);
        for (name, side) in [("left", -1.0), ("right", 1.0)] {
            let wheel = Body::new(name).mass(0.2).surface(Sphere::new(r).unwrap());
            b.body(wheel.position([side * (r - 0.5 * depth), 0.0, 0.0]).angular_velocity([0.0, 0.0, 50.0]));
            let at = [side * (r - 0.5 * depth), 0.0, 0.0];
            let pin = Joint::between(name, "bar", Revolute).at(at).axis([0.0, 0.0, 1.0]).named(name);
            b.joint(pin);
            b.drive(Drive::new(&format!("joint/{name}/angle"), Formula::new("50*t").unwrap()));
        }
        let rule = ContactRule::between("left", "right").normal(Hertz::new().stiffness(1e6));
        b.contact(rule.friction(Tanh::new(0.3, 10.0).unwrap()).friction_at(at));
        let model = b.build().unwrap();
        let mut r = Recording::default();
        let sim = Simulation::new(&model).duration(60.0).rtol(1e-8).output_every(1.0);
        let run = sim.run_into(&mut r).unwrap();
        let (_, l0) = momenta(&model, &r.frames[0]);
        let change = |f: &Frame| (momenta(&model, f).1 - l0).norm() / l0.norm();
        let most = r.frames.iter().map(change).fold(0.0, f64::max);
        (most, run.end.body("bar").unwrap().angular_velocity.z, run.summary.audit_relative)
    };
    let (kept, spin, audit) = turns(FrictionAt::Middle);
    assert!(kept < 100.0 * 1e-8 && spin.abs() < 1e-5 && audit < 1e-6, "{kept:e}, {spin} rad/s, {audit:e}");
    // as papers have it: the couple δ n × f_t speeds the bar up without end
    let (kept, spin, _) = turns(FrictionAt::Surfaces);
    assert!(kept > 1.0 && spin.abs() > 10.0, "{kept}, {spin} rad/s");
}
