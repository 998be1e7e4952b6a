//! Forces along coordinates, and limits of joints.

use super::joints::of_a_joint;

fn force(kind: &str, keys: &str) -> String {
    format!("[[force]]\ntype = \"{kind}\"\n{keys}")
}

fn hinge(keys: &str) -> String {
    format!(
        "[[joint]]\nname = \"pin\"\nbetween = [\"rod\", \"crank\"]\ntype = \"revolute\"\npoint = [1, 0, 0]\naxis = [0, 0, 1]\n{keys}"
    )
}

const STOP: &str = "stop = { law = \"hertz\", stiffness = 1e6 }";

/// What is said of those that cannot be.
pub(crate) fn report() -> String {
    let mut out = String::new();
    let torsion = |keys: &str| force("torsion-spring", &format!("stiffness = 5\n{keys}"));
    let slide = |keys: &str| force("slide-spring", &format!("stiffness = 5\n{keys}"));
    let bushing = |keys: &str| force("bushing", &format!("stiffness = 5\ntorsion_stiffness = 5\n{keys}"));
    let ends = "between = [\"rod\", \"crank\"]";
    for (what, text) in [
        ("neither bodies nor a joint", torsion("")),
        ("both", torsion(&format!("joint = \"bearing\"\n{ends}"))),
        ("a wire without an axis", torsion(ends)),
        ("an axis besides a joint", torsion("joint = \"bearing\"\naxis = [0, 0, 1]")),
        ("a joint that is not there", torsion("joint = \"baring\"")),
        ("a load on a body that is not there", force("drag", "body = \"rood\"\nlinear = 1")),
        (
            "a quadratic drag in the unit of a linear one",
            force("drag", "body = \"rod\"\nquadratic = \"3 N s/m\""),
        ),
        ("a slide that is a hinge", slide("joint = \"bearing\"")),
        ("a slide between bodies", slide(ends)),
        ("no such coordinate", slide("joint = \"bearing\"\ncoordinate = \"z\"")),
        ("a stiffness of a line", torsion("joint = \"bearing\"").replace("= 5", "= \"5 N/m\"")),
        ("a damping below zero", torsion("joint = \"bearing\"\ndamping = -1")),
        (
            "two springs of a joint",
            format!("{}\n\n{}", torsion("joint = \"bearing\""), torsion("joint = \"bearing\"")),
        ),
        ("a bushing of a joint", bushing("joint = \"bearing\"")),
        ("a bushing with one point of two", bushing(&format!("{ends}\npoint_a = [0, 0, 0]"))),
        (
            "a bushing with three points",
            bushing(&format!("{ends}\npoint = [0, 0, 0]\npoint_a = [0, 0, 0]\npoint_b = [0, 0, 0]")),
        ),
        (
            "a load at a point of a second body",
            force("load", "body = \"door\"\nforce = [1, 0, 0]\npoint_a = [0, 0, 0]"),
        ),
        ("a bushing with two stiffnesses", bushing(ends).replacen("= 5", "= [5, 5]", 1)),
        ("a bushing whose x is its z", bushing(&format!("{ends}\naxis = [0, 0, 1]\nx_axis = [0, 0, 2]"))),
        ("a bushing about nothing", bushing(&format!("{ends}\naxis = [0, 0, 0]"))),
        (
            "a spring of a line with an axis",
            force("spring-damper", &format!("{ends}\nstiffness = 1\nrest_length = 1\naxis = [1, 0, 0]")),
        ),
        ("a limit without a law", hinge("max_angle = 1")),
        ("a law without a limit", hinge(STOP)),
        ("a limit of what is not free", hinge(&format!("max_displacement = 1\n{STOP}"))),
        ("limits that cross", hinge(&format!("min_angle = 2\nmax_angle = 1\n{STOP}"))),
        ("a limit in metres of an angle", hinge(&format!("max_angle = \"1 m\"\n{STOP}"))),
        ("a stop of materials", hinge("max_angle = 1\nstop = { law = \"hertz\" }")),
        ("a stop on the axis", hinge(&format!("max_angle = 1\nstop_radius = 0\n{STOP}"))),
        ("a stop by an unknown law", hinge("max_angle = 1\nstop = { law = \"herz\" }")),
        ("a swing of a hinge", hinge(&format!("max_swing = 1\n{STOP}"))),
        (
            "a swing without an axis",
            hinge(&format!("max_swing = 1\n{STOP}"))
                .replace("revolute", "spherical")
                .replace("axis = [0, 0, 1]\n", ""),
        ),
        ("driving x of a hinge", "[[drive]]\ntarget = \"joint/bearing/x\"\nexpression = \"t\"".to_owned()),
    ] {
        out += &of_a_joint(what, &text);
    }
    out
}
