//! Runs that are broken off: what is left of them, and how they go on.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use carom::{RunError, Sink, Snapshot};
use carom_base::file::with_room;
use carom_results::{About, Existing, Folder, ResultsError, Sinks};
use carom_scene::{Format, Scene};
use carom_testkit::{End, Files, difference, files, one_in};

/// Two balls that bounce and rub on a floor, and each other: bristles, a distance with a search, moments between output times.
const SCENE: &str = r#"
title = "two balls"
[run]
duration = "40 ms"
output_every = "2 ms"
rtol = 1e-6
[[body]]
name = "one"
mass = 0.1
position = [0, 0, 0.021]
velocity = [0.4, 0, 0]
surface = [{ type = "sphere", radius = 0.02 }]
[[body]]
name = "-other"
mass = 0.1
position = [0.045, 0.004, 0.023]
angular_velocity = [3, 1, 5]
surface = [{ type = "ellipsoid", semi_axes = [0.02, 0.018, 0.019] }]
[[body]]
name = "floor"
fixed = true
surface = [{ type = "plane" }]
[[contact]]
between = ["*", "*"]
normal = { law = "hunt-crossley", stiffness = 1e6, damping = 1.0 }
friction = { law = "lugre", coefficient = 0.2, static_coefficient = 0.3, stribeck_speed = 0.01, bristle_stiffness = 1e4 }
[[distance]]
name = "apart"
between = ["one", "-other"]
"#;

fn scene(set: &[&str]) -> Scene {
    let set: Vec<String> = set.iter().map(|&s| s.to_owned()).collect();
    Scene::from_text(SCENE, Format::Toml, "two-balls.toml", &set).unwrap()
}

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("broken-off-{name}"));
    drop(fs::remove_dir_all(&path));
    path
}

fn same(path: &Path, undisturbed: &Files, place: &str) {
    assert_eq!(difference(path, undisturbed).unwrap(), None, "{place}");
}

/// Why a run failed; a run that is killed says nothing.
fn run_into(mut folder: Folder, scene: &Scene, from: Option<Snapshot>, end: End) -> Result<(), String> {
    let sim = scene.simulation();
    let mut go_on = end.watch();
    let go = || {
        let mut sinks = Sinks::new([&mut folder as &mut dyn Sink], &mut go_on);
        sim.resume_into(from.as_ref(), &mut sinks)
    };
    let Some(outcome) = End::of(go) else { return Ok(()) };
    let closed = folder.close(&outcome);
    outcome.map_err(|e| e.to_string())?;
    closed.map_err(|e| e.to_string())
}

fn begin(path: &Path, scene: &Scene, end: End) -> Result<(), String> {
    let folder = Folder::new(path, About::from(scene), Existing::ReplaceResults).unwrap();
    run_into(folder.checkpoint_every(Duration::ZERO), scene, None, end)
}

fn resume(path: &Path, scene: &Scene, end: End) -> Result<(), String> {
    let (folder, snapshot) = Folder::resume(path, About::from(scene)).unwrap();
    run_into(folder.checkpoint_every(Duration::ZERO), scene, snapshot, end)
}

/// All lines that are there are whole, and the summary can be read.
fn is_sound(path: &Path, place: &str) {
    for (name, bytes) in files(path).unwrap() {
        let name = name.to_str().unwrap();
        if name.ends_with(".csv") {
            assert!(bytes.is_empty() || bytes.ends_with(b"\n"), "{place}: {name} ends within a line");
        }
        if name.ends_with(".json") {
            assert!(serde_json::from_slice::<serde_json::Value>(&bytes).is_ok(), "{place}: {name}");
        }
        assert!(!name.ends_with(".part"), "{place}: {name}");
    }
}

/// Returns how many bytes a run writes in all, files that are written aside and checkpoints too: found by trial.
fn written(path: &Path, scene: &Scene) -> u64 {
    let fits = |room: u64| with_room(room, || begin(path, scene, End::Never)).is_ok();
    let mut all = 1 << 12;
    while !fits(all) {
        all *= 2;
    }
    let mut less = all / 2;
    while all - less > 1 {
        let middle = less + (all - less) / 2;
        if fits(middle) { all = middle } else { less = middle }
    }
    all
}

/// On disks that are full after so many bytes whole lines are left, the reason is said, and the run goes on from there to the same bytes.
fn full_disks(name: &str, scene: &Scene, rooms: impl FnOnce(u64) -> Vec<u64>) {
    let path = scratch(name);
    with_room(u64::MAX, || begin(&path, scene, End::Never)).unwrap();
    let undisturbed = files(&path).unwrap();
    let all = written(&path, scene);
    for room in rooms(all) {
        drop(fs::remove_dir_all(&path));
        let place = format!("{room} bytes of {all}");
        let error = with_room(room, || begin(&path, scene, End::Never)).unwrap_err();
        assert!(error.contains("no storage space") || error.contains("No space"), "{place}: {error}");
        is_sound(&path, &place);
        let held = with_room(u64::MAX, || match path.join("scene.json").exists() {
            true => resume(&path, scene, End::Never),
            // it had not begun
            false => {
                drop(fs::remove_dir_all(&path));
                begin(&path, scene, End::Never)
            }
        });
        held.unwrap();
        same(&path, &undisturbed, &place);
    }
}

#[test]
fn a_full_disk_loses_nothing() {
    // (an odd step, so that all places of lines and checkpoints are met)
    full_disks("full", &scene(&[]), |all| one_in(30, (0..all).step_by((all / 1500) as usize | 1)).collect());
}

mod long {
    use super::*;

    #[test]
    #[ignore = "a minute"]
    fn a_full_disk_at_every_byte_of_a_short_run_loses_nothing() {
        let scene = scene(&["run/duration=0.003", "run/output_every=0.001"]);
        full_disks("every-byte", &scene, |all| {
            println!("{all} bytes");
            (0..all).collect()
        });
    }
}

/// Killed or stopped anywhere, also while it goes on, a run ends with the bytes of one that was not.
#[test]
fn a_run_that_is_killed_or_stopped_goes_on() {
    let scene = scene(&[]);
    let path = scratch("killed");
    with_room(u64::MAX, || {
        begin(&path, &scene, End::Never).unwrap();
        let undisturbed = files(&path).unwrap();
        for end in
            [End::Killed(1), End::Killed(20), End::Killed(60), End::StoppedAt(0.0), End::StoppedAt(0.023)]
        {
            drop(fs::remove_dir_all(&path));
            begin(&path, &scene, end).unwrap();
            resume(&path, &scene, End::Killed(9)).unwrap();
            resume(&path, &scene, End::StoppedAt(0.03)).unwrap();
            is_sound(&path, "stopped");
            resume(&path, &scene, End::Never).unwrap();
            same(&path, &undisturbed, "killed");
        }
    });
}

/// A longer duration takes a finished run on; its output times stay those of the scene.
#[test]
fn a_finished_run_is_prolonged() {
    let path = scratch("prolonged");
    // (an end that is no output time)
    begin(&path, &scene(&["run/duration=0.0133"]), End::Never).unwrap();
    let short = fs::read_to_string(path.join("states.csv")).unwrap();
    resume(&path, &scene(&[]), End::Never).unwrap();
    let long = fs::read_to_string(path.join("states.csv")).unwrap();
    let times = |text: &str| -> Vec<f64> {
        text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect()
    };
    assert_eq!(times(&short).last(), Some(&0.0133));
    let grid: Vec<f64> = (0..=20).map(|i| f64::from(i) * 0.002).collect();
    assert!(times(&long).iter().zip(&grid).all(|(a, b)| (a - b).abs() < 1e-15), "{:?}", times(&long));
    assert_eq!(times(&long).len(), grid.len());
    // it differs from a run of that length by no more than the tolerance
    let whole = scratch("whole");
    begin(&whole, &scene(&[]), End::Never).unwrap();
    let undisturbed = fs::read_to_string(whole.join("states.csv")).unwrap();
    for (a, b) in long.lines().zip(undisturbed.lines()).skip(1) {
        let apart = a.split(',').zip(b.split(',')).map(|(a, b)| {
            let (a, b): (f64, f64) = (a.parse().unwrap(), b.parse().unwrap());
            (a - b).abs() / (1.0 + b.abs())
        });
        assert!(apart.fold(0.0, f64::max) < 1e-4, "{a}\n{b}");
    }
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(path.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["duration"], 0.04);
}

/// What is no checkpoint, is damaged or belongs to another scene is refused, and nothing is changed.
#[test]
fn wrong_checkpoints_are_refused() {
    let (scene, path) = (scene(&[]), scratch("wrong"));
    begin(&path, &scene, End::StoppedAt(0.02)).unwrap();
    let before = files(&path).unwrap();
    let other = self::scene(&["body/one/mass=0.2"]);
    let (mut folder, snapshot) = Folder::resume(&path, About::from(&other)).unwrap();
    let outcome = other.simulation().resume_into(snapshot.as_ref(), &mut folder);
    assert!(matches!(outcome, Err(RunError::Snapshot(_))));
    folder.close(&outcome).unwrap();
    drop(folder);
    same(&path, &before, "another scene");
    let checkpoint = path.join("checkpoint.bin");
    let bytes = fs::read(&checkpoint).unwrap();
    for i in one_in(11, (0..bytes.len()).step_by(13)) {
        let mut damaged = bytes.clone();
        damaged[i] ^= 0x20;
        for wrong in [&damaged[..], &bytes[..i]] {
            fs::write(&checkpoint, wrong).unwrap();
            let refused = Folder::resume(&path, About::from(&scene)).unwrap_err();
            assert!(matches!(refused, ResultsError::Checkpoint { .. }), "byte {i}: {refused}");
        }
    }
}

/// Nothing in a folder leads elsewhere.
#[cfg(unix)]
#[test]
fn links_in_a_folder_are_not_written_through() {
    let (scene, path) = (scene(&[]), scratch("links"));
    begin(&path, &scene, End::StoppedAt(0.02)).unwrap();
    let victim = path.with_extension("victim");
    fs::write(&victim, "precious").unwrap();
    let names: Vec<std::ffi::OsString> =
        files(&path).unwrap().into_keys().chain(["run.lock", "view.html"].map(Into::into)).collect();
    for name in &names {
        let link = path.join(name);
        if name == "summary.json" {
            continue; // it is read: without it the folder is not ours
        }
        drop(fs::remove_file(&link));
        std::os::unix::fs::symlink(&victim, &link).unwrap();
    }
    begin(&path, &scene, End::Never).unwrap();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    for (name, _) in files(&path).unwrap() {
        assert!(fs::symlink_metadata(path.join(&name)).unwrap().is_file(), "{}", name.display());
    }
}

/// Takes every step once more from a snapshot of the state before it: the state after it has to be the same to the bit. Where it is not, says
/// after which step.
fn steps_are_repeatable(name: &str, every: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let scene = Scene::from_file(&path, &[]).unwrap();
    let sim = scene.simulation();
    let mut running = sim.begin().unwrap();
    let (mut ours, mut theirs) = (carom::Recording::within(), carom::Recording::within());
    assert!(running.step(&mut ours).unwrap());
    let mut before = running.snapshot().unwrap();
    let mut steps = 1;
    while running.step(&mut ours).unwrap() {
        let after = running.snapshot().unwrap();
        steps += 1;
        if steps % every == 0 {
            let mut again = sim.begin().unwrap();
            again.restore(&before).unwrap();
            again.step(&mut theirs).unwrap();
            assert!(again.snapshot().unwrap() == after, "{name}: step {steps}, to t = {}", after.t());
        }
        before = after;
    }
}

#[test]
fn every_step_can_be_taken_again() {
    for name in ["stack-of-boxes.toml", "stick-slip.toml", "slider-crank-wear.toml"] {
        steps_are_repeatable(name, if carom_testkit::all_cases() { 1 } else { 7 });
    }
}
