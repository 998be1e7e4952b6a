//! The examples with joints: the numbers their heads promise.
#![allow(clippy::unwrap_used)] // helpers of tests

mod common;

use common::numbers::{Line, close, run, value};
use common::{Place, csv, example, json};

/// Runs an example: its states, and what its joints do.
fn with_joints(name: &str) -> (Vec<Line>, Vec<Line>) {
    let place = Place::new(&format!("mechanism-{name}"));
    place.carom(&["run", &example(name), "-o", "results", "--quiet"]).done();
    let file = |name: &str| csv(place.path("results").join(name));
    (file("states.csv"), file("joints.csv"))
}

/// What a joint does at the output times.
fn of<'l>(joints: &'l [Line], name: &str) -> Vec<&'l Line> {
    joints.iter().filter(|line| line["joint"] == name).collect()
}

#[test]
fn pendulum() {
    let (states, joints) = with_joints("pendulum.toml");
    // through the bottom, straight between two lines: a quarter of the swing
    let x = |line: &Line| value(line, "bar.x");
    let pair = states.windows(2).find(|pair| x(&pair[0]) > 0.0 && x(&pair[1]) <= 0.0).unwrap();
    let t = value(&pair[0], "t") + 0.02 * x(&pair[0]) / (x(&pair[0]) - x(&pair[1]));
    close("swing", 4.0 * t, 2.36784194756, 1e-4);
    let pull = of(&joints, "hinge").iter().map(|j| value(j, "fx").hypot(value(j, "fz"))).fold(0.0, f64::max);
    close("pull", pull, 24.525, 0.02);
}

#[test]
fn slider_crank() {
    let (states, joints) = with_joints("slider-crank.toml");
    let (r, l, omega) = (0.05, 0.12, 5000.0 * std::f64::consts::TAU / 60.0);
    for line in &states {
        let a: f64 = omega * value(line, "t");
        close("x", value(line, "piston.x"), r * a.cos() + (l * l - (r * a.sin()).powi(2)).sqrt(), 1e-10);
    }
    // the names of joints and drives
    let names: Vec<&str> = joints[..5].iter().map(|j| j["joint"].as_str()).collect();
    assert_eq!(names, ["main", "crank-pin", "piston-pin", "bore", "main/speed"]);
    // what the drive does in a turn comes back: the piston returns
    let power = |j: &&Line| -value(j, "mz") * omega;
    let work: f64 = of(&joints, "main/speed")[..120].iter().map(power).sum::<f64>() * 1e-4;
    close("work", work, 0.0, 1e-6);
}

/// Crank, coupler and rocker stay as long as they are.
#[test]
fn four_bar() {
    let (states, _) = with_joints("four-bar.toml");
    let end = |line: &Line, body: &str, at: f64| {
        let [x, y, w, z] = ["x", "y", "qw", "qz"].map(|c| value(line, &format!("{body}.{c}")));
        let angle = 2.0 * z.atan2(w);
        (x + at * angle.cos(), y + at * angle.sin())
    };
    for line in &states {
        let (a, b) = (end(line, "crank", 0.05), end(line, "rocker", 0.125));
        close("crank", a.0.hypot(a.1), 0.1, 1e-13);
        close("rocker", (b.0 - 0.3).hypot(b.1), 0.25, 1e-13);
        close("coupler", (b.0 - a.0).hypot(b.1 - a.1), 0.3, 1e-13);
    }
}

#[test]
fn two_four_bars() {
    let (states, _) = with_joints("two-four-bars.toml");
    let (end, angle) = (states.last().unwrap(), 31.7505971869861018_f64);
    close("x", 2.0 * value(end, "crank1.x"), angle.sin(), 1e-9);
    close("y", 2.0 * value(end, "crank1.y"), angle.cos(), 1e-9);
    for line in &states {
        close("parallel", value(line, "crank3.x") - 2.0, value(line, "crank1.x"), 1e-9);
    }
}

#[test]
fn andrews_squeezer() {
    let (states, _) = with_joints("andrews-squeezer.toml");
    let end = states.last().unwrap();
    for (body, angle) in
        [("K1", 15.81077119515371f64), ("K3", 0.04082224011964558), ("K5", 0.524409965879954)]
    {
        let [w, z] = ["qw", "qz"].map(|c| value(end, &format!("{body}.{c}")));
        close(body, (2.0 * z.atan2(w) - angle).sin(), 0.0, 1e-9);
    }
}

/// (m + M) g/(m ω²) below the pivot, once the sleeve has come to rest.
#[test]
fn governor() {
    let (states, joints) = with_joints("governor.toml");
    let (arm, z) = (0.3 * 30f64.to_radians().cos(), |line: &Line, of: &str| value(line, &format!("{of}.z")));
    for line in &states[..200] {
        close("at first", z(line, "ball1"), 0.5 - arm, 1e-9);
    }
    let end = states.last().unwrap();
    close("ball", z(end, "ball1"), 0.5 - arm / 1.69, 1e-9);
    close("sleeve", z(end, "sleeve"), 0.5 - 2.0 * arm / 1.69, 1e-9);
    close("couple", value(of(&joints, "spindle/speed").last().unwrap(), "mz"), 0.0, 1e-7);
}

#[test]
fn bricard() {
    let place = Place::new("bricard");
    let out = place.carom(&["run", &example("bricard.toml"), "-o", "results"]).done();
    assert!(out.contains("equations repeat those of other joints"), "{out}");
    let summary = json(place.path("results").join("summary.json"));
    assert_eq!(summary["warnings"].as_array().unwrap().len(), 1);
    let states = csv(place.path("results").join("states.csv"));
    let away = |line: &Line, body: &str, q: [f64; 3]| {
        let d = ["x", "y", "z"].iter().zip(q).map(|(c, q)| value(line, &format!("{body}.{c}")) - q);
        d.map(|d| d * d).sum::<f64>().sqrt()
    };
    for line in &states {
        close("first", away(line, "bar1", [0.0; 3]), 0.5, 1e-12);
        close("last", away(line, "bar5", [0.0, 0.0, 1.0]), 0.5, 1e-12);
    }
    // hung through, a regular figure
    let lowest = states.iter().map(|line| value(line, "bar3.y")).fold(0.0, f64::min);
    close("lowest", lowest, -0.75 * 3f64.sqrt(), 1e-4);
}

#[test]
fn cradle_on_rods() {
    let (states, events, _) = run("cradle-on-rods.toml");
    // a quarter of a swing from 30 degrees, and the gap at the speed it has then
    close("first touch", value(&events[0], "t"), 0.22818960671772803 + 0.00068959527, 1e-8);
    close(
        "speed",
        value(&events[0], "speed"),
        (2.0 * 9.81 * 0.2 * (1.0 - 30f64.to_radians().cos())).sqrt(),
        1e-4,
    );
    let highest = states.iter().map(|line| value(line, "last.z")).fold(0.0, f64::max);
    close("as high", highest, 0.2 * (1.0 - 30f64.to_radians().cos()), 1e-5);
}

/// The walk of a wheel whose feet neither slip nor yield, on feet that do a little.
#[test]
fn rimless_wheel() {
    let (_, events, _) = run("rimless-wheel.toml");
    let touches: Vec<f64> = events.iter().filter(|e| e["kind"] == "touch").map(|e| value(e, "t")).collect();
    assert_eq!(touches.len(), 12);
    for pair in touches[5..].windows(2) {
        close("step", pair[1] - pair[0], 0.5321562181082156, 1e-3);
    }
}

/// A damped oscillator until the stop, then the spring against it.
#[test]
fn door_closer() {
    let (states, events, _) = run("door-closer.toml");
    close("touch", value(&events[0], "t"), 0.9676680641892224, 1e-11);
    close("speed", value(&events[0], "speed"), 0.7 * 1.5831826597585326, 1e-10);
    // K δ^(3/2) ρ = k (50° − δ/ρ)
    let end = states.last().unwrap();
    let angle = value(end, "door.y").atan2(value(end, "door.x"));
    close("at rest", angle, -80f64.to_radians() - 0.0005373345473436796 / 0.7, 1e-12);
}

#[test]
fn engine_mounts() {
    let (states, _, _) = run("engine-mounts.toml");
    close("sinks", value(states.last().unwrap(), "engine.z"), -150.0 * 9.81 / (4.0 * 180e3), 1e-9);
    // z = −d (1 − e^(−ζωt) (cos ω't + ζω/ω' sin ω't)), whatever the roll: the mounts are placed alike on both sides
    let (omega, zeta_omega) = ((4.0 * 180e3 / 150.0_f64).sqrt(), 4.0 * 800.0 / 300.0);
    let damped = (omega * omega - zeta_omega * zeta_omega).sqrt();
    for line in &states {
        let t = value(line, "t");
        let wave = (damped * t).cos() + zeta_omega / damped * (damped * t).sin();
        let z = -150.0 * 9.81 / (4.0 * 180e3) * (1.0 - (-zeta_omega * t).exp() * wave);
        close("bounce", value(line, "engine.z"), z, 1e-11);
    }
}

#[test]
fn joystick() {
    let (states, events, _) = run("joystick.toml");
    let far = |line: &Line| value(line, "knob.x").hypot(value(line, "knob.y"));
    let deepest = events.iter().filter(|e| e["kind"] == "release").map(|e| value(e, "max_indentation"));
    let rim = 0.1 * (25f64.to_radians() + deepest.fold(0.0, f64::max) / 0.04).sin();
    assert!(events.len() > 40 && states.iter().all(|line| far(line) <= rim * (1.0 + 1e-9)));
}

/// A circle of its own, at two sevenths of the table's rate.
#[test]
fn turntable() {
    let (states, joints) = with_joints("turntable.toml");
    for line in &states {
        let a = 4.0 * std::f64::consts::PI / 21.0 * value(line, "t");
        close("x", value(line, "ball.x"), -0.18 + 0.28 * a.cos(), 1e-10);
        close("y", value(line, "ball.y"), 0.28 * a.sin(), 1e-10);
    }
    // what holds it on its circle, m (2/7 Ω)² r, and its weight
    let held = 0.26 * (4.0 * std::f64::consts::PI / 21.0).powi(2) * 0.28;
    for joint in of(&joints, "roll") {
        close("friction", value(joint, "fx").hypot(value(joint, "fy")), held, 1e-10);
        close("weight", value(joint, "fz"), -0.26 * 9.81, 1e-10);
    }
}

#[test]
fn wheel_runs_out() {
    let (states, joints) = with_joints("wheel-runs-out.toml");
    let w = |t: f64| value(states.iter().find(|l| (value(l, "t") - t).abs() < 1e-9).unwrap(), "wheel.wy");
    close("slows down", w(1.0) - w(5.0), 4.0 * 0.015 * 0.25 * 2.0 * 9.81 / 0.025, 1e-6);
    close("stands", w(9.5), 0.0, 1e-12);
    let couple = |j: &&Line| value(j, "my");
    close(
        "friction",
        of(&joints, "bearing").iter().map(couple).nth(60).unwrap(),
        0.015 * 0.25 * 2.0 * 9.81,
        1e-6,
    );
}
