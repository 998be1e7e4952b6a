//! `cargo xtask verify cluster`: sweeps from Python on real clusters, all on this machine.

use std::path::Path;
use std::process::Command;

use crate::program::run;
use crate::python::{environment, interpreter, target, text, wheel};

/// Dask, Ray, spawned processes and MPI give the bytes of one process; a Dask worker is killed and nothing is lost; 1,000 drops on two workers against one. MPI is left out, and
/// that is said, where none can be had.
pub(crate) fn verify() -> Result<(), String> {
    let python = interpreter().ok_or("a python3 of 3.10 or later with venv is needed")?;
    let target = target();
    let place = Path::new(&target).join("python");
    let tools = environment(&python, &place.join("cluster"), false)?;
    let pip = |what: &[&str]| run(&tools, &[&["-m", "pip", "install", "--quiet"], what].concat(), &[]);
    pip(&["maturin>=1.9,<2", "numpy", "dask[distributed]", "ray"])?;
    let wheel = wheel(
        &tools,
        &place.join("cluster-wheels"),
        &["--profile", "release"],
        &[("CARGO_TARGET_DIR", &target)],
    )?;
    pip(&["--force-reinstall", "--no-deps", &wheel])?;
    let (script, examples) = ("xtask/cluster/check.py", "examples");
    for what in ["processes", "dask", "ray"] {
        run(&tools, &[script, examples, what], &[])?;
    }
    // an MPI of its own, so that no other is needed
    let mpiexec = Path::new(&tools).with_file_name("mpiexec");
    let works = || Command::new(&mpiexec).arg("--version").output().is_ok_and(|o| o.status.success());
    match pip(&["mpi4py", "mpich"]) {
        Ok(()) if works() => {
            let words = ["-n", "3", &tools, "-m", "mpi4py.futures", script, examples, "mpi"];
            run(&text(&mpiexec), &words, &[])?;
        }
        _ => println!("!! SKIPPED: MPI was not tried: mpi4py and mpich cannot be had"),
    }
    run(&tools, &[script, examples, "rate"], &[])
}
