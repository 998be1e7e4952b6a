//! `carom plot`, `[[plot]]` of scenes, and `carom export`.

use std::fs;

use carom_results::export::FORMATS;

use crate::common::{Place, example};

/// A ball that bounces, in a folder.
fn bounced(name: &str, folders: &[(&str, &[&str])]) -> Place {
    let place = Place::new(name);
    let scene = example("bouncing-ball.toml");
    for (folder, more) in folders {
        let args = [&["run", &scene, "-q", "-o", folder][..], more].concat();
        place.carom(&args).done();
    }
    place
}

/// The command that exports a folder to every format there is.
fn every_export(folder: &str) -> Vec<&str> {
    ["export", folder].into_iter().chain(FORMATS.iter().flat_map(|format| ["-f", format.name])).collect()
}

fn svg(place: &Place, file: &str) -> String {
    let text = fs::read_to_string(place.path(file)).unwrap();
    assert!(text.starts_with("<svg") && !text.contains("NaN"), "{file}");
    text
}

#[test]
fn quantities_over_time_with_units() {
    let place = bounced("plot", &[("out", &[])]);
    let said = place.carom(&["plot", "out", "ball.z", "ball~floor.delta", "'ball.z'*1000 - 2"]).done();
    // the file is named by what is drawn
    let name = "out/ball.z+ball~floor.delta+_ball.z__1000_-_2";
    assert_eq!(said, format!("wrote {name}.svg\nwrote {name}.png\n"));
    let text = svg(&place, &format!("{name}.svg"));
    for label in ["time [s]", "position z of ball [m]", "indentation of ball~floor [mm]"] {
        assert!(text.contains(label), "{label}");
    }
    assert!(fs::read(place.path(&format!("{name}.png"))).unwrap().starts_with(b"\x89PNG"));
    // by surfaces, as it stands and in quotes; another unit; one file
    for name in
        ["ball/sphere1~floor/plane1.delta", "'ball/sphere1~floor/plane1'.delta", "2*ball~floor.delta/2"]
    {
        place.carom(&["plot", "out", name, "--unit", "um", "--to", "0.4", "-o", "one.svg"]).done();
        assert!(svg(&place, "one.svg").contains("[µm]"), "{name}");
        assert!(svg(&place, "one.svg").contains("time [s]"));
    }
    assert!(!place.path("one.png").exists());
}

#[test]
fn overviews_phases_and_one_over_another() {
    let place = bounced("over", &[("out", &[])]);
    place.carom(&["plot", "out", "-o", "all.svg"]).done();
    let text = svg(&place, "all.svg");
    for label in ["position z of ball [m]", "energy [J]", "total energy", "normal force of ball~floor [N]"] {
        assert!(text.contains(label), "{label}");
    }
    // what stands still is left out
    assert!(!text.contains("position x"));
    place.carom(&["plot", "out", "--phase", "ball.z", "-o", "phase.svg"]).done();
    let text = svg(&place, "phase.svg");
    assert!(text.contains("position z of ball [m]") && text.contains("velocity z of ball [m/s]"));
    for args in [&["ball~floor.fn:ball~floor.delta"][..], &["ball~floor.fn", "--against", "ball~floor.delta"]]
    {
        place.carom(&[&["plot", "out"], args, &["-o", "force.svg"]].concat()).done();
        let text = svg(&place, "force.svg");
        assert!(
            text.contains("normal force of ball~floor [N]")
                && text.contains("indentation of ball~floor [mm]")
        );
        assert!(!text.contains("time"));
    }
}

#[test]
fn figures_are_named_by_what_they_show() {
    let place = bounced("names", &[("out", &[]), ("soft", &[])]);
    for (args, name) in [
        (&["out"][..], "out/overview"),
        (&["out", "--phase", "ball.z"], "out/ball.vz-over-ball.z"),
        (&["out", "ball~floor.fn:ball~floor.delta"], "out/ball~floor.fn-over-ball~floor.delta"),
        (&["out", "soft", "ball.z"], "out/ball.z-out-soft"),
    ] {
        let said = place.carom(&[&["plot"], args].concat()).done();
        assert_eq!(said, format!("wrote {name}.svg\nwrote {name}.png\n"), "{args:?}");
    }
}

#[test]
fn labels_are_as_given_with_sub_and_superscripts() {
    let place = bounced("labels", &[("out", &[]), ("soft", &[])]);
    let draw = |more: &[&str]| {
        place.carom(&[&["plot", "out"], more, &["-o", "a.svg"]].concat()).done();
        svg(&place, "a.svg")
    };
    let text =
        draw(&["ball~floor.fn", "--y-label", "F_n", "--x-label", "time since start", "--title", "x^2"]);
    assert!(text.contains(">time since start [s]<") && !text.contains("normal force"), "{text}");
    assert!(
        text.contains(">F</tspan>") && text.contains(">n</tspan>") && text.contains("> [N]</tspan>"),
        "{text}"
    );
    assert!(!text.contains("F_n") && !text.contains("x^2"), "{text}");
    // words that have their unit keep it
    assert!(draw(&["ball.z", "--y-label", "height [as measured]"]).contains(">height [as measured]<"));
    let text = draw(&["kinetic", "total", "--together", "--label", "one", "--label", r"two\_b"]);
    assert!(text.contains(">one<") && text.contains(">two_b<") && !text.contains("kinetic"), "{text}");
    let text = draw(&["soft", "ball.z", "--label", "hard floor", "--label", "soft floor"]);
    assert!(text.contains(">hard floor<") && text.contains(">soft floor<"), "{text}");
    // units and expressions have superscripts, names keep their underscores
    assert!(draw(&["ball.az"]).contains("m/s²]"));
    assert!(draw(&["ball.z^2"]).contains(">ball.z</tspan>"));
    for (args, message) in [
        (&["ball.z", "--label", "a", "--label", "b"][..], "error: 2 labels for 1 curves of the legend"),
        (&["ball.z", "--y-label", "a", "--y-label", "b"], "error: 2 labels of axes upwards for 1 panels"),
    ] {
        let said = place.carom(&[&["plot", "out"], args].concat()).failed(2);
        assert!(said.starts_with(message), "{said}");
    }
}

#[test]
fn a_pdf_is_a_page_with_text() {
    let place = bounced("pdf", &[("out", &[])]);
    assert_eq!(place.carom(&["plot", "out", "ball.z", "-o", "a.pdf"]).done(), "wrote a.pdf\n");
    let file = fs::read(place.path("a.pdf")).unwrap();
    let text = String::from_utf8_lossy(&file);
    assert!(text.starts_with("%PDF-") && text.contains("DejaVuSans") && text.contains("/ToUnicode"));
    assert!(!place.path("a.svg").exists() && file.len() < 100_000, "{}", file.len());
}

/// A crank that turns on the spot: its position is rounding error, and its energies are, but one; its angle is drawn.
#[test]
fn an_overview_leaves_rounding_error_out() {
    let place = Place::new("overview-noise");
    place.carom(&["run", &example("slider-crank.toml"), "-q", "-o", "out"]).done();
    place.carom(&["plot", "out", "-o", "all.svg"]).done();
    let text = svg(&place, "all.svg");
    for label in [">piston.x<", ">rod.y<", "joint angle [rad]", "joint force [N]"] {
        assert!(text.contains(label), "{label}");
    }
    for label in ["crank.x", "piston.y", "piston.z", "potential energy"] {
        assert!(!text.contains(label), "{label}");
    }
    // quantities of different units are in panels of their own, the coordinates of joints in the first
    assert_eq!(text.matches("[ms]").count(), 4, "{text}");
    let at = |label: &str| text.find(label).unwrap_or(usize::MAX);
    assert!(at("joint angle [rad]") < at("energy [J]") && !text.contains("angular velocity"), "{text}");
}

#[test]
fn new_results_take_figures_of_old_ones_away() {
    let place = bounced("stale", &[("out", &[])]);
    place.carom(&["plot", "out", "ball.z"]).done();
    place.carom(&["plot", "out", "ball.vz", "-o", "out/speed.pdf"]).done();
    place.carom(&["plot", "out", "ball.x", "-o", "elsewhere.svg"]).done();
    fs::write(place.path("out/mine.svg"), "<svg/>").unwrap();
    let said = place.carom(&["run", &example("bouncing-ball.toml"), "-q", "-o", "out"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(
        said.err,
        "note: removed figures of the results that were replaced: ball.z.svg, ball.z.png, speed.pdf\n"
    );
    for (file, there) in [
        ("out/ball.z.svg", false),
        ("out/ball.z.png", false),
        ("out/speed.pdf", false),
        ("out/figures.json", false),
        ("out/mine.svg", true),
        ("elsewhere.svg", true),
    ] {
        assert_eq!(place.path(file).exists(), there, "{file}");
    }
    // figures that the scene draws are drawn anew, and those of another scene go
    let text = fs::read_to_string(example("bouncing-ball.toml")).unwrap();
    fs::write(
        place.path("scene.toml"),
        text + "\n[[plot]]\nquantities = [\"ball.z\"]\nfile = \"height.svg\"\n",
    )
    .unwrap();
    for _ in 0..2 {
        let said = place.carom(&["run", "scene.toml", "-q", "-o", "out"]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
        assert!(place.path("out/height.svg").exists());
    }
    let said = place.carom(&["run", &example("bouncing-ball.toml"), "-q", "-o", "out"]);
    assert!(
        said.err.ends_with("replaced: height.svg\n") && !place.path("out/height.svg").exists(),
        "{}",
        said.err
    );
}

#[test]
fn runs_over_each_other() {
    let soft = ["--set", "contact/ball~floor/normal/restitution=0.5"];
    let place = bounced("runs", &[("hard", &[]), ("soft", &soft)]);
    place.carom(&["plot", "hard", "soft", "ball.z", "-o", "both.svg", "--title", "Two balls"]).done();
    let text = svg(&place, "both.svg");
    assert!([">hard<", ">soft<", ">Two balls<"].iter().all(|label| text.contains(label)), "{text}");
    place.carom(&["plot", "hard", "soft", "kinetic", "total", "--together", "-o", "both.svg"]).done();
    let text = svg(&place, "both.svg");
    assert!(text.contains(">kinetic energy, hard<") && text.contains(">total energy, soft<"));
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let place = bounced("wrong", &[("out", &[])]);
    fs::write(place.path("scene.toml"), "").unwrap();
    for (args, message) in [
        (&["plot", "out", "bal.z"][..], "error: out: there is no quantity `bal.z`; did you mean `ball.z`?\n"),
        (
            &["plot", "out", "ball~flor.fn"],
            "error: out: there is no quantity `ball~flor.fn`; did you mean `ball~floor.fn`?\n",
        ),
        (
            &["plot", "out", "ball.z -"],
            "error: `ball.z -` is neither a quantity nor an expression of some: a number or a name is missing\n",
        ),
        (&["plot", "none", "ball.z"], "error: none is no folder of results: there is nothing there\n"),
        (
            &["plot", "."],
            "error: . is no folder of results: summary.json: No such file or directory (os error 2)\n",
        ),
        (
            &["plot", "out", "ball.z", "-o", "a.svg", "--unit", "kN"],
            "error: nothing that is drawn can be shown in `kN`\n",
        ),
        (
            &["plot", "out", "ball.z", "--unit", "mn"],
            "error: --unit: `mn` is not a unit; did you mean `mN`?\n",
        ),
        (&["plot", "out", "--phase", "kinetic"], "error: --phase: `kinetic` has no rate that is recorded\n"),
        (&["plot", "out", "ball.z", "--from", "2", "--to", "1"], "error: --to is not after --from\n"),
        (
            &["plot", "scene.toml"],
            "error: scene.toml is a file: figures are of folders. Run it, then draw: carom run scene.toml; carom plot out/scene\n",
        ),
        (&["export", "none", "-f", "npz"], "error: none is no folder of results: there is nothing there\n"),
    ] {
        assert_eq!(place.carom(args).failed(2), message, "{args:?}");
    }
    let said = place.carom(&["export", "out", "-f", "npy"]).failed(2);
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    assert!(said.contains(&format!("there are {}", names.join(", "))), "{said}");
    assert!(!place.path("a.svg").exists());
}

#[test]
fn listed() {
    let place = bounced("list", &[("out", &[])]);
    let said = place.carom(&["plot", "out", "--list"]).done();
    let line = said.lines().find(|l| l.trim_start().starts_with("ball~floor.delta ")).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words, ["ball~floor.delta", "m", "0", "0.003665", "indentation"]);
    // whatever is listed can be drawn
    for name in said.lines().skip(2).filter_map(|l| l.split_whitespace().next()).step_by(7) {
        place.carom(&["plot", "out", name, "-o", "any.svg"]).done();
    }
}

#[test]
fn runs_that_failed_were_killed_or_are_empty_are_drawn() {
    let place = Place::new("plot-failed");
    let scene = example("bouncing-ball.toml");
    // harder than numbers can be
    let flags: Vec<String> = FORMATS.iter().map(|format| format!("--{}", format.name)).collect();
    let mut hard = vec!["--set", "contact/ball~floor/normal/stiffness=1e300"];
    hard.extend(flags.iter().map(String::as_str));
    let text = fs::read_to_string(&scene).unwrap() + "\n[[plot]]\nquantities = [\"ball.z\"]\n";
    fs::write(place.path("scene.toml"), text).unwrap();
    let said = place.carom(&[&["run", "scene.toml", "-q", "-o", "out"], &hard[..]].concat());
    assert_eq!(said.code, Some(1));
    assert!(
        said.err.contains("note: out: the run failed (")
            && said.err.contains("what there is, up to t = 0.319"),
        "{}",
        said.err
    );
    svg(&place, "out/plot1.svg");
    for format in FORMATS {
        assert!(place.path("out").join(format.file).exists(), "{}", format.file);
    }
    let drawn = |what: &str| {
        let said = place.carom(&["plot", "out", "ball.z", "kinetic"]);
        assert_eq!(
            (said.code, said.out.as_str()),
            (Some(0), "wrote out/ball.z+kinetic.svg\nwrote out/ball.z+kinetic.png\n")
        );
        assert!(said.err.starts_with("note: out: ") && said.err.contains(what), "{}", said.err);
        let said = place.carom(&every_export("out"));
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert!(said.err.starts_with("note: "), "{}", said.err);
    };
    // killed in the middle of a line
    let (states, summary) = (place.path("out/states.csv"), place.path("out/summary.json"));
    let whole = fs::read_to_string(&states).unwrap();
    let mut keys = crate::common::json(&summary);
    keys["failed"] = "the run was not finished".into();
    fs::write(&summary, keys.to_string()).unwrap();
    fs::write(&states, &whole[..whole.len() / 2]).unwrap();
    drawn("the run was not finished; what there is, up to t = 0.1");
    // before the first line
    for file in ["states.csv", "energy.csv", "contacts.csv", "events.csv"] {
        let text = fs::read_to_string(place.path("out").join(file)).unwrap();
        fs::write(place.path("out").join(file), text.split_inclusive('\n').next().unwrap()).unwrap();
    }
    drawn("the run was not finished; nothing was recorded, and the axes are empty");
}

#[test]
fn scenes_draw_their_plots() {
    let place = Place::new("scene-plots");
    let plots = r#"
[[plot]]
file = "force"
quantities = ["ball~floor.fn"]
against = "ball~floor.delta"
title = "Force over indentation"
x_label = "delta"
y_labels = ["F_n"]
labels = ["ball"]
[[plot]]
file = "energy.svg"
quantities = ["kinetic", "potential", "total"]
together = true
to = "0.5 s"
"#;
    let text = fs::read_to_string(example("bouncing-ball.toml")).unwrap() + plots;
    fs::write(place.path("scene.toml"), text).unwrap();
    place.carom(&["run", "scene.toml", "-q", "-o", "out"]).done();
    assert!(svg(&place, "out/force.svg").contains("Force over indentation"));
    assert!(
        svg(&place, "out/force.svg").contains(">delta [mm]<")
            && svg(&place, "out/force.svg").contains(">ball<")
    );
    assert!(svg(&place, "out/force.svg").contains(">n</tspan>"));
    assert!(place.path("out/force.png").exists());
    let wrong = fs::read_to_string(place.path("scene.toml")).unwrap().replace("[\"ball\"]", "[\"a\", \"b\"]");
    fs::write(place.path("wrong.toml"), wrong).unwrap();
    let said = place.carom(&["check", "wrong.toml"]).failed(2);
    assert!(said.contains("`labels` has 2 names for 1 quantities"), "{said}");
    assert!(svg(&place, "out/energy.svg").contains(">potential energy<"));
    assert!(!place.path("out/energy.svg.png").exists() && !place.path("out/energy.png").exists());
}

#[test]
fn an_analysis_can_be_drawn() {
    let place = Place::new("plot-analysis");
    place
        .carom(&["run", &example("slider-crank.toml"), "-q", "-o", "out", "--set", "run/analysis=inverse"])
        .done();
    place.carom(&["plot", "out", "main/speed.force", "main.angle", "piston.ax", "-o", "a.svg"]).done();
    let text = svg(&place, "a.svg");
    for label in
        ["driving torque of main/speed [N m]", "joint angle of main [rad]", "acceleration x of piston ["]
    {
        assert!(text.contains(label), "{label}");
    }
    place.carom(&["plot", "out", "--phase", "main.angle", "-o", "a.svg"]).done();
    place.carom(&every_export("out")).done();
}
