//! Resistance with memory in motion: balls on torsion springs that begin and cease to roll, against closed forms.

use std::f64::consts::PI;

use crate::common::{close, near};
use carom::Summary;
use carom::law::friction::ElastoPlastic;
use carom::law::resistance::{ElasticPlastic, IwashitaOda, Jiang, Torsion};
use carom::prelude::*;

const G: f64 = 9.81;
const MASS: f64 = 0.17;
const RADIUS: f64 = 0.028575;
const K: f64 = 1e9;
/// 2/5 m R²
const INERTIA: f64 = 0.4 * MASS * RADIUS * RADIUS;

/// How deep a weight of `g` presses the ball in.
fn depth(g: f64) -> f64 {
    depth_by(K, g)
}

fn depth_by(stiffness: f64, g: f64) -> f64 {
    (MASS * g / stiffness).powf(2.0 / 3.0)
}

/// The ball on ice, pressed in as deep as its weight under `g` asks for, turning at `w`.
fn ball(g: f64, w: [f64; 3], laws: impl Fn(ContactRule) -> ContactRule) -> Model {
    ball_of(K, g, w, laws)
}

fn ball_of(stiffness: f64, g: f64, w: [f64; 3], laws: impl Fn(ContactRule) -> ContactRule) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -g]);
    let ball = Body::new("ball").mass(MASS).surface(Sphere::new(RADIUS).unwrap());
    b.body(ball.position([0.0, 0.0, RADIUS - depth_by(stiffness, g)]).angular_velocity(w));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(laws(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(stiffness))));
    b.build().unwrap()
}

/// The angular velocity after `t`; the ledger must close.
fn after(model: &Model, t: f64) -> Vec3 {
    let run = Simulation::new(model).duration(t).rtol(1e-12).run().unwrap();
    assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
    run.end.body("ball").unwrap().angular_velocity
}

/// Below its limit a ball swings on the spring as an oscillator, with damping as a damped one.
#[test]
fn a_ball_swings_on_its_spring() {
    let (k, c, start): (f64, f64, f64) = (0.3, 1e-2, 0.7);
    let own = (k / INERTIA).sqrt();
    for t in [0.003, 0.01, 0.04] {
        let law = ElasticPlastic::new(c).unwrap().stiffness(k);
        let w = after(&ball(G, [0.0, start, 0.0], |rule| rule.rolling(law)), t);
        near("swing", w.y, start * (own * t).cos(), 1e-9 * start);
        let damping = 0.6 * (k * INERTIA).sqrt(); // 0.3 of the critical one
        let law = law.damping(damping);
        let w = after(&ball(G, [0.0, start, 0.0], |rule| rule.rolling(law)), t);
        let (rate, slower) = (0.3 * own, own * (1.0 - 0.09f64).sqrt());
        let want = (-rate * t).exp() * ((slower * t).cos() - rate / slower * (slower * t).sin());
        near("damped swing", w.y, start * want, 1e-9 * start);
    }
    // stiffness from the normal contact, k_n = 1.5 K √δ at the depth that its least impact speed gives
    let usual = |speed: f64| (MASS * speed * speed / K).powf(0.4);
    let (speed, start) = (0.3, 0.01);
    let k_n = 1.5 * K * usual(speed).sqrt();
    let laws: [(ContactRule, f64); 3] = [
        (ContactRule::between("ball", "floor").rolling(ElasticPlastic::new(c).unwrap()), 2.25 * k_n * c * c),
        (ContactRule::between("ball", "floor").rolling(Jiang::new(c).unwrap()), k_n * c * c / 12.0),
        (
            ContactRule::between("ball", "floor").rolling(IwashitaOda::new(c).unwrap().ratio(0.8)),
            0.8 * k_n * RADIUS * RADIUS,
        ),
    ];
    for (rule, k) in laws {
        let model = ball(G, [0.0, start, 0.0], |_| {
            rule.clone().normal(Hertz::new().stiffness(K)).min_impact_speed(speed)
        });
        let own = (k / INERTIA).sqrt();
        let t = 1.3 / own;
        near("from the contact", after(&model, t).y, start * 1.3f64.cos(), 1e-9 * start);
    }
}

/// A ball that spins on its contact swings with the torsional stiffness of the depth it has: χ a² dF/dδ of two weights.
#[test]
fn a_contact_is_twisted() {
    let (mu, ratio, start) = (40.0, 0.9, 0.1);
    for g in [G, 40.0] {
        let delta = depth(g);
        let k = ratio * RADIUS * delta * 1.5 * K * delta.sqrt();
        let own = (k / INERTIA).sqrt();
        let law = Torsion::new(mu).unwrap().ratio(ratio);
        // (3π/16) μ a N is far off
        assert!(start / own * k < 0.5 * 3.0 * PI / 16.0 * mu * (RADIUS * delta).sqrt() * MASS * g);
        for part in [0.2, 1.0, 5.0] {
            let model = ball(g, [0.0, 0.0, start], |rule| rule.spinning(law));
            near("twisted", after(&model, part / own).z, start * part.cos(), 1e-9 * start);
        }
    }
}

/// A ball that turns fast: it bends the spring to its limit, turns on under the constant couple, stops, and swings about that place: all in closed form.
#[test]
fn a_turning_ball_comes_to_rest() {
    let (k, c, start): (f64, f64, f64) = (2.0, 2e-3, 3.0);
    let full = c * MASS * G;
    let (own, limit) = ((k / INERTIA).sqrt(), full / k);
    // bends: θ = (ω/own) sin(own t)
    let bent = (own * limit / start).asin() / own;
    let left = start * (own * bent).cos();
    let stops = bent + left * INERTIA / full;
    let cases = [
        (0.5 * bent, start * (0.5 * own * bent).cos()),
        (bent, left),
        (0.5 * (bent + stops), 0.5 * left),
        // swings back from the limit
        (stops + 0.4 / own, -own * limit * 0.4f64.sin()),
        (stops + 4.0 / own, -own * limit * 4.0f64.sin()),
    ];
    let law = ElasticPlastic::new(c).unwrap().stiffness(k);
    for (t, want) in cases {
        let rolls = after(&ball(G, [0.0, start, 0.0], |rule| rule.rolling(law)), t);
        near("rolling", rolls.y, want, 1e-9 * start);
    }
    // the same about the normal, by the patch
    let (mu, ratio) = (0.3, 0.02);
    // (soft: of δ̇/δ, with which the limit changes, rounding errors leave the less, the deeper the contact is)
    let soft = 1e6;
    let (delta, start) = (depth_by(soft, G), 3.0);
    let k = ratio * RADIUS * delta * 1.5 * soft * delta.sqrt();
    let full = 3.0 * PI / 16.0 * mu * (RADIUS * delta).sqrt() * MASS * G;
    let (own, limit) = ((k / INERTIA).sqrt(), full / k);
    let bent = (own * limit / start).asin() / own;
    let left = start * (own * bent).cos();
    let stops = bent + left * INERTIA / full;
    let law = Torsion::new(mu).unwrap().ratio(ratio);
    for (t, want) in [(0.5 * (bent + stops), 0.5 * left), (stops + 2.0 / own, -own * limit * 2.0f64.sin())] {
        let spins = after(&ball_of(soft, G, [0.0, 0.0, start], |rule| rule.spinning(law)), t);
        near("spinning", spins.z, want, 1e-9 * start);
    }
}

/// A ball on a slope of tan β, at rest on friction and rolling springs; its speed at the end, and what it moves at in the mean of the second half.
fn on_slope(tan: f64, law: ElasticPlastic, t: f64) -> (f64, f64, Summary) {
    let mut b = ModelBuilder::new();
    let scale = G / (1.0 + tan * tan).sqrt();
    b.gravity([scale * tan, 0.0, -scale]);
    let ball = Body::new("ball").mass(MASS).surface(Sphere::new(RADIUS).unwrap());
    b.body(ball.position([0.0, 0.0, RADIUS - depth(scale)]));
    b.body(Body::fixed("floor").surface(Plane));
    let friction = ElastoPlastic::new(0.5, 0.6, 0.1, 1e5).unwrap().damping(60.0);
    let rule = ContactRule::between("ball", "floor").normal(HuntCrossley::damping(3.0).unwrap().stiffness(K));
    b.contact(rule.friction(friction).rolling(law));
    let model = b.build().unwrap();
    let mut r = Recording::default();
    let simulation = Simulation::new(&model).duration(t).rtol(1e-11).output_every(0.5 * t);
    let run = simulation.run_into(&mut r).unwrap();
    let [_, half, end] = &r.frames[..] else { panic!("{} frames", r.frames.len()) };
    let moved = end.bodies[0].position.x - half.bodies[0].position.x;
    (end.bodies[0].velocity.norm(), moved / (0.5 * t), run.summary.clone())
}

/// It stays where it is as long as the slope is below c/R, without creep; steeper, it rolls off at (5/7) (g sin β − c g cos β/R).
#[test]
fn a_ball_lies_on_a_slope() {
    let c = 5e-4;
    let law = ElasticPlastic::new(c).unwrap().stiffness(1.0).damping(2.0 * (INERTIA * 3.5 * 1.0f64).sqrt());
    for part in [0.5, 0.95] {
        let (v, creep, run) = on_slope(part * c / RADIUS, law, 4.0);
        println!("{part}: {v:e} m/s, creeps at {creep:e} m/s");
        assert!(v < 1e-12 && creep.abs() < 1e-12, "{part}: {v:e} m/s, {creep:e} m/s: {run}");
        assert!(run.audit_relative < 1e-9, "{run}");
    }
    let tan = 1.5 * c / RADIUS;
    let (v, _, run) = on_slope(tan, law, 2.0);
    let scale = G / (1.0 + tan * tan).sqrt();
    let a = 5.0 / 7.0 * scale * (tan - c / RADIUS);
    close("rolls off", v, 2.0 * a, 2e-2);
    assert!(run.audit_relative < 1e-9, "{run}");
}
