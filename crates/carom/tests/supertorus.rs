//! Balls in the tube of a supertorus and against it: energy, the torus as a limit, methods that need derivatives.

use carom::geometry::Surface;
use carom::geometry::surfaces::{Supertorus, Torus};
use carom::prelude::*;

/// A ball thrown into a tube that leans.
fn in_the_tube(tube: impl Surface, friction: bool) -> Model {
    let mut b = ModelBuilder::new();
    b.body(
        Body::new("ball")
            .mass(0.1)
            .surface(Sphere::new(0.02).unwrap())
            .position([0.3, 0.0, 0.01])
            .velocity([0.1, 0.8, 0.3]),
    );
    b.body(
        Body::fixed("raceway")
            .orientation(Quat::from_euler_angles(0.2, -0.1, 0.3))
            .surface(SurfaceSpec::new(tube).inside()),
    );
    let rule = ContactRule::between("raceway", "ball").normal(Hertz::new().stiffness(1e6));
    b.contact(if friction { rule.friction(Tanh::new(0.2, 100.0).unwrap()) } else { rule });
    b.build().unwrap()
}

#[test]
fn the_audit_closes_in_the_tube() {
    for exponents in [[2.0, 2.0], [2.5, 4.0], [4.0, 3.0]] {
        let model = in_the_tube(Supertorus::new(0.3, [0.08, 0.06], exponents).unwrap(), true);
        let run = Simulation::new(&model).duration(1.0).rtol(1e-11).run().unwrap();
        assert!(run.summary.touches > 3 && run.summary.audit_relative < 1e-9, "{}", run.summary);
    }
}

#[test]
fn a_round_one_is_the_torus() {
    let end = |model: Model| {
        let run = Simulation::new(&model).duration(0.3).rtol(1e-12).run().unwrap();
        assert!(run.summary.touches > 1, "{}", run.summary);
        run.end.frame.bodies[0]
    };
    let ring = end(in_the_tube(Torus::new(0.3, 0.06).unwrap(), false));
    let link = end(in_the_tube(Supertorus::new(0.3, [0.06, 0.06], [2.0, 2.0]).unwrap(), false));
    assert!((ring.position - link.position).norm() < 1e-10, "{ring:?} {link:?}");
}

#[test]
fn methods_with_a_jacobian_end_where_others_do() {
    let model = in_the_tube(Supertorus::new(0.3, [0.08, 0.06], [3.0, 4.0]).unwrap(), true);
    let end = |method: &str| {
        let sim = Simulation::new(&model).duration(0.2).rtol(1e-10).method(method);
        sim.run().unwrap().end.frame.bodies[0].position
    };
    let reference = end("dop853");
    assert!((end("radau5") - reference).norm() < 1e-7);
}

/// Without gravity a ball hits a ring that floats: momentum and energy are kept.
#[test]
fn a_floating_ring_is_hit() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ring = Supertorus::new(0.1, [0.03, 0.02], [4.0, 3.0]).unwrap();
    b.body(Body::new("ring").density(1000.0).surface(ring).angular_velocity([1.0, 2.0, 3.0]));
    b.body(
        Body::new("ball")
            .mass(0.2)
            .surface(Sphere::new(0.03).unwrap())
            .position([0.09, 0.02, 0.2])
            .velocity([0.0, 0.0, -1.0]),
    );
    b.contact(ContactRule::between("ring", "ball").normal(Hertz::new().stiffness(1e7)));
    let model = b.build().unwrap();
    let masses = ["ring", "ball"].map(|name| model.mass(name).unwrap());
    let mut r = Recording::default();
    let run = Simulation::new(&model).duration(0.4).rtol(1e-12).output_every(0.02).run_into(&mut r).unwrap();
    assert!(run.summary.touches > 0 && run.summary.audit_relative < 1e-10, "{}", run.summary);
    for f in &r.frames {
        let p: Vec3 = f.bodies.iter().zip(masses).map(|(b, m)| b.velocity * m).sum();
        assert!((p - Vec3::new(0.0, 0.0, -0.2)).norm() < 1e-13, "{p}");
    }
}
