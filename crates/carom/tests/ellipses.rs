//! Friction by the contact's own stiffness where surfaces meet in an ellipse: the stiffness differs along its axes.

use std::sync::Arc;

use crate::common::near;
use crate::oblique::all;
use carom::Run;
use carom::geometry::surfaces::Ellipsoid;
use carom::law::friction::{CundallStrack, MawBarberFawcett, Mindlin, MindlinDeresiewicz};
use carom::law::hertz::PointContact;
use carom::law::{Friction, Material, MaterialPair};
use carom::prelude::{
    Body, ContactRule, Dof, Hertz, HuntCrossley, Model, ModelBuilder, Plane, Quat, Recording, Simulation,
    Sphere, SurfaceSpec, Vec3,
};

const AXES: [f64; 3] = [0.03, 0.012, 0.01];
const MU: f64 = 0.3;

fn rubber() -> Material {
    Material::new("rubber").youngs_modulus(5e6).poisson_ratio(0.49)
}

/// The laws with κ from the materials.
fn by_materials() -> Vec<Arc<dyn Friction>> {
    vec![
        Arc::new(CundallStrack::new(MU).unwrap()),
        Arc::new(Mindlin::new(MU).unwrap()),
        Arc::new(Mindlin::new(MU).unwrap().rescaled()),
        Arc::new(MindlinDeresiewicz::new(MU).unwrap().elements(5)),
        Arc::new(MawBarberFawcett::new(MU).unwrap().rings(6)),
    ]
}

/// An ellipsoid of rubber turned about the normal by `angle`, which falls on a plane with the slip `slip`; `free`: it may turn.
fn falling(friction: &Arc<dyn Friction>, angle: f64, slip: Vec3, free: bool) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).material(rubber());
    let surface = SurfaceSpec::new(Ellipsoid::new(AXES).unwrap()).material("rubber");
    let body = Body::new("body").mass(0.02).inertia([1e-6, 4e-6, 5e-6]).surface(surface);
    let body = body.position([0.0, 0.0, AXES[2] * 1.0001]).velocity([slip.x, slip.y, -0.5]);
    let body = body.orientation(Quat::from_scaled_axis(Vec3::new(0.0, 0.0, angle)));
    b.body(match free {
        true => body.angular_velocity([0.5, -0.3, 2.0]),
        false => body.dofs(&[Dof::X, Dof::Y, Dof::Z]),
    });
    b.body(Body::fixed("floor").surface(SurfaceSpec::new(Plane).material("rubber")));
    b.contact(ContactRule::between("body", "floor").normal(Hertz::new()).friction_arc(Arc::clone(friction)));
    b.build().unwrap()
}

fn end(model: &Model, rtol: f64) -> Run {
    Simulation::new(model).duration(0.02).rtol(rtol).run().unwrap()
}

/// Slip along an axis of the ellipse meets the stiffness of that axis: the body rebounds as a ball of the same K does with κ/(1 ± ε), whichever way the body is turned.
#[test]
fn each_axis_has_its_stiffness() {
    let pair = [rubber(), rubber()];
    let pair = MaterialPair::new(&pair[0], &pair[1]);
    let [k_min, k_max] = [0, 1].map(|i| AXES[2] / (AXES[i] * AXES[i]));
    let shape = PointContact::new(pair.e_star().unwrap(), k_min, k_max).unwrap();
    let epsilon = pair.shear_contrast().unwrap() * shape.elongation();
    assert!(epsilon > 0.08, "{epsilon}");
    let ratio = pair.stiffness_ratio().unwrap();
    for (law, i) in by_materials().into_iter().zip(0..) {
        for (along, sign, angle) in [(0.0, 1.0, 0.4), (0.5 * std::f64::consts::PI, -1.0, -1.1)] {
            let way = Quat::from_scaled_axis(Vec3::new(0.0, 0.0, angle + along)) * Vec3::x();
            let run = end(&falling(&law, angle, way * 0.12, false), 1e-10);
            let body = run.end.body("body").unwrap().velocity;
            let same = Arc::clone(&all(MU, ratio / (1.0 + sign * epsilon))[i]);
            let same: Arc<dyn Friction> = match i {
                3 => Arc::new(
                    MindlinDeresiewicz::new(MU).unwrap().ratio(ratio / (1.0 + sign * epsilon)).elements(5),
                ),
                4 => Arc::new(
                    MawBarberFawcett::new(MU).unwrap().ratio(ratio / (1.0 + sign * epsilon)).rings(6),
                ),
                _ => same,
            };
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]);
            let ball = Body::new("body").mass(0.02).surface(Sphere::new(AXES[2]).unwrap());
            let ball = ball.position([0.0, 0.0, AXES[2] * 1.0001]).velocity([0.12, 0.0, -0.5]);
            b.body(ball.dofs(&[Dof::X, Dof::Y, Dof::Z]));
            b.body(Body::fixed("floor").surface(Plane));
            let normal = Hertz::new().stiffness(shape.stiffness());
            b.contact(ContactRule::between("body", "floor").normal(normal).friction_arc(same));
            let ball = end(&b.build().unwrap(), 1e-10).end.body("body").unwrap().velocity;
            let what = format!("{} {angle}", law.name());
            near(&what, body.dot(&way), ball.x, 1e-8);
            near(&what, body.dot(&Vec3::z().cross(&way)), 0.0, 1e-8);
            // (the difference that is tested)
            let run = end(&falling(&law, angle + 0.5 * std::f64::consts::PI, way * 0.12, false), 1e-8);
            let other = run.end.body("body").unwrap().velocity;
            assert!((other.dot(&way) - ball.x).abs() > 1e-3, "{what}");
        }
    }
}

/// Slip askew, bodies that turn: the ledger closes, every output is within the cone, and a turned copy moves the same.
#[test]
fn ledgers_close_within_the_cone() {
    for law in by_materials() {
        for slip in [Vec3::new(0.1, 0.07, 0.0), Vec3::new(-0.5, 0.3, 0.0)] {
            let model = falling(&law, 0.3, slip, true);
            let mut frames = Recording::default();
            let sim = Simulation::new(&model).duration(0.02).rtol(1e-12).output_every(1e-5);
            let run = sim.run_into(&mut frames).unwrap();
            let what = format!("{} {slip:?}", law.name());
            assert!(
                run.summary.touches >= 1 && run.summary.audit_relative < 1e-10,
                "{what}: {}",
                run.summary
            );
            let points = frames.frames.iter().flat_map(|frame| &frame.contacts).filter(|c| c.f_n > 0.0);
            let mut count = 0;
            for c in points {
                count += 1;
                assert!(c.f_t.norm() <= MU * c.f_n * (1.0 + 1e-9) + 1e-9, "{what}: beyond the cone");
            }
            assert!(count > 20, "{what}: {count}");
        }
    }
}

/// An egg of stone that slides and rolls in a bowl and leaves it with a graze, under a damped law with rings: under next to no load their deflections turned without bounds, and the
/// run got nowhere.
#[test]
fn rings_of_a_graze_turn_at_a_finite_rate() {
    let mut b = ModelBuilder::new();
    b.gravity([1.2, 0.0, -9.81]);
    b.material(Material::new("stone").youngs_modulus(2e9).poisson_ratio(0.25).density(2600.0));
    let bowl = SurfaceSpec::new(Sphere::new(0.2).unwrap()).inside().material("stone");
    b.body(Body::fixed("bowl").surface(bowl));
    let egg = SurfaceSpec::new(Ellipsoid::new([0.02, 0.025, 0.035]).unwrap()).material("stone");
    let egg = Body::new("egg").surface(egg).position([0.02, 0.01, -0.15]);
    b.body(egg.velocity([0.3, 0.4, -0.5]).angular_velocity([5.0, 20.0, -12.0]));
    let rule = ContactRule::between("egg", "bowl").normal(HuntCrossley::restitution(0.8).unwrap());
    b.contact(rule.friction(MawBarberFawcett::new(0.4).unwrap()));
    let run = Simulation::new(&b.build().unwrap()).duration(0.18).rtol(1e-9).run().unwrap();
    assert!(run.summary.audit_relative < 1e-10 && run.summary.stats.steps < 6000, "{}", run.summary);
}
