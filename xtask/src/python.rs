//! The Python package: its wheel, its tests, and what is released.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{LINTED, ROOT, run, run_in};

/// Of the crates that `cargo test` has built.
const AS_TESTED: [&str; 4] = ["--profile", "dev", "--features", "as-workspace"];
/// What the tests need, beside the package.
const TOOLS: [&str; 6] = ["maturin>=1.9,<2", "numpy", "pandas", "matplotlib", "pytest", "mypy"];

/// The wheel, in an environment without anything else; the tests and the types in an environment of their own. Skipped, loudly, where
/// there is no Python.
pub(crate) fn test() -> Result<(), String> {
    let Some(python) = interpreter() else {
        println!(
            "!! SKIPPED: the Python package was not tested: there is no python3 of 3.10 or later with venv"
        );
        return Ok(());
    };
    let target = target();
    let shared = [LINTED[0], LINTED[1], ("CARGO_TARGET_DIR", target.as_str())];
    // `cargo test` has left it there; built alone it would be built with all it needs once more
    let program = Path::new(&target).join("debug").join(format!("carom{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        run("cargo", &["build", "--quiet", "--package", "carom-cli"], &shared)?;
    }

    let place = Path::new(&target).join("python");
    let tools = match tools(&python) {
        Ok(tools) => tools,
        Err(why) => {
            println!("!! SKIPPED: the Python package was not tested: its tools cannot be had ({why})");
            return Ok(());
        }
    };
    let wheel = wheel(&tools, &place.join("wheels"), &AS_TESTED, &shared)?;

    let fresh = environment(&python, &place.join("fresh"), true)?;
    run(&fresh, &["-m", "pip", "install", "--quiet", &wheel], &[])?;
    let first = "import carom; r = carom.Scene.load('examples/bouncing-ball.toml').run(); assert r['ball'].position.shape[1] == 3";
    run(&fresh, &["-c", first], &[])?;

    run(&tools, &["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", &wheel], &[])?;
    // not from the folder python/, where the package lies without its compiled half
    let tests = Path::new(ROOT).join("python").join("tests");
    run_in(&tests, &tools, &["-m", "pytest", "--quiet", "."], &[("CAROM_PROGRAM", &text(&program))])?;
    run_in(&tests, &tools, &["-m", "mypy", "--config-file", "../pyproject.toml"], &[])
}

/// Has the tools of the tests brought here ahead of them. What cannot be had is reported by the tests.
pub(crate) fn fetch() {
    let _ = interpreter().map(|python| tools(&python));
}

/// The interpreter of an environment with the tools of the tests.
fn tools(python: &str) -> Result<String, String> {
    let tools = environment(python, &Path::new(&target()).join("python").join("tests"), false)?;
    run(&tools, &[&["-m", "pip", "install", "--quiet"], &TOOLS[..]].concat(), &[])?;
    Ok(tools)
}

/// `dist/`: the wheel, which any Python from 3.10 on takes, and the program.
pub(crate) fn dist() -> Result<(), String> {
    let python = interpreter().ok_or("the wheel needs a python3 of 3.10 or later with venv")?;
    let out = Path::new(ROOT).join("dist");
    let target = target();
    let tools = environment(&python, &Path::new(&target).join("python").join("dist"), false)?;
    run(&tools, &["-m", "pip", "install", "--quiet", TOOLS[0]], &[])?;
    let shared = [("CARGO_TARGET_DIR", target.as_str())];
    let wheel = wheel(&tools, &out, &["--profile", "dist"], &shared)?;
    run("cargo", &["build", "--quiet", "--profile", "dist", "--package", "carom-cli"], &shared)?;
    let name = format!("carom{}", std::env::consts::EXE_SUFFIX);
    let (built, released) = (Path::new(&target).join("dist").join(&name), out.join(&name));
    fs::copy(&built, &released).map_err(|e| format!("{}: {e}", built.display()))?;
    println!("{wheel}\n{}", released.display());
    Ok(())
}

/// Builds the wheel, with these options of maturin, into an empty folder, and says where it is.
pub(crate) fn wheel(
    tools: &str,
    out: &Path,
    options: &[&str],
    env: &[(&str, &str)],
) -> Result<String, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", out.display());
    if out.exists() {
        fs::remove_dir_all(out).map_err(failed)?;
    }
    let args = ["-m", "maturin", "build", "--quiet", "--manifest-path", "python/Cargo.toml"];
    run(tools, &[&args[..], options, &["--out", &text(out)]].concat(), env)?;
    let mut wheels = fs::read_dir(out).map_err(failed)?.filter_map(Result::ok).map(|e| e.path());
    let wheel = wheels.find(|p| p.extension().is_some_and(|e| e == "whl"));
    wheel.map(|p| text(&p)).ok_or_else(|| format!("{}: there is no wheel", out.display()))
}

/// Where cargo builds.
pub(crate) fn target() -> String {
    let own = || Path::new(ROOT).join("target");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(own, PathBuf::from);
    text(&std::path::absolute(&target).unwrap_or(target))
}

/// The interpreter of a virtual environment, which is made if there is none, or anew.
pub(crate) fn environment(python: &str, place: &Path, anew: bool) -> Result<String, String> {
    let (folder, name) = if cfg!(windows) { ("Scripts", "python.exe") } else { ("bin", "python") };
    let inside = place.join(folder).join(name);
    if anew || !inside.exists() {
        run(python, &["-m", "venv", "--clear", &text(place)], &[])?;
    }
    Ok(text(&inside))
}

/// A Python that is new enough and can make environments.
pub(crate) fn interpreter() -> Option<String> {
    let enough = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    let works =
        |name: &&str| Command::new(name).args(["-c", enough]).output().is_ok_and(|o| o.status.success());
    ["python3", "python"].iter().find(|name| works(name)).map(|name| (*name).to_owned())
}

pub(crate) fn text(path: &Path) -> String {
    path.display().to_string()
}
