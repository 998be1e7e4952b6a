//! The same balls in LAMMPS, in a program of Python.

use std::error::Error;
use std::fmt::Write;
use std::process::Command;

/// Measures LAMMPS from the same places; returns what its program says.
pub(crate) fn measure(
    centres: &[[f64; 3]],
    half: f64,
    radius: f64,
    step: f64,
    before: f64,
    steps: usize,
) -> Result<String, Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("carom-crowd-{}-{}.txt", std::process::id(), centres.len()));
    let mut text = String::new();
    for [x, y, z] in centres {
        writeln!(text, "{x:?} {y:?} {z:?}")?;
    }
    std::fs::write(&path, text)?;
    let python = std::env::var("CAROM_BENCH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let numbers = [half, radius, step, before].map(|x| x.to_string());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/crowd_lammps.py");
    let output = Command::new(python).arg(script).arg(&path).args(numbers).arg(steps.to_string()).output();
    let _ = std::fs::remove_file(&path);
    let output = output?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() {
        return Ok(said);
    }
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(why.lines().last().unwrap_or("it failed").to_owned().into())
}
