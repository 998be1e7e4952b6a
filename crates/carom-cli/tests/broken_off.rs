//! Runs of the program that are broken off, and what it does in places that are not as it would like them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use carom_testkit::one_in;

use crate::common::{Place, Said, example};

/// The files of a folder but for the times on the clock.
fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let all = fs::read_dir(path).unwrap().map(Result::unwrap);
    let all = all.filter(|entry| entry.file_name() != "timing.json");
    all.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

fn same(path: &Path, undisturbed: &BTreeMap<String, Vec<u8>>, place: &str) {
    let found = files(path);
    assert!(found.keys().eq(undisturbed.keys()), "{place}: {:?}", found.keys());
    for (name, bytes) in &found {
        assert!(bytes == &undisturbed[name], "{place}: {name} differs");
    }
}

/// Killed after `wait`, and taken up again until it is done.
fn killed(place: &Place, scene: &str, waits: &[u64]) {
    let _ = fs::remove_dir_all(place.path("run"));
    let often = ["-q", "--checkpoint-every", "0.01"];
    for (i, wait) in waits.iter().enumerate() {
        let begun = i > 0 && place.path("run/scene.json").exists();
        let what =
            if begun { ["--resume", "run"].to_vec() } else { [scene, "-o", "run", "--force"].to_vec() };
        let mut child = place.command(&[&["run"], &what[..], &often].concat()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(*wait));
        let _ = child.kill();
        let _ = child.wait();
    }
    let last = match place.path("run/scene.json").exists() {
        true => ["run", "-q", "--resume", "run"].to_vec(),
        false => ["run", "-q", scene, "-o", "run", "--force"].to_vec(),
    };
    assert_eq!(place.carom(&last).done(), "");
}

#[test]
fn killed_runs_go_on_to_the_same_bytes() {
    let place = Place::new("killed");
    // contacts of all kinds, bristles, joints with clearance, wear, fields, islands, a controller
    let scenes = ["stack-of-boxes", "dice-in-a-tray", "slider-crank-wear", "gecko-pad", "inverted-pendulum"];
    for name in one_in(2, scenes) {
        let scene = example(&format!("{name}.toml"));
        place.carom(&["run", "-q", &scene, "-o", "undisturbed"]).done();
        let undisturbed = files(&place.path("undisturbed"));
        killed(&place, &scene, &[40, 60]);
        same(&place.path("run"), &undisturbed, name);
        fs::remove_dir_all(place.path("undisturbed")).unwrap();
    }
    let said = place.carom(&["run", "--resume", "run"]).done();
    assert_eq!(said, "run/ is finished\n");
}

#[test]
fn what_cannot_be_resumed_is_said() {
    let place = Place::new("not-resumed");
    let said = place.carom(&["run", "--resume", "nowhere"]).failed(2);
    assert_eq!(said, "error: nowhere holds no run: it has no summary.json\n");
    place.carom(&["new", "first"]).done();
    place.carom(&["run", "-q", "first.toml", "-o", "run"]).done();
    let checkpoint = place.path("run/checkpoint.bin");
    let mut bytes = fs::read(&checkpoint).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&checkpoint, &bytes).unwrap();
    let said = place.carom(&["run", "--resume", "run", "--until", "1000 s"]).failed(2);
    assert!(said.starts_with("error: run/checkpoint.bin: it is damaged"), "{said}");
    let said = place.carom(&["run", "first.toml", "--until", "3 s"]).failed(2);
    assert!(said.contains("--until"), "{said}");
}

/// A limit on the size of files is an error like a full disk.
#[cfg(unix)]
#[test]
fn a_file_size_limit_is_said() {
    let place = Place::new("limit");
    let scene = example("stack-of-boxes.toml");
    place.carom(&["run", "-q", &scene, "-o", "undisturbed"]).done();
    let undisturbed = files(&place.path("undisturbed"));
    let blocks = undisturbed.values().map(Vec::len).max().unwrap() / 1024;
    let mut command = std::process::Command::new("sh");
    let program = env!("CARGO_BIN_EXE_carom");
    let limited = format!("ulimit -f {}; exec {program} run {scene} -o run -q", blocks);
    let said = Said::new(command.args(["-c", &limited]).current_dir(place.path("")).output().unwrap());
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains("too large") && said.err.contains("carom run --resume run"), "{}", said.err);
    for (name, bytes) in files(&place.path("run")).iter().filter(|(name, _)| name.ends_with(".csv")) {
        assert!(bytes.ends_with(b"\n"), "{name}");
    }
    place.carom(&["run", "-q", "--resume", "run"]).done();
    same(&place.path("run"), &undisturbed, "limit");
}

/// Someone else's folder may have links in it that lead to files of mine.
#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let place = Place::new("links");
    place.carom(&["new", "a", "-t", "empty"]).done();
    place.carom(&["run", "-q", "a.toml", "-o", "run"]).done();
    fs::write(place.path("victim"), "precious").unwrap();
    let link = |name: &str| {
        let _ = fs::remove_file(place.path(name));
        std::os::unix::fs::symlink(place.path("victim"), place.path(name)).unwrap();
    };
    for name in
        ["view.html", "states.csv", "energy.csv", "timing.json", "run.lock", "checkpoint.bin", "p.svg"]
    {
        link(&format!("run/{name}"));
    }
    place.carom(&["view", "run", "--no-open"]);
    place.carom(&["run", "-q", "a.toml", "-o", "run"]).done();
    place.carom(&["view", "run", "--no-open"]).done();
    link("run/view.html");
    place.carom(&["view", "run", "--no-open"]).done();
    link("out.csv");
    link("run/p.svg");
    place.carom(&["plot", "run", "kinetic", "-o", "run/p.svg"]);
    assert_eq!(fs::read_to_string(place.path("victim")).unwrap(), "precious");
}

/// Titles and names command no terminal.
#[test]
fn nothing_commands_the_terminal() {
    let place = Place::new("escapes");
    let scene = "title = \"\\u001b]0;pwned\\u0007\\u001b[2J\"\nrun.duration = 1\nbody = [{ name = \"b\", mass = 1, inertia = [1, 1, 1] }]\n";
    fs::write(place.path("a.toml"), scene).unwrap();
    let said = place.carom(&["run", "a.toml"]).done();
    assert!(said.starts_with("␛]0;pwned␇␛[2J\n"), "{said}");
    for (args, code) in
        [(&["run", "no\u{1b}[31m.toml"][..], 2), (&["check", "a.toml", "--set", "bo\u{1b}dy=1"][..], 2)]
    {
        let said = place.carom(args).failed(code);
        assert!(!said.contains('\u{1b}') && said.contains('␛'), "{said}");
    }
}

#[test]
fn neither_a_locale_nor_a_home_is_needed() {
    let place = Place::new("bare");
    place.carom(&["new", "über"]).done();
    let mut command = place.command(&["run", "-q", "über.toml", "-o", "würfe"]);
    command.env_clear().env("LC_ALL", "C");
    assert_eq!(Said::new(command.output().unwrap()).done(), "");
    for args in [
        &["plot", "würfe", "ball.z", "-o", "p.svg"][..],
        &["view", "würfe", "--no-open"],
        &["check", "über.toml"],
    ] {
        let mut command = place.command(args);
        command.env_clear().env("LC_ALL", "C");
        Said::new(command.output().unwrap()).done();
    }
    assert!(place.path("würfe/view.html").is_file());
}
