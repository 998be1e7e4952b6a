//! The program and a few lines of Rust write the same bytes. (That Python does too is tested in `python/tests/test_bytes.py`, for the same scenes.)

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use crate::common::{Place, example};
use carom_results::{About, Existing, Folder, Memory, ResultSet};
use carom_scene::Scene;

/// Contacts, joints, fields, bodies that deform, wear; then analyses.
const SCENES: [(&str, &[&str]); 9] = [
    ("newtons-cradle.json", &["run/duration=0.02"]),
    ("four-bar.toml", &["run/duration=0.02"]),
    ("creeping-block.toml", &["run/duration=0.02"]),
    ("jelly-drop.toml", &["run/duration=0.02"]),
    ("slider-crank-wear.toml", &["run/duration=0.002"]),
    ("slider-crank.toml", &["run/analysis=kinematic"]),
    ("slider-crank.toml", &["run/analysis=inverse"]),
    ("egg-on-table.toml", &["run/analysis=static"]),
    ("egg-on-table.toml", &["run/analysis=modes"]),
];

/// The files of a folder, but for the time it took.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    all.map(|path| (name(&path), fs::read(&path).unwrap()))
        .filter(|(name, _)| name != "timing.json")
        .collect()
}

/// As a program of one's own would do it.
fn run(scene: &Scene, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    match scene.analyse(&mut |_| ControlFlow::Continue(()))? {
        Some(found) => ResultSet::of_analysis(scene, &found)?.write(folder, Existing::ReplaceResults)?,
        None => {
            let mut results = Folder::new(folder, About::from(scene), Existing::ReplaceResults)?;
            let outcome = scene.simulation().run_into(&mut results);
            results.close(&outcome)?;
            outcome?;
        }
    }
    Ok(())
}

#[test]
fn of_the_program_and_of_rust() {
    let place = Place::new("same-bytes");
    for (i, (name, set)) in SCENES.into_iter().enumerate() {
        let (path, ours, theirs) = (example(name), format!("rust-{i}"), format!("program-{i}"));
        let mut words = vec!["run", &path, "-o", &theirs, "--quiet"];
        set.iter().for_each(|set| words.extend(["--set", set]));
        place.carom(&words).done();
        let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
        let scene = Scene::from_file(path.as_ref(), &set).unwrap();
        run(&scene, &place.path(&ours)).unwrap();
        let (a, b) = (files(&place.path(&ours)), files(&place.path(&theirs)));
        assert!(a.len() >= 2 && a.keys().eq(b.keys()), "{name}: {:?} and {:?}", a.keys(), b.keys());
        assert!(a.iter().all(|(file, bytes)| b[file] == *bytes), "{name} differs");
    }
}

/// What is kept in memory writes what is written as the run goes.
#[test]
fn of_a_folder_and_of_memory() {
    let place = Place::new("same-bytes-memory");
    for (name, set) in SCENES.into_iter().filter(|(_, set)| !set[0].contains("analysis")) {
        let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
        let scene = Scene::from_file(example(name).as_ref(), &set).unwrap();
        let (folder, kept) = (place.path(&format!("folder-{name}")), place.path(&format!("memory-{name}")));
        run(&scene, &folder).unwrap();
        let mut memory = Memory::new(About::from(&scene));
        let outcome = scene.simulation().run_into(&mut memory);
        memory.keep(outcome.as_ref()).unwrap().write(&kept, Existing::ReplaceResults).unwrap();
        // (memory has no checkpoint)
        let mut written = files(&folder);
        assert!(written.remove("checkpoint.bin").is_some());
        assert!(written == files(&kept), "{name} differs");
    }
}
