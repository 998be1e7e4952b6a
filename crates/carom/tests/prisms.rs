//! Prisms that are flush, one on the other, on a table that is tilted by less than the angle of friction: under every friction law without a memory they neither walk aside nor turn, and slide no faster than the law's own slip.

use carom_testkit::{all_cases, one_in};
use std::sync::Arc;

use crate::laws::{friction_value, friction_with, with_memory};
use carom::geometry::surfaces::Polyhedron;
use carom::law::{Friction, friction};
use carom::prelude::*;
use carom_base::param::Allowed;

const G: f64 = 9.81;
/// The tilt of the table [rad]; friction holds up to 0.2.
const TILT: f64 = 0.05;

/// A hexagonal prism, 40 mm across its corners and 30 mm high.
fn prism(name: &str) -> Body {
    let corners: Vec<[f64; 3]> = (0..12)
        .map(|k| {
            let (sin, cos) = (f64::from(k) * std::f64::consts::FRAC_PI_3).sin_cos();
            [0.02 * cos, 0.02 * sin, if k < 6 { -0.015 } else { 0.015 }]
        })
        .collect();
    Body::new(name).mass(0.1).surface(Polyhedron::new(&corners).unwrap())
}

fn stack(friction: &Arc<dyn Friction>) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([G * TILT.sin(), 0.0, -G * TILT.cos()]);
    b.body(prism("low").position([0.0, 0.0, 0.015]));
    b.body(prism("high").position([0.0, 0.0, 0.045]));
    b.body(Body::fixed("table").surface(Plane));
    let law = HuntCrossley::damping(100.0).unwrap().stiffness(1e8);
    b.contact(ContactRule::between("*", "*").normal(law).friction_arc(Arc::clone(friction)));
    b.build().unwrap()
}

#[test]
fn a_flush_stack_neither_walks_nor_turns_under_any_law_without_memory() {
    let laws = friction::ALL.iter().filter(|entry| !friction_with(entry, &[]).remembers());
    for entry in one_in(5, laws.rev()) {
        let numbers = entry.entry.params.iter().filter(|p| !matches!(p.allowed, Allowed::OneOf(_)));
        let values: Vec<(&str, f64)> = numbers.map(|p| (p.name, friction_value(p.name))).collect();
        let law = friction_with(entry, &values);
        // (coulomb has no law of sticking: it chatters in small steps)
        let long = if all_cases() { 0.2 } else { 0.1 };
        let (time, rtol) = if entry.name() == "coulomb" { (2e-3, 1e-6) } else { (long, 1e-8) };
        let run = Simulation::new(&stack(&law)).duration(time).rtol(rtol).run();
        let run = run.unwrap_or_else(|e| panic!("{}: {e}", entry.name()));
        for name in ["low", "high"] {
            let body = run.end.body(name).unwrap();
            let (at, turn) = (body.position, body.orientation.scaled_axis());
            assert!(
                at.y.abs() < 1e-9 && turn.z.abs() < 1e-8 && turn.norm() < 1e-4,
                "{}: {at} {turn}",
                entry.name()
            );
            // no law lets it slip by more than its transition speed, 20 mm/s here
            assert!(body.velocity.x.abs() < 0.02 && at.x.abs() < 0.02 * time, "{}: {at}", entry.name());
        }
    }
}

/// Laws with memory: what bristles and contacts store and lose is accounted for, and no stack walks aside or turns.
#[test]
fn a_flush_stack_neither_walks_nor_turns_under_any_law_with_memory() {
    let values = [
        ("coefficient", 0.2),
        ("static_coefficient", 0.2),
        ("stribeck_speed", 0.01),
        ("dwell_time", 0.1),
        ("bristle_stiffness", 1e5),
        ("bristle_damping", 150.0),
        ("stiffness_ratio", 0.8),
    ];
    for entry in one_in(2, with_memory()) {
        let law = friction_with(entry, &values);
        // (partial slip of every contact point is an event)
        let time = if law.follows_depth() { 1e-3 } else { 1e-2 };
        let run = Simulation::new(&stack(&law)).duration(time).rtol(1e-10).run();
        let run = run.unwrap_or_else(|e| panic!("{}: {e}", entry.name()));
        assert!(run.summary.audit_relative < 1e-9, "{}: {}", entry.name(), run.summary);
        for name in ["low", "high"] {
            let body = run.end.body(name).unwrap();
            let (at, turn) = (body.position, body.orientation.scaled_axis());
            assert!(at.y.abs() < 1e-9 && turn.z.abs() < 1e-8, "{}: {at} {turn}", entry.name());
            assert!(body.velocity.x.abs() < 0.02 && turn.norm() < 1e-4, "{}: {at} {turn}", entry.name());
        }
    }
}
