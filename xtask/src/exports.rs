//! `cargo xtask verify exports`: what others make of our exports.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{ROOT, run};

/// Scenes with contacts, slices, joints, springs, and bodies that deform.
const SCENES: [&str; 6] =
    ["bouncing-ball", "jelly-drop", "soft-roll", "torus-tilted", "slider-crank", "engine-mounts"];

/// Runs some examples with all exports, and reads them back by the programs they are for. What is not there is left out, and said.
pub(crate) fn verify() -> Result<(), String> {
    let place = Path::new(ROOT).join("target/verify-exports");
    fs::create_dir_all(&place).map_err(|e| format!("{}: {e}", place.display()))?;
    let mut folders = Vec::new();
    for scene in SCENES {
        let (file, folder) = (format!("examples/{scene}.toml"), place.join(scene).display().to_string());
        let command = ["run", "--quiet", "--package", "carom-cli", "--", "run", &file, "-q", "-o", &folder];
        run("cargo", &[&command[..], &["--vtk", "--gltf", "--npz", "--mat"]].concat(), &[])?;
        folders.push(folder);
    }
    let python = python(&place)?;
    let node = node(&place, &folders)?;
    match python {
        Some(python) => {
            let check = [&["xtask/exports/check.py".to_owned()][..], &folders].concat();
            run(&python, &check.iter().map(String::as_str).collect::<Vec<_>>(), &[])?;
        }
        None => println!("LEFT OUT: there is no python3: npz, mat and vtk were not read back"),
    }
    if !node {
        println!("LEFT OUT: there is no npm: gltf was not validated");
    }
    Ok(())
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success())
}

/// A Python of its own with what the check needs.
fn python(place: &Path) -> Result<Option<String>, String> {
    if !is_there("python3") {
        return Ok(None);
    }
    let venv = place.join("venv");
    let python: PathBuf = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let python = python.display().to_string();
    if !Path::new(&python).exists() {
        run("python3", &["-m", "venv", &venv.display().to_string()], &[])?;
    }
    run(&python, &["-m", "pip", "install", "--quiet", "numpy", "scipy", "vtk"], &[])?;
    Ok(Some(python))
}

/// The validator, on all files; whether there is npm.
fn node(place: &Path, folders: &[String]) -> Result<bool, String> {
    if !is_there("npm") || !is_there("node") {
        return Ok(false);
    }
    let own = place.join("npm");
    fs::create_dir_all(&own).map_err(|e| format!("{}: {e}", own.display()))?;
    let own = own.display().to_string();
    if !Path::new(&own).join("node_modules/gltf-validator").exists() {
        run("npm", &["install", "--silent", "--prefix", &own, "gltf-validator"], &[])?;
    }
    let check = Path::new(ROOT).join("xtask/exports/check.mjs").display().to_string();
    let files: Vec<String> = folders.iter().map(|f| format!("{f}/run.glb")).collect();
    let all: Vec<&str> = [&check, &own].into_iter().chain(&files).map(String::as_str).collect();
    run("node", &all, &[])?;
    Ok(true)
}
