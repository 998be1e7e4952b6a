//! The program: what it says, where it says it, and its exit codes.

use std::fs;
use std::process::Stdio;

use crate::common::{Place, Said, example, json};

/// The report without what differs between machines and releases.
fn without_counts(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = match (line.find(" simulated in "), line.find(" rtol "), line.find("    audit ")) {
            (Some(a), Some(b), _) => {
                let rtol = line[b..].split("    ").next().unwrap();
                format!("{} simulated in …{}    …", &line[..a], rtol)
            }
            (_, _, Some(a)) => format!("{}    audit …", &line[..a]),
            _ => line.to_owned(),
        };
        out += &line;
        out.push('\n');
    }
    out
}

#[test]
fn a_run_in_a_few_lines() {
    let place = Place::new("report");
    let out = place.carom(&["run", &example("bouncing-ball.toml")]).done();
    insta::assert_snapshot!(without_counts(&out), @r"
    Bouncing ball
      1.5 s simulated in … rtol 1e-10    …
      3 contacts    peak force 350 N    deepest 3.66 mm
      overlaps: 1 pair tested, none that a contact does not know of
      energy 647 mJ → 180 mJ    lost to damping 466 mJ    audit …
      out/bouncing-ball/
      look: carom view out/bouncing-ball
    ");
    let files = [
        "checkpoint.bin",
        "contacts.csv",
        "energy.csv",
        "events.csv",
        "momentum.csv",
        "scene.json",
        "states-within.csv",
        "states.csv",
        "summary.json",
        "timing.json",
    ];
    let mut found: Vec<_> =
        fs::read_dir(place.path("out/bouncing-ball")).unwrap().map(|e| e.unwrap().file_name()).collect();
    found.sort();
    assert_eq!(found, files);
    // again: the results of before are replaced
    place.carom(&["run", &example("bouncing-ball.toml")]).done();
    let out = place.carom(&["run", &example("dzhanibekov.toml"), "-q"]).done();
    assert_eq!(out, "");
}

#[test]
fn a_run_repeated_is_the_same_byte_for_byte() {
    let place = Place::new("repeat");
    for folder in ["one", "two"] {
        place.carom(&["run", &example("ball-in-can.toml"), "-o", folder]).done();
    }
    for name in [
        "contacts.csv",
        "energy.csv",
        "events.csv",
        "momentum.csv",
        "scene.json",
        "states-within.csv",
        "states.csv",
        "summary.json",
    ] {
        let [one, two] = ["one", "two"].map(|f| fs::read(place.path(f).join(name)).unwrap());
        assert!(!one.is_empty() && one == two, "{name}");
    }
}

#[test]
fn values_can_be_set() {
    let place = Place::new("set");
    let scene = example("bouncing-ball.toml");
    let set =
        ["--set", "run/duration=10 ms", "--set", "body/ball/position/2='1 m'", "--set", "run/rtol=1e-6"];
    let args = [&["run", &scene, "-o", "results"], &set[..]].concat();
    let out = place.carom(&args).done();
    assert!(out.contains("  10 ms simulated in ") && out.contains("rtol 1e-6"), "{out}");
    assert!(out.contains("  no contacts\n"), "{out}");
    let s = json(place.path("results/summary.json"));
    assert_eq!(s["duration"], 0.01);
    let z = s["end_state"]["ball"]["position"][2].as_f64().unwrap();
    assert!((z - (1.0 - 0.5 * 9.81 * 1e-4)).abs() < 1e-12, "{z}");
    for bad in ["run/rtoll=3", "run/rtol=-1", "body/bal/mass=1", "nonsense", "run/duration=5 kg"] {
        for command in ["run", "check"] {
            let err = place.carom(&[command, &scene, "--set", bad]).failed(2);
            assert!(err.starts_with("error: "), "{err}");
        }
    }
}

#[test]
fn checking() {
    let place = Place::new("check");
    insta::assert_snapshot!(place.carom(&["check", &example("bouncing-ball.toml")]).done(), @r"
    Bouncing ball: all right
      2 bodies, 1 moved by forces    1.5 s by auto, rtol 1e-10
    ");
    fs::write(place.path("bad.toml"), "[run]\nduration = \"1 kg\"\n").unwrap();
    insta::assert_snapshot!(place.carom(&["check", "bad.toml"]).failed(2), @r#"
    error: `duration`: "1 kg" is a mass, not a time
     --> bad.toml:2:12
      |
    2 | duration = "1 kg"
      |            ^^^^^^ needs a number in s
      |
      = note: units that fit: s, min, h, ms, us, µs
    "#);
    for (scene, message) in [
        ("none.toml", "error: there is no file `none.toml`"),
        (".", "error: `.` is a folder, not a scene file"),
    ] {
        let err = place.carom(&["run", scene]).failed(2);
        assert!(err.starts_with(message), "{err}");
    }
    assert!(!place.path("out").exists());
}

#[test]
fn folders_of_others_are_refused() {
    let place = Place::new("foreign");
    let scene = example("dzhanibekov.toml");
    fs::create_dir(place.path("mine")).unwrap();
    fs::write(place.path("mine/notes.txt"), "keep").unwrap();
    let err = place.carom(&["run", &scene, "-o", "mine"]).failed(2);
    insta::assert_snapshot!(err, @"error: mine holds files that are no results of carom: choose another folder, or --force to add the results to it");
    assert_eq!(fs::read_dir(place.path("mine")).unwrap().count(), 1);
    place.carom(&["run", &scene, "-o", "mine", "--force"]).done();
    assert_eq!(fs::read_to_string(place.path("mine/notes.txt")).unwrap(), "keep");

    fs::create_dir(place.path("yours")).unwrap();
    fs::write(place.path("yours/states.csv"), "a,b\n").unwrap();
    let err = place.carom(&["run", &scene, "-o", "yours", "--force"]).failed(2);
    insta::assert_snapshot!(err, @"error: yours/states.csv is no file of carom and stays as it is: choose another folder");
    assert_eq!(fs::read_to_string(place.path("yours/states.csv")).unwrap(), "a,b\n");

    fs::write(place.path("file"), "").unwrap();
    insta::assert_snapshot!(place.carom(&["run", &scene, "-o", "file"]).failed(2), @"error: file is not a folder");
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_said() {
    let place = Place::new("unwritable");
    let scene = example("dzhanibekov.toml");
    let err = place.carom(&["run", &scene, "-o", "/proc/carom"]).failed(1);
    insta::assert_snapshot!(err, @"error: at t = 0 s: recording failed: /proc/carom: No such file or directory (os error 2)");

    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = place.command(&["laws"]).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let said = Said::new(output.wait_with_output().unwrap());
    assert_eq!(said.code, Some(1));
    assert!(said.err.starts_with("error: standard output: No space left on device"), "{}", said.err);
}

#[test]
fn schema_is_json() {
    let place = Place::new("schema");
    let schema: serde_json::Value = serde_json::from_str(&place.carom(&["schema"]).done()).unwrap();
    assert!(schema["properties"]["body"].is_object());
}

#[test]
fn new_scenes() {
    let place = Place::new("new");
    insta::assert_snapshot!(place.carom(&["new", "first"]).done(), @"wrote first.toml    run it: carom run first.toml");
    let checked = place.carom(&["check", "first.toml"]).done();
    assert!(checked.starts_with("first: all right\n"), "{checked}");
    place.carom(&["run", "first.toml", "--quiet"]).done();
    fs::write(place.path("first.toml"), "mine").unwrap();
    let err = place.carom(&["new", "first"]).failed(2);
    insta::assert_snapshot!(err, @"error: first.toml is there already; choose another name");
    place.carom(&["new", "first.toml"]).failed(2);
    assert_eq!(fs::read_to_string(place.path("first.toml")).unwrap(), "mine");
    place.carom(&["new", "a \"b\" v1.2\\"]).done();
    place.carom(&["check", "a \"b\" v1.2\\.toml"]).done();
    for template in
        ["bounce", "roll", "mechanism", "soft-body", "bearing", "cam", "gripper", "vehicle", "empty"]
    {
        place.carom(&["new", template, "--template", template]).done();
        let said = place.carom(&["run", &format!("{template}.toml")]).done();
        assert!(!said.contains("warning"), "{template}: {said}");
    }
    let err = place.carom(&["new", "other", "--template", "rol"]).failed(2);
    assert!(err.contains("[possible values: bounce, roll, ") && err.contains("'roll'"), "{err}");
    place.carom(&["new", "none/first"]).failed(1);
    place.carom(&["new", ".."]).failed(2);
}

#[test]
fn query() {
    let place = Place::new("query");
    let good =
        r#"{"id":7,"a":{"type":"plane"},"b":{"type":"sphere","radius":1},"pose_b":{"position":[0,0,3]}}"#;
    let input = format!("{good}\nnonsense\n{good}");
    let out = place.carom_with(&["query"], input.as_bytes()).done();
    insta::assert_snapshot!(out, @r#"
    {"id":7,"distance":2,"point_a":[0,0,0],"point_b":[0,0,2],"normal":[0,0,1],"method":"sphere-plane","iterations":0,"unique":true,"certified":true,"bounds":[2,2],"contacts":[{"feature":"plane","distance":2,"point_a":[0,0,0],"point_b":[0,0,2],"normal":[0,0,1]}]}
    {"error":"expected ident (column 2)"}
    {"id":7,"distance":2,"point_a":[0,0,0],"point_b":[0,0,2],"normal":[0,0,1],"method":"sphere-plane","iterations":0,"unique":true,"certified":true,"bounds":[2,2],"contacts":[{"feature":"plane","distance":2,"point_a":[0,0,0],"point_b":[0,0,2],"normal":[0,0,1]}]}
    "#);
    fs::write(place.path("pairs.jsonl"), &input).unwrap();
    assert_eq!(place.carom(&["query", "pairs.jsonl"]).done(), out);
    assert_eq!(place.carom_with(&["query"], b"").done(), "");
    let err = place.carom(&["query", "none.jsonl"]).failed(2);
    assert!(err.starts_with("error: none.jsonl: "), "{err}");
    let err = place.carom(&["query", "."]).failed(2);
    assert!(err.starts_with("error: .: "), "{err}");
}

#[test]
fn nobody_listens() {
    let place = Place::new("unheard");
    fs::write(place.path("many.jsonl"), "{}\n".repeat(100_000)).unwrap();
    for args in [&["query", "many.jsonl"][..], &["laws"], &["schema"], &["completions", "bash"], &["--help"]]
    {
        let mut child = place.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let said = Said::new(child.wait_with_output().unwrap());
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn completions() {
    let place = Place::new("completions");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(place.carom(&["completions", shell]).done().contains("carom"), "{shell}");
    }
    place.carom(&["completions", "cmd"]).failed(2);
}

#[test]
fn wrong_words_are_wrong_input() {
    let place = Place::new("usage");
    for args in [&["rum"][..], &["run"], &["run", "a", "--nothing"], &["laws", "a", "b"], &[]] {
        let err = place.carom(args).failed(2);
        assert!(err.contains("Usage: carom"), "{err}");
    }
    assert!(place.carom(&["--version"]).done().starts_with("carom 0."));
}

#[test]
fn every_help_has_examples() {
    let place = Place::new("help");
    let top = place.carom(&["--help"]).done();
    assert!(
        top.contains("Exit codes: 0 done, 1 the run failed or was stopped, 2 the input is wrong."),
        "{top}"
    );
    let commands = top.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    let names: Vec<&str> = commands.map(|l| l.split_whitespace().next().unwrap()).collect();
    // those of the list, and `help`
    let source = include_str!("../src/commands/mod.rs").split_once("\ncommands! {\n").unwrap().1;
    assert_eq!(names.len(), source.lines().take_while(|l| *l != "}").count() + 1, "{names:?}");
    for name in names.iter().filter(|n| **n != "help") {
        let help = place.carom(&[name, "--help"]).done();
        assert!(help.contains(&format!("Examples:\n  carom {name}")), "{help}");
        assert!(help.lines().all(|l| l.chars().count() <= 100), "{help}");
        assert!(*name != "run" || help.contains("Ctrl-C stops the run in good order"), "{help}");
        assert!(!help.contains('\u{1b}'), "{help}");
    }
}

/// Stops a run that would take for ever, as Ctrl-C and batch systems do.
#[cfg(unix)]
#[test]
fn a_run_can_be_stopped() {
    let place = Place::new("stop");
    for signal in ["-INT", "-TERM"] {
        let scene = example("ball-in-can.toml");
        let set = ["--set", "run/duration=1e6 s", "--set", "run/output_every=1 s"];
        let args = [&["run", &scene, "-o", "results"], &set[..]].concat();
        let child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // it is under way once there are lines
        let states = place.path("results/states.csv");
        let lines = || fs::read_to_string(&states).map_or(0, |t| t.lines().count());
        let start = std::time::Instant::now();
        while lines() < 10 {
            assert!(start.elapsed().as_secs() < 60);
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        // a summary is there at every moment
        assert_eq!(json(place.path("results/summary.json"))["failed"], "the run was not finished");
        let kill =
            std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let said = Said::new(child.wait_with_output().unwrap());
        assert_eq!(said.code, Some(1));
        assert!(said.out.starts_with("Ball in a can\n"), "{}", said.out);
        assert!(said.err.starts_with("stopped after "), "{}", said.err);
        let end =
            " of 1000000 s; what it did up to there is in results/\n  to go on: carom run --resume results\n";
        assert!(said.err.ends_with(end), "{}", said.err);
        let s = json(place.path("results/summary.json"));
        assert_eq!((s["stopped"].as_bool(), s.get("failed")), (Some(true), None));
        let last = fs::read_to_string(&states).unwrap();
        let last = last.lines().last().unwrap().split(',').next().unwrap().to_owned();
        assert_eq!(last.parse::<f64>().ok(), s["t_end"].as_f64());
        fs::remove_dir_all(place.path("results")).unwrap();
    }
}

#[test]
fn a_failed_run_says_when_and_where() {
    let place = Place::new("failed");
    let set = ["--set", "contact/ball~floor/normal/stiffness=1e300"]; // harder than numbers can be
    let scene = example("bouncing-ball.toml");
    let args = [&["run", &scene, "-o", "results"], &set[..]].concat();
    let err = place.carom(&args).failed(1);
    assert!(err.starts_with("error: ") && err.contains("at t = 0.319275428407"), "{err}");
    assert!(err.ends_with("\n  what it did up to there is in results/\n"), "{err}");
    let s = json(place.path("results/summary.json"));
    assert!(err.contains(s["failed"].as_str().unwrap()), "{err}");
    assert!((s["t_end"].as_f64().unwrap() - 0.3192754284).abs() < 1e-9);
    let lines = fs::read_to_string(place.path("results/states.csv")).unwrap().lines().count();
    assert_eq!(lines, 1 + 320); // the header, and every millisecond up to there
}
