//! Figures of the commands.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use carom_plot::{Figure, PlotError};
use carom_results::Recorded;
use carom_scene::plot::Plot;
use carom_studies::plot::{PlotProblem, Run};

use crate::failure::Failure;

/// What a figure without an ending is written as.
const ENDINGS: [&str; 2] = ["svg", "png"];

/// Whether a figure can be written there, before the work is done.
pub(crate) fn check(path: Option<&Path>) -> Result<(), Failure> {
    Ok(path.map_or(Ok(()), carom_plot::check)?)
}

/// Writes the figure.
pub(crate) fn write(figure: &Figure, path: &Path) -> Result<(), Failure> {
    Ok(figure.write(path)?)
}

/// The files of a figure: this one, if its name ends as one of a figure does, else SVG and PNG.
pub(crate) fn files(path: &Path) -> Vec<PathBuf> {
    let ends = |e: &&str| path.extension().is_some_and(|x| x.eq_ignore_ascii_case(e));
    if ENDINGS.iter().any(ends) {
        return vec![path.to_owned()];
    }
    // not `with_extension`: a name may have dots
    ENDINGS.iter().map(|e| PathBuf::from(format!("{}.{e}", path.display()))).collect()
}

/// Draws the runs as asked for, into these files; what is not as it should be is said.
pub(crate) fn draw(plot: &Plot, runs: &[Run<'_>], files: &[PathBuf]) -> Result<(), Failure> {
    let drawn = carom_studies::plot::figure(plot, runs)?;
    for notice in &drawn.notices {
        let _ = writeln!(io::stderr().lock(), "note: {notice}");
    }
    files.iter().try_for_each(|file| write(&drawn.figure, file))
}

/// Draws what a scene wants drawn at the end of its run. Neither a run that failed before it had results nor a program without figures is a failure of its own.
pub(crate) fn of_scene(plots: &[Plot], folder: &Path) -> Result<(), Failure> {
    let say = |what: &str| {
        let _ = writeln!(io::stderr().lock(), "note: {what}");
    };
    if plots.is_empty() {
        return Ok(());
    }
    if let Err(error) = carom_plot::check(Path::new("plot.svg")) {
        say(&error.to_string());
        return Ok(());
    }
    let recorded = match Recorded::open(folder) {
        Ok(recorded) => recorded,
        Err(error) => {
            say(&error.to_string());
            return Ok(());
        }
    };
    for plot in plots {
        let run = Run { label: folder.display().to_string(), recorded: &recorded };
        match draw(plot, &[run], &files(&folder.join(&plot.file))) {
            // a contact that was never touched, a touch that did not come: nothing is wrong with the run
            Err(Failure::Input(text)) => say(&format!("{}: not drawn: {text}", plot.file)),
            other => other?,
        }
    }
    Ok(())
}

impl From<PlotError> for Failure {
    fn from(error: PlotError) -> Failure {
        if error.is_wrong_input() {
            Failure::Input(error.to_string())
        } else {
            Failure::Run(error.to_string())
        }
    }
}

impl From<PlotProblem> for Failure {
    fn from(error: PlotProblem) -> Failure {
        Failure::Input(error.to_string())
    }
}
