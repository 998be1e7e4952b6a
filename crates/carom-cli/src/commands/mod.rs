//! The commands: one file each, which is named here twice: as a module, and in the list of commands.

mod analyse;
mod check;
mod compare;
mod completions;
mod export;
mod laws;
mod materials;
mod modes;
mod new;
mod notices;
mod papers;
mod plot;
mod query;
mod resume;
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
  carom export out/first --format vtk  for ParaView; also for other programs
  carom compare out/one out/two      where two runs part, and how far
  carom modes first.toml             its equilibrium, frequencies and mode shapes
  carom laws                         the contact laws, with formulas and sources
  carom materials                    materials by name, with their values and sources
  carom papers                       the papers whose figures are within the program
  carom query < pairs.jsonl          distances between surfaces

Exit codes: 0 done, 1 the run failed or was stopped, 2 the input is wrong.
carom compare: 0 the same, 1 different, 2 the input is wrong."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Makes [`Command`] of the list of commands: each is a type of its module with clap's `Args` and a method `go`.
macro_rules! commands {
    ($($name:ident($kind:path),)*) => {
        /// What `carom` can do. Each says what it is in its own file, for the help.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($name($kind),)*
        }

        impl Command {
            /// Does it.
            pub(crate) fn go(self) -> Result<(), Failure> {
                match self {
                    $(Command::$name(command) => command.go(),)*
                }
            }
        }
    };
}

commands! {
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
    Materials(materials::Materials),
    Papers(papers::Papers),
    Notices(notices::Notices),
    Completions(completions::Completions),
}
