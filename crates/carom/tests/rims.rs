//! Solids with rims in round cavities, in motion: without damping they keep their energy.

use carom::geometry::Surface;
use carom::geometry::surfaces::{Capsule, Cone, Cylinder, Ellipsoid, Superellipsoid};
use carom::prelude::{
    Body, ContactRule, Hertz, HuntCrossley, Model, ModelBuilder, Quat, Recording, Simulation, Sphere,
    SurfaceSpec, Vec3,
};

/// A solid of 1 kg at a place in a cavity that is fixed.
fn model(
    cavity: impl Surface + 'static,
    solid: impl Surface + 'static,
    at: [f64; 3],
    turn: [f64; 3],
) -> Model {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("bowl").surface(SurfaceSpec::new(cavity).inside()));
    let turn = Quat::from_scaled_axis(Vec3::from(turn));
    b.body(Body::new("solid").mass(1.0).surface(solid).position(at).orientation(turn));
    b.contact(ContactRule::between("bowl", "solid").normal(Hertz::new().stiffness(1e9)));
    b.build().unwrap()
}

fn keeps_its_energy(what: &str, model: &Model) {
    let run = Simulation::new(model).duration(0.5).rtol(1e-11).run().unwrap();
    println!(
        "{what}: audit {:.1e}, {} touches, {} steps",
        run.summary.audit_relative, run.summary.touches, run.summary.stats.steps
    );
    assert!(run.summary.touches > 1, "{what}");
    assert!(run.summary.audit_relative < 1e-9, "{what}: {}", run.summary);
}

#[test]
fn solids_with_rims_keep_their_energy_in_every_cavity() {
    let can = || Cylinder::new(0.03, 0.02).unwrap();
    let plug = || Cone::new(0.015, 0.035, 0.03).unwrap();
    let top = || Cone::new(0.025, 0.0, 0.04).unwrap();
    keeps_its_energy(
        "can in a ball",
        &model(Sphere::new(0.06).unwrap(), can(), [0.01, 0.0, 0.0], [0.3, 0.1, 0.0]),
    );
    let egg = || Ellipsoid::new([0.05, 0.07, 0.06]).unwrap();
    keeps_its_energy("can in an egg", &model(egg(), can(), [0.0, 0.005, 0.0], [0.0, 0.2, 0.1]));
    keeps_its_energy("plug in an egg", &model(egg(), plug(), [0.0, 0.0, 0.0], [1.0, 0.2, 0.1]));
    let funnel = Cone::new(0.01, 0.08, 0.2).unwrap();
    keeps_its_energy("can in a funnel", &model(funnel, can(), [0.002, 0.0, 0.01], [0.02, 0.0, 0.0]));
    keeps_its_energy("plug in a funnel", &model(funnel, plug(), [0.0, 0.01, 0.02], [0.2, 0.5, 0.0]));
    keeps_its_energy(
        "top in a capsule",
        &model(Capsule::new(0.05, 0.1).unwrap(), top(), [0.0, 0.0, 0.0], [0.5, 0.3, 0.0]),
    );
    let tube = Cylinder::new(0.05, 0.3).unwrap();
    keeps_its_energy("top in a tube", &model(tube, top(), [0.0, 0.0, -0.1], [0.5, 0.3, 0.0]));
    let pillow = Superellipsoid::new([0.05, 0.06, 0.07], [4.0, 3.0, 2.5]).unwrap();
    keeps_its_energy("can in a pillow", &model(pillow, can(), [0.0, 0.0, 0.0], [0.5, 0.3, 0.0]));
}

/// A disc that falls into a tube askew knocks against it with two points of its rim at a time.
#[test]
fn a_disc_askew_in_a_tube_keeps_its_energy() {
    let tube = Cylinder::new(0.05, 0.3).unwrap();
    let disc = Cylinder::new(0.03, 0.004).unwrap();
    let lying = [std::f64::consts::FRAC_PI_2, 0.0, 0.0];
    let mut b = ModelBuilder::new();
    // the tube lies, and the disc leans in it
    b.body(
        Body::fixed("tube")
            .surface(SurfaceSpec::new(tube).inside())
            .orientation(Quat::from_scaled_axis(Vec3::from(lying))),
    );
    let lean = Quat::from_scaled_axis(Vec3::from([0.35, 0.02, 0.0]));
    b.body(Body::new("disc").mass(1.0).surface(disc).position([0.0, 0.0, -0.03]).orientation(lean));
    b.contact(ContactRule::between("tube", "disc").normal(Hertz::new().stiffness(1e9)));
    keeps_its_energy("disc in a tube", &b.build().unwrap());
}

/// A can let down into a funnel comes to rest on its whole rim, upright, where the funnel is as wide as it.
#[test]
fn a_can_settles_in_a_funnel() {
    let mut b = ModelBuilder::new();
    // the radius is 0.045 + 0.35 z
    let funnel = Cone::new(0.01, 0.08, 0.2).unwrap();
    b.body(Body::fixed("funnel").surface(SurfaceSpec::new(funnel).inside()));
    let can = Cylinder::new(0.03, 0.02).unwrap();
    let touching = (0.03 - 0.045) / 0.35 + 0.01;
    b.body(
        Body::new("can")
            .mass(1.0)
            .surface(can)
            .position([1e-5, 0.0, touching + 1e-4])
            .orientation(Quat::from_scaled_axis(Vec3::x() * 1e-3)),
    );
    let law = HuntCrossley::damping(50.0).unwrap().stiffness(1e10);
    b.contact(ContactRule::between("funnel", "can").normal(law));
    let mut r = Recording::default();
    let run = Simulation::new(&b.build().unwrap())
        .duration(2.0)
        .output_every(0.5)
        .rtol(1e-9)
        .run_into(&mut r)
        .unwrap();
    let end = &r.frames.last().unwrap().bodies[0];
    // twelve points of share a sixth, each pushed in by δ along the mantle's normal: 2 k δ^1.5 sin α = m g
    let sin = 0.35 / 0.35f64.hypot(1.0);
    let depth = (9.81 / (2.0 * 1e10 * sin)).powf(2.0 / 3.0);
    let down = depth / sin;
    assert!(
        (end.position.z - (touching - down)).abs() < 1e-3 * down,
        "{} {}",
        end.position.z - touching,
        -down
    );
    let up = end.orientation * Vec3::z();
    assert!(
        up.xy().norm() < 1e-3 && end.velocity.norm() < 1e-6,
        "{} {}",
        up.xy().norm(),
        end.velocity.norm()
    );
    assert!(run.summary.audit_relative < 1e-8, "{}", run.summary);
}
