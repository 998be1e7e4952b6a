//! The project's chores: `cargo xtask test` does every check, `cargo xtask bench` measures speed,
//! `cargo xtask work-precision` the integrators.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod viewer;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{fs, io};

const HELP: &str = "cargo xtask test     all checks: format, lints, documentation, tests, doc tests, the viewer in a browser
cargo xtask gen      writes what is generated: the scene reference and the laws of the book
cargo xtask viewer   builds the viewer's page (needs node)
cargo xtask viewer test
                     checks the viewer alone; `cargo test` has built the program before
cargo xtask papers   runs the papers; figures of the book and tables of their READMEs anew
cargo xtask bench    speed: Carom against a bare loop, and against peers where Python has them
cargo xtask pairs    the book's table of pairs: method, error, time
cargo xtask verify pairs [COUNT]
                     random pairs of convex solids, a million unless told otherwise, checked one by one: minutes
cargo xtask work-precision [OPTIONS]
                     the integrators against their peers: work and error on problems with known ends
cargo xtask implicit-steps [RTOL]
                     what implicit steps cost with the exact Jacobian and with differences: the book's table";

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Around what is written into a README.
const MARK: &str = "<!-- written by cargo xtask papers -->";
/// The heading of a report's last part.
const CLOSING: &str = "## What the paper says, and what we find\n";

fn main() -> ExitCode {
    let result = match std::env::args().nth(1).as_deref() {
        Some("test") => test(),
        Some("gen") => generate(),
        Some("viewer") if std::env::args().nth(2).as_deref() == Some("test") => viewer::test(),
        Some("viewer") => viewer::build(),
        Some("papers") => papers(),
        Some("bench") => bench(),
        Some("pairs") => pairs(),
        Some("verify") => verify(),
        Some("work-precision") => work_precision(),
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

/// Everything that must hold at every commit.
fn test() -> Result<(), String> {
    run("cargo", &["fmt", "--all", "--check"], &[])?;
    run("cargo", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"], &[])?;
    run("cargo", &["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    run("cargo", &["test", "--workspace", "--quiet"], &[])?;
    viewer::test()
}

/// What is generated is checked by a test, which writes it when asked to.
fn generate() -> Result<(), String> {
    for package in ["carom-scene", "carom-cli"] {
        let args = ["test", "--quiet", "--package", package, "--test", "book"];
        run("cargo", &args, &[("CAROM_GEN", "1")])?;
    }
    Ok(())
}

/// The book's table of pairs, measured.
fn pairs() -> Result<(), String> {
    let test = ["test", "--release", "--quiet", "--package", "carom-geometry", "--test", "pairs_page"];
    run("cargo", &[&test[..], &["--", "--ignored", "--nocapture"]].concat(), &[])
}

/// What takes too long for every run of the tests.
fn verify() -> Result<(), String> {
    let mut args = std::env::args().skip(2);
    match (args.next().as_deref(), args.next()) {
        (Some("pairs"), count) => {
            let count = count.unwrap_or_else(|| "1000000".to_owned());
            let test =
                ["test", "--release", "--quiet", "--package", "carom-geometry", "--test", "random_pairs"];
            let which = ["--", "--ignored", "--nocapture", "by_the_million"];
            run("cargo", &[&test[..], &which[..]].concat(), &[("CAROM_PAIRS", &count)])
        }
        _ => Err("verify what? there is: pairs".to_owned()),
    }
}

/// Runs every paper, for its figures in the book and the closing table of its README.
fn papers() -> Result<(), String> {
    let all = fs::read_dir(Path::new(ROOT).join("papers")).map_err(|e| format!("papers: {e}"))?;
    for folder in all.filter_map(|f| Some(f.ok()?.path())).filter(|f| f.join("paper.toml").is_file()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let out = format!("target/papers/{name}");
        run(
            "cargo",
            &["run", "--release", "--quiet", "--package", "carom-cli", "--", "papers", &name, "-o", &out],
            &[],
        )?;
        let out = Path::new(ROOT).join(out);
        copy_figures(&out, &Path::new(ROOT).join("book/src/papers").join(&name))
            .map_err(|e| format!("{name}: {e}"))?;
        write_table(&out.join("report.md"), &folder.join("README.md")).map_err(|e| format!("{name}: {e}"))?;
    }
    Ok(())
}

fn copy_figures(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let made = fs::read_dir(from)?.filter_map(|f| Some(f.ok()?.path()));
    for figure in made.filter(|f| f.extension().is_some_and(|e| e == "svg")) {
        fs::copy(&figure, to.join(figure.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// What follows the closing heading of the report goes between the two marks of the README.
fn write_table(report: &Path, readme: &Path) -> io::Result<()> {
    let (report, text) = (fs::read_to_string(report)?, fs::read_to_string(readme)?);
    let table = report.split_once(CLOSING).map_or("", |r| r.1);
    let parts: Vec<&str> = text.split(MARK).collect();
    let [before, _, after] = parts.as_slice() else {
        return Err(io::Error::other(format!("the README needs twice: {MARK}")));
    };
    fs::write(readme, format!("{before}{MARK}\n{table}\n{MARK}{after}"))
}

/// Oracles and peers live in a workspace of their own.
fn bench() -> Result<(), String> {
    ["bounce", "billiards", "torus"].iter().try_for_each(|bin| {
        let args = ["run", "--release", "--quiet", "--manifest-path", "benches/Cargo.toml", "--bin", bin];
        run("cargo", &args, &[])
    })
}

/// What follows on the command line is for the program.
fn work_precision() -> Result<(), String> {
    let options: Vec<String> = std::env::args().skip(2).collect();
    let mut args = vec!["run", "--release", "--quiet", "--manifest-path", "benches/Cargo.toml"];
    args.extend(["--bin", "work-precision", "--"]);
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

pub(crate) fn run(program: &str, args: &[&str], env: &[(&str, &str)]) -> Result<(), String> {
    run_in(Path::new(ROOT), program, args, env)
}

pub(crate) fn run_in(
    folder: &Path,
    program: &str,
    args: &[&str],
    env: &[(&str, &str)],
) -> Result<(), String> {
    println!("> {program} {}", args.join(" "));
    let status = Command::new(program).args(args).envs(env.iter().copied()).current_dir(folder).status();
    match status {
        Ok(s) if s.success() => Ok(()),
        Ok(s) => Err(format!("`{program} {}` failed ({s})", args.join(" "))),
        Err(e) => Err(format!("`{program}` cannot be started: {e}")),
    }
}
