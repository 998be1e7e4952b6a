//! Motions whose solution is known.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may")]

mod common;

use carom::prelude::*;
use common::{close, near, number, numbers, reference};

const G: f64 = 9.81;

#[test]
fn the_hertz_bounce() {
    let want = &reference("dynamics.json")["closed_forms"]["hertz_bounce"];
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.12]).surface(Sphere::new(0.02).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
    let model = b.build().unwrap();
    for method in ["dop853", "ode45"] {
        let mut r = Recording::default();
        let run = Simulation::new(&model).method(method).rtol(1e-12).run_into(&mut r).unwrap();
        let (e, want) = (&r.events, |key: &str| number(&want[key]));
        close("first touch", e[0].t, want("t_first_touch"), 1e-13);
        close("impact speed", e[0].speed, want("v0"), 1e-13);
        for k in 0..3 {
            let (touch, release) = (&e[2 * k], &e[2 * k + 1]);
            close("duration", release.t - touch.t, want("contact_duration_with_gravity"), 1e-10);
            close("indentation", release.max_indentation, want("max_indentation_with_gravity"), 1e-10);
            close("peak force", release.peak_force, want("peak_force_with_gravity"), 1e-10);
            if k < 2 {
                close("period", e[2 * k + 2].t - touch.t, want("bounce_period"), 1e-10);
            }
        }
        assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
    }
}

/// The intermediate-axis theorem: the rates of a body with moments 1, 2, 3 turning about its second axis.
#[test]
fn dzhanibekov_top() {
    let want = &reference("dynamics.json")["closed_forms"]["dzhanibekov_top"]["omega"];
    // as it is, and with its axes turned in the body: a full inertia tensor
    let tilt = Quat::from_euler_angles(0.3, -0.7, 1.1);
    let r = tilt.to_rotation_matrix().into_inner();
    let tensor = Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 3.0));
    let start = Vec3::new(0.001, 1.0, 0.001);
    let top = |body: Body, w: Vec3| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).body(body.mass(1.0).angular_velocity(w.into()));
        b.build().unwrap()
    };
    let plain = top(Body::new("top").inertia([1.0, 2.0, 3.0]), start);
    let turned = top(Body::new("top").inertia_tensor(r * tensor * r.transpose()), r * start);
    for (model, axes) in [(plain, Quat::identity()), (turned, tilt)] {
        for t in [5.0, 10.0, 20.0] {
            let run = Simulation::new(&model).duration(t).rtol(1e-13).run().unwrap();
            let end = run.end.body("top").unwrap();
            let w = axes.inverse() * (end.orientation.inverse() * end.angular_velocity);
            for (i, want) in numbers(&want[format!("t={t}")]).into_iter().enumerate() {
                near(&format!("omega {i} at {t}"), w[i], want, 1e-9);
            }
        }
    }
}

/// A ball on a plane, pressed in as deep as its weight asks for, so that it rolls without bouncing.
fn ball_on_plane(slope: f64, friction: impl carom::law::Friction + 'static, v: f64) -> Model {
    let (radius, mass, k): (f64, f64, f64) = (0.028575, 0.17, 1e9);
    let depth = (mass * G * slope.cos() / k).powf(2.0 / 3.0);
    let mut b = ModelBuilder::new();
    b.gravity([G * slope.sin(), 0.0, -G * slope.cos()]);
    let ball = Body::new("ball").mass(mass).surface(Sphere::new(radius).unwrap());
    b.body(ball.position([0.0, 0.0, radius - depth]).velocity([v, 0.0, 0.0]));
    b.body(Body::fixed("cloth").surface(Plane));
    b.contact(ContactRule::between("ball", "cloth").normal(Hertz::new().stiffness(k)).friction(friction));
    b.build().unwrap()
}

/// Whatever the friction law, friction keeps v + (2/5) R ω of a ball on a plane. Its lever arm is that of the
/// pressed-in ball, R − δ: with I = (2/5) m R² the invariant is v + (2/5) R²/(R − δ) ω.
#[test]
fn slip_to_roll() {
    let want = &reference("dynamics.json")["closed_forms"]["slip_to_roll"];
    let radius: f64 = 0.028575;
    let model = ball_on_plane(0.0, Tanh::new(0.2, 1e4).unwrap(), 5.0);
    let run = Simulation::new(&model).duration(1.5).rtol(1e-12).run().unwrap();
    let end = run.end.body("ball").unwrap();
    let arm = end.position.z;
    let (v, w) = (end.velocity.x, end.angular_velocity.y);
    close("invariant", v + 0.4 * radius * radius / arm * w, 5.0, 1e-11);
    // rolling: no slip left, so v is the rolling speed for this lever arm; 5/7 v0 for δ = 0
    close("rolling", w * arm, v, 1e-10);
    close("speed", v, 5.0 / (1.0 + 0.4 * (radius / arm).powi(2)), 1e-10);
    close("speed", v, number(&want["v_final=5/7 v0"]), 1e-5);
    // energy lost: 2/7 of the translational one (up to δ/R)
    close("lost", run.summary.energy.dissipated_friction, 2.0 / 7.0 * 0.5 * 0.17 * 25.0, 1e-4);
    assert!(run.summary.audit_relative < 1e-10, "{}", run.summary);
}

/// Under tanh friction the slip s of a ball on a plane obeys sinh(s/v_t) = sinh(s0/v_t) exp(−c μ g t/v_t), with
/// c = 7/2 for a lever arm R, and 1 + (5/2)(arm/R)² for the pressed-in ball.
#[test]
fn tanh_slip_decay() {
    let (radius, mu, vt): (f64, f64, f64) = (0.028575, 0.2, 0.5);
    let model = ball_on_plane(0.0, Tanh::new(mu, 1.0 / vt).unwrap(), 2.0);
    for t in [0.1, 0.3, 0.6] {
        let run = Simulation::new(&model).duration(t).rtol(1e-12).run().unwrap();
        let end = run.end.body("ball").unwrap();
        let arm = end.position.z;
        let slip = end.velocity.x - end.angular_velocity.y * arm;
        let c = 1.0 + 2.5 * (arm / radius).powi(2);
        let want = vt * ((2.0 / vt).sinh() * (-c * mu * G * t / vt).exp()).asinh();
        close("slip", slip, want, 1e-9);
    }
}

/// Under ambrosio friction slip stops at the edge of the dead band: v = (5 v0 + 2 s)/7.
#[test]
fn ambrosio_stops_at_its_dead_band() {
    let want = &reference("impact.json")["friction_closed_forms"]["ambrosio_example v0=5,deadband=1e-3"];
    let radius: f64 = 0.028575;
    let model = ball_on_plane(0.0, Ambrosio::new(0.2, 1e-3, 2e-3).unwrap(), 5.0);
    let run = Simulation::new(&model).duration(2.0).rtol(1e-12).run().unwrap();
    let end = run.end.body("ball").unwrap();
    let arm = end.position.z;
    let slip = end.velocity.x - end.angular_velocity.y * arm;
    close("slip", slip, 1e-3, 1e-6);
    let j = 0.4 * (radius / arm).powi(2);
    close("speed", end.velocity.x, (5.0 + j * 1e-3) / (1.0 + j), 1e-9);
    close("speed", end.velocity.x, number(want), 1e-5);
}

/// On an incline a ball rolls at (5/7) g sin θ if μ ≥ (2/7) tan θ, creeping at v_t atanh((2/7) tan θ/μ); below, it
/// slips at g (sin θ − μ cos θ). Both up to δ/R, and exactly with the pressed-in lever arm.
#[test]
fn incline() {
    let want = &reference("dynamics.json")["closed_forms"]["incline"]["theta=30deg"];
    let (radius, theta) = (0.028575, 30f64.to_radians());
    // slipping
    let model = ball_on_plane(theta, Tanh::new(0.1, 1e4).unwrap(), 0.0);
    let slipping = |t: f64| *Simulation::new(&model).duration(t).rtol(1e-12).run().unwrap().end.body("ball").unwrap();
    let (a, b) = (slipping(0.5), slipping(1.0));
    close("slip acceleration", 2.0 * (b.velocity.x - a.velocity.x), number(&want["mu=0.1"]["a=g(sin-mu cos)"]), 1e-10);
    let alpha = 2.0 * (b.angular_velocity.y - a.angular_velocity.y) * radius / b.position.z;
    close("spin", alpha, number(&want["mu=0.1"]["alpha=5 mu g cos/(2R), R=0.028575"]), 1e-10);
    // rolling
    let (theta, mu, vt) = (20f64.to_radians(), 0.3, 1e-3);
    let model = ball_on_plane(theta, Tanh::new(mu, 1.0 / vt).unwrap(), 0.0);
    let rolling = |t: f64| *Simulation::new(&model).duration(t).rtol(1e-12).run().unwrap().end.body("ball").unwrap();
    let (a, b) = (rolling(0.5), rolling(1.0));
    let arm = b.position.z;
    let j = 0.4 * (radius / arm).powi(2);
    close("roll acceleration", 2.0 * (b.velocity.x - a.velocity.x), G * theta.sin() / (1.0 + j), 1e-10);
    let creep = b.velocity.x - b.angular_velocity.y * arm;
    close("creep", creep, vt * (j / (1.0 + j) * theta.tan() / mu).atanh(), 1e-7);
    let table = &reference("impact.json")["friction_closed_forms"]["example theta=20deg mu=0.3 vt=1e-3"];
    close("creep", creep, number(table), 1e-5);
}
