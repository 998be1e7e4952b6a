//! Motions whose solution is known.

use crate::common::{close, near, number, numbers, reference};
use carom::prelude::*;

const G: f64 = 9.81;
const RADIUS: f64 = 0.028575;
const MASS: f64 = 0.17;

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

/// How deep a ball on a plane is pressed in by its weight [m].
fn depth(slope: f64) -> f64 {
    (MASS * G * slope.cos() / STIFFNESS).powf(2.0 / 3.0)
}

const STIFFNESS: f64 = 1e9;

/// A ball on a plane, pressed in as deep as its weight asks for, so that it rolls without bouncing. Friction has the lever R, as the closed forms
/// have it.
fn ball_on_plane(slope: f64, friction: impl carom::law::Friction + 'static, v: f64) -> Model {
    ball_with_friction_at(FrictionAt::Surfaces, slope, friction, v)
}

fn ball_with_friction_at(
    at: FrictionAt,
    slope: f64,
    friction: impl carom::law::Friction + 'static,
    v: f64,
) -> Model {
    let (k, depth) = (STIFFNESS, depth(slope));
    let mut b = ModelBuilder::new();
    b.gravity([G * slope.sin(), 0.0, -G * slope.cos()]);
    let ball = Body::new("ball").mass(MASS).surface(Sphere::new(RADIUS).unwrap());
    b.body(ball.position([0.0, 0.0, RADIUS - depth]).velocity([v, 0.0, 0.0]));
    b.body(Body::fixed("cloth").surface(Plane));
    b.contact(
        ContactRule::between("ball", "cloth")
            .normal(Hertz::new().stiffness(k))
            .friction(friction)
            .friction_at(at),
    );
    b.build().unwrap()
}

/// At the middle of the contact points the lever of friction on a ball is ℓ = R − δ/2: friction keeps v + I ω/(m ℓ), and slip ends where v = ℓ ω.
#[test]
fn slip_to_roll_about_the_middle() {
    let model = ball_with_friction_at(FrictionAt::Middle, 0.0, Tanh::new(0.2, 1e4).unwrap(), 5.0);
    let run = Simulation::new(&model).duration(1.5).rtol(1e-12).run().unwrap();
    let end = run.end.body("ball").unwrap();
    let lever = RADIUS - 0.5 * depth(0.0);
    let share = 0.4 * RADIUS * RADIUS / (lever * lever);
    let (v, w) = (end.velocity.x, end.angular_velocity.y);
    close("invariant", v + share * lever * w, 5.0, 1e-12);
    close("speed", v, 5.0 / (1.0 + share), 1e-10);
    close("spin", w, v / lever, 1e-10);
    assert!(run.summary.audit_relative < 1e-11, "{}", run.summary);
}

/// Whatever the friction law, friction on the surfaces keeps v + (2/5) R ω of a ball on a plane: force and slip are those of the
/// ball's own contact point, R from its centre.
#[test]
fn slip_to_roll() {
    let want = &reference("dynamics.json")["closed_forms"]["slip_to_roll"];
    let model = ball_on_plane(0.0, Tanh::new(0.2, 1e4).unwrap(), 5.0);
    let mut r = Recording::default();
    let run = Simulation::new(&model).duration(1.5).rtol(1e-12).run_into(&mut r).unwrap();
    let end = run.end.body("ball").unwrap();
    let (v, w) = (end.velocity.x, end.angular_velocity.y);
    close("invariant", v + 0.4 * RADIUS * w, 5.0, 1e-12);
    close("speed", v, number(&want["v_final=5/7 v0"]), 1e-10);
    close("spin", w, number(&want["omega_final=v_final/R"]), 1e-10);
    // 2/7 of the translational energy is lost
    close("lost", run.summary.energy.dissipated_friction, 2.0 / 7.0 * 0.5 * MASS * 25.0, 1e-10);
    assert!(run.summary.audit_relative < 1e-11, "{}", run.summary);
}

/// Under tanh friction the slip s of a ball on a plane obeys sinh(s/v_t) = sinh(s0/v_t) exp(−(7/2) μ g t/v_t).
#[test]
fn tanh_slip_decay() {
    let (mu, vt): (f64, f64) = (0.2, 0.5);
    let model = ball_on_plane(0.0, Tanh::new(mu, 1.0 / vt).unwrap(), 2.0);
    for t in [0.1, 0.3, 0.6] {
        let run = Simulation::new(&model).duration(t).rtol(1e-12).run().unwrap();
        let end = run.end.body("ball").unwrap();
        let slip = end.velocity.x - end.angular_velocity.y * RADIUS;
        let want = vt * ((2.0 / vt).sinh() * (-3.5 * mu * G * t / vt).exp()).asinh();
        near("slip", slip, want, 1e-10);
    }
}

/// Under ambrosio friction slip stops at the edge of the dead band: v = (5 v0 + 2 s)/7.
#[test]
fn ambrosio_stops_at_its_dead_band() {
    let want = &reference("impact.json")["friction_closed_forms"]["ambrosio_example v0=5,deadband=1e-3"];
    let model = ball_on_plane(0.0, Ambrosio::new(0.2, 1e-3, 2e-3).unwrap(), 5.0);
    let run = Simulation::new(&model).duration(2.0).rtol(1e-12).run().unwrap();
    let end = run.end.body("ball").unwrap();
    // a difference of two speeds of 3.6 m/s: 1e-10 of them
    near("slip", end.velocity.x - end.angular_velocity.y * RADIUS, 1e-3, 3.6e-10);
    close("speed", end.velocity.x, number(want), 1e-10);
}

/// On an incline a ball rolls at (5/7) g sin θ if μ ≥ (2/7) tan θ, creeping at v_t atanh((2/7) tan θ/μ); below, it
/// slips at g (sin θ − μ cos θ).
#[test]
fn incline() {
    let want = &reference("dynamics.json")["closed_forms"]["incline"]["theta=30deg"];
    let at = |model: &Model, t: f64| {
        *Simulation::new(model).duration(t).rtol(1e-12).run().unwrap().end.body("ball").unwrap()
    };
    // slipping
    let model = ball_on_plane(30f64.to_radians(), Tanh::new(0.1, 1e4).unwrap(), 0.0);
    let (a, b) = (at(&model, 0.5), at(&model, 1.0));
    let slip = &want["mu=0.1"];
    close("slipping", 2.0 * (b.velocity.x - a.velocity.x), number(&slip["a=g(sin-mu cos)"]), 1e-10);
    let alpha = 2.0 * (b.angular_velocity.y - a.angular_velocity.y);
    close("spinning up", alpha, number(&slip["alpha=5 mu g cos/(2R), R=0.028575"]), 1e-10);
    // rolling
    let model = ball_on_plane(30f64.to_radians(), Tanh::new(0.3, 1e3).unwrap(), 0.0);
    let (a, b) = (at(&model, 0.5), at(&model, 1.0));
    close("rolling", 2.0 * (b.velocity.x - a.velocity.x), number(&want["a_roll=5/7 g sin"]), 1e-10);
    let model = ball_on_plane(20f64.to_radians(), Tanh::new(0.3, 1e3).unwrap(), 0.0);
    let b = at(&model, 1.0);
    let table = &reference("impact.json")["friction_closed_forms"]["example theta=20deg mu=0.3 vt=1e-3"];
    // a difference of two speeds of 2.4 m/s: 1e-10 of them
    near("creep", b.velocity.x - b.angular_velocity.y * RADIUS, number(table), 2.4e-10);
}

/// A ball thrown into the corner of a can touches barrel and cap at the same instant, and comes straight back; one
/// that fits tightly between the caps touches three walls.
#[test]
fn ball_in_a_can() {
    let can = || SurfaceSpec::new(Cylinder::new(0.05, 0.1).unwrap()).inside();
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::fixed("can").surface(can()));
    let (r, v) = (0.01, Vec3::new(0.8, 0.0, 0.8));
    b.body(Body::new("ball").mass(0.05).surface(Sphere::new(r).unwrap()).velocity(v.into()));
    b.contact(ContactRule::between("ball", "can").normal(Hertz::new().stiffness(1e8)));
    let mut recording = Recording::default();
    let model = b.build().unwrap();
    let run = Simulation::new(&model).duration(0.08).rtol(1e-12).run_into(&mut recording).unwrap();
    let touches: Vec<&Event> = recording.events.iter().filter(|e| e.kind == EventKind::Touch).collect();
    let features: Vec<&str> = touches.iter().map(|e| e.feature.as_str()).collect();
    assert_eq!(features, ["barrel", "cap+"]);
    for touch in touches {
        close("touch", touch.t, 0.04 / 0.8, 1e-12);
    }
    // between two walls of equal stiffness the motion is reversed
    assert!((run.end.body("ball").unwrap().velocity + v).norm() < 1e-9, "{:?}", run.end.body("ball"));

    // 1 µm too large for the caps, and as deep in the barrel: three forces at once
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3])
        .body(Body::fixed("can").surface(SurfaceSpec::new(Cylinder::new(0.2, 0.02).unwrap()).inside()));
    let ball = Body::new("ball").mass(0.05).surface(Sphere::new(0.010001).unwrap());
    b.body(ball.position([0.19, 0.0, 0.0]));
    b.contact(ContactRule::between("ball", "can").normal(Hertz::new().stiffness(1e8)));
    let mut recording = Recording::default();
    let model = b.build().unwrap();
    Simulation::new(&model).duration(1e-6).run_into(&mut recording).unwrap();
    let contacts = &recording.frames[0].contacts;
    assert_eq!(contacts.len(), 3);
    for c in contacts {
        close("depth", c.delta, 1e-6, 1e-9);
        close("force", c.f_n, 1e8 * 1e-9, 1e-8);
    }
}

/// A cylinder stands and lies on a plane: its weight is carried by two points of its rims, and it stays.
#[test]
fn a_cylinder_stands_and_lies() {
    let (radius, length, mass, k) = (0.03, 0.1, 0.4, 1e7);
    for (name, points, height, turn) in [
        ("standing", 2, 0.05, Quat::identity()),
        ("lying", 2, radius, Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2)),
    ] {
        let depth = (mass * G / f64::from(points) / k).powf(2.0 / 3.0);
        let mut b = ModelBuilder::new();
        let rod = Body::new("rod").mass(mass).surface(Cylinder::new(radius, length).unwrap());
        b.body(rod.position([0.0, 0.0, height - depth]).orientation(turn));
        b.body(Body::fixed("floor").surface(Plane));
        let law = HuntCrossley::damping(0.5).unwrap().stiffness(k);
        b.contact(ContactRule::between("rod", "floor").normal(law).friction(Tanh::new(0.3, 100.0).unwrap()));
        let run = Simulation::new(&b.build().unwrap()).duration(1.0).rtol(1e-9).run().unwrap();
        assert_eq!(run.end.frame.contacts.len(), points as usize, "{name}: {:?}", run.end.frame.contacts);
        let end = run.end.body("rod").unwrap();
        near(name, end.position.z, height - depth, 1e-9);
        assert!(end.velocity.norm() < 1e-6 && end.angular_velocity.norm() < 1e-4, "{name}: {end:?}");
    }
}
