//! `carom compare`: two folders of results.

use std::fs;
use std::path::Path;

use crate::common::{Place, Said, drawn, example};
use serde_json::Value;

fn run(place: &Place, scene: &str, folder: &str, set: &[&str]) {
    let scene = example(scene);
    let mut args = vec!["run", &scene, "-q", "-o", folder];
    set.iter().for_each(|s| args.extend(["--set", s]));
    place.carom(&args).done();
}

/// It differs, and says so on the standard output.
fn different(said: Said) -> String {
    assert_eq!((said.code, said.err.as_str()), (Some(1), ""), "{}", said.out);
    said.out
}

fn json(place: &Place, args: &[&str]) -> Value {
    let said = place.carom(&[&["compare", "--json"], args].concat());
    assert_eq!(said.err, "");
    let value: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(said.code, Some(i32::from(value["same"] != true)));
    value
}

/// A line of the differences.
fn of<'v>(value: &'v Value, of: &str, quantity: &str) -> &'v Value {
    let all = value["differences"].as_array().unwrap();
    all.iter()
        .find(|d| d["of"] == of && d["quantity"] == quantity)
        .unwrap_or_else(|| panic!("no {quantity} of {of}"))
}

#[test]
fn a_run_is_the_same_as_itself() {
    let place = Place::new("compare-same");
    run(&place, "bouncing-ball.toml", "one", &["run/duration=0.4 s"]);
    let out = place.carom(&["compare", "one", "one", "--tolerance", "0"]).done();
    assert!(
        out.contains(
            "\nthe same within 0e0 of the scales\n  compared at 401 output times both have, up to 400 ms\n"
        ),
        "{out}"
    );
    let value = json(&place, &["one", "one", "--tolerance", "0"]);
    assert!(value["differences"].as_array().unwrap().iter().all(|d| d["max"] == 0.0 && d["rms"] == 0.0));
    assert!(value["first"].is_null() && value["notes"].as_array().unwrap().is_empty());
}

/// A ball that starts lower falls as much lower all the way: the difference is known.
#[test]
fn a_known_difference() {
    let place = Place::new("compare-known");
    let fall = ["run/duration=100 ms", "run/output_every=1 ms"];
    run(&place, "bouncing-ball.toml", "one", &fall);
    let lower = [&fall[..], &["body/ball/position/2='52 cm'"]].concat();
    run(&place, "bouncing-ball.toml", "two", &lower);
    let value = json(&place, &["one", "two"]);
    let position = of(&value, "ball", "position");
    for key in ["max", "rms"] {
        assert!((position[key].as_f64().unwrap() - 0.01).abs() < 1e-15, "{position}");
    }
    // the way it falls: ½ g t²
    assert!((position["scale"].as_f64().unwrap() - 0.5 * 9.81 * 0.01).abs() < 1e-13, "{position}");
    assert_eq!(of(&value, "ball", "velocity")["max"], 0.0);
    assert_eq!((value["first"]["t"].as_f64(), value["first"]["of"].as_str()), (Some(0.0), Some("ball")));
    assert_eq!(
        (value["same"].as_bool(), value["first"]["quantity"].as_str()),
        (Some(false), Some("position"))
    );
    // m g Δz, as a share of ½ m v² + its change of potential energy: twice m g ½ g t²
    let potential = of(&value, "energy", "potential");
    let share = potential["max"].as_f64().unwrap() / potential["scale"].as_f64().unwrap();
    assert!((share - 0.01 / (9.81 * 0.01)).abs() < 1e-10, "{potential}");
    // within a tolerance above that share it is the same
    place.carom(&["compare", "one", "two", "--tolerance", "0.21"]).done();
    different(place.carom(&["compare", "one", "two", "--tolerance", "0.2"]));
}

/// Another restitution: they part at the first touch, and every later one comes at another time.
#[test]
fn where_two_runs_part() {
    let place = Place::new("compare-part");
    run(&place, "bouncing-ball.toml", "one", &[]);
    run(&place, "bouncing-ball.toml", "two", &["contact/ball~floor/normal/restitution=0.7"]);
    let value = json(&place, &["one", "two"]);
    // the touch is at 0.3192754 s, the next output at 0.320 s
    assert!((value["first"]["t"].as_f64().unwrap() - 0.320).abs() < 1e-12, "{value}");
    let touches = &value["touches"][0];
    assert_eq!(touches["same"], false);
    assert!(touches["shift"].as_f64().unwrap() > 0.05, "{touches}");
    let out = different(place.carom(&["compare", "one", "two"]));
    assert!(out.contains("they part at t = 0.32 s: velocity of ball by "), "{out}");
    assert!(out.contains("\n  summary "), "{out}");
}

#[test]
fn different_outputs_are_brought_together() {
    let place = Place::new("compare-times");
    run(&place, "bouncing-ball.toml", "one", &["run/duration=0.6 s"]);
    run(&place, "bouncing-ball.toml", "seven", &["run/duration=0.6 s", "run/output_every=0.7 ms"]);
    // every 7 ms, and the end
    let value = json(&place, &["one", "seven"]);
    assert_eq!((&value["times"]["how"], &value["times"]["count"]), (&"common".into(), &87.into()));
    assert!(of(&value, "ball", "velocity")["max"].as_f64().unwrap() < 1e-9);
    // nothing in common but start and end: free flight is a parabola, which the cubic has exactly
    let fall = "run/duration=0.3 s";
    run(&place, "bouncing-ball.toml", "coarse", &[fall, "run/output_every=10 ms"]);
    run(&place, "bouncing-ball.toml", "odd", &[fall, "run/output_every=3.3333 ms"]);
    let value = json(&place, &["odd", "coarse"]);
    let times = &value["times"];
    assert_eq!(
        (&times["how"], &times["interpolated"], &times["count"]),
        (&"interpolated".into(), &"a".into(), &31.into())
    );
    assert!(times["error"].as_f64().unwrap() < 1e-11, "{times}");
    for quantity in ["position", "velocity", "orientation"] {
        assert!(of(&value, "ball", quantity)["max"].as_f64().unwrap() < 1e-12);
    }
    assert!(value["same"] == true && value["differences"].as_array().unwrap().len() == 3);
}

/// Balls that turn at 2 and 2.1 rad/s are 0.1 t apart.
#[test]
fn bodies_that_turn() {
    let place = Place::new("compare-turn");
    for (name, rate) in [("one", 2.0), ("two", 2.1)] {
        let scene = format!(
            "run = {{ duration = 8, output_every = 0.5, rtol = 1e-11 }}\nworld = {{ gravity = [0, 0, 0] }}\nbody = [{{ name = \"ball\", \
             mass = 1, angular_velocity = [0, 0, {rate}], surface = [{{ type = \"sphere\", radius = 0.1 }}] }}]\n"
        );
        fs::write(place.path(&format!("{name}.toml")), scene).unwrap();
        place.carom(&["run", &format!("{name}.toml"), "-q", "-o", name]).done();
    }
    let value = json(&place, &["one", "two"]);
    let turn = of(&value, "ball", "orientation");
    let mean_square: f64 = (0..=16).map(|i| (0.05 * f64::from(i)).powi(2)).sum::<f64>() / 17.0;
    assert!((turn["max"].as_f64().unwrap() - 0.8).abs() < 1e-9, "{turn}");
    assert!((turn["rms"].as_f64().unwrap() - mean_square.sqrt()).abs() < 1e-9, "{turn}");
    // their energies differ from the start
    assert_eq!((value["first"]["t"].as_f64(), value["first"]["of"].as_str()), (Some(0.0), Some("energy")));
}

/// Soft balls that start with different stretches and ring: they differ most at the start, by ‖U_a − U_b‖, wherever they are turned; from a rigid one, by ‖U − 1‖.
#[test]
fn bodies_that_deform() {
    let place = Place::new("compare-soft");
    let soft = |stretch: f64| {
        format!(
            "type = \"affine\", elastic = {{ model = \"neo-hookean\", shear_modulus = 2e4 }}, deformation = [{stretch}, 1, {}],",
            1.0 / stretch
        )
    };
    let write = |name: &str, kind: &str, every: f64| {
        let scene = format!(
            "run = {{ duration = 0.01, output_every = {every}, rtol = 1e-11 }}\nworld = {{ gravity = [0, 0, 0] }}\nbody = [{{ name = \"ball\", {kind} density = 1000, \
             orientation = {{ axis = [1, 2, 3], angle = 0.7 }}, surface = [{{ type = \"sphere\", radius = 0.1 }}] }}]\n"
        );
        fs::write(place.path(&format!("{name}.toml")), scene).unwrap();
        place.carom(&["run", &format!("{name}.toml"), "-q", "-o", name]).done();
    };
    write("one", &soft(1.1), 1e-4);
    write("two", &soft(1.2), 1e-4);
    write("odd", &soft(1.1), 0.99e-4);
    write("coarse", &soft(1.1), 1e-3);
    write("rigid", "", 1e-4);
    let apart = |a: f64, b: f64| ((a - b).powi(2) + (1.0 / a - 1.0 / b).powi(2)).sqrt();
    for (other, lambda) in [("two", 1.2), ("rigid", 1.0)] {
        let value = json(&place, &["one", other]);
        let stretch = of(&value, "ball", "stretch");
        assert!((stretch["max"].as_f64().unwrap() - apart(1.1, lambda)).abs() < 1e-15, "{stretch}");
        assert!(stretch["at"] == 0.0 && value["same"] == false, "{value}");
        // they stretch along their own axes, and do not turn
        assert!(of(&value, "ball", "orientation")["max"].as_f64().unwrap() < 1e-12, "{value}");
    }
    // the same, its outputs at other times: cubics through F with its rates, as good as is said
    let value = json(&place, &["odd", "coarse"]);
    assert_eq!(value["times"]["how"], "interpolated");
    let error = value["times"]["error"].as_f64().unwrap();
    let off = of(&value, "ball", "stretch")["max"].as_f64().unwrap();
    assert!(value["same"] == true && off < error && error < 1e-6, "{off} {error}");
}

#[test]
fn what_is_not_whole_is_said() {
    let place = Place::new("compare-parts");
    run(&place, "colliding-balls.toml", "one", &[]);
    let bodies: Vec<String> = {
        let header = fs::read_to_string(place.path("one/states.csv")).unwrap();
        let names = header
            .lines()
            .next()
            .unwrap()
            .split(',')
            .filter_map(|c| c.strip_suffix(".qw").map(str::to_owned));
        names.collect()
    };
    assert!(bodies.len() > 1);
    // cut off in the middle of a line, and the summary of a run under way
    copy(&place, "one", "cut");
    let states = fs::read_to_string(place.path("cut/states.csv")).unwrap();
    fs::write(place.path("cut/states.csv"), &states[..states.len() / 2]).unwrap();
    let summary = fs::read_to_string(place.path("cut/summary.json")).unwrap();
    fs::write(
        place.path("cut/summary.json"),
        summary.replacen('{', "{\"failed\": \"the run was not finished\",", 1),
    )
    .unwrap();
    let out = different(place.carom(&["compare", "one", "cut"]));
    for note in [
        "note: b is not finished: it still runs, or was killed; so far ",
        "note: b: states.csv ends within a line, which is left out\n",
        "note: a goes to ",
    ] {
        assert!(out.contains(note), "{note}: {out}");
    }
    assert!(out.contains("\nthe motion is the same within 1e-6 of the scales, but not all else\n"), "{out}");

    // a body that only one of them has
    copy(&place, "one", "renamed");
    let states = fs::read_to_string(place.path("renamed/states.csv")).unwrap();
    let other = states.replace(&format!("{}.", bodies[0]), "stranger.");
    fs::write(place.path("renamed/states.csv"), other).unwrap();
    let out = different(place.carom(&["compare", "one", "renamed"]));
    assert!(out.contains(&format!("note: only in a, not compared: {}\n", bodies[0])), "{out}");
    assert!(out.contains("note: only in b, not compared: stranger\n"), "{out}");
    let said = place.carom(&["compare", "one", "renamed", "--body", &bodies[1]]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    assert!(said.out.contains(&format!("position of {}", bodies[1])), "{}", said.out);
}

fn copy(place: &Place, from: &str, to: &str) {
    fs::create_dir(place.path(to)).unwrap();
    for entry in fs::read_dir(place.path(from)).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), place.path(to).join(entry.file_name())).unwrap();
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let place = Place::new("compare-wrong");
    run(&place, "dzhanibekov.toml", "top", &["run/duration=0.1 s"]);
    run(&place, "bouncing-ball.toml", "ball", &["run/duration=0.1 s"]);
    fs::create_dir(place.path("empty")).unwrap();
    fs::write(place.path("file"), "").unwrap();
    copy(&place, "ball", "foreign");
    fs::write(place.path("foreign/summary.json"), "{\"title\": 1}").unwrap();
    copy(&place, "ball", "broken");
    let states = fs::read_to_string(place.path("ball/states.csv")).unwrap();
    let lines: Vec<&str> = states.lines().collect();
    fs::write(place.path("broken/states.csv"), format!("{}\n{}\n0,1\n", lines[0], lines[1])).unwrap();
    copy(&place, "ball", "letters");
    fs::write(place.path("letters/energy.csv"), "t,kinetic\n0,abc\n").unwrap();
    copy(&place, "ball", "less");
    fs::remove_file(place.path("less/events.csv")).unwrap();
    for (args, message) in [
        (&["ball", "none"][..], "none is no folder of results: there is nothing there"),
        (&["file", "ball"], "file is no folder of results: it is no folder"),
        (&["empty", "ball"], "empty is no folder of results: summary.json: "),
        (&["ball", "foreign"], "foreign is no folder of results: summary.json is not one of carom's"),
        (&["ball", "broken"], "broken/states.csv, line 3: 2 fields, not 14 as in the header"),
        (&["ball", "letters"], "letters/energy.csv, line 2: `abc` in column kinetic is no number"),
        (&["ball", "less"], "less is no folder of results: events.csv: "),
        (&["ball", "top"], "the two have no body in common: one has ball, the other "),
        (&["ball", "ball", "--tolerance", "-1"], "--tolerance -1: it must be 0 or greater"),
        (&["ball", "ball", "--body", "bal"], "ball: no body or probe is called `bal`; there are ball"),
        (&["ball", "ball", "--plot", "a.gif"], "a.gif: a figure ends in .svg, .png or .pdf"),
    ] {
        let args: Vec<&str> = args.iter().map(|a| if *a == "-1" { "-1" } else { a }).collect();
        let args = match args.as_slice() {
            [a, b, "--tolerance", x] => {
                vec!["compare".to_owned(), (*a).to_owned(), (*b).to_owned(), format!("--tolerance={x}")]
            }
            other => ["compare"].iter().chain(other).map(|s| (*s).to_owned()).collect(),
        };
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let err = place.carom(&args).failed(2);
        assert!(err.starts_with(&format!("error: {message}")), "{err}");
    }
    let err = place.carom(&["compare", "ball"]).failed(2);
    assert!(err.contains("Usage: carom compare"), "{err}");
}

#[cfg(feature = "plots")]
#[test]
fn figures() {
    let place = Place::new("compare-figures");
    run(&place, "colliding-balls.toml", "one", &[]);
    run(&place, "colliding-balls.toml", "two", &["run/rtol=1e-4"]);
    for file in ["both.svg", "both.png"] {
        place.carom(&["compare", "one", "two", "--tolerance", "1", "--plot", file]).done();
        let text = drawn(Path::new(&place.path(file)));
        assert!(text.is_empty() || text.contains("difference/scale [1]"));
    }
    // nothing differs: nothing to draw on the logarithmic axes but the tolerance
    place.carom(&["compare", "one", "one", "--plot", "same.svg"]).done();
    drawn(Path::new(&place.path("same.svg")));
}
