//! What the documents of the code say of files holds.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file below a folder.
fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if path.ends_with("node_modules") || path.ends_with("target") => (),
            true => files_below(&path, found),
            false => found.push(path),
        }
    }
}

/// Source files that rooms, decisions and ARCHITECTURE.md name are there under these names; `NAME.rs` stands for any.
#[test]
fn files_that_are_named_exist() {
    let mut sources = Vec::new();
    for folder in ["crates", "viewer/src", "python", "oracles", "xtask"] {
        files_below(&root().join(folder), &mut sources);
    }
    let mut pages = vec![root().join("ARCHITECTURE.md"), root().join("CONTRIBUTING.md")];
    files_below(&root().join("docs"), &mut pages);
    let mut dead = Vec::new();
    for page in pages.iter().filter(|page| page.extension().is_some_and(|e| e == "md")) {
        let text = fs::read_to_string(page).unwrap();
        for name in text.split('`').skip(1).step_by(2) {
            let is_source = [".rs", ".ts", ".py"].iter().any(|end| name.ends_with(end));
            let is_name = !name.contains(|c: char| c.is_whitespace() || "*…".contains(c));
            if is_source && is_name && !name.contains("NAME") && !sources.iter().any(|s| s.ends_with(name)) {
                dead.push(format!("{}: `{name}`", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "no such files:\n{}", dead.join("\n"));
}

/// ARCHITECTURE.md can be read in one sitting.
#[test]
fn the_architecture_is_short() {
    let words = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap().split_whitespace().count();
    assert!(words < 1500, "{words} words");
}
