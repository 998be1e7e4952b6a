//! `carom view`

mod browser;
mod serve;

use std::io::Write;
use std::path::{Path, PathBuf};

use carom::base::file;
use carom_results::VIEW;
use carom_results::film::{Film, FilmError};
use clap::Args;

use super::run::{Run, default_folder};
use crate::failure::Failure;

/// Show a run in three dimensions, in a browser
///
/// Writes one page with all of the run in it (bodies, contacts, forces, plots) and opens it; it
/// needs no network and can be passed on. A scene is run first. Of a run that failed, was
/// stopped or killed the page shows what there is, and says so. Of a folder that `carom modes` wrote
/// it shows the mode shapes, each over a period.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  carom view out/bouncing-ball
  carom view examples/torus-tilted.toml --set run/duration=0.2
  carom view out/chain -o chain.html --no-open --frames 5000
  carom view out/long-run --serve    look again at a run that still goes on
  carom modes egg-on-table.toml -o out/egg && carom view out/egg    mode shapes, moving

The page is view.html in the folder of results, unless -o says otherwise. Served, it is made
anew whenever it is loaded, and only for this computer (127.0.0.1)."
)]
pub(crate) struct View {
    /// A folder of results, or a scene
    #[arg(value_name = "DIR|SCENE")]
    what: PathBuf,
    /// Write the page to this file
    #[arg(short, long, value_name = "FILE", conflicts_with = "serve")]
    output: Option<PathBuf>,
    /// Serve the page on this computer, at this port or any that is free, until Ctrl-C
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0")]
    serve: Option<u16>,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Show the modes in the folder, not its run
    #[arg(long, conflicts_with = "frames")]
    modes: bool,
    /// At most so many frames [default: 2000, fewer with very many bodies]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    frames: Option<u32>,
    /// Replace a value of the scene; can be given many times
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
}

impl View {
    /// The page of a run that was just made, opened.
    pub(super) fn of_run(folder: &Path) -> View {
        let what = folder.to_owned();
        View { what, output: None, serve: None, no_open: false, modes: false, frames: None, set: Vec::new() }
    }

    pub(crate) fn go(self) -> Result<(), Failure> {
        if self.what.is_dir() || !self.what.exists() && self.what.extension().is_none() {
            if let Some(set) = self.set.first() {
                let text =
                    format!("--set {set}: {} is a folder of results, not a scene", self.what.display());
                return Err(Failure::Input(text));
            }
            return self.show(&self.what);
        }
        let folder = default_folder(&self.what);
        // what a run that fails has done is worth a look
        let ran = Run::plain(&self.what, &self.set).go();
        match ran {
            Err(Failure::Run(text)) if folder.is_dir() => {
                self.show(&folder)?;
                Err(Failure::Run(text))
            }
            Err(Failure::Stopped) => {
                self.show(&folder)?;
                Err(Failure::Stopped)
            }
            Err(other) => Err(other),
            Ok(()) => self.show(&folder),
        }
    }

    fn show(&self, folder: &Path) -> Result<(), Failure> {
        let frames = self.frames.map(|n| n as usize);
        let make = || -> Result<String, Failure> {
            let film = if self.modes { Film::open_modes(folder)? } else { Film::open(folder, frames)? };
            Ok(film.html())
        };
        if let Some(port) = self.serve {
            return serve::serve(port, !self.no_open, &make);
        }
        let text = make()?;
        let file = self.output.clone().unwrap_or_else(|| folder.join(VIEW));
        file::write(&file, text.as_bytes()).map_err(|e| Failure::Run(format!("{}: {e}", file.display())))?;
        let opened = !self.no_open && browser::open(file.as_os_str());
        let mut out = crate::text::stdout();
        let said = if opened { "opened" } else { "wrote" };
        writeln!(out, "{said} {}", file.display())?;
        Ok(out.flush()?)
    }
}

impl From<FilmError> for Failure {
    fn from(error: FilmError) -> Failure {
        match error {
            FilmError::Scene(e) => Failure::from(e),
            other => Failure::Input(other.to_string()),
        }
    }
}
