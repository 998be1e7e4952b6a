//! Short-range fields between two bodies, near curved supports, and with Coulomb-like friction.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may")]

use carom::law::elastic::{Elastic, MooneyRivlin};
use carom::prelude::*;
use carom::{FieldRule, Repulsion};

/// What is kept by two bodies alone: momentum and angular momentum; and the energy audit.
fn kept(b: &ModelBuilder, method: &str) -> carom::Run {
    let model = b.build().unwrap();
    let sim = Simulation::new(&model).duration(0.4).rtol(1e-11).atol(1e-11).method(method);
    let run = sim.run().unwrap();
    let s = &run.summary;
    assert!(s.audit_relative < 1e-9, "{s}");
    assert!(s.audit.momentum_relative < 1e-12 && s.audit.angular_momentum_relative < 1e-12, "{s}");
    run
}

/// Two balls that fly at each other off centre, with friction: equal and opposite to rounding.
#[test]
fn two_balls_collide() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = |name: &str| Body::new(name).density(1000.0).surface(Sphere::new(0.1).unwrap());
    b.body(ball("a").position([-0.2, 0.02, 0.0]).velocity([1.0, 0.0, 0.0]).angular_velocity([0.0, 1.0, 5.0]));
    b.body(ball("b").position([0.1, -0.02, 0.01]));
    let field = FieldRule::between("a", "b").repulsion(5, Repulsion::Coefficient(1e-3));
    b.field(field.damping(2, 0.5).coulomb(0.3, 0.01).points(12));
    let run = kept(&b, "dop853");
    let b = run.end.body("b").unwrap();
    assert!(b.velocity.x > 0.5, "it was pushed on: {}", b.velocity);
    assert!(b.angular_velocity.norm() > 0.1, "friction turned it: {}", b.angular_velocity);
}

/// A superellipsoid that flies into a soft ball, which feels it at its nodes.
#[test]
fn a_superellipsoid_meets_the_nodes_of_a_soft_body() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let rubber = Elastic::new(MooneyRivlin::new(2e4, 0.0).unwrap()).viscosity(20.0);
    b.body(Body::affine("ball", rubber).density(1000.0).surface(Sphere::new(0.1).unwrap()));
    let tool = Body::new("tool").density(2000.0).position([0.02, 0.01, 0.2]).velocity([0.0, 0.0, -1.0]);
    b.body(
        tool.surface(carom::geometry::surfaces::Superellipsoid::new([0.08, 0.06, 0.05], [3.0; 3]).unwrap()),
    );
    let field = FieldRule::between("ball", "tool").repulsion(4, Repulsion::Coefficient(0.02));
    b.field(field.coulomb(0.3, 0.01).points(8));
    let run = kept(&b, "dop853");
    assert!(run.end.body("tool").unwrap().velocity.z > -0.9, "it was stopped");
    assert!(run.end.body("ball").unwrap().velocity.z < -0.1, "it was pushed on");
}

/// A block that slides flat on a table loses μ g a second as long as it is fast: v0 − μ g t, and it stops.
#[test]
fn a_block_slides_to_a_stop() {
    let mu = 0.3;
    let mut b = ModelBuilder::new();
    let block = Body::new("block").density(1000.0).position([0.0, 0.0, 0.06]).velocity([1.0, 0.0, 0.0]);
    b.body(block.dofs(&[Dof::X, Dof::Z]).surface(Cuboid::new([0.2, 0.2, 0.1]).unwrap()));
    b.body(Body::fixed("table").surface(Plane));
    let field = FieldRule::between("block", "table").faces(&["-z"]).repulsion(6, Repulsion::RestGap(0.01));
    b.field(field.coulomb(mu, 1e-4).points(2));
    let model = b.build().unwrap();
    let speed = |t: f64| {
        let run = Simulation::new(&model).duration(t).rtol(1e-10).atol(1e-12).run().unwrap();
        assert!(run.summary.audit_relative < 1e-9, "{}", run.summary);
        run.end.body("block").unwrap().velocity.x
    };
    // dv/dt = -μ g v/√(v² + v_s²): √(v² + v_s²) - v_s artanh(v_s/√(…)) falls evenly; with v_s = 1e-4 the second part is 1e-8
    assert!((speed(0.2) - (1.0 - mu * 9.81 * 0.2)).abs() < 2e-8);
    assert!(speed(0.5).abs() < 1e-12, "{}", speed(0.5));
}
