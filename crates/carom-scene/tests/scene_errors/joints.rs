//! Joints.

use super::error;

/// A crank with a hinge, and what is said with this after it.
pub(crate) fn of_a_joint(what: &str, joints: &str) -> String {
    let text = format!("{CRANK}{joints}\n");
    format!("## {what}\n\n{}\n\n", error(&text, &[]))
}

const CRANK: &str = r#"[run]
duration = 1

[[body]]
name = "crank"
mass = 1
inertia = [1, 1, 1]

[[body]]
name = "rod"
mass = 1
inertia = [1, 1, 1]
position = [1, 0, 0]

[[body]]
name = "ground"
fixed = true

[[body]]
name = "wall"
fixed = true

[[joint]]
name = "bearing"
type = "revolute"
between = ["crank", "ground"]
point = [0, 0, 0]
axis = [0, 0, 1]

"#;

/// A joint of the rod to the crank.
fn rod(keys: &str) -> String {
    format!("[[joint]]\nname = \"pin\"\nbetween = [\"rod\", \"crank\"]\n{keys}")
}

fn gear(between: &str) -> String {
    format!("[[joint]]\ntype = \"gear\"\nratio = 2\nbetween = {between}")
}

fn drive(target: &str, course: &str) -> String {
    format!("[[drive]]\ntarget = \"{target}\"\n{course}")
}

/// What is said of joints that cannot be.
pub(crate) fn report() -> String {
    let mut out = String::new();
    let hinge = "type = \"revolute\"\npoint = [1, 0, 0]\naxis = [0, 0, 1]";
    let between = |sides: &str| format!("[[joint]]\nbetween = {sides}\n{hinge}");
    let bar = "[[joint]]\nname = \"bar\"\ntype = \"distance\"\n";
    for (what, joints) in [
        ("unknown type", rod("type = \"revolut\"")),
        ("no type", rod("point = [1, 0, 0]")),
        ("unknown key", rod("type = \"spherical\"\npoin = [1, 0, 0]")),
        ("a key of another type", rod(&format!("{hinge}\npitch = \"2 mm\""))),
        ("no pitch", rod("type = \"screw\"\npoint = [1, 0, 0]\naxis = [0, 0, 1]")),
        ("unknown body", between("[\"rod\", \"crnk\"]")),
        ("a joint to itself", between("[\"rod\", \"rod\"]")),
        ("neither body moves", between("[\"ground\", \"wall\"]")),
        ("one body", between("[\"rod\"]")),
        ("no point", rod("type = \"spherical\"")),
        ("half of its points", rod("type = \"spherical\"\npoint_a = [0, 0, 0]")),
        ("two ways to say where", rod(&format!("{hinge}\npoint_a = [0, 0, 0]\npoint_b = [1, 0, 0]"))),
        ("one point of a rod", rod("type = \"distance\"\npoint = [1, 0, 0]")),
        (
            "a rod of no length",
            format!("{bar}between = [\"rod\", \"crank\"]\npoint_a = [-1, 0, 0]\npoint_b = [0, 0, 0]"),
        ),
        ("no axis", rod("type = \"revolute\"\npoint = [1, 0, 0]")),
        ("an axis of no direction", rod("type = \"revolute\"\npoint = [1, 0, 0]\naxis = [0, 0, 0]")),
        (
            "an axis of no direction on a body",
            rod("type = \"revolute\"\npoint = [1, 0, 0]\naxis_a = [0, 0, 0]\naxis_b = [0, 0, 1]"),
        ),
        ("half of its axes", rod("type = \"revolute\"\npoint = [1, 0, 0]\naxis_b = [0, 0, 1]")),
        ("no second axis", rod("type = \"universal\"\npoint = [1, 0, 0]\naxis = [0, 0, 1]")),
        ("a second axis too many", rod(&format!("{hinge}\nsecond_axis = [1, 0, 0]"))),
        (
            "a second axis askew",
            rod("type = \"universal\"\npoint = [1, 0, 0]\naxis = [0, 0, 1]\nsecond_axis = [1, 0, 1]"),
        ),
        ("a gear of an unknown joint", gear("[\"bearing\", \"pni\"]")),
        ("a gear before its joint", format!("{}\n\n{}", gear("[\"bearing\", \"pin\"]"), rod(hinge))),
        (
            "a gear of a ball joint",
            format!(
                "{}\n\n{}",
                rod("type = \"spherical\"\npoint = [1, 0, 0]"),
                gear("[\"bearing\", \"pin\"]")
            ),
        ),
        ("two joints of a name", rod(hinge).replace("\"pin\"", "\"bearing\"")),
        ("driving no joint", drive("joint/baring/angle", "expression = \"t\"")),
        ("driving nothing of a joint", drive("joint/bearing/angel", "expression = \"t\"")),
        ("driving a displacement of a hinge", drive("joint/bearing/displacement", "expression = \"t\"")),
        (
            "driving an angle of a ball joint",
            format!(
                "{}\n\n{}",
                rod("type = \"spherical\"\npoint = [1, 0, 0]"),
                drive("joint/pin/angle", "expression = \"t\"")
            ),
        ),
        (
            "driving one speed of two",
            format!(
                "{}\n\n{}",
                rod(&hinge.replace("revolute", "cylindrical")),
                drive("joint/pin/speed", "expression = \"t\"")
            ),
        ),
        ("a hinge at a speed", drive("joint/bearing/speed", "table = [[0, \"1 m/s\"], [1, \"2 m/s\"]]")),
        ("an angle that jumps", drive("joint/bearing/angle", "expression = \"abs(t - 0.5)\"")),
        (
            "joints that cannot hold",
            format!(
                "{}\n\n{bar}between = [\"rod\", \"ground\"]\nlength = 3\npoint_a = [0, 0, 0]\npoint_b = [0, 0, 0]",
                rod(hinge)
            ),
        ),
        (
            "velocities that are fought over",
            format!(
                "{}\n\n{}",
                drive("joint/bearing/speed", "expression = \"1\""),
                "[[joint]]\nname = \"lock\"\ntype = \"fixed\"\nbetween = [\"crank\", \"wall\"]\npoint = [0, 0, 0]"
            ),
        ),
    ] {
        out += &of_a_joint(what, &joints);
    }
    out
}
