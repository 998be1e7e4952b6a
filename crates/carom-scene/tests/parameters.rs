//! Parameters of scenes: what they compute, and what they refuse.

use carom_scene::{Format, Scene};

const SCENE: &str = r#"
[parameter]
gap = "0.1 mm"
diameter = 0.05
pitch = "= diameter + gap"

[run]
duration = "= 2^3/4"

[[body]]
name = "ball"
mass = "= 1e3*pitch"
inertia = ["= pitch^2", 1, 1]
position = [0, "= -pitch*sqrt(3)/2", "20 mm"]
"#;

fn read(text: &str, set: &[&str]) -> Result<Scene, String> {
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    Scene::from_text(text, Format::Toml, "scene.toml", &set).map_err(|e| e.message().to_owned())
}

fn start(scene: &Scene) -> [f64; 3] {
    let mut recording = carom::Recording::default();
    scene.simulation().output(carom::Output::Ends).run_into(&mut recording).unwrap();
    recording.frames[0].bodies[0].position.into()
}

#[test]
fn numbers_are_computed() {
    let scene = read(SCENE, &[]).unwrap();
    assert_eq!(scene.duration, 2.0);
    let half = 3f64.sqrt() / 2.0;
    let pitch = 0.05 + 0.0001;
    assert_eq!(start(&scene), [0.0, -pitch * 3f64.sqrt() / 2.0, 0.02]);
    // one replaced value moves all that depends on it
    let wide = read(SCENE, &["parameter/gap=\"1 cm\""]).unwrap();
    assert!((start(&wide)[1] + 0.06 * half).abs() < 1e-16);
    let computed = read(SCENE, &["body/ball/position/1=\"= 2*gap\"", "parameter/gap='= 1/4'"]).unwrap();
    assert_eq!(start(&computed)[1], 0.5);
}

#[test]
fn what_is_wrong_is_said() {
    for (piece, by, message) in [
        ("= 2^3/4", "= 2^3/", "\"= 2^3/\": a number or a name is missing"),
        ("= 2^3/4", "= gpa", "\"= gpa\": there is no parameter `gpa` so far"),
        ("= diameter + gap", "= later", "\"= later\": there is no parameter `later` so far"),
        ("= diameter + gap", "= 1/0", "`pitch` is inf"),
        ("= diameter + gap", "1 furlong", "`pitch`: `furlong` is not a unit"),
        ("diameter = 0.05", "diameter = true", "`diameter` cannot be true or false"),
        ("= 1e3*pitch", "= -1", "`mass` cannot be -1"),
        (
            "= 2^3/4",
            "= sine(1)",
            "\"= sine(1)\": there is no function `sine`: there are sqrt, abs, exp, log, sin, cos, tan, atan2, min, max",
        ),
    ] {
        assert!(SCENE.contains(piece));
        assert_eq!(read(&SCENE.replacen(piece, by, 1), &[]).unwrap_err(), message);
    }
    assert_eq!(read(SCENE, &["parameter/gapp=1"]).unwrap_err(), "there is no parameter `gapp`");
    assert_eq!(read("parameter = 3\n[run]", &[]).unwrap_err(), "`parameter` cannot be a number");
}
