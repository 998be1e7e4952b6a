//! Smooth convex bodies that knock against each other.

use crate::common::near;
use carom::base::Mat3;
use carom::geometry::Surface;
use carom::geometry::surfaces::{Cuboid, Ellipsoid, Sphere, Superellipsoid, Superovoid};
use carom::law::Material;
use carom::prelude::{
    Body, ContactRule, Frame, Hertz, ModelBuilder, Quat, Recording, Simulation, SurfaceSpec, Vec3,
};

/// Of the bodies together, with what each has for a mass [kg] and a tensor of inertia in its own axes [kg m²]: linear and angular momentum.
fn momenta(parts: &[(f64, Mat3); 2], frame: &Frame) -> (Vec3, Vec3) {
    let mut sum = (Vec3::zeros(), Vec3::zeros());
    for ((m, inertia), body) in parts.iter().zip(&frame.bodies) {
        let spin = body.orientation * (inertia * (body.orientation.inverse() * body.angular_velocity));
        sum.0 += body.velocity * *m;
        sum.1 += body.position.cross(&body.velocity) * *m + spin;
    }
    sum
}

/// Two steel bodies meet in free space, their motion to 1e-10: what is recorded, and the audit. Momentum is kept.
fn collide(a: impl Surface, b: impl Surface, what: &str) -> (Recording, f64) {
    let parts = [a.solid(), b.solid()].map(|s| s.map(|s| (7850.0 * s.volume, s.inertia * 7850.0)).unwrap());
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0; 3]);
    builder.material(Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3).density(7850.0));
    let body = |name: &str, surface: SurfaceSpec| Body::new(name).surface(surface.material("steel"));
    builder.body(
        body("one", SurfaceSpec::new(a))
            .velocity([1.0, 0.2, -0.1])
            .angular_velocity([3.0, -8.0, 5.0])
            .orientation(Quat::from_euler_angles(0.4, 0.3, -0.9)),
    );
    builder.body(
        body("two", SurfaceSpec::new(b))
            .position([0.11, 0.02, -0.01])
            .velocity([-0.5, 0.0, 0.1])
            .angular_velocity([-2.0, 6.0, 4.0])
            .orientation(Quat::from_euler_angles(-1.0, 0.7, 0.2)),
    );
    builder.contact(ContactRule::between("one", "two").normal(Hertz::new()));
    let model = builder.build().unwrap();
    let mut r = Recording::default();
    let run = Simulation::new(&model).duration(0.1).output_every(0.1).rtol(1e-10).run_into(&mut r).unwrap();
    assert!(run.summary.touches > 0, "{what}: {}", run.summary);
    let (start, end) = (momenta(&parts, &r.frames[0]), momenta(&parts, &r.frames[1]));
    near(&format!("{what}: momentum"), (start.0 - end.0).norm() / start.0.norm(), 0.0, 1e-12);
    // (free turning keeps it to the tolerance of the integrator)
    near(&format!("{what}: angular momentum"), (start.1 - end.1).norm() / start.1.norm(), 0.0, 1e-9);
    (r, run.summary.audit_relative)
}

/// Nothing is lost in an elastic collision, and momentum is kept: the gap's rate is exact and the stiffness latched.
#[test]
fn elastic_collisions_keep_energy_and_momentum() {
    let egg = || Ellipsoid::new([0.02, 0.03, 0.045]).unwrap();
    let die = || Superellipsoid::new([0.02, 0.03, 0.035], [6.0, 4.0, 3.0]).unwrap();
    let can = || Superellipsoid::barr([0.025, 0.02, 0.04], [8.0, 2.0]).unwrap();
    let block = || Cuboid::new([0.05, 0.04, 0.07]).unwrap();
    let check = |what: &str, (r, audit): (Recording, f64)| {
        assert!(audit < 1e-9, "{what}: audit {audit:e}");
        let total = |i: usize| -> f64 { r.frames[i].energy.kinetic };
        near(&format!("{what}: energy"), total(1) / total(0), 1.0, 1e-9);
    };
    check("eggs", collide(egg(), egg(), "eggs"));
    check("egg and die", collide(egg(), die(), "egg and die"));
    check("dice", collide(die(), die(), "dice"));
    check("can and die", collide(can(), die(), "can and die"));
    check("egg and block", collide(egg(), block(), "egg and block"));
    check("block and die", collide(block(), die(), "block and die"));
}

/// Two balls as ellipsoids are two balls.
#[test]
fn round_ellipsoids_are_balls() {
    use carom::geometry::surfaces::Sphere;
    let (r, _) = collide(Sphere::new(0.03).unwrap(), Sphere::new(0.04).unwrap(), "balls");
    let (e, _) =
        collide(Ellipsoid::new([0.03; 3]).unwrap(), Ellipsoid::new([0.04; 3]).unwrap(), "round ellipsoids");
    for (x, y) in r.frames[1].bodies.iter().zip(&e.frames[1].bodies) {
        near("position", (x.position - y.position).norm(), 0.0, 1e-11);
        let spin: Vec3 = x.angular_velocity - y.angular_velocity;
        near("spin", spin.norm(), 0.0, 1e-9);
    }
}

/// An egg, blunt at one end, that bounces to and fro in a hollow ball and in a hollow egg, which float: nothing but the contact acts on either.
#[test]
fn an_egg_in_a_hollow_that_floats_keeps_energy_and_momentum() {
    let ovoid = |scale: f64| Superovoid::new([0.022 * scale, 0.022 * scale, 0.028 * scale], [2.0, 2.0], -0.2);
    let shells = [
        SurfaceSpec::new(Sphere::new(0.06).unwrap()).inside(),
        SurfaceSpec::new(ovoid(5.0).unwrap()).inside(),
    ];
    for (shell, what) in shells.into_iter().zip(["ball", "egg"]) {
        let egg = ovoid(1.0).unwrap();
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        b.body(Body::new("shell").mass(2.0).inertia([1e-3; 3]).surface(shell));
        let at = [0.005, 0.002, -0.004];
        let turn = Quat::from_euler_angles(0.4, 0.3, -0.9);
        let egg = Body::new("egg").density(1000.0).surface(egg).position(at).orientation(turn);
        b.body(egg.velocity([1.2, -0.6, 0.8]).angular_velocity([10.0, -20.0, 5.0]));
        b.contact(ContactRule::between("shell", "egg").normal(Hertz::new().stiffness(1e8)));
        let model = b.build().unwrap();
        let run = Simulation::new(&model).duration(0.3).rtol(1e-11).run().unwrap();
        assert!(run.summary.touches > 1, "{what}: {}", run.summary);
        near(what, run.summary.audit_relative, 0.0, 1e-9);
        let audit = &run.summary.audit;
        assert!(
            audit.momentum_relative < 1e-12 && audit.angular_momentum_relative < 1e-12,
            "{}",
            run.summary
        );
    }
}
