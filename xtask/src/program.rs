//! Programs that chores start, in the root of the repository unless told otherwise.

use std::path::Path;
use std::process::Command;

/// The root of the repository.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

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
    let status = Command::new(program).args(args).envs(env.iter().copied()).current_dir(folder).status();
    match status {
        Ok(s) if s.success() => Ok(()),
        Ok(s) => Err(format!("`{program} {}` failed ({s})", args.join(" "))),
        Err(e) => Err(format!("`{program}` cannot be started: {e}")),
    }
}
