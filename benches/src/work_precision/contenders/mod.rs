//! Those who solve the problems. Each is asked for one run at one tolerance and says what it cost.

pub(crate) mod carom;
#[cfg(feature = "peers")]
mod differential;
#[cfg(feature = "peers")]
mod diffsol;
pub(crate) mod scipy;

use std::time::{Duration, Instant};

use carom_ode::problems::Problem;

/// How a contender comes by its Jacobians.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Jacobians {
    /// it is given them
    Exact,
    /// from differences of right-hand sides, which count as evaluations
    Differences,
}

/// A run to be done.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    pub(crate) problem: &'static Problem,
    pub(crate) rtol: f64,
    pub(crate) jacobians: Jacobians,
    /// the run is given up after this time
    pub(crate) limit: Duration,
}

/// No run takes more steps.
pub(crate) const MAX_STEPS: usize = 2_000_000;

/// What a run cost and where it ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) end: Vec<f64>,
    /// right-hand sides, those of differences for Jacobians included
    pub(crate) evaluations: usize,
    /// Jacobian matrices, where the contender counts them
    pub(crate) jacobians: Option<usize>,
    /// factorizations, where the contender counts them
    pub(crate) factorizations: Option<usize>,
    /// accepted steps
    pub(crate) steps: usize,
}

/// A family: methods of the same kind, to be compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Runge–Kutta pairs of order 5(4)
    Five,
    /// Dormand–Prince 8(5,3)
    Eight,
    /// Adams
    Adams,
    /// backward differentiation
    Bdf,
    /// Radau IIA of order 5
    Radau,
    /// diagonally implicit Runge–Kutta
    Sdirk,
    /// stiff or not, as it turns out
    Switching,
    /// none of these
    Other,
}

impl Family {
    const WORDS: [(Family, &'static str); 8] = [
        (Family::Five, "5(4)"),
        (Family::Eight, "8(5,3)"),
        (Family::Adams, "Adams"),
        (Family::Bdf, "BDF"),
        (Family::Radau, "Radau"),
        (Family::Sdirk, "SDIRK"),
        (Family::Switching, "switching"),
        (Family::Other, "other"),
    ];

    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        Family::WORDS.iter().find(|(f, _)| *f == self).map_or("other", |(_, word)| word)
    }

    /// The family of that word.
    pub(crate) fn of(word: &str) -> Family {
        Family::WORDS.iter().find(|(_, w)| *w == word).map_or(Family::Other, |(f, _)| *f)
    }

    /// Whether stiffness holds it up.
    pub(crate) fn explicit(self) -> bool {
        matches!(self, Family::Five | Family::Eight | Family::Adams)
    }
}

/// One who solves problems.
pub(crate) trait Contender {
    /// Whose it is.
    fn library(&self) -> &'static str;
    /// The method's name there.
    fn method(&self) -> &'static str;
    /// Its kind.
    fn family(&self) -> Family;
    /// Solves once.
    fn run(&self, job: &Job) -> Result<Work, String>;
    /// The CPU time of a run [s], by the contender itself where it alone can tell.
    fn measured(&self, _: &Job) -> Option<Result<(Work, f64), String>> {
        None
    }
    /// Whether the way to its Jacobians can be chosen at all.
    fn differences(&self) -> bool {
        true
    }

    /// Library and method.
    fn label(&self) -> String {
        format!("{} {}", self.library(), self.method())
    }

    /// Explicit methods creep through stiff problems: they are left out there.
    fn suits(&self, problem: &Problem) -> bool {
        !(problem.stiff && self.family().explicit())
    }
}

/// Carom's methods and the peers that are compiled in.
pub(crate) fn compiled() -> Vec<Box<dyn Contender>> {
    let all = carom::all();
    #[cfg(feature = "peers")]
    let all = all.into_iter().chain(diffsol::all()).chain(differential::all()).collect();
    all
}

/// Watches over a run; looks at the clock now and then only.
pub(crate) struct Guard {
    end: Instant,
    limit: Duration,
    steps: usize,
}

impl Guard {
    pub(crate) fn new(job: &Job) -> Guard {
        Guard { end: Instant::now() + job.limit, limit: job.limit, steps: 0 }
    }

    /// To be called at every attempted step.
    pub(crate) fn step(&mut self, t: f64) -> Result<(), String> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(format!("step limit of {MAX_STEPS} at t = {t:.3e}"));
        }
        if self.steps.is_multiple_of(32) && Instant::now() > self.end {
            return Err(format!("time limit of {:.0} s at t = {t:.3e}", self.limit.as_secs_f64()));
        }
        Ok(())
    }
}
