//! `carom schema`

use std::io::{self, Write};

use clap::Args;

use crate::failure::Failure;

/// Print the JSON Schema of scene files.
///
/// It holds for TOML as well: editors that know JSON Schema complete and check scenes with it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom schema > carom.schema.json")]
pub(crate) struct Schema {}

impl Schema {
    pub(crate) fn go(self) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        writeln!(out, "{:#}", carom_scene::schema())?;
        Ok(out.flush()?)
    }
}
