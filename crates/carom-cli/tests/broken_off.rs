//! Runs of the program that are broken off, and what it does in places that are not as it would like them.

use std::fs;
use std::time::{Duration, Instant};

use carom_testkit::{Files, Random, difference, files, one_in};

use crate::common::{Place, Said, example};

/// Scenes whose runs carry different things: islands, contacts, stick and slip, joints with clearance, a crowd, adhesion, samples of a controller, bristles, wear, fields.
const SCENES: [&str; 10] = [
    "balls-in-islands",
    "stack-of-boxes",
    "stick-slip",
    "slider-crank-clearance",
    "eggs-in-a-crowd",
    "gecko-pad",
    "inverted-pendulum",
    "dice-in-a-tray",
    "slider-crank-wear",
    "creeping-block",
];

/// Returns a scene: an example, or many bodies that no example has.
fn scene(place: &Place, name: &str) -> String {
    let run = match name {
        "balls-in-islands" => "duration = 0.1\noutput_every = 0.01\nrtol = 1e-6",
        "eggs-in-a-crowd" => "duration = 0.1\noutput_every = 0.01\nmethod = \"crowd\"\nthreads = 2",
        example => return self::example(&format!("{example}.toml")),
    };
    let path = place.path(&format!("{name}.toml"));
    let mut text = format!("[run]\n{run}\n");
    let surfaces =
        ["type = \"sphere\", radius = 0.02", "type = \"ellipsoid\", semi_axes = [0.02, 0.018, 0.021]"];
    for i in 0..64 {
        let (x, y, z) =
            (0.05 * f64::from(i % 4), 0.05 * f64::from(i / 4 % 4), 0.03 + 0.05 * f64::from(i / 16));
        let v = [i * 7 % 5, i * 3 % 7, i * 11 % 3].map(|v| 0.2 * f64::from(v) - 0.4);
        let surface = surfaces[i as usize % 2];
        text += &format!(
            "[[body]]\nname = \"b{i}\"\nmass = 0.1\nposition = [{x}, {y}, {z}]\nvelocity = {v:?}\nsurface = [{{ {surface} }}]\n"
        );
    }
    text += "[[body]]\nname = \"floor\"\nfixed = true\nsurface = [{ type = \"plane\" }]\n[[contact]]\nbetween = [\"*\", \"*\"]\n";
    text += "normal = { law = \"hunt-crossley\", stiffness = 1e6, damping = 0.2 }\nfriction = { law = \"cundall-strack\", coefficient = 0.3, tangential_stiffness = 1e4 }\n";
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn same(place: &Place, undisturbed: &Files, what: &str) {
    assert_eq!(difference(&place.path("run"), undisturbed).unwrap(), None, "{what}");
}

/// Killed after every wait, and taken up again until it is done. Returns how many of the kills came while it ran.
fn killed(place: &Place, scene: &str, waits: &[Duration]) -> usize {
    let _ = fs::remove_dir_all(place.path("run"));
    let mut hits = 0;
    let often = ["-q", "--checkpoint-every", "0.01"];
    for wait in waits {
        let begun = place.path("run/scene.json").exists();
        let what =
            if begun { ["--resume", "run"].to_vec() } else { [scene, "-o", "run", "--force"].to_vec() };
        let mut child = place.command(&[&["run"], &what[..], &often].concat()).spawn().unwrap();
        std::thread::sleep(*wait);
        let _ = child.kill();
        hits += usize::from(child.wait().unwrap().code().is_none());
    }
    finish(place, scene);
    hits
}

/// Takes a run that was broken off to its end, from its start if nothing is left of it.
fn finish(place: &Place, scene: &str) {
    let last = match place.path("run/scene.json").exists() {
        true => ["run", "-q", "--resume", "run"].to_vec(),
        false => ["run", "-q", scene, "-o", "run", "--force"].to_vec(),
    };
    assert_eq!(place.carom(&last).done(), "");
}

/// Runs a scene undisturbed; returns its files, and how long it took.
fn undisturbed(place: &Place, scene: &str) -> (Files, Duration) {
    let _ = fs::remove_dir_all(place.path("run"));
    let start = Instant::now();
    place.carom(&["run", "-q", scene, "-o", "run"]).done();
    let took = start.elapsed();
    (files(&place.path("run")).unwrap(), took)
}

#[test]
fn killed_runs_go_on_to_the_same_bytes() {
    let place = Place::new("killed");
    for name in one_in(4, SCENES) {
        let scene = scene(&place, name);
        let (undisturbed, _) = undisturbed(&place, &scene);
        killed(&place, &scene, &[40, 60].map(Duration::from_millis));
        same(&place, &undisturbed, name);
    }
    let said = place.carom(&["run", "--resume", "run"]).done();
    assert_eq!(said, "run/ is finished\n");
}

mod long {
    use super::*;

    /// Twenty kills of every scene at random instants of its run, some of them twice and three times in one run.
    #[test]
    #[ignore = "minutes"]
    fn kills_at_random_instants() {
        let place = Place::new("kills");
        let mut random = Random::of("kills at random instants");
        let (mut kills, mut hits, mut runs) = (0, 0, 0);
        for name in SCENES {
            let scene = scene(&place, name);
            let (undisturbed, took) = undisturbed(&place, &scene);
            for i in 0..20 {
                let often = [1, 1, 1, 2, 3][i % 5];
                let waits: Vec<Duration> =
                    (0..often).map(|_| took.mul_f64(random.between(0.02, 1.0))).collect();
                hits += killed(&place, &scene, &waits);
                kills += often;
                runs += 1;
                same(&place, &undisturbed, &format!("{name}, killed after {waits:?}"));
            }
        }
        println!(
            "{runs} resumed runs of {} scenes, {kills} kills, {hits} of them while the run was on its way: the same bytes",
            SCENES.len()
        );
        assert!(2 * hits > kills, "{hits} of {kills}");
    }

    /// A disk of its own that is full after a random part of what a run writes: with results, checkpoints and files written aside.
    #[cfg(target_os = "linux")]
    #[test]
    #[ignore = "minutes; mounts small disks, which not every system lets everyone do"]
    fn full_disks() {
        let place = Place::new("full-disks");
        let mut random = Random::of("full disks");
        let mut full = 0;
        for name in SCENES {
            let scene = scene(&place, name);
            let (undisturbed, _) = undisturbed(&place, &scene);
            let whole: usize = undisturbed.values().map(|bytes| bytes.len().div_ceil(4096) * 4).sum();
            for _ in 0..3 {
                let size = random.between(8.0, whole as f64) as usize;
                let _ = fs::remove_dir_all(place.path("run"));
                let (program, at) = (env!("CARGO_BIN_EXE_carom"), place.path(""));
                let script = format!(
                    "mkdir disk && mount -t tmpfs -o size={size}k tmpfs disk && {{ {program} run {scene} -o disk/run -q --checkpoint-every 0.01; code=$?; \
                     cp -r disk/run run 2>/dev/null; umount disk; rmdir disk; exit $code; }}"
                );
                let mut command = std::process::Command::new("unshare");
                command.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]).current_dir(&at);
                let said = Said::new(command.output().unwrap());
                let what = format!("{name} on a disk of {size} kB of {whole}");
                // (results alone may fit where there is no room for a checkpoint aside: then the run is done)
                assert!(matches!(said.code, Some(0 | 1)), "{what}: {}", said.err);
                if said.code == Some(1) {
                    full += 1;
                    assert!(said.err.contains("No space left"), "{what}: {}", said.err);
                }
                for (table, bytes) in files(&place.path("run")).unwrap_or_default() {
                    let whole = bytes.is_empty()
                        || bytes.ends_with(b"\n")
                        || !table.to_str().unwrap().ends_with(".csv");
                    assert!(whole, "{what}: {}", table.display());
                }
                finish(&place, &scene);
                same(&place, &undisturbed, &what);
            }
        }
        println!("{full} full disks: the same bytes");
        assert!(full >= 20, "{full}");
    }
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
    let (undisturbed, _) = undisturbed(&place, &scene);
    let blocks = undisturbed.values().map(Vec::len).max().unwrap() / 1024;
    let mut command = std::process::Command::new("sh");
    let program = env!("CARGO_BIN_EXE_carom");
    let limited = format!("ulimit -f {}; exec {program} run {scene} -o run -q", blocks);
    let said = Said::new(command.args(["-c", &limited]).current_dir(place.path("")).output().unwrap());
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains("too large") && said.err.contains("carom run --resume run"), "{}", said.err);
    for (name, bytes) in files(&place.path("run")).unwrap() {
        assert!(bytes.ends_with(b"\n") || !name.to_str().unwrap().ends_with(".csv"), "{}", name.display());
    }
    finish(&place, &scene);
    same(&place, &undisturbed, "limit");
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

/// Waits for the end of a command, and returns its code; one that does not end fails the test.
fn ends(place: &Place, args: &[&str]) -> Option<i32> {
    let null = std::process::Stdio::null;
    let mut child = place.command(args).stdin(null()).stdout(null()).stderr(null()).spawn().unwrap();
    for _ in 0..2000 {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
    panic!("{args:?} does not end");
}

/// A folder that someone else has made may have pipes in it, which nobody writes to, and devices, which have no end: they are not read.
#[cfg(unix)]
#[test]
fn pipes_and_devices_in_a_folder_are_not_read() {
    let place = Place::new("pipes");
    let scene = scene(&place, "eggs-in-a-crowd");
    place.carom(&["run", "-q", &scene, "-o", "run"]).done();
    let names = ["states.csv", "summary.json", "scene.json", "contacts.csv", "checkpoint.bin", "run.lock"];
    for name in names {
        let (file, aside) = (place.path(&format!("run/{name}")), place.path("aside"));
        let was_there = fs::rename(&file, &aside).is_ok();
        for device in [None, Some("/dev/zero")] {
            match device {
                None => assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success()),
                Some(device) => std::os::unix::fs::symlink(device, &file).unwrap(),
            }
            for args in [
                &["plot", "run", "b1.z", "-o", "p.svg"][..],
                &["plot", "run", "b1~floor.fn", "-o", "p.svg"],
                &["view", "run", "--no-open", "-o", "p.html"],
                &["compare", "run", "run"],
                &["run", "-q", "--resume", "run", "--until", "0.2"],
            ] {
                assert!(matches!(ends(&place, args), Some(0..=2)), "{name}: {args:?}");
                if !fs::symlink_metadata(&file).is_ok_and(|meta| !meta.is_file()) {
                    break; // what was written anew is a file
                }
            }
            let _ = fs::remove_file(&file);
        }
        if was_there {
            fs::rename(&aside, &file).unwrap();
        }
    }
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
