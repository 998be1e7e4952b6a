//! Reads the text of a scene file and finds its format.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::error::Problem;
use crate::text::Format;

/// largest size of a scene file; a larger one is something else (a device without an end, a file of results)
const MAX_BYTES: u64 = 256 << 20;

/// Reads the text of a file.
pub(crate) fn read(path: &Path) -> Result<String, Problem> {
    let shown = path.display();
    let cannot = |e: io::Error| match e.kind() {
        io::ErrorKind::NotFound => missing(path),
        io::ErrorKind::PermissionDenied => {
            Problem::new(format!("the file `{shown}` cannot be read: you are not allowed to"))
        }
        _ => Problem::new(format!("the file `{shown}` cannot be read: {e}")),
    };
    if fs::metadata(path).map_err(cannot)?.is_dir() {
        let problem = Problem::new(format!("`{shown}` is a folder, not a scene file"));
        let inside = scenes_in(path);
        return Err(match inside.is_empty() {
            true => problem,
            false => problem.note(format!("scenes in it: {}", inside.join(", "))),
        });
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|f| f.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(cannot)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Problem::new(format!("`{shown}` is larger than 256 MB: that is not a scene")));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let byte = e.as_bytes().get(at).copied().unwrap_or_default();
        Problem::new(format!("`{shown}` is not a text: byte {at} (0x{byte:02x}) is not UTF-8"))
            .note("a scene is a text in TOML or JSON, in UTF-8")
    })
}

/// Reads the text of an included part, which is a file, not a device or a pipe that could have no end.
pub(crate) fn read_part(path: &Path) -> Result<String, Problem> {
    match fs::metadata(path) {
        Ok(about) if !about.is_file() && !about.is_dir() => {
            Err(Problem::new(format!("`{}` is a device or a pipe, not a file", path.display())))
        }
        _ => read(path),
    }
}

fn missing(path: &Path) -> Problem {
    let problem = Problem::new(format!("there is no file `{}`", path.display()));
    let folder = match path.parent() {
        Some(p) if p.as_os_str().is_empty() => Path::new("."),
        Some(p) => p,
        None => return problem,
    };
    let files = scenes_in(folder);
    let known: Vec<&str> = files.iter().map(String::as_str).collect();
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    match carom::words::nearest(&name, &known) {
        Some(word) => problem.help(format!("did you mean `{word}`?")),
        None => problem,
    }
}

/// Returns the names of the scenes in a folder, sorted, at most 20.
fn scenes_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    let mut scenes: Vec<String> = names.filter(|n| n.ends_with(".toml")).collect();
    scenes.sort();
    scenes.truncate(20);
    scenes
}

/// Returns the format of a file: by its ending, or else by its first character.
pub(crate) fn format(path: &Path, text: &str) -> Format {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("json") => Format::Json,
        Some("toml") => Format::Toml,
        _ if text.trim_start().starts_with('{') => Format::Json,
        _ => Format::Toml,
    }
}

/// Makes the message for an empty scene, which says what a scene needs.
pub(crate) fn empty(name: &str) -> Problem {
    Problem::new(format!("`{name}` is empty"))
        .note("a scene needs at least a [run] with a duration, and a [[body]]")
}
