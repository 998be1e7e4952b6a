//! The exact words of every error, with the place they point at.

use std::fmt::Write;

use carom::geometry::surfaces;
use carom::law::{friction, normal, resistance};
use carom::{COORDINATES, Coordinate, FORCES, JOINTS, MOTIONS, TARGETS};
use carom_scene::{Format, Scene, SceneError};

mod contacts;
mod drives;
mod joint_forces;
mod joints;
mod loads;
mod meshes;
mod patterns;
mod plots;

const BALL: &str = include_str!("scenes/ball.toml");
const BALL_JSON: &str = include_str!("scenes/ball.json");

/// The scene with a piece replaced.
fn with(piece: &str, by: &str) -> String {
    assert!(BALL.contains(piece), "the scene has no {piece}");
    BALL.replacen(piece, by, 1)
}

fn error(text: &str, set: &[&str]) -> SceneError {
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    match Scene::from_text(text, Format::Toml, "ball.toml", &set) {
        Ok(_) => panic!("this was read:\n{text}\n{set:?}"),
        Err(e) => e,
    }
}

/// Replaces each piece, and shows what is said then.
fn report(cases: &[(&str, &str, &str)]) -> String {
    let mut out = String::new();
    for (what, piece, by) in cases {
        let _ = writeln!(out, "## {what}\n\n{}\n", error(&with(piece, by), &[]));
    }
    out
}

/// The keys of the limits of a coordinate.
fn limits(c: &Coordinate) -> impl Iterator<Item = &'static str> {
    let (least, greatest) = (c.least.map(|_| c.names.min), c.greatest.map(|_| c.names.max));
    least.into_iter().chain(greatest)
}

/// The lists of the registries by a word each, so that a new kind changes no snapshot.
fn without_lists(mut text: String) -> String {
    let lists = [
        ("SURFACE TYPES", surfaces::ALL.iter().map(|e| e.name).collect::<Vec<_>>()),
        ("NORMAL LAWS", normal::ALL.iter().map(|e| e.name()).collect()),
        ("FRICTION LAWS", friction::ALL.iter().map(|e| e.name()).collect()),
        ("SPINNING LAWS", resistance::SPINNING.iter().map(|e| e.name()).collect()),
        ("ROLLING LAWS", resistance::ROLLING.iter().map(|e| e.name()).collect()),
        ("METHODS", carom::METHODS.clone()),
        ("JOINT TYPES", JOINTS.iter().map(|e| e.name).collect()),
        ("MOTIONS", MOTIONS.iter().map(|e| e.name).collect()),
        ("FORCE TYPES", FORCES.iter().map(|e| e.name).collect()),
        ("DRIVEN PATHS", TARGETS.iter().map(|t| t.path).collect()),
        ("DISPLACEMENTS", Coordinate::DISPLACEMENTS.to_vec()),
        ("LIMITS", COORDINATES.iter().flat_map(limits).collect()),
    ];
    for (word, names) in lists {
        let quoted: Vec<String> = names.iter().map(|n| format!("\"{n}\"")).collect();
        text = text.replace(&names.join(", "), word).replace(&quoted.join(", "), word);
    }
    // what surfaces touch
    let cut = |line: &str| match line.split_once("; ") {
        Some((before, _)) if before.contains("has no contact points") => format!("{before}; PAIRS\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(cut).collect()
}

#[track_caller]
fn snapshot(name: &str, text: String) {
    let text = without_lists(text);
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn numbers_in_time() {
    snapshot("drives", drives::report());
}

#[test]
fn loads_and_controllers() {
    snapshot("loads", loads::report());
}

#[test]
fn plots_of_runs() {
    snapshot("plots", plots::report());
}

#[test]
fn patterns_and_groups() {
    snapshot("patterns", patterns::report());
}

#[test]
#[cfg(unix)]
fn included_parts() {
    snapshot("parts", patterns::parts());
}

#[test]
fn meshes_from_files() {
    snapshot("meshes", meshes::report());
}

#[test]
fn joints() {
    snapshot("joints", joints::report());
}

#[test]
fn joint_forces() {
    snapshot("joint_forces", joint_forces::report());
}

#[test]
fn slices() {
    snapshot("slices", contacts::slices());
}

#[test]
fn pressure() {
    snapshot("pressure", contacts::pressure());
}

#[test]
fn contacts_and_motions() {
    snapshot("contacts_and_motions", contacts::report());
}

#[test]
fn keys_and_words() {
    let cases = [
        ("unknown key", "radius =", "radios ="),
        ("unknown key of a table", "output_every", "ouptut_every"),
        ("key cut short", "coefficient", "coeff"),
        ("unknown table", "[world]", "[wrold]"),
        ("unknown surface type", "\"sphere\"", "\"spere\""),
        ("unknown normal law", "lankarani-nikravesh", "lankarani"),
        (
            "unknown law in short",
            "normal = { law = \"lankarani-nikravesh\", restitution = 0.9 }",
            "normal = \"herz\"",
        ),
        ("unknown friction law", "\"tanh\"", "\"colomb\""),
        ("unknown rolling law", "[[contact]]", "[[contact]]\nrolling = { law = \"viscos\", damping = 1 }"),
        (
            "unknown spinning law",
            "[[contact]]",
            "[[contact]]\nspinning = { law = \"hertz\", coefficient = 0.2 }",
        ),
        (
            "missing key of a resistance",
            "[[contact]]",
            "[[contact]]\nrolling = { law = \"tanh\", coefficient = \"1 mm\" }",
        ),
        (
            "unknown force type",
            "[[probe]]",
            "[[force]]\ntype = \"spring\"\nbetween = [\"ball\", \"floor\"]\n[[probe]]",
        ),
        (
            "force on nobody",
            "[[probe]]",
            "[[force]]\ntype = \"spring-damper\"\nstiffness = 1\nrest_length = 1\nbetween = [\"ball\", \"flor\"]\n[[probe]]",
        ),
        (
            "force on one body",
            "[[probe]]",
            "[[force]]\ntype = \"spring-damper\"\nstiffness = 1\nrest_length = 1\nbetween = [\"ball\", \"ball\"]\n[[probe]]",
        ),
        ("law spelt otherwise", "lankarani-nikravesh", "hu-gou"),
        ("unknown method", "[run]", "[run]\nmethod = \"ode54\""),
        ("unknown kind of body", "name = \"ball\"", "name = \"ball\"\ntype = \"affine\""),
        ("unknown motion", "fixed = true", "motion = { circle = [[0, 1]] }"),
        ("two motions", "fixed = true", "motion = { spin = { axis = [0, 0, 1], rate = 1 }, shake = {} }"),
        ("unknown key of a motion", "fixed = true", "motion = { spin = { axes = [0, 0, 1], rate = 1 } }"),
        ("unknown direction", "name = \"ball\"", "name = \"ball\"\ndofs = [\"x\", \"yaw\"]"),
        (
            "a frustum that is a cylinder",
            "type = \"sphere\"\nradius = \"20 mm\"",
            "type = \"cone\"\nradius = \"20 mm\"\ntop_radius = \"20 mm\"\nlength = \"50 mm\"",
        ),
        (
            "a negative radius of a top",
            "type = \"sphere\"\nradius = \"20 mm\"",
            "type = \"cone\"\nradius = \"20 mm\"\ntop_radius = \"-5 mm\"\nlength = \"50 mm\"",
        ),
        (
            "a misspelt key of a cone",
            "type = \"sphere\"\nradius = \"20 mm\"",
            "type = \"cone\"\nradius = \"20 mm\"\ntip_radius = \"5 mm\"\nlength = \"50 mm\"",
        ),
        ("unknown side", "radius =", "side = \"in\"\nradius ="),
        ("missing key", "duration = \"1 s\"\n", ""),
        ("missing key of a kind", "radius = \"20 mm\"\n", ""),
        ("missing kind", "type = \"sphere\"\n", ""),
        ("missing key of an inline table", "slope = 1000", ""),
        ("missing table", BALL, "[[body]]\nname = \"ball\"\n"),
        ("no body", BALL, "body = []\nrun = { duration = 1 }\n"),
        ("missing second half", ", angle = \"30 deg\"", ""),
        ("nothing of a choice", "{ axis = [0, 0, 1], angle = \"30 deg\" }", "{}"),
        ("both of a choice", "[run]", "[run]\noutput_at = [0, 1]"),
        ("both ways to turn", "angle =", "quaternion = [1, 0, 0, 0], angle ="),
        (
            "fixed and moved",
            "fixed = true",
            "fixed = true\nmotion = { spin = { axis = [0, 0, 1], rate = 1 } }",
        ),
    ];
    snapshot("keys_and_words", report(&cases));
}

#[test]
fn values() {
    let cases = [
        ("unknown unit", "20 mm", "20 mn"),
        ("malformed unit", "20 mm", "20 m/"),
        ("wrong dimension", "\"20 mm\"", "\"20 kg\""),
        ("wrong dimension of a product", "\"210 GPa\"", "\"210 N/m\""),
        ("unit where none belongs", "0.3", "\"0.3 m\""),
        ("frequency for angular speed", "velocity = [1, 0, 0]", "angular_velocity = [\"50 Hz\", 0, 0]"),
        (
            "stiffness of another exponent",
            "restitution = 0.9",
            "restitution = 0.9, exponent = 2, stiffness = \"1e8 N/m^1.5\"",
        ),
        ("word for a number", "\"20 mm\"", "\"twenty\""),
        ("negative mass", "name = \"ball\"", "name = \"ball\"\nmass = -1"),
        ("negative value in a string", "\"210 GPa\"", "\"-210 GPa\""),
        ("not a number", "name = \"ball\"", "name = \"ball\"\nmass = nan"),
        ("infinite component", "velocity = [1, 0, 0]", "velocity = [1, inf, 0]"),
        ("too large to be a number", "[1, 0, 0]", "[1e999, 0, 0]"),
        ("out of range", "0.3", "0.51"),
        ("zero axis", "axis = [0, 0, 1]", "axis = [0, 0, 0]"),
        ("zero axis of a motion", "fixed = true", "motion = { spin = { axis = [0, 0, 0], rate = 1 } }"),
        ("quaternion that is none", "axis = [0, 0, 1], angle = \"30 deg\"", "quaternion = [1, 1, 0, 0]"),
        ("array of wrong length", "velocity = [1, 0, 0]", "velocity = [1, 0]"),
        ("string for an array", "velocity = [1, 0, 0]", "velocity = \"1 m/s\""),
        ("table in an array", "velocity = [1, 0, 0]", "velocity = [1, {}, 0]"),
        ("number for a name", "name = \"ball\"", "name = 3"),
        ("number for true or false", "fixed = true", "fixed = 1"),
        ("date", "name = \"ball\"", "name = 2020-01-01"),
        ("string for a table", "[world]\ngravity = [0, 0, \"-9.81 m/s^2\"]", "world = \"moon\""),
        ("number for a law", "{ law = \"tanh\", coefficient = 0.2, slope = 1000 }", "0.2"),
        ("number in a law", "law = \"tanh\"", "law = 3"),
        ("table for an array of tables", "[[contact]]", "[contact]"),
        ("string for a material", "[material.steel]", "[material]\nwood = \"soft\"\n[material.steel]"),
        ("one end of a contact", "[\"ball\", \"floor\"]", "[\"ball\"]"),
        ("number for an end", "[\"ball\", \"floor\"]", "[\"ball\", 3]"),
        ("name with a slash", "name = \"ball\"", "name = \"a/b\""),
        ("empty name", "name = \"ball\"", "name = \"\""),
        ("times in disorder", "output_every = \"10 ms\"", "output_at = [0, 0.5, 0.2]"),
        ("time after the end", "output_every = \"10 ms\"", "output_at = [0, \"2 s\"]"),
        ("no step", "[run]", "[run]\nmethod = \"verlet\""),
    ];
    snapshot("values", report(&cases));
}

#[test]
fn options_of_the_run() {
    let cases = [
        ("tolerance too large", "rtol = 1e-10", "rtol = 2"),
        ("tolerance below rounding", "rtol = 1e-10", "rtol = 1e-20"),
        ("steps without end", "[run]", "[run]\nmax_step = 1e-300"),
        ("a fixed step without end", "[run]", "[run]\nmethod = \"verlet\"\nstep = 1e-300"),
        ("a fixed-step method without a step", "[run]", "[run]\nmethod = \"verlet\""),
        ("unknown stabilisation", "[run]", "[run]\nstabilisation = \"baumgarten\""),
        ("a stabilisation without its rate", "[run]", "[run]\nstabilisation = \"baumgarte\""),
        ("a rate without its stabilisation", "[run]", "[run]\nbaumgarte = 50\nstabilisation = \"none\""),
        ("a rate in a wrong unit", "[run]", "[run]\nbaumgarte = \"50 rad\"\nstabilisation = \"baumgarte\""),
    ];
    snapshot("options_of_the_run", report(&cases));
}

#[test]
fn bodies_and_names() {
    let cases = [
        ("impossible inertia", "name = \"ball\"", "name = \"ball\"\ninertia = [1, 1, 3]"),
        (
            "inertia that is not symmetric",
            "name = \"ball\"",
            "name = \"ball\"\ninertia = [[1, 0, 0], [0.1, 1, 0], [0, 0, 1]]",
        ),
        ("two bodies of a name", "name = \"floor\"", "name = \"ball\""),
        (
            "two surfaces of a name",
            "[[body]]\nname = \"floor\"",
            "[[body.surface]]\nname = \"sphere1\"\ntype = \"plane\"\n\n[[body]]\nname = \"floor\"",
        ),
        ("a probe called as a body", "name = \"top\"", "name = \"ball\""),
        ("two contacts of a name", "[[probe]]", "[[contact]]\nbetween = [\"ball\", \"floor\"]\n\n[[probe]]"),
        ("two contacts of a pair", "[[probe]]", "[[contact]]\nbetween = [\"floor\", \"ball\"]\n\n[[probe]]"),
    ];
    snapshot("bodies_and_names", report(&cases));
}

#[test]
fn texts() {
    let mut out = report(&[
        ("no value", "rtol = 1e-10", "rtol ="),
        ("no quotes", "\"sphere\"", "sphere"),
        ("no end of a table header", "[world]", "[world"),
        ("key twice", "rtol = 1e-10", "rtol = 1e-10\nrtol = 1e-9"),
        ("end too early", BALL, "[run]\nduration = [1,"),
    ]);
    let json = [
        ("trailing comma in JSON", "\"density\": 7850 }", "\"density\": 7850, }"),
        ("no quotes in JSON", "\"sphere\"", "sphere"),
        ("no colon in JSON", "\"run\":", "\"run\""),
        ("key twice in JSON", "\"world\":", "\"title\": 3, \"world\":"),
        ("number that is none in JSON", "1e-10", "1e"),
        ("end too early in JSON", "}\n  ]\n}\n", "}\n  ]\n"),
        ("more than one value in JSON", "}\n  ]\n}\n", "}\n  ]\n}\n{}"),
        ("unknown key in JSON", "\"radius\"", "\"radios\""),
        ("missing key in JSON", "\"name\": \"ball\",", ""),
        ("null in JSON", "\"Bouncing ball\"", "null"),
    ];
    for (what, piece, by) in json {
        assert!(BALL_JSON.contains(piece));
        let text = BALL_JSON.replacen(piece, by, 1);
        let error = Scene::from_text(&text, Format::Json, "ball.json", &[]).unwrap_err();
        let _ = writeln!(out, "## {what}\n\n{error}\n");
    }
    snapshot("texts", out);
}

#[test]
fn replaced_values() {
    let sets = [
        "run",
        "run/rtol=abc",
        "run/rtol=-1",
        "run/rtoll=1",
        "runn/rtol=1",
        "body/bal/mass=2",
        "body/ball/position/3=1",
        "body/ball/position/z=1",
        "body/ball/inertia/0=1",
        "body/ball/mass/0=1",
        "run.rtol=1e-10",
        "body/ball/surface/sphere2/radius=1",
        "body/ball/surface/sphere1/radius=\"20 kg\"",
        "body/ball/surface/sphere1/height=1",
        "body/floor/motion/turn/rate=1",
        "material/stel/density=1",
        "contact/ball~flor/friction/coefficient=1",
        "contact/ball~floor/friction/coefficient=[1, 2",
        "run/duration=\"10 ms",
        "field/x/y=1",
        "=1",
        "",
    ];
    let mut out = String::new();
    for set in sets {
        let _ = writeln!(out, "{}\n", error(BALL, &[set]));
    }
    snapshot("replaced_values", out);
}

/// A file that is there and cannot be read: a process's own memory, from its start. (One without permission would do
/// as well, but not for an administrator.)
#[cfg(target_os = "linux")]
#[test]
fn unreadable_file() {
    let error = Scene::from_file(std::path::Path::new("/proc/self/mem"), &[]).unwrap_err();
    let message = "error: the file `/proc/self/mem` cannot be read: Input/output error (os error 5)";
    assert_eq!(error.to_string().trim_end(), message);
}

#[test]
fn files() {
    let folder = std::env::temp_dir().join(format!("carom-scene-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("scenes")).unwrap();
    std::fs::write(folder.join("scenes/ball.toml"), BALL).unwrap();
    std::fs::write(folder.join("empty.toml"), "\n  \n").unwrap();
    std::fs::write(folder.join("picture.toml"), b"title = \"\xff\xd8\xff\x00\"").unwrap();
    let mut out = String::new();
    for name in ["scenes/bal.toml", "nowhere/x.toml", "scenes", "empty.toml", "picture.toml"] {
        let error = Scene::from_file(&folder.join(name), &[]).unwrap_err();
        let text = error.to_string().replace(&folder.display().to_string(), "FOLDER");
        let _ = writeln!(out, "{}\n", text.replace('\\', "/"));
    }
    assert_eq!(Scene::from_file(&folder.join("scenes/ball.toml"), &[]).unwrap().title, "Bouncing ball");
    std::fs::remove_dir_all(&folder).unwrap();
    snapshot("files", out);
}

#[test]
fn errors_have_colours_on_request_only() {
    let error = error(&with("radius =", "radios ="), &[]);
    assert!(!error.render(false).contains('\u{1b}') && error.render(true).contains('\u{1b}'));
    assert_eq!(error.to_string(), error.render(false));
    assert_eq!(error.line_column(), Some((24, 1)));
    fn is_error<E: std::error::Error + Send + Sync + 'static>(_: &E) {}
    is_error(&error);
}
