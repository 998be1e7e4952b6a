//! Superellipsoids dropped on a plane and hit by balls: energy, the ellipsoid as a limit, methods that need derivatives.

use carom::geometry::Surface;
use carom::geometry::surfaces::{Ellipsoid, Superellipsoid};
use carom::prelude::*;

/// A body of that surface dropped on a plane, leaning and turning.
fn dropped(surface: impl Surface, friction: bool) -> Model {
    let mut b = ModelBuilder::new();
    b.body(
        Body::new("die")
            .density(7850.0)
            .surface(SurfaceSpec::new(surface))
            .position([0.0, 0.0, 0.06])
            .orientation(Quat::from_euler_angles(0.6, -0.4, 0.3))
            .velocity([0.2, 0.1, -0.3])
            .angular_velocity([3.0, -2.0, 5.0]),
    );
    b.body(Body::fixed("floor").surface(Plane));
    let rule = ContactRule::between("die", "floor").normal(Hertz::new().stiffness(1e8));
    b.contact(if friction { rule.friction(Tanh::new(0.2, 100.0).unwrap()) } else { rule });
    b.build().unwrap()
}

#[test]
fn the_audit_closes() {
    for surface in [
        Superellipsoid::new([0.02, 0.03, 0.04], [3.0, 4.0, 2.5]).unwrap(),
        Superellipsoid::new([0.03, 0.03, 0.03], [8.0; 3]).unwrap(),
        Superellipsoid::barr([0.02, 0.02, 0.03], [6.0, 2.0]).unwrap(),
        Superellipsoid::barr([0.03, 0.02, 0.03], [2.5, 5.0]).unwrap(),
    ] {
        for friction in [false, true] {
            let model = dropped(surface, friction);
            let run = Simulation::new(&model).duration(0.3).rtol(1e-10).run().unwrap();
            let summary = &run.summary;
            assert!(summary.touches > 1 && summary.audit_relative < 1e-9, "{surface:?} {summary}");
        }
    }
}

#[test]
fn exponents_of_two_move_as_an_ellipsoid() {
    let end = |model: Model| {
        let run = Simulation::new(&model).duration(0.3).rtol(1e-12).run().unwrap();
        assert!(run.summary.touches > 1, "{}", run.summary);
        (run.end.frame.bodies[0], run.summary.touches)
    };
    let axes = [0.02, 0.03, 0.04];
    let (egg, n) = end(dropped(Ellipsoid::new(axes).unwrap(), true));
    for surface in
        [Superellipsoid::new(axes, [2.0; 3]).unwrap(), Superellipsoid::barr(axes, [2.0; 2]).unwrap()]
    {
        let (die, m) = end(dropped(surface, true));
        assert_eq!(n, m);
        assert!((die.position - egg.position).norm() < 1e-11, "{die:?} {egg:?}");
        assert!((die.velocity - egg.velocity).norm() < 1e-9, "{die:?} {egg:?}");
    }
}

#[test]
fn methods_with_a_jacobian_end_where_others_do() {
    let model = dropped(Superellipsoid::new([0.02, 0.03, 0.04], [3.0, 4.0, 2.5]).unwrap(), true);
    let end = |method: &str| {
        let sim = Simulation::new(&model).duration(0.15).rtol(1e-10).method(method);
        sim.run().unwrap().end.frame.bodies[0].position
    };
    let off = (end("radau5") - end("dop853")).norm();
    assert!(off < 1e-7, "{off:e}");
}

/// A ball in a cavity with walls, and one that hits the solid.
#[test]
fn balls() {
    for (inside, at) in [(true, [0.0, 0.0, 0.0]), (false, [-0.2, -0.45, 0.0])] {
        let mut b = ModelBuilder::new();
        let wall = Superellipsoid::new([0.1, 0.15, 0.12], [5.0, 3.0, 4.0]).unwrap();
        let ball = Body::new("ball").mass(0.1).surface(Sphere::new(0.01).unwrap());
        b.body(ball.position(at).velocity([0.3, 0.8, 0.1]));
        let wall = SurfaceSpec::new(wall);
        b.body(Body::fixed("wall").surface(if inside { wall.inside() } else { wall }));
        let rule = ContactRule::between("wall", "ball").normal(Hertz::new().stiffness(1e6));
        b.contact(rule.friction(Tanh::new(0.2, 100.0).unwrap()));
        b.gravity([0.0; 3]);
        let run = Simulation::new(&b.build().unwrap()).duration(0.7).rtol(1e-11).run().unwrap();
        assert!(run.summary.touches > 0 && run.summary.audit_relative < 1e-9, "{}", run.summary);
    }
}
