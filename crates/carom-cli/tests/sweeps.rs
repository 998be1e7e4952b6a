//! Sweeps: the same table whatever the threads, shards and interruptions.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Place, csv, drawn, example, json};

/// Torus drops, tilted and rubbing differently, each a few milliseconds long.
fn drops(friction: usize, tilts: usize) -> Vec<String> {
    let vary = [
        format!("--vary=contact/ring~floor/friction/coefficient=0:0.5:{friction}"),
        format!("--vary=body/ring/orientation/angle=5:85deg:{tilts}"),
    ];
    let rest = [
        "--set=run/duration=0.25 s",
        "--measure=lift=max(ring.z) - min(ring.z)",
        "--measure=f=max(ring~floor.fn)",
    ];
    let head = ["sweep".to_owned(), example("torus-tilted.toml")];
    head.into_iter().chain(vary).chain(rest.map(str::to_owned)).collect()
}

fn with<'a>(args: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    args.iter().map(String::as_str).chain(more.iter().copied()).collect()
}

/// Whole lines of the journal behind its head: one a run.
fn runs_done(folder: &Path) -> usize {
    let text = fs::read_to_string(folder.join("sweep.journal")).unwrap_or_default();
    text.matches('\n').count().saturating_sub(1)
}

/// Kills the sweep `kills` times, each time after a few rows more, and lets it end; then the table is that of one that nobody disturbed, and no run was done twice.
fn killed_again_and_again(name: &str, (friction, tilts): (usize, usize), kills: usize) {
    let place = Place::new(name);
    let args = drops(friction, tilts);
    let all = friction * tilts;
    place.carom(&with(&args, &["-o", "whole", "--jobs", "2", "-q"])).done();
    let folder = place.path("killed");
    let mut random = 12345u64;
    for kill in 1..=kills {
        let go_on = with(&args, &["-o", "killed", "--jobs", "2", "-q"]);
        let mut child = place.command(&go_on).stderr(Stdio::null()).spawn().unwrap();
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        // somewhere in the kill-th part of the sweep
        let part = all / (kills + 1);
        let until = (kill - 1) * part + (random >> 33) as usize % part + 1;
        let start = Instant::now();
        while runs_done(&folder) < until && start.elapsed() < Duration::from_secs(300) {
            std::thread::sleep(Duration::from_micros(300));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let done = runs_done(&folder);
        assert!(done >= until && done < all, "{done} of {all} at kill {kill}");
        // what a crash of the machine may leave: part of a line
        if kill % 2 == 0 {
            let path = folder.join("sweep.journal");
            let mut text = fs::read(&path).unwrap();
            let whole = 1 + text.iter().rposition(|b| *b == b'\n').unwrap();
            text.truncate(whole);
            text.extend_from_slice(b"0123456789abcdef,7,0.1,3");
            fs::write(&path, text).unwrap();
        }
    }
    place.carom(&with(&args, &["-o", "killed", "--jobs", "2", "-q"])).done();
    let [whole, killed] = ["whole", "killed"].map(|f| fs::read(place.path(f).join("table.csv")).unwrap());
    assert_eq!(whole.iter().filter(|b| **b == b'\n').count(), 1 + all);
    assert!(whole == killed, "the tables differ");
    // every run once: as many rows as runs, and the lines that were cut by hand
    let text = fs::read_to_string(folder.join("sweep.journal")).unwrap();
    let cut = text.lines().filter(|l| *l == "0123456789abcdef,7,0.1,3").count();
    assert_eq!((text.lines().count(), cut), (1 + all + kills / 2, kills / 2));
    // and nothing is left to do
    let said = place.carom(&with(&args, &["-o", "killed"])).done();
    assert!(said.contains(&format!("{all} done before")) && said.contains("  0 runs in "), "{said}");
}

#[test]
fn a_sweep_survives_being_killed() {
    killed_again_and_again("sweep-kill", (10, 10), 5);
}

/// `cargo xtask verify sweep`.
#[test]
#[ignore = "minutes"]
fn a_sweep_of_a_thousand_survives_being_killed() {
    killed_again_and_again("sweep-kill-1000", (25, 40), 10);
}

/// What a second core brings: told, and not tested, as it depends on what else the machine does.
#[test]
#[ignore = "minutes"]
fn the_rate_of_a_thousand_on_one_and_two_cores() {
    let place = Place::new("sweep-rate");
    let args: Vec<String> = drops(25, 40).into_iter().filter(|a| !a.contains("duration")).collect();
    let mut rates = [Vec::new(), Vec::new()];
    for round in 0..3 {
        for jobs in [1, 2] {
            let (jobs_text, start) = (jobs.to_string(), Instant::now());
            place.carom(&with(&args, &["-o", "s", "--jobs", &jobs_text, "--restart", "-q"])).done();
            rates[jobs - 1].push(1000.0 / start.elapsed().as_secs_f64());
        }
        let [one, two] = [0, 1].map(|i| rates[i][round]);
        println!("1 thread {one:.1} runs/s    2 threads {two:.1} runs/s    ratio {:.2}", two / one);
    }
}

#[test]
fn threads_and_shards_change_nothing() {
    let place = Place::new("sweep-shards");
    let args = drops(3, 5);
    for (folder, jobs) in [("one", "1"), ("three", "3")] {
        place.carom(&with(&args, &["-o", folder, "--jobs", jobs, "-q"])).done();
    }
    let table = |folder: &str| fs::read_to_string(place.path(folder).join("table.csv")).unwrap();
    assert_eq!(table("one"), table("three"));
    for shard in ["1/4", "2/4", "4/4"] {
        let folder = format!("parts/{}", &shard[..1]);
        place.carom(&with(&args, &["-o", &folder, "--shard", shard, "-q"])).done();
    }
    // one is missing, and is run in the folder of the whole
    let said = place.carom(&["sweep", "merge", "parts/1", "parts/2", "parts/4", "-o", "parts"]).done();
    assert!(said.contains("11 rows") && said.contains("4 of 15 missing"), "{said}");
    let said = place.carom(&with(&args, &["-o", "parts"])).done();
    assert!(said.contains("11 done before") && said.contains("  4 runs in "), "{said}");
    assert_eq!(table("parts"), table("one"));
    place.carom(&with(&args, &["-o", "last", "--shard", "3/4", "-q"])).done();
    let folders = ["parts/1", "parts/2", "last", "parts/4"];
    place.carom(&[&["sweep", "merge"], &folders[..], &["-o", "merged"]].concat()).done();
    assert_eq!(table("merged"), table("one"));
    let other = with(&args, &["--set", "run/rtol=1e-9", "-o", "other", "--shard", "3/4", "-q"]);
    place.carom(&other).done();
    let err = place.carom(&["sweep", "merge", "parts/1", "other", "-o", "mixed"]).failed(2);
    assert!(err.contains("other holds another sweep: its set was "), "{err}");
}

#[test]
fn another_sweep_is_refused_by_name() {
    let place = Place::new("sweep-other");
    let scene = example("bouncing-ball.toml");
    let vary = "--vary=contact/ball~floor/normal/restitution=0.2,0.9";
    place.carom(&["sweep", &scene, vary, "-o", "s", "-q"]).done();
    let first = fs::read(place.path("s/table.csv")).unwrap();
    for (more, what) in [
        (&["--set", "run/rtol=1e-8"][..], "its set was [], not "),
        (&["--measure", "a=max(ball.z)"], "its measure was "),
        (&["--keep"], "its keep was false, not true"),
        (&["--shard", "1/2"], "its shard was "),
    ] {
        let err = place.carom(&[&["sweep", &scene, vary, "-o", "s"], more].concat()).failed(2);
        assert!(err.starts_with("error: s holds another sweep: ") && err.contains(what), "{err}");
    }
    assert_eq!(fs::read(place.path("s/table.csv")).unwrap(), first);
    place.carom(&["sweep", &scene, vary, "-o", "s", "-q", "--keep", "--restart"]).done();
    assert_eq!(fs::read(place.path("s/table.csv")).unwrap(), first);
    // files of others
    fs::create_dir(place.path("mine")).unwrap();
    fs::write(place.path("mine/notes.txt"), "keep").unwrap();
    let err = place.carom(&["sweep", &scene, vary, "-o", "mine"]).failed(2);
    assert!(err.starts_with("error: mine holds files that are no sweep of carom"), "{err}");
}

/// ResultSet runs are those of `carom run`, and measures are what their files say.
#[test]
fn kept_runs_and_measures_agree() {
    let place = Place::new("sweep-keep");
    let scene = example("bouncing-ball.toml");
    let measures = ["top=max(ball.z)", "f=max(ball~floor.fn)", "first=touch.1", "n=count(touch, ball~floor)"];
    let mut args = vec!["sweep", &scene, "--vary", "contact/ball~floor/normal/restitution=0.5,0.9", "--keep"];
    measures.iter().for_each(|m| args.extend(["-m", m]));
    place.carom(&[&args[..], &["-o", "s", "-q"]].concat()).done();
    let rows = csv(place.path("s/table.csv"));
    for (i, restitution) in ["0.5", "0.9"].iter().enumerate() {
        let set = format!("contact/ball~floor/normal/restitution={restitution}");
        place.carom(&["run", &scene, "--set", &set, "-o", "r", "-q"]).done();
        for name in ["states.csv", "events.csv", "contacts.csv", "energy.csv", "summary.json"] {
            let kept = fs::read(place.path("s/runs").join(i.to_string()).join(name)).unwrap();
            assert_eq!(kept, fs::read(place.path("r").join(name)).unwrap(), "{name}");
        }
        let largest = |file: &str, column: &str| {
            let lines = csv(place.path("r").join(file));
            lines.iter().map(|l| l[column].parse::<f64>().unwrap()).fold(f64::NEG_INFINITY, f64::max)
        };
        let cell = |name: &str| rows[i][name].parse::<f64>().unwrap();
        assert_eq!(cell("top"), largest("states.csv", "ball.z"));
        assert_eq!(cell("f"), largest("contacts.csv", "fn"));
        let events = csv(place.path("r/events.csv"));
        let touches: Vec<_> = events.iter().filter(|e| e["kind"] == "touch").collect();
        assert_eq!(cell("first"), touches[0]["t"].parse::<f64>().unwrap());
        assert_eq!(cell("n"), touches.len() as f64);
        let summary = json(place.path("r/summary.json"));
        for name in ["peak_force", "energy_end", "audit_relative", "touches"] {
            assert_eq!(Some(cell(name)), summary[name].as_f64(), "{name}");
        }
    }
}

#[test]
fn failed_runs_are_rows() {
    let place = Place::new("sweep-failed");
    let scene = example("bouncing-ball.toml");
    // fine, no stiffness can be negative, harder than numbers can be
    let vary = "contact/ball~floor/normal/stiffness=1e8,-1,1e300";
    let err = place.carom(&["sweep", &scene, "--vary", vary, "-o", "s", "-q"]).failed(1);
    assert!(err.contains("2 of 3 runs failed") && err.contains("run 1: "), "{err}");
    assert!(err.contains("`stiffness` cannot be -1"), "{err}");
    let text = fs::read_to_string(place.path("s/table.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[1].ends_with(',') && lines[2].contains("`stiffness` cannot be -1"), "{text}");
    assert!(lines[3].contains("at t = 0.3192754284"), "{text}");
    // a second time: nothing is run again
    let err = place.carom(&["sweep", &scene, "--vary", vary, "-o", "s", "-q"]).failed(1);
    assert!(err.contains("2 of 3 runs failed") && !err.contains("run 1: "), "{err}");
    // all of them
    let err = place.carom(&["sweep", &scene, "--vary", "run/rtol=-1,-2", "-o", "all", "-q"]).failed(1);
    assert!(err.contains("2 of 2 runs failed"), "{err}");
}

#[test]
fn wrong_input_is_said_at_once() {
    let place = Place::new("sweep-wrong");
    let scene = example("bouncing-ball.toml");
    let good = "run/rtol=1e-6,1e-8";
    for (args, what) in [
        (&["--vary", "run/rtoll=1,2"][..], "did you mean `rtol`?"),
        (&["--vary", "run/rtol=1e-6:1e-9"], "how many?"),
        (&["--vary", good, "--samples", "3", "--design", "sobl"], "sobol"),
        (&["--vary", good, "--measure", "a=max(bal.z)"], "did you mean `ball.z`?"),
        (&["--vary", good, "--measure", "a=ball.z"], "`ball.z` changes with time"),
        (&["--vary", good, "--measure", "a=max(ball.z"], "`)` is missing"),
        (&["--vary", good, "--measure", "a=count(bounce)"], "not `bounce`"),
        (&["--vary", good, "--measure", "error=max(ball.z)"], "two columns"),
        (&["--vary", good, "--set", "run/atol=x"], "atol"),
        (&["--vary", good, "--shard", "3/2"], "which, from 1, of how many"),
        (&[], "--vary <PATH=VALUES>"),
    ] {
        let err = place.carom(&[&["sweep", &scene], args].concat()).failed(2);
        assert!(err.contains(what), "{args:?}: {err}");
    }
    assert!(!place.path("out").exists());
    let err = place.carom(&["sweep", "plot", "."]).failed(2);
    assert!(err.contains(". is no folder of a sweep"), "{err}");
}

#[test]
fn figures_of_sweeps() {
    let place = Place::new("sweep-plot");
    let args = drops(3, 4);
    place.carom(&with(&args, &["-o", "s", "-q"])).done();
    let said = place.carom(&["sweep", "plot", "s"]).done();
    assert!(said.contains("12 of 12 runs, grid") && said.contains("lift"), "{said}");
    place.carom(&["sweep", "plot", "s", "peak_force"]).done();
    let map = drawn(&place.path("s/peak_force.svg"));
    assert!(map.contains("peak_force [N]") && map.contains("angle [deg]"));
    drawn(&place.path("s/peak_force.png"));
    place
        .carom(&["sweep", "plot", "s", "lift", "--against", "angle", "--by", "coefficient", "-o", "l.svg"])
        .done();
    let lines = drawn(&place.path("l.svg"));
    assert!(lines.contains("coefficient = 0.25") && lines.contains("lift"));
    place.carom(&["sweep", "plot", "s", "f", "--at", "coefficient=0.5", "-o", "one.svg"]).done();
    assert!(fs::read_to_string(place.path("one.svg")).unwrap().contains("f [N]"));
    let err = place.carom(&["sweep", "plot", "s", "lft"]).failed(2);
    assert!(err.contains("did you mean `lift`?"), "{err}");
    let err = place.carom(&["sweep", "plot", "s", "lift", "--against", "mass"]).failed(2);
    assert!(err.contains("`mass`"), "{err}");
}

#[test]
fn a_job_script_does_what_the_sweep_does() {
    let place = Place::new("sweep-slurm");
    let scene = example("bouncing-ball.toml");
    let plan = ["--vary", "body/ball/position/2=20mm:100mm:log", "--samples", "6", "--design", "sobol"];
    let measure = ["-m", "up=max(ball.z)"];
    let args = [&["sweep", &scene], &plan[..], &measure[..]].concat();
    let script = place.carom(&[&args[..], &["-o", "s", "--slurm", "2"]].concat()).done();
    assert!(script.starts_with("#!/bin/bash\n#SBATCH") && script.contains("#SBATCH --array=1-2\n"));
    assert!(!place.path("s").exists());
    place.carom(&[&args[..], &["-o", "whole", "-q"]].concat()).done();
    if cfg!(unix) {
        fs::write(place.path("sweep.sh"), &script).unwrap();
        let program = Path::new(env!("CARGO_BIN_EXE_carom")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        for task in ["1", "2"] {
            let mut bash = std::process::Command::new("bash");
            bash.arg("sweep.sh").current_dir(&place.0).env("PATH", &path).env("SLURM_ARRAY_TASK_ID", task);
            let ran = bash.output().unwrap();
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        }
        place.carom(&["sweep", "merge", "s/shard-1-of-2", "s/shard-2-of-2", "-o", "s"]).done();
        let [whole, parts] = ["whole", "s"].map(|f| fs::read(place.path(f).join("table.csv")).unwrap());
        assert_eq!(whole, parts);
    }
}

/// Ctrl-C: what is done is in the table, and the rest is done later.
#[cfg(unix)]
#[test]
fn a_sweep_can_be_stopped() {
    let place = Place::new("sweep-stop");
    let args = drops(20, 20);
    let go = with(&args, &["-o", "s", "--jobs", "2"]);
    let child = place.command(&go).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while runs_done(&place.path("s")) < 5 {
        assert!(start.elapsed().as_secs() < 60);
        std::thread::sleep(Duration::from_millis(1));
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let said = crate::common::Said::new(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(1), "{}", said.out);
    let end = "of 400 runs; the same command goes on from there\n";
    assert!(said.err.starts_with("stopped after ") && said.err.ends_with(end), "{}", said.err);
    let rows = fs::read_to_string(place.path("s/table.csv")).unwrap().lines().count() - 1;
    assert_eq!(rows, runs_done(&place.path("s")));
    assert!((5..400).contains(&rows));
}

/// Two processes in one folder: the second is told so, and can have it when the first is dead, however it died.
#[test]
fn a_folder_is_for_one_at_a_time() {
    let place = Place::new("sweep-lock");
    let args = drops(20, 20);
    let go = with(&args, &["-o", "s", "--jobs", "1", "-q"]);
    let mut first = place.command(&go).spawn().unwrap();
    let start = Instant::now();
    while runs_done(&place.path("s")) < 2 {
        assert!(start.elapsed().as_secs() < 60);
        std::thread::sleep(Duration::from_millis(1));
    }
    let err = place.carom(&go).failed(2);
    assert!(err.starts_with("error: s is being written by another process (process "), "{err}");
    let err = place.carom(&["sweep", "merge", "s", "-o", "s"]).failed(2);
    assert!(err.contains("another process"), "{err}");
    first.kill().unwrap();
    first.wait().unwrap();
    let few = drops(1, 2);
    place.carom(&with(&few, &["-o", "s", "--restart", "-q"])).done();
}

/// Files that a scene names are part of it; values may be written in another way.
#[test]
fn what_makes_a_sweep_the_same() {
    let place = Place::new("sweep-same");
    let mut scene = fs::read_to_string(example("bouncing-ball.toml")).unwrap();
    let shape = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    scene += "\n[[body]]\nname = \"flag\"\nfixed = true\nmesh = { file = \"flag.obj\" }\n";
    fs::write(place.path("ball.toml"), scene).unwrap();
    fs::write(place.path("flag.obj"), shape).unwrap();
    let sweep = |more: &[&str]| {
        let head = ["sweep", "ball.toml", "-o", "s", "--set", "run/duration=10 ms"];
        place.carom(&[&head[..], more].concat())
    };
    sweep(&["--vary", "run/rtol=1e-6,1e-7"]).done();
    let said = sweep(&["--vary", "run/rtol=0.000001,1E-7"]).done();
    assert!(said.contains("2 done before"), "{said}");
    let head = ["sweep", "ball.toml", "-o", "s", "--vary", "run/rtol=1e-6,1e-7"];
    let said = place.carom(&[&head[..], &["--set", "run/duration=\"10 ms\""]].concat()).done();
    assert!(said.contains("2 done before"), "{said}");
    fs::write(place.path("flag.obj"), shape.replace("v 1", "v 2")).unwrap();
    let err = sweep(&["--vary", "run/rtol=1e-6,1e-7"]).failed(2);
    assert!(err.contains("its files that the scene names (by hashes of what is in them) was "), "{err}");
    fs::write(place.path("flag.obj"), shape).unwrap();
    sweep(&["--vary", "run/rtol=1e-6,1e-7"]).done();
}

/// Samples over two paths: a dot for each, of the colour of its value.
#[test]
fn samples_have_a_map() {
    let place = Place::new("sweep-dots");
    let scene = example("bouncing-ball.toml");
    let vary =
        ["--vary=contact/ball~floor/normal/restitution=0.1:0.9", "--vary=body/ball/position/2=0.2:0.5"];
    let more = ["--set=run/duration=0.5 s", "--samples=16", "--design=sobol", "-o", "s", "-q"];
    place.carom(&[&["sweep", &scene], &vary[..], &more[..]].concat()).done();
    place.carom(&["sweep", "plot", "s", "peak_force", "-o", "map.svg"]).done();
    let map = drawn(&place.path("map.svg"));
    assert!(map.contains("peak_force [") && map.contains("position/2"), "{map}");
    assert_eq!(map.matches("<circle").count(), 16);
    place.carom(&["sweep", "plot", "s", "peak_force", "--against", "restitution", "-o", "dots.svg"]).done();
    assert!(!drawn(&place.path("dots.svg")).contains("position/2"));
}
