//! Lists the papers, so that the program has them within itself wherever it is run.
//!
//! Every folder of `papers/` with a `paper.toml` is a paper; what is in its folder `scenes` are its scenes.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a build that fails says why")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut list = String::from("&[\n");
    for folder in sorted(&root).iter().filter(|f| f.join("paper.toml").is_file()) {
        // changes within folders
        println!("cargo:rerun-if-changed={}", folder.join("scenes").display());
        let text = |path: &Path| format!("include_str!({:?})", fs::canonicalize(path).unwrap());
        writeln!(
            list,
            "Files {{ name: {:?}, recipe: {}, scenes: &[",
            name(folder),
            text(&folder.join("paper.toml"))
        )
        .unwrap();
        for scene in
            sorted(&folder.join("scenes")).iter().filter(|s| s.extension().is_some_and(|e| e == "toml"))
        {
            writeln!(list, "({:?}, {}),", name(scene), text(scene)).unwrap();
        }
        list += "] },\n";
    }
    list += "]\n";
    fs::write(PathBuf::from(env::var_os("OUT_DIR").expect("cargo gives OUT_DIR")).join("papers.rs"), list)
        .unwrap();
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

/// Without folder and ending.
fn name(path: &Path) -> &str {
    path.file_stem().and_then(|s| s.to_str()).expect("names of papers and scenes are plain")
}
