//! Points of a contact that touch and leave together do so once: what touches closes, what has left does not touch before it comes back.

use std::collections::HashMap;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use crate::laws::{dashpots_with, param};
use carom::law::Normal;
use carom::law::normal;
use carom::ode::methods;
use carom::prelude::*;

/// Touches close, and every point touches and leaves in turns, no sooner again than a hop takes.
fn in_order(events: &[Event], what: &str) {
    let mut last: HashMap<(&str, &str), &Event> = HashMap::new();
    for e in events {
        let before = last.insert((&e.contact, &e.feature), e);
        assert_eq!(
            e.kind == EventKind::Touch,
            before.is_none_or(|b| b.kind == EventKind::Release),
            "{what}: {e:?}"
        );
        assert!(e.speed >= 0.0, "{what}: {e:?} after {before:?}");
        if let (EventKind::Touch, Some(before)) = (e.kind, before) {
            assert!(e.t - before.t > 1e-9 || before.speed < 1e-7, "{what}: {e:?} at once after {before:?}");
        }
    }
}

fn lying() -> Quat {
    Quat::from_axis_angle(&Vec3::x_axis(), FRAC_PI_2)
}

/// A body above a fixed one, or in it.
fn drops() -> Vec<(&'static str, Body, Body)> {
    let cylinder = || SurfaceSpec::new(Cylinder::new(0.03, 0.1).unwrap());
    let capsule = || Capsule::new(0.02, 0.08).unwrap();
    let cuboid = || Cuboid::new([0.06, 0.05, 0.04]).unwrap();
    let tub = || SurfaceSpec::new(Cylinder::new(0.031, 0.12).unwrap()).inside();
    let part = |z: f64| Body::new("part").density(1000.0).position([0.0, 0.0, z]);
    let floor = || Body::fixed("floor");
    vec![
        (
            "a cylinder lies on a plane",
            floor().surface(Plane),
            part(0.06).orientation(lying()).surface(cylinder()),
        ),
        ("a cylinder stands on a plane", floor().surface(Plane), part(0.08).surface(cylinder())),
        ("a capsule on a plane", floor().surface(Plane), part(0.05).orientation(lying()).surface(capsule())),
        ("a box on a plane", floor().surface(Plane), part(0.06).surface(cuboid())),
        (
            "a box on a box",
            floor().surface(Cuboid::new([0.2, 0.2, 0.04]).unwrap()),
            part(0.07).surface(cuboid()),
        ),
        (
            "parallel cylinders",
            floor().orientation(lying()).surface(cylinder()),
            part(0.09).orientation(lying()).surface(cylinder()),
        ),
        (
            "a journal",
            floor().orientation(lying()).surface(tub()),
            part(0.0).orientation(lying()).surface(cylinder()),
        ),
    ]
}

#[test]
fn points_that_leave_together_leave_once() {
    let adaptive: Vec<_> = methods::ALL.iter().filter(|m| m.is_adaptive()).collect();
    let mut runs = 0;
    for (what, floor, part) in drops() {
        for (restitution, stiffness) in
            [(0.05, 1e7), (0.3, 1e5), (0.3, 1e9), (0.7, 1e7), (0.9, 1e5), (1.0, 1e9)]
        {
            // one method and tolerance after the other: every pair meets several
            let method = adaptive[runs % adaptive.len()].name();
            let rtol = [1e-8, 1e-5, 1e-10][runs % 3];
            runs += 1;
            let what = format!(
                "{what}, {method}, rtol {rtol:e}, restitution {restitution}, stiffness {stiffness:e}"
            );
            let mut b = ModelBuilder::new();
            b.gravity([0.0, 0.0, -9.81]);
            b.body(floor.clone());
            b.body(part.clone());
            let law = HuntCrossley::restitution(restitution).unwrap().stiffness(stiffness);
            b.contact(ContactRule::between("floor", "part").normal(law));
            let model = b.build().unwrap();
            let mut r = Recording::default();
            let run = Simulation::new(&model).duration(0.3).method(method).rtol(rtol).run_into(&mut r);
            let run = run.unwrap_or_else(|e| panic!("{what}: {e}"));
            in_order(&r.events, &what);
            assert!(
                run.summary.contacts > 0 && run.summary.touches < 400,
                "{what}: {} touches",
                run.summary.touches
            );
        }
    }
}

/// Laws whose dashpot pulls until the surfaces part, and one that ends at zero force beside them.
fn pulling() -> Vec<(String, Arc<dyn Normal>)> {
    let ends_in_two_ways = |name: &str| param(normal::find(name).unwrap(), "exit").is_some();
    let all = dashpots_with(0.5, [100.0, 1e-5], [5e6, 5e9]);
    all.into_iter().filter(|(name, _)| name.ends_with("pulls") || !ends_in_two_ways(name)).collect()
}

/// Close to a release the way that is left may be less than positions are rounded to; steps towards it that are shorter still would leave the ball where it is, for good. All methods let
/// go, in few steps, and with a linear law at the speed of the closed form, half of that before.
#[test]
fn dashpots_that_pull_let_go() {
    let adaptive: Vec<_> = methods::ALL.iter().filter(|m| m.is_adaptive()).map(|m| m.name()).collect();
    for ((name, law), method) in pulling().iter().flat_map(|law| adaptive.iter().map(move |m| (law, *m))) {
        for (low, speed) in [(0.0, 0.14), (0.08271, 0.01), (1.0, 0.14), (1.0, 0.01), (30.0, 0.3)] {
            let what = format!("{name}, {method}, {low} m, {speed} m/s");
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]);
            let ball = Body::new("ball").mass(0.05).position([0.0, 0.0, 0.0272 + 0.015 * speed - low]);
            b.body(ball.velocity([0.0, 0.0, -speed]).surface(Sphere::new(0.0272).unwrap()));
            b.body(Body::fixed("floor").position([0.0, 0.0, -low]).surface(Plane));
            b.contact(ContactRule::between("ball", "floor").normal_arc(Arc::clone(law)));
            let model = b.build().unwrap();
            let mut r = Recording::default();
            let sim = Simulation::new(&model).method(method).rtol(4e-9).duration(0.03);
            let run = sim.run_into(&mut r).unwrap_or_else(|e| panic!("{what}: {e}"));
            in_order(&r.events, &what);
            let [_, release] = &r.events[..] else { panic!("{what}: {:?}", r.events) };
            assert!(run.summary.stats.steps < 3000, "{what}: {}", run.summary);
            if name.starts_with("kelvin-voigt") {
                assert!((release.speed / speed - 0.5).abs() < 1e-5, "{what}: {}", release.speed);
            }
        }
    }
}
