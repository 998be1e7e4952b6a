//! Programs that chores start, in the root of the repository unless another folder is given.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The root of the repository.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Settings of cargo for what is built once: nothing is kept for the next change, traces are without line numbers, and a crate is compiled in one piece. Together they
/// take about half of the processor's time off the tests' build.
pub(crate) const ONCE: [(&str, &str); 3] = [
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_DEV_CODEGEN_UNITS", "1"),
    ("CARGO_PROFILE_DEV_DEBUG", "none"),
];

/// Has the tests compiled by Clippy, which checks its lints and then compiles as the compiler does; `cargo clippy` would read all crates once more, which takes three times
/// as long. All that uses what the tests have built needs the same setting.
pub(crate) const LINTED: [(&str, &str); 2] = [
    ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"),
    // (arguments in the form in which `cargo clippy` hands them on)
    ("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"),
];

/// Says how long a chore took, if it was long enough to matter.
pub(crate) fn took(begun: Instant, what: &str) {
    let seconds = begun.elapsed().as_secs_f64();
    if seconds >= 1.0 {
        println!("  {seconds:.0} s  {what}");
    }
}

/// Runs a program there; an error unless it succeeds.
pub(crate) fn run(program: &str, args: &[&str], env: &[(&str, &str)]) -> Result<(), String> {
    run_in(Path::new(ROOT), program, args, env)
}

/// Runs a program in a folder; an error unless it succeeds.
pub(crate) fn run_in(
    folder: &Path,
    program: &str,
    args: &[&str],
    env: &[(&str, &str)],
) -> Result<(), String> {
    println!("> {program} {}", args.join(" "));
    let env = ONCE.iter().chain(env).copied();
    let begun = Instant::now();
    let status = Command::new(program).args(args).envs(env).current_dir(folder).status();
    match status {
        Ok(s) if s.success() => {
            took(begun, &format!("{program} {}", args.first().copied().unwrap_or_default()));
            Ok(())
        }
        Ok(s) => Err(format!("`{program} {}` failed ({s})", args.join(" "))),
        Err(e) => Err(format!("`{program}` cannot be started: {e}")),
    }
}
