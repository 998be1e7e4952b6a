//! The project's chores: `cargo xtask test` does every check, `cargo xtask bench` measures speed,
//! `cargo xtask work-precision` the integrators.
#![allow(clippy::disallowed_methods, reason = "chores compute nothing that is kept")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod program;
mod test_files;
mod test_programs;
mod viewer;
mod words;
mod papers;
mod exports;
mod python;
mod notebooks;
mod notices;
mod cluster;
mod documentation;

use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;

use program::{LINTED, run};

const HELP: &str = "cargo xtask test     all checks: format, lints, documentation, tests, doc tests, the viewer in a browser,
                     the Python package in environments of its own
cargo xtask gen      writes what is generated: the scene reference and the laws of the book, reports of runs in it and in the README
cargo xtask words    checks that comments and names have no words that a newcomer does not understand
cargo xtask python   checks the Python package alone; `cargo test` has built the crates before
cargo xtask notebooks [NAME…]
                     executes the notebooks of python/notebooks, which check their numbers: minutes
cargo xtask dist     the Python wheel and the program, built for release, into dist/
cargo xtask viewer   builds the viewer's page (needs node)
cargo xtask viewer test
                     checks the viewer alone; `cargo test` has built the program before
cargo xtask papers   runs the papers; figures of the book, docs/gallery.md, tables of their READMEs anew
cargo xtask bench    speed: Carom against a bare loop, and against peers where Python has them
cargo xtask instructions [--keep]
                     instructions of each class of scenes, by callgrind, beside those of the last version; --keep writes them down
cargo xtask pairs    the book's table of pairs: method, error, time; a quarter of an hour
cargo xtask verify tests
                     the tests of `test`, with all of their cases where `test` takes one in so many, and long ones
cargo xtask verify kills
                     runs that are killed at random instants, 200 of ten scenes, and on disks that are full: resumed, the same bytes; and in the
                     process a disk that is full after every byte of a run: minutes
cargo xtask verify growth
                     how the time of the program grows with what it is given, by doubling: the book's table
cargo xtask verify crates
                     the licences, duplicates and sources of all crates by deny.toml (needs cargo-deny; cargo deny check advisories fetches a database)
cargo xtask verify pairs [COUNT]
                     what holds of every pair, in forty times as many random poses as by `test`, and random pairs of convex solids, a million unless
                     another number is given, checked one by one: minutes
cargo xtask verify distances [COUNT] [FROM]
                     all pairs of shapes, 20,000 random placements unless another number is given, from the placement FROM on, against search:
                     twenty minutes
cargo xtask verify pressure
                     all pairs of shapes without contact points, pressed on one another: time, and work against energy; and motions of every class of them
cargo xtask verify examples
                     the examples that take a minute, and the numbers their heads promise
cargo xtask verify random [COUNT] [FROM]
                     random scenes, 10,000 unless another number is given, of the seeds from FROM on: audits, overlaps, panics; an hour
cargo xtask verify viewer
                     the viewer in a browser, with a thousand bodies, and how long its pictures take
cargo xtask verify exports
                     exports read back by NumPy, SciPy, VTK and a glTF validator, from PyPI and npm
cargo xtask verify cluster
                     sweeps from Python on Dask, Ray, MPI and processes: the same bytes, a worker killed, the rate
cargo xtask verify sweep
                     1,000 torus drops, killed ten times: every row once, the same bytes; and the rate on 1 and 2 cores
cargo xtask fuzz [TARGET] [MINUTES]
                     random changes of what is read: one target, or all, for a minute each unless another number is given; what is found is written down
cargo xtask notices  the licences of all crates within the program and the Python package, anew; cargo-deny checks them by deny.toml
cargo xtask work-precision [OPTIONS]
                     the integrators against their peers: work and error on problems with known ends
cargo xtask implicit-steps [RTOL]
                     what implicit steps cost with the exact Jacobian and with differences: the book's table";

fn main() -> ExitCode {
    if documentation::is_in_place() {
        let args: Vec<String> = std::env::args().skip(1).collect();
        return documentation::in_place(&args);
    }
    let result = match std::env::args().nth(1).as_deref() {
        Some("test") => test(),
        Some("gen") => generate(),
        Some("words") => words::check(),
        Some("python") => python::test(),
        Some("notebooks") => notebooks::execute(),
        Some("dist") => python::dist(),
        Some("viewer") if std::env::args().nth(2).as_deref() == Some("test") => viewer::test(),
        Some("viewer") => viewer::build(),
        Some("papers") => papers::anew(),
        Some("bench") => bench(),
        Some("instructions") => bench_program("instructions"),
        Some("pairs") => pairs(),
        Some("fuzz") => fuzz(),
        Some("notices") => notices::write(),
        Some("verify") => verify(),
        Some("work-precision") => bench_program("work-precision"),
        Some("implicit-steps") => implicit_steps(),
        _ => {
            println!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("xtask: {what}");
            ExitCode::FAILURE
        }
    }
}

/// Everything that must hold at every commit. What does not depend on each other is done side by side: tests run while other crates are compiled, and the browser's while
/// documentation is written. Lints are checked as the tests are compiled.
fn test() -> Result<(), String> {
    let program = documentation::keep_program()?;
    test_files::all_named()?;
    words::check()?;
    notices::check()?;
    run("cargo", &["fmt", "--all", "--check"], &[])?;
    run("cargo", &["fmt", "--check", "--manifest-path", "benches/Cargo.toml"], &[])?;
    thread::scope(|scope| {
        // what needs no program of ours, and what comes over the network
        let page = scope.spawn(|| {
            viewer::fetch();
            python::fetch();
            viewer::test_page()
        });
        let (ready, compiled) = mpsc::channel();
        let tests = scope.spawn(|| test_programs::run_all(compiled));
        let compiles = test_programs::compile(&ready);
        drop(ready);
        compiles?;
        joined(page.join())?;
        let outside = scope.spawn(|| viewer::test_in_browser().and_then(|()| python::test()));
        documentation::test(&program)?;
        joined(outside.join())?;
        joined(tests.join())
    })
}

/// What a thread returned; an error if it ended otherwise.
fn joined<T>(result: thread::Result<Result<T, String>>) -> Result<T, String> {
    result.unwrap_or_else(|_| Err("a check ended unexpectedly".to_owned()))
}

/// What is generated is checked by a test, which writes it when asked to.
fn generate() -> Result<(), String> {
    let tests = [
        ("carom-geometry", "the_table_of_pairs"),
        ("carom-scene", "book::"),
        ("carom-studies", "book::"),
        ("carom-cli", "book::"),
    ];
    for (package, test) in tests {
        let args = ["test", "--quiet", "--package", package, "--test", "all", test];
        run("cargo", &args, &[("CAROM_GEN", "1"), LINTED[0], LINTED[1]])?;
    }
    Ok(())
}

/// The book's table of pairs, measured.
fn pairs() -> Result<(), String> {
    let test = ["test", "--release", "--quiet", "--package", "carom-geometry", "--test", "all"];
    run("cargo", &[&test[..], &["--", "--ignored", "--nocapture", "pairs_page::"]].concat(), &[])
}

/// Random inputs to what is read. `simulations` are the random scenes, which are run.
fn fuzz() -> Result<(), String> {
    let mut args = std::env::args().skip(2);
    let (target, minutes) =
        (args.next().unwrap_or_else(|| "all".to_owned()), args.next().unwrap_or_else(|| "1".to_owned()));
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let seed = now.to_string();
    if target == "simulations" {
        let test = ["test", "--quiet", "--package", "carom-results", "--test", "random_scenes"];
        let which = ["--", "--ignored", "--nocapture", "by_the_thousand"];
        // (about a scene a second)
        let count =
            (60.0 * minutes.parse::<f64>().map_err(|e| format!("{minutes}: {e}"))?).ceil().to_string();
        let asked = [("CAROM_SCENES", count.as_str()), ("CAROM_FROM", seed.as_str())];
        return run("cargo", &[&test[..], &which[..]].concat(), &asked);
    }
    println!("seed {seed}");
    let test = ["test", "--quiet", "--package", "carom-studies", "--test", "all"];
    let which = ["--", "--ignored", "--nocapture", "fuzz::for_minutes"];
    let asked = [("CAROM_FUZZ", target.as_str()), ("CAROM_MINUTES", &minutes), ("CAROM_SEED", &seed)];
    run("cargo", &[&test[..], &which[..]].concat(), &asked)
}

/// What takes too long for every run of the tests.
fn verify() -> Result<(), String> {
    let mut args = std::env::args().skip(2);
    match (args.next().as_deref(), args.next()) {
        (Some("cluster"), None) => cluster::verify(),
        (Some("exports"), None) => exports::verify(),
        (Some("viewer"), None) => viewer::verify(),
        (Some("tests"), None) => {
            let args = ["test", "--release", "--quiet", "--workspace", "--tests"];
            run("cargo", &args, &[("CAROM_ALL", "1")])?;
            run("cargo", &[&args[..], &["--", "--ignored", "long::"]].concat(), &[])
        }
        (Some("pairs"), count) => {
            let count = count.unwrap_or_else(|| "1000000".to_owned());
            let test = ["test", "--release", "--quiet", "--package", "carom-geometry", "--test"];
            let properties = ["all", "--", "pairs::"];
            run("cargo", &[&test[..], &properties[..]].concat(), &[("CAROM_TIMES", "40")])?;
            let which = ["random_pairs", "--", "--ignored", "--nocapture", "by_the_million"];
            run("cargo", &[&test[..], &which[..]].concat(), &[("CAROM_PAIRS", &count)])
        }
        (Some("distances"), count) => {
            let (count, from) =
                (count.unwrap_or_else(|| "20000".to_owned()), args.next().unwrap_or_else(|| "0".to_owned()));
            let test = ["test", "--release", "--quiet", "--package", "carom-geometry", "--test", "distances"];
            let which = ["--", "--ignored", "--nocapture", "by_the_thousand"];
            let asked = [("CAROM_PLACEMENTS", count.as_str()), ("CAROM_FROM", from.as_str())];
            run("cargo", &[&test[..], &which[..]].concat(), &asked)
        }
        (Some("pressure"), None) => {
            let test = ["test", "--release", "--quiet", "--package", "carom-geometry", "--test", "all"];
            let which = ["--", "--ignored", "--nocapture", "every_pair_without_points"];
            run("cargo", &[&test[..], &which[..]].concat(), &[])?;
            // motions of every class of pairs, the longer ones
            let test = ["test", "--release", "--quiet", "--package", "carom", "--test", "all"];
            let which = ["--", "--ignored", "--nocapture", "pressure_pairs::"];
            run("cargo", &[&test[..], &which[..]].concat(), &[])
        }
        (Some("examples"), None) => {
            let test = ["test", "--release", "--quiet", "--package", "carom-cli", "--test", "all"];
            let which = ["--", "--ignored", "--nocapture", "examples::", "machines::"];
            run("cargo", &[&test[..], &which[..]].concat(), &[])
        }
        (Some("random"), count) => {
            let (count, from) =
                (count.unwrap_or_else(|| "10000".to_owned()), args.next().unwrap_or_else(|| "0".to_owned()));
            let test =
                ["test", "--release", "--quiet", "--package", "carom-results", "--test", "random_scenes"];
            let which = ["--", "--ignored", "--nocapture", "by_the_thousand"];
            let asked =
                [("CAROM_SCENES", count.as_str()), ("CAROM_FROM", from.as_str()), ("CAROM_SHRINK", "1")];
            run("cargo", &[&test[..], &which[..]].concat(), &asked)
        }
        (Some("sweep"), None) => {
            let test = ["test", "--release", "--quiet", "--package", "carom-cli", "--test", "all"];
            let which = ["--", "--ignored", "--nocapture", "--test-threads=1", "sweeps::"];
            run("cargo", &[&test[..], &which[..]].concat(), &[])
        }
        (Some("kills"), None) => {
            let test = ["test", "--release", "--quiet", "--package", "carom-cli", "--test", "all"];
            let which = ["--", "--ignored", "--nocapture", "--test-threads=1", "broken_off::"];
            run("cargo", &[&test[..], &which[..]].concat(), &[])?;
            let test = ["test", "--release", "--quiet", "--package", "carom-results", "--test", "all"];
            run("cargo", &[&test[..], &["broken_off::"]].concat(), &[("CAROM_ALL", "1")])
        }
        (Some("growth"), None) => {
            let test = ["test", "--release", "--quiet", "--package", "carom-cli", "--test", "all"];
            let which = ["--", "--ignored", "--nocapture", "growth::"];
            run("cargo", &[&test[..], &which[..]].concat(), &[])
        }
        (Some("crates"), None) => {
            let checks = ["deny", "check", "licenses", "bans", "sources"];
            run("cargo", &checks, &[]).map_err(|why| format!("{why} (cargo install cargo-deny --locked)"))
        }
        _ => Err(
            "verify what? there are: tests, kills, growth, pairs, distances, pressure, examples, random, viewer, exports, sweep, cluster, crates"
                .to_owned(),
        ),
    }
}

/// Oracles and peers live in a workspace of their own.
fn bench() -> Result<(), String> {
    ["bounce", "billiards", "torus", "islands", "crowd", "ensemble"].iter().try_for_each(|bin| {
        let args = ["run", "--release", "--quiet", "--manifest-path", "benches/Cargo.toml", "--bin", bin];
        run("cargo", &args, &[])
    })
}

/// A program of the benchmarks. What follows on the command line is for it.
fn bench_program(name: &str) -> Result<(), String> {
    let options: Vec<String> = std::env::args().skip(2).collect();
    let mut args = vec!["run", "--release", "--quiet", "--manifest-path", "benches/Cargo.toml"];
    args.extend(["--bin", name, "--"]);
    args.extend(options.iter().map(String::as_str));
    run("cargo", &args, &[])
}

/// What follows on the command line is for the program.
fn implicit_steps() -> Result<(), String> {
    let options: Vec<String> = std::env::args().skip(2).collect();
    let mut args =
        vec!["run", "--release", "--quiet", "--package", "carom", "--example", "implicit_steps", "--"];
    args.extend(options.iter().map(String::as_str));
    run("cargo", &args, &[])
}
