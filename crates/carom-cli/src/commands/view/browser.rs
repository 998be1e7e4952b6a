//! Opening a page in the user's browser.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Opens a file or an address; `false`: there is nothing to open it with.
pub(super) fn open(what: &OsStr) -> bool {
    let Some(mut command) = opener() else { return false };
    command.arg(what).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

#[cfg(target_os = "macos")]
fn opener() -> Option<Command> {
    Some(Command::new("open"))
}

#[cfg(windows)]
fn opener() -> Option<Command> {
    let mut command = Command::new("cmd");
    // the first quoted word is a window's title
    command.args(["/C", "start", ""]);
    Some(command)
}

#[cfg(not(any(target_os = "macos", windows)))]
fn opener() -> Option<Command> {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    has_screen.then(|| Command::new("xdg-open"))
}
