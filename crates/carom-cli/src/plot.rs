//! Figures of the commands.

use std::io::Write;
use std::path::{Path, PathBuf};

use carom_plot::{Figure, PlotError};
use carom_results::Recorded;
use carom_scene::plot::{Plot, Wanted};
use carom_studies::plot::{PlotProblem, Run};

use crate::failure::Failure;

/// What a figure without an ending is written as, and what it may end in.
const USUAL: [&str; 2] = ["svg", "png"];
const ENDINGS: [&str; 3] = ["svg", "png", "pdf"];
/// The longest name of a figure that is made from quantities.
const LONGEST: usize = 80;

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
    USUAL.iter().map(|e| PathBuf::from(format!("{}.{e}", path.display()))).collect()
}

/// The name of a figure by what it shows: `ball.z`, `ball.z+ball.vz`, `ball~floor.fn-over-ball~floor.delta`; of several runs, with their names.
pub(crate) fn name(wanted: &[Wanted], runs: &[Run<'_>]) -> String {
    let one = |w: &Wanted| match &w.x {
        Some(x) => format!("{}-over-{x}", w.y),
        None => w.y.clone(),
    };
    let of_runs =
        if runs.len() > 1 { runs.iter().map(|run| run.label.as_str()).collect() } else { Vec::new() };
    let text = wanted.iter().map(one).collect::<Vec<_>>().join("+");
    let text: String = [&[text.as_str()], &of_runs[..]].concat().join("-");
    let kept = |c: char| if c.is_alphanumeric() || "._~+-".contains(c) { c } else { '_' };
    let name: String = text.chars().map(kept).take(LONGEST).collect();
    name.trim_matches(['.', '-', '+']).to_owned()
}

/// Notes the figures that lie in a folder of results, so that a new run there takes them away.
pub(crate) fn note(files: &[PathBuf], folder: &Path) -> Result<(), Failure> {
    let place = folder.canonicalize().ok();
    let within = |file: &&PathBuf| {
        let parent = file.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
        place.is_some() && parent.and_then(|p| p.canonicalize().ok()) == place
    };
    let names = files.iter().filter(within).filter_map(|f| Some(f.file_name()?.to_str()?.to_owned()));
    let names: Vec<String> = names.collect();
    if names.is_empty() { Ok(()) } else { Ok(carom_results::note_figures(folder, &names)?) }
}

/// Says which figures of earlier results are gone: those that the run has not drawn anew.
pub(crate) fn say_removed(before: &[String], folder: &Path) {
    let gone: Vec<&str> = before.iter().filter(|f| !folder.join(f).exists()).map(String::as_str).collect();
    if !gone.is_empty() {
        let text = format!("note: removed figures of the results that were replaced: {}", gone.join(", "));
        let _ = writeln!(crate::text::stderr(), "{text}");
    }
}

/// Draws the runs as asked for, into these files; what is not as it should be is said.
pub(crate) fn draw(plot: &Plot, runs: &[Run<'_>], files: &[PathBuf]) -> Result<(), Failure> {
    let drawn = carom_studies::plot::figure(plot, runs)?;
    for notice in &drawn.notices {
        let _ = writeln!(crate::text::stderr(), "note: {notice}");
    }
    files.iter().try_for_each(|file| write(&drawn.figure, file))
}

/// Draws what a scene wants drawn at the end of its run. Neither a run that failed before it had results nor a program without figures is a failure of its own.
pub(crate) fn of_scene(plots: &[Plot], folder: &Path) -> Result<(), Failure> {
    let say = |what: &str| {
        let _ = writeln!(crate::text::stderr(), "note: {what}");
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
        let files = files(&folder.join(&plot.file));
        match draw(plot, &[run], &files).and_then(|()| note(&files, folder)) {
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
