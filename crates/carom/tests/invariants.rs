//! What physics keeps, the engine keeps.

use crate::common::close;
use carom::prelude::*;

/// Capsules, boxes and balls of different inertia, without gravity, in a heap that flies apart.
fn collision() -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = |name: &str, mass: f64, r: f64| Body::new(name).mass(mass).surface(Sphere::new(r).unwrap());
    b.body(
        ball("a", 0.3, 0.05)
            .position([-0.3, 0.01, 0.0])
            .velocity([2.0, 0.0, 0.1])
            .angular_velocity([1.0, 5.0, -3.0]),
    );
    let brick = Body::new("brick").mass(0.8).surface(Cuboid::new([0.1, 0.16, 0.06]).unwrap());
    b.body(brick.angular_velocity([0.5, -1.0, 2.0]).orientation(Quat::from_euler_angles(0.2, 0.5, -0.4)));
    // a body whose surface is not where its centre of mass is
    let lopsided =
        Body::new("lopsided").mass(0.5).inertia([1e-3, 1.2e-3, 0.8e-3]).centre_of_mass([0.01, 0.0, 0.005]);
    b.body(
        lopsided.surface(Sphere::new(0.04).unwrap()).position([0.3, -0.02, 0.01]).velocity([-1.5, 0.1, 0.0]),
    );
    b.body(ball("c", 0.2, 0.03).position([0.02, 0.3, 0.0]).velocity([0.0, -1.0, 0.0]));
    for (i, (p, q)) in
        [("a", "brick"), ("lopsided", "brick"), ("c", "brick"), ("a", "lopsided")].into_iter().enumerate()
    {
        let rule = ContactRule::between(p, q).normal(Hertz::new().stiffness(1e7 * (i + 1) as f64));
        b.contact(rule.friction(Tanh::new(0.3, 100.0).unwrap()));
    }
    b.build().unwrap()
}

/// The audit shrinks with the tolerance.
#[test]
fn the_audit_follows_the_tolerance() {
    let model = collision();
    let audit =
        |rtol: f64| Simulation::new(&model).duration(0.6).rtol(rtol).run().unwrap().summary.audit_relative;
    let errors = [1e-6, 1e-8, 1e-10, 1e-12].map(audit);
    assert!(errors[2] < 1e-8, "{errors:?}");
    assert!(errors[3] < 1e-10, "{errors:?}");
    for pair in errors.windows(2) {
        assert!(pair[1] < 0.2 * pair[0], "{errors:?}");
    }
}

/// Where the reference point is on a body does not matter, nor where the world's origin and axes are.
#[test]
fn the_frame_does_not_matter() {
    let turn = Quat::from_euler_angles(0.7, -0.3, 1.9);
    let shift = Vec3::new(3.0, -1.0, 2.0);
    let build = |q: Quat, d: Vec3| {
        let mut b = ModelBuilder::new();
        b.gravity((q * Vec3::new(0.0, 0.0, -9.81)).into());
        let brick = Body::new("brick").mass(0.8).surface(Cuboid::new([0.1, 0.16, 0.06]).unwrap());
        let tilt = Quat::from_euler_angles(0.3, 0.4, 0.0);
        b.body(brick.position((q * Vec3::new(0.0, 0.0, 0.2) + d).into()).orientation(q * tilt));
        b.body(Body::fixed("floor").surface(Plane).position(d.into()).orientation(q));
        let law = HuntCrossley::damping(0.5).unwrap().stiffness(1e7);
        b.contact(ContactRule::between("brick", "floor").normal(law).friction(Tanh::new(0.3, 50.0).unwrap()));
        b.build().unwrap()
    };
    let at_home = build(Quat::identity(), Vec3::zeros());
    let abroad = build(turn, shift);
    let run = |m: &Model| {
        let run = Simulation::new(m).duration(0.25).rtol(1e-12).run().unwrap();
        *run.end.body("brick").unwrap()
    };
    let (a, b) = (run(&at_home), run(&abroad));
    assert!((turn * a.position + shift - b.position).norm() < 1e-9, "{a:?} {b:?}");
    assert!((turn * a.velocity - b.velocity).norm() < 1e-7);
    assert!((turn * a.angular_velocity - b.angular_velocity).norm() < 1e-5);
}

/// Exchanging the bodies of a contact changes nothing but rounding.
#[test]
fn the_order_of_a_contact_does_not_matter() {
    let build = |a: &str, b: &str| {
        let mut m = ModelBuilder::new();
        m.body(Body::new("ball").mass(0.1).position([0.01, 0.0, 0.3]).surface(Sphere::new(0.02).unwrap()));
        m.body(Body::fixed("dome").surface(Sphere::new(0.1).unwrap()));
        let law = Flores::restitution(0.7).unwrap().stiffness(1e8);
        m.contact(ContactRule::between(a, b).normal(law).friction(Tanh::new(0.2, 100.0).unwrap()));
        m.build().unwrap()
    };
    let end =
        |m: Model| *Simulation::new(&m).duration(0.3).rtol(1e-12).run().unwrap().end.body("ball").unwrap();
    let (a, b) = (end(build("ball", "dome")), end(build("dome", "ball")));
    assert!((a.position - b.position).norm() < 1e-10, "{a:?} {b:?}");
    assert!((a.angular_velocity - b.angular_velocity).norm() < 1e-7);
}

/// Verlet: fixed steps, order 2 in the flight of a spinning brick, and small energy error for a bouncing ball.
#[test]
fn verlet_has_order_two() {
    let mut b = ModelBuilder::new();
    let brick = Body::new("brick").mass(0.8).surface(Cuboid::new([0.1, 0.16, 0.06]).unwrap());
    b.body(brick.angular_velocity([3.0, 2.0, 7.0]).velocity([1.0, 0.0, 2.0]));
    let model = b.build().unwrap();
    let end = |method: &str, h: f64| {
        let sim = Simulation::new(&model).method(method).step(h).rtol(1e-13).duration(0.5);
        sim.run().unwrap().end.body("brick").unwrap().angular_velocity
    };
    let exact = end("dop853", 1e-3);
    let errors = [1e-3, 5e-4, 2.5e-4, 1.25e-4].map(|h| (end("verlet", h) - exact).norm());
    for pair in errors.windows(2) {
        close("order", (pair[0] / pair[1]).log2(), 2.0, 0.02);
    }
    // elastic bouncing, located and not
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.07]).surface(Sphere::new(0.02).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e7)));
    let model = b.build().unwrap();
    for locate in [true, false] {
        let sim = Simulation::new(&model).method("verlet").step(1e-5).locate_contacts(locate).duration(1.0);
        let run = sim.run().unwrap();
        assert!(run.summary.audit_relative < 1e-3, "located {locate}: {}", run.summary);
        assert!(run.summary.touches >= 4, "{}", run.summary);
    }
}

/// What is recorded does not change the motion, bit for bit: not even where somebody does work, whose error is held against the largest energy so far.
#[test]
fn outputs_leave_the_motion_alone() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(Body::new("mass").mass(0.4).inertia([1e-3; 3]).position([1.1, 0.0, 0.0]));
    let shake = carom::Shake { amplitude: Vec3::new(0.1, 0.0, 0.0), rate: 13.0, phase: 0.0 };
    b.body(Body::prescribed("wall", shake));
    b.force(Force::between("mass", "wall", SpringDamper::new(50.0, 1.0).unwrap()));
    let model = b.build().unwrap();
    for method in ["dop853", "ode113", "radau5"] {
        let ends = [Output::Ends, Output::Every(1e-3), Output::Steps].map(|output| {
            let sim = Simulation::new(&model).method(method).duration(3.0).rtol(1e-5).atol(1e-5);
            let run = sim.output(output).run().unwrap();
            let mass = run.end.body("mass").unwrap();
            (mass.position.x.to_bits(), mass.velocity.x.to_bits(), run.summary.stats.steps)
        });
        assert!(ends.iter().all(|end| *end == ends[0]), "{method}: {ends:?}");
    }
}
