//! Random sequences of what is done with a folder of results.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use carom::{RunError, Sink, Snapshot};
use carom_base::file::with_room;
use carom_results::{About, Existing, Folder, Recorded, Sinks};
use carom_scene::{Format, Scene};

const SCENE: &str = r#"
[run]
duration = "20 ms"
output_every = "2 ms"
rtol = 1e-5
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
"#;

/// The files of a folder but for the times on the clock.
fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let all = fs::read_dir(path).unwrap().map(Result::unwrap);
    let all = all.filter(|entry| entry.file_name() != "timing.json" && entry.file_name() != "run.lock");
    all.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// Each byte is something that is done: a run, or its continuation, that is killed or stopped, or has no room any more, after so many
/// steps or bytes. Whatever was done, the folder can be read, and a last continuation gives the bytes of an undisturbed run.
pub(super) fn commands(input: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz/commands-run");
    let scene = Scene::from_text(SCENE, Format::Toml, "ball.toml", &[]).unwrap();
    let again = |path: &Path| -> (Folder, Option<Snapshot>) {
        if !path.join("scene.json").exists() {
            drop(fs::remove_dir_all(path));
            return (Folder::new(path, About::from(&scene), Existing::ReplaceResults).unwrap(), None);
        }
        Folder::resume(path, About::from(&scene)).unwrap()
    };
    with_room(u64::MAX, || {
        drop(fs::remove_dir_all(&path));
        let new = || Folder::new(&path, About::from(&scene), Existing::ReplaceResults).unwrap();
        run(new(), None, &scene, Some((usize::MAX, true)));
        let undisturbed = files(&path);
        for &byte in input.iter().take(12) {
            let after = usize::from(byte >> 3);
            let (folder, from) = if byte & 1 == 0 { again(&path) } else { (new(), None) };
            match byte >> 1 & 3 {
                0 => drop(run(folder, from, &scene, Some((after, false)))),
                1 => drop(run(folder, from, &scene, Some((after, true)))),
                2 => drop(with_room(800 * after as u64, || run(folder, from, &scene, None))),
                _ => drop(folder),
            }
            if path.join("summary.json").exists() && path.join("states.csv").exists() {
                let _ = Recorded::open(&path).map(|recorded| recorded.t.len());
            }
        }
        let (folder, from) = again(&path);
        let outcome = run(folder, from, &scene, None);
        assert!(matches!(outcome, Some(Ok(_))));
        assert!(files(&path) == undisturbed);
    });
    "the same".to_owned()
}

/// Runs to the end, or is stopped in good order (`true`) or killed (`false`) after so many steps.
fn run(
    mut folder: Folder,
    from: Option<Snapshot>,
    scene: &Scene,
    end: Option<(usize, bool)>,
) -> Option<Result<carom::Run, RunError>> {
    folder = folder.checkpoint_every(Duration::ZERO);
    let mut steps = 0;
    let mut go_on = |_: f64| {
        steps += 1;
        match end {
            Some((after, orderly)) if steps > after => {
                if orderly {
                    ControlFlow::Break(())
                } else {
                    std::panic::resume_unwind(Box::new("killed"))
                }
            }
            _ => ControlFlow::Continue(()),
        }
    };
    let sim = scene.simulation();
    let go = || {
        let mut sinks = Sinks::new([&mut folder as &mut dyn Sink], &mut go_on);
        match &from {
            Some(snapshot) => sim.resume_into(snapshot, &mut sinks),
            None => sim.run_into(&mut sinks),
        }
    };
    let outcome = catch_unwind(AssertUnwindSafe(go)).ok()?;
    let _ = folder.close(&outcome);
    Some(outcome)
}
