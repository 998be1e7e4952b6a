//! Opening a page in the user's browser.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Opens a file or an address; `false`: there is nothing to open it with.
pub(super) fn open(what: &OsStr) -> bool {
    let Some((program, first)) = opener(std::env::consts::OS, |name| std::env::var_os(name).is_some()) else {
        return false;
    };
    command(program, first, what).spawn().is_ok()
}

/// Returns the program that opens things on a system, and its arguments before the thing to open. It is never a shell: to one, an & in the name of a
/// folder would be the end of the command. `has`: whether there is such a variable in the environment.
fn opener(system: &str, has: impl Fn(&str) -> bool) -> Option<(&'static str, &'static [&'static str])> {
    match system {
        "macos" => Some(("open", &[])),
        "windows" => Some(("rundll32", &["url.dll,FileProtocolHandler"])),
        _ => ["DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(has).then_some(("xdg-open", &[])),
    }
}

/// The thing to open is one argument, whatever its name has in it.
fn command(program: &str, first: &[&str], what: &OsStr) -> Command {
    let mut command = Command::new(program);
    command.args(first).arg(what).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names with characters that shells act on reach the program as they are, in one argument.
    #[test]
    fn no_shell_reads_the_name_of_a_folder() {
        let hostile = OsStr::new(r"C:\Tom & Jerry\%TEMP% ^| calc & view.html");
        for (system, known) in [("windows", "rundll32"), ("macos", "open"), ("linux", "xdg-open")] {
            let (program, first) = opener(system, |name| name == "DISPLAY").unwrap();
            assert_eq!(program, known);
            let command = command(program, first, hostile);
            assert_eq!(command.get_program(), known);
            let args: Vec<&OsStr> = command.get_args().collect();
            assert_eq!((args.len(), *args.last().unwrap()), (first.len() + 1, hostile), "{system}");
        }
        assert_eq!(opener("linux", |_| false), None);
    }
}
