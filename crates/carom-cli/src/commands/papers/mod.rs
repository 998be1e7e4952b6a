//! `carom papers`

mod check;
mod choice;
mod draw;
mod gallery;
mod library;
mod outline;
mod quantity;
mod report;
mod normals;
mod view;
mod work;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use carom::base::file;
use carom_studies::paper::Figure;
use clap::Args;

use crate::failure::Failure;
use crate::text::{columns, hanging, padded, width};
use check::Checked;
use choice::Choice;
use gallery::Gallery;
use library::Files;
use work::{Done, Progress};

/// List the papers, or run them: their figures, and whether their numbers come out
///
/// Without a name: what there is. With names, or `all`: every figure is simulated, drawn as SVG
/// and PNG, and checked against its expected values. index.html is the gallery: each figure with
/// what the paper says, how we read it, and how far our numbers are from those expected; report.md
/// has the same as text. The papers are within the program. Independent runs share the cores.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  carom papers
  carom papers all
  carom papers sphere-algorithms torus-plane
  carom papers sphere-algorithms fig14 fig15 -o break
  carom papers torus-plane/fig6 sphere-algorithms/fig14

Exit codes: 0 done, 1 an expected value was missed or a run failed, 2 the input is wrong."
)]
pub(crate) struct Papers {
    /// A paper, and figures of it; `PAPER/FIGURE`; `all`
    #[arg(value_name = "WHAT")]
    what: Vec<String>,
    /// Folder for the page, figures and results [default: out/papers/ and the paper's name]
    #[arg(short, long, value_name = "DIR", requires = "what")]
    output: Option<PathBuf>,
    /// Shorten long runs, draw coarse pictures: a look, and the expected values that are reached
    #[arg(long, requires = "what")]
    quick: bool,
    /// Write the scenes to the output folder as well, to run and change them
    #[arg(long, requires = "what")]
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

/// What went wrong in all papers together.
#[derive(Default)]
struct Faults {
    missed: usize,
    /// why runs failed
    failed: Vec<String>,
}

impl Papers {
    pub(crate) fn go(self) -> Result<(), Failure> {
        if self.what.is_empty() {
            return list();
        }
        let chosen = choice::read(&self.what)?;
        let folder = self.folder(&chosen);
        let (mut gallery, mut faults) = (Gallery::new(self.quick), Faults::default());
        for (i, choice) in chosen.iter().enumerate() {
            let own = if chosen.len() == 1 { folder.clone() } else { folder.join(&choice.paper.name) };
            if self.scenes {
                choice.files.write_scenes(&own.join("scenes"))?;
            }
            let figures = choice.figures();
            let prefix = (chosen.len() > 1).then(|| format!("paper {} of {}, ", i + 1, chosen.len()));
            let progress = Progress { prefix: prefix.unwrap_or_default(), quiet: self.quiet };
            let all = work::run(choice.files, &figures, &own, self.quick, &progress)?;
            let finished: Vec<Finished<'_>> = figures
                .iter()
                .zip(all)
                .map(|(figure, runs)| Finished {
                    checked: check::all(figure, &runs, self.quick),
                    figure,
                    runs,
                })
                .collect();
            self.write(choice, &finished, &own)?;
            faults.add(&finished);
            gallery.add(&choice.paper, &finished, &own);
            // after every paper: what is done can be looked at while others run
            gallery.write(&folder)?;
        }
        self.say(&format!("  {}\n", folder.join(gallery::FILE).display()))?;
        faults.report(&folder)
    }

    /// One paper has the folder for itself.
    fn folder(&self, chosen: &[Choice]) -> PathBuf {
        let out = Path::new("out/papers");
        let default = match chosen {
            [one] => out.join(&one.paper.name),
            _ => out.to_owned(),
        };
        self.output.clone().unwrap_or(default)
    }

    /// Figures and report to the folder, a few lines to the terminal.
    fn write(&self, choice: &Choice, all: &[Finished<'_>], folder: &Path) -> Result<(), Failure> {
        for finished in all {
            if carom_plot::check(Path::new("a.svg")).is_ok() {
                draw::figure(finished, folder, self.quick)?;
            }
        }
        let report = folder.join(format!("{}.md", choice.report()));
        file::write(&report, report::markdown(choice, all, self.quick).as_bytes())
            .map_err(|e| Failure::Run(format!("{}: {e}", report.display())))?;
        self.say(&report::text(&choice.paper, all, &report))
    }

    fn say(&self, text: &str) -> Result<(), Failure> {
        if self.quiet {
            return Ok(());
        }
        let mut out = crate::text::stdout();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }
}

impl Faults {
    fn add(&mut self, all: &[Finished<'_>]) {
        self.missed += all.iter().flat_map(|f| &f.checked).filter(|c| !c.ok).count();
        let failed = all.iter().flat_map(|f| &f.runs).filter_map(|r| r.result.as_ref().err().cloned());
        self.failed.extend(failed);
    }

    fn report(self, folder: &Path) -> Result<(), Failure> {
        match (self.missed, self.failed.first()) {
            (_, Some(why)) => {
                Err(Failure::Run(format!("{} of the runs failed; the first: {why}", self.failed.len())))
            }
            (0, None) => Ok(()),
            (n, None) => Err(Failure::Run(format!(
                "{n} of the expected values missed: see {}",
                folder.join(gallery::FILE).display()
            ))),
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
    text += "\ncarom papers NAME [FIGURE]… runs and draws them, carom papers all every one\n";
    let mut out = crate::text::stdout();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

impl Files {
    fn write_scenes(&self, folder: &Path) -> Result<(), Failure> {
        let io = |e: io::Error| Failure::Run(format!("{}: {e}", folder.display()));
        fs::create_dir_all(folder).map_err(io)?;
        self.scenes.iter().try_for_each(|(name, text)| {
            file::write(&folder.join(format!("{name}.toml")), text.as_bytes()).map_err(io)
        })
    }
}
