//! Joints with clearance in scenes: every kind by one line, and errors at their own value.

use carom::{EventKind, Recording};
use carom_scene::{Format, Scene};

/// A block on a frame, with a joint to be said.
fn made(joint: &str, set: &[&str]) -> Result<Scene, String> {
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    let text = format!(
        r#"
[world]
gravity = [0, 0, 0]

[run]
duration = "30 ms"
output_every = "1 ms"
rtol = 1e-11

[material.steel]
youngs_modulus = "207 GPa"
poisson_ratio = 0.3

[[body]]
name = "block"
mass = 0.2
inertia = ["30 kg mm^2", "40 kg mm^2", "50 kg mm^2"]
velocity = [0.05, 0.2, 0.1]
angular_velocity = [0, 0, 1]

[[body]]
name = "frame"
fixed = true

[[joint]]
name = "play"
between = ["block", "frame"]
point = [0, 0, 0]
{joint}
"#
    );
    Scene::from_text(&text, Format::Toml, "play.toml", &set).map_err(|e| e.to_string())
}

fn run(joint: &str, set: &[&str]) -> Recording {
    let scene = made(joint, set).unwrap_or_else(|e| panic!("{e}"));
    let mut recording = Recording::default();
    let run = scene.simulation().run_into(&mut recording).unwrap();
    assert!(run.summary.audit_relative < 1e-8, "{joint}: {:e}", run.summary.audit_relative);
    recording
}

#[test]
fn every_kind_in_one_line() {
    let law = r#"normal = { law = "lankarani-nikravesh", restitution = 0.9, stiffness = 1e9 }"#;
    let hertz = r#"material = "steel", normal = { law = "flores", restitution = 0.8 }, friction = { law = "tanh", coefficient = 0.1, slope = 1000 }"#;
    let line = r#"material = "steel", normal = { law = "hunt-crossley", restitution = 0.8, elastic = "esdu-78035" }"#;
    let kinds = [
        (
            format!("type = \"revolute\"\nclearance = {{ gap = \"0.2 mm\", radius = \"5 mm\", {hertz} }}"),
            "play-journal",
        ),
        (
            format!("type = \"spherical\"\nclearance = {{ gap = \"0.2 mm\", radius = \"5 mm\", {law} }}"),
            "play-journal",
        ),
        (
            format!(
                "type = \"revolute\"\naxis = [0, 0, 1]\nclearance = {{ gap = \"0.2 mm\", radius = \"5 mm\", length = \"1 cm\", axial = \"0.3 mm\", {line}, axial_normal = {{ law = \"hertz\", stiffness = 1e9 }} }}"
            ),
            "collar",
        ),
        (
            format!(
                "type = \"prismatic\"\naxis = [1, 0, 0]\nclearance = {{ gap = \"0.2 mm\", radius = \"1 mm\", length = \"3 cm\", width = \"2 cm\", height = \"1 cm\", {law} }}"
            ),
            "corner",
        ),
    ];
    for (joint, what) in kinds {
        let r = run(&joint, &[]);
        let touches = r.events.iter().filter(|e| e.kind == EventKind::Touch);
        assert!(touches.clone().count() > 3, "{joint}");
        assert!(touches.clone().any(|e| e.contact.contains(what)), "{joint}");
        assert!(r.frames.iter().all(|f| f.bodies[0].position.y.abs() < 4e-4), "{joint}");
    }
}

/// The pair's cylinders, or balls with a law told their radii and length: the same force, in the plane.
#[test]
fn a_law_may_be_told_the_line() {
    let pair = r#"type = "revolute"
axis = [0, 0, 1]
clearance = { gap = "0.5 mm", radius = "9.5 mm", length = "1 cm", material = "steel", normal = { law = "lankarani-nikravesh", restitution = 0.9, elastic = "johnson" } }"#;
    let told = r#"type = "revolute"
clearance = { gap = "0.5 mm", radius = "9.5 mm", material = "steel", normal = { law = "lankarani-nikravesh", restitution = 0.9, elastic = "johnson", length = "1 cm", journal_radius = "9.5 mm", bearing_radius = "10 mm" } }"#;
    let [a, b] = [pair, told].map(|joint| {
        let r = run(joint, &["body/block/velocity=[0.05, 0.2, 0]"]);
        let mut t: Vec<f64> = r.events.iter().map(|e| e.t).collect();
        t.dedup();
        t
    });
    assert!(a.len() > 4 && a.len() == b.len(), "{a:?} {b:?}");
    for (a, b) in a.iter().zip(&b) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn errors_are_at_their_value() {
    let error = |joint: &str| made(joint, &[]).err().unwrap_or_default();
    let text = error("type = \"revolute\"\nclearance = { gap = \"0.2 mm\", radius = \"5 mm\" }");
    assert!(text.contains("needs a `stiffness`") && text.contains("clearance ="), "{text}");
    let text = error("type = \"revolute\"\nclearance = { radius = \"5 mm\" }");
    assert!(text.contains("`gap`"), "{text}");
    // friction by the contact's own stiffness asks for that along the surface, where the normal law has its own
    let text = error(
        "type = \"revolute\"\nclearance = { gap = \"0.2 mm\", radius = \"5 mm\", normal = { law = \"hertz\", stiffness = 1e9 }, friction = { law = \"mindlin-rescale\", coefficient = 0.2 } }",
    );
    assert!(text.contains("needs a `stiffness_ratio`") && text.contains("has no material"), "{text}");
    let text = error(
        "type = \"revolute\"\nclearance = { gap = \"0.2 mm\", radius = \"5 mm\", normal = { law = \"hertz\", stiffness = 1e9 } }\n\n[[force]]\nname = \"closer\"\ntype = \"torsion-spring\"\njoint = \"play\"\nstiffness = 10",
    );
    assert!(text.contains("joint with clearance") && text.contains("`between`"), "{text}");
    let text = error("type = \"revolute\"\nclearance = { gap = \"-1 mm\", radius = \"5 mm\" }");
    assert!(text.contains("gap") && text.contains("greater than 0"), "{text}");
    let text = error(
        "type = \"fixed\"\nclearance = { gap = \"1 mm\", radius = \"5 mm\", normal = { law = \"hertz\", stiffness = 1e9 } }",
    );
    assert!(text.contains("revolute, spherical, prismatic"), "{text}");
    let text = error(
        "type = \"prismatic\"\naxis = [1, 0, 0]\nclearance = { gap = \"1 mm\", radius = \"5 mm\", length = \"1 cm\", width = \"1 mm\", normal = { law = \"hertz\", stiffness = 1e9 } }",
    );
    assert!(text.contains("no more than half"), "{text}");
    let line = "normal = { law = \"flores\", restitution = 0.8, elastic = \"johnson\" }";
    let text = error(&format!(
        "type = \"spherical\"\nclearance = {{ gap = \"1 mm\", radius = \"5 mm\", material = \"steel\", {line} }}"
    ));
    assert!(text.contains("meet along a line") && text.contains("normal ="), "{text}");
    let text = error(
        "type = \"spherical\"\nclearance = { gap = \"1 mm\", radius = \"5 mm\", normal = { law = \"flores\", restitution = 0.8, elastic = \"johnson\", stiffness = 1e9 } }",
    );
    assert!(text.contains("its own stiffness"), "{text}");
}

const PIN: &str = "type = \"revolute\"\naxis = [0, 0, 1]\nclearance = { gap = \"0.2 mm\", radius = \"5 mm\", normal = { law = \"hertz\", stiffness = 1e9 }, wear = { WEAR } }";

/// Both ways to say how much, and every kind of joint.
#[test]
fn joints_wear() {
    let worn = |wear: &str, set: &[&str]| {
        let scene = made(&PIN.replace("WEAR", wear), set).unwrap_or_else(|e| panic!("{e}"));
        scene.simulation().run().unwrap().end.frame.wear
    };
    let k = worn(r#"coefficient = "1e-4 mm^3/(N m)", length = "1 cm""#, &[]);
    assert!(k.len() == 1 && k[0].contact == "play" && k[0].volume > 0.0, "{k:?}");
    assert_eq!(k[0].profiles[0].len(), 120);
    assert_eq!(worn(r#"number = 1e-4, hardness = "1 GPa", length = "1 cm""#, &[]), k);
    assert_eq!(worn("coefficient = 0, length = 1", &[]), []);
    let coarse = worn(
        r#"coefficient = 1e-13, length = 1, sectors = 36, feedback = false"#,
        &["joint/play/clearance/wear/repeat=7"],
    );
    assert_eq!(coarse[0].profiles[0].len(), 36);
    let ball = "type = \"spherical\"\nclearance = { gap = \"0.2 mm\", radius = \"5 mm\", normal = { law = \"hertz\", stiffness = 1e9 }, wear = { coefficient = 1e-13 } }";
    let ball = made(ball, &[]).unwrap().simulation().run().unwrap().end.frame.wear;
    assert!(ball[0].profiles.is_empty() && ball[0].volume > 0.0);
}

#[test]
fn what_is_wrong_with_wear_is_said_where_it_is() {
    for (wear, words) in [
        ("length = 1", ["`coefficient`", "hardness"]),
        ("number = 1e-4, length = 1", ["hardness", "number"]),
        ("coefficient = 1e-13, number = 1e-4, hardness = 1e9", ["coefficient", "exclude"]),
        ("coefficient = -1, length = 1", ["coefficient", "0 or greater"]),
        ("coefficient = \"1 mm\", length = 1", ["coefficient", "1/Pa"]),
        ("coeficient = 1e-13, length = 1", ["coeficient", "coefficient"]),
        ("coefficient = 1e-13, length = 1, sectors = 3", ["sectors", "from 8"]),
        ("coefficient = 1e-13, length = 1, sectors = 20.5", ["sectors", "whole number"]),
        ("coefficient = 1e-13", ["revolute joint needs", "`length`"]),
    ] {
        let Err(message) = made(&PIN.replace("WEAR", wear), &[]) else { panic!("{wear} is allowed") };
        assert!(
            words.iter().all(|w| message.contains(w)) && message.contains("play.toml"),
            "{wear}: {message}"
        );
    }
}

/// What a bearing would feel on a body that deforms is not known.
#[test]
fn soft_bodies_do_not_feel_wear() {
    let text = r#"
run = { duration = 1 }
body = [
    { name = "jelly", type = "affine", elastic = { model = "neo-hookean", shear_modulus = 1e4 }, density = 1000, surface = [{ type = "sphere", radius = 0.1 }] },
    { name = "frame", fixed = true },
]
[[joint]]
name = "pin"
type = "revolute"
between = ["jelly", "frame"]
point = [0, 0, 0]
axis = [0, 0, 1]
clearance = { gap = 1e-4, radius = 1e-2, normal = { law = "hertz", stiffness = 1e9 }, wear = { coefficient = 1e-13, length = 0.01 } }
"#;
    let error = Scene::from_text(text, Format::Toml, "soft.toml", &[]).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("`jelly`, which deforms") && error.contains("soft.toml:13"), "{error}");
}
