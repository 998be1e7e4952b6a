//! Cylinders on cylinders in motion: barrels, caps and rims; without damping they keep their energy, and stacked they come to rest.

use carom::geometry::surfaces::Cylinder;
use carom::prelude::{
    Body, ContactRule, Hertz, HuntCrossley, ModelBuilder, Quat, Recording, Simulation, Vec3,
};

/// A can that tumbles on a fixed one: over its rim, on its cap, down its barrel.
#[test]
fn a_can_that_tumbles_over_the_rim_of_another_keeps_its_energy() {
    for (at, turn, spin) in [
        ([0.03, 0.005, 0.125], [0.15, 0.3, 0.0], [3.0, 5.0, 1.0]),
        ([0.0, 0.0, 0.1005], [0.0, 0.0, 0.0], [0.4, 0.1, 0.0]),
        ([0.01, 0.0, 0.092], [std::f64::consts::FRAC_PI_2, 0.0, 0.0], [0.0, 8.0, 2.0]),
    ] {
        let mut b = ModelBuilder::new();
        b.body(Body::fixed("post").surface(Cylinder::new(0.04, 0.12).unwrap()));
        let turn = Quat::from_scaled_axis(Vec3::from(turn));
        let can = Body::new("can").density(1000.0).surface(Cylinder::new(0.03, 0.08).unwrap());
        b.body(can.position(at).orientation(turn).angular_velocity(spin));
        b.contact(ContactRule::between("post", "can").normal(Hertz::new().stiffness(1e8)));
        let model = b.build().unwrap();
        let run = Simulation::new(&model).duration(0.15).rtol(1e-12).run().unwrap();
        assert!(run.summary.touches > 1, "{at:?} {}", run.summary);
        assert!(run.summary.audit_relative < 1e-9, "{at:?}: {}", run.summary);
    }
}

/// Two cans that meet in free fall: no force but between them.
#[test]
fn two_cans_in_free_fall_keep_energy_and_momentum() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let can = |name: &str| Body::new(name).density(1000.0).surface(Cylinder::new(0.03, 0.08).unwrap());
    b.body(can("a").angular_velocity([5.0, 2.0, 0.0]));
    let turn = Quat::from_scaled_axis(Vec3::new(0.7, 0.2, 0.0));
    b.body(can("b").position([0.02, 0.01, 0.1]).orientation(turn).velocity([0.0, 0.0, -1.0]));
    b.contact(ContactRule::between("a", "b").normal(Hertz::new().stiffness(1e8)));
    let model = b.build().unwrap();
    let run = Simulation::new(&model).duration(0.1).rtol(1e-11).run().unwrap();
    assert!(run.summary.touches > 1 && run.summary.audit_relative < 1e-9, "{}", run.summary);
}

/// A can let down on another one, aligned, rests on all its anchors: m g = k δ^1.5.
#[test]
fn a_can_settles_on_a_can() {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("low").surface(Cylinder::new(0.03, 0.1).unwrap()));
    let can = Body::new("can").mass(1.0).surface(Cylinder::new(0.03, 0.1).unwrap());
    b.body(can.position([0.0, 0.0, 0.10001]));
    b.contact(
        ContactRule::between("low", "can").normal(HuntCrossley::damping(1000.0).unwrap().stiffness(1e9)),
    );
    let model = b.build().unwrap();
    let mut r = Recording::default();
    Simulation::new(&model).duration(0.5).output_every(0.25).rtol(1e-10).run_into(&mut r).unwrap();
    let end = &r.frames.last().unwrap().bodies[0];
    let depth = (9.81f64 / 1e9).powf(2.0 / 3.0);
    let off = (0.1 - end.position.z) / depth - 1.0;
    assert!(off.abs() < 1e-11 && end.position.xy().norm() < 1e-9, "{off:e} {}", end.position);
}
