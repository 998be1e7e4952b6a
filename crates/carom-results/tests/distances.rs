//! Algorithms by name in a contact, and distances that are recorded.

use std::fmt::Write;

use carom_results::{About, Existing, Folder, Recorded};
use carom_scene::{Format, Scene};

/// Two eggs: one turns, one goes round it.
const EGGS: &str = r#"
[world]
gravity = [0, 0, 0]

[run]
duration = 1
output_every = 0.1

[[body]]
name = "still"
fixed = true

[[body.surface]]
type = "ellipsoid"
semi_axes = [1, 2, 3]

[[body]]
name = "planet"
position = [6, 0, 1]
motion = { orbit = { to_centre = [-6, 0, 0], axis = [0, 0, 1], rate = "= 2*pi" } }

[[body.surface]]
type = "ellipsoid"
semi_axes = [1, 1, 2]
position = [0, 0, 0.5]

[[distance]]
name = "gap"
between = ["still", "planet/ellipsoid1"]
solver = { type = "common-normal", tangents = "auxiliary" }

[[distance]]
name = "usual"
between = ["still", "planet"]
"#;

fn read(text: &str) -> Result<Scene, String> {
    Scene::from_text(text, Format::Toml, "eggs.toml", &[]).map_err(|e| e.to_string())
}

fn with(piece: &str, by: &str) -> String {
    assert!(EGGS.contains(piece), "the scene has no {piece}");
    EGGS.replacen(piece, by, 1)
}

#[test]
fn distances_are_recorded_and_read_back() {
    let path = std::env::temp_dir().join(format!("carom-distances-{}", std::process::id()));
    let run = |scene: &Scene| {
        let mut folder = Folder::new(&path, About::from(scene), Existing::ReplaceResults).unwrap();
        let outcome = scene.simulation().run_into(&mut folder);
        folder.close(&outcome).unwrap();
        Recorded::open(&path).unwrap()
    };
    let recorded = run(&read(EGGS).unwrap());
    let column = |name: &str| recorded.column(name).unwrap();
    assert_eq!(column("gap.found"), [1.0; 11]);
    let (gap, usual) = (column("gap.distance"), column("usual.distance"));
    assert!(gap.iter().zip(&usual).all(|(a, b)| (a - b).abs() < 1e-10), "{gap:?} {usual:?}");
    // both spheroids lie level with their middles 1.5 m apart: nearest along x in the first and the last frame
    assert!((gap[0] - gap[10]).abs() < 1e-10 && gap[0] < 5.0 && column("gap.iterations")[5] < 8.0);
    let along: Vec<f64> = ["x", "y", "z"]
        .iter()
        .map(|c| column(&format!("gap.b{c}"))[3] - column(&format!("gap.a{c}"))[3])
        .collect();
    assert!((along.iter().map(|c| c * c).sum::<f64>().sqrt() - gap[3]).abs() < 1e-12);
    let message = recorded.column("gap.distnce").unwrap_err().to_string();
    assert!(message.contains("did you mean `gap.distance`?"), "{message}");
    // a scene without distances leaves no file of an older one
    let plain = EGGS.split("[[distance]]").next().unwrap();
    assert!(run(&read(plain).unwrap()).distances.is_empty());
    assert!(!path.join("distances.csv").exists());
    std::fs::remove_dir_all(&path).unwrap();
}

/// A search that fails leaves its fields empty, and the next one starts from scratch.
#[test]
fn what_is_not_found_is_empty() {
    // pair 2 of the paper's Table 6, with auxiliary vectors: the cold starts fail until the bodies have turned by 54°
    let text = include_str!("../../../papers/quadric-superquadric/scenes/superellipsoids.toml");
    let set = [
        "parameter/apart=3.2",
        "parameter/diagonal=0",
        "body/i/surface/hull/semi_axes=[0.4, 1.1, 1.1]",
        "body/j/surface/hull/semi_axes=[1, 1, 0.4]",
        "body/i/surface/hull/exponents=[3.2, 3.2, 3.2]",
        "body/j/surface/hull/exponents=[3.2, 3.2, 3.2]",
        "distance/gap/solver={ type = \"common-normal\", tangents = \"auxiliary\" }",
    ];
    let scene = Scene::from_text(text, Format::Toml, "pair.toml", &set.map(str::to_owned)).unwrap();
    let path = std::env::temp_dir().join(format!("carom-square-{}", std::process::id()));
    let mut folder = Folder::new(&path, About::from(&scene), Existing::ReplaceResults).unwrap();
    let outcome = scene.simulation().run_into(&mut folder);
    folder.close(&outcome).unwrap();
    let recorded = Recorded::open(&path).unwrap();
    std::fs::remove_dir_all(&path).unwrap();
    let (found, distance) = (recorded.column("gap.found").unwrap(), recorded.column("gap.distance").unwrap());
    assert_eq!((found[0], found[199]), (0.0, 1.0), "{found:?}");
    assert!(found.iter().zip(&distance).all(|(f, d)| (*f == 0.0) == d.is_nan()), "{found:?} {distance:?}");
}

const CONTACT: &str = r#"
[[body]]
name = "free"
mass = 1
position = [0, 0, 9]

[[body.surface]]
type = "ellipsoid"
semi_axes = [1, 1, 2]

[[contact]]
between = ["free", "still"]
normal = { law = "hertz", stiffness = 1e6 }
"#;

/// A contact by the method of its name bounces as by the usual one.
#[test]
fn a_contact_names_its_algorithm() {
    let end = |solver: &str| {
        let text =
            format!("{EGGS}{CONTACT}{solver}").replacen("gravity = [0, 0, 0]", "gravity = [0, 0, -9.81]", 1);
        let scene = read(&text).unwrap_or_else(|e| panic!("{e}"));
        let run = scene.simulation().run().unwrap();
        assert_eq!(run.summary.touches, 1);
        run.end.body("free").unwrap().position.z
    };
    let usual = end("");
    for solver in
        ["\"common-normal\"", "{ type = \"common-normal\", tangents = \"auxiliary\" }", "\"convex\""]
    {
        let z = end(&format!("solver = {solver}\n"));
        assert!((z - usual).abs() < 1e-9, "{solver}: {z} {usual}");
    }
}

/// The words of errors.
#[test]
fn errors_point_at_their_values() {
    let contact = |solver: &str| format!("{EGGS}{CONTACT}{solver}\n");
    let named = "{ type = \"common-normal\", tangents = \"auxiliary\" }";
    let cases = [
        ("unknown solver", contact("solver = \"comon-normal\"")),
        ("unknown parameter", contact("solver = { type = \"common-normal\", tangent = \"auxiliary\" }")),
        ("unknown tangents", contact("solver = { type = \"common-normal\", tangents = \"aux\" }")),
        ("tolerance", contact("solver = { type = \"common-normal\", tolerance = 0.5 }")),
        ("no type", contact("solver = { tangents = \"auxiliary\" }")),
        ("solver and slices", contact("solver = \"convex\"\nslices = 36")),
        ("solver that does not know them", contact("solver = \"sphere-any\"")),
        ("distance by a solver that does not know them", with(named, "\"sphere-any\"")),
        ("distance of nothing", with("\"planet/ellipsoid1\"", "\"planet/elipsoid1\"")),
        ("distance of no body", with("\"planet/ellipsoid1\"", "\"plant\"")),
        ("distance named as a body", with("name = \"gap\"", "name = \"planet\"")),
    ];
    let mut out = String::new();
    for (what, text) in cases {
        let said = read(&text).map(drop).unwrap_err();
        let _ = writeln!(out, "## {what}\n\n{said}\n");
    }
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("solvers_and_distances", out);
    });
}
