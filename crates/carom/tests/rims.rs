//! Solids with rims in round cavities, in motion: without damping they keep their energy.

use carom::geometry::Surface;
use carom::geometry::surfaces::{Capsule, Cone, Cylinder, Ellipsoid, Superellipsoid};
use carom::law::Normal;
use carom::prelude::{
    Body, ContactRule, Hertz, HuntCrossley, Model, ModelBuilder, Quat, Recording, Simulation, Sphere,
    SurfaceSpec, Vec3,
};
use carom_testkit::one_in;

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

/// The same, as soft as rubber: it goes in by up to a tenth of its radius.
fn soft(
    cavity: impl Surface + 'static,
    solid: impl Surface + 'static,
    at: [f64; 3],
    turn: [f64; 3],
    law: impl Normal + 'static,
) -> Model {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("bowl").surface(SurfaceSpec::new(cavity).inside()));
    let turn = Quat::from_scaled_axis(Vec3::from(turn));
    b.body(Body::new("solid").mass(1.0).surface(solid).position(at).orientation(turn));
    b.contact(ContactRule::between("bowl", "solid").normal(law));
    b.build().unwrap()
}

/// Deep in the wall, where one place of a rim hands over to another while both carry, forces have their potential too.
#[test]
fn soft_solids_with_rims_keep_their_energy() {
    let can = || Cylinder::new(0.03, 0.02).unwrap();
    let law = || Hertz::new().stiffness(2e5);
    let funnel = Cone::new(0.01, 0.08, 0.2).unwrap();
    let bowl = Sphere::new(0.06).unwrap();
    let egg = Ellipsoid::new([0.05, 0.07, 0.06]).unwrap();
    let hole = Cylinder::new(0.0315, 0.3).unwrap();
    let peg = Cylinder::new(0.03, 0.05).unwrap();
    for (what, model) in [
        ("can in a funnel", soft(funnel, can(), [0.002, 0.0, 0.0], [0.02, 0.0, 0.0], law())),
        ("can in a bowl", soft(bowl, can(), [0.01, 0.0, -0.03], [0.3, 0.1, 0.0], law())),
        ("can in an egg", soft(egg, can(), [0.0, 0.005, -0.02], [0.0, 0.2, 0.1], law())),
        ("peg in a hole", soft(hole, peg, [0.0, 0.0, -0.124], [0.06, 0.02, 0.0], law())),
    ] {
        let run = Simulation::new(&model).duration(0.3).rtol(1e-11).run().unwrap();
        assert!(run.summary.max_indentation > 1e-3, "{what}: {}", run.summary);
        assert!(run.summary.audit_relative < 1e-9, "{what}: {}", run.summary);
    }
}

/// An upright can that falls straight into a bowl touches it all round, with every anchor of its lower rim: that is one touch of the pair.
#[test]
fn a_rim_that_touches_all_round_touches_once() {
    let can = Cylinder::new(0.03, 0.02).unwrap();
    let model = model(Sphere::new(0.06).unwrap(), can, [0.0; 3], [0.0; 3]);
    // its rim has √(0.06² − 0.03²) − 0.01 = 0.042 to fall, in √(2·0.042/9.81) = 0.0925 s
    let run = Simulation::new(&model).duration(0.1).run().unwrap();
    let told = format!("\n1 touch ({} of contact points)", run.summary.touches);
    assert!(run.summary.contacts == 1 && run.summary.touches >= 8, "{}", run.summary);
    assert!(run.summary.to_string().contains(&told), "{}", run.summary);
}

mod long {
    use super::*;

    /// A soft can with a damped contact, let fall askew into a funnel: it goes in by 16 % of its radius, rocks from side to side and comes through without a jump. (Rocking, which no friction damps, goes on.)
    #[test]
    #[ignore = "takes twenty seconds: cargo xtask verify tests"]
    fn a_soft_damped_can_falls_into_a_funnel() {
        let funnel = Cone::new(0.01, 0.08, 0.2).unwrap();
        let law = HuntCrossley::damping(3.0).unwrap().stiffness(2e5);
        let can = Cylinder::new(0.03, 0.02).unwrap();
        let model = soft(funnel, can, [0.002, 0.0, 0.0], [0.05, 0.0, 0.0], law);
        let run = Simulation::new(&model).duration(3.0).rtol(1e-9).run().unwrap();
        assert!(run.summary.max_indentation > 0.1 * 0.03, "{}", run.summary);
        assert!(run.summary.audit_relative < 1e-7, "{}", run.summary);
    }
}

fn keeps_its_energy(what: &str, model: &Model) {
    let run = Simulation::new(model).duration(0.5).rtol(1e-11).run().unwrap();
    assert!(run.summary.touches > 1, "{what}");
    assert!(run.summary.audit_relative < 1e-9, "{what}: {}", run.summary);
}

#[test]
fn solids_with_rims_keep_their_energy_in_every_cavity() {
    let can = || Cylinder::new(0.03, 0.02).unwrap();
    let plug = || Cone::new(0.015, 0.035, 0.03).unwrap();
    let top = || Cone::new(0.025, 0.0, 0.04).unwrap();
    let egg = || Ellipsoid::new([0.05, 0.07, 0.06]).unwrap();
    let funnel = Cone::new(0.01, 0.08, 0.2).unwrap();
    let tube = Cylinder::new(0.05, 0.3).unwrap();
    let pillow = Superellipsoid::new([0.05, 0.06, 0.07], [4.0, 3.0, 2.5]).unwrap();
    let cases = vec![
        ("can in a ball", model(Sphere::new(0.06).unwrap(), can(), [0.01, 0.0, 0.0], [0.3, 0.1, 0.0])),
        ("can in an egg", model(egg(), can(), [0.0, 0.005, 0.0], [0.0, 0.2, 0.1])),
        ("plug in an egg", model(egg(), plug(), [0.0, 0.0, 0.0], [1.0, 0.2, 0.1])),
        ("can in a funnel", model(funnel, can(), [0.002, 0.0, 0.01], [0.02, 0.0, 0.0])),
        ("plug in a funnel", model(funnel, plug(), [0.0, 0.01, 0.02], [0.2, 0.5, 0.0])),
        (
            "top in a capsule",
            model(Capsule::new(0.05, 0.1).unwrap(), top(), [0.0, 0.0, 0.0], [0.5, 0.3, 0.0]),
        ),
        ("top in a tube", model(tube, top(), [0.0, 0.0, -0.1], [0.5, 0.3, 0.0])),
        ("can in a pillow", model(pillow, can(), [0.0, 0.0, 0.0], [0.5, 0.3, 0.0])),
    ];
    for (what, model) in one_in(3, cases) {
        keeps_its_energy(what, &model);
    }
}

/// A disc in a tube that lies: it comes down askew on two opposite points of its rim.
fn disc_in_tube(lean: [f64; 3], law: impl Normal + 'static) -> Model {
    let (tube, disc) = (Cylinder::new(0.05, 0.3).unwrap(), Cylinder::new(0.03, 0.004).unwrap());
    let lying = Quat::from_scaled_axis(Vec3::x() * std::f64::consts::FRAC_PI_2);
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("tube").surface(SurfaceSpec::new(tube).inside()).orientation(lying));
    let lean = Quat::from_scaled_axis(Vec3::from(lean));
    b.body(Body::new("disc").mass(1.0).surface(disc).position([0.0, 0.0, -0.03]).orientation(lean));
    b.contact(ContactRule::between("tube", "disc").normal(law));
    b.build().unwrap()
}

#[test]
fn a_disc_askew_in_a_tube_keeps_its_energy() {
    keeps_its_energy("disc in a tube", &disc_in_tube([0.35, 0.02, 0.0], Hertz::new().stiffness(1e10)));
}

/// It comes to rest on both sides, level, each carrying half of its weight.
#[test]
fn a_disc_settles_on_two_sides_of_a_tube() {
    let law = HuntCrossley::damping(100.0).unwrap().stiffness(1e10);
    let model = disc_in_tube([0.0; 3], law);
    let run = Simulation::new(&model).duration(1.0).rtol(1e-9).run().unwrap();
    let frame = &run.end.frame;
    let sides = [1.0, -1.0].map(|side| {
        let on = frame.contacts.iter().filter(|c| c.f_n > 0.0 && c.normal.x * side > 0.0);
        on.map(|c| c.f_n * c.normal.z).sum::<f64>()
    });
    // at rest, and symmetrical: each carries half of the weight, along normals that lean by the sine of 3/5
    assert!(sides.iter().all(|f| (f / (0.5 * 9.81) - 1.0).abs() < 1e-6), "{sides:?}");
    let loaded = frame.contacts.iter().filter(|c| c.f_n > 0.0);
    let lean = loaded.map(|c| (c.normal.x.abs() - 0.6).abs()).fold(0.0, f64::max);
    assert!(lean < 1e-4, "{lean:e}");
}

/// A can let down upright into a ball comes to rest on its whole rim.
#[test]
fn a_can_settles_in_a_ball() {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("bowl").surface(SurfaceSpec::new(Sphere::new(0.06).unwrap()).inside()));
    let can = Cylinder::new(0.03, 0.02).unwrap();
    // its lower rim touches where it is as far below the middle as Pythagoras has it
    let below = (0.06f64.powi(2) - 0.03f64.powi(2)).sqrt();
    b.body(Body::new("can").mass(1.0).surface(can).position([0.0, 0.0, 0.01 - below + 1e-4]));
    let law = HuntCrossley::damping(1000.0).unwrap().stiffness(1e10);
    b.contact(ContactRule::between("bowl", "can").normal(law));
    let mut r = Recording::default();
    let model = b.build().unwrap();
    let run = Simulation::new(&model).duration(1.0).output_every(0.5).rtol(1e-10).run_into(&mut r).unwrap();
    let end = &r.frames.last().unwrap().bodies[0];
    // eight anchors of share a quarter, each pushed in by δ: 2 k δ^1.5 cos = m g, cos of the rim's normal with the vertical
    let cos = below / 0.06;
    let depth = (9.81 / (2.0 * 1e10 * cos)).powf(2.0 / 3.0);
    let down = 0.01 - below - end.position.z;
    assert!((down / (depth / cos) - 1.0).abs() < 1e-4, "{down:e} {:e}", depth / cos);
    assert!((end.orientation * Vec3::z()).xy().norm() < 1e-6 && end.velocity.norm() < 1e-6);
    assert!(run.summary.audit_relative < 1e-8, "{}", run.summary);
}
