//! Resistance to rolling and spinning in motion, against closed forms.

use std::f64::consts::PI;

use crate::common::{close, near};
use carom::Fault;
use carom::law::ResistanceLaw;
use carom::law::friction::RooneyDeravi;
use carom::prelude::*;

const G: f64 = 9.81;
const MASS: f64 = 0.17;
const RADIUS: f64 = 0.028575;
const K: f64 = 1e9;
/// 2/5 m R²
const INERTIA: f64 = 0.4 * MASS * RADIUS * RADIUS;
const WEIGHT: f64 = MASS * G;

/// How deep the ball's weight presses it in.
fn depth() -> f64 {
    (WEIGHT / K).powf(2.0 / 3.0)
}

/// The ball on a plane, pressed in as deep as its weight asks for, moving along x and turning so.
fn ball_on(floor: Body, v: f64, w: [f64; 3], laws: impl Fn(ContactRule) -> ContactRule) -> Model {
    let mut b = ModelBuilder::new();
    let ball = Body::new("ball").mass(MASS).surface(Sphere::new(RADIUS).unwrap());
    b.body(ball.position([0.0, 0.0, RADIUS - depth()]).velocity([v, 0.0, 0.0]).angular_velocity(w));
    b.body(floor.surface(Plane));
    b.contact(laws(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(K))));
    b.build().unwrap()
}

fn ball(v: f64, w: [f64; 3], laws: impl Fn(ContactRule) -> ContactRule) -> Model {
    ball_on(Body::fixed("floor"), v, w, laws)
}

/// Velocity and angular velocity after `t`; the ledger must close.
fn after(model: &Model, t: f64) -> (Vec3, Vec3) {
    let run = Simulation::new(model).duration(t).rtol(1e-12).run().unwrap();
    assert!(run.summary.audit_relative < 1e-11, "{}", run.summary);
    let end = run.end.body("ball").unwrap();
    (end.velocity, end.angular_velocity)
}

/// On ice a couple M tanh(ω/ω0) makes sinh(ω/ω0) decay as exp(−M t/(I ω0)), about the normal and across it.
#[test]
fn a_ball_that_turns_on_the_spot() {
    let (start, w0): (f64, f64) = (20.0, 8.0);
    let c = 3e-4;
    let mu = 0.2;
    let patch = 3.0 * PI / 16.0 * mu * (RADIUS * depth()).sqrt();
    let decayed =
        |c: f64, t: f64| w0 * ((start / w0).sinh() * (-c * WEIGHT * t / (INERTIA * w0)).exp()).asinh();
    for t in [0.1, 0.4, 1.0] {
        let tanh = || TanhCouple::new(c, w0).unwrap();
        let (_, w) = after(&ball(0.0, [0.0, start, 0.0], |rule| rule.rolling(tanh())), t);
        near("rolling", w.y, decayed(c, t), 1e-10 * start);
        let (_, w) = after(&ball(0.0, [0.0, 0.0, start], |rule| rule.spinning(tanh())), t);
        near("spinning", w.z, decayed(c, t), 1e-10 * start);
        let hertz = || HertzPatch::new(mu, w0).unwrap();
        let (_, w) = after(&ball(0.0, [0.0, 0.0, start], |rule| rule.spinning(hertz())), t);
        near("patch", w.z, decayed(patch, t), 1e-10 * start);
        let given = || HertzPatch::new(mu, w0).unwrap().radius(4.0 * RADIUS);
        let (_, w) = after(&ball(0.0, [0.0, 0.0, start], |rule| rule.spinning(given())), t);
        near("patch of a given radius", w.z, decayed(2.0 * patch, t), 1e-10 * start);
    }
}

/// Viscous couples: ω = ω(0) exp(−d N t/I), each about its own directions only.
#[test]
fn a_ball_in_syrup() {
    let (rolling, spinning, t) = (2e-5, 5e-5, 0.7);
    let model = ball(0.3, [4.0, -7.0, 11.0], |rule| {
        rule.rolling(ViscousCouple::new(rolling).unwrap()).spinning(ViscousCouple::new(spinning).unwrap())
    });
    let (v, w) = after(&model, t);
    let left = |d: f64| (-d * WEIGHT * t / INERTIA).exp();
    close("x", w.x, 4.0 * left(rolling), 1e-10);
    close("y", w.y, -7.0 * left(rolling), 1e-10);
    close("z", w.z, 11.0 * left(spinning), 1e-10);
    // forces know nothing of it
    close("v", v.x, 0.3, 1e-13);
}

/// Where Coulomb's couple stops a spin, at I ω/(c N), the smooth one leaves ω0 asinh ½: sinh(ω/ω0) → ½ e^{ω/ω0} there.
#[test]
fn a_spin_stops_in_time() {
    let (start, w0, c) = (30.0, 0.05, 2e-4);
    let model = ball(0.0, [0.0, 0.0, start], |rule| rule.spinning(TanhCouple::new(c, w0).unwrap()));
    let stop = INERTIA * start / (c * WEIGHT);
    close("half of it", after(&model, 0.5 * stop).1.z, 0.5 * start, 1e-10);
    near("none", after(&model, stop).1.z, w0 * 0.5f64.asinh(), 1e-9 * start);
}

/// A rolling ball slows down at a = c g/(R (1 + I/(m R²))) = (5/7) c g/R. Smooth friction carries m a at a constant slip
/// atanh(a/(μ g))/k_t, so with that slip from the start the closed form is exact.
#[test]
fn rolling_to_a_stop() {
    let (mu, slope, c, v0): (f64, f64, f64, f64) = (0.2, 1e3, 2e-3, 2.0);
    let a = 5.0 / 7.0 * c * G / RADIUS;
    let slip = (a / (mu * G)).atanh() / slope;
    let model = ball(v0, [0.0, (v0 - slip) / RADIUS, 0.0], |rule| {
        rule.friction(Tanh::new(mu, slope).unwrap())
            .friction_at(FrictionAt::Surfaces)
            .rolling(TanhCouple::new(c, 0.2).unwrap())
    });
    for t in [0.5, 2.0] {
        let (v, w) = after(&model, t);
        close("speed", v.x, v0 - a * t, 1e-10);
        near("slip", v.x - w.y * RADIUS, slip, 1e-10 * v0);
    }
    // and it comes to rest where Coulomb's couple would stop it, to what ω0 and slip make of it
    let run = Simulation::new(&model).duration(1.5 * v0 / a).rtol(1e-10).run().unwrap();
    let end = run.end.body("ball").unwrap();
    near("way", end.position.x, v0 * v0 / (2.0 * a), 1e-4);
    near("rest", end.velocity.x, 0.0, 1e-9);
    close(
        "lost",
        run.summary.energy.dissipated_friction,
        run.summary.energy_start - run.summary.energy.total(),
        1e-9,
    );
}

/// Viscous resistance under friction that is linear in slip, β s: v̇ = −β s, R ω̇ = (5/2) β s − γ R ω, s = v − R ω, γ = d N/I. The slow
/// mode has λ² − (7β/2 + γ) λ + β γ = 0, R ω = v (1 − λ/β), and is an exact exponential; without slip λ = (2/7) γ.
#[test]
fn a_viscous_ball_rolls_out() {
    let (mu, v1, d, v0, t): (f64, f64, f64, f64, f64) = (0.3, 0.01, 1e-5, 1.0, 3.0);
    let (beta, gamma) = (mu * G / v1, d * WEIGHT / INERTIA);
    let b = 3.5 * beta + gamma;
    let lambda = 2.0 * beta * gamma / (b + (b * b - 4.0 * beta * gamma).sqrt());
    close("without slip", lambda, 2.0 / 7.0 * gamma, 2.0 * gamma / beta);
    // slip within the ramp
    assert!(lambda / beta * v0 < v1);
    let model = ball(v0, [0.0, v0 * (1.0 - lambda / beta) / RADIUS, 0.0], |rule| {
        rule.friction(RooneyDeravi::new(mu, v1).unwrap())
            .friction_at(FrictionAt::Surfaces)
            .rolling(ViscousCouple::new(d).unwrap())
    });
    let (v, w) = after(&model, t);
    close("speed", v.x, v0 * (-lambda * t).exp(), 1e-10);
    close("spin", w.y * RADIUS, v.x * (1.0 - lambda / beta), 1e-10);
}

/// A turntable takes the ball on its axis along; its driver does the work I Ω ω, half of which becomes motion once the ball turns with it.
#[test]
fn a_turntable_takes_it_along() {
    let (rate, w0, c, t) = (6.0, 5.0, 2e-4, 0.3);
    let table = Body::prescribed("floor", Spin { axis: Vec3::z_axis(), rate });
    let model = ball_on(table, 0.0, [0.0; 3], |rule| rule.spinning(TanhCouple::new(c, w0).unwrap()));
    let run = Simulation::new(&model).duration(t).rtol(1e-12).run().unwrap();
    let behind = w0 * ((rate / w0).sinh() * (-c * WEIGHT * t / (INERTIA * w0)).exp()).asinh();
    let w = run.end.body("ball").unwrap().angular_velocity.z;
    close("rate", w, rate - behind, 1e-10);
    close("work", run.summary.energy.work, INERTIA * rate * w, 1e-9);
    let lost = INERTIA * rate * w - 0.5 * INERTIA * w * w;
    close("lost", run.summary.energy.dissipated_friction, lost, 1e-9);
}

/// Two balls collide and twist each other: the couple is equal and opposite, so angular momentum stays; nothing else slows their turning.
#[test]
fn couples_are_equal_and_opposite() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let ball = |name: &str, mass: f64| Body::new(name).mass(mass).surface(Sphere::new(0.05).unwrap());
    b.body(
        ball("a", 0.3)
            .position([-0.2, 0.0, 0.0])
            .velocity([1.0, 0.1, 0.0])
            .angular_velocity([20.0, 5.0, -3.0]),
    );
    b.body(
        ball("b", 0.5)
            .position([0.2, 0.05, 0.01])
            .velocity([-1.0, 0.0, 0.0])
            .angular_velocity([-2.0, 4.0, 9.0]),
    );
    b.contact(
        ContactRule::between("a", "b")
            .normal(HuntCrossley::restitution(0.9).unwrap().stiffness(1e6))
            .rolling(TanhCouple::new(5e-3, 1.0).unwrap())
            .spinning(HertzPatch::new(0.5, 1.0).unwrap()),
    );
    let model = b.build().unwrap();
    let mut r = Recording::default();
    let run = Simulation::new(&model).duration(0.4).rtol(1e-12).output_every(0.01).run_into(&mut r).unwrap();
    let momentum = |f: &Frame| -> Vec3 {
        let of = |i: usize, name: &str| {
            let (b, m) = (&f.bodies[i], model.mass(name).unwrap());
            b.position.cross(&b.velocity) * m + model.inertia(name).unwrap() * b.angular_velocity
        };
        of(0, "a") + of(1, "b")
    };
    let (first, last) = (&r.frames[0], &run.end.frame);
    assert!((momentum(last) - momentum(first)).norm() < 1e-12 * momentum(first).norm());
    assert!((last.bodies[0].angular_velocity - first.bodies[0].angular_velocity).norm() > 0.1);
    assert!(run.summary.energy.dissipated_friction > 1e-4 && run.summary.touches == 1, "{}", run.summary);
    assert!(run.summary.audit_relative < 1e-11, "{}", run.summary);
}

/// The couple that is recorded is the one that acts.
#[test]
fn couples_are_recorded() {
    let model = ball(0.0, [0.0, 3.0, 4.0], |rule| {
        rule.rolling(ViscousCouple::new(2e-5).unwrap()).spinning(ViscousCouple::new(3e-5).unwrap())
    });
    let mut r = Recording::default();
    Simulation::new(&model).duration(1e-3).run_into(&mut r).unwrap();
    let m = r.frames[0].contacts[0].couple;
    near("y", m.y, -2e-5 * WEIGHT * 3.0, 1e-13);
    near("z", m.z, -3e-5 * WEIGHT * 4.0, 1e-13);
}

/// A corner has no radius for a patch; given one, it has.
#[test]
fn a_corner_has_no_patch() {
    let model = |law: HertzPatch| {
        let mut b = ModelBuilder::new();
        b.body(Body::new("die").mass(0.1).surface(Cuboid::new([0.02; 3]).unwrap()).position([0.0, 0.0, 0.1]));
        b.body(Body::fixed("floor").surface(Plane));
        b.contact(ContactRule::between("die", "floor").normal(Hertz::new().stiffness(1e7)).spinning(law));
        b.build()
    };
    let law = HertzPatch::new(0.2, 1.0).unwrap();
    let error = model(law).unwrap_err().to_string();
    assert!(error.contains("give no radius") && error.contains("give `radius`"), "{error}");
    assert!(model(law.radius(1e-3)).is_ok());
    let error = model(law.radius(-1.0)).unwrap_err();
    assert!(error.key == Some("spinning") && matches!(*error.fault, Fault::Law(_)), "{error}");
    assert_eq!(ResistanceLaw::name(&law), "hertz-patch");
}
