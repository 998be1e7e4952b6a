//! Parts from other files.

use std::fs;

use crate::patterns::{RUN, end, folder, scene};
use carom_scene::{Format, Scene};

/// A part with parameters, a material, a pattern, a joint with a drive, and a contact for all of it.
const PART: &str = r#"
title = "the part by itself"
[parameter]
speed = "10 rad/s"
r = "= 0.01*2"
[run]
duration = 1
[world]
gravity = [0, 0, -1]
[material.soft]
youngs_modulus = 1e6
poisson_ratio = 0.4
[[body]]
name = "hub"
fixed = true
[[body.surface]]
type = "plane"
material = "soft"
position = [0, 0, -0.2]
[[body]]
name = "disc"
mass = 1
inertia = [1, 1, 2]
[[body]]
name = "ball1"
group = "balls"
density = 1000
position = [0.2, 0, -0.1]
[[body.surface]]
type = "sphere"
radius = "= r"
material = "soft"
[[joint]]
name = "axle"
type = "revolute"
between = ["disc", "hub"]
point = [0, 0, 0]
axis = [0, 0, 1]
[[drive]]
target = "joint/axle/angle"
expression = "speed*t"
[[contact]]
between = ["*", "*"]
[[pattern]]
type = "circular"
of = "balls"
count = 3
"#;

const WHOLE: &str = r#"
[parameter]
fast = "20 rad/s"
[run]
duration = 0.1
rtol = 1e-10
[[include]]
file = "parts/part.toml"
prefix = "left_"
position = [-1, 0, 0]
[[include]]
file = "parts/part.toml"
prefix = "right_"
position = [1, 0, 0]
orientation = { axis = [1, 0, 0], angle = "180 deg" }
parameter = { speed = "= fast" }
"#;

#[test]
fn a_part_is_written_once_and_used_twice() {
    let place = folder("part");
    fs::create_dir(place.join("parts")).unwrap();
    fs::write(place.join("parts/part.toml"), PART).unwrap();
    fs::write(place.join("whole.toml"), WHOLE).unwrap();
    let whole = Scene::from_file(&place.join("whole.toml"), &[]).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<&str> = whole.model.body_names().collect();
    assert_eq!(names[..5], ["left_hub", "left_disc", "left_ball1", "left_ball2", "left_ball3"]);
    assert_eq!(names.len(), 10);
    let parameters: Vec<(&str, f64)> = whole.parameters.iter().map(|p| (p.0.as_str(), p.1)).collect();
    assert_eq!(parameters[0], ("fast", 20.0));
    assert!(parameters.contains(&("left_speed", 10.0)) && parameters.contains(&("right_speed", 20.0)));
    let run = whole.simulation().run().unwrap();
    // the disc of the second part is turned over with its axis
    let spin = |name: &str| run.end.body(name).unwrap().angular_velocity.z;
    assert!((spin("left_disc") - 10.0).abs() < 1e-9 && (spin("right_disc") + 20.0).abs() < 1e-9);
    // what results keep has the parts within, and needs no file
    let kept = whole.source.json().to_string();
    let again =
        Scene::from_text(&kept, Format::Json, "elsewhere/scene.json", &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(end(&whole), end(&again));
    // and it still has its parameters
    let set = ["parameter/fast=5".to_owned()];
    let slower = Scene::from_text(&kept, Format::Json, "elsewhere/scene.json", &set).unwrap();
    let slower = slower.simulation().run().unwrap();
    assert!((slower.end.body("right_disc").unwrap().angular_velocity.z + 5.0).abs() < 1e-9);
    // the scene written out is the same
    let out = Scene::written_out(WHOLE, Format::Toml, &place.join("whole.toml").display().to_string(), &[])
        .unwrap();
    assert_eq!(end(&whole), end(&scene(&out, &[])));
    fs::remove_dir_all(&place).unwrap();
}

/// A part in JSON that includes a part, both with prefixes; `left_` is taken for the names of parameters too.
#[test]
fn parts_of_parts() {
    let place = folder("nested");
    fs::create_dir(place.join("parts")).unwrap();
    fs::write(place.join("parts/part.toml"), PART).unwrap();
    let middle = r#"{ "parameter": { "w": 3 }, "include": [{ "file": "part.toml", "prefix": "in-", "parameter": { "speed": "= 2*w" } }] }"#;
    fs::write(place.join("parts/middle.json"), middle).unwrap();
    let text = format!(
        "{RUN}[[include]]\nfile = \"parts/middle.json\"\nprefix = \"out_\"\nparameter = {{ w = 4 }}\n"
    );
    let name = place.join("whole.toml").display().to_string();
    let whole = Scene::from_text(&text, Format::Toml, &name, &[]).unwrap_or_else(|e| panic!("{e}"));
    assert!(whole.model.body_names().any(|n| n == "out_in-ball3"));
    assert!(whole.parameters.contains(&("out_in_speed".to_owned(), 8.0)), "{:?}", whole.parameters);
    let run = whole.simulation().run().unwrap();
    assert!((run.end.body("out_in-disc").unwrap().angular_velocity.z - 8.0).abs() < 1e-9);
    let again = Scene::from_text(&whole.source.json().to_string(), Format::Json, "scene.json", &[]);
    assert_eq!(end(&whole), end(&again.unwrap_or_else(|e| panic!("{e}"))));
    fs::remove_dir_all(&place).unwrap();
}

/// What a body of a part is drawn with is in the part's folder.
#[test]
fn shapes_of_a_part() {
    let place = folder("part-shape");
    fs::create_dir(place.join("parts")).unwrap();
    fs::write(place.join("parts/shape.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let body = "[[body]]\nname = \"a\"\nfixed = true\nmesh = { file = \"shape.obj\" }\n";
    fs::write(place.join("parts/part.toml"), body).unwrap();
    let text = format!("{RUN}[[include]]\nfile = \"parts/part.toml\"\nprefix = \"x_\"\n");
    let read = |text: &str, format, name: &str| {
        let name = place.join(name).display().to_string();
        Scene::from_text(text, format, &name, &[]).unwrap_or_else(|e| panic!("{e}"))
    };
    let whole = read(&text, Format::Toml, "whole.toml");
    let shape = |scene: &Scene| (scene.decorations[0].body.clone(), scene.decorations[0].file.clone());
    assert_eq!(shape(&whole), ("x_a".to_owned(), "parts/shape.obj".to_owned()));
    let again = read(&whole.source.json().to_string(), Format::Json, "scene.json");
    assert_eq!(shape(&again), shape(&whole));
    fs::remove_dir_all(&place).unwrap();
}

#[test]
fn errors_in_a_part_name_its_file_and_line() {
    let place = folder("part-error");
    fs::write(place.join("part.toml"), "[[body]]\nname = \"a\"\nmass = -1\ninertia = [1, 1, 1]\n").unwrap();
    let text = format!("{RUN}[[include]]\nfile = \"part.toml\"\nprefix = \"x_\"\n");
    let name = place.join("whole.toml").display().to_string();
    let error = Scene::from_text(&text, Format::Toml, &name, &[]).unwrap_err();
    assert_eq!(error.line_column(), Some((3, 8)));
    assert!(error.to_string().contains("part.toml:3:8"), "{error}");
    fs::remove_dir_all(&place).unwrap();
}
