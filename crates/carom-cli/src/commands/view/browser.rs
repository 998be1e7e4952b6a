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
    // (no shell: to one an & in the name of a folder would be the end of the command)
    let mut command = Command::new("rundll32");
    command.arg("url.dll,FileProtocolHandler");
    Some(command)
}

#[cfg(not(any(target_os = "macos", windows)))]
fn opener() -> Option<Command> {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    has_screen.then(|| Command::new("xdg-open"))
}
