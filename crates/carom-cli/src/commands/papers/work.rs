//! The runs of a paper, as many at a time as there are cores.

use std::hint::black_box;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use carom::{Followed, Frame, Model, Sink, SinkError};
use carom_results::{About, Existing, Folder, Recorded, Sinks};
use carom_scene::Scene;
use carom_studies::paper::Figure;

use super::library::Files;
use crate::failure::Failure;
use crate::watch::{Bar, go_on, stop_on_ctrl_c};

/// A run that was made.
pub(super) struct Done {
    /// what was recorded, or why it failed
    pub(super) result: Result<Recorded, String>,
    /// of the processor, with writing results
    pub(super) time: Duration,
    /// the least of several runs, one at a time, without writing; of a timed figure
    pub(super) least: Option<Duration>,
    /// what the searches for distances took of it
    pub(super) searches: Option<Duration>,
    /// what was run
    pub(super) scene: Option<Scene>,
}

impl Done {
    /// A number of `summary.json`.
    pub(super) fn number(&self, key: &str) -> Option<f64> {
        self.result.as_ref().ok()?.summary.get(key)?.as_f64()
    }

    pub(super) fn method(&self) -> &str {
        self.result.as_ref().ok().and_then(|r| r.summary.get("method")?.as_str()).unwrap_or("–")
    }
}

/// A run to be made.
struct Job {
    scene: Scene,
    path: PathBuf,
    /// how often it is repeated for its time
    timed: usize,
    done: OnceLock<Done>,
}

/// Makes all runs of the figures; in their order.
pub(super) fn run(
    files: &Files,
    figures: &[&Figure],
    folder: &Path,
    quick: bool,
    progress: &Progress,
) -> Result<Vec<Vec<Done>>, Failure> {
    let mut jobs = Vec::new();
    for (figure, recipe) in figures.iter().flat_map(|f| f.runs.iter().map(move |r| (f, r))) {
        let mut set = recipe.set.clone();
        if let Some(t) = recipe.quick.filter(|_| quick) {
            set.push(format!("run/duration={t}"));
        }
        let scene = files.scene(&recipe.scene, &set)?;
        let path = folder.join(&figure.name).join(&recipe.name);
        // a folder that may not be written is found out before the work
        Folder::new(&path, About::from(&scene), Existing::ReplaceResults)?;
        // a shortened run tells no times worth a repetition
        let timed = if quick { figure.timed.min(1) } else { figure.timed };
        jobs.push(Job { scene, path, timed, done: OnceLock::new() });
    }
    share(&jobs, progress);
    time(&mut jobs);
    if stop_on_ctrl_c().load(Ordering::Relaxed) {
        return Err(Failure::Stopped);
    }
    let done = |job: Job| Some(Done { scene: Some(job.scene), ..job.done.into_inner()? });
    let mut all = jobs.into_iter().filter_map(done);
    Ok(figures.iter().map(|f| all.by_ref().take(f.runs.len()).collect()).collect())
}

/// Every core takes the next run that nobody has.
fn share(jobs: &[Job], progress: &Progress) {
    let (next, shares) = (AtomicUsize::new(0), Shares::new(jobs, progress));
    let cores = thread::available_parallelism().map_or(1, NonZero::get).min(jobs.len());
    let work = || {
        while let Some((i, job)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, jobs.get(i)?)))
        {
            let _ = job.done.set(simulate(job, &mut |t| shares.reached(i, t)));
        }
    };
    thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    shares.clear();
}

/// Repeats timed runs, one at a time: first each once, then each again, so that a busy moment of the machine meets no run alone.
fn time(jobs: &mut [Job]) {
    for round in 0..jobs.iter().map(|j| j.timed).max().unwrap_or(0) {
        for job in jobs.iter_mut().filter(|j| j.timed > round) {
            let Some(done) = job.done.get_mut().filter(|d| d.result.is_ok()) else { continue };
            if stop_on_ctrl_c().load(Ordering::Relaxed) {
                return;
            }
            // a clock: the processor's time comes in ticks as long as a short run, and the least is of a quiet moment anyway
            let (start, mut searches) = (Instant::now(), Searches::new(&job.scene));
            if job.scene.simulation().run_into(&mut searches).is_ok() {
                let least = |old: Option<Duration>, new: Duration| Some(old.map_or(new, |old| old.min(new)));
                done.least = least(done.least, start.elapsed());
                done.searches = least(done.searches, searches.time);
            }
        }
    }
}

/// Follows the distances of a scene, writes nothing, and takes the time.
struct Searches<'s> {
    scene: &'s Scene,
    followed: Vec<Followed>,
    time: Duration,
}

impl<'s> Searches<'s> {
    fn new(scene: &'s Scene) -> Searches<'s> {
        Searches { scene, followed: Vec::new(), time: Duration::ZERO }
    }
}

impl Sink for Searches<'_> {
    fn begin(&mut self, model: &Model) -> Result<(), SinkError> {
        self.followed = self.scene.distances.iter().map(|d| d.follow(model)).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        let start = Instant::now();
        for distance in &mut self.followed {
            // a search that fails takes its time too
            let _ = black_box(distance.at(&self.scene.model, &frame.bodies));
        }
        self.time += start.elapsed();
        Ok(())
    }
}

fn simulate(job: &Job, reached: &mut dyn FnMut(f64)) -> Done {
    let start = Clock::now();
    let written = write(job, reached);
    let time = start.elapsed();
    let result = written.and_then(|()| Recorded::open(&job.path).map_err(|e| e.to_string()));
    let result = result.map_err(|e| format!("{}: {e}", job.path.display()));
    Done { result, time, least: None, searches: None, scene: None }
}

/// The processor's time of this thread where the system tells it, so that runs beside this one do not count; else a clock.
struct Clock {
    start: Instant,
    cpu: Option<Duration>,
}

impl Clock {
    fn now() -> Clock {
        Clock { start: Instant::now(), cpu: Clock::cpu() }
    }

    fn elapsed(&self) -> Duration {
        self.cpu.zip(Clock::cpu()).map_or_else(|| self.start.elapsed(), |(from, to)| to.saturating_sub(from))
    }

    #[cfg(unix)]
    fn cpu() -> Option<Duration> {
        use rustix::time::{ClockId, clock_gettime};
        Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).ok()
    }

    #[cfg(not(unix))]
    fn cpu() -> Option<Duration> {
        None
    }
}

/// Runs the scene, with its results to the folder.
fn write(job: &Job, reached: &mut dyn FnMut(f64)) -> Result<(), String> {
    let about = About::from(&job.scene);
    let mut folder = Folder::new(&job.path, about, Existing::ReplaceResults).map_err(|e| e.to_string())?;
    let mut on_time = |t: f64| {
        reached(t);
        go_on()
    };
    // (the runs share the cores)
    let simulation = job.scene.simulation().threads(job.scene.threads.unwrap_or(1));
    let outcome = simulation.run_into(&mut Sinks::new([&mut folder as _], &mut on_time));
    folder.close(&outcome).map_err(|e| e.to_string())?;
    outcome.map(drop).map_err(|e| e.to_string())
}

/// How progress is shown.
pub(super) struct Progress {
    /// put before it: `paper 2 of 5, `
    pub(super) prefix: String,
    pub(super) quiet: bool,
}

/// One bar for all runs, each worth the same.
struct Shares<'p> {
    shares: Mutex<(Vec<f64>, Bar)>,
    durations: Vec<f64>,
    prefix: &'p str,
}

impl<'p> Shares<'p> {
    fn new(jobs: &[Job], progress: &'p Progress) -> Shares<'p> {
        let durations = jobs.iter().map(|j| j.scene.duration).collect();
        let shares = Mutex::new((vec![0.0; jobs.len()], Bar::new(progress.quiet)));
        Shares { shares, durations, prefix: &progress.prefix }
    }

    fn reached(&self, i: usize, t: f64) {
        let mut guard = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        let (shares, bar) = &mut *guard;
        shares[i] = t / self.durations[i];
        let done = shares.iter().filter(|s| **s >= 1.0).count();
        let share = shares.iter().sum::<f64>() / shares.len() as f64;
        bar.show(share, || format!("{}{done} of {} runs", self.prefix, shares.len()));
    }

    fn clear(&self) {
        self.shares.lock().unwrap_or_else(PoisonError::into_inner).1.clear();
    }
}
