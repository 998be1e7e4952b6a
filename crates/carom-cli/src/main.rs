//! The program `carom`.

mod commands;
mod failure;
mod human;
mod plot;
mod report;
mod text;
mod watch;

use std::process::ExitCode;

use clap::Parser;

use commands::Command;

/// Multibody dynamics for bodies that touch, with a known error.
#[derive(Debug, Parser)]
#[command(
    name = "carom",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "\
Examples:
  carom new first                    write a commented scene to first.toml
  carom run first.toml               simulate it; results go to out/first/
  carom view out/first               look at it in a browser
  carom check first.toml             see whether a scene is right, without a run
  carom sweep first.toml --vary run/rtol=1e-6,1e-9  run it many times, a row each
  carom plot out/first ball.z        draw quantities of a run, as SVG and PNG
  carom export out/first --format vtk  for ParaView; also gltf, npz, mat
  carom compare out/one out/two      where two runs part, and how far
  carom modes first.toml             its equilibrium, frequencies and mode shapes
  carom laws                         the contact laws, with formulas and sources
  carom papers                       the papers whose figures are within the program
  carom query < pairs.jsonl          distances between surfaces

Exit codes: 0 done, 1 the run failed or was stopped, 2 the input is wrong.
carom compare: 0 the same, 1 different, 2 the input is wrong."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(help_or_error) => {
            // whoever does not listen does not need the help
            let _ = help_or_error.print();
            return ExitCode::from(u8::try_from(help_or_error.exit_code()).unwrap_or(failure::WRONG_INPUT));
        }
    };
    match cli.command.go() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.say(),
    }
}
