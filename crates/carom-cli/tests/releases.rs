//! Machines whose contacts have several points that leave together: a cam with its follower, a gripper that slips.

use std::path::PathBuf;

use crate::common::numbers::{Line, touches_close, value};
use crate::common::{Place, csv, json};
use carom::ode::methods;
use carom_testkit::one_in;

/// An eccentric cam (e, R) lifts a follower of mass m by its roller (r) against a spring of stiffness k that presses by P + 2 k e at the top, and its weight.
const CAM: &str = r#"
[parameter]
e = "5 mm"
R = "25 mm"
r = "10 mm"
k = 2000
preload = 20
alpha = 0
w0 = 122

[run]
duration = "60 ms"
output_every = "1 ms"

[material.steel]
youngs_modulus = "210 GPa"
poisson_ratio = 0.3
density = 7850

[[body]]
name = "frame"
fixed = true

[[body]]
name = "cam"
[[body.surface]]
type = "cylinder"
radius = "= R"
length = "10 mm"
position = [0, 0, "= e"]
orientation = { axis = [1, 0, 0], angle = "90 deg" }
material = "steel"

[[body]]
name = "follower"
mass = 0.5
inertia = [1e-4, 1e-4, 1e-4]
position = [0, 0, "= e + R + r"]

[[body]]
name = "roller"
position = [0, 0, "= e + R + r"]
[[body.surface]]
type = "cylinder"
radius = "= r"
length = "14 mm"
orientation = { axis = [1, 0, 0], angle = "90 deg" }
material = "steel"

[[joint]]
name = "shaft"
type = "revolute"
between = ["cam", "frame"]
point = [0, 0, 0]
axis = [0, 1, 0]

[[joint]]
name = "guide"
type = "prismatic"
between = ["follower", "frame"]
point = [0, 0, "= e + R + r"]
axis = [0, 0, 1]

[[joint]]
name = "pin"
type = "revolute"
between = ["roller", "follower"]
point = [0, 0, "= e + R + r"]
axis = [0, 1, 0]

[[force]]
name = "spring"
type = "slide-spring"
joint = "guide"
stiffness = "= k"
rest_displacement = "= -preload/k - 2*e"

[[drive]]
target = "joint/shaft/angle"
expression = "w0*t + 0.5*alpha*t^2"

[[contact]]
between = ["cam", "roller"]
normal = { law = "hunt-crossley", restitution = 0.5, elastic = "johnson" }
friction = { law = "tanh", coefficient = 0.1, slope = 1000 }
"#;

/// Two jaws press a can and lift it.
const GRIPPER: &str = r#"
[run]
duration = "0.1 s"
output_every = "2 ms"

[material.alu]
youngs_modulus = "70 GPa"
poisson_ratio = 0.33
density = 2700

[material.rubber]
youngs_modulus = "5 MPa"
poisson_ratio = 0.48
density = 1100

[[body]]
name = "floor"
fixed = true
[[body.surface]]
type = "plane"
material = "alu"

[[body]]
name = "can"
mass = 0.3
position = [0, 0, "50 mm"]
[[body.surface]]
type = "cylinder"
radius = "30 mm"
length = "100 mm"
material = "alu"

[[body]]
name = "hand"
mass = 1
inertia = [1e-3, 1e-3, 1e-3]
position = [0, 0, "200 mm"]

[[body]]
name = "left"
mass = 0.1
inertia = [1e-4, 1e-4, 1e-4]
position = ["-40 mm", 0, "60 mm"]
[[body.surface]]
type = "plane"
position = ["5 mm", 0, 0]
orientation = { axis = [0, 1, 0], angle = "90 deg" }
material = "rubber"

[[body]]
name = "right"
mass = 0.1
inertia = [1e-4, 1e-4, 1e-4]
position = ["40 mm", 0, "60 mm"]
[[body.surface]]
type = "plane"
position = ["-5 mm", 0, 0]
orientation = { axis = [0, 1, 0], angle = "-90 deg" }
material = "rubber"

[[joint]]
name = "lift"
type = "prismatic"
between = ["hand", "floor"]
point = [0, 0, "200 mm"]
axis = [0, 0, 1]

[[joint]]
name = "jl"
type = "prismatic"
between = ["left", "hand"]
point = ["-40 mm", 0, "60 mm"]
axis = [1, 0, 0]

[[joint]]
name = "jr"
type = "prismatic"
between = ["right", "hand"]
point = ["40 mm", 0, "60 mm"]
axis = [-1, 0, 0]

[[drive]]
target = "joint/lift/displacement"
table = [[0, 0], [0.4, 0], [0.5, 0.002], [1.2, 0.1], [1.5, 0.1]]

[[drive]]
target = "joint/jl/force"
expression = "2"

[[drive]]
target = "joint/jr/force"
expression = "2"

[[contact]]
between = ["left", "can"]
normal = { law = "hunt-crossley", restitution = 0.3, stiffness = 1e6 }
friction = { law = "tanh", coefficient = 0.6, slope = 1000 }

[[contact]]
between = ["right", "can"]
normal = { law = "hunt-crossley", restitution = 0.3, stiffness = 1e6 }
friction = { law = "tanh", coefficient = 0.6, slope = 1000 }

[[contact]]
between = ["can", "floor"]
normal = { law = "hunt-crossley", restitution = 0.3, stiffness = 1e7 }
friction = { law = "tanh", coefficient = 0.3, slope = 1000 }
"#;

/// Runs a scene with these values: its folder, with its events and how often pairs have touched.
fn run(place: &Place, scene: &str, set: &[&str]) -> (PathBuf, Vec<Line>, u64) {
    std::fs::write(place.path("scene.toml"), scene).unwrap();
    let set: Vec<[&str; 2]> = set.iter().map(|value| ["--set", value]).collect();
    let said =
        place.carom(&[&["run", "scene.toml", "-o", "results", "--quiet"][..], set.as_flattened()].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let folder = place.path("results");
    let contacts = json(folder.join("summary.json"))["contacts"].as_u64().unwrap();
    (folder.clone(), csv(folder.join("events.csv")), contacts)
}

/// A follower that has left flies until the cam comes again: a few contacts a turn, whatever the method.
#[test]
fn a_follower_leaves_its_cam_with_every_method() {
    let place = Place::new("cam-leaves");
    for method in one_in(2, methods::ALL.iter().filter(|m| m.is_adaptive())) {
        let (folder, events, contacts) = run(&place, CAM, &[&format!("run/method={}", method.name())]);
        touches_close(&folder);
        assert!((3..50).contains(&contacts), "{}: {contacts} contacts", method.name());
        // both ends of the roller are in contact as one
        for pair in events.chunks(2) {
            assert!(
                (value(&pair[0], "t") - value(&pair[1], "t")).abs() < 1e-9,
                "{}: {pair:?}",
                method.name()
            );
        }
    }
}

/// Where it leaves: m e ω² (1 + e/(R + r)) = P + 2 k e + m g at the top. It is there once a turn only.
#[test]
fn a_follower_leaves_where_its_inertia_wins() {
    let place = Place::new("cam-where");
    let (alpha, w0) = (20.0, 115.0);
    let set = ["parameter/w0=115", "parameter/alpha=20", "run/duration=0.45"];
    let (folder, events, _) = run(&place, CAM, &set);
    touches_close(&folder);
    let mass = 0.5 + 7850.0 * std::f64::consts::PI * 1e-4 * 0.014;
    let limit = ((20.0 + 20.0 + mass * 9.81) / (mass * 0.005 * (1.0 + 5.0 / 35.0))).sqrt();
    assert!((limit - 121.7).abs() < 0.05, "{limit}");
    // what the start shakes is over after a turn
    let release = events.iter().find(|e| e["kind"] == "release" && value(e, "t") > 0.05).unwrap();
    let speed = w0 + alpha * value(release, "t");
    assert!(speed > limit - 0.8 && speed < limit + 1.2, "{speed} rad/s, {limit} rad/s");
}

/// Jaws that press a can, each along two rims: they rebound from it a few times.
#[test]
fn jaws_rebound_from_a_can_a_few_times() {
    let place = Place::new("gripper");
    let (folder, _, contacts) = run(&place, GRIPPER, &[]);
    touches_close(&folder);
    assert!((3..60).contains(&contacts), "{contacts} contacts");
}
