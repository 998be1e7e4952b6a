//! Contacts of bodies that deform: none is missed, by any method, and every law acts.

use std::ops::ControlFlow;
use std::sync::Arc;

use carom::base::param::{Param, Presence};
use carom::base::{Args, Value};
use carom::law::elastic::{Elastic, MooneyRivlin};
use carom::law::{friction, normal, resistance};
use carom::ode::methods;
use carom::prelude::*;

use crate::laws::friction_with;

/// Rubber of c10 = c [Pa] and viscosity μ [Pa s].
fn rubber(c: f64, mu: f64) -> Elastic {
    Elastic::new(MooneyRivlin::new(c, 0.0).unwrap()).viscosity(mu)
}

fn on_floor() -> ContactRule {
    ContactRule::between("ball", "floor")
}

/// Soft balls thrown at a floor and at a ball, at any speed and tolerance, by every method: every touch is there, at its time, and every release
/// that follows; nothing passes through.
#[test]
fn nothing_is_missed() {
    let r = 0.05f64;
    for speed in [0.3f64, 3.0, 30.0] {
        for at_ball in [false, true] {
            // stiff enough that a throw at that speed flattens it by a part
            let c = 2e4 * (speed * speed / 9.0).max(1.0);
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]);
            let ball = Body::affine("ball", rubber(c, 0.0)).density(1000.0).position([0.0, 0.0, 1.0]);
            b.body(ball.velocity([0.0, 0.0, -speed]).surface(Sphere::new(r).unwrap()));
            let gap = if at_ball {
                b.body(Body::fixed("floor").surface(Sphere::new(0.03).unwrap()));
                1.0 - r - 0.03
            } else {
                b.body(Body::fixed("floor").surface(Plane));
                1.0 - r
            };
            b.contact(on_floor().normal(Hertz::new().stiffness(3.0 * c)));
            let model = b.build().unwrap();
            for method in methods::ALL {
                for rtol in [1e-2, 1e-4, 1e-7] {
                    if !method.is_adaptive() && rtol != 1e-2 {
                        continue;
                    }
                    let what =
                        format!("{} at {speed} m/s, rtol {rtol:e}, at a ball: {at_ball}", method.name());
                    let mut recording = Recording::default();
                    let mut sim =
                        Simulation::new(&model).method(method.name()).rtol(rtol).duration(1.5 / speed);
                    if !method.is_adaptive() {
                        sim = sim.step(1e-3 / speed);
                    }
                    let run = sim.output(Output::Steps).run_into(&mut recording);
                    let run = run.unwrap_or_else(|e| panic!("{what}: {e}"));
                    let first = &recording.events[0];
                    assert!(first.kind == EventKind::Touch, "{what}: {first:?}");
                    let due = gap / speed;
                    assert!(
                        (first.t / due - 1.0).abs() < 1e-9,
                        "{what}: touch at {} instead of {due}",
                        first.t
                    );
                    let kinds: Vec<_> = recording.events.iter().map(|e| e.kind).collect();
                    assert!(kinds.len() % 2 == 0, "{what}: {kinds:?}");
                    let paired = kinds.chunks(2).all(|two| two == [EventKind::Touch, EventKind::Release]);
                    assert!(paired, "{what}: {kinds:?}");
                    for frame in &recording.frames {
                        assert!(frame.bodies[0].position.z > 0.0, "{what}: through it at {}", frame.t);
                    }
                    let end = run.end.body("ball").unwrap();
                    assert!(end.velocity.z > 0.2 * speed, "{what}: {}", end.velocity.z);
                }
            }
        }
    }
}

/// A soft ball thrown along the floor.
fn thrown(rule: ContactRule) -> Model {
    let mut b = ModelBuilder::new();
    let ball = Body::affine("ball", rubber(1e4, 5.0)).density(1000.0).position([0.0, 0.0, 0.06]);
    let ball = ball.velocity([0.5, 0.1, -0.5]).angular_velocity([1.0, 4.0, 3.0]);
    b.body(ball.surface(Sphere::new(0.05).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(rule);
    b.build().unwrap()
}

/// Stops a run after so many steps.
struct Patience(usize);

impl Sink for Patience {
    fn progress(&mut self, _: f64) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Slip that ends under a law that jumps: the direction of slip of a soft ball turns, so that no step passes through the jump; the run ends all the same, by its name, in some ten thousand steps.
fn jumps_are_named(rule: ContactRule) {
    let model = thrown(rule);
    for method in ["dop853", "radau5"] {
        let sim = Simulation::new(&model).duration(0.05).method(method).rtol(1e-9).atol(1e-9);
        let e = sim.run_into(&mut Patience(100_000)).unwrap_err();
        let said = e.to_string();
        assert!(said.contains("get nowhere") && said.contains("ball"), "{method}: {said}");
    }
}

/// Every normal law, every friction law, with memory and without, and every resistance to rolling and spinning, on a soft ball thrown along
/// the floor: runs, and the ledger closes. With memories and couples implicit methods take differences.
#[test]
fn every_law_acts() {
    let run = |what: &str, method: &str, rule: ContactRule| {
        let model = thrown(rule);
        let sim = Simulation::new(&model).duration(0.05).method(method).rtol(1e-9).atol(1e-9);
        let run = sim.run().unwrap_or_else(|e| panic!("{what}, {method}: {e}"));
        let s = &run.summary;
        println!("{what}, {method}: audit {:.1e}, {} steps", s.audit_relative, s.stats.steps);
        assert!(s.touches > 0 && s.audit_relative < 1e-9, "{what}, {method}: {s}");
        s.audit_relative
    };
    let value = |p: &Param| match p.name {
        "stiffness" => Value::Number(2e4),
        "damping" | "restitution" => Value::Number(0.6),
        "exponent" => Value::Number(1.5),
        "foundation_modulus" => Value::Number(1e6),
        "depth" => Value::Number(0.05),
        "radius" => Value::Number(0.05),
        "coefficient" => Value::Number(0.3),
        "static_coefficient" => Value::Number(0.4),
        "bristle_stiffness" => Value::Number(1e3),
        "stribeck_speed" | "v0" => Value::Number(0.01),
        "v1" => Value::Number(0.02),
        _ => Value::Number(0.5),
    };
    let args = |params: &[Param]| {
        let required = params.iter().filter(|p| p.presence == Presence::Required || p.name == "stiffness");
        required.fold(Args::new(), |args, p| args.with(p.name, value(p)))
    };
    let hertz = || on_floor().normal(HuntCrossley::damping(0.2).unwrap().stiffness(2e4));
    let mut worst = 0.0f64;
    for e in normal::ALL.iter().filter(|e| !e.is_pressure()) {
        let restitution = args(e.entry.params).with("restitution", Value::Number(0.6));
        let Ok(law) = e.make(&args(e.entry.params)).or_else(|_| e.make(&restitution)) else { continue };
        worst = worst.max(run(e.name(), "dop853", on_floor().normal_arc(law)));
    }
    for e in friction::ALL {
        let law = friction_with(e, &[("coefficient", 0.3)]);
        let law = if law.follows_depth() { law } else { e.make(&args(e.entry.params)).unwrap() };
        // its force jumps where slip ends, and the ball rolls soon: that is said, and soon
        if e.name() == "coulomb" {
            jumps_are_named(hertz().friction_arc(Arc::clone(&law)));
            continue;
        }
        for method in ["dop853", "radau5"] {
            worst = worst.max(run(e.name(), method, hertz().friction_arc(Arc::clone(&law))));
        }
    }
    for (i, all) in [resistance::ROLLING, resistance::SPINNING].into_iter().enumerate() {
        for e in all {
            // (the ball has no material)
            let mut args = args(e.entry.params);
            if e.entry.params.iter().any(|p| p.name == "stiffness_ratio") {
                args.set("stiffness_ratio", Value::Number(0.8));
            }
            let law = e.make(&args).unwrap();
            let rule = hertz().friction(Tanh::new(0.3, 20.0).unwrap());
            let rule = if i == 0 { rule.rolling_arc(law) } else { rule.spinning_arc(law) };
            for method in ["dop853", "radau5"] {
                worst = worst.max(run(e.name(), method, rule.clone()));
            }
        }
    }
    println!("worst audit {worst:.1e}");
}
