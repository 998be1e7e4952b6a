//! Ellipsoids dropped on a plane and hit by balls: energy, the ball as a limit, methods that need derivatives.

use carom::geometry::Surface;
use carom::geometry::surfaces::Ellipsoid;
use carom::prelude::*;

/// A body of that surface dropped on a plane, leaning and turning.
fn dropped(surface: impl Surface, friction: bool) -> Model {
    let mut b = ModelBuilder::new();
    b.material(Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3).density(7850.0));
    b.material(Material::new("rubber").youngs_modulus(10e6).poisson_ratio(0.45));
    b.body(
        Body::new("egg")
            .density(7850.0)
            .surface(SurfaceSpec::new(surface).material("steel"))
            .position([0.0, 0.0, 0.06])
            .orientation(Quat::from_euler_angles(0.6, -0.4, 0.3))
            .velocity([0.2, 0.1, -0.3])
            .angular_velocity([3.0, -2.0, 5.0]),
    );
    b.body(Body::fixed("floor").surface(SurfaceSpec::new(Plane).material("rubber")));
    let rule = ContactRule::between("egg", "floor").normal(Hertz::new());
    b.contact(if friction { rule.friction(Tanh::new(0.2, 100.0).unwrap()) } else { rule });
    b.build().unwrap()
}

#[test]
fn the_audit_closes() {
    for axes in [[0.02, 0.03, 0.04], [0.03, 0.03, 0.01], [0.005, 0.01, 0.04]] {
        for friction in [false, true] {
            let model = dropped(Ellipsoid::new(axes).unwrap(), friction);
            let run = Simulation::new(&model).duration(0.5).rtol(1e-10).run().unwrap();
            assert!(run.summary.touches > 1 && run.summary.audit_relative < 1e-9, "{axes:?} {}", run.summary);
        }
    }
}

/// Without friction nothing pushes sideways: p_x, p_y and the spin about the vertical are kept.
#[test]
fn a_smooth_floor_leaves_what_is_level() {
    let model = dropped(Ellipsoid::new([0.02, 0.03, 0.04]).unwrap(), false);
    let run = Simulation::new(&model).duration(0.5).rtol(1e-11).run().unwrap();
    let v = run.end.frame.bodies[0].velocity;
    assert!((v.x - 0.2).abs() < 1e-12 && (v.y - 0.1).abs() < 1e-12, "{v}");
}

#[test]
fn equal_axes_move_as_a_ball() {
    let end = |model: Model| {
        let run = Simulation::new(&model).duration(0.4).rtol(1e-12).run().unwrap();
        assert!(run.summary.touches > 1, "{}", run.summary);
        (run.end.frame.bodies[0], run.summary.touches)
    };
    let (ball, n) = end(dropped(Sphere::new(0.03).unwrap(), true));
    let (egg, m) = end(dropped(Ellipsoid::new([0.03; 3]).unwrap(), true));
    assert_eq!(n, m);
    assert!((ball.position - egg.position).norm() < 1e-12, "{ball:?} {egg:?}");
    assert!((ball.velocity - egg.velocity).norm() < 1e-10, "{ball:?} {egg:?}");
}

#[test]
fn methods_with_a_jacobian_end_where_others_do() {
    let model = dropped(Ellipsoid::new([0.02, 0.03, 0.04]).unwrap(), true);
    let end = |method: &str| {
        let sim = Simulation::new(&model).duration(0.2).rtol(1e-10).method(method);
        sim.run().unwrap().end.frame.bodies[0].position
    };
    assert!((end("radau5") - end("dop853")).norm() < 1e-7);
}

/// A ball in an ellipsoidal cavity.
#[test]
fn a_ball_in_a_cavity() {
    let mut b = ModelBuilder::new();
    let wall = Ellipsoid::new([0.1, 0.15, 0.12]).unwrap();
    b.body(Body::new("ball").mass(0.1).surface(Sphere::new(0.02).unwrap()).velocity([0.3, 0.8, 0.1]));
    b.body(Body::fixed("bowl").surface(SurfaceSpec::new(wall).inside()));
    let rule = ContactRule::between("bowl", "ball").normal(Hertz::new().stiffness(1e6));
    b.contact(rule.friction(Tanh::new(0.2, 100.0).unwrap()));
    let run = Simulation::new(&b.build().unwrap()).duration(0.5).rtol(1e-11).run().unwrap();
    assert!(run.summary.touches > 1 && run.summary.audit_relative < 1e-9, "{}", run.summary);
}
