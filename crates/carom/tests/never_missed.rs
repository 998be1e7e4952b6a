//! No contact is missed, none stalls the run, and nothing tunnels.

use crate::common::close;
use carom::prelude::*;

/// A small generator of numbers, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    /// between lo and hi, evenly in the logarithm
    fn log(&mut self, lo: f64, hi: f64) -> f64 {
        (lo.ln() + self.roll() * (hi / lo).ln()).exp()
    }
    fn flip(&mut self) -> bool {
        self.roll() < 0.5
    }
}

/// A thousand drops of an elastic ball: it must touch the floor every time it comes down, and never pass it.
#[test]
fn a_thousand_random_drops() {
    let mut dice = Dice(0x9e3779b97f4a7c15);
    for trial in 0..1000 {
        let (radius, height) = (dice.log(1e-3, 1.0), dice.log(1e-6, 10.0));
        let (k, mass) = (dice.log(1e4, 1e12), dice.log(1e-6, 1e3));
        let up = if dice.flip() { 0.0 } else { (dice.roll() - 0.5) * 4.0 };
        let sideways = if dice.flip() { 0.0 } else { dice.roll() * 10.0 };
        let rtol = dice.log(1e-12, 1e-3);
        let locate = dice.flip();
        let method = if dice.flip() { "dop853" } else { "ode45" };
        let describe = format!(
            "trial {trial}: r {radius:.2e} h {height:.2e} k {k:.1e} m {mass:.1e} v {up} {sideways} rtol {rtol:.0e} {method} located {locate}"
        );
        let mut b = ModelBuilder::new();
        let ball = Body::new("ball").mass(mass).surface(Sphere::new(radius).unwrap());
        b.body(ball.position([0.0, 0.0, radius + height]).velocity([sideways, 0.0, up]));
        b.body(Body::fixed("floor").surface(Plane));
        b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(k)));
        let model = b.build().unwrap();
        // time of first touch, of a contact under gravity (not longer than this), of a bounce
        let v = (up * up + 2.0 * 9.81 * height).sqrt();
        let fall = (up + v) / 9.81;
        let contact = 3.3 * (mass * mass / (k * k * v)).powf(0.2).max(0.0);
        let duration = fall + 3.0 * (contact + 2.0 * v / 9.81);
        let mut r = Recording::default();
        let sim = Simulation::new(&model).method(method).rtol(rtol).locate_contacts(locate);
        let run = sim.duration(duration).output(Output::Steps).run_into(&mut r);
        let run = run.unwrap_or_else(|e| panic!("{describe}: {e}"));
        let touches: Vec<&Event> = r.events.iter().filter(|e| e.kind == EventKind::Touch).collect();
        assert!(!touches.is_empty(), "{describe}: no touch");
        if locate {
            let early = (touches[0].t - fall).abs() / fall;
            assert!(early < 1e-9, "{describe}: touch at {} instead of {fall}", touches[0].t);
        }
        // deeper than twice what the energy allows is through the floor
        let deepest = (2.5 * mass * (0.5 * v * v) / k).powf(0.4) + 3.0 * (mass * 9.81 / k).powf(2.0 / 3.0);
        for f in &r.frames {
            let depth = radius - f.bodies[0].position.z;
            assert!(depth < 2.0 * deepest, "{describe}: {depth:e} deep at {}, {deepest:e} allowed", f.t);
        }
        // a drop so low that the weight alone keeps the ball down bounces differently
        let heavy = (mass * 9.81 / k).powf(2.0 / 3.0) > 0.05 * deepest;
        if rtol < 1e-6 && locate && !heavy {
            assert!(
                run.summary.audit_relative < 1e4 * rtol,
                "{describe}: audit {}",
                run.summary.audit_relative
            );
            assert!((3..=4).contains(&touches.len()), "{describe}: {} touches", touches.len());
        }
    }
}

/// A damped ball comes to rest at the depth its weight asks for.
#[test]
fn a_damped_ball_comes_to_rest() {
    for (name, restitution) in [("LN", Some(0.5)), ("HC constant", None)] {
        let (mass, k) = (0.1, 1e6);
        let mut b = ModelBuilder::new();
        b.body(Body::new("ball").mass(mass).position([0.0, 0.0, 0.05]).surface(Sphere::new(0.02).unwrap()));
        b.body(Body::fixed("floor").surface(Plane));
        let rule = ContactRule::between("ball", "floor");
        b.contact(match restitution {
            Some(c) => rule.normal(LankaraniNikravesh::restitution(c).unwrap().stiffness(k)),
            None => rule.normal(HuntCrossley::damping(5.0).unwrap().stiffness(k)),
        });
        let run = Simulation::new(&b.build().unwrap()).duration(20.0).run().unwrap();
        let end = run.end.body("ball").unwrap();
        assert!(end.velocity.norm() < 1e-6, "{name}: {:e}", end.velocity.norm());
        close(name, 0.02 - end.position.z, (mass * 9.81 / k).powf(2.0 / 3.0), 1e-4);
        assert!(run.summary.stats.evaluations < 400_000, "{name}: {}", run.summary);
        assert!(run.summary.audit_relative < 1e-6, "{name}: {}", run.summary);
    }
}

/// A box dropped on a corner settles on four corners.
#[test]
fn a_box_settles_on_four_corners() {
    let (mass, k) = (0.5, 1e6);
    let mut b = ModelBuilder::new();
    let tilt = Quat::from_euler_angles(0.5, 0.4, 0.3);
    let box_ = Body::new("box").mass(mass).surface(Cuboid::new([0.1, 0.08, 0.06]).unwrap());
    b.body(box_.position([0.0, 0.0, 0.12]).orientation(tilt));
    b.body(Body::fixed("floor").surface(Plane));
    let law = HuntCrossley::damping(5.0).unwrap().stiffness(k);
    b.contact(ContactRule::between("box", "floor").normal(law).friction(Tanh::new(0.3, 100.0).unwrap()));
    let run = Simulation::new(&b.build().unwrap()).duration(6.0).rtol(1e-7).run().unwrap();
    let contacts = &run.end.frame.contacts;
    assert_eq!(contacts.len(), 4, "{contacts:?}");
    let load: f64 = contacts.iter().map(|c| c.f_n).sum();
    close("load", load, mass * 9.81, 1e-3);
    let end = run.end.body("box").unwrap();
    assert!(end.velocity.norm() < 1e-3 && end.angular_velocity.norm() < 1e-2, "{end:?}");
    assert!(run.summary.stats.evaluations < 2_000_000, "{}", run.summary);
    assert!(run.summary.audit_relative < 1e-5, "{}", run.summary);
}

/// A rack of 15 balls with no gaps, hit by a sixteenth.
#[test]
fn a_rack_without_gaps_is_broken() {
    let (diameter, mass, k) = (0.05715, 0.17, 526200160.0575186);
    for (rtol, locate) in [(1e-4, true), (1e-8, true), (1e-12, true), (1e-8, false)] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ball = |name: &str, x: f64, y: f64| {
            Body::new(name).mass(mass).position([x, y, 0.0]).surface(Sphere::new(diameter / 2.0).unwrap())
        };
        b.body(ball("cue", -0.2, 0.001).velocity([5.0, 0.0, 0.0]));
        for row in 0..5 {
            for j in 0..=row {
                let (x, y) =
                    (f64::from(row) * diameter * 3f64.sqrt() / 2.0, f64::from(j) - 0.5 * f64::from(row));
                b.body(ball(&format!("ball{row}{j}"), x, y * diameter));
            }
        }
        b.contact(ContactRule::between("*", "*").normal(Hertz::new().stiffness(k)));
        let model = b.build().unwrap();
        let mut r = Recording::default();
        let sim = Simulation::new(&model).duration(0.3).rtol(rtol).locate_contacts(locate);
        let run = sim.output_every(0.01).run_into(&mut r).unwrap();
        let s = &run.summary;
        assert!(s.stats.evaluations < 500_000, "{s}");
        assert!(s.audit_relative < 1e3 * rtol, "{s}");
        for f in &r.frames {
            let p: Vec3 = f.bodies.iter().map(|b| b.velocity * mass).sum();
            assert!((p - Vec3::new(0.85, 0.0, 0.0)).norm() < 1e-12 * 0.85, "momentum at {}: {p:?}", f.t);
            for (i, a) in f.bodies.iter().enumerate() {
                for b in &f.bodies[..i] {
                    let gap = (a.position - b.position).norm() - diameter;
                    assert!(gap > -1e-3, "balls overlap by {} at {}", -gap, f.t);
                }
            }
        }
        // every ball of the rack has been set in motion
        assert!(run.end.frame.bodies.iter().skip(1).all(|b| b.velocity.norm() > 1e-3));
    }
}

/// Balls flying past a spinning box: whichever is named first, the first touch is the same.
#[test]
fn fly_bys_of_a_spinning_box() {
    let mut dice = Dice(0x2545f4914f6cdd1d);
    let mut touched = 0;
    for trial in 0..400 {
        let spin = [dice.roll() - 0.5, dice.roll() - 0.5, dice.roll()].map(|x| 8.0 * x);
        let (far, aside, v) = (5.0 + 10.0 * dice.roll(), 3.0 * (dice.roll() - 0.5), dice.log(1.0, 20.0));
        let rtol = dice.log(1e-10, 1e-4);
        let first_touch = |a: &str, b: &str, max_step: f64| {
            let mut m = ModelBuilder::new();
            m.gravity([0.0; 3]);
            let slab = Body::new("box").mass(1.0).surface(Cuboid::new([2.0, 1.0, 1.0]).unwrap());
            m.body(slab.angular_velocity(spin));
            let ball = Body::new("ball").mass(1e-3).surface(Sphere::new(0.1).unwrap());
            m.body(ball.position([-far, aside, 0.0]).velocity([v, 0.0, 0.0]));
            m.contact(ContactRule::between(a, b).normal(Hertz::new().stiffness(1e6)));
            let mut r = Recording::default();
            let model = m.build().unwrap();
            let sim = Simulation::new(&model).duration((far + 2.0) / v).rtol(rtol).max_step(max_step);
            sim.run_into(&mut r).unwrap();
            r.events.first().map(|e| e.t)
        };
        let (one, other) =
            (first_touch("box", "ball", f64::INFINITY), first_touch("ball", "box", f64::INFINITY));
        // steps so short that little can hide in one
        let fine = first_touch("box", "ball", 0.02 / v);
        let same = |x: Option<f64>| match (x, fine) {
            (Some(x), Some(fine)) => (x - fine).abs() < 1e-3 / v,
            (None, None) => true,
            _ => false,
        };
        assert!(same(one) && same(other), "trial {trial}, rtol {rtol:e}: {one:?}, {other:?}, {fine:?}");
        touched += usize::from(fine.is_some());
    }
    assert!(touched > 100, "{touched}");
}

/// A ball creeping towards a paddle that turns three thousand times faster than the ball moves: the first touch is with
/// the corner, when the ball has come to where the corner reaches.
#[test]
fn a_slow_ball_and_a_fast_paddle() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = Body::new("ball").mass(1.0).surface(Sphere::new(0.02).unwrap());
    b.body(ball.position([0.3, 0.0, 0.0]).velocity([-1e-3, 0.0, 0.0]));
    let axis = nalgebra::Unit::new_unchecked(Vec3::z());
    let paddle = Body::prescribed("paddle", Spin { axis, rate: 3000.0 });
    b.body(paddle.surface(Cuboid::new([0.4, 0.02, 0.1]).unwrap()));
    b.contact(ContactRule::between("ball", "paddle").normal(Hertz::new().stiffness(1e9)));
    let mut r = Recording::default();
    let model = b.build().unwrap();
    Simulation::new(&model).duration(80.0).run_into(&mut r).unwrap();
    let corner = 0.2f64.hypot(0.01);
    let due = (0.3 - 0.02 - corner) / 1e-3;
    // within half a turn, in which the ball moves a micrometre
    assert!((r.events[0].t - due).abs() < 2.0 * std::f64::consts::PI / 3000.0, "{} {due}", r.events[0].t);
}

/// Fixed steps much longer than an impact: the contact is resolved all the same, located or not.
#[test]
fn long_fixed_steps_do_not_tunnel() {
    for locate in [true, false] {
        for step in [0.01, 0.05, 1.0] {
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]);
            let ball = Body::new("ball").mass(1.0).surface(Sphere::new(1e-3).unwrap());
            b.body(ball.position([0.0, 0.0, 0.5]).velocity([0.0, 0.0, -1.0]));
            b.body(Body::fixed("sheet").surface(Cuboid::new([1.0, 1.0, 1e-4]).unwrap()));
            b.contact(ContactRule::between("ball", "sheet").normal(Hertz::new().stiffness(1e13)));
            let model = b.build().unwrap();
            let sim = Simulation::new(&model).method("verlet").step(step).locate_contacts(locate);
            let run = sim.duration(1.0).run().unwrap();
            let v = run.end.body("ball").unwrap().velocity.z;
            // second order, twenty steps an impact
            assert!((v - 1.0).abs() < 1e-2, "located {locate}, step {step}: {v}");
        }
    }
}
