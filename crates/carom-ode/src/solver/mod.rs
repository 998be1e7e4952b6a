//! The driver: integrates step by step from t0 to the end.

mod carried;
mod fastest;
mod halves;
mod start;
mod step;
mod within;

use crate::counted::Stats;
use crate::error::{SolveError, StepTrouble};
use crate::method::{Buffers, Method, Stepper, Tolerance};
use crate::ode::{EventAction, Ode};
use crate::options::{Options, check};
use crate::progress::Progress;
use crate::step::Step;

/// What remains to be done before the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    Nothing,
    Accept,
    Event,
}

/// The error last allowed for a quadrature, and the time of that step.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// start time of that step
    t: f64,
    /// error allowed; infinite: the error was not controlled
    allowed: f64,
}

carom_portable::plain!(Held { t, allowed });

/// An integration in progress.
pub struct Solver {
    stepper: Box<dyn Stepper>,
    method: &'static dyn Method,
    /// the problem's structure number when the stepper was created
    structure: u64,
    b: Buffers,
    /// both ends of a half step, or of a step to a time within the last one; empty until one is needed
    halves: Buffers,
    t1: f64,
    t_end: f64,
    /// the time up to which the rates are smooth: no step goes past it
    smooth_until: f64,
    n: usize,
    start_order: usize,
    adaptive: bool,
    h_next: f64,
    /// the time of the last start or restart
    started: f64,
    /// the time scale of the event from which the run was just restarted, until a step is accepted
    time_scale: f64,
    /// the length of the first step after an event, divided by the event's time scale
    share: Option<f64>,
    scale: Vec<f64>,
    /// the factor by which the tolerance of this step is enlarged, and the absolute tolerances enlarged by it
    tolerance_factor: f64,
    slackened: Vec<f64>,
    /// the errors allowed for quadratures; empty if no quadrature is controlled
    held: Vec<f64>,
    /// one entry per quadrature
    last_quadrature_tolerances: Vec<Held>,
    options: Options,
    dense_ready: bool,
    /// the length of the step for which the interpolant was computed
    dense_h: f64,
    /// the estimated error of the interpolant, in multiples of the tolerance
    dense_error: f64,
    /// a second stepper for steps to times within the last step, created when first needed
    spare: Option<Box<dyn Stepper>>,
    /// workspace for rates
    rates: Vec<f64>,
    pending: Pending,
    /// why the last attempt was refused
    trouble: StepTrouble,
    stalled: usize,
    progress: Progress,
    /// whether a step had to be much shorter than the one before: the rates jump, and may jump back
    after_jump: bool,
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
        let scale = start::scales(ode.components(), n, &options);
        let mut solver = Solver {
            stepper: method.start(ode, n),
            method,
            structure: ode.events().structure(),
            b,
            halves: Buffers::default(),
            t1: t0,
            t_end,
            smooth_until: t_end,
            n,
            start_order: method.start_order(),
            adaptive: method.is_adaptive(),
            h_next: 0.0,
            started: t0,
            time_scale: f64::INFINITY,
            share: None,
            scale,
            tolerance_factor: 1.0,
            slackened: Vec::with_capacity(n),
            held: Vec::with_capacity(ode.components().quadratures()),
            last_quadrature_tolerances: Vec::with_capacity(ode.components().quadratures()),
            options,
            dense_ready: false,
            dense_h: 0.0,
            dense_error: 0.0,
            spare: None,
            rates: vec![0.0; n],
            pending: Pending::Nothing,
            trouble: StepTrouble::TooFast,
            stalled: 0,
            progress: Progress::new(t0, n),
            after_jump: false,
            stopped: false,
            stats: Stats::default(),
        };
        solver.stepper.control_dense_error(solver.options.control_dense_error);
        solver.start(ode, f64::INFINITY).map_err(|trouble| SolveError::BadStart { t: t0, trouble })?;
        Ok(solver)
    }

    /// The time reached.
    pub fn t(&self) -> f64 {
        self.t1
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
        self.t1 == self.t_end || self.stopped
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
            t1: self.t1,
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
        if (self.smooth_until - t) * (self.t_end - t) > 0.0 {
            self.smooth_until = t;
        }
    }

    /// Starts anew from the time and state reached: the rates have become others.
    pub fn restart(&mut self, ode: &mut dyn Ode) -> Result<(), SolveError> {
        self.finish(ode)?;
        let begun = self.start(ode, f64::INFINITY);
        begun.map_err(|trouble| SolveError::AfterEvent { t: self.t1, trouble })
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
        if self.t1 != self.b.t0 {
            let tol = Tolerance { rtol: self.options.rtol, scale: &self.scale, quadratures: &self.held };
            self.stepper.commit(&self.b, self.t1 - self.b.t0, &tol);
        }
        std::mem::swap(&mut self.b.y0, &mut self.b.y1);
        std::mem::swap(&mut self.b.f0, &mut self.b.f1);
        self.b.t0 = self.t1;
        let y = &mut self.b.y0[..self.n];
        ode.steps().on_accept(self.t1, y);
        let action = match event {
            true => ode.events().on_event(self.t1, y),
            false => EventAction::Continue,
        };
        self.stats.events += usize::from(event);
        let begun = match action {
            EventAction::Continue if self.t1 == self.smooth_until && !self.done() => self.pass_kink(ode),
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
        begun.map_err(|trouble| SolveError::AfterEvent { t: self.t1, trouble })
    }
}
