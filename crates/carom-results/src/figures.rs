//! The figures that `carom plot` and `[[plot]]` have drawn into a folder of results: `figures.json` lists them, so that new results
//! do not leave figures of old ones beside them.

use std::path::Path;

use carom_base::file;
use serde_json::{Value, json};

use crate::error::ResultsError;
use crate::files::{self, FIGURES, TEXT};
use crate::summary;

/// The endings of figures; no other file is ever removed.
const ENDINGS: [&str; 3] = ["svg", "png", "pdf"];

/// Returns the names of the figures that were drawn into a folder and are still there.
pub fn figures(folder: &Path) -> Vec<String> {
    let read = |text: Vec<u8>| serde_json::from_slice::<Value>(&text).ok();
    let list = file::read(&folder.join(FIGURES), TEXT).ok().and_then(read);
    let names = list.as_ref().and_then(|list| list.get("figures")).and_then(Value::as_array);
    let names = names.into_iter().flatten().filter_map(Value::as_str);
    names.filter(|name| is_figure(name) && folder.join(name).is_file()).map(str::to_owned).collect()
}

/// Notes that these figures were drawn into a folder, beside those that were noted before.
pub fn note_figures(folder: &Path, drawn: &[String]) -> Result<(), ResultsError> {
    let mut names = figures(folder);
    for name in drawn.iter().filter(|name| is_figure(name)) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    match names.is_empty() {
        true => Ok(()),
        false => summary::write(folder, FIGURES, &json!({ "figures": names })),
    }
}

/// Removes the figures that were noted, and the list.
pub(crate) fn remove_figures(folder: &Path) -> Result<(), ResultsError> {
    let list = folder.join(FIGURES);
    for file in figures(folder).iter().map(|name| folder.join(name)).chain([list]) {
        files::remove(&file)?;
    }
    Ok(())
}

/// Returns whether it is the name of a figure in the folder itself.
fn is_figure(name: &str) -> bool {
    let path = Path::new(name);
    let ends = path.extension().is_some_and(|e| ENDINGS.iter().any(|x| e.eq_ignore_ascii_case(x)));
    ends && path.file_name().is_some_and(|own| own == name)
}
