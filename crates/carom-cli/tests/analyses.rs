//! `[run] analysis`: the files that come out, and their numbers.

use std::fs;

use crate::common::numbers::value;
use crate::common::{Place, csv, example, json};
use carom_results::film::Film;
use carom_testkit::near;

fn analysed(name: &str, analysis: &str, set: &[&str]) -> Place {
    let place = Place::new(&format!("analysis-{analysis}-{name}"));
    let mut words =
        vec!["run".to_owned(), example(name), "-o".to_owned(), "results".to_owned(), "--quiet".to_owned()];
    for set in [&[&*format!("run/analysis={analysis}")], set].concat() {
        words.extend(["--set".to_owned(), set.to_owned()]);
    }
    place.carom(&words.iter().map(String::as_str).collect::<Vec<_>>()).done();
    place
}

/// x, v and a of the piston, and the torque of the crank: its work comes back in a turn.
#[test]
fn inverse_dynamics_of_the_slider_crank() {
    let place = analysed("slider-crank.toml", "inverse", &[]);
    let results = place.path("results");
    let (r, l, omega) = (0.05_f64, 0.12_f64, 5000.0 * std::f64::consts::TAU / 60.0);
    let motion = csv(results.join("kinematics.csv"));
    assert_eq!(motion.len(), 241);
    for line in &motion {
        let a: f64 = omega * value(line, "t");
        let sin_b = r / l * a.sin();
        let cos_b = (1.0 - sin_b * sin_b).sqrt();
        let b1 = r / l * a.cos() / cos_b;
        let b2 = (-r / l * a.sin() + b1 * b1 * sin_b) / cos_b;
        let second = -r * a.cos() - l * (cos_b * b1 * b1 + sin_b * b2);
        near("a", value(line, "piston.ax") / (omega * omega), second, 1e-12);
        near("turns", value(line, "main.angle"), a, 1e-11);
    }
    let drive = csv(results.join("inverse.csv"));
    let work: f64 = drive[..120].iter().map(|line| value(line, "main/speed.power")).sum::<f64>() * 1e-4;
    near("work", work, 0.0, 1e-9);
    assert_eq!(json(results.join("analysis.json"))["analysis"], "inverse");
    assert!(results.join("joints.csv").exists());
}

#[test]
fn a_pendulum_hangs() {
    let place = analysed("pendulum.toml", "static", &[]);
    let found = json(place.path("results").join("equilibrium.json"));
    let bar = &found["equilibrium"]["bodies"]["bar"]["position"];
    near("z", bar[2].as_f64().unwrap(), -0.75, 1e-14);
    assert_eq!(found["equilibrium"]["stable"], true);
    let held = csv(place.path("results").join("joints.csv"));
    near("weight", value(&held[0], "fz"), -9.81, 1e-12);
    // and is seen hanging, not as it starts
    let film = Film::open(&place.path("results"), None).unwrap();
    let bar = film.bodies.iter().find(|b| b.name == "bar").unwrap();
    assert_eq!((film.t.len(), film.notices.len()), (1, 0));
    near("seen", bar.motion.pose(0).p.z, -0.75, 1e-14);
    // what is not ours is refused before anything is done
    fs::create_dir(place.path("mine")).unwrap();
    fs::write(place.path("mine/notes.txt"), "keep").unwrap();
    let args = ["run", &example("pendulum.toml"), "-o", "mine", "--set", "run/analysis=static"];
    assert!(place.carom(&args).failed(2).contains("mine"));
}

/// In place of one another, and refused where something is free.
#[test]
fn results_of_one_analysis_replace_those_of_another() {
    let place = analysed("slider-crank.toml", "kinematic", &[]);
    let run = |analysis: &str| {
        let set = format!("run/analysis={analysis}");
        place.carom(&["run", &example("slider-crank.toml"), "-o", "results", "--quiet", "--set", &set])
    };
    // a figure beside them is nobody else's file that stands in the way
    fs::write(place.path("results/plot.svg"), "<svg/>").unwrap();
    run("inverse").done();
    assert!(place.path("results/plot.svg").exists() && place.path("results/inverse.csv").exists());
    run("dynamic").done();
    assert!(!place.path("results").join("inverse.csv").exists());
    run("kinematic").done();
    assert!(!place.path("results").join("summary.json").exists());
    let free = place.carom(&["run", &example("pendulum.toml"), "--set", "run/analysis=kinematic"]).failed(2);
    assert!(free.contains("1 motion") && free.contains("needs a drive"), "{free}");
}
