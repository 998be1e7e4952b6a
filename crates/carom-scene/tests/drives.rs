//! Drives in scenes: parameters in expressions, values replaced, both ways of giving a curve.

use carom_scene::{Format, Scene};

const SHAKEN: &str = r#"
run = { duration = "0.3 s", rtol = 1e-11 }
parameter = { amplitude = "5 mm", rate = "200 rad/s", grow = 2 }

[[body]]
name = "ball"
position = [0, 0, "30 mm"]
[[body.surface]]
type = "sphere"
radius = "20 mm"

[[body]]
name = "table"
fixed = true
[[body.surface]]
type = "plane"

[[contact]]
between = ["ball", "table"]
normal = { law = "hunt-crossley", damping = 0.3, stiffness = 1e7 }

[[drive]]
target = "body/ball/density"
expression = "1000*(1 + grow*t)"

[[drive]]
target = "body/table/position/2"
expression = "amplitude*sin(rate*t)"
"#;

fn ball(text: &str, set: &[&str]) -> [f64; 2] {
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    let scene = Scene::from_text(text, Format::Toml, "shaken.toml", &set).unwrap_or_else(|e| panic!("{e}"));
    let run = scene.simulation().run().unwrap();
    assert!(run.summary.audit_relative < 1e-8, "{}", run.summary);
    let ball = run.end.body("ball").unwrap();
    [ball.position.z, ball.velocity.z]
}

/// Parameters and replaced values come to the same as numbers written in.
#[test]
fn parameters_and_replaced_values() {
    let plain = SHAKEN.replace("grow*t", "3*t").replace("amplitude*sin(rate*t)", "0.004*sin(150*t)");
    let want = ball(&plain, &[]);
    let set = ["parameter/grow=3", "parameter/amplitude=4 mm", "parameter/rate=150 rad/s"];
    assert_eq!(ball(SHAKEN, &set), want);
    let set = [
        "drive/body/ball/density/expression=1000*(1 + 3*t)",
        "drive/body/table/position/2/expression=0.004*sin(150*t)",
    ];
    assert_eq!(ball(SHAKEN, &set), want);
    assert_ne!(ball(SHAKEN, &[]), want);
}

/// A motion by an expression, or a drive of a fixed body's position: the same, to rounding. So is a straight line through points.
#[test]
fn two_ways_to_say_it() {
    let close = |text: &str, want: [f64; 2]| {
        let got = ball(text, &[]);
        assert!((got[0] - want[0]).abs() < 1e-12 && (got[1] - want[1]).abs() < 1e-10, "{got:?} {want:?}");
    };
    let want = ball(SHAKEN, &[]);
    let (body, _) = SHAKEN.rsplit_once("[[drive]]").unwrap();
    let moved = body.replace("fixed = true", "motion = { expression = { z = \"amplitude*sin(rate*t)\" } }");
    close(&moved, want);
    let table = "table = [[0, \"1 g/cm^3\"], [\"100 ms\", 1200], [0.3, 1600]]";
    close(&SHAKEN.replace("expression = \"1000*(1 + grow*t)\"", table), want);
}

/// The same course as a monotone table, as a table in an expression, and with a parameter and units in it.
#[test]
fn a_curve_that_does_not_overshoot() {
    let expression = "expression = \"amplitude*sin(rate*t)\"";
    assert!(SHAKEN.contains(expression));
    let lift = |curve: &str| ball(&SHAKEN.replace(expression, curve), &[]);
    let table = "[[0, 0], [0.05, 0], [0.1, \"4 mm\"], [\"0.2 s\", \"4 mm\"]]";
    let want = lift(&format!("interpolation = \"monotone\"\ntable = {table}"));
    let numbers = lift("expression = \"monotone(t, 0, 0, 0.05, 0, 0.1, 0.004, 0.2, 0.004)\"");
    let units = lift("expression = \"monotone(t, 0, 0, 50[ms], 0, 0.1, 0.8*amplitude, 0.2[s], 4[mm])\"");
    for got in [numbers, units] {
        assert!((got[0] - want[0]).abs() < 1e-9 && (got[1] - want[1]).abs() < 1e-7, "{got:?}, {want:?}");
    }
    let moved = SHAKEN.replace(
        "fixed = true",
        &format!("motion = {{ table = {{ interpolation = \"monotone\", z = {table} }} }}"),
    );
    let moved = &moved[..moved.rfind("[[drive]]").unwrap()];
    let got = ball(moved, &[]);
    assert!((got[0] - want[0]).abs() < 1e-9 && (got[1] - want[1]).abs() < 1e-7, "{got:?}, {want:?}");
}
