//! The licences of the crates that are within the program and the Python package.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::program::ROOT;

/// What is given away.
const GIVEN: [&str; 2] = ["carom-cli", "carom-python"];
/// The files that are written: for the program, and for the package.
const FILES: [&str; 2] = ["crates/carom-cli/THIRD-PARTY.txt", "python/carom/THIRD-PARTY.txt"];

/// Writes the notices of what cargo would build: every crate with its licence, and every text once.
pub(crate) fn write() -> Result<(), String> {
    let text = text()?;
    for file in FILES {
        fs::write(Path::new(ROOT).join(file), &text).map_err(|e| format!("{file}: {e}"))?;
    }
    Ok(())
}

/// Checks that the notices name the crates that are built now.
pub(crate) fn check() -> Result<(), String> {
    let text = text()?;
    for file in FILES {
        let known = fs::read_to_string(Path::new(ROOT).join(file)).map_err(|e| format!("{file}: {e}"))?;
        if known != text {
            return Err(format!("{file} is of other crates than those of Cargo.lock: cargo xtask notices"));
        }
    }
    Ok(())
}

fn text() -> Result<String, String> {
    let args = ["metadata", "--format-version", "1", "--offline"];
    let out = Command::new("cargo")
        .args(args)
        .current_dir(ROOT)
        .output()
        .map_err(|e| format!("cargo metadata: {e}"))?;
    let data: Value = serde_json::from_slice(&out.stdout).map_err(|e| format!("cargo metadata: {e}"))?;
    let packages: BTreeMap<&str, &Value> =
        list(&data["packages"]).filter_map(|p| Some((p["id"].as_str()?, p))).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&data["resolve"]["nodes"]).filter_map(|n| Some((n["id"].as_str()?, n))).collect();
    let given = |id: &&&str| packages[**id]["name"].as_str().is_some_and(|name| GIVEN.contains(&name));
    let mut waiting: Vec<&str> = packages.keys().filter(given).copied().collect();
    let mut within = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if within.insert(id) {
            let of_build = |d: &&Value| list(&d["dep_kinds"]).any(|kind| kind["kind"].is_null());
            let next = list(&nodes[id]["deps"]).filter(of_build).filter_map(|d| d["pkg"].as_str());
            waiting.extend(next);
        }
    }
    let mut others: Vec<&Value> =
        within.iter().map(|id| packages[*id]).filter(|p| !p["source"].is_null()).collect();
    others
        .sort_by_key(|p| (p["name"].as_str().unwrap_or_default(), p["version"].as_str().unwrap_or_default()));
    let mut out = String::from(
        "Carom contains the following works of others, under their licences. The texts of these follow, each once.\n\n",
    );
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in others {
        let word = |key: &str| package[key].as_str().unwrap_or("-").to_owned();
        let name = format!("{} {}", word("name"), word("version"));
        out += &format!("{name}: {}, {}\n", word("license"), word("repository"));
        let folder = PathBuf::from(word("manifest_path"));
        for text in licences(folder.parent().unwrap_or(Path::new(""))) {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    for (text, names) in texts {
        out += &format!("\n{}\n\n{text}\n", "-".repeat(80));
        let at = out.len() - text.len() - 1;
        out.insert_str(at, &format!("{}:\n\n", names.join(", ")));
    }
    Ok(out)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The texts of licences in a folder, with lines that end alike.
fn licences(folder: &Path) -> Vec<String> {
    let names = ["license", "licence", "copying", "notice", "unlicense", "copyright"];
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|e| e.path());
    let mut files: Vec<PathBuf> = entries
        .filter(|path| {
            let name = path.file_name().map(|n| n.to_string_lossy().to_lowercase()).unwrap_or_default();
            path.is_file() && names.iter().any(|start| name.starts_with(start))
        })
        .collect();
    files.sort();
    let read = |path: &PathBuf| fs::read_to_string(path).ok();
    files.iter().filter_map(read).map(|t| t.replace('\r', "").trim().to_owned()).collect()
}
