//! The project's chores: `cargo xtask test` does every check, `cargo xtask bench` measures speed,
//! `cargo xtask work-precision` the integrators.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::process::{Command, ExitCode};

const HELP: &str = "cargo xtask test     all checks: format, lints, documentation, tests, doc tests
cargo xtask gen      writes what is generated: the scene reference and the laws of the book
cargo xtask bench    speed: Carom against a bare loop, and against peers where Python has them
cargo xtask work-precision [OPTIONS]
                     the integrators against their peers: work and error on problems with known ends
cargo xtask implicit-steps [RTOL]
                     what implicit steps cost with the exact Jacobian and with differences: the book's table";

fn main() -> ExitCode {
    let result = match std::env::args().nth(1).as_deref() {
        Some("test") => test(),
        Some("gen") => generate(),
        Some("bench") => bench(),
        Some("work-precision") => work_precision(),
        Some("implicit-steps") => implicit_steps(),
        _ => {
            println!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("xtask: {what}");
            ExitCode::FAILURE
        }
    }
}

/// Everything that must hold at every commit.
fn test() -> Result<(), String> {
    run("cargo", &["fmt", "--all", "--check"], &[])?;
    run("cargo", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"], &[])?;
    run("cargo", &["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    run("cargo", &["test", "--workspace", "--quiet"], &[])
}

/// What is generated is checked by a test, which writes it when asked to.
fn generate() -> Result<(), String> {
    for package in ["carom-scene", "carom-cli"] {
        let args = ["test", "--quiet", "--package", package, "--test", "book"];
        run("cargo", &args, &[("CAROM_GEN", "1")])?;
    }
    Ok(())
}

/// Oracles and peers live in a workspace of their own.
fn bench() -> Result<(), String> {
    run("cargo", &["run", "--release", "--quiet", "--manifest-path", "benches/Cargo.toml"], &[])
}

/// What follows on the command line is for the program.
fn work_precision() -> Result<(), String> {
    let options: Vec<String> = std::env::args().skip(2).collect();
    let mut args = vec!["run", "--release", "--quiet", "--manifest-path", "benches/Cargo.toml"];
    args.extend(["--bin", "work-precision", "--"]);
    args.extend(options.iter().map(String::as_str));
    run("cargo", &args, &[])
}

/// What follows on the command line is for the program.
fn implicit_steps() -> Result<(), String> {
    let options: Vec<String> = std::env::args().skip(2).collect();
    let mut args =
        vec!["run", "--release", "--quiet", "--package", "carom", "--example", "implicit_steps", "--"];
    args.extend(options.iter().map(String::as_str));
    run("cargo", &args, &[])
}

fn run(program: &str, args: &[&str], env: &[(&str, &str)]) -> Result<(), String> {
    println!("> {program} {}", args.join(" "));
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let status = Command::new(program).args(args).envs(env.iter().copied()).current_dir(root).status();
    match status {
        Ok(s) if s.success() => Ok(()),
        Ok(s) => Err(format!("`{program} {}` failed ({s})", args.join(" "))),
        Err(e) => Err(format!("`{program}` cannot be started: {e}")),
    }
}
