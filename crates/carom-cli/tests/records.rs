//! What contacts do between output times is in the files, whoever asks; and a folder is one run's.

use std::fs;
use std::process::{Child, Stdio};

use crate::common::numbers::{Line, value};
use crate::common::{Place, csv, example, json};

fn largest(lines: &[Line], column: &str) -> f64 {
    lines.iter().map(|line| value(line, column)).fold(0.0, f64::max)
}

/// The scene that `carom new` writes has outputs every 5 ms and contacts of 4 ms.
#[test]
fn the_first_scene_has_its_peaks() {
    let place = Place::new("records-first");
    place.carom(&["new", "first"]).done();
    place.carom(&["run", "first.toml"]).done();
    let (contacts, s) =
        (csv(place.path("out/first/contacts.csv")), json(place.path("out/first/summary.json")));
    let close = |a: f64, key: &str| {
        let b = s[key].as_f64().unwrap();
        assert!((a / b - 1.0).abs() < 1e-9, "{key} {b}, found {a}");
    };
    close(largest(&contacts, "fn"), "peak_force");
    close(largest(&contacts, "delta"), "max_indentation");
    // every release found its own peak in the lines before it
    let events = csv(place.path("out/first/events.csv"));
    for pair in events.chunks_exact(2) {
        let (from, to) = (value(&pair[0], "t"), value(&pair[1], "t"));
        let during: Vec<Line> =
            contacts.iter().filter(|l| (from..=to).contains(&value(l, "t"))).cloned().collect();
        let (found, said) = (largest(&during, "fn"), value(&pair[1], "peak_force"));
        assert!((found / said - 1.0).abs() < 1e-2, "{found}, not {said}, from {from} to {to}");
        // it begins and ends with nothing
        for t in [from, to] {
            let line = during.iter().find(|l| value(l, "t") == t).unwrap();
            assert!(value(line, "fn") < 1e-6 * said && line["within"] == "1", "{line:?}");
        }
    }
    assert!(events.len() >= 6);
    // output times are where they were
    let states = csv(place.path("out/first/states.csv"));
    assert_eq!((states.len(), value(&states[3], "t")), (401, 3.0 * 0.005));
    let times: Vec<f64> = contacts.iter().map(|l| value(l, "t")).collect();
    assert!(times.is_sorted());
    for line in contacts.iter().filter(|l| l["within"] == "0") {
        assert!(states.iter().any(|s| s["t"] == line["t"]));
    }
    // plots have it: the curve reaches the peak, so that two of them with and without fine outputs have the same axis
    place.carom(&["plot", "out/first", "ball~floor.fn", "-o", "coarse.svg"]).done();
    let fine = ["--set", "run/output_every=20 us", "-o", "fine", "-q"];
    place.carom(&[&["run", "first.toml"], &fine[..]].concat()).done();
    place.carom(&["plot", "fine", "ball~floor.fn", "-o", "fine.svg"]).done();
    let labels = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(place.path(name)).unwrap();
        text.split("<text")
            .skip(1)
            .map(|t| t.split('>').nth(1).unwrap().split('<').next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(labels("coarse.svg"), labels("fine.svg"));
}

/// With and without contacts being recorded, and at whatever output times, the numbers of the summary are the same; measures of a sweep find the peak.
#[test]
fn measures_have_peaks_and_do_not_depend_on_each_other() {
    let place = Place::new("records-sweep");
    let scene = example("bouncing-ball.toml");
    let sweep = |measures: &[&str], folder: &str| {
        let mut args = vec!["sweep", &scene, "--vary", "run/output_every=0.5 s,0.01 s", "-q", "-o", folder];
        measures.iter().for_each(|m| args.extend(["-m", m]));
        place.carom(&args).done();
        csv(place.path(folder).join("table.csv"))
    };
    let (all, one) =
        (sweep(&["f=max(ball~floor.fn)", "z=min(ball.z)"], "all"), sweep(&["z=min(ball.z)"], "one"));
    for (a, b) in all.iter().zip(&one) {
        assert!((value(a, "f") / value(a, "peak_force") - 1.0).abs() < 1e-9, "{a:?}");
        assert_eq!(
            (&a["z"], &a["audit_relative"], &a["steps"]),
            (&b["z"], &b["audit_relative"], &b["steps"])
        );
    }
    assert_eq!(all[0]["peak_force"], all[1]["peak_force"]);
}

/// A program under way, ended with the test however that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A second run into a folder that is being written is refused; when the first is killed the folder is free.
#[test]
fn a_folder_belongs_to_one_run() {
    let place = Place::new("records-lock");
    let scene = example("ball-in-can.toml");
    let long = ["--set", "run/duration=1e6 s", "--set", "run/output_every=1 s", "-q"];
    let args = [&["run", &scene, "-o", "results"], &long[..]].concat();
    let mut first =
        Running(place.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let states = place.path("results/states.csv");
    let start = std::time::Instant::now();
    while fs::read_to_string(&states).map_or(0, |t| t.lines().count()) < 10 {
        assert!(start.elapsed().as_secs() < 60);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let short = ["run", &scene, "-o", "results", "--set", "run/duration=1 ms", "-q"];
    let busy = format!("results is being written by another run (process {})", first.0.id());
    let err = place.carom(&short).failed(2);
    assert!(err.contains(&busy) && err.contains("choose another folder"), "{err}");
    let err = place
        .carom(&["run", &example("egg-on-table.toml"), "-o", "results", "--set", "run/analysis=static"])
        .failed(2);
    assert!(err.contains(&busy), "{err}");
    // another folder is free, and what is written can be looked at
    place.carom(&["run", &scene, "-o", "other", "--set", "run/duration=1 ms", "-q"]).done();
    assert!(!place.path("other/run.lock").exists());
    let plot = place.carom(&["plot", "results", "ball.z", "-o", "way.svg"]);
    assert_eq!(plot.code, Some(0), "{}", plot.err);
    first.0.kill().unwrap();
    first.0.wait().unwrap();
    assert!(place.path("results/run.lock").exists());
    place.carom(&short).done();
    assert!(!place.path("results/run.lock").exists());
    // killed before it wrote anything but that
    fs::create_dir(place.path("bare")).unwrap();
    fs::write(place.path("bare/run.lock"), "process 1\n").unwrap();
    place.carom(&["run", &scene, "-o", "bare", "--set", "run/duration=1 ms", "-q"]).done();
}
