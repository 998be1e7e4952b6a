//! The test programs of all crates, run as they are compiled, two at a time.
//!
//! `cargo test` compiles all, then runs them one after another; then a core is idle while the other compiles the engine, and again while a program comes to its last test.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use std::time::Instant;

use crate::program::{LINTED, ONCE, ROOT, took};

/// Programs that run at once.
const AT_ONCE: usize = 2;

/// A test program and the folder of its crate, in which it runs.
pub(crate) struct TestProgram {
    path: PathBuf,
    folder: PathBuf,
}

/// The crates that take long to compile with optimisation. The tests within a crate, for which it is compiled a second time, are few and short, and go without. Long tests go
/// through public items, in the crates' folders `tests`.
const LARGE: [&str; 5] = ["carom", "carom-geometry", "carom-ode", "carom-plot", "carom-results"];
/// The crate of the Python package, which has no tests within.
const PYTHON: &str = "carom-python";

/// Compiles the tests of all crates, and hands each program over as soon as it is there. The program's crate is among those selected each time, since the libraries' features
/// are those that the selected crates ask for, and with others the libraries would be compiled again.
pub(crate) fn compile(ready: &Sender<TestProgram>) -> Result<(), String> {
    let small: Vec<&str> = LARGE.iter().chain([&PYTHON]).flat_map(|name| ["--exclude", name]).collect();
    compile_some(&["--workspace", "--test", "*", "--examples"], ready)?;
    compile_some(&[&["--workspace", "--lib", "--bins"], &small[..]].concat(), ready)?;
    LARGE.iter().try_for_each(|name| {
        let plain = format!("profile.dev.package.{name}.opt-level=0");
        compile_some(&["--package", "carom-cli", "--package", name, "--lib", "--config", &plain], ready)
    })
}

/// Compiles the tests that these options of cargo name.
fn compile_some(which: &[&str], ready: &Sender<TestProgram>) -> Result<(), String> {
    let args =
        [&["test", "--no-run", "--quiet", "--message-format", "json-render-diagnostics"], which].concat();
    println!("> cargo {}", args.join(" "));
    let failed = |e: std::io::Error| format!("cargo cannot be started: {e}");
    let begun = Instant::now();
    let mut cargo = Command::new("cargo");
    cargo.args(args).envs(ONCE).envs(LINTED).current_dir(ROOT).stdout(Stdio::piped());
    let mut cargo = cargo.spawn().map_err(failed)?;
    let messages = cargo.stdout.take().map(BufReader::new);
    let programs = messages.into_iter().flat_map(BufRead::lines).map_while(Result::ok);
    let mut waiting = Vec::new();
    for program in programs.filter_map(|message| program(&message)) {
        // tests of a crate with a program start that, which may be compiled after them
        match program.folder.join("src").join("main.rs").exists() {
            true => waiting.push(program),
            false => drop(ready.send(program)),
        }
    }
    let status = cargo.wait().map_err(failed)?;
    took(begun, "compiling tests");
    if !status.success() {
        return Err(format!("the tests do not compile ({status})"));
    }
    waiting.into_iter().for_each(|program| drop(ready.send(program)));
    Ok(())
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

/// Runs them all as they come, and prints what those print that fail.
pub(crate) fn run_all(ready: Receiver<TestProgram>) -> Result<(), String> {
    let (ready, failed) = (Mutex::new(ready), Mutex::new(Vec::new()));
    let count = AtomicUsize::new(0);
    let next = || ready.lock().ok().and_then(|ready| ready.recv().ok());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(program) = next() {
                    count.fetch_add(1, Ordering::Relaxed);
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
    match (count.into_inner(), failed.len()) {
        (0, _) => Err("cargo names no test programs".to_owned()),
        (_, 0) => Ok(()),
        (count, few) => Err(format!("{few} of {count} test programs failed:\n{}", failed.join("\n"))),
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
    fn no_programs_are_an_error() {
        let (_, ready) = std::sync::mpsc::channel();
        assert!(super::run_all(ready).is_err());
    }

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
