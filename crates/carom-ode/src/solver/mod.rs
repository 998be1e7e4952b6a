//! The driver: integrates step by step from t0 to the end.

mod carried;
mod fastest;
mod halves;
mod start;
mod step;
mod tolerances;
mod within;

use crate::counted::Stats;
use crate::error::{SolveError, StepTrouble};
use crate::method::{Buffers, Method, Stepper};
use crate::ode::{EventAction, Ode};
use crate::options::{Options, check};
use crate::progress::Progress;
use crate::step::Step;
use tolerances::Tolerances;

/// What remains to be done before the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    Nothing,
    Accept,
    Event,
}

/// The times of a run.
struct Times {
    /// the time reached
    t1: f64,
    end: f64,
    /// the time up to which the rates are smooth: no step goes past it
    smooth_until: f64,
    /// the time at which the steps pause, if they do
    pause: Option<f64>,
    /// the time of the last start or restart
    started: f64,
}

carom_portable::carried!(Times { t1, smooth_until, started } scratch { end, pause });

impl Times {
    /// Returns the time past which no step goes, for steps that start at `t0`.
    fn limit(&self, t0: f64) -> f64 {
        // (the end may lie before the start)
        let nearer = |pause: &f64| (pause - t0) * (self.smooth_until - pause) > 0.0;
        self.pause.filter(nearer).unwrap_or(self.smooth_until)
    }
}

/// What is known of the length of the next step.
struct NextStep {
    h: f64,
    /// the time scale of the event from which the run was just restarted, until a step is accepted
    time_scale: f64,
    /// the length of the first step after an event, divided by the event's time scale
    first_share: Option<f64>,
    /// whether a step had to be much shorter than the one before: the rates jump, and may jump back
    after_jump: bool,
}

carom_portable::carried!(NextStep { h, time_scale, first_share, after_jump });

/// The interpolant within the last step.
#[derive(Default)]
struct Dense {
    ready: bool,
    /// the length of the step for which it was computed
    h: f64,
    /// its estimated error, in multiples of the tolerance
    error: f64,
}

/// Workspace for what is computed beside the steps.
#[derive(Default)]
struct Aside {
    /// both ends of a half step, or of a step to a time within the last one; empty until one is needed
    ends: Buffers,
    /// a second stepper for steps to times within the last step, created when first needed
    stepper: Option<Box<dyn Stepper>>,
    rates: Vec<f64>,
}

/// An integration in progress.
pub struct Solver {
    stepper: Box<dyn Stepper>,
    method: &'static dyn Method,
    /// the problem's structure number when the stepper was created
    structure: u64,
    options: Options,
    n: usize,
    b: Buffers,
    times: Times,
    next: NextStep,
    tolerances: Tolerances,
    dense: Dense,
    aside: Aside,
    pending: Pending,
    /// why the last attempt was refused
    trouble: StepTrouble,
    progress: Progress,
    stopped: bool,
    stats: Stats,
}

impl Solver {
    /// Starts an integration at (t0, y0) towards `t_end` (which may lie before t0).
    pub fn new(
        method: &'static dyn Method,
        ode: &mut dyn Ode,
        t0: f64,
        y0: &[f64],
        t_end: f64,
        options: Options,
    ) -> Result<Solver, SolveError> {
        let n = y0.len();
        check(method, ode, y0, t0, t_end, &options)?;
        let mut b = Buffers { t0, ..Buffers::default() };
        b.resize(n);
        b.y0[..n].copy_from_slice(y0);
        let tolerances = Tolerances::new(ode.components(), n, &options);
        let mut solver = Solver {
            stepper: method.start(ode, n),
            method,
            structure: ode.events().structure(),
            options,
            n,
            b,
            times: Times { t1: t0, end: t_end, smooth_until: t_end, pause: None, started: t0 },
            next: NextStep { h: 0.0, time_scale: f64::INFINITY, first_share: None, after_jump: false },
            tolerances,
            dense: Dense::default(),
            aside: Aside { rates: vec![0.0; n], ..Aside::default() },
            pending: Pending::Nothing,
            trouble: StepTrouble::TooFast,
            progress: Progress::new(t0, n),
            stopped: false,
            stats: Stats::default(),
        };
        solver.stepper.control_dense_error(solver.options.control_dense_error);
        solver.start(ode, f64::INFINITY).map_err(|trouble| SolveError::BadStart { t: t0, trouble })?;
        Ok(solver)
    }

    /// The time reached.
    pub fn t(&self) -> f64 {
        self.times.t1
    }

    /// The time at which the last step started.
    pub fn t_start(&self) -> f64 {
        self.b.t0
    }

    /// The state at the time reached.
    pub fn y(&self) -> &[f64] {
        if self.pending == Pending::Nothing { &self.b.y0[..self.n] } else { &self.b.y1[..self.n] }
    }

    /// The rates at the time reached.
    pub fn dy(&self) -> &[f64] {
        if self.pending == Pending::Nothing { &self.b.f0[..self.n] } else { &self.b.f1[..self.n] }
    }

    /// Whether the end is reached, or an event has asked to stop.
    pub fn done(&self) -> bool {
        self.times.t1 == self.times.end || self.stopped
    }

    /// The length planned for the next step.
    pub fn planned(&self) -> f64 {
        self.next.h.abs()
    }

    /// Returns whether the step planned next reaches the end of the integration.
    pub fn reaches_end(&self) -> bool {
        self.next.h.abs() >= (self.times.end - self.times.t1).abs() * (1.0 - 1e-12)
    }

    /// Goes on towards another end than the one at `old_end`, of which the state that was restored knows.
    pub fn aim_beyond(&mut self, ode: &mut dyn Ode, old_end: f64) {
        if self.times.smooth_until == old_end {
            self.look_ahead(ode);
        }
    }

    /// The work so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Whether the last step ended on an event.
    pub fn at_event(&self) -> bool {
        self.pending == Pending::Event
    }

    /// Returns the last step, in the form in which events receive it.
    pub fn last_step(&self) -> Step<'_> {
        let (stages, stride) = self.stepper.stages();
        Step {
            t0: self.b.t0,
            t1: self.times.t1,
            y0: &self.b.y0[..self.n],
            y1: &self.b.y1[..self.n],
            f0: &self.b.f0[..self.n],
            f1: &self.b.f1[..self.n],
            stages,
            stride,
        }
    }

    /// Makes the next steps end at `t`, or before it, until the problem is asked again up to where its rates are smooth.
    pub fn limit(&mut self, t: f64) {
        if (self.times.smooth_until - t) * (self.times.end - t) > 0.0 {
            self.times.smooth_until = t;
        }
    }

    /// Makes the next steps end at `t`, or before it. Other than at a [limit](Self::limit), the rates go on there as they were:
    /// when the pause is moved on, the next step is as long as was planned before.
    pub fn pause_at(&mut self, t: f64) {
        self.times.pause = Some(t);
    }

    /// Takes over a time and a state that were computed elsewhere, and counts the `work` that this took. The method's own
    /// past is not touched: it is that of the last step it has taken itself.
    pub fn adopt(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64], work: Stats) {
        if y.len() != self.n {
            self.resize(ode, y.len());
        }
        self.pending = Pending::Nothing;
        self.dense.ready = false;
        (self.b.t0, self.times.t1) = (t, t);
        self.b.y0[..self.n].copy_from_slice(y);
        self.stats.add(&work);
    }

    /// Returns for how long the state reached may be taken to stay as it is, so that this makes no component wrong by more than
    /// that share of the error allowed in a step: a method of order zero, whose steps are h with h |f| = error.
    pub fn still_for(&self, share: f64) -> f64 {
        let allowed = (0..self.tolerances.scale.len()).map(|i| self.tolerances.allowed(i, self.y()[i]));
        let rates = self.dy().iter().map(|f| f.abs());
        allowed
            .zip(rates)
            .map(|(error, rate)| if rate > 0.0 { share * error / rate } else { f64::INFINITY })
            .fold(f64::INFINITY, f64::min)
    }

    /// Counts work that was done elsewhere.
    pub fn count(&mut self, work: &Stats) {
        self.stats.add(work);
    }

    /// Starts anew from the time and state reached: the rates have become others.
    pub fn restart(&mut self, ode: &mut dyn Ode) -> Result<(), SolveError> {
        self.finish(ode)?;
        let begun = self.start(ode, f64::INFINITY);
        begun.map_err(|trouble| SolveError::AfterEvent { t: self.times.t1, trouble })
    }

    /// Passes the accepted step to the problem, which may correct the state, and handles the event if the step ended on
    /// one. [`step`](Self::step) does this for the step before it; after the last step it must be called explicitly.
    pub fn finish(&mut self, ode: &mut dyn Ode) -> Result<(), SolveError> {
        let event = match self.pending {
            Pending::Nothing => return Ok(()),
            Pending::Accept => false,
            Pending::Event => true,
        };
        self.pending = Pending::Nothing;
        // an event at the start of the step leaves no step to commit
        if self.times.t1 != self.b.t0 {
            let tol = self.tolerances.given();
            self.stepper.commit(&self.b, self.times.t1 - self.b.t0, &tol);
        }
        std::mem::swap(&mut self.b.y0, &mut self.b.y1);
        std::mem::swap(&mut self.b.f0, &mut self.b.f1);
        self.b.t0 = self.times.t1;
        let y = &mut self.b.y0[..self.n];
        ode.steps().on_accept(self.times.t1, y);
        let action = match event {
            true => ode.events().on_event(self.times.t1, y),
            false => EventAction::Continue,
        };
        self.stats.events += usize::from(event);
        let begun = match action {
            EventAction::Continue if self.times.t1 == self.times.smooth_until && !self.done() => {
                self.pass_kink(ode)
            }
            EventAction::Continue => Ok(()),
            EventAction::Stop => {
                self.stopped = true;
                Ok(())
            }
            EventAction::Restart { time_scale } => {
                self.restructure(ode);
                self.start(ode, time_scale)
            }
        };
        begun.map_err(|trouble| SolveError::AfterEvent { t: self.times.t1, trouble })
    }
}
