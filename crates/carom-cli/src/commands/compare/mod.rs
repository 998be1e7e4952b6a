//! `carom compare`

mod figure;
mod report;

use std::io::Write;
use std::path::PathBuf;

use carom_results::compare::Comparison;
use carom_results::{Ending, Recorded};
use clap::Args;

use crate::failure::Failure;
use crate::human::duration;
use crate::plot;

/// Compare the results of two runs
///
/// Says where they part first, how far positions, velocities, orientations and energies are apart,
/// which touches differ, and what the runs cost. Differences are relative to the scale of each
/// quantity: the farthest way, the largest speed, 1 rad, the largest energy of both runs.
///
/// Compared are the output times both runs have. If these are fewer than ten, the finer run is
/// interpolated at the times of the coarser (cubic, with its velocities; energies are then left
/// out), and differences below what that may have wrong do not count.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  carom compare out/coarse out/fine
  carom compare out/coarse out/fine --tolerance 1e-4 --plot differences.svg
  carom compare out/coarse out/fine --json > differences.json

Exit codes: 0 the same within the tolerance, 1 different, 2 the input is wrong."
)]
pub(crate) struct Compare {
    /// Results of the one run
    a: PathBuf,
    /// Results of the other
    b: PathBuf,
    /// Differences up to this share of their scale do not count
    #[arg(long, value_name = "X", default_value_t = 1e-6)]
    tolerance: f64,
    /// Look at this body or probe only; can be given many times
    #[arg(long, value_name = "NAME")]
    body: Vec<String>,
    /// Draw both runs and their differences to this file, SVG or PNG by its ending
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

impl Compare {
    pub(crate) fn go(self) -> Result<(), Failure> {
        if !(self.tolerance >= 0.0) {
            return Err(Failure::Input(format!("--tolerance {}: it must be 0 or greater", self.tolerance)));
        }
        plot::check(self.plot.as_deref())?;
        let runs = [self.open(&self.a)?, self.open(&self.b)?];
        let [a, b] = &runs;
        let comparison = Comparison::of(a, b, self.tolerance).map_err(|e| Failure::Input(e.to_string()))?;
        if let Some(path) = &self.plot {
            plot::write(&figure::figure(&comparison, &runs), path)?;
        }
        let notes = notes(&comparison, &runs);
        let text = if self.json {
            format!("{:#}\n", report::json(&comparison, &runs, &notes))
        } else {
            report::text(&comparison, &runs, &notes)
        };
        let mut out = crate::text::stdout();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        if comparison.same() { Ok(()) } else { Err(Failure::Different) }
    }

    /// A folder, with the bodies that are asked for.
    fn open(&self, path: &std::path::Path) -> Result<Recorded, Failure> {
        let mut run = Recorded::open(path).map_err(|e| Failure::Input(e.to_string()))?;
        for name in &self.body {
            if !run.tracks.iter().any(|t| t.name == *name) {
                let known: Vec<&str> = run.tracks.iter().map(|t| t.name.as_str()).collect();
                let text = format!(
                    "{}: no body or probe is called `{name}`; there are {}",
                    path.display(),
                    known.join(", ")
                );
                return Err(Failure::Input(text));
            }
        }
        run.tracks.retain(|t| self.body.is_empty() || self.body.contains(&t.name));
        Ok(run)
    }
}

/// What to know before the numbers: runs that are not whole, or not of the same things.
fn notes(c: &Comparison, runs: &[Recorded; 2]) -> Vec<String> {
    let mut notes = Vec::new();
    for (letter, run) in ["a", "b"].iter().zip(runs) {
        let end = duration(run.t_end());
        match &run.ending {
            Ending::Done => {}
            Ending::Stopped => notes.push(format!("{letter} was stopped at {end}")),
            Ending::Unfinished => {
                notes.push(format!("{letter} is not finished: it still runs, or was killed; so far {end}"))
            }
            Ending::Failed(why) => notes.push(format!("{letter} failed: {why}")),
        }
        for file in &run.cut {
            notes.push(format!("{letter}: {file} ends within a line, which is left out"));
        }
    }
    for (letter, names) in ["a", "b"].iter().zip(&c.only_in) {
        if !names.is_empty() {
            notes.push(format!("only in {letter}, not compared: {}", names.join(", ")));
        }
    }
    if !c.same_span() {
        let [a, b] = c.ends.map(duration);
        notes.push(format!("a goes to {a}, b to {b}: compared up to the earlier"));
    }
    notes
}
