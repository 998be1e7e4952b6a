//! `carom sweep`

mod merge;
mod plot;
mod script;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use carom_studies::sweep::{Design, Journal, Measure, Plan, Shard, Study, SweepError, Vary, run_all};
use clap::{Args, Subcommand, ValueEnum};

use crate::failure::Failure;
use crate::human::{count, seconds, significant};
use crate::watch::{Bar, stop_on_ctrl_c};

/// Run a scene many times with other values, one row of a table each
///
/// --vary takes a path as --set does, and values: 0.1,0.2,0.5 or hertz,flores (a list),
/// 0:60deg:7 (seven, evenly), 1e-3:1e-1:9:log (nine, in even ratios). Every value goes with
/// every other; with --samples they are drawn from ranges FROM:TO or FROM:TO:log instead.
///
/// Every row has the values, the measures and, of a run that failed, the error: in table.csv of
/// the folder, in the order of the plan, the same bytes whatever the number of threads. A sweep
/// that was stopped or killed goes on where it was when the same command is given again.
///
/// A measure is an expression of quantities (carom plot --list) reduced to numbers: max(x),
/// min(x), initial(x), final(x), mean(x), rms(x), integral(x), at(x, t), crossing(x),
/// count(touch), touch.1; and numbers of the summary: touches, peak_force, energy_end ...
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  carom sweep torus-tilted.toml --vary contact/ring~floor/friction/coefficient=0:0.5:11
  carom sweep rattleback.toml --vary parameter/spin=-6:-1:20 --vary parameter/skew=1deg,5deg \\
      --measure 'turned=crossing(celt.wz)'
  carom sweep ball.toml --vary body/ball/position/2=1mm:100mm:log --samples 64 --design sobol
  carom sweep plot out/ball-sweep peak_force             a line, or a map where two are varied
  carom sweep ball.toml --vary run/rtol=1e-4:1e-10:7:log --slurm 8 > sweep.sh
  carom sweep merge out/ball-sweep/shard-* -o out/ball-sweep

Exit codes: 0 all runs done; 1 runs failed (the table has their errors), stopped, or a row could
not be written; 2 the input is wrong."
)]
pub(crate) struct Sweep {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    plan: PlanArgs,
    /// Threads [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Take away what an earlier sweep has left in the folder, and begin anew
    #[arg(long)]
    restart: bool,
    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,
    /// Run nothing: print a job script for an array of so many tasks
    #[arg(long, value_name = "TASKS", value_parser = clap::value_parser!(u16).range(1..))]
    slurm: Option<u16>,
}

#[derive(Debug, Subcommand)]
enum What {
    Merge(merge::Merge),
    Plot(plot::PlotSweep),
}

/// What makes a sweep this one and no other.
#[derive(Debug, Args)]
struct PlanArgs {
    /// The scene: TOML, or JSON if it ends in .json
    #[arg(required = true)]
    scene: Option<PathBuf>,
    /// A path, and the values it takes; can be given many times
    #[arg(long, value_name = "PATH=VALUES", required = true)]
    vary: Vec<String>,
    /// Replace a value in all runs; can be given many times
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// A column more: max(ring.z), or lift=max(ring.z); can be given many times
    #[arg(short, long, value_name = "NAME=EXPRESSION")]
    measure: Vec<String>,
    /// So many runs, drawn from the ranges, instead of every value with every other
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    samples: Option<u32>,
    /// How samples are drawn [default: latin-hypercube]
    #[arg(long, requires = "samples")]
    design: Option<Drawn>,
    /// Other samples of the same kind [default: 1; of sobol none: the sequence as published]
    #[arg(long, value_name = "N", requires = "samples")]
    seed: Option<u64>,
    /// Keep the results of every run, in runs/ of the folder
    #[arg(long)]
    keep: bool,
    /// Folder of the sweep [default: out/, the scene's name and -sweep]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Do a part only: the I-th of N, every N-th run; see merge
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Drawn {
    LatinHypercube,
    Sobol,
}

impl Drawn {
    fn name(self) -> &'static str {
        match self {
            Drawn::LatinHypercube => Design::DRAWN[0],
            Drawn::Sobol => Design::DRAWN[1],
        }
    }
}

/// The journal is brought to the disk so often.
const SYNC: Duration = Duration::from_secs(1);

impl Sweep {
    pub(crate) fn go(self) -> Result<(), Failure> {
        match &self.what {
            Some(What::Merge(merge)) => return merge.go(),
            Some(What::Plot(plot)) => return plot.go(),
            None => {}
        }
        let study = self.plan.study()?;
        if let Some(tasks) = self.slurm {
            let mut out = crate::text::stdout();
            write!(out, "{}", script::of(&self.plan, usize::from(tasks)))?;
            return Ok(out.flush()?);
        }
        self.sweep(&study)
    }

    fn sweep(&self, study: &Study) -> Result<(), Failure> {
        let folder = self.plan.folder();
        let shard = self.plan.shard.unwrap_or(Shard::WHOLE);
        let mut journal = Journal::open(&folder, study, shard, self.plan.keep, self.restart)?;
        let (before, _) = journal.done();
        let (pending, all) = (journal.pending(), journal.all());
        if !self.quiet {
            self.say_plan(study, before, all)?;
        }
        let jobs = self.jobs.map_or_else(cores, usize::from);
        let stop = stop_on_ctrl_c();
        let (start, mut synced) = (Instant::now(), Instant::now());
        let mut bar = Bar::new(self.quiet);
        let keep = self.plan.keep.then_some(folder.as_path());
        let mut first: Option<(usize, String)> = None;
        let outcome = run_all(study, &pending, jobs, keep, stop, |row| {
            journal.append(&row)?;
            if let Err(why) = &row.values
                && first.as_ref().is_none_or(|(index, _)| row.index < *index)
            {
                first = Some((row.index, why.clone()));
            }
            if synced.elapsed() > SYNC {
                journal.sync()?;
                synced = Instant::now();
            }
            let (done, failed) = journal.done();
            // the time left is that of what this process has to do
            let share = (done - before) as f64 / pending.len() as f64;
            bar.show(share, || match failed {
                0 => format!("{done} of {all}"),
                _ => format!("{done} of {all}, {failed} failed"),
            });
            Ok::<(), SweepError>(())
        });
        bar.clear();
        let table = journal.table();
        outcome?;
        let table = table?;
        self.say_end(&journal, &table, before, start.elapsed())?;
        if stop.load(Ordering::Relaxed) && journal.done().0 < all {
            let _ = writeln!(
                crate::text::stderr(),
                "stopped after {} of {all} runs; the same command goes on from there",
                journal.done().0
            );
            return Err(Failure::Stopped);
        }
        failures(&journal, &table, first)
    }

    fn say_plan(&self, study: &Study, before: usize, all: usize) -> Result<(), Failure> {
        let mut out = crate::text::stdout();
        let design = study.plan().design();
        let seed = match (design, design.seed()) {
            (Design::Grid, _) => String::new(),
            (_, Some(seed)) => format!(", seed {seed}"),
            (_, None) => ", no seed".to_owned(),
        };
        let varied = study.plan().varied().len();
        write!(out, "{}, {} varied, {}{seed}", count(all, "run", "runs"), varied, design.name())?;
        if let Some(shard) = self.plan.shard {
            write!(out, ", shard {shard}")?;
        }
        if before > 0 {
            write!(out, "; {before} done before")?;
        }
        writeln!(out)?;
        Ok(out.flush()?)
    }

    fn say_end(&self, journal: &Journal, table: &Path, before: usize, wall: Duration) -> Result<(), Failure> {
        if self.quiet {
            return Ok(());
        }
        let (done, failed) = journal.done();
        let mut out = crate::text::stdout();
        let (ran, wall) = (done - before, wall.as_secs_f64());
        write!(out, "  {} in {}", count(ran, "run", "runs"), seconds(wall))?;
        if ran > 1 && wall > 0.0 {
            write!(out, ", {} a second", significant(ran as f64 / wall, 3))?;
        }
        if failed > 0 {
            write!(out, "    {failed} of {done} failed: see the column error")?;
        }
        writeln!(out, "\n  {}", table.display())?;
        Ok(out.flush()?)
    }
}

/// Fails if runs failed, with the error of the first one that this process ran.
fn failures(journal: &Journal, table: &Path, first: Option<(usize, String)>) -> Result<(), Failure> {
    let (done, failed) = journal.done();
    if failed == 0 {
        return Ok(());
    }
    let first = first.map_or(String::new(), |(index, why)| format!("; run {index}: {why}"));
    let all = format!("{failed} of {done} runs failed: see the column error of {}", table.display());
    Err(Failure::Run(format!("{all}{first}")))
}

/// One thread a core.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl PlanArgs {
    fn study(&self) -> Result<Study, Failure> {
        let varied = self.vary.iter().map(|text| Vary::parse(text)).collect::<Result<Vec<_>, _>>()?;
        let drawn = self.design.map(Drawn::name);
        let design = Design::of(drawn, self.samples.map(|n| n as usize), self.seed)?;
        let plan = Plan::new(varied, design)?;
        let own = self.measure.iter().map(|m| Measure::parse(m)).collect::<Result<Vec<_>, _>>()?;
        let measures = Measure::with_standard(own);
        Ok(Study::of_file(self.scene(), &self.set, plan, measures)?)
    }

    fn scene(&self) -> &Path {
        self.scene.as_deref().unwrap_or(Path::new(""))
    }

    /// The folder of the whole sweep.
    fn whole(&self) -> PathBuf {
        let stem = self.scene().file_stem().unwrap_or_default().to_string_lossy();
        self.output.clone().unwrap_or_else(|| Path::new("out").join(format!("{stem}-sweep")))
    }

    /// The folder of this one: that of a shard is within that of the whole, unless another is given.
    fn folder(&self) -> PathBuf {
        match (&self.output, self.shard) {
            (None, Some(shard)) => self.whole().join(format!("shard-{}-of-{}", shard.i, shard.n)),
            _ => self.whole(),
        }
    }
}
