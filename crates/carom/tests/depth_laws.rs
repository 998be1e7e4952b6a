//! Friction that follows the depth of its contact under normal laws of every kind: what yields, what holds, what hands its share over.

use std::sync::Arc;

use crate::common::close;
use crate::laws::fits;
use crate::oblique::all;
use carom::geometry::surfaces::{Cylinder, Ellipsoid};
use carom::law::friction::{MawBarberFawcett, Mindlin, MindlinDeresiewicz};
use carom::law::normal::{Dmt, Edinburgh, Jkr, MaugisDugdale, Stronge, Thornton, WaltonBraun};
use carom::law::resistance::{ElasticPlastic, IwashitaOda, Jiang, Torsion};
use carom::law::{Friction, Normal, NormalLaw, Touch};
use carom::prelude::{
    Body, ContactRule, Dof, Hertz, HuntCrossley, Model, ModelBuilder, Plane, Recording, Simulation, Sphere,
    SurfaceSpec, Vec3,
};

const MU: f64 = 0.3;
const K: f64 = 1.2e5;
const R: f64 = 1e-3;
const MASS: f64 = 5e-6;
const W: f64 = 0.05;

fn normals() -> Vec<Arc<dyn Normal>> {
    let touch = Touch::point(K, 0.3, MASS);
    let pressure = Thornton::yield_pressure(1.0).unwrap().stiffness(K).radius(R);
    // so that an impact at 0.3 m/s is at four times the speed at which it begins to yield: p grows with v^(2/5)
    let pressure = (0.075 / pressure.yield_speed(&touch)).powf(0.4);
    vec![
        Arc::new(Thornton::yield_pressure(pressure).unwrap().stiffness(K).radius(R)),
        Arc::new(Stronge::yield_pressure(pressure).unwrap().stiffness(K).radius(R)),
        Arc::new(WaltonBraun::new(500.0, 0.7).unwrap()),
        Arc::new(Edinburgh::plasticity(0.5).unwrap().stiffness(K)),
        Arc::new(Edinburgh::plasticity(0.5).unwrap().stiffness(K).adhesion_stiffness(3e4).pull_off(1e-4)),
        // (it holds the ball, which swings: pressed, held, pressed again)
        Arc::new(Edinburgh::plasticity(0.3).unwrap().stiffness(K).adhesion_stiffness(4e5)),
        Arc::new(Jkr::adhesion_energy(W).unwrap().stiffness(K).radius(R)),
        Arc::new(Dmt::adhesion_energy(W).unwrap().stiffness(K).radius(R)),
        Arc::new(MaugisDugdale::new(W, 3e-8).unwrap().stiffness(K).radius(R)),
    ]
}

fn thrown(normal: &Arc<dyn Normal>, friction: &Arc<dyn Friction>, slip: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = Body::new("ball").mass(MASS).surface(Sphere::new(R).unwrap());
    let ball = ball.position([0.0, 0.0, R + 2e-6]).velocity([slip, 0.1 * slip, -0.3]);
    b.body(ball.angular_velocity([20.0, 5.0, 30.0]));
    b.body(Body::fixed("floor").surface(Plane));
    let rule = ContactRule::between("ball", "floor").normal_arc(Arc::clone(normal));
    b.contact(rule.friction_arc(Arc::clone(friction)));
    b.build().unwrap()
}

/// In oblique impacts the ledger closes and friction stays within the cone of the normal force and the pull-off force.
#[test]
fn ledgers_close_within_the_cone() {
    let touch = Touch::point(K, 0.3, MASS);
    let mut worst = 0.0f64;
    for normal in normals() {
        for friction in all(MU, 0.8) {
            if !fits(&*normal, &*friction) {
                continue;
            }
            for slip in [0.02, 0.15, 1.0] {
                let model = thrown(&normal, &friction, slip);
                let mut frames = Recording::default();
                let sim = Simulation::new(&model).duration(8e-4).rtol(1e-12).output_every(2e-6);
                let what = format!("{} with {} at {slip} m/s", friction.name(), normal.name());
                let run = sim.run_into(&mut frames).unwrap_or_else(|e| panic!("{what}: {e}"));
                worst = worst.max(run.summary.audit_relative);
                assert!(run.summary.audit_relative < 1e-10, "{what}: {}", run.summary);
                assert!(run.summary.touches >= 1, "{what}");
                let pull_off = normal.pull_off(&touch);
                let mut count = 0;
                for c in frames.frames.iter().flat_map(|frame| &frame.contacts) {
                    let cone = MU * (c.f_n + pull_off).max(0.0);
                    let within = c.f_t.norm() <= cone * (1.0 + 1e-9) + 1e-12;
                    assert!(within, "{what}: {} of {cone}", c.f_t.norm());
                    count += usize::from(c.f_t.norm() > 0.0);
                }
                assert!(count > 5, "{what}: {count}");
                let gives = run.summary.energy.dissipated_friction < 0.0;
                assert!(!gives || friction.name() == "mindlin", "{what}: {}", run.summary);
            }
        }
    }
    println!("worst {worst:e}");
}

/// Surfaces that attract each other across a gap before they touch, and after (λ = 0.4): nothing rubs there, and the ledger closes. (Where the cone nearly vanishes, an element that sticks and lets go within one step does so a step late.)
#[test]
fn nothing_rubs_across_a_gap() {
    let normal: Arc<dyn Normal> = Arc::new(MaugisDugdale::new(W, 2e-6).unwrap().stiffness(K).radius(R));
    let closes = normal.closes_at(&Touch::point(K, 0.3, MASS));
    for friction in all(MU, 0.8).iter().filter(|law| fits(&*normal, &***law)) {
        for slip in [0.02, 0.15, 1.0] {
            let model = thrown(&normal, friction, slip);
            let mut frames = Recording::default();
            let sim = Simulation::new(&model).duration(8e-4).rtol(1e-12).output_every(5e-7);
            let run = sim.run_into(&mut frames).unwrap();
            let what = format!("{} at {slip} m/s: {}", friction.name(), run.summary);
            assert!(run.summary.audit_relative < 1e-10, "{what}");
            let points = || frames.frames.iter().flat_map(|frame| &frame.contacts);
            let (apart, rubs): (Vec<_>, Vec<_>) = points().partition(|c| c.delta < closes);
            assert!(apart.iter().all(|c| c.f_t.norm() == 0.0) && apart.len() > 4, "{what}");
            assert!(rubs.iter().filter(|c| c.f_t.norm() > 0.0).count() > 20, "{what}");
        }
    }
}

/// Full sliding under plastic laws: the friction impulse is μ times the normal one, whatever yields.
#[test]
fn full_sliding_under_plastic_laws() {
    let pushes =
        |law: &Arc<dyn Normal>| law.pull_off(&Touch::point(K, 1.0, 1.0)) == 0.0 && !law.holds_loosely();
    for normal in normals().into_iter().filter(pushes) {
        for friction in all(MU, 0.8).into_iter().filter(|law| fits(&*normal, &**law)) {
            let model = thrown(&normal, &friction, 3.0);
            let run = Simulation::new(&model).duration(8e-4).rtol(1e-11).run().unwrap();
            let ball = run.end.body("ball").unwrap();
            let start = Vec3::new(3.0, 0.3, 0.0);
            let taken = (Vec3::new(ball.velocity.x, ball.velocity.y, 0.0) - start).norm();
            close(
                &format!("{} {}", friction.name(), normal.name()),
                taken,
                MU * (ball.velocity.z + 0.3),
                1e-8,
            );
        }
    }
}

/// Rings need a circle of contact whose radius the stiffness tells: other laws are refused, and one that takes them is named.
#[test]
fn rings_need_a_circle() {
    let rings = all(MU, 0.8).pop().unwrap();
    let normal: Arc<dyn Normal> = Arc::new(WaltonBraun::new(500.0, 0.7).unwrap());
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(MASS).surface(Sphere::new(R).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal_arc(normal).friction_arc(rings));
    let error = b.build().unwrap_err().to_string();
    assert!(error.contains("walton-braun") && error.contains("mindlin-deresiewicz"), "{error}");
}

/// A ball that surfaces hold which adhere, in balance without any other force (z³ = 6 of `jkr`): sheared and twisted a little it swings by the stiffness of the area that the law says it has, κ 2E*a along the surface
/// and (16/3) G a³ about the normal.
#[test]
fn a_held_ball_swings_by_the_area_that_holds_it() {
    let law = Jkr::adhesion_energy(W).unwrap().stiffness(K).radius(R);
    let scale = law.holds_to(&Touch::point(K, 1.0, 1.0)) / 3.0;
    let z = 6f64.cbrt();
    let (delta, a_squared) = (scale * (z.powi(4) - 4.0 * z), scale * R * z.powi(4));
    // 2E*a = (3/2) K a/√R
    let stiffness = 1.5 * K * (a_squared / R).sqrt();
    let (kappa, twist, start) = (0.8, 0.9, 1e-6);
    let ball = |dofs: &[Dof], rule: &dyn Fn(ContactRule) -> ContactRule, v: [f64; 3], w: [f64; 3]| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ball = Body::new("ball").mass(MASS).surface(Sphere::new(R).unwrap()).dofs(dofs);
        b.body(ball.position([0.0, 0.0, R - delta]).velocity(v).angular_velocity(w));
        b.body(Body::fixed("floor").surface(Plane));
        b.contact(rule(ContactRule::between("ball", "floor").normal(law)));
        b.build().unwrap()
    };
    let along = (kappa * stiffness / MASS).sqrt();
    let about = (twist * a_squared * stiffness / (0.4 * MASS * R * R)).sqrt();
    for part in [0.3, 1.0, 4.0] {
        for friction in all(MU, kappa) {
            let model = ball(
                &[Dof::X, Dof::Z],
                &|rule| rule.friction_arc(Arc::clone(&friction)),
                [start, 0.0, 0.0],
                [0.0; 3],
            );
            let run = Simulation::new(&model).duration(part / along).rtol(1e-11).run().unwrap();
            let v = run.end.body("ball").unwrap().velocity.x;
            // (`cundall-strack` has the stiffness of another depth; rings have 8G*a to half a ring)
            let off = match friction.name() {
                "cundall-strack" => continue,
                "maw-barber-fawcett" => 0.1,
                _ => 1e-6,
            };
            assert!(
                (v / start - part.cos()).abs() < off,
                "{} {part}: {} {}",
                friction.name(),
                v / start,
                part.cos()
            );
        }
        let spinning = Torsion::new(40.0).unwrap().ratio(twist).radius(R);
        let model = ball(&[Dof::Z, Dof::Rz], &|rule| rule.spinning(spinning), [0.0; 3], [0.0, 0.0, 1e-3]);
        let run = Simulation::new(&model).duration(part / about).rtol(1e-11).run().unwrap();
        let w = run.end.body("ball").unwrap().angular_velocity.z;
        assert!((w / 1e-3 - part.cos()).abs() < 1e-6, "twisted {part}: {} {}", w / 1e-3, part.cos());
    }
}

/// Springs against rolling and spinning under laws that yield and adhere: the ledger closes, they take and never give, and their couple is within c (f_n and the pull-off force).
#[test]
fn springs_against_turning_close_their_ledgers() {
    let touch = Touch::point(K, 0.3, MASS);
    let c = 2e-6;
    type With = Box<dyn Fn(ContactRule) -> ContactRule>;
    let springs: Vec<(&str, With)> = vec![
        ("elastic-plastic", Box::new(move |rule| rule.rolling(ElasticPlastic::new(c).unwrap()))),
        ("jiang", Box::new(move |rule| rule.rolling(Jiang::new(6.0 * c).unwrap()))),
        (
            "iwashita-oda",
            Box::new(move |rule| rule.rolling(IwashitaOda::new(c).unwrap().ratio(0.8).radius(R))),
        ),
        ("torsion", Box::new(|rule| rule.spinning(Torsion::new(0.4).unwrap().ratio(0.9).radius(R)))),
    ];
    let mut worst = 0f64;
    for normal in normals() {
        for (name, with) in &springs {
            if *name == "torsion" && normal.exponent() != 1.5 {
                continue;
            }
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]);
            let ball = Body::new("ball").mass(MASS).surface(Sphere::new(R).unwrap());
            let ball = ball.position([0.0, 0.0, R + 2e-6]).velocity([0.02, 0.0, -0.3]);
            b.body(ball.angular_velocity([20.0, 5.0, 30.0]));
            b.body(Body::fixed("floor").surface(Plane));
            let friction = Mindlin::new(MU).unwrap().ratio(0.8).rescaled();
            let rule =
                ContactRule::between("ball", "floor").normal_arc(Arc::clone(&normal)).friction(friction);
            b.contact(with(rule));
            let model = b.build().unwrap();
            let mut frames = Recording::default();
            let sim = Simulation::new(&model).duration(8e-4).rtol(1e-12).output_every(2e-6);
            let what = format!("{name} with {}", normal.name());
            let run = sim.run_into(&mut frames).unwrap_or_else(|e| panic!("{what}: {e}"));
            worst = worst.max(run.summary.audit_relative);
            assert!(run.summary.audit_relative < 1e-10, "{what}: {}", run.summary);
            assert!(run.summary.energy.dissipated_friction > 0.0, "{what}: {}", run.summary);
            let mut turned = 0;
            for contact in
                frames.frames.iter().flat_map(|frame| &frame.contacts).filter(|_| *name != "torsion")
            {
                let limit = c * (contact.f_n + normal.pull_off(&touch)).max(0.0);
                assert!(
                    contact.couple.norm() <= limit * (1.0 + 1e-9) + 1e-18,
                    "{what}: {} of {limit}",
                    contact.couple.norm()
                );
                turned += usize::from(contact.couple.norm() > 0.0);
            }
            assert!(turned > 5 || *name == "torsion", "{what}");
        }
    }
    println!("worst {worst:e}");
}

/// An egg and a can in a hollow ellipsoid that is free too, all thrown about: the can comes down on its rim, where each of eight points hands its share of the contact over to two others.
fn machine(normal: &Arc<dyn Normal>, friction: &Arc<dyn Friction>) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let hollow = SurfaceSpec::new(Ellipsoid::new([0.12, 0.1, 0.11]).unwrap()).inside();
    let shell = Body::new("shell").mass(0.5).inertia([3e-3, 3.4e-3, 3.2e-3]).surface(hollow);
    b.body(shell.velocity([0.2, -0.1, 0.1]).angular_velocity([1.0, -2.0, 0.5]));
    let egg = Body::new("egg").mass(0.1).inertia([4.5e-5, 4e-5, 2.2e-5]);
    let egg = egg.surface(Ellipsoid::new([0.02, 0.025, 0.035]).unwrap()).position([-0.04, 0.01, 0.02]);
    b.body(egg.velocity([1.0, 0.6, -0.8]).angular_velocity([12.0, -20.0, 8.0]));
    let can = Body::new("can").mass(0.2).inertia([5e-5, 5e-5, 4e-5]);
    let can = can.surface(Cylinder::new(0.02, 0.04).unwrap()).position([0.05, 0.0, -0.02]);
    b.body(can.velocity([-0.8, 0.5, 0.6]).angular_velocity([-9.0, 15.0, 10.0]));
    for (one, other) in [("egg", "shell"), ("can", "shell"), ("egg", "can")] {
        let rule = ContactRule::between(one, other).normal_arc(Arc::clone(normal));
        b.contact(rule.friction_arc(Arc::clone(friction)));
    }
    b.build().unwrap()
}

/// Laws for bodies of this size.
fn for_machines() -> Vec<Arc<dyn Normal>> {
    let (k, r, v) = (1e8, 0.02, 1.0);
    let touch = Touch::point(k, v, 0.1);
    let pressure = Thornton::yield_pressure(1.0).unwrap().stiffness(k).radius(r);
    let pressure = (0.25 * v / pressure.yield_speed(&touch)).powf(0.4);
    vec![
        Arc::new(Thornton::yield_pressure(pressure).unwrap().stiffness(k).radius(r)),
        Arc::new(Stronge::yield_pressure(pressure).unwrap().stiffness(k).radius(r)),
        Arc::new(Hertz::new().stiffness(k)),
        Arc::new(HuntCrossley::damping(0.2).unwrap().stiffness(k)),
        Arc::new(Dmt::adhesion_energy(5.0).unwrap().stiffness(k).radius(r)),
    ]
}

/// Twenty elements at each of twenty-four points end where one at each does, and need a few times as many steps. (Every element's slip was searched by itself, and a point without a share of its contact knew nothing of adhesion, so that its friction limit was below zero and never left: such runs did not end.)
#[test]
fn machines_with_many_elements_end() {
    for (normal, i) in for_machines().iter().zip(0..) {
        let (method, elements) = if i == 4 { ("radau5", 5) } else { ("dop853", 20) };
        let run = |friction: Arc<dyn Friction>| {
            let model = machine(normal, &friction);
            let sim = Simulation::new(&model).duration(0.26).rtol(1e-10).method(method);
            let summary = sim.run().unwrap().summary;
            let what = format!("{} with {}: {summary}", friction.name(), normal.name());
            assert!(summary.audit_relative < 1e-10 && summary.touches > 20, "{what}");
            summary.stats.steps
        };
        let one = run(Arc::new(Mindlin::new(MU).unwrap().ratio(0.8).rescaled()));
        let many = run(Arc::new(MindlinDeresiewicz::new(MU).unwrap().ratio(0.8).elements(elements)));
        assert!(many < 5 * one, "{}: {many} steps, {one} with one element", normal.name());
    }
}

/// Two machines against programs of a few lines that take small steps of one length (leapfrog along the normal; 1200 springs of the method of dimensionality reduction, and one torsion spring):
/// a ball that may not roll is thrown askew at a plate it sticks to, under rings; a spinning ball dents a plate.
#[test]
fn machines_of_small_steps() {
    let rings: Arc<dyn Friction> = Arc::new(MawBarberFawcett::new(MU).unwrap().ratio(0.8).rings(200));
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = Body::new("ball").mass(MASS).surface(Sphere::new(R).unwrap()).dofs(&[Dof::X, Dof::Z]);
    b.body(ball.position([0.0, 0.0, R + 2e-6]).velocity([0.1, 0.0, -0.3]));
    b.body(Body::fixed("plate").surface(Plane));
    let sticky = Jkr::adhesion_energy(W).unwrap().stiffness(K).radius(R);
    b.contact(ContactRule::between("ball", "plate").normal(sticky).friction_arc(rings));
    let model = b.build().unwrap();
    let run = Simulation::new(&model).duration(8e-4).rtol(1e-11).run().unwrap();
    let v = run.end.body("ball").unwrap().velocity;
    assert!((v.x + 0.0824938).abs() < 1e-6 && (v.z - 0.2998401).abs() < 1e-6, "{v}");
    assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);

    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = Body::new("ball").mass(0.02).inertia([3e-7; 3]).surface(Sphere::new(0.01).unwrap());
    let ball = ball.dofs(&[Dof::Z, Dof::Rz]).position([0.0, 0.0, 0.01]).velocity([0.0, 0.0, -1.5]);
    b.body(ball.angular_velocity([0.0, 0.0, 120.0]));
    b.body(Body::fixed("plate").surface(Plane));
    let yields = Thornton::yield_pressure(1.5e9).unwrap().stiffness(1.5e10).radius(0.01);
    let rule = ContactRule::between("ball", "plate").normal(yields);
    b.contact(rule.spinning(Torsion::new(0.5).unwrap().ratio(0.9).radius(0.01)));
    let model = b.build().unwrap();
    let run = Simulation::new(&model).duration(2e-4).rtol(1e-11).run().unwrap();
    let ball = run.end.body("ball").unwrap();
    assert!((ball.velocity.z - 0.99632024).abs() < 1e-7, "{}", ball.velocity);
    assert!((ball.angular_velocity.z - 109.50157).abs() < 1e-4, "{}", ball.angular_velocity);
    assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
}
