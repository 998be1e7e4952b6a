//! `carom run`

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use carom::{Analysis, RunError, Sink};
use carom_results::{About, Existing, Folder, ResultSet, Sinks};
use carom_scene::Scene;
use clap::Args;

use super::analyse;
use super::export::Flags;
use super::resume;
use super::view::View;
use crate::failure::Failure;
use crate::human::duration;
use crate::plot;
use crate::report::{Report, look};
use crate::watch::{Aloud, Bar, go_on};

/// Simulate a scene and write its results to a folder
///
/// The folder gets summary.json, states.csv, energy.csv, momentum.csv, contacts.csv, events.csv
/// and timing.json, and where there are joints, forces and controllers joints.csv, kinematics.csv,
/// forces.csv and signals.csv, written as the run goes; or, where `[run] analysis` asks for
/// something else, kinematics.csv, inverse.csv, equilibrium.json or modes.json. Results of an
/// earlier run in the same folder are replaced, and figures that carom plot drew of them removed;
/// a folder with other files is refused.
///
/// Ctrl-C stops the run in good order: what it has done so far is kept, and the exit code
/// is 1. A second Ctrl-C ends it at once.
///
/// --resume DIR goes on with the run in a folder, whatever broke it off (Ctrl-C, a kill, a full
/// disk), from its last checkpoint, and ends with the same files as an undisturbed run; --until
/// prolongs a finished one.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  carom run bouncing-ball.toml
  carom run bouncing-ball.toml -o results/soft --set contact/ball~floor/normal/restitution=0.5
  carom run bouncing-ball.toml --view --vtk
  carom run scene.json --set run/rtol=1e-10 --set body/ball/position/2='20 mm' --quiet
  carom run --resume out/bouncing-ball
  carom run --resume out/bouncing-ball --until '20 s'

Exit codes: 0 done, 1 the run failed or was stopped, 2 the input is wrong."
)]
pub(crate) struct Run {
    /// The scene: TOML, or JSON if it ends in .json
    #[arg(required_unless_present = "resume")]
    scene: Option<PathBuf>,
    /// Folder for the results [default: out/ and the scene's name]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Replace a value of the scene; can be given many times
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,
    /// Put results into a folder with other files, too; those are never touched
    #[arg(long)]
    force: bool,
    /// Look at it afterwards: see carom view
    #[arg(long)]
    view: bool,
    /// Go on with the run in this folder, from its last checkpoint
    #[arg(long, value_name = "DIR", conflicts_with_all = ["scene", "output", "set", "force"])]
    resume: Option<PathBuf>,
    /// With --resume: go on until this time, later or earlier than the run was to end
    #[arg(long, value_name = "TIME", conflicts_with = "scene")]
    until: Option<String>,
    /// Seconds on the clock between two checkpoints
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = positive)]
    checkpoint_every: Duration,
    #[command(flatten)]
    export: Flags,
}

/// A time on the clock.
fn positive(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|s| *s > 0.0);
    let duration = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
    duration.ok_or_else(|| "allowed are seconds, greater than 0: 5, 0.5".to_owned())
}

impl Run {
    /// The run of a scene, with nothing else said.
    pub(super) fn plain(scene: &Path, set: &[String]) -> Run {
        Run {
            scene: Some(scene.to_owned()),
            output: None,
            set: set.to_vec(),
            quiet: false,
            force: false,
            view: false,
            resume: None,
            until: None,
            checkpoint_every: Duration::from_secs(5),
            export: Flags::default(),
        }
    }

    pub(crate) fn go(self) -> Result<(), Failure> {
        let (folder, view, quiet, export) = (self.folder(), self.view, self.quiet, self.export.clone());
        let ran = self.run();
        // what a run that failed has done is worth a look
        if matches!(ran, Err(Failure::Input(_) | Failure::Scene(_))) || !folder.is_dir() {
            return ran;
        }
        let exported = export.export(&folder, quiet);
        let viewed = if view { View::of_run(&folder).go() } else { Ok(()) };
        ran.and(exported).and(viewed)
    }

    fn folder(&self) -> PathBuf {
        let of_scene = || self.scene.as_deref().map(default_folder);
        let named = self.resume.clone().or_else(|| self.output.clone());
        named.or_else(of_scene).unwrap_or_default()
    }

    fn run(self) -> Result<(), Failure> {
        let output = self.folder();
        let figures = carom_results::figures(&output);
        let (scene, folder, snapshot) = match &self.scene {
            Some(scene) => {
                let scene = Scene::from_file(scene, &self.set)?;
                let existing = if self.force { Existing::AddToForeign } else { Existing::ReplaceResults };
                if scene.analysis != Analysis::Dynamic {
                    let done = self.analyse(&scene, &output, existing);
                    plot::say_removed(&figures, &output);
                    return done;
                }
                let folder = Folder::new(&output, About::from(&scene), existing)?;
                (scene, folder, None)
            }
            None => match resume::begin(&output, self.until.as_deref())? {
                Some(begun) => begun,
                None if self.quiet => return Ok(()),
                None => return Ok(writeln!(crate::text::stdout(), "{} is finished", shown(&output))?),
            },
        };
        let mut folder = folder.checkpoint_every(self.checkpoint_every);
        let start = Instant::now();
        let bar = RefCell::new(Bar::new(self.quiet));
        let mut aloud = Aloud { bar: &bar, quiet: self.quiet };
        let mut reached = |t: f64| {
            bar.borrow_mut().show(t / scene.duration, || format!("t = {}", duration(t)));
            go_on()
        };
        let sinks = [&mut folder as &mut dyn Sink, &mut aloud];
        let mut sinks = Sinks::new(sinks, &mut reached);
        let outcome = scene.simulation().resume_into(snapshot.as_ref(), &mut sinks);
        bar.borrow_mut().clear();
        let closed = folder.close(&outcome);
        let wall = start.elapsed();
        let drawn = if folder.has_begun() { plot::of_scene(&scene.plots, &output) } else { Ok(()) };
        plot::say_removed(&figures, &output);
        let run = match outcome {
            Ok(run) => run,
            Err(error) => {
                for warning in scene.simulation().start_warnings().unwrap_or_default() {
                    writeln!(crate::text::stderr(), "warning: {warning}")?;
                }
                let is_sink = matches!(error, RunError::Sink { .. });
                let failure = Failure::from(error);
                return Err(match failure {
                    Failure::Run(text) if folder.has_begun() && closed.is_ok() => {
                        let more = if is_sink { go_on_with(&scene, &output) } else { String::new() };
                        let folder = shown(&output);
                        Failure::Run(format!("{text}\n  what it did up to there is in {folder}{more}"))
                    }
                    other => other,
                });
            }
        };
        closed?;
        drawn?;
        let summary = &run.summary;
        let (title, wear) = (&scene.title, &run.end.frame.wear);
        let report = Report { title, summary, wear, wall, folder: &shown(&output) };
        if !self.quiet {
            let mut out = crate::text::stdout();
            write!(out, "{report}")?;
            out.flush()?;
        }
        if summary.stopped { Err(stopped(summary.t_end, &scene, &output)) } else { Ok(()) }
    }
}

impl Run {
    /// What is not integrated.
    fn analyse(&self, scene: &Scene, output: &Path, existing: Existing) -> Result<(), Failure> {
        existing.check(output)?;
        let start = Instant::now();
        let mut bar = Bar::new(self.quiet);
        let mut reached = 0.0;
        let found = scene.analyse(&mut |t| {
            reached = t;
            bar.show(t / scene.duration, || format!("t = {}", duration(t)));
            go_on()
        });
        bar.clear();
        let Some(found) = found? else { return Ok(()) };
        ResultSet::of_analysis(scene, &found)?.write(output, existing)?;
        plot::of_scene(&scene.plots, output)?;
        if !self.quiet {
            let mut out = crate::text::stdout();
            let wall = duration(start.elapsed().as_secs_f64());
            let (text, folder) = (analyse::text(scene, &found), shown(output));
            writeln!(out, "{text}  done in {wall}\n  {folder}")?;
            writeln!(out, "  {}", look(&folder))?;
            out.flush()?;
        }
        if found.stopped() { Err(stopped(reached, scene, output)) } else { Ok(()) }
    }
}

/// Says how far it came.
fn stopped(t: f64, scene: &Scene, output: &Path) -> Failure {
    let _ = writeln!(
        crate::text::stderr(),
        "stopped after {} of {}; what it did up to there is in {}{}",
        duration(t),
        duration(scene.duration),
        shown(output),
        go_on_with(scene, output)
    );
    Failure::Stopped
}

/// Says how a run that was broken off is taken up again.
fn go_on_with(scene: &Scene, output: &Path) -> String {
    match scene.analysis {
        Analysis::Dynamic => format!("\n  to go on: carom run --resume {}", output.display()),
        _ => String::new(),
    }
}

/// `out/` and the name of the scene.
pub(super) fn default_folder(scene: &Path) -> PathBuf {
    Path::new("out").join(scene.file_stem().unwrap_or(scene.as_os_str()))
}

/// The folder with a slash behind.
fn shown(folder: &Path) -> String {
    let text = folder.display().to_string();
    if text.ends_with(std::path::MAIN_SEPARATOR) { text } else { text + std::path::MAIN_SEPARATOR_STR }
}
