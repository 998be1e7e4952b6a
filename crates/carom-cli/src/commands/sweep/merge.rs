//! `carom sweep merge`

use std::io::Write;
use std::path::PathBuf;

use carom_studies::sweep;
use clap::Args;

use crate::failure::Failure;
use crate::human::count;

/// Put the shards of a sweep together in one table
///
/// Rows that are still missing are reported; the sweep's own command without --shard runs them in
/// the folder of the whole, and nothing else. ResultSet runs stay in the folders of the shards.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  carom sweep merge out/ball-sweep/shard-1-of-2 out/ball-sweep/shard-2-of-2 -o out/ball-sweep
  carom sweep merge out/ball-sweep/shard-* -o out/ball-sweep"
)]
pub(super) struct Merge {
    /// Folders of shards
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    /// Folder of the whole
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

impl Merge {
    pub(super) fn go(&self) -> Result<(), Failure> {
        let (table, rows, runs) = sweep::merge(&self.shards, &self.output)?;
        let mut out = crate::text::stdout();
        writeln!(out, "{}    {}", table.display(), count(rows, "row", "rows"))?;
        if rows < runs {
            let what = "missing: the sweep's command without --shard runs them in this folder";
            writeln!(out, "  {} of {runs} {what}", runs - rows)?;
        }
        Ok(out.flush()?)
    }
}
