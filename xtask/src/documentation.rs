//! The documentation and the examples in it, checked together.
//!
//! `cargo doc` reads all crates once more, and all that they use, since it takes nothing from what is compiled. The test of the examples is given the compiled libraries by
//! cargo: so this program stands in for `rustdoc` there, and has the documentation written with the same libraries before the examples are tested.

use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus};

use crate::program::{LINTED, run};
use crate::python::{target, text};

/// Says that this program was started in place of `rustdoc`.
const IN_PLACE: &str = "CAROM_IN_PLACE_OF_RUSTDOC";

/// Copies this program to where cargo does not replace it as it compiles the chores with the tests, and returns where that is.
pub(crate) fn keep_program() -> Result<String, String> {
    let failed = |e: std::io::Error| format!("this program cannot be copied: {e}");
    let copy = Path::new(&target()).join("documentation");
    std::fs::create_dir_all(&copy).map_err(failed)?;
    let copy = copy.join(format!("in-place-of-rustdoc{}", std::env::consts::EXE_SUFFIX));
    std::env::current_exe().and_then(|this| std::fs::copy(this, &copy)).map_err(failed)?;
    Ok(text(&copy))
}

/// Writes the documentation, with warnings as errors, and tests the examples in it, by that copy of this program.
pub(crate) fn test(program: &str) -> Result<(), String> {
    let env = [LINTED[0], LINTED[1], ("RUSTDOC", program), (IN_PLACE, "1")];
    run("cargo", &["test", "--workspace", "--doc", "--quiet", "--no-fail-fast"], &env)
}

/// Whether this program was started in place of `rustdoc`.
pub(crate) fn is_in_place() -> bool {
    std::env::var_os(IN_PLACE).is_some()
}

/// Does what `rustdoc` is asked for, with these arguments; before it tests examples, it writes the documentation of their crate.
pub(crate) fn in_place(args: &[String]) -> ExitCode {
    let written = match for_writing(args) {
        Some(args) => rustdoc(&args),
        None => true,
    };
    if written && rustdoc(args) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Starts `rustdoc`, and returns whether it succeeded.
fn rustdoc(args: &[String]) -> bool {
    Command::new("rustdoc").args(args).status().as_ref().is_ok_and(ExitStatus::success)
}

/// The arguments with which the documentation is written, given those with which its examples are tested; `None` for other questions to `rustdoc`.
fn for_writing(args: &[String]) -> Option<Vec<String>> {
    args.iter().find(|arg| *arg == "--test")?;
    let mut kept = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--test" => {}
            // (each with a value)
            "--test-run-directory" | "--test-args" => drop(rest.next()),
            _ => kept.push(arg.clone()),
        }
    }
    let folder = format!("{}/doc", target());
    kept.extend(["-D", "warnings", "-o", folder.as_str()].map(str::to_owned));
    Some(kept)
}

#[cfg(test)]
mod tests {
    #[test]
    fn documentation_is_written_with_the_libraries_of_the_test() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let asked = words(
            "--crate-name carom --test src/lib.rs --test-run-directory here --extern a=b.rlib --test-args --quiet",
        );
        let written = super::for_writing(&asked).unwrap();
        assert_eq!(written[..7], words("--crate-name carom src/lib.rs --extern a=b.rlib -D warnings"));
        assert!(super::for_writing(&words("-vV")).is_none());
    }
}
