//! `cargo xtask notebooks`: every notebook executed with a wheel of release quality. Their asserts are the tests.

use std::fs;
use std::path::Path;

use crate::program::{ROOT, run};
use crate::python::{environment, interpreter, target, text, wheel};

/// What the notebooks need, beside the package.
const TOOLS: [&str; 8] =
    ["maturin>=1.9,<2", "numpy", "pandas", "matplotlib", "nbformat", "nbclient", "nbconvert", "ipykernel"];

/// The longest that a notebook may take [s].
const LIMIT: &str = "600";

/// Executes all notebooks, or those named on the command line, and leaves copies with outputs and pages in `target/notebooks`.
pub(crate) fn execute() -> Result<(), String> {
    let python = interpreter().ok_or("notebooks need a python3 of 3.10 or later with venv")?;
    let notebooks = chosen(Path::new("python/notebooks"))?;
    let target = target();
    let place = Path::new(&target).join("python").join("notebooks");
    let tools = environment(&python, &place.join("environment"), false)?;
    run(&tools, &[&["-m", "pip", "install", "--quiet"], &TOOLS[..]].concat(), &[])?;
    let shared = [("CARGO_TARGET_DIR", target.as_str())];
    let wheel = wheel(&tools, &place.join("wheels"), &["--profile", "release"], &shared)?;
    run(&tools, &["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", &wheel], &[])?;
    // one of them has the program write a file for MATLAB
    run("cargo", &["build", "--quiet", "--package", "carom-cli"], &shared)?;
    let program = Path::new(&target).join("debug").join(format!("carom{}", std::env::consts::EXE_SUFFIX));

    let out = text(&Path::new(&target).join("notebooks"));
    let mut args = vec!["xtask/notebooks/execute.py", &out, LIMIT];
    args.extend(notebooks.iter().map(String::as_str));
    run(&tools, &args, &[("CAROM_PROGRAM", &text(&program))])
}

/// Those of the folder that are named on the command line, or all, in the order of their names.
fn chosen(folder: &Path) -> Result<Vec<String>, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let files = fs::read_dir(Path::new(ROOT).join(folder)).map_err(failed)?.filter_map(Result::ok);
    let files = files.map(|e| folder.join(e.file_name()));
    let mut all: Vec<_> = files.filter(|f| f.extension().is_some_and(|e| e == "ipynb")).collect();
    all.sort();
    let named: Vec<String> = std::env::args().skip(2).collect();
    let stem = |file: &Path| file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    if let Some(unknown) = named.iter().find(|name| !all.iter().any(|file| stem(file) == **name)) {
        let there: Vec<_> = all.iter().map(|file| stem(file)).collect();
        return Err(format!("no notebook is called `{unknown}`; there are: {}", there.join(", ")));
    }
    all.retain(|file| named.is_empty() || named.contains(&stem(file)));
    Ok(all.iter().map(|file| text(file)).collect())
}
