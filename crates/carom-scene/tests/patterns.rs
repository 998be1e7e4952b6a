//! Patterns, parts, groups: what is read is the scene as it would be written out.

use std::fs;
use std::path::PathBuf;

use carom::base::Vec3;
use carom_scene::{Format, Scene, Template};

pub(crate) fn scene(text: &str, set: &[&str]) -> Scene {
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    Scene::from_text(text, Format::Toml, "scene.toml", &set).unwrap_or_else(|e| panic!("{e}"))
}

fn written_out(text: &str) -> String {
    Scene::written_out(text, Format::Toml, "scene.toml", &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// The whole end of a run, to the last digit.
pub(crate) fn end(scene: &Scene) -> String {
    format!("{:?}", scene.simulation().run().unwrap().end)
}

/// An empty folder for files of a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("carom-patterns-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

pub(crate) const RUN: &str = "[run]\nduration = 0.05\nrtol = 1e-10\n";

/// A carousel: links on a hub, with springs, drives, probes and contacts, in another order than they are copied in.
const CAROUSEL: &str = r#"
[parameter]
r = "100 mm"
[[body]]
name = "hub"
fixed = true
[[body.surface]]
type = "plane"
position = [0, 0, "-60 mm"]
[[body]]
name = "link1"
position = ["= r", "10 mm", 0]
orientation = { axis = [0, 1, 0], angle = "20 deg" }
velocity = [0.1, 0.2, 0.3]
angular_velocity = [0, 3, 0]
density = 1000
group = "links"
[[body.surface]]
type = "box"
size = ["40 mm", "20 mm", "10 mm"]
[[body]]
name = "other"
position = [0, 0, 1]
mass = 1
inertia = [1, 1, 1]
[[joint]]
name = "pin1"
type = "spherical"
between = ["link1", "hub"]
point = ["= r + 20e-3", "10 mm", 0]
[[force]]
type = "spring-damper"
between = ["link1", "hub"]
point_a = ["-20 mm", 0, 0]
point_b = ["= r/2", 0, "30 mm"]
stiffness = 300
damping = 0.1
rest_length = "50 mm"
[[force]]
name = "load1"
type = "load"
body = "link1"
force = [0.1, 0, 0]
point = ["= r", "10 mm", 0]
[[probe]]
name = "tip1"
body = "link1"
point = ["-20 mm", 0, 0]
[[contact]]
between = ["links", "hub"]
normal = { law = "hertz", stiffness = 1e5 }
[[pattern]]
type = "circular"
of = "link1"
count = 5
point = ["1 mm", "2 mm", 0]
"#;

#[test]
fn a_pattern_gives_the_same_digits_as_the_scene_written_out() {
    let text = format!("{RUN}{CAROUSEL}");
    let out = written_out(&text);
    assert!(!out.contains("[[pattern]]"), "{out}");
    assert_eq!(written_out(&out), out);
    let (a, b) = (scene(&text, &[]), scene(&out, &[]));
    let bodies: Vec<&str> = a.model.body_names().collect();
    assert_eq!(bodies, ["hub", "link1", "link2", "link3", "link4", "link5", "other"]);
    assert_eq!(
        a.probes.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(),
        ["tip1", "tip2", "tip3", "tip4", "tip5"]
    );
    assert_eq!(end(&a), end(&b));
}

/// Gravity is along the axis of the pattern, so that the motion of a copy is that of the first, turned.
#[test]
fn copies_of_a_circle_move_as_the_first_turned() {
    let run = scene(&format!("{RUN}{CAROUSEL}"), &[]).simulation().run().unwrap();
    let first = run.end.body("link1").unwrap();
    let point = Vec3::new(0.001, 0.002, 0.0);
    for k in 1..5 {
        let q = carom::base::rotation_about(&Vec3::z_axis(), f64::from(k) * std::f64::consts::TAU / 5.0);
        let copy = run.end.body(&format!("link{}", k + 1)).unwrap();
        let is = copy.position - (point + q * (first.position - point));
        assert!(is.norm() < 1e-9, "{k}: {is}");
        assert!((copy.velocity - q * first.velocity).norm() < 1e-7, "{k}");
        assert!((first.position - Vec3::new(0.1, 0.01, 0.0)).norm() > 1e-3);
    }
}

/// A body with a hand, driven, on a screw, on a hinge with a spring, and its image in a plane askew.
const HANDED: &str = r#"
[world]
gravity = [0, 0, 0]
[[body]]
name = "frame"
fixed = true
orientation = { axis = [1, 2, 3], angle = "50 deg" }
position = [0.3, 0.1, 0.2]
[[body]]
name = "wing"
position = ["100 mm", 0, "30 mm"]
orientation = { axis = [1, 1, 0], angle = "35 deg" }
angular_velocity = [1, 2, 3]
velocity = [0.1, 0, 0.2]
density = 800
[[body.surface]]
type = "polyhedron"
vertices = [[0, 0, 0], ["40 mm", 0, 0], [0, "25 mm", 0], [0, 0, "15 mm"]]
position = ["5 mm", "2 mm", 0]
orientation = { axis = [0, 0, 1], angle = "10 deg" }
[[body.surface]]
type = "cylinder"
radius = "4 mm"
length = "30 mm"
position = ["-10 mm", "-20 mm", "3 mm"]
orientation = { axis = [1, 0, 0], angle = "40 deg" }
[[body]]
name = "nut"
mass = 0.2
inertia = [[2e-4, 1e-5, 2e-5], [1e-5, 3e-4, 0], [2e-5, 0, 4e-4]]
centre_of_mass = ["3 mm", 0, "1 mm"]
position = [0, "200 mm", 0]
[[body]]
name = "arm"
mass = 0.1
inertia = [1e-4, 2e-4, 2.5e-4]
position = [0, "-200 mm", 0]
[[joint]]
name = "thread"
type = "screw"
between = ["nut", "frame"]
point = ["10 mm", "200 mm", 0]
axis = [0, 1, 1]
pitch = "8 mm"
[[joint]]
name = "hinge"
type = "revolute"
between = ["arm", "frame"]
point = ["20 mm", "-200 mm", 0]
axis = [1, 0, 2]
[[drive]]
target = "joint/hinge/torque"
expression = "0.05*cos(9*t)"
[[force]]
name = "push"
type = "load"
body = "nut"
torque = [0.1, 0.2, 0.3]
force = [0.5, 0.2, -0.1]
point = [0, "200 mm", "50 mm"]
[[force]]
name = "rope"
type = "spring-damper"
between = ["arm", "frame"]
point_a = ["10 mm", 0, "30 mm"]
point_b = [0.1, 0, 0]
stiffness = 20
rest_length = 0.1
[[pattern]]
type = "mirrored"
of = ["wing", "nut", "arm"]
normal = [1, 0.2, -0.3]
point = ["-300 mm", 0, 0]
name = "{name}_mirrored"
"#;

#[test]
fn a_mirrored_body_moves_as_its_image() {
    let text = format!("{RUN}{HANDED}").replace("0.05\n", "0.2\n");
    let scene = scene(&text, &[]);
    let run = scene.simulation().run().unwrap();
    let n = Vec3::new(1.0, 0.2, -0.3).normalize();
    let image = |v: &Vec3| v - n * (2.0 * n.dot(v));
    let shift = n * (2.0 * n.x * -0.3);
    for name in ["wing", "nut", "arm"] {
        let [a, b] = [name.to_owned(), format!("{name}_mirrored")].map(|n| run.end.body(&n).unwrap());
        assert!((b.position - image(&a.position) - shift).norm() < 1e-9, "{name}");
        assert!((b.velocity - image(&a.velocity)).norm() < 1e-8, "{name}");
        assert!((b.angular_velocity + image(&a.angular_velocity)).norm() < 1e-7, "{name}");
        assert!(a.angular_velocity.norm() > 0.1, "{name} does not turn");
    }
    let out = written_out(&text);
    assert_eq!(end(&scene), end(&self::scene(&out, &[])));
}

/// A tumbling polyhedron and a frustum on a floor, and a ball in a dish that leans and ends on one side sooner: their images in a plane
/// that stands upright.
#[test]
fn mirrored_shapes_touch_as_their_images() {
    let text = r#"
        [[body]]
        name = "floor"
        fixed = true
        surface = [{ type = "plane" }]
        [[body]]
        name = "die"
        density = 800
        position = [0, 0, "60 mm"]
        orientation = { axis = [1, 2, 0], angle = "35 deg" }
        angular_velocity = [10, 3, -7]
        velocity = [0.1, 0.3, -1]
        [[body.surface]]
        type = "polyhedron"
        vertices = [[0, 0, 0], ["40 mm", 0, 0], [0, "25 mm", 0], ["5 mm", "5 mm", "35 mm"]]
        [[body]]
        name = "cone"
        density = 800
        position = [1, 0, "60 mm"]
        orientation = { axis = [1, 2, 0], angle = "35 deg" }
        angular_velocity = [10, 3, -7]
        velocity = [0.1, 0.3, -1]
        [[body.surface]]
        type = "cone"
        radius = "20 mm"
        top_radius = "8 mm"
        length = "30 mm"
        position = ["5 mm", "2 mm", 0]
        orientation = { axis = [0, 1, 0], angle = "20 deg" }
        [[body]]
        name = "dish"
        fixed = true
        position = [2, 0, 1]
        orientation = { axis = [0, 1, 0], angle = "10 deg" }
        [[body.surface]]
        type = "quadric"
        side = "inside"
        coefficients = [4, 6, 0, 0, 0, -4]
        within = { min = [-0.3, -0.5, -0.25], max = [0.5, 0.5, "-50 mm"] }
        position = [0, 0.01, 0]
        orientation = { axis = [1, 0, 0], angle = "5 deg" }
        [[body]]
        name = "ball"
        mass = 0.1
        position = [2, 0, 0.9]
        velocity = [0.2, 0.5, 0]
        surface = [{ type = "sphere", radius = 0.01 }]
        [[contact]]
        between = ["die", "floor"]
        normal = { law = "hunt-crossley", stiffness = 1e5, damping = 0.5 }
        friction = { law = "tanh", coefficient = 0.3, slope = 100 }
        [[contact]]
        between = ["cone", "floor"]
        normal = { law = "hunt-crossley", stiffness = 1e5, damping = 0.5 }
        friction = { law = "tanh", coefficient = 0.3, slope = 100 }
        [[contact]]
        between = ["ball", "dish"]
        normal = { law = "hunt-crossley", stiffness = 1e6, damping = 0.5 }
        friction = { law = "tanh", coefficient = 0.3, slope = 100 }
        [[pattern]]
        type = "mirrored"
        of = ["die", "cone", "dish", "ball"]
        normal = [1, 0.5, 0]
        point = [-2, 0, 0]
    "#;
    let run = scene(&format!("{RUN}{text}").replace("0.05\n", "0.2\n"), &[]).simulation().run().unwrap();
    assert!(run.summary.contacts >= 4, "{}", run.summary.contacts);
    let n = Vec3::new(1.0, 0.5, 0.0).normalize();
    let image = |v: &Vec3| v - n * (2.0 * n.dot(v));
    for name in ["die", "cone", "ball"] {
        let [a, b] = [name.to_owned(), format!("{name}2")].map(|n| run.end.body(&n).unwrap());
        let off = b.position - image(&a.position) - n * (2.0 * n.x * -2.0);
        assert!(off.norm() < 1e-7, "{name}: {off}");
        assert!((b.angular_velocity + image(&a.angular_velocity)).norm() < 1e-4, "{name}");
    }
}

#[test]
fn rows_grids_and_templates() {
    let ball = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\n";
    let names = |pattern: &str| {
        let scene = scene(&format!("{RUN}{ball}{pattern}"), &[]);
        scene.model.body_names().map(str::to_owned).collect::<Vec<_>>()
    };
    let row = "[[pattern]]\ntype = \"linear\"\nof = \"b\"\ncount = 3\nstep = [0, 1, 0]\n";
    assert_eq!(names(row), ["b", "b2", "b3"]);
    assert_eq!(
        names(&format!("{row}name = \"copy {{}} of {{name}}\"\n")),
        ["b", "copy 2 of b", "copy 3 of b"]
    );
    let grid = "[[pattern]]\ntype = \"grid\"\nof = [\"b*\"]\ncount = [2, 1, 2]\nstep = [0.1, 0, 0.2]\n";
    assert_eq!(names(grid), ["b", "b2", "b3", "b4"]);
    // a pattern of a pattern: three in a row, and rows of them
    assert_eq!(names(&format!("{row}{grid}")).len(), 12);
    let run = scene(&format!("{RUN}{ball}{row}{grid}"), &[]).simulation().run().unwrap();
    let last = run.end.body("b12").unwrap().position;
    assert!((last - Vec3::new(1.1, 2.0, 0.2 - 9.81 * 0.05 * 0.05 / 2.0)).norm() < 1e-9, "{last}");
    let half = "[[pattern]]\ntype = \"circular\"\nof = \"b\"\ncount = 3\nangle = \"180 deg\"\n";
    let out = written_out(&format!("{RUN}{ball}{half}"));
    assert!(out.contains("position = [-1, 0.0000000000000001") || out.contains("position = [-1, "), "{out}");
    let kept = written_out(&format!("{RUN}{ball}{half}orientation = \"kept\"\n"));
    assert!(!kept.contains("quaternion") && out.contains("quaternion"), "{kept}");
}

#[test]
fn names_of_several_in_rules() {
    let text = r#"
        [[body]]
        name = "ball1"
        density = 1000
        group = ["balls", "left"]
        position = [0, 0, 0.2]
        [[body.surface]]
        type = "sphere"
        radius = 0.01
        [[body]]
        name = "floor"
        fixed = true
        [[body.surface]]
        name = "top"
        type = "plane"
        [[pattern]]
        type = "linear"
        of = "balls"
        count = 3
        step = [0.1, 0, 0]
        [[contact]]
        between = ["ball*", "floor/t?p"]
        normal = { law = "hertz", stiffness = 1e6 }
        [[contact]]
        between = [["ball1", "ball3"], "balls"]
        normal = { law = "hertz", stiffness = 1e5 }
        [[force]]
        name = "rubber"
        type = "spring-damper"
        between = ["balls", "balls"]
        stiffness = 1
        rest_length = 0.1
        [[force]]
        type = "drag"
        body = "ball*"
        linear = 0.1
        [[distance]]
        name = "gap"
        between = ["balls", "floor"]
        [[probe]]
        name = "top"
        body = "balls"
    "#;
    let scene = scene(&format!("{RUN}{text}"), &[]);
    let names: Vec<&str> = scene.distances.iter().map(|d| d.name()).collect();
    assert_eq!(names, ["gap_ball1", "gap_ball2", "gap_ball3"]);
    let probes: Vec<&str> = scene.probes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(probes, ["top_ball1", "top_ball2", "top_ball3"]);
    let out = written_out(&format!("{RUN}{text}"));
    for pair in ["ball1_ball2", "ball1_ball3", "ball2_ball3"] {
        assert_eq!(out.matches(&format!("name = \"rubber_{pair}\"")).count(), 1, "{out}");
    }
    assert_eq!(out.matches("type = \"drag\"").count(), 3);
    assert_eq!(end(&scene), end(&self::scene(&out, &[])));
}

/// A value that is replaced may be of a copy, or of a body of a part.
#[test]
fn copies_can_be_set() {
    let text = format!("{RUN}{CAROUSEL}");
    let set = ["body/link3/density=2000", "pattern/circular1/count=4"];
    let out: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    let out = Scene::written_out(&text, Format::Toml, "scene.toml", &out).unwrap();
    assert_eq!((out.matches("density = 1000").count(), out.matches("density = 2000").count()), (3, 1));
    let kept = scene(&text, &set).source.json().to_string();
    let again = Scene::from_text(&kept, Format::Json, "scene.json", &[]).unwrap();
    assert_eq!(end(&scene(&text, &set)), end(&again));
    let error = Scene::from_text(&text, Format::Toml, "scene.toml", &["body/link9/density=2000".to_owned()]);
    assert!(error.unwrap_err().to_string().contains("no body is called `link9`"));
    assert!(
        Template::new(&text, Format::Toml, "scene.toml").unwrap().check_paths(&[set[0].to_owned()]).is_ok()
    );
}

/// Places by a seed are the same on every machine: these numbers were computed once.
#[test]
fn random_places() {
    let text = |kind: &str| {
        format!(
            "{RUN}[[body]]\nname = \"grain1\"\ndensity = 1000\n[[body.surface]]\ntype = \"sphere\"\nradius = 0.01\n[[pattern]]\ntype = \"{kind}\"\nof = \"grain1\"\nwithin = {{ min = [0, 0, 0], max = [0.1, 0.1, 0.1] }}\n"
        )
    };
    let position = |out: &str, n: usize| {
        let line = out.lines().filter_map(|l| l.strip_prefix("position = [")).nth(n).unwrap();
        let numbers: Vec<f64> = line.trim_end_matches(']').split(", ").map(|x| x.parse().unwrap()).collect();
        Vec3::from_column_slice(&numbers)
    };
    let spread = |out: &str, count: usize| {
        let points: Vec<Vec3> = (0..count).map(|n| position(out, n)).collect();
        assert!(points.iter().all(|x| x.min() > 0.01 - 1e-12 && x.max() < 0.09 + 1e-12));
        let pairs =
            points.iter().enumerate().flat_map(|(i, a)| points[i + 1..].iter().map(move |b| (a - b).norm()));
        assert!(pairs.fold(1.0, f64::min) >= 0.02 - 1e-12);
    };
    let random = written_out(&(text("random") + "count = 40\nseed = 7\n"));
    spread(&random, 40);
    insta::assert_debug_snapshot!("random_places", [position(&random, 0), position(&random, 39)]);
    spread(&written_out(&(text("packed") + "count = 110\n")), 110);
    assert_eq!(written_out(&text("lattice")).matches("[[body]]").count(), 125);
    let fcc = written_out(&(text("lattice") + "lattice = \"fcc\"\norientation = \"random\"\n"));
    let count = fcc.matches("[[body]]").count();
    // six layers, of 25 and 16 in turn
    assert_eq!((count, fcc.matches("quaternion").count()), (3 * (25 + 16), count));
    spread(&fcc, count);
}

#[test]
fn standard_materials() {
    let ball = |material: &str| {
        format!(
            "{RUN}{material}[[body]]\nname = \"b\"\nmaterial = \"steel\"\n[[body.surface]]\ntype = \"sphere\"\nradius = 0.1\n"
        )
    };
    let mass = |text: &str| scene(text, &[]).model.mass("b").unwrap();
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    assert!((mass(&ball("")) - 7850.0 * volume).abs() < 1e-12 * 30.0);
    // a scene's own material goes before
    assert!((mass(&ball("[material.steel]\ndensity = 1000\n")) - 1000.0 * volume).abs() < 1e-12 * 5.0);
}

/// Every scene in the book's page of patterns is read and starts to run.
#[test]
fn scenes_of_the_book() {
    let page = include_str!("../../../book/src/patterns.md");
    let place = folder("book");
    let blocks: Vec<&str> = page.split("```toml\n# ").skip(1).filter_map(|b| b.split("```").next()).collect();
    let named: Vec<(&str, &str)> = blocks.iter().filter_map(|b| b.split_once('\n')).collect();
    assert_eq!(named.len(), 5);
    for (name, text) in &named {
        fs::write(place.join(name), text).unwrap();
    }
    for (name, _) in &named {
        let set = ["run/duration=1e-3".to_owned()];
        let scene = Scene::from_file(&place.join(name), &set).unwrap_or_else(|e| panic!("{e}"));
        scene.simulation().run().unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    fs::remove_dir_all(&place).unwrap();
}
