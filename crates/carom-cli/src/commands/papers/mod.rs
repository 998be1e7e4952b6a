//! `carom papers`

mod check;
mod draw;
mod library;
mod outline;
mod quantity;
mod report;
mod view;
mod work;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use carom_scene::paper::{Figure, Paper};
use clap::Args;

use crate::failure::Failure;
use crate::text::{columns, hanging, padded, width};
use check::Checked;
use library::Files;
use work::Done;

/// List the papers, or run one: its figures, and whether its numbers come out
///
/// Without a name: what there is. With one: every figure is simulated, drawn as SVG and PNG, and
/// checked against its expected values; report.md says what came out. The papers are within the
/// program. Independent runs share the cores.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  carom papers
  carom papers sphere-algorithms
  carom papers sphere-algorithms fig14 -o break

Exit codes: 0 done, 1 an expected value was missed or a run failed, 2 the input is wrong."
)]
pub(crate) struct Papers {
    /// The paper
    name: Option<String>,
    /// One of its figures [default: all]
    figure: Option<String>,
    /// Folder for figures, results and report [default: out/papers/ and the paper's name]
    #[arg(short, long, value_name = "DIR", requires = "name")]
    output: Option<PathBuf>,
    /// Shorten long runs: a look, and the expected values that are reached
    #[arg(long, requires = "name")]
    quick: bool,
    /// Write the scenes to the output folder as well, to run and change them
    #[arg(long, requires = "name")]
    scenes: bool,
    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

/// A figure with its runs and what was expected of them.
struct Finished<'p> {
    figure: &'p Figure,
    runs: Vec<Done>,
    checked: Vec<Checked>,
}

impl Papers {
    pub(crate) fn go(self) -> Result<(), Failure> {
        let Some(name) = &self.name else { return list() };
        let files = library::named(name)?;
        let paper = files.paper()?;
        let figures = match &self.figure {
            None => paper.figures.iter().collect(),
            Some(figure) => vec![library::figure(&paper, figure)?],
        };
        let folder = self.output.clone().unwrap_or_else(|| Path::new("out/papers").join(name));
        if self.scenes {
            files.write_scenes(&folder.join("scenes"))?;
        }
        let all = work::run(files, &figures, &folder, self.quick, self.quiet)?;
        let finished: Vec<Finished<'_>> = figures
            .iter()
            .zip(all)
            .map(|(figure, runs)| Finished { checked: check::all(figure, &runs, self.quick), figure, runs })
            .collect();
        self.write(files, &paper, &finished, &folder)
    }

    /// Figures and report to the folder, a few lines to the terminal.
    fn write(
        &self,
        files: &Files,
        paper: &Paper,
        all: &[Finished<'_>],
        folder: &Path,
    ) -> Result<(), Failure> {
        for finished in all {
            if carom_plot::check(Path::new("a.svg")).is_ok() {
                draw::figure(finished, folder)?;
            }
        }
        let report = folder.join(format!("{}.md", self.figure.as_deref().unwrap_or("report")));
        fs::write(&report, report::markdown(files, paper, all, self.quick))
            .map_err(|e| Failure::Run(format!("{}: {e}", report.display())))?;
        if !self.quiet {
            let mut out = io::stdout().lock();
            write!(out, "{}", report::text(paper, all, &report))?;
            out.flush()?;
        }
        let missed = all.iter().flat_map(|f| &f.checked).filter(|c| !c.ok).count();
        let failed: Vec<&str> = all
            .iter()
            .flat_map(|f| &f.runs)
            .filter_map(|r| r.result.as_ref().err().map(String::as_str))
            .collect();
        match (missed, failed.first()) {
            (_, Some(why)) => {
                Err(Failure::Run(format!("{} of the runs failed; the first: {why}", failed.len())))
            }
            (0, None) => Ok(()),
            (n, None) => {
                Err(Failure::Run(format!("{n} of the expected values missed: see {}", report.display())))
            }
        }
    }
}

fn list() -> Result<(), Failure> {
    let mut text = String::new();
    for files in library::ALL {
        let paper = files.paper()?;
        text += &hanging(&format!("{}  ", paper.name), &paper.source, columns());
        let wide = paper.figures.iter().map(|f| width(&f.name)).max().unwrap_or(0);
        for f in &paper.figures {
            text += &hanging(&format!("    {}  ", padded(&f.name, wide)), &f.title, columns());
        }
    }
    text += "\ncarom papers NAME [FIGURE] runs and draws them\n";
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

impl Files {
    fn write_scenes(&self, folder: &Path) -> Result<(), Failure> {
        let io = |e: io::Error| Failure::Run(format!("{}: {e}", folder.display()));
        fs::create_dir_all(folder).map_err(io)?;
        self.scenes
            .iter()
            .try_for_each(|(name, text)| fs::write(folder.join(format!("{name}.toml")), text).map_err(io))
    }
}
