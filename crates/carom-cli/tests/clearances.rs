//! The examples of joints with clearance: the numbers their heads promise, against closed forms and independent solutions.

use crate::common::numbers::{Line, norm, run, value, vector};
use crate::common::{Place, csv, example};
use carom_testkit::near;

/// The deepest indentation of any touch that has ended.
fn deepest(summary: &serde_json::Value) -> f64 {
    summary["max_indentation"].as_f64().unwrap()
}

/// How often contacts of this phase ended.
fn ended(events: &[Line], phase: &str) -> usize {
    events.iter().filter(|e| e["phase"] == phase).count()
}

/// An event of this kind that an independent solution has at `t`: one and no other, so near.
fn happens(events: &[Line], kind: &str, t: f64, within: f64) {
    let near = |e: &&Line| e["kind"] == kind && (value(e, "t") - t).abs() <= within;
    assert_eq!(events.iter().filter(near).count(), 1, "{kind} at {t}");
}

/// Where the x axis of a body is turned to, in the plane.
fn angle(line: &Line, body: &str) -> f64 {
    let [w, z] = ["qw", "qz"].map(|c| value(line, &format!("{body}.{c}")));
    2.0 * z.atan2(w)
}

/// The first touches are those of an independent solution in minimal coordinates.
#[test]
fn slider_crank_clearance() {
    let (states, events, summary) = run("slider-crank-clearance.toml");
    let touches: Vec<f64> = events.iter().filter(|e| e["kind"] == "touch").map(|e| value(e, "t")).collect();
    for (touch, t) in touches.iter().zip([2.2728603203962797e-4, 6.370564301667384e-4, 7.497002798421819e-4])
    {
        near("touch", *touch, t, 1e-13);
    }
    let (r, l, omega) = (0.05, 0.12, 5000.0 * std::f64::consts::TAU / 60.0);
    for line in &states {
        let a: f64 = omega * value(line, "t");
        // from the crank pin to the piston: the rod, and what its pin is off its bearing
        let apart = (value(line, "piston.x") - r * a.cos()).hypot(r * a.sin());
        near("rod", apart, l, 0.5e-3 + deepest(&summary));
    }
}

/// Volume, depth and touches of an independent solution in minimal coordinates: scipy's DOP853 at rtol 1e-13, whose runs at other tolerances differ by 1e-7.
#[test]
fn slider_crank_wear() {
    let (_, events, summary) = run("slider-crank-wear.toml");
    let second = events.iter().filter(|e| e["kind"] == "touch").nth(1).expect("two touches");
    near("touch", value(second, "t"), 6.38623370565e-4, 1e-13);
    let worn = |key: &str| summary["wear"]["piston-pin"][key].as_f64().expect("a number");
    near("volume", worn("volume"), 4.3425583e-10, 2e-16);
    near("depth", worn("depth"), 2.0189908e-6, 1e-12);
}

/// The rod flies straight and turns evenly until one of its pins touches.
#[test]
fn slider_crank_two_clearances() {
    let (states, events, summary) = run("slider-crank-two-clearances.toml");
    let (r, l, omega) = (0.05, 0.12, 1500.0 * std::f64::consts::TAU / 60.0);
    let first = &events[0];
    assert!(first["contact"].starts_with("rod/crank-pin-journal"), "{}", first["contact"]);
    let t = value(first, "t");
    near("first touch", t, 0.366307e-3, 1e-9);
    // the end of the rod that was at the crank pin, and the crank pin
    let (turned, a) = (-omega * r / l * t, omega * t);
    let end = (r + 0.5 * l - 0.5 * l * turned.cos(), 0.5 * omega * r * t - 0.5 * l * turned.sin());
    near("play", (end.0 - r * a.cos()).hypot(end.1 - r * a.sin()), 0.1e-3, 1e-15);
    for line in &states {
        let a: f64 = omega * value(line, "t");
        let apart = (value(line, "piston.x") - r * a.cos()).hypot(r * a.sin());
        near("rod", apart, l, 2.0 * (0.1e-3 + deepest(&summary)));
    }
    // hops, by scipy's DOP853 at rtol 1e-13 in the rod's place and angle and the piston's place
    for (kind, t) in [
        ("touch", 0.0017766026937),
        ("release", 0.0059109658473),
        ("release", 0.0101766410184),
        ("touch", 0.0118763291194),
    ] {
        happens(&events, kind, t, 1e-10);
    }
    near("bound", 2.0 * (0.1e-3 + deepest(&summary)), 0.2286e-3, 0.5e-7);
    assert!(ended(&events, "impact") > 0 && ended(&events, "following") > 0);
}

/// Until they touch, coupler and rocker are two pendulums, the one hung from the crank: by another program, with another integrator, at 1e-13.
#[test]
fn four_bar_clearance() {
    let (states, events, summary) = run("four-bar-clearance.toml");
    near("first touch", value(&events[0], "t"), 4.762190372353566e-4, 1e-13);
    for line in &states {
        let a: f64 = 100.0 * value(line, "t");
        let (coupler, rocker) = (angle(line, "coupler"), angle(line, "rocker"));
        let x = 0.1 * a.cos() + 0.3 * coupler.cos() - 0.3 - 0.25 * rocker.cos();
        let y = 0.1 * a.sin() + 0.3 * coupler.sin() - 0.25 * rocker.sin();
        assert!(x.hypot(y) <= 0.1e-3 + deepest(&summary), "{}", x.hypot(y));
    }
    // the end of following, by scipy's DOP853 at rtol 1e-13 in the two angles
    happens(&events, "release", 0.0615534179308, 1e-10);
    near("bound", 0.1e-3 + deepest(&summary), 0.1116e-3, 0.5e-7);
}

/// Free flight in closed form; and a force through the centre of the socket has no moment about it.
#[test]
fn ball_joint_clearance() {
    let (states, events, summary) = run("ball-joint-clearance.toml");
    let t = value(&events[0], "t");
    near("first touch", t, 10.09579e-3, 1e-8);
    let ball = [0.15 * (1.0 - t.cos()), 0.15 * (t - t.sin()), -0.5 * 9.81 * t * t];
    near("play", norm(ball), 0.5e-3, 1e-15);
    let (mass, across, along) = (0.5, 0.5 * 0.09 / 12.0, 1e-6);
    for line in &states {
        let [p, v, w] = [["x", "y", "z"], ["vx", "vy", "vz"], ["wx", "wy", "wz"]]
            .map(|c| vector(line, c.map(|c| format!("bar.{c}")).each_ref().map(String::as_str)));
        let [qw, qx, qy, qz] = ["qw", "qx", "qy", "qz"].map(|c| value(line, &format!("bar.{c}")));
        let e = [1.0 - 2.0 * (qy * qy + qz * qz), 2.0 * (qx * qy + qw * qz), 2.0 * (qx * qz - qw * qy)];
        let spin: f64 = e.iter().zip(w).map(|(e, w)| e * w).sum();
        // L = m p × v + I w, of a body that is round about e
        let momentum = mass * (p[0] * v[1] - p[1] * v[0]) + across * w[2] + (along - across) * spin * e[2];
        near("moment of momentum", momentum, 0.015, 1e-13);
        let ball = [0, 1, 2].map(|i| p[i] - 0.15 * e[i]);
        assert!(norm(ball) <= 0.5e-3 + deepest(&summary), "{}", norm(ball));
    }
    near("lies still", value(events.last().unwrap(), "t"), 0.1812, 0.5e-4);
}

/// Free fall onto the collar; then the balance of forces and couples, and the lean that the play and the springs of the ends allow.
#[test]
fn door_with_play() {
    let place = Place::new("mechanism-door-with-play");
    place.carom(&["run", &example("door-with-play.toml"), "-o", "results", "--quiet"]).done();
    let file = |name: &str| csv(place.path("results").join(name));
    let (states, events, contacts) = (file("states.csv"), file("events.csv"), file("contacts.csv"));
    near("collar", value(&events[0], "t"), (2.0 * 0.5e-3 / 9.81_f64).sqrt(), 1e-13);

    let (weight, arm, radius, length, down) = (20.0 * 9.81, 0.4, 9.5e-3, 0.6, 0.6);
    // F = (K/2) δ^1.5; R_b cos θ − (L/2) sin θ = R − δ at the bush's rim; F (L + 2 R_b θ) = m g (d − R + H θ): a contraction
    let (bush, gap, mut f, mut lean) = (10e-3, 0.5e-3, weight, 0.0_f64);
    for _ in 0..50 {
        let delta = (2.0 * f / 1e9_f64).powf(2.0 / 3.0);
        lean = (2.0 * (gap + delta - bush * (1.0 - lean.cos())) / length).asin();
        f = weight * (arm - radius + down * lean) / (length + 2.0 * bush * lean);
    }
    near("promised", f, 128.04, 0.01);
    let at_rest: Vec<&Line> = contacts.iter().filter(|c| value(c, "t") == 1.0).collect();
    let force = |feature: &str| value(at_rest.iter().find(|c| c["feature"] == feature).unwrap(), "fn");
    assert_eq!(at_rest.len(), 3);
    near("weight", force("rim- low"), weight, 1e-8);
    // terms of the order of θ² are left out of the lever arms: 3e-9
    for end in ["end+", "end-"] {
        near(end, force(end), f, 1e-8 * f);
    }
    let end = states.last().unwrap();
    near("lean", 2.0 * value(end, "door.qy").asin(), lean, 1e-9 * lean);
    // the collar, its indentation, the pin's closest point that rises as it leans, and the lever about the rim
    let collar = 0.5e-3 + (weight / 1e9_f64).powf(2.0 / 3.0) + down * (1.0 - lean.cos());
    near("edge", value(end, "edge.z"), -collar - (0.8 - radius) * lean.sin(), 1e-8);
}
