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
inertia = ["= 1*pitch^2", 1, 1]
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
            "\"= sine(1)\": there is no function `sine`: there are sqrt, abs, exp, log, log10, sin, cos, tan, asin, acos, atan, \
             sinh, cosh, tanh, sign, floor, ceil, atan2, hypot, min, max, mod, if, step, pulse, linear, spline, monotone; did you mean `sin`?",
        ),
    ] {
        assert!(SCENE.contains(piece));
        assert_eq!(read(&SCENE.replacen(piece, by, 1), &[]).unwrap_err(), message);
    }
    assert_eq!(read(SCENE, &["parameter/gapp=1"]).unwrap_err(), "there is no parameter `gapp`");
    assert_eq!(read("parameter = 3\n[run]", &[]).unwrap_err(), "`parameter` cannot be a number");
}

/// Units are followed through expressions: what disagrees is refused, and what has no unit goes with anything.
#[test]
fn units_are_followed() {
    let with = |value: &str| {
        let text = r#"
[parameter]
radius = "20 mm"
mass = "0.1 kg"
stiffness = "1e6 N/m^1.5"
spin = "30 rpm"
tilt = "5 deg"
bare = 3

[run]
duration = 1

[[body]]
name = "ball"
VALUE
inertia = [1, 1, 1]
"#;
        read(&text.replace("VALUE", value), &[]).map(|_| ())
    };
    for good in [
        "mass = \"= mass\"",
        "mass = \"= bare\"",
        "mass = \"= bare*radius\"",
        "mass = \"= if(radius > 1[mm], mass, 2*mass)\"",
        "mass = 1\nposition = [\"= radius + 3\", \"= radius*sin(tilt)\", \"= sqrt(radius^2 + 1[mm]^2)\"]",
        "mass = 1\nposition = [0, 0, \"= (mass*9.81[m/s^2]/stiffness)^(2/3)\"]",
        "mass = 1\nposition = [0, 0, \"= radius - (mass*9.81/stiffness)^(2/3)\"]",
        "mass = 1\nvelocity = [\"= spin*radius\", 0, 0]",
        "mass = 1\nangular_velocity = [\"= spin*cos(tilt)\", \"= 2[Hz]\", 0]",
        "mass = 1\norientation = { axis = [0, 1, 0], angle = \"= tilt + 0.1 + atan2(radius, 2[mm])\" }",
        "mass = \"= linear(radius, 0, 0, 30[mm], 2[kg])\"",
    ] {
        assert_eq!(with(good), Ok(()), "{good}");
    }
    for (bad, message) in [
        ("mass = \"= radius\"", "`mass`: \"= radius\" is a length, not a mass"),
        (
            "mass = \"= mass + radius\"",
            "\"= mass + radius\": `mass` is a mass in kg, and `radius` is a length in m: they cannot be added",
        ),
        (
            "mass = 1\nposition = [0, \"= radius*tilt^2/mass\", 0]",
            "`position`: \"= radius*tilt^2/mass\" is in kg^-1 m rad^2, not a length",
        ),
        (
            "mass = \"= sin(radius)\"",
            "\"= sin(radius)\": `radius` is a length in m, but `sin` takes a number or an angle: divide it by its unit, as in radius/1[m]",
        ),
        (
            "mass = \"= if(radius > mass, 1, 2)\"",
            "\"= if(radius > mass, 1, 2)\": `radius` is a length in m, and `mass` is a mass in kg: they cannot be compared",
        ),
        ("mass = \"= 3[mn]\"", "\"= 3[mn]\": `mn` is not a unit; did you mean `mN`?"),
        ("mass = \"= linear(1, 0, 0)\"", "\"= linear(1, 0, 0)\": `linear`: two points or more are needed"),
        (
            "mass = \"= linear(1, radius, 0, 1[mm], 1)\"",
            "\"= linear(1, radius, 0, 1[mm], 1)\": `linear(1, radius, 0, 1[mm], 1)`: 0.001 after 0.02, but they must increase",
        ),
    ] {
        assert_eq!(with(bad), Err(message.to_owned()), "{bad}");
    }
}

/// Nobody can have meant another number than π by `pi`.
#[test]
fn no_parameter_is_called_pi() {
    let text = "parameter.pi = 3\nrun.duration = 1\nbody = [{ name = \"b\", mass = 1, inertia = [1, 1, 1] }]";
    let refused = Scene::from_text(text, Format::Toml, "pi.toml", &[]).unwrap_err();
    assert_eq!(refused.message(), "a parameter cannot be called `pi`: in expressions that is the number π");
}
