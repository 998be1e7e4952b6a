//! Contacts, and bodies that stand or are moved.

use super::{BALL, error, with};

/// The ball as a ring, with these pieces replaced, and what is said then.
fn of_a_ring(what: &str, pieces: &[(&str, &str)]) -> String {
    let ring = "type = \"torus\"\nmajor_radius = \"25 mm\"\nminor_radius = \"5 mm\"";
    let text = with("type = \"sphere\"\nradius = \"20 mm\"", ring);
    let text = pieces.iter().fold(text, |text, (piece, by)| text.replacen(piece, by, 1));
    format!("## {what}\n\n{}\n\n", error(&text, &[]))
}

/// What is said of slices that cannot be.
pub(crate) fn slices() -> String {
    const LAW: &str = "normal = { law = \"lankarani-nikravesh\", restitution = 0.9 }";
    const BED: &str = "normal = { law = \"elastic-foundation\", depth = 1 }";
    const PLANE: &str = "type = \"plane\"";
    const BOX: &str = "type = \"box\"\nsize = [1, 1, 1]";
    let bed = |slices: &str| format!("{BED}\n{slices}");
    let (tanh, lugre) = (
        "friction = { law = \"tanh\", coefficient = 0.2, slope = 1000 }",
        "friction = { law = \"lugre\", coefficient = 0.2, static_coefficient = 0.3, stribeck_speed = 1e-3, bristle_stiffness = 1e5 }",
    );
    let on_a_line = format!("{LAW}\nslices = 36");
    let mut out = super::report(&[("slices of a ball", "[[contact]]", "[[contact]]\nslices = 36")]);
    out += &of_a_ring("too few", &[(LAW, &bed("slices = 2"))]);
    out += &of_a_ring("in part", &[(LAW, &bed("slices = 36.5"))]);
    out += &of_a_ring("misspelt", &[(LAW, &bed("slices = \"exakt\""))]);
    out += &of_a_ring("too exact", &[(LAW, &bed("slices = \"exact\"\nslice_tolerance = 1e-20"))]);
    out += &of_a_ring("stiffness of a line", &[(LAW, &on_a_line)]);
    out += &of_a_ring("no springs", &[(LAW, "normal = \"elastic-foundation\"\nslices = 36")]);
    out += &of_a_ring("exact, and bristles", &[(LAW, &bed("slices = \"exact\"")), (tanh, lugre)]);
    out += &of_a_ring("a box without slices", &[(PLANE, BOX)]);
    out += &of_a_ring("exact on a box", &[(LAW, &bed("slices = \"exact\"")), (PLANE, BOX)]);
    out
}

/// What is said of pressure over patches where it cannot be.
pub(crate) fn pressure() -> String {
    const LAW: &str = "normal = { law = \"lankarani-nikravesh\", restitution = 0.9 }";
    const TANH: &str = "law = \"tanh\", coefficient = 0.2, slope = 1000";
    let block = |what: &str, pieces: &[(&str, &str)]| {
        let text = with("type = \"sphere\"\nradius = \"20 mm\"", "type = \"box\"\nsize = [1, 1, 1]");
        let text = pieces.iter().fold(text, |text, (piece, by)| text.replacen(piece, by, 1));
        format!("## {what}\n\n{}\n\n", error(&text, &[]))
    };
    let pressed = |law: &str| format!("normal = {{ law = \"foundation\", {law} }}\nsolver = \"pressure\"");
    let stiff = pressed("stiffness = \"1e9 Pa/m\"");
    let lugre = "law = \"lugre\", coefficient = 0.2, static_coefficient = 0.3, stribeck_speed = 1e-3, bristle_stiffness = 1e5";
    let viscous = "law = \"brown-mcphee\", coefficient = 0.2, static_coefficient = 0.3, transition_speed = 1e-3, viscous = 3, transition_force = 10";
    let rolling = format!("{stiff}\nrolling = {{ law = \"tanh\", coefficient = 1e-3, transition_rate = 1 }}");
    let worn = format!("{stiff}\nwear = {{ coefficient = 1e-13 }}");
    let mut out = block("another law", &[(LAW, &format!("{LAW}\nsolver = \"pressure\""))]);
    out += &block("no law", &[(LAW, "solver = \"pressure\"")]);
    let points = "normal = { law = \"foundation\", stiffness = \"1e9 Pa/m\" }\nsolver = \"crowned\"";
    out += &block("contact points", &[(LAW, points)]);
    out += &block("neither stiffness nor layers", &[(LAW, &pressed("damping = 0.1"))]);
    out += &block("both", &[(LAW, &pressed("stiffness = \"1e9 Pa/m\", thickness = \"1 mm\""))]);
    out += &block("weights of layers", &[(LAW, &pressed("thickness = \"1 mm\", weights = [0, 1]"))]);
    out += &block("all rigid", &[(LAW, &pressed("thickness = 0"))]);
    out += &block("unit of a force", &[(LAW, &pressed("stiffness = \"1e9 N/m\""))]);
    let layers = pressed("thickness = [0, \"1 mm\"]");
    out += &block(
        "layer without a material",
        &[(LAW, &layers), ("type = \"plane\"\nmaterial = \"steel\"", "type = \"plane\"")],
    );
    out += &block(
        "misspelt key of the solver",
        &[(
            LAW,
            "normal = { law = \"foundation\", stiffness = 1e9 }\nsolver = { type = \"pressure\", acuracy = 1e-6 }",
        )],
    );
    out += &block("friction with memory", &[(LAW, &stiff), (TANH, lugre)]);
    out += &block("friction of a film", &[(LAW, &stiff), (TANH, viscous)]);
    out += &block("rolling resistance", &[(LAW, &rolling)]);
    out += &block("wear", &[(LAW, &worn)]);
    out
}

/// What is said of contacts, and of bodies that stand or are moved.
pub(crate) fn report() -> String {
    let box_and_can = "type = \"box\"\nsize = [1, 1, 1]\nmaterial = \"steel\"\n\n[[body]]\nname = \"floor\"\nfixed = true\n\n\
                 [[body.surface]]\ntype = \"cylinder\"\nradius = 1\nlength = 1";
    let spheres = &BALL[BALL.find("type = \"sphere\"").unwrap()
        ..BALL.find("\nmaterial = \"steel\"\n\n[[contact]]").unwrap()];
    let cases = [
        ("unknown body", "[\"ball\", \"floor\"]", "[\"ball\", \"flor\"]"),
        ("unknown surface", "[\"ball\", \"floor\"]", "[\"ball/spere\", \"floor\"]"),
        ("unknown material", "material = \"steel\"", "material = \"stele\""),
        ("unknown body of a probe", "body = \"ball\"", "body = \"bull\""),
        ("probe on a fixed body", "body = \"ball\"", "body = \"floor\""),
        ("no mass", "density = 7850\n", ""),
        (
            "no material to take a stiffness from",
            "type = \"plane\"\nmaterial = \"steel\"",
            "type = \"plane\"",
        ),
        ("material without a modulus", "youngs_modulus = \"210 GPa\"\n", ""),
        ("exponent without a stiffness", "restitution = 0.9", "restitution = 0.9, exponent = 2"),
        (
            "both ways of damping",
            "law = \"lankarani-nikravesh\", restitution = 0.9",
            "law = \"hunt-crossley\", restitution = 0.9, damping = 1",
        ),
        (
            "neither way of damping",
            "law = \"lankarani-nikravesh\", restitution = 0.9",
            "law = \"hunt-crossley\"",
        ),
        (
            "word a law does not know",
            "law = \"lankarani-nikravesh\", restitution = 0.9",
            "law = \"tsuji\", restitution = 0.9, exit = \"gap\"",
        ),
        (
            "unit of another damping",
            "law = \"lankarani-nikravesh\", restitution = 0.9",
            "law = \"tsuji\", damping = \"3 N s/m\"",
        ),
        (
            "spring without a stiffness",
            "law = \"lankarani-nikravesh\", restitution = 0.9",
            "law = \"kelvin-voigt\", restitution = 0.9",
        ),
        (
            "coefficients in disorder",
            "law = \"tanh\", coefficient = 0.2, slope = 1000",
            "law = \"hollars\", coefficient = 0.2, static_coefficient = 0.1, transition_speed = \"1 mm/s\"",
        ),
        ("pair without a solver", spheres, box_and_can),
        ("contact of nothing", "[\"ball\", \"floor\"]", "[\"ball\", \"ball\"]"),
        ("key below the wrong header", "type = \"plane\"", "type = \"plane\"\nmass = 3"),
        ("velocity of a fixed body", "fixed = true", "fixed = true\nvelocity = [1, 0, 0]"),
        (
            "directions of a moved body",
            "fixed = true",
            "motion = { spin = { axis = [0, 0, 1], rate = 1 } }\ndofs = [\"x\"]",
        ),
        ("velocity that dofs forbid", "velocity = [1, 0, 0]", "velocity = [1, 0, 0]\ndofs = [\"z\"]"),
        ("two rotations", "name = \"ball\"", "name = \"ball\"\ndofs = [\"x\", \"rx\", \"rz\"]"),
        ("inside of an open surface", "type = \"plane\"", "type = \"plane\"\nside = \"inside\""),
        (
            "slips of friction in disorder",
            "law = \"tanh\", coefficient = 0.2, slope = 1000",
            "law = \"ambrosio\", coefficient = 0.2, v0 = 2, v1 = 1",
        ),
    ];
    super::report(&cases)
}
