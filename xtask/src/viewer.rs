//! The viewer: its built page is current, its tests pass, also those in a real browser.
//!
//! It is built by node, which a build of the program does not need; without node, or without a browser, what cannot be checked is said loudly.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::program::{ROOT, run, run_in};

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Builds the page that is checked in.
pub(crate) fn build() -> Result<(), String> {
    packages()?;
    npm(&["run", "--silent", "build"], &[])
}

/// Has what the checks need brought here ahead of them. What cannot be had is reported by the checks.
pub(crate) fn fetch() {
    if there("node") && there("npm") && packages().is_ok() {
        browser();
    }
}

/// All checks of the viewer; the program has been built by its own tests.
pub(crate) fn test() -> Result<(), String> {
    test_page()?;
    test_in_browser()
}

/// The checks of the viewer that need no program of ours: types, its tests, and whether the page is current.
pub(crate) fn test_page() -> Result<(), String> {
    if let Some(why) = missing() {
        return skip(&format!("{why}: whether viewer/dist is current, and the viewer's tests"));
    }
    npm(&["run", "--silent", "check"], &[])?;
    npm(&["run", "--silent", "test"], &[])?;
    is_current()
}

/// The viewer in a real browser, showing results of the program.
pub(crate) fn test_in_browser() -> Result<(), String> {
    in_browser(&[])
}

/// The viewer in a real browser, with measurements of speed, which need a machine that does nothing else.
pub(crate) fn verify() -> Result<(), String> {
    run("cargo", &["build", "--package", "carom-cli"], &[])?;
    in_browser(&[("CAROM_ALONE", "1")])
}

fn in_browser(more: &[(&str, &str)]) -> Result<(), String> {
    if let Some(why) = missing() {
        return skip(&format!("{why}: the viewer in a browser"));
    }
    let Some(browser) = browser() else {
        return skip("there is no Chromium, and it may not be installed: the viewer in a browser");
    };
    let program = target().join("debug").join(format!("carom{}", env::consts::EXE_SUFFIX));
    if !program.is_file() {
        return Err(format!("{} is not there: `cargo test` makes it", program.display()));
    }
    let program = program.display().to_string();
    let env = [&[("CAROM", program.as_str()), ("CHROMIUM", &browser)], more].concat();
    npm(&["run", "--silent", "browser"], &env)
}

/// What the viewer's checks lack, if anything.
fn missing() -> Option<String> {
    if !there("node") || !there("npm") {
        return Some("node and npm are not there".to_owned());
    }
    packages().err().map(|why| format!("the viewer's packages cannot be had ({why})"))
}

/// The page that is checked in is what is built now, byte for byte.
fn is_current() -> Result<(), String> {
    let fresh = target().join("viewer");
    let fresh =
        fs::create_dir_all(&fresh).and_then(|()| fs::canonicalize(&fresh)).map_err(|e| e.to_string())?;
    let folder = fresh.display().to_string();
    npm(
        &["run", "--silent", "build", "--", "--outDir", &folder, "--emptyOutDir", "--logLevel", "warn"],
        &[],
    )?;
    let read = |path: PathBuf| fs::read(&path).map_err(|e| format!("{}: {e}", path.display()));
    let [now, kept] = [fresh, viewer().join("dist")].map(|folder| read(folder.join("index.html")));
    match now? == kept? {
        true => Ok(()),
        false => {
            Err("viewer/dist/index.html is not current: run `cargo xtask viewer`, and keep what it writes"
                .to_owned())
        }
    }
}

/// What `package-lock.json` names, unless it is there.
fn packages() -> Result<(), String> {
    let age = |path: &str| fs::metadata(viewer().join(path)).and_then(|m| m.modified());
    match (age("package-lock.json"), age("node_modules/.package-lock.json")) {
        (Ok(wanted), Ok(there)) if there >= wanted => Ok(()),
        // not `npm ci`: it asks for what optional packages of other systems are, which not every registry tells
        _ => npm(&["install", "--no-save", "--no-audit", "--no-fund"], &[]),
    }
}

/// A browser; installed, if it is missing and may be.
fn browser() -> Option<String> {
    let known = || env::var("CHROMIUM").ok().or_else(|| BROWSERS.iter().find_map(|b| which(b)));
    known().or_else(|| {
        let root = Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout.trim_ascii() == b"0");
        if !root || !there("apt-get") {
            return None;
        }
        let quiet = [("DEBIAN_FRONTEND", "noninteractive")];
        let install = ["install", "--yes", "--quiet", "--no-install-recommends", "chromium"];
        run("apt-get", &["update", "--quiet"], &quiet)
            .and_then(|()| run("apt-get", &install, &quiet))
            .ok()?;
        known()
    })
}

fn viewer() -> PathBuf {
    Path::new(ROOT).join("viewer")
}

fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| Path::new(ROOT).join("target"), PathBuf::from)
}

fn npm(args: &[&str], env: &[(&str, &str)]) -> Result<(), String> {
    run_in(&viewer(), "npm", args, env)
}

fn there(program: &str) -> bool {
    which(program).is_some()
}

/// Where a program is.
fn which(program: &str) -> Option<String> {
    let paths = env::var_os("PATH")?;
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    let found = env::split_paths(&paths).map(|folder| folder.join(&name)).find(|file| file.is_file());
    found.map(|file| file.display().to_string())
}

/// Says what was not checked, so that it is seen.
fn skip(what: &str) -> Result<(), String> {
    println!("!!! NOT CHECKED !!! {what}");
    Ok(())
}
