//! What is wrong with patterns, parts, groups and names of several.

use std::fmt::Write;
use std::fs;

use super::{BALL, error, report as said};
use carom_scene::{Format, Scene};

/// What is said of patterns that cannot be.
pub(crate) fn report() -> String {
    let linear = "type = \"linear\"\nof = \"ball\"\nstep = [1, 0, 0]\n";
    let random = "type = \"random\"\nof = \"ball\"\nwithin = { min = [0, 0, 0], max = [1, 1, 1] }\n";
    let cases: Vec<(&str, String)> = vec![
        ("a pattern of nothing", "type = \"linear\"\nof = []\ncount = 2\nstep = [1, 0, 0]".into()),
        ("of an unknown body", "type = \"linear\"\nof = [\"bal\"]\ncount = 2\nstep = [1, 0, 0]".into()),
        ("of a wildcard that fits nothing", "type = \"linear\"\nof = [\"bill*\"]\ncount = 2\nstep = [1, 0, 0]".into()),
        ("of a surface", "type = \"linear\"\nof = \"ball/sphere1\"\ncount = 2\nstep = [1, 0, 0]".into()),
        ("of a number", "type = \"linear\"\nof = 3\ncount = 2\nstep = [1, 0, 0]".into()),
        ("no bodies named", "type = \"linear\"\ncount = 2\nstep = [1, 0, 0]".into()),
        ("none", format!("{linear}count = 0")),
        ("half a copy", format!("{linear}count = 2.5")),
        ("too many", format!("{linear}count = 1e9")),
        ("too many in a grid", "type = \"grid\"\nof = \"ball\"\ncount = [1000, 1000, 1]\nstep = [1, 1, 1]".into()),
        ("half a row of a grid", "type = \"grid\"\nof = \"ball\"\ncount = [2.5, 1, 1]\nstep = [1, 1, 1]".into()),
        ("too many by two patterns", format!("{linear}count = 1000\n[[pattern]]\ntype = \"linear\"\nof = \"ball*\"\nstep = [0, 1, 0]\ncount = 1000")),
        ("unknown type", "type = \"circle\"\nof = \"ball\"".into()),
        ("unknown key", format!("{linear}count = 2\nnumber = 3")),
        ("a key of another type", format!("{linear}count = 2\naxis = [0, 0, 1]")),
        ("a step without a unit of length", "type = \"linear\"\nof = \"ball\"\ncount = 2\nstep = [\"1 s\", 0, 0]".into()),
        ("no axis", "type = \"circular\"\nof = \"ball\"\ncount = 2\naxis = [0, 0, 0]".into()),
        ("a step and an angle", "type = \"circular\"\nof = \"ball\"\ncount = 2\nangle = 1\nstep = 1".into()),
        ("one name for all", format!("{linear}count = 3\nname = \"copy\"")),
        ("one name for several bodies", "type = \"linear\"\nof = [\"ball\", \"floor\"]\ncount = 2\nstep = [1, 0, 0]\nname = \"copy{}\"".into()),
        ("a name that cannot be", format!("{linear}count = 2\nname = \"copy/{{}}\"")),
        ("a name that is taken", format!("{linear}count = 2\nname = \"floor{{}}\"\n[[body]]\nname = \"floor2\"\nfixed = true")),
        ("no plane", "type = \"mirrored\"\nof = \"ball\"\nnormal = [0, 0, 0]".into()),
        ("no box", "type = \"random\"\nof = \"ball\"\ncount = 2".into()),
        ("a box inside out", "type = \"random\"\nof = \"ball\"\ncount = 2\nwithin = { min = [1, 1, 1], max = [0, 0, 0] }".into()),
        ("a box that is too narrow", "type = \"random\"\nof = \"ball\"\ncount = 2\nwithin = { min = [0, 0, 0], max = [1, 1, 0.01] }".into()),
        ("without bounds", "type = \"random\"\nof = \"floor\"\ncount = 2\nwithin = { min = [0, 0, 0], max = [1, 1, 1] }".into()),
        ("more than fit at random", "type = \"random\"\nof = \"ball\"\ncount = 200\nwithin = { min = [0, 0, 0], max = [\"200 mm\", \"200 mm\", \"100 mm\"] }".into()),
        ("more than can be packed", "type = \"packed\"\nof = \"ball\"\ncount = 15\nwithin = { min = [0, 0, 0], max = [\"90 mm\", \"90 mm\", \"60 mm\"] }".into()),
        ("more than the lattice has", "type = \"lattice\"\nof = \"ball\"\ncount = 60\nwithin = { min = [0, 0, 0], max = [\"150 mm\", \"150 mm\", \"100 mm\"] }".into()),
        ("a lattice of millions", "type = \"lattice\"\nof = \"ball\"\nwithin = { min = [0, 0, 0], max = [10, 10, 10] }".into()),
        ("a seed that is no whole number", format!("{random}count = 2\nseed = 1.5")),
        ("unknown lattice", "type = \"lattice\"\nof = \"ball\"\nlattice = \"fccc\"\nwithin = { min = [0, 0, 0], max = [1, 1, 1] }".into()),
    ];
    let cases: Vec<(&str, String)> =
        cases.into_iter().map(|(what, by)| (what, format!("[[pattern]]\n{by}\n[[probe]]"))).collect();
    let cases: Vec<(&str, &str, &str)> =
        cases.iter().map(|(what, by)| (*what, "[[probe]]", by.as_str())).collect();
    said(&cases) + &one_table() + &of_copies()
}

fn one_table() -> String {
    said(&[
        ("one bracket", "[[probe]]", "[pattern]\ntype = \"linear\"\n[[probe]]"),
        ("one bracket of an include", "[[probe]]", "[include]\nfile = \"part.toml\"\n[[probe]]"),
        ("a wildcard in a name", "name = \"ball\"", "name = \"ball*\""),
        ("another in a name", "name = \"ball\"", "name = \"ball?\""),
        ("a group with the name of a body", "name = \"ball\"", "name = \"ball\"\ngroup = \"floor\""),
        ("a group with a slash", "name = \"ball\"", "name = \"ball\"\ngroup = [\"a/b\"]"),
        ("a wildcard that fits nothing", "[\"ball\", \"floor\"]", "[\"bull*\", \"floor\"]"),
        ("a wildcard of surfaces that fits nothing", "[\"ball\", \"floor\"]", "[\"ball/cube*\", \"floor\"]"),
        ("an unknown group", "[\"ball\", \"floor\"]", "[\"balls\", \"floor\"]"),
        ("an empty side", "[\"ball\", \"floor\"]", "[[], \"floor\"]"),
        ("three sides", "[\"ball\", \"floor\"]", "[\"ball\", \"floor\", \"*\"]"),
        ("a number in a side", "[\"ball\", \"floor\"]", "[[\"ball\", 3], \"floor\"]"),
        (
            "a joint of several",
            "[[probe]]",
            "[[joint]]\ntype = \"spherical\"\nbetween = [\"ball*\", \"floor\"]\npoint = [0, 0, 0]\n[[probe]]",
        ),
        (
            "a force of one body",
            "[[probe]]",
            "[[force]]\ntype = \"spring-damper\"\nstiffness = 1\nrest_length = 1\nbetween = [\"ball*\", \"ball\"]\n[[probe]]",
        ),
        ("a probe of nothing", "body = \"ball\"", "body = \"bull*\""),
        (
            "a rule for everything that a wildcard leaves nothing",
            "[[probe]]",
            "[[contact]]\nbetween = [\"*\", \"*\"]\n[[probe]]",
        ),
        (
            "a wildcard that a name leaves nothing",
            "[[probe]]",
            "[[contact]]\nbetween = [\"ball*\", \"floor\"]\n[[probe]]",
        ),
        (
            "a group and a wildcard of the same",
            "[\"ball\", \"floor\"]",
            "[\"ball*\", \"floor\"]\n[[contact]]\nbetween = [\"b?ll\", \"floor\"]",
        ),
        (
            "a wildcard of bodies without surfaces",
            "[[contact]]",
            "[[body]]\nname = \"bar\"\nfixed = true\n[[contact]]\nbetween = [\"bar*\", \"ball\"]\n[[contact]]",
        ),
        ("an unknown material", "name = \"ball\"", "name = \"ball\"\nmaterial = \"steal\""),
    ])
}

/// What is wrong with a copy says which copy it is, and with a mirrored one why.
fn of_copies() -> String {
    let mirrored = "[[pattern]]\ntype = \"mirrored\"\nof = \"ball\"\nnormal = [1, 0, 1]\n[[probe]]";
    let turned = "[[pattern]]\ntype = \"circular\"\nof = \"ball\"\ncount = 3\n[[probe]]";
    let mut out = said(&[
        (
            "a drive of a copy's position",
            "[[probe]]",
            &format!("[[drive]]\ntarget = \"body/ball/position/0\"\nexpression = \"t\"\n{turned}"),
        ),
        (
            "a wrong value of a copy",
            "[[probe]]",
            &format!(
                "[[force]]\ntype = \"spring-damper\"\nbetween = [\"ball\", \"floor\"]\nstiffness = -1\nrest_length = 1\n{turned}"
            ),
        ),
    ]);
    let cases = [
        ("directions that are not the world's", "velocity = [1, 0, 0]", "dofs = [\"x\", \"z\"]", turned),
        (
            "a motion by expressions",
            "velocity = [1, 0, 0]",
            "motion = { expression = { x = \"t\" } }",
            turned,
        ),
    ];
    for (what, piece, by, pattern) in cases {
        let text = BALL.replacen(piece, by, 1).replacen("[[probe]]", pattern, 1);
        let _ = writeln!(out, "## {what}\n\n{}\n", error(&text, &[]));
    }
    let joint = "[[joint]]\nname = \"rod\"\ntype = \"cylindrical\"\nbetween = [\"ball\", \"floor\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n[[drive]]\ntarget = \"joint/rod/angle\"\nexpression = \"t\"\n";
    let text = BALL.replacen("[[probe]]", &format!("{joint}{mirrored}"), 1);
    let _ = writeln!(out, "## a drive of a mirrored angle\n\n{}\n", error(&text, &[]));
    let text = BALL.replacen("[[probe]]", turned, 1);
    let set = ["body/ball3/mass=-1"];
    let _ = writeln!(out, "## a replaced value of a copy\n\n{}\n", error(&text, &set));
    let set = ["body/bal3/mass=1"];
    let _ = writeln!(out, "## a replaced value of no copy\n\n{}\n", error(&text, &set));
    let far = turned.replace("count = 3", "count = 3\npoint = [1e308, 1e308, 0]");
    let text = BALL.replacen("[[probe]]", &far, 1);
    let _ = writeln!(out, "## a copy without a place\n\n{}\n", error(&text, &[]));
    let rule = "[[contact]]\nbetween = [\"ball3\", \"floor\"]\n".to_owned() + turned;
    let text = BALL.replacen("[[probe]]", &rule, 1);
    let _ = writeln!(out, "## a copied contact that is there already\n\n{}\n", error(&text, &[]));
    let two = "[[body]]\nname = \"ball2\"\nfixed = true\n".to_owned() + turned;
    let text = BALL.replacen("[[probe]]", &two, 1);
    let _ = writeln!(out, "## a copy with the name of a body\n\n{}\n", error(&text, &[]));
    out
}

/// What is said of parts that cannot be included.
pub(crate) fn parts() -> String {
    let place = std::env::temp_dir().join(format!("carom-parts-{}", std::process::id()));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(place.join("folder")).unwrap();
    let files = [
        ("part.toml", "[parameter]\nspeed = 1\n[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n"),
        ("itself.toml", "[[include]]\nfile = \"itself.toml\"\n"),
        ("one.toml", "[[include]]\nfile = \"two.toml\"\n"),
        ("two.toml", "[[include]]\nfile = \"one.toml\"\n"),
        ("empty.toml", ""),
        ("broken.toml", "[[body]\n"),
        ("broken.json", "{ \"body\": [ }"),
        ("key.toml", "[[boddy]]\nname = \"a\"\n"),
        ("value.toml", "[[body]]\nname = \"a\"\nmass = \"1 m\"\n"),
        ("computed.toml", "[[body]]\nname = \"a\"\nmass = \"= m\"\n"),
        ("gravity.toml", "[[drive]]\ntarget = \"world/gravity/2\"\nexpression = \"t\"\n"),
    ];
    for (name, text) in files {
        fs::write(place.join(name), text).unwrap();
    }
    let mut out = String::new();
    for (what, lines) in [
        ("no file", "prefix = \"a_\""),
        ("a file that is not there", "file = \"prat.toml\""),
        ("a folder", "file = \"folder\""),
        ("a device", "file = \"/dev/zero\""),
        ("a part that includes itself", "file = \"itself.toml\""),
        ("two parts that include each other", "file = \"one.toml\""),
        ("the scene itself", "file = \"whole.toml\""),
        ("an empty part", "file = \"empty.toml\""),
        ("a part that is not TOML", "file = \"broken.toml\""),
        ("a part that is not JSON", "file = \"broken.json\""),
        ("a misspelt key in a part", "file = \"key.toml\""),
        ("a wrong value in a part", "file = \"value.toml\"\nprefix = \"a_\""),
        ("an unknown name in a part", "file = \"computed.toml\""),
        ("a prefix with a slash", "file = \"part.toml\"\nprefix = \"left/\""),
        ("a parameter that the part has not", "file = \"part.toml\"\nparameter = { sped = 2 }"),
        ("parameters that are no table", "file = \"part.toml\"\nparameter = 2"),
        ("the same part twice", "file = \"part.toml\"\n[[include]]\nfile = \"part.toml\""),
        ("a misspelt key", "file = \"part.toml\"\nprefx = \"a\""),
        ("a part that drives gravity", "file = \"gravity.toml\"\nprefix = \"a_\""),
    ] {
        let text = format!("[run]\nduration = 1\n[[include]]\n{lines}\n");
        fs::write(place.join("whole.toml"), &text).unwrap();
        let name = place.join("whole.toml").display().to_string();
        let error = Scene::from_text(&text, Format::Toml, &name, &[]).unwrap_err().to_string();
        let real = place.canonicalize().unwrap().display().to_string();
        let error = error.replace(&real, "FOLDER").replace(&place.display().to_string(), "FOLDER");
        let _ = writeln!(out, "## {what}\n\n{error}\n");
    }
    fs::remove_dir_all(&place).unwrap();
    out
}
