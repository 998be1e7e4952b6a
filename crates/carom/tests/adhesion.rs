//! Surfaces that hold each other: pull-off, jumps into contact and out of it, the energy they lose, friction under adhesion.

use std::f64::consts::PI;
use std::sync::Arc;

use crate::common::close;
use carom::geometry::surfaces::Ellipsoid;
use carom::law::normal::{Dmt, Jkr, MaugisDugdale};
use carom::law::{Friction, Material, Meeting, NormalLaw, Touch};
use carom::ode::methods;
use carom::prelude::*;

const METHODS: [&str; 4] = ["ode45", "dop853", "radau5", "auto"];
/// [J/m²], [N/m^1.5], [m], [kg]
const W: f64 = 0.05;
const K: f64 = 1.2e5;
const R: f64 = 1e-3;
const MASS: f64 = 5e-6;

fn jkr() -> Jkr {
    Jkr::adhesion_energy(W).unwrap().stiffness(K).radius(R)
}

fn touch() -> Touch {
    Touch::point(K, 0.1, MASS)
}

/// d of the law: δ = d (z⁴ − 4z).
fn scale() -> f64 {
    jkr().holds_to(&touch()) / 3.0
}

/// U of the law, by z.
fn stored(z: f64) -> f64 {
    PI * W * R * scale() * (z.powi(10) / 15.0 - 2.0 / 3.0 * z.powi(7) + z.powi(4))
}

/// A ball above a plane, without gravity.
fn falling(law: impl carom::law::Normal + 'static, height: f64, speed: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = Body::new("ball").mass(MASS).surface(Sphere::new(R).unwrap());
    b.body(ball.position([0.0, 0.0, R + height]).velocity([0.0, 0.0, -speed]));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal(law));
    b.build().unwrap()
}

/// e = √(1 − v_s²/v²), with the loss of both jumps in the ledger; the surfaces touch at a gap of zero and part at δ_c.
#[test]
fn impacts_lose_what_the_jumps_lose() {
    let sticking = (2.0 * jkr().loss(&touch()) / MASS).sqrt();
    let mut worst = 0.0f64;
    for faster in [1.05, 1.5, 4.0, 30.0] {
        for method in METHODS {
            let v = faster * sticking;
            let model = falling(jkr(), 2e-4, v);
            let mut r = Recording::default();
            let duration = 4e-4 / v + 5e-3;
            let run = Simulation::new(&model).method(method).duration(duration).rtol(1e-12).run_into(&mut r);
            let run = run.unwrap_or_else(|e| panic!("{faster} {method}: {e}"));
            let what = format!("{faster} {method}");
            assert_eq!(r.events.len(), 2, "{what}: {:?}", r.events);
            let rebound = run.end.body("ball").unwrap().velocity.z;
            close(&what, rebound / v, (1.0 - faster.powi(-2)).sqrt(), 1e-8);
            close(&what, run.summary.energy.dissipated_normal, jkr().loss(&touch()), 1e-8);
            worst = worst.max(run.summary.audit_relative);
            assert!(run.summary.audit_relative < 1e-9, "{what}: {}", run.summary);
            // the touch is where the gap closes, the release where the surfaces have been pulled apart by δ_c
            close(&what, r.events[0].t, 2e-4 / v, 1e-9);
            let left = run.end.body("ball").unwrap().position.z - R - rebound * (duration - r.events[1].t);
            close(&what, left, jkr().holds_to(&touch()), 1e-6);
        }
    }
    println!("worst energy balance {worst:e}");
}

/// A slower ball sticks, and swings for ever; every method keeps its energy.
#[test]
fn slow_impacts_stick() {
    let sticking = (2.0 * jkr().loss(&touch()) / MASS).sqrt();
    for method in methods::ALL.iter().filter(|m| m.is_adaptive()).map(|m| m.name()) {
        for slower in [0.9, 0.3, 0.0] {
            // one that is at rest a nanometre away never arrives, and one that touches at rest is drawn in
            let model = falling(jkr(), if slower > 0.0 { 1e-6 } else { 0.0 }, slower * sticking);
            let mut r = Recording::default();
            let run = Simulation::new(&model).method(method).duration(0.02).rtol(1e-8).run_into(&mut r);
            let run = run.unwrap_or_else(|e| panic!("{slower} {method}: {e}"));
            assert!(r.events.len() == 1, "{slower} {method}: {:?}", r.events);
            assert!(run.summary.audit_relative < 1e-4, "{slower} {method}: {}", run.summary);
            assert!(run.end.body("ball").unwrap().position.z < R + jkr().holds_to(&touch()));
        }
    }
}

/// A plane that is drawn away from a ball does the work of separation, but for what the ball moves with in the end.
#[test]
fn the_work_of_separation() {
    for (z, method) in [(1.7, "dop853"), (2.5, "radau5"), (1.6, "ode45")] {
        let (delta, speed) = (scale() * (f64::powi(z, 4) - 4.0 * z), 1e-3);
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        b.body(Body::new("ball").mass(5e-3).position([0.0, 0.0, R - delta]).surface(Sphere::new(R).unwrap()));
        b.body(Body::prescribed("plane", Slide { velocity: Vec3::new(0.0, 0.0, -speed) }).surface(Plane));
        b.contact(ContactRule::between("ball", "plane").normal(jkr()));
        let model = b.build().unwrap();
        let mut r = Recording::default();
        let duration = 1.5 * (delta + 3.0 * scale()) / speed;
        let sim = Simulation::new(&model).method(method).duration(duration).rtol(1e-12);
        let run = sim.run_into(&mut r).unwrap();
        let e = &run.summary.energy;
        // (the ball has moved a little)
        close("work of separation", e.work - e.kinetic, stored(1.0) - stored(z), 1e-8);
        close("lost as the surfaces jump apart", e.dissipated_normal, stored(1.0), 1e-8);
        assert_eq!(r.events.len(), 2, "{:?}", r.events);
    }
}

/// A plane that is moved against a ball: where touches are not located the jump is in the books at the end of every step, too.
#[test]
fn jumps_that_are_not_located_are_in_the_books() {
    for method in ["dop853", "ode113", "radau5", "ode45"] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let ball = Body::new("ball").mass(MASS).position([0.0, 0.0, R + 1e-5]).velocity([0.02, 0.0, -0.002]);
        b.body(ball.surface(Sphere::new(R).unwrap()));
        b.body(Body::prescribed("plane", Slide { velocity: Vec3::new(0.0, 0.0, 2e-3) }).surface(Plane));
        b.contact(ContactRule::between("ball", "plane").normal(jkr()));
        let model = b.build().unwrap();
        let sim = Simulation::new(&model).method(method).duration(0.02).rtol(1e-10).locate_contacts(false);
        let run = sim.run().unwrap_or_else(|e| panic!("{method}: {e}"));
        close("lost", run.summary.energy.dissipated_normal, -stored(f64::powf(4.0, 1.0 / 3.0)), 1e-12);
        assert!(run.summary.audit_relative < 1e-7, "{method}: {}", run.summary);
    }
}

/// The attraction of a hard contact is conservative: what comes in leaves as fast.
#[test]
fn hard_contacts_lose_nothing() {
    let law = Dmt::adhesion_energy(W).unwrap().stiffness(K).radius(R);
    for method in METHODS {
        let model = falling(law, 1e-4, 0.3);
        let mut r = Recording::default();
        let run = Simulation::new(&model).method(method).duration(3e-3).rtol(1e-12).run_into(&mut r).unwrap();
        close("rebound", run.end.body("ball").unwrap().velocity.z, 0.3, 1e-10);
        assert!(r.events.len() == 2 && run.summary.audit_relative < 1e-10, "{method}: {}", run.summary);
    }
}

/// Friction feels the normal force and the pull-off force together.
#[test]
fn friction_feels_adhesion() {
    let law = Dmt::adhesion_energy(W).unwrap().stiffness(K).radius(R);
    let pull = 2.0 * PI * W * R;
    let rest = (pull / K).powf(2.0 / 3.0);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = Body::new("ball").mass(MASS).surface(Sphere::new(R).unwrap());
    b.body(ball.position([0.0, 0.0, R - rest]).velocity([0.1, 0.0, 0.0]));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal(law).friction(Tanh::new(0.3, 1e6).unwrap()));
    let model = b.build().unwrap();
    let mut r = Recording::default();
    let run =
        Simulation::new(&model).method("radau5").duration(1e-4).output_every(1e-5).run_into(&mut r).unwrap();
    // no load presses, and yet the ball is braked by μ 2π w R
    let expected = 0.1 - 0.3 * pull / MASS * 1e-4;
    close("braked", run.end.body("ball").unwrap().velocity.x, expected, 1e-6);
}

/// A ball between two plates that both hold it, one of which is drawn away: it goes with the stronger one, and what the weaker one loses as it lets go does not depend on how fast. From dust to
/// marbles, by all methods.
#[test]
fn the_stronger_plate_takes_the_ball() {
    for (radius, e_star, weak, strong, mass) in
        [(2e-6, 1e9, 0.02, 0.06, 3e-14), (1e-3, 1e6, 0.05, 0.08, 4e-6), (0.02, 3e5, 0.4, 0.5, 0.03)]
    {
        let k = 4.0 / 3.0 * e_star * f64::sqrt(radius);
        let jkr = |w: f64| Jkr::adhesion_energy(w).unwrap().stiffness(k).radius(radius);
        let touch = Touch::point(k, 1.0, mass);
        let hold = jkr(weak).holds_to(&touch);
        // about as fast as in ten swings
        let speed = 0.02 * hold / (mass / (k * hold.sqrt())).sqrt();
        for method in methods::ALL.iter().filter(|m| m.is_adaptive()).map(|m| m.name()) {
            let what = format!("{radius} m, {method}");
            let mut b = ModelBuilder::new();
            b.gravity([0.0; 3]);
            b.body(
                Body::new("ball")
                    .mass(mass)
                    .position([0.0, 0.0, radius - hold])
                    .surface(Sphere::new(radius).unwrap()),
            );
            b.body(Body::fixed("floor").surface(Plane));
            let top = SurfaceSpec::new(Plane).turned(Quat::from_axis_angle(&Vec3::x_axis(), PI));
            let lift = Slide { velocity: Vec3::new(0.0, 0.0, speed) };
            b.body(Body::prescribed("top", lift).position([0.0, 0.0, 2.0 * (radius - hold)]).surface(top));
            b.contact(ContactRule::between("ball", "floor").normal(jkr(weak)));
            b.contact(ContactRule::between("ball", "top").normal(jkr(strong)));
            let model = b.build().unwrap();
            let mut r = Recording::default();
            let sim = Simulation::new(&model).method(method).duration(12.0 * hold / speed).rtol(1e-9);
            let run = sim.run_into(&mut r).unwrap_or_else(|e| panic!("{what}: {e}"));
            let released: Vec<_> = r.events.iter().filter(|e| e.kind == EventKind::Release).collect();
            assert!(released.len() == 1 && released[0].contact.contains("floor"), "{what}: {:?}", r.events);
            let lost = PI * weak * radius * hold / 3.0 * 0.4;
            close(&what, run.summary.energy.dissipated_normal, lost, 1e-6);
            assert!(run.end.body("ball").unwrap().position.z > radius + hold, "{what}");
        }
    }
}

/// Adhesion with a range h₀: the touch is where the gap is h₀, the release beyond, and both jumps lose what the law says; with a ring of attraction before the contact (λ = 0.3) and without (λ = 3).
#[test]
fn a_touch_at_a_distance() {
    for lambda in [0.3, 3.0] {
        let unit = (PI * PI * W * W * R / (K * K / R)).cbrt();
        let range = 2.0 * unit / (PI * lambda);
        let law = MaugisDugdale::new(W, range).unwrap().stiffness(K).radius(R);
        close("λ", law.lambda(&touch()), lambda, 1e-13);
        let sticking = (2.0 * law.loss(&touch()) / MASS).sqrt();
        // (with λ = 0.3 the attraction stores a thousand times what the jumps lose, and a slow impact is a small difference)
        for faster in if lambda < 1.0 { [5.0, 30.0, 300.0] } else { [1.05, 2.0, 30.0] } {
            for method in METHODS {
                let v = faster * sticking;
                let model = falling(law, 2e-4, v);
                let mut r = Recording::default();
                let duration = 4e-4 / v + 5e-3;
                let sim = Simulation::new(&model).method(method).duration(duration).rtol(1e-12);
                let what = format!("λ = {lambda}, {faster} {method}");
                let run = sim.run_into(&mut r).unwrap_or_else(|e| panic!("{what}: {e}"));
                assert_eq!(r.events.len(), 2, "{what}: {:?}", r.events);
                let rebound = run.end.body("ball").unwrap().velocity.z;
                close(&what, rebound / v, (1.0 - faster.powi(-2)).sqrt(), 1e-7);
                close(&what, run.summary.energy.dissipated_normal, law.loss(&touch()), 1e-7);
                assert!(run.summary.audit_relative < 1e-9, "{what}: {}", run.summary);
                close(&what, r.events[0].t, (2e-4 - range) / v, 1e-9);
                let left =
                    run.end.body("ball").unwrap().position.z - R - rebound * (duration - r.events[1].t);
                close(&what, left, law.holds_to(&touch()), 1e-6);
            }
        }
        // a slower one sticks; one at rest beyond the range stays, within it is drawn in
        let slow = falling(law, 1e-6 + range, 0.5 * sticking);
        let mut r = Recording::default();
        let run = Simulation::new(&slow).duration(0.02).rtol(1e-12).run_into(&mut r).unwrap();
        assert!(r.events.len() == 1 && run.summary.audit_relative < 1e-6, "{:?} {}", r.events, run.summary);
        for (height, touches) in [(1.001 * range, 0), (0.999 * range, 1)] {
            let mut r = Recording::default();
            let still = falling(law, height, 0.0);
            let run = Simulation::new(&still).duration(2e-3).rtol(1e-9).run_into(&mut r).unwrap();
            assert_eq!(r.events.len(), touches, "{height}: {:?} {}", r.events, run.summary);
        }
    }
}

/// Steps of fixed length, whose touches are not located, begin the contact at the same distance, and methods agree with located ones.
#[test]
fn a_touch_at_a_distance_by_fixed_steps() {
    let law = MaugisDugdale::new(W, 2e-7).unwrap().stiffness(K).radius(R);
    let model = falling(law, 1e-5, 0.05);
    let end = |sim: Simulation| sim.duration(1.2e-3).run().unwrap().end.body("ball").unwrap().velocity.z;
    let located = end(Simulation::new(&model).method("dop853").rtol(1e-10));
    let fixed = end(Simulation::new(&model).method("verlet").step(1e-8));
    assert!(located > 0.04 && (fixed - located).abs() < 1e-4 * located, "{fixed} {located}");
}

/// An egg of gel that lands on a plate sticks in an ellipse: e = √(1 − v_s²/v²) with what its jumps lose, the ledger to 1e-10, with friction too.
#[test]
fn an_egg_sticks_in_an_ellipse() {
    let gel = || Material::new("gel").youngs_modulus(3e6).poisson_ratio(0.45);
    let e_star = 3e6 / (2.0 * (1.0 - 0.45f64.powi(2)));
    let axes = [1e-3, 3e-3, 1e-3];
    // 1/R of the pole
    let (k_max, k_min) = (axes[2] / (axes[0] * axes[0]), axes[2] / (axes[1] * axes[1]));
    let meeting = Meeting::in_point(k_min, k_max);
    let k = carom::law::hertz::stiffness(e_star, k_min, k_max).unwrap();
    let law = Jkr::adhesion_energy(W).unwrap();
    let touch =
        Touch { slender: meeting.slender(), ..Touch::point(k, 0.1, MASS).round(meeting.radius().unwrap()) };
    let circle = 1.5 * PI * W * meeting.radius().unwrap();
    let (tension, sticking) = (law.pull_off(&touch), (2.0 * law.loss(&touch) / MASS).sqrt());
    assert!(tension < 0.97 * circle && tension > 0.9 * circle, "{}", tension / circle);
    let egg = |v: [f64; 3], law: Jkr, friction: Option<Arc<dyn Friction>>| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).material(gel());
        let surface = || SurfaceSpec::new(Ellipsoid::new(axes).unwrap()).material("gel");
        let body = Body::new("egg").mass(MASS).inertia([1e-11; 3]).surface(surface());
        let body = if friction.is_none() { body.dofs(&[Dof::Z]) } else { body };
        b.body(body.position([0.0, 0.0, axes[2] + 1e-5]).velocity(v));
        b.body(Body::fixed("plate").surface(SurfaceSpec::new(Plane).material("gel")));
        let rule = ContactRule::between("egg", "plate").normal(law);
        b.contact(match friction {
            Some(friction) => rule.friction_arc(friction),
            None => rule,
        });
        b
    };
    for faster in [1.2, 3.0] {
        let v = faster * sticking;
        let model = egg([0.0, 0.0, -v], law, None).build().unwrap();
        let run = Simulation::new(&model).duration(4e-5 / v + 5e-3).rtol(1e-12).run().unwrap();
        let rebound = run.end.body("egg").unwrap().velocity.z;
        close("rebound", rebound / v, (1.0 - faster.powi(-2)).sqrt(), 1e-8);
        close("lost", run.summary.energy.dissipated_normal, law.loss(&touch), 1e-8);
        assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
    }
    for friction in crate::oblique::all(0.3, 0.8) {
        let model = egg([0.05, 0.03, -3.0 * sticking], law, Some(Arc::clone(&friction))).build().unwrap();
        let run = Simulation::new(&model).duration(2e-3).rtol(1e-11).run().unwrap();
        assert!(
            run.summary.touches >= 1 && run.summary.audit_relative < 1e-9,
            "{}: {}",
            friction.name(),
            run.summary
        );
    }
}
