//! Numbers in time.

use std::fmt::Write;

use super::{error, with};

/// The scene with a drive, and what is said then.
fn of_a_drive(what: &str, drive: &str) -> String {
    let text = with("[[probe]]", &format!("[[drive]]\n{drive}\n\n[[probe]]"));
    format!("## {what}\n\n{}\n\n", error(&text, &[]))
}

/// What is said of drives and motions in time that cannot be.
pub(crate) fn report() -> String {
    const FLOOR: &str = "target = \"body/floor/position/2\"\n";
    const BODY: &str = "target = \"body/ball/density\"\n";
    let mut out = String::new();
    for (what, drive) in [
        ("unknown target", "target = \"body/ball/desnity\"\nexpression = \"1\""),
        ("no such component", "target = \"world/gravity/3\"\nexpression = \"1\""),
        ("no path", "target = \"gravity\"\nexpression = \"1\""),
        ("driving nobody", "target = \"body/bal/density\"\nexpression = \"1000\""),
        ("neither table nor expression", BODY.trim_end()),
        ("both", &format!("{BODY}expression = \"1\"\ntable = [[0, 1], [1, 2]]")),
        ("a mass of a fixed body", "target = \"body/floor/mass\"\nexpression = \"1\""),
        ("a position of a free body", "target = \"body/ball/position/2\"\nexpression = \"0\""),
        ("times that do not increase", &format!("{BODY}table = [[0, 1000], [1, 2000], [1, 3000]]")),
        ("one point", &format!("{BODY}table = [[0, 1000]]")),
        ("a row of three", &format!("{BODY}table = [[0, 1000], [1, 2000, 3]]")),
        ("no rows", &format!("{BODY}table = [0, 1000, 1, 2000]")),
        ("a wrong unit", &format!("{BODY}table = [[0, 1000], [1, \"2 kg\"]]")),
        ("a density of nothing", &format!("{BODY}table = [[0, 1000], [1, 0]]")),
        ("a density that is none from the start", &format!("{BODY}expression = \"t\"")),
        ("a density that becomes none", &format!("{BODY}expression = \"1000*(1 - 2*t)\"")),
        ("no number", "target = \"world/gravity/2\"\nexpression = \"1/(t - 0.5)\""),
        ("no expression", &format!("{BODY}expression = \"1000*(1 + 2*t\"")),
        ("an unknown name", &format!("{BODY}expression = \"1000*(1 + 2*T)\"")),
        ("an unknown function", &format!("{BODY}expression = \"1000*sine(t)\"")),
        ("a motion with a jump", &format!("{FLOOR}expression = \"abs(t - 0.3)\"")),
        ("a motion with no velocity", &format!("{FLOOR}expression = \"sqrt(t)\"")),
        ("a motion that ends", &format!("{FLOOR}table = [[0, 0], [0.5, \"10 mm\"], [0.8, 0]]")),
        ("a position that jumps", &format!("{FLOOR}expression = \"if(t < 0.5, 0, 1)\"")),
        ("a density that jumps", &format!("{BODY}expression = \"1000 + pulse(t, 0.25, 0.5, 100)\"")),
        (
            "a motion along straight lines",
            &format!("{FLOOR}interpolation = \"linear\"\ntable = [[0, 0], [0.5, 1], [1, 0]]"),
        ),
        ("an unknown interpolation", &format!("{BODY}interpolation = \"monoton\"\ntable = [[0, 1], [1, 2]]")),
        ("an interpolation of nothing", &format!("{BODY}interpolation = \"linear\"\nexpression = \"1000\"")),
        ("a wrong dimension", &format!("{BODY}expression = \"3[mm]*sin(20[1/s]*t)\"")),
        ("a sum of unlike things", &format!("{FLOOR}expression = \"3[mm] + 2[N]*t\"")),
        ("a sine of a time", &format!("{FLOOR}expression = \"3[mm]*sin(t)\"")),
        ("a condition for a number", &format!("{FLOOR}expression = \"t > 0.5\"")),
        ("times that are equal", &format!("{BODY}expression = \"if(t == 0.5, 1000, 2000)\"")),
        ("points that do not increase", &format!("{BODY}expression = \"spline(t, 0, 1, 0.5, 2, 0.25, 3)\"")),
        ("driven twice", &format!("{BODY}expression = \"1000\"\n\n[[drive]]\n{BODY}expression = \"2000\"")),
        (
            "driven by two numbers",
            "target = \"body/ball/mass\"\nexpression = \"1\"\n\n[[drive]]\ntarget = \"body/ball/density\"\nexpression = \"2\"",
        ),
    ] {
        out += &of_a_drive(what, drive);
    }
    let given = with("name = \"ball\"", "name = \"ball\"\nmass = 1");
    let given = given.replacen("[[probe]]", &format!("[[drive]]\n{BODY}expression = \"1000\"\n[[probe]]"), 1);
    let _ = writeln!(out, "## density of a body whose mass is given\n\n{}\n", error(&given, &[]));
    out += &super::report(&[
        ("a motion by nothing", "fixed = true", "motion = { expression = {} }"),
        ("a turn about nothing", "fixed = true", "motion = { expression = { angle = \"t\" } }"),
        ("a motion of an unknown name", "fixed = true", "motion = { expression = { z = \"a*t\" } }"),
        ("a motion with an infinite velocity", "fixed = true", "motion = { expression = { z = \"t^0.5\" } }"),
        ("a motion too short", "fixed = true", "motion = { table = { z = [[0, 0], [0.5, 1]] } }"),
        ("a motion of the wrong dimension", "fixed = true", "motion = { expression = { z = \"3[kg]*t\" } }"),
        (
            "a motion along lines",
            "fixed = true",
            "motion = { table = { interpolation = \"linear\", z = [[0, 0], [1, 1]] } }",
        ),
        ("a motion backwards", "fixed = true", "motion = { table = { z = [[0, 0], [-1, 1]] } }"),
    ]);
    out
}
