//! Loads and controllers of the examples against independent solutions, which `oracles/loads.py` computes in 30 digits.

use crate::common::numbers::{Line, value};
use crate::common::{Place, csv, example};
use carom_testkit::near;
use serde_json::Value;

fn reference(part: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("data/loads.json")).unwrap();
    all[part].clone()
}

/// Runs an example and returns the coordinates of its joints.
fn coordinates(name: &str) -> Vec<Line> {
    let place = Place::new(name);
    place.carom(&["run", &example(&format!("{name}.toml")), "-o", "out", "--quiet"]).done();
    csv(place.path("out").join("kinematics.csv"))
}

/// Compares columns at the times of the reference, each with its own tolerance.
fn compare(lines: &[Line], want: &Value, columns: &[(&str, f64, f64)]) {
    let times = want["times"].as_array().unwrap();
    for (i, t) in times.iter().map(|t| t.as_f64().unwrap()).enumerate() {
        let line = lines.iter().find(|line| (value(line, "t") - t).abs() < 1e-12).unwrap();
        for (j, (column, shift, tolerance)) in columns.iter().enumerate() {
            let state = want["states"][i][j].as_f64().unwrap();
            near(&format!("{column} at {t} s"), value(line, column) + shift, state, *tolerance);
        }
    }
}

/// A pole under a controller with a delay, limits and a filter: every sample must be taken and hold from its own instant on.
#[test]
fn inverted_pendulum() {
    let lines = coordinates("inverted-pendulum");
    let columns = [("pivot.angle", 0.0, 1e-13), ("pivot.angle_rate", 0.0, 1e-13)];
    compare(&lines, &reference("pole"), &columns);
    let largest = lines.iter().map(|line| value(line, "pivot.angle")).fold(0.0, f64::max);
    near("largest angle [deg]", largest.to_degrees(), 1.95, 0.01);
}

/// A stop that only pushes, and lets go before the piston has left it: both changes are located.
#[test]
fn slider_crank_with_a_stop() {
    let want = reference("slider_crank");
    // (the piston starts at 170 mm)
    let columns = [
        ("main.angle", 0.0, 1e-11),
        ("main.angle_rate", 0.0, 1e-10),
        ("bore.displacement", 0.17, 1e-12),
        ("bore.displacement_rate", 0.0, 1e-10),
    ];
    compare(&coordinates("slider-crank-one-sided"), &want, &columns);
    let change = |i: usize| want["changes"][i].as_f64().unwrap();
    near("meets [ms]", 1e3 * change(0), 40.067, 1e-3);
    near("let go [ms]", 1e3 * change(1), 65.236, 1e-3);
}
