//! `carom completions`

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use crate::failure::Failure;

/// Print the completions for a shell.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom completions bash > ~/.local/share/bash-completion/completions/carom
  carom completions zsh > ~/.zfunc/_carom
  carom completions fish > ~/.config/fish/completions/carom.fish")]
pub(crate) struct Completions {
    /// Which shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn go(self) -> Result<(), Failure> {
        // first to memory: the generator does not survive a reader that goes away
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "carom", &mut text);
        let mut out = io::stdout().lock();
        out.write_all(&text)?;
        Ok(out.flush()?)
    }
}
