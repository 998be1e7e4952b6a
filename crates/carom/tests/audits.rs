//! What the audits tell, and when they warn.

use crate::common::near;
use carom::prelude::*;
use carom::{Ligament, Run, Warning};

/// A body of 1 kg on a spring of k = ω², pulled out by `a`; natural length 1 m. With the size of the ball on it [m].
fn oscillator(omega: f64, a: f64) -> ModelBuilder {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::fixed("wall").position([-2.0, 0.0, 0.0]));
    let ball = Body::new("ball").mass(1.0).surface(Sphere::new(1.0).unwrap()).position([a, 0.0, 0.0]);
    b.body(ball);
    b.force(Force::between("ball", "wall", SpringDamper::new(omega * omega, 2.0).unwrap()));
    b
}

fn warned(run: &Run, which: fn(&Warning) -> bool) -> bool {
    run.summary.warnings.iter().any(|w| which(&w.warning))
}

fn verlet(model: &Model, step: f64, duration: f64) -> (Run, Recording) {
    let mut recording = Recording::default();
    let sim = Simulation::new(model).method("verlet").step(step).duration(duration).output(Output::Steps);
    (sim.run_into(&mut recording).unwrap(), recording)
}

/// Verlet's energy swings with the motion, and is back after a period: what is told is the largest, not the last.
#[test]
fn the_largest_audit_is_told() {
    let period = 1.0;
    let model = oscillator(std::f64::consts::TAU / period, 0.3).build().unwrap();
    let (run, recording) = verlet(&model, 0.005, period);
    let largest = recording.frames.iter().map(|f| f.energy.audit.abs()).fold(0.0, f64::max);
    let s = &run.summary;
    // (looked at once in so many evaluations, whatever is recorded)
    assert!(s.audit.energy <= largest && s.audit.energy > 0.99 * largest, "{s}, {largest:e}");
    assert!(largest > 20.0 * s.energy.audit.abs(), "{s}");
    let scale = recording.frames.iter().map(|f| f.energy.kinetic + f.energy.stored()).fold(0.0, f64::max);
    assert!((s.audit_relative - s.audit.energy / scale).abs() < 1e-2 * s.audit_relative, "{s}");
}

/// x1 is off by h³ ẍ'/6 in a step of Verlet, v1 by h³ v'''/12: with x = a cos ωt, at most a h³ ω³/6 and a h³ ω⁴/12.
#[test]
fn given_steps_estimate_their_error() {
    let (omega, a) = (5.0f64, 0.3);
    let model = oscillator(omega, a).build().unwrap();
    let scale = model.scale();
    let mut last = f64::NAN;
    for h in [0.01f64, 0.005, 0.0025] {
        let (run, _) = verlet(&model, h, 3.0);
        let e = run.summary.audit.estimate.unwrap();
        // against the scales and the values there: no less than half and no more than all of the bounds
        let x = a * (h * omega).powi(3) / 6.0 / scale.length;
        let v = a * omega * (h * omega).powi(3) / 12.0 / scale.speed;
        assert!(e.step < 1.1 * x.max(v) && e.step > 0.3 * x.max(v), "{h}: {e:?}, {x:e}, {v:e}");
        if last.is_finite() {
            assert!((last / e.step).log2() > 2.8 && (last / e.step).log2() < 3.2, "{last:e} {e:?}");
        }
        last = e.step;
        let s = &run.summary;
        // (the energy swings: what it swings by, all steps together show)
        assert!(s.audit_relative < 10.0 * e.energy && e.energy < 10.0 * s.audit_relative, "{s}");
        assert!(s.warnings.is_empty(), "{s}");
        assert!(s.audit.momentum_relative < 1e-13, "{s}");
    }
    // methods that choose their steps have no such thing
    assert_eq!(Simulation::new(&model).duration(1.0).run().unwrap().summary.audit.estimate, None);
}

/// Steps of a sixth of a period are too long, and say so.
#[test]
fn coarse_steps_warn() {
    let model = oscillator(5.0, 0.3).build().unwrap();
    let (run, _) = verlet(&model, 0.2, 10.0);
    assert!(warned(&run, |w| matches!(w, Warning::CoarseSteps { .. })), "{}", run.summary);
}

/// Impacts with given steps: the audit is within what the steps show.
#[test]
fn impacts_in_given_steps() {
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.07]).surface(Sphere::new(0.02).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e7)));
    let model = b.build().unwrap();
    for h in [1e-4, 1e-5] {
        let (run, _) = verlet(&model, h, 0.5);
        assert!(run.summary.touches > 1);
        assert!(run.summary.warnings.is_empty(), "{h}: {}", run.summary);
    }
}

/// 10 nm of a ball of 1 m: at the default tolerance errors are as large, which is said; on a scale of its own the motion is right.
#[test]
fn small_motions_are_judged_on_their_own_scale() {
    let (omega, a, t) = (5.0f64, 1e-8, 2.0);
    let run = |b: &ModelBuilder| {
        let model = b.build().unwrap();
        Simulation::new(&model).duration(t).run().unwrap()
    };
    let small = |w: &Warning| matches!(w, Warning::SmallMotion { .. });
    let mut b = oscillator(omega, a);
    let coarse = run(&b);
    assert!(warned(&coarse, small), "{}", coarse.summary);
    assert!((coarse.summary.resolution.length - 1e-8).abs() < 1e-20, "{:?}", coarse.summary.resolution);
    b.length_scale(a).speed_scale(a * omega);
    let fine = run(&b);
    assert!(!warned(&fine, small), "{}", fine.summary);
    let x = fine.end.body("ball").unwrap().position.x;
    assert!((x - a * (omega * t).cos()).abs() < 1e-5 * a, "{x:e}");
    // a motion of ordinary size, and none at all, are no reason to warn
    for a in [0.1, 0.0] {
        let run = run(&oscillator(omega, a));
        assert!(run.summary.warnings.is_empty(), "{}", run.summary);
    }
}

/// A potential energy that is large only because the origin is far does not hide an audit, nor does its rounding make one.
#[test]
fn the_origin_does_not_matter() {
    let bounce = |height: f64| {
        let mut b = ModelBuilder::new();
        let ball = Body::new("ball").mass(0.1).position([0.0, 0.0, height + 0.07]);
        b.body(ball.surface(Sphere::new(0.02).unwrap()));
        b.body(Body::fixed("floor").position([0.0, 0.0, height]).surface(Plane));
        b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e7)));
        let model = b.build().unwrap();
        Simulation::new(&model).rtol(1e-6).atol(1e-6).duration(1.0).run().unwrap().summary
    };
    let [near, far] = [0.0, 1e3].map(bounce);
    assert!(near.audit_relative > 1e-10, "{near}");
    let ratio = far.audit_relative / near.audit_relative;
    assert!(ratio > 0.1 && ratio < 10.0, "{near}\n{far}");
    assert!(far.warnings.is_empty() && near.warnings.is_empty(), "{near}\n{far}");
}

/// A mechanism that cannot move stands still up to rounding: an energy of 1e-30 J whose ledger does not close is nothing to warn of.
#[test]
fn what_is_locked_has_no_audit_to_warn_of() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let body = |name: &str, at: [f64; 3]| Body::new(name).mass(0.1).inertia([2e-5, 3e-5, 4e-5]).position(at);
    let a = body("a", [-0.0215, -0.01438, -0.017927]).velocity([0.3, -0.1, 0.2]);
    b.body(a.orientation(Quat::from_euler_angles(1.1, -0.4, 2.2)).angular_velocity([3.0, -5.0, 2.0]));
    let other = body("b", [0.03, 0.04, 0.05]).velocity([-0.2, 0.4, 0.1]);
    b.body(other.orientation(Quat::from_euler_angles(0.1, 0.7, -1.3)).angular_velocity([1.0, 2.0, -6.0]));
    b.body(Body::fixed("ground"));
    let rail = Joint::between("a", "ground", Prismatic).named("rail").axis([0.54, -0.96, -0.117]);
    b.joint(rail.at([-0.02, -0.014, -0.018]));
    b.joint(Joint::between("b", "a", carom::Fixed).at([0.01, 0.02, 0.03]));
    b.joint(Joint::between("b", "ground", Revolute).at([-0.0044, 0.0258, 0.0855]).axis([0.28, -0.38, 0.069]));
    b.force(Force::slide("rail", CoordinateSpring::new(1.506).unwrap().damping(0.039)));
    // a load does work by rounding as well
    for torque in [0.0, 0.05] {
        b.force(Force::torque("a", "ground", [torque, -torque, torque]).named(&format!("load of {torque}")));
        let model = b.build().unwrap();
        let run = Simulation::new(&model).duration(0.1).rtol(1e-9).run().unwrap();
        assert!(run.summary.energy_start < 1e-25, "{}", run.summary.energy_start);
        assert!(!warned(&run, |w| matches!(w, Warning::LargeAudit { .. })), "{torque}: {}", run.summary);
    }
}

/// A damped ligament that recoils faster than its tension can follow lets go: the mass flies freely, and all that is stored is
/// dissipated meanwhile. The motion says nothing of how exact that integral is, and every method has it to its tolerance.
#[test]
fn what_is_lost_without_a_force_is_held_to_the_tolerance() {
    let (slack, toe, stiffness) = (1.0, 0.2, 100.0);
    let fibre = Ligament::new(stiffness, slack).unwrap().toe_strain(toe).damping(50.0);
    // two thirds of k ε³/(8 ε_l) lie in the toe; here ε = 0.3 is within it
    let stored = stiffness * slack * 0.3f64.powi(3) / (12.0 * toe);
    for method in ["dop853", "ode45", "tsit5", "ode113", "radau5", "ode15s", "ode15s-bdf", "auto"] {
        let mut b = ModelBuilder::new();
        let mass = Body::new("mass").mass(2.0).inertia([1.0; 3]).position([1.3, 0.0, 0.0]);
        b.body(mass.velocity([-6.0, 0.5, 0.3])).body(Body::fixed("anchor"));
        b.force(Force::between("mass", "anchor", fibre));
        let run =
            Simulation::new(&b.build().unwrap()).duration(0.1).rtol(1e-11).method(method).run().unwrap();
        near(method, run.summary.energy.dissipated_viscous, stored, 1e-9);
        assert!(run.summary.audit_relative < 2e-11, "{method}: {}", run.summary);
    }
}
