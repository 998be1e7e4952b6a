//! `carom notices`

use std::io::{self, Write};

use clap::Args;

use crate::failure::Failure;

/// Print the licences of the works of others that are within the program
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  carom notices > THIRD-PARTY.txt"
)]
pub(crate) struct Notices {}

impl Notices {
    pub(crate) fn go(self) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(include_str!("../../THIRD-PARTY.txt").as_bytes())?;
        Ok(out.flush()?)
    }
}
