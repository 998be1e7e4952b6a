//! Random sequences of what is done with a folder of results.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use carom::{Run, RunError, Sink, Snapshot};
use carom_base::file::with_room;
use carom_results::{About, Existing, Folder, Recorded, ResultsError, Sinks};
use carom_scene::{Format, Scene};
use carom_testkit::{End, Files, difference, files};

/// Short scenes whose runs carry different things: bristles, a crowd, samples of a controller with a distance, a field.
const SCENES: [&str; 4] = [
    r#"
[run]
duration = "6 ms"
output_every = "1 ms"
rtol = 1e-4
[[body]]
name = "ball"
mass = 0.1
position = [0, 0, 0.0201]
velocity = [0.2, 0, 0]
surface = [{ type = "sphere", radius = 0.02 }]
[[body]]
name = "floor"
fixed = true
surface = [{ type = "plane" }]
[[contact]]
between = ["*", "*"]
normal = { law = "hertz", stiffness = 1e6 }
friction = { law = "lugre", coefficient = 0.2, static_coefficient = 0.3, stribeck_speed = 0.01, bristle_stiffness = 1e4 }
"#,
    r#"
[run]
method = "crowd"
duration = "6 ms"
output_every = "1 ms"
step = "0.2 ms"
[[body]]
name = "egg"
mass = 0.1
position = [0, 0, 0.0201]
velocity = [0.2, 0.1, -1]
surface = [{ type = "ellipsoid", semi_axes = [0.021, 0.02, 0.02] }]
[[body]]
name = "other"
mass = 0.1
position = [0.041, 0, 0.0201]
surface = [{ type = "ellipsoid", semi_axes = [0.021, 0.02, 0.02] }]
[[body]]
name = "ball"
mass = 0.1
position = [0.02, 0.01, 0.0501]
velocity = [0.2, 0.1, -2]
surface = [{ type = "sphere", radius = 0.02 }]
[[body]]
name = "floor"
fixed = true
surface = [{ type = "plane" }]
[[contact]]
between = ["*", "*"]
normal = { law = "hertz", stiffness = 1e6 }
friction = { law = "cundall-strack", coefficient = 0.2, tangential_stiffness = 1e4 }
"#,
    r#"
[run]
duration = "40 ms"
output_every = "5 ms"
rtol = 1e-5
[[body]]
name = "pole"
mass = 1
inertia = [0.1, 0.1, 0.01]
position = [0, 0, 0.5]
angular_velocity = [0, 0.8, 0]
velocity = [0.4, 0, 0]
surface = [{ type = "sphere", radius = 0.02 }]
[[body]]
name = "ground"
fixed = true
surface = [{ type = "ellipsoid", semi_axes = [0.01, 0.02, 0.03] }]
[[joint]]
name = "pivot"
type = "revolute"
between = ["pole", "ground"]
point = [0, 0, 0]
axis = [0, 1, 0]
[[controller]]
name = "balance"
type = "pid"
input = "pivot.angle"
every = "4 ms"
delay = "1 ms"
gain = 40
integral = 30
[[force]]
name = "motor"
type = "motor"
joint = "pivot"
torque = "balance.u"
[[distance]]
name = "apart"
between = ["pole", "ground"]
"#,
    r#"
[run]
duration = "100 ms"
output_every = "30 ms"
rtol = 1e-6
[[body]]
name = "pad"
mass = 0.1
position = [0, 0, 0.05]
angular_velocity = [3, 1, 2]
surface = [{ type = "box", size = [0.02, 0.02, 0.01] }]
[[body]]
name = "wall"
fixed = true
surface = [{ type = "plane" }]
[[field]]
name = "push"
between = ["pad", "wall"]
repulsion = { exponent = 6, rest_gap = 0.02 }
"#,
];

/// The crowd among them.
const CROWD: usize = 1;

/// A scene, its text and the files that its undisturbed run leaves.
type Known = (Scene, Files);

fn place() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz/commands-run")
}

fn scene(text: &str, duration: Option<f64>) -> Scene {
    let set: Vec<String> = duration.iter().map(|t| format!("run/duration={t}")).collect();
    Scene::from_text(text, Format::Toml, "a.toml", &set).unwrap()
}

/// The scene that an input is about.
fn known(which: usize) -> &'static Known {
    static ALL: [OnceLock<Known>; SCENES.len()] = [const { OnceLock::new() }; SCENES.len()];
    ALL[which].get_or_init(|| {
        let scene = scene(SCENES[which], None);
        drop(fs::remove_dir_all(place()));
        let done = run(new(&scene), None, &scene, End::Never);
        assert!(matches!(done, Some(Ok(_))), "{which}: {done:?}");
        (scene, files(&place()).unwrap())
    })
}

fn new(scene: &Scene) -> Folder {
    Folder::new(place(), About::from(scene), Existing::ReplaceResults).unwrap()
}

/// Goes on with what is in the folder, if a run has begun there.
fn again(scene: &Scene) -> (Folder, Option<Snapshot>) {
    if place().join("scene.json").exists() {
        return Folder::resume(place(), About::from(scene)).unwrap();
    }
    drop(fs::remove_dir_all(place()));
    (new(scene), None)
}

/// The first byte chooses a scene. Each that follows is something that is done: a run, or its continuation, that is killed or stopped, has no
/// room any more, or ends earlier, after so many steps, bytes or parts of its time; or damage. Whatever was done, the folder can be read, and a
/// last continuation gives the bytes of an undisturbed run; where an earlier end was prolonged, its output times.
pub(super) fn commands(input: &[u8]) -> String {
    let Some((which, input)) = input.split_first() else { return "nothing".to_owned() };
    with_room(u64::MAX, || {
        let which = usize::from(*which) % SCENES.len();
        let (scene, undisturbed) = known(which);
        drop(fs::remove_dir_all(place()));
        let (mut said, mut prolonged) = (format!("{which}"), false);
        for &byte in input.iter().take(12) {
            said += " ";
            said += &command(SCENES[which], scene, byte);
            match byte & 7 {
                // (of an integrator, the first steps after events depend on the duration)
                3 => prolonged |= which != CROWD && !said.ends_with("past"),
                4 => prolonged = false,
                _ => {}
            }
        }
        let (folder, from) = again(scene);
        let done = run(folder, from, scene, End::Never);
        assert!(matches!(done, Some(Ok(_))), "{said}: {done:?}");
        match prolonged {
            true => assert_eq!(times(&files(&place()).unwrap()), times(undisturbed), "{said}"),
            false => assert_eq!(difference(&place(), undisturbed).unwrap(), None, "{said}"),
        }
        said
    })
}

/// The output times in the files of a run.
fn times(files: &Files) -> Vec<String> {
    let states = String::from_utf8_lossy(&files[OsStr::new("states.csv")]).into_owned();
    states.lines().map(|line| line.split(',').next().unwrap_or_default().to_owned()).collect()
}

/// Does what a byte says, and says what came of it.
fn command(text: &str, scene: &Scene, byte: u8) -> String {
    let after = usize::from(byte >> 3);
    let done = match byte & 7 {
        0 => {
            let (folder, from) = again(scene);
            run(folder, from, scene, End::Killed(after))
        }
        1 => {
            let (folder, from) = again(scene);
            run(folder, from, scene, End::Stopped(after))
        }
        2 => {
            let (folder, from) = again(scene);
            with_room(1500 * after as u64, || run(folder, from, scene, End::Never))
        }
        3 => {
            let shorter = self::scene(text, Some(scene.duration * (after + 1) as f64 / 32.0));
            let (folder, from) = again(&shorter);
            if from.as_ref().is_some_and(|from| from.t() > shorter.duration) {
                return "past".to_owned();
            }
            run(folder, from, &shorter, End::Never)
        }
        4 => run(new(scene), None, scene, End::Killed(after)),
        5 => return damage(scene, after).to_owned(),
        6 => {
            // (what reads a folder says why it cannot, and panics at nothing)
            let read = Recorded::open(&place()).map(|recorded| recorded.t.len().min(2));
            return format!("{read:?}").chars().filter(|c| c.is_alphabetic()).take(30).collect();
        }
        _ => {
            drop(again(scene));
            return "left".to_owned();
        }
    };
    match done {
        None => "killed".to_owned(),
        Some(Ok(run)) if run.summary.stopped => "stopped".to_owned(),
        Some(Ok(_)) => "done".to_owned(),
        Some(Err(error)) => error.to_string().chars().filter(|c| c.is_alphabetic()).take(60).collect(),
    }
}

/// Damages the checkpoint, if there is one: it is refused.
fn damage(scene: &Scene, after: usize) -> &'static str {
    let path = place().join("checkpoint.bin");
    let Ok(mut bytes) = fs::read(&path) else { return "whole" };
    let at = bytes.len() * after / 32;
    match after % 3 {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << (after % 8),
        _ => bytes.push(0),
    }
    fs::write(&path, &bytes).unwrap();
    let refused = Folder::resume(place(), About::from(scene)).map(|(_, from)| from);
    assert!(matches!(refused, Err(ResultsError::Checkpoint { .. })), "{refused:?}");
    fs::remove_file(&path).unwrap();
    "damaged"
}

/// Runs to such an end; says how, unless the program was killed.
fn run(mut folder: Folder, from: Option<Snapshot>, scene: &Scene, end: End) -> Option<Result<Run, RunError>> {
    folder = folder.checkpoint_every(Duration::ZERO);
    let (sim, mut go_on) = (scene.simulation(), end.watch());
    let go = || {
        let mut sinks = Sinks::new([&mut folder as &mut dyn Sink], &mut go_on);
        sim.resume_into(from.as_ref(), &mut sinks)
    };
    let outcome = End::of(go)?;
    let _ = folder.close(&outcome);
    Some(outcome)
}
