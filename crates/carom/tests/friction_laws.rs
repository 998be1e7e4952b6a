//! A ball on a plane under every friction law of the registry that is a function of load and slip.

use std::sync::Arc;

use crate::common::{close, near, number, reference};
use crate::laws::{friction_value, friction_with};
use carom::Dof;
use carom::law::{Friction, friction};
use carom::prelude::*;
use carom_base::param::Allowed;

const G: f64 = 9.81;
const RADIUS: f64 = 0.028575;
const MASS: f64 = 0.17;
const MU: f64 = 0.2;

/// Every law with values of its own, and the slip at which it stops: the dead band of ambrosio, else none.
fn laws() -> Vec<(&'static str, bool, f64, Arc<dyn Friction>)> {
    let make = |entry: &friction::FrictionEntry| {
        let numbers = entry.entry.params.iter().filter(|p| !matches!(p.allowed, Allowed::OneOf(_)));
        let values: Vec<(&str, f64)> = numbers.map(|p| (p.name, friction_value(p.name))).collect();
        let stops = if entry.name() == "ambrosio" { 1e-3 } else { 0.0 };
        (entry.name(), entry.continuous, stops, friction_with(entry, &values))
    };
    let forgets = |entry: &&friction::FrictionEntry| !friction_with(entry, &[]).remembers();
    friction::ALL.iter().filter(forgets).map(make).collect()
}

/// A ball pressed into a plane as deep as its weight asks for, so that it moves without bouncing.
fn model(friction: &Arc<dyn Friction>, slope: f64, v: f64, spin: f64, rolls: bool) -> Model {
    let k: f64 = 1e9;
    let depth = (MASS * G * slope.cos() / k).powf(2.0 / 3.0);
    let mut b = ModelBuilder::new();
    b.gravity([G * slope.sin(), 0.0, -G * slope.cos()]);
    let ball = Body::new("ball").mass(MASS).surface(Sphere::new(RADIUS).unwrap());
    let ball = ball.position([0.0, 0.0, RADIUS - depth]).velocity([v, 0.0, 0.0]);
    b.body(if rolls {
        ball.angular_velocity([0.0, spin, 0.0])
    } else {
        ball.dofs(&[Dof::X, Dof::Y, Dof::Z])
    });
    b.body(Body::fixed("cloth").surface(Plane));
    let rule = ContactRule::between("ball", "cloth").normal(Hertz::new().stiffness(k));
    b.contact(rule.friction_arc(Arc::clone(friction)).friction_at(FrictionAt::Surfaces));
    b.build().unwrap()
}

/// Speed and spin after a time.
fn after(model: &Model, t: f64) -> (f64, f64) {
    let run = Simulation::new(model).duration(t).rtol(1e-13).run().unwrap();
    let end = run.end.body("ball").unwrap();
    assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
    (end.velocity.x, end.angular_velocity.y)
}

/// Any law keeps v + (2/5) R ω, and leads to v = (5 v0 + 2 R ω0)/7 + (2/7) s, s the slip that is left.
#[test]
fn every_law_leads_from_slip_to_roll() {
    let (v0, w0) = (3.0, -20.0);
    for (name, continuous, stops, law) in laws() {
        let ball = model(&law, 0.0, v0, w0, true);
        // a law with a jump at rest: only while there is slip
        let t = if continuous { 1.2 } else { 0.9 * 2.0 * (v0 - RADIUS * w0) / (7.0 * MU * G) };
        let (v, w) = after(&ball, t);
        close(&format!("{name}: invariant"), v + 0.4 * RADIUS * w, v0 + 0.4 * RADIUS * w0, 1e-11);
        if continuous {
            // a difference of two speeds
            near(&format!("{name}: slip"), v - RADIUS * w, stops, 1e-9);
            close(&format!("{name}: speed"), v, (5.0 * v0 + 2.0 * RADIUS * w0 + 2.0 * stops) / 7.0, 1e-9);
        } else {
            close(&format!("{name}: speed"), v, v0 - MU * G * t, 1e-9);
            close(&format!("{name}: spin"), w, w0 + 2.5 * MU * G * t / RADIUS, 1e-9);
        }
    }
}

/// ṡ = −(7/2) F(s)/m: the time from one slip to another is an integral over the law, taken here by Simpson's rule.
#[test]
fn slip_decays_as_the_integral_over_the_law_says() {
    let f_n = MASS * G;
    for (name, _, _, law) in laws() {
        let rate = |s: f64| 3.5 * law.force(f_n, &Vec3::new(s, 0.0, 0.0)).norm() / MASS;
        let simpson = |a: f64, b: f64| {
            let n = 20_000;
            let h = (b - a) / f64::from(n);
            let weight = |i: i32| if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
            (0..=n).map(|i| weight(i) / rate(a + f64::from(i) * h)).sum::<f64>() * h / 3.0
        };
        // laws have their corner at 0.02 m/s; a little on either side of it
        let corner = 2e-2;
        for (start, end) in [(1.0, 0.3), (1.0, 0.05), (0.5, 0.01)] {
            let t = if end < corner {
                simpson(corner * (1.0 + 1e-15), start) + simpson(end, corner * (1.0 - 1e-15))
            } else {
                simpson(end, start)
            };
            let (v, w) = after(&model(&law, 0.0, start, 0.0, true), t);
            near(&format!("{name}: slip {end}"), v - RADIUS * w, end, 1e-9);
        }
    }
}

/// Where a linear ramp or an exponential one ends the slip, in closed form.
#[test]
fn the_end_of_slip_in_closed_form() {
    let (s0, v1, a) = (0.5, 0.02, 3.5 * MU * G);
    let t = 0.08;
    let ramp: Arc<dyn Friction> = Arc::new(friction::RooneyDeravi::new(MU, v1).unwrap());
    let (v, w) = after(&model(&ramp, 0.0, s0, 0.0, true), t);
    near("rooney-deravi", v - RADIUS * w, v1 * (-a * (t - (s0 - v1) / a) / v1).exp(), 1e-10);
    // e^u − 1 falls as e^{−3at/v0}, u = 3s/v0
    let exponential: Arc<dyn Friction> = Arc::new(friction::Threlfall::new(MU, v1).unwrap());
    let (v, w) = after(&model(&exponential, 0.0, v1, 0.0, true), 0.002);
    let fall = 3.0f64.exp_m1() * (-3.0 * a * 0.002 / v1).exp();
    near("threlfall", v - RADIUS * w, v1 / 3.0 * fall.ln_1p(), 1e-10);
}

/// On an incline a rolling ball needs the friction (2/7) m g sin θ, and creeps at the slip that gives it; a block
/// needs m g sin θ.
#[test]
fn every_law_creeps_on_an_incline() {
    let slope = 5f64.to_radians();
    for (name, continuous, _, law) in laws() {
        if !continuous {
            continue;
        }
        for (rolls, share) in [(true, 2.0 / 7.0), (false, 1.0)] {
            let (v, w) = after(&model(&law, slope, 0.0, 0.0, rolls), 0.6);
            let slip = v - RADIUS * w;
            let f_n = MASS * G * slope.cos();
            let friction = law.force(f_n, &Vec3::new(slip, 0.0, 0.0)).norm();
            // the slip is a difference of speeds, and a ramp multiplies its error
            near(&format!("{name}: friction"), friction / f_n, share * slope.tan(), 1e-9);
            assert!(slip > 0.0 && slip < 0.02, "{name} creeps at {slip}");
        }
    }
    // tanh, a block at 10 degrees
    let want = &reference("impact.json")["friction_closed_forms"]["block theta=10deg mu=0.3 vt=1e-3"];
    let law: Arc<dyn Friction> = Arc::new(Tanh::new(0.3, 1e3).unwrap());
    let (slip, _) = after(&model(&law, 10f64.to_radians(), 0.0, 0.0, false), 0.5);
    close("tanh: creep of a block", slip, number(want), 1e-9);
}

/// Coulomb's law past the end of slip: the run goes on in small steps, and the ball rolls to its tolerance.
#[test]
fn coulomb_chatters_where_slip_ends() {
    let law: Arc<dyn Friction> = Arc::new(friction::Coulomb::new(MU).unwrap());
    let ball = model(&law, 0.0, 0.7, 0.0, true);
    let rolling = 2.0 * 0.7 / (7.0 * MU * G);
    let run = Simulation::new(&ball).duration(rolling + 0.002).rtol(1e-6).run().unwrap();
    let end = run.end.body("ball").unwrap();
    close("speed", end.velocity.x, 0.5, 1e-5);
    near("slip", end.velocity.x - RADIUS * end.angular_velocity.y, 0.0, 1e-5);
    // for two milliseconds of rolling: what a regularised law does in a few
    assert!(run.summary.stats.steps > 500, "{}", run.summary);
}
