//! The program `carom`.
#![allow(clippy::disallowed_methods, reason = "numbers are shown to people")]

// What commands share.
mod text;
mod failure;
mod human;
mod watch;
mod report;
mod plot;
mod commands;

use std::process::ExitCode;

use clap::Parser;

use commands::Cli;

fn main() -> ExitCode {
    watch::meet_file_size_limits();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(help_or_error) => {
            // a reader that has gone needs no help
            let _ = help_or_error.print();
            return ExitCode::from(u8::try_from(help_or_error.exit_code()).unwrap_or(failure::WRONG_INPUT));
        }
    };
    match cli.command.go() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.say(),
    }
}
