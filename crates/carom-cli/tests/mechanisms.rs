//! Mechanisms for ten seconds at rtol 1e-10: the audit stays below 1e-9, however many turns they make and singular positions they pass.

use crate::common::{Place, example, json};
use std::fmt::Write;

/// Audit and impacts of a scene over so many seconds, at this absolute tolerance.
fn audit(place: &Place, scene: &str, duration: f64, atol: &str) -> (f64, f64) {
    let [duration, atol] = [format!("run/duration={duration}"), format!("run/atol={atol}")];
    let sets = ["run/rtol=1e-10", &atol, "run/output_every=1"].map(|value| ["--set", value]);
    let args = [&["run", scene, "-o", "out", "--set", &duration][..], sets.as_flattened()].concat();
    place.carom(&args).done();
    let s = json(place.path("out").join("summary.json"));
    assert_eq!(s["rtol"].as_f64(), Some(1e-10));
    (s["audit_relative"].as_f64().unwrap(), s["contacts"].as_f64().unwrap())
}

/// A machine of 833 turns, a governor spun up, chains of loops, a walker.
#[test]
fn examples_for_ten_seconds() {
    let place = Place::new("mechanisms");
    // under its constant couple Andrews' squeezer turns ever faster: 30 ms are what is known of it
    let all = [("slider-crank", 10.0), ("governor", 10.0), ("andrews-squeezer", 0.03), ("bricard", 10.0)];
    let more = ["two-four-bars", "four-bar", "rimless-wheel", "double-pendulum", "door-closer"];
    for (name, duration) in all.into_iter().chain(more.map(|name| (name, 10.0))) {
        let (audit, _) = audit(&place, &example(&format!("{name}.toml")), duration, "1e-10");
        println!("{name}: {audit:.1e}");
        assert!(audit < 1e-9, "{name}: {audit:e}");
    }
}

/// Elastic impacts of steel and of stiff stops. A speed that an impact turns round passes zero, where `atol` is all that holds its error, and what an impact loses by that stays lost, with one sign: at 1e-10 a third
/// of the tolerance each. So the absolute tolerance is a smaller one, and the bound that of all mechanisms.
#[test]
fn impacts_for_ten_seconds() {
    let place = Place::new("impacts");
    for name in ["cradle-on-rods", "joystick"] {
        let (audit, impacts) = audit(&place, &example(&format!("{name}.toml")), 10.0, "1e-12");
        println!("{name}: {audit:.1e}, {impacts} impacts");
        assert!(impacts > 50.0 && audit < 1e-9, "{name}: {audit:e}, {impacts} impacts");
    }
}

/// A row of parallelograms in space, every equation said once: couplers have a ball at one crank and a sleeve, or a Cardan joint, at the next. Twice a turn all bars lie in one line.
fn parallelograms(n: usize, joint: &str) -> String {
    let mut text = String::from("[world]\ngravity = [0, -9.81, 0]\n\n[run]\nduration = \"10 s\"\n");
    let mut body = |name: String, inertia: &str, [x, y]: [f64; 2], v: f64, w: f64| {
        let moves = format!("velocity = [{v}, 0, 0]\nangular_velocity = [0, 0, {w}]");
        let place = format!("position = [{x}, {y}, 0]");
        writeln!(text, "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = {inertia}\n{place}\n{moves}")
            .unwrap();
    };
    for i in 0..=n {
        body(format!("crank{i}"), "[\"= 1/12\", 1e-3, \"= 1/12\"]", [i as f64, 0.5], 0.5, -1.0);
    }
    for i in 0..n {
        body(format!("coupler{i}"), "[1e-3, \"= 1/12\", \"= 1/12\"]", [i as f64 + 0.5, 1.0], 1.0, 0.0);
    }
    text += "[[body]]\nname = \"ground\"\nfixed = true\n";
    let mut joint_at = |kind: &str, between: [String; 2], [x, y]: [usize; 2], more: &str| {
        let [a, b] = between;
        writeln!(
            text,
            "[[joint]]\ntype = \"{kind}\"\nbetween = [\"{a}\", \"{b}\"]\npoint = [{x}, {y}, 0]\n{more}"
        )
        .unwrap();
    };
    for i in 0..=n {
        joint_at("revolute", [format!("crank{i}"), "ground".to_owned()], [i, 0], "axis = [0, 0, 1]");
    }
    for i in 0..n {
        let (coupler, axes) = (
            format!("coupler{i}"),
            match joint {
                "universal" => "axis = [0, 0, 1]\nsecond_axis = [0, 1, 0]",
                _ => "axis = [0, 0, 1]",
            },
        );
        joint_at("spherical", [coupler.clone(), format!("crank{i}")], [i, 1], "");
        joint_at(joint, [coupler, format!("crank{}", i + 1)], [i + 1, 1], axes);
    }
    text
}

#[test]
fn parallelograms_in_space() {
    let place = Place::new("parallelograms");
    for joint in ["cylindrical", "universal"] {
        for n in [1, 2, 5] {
            std::fs::write(place.path("scene.toml"), parallelograms(n, joint)).unwrap();
            let (audit, _) = audit(&place, "scene.toml", 10.0, "1e-10");
            println!("{joint}, {n}: {audit:.1e}");
            assert!(audit < 1e-9, "{joint}, {n}: {audit:e}");
        }
    }
}
