//! The commands: one file each, one line each in [`Command`] and in its `go`.

mod analyse;
mod check;
mod compare;
mod completions;
mod export;
mod laws;
mod modes;
mod new;
mod papers;
mod plot;
mod query;
mod run;
mod schema;
mod sweep;
mod view;

use clap::{Parser, Subcommand};

use crate::failure::Failure;

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
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What `carom` can do. Each says what it is in its own file, for the help.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(run::Run),
    View(view::View),
    Check(check::Check),
    Compare(compare::Compare),
    Sweep(sweep::Sweep),
    Plot(plot::PlotOf),
    Export(export::Export),
    Modes(modes::ModesOf),
    Schema(schema::Schema),
    Query(query::Query),
    New(new::New),
    Laws(laws::Laws),
    Papers(papers::Papers),
    Completions(completions::Completions),
}

impl Command {
    /// Does it.
    pub(crate) fn go(self) -> Result<(), Failure> {
        match self {
            Command::Run(command) => command.go(),
            Command::View(command) => command.go(),
            Command::Check(command) => command.go(),
            Command::Compare(command) => command.go(),
            Command::Sweep(command) => command.go(),
            Command::Plot(command) => command.go(),
            Command::Export(command) => command.go(),
            Command::Modes(command) => command.go(),
            Command::Schema(command) => command.go(),
            Command::Query(command) => command.go(),
            Command::New(command) => command.go(),
            Command::Laws(command) => command.go(),
            Command::Papers(command) => command.go(),
            Command::Completions(command) => command.go(),
        }
    }
}
