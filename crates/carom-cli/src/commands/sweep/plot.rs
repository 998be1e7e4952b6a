//! `carom sweep plot`

use std::io::Write;
use std::path::PathBuf;

use carom_studies::sweep::{Table, Wanted};
use clap::Args;

use crate::failure::Failure;
use crate::human::significant;
use crate::plot;
use crate::text;

/// Draw a measure of a sweep: a line, lines or a map
///
/// Over one varied path a line; over two a map, or with --by a line for each value of the second;
/// of samples, dots over one path (--against), or over two, coloured by the measure. A path may
/// be named by its end: coefficient. A sweep that is not finished is drawn as far as it is.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  carom sweep plot out/ball-sweep                                what was varied and measured
  carom sweep plot out/ball-sweep peak_force
  carom sweep plot out/ring-sweep turned --against tilt --by coefficient -o turned.svg
  carom sweep plot out/ring-sweep turned --at law=hertz          a map of the two others"
)]
pub(super) struct PlotSweep {
    /// The folder of the sweep
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A measure; without one, say which there are
    measure: Option<String>,
    /// The varied path across
    #[arg(long, value_name = "PATH")]
    against: Option<String>,
    /// A line for each value of this varied path
    #[arg(long, value_name = "PATH")]
    by: Option<String>,
    /// Only rows with this value; can be given many times
    #[arg(long, value_name = "PATH=VALUE")]
    at: Vec<String>,
    /// Logarithmic axis upwards
    #[arg(long)]
    log: bool,
    /// What is written above the figure
    #[arg(long, default_value = "")]
    title: String,
    /// The file: .svg, .png or .pdf; SVG and PNG without an ending [default: the measure, in the folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl PlotSweep {
    pub(super) fn go(&self) -> Result<(), Failure> {
        let table = Table::open(&self.folder)?;
        let Some(measure) = self.measure.clone() else { return list(&table) };
        let name: String = measure.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let files = plot::files(&self.output.clone().unwrap_or_else(|| self.folder.join(name)));
        files.iter().try_for_each(|file| plot::check(Some(file)))?;
        let wanted = Wanted {
            measure,
            against: self.against.clone(),
            by: self.by.clone(),
            at: self.at.clone(),
            log: self.log,
            title: self.title.clone(),
        };
        let figure = table.figure(&wanted)?;
        if table.rows.len() < table.runs {
            let (rows, runs) = (table.rows.len(), table.runs);
            let _ = writeln!(crate::text::stderr(), "note: {rows} of {runs} runs are done, and drawn");
        }
        let mut out = crate::text::stdout();
        for file in &files {
            plot::write(&figure, file)?;
            writeln!(out, "wrote {}", file.display())?;
        }
        Ok(out.flush()?)
    }
}

/// What was varied, and the measures with their ranges.
fn list(table: &Table) -> Result<(), Failure> {
    let mut out = crate::text::stdout();
    writeln!(out, "{} of {} runs, {}", table.rows.len(), table.runs, table.design)?;
    for vary in &table.varied {
        writeln!(out, "  {}", vary.text)?;
    }
    let mut lines = text::Table::new(["measure", "unit", "from", "to"]);
    for (name, unit) in &table.measures {
        let values = table.measure(name)?;
        let finite = || values.iter().copied().filter(|x| x.is_finite());
        let shown = |x: Option<f64>| match x {
            None => "–".to_owned(),
            Some(0.0) => "0".to_owned(),
            Some(x) => significant(x, 4),
        };
        let (low, high) = (finite().reduce(f64::min), finite().reduce(f64::max));
        lines.line([name.clone(), unit.clone(), shown(low), shown(high)]);
    }
    write!(out, "{lines}")?;
    Ok(out.flush()?)
}
