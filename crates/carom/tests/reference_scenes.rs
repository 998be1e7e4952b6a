//! Scenes with contact against independent solutions.

use crate::common::{close, near, number, numbers, reference};
use carom::prelude::*;
use carom::{Dof, Frame};
use nalgebra::Unit;

/// Times and states of a table `t=… : value`.
fn states(v: &serde_json::Value) -> Vec<(f64, serde_json::Value)> {
    let all = v.as_object().unwrap().iter();
    all.map(|(k, v)| (k.trim_start_matches("t=").parse().unwrap(), v.clone())).collect()
}

fn run(model: &Model, times: &[f64], rtol: f64) -> (Recording, carom::Summary) {
    let mut r = Recording::default();
    let last = times.iter().copied().fold(0.0, f64::max);
    let sim = Simulation::new(model).duration(last).rtol(rtol).output(Output::At(times.to_vec()));
    let run = sim.run_into(&mut r).unwrap();
    (r, run.summary)
}

/// The ball of a bearing, pressed between a turning inner race and a fixed outer one, in the plane.
#[test]
fn bearing_ball_between_races() {
    let data = &reference("dynamics.json")["bearing_ball_between_races"];
    let p = &data["params"];
    let (rb, mass) = (number(&p["rb"]), number(&p["m"]));
    let friction = || Tanh::new(0.1, 100.0).unwrap();
    let hertz = |k: &str| Hertz::new().stiffness(number(&p[k]));
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let axis = Unit::new_unchecked(Vec3::z());
    let inner = Body::prescribed("inner", Spin { axis, rate: 100.0 });
    b.body(inner.surface(Sphere::new(number(&p["Ri"])).unwrap()));
    let outer = SurfaceSpec::new(Sphere::new(number(&p["Ro"])).unwrap()).inside();
    b.body(Body::fixed("outer").surface(outer));
    let ball = Body::new("ball").mass(mass).surface(Sphere::new(rb).unwrap());
    b.body(ball.position([0.024997613080635667, 0.0, 0.0]).dofs(&[Dof::X, Dof::Y, Dof::Rz]));
    b.contact(
        ContactRule::between("ball", "inner")
            .normal(hertz("K_inner"))
            .friction(friction())
            .friction_at(FrictionAt::Surfaces),
    );
    b.contact(
        ContactRule::between("ball", "outer")
            .normal(hertz("K_outer"))
            .friction(friction())
            .friction_at(FrictionAt::Surfaces),
    );
    let model = b.build().unwrap();
    let want = states(&data["states"]);
    let times: Vec<f64> = want.iter().map(|(t, _)| *t).collect();
    let (r, summary) = run(&model, &times, 1e-12);
    for (frame, (t, want)) in r.frames.iter().zip(&want) {
        // the inner race moves too
        let (s, want) = (&frame.bodies[1], numbers(&want["state"]));
        let name = |what: &str| format!("{what} at {t}");
        near(&name("x"), s.position.x, want[0], 1e-9);
        near(&name("y"), s.position.y, want[1], 1e-9);
        close(&name("vx"), s.velocity.x, want[3], 1e-7);
        close(&name("vy"), s.velocity.y, want[4], 1e-7);
        close(&name("spin"), s.angular_velocity.z, want[5], 1e-7);
    }
    assert!(summary.audit_relative < 1e-10, "{summary}");
}

/// A free prism dropped on a fixed ball: elastic, and with restitution.
#[test]
fn prism_on_fixed_ball() {
    let data = &reference("dynamics.json")["prism_on_fixed_ball"];
    for case in data["cases"].as_object().unwrap().values() {
        let p = &case["params"];
        let half = numbers(&p["prism_half_dims"]);
        let x0 = numbers(&p["x0"]);
        let mut b = ModelBuilder::new();
        b.body(Body::fixed("ball").surface(Sphere::new(number(&p["ball_radius"])).unwrap()));
        let prism = Cuboid::new([2.0 * half[0], 2.0 * half[1], 2.0 * half[2]]).unwrap();
        b.body(Body::new("prism").mass(number(&p["mass"])).position([x0[0], x0[1], x0[2]]).surface(prism));
        let law = LankaraniNikravesh::restitution(number(&p["c_r"])).unwrap().stiffness(number(&p["K"]));
        b.contact(ContactRule::between("prism", "ball").normal(law));
        let model = b.build().unwrap();
        let want = states(&case["states"]);
        let times: Vec<f64> = want.iter().map(|(t, _)| *t).collect();
        let (r, summary) = run(&model, &times, 1e-12);
        for (event, want) in r.events.iter().zip(case["events"].as_array().unwrap()) {
            near("event", event.t, number(&want["t"]), 1e-9);
            near("rate", event.speed, number(&want["normal_rate"]).abs(), 1e-7);
        }
        for (frame, (t, want)) in r.frames.iter().zip(&want) {
            let (s, want) = (&frame.bodies[0], numbers(want));
            let w = s.orientation.inverse() * s.angular_velocity;
            for i in 0..3 {
                near(&format!("position {i} at {t}"), s.position[i], want[i], 1e-9);
                near(&format!("velocity {i} at {t}"), s.velocity[i], want[7 + i], 1e-7);
                near(&format!("spin {i} at {t}"), w[i], want[10 + i], 1e-7);
            }
        }
        assert!(summary.audit_relative < 1e-10, "{summary}");
    }
}

/// A ball down stairs of boxes, every other one with friction.
#[test]
fn ball_on_stairs() {
    let data = &reference("dynamics.json")["ball_on_stairs"];
    let mut b = ModelBuilder::new();
    let ball = Body::new("ball").mass(0.1).surface(Sphere::new(0.03).unwrap()).position([0.05, 0.0, 0.08]);
    b.body(ball.velocity([0.5, 0.0, 0.0]).dofs(&[Dof::X, Dof::Z, Dof::Ry]));
    for i in 0..6 {
        let (name, top) = (format!("step{i}"), -0.1 * f64::from(i));
        let block = Cuboid::new([0.2, 1.0, 1.0 + top]).unwrap();
        b.body(Body::fixed(&name).surface(block).position([
            0.2 * f64::from(i) + 0.1,
            0.0,
            0.5 * (top - 1.0),
        ]));
        let law = LankaraniNikravesh::restitution(0.7).unwrap().stiffness(1e7);
        let rule = ContactRule::between("ball", &name).normal(law);
        b.contact(if i % 2 == 0 {
            rule.friction(Tanh::new(0.3, 1000.0).unwrap()).friction_at(FrictionAt::Surfaces)
        } else {
            rule
        });
    }
    let model = b.build().unwrap();
    let want = states(&data["states"]);
    let times: Vec<f64> = want.iter().map(|(t, _)| *t).collect();
    let (r, summary) = run(&model, &times, 1e-13);
    let events = data["events"].as_array().unwrap();
    assert_eq!(r.events.len(), events.len());
    for (event, want) in r.events.iter().zip(events) {
        let t = number(&want["t"]);
        near("event", event.t, t, if t < 0.8 { 1e-9 } else { 1e-7 });
    }
    for (frame, (t, want)) in r.frames.iter().zip(&want) {
        let (s, want) = (&frame.bodies[0], numbers(want));
        let (dx, dv) = if *t < 0.9 { (1e-9, 1e-7) } else { (1e-7, 1e-5) };
        near(&format!("x at {t}"), s.position.x, want[0], dx);
        near(&format!("z at {t}"), s.position.z, want[1], dx);
        near(&format!("vx at {t}"), s.velocity.x, want[3], dv);
        near(&format!("vz at {t}"), s.velocity.z, want[4], dv);
        near(&format!("spin at {t}"), s.angular_velocity.y, want[5], dv / 0.03);
    }
    assert!(summary.audit_relative < 1e-10, "{summary}");
}

/// The rack of a billiard table and the cue ball, without friction, in the plane.
fn rack(gap: f64, diameter: f64, mass: f64, k: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let radius = 0.5 * diameter;
    let ball = |i: usize, x: f64, y: f64, v: f64| {
        let ball = Body::new(&format!("ball{i:02}")).mass(mass).surface(Sphere::new(radius).unwrap());
        ball.position([x, y, 0.0]).velocity([v, 0.0, 0.0])
    };
    b.body(ball(0, -diameter - 0.01, 0.001, 5.0));
    let pitch = diameter + gap;
    let mut id = 1;
    for row in 0..5 {
        for j in 0..=row {
            let (row, j) = (f64::from(row), f64::from(j));
            b.body(ball(id, row * pitch * 3f64.sqrt() / 2.0, (j - row / 2.0) * pitch, 0.0));
            id += 1;
        }
    }
    b.contact(ContactRule::between("*", "*").normal(Hertz::new().stiffness(k)));
    b.build().unwrap()
}

fn momentum(f: &Frame, mass: f64) -> Vec3 {
    f.bodies.iter().map(|b| b.velocity * mass).sum()
}

#[test]
fn billiard_break() {
    let data = &reference("dynamics.json")["billiard_break"];
    for (gap, case) in data["by_gap"].as_object().unwrap() {
        let p = &case["params"];
        let mass = number(&p["mass"]);
        let model = rack(number(&p["gap"]), number(&p["ball_diameter"]), mass, number(&p["K"]));
        let want = states(&case["states"]);
        let times: Vec<f64> = want.iter().map(|(t, _)| *t).collect();
        let (r, summary) = run(&model, &times, 1e-13);
        for (frame, (t, want)) in r.frames.iter().zip(&want) {
            let v = numbers(&want["v"]);
            for (i, b) in frame.bodies.iter().enumerate() {
                near(&format!("gap {gap}: ball {i}, vx at {t}"), b.velocity.x, v[2 * i], 1e-8);
                near(&format!("gap {gap}: ball {i}, vy at {t}"), b.velocity.y, v[2 * i + 1], 1e-8);
            }
            close("momentum", momentum(frame, mass).x, 0.85, 1e-12);
            near("momentum", momentum(frame, mass).y, 0.0, 1e-12);
        }
        let events = case["events_t_i_j_touch"].as_array().unwrap();
        for (event, want) in r.events.iter().zip(events) {
            near("event", event.t, number(&want[0]), 1e-9);
        }
        assert_eq!(r.events.len() as f64, number(&case["n_events"]));
        assert!(summary.audit_relative < 1e-10, "{summary}");
    }
}
