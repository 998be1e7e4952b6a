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

use clap::Subcommand;

use crate::failure::Failure;

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
