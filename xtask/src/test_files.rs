//! Every file of tests is a module of its crate's `tests/main.rs`: one that nobody names would never run.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::ROOT;

/// An error for the first file that is not named.
pub(crate) fn all_named() -> Result<(), String> {
    for folder in entries(&Path::new(ROOT).join("crates")).map(|folder| folder.join("tests")) {
        let (Ok(main), Ok(manifest)) =
            (fs::read_to_string(folder.join("main.rs")), fs::read_to_string(folder.join("../Cargo.toml")))
        else {
            continue;
        };
        for file in entries(&folder).filter(|file| file.extension().is_some_and(|e| e == "rs")) {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            let module = main.lines().any(|line| line == format!("mod {name};"));
            if !module && !manifest.contains(&format!("\"tests/{name}.rs\"")) {
                return Err(format!("{}: `mod {name};` is missing in main.rs beside it", file.display()));
            }
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}
