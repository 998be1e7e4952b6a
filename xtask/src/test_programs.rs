//! The test programs of all crates, two at a time.
//!
//! `cargo test` runs them one after another, and most have a long test at their end that keeps one core busy and the other idle.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use crate::program::{ONCE, ROOT, took};

/// Programs that run at once.
const AT_ONCE: usize = 2;

/// A test program and the folder of its crate, in which it runs.
pub(crate) struct TestProgram {
    path: PathBuf,
    folder: PathBuf,
}

/// The large crates of numbers. With optimisation each takes a minute or so to compile, a second time for the tests within it: these are few and short, and go without. Long tests go
/// through public items, in the crates' folders `tests`.
const LARGE: [&str; 3] = ["carom", "carom-geometry", "carom-results"];

/// The crates whose tests take longest, in this order.
const LONGEST: [&str; 4] = ["carom-cli", "carom-geometry", "carom", "carom-results"];

/// Compiles the tests of all crates.
pub(crate) fn compile() -> Result<Vec<TestProgram>, String> {
    let others: Vec<&str> = LARGE.iter().flat_map(|name| ["--exclude", name]).collect();
    let large: Vec<&str> = LARGE.iter().flat_map(|name| ["--package", name]).collect();
    let mut programs = compile_some(&[&["--workspace"], &others[..]].concat())?;
    programs.extend(compile_some(&[&large[..], &["--test", "*"]].concat())?);
    for name in LARGE {
        let plain = format!("profile.dev.package.{name}.opt-level=0");
        programs.extend(compile_some(&["--package", name, "--lib", "--config", &plain])?);
    }
    // the longest come first, so that none is left over at the end
    programs.sort_by_key(|program| {
        let crate_name = program.folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        LONGEST.iter().position(|name| *name == crate_name).unwrap_or(LONGEST.len())
    });
    match programs.is_empty() {
        true => Err("cargo names no test programs".to_owned()),
        false => Ok(programs),
    }
}

/// Compiles the tests that these options of cargo name.
fn compile_some(which: &[&str]) -> Result<Vec<TestProgram>, String> {
    let args =
        [&["test", "--no-run", "--quiet", "--message-format", "json-render-diagnostics"], which].concat();
    println!("> cargo {}", args.join(" "));
    let mut cargo = Command::new("cargo");
    cargo.args(args).envs(ONCE).current_dir(ROOT).stderr(Stdio::inherit());
    let begun = Instant::now();
    let output = cargo.output().map_err(|e| format!("cargo cannot be started: {e}"))?;
    took(begun, "compiling tests");
    if !output.status.success() {
        return Err(format!("the tests do not compile ({})", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(program).collect())
}

/// The test program that a message of cargo is about.
fn program(message: &str) -> Option<TestProgram> {
    let text = |key: &str| {
        let (_, rest) = message.split_once(&format!("\"{key}\":\""))?;
        rest.split_once('"').map(|(value, _)| value.replace("\\\\", "\\"))
    };
    // (a target says as well whether it can be tested; what counts is how it was built)
    let (profile, _) = message.split_once("\"profile\":{")?.1.split_once('}')?;
    let path = profile.contains("\"test\":true").then(|| text("executable"))??;
    let folder = Path::new(&text("manifest_path")?).parent()?.to_owned();
    Some(TestProgram { path: path.into(), folder })
}

/// Runs them all, and prints what those print that fail.
pub(crate) fn run_all(programs: Vec<TestProgram>) -> Result<(), String> {
    let count = programs.len();
    println!("> {count} test programs, {AT_ONCE} at a time");
    let (waiting, failed) = (Mutex::new(programs.into_iter()), Mutex::new(Vec::new()));
    let next = || waiting.lock().ok().and_then(|mut programs| programs.next());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(program) = next() {
                    if let Err(why) = run_one(&program)
                        && let Ok(mut failed) = failed.lock()
                    {
                        failed.push(why);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().map_err(|_| "a test program was lost".to_owned())?;
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("{} of {count} test programs failed:\n{}", failed.len(), failed.join("\n"))),
    }
}

fn run_one(program: &TestProgram) -> Result<(), String> {
    let mut command = Command::new(&program.path);
    command.args(["--quiet", "--test-threads", "1"]).envs(ONCE).current_dir(&program.folder);
    command.env("CARGO_MANIFEST_DIR", &program.folder);
    let name = program.path.display();
    let begun = Instant::now();
    let Output { status, stdout, stderr } =
        command.output().map_err(|e| format!("{name} cannot be started: {e}"))?;
    if status.success() {
        took(begun, &format!("tests of {}", program.folder.file_name().unwrap_or_default().display()));
        return Ok(());
    }
    println!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    Err(format!("{name} in {} ({status})", program.folder.display()))
}

#[cfg(test)]
mod tests {
    use super::program;

    #[test]
    fn messages_name_programs_and_their_crates() {
        let message = concat!(
            r#"{"reason":"compiler-artifact","manifest_path":"/c/carom/Cargo.toml","target":{"kind":["bin"],"test":true},"#,
            r#""profile":{"opt_level":"2","test":true},"executable":"/t/deps/all-1","fresh":true}"#
        );
        let found = program(message).unwrap();
        assert_eq!((found.path.to_str(), found.folder.to_str()), (Some("/t/deps/all-1"), Some("/c/carom")));
        assert!(program(&message.replace("2\",\"test\":true", "2\",\"test\":false")).is_none());
        assert!(program(&message.replace("\"/t/deps/all-1\"", "null")).is_none());
    }
}
