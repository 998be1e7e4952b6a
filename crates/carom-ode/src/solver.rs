//! Step by step from t0 to the end: attempts, rejections, events.

use crate::counted::{Counted, Stats};
use crate::error::{SolveError, StepTrouble};
use crate::events::Found;
use crate::methods::{Attempt, Buffers, Method, Stepper, Tolerance};
use crate::ode::{EventAction, Ode, RhsFailure};
use crate::options::{Options, check};
use crate::progress::Progress;
use crate::step::{Interpolant, Step};

/// What is to be done before the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    Nothing,
    Accept,
    Event,
}

/// An integration under way.
pub struct Solver {
    stepper: Box<dyn Stepper>,
    method: &'static dyn Method,
    /// of the problem when the stepper was made
    structure: u64,
    b: Buffers,
    t1: f64,
    t_end: f64,
    n: usize,
    start_order: usize,
    adaptive: bool,
    h_next: f64,
    /// the time of the last start
    started: f64,
    /// of the event just restarted from, until a step is accepted
    time_scale: f64,
    /// the share of its time scale that the first step after an event took
    share: Option<f64>,
    scale: Vec<f64>,
    options: Options,
    dense_ready: bool,
    pending: Pending,
    /// why the last attempt was refused
    trouble: StepTrouble,
    stalled: usize,
    progress: Progress,
    /// a step had to be much shorter than the one before: the rates jump, and may jump back
    wary: bool,
    stopped: bool,
    stats: Stats,
}

/// Events in a row without time advancing before the run is given up.
const STALL_LIMIT: usize = 10_000;
/// Attempts to land on an event before less will do.
const MAX_LANDINGS: usize = 6;
/// Attempts at a step, rejected ones and landings together.
const MAX_TRIES: usize = 200;
/// A step refused down to this part of what the last one promised has met a jump of the rates. From then on, steps are
/// at most doubled: so none is much longer than the time since the jump, and a rate that switches to and fro is
/// not stepped over while it looks constant.
const JUMP: f64 = 0.05;

/// The absolute tolerance of every component in the error norm.
fn scales(ode: &dyn Ode, options: &Options) -> Vec<f64> {
    let m = ode.dim().saturating_sub(ode.quadratures());
    let scale = |i: usize| options.scale.get(i).copied().unwrap_or_else(|| ode.scale(i));
    (0..m).map(|i| options.atol * scale(i)).collect()
}

impl Solver {
    /// Starts at (t0, y0), bound for `t_end` (which may lie before t0).
    pub fn new(
        method: &'static dyn Method,
        ode: &mut dyn Ode,
        t0: f64,
        y0: &[f64],
        t_end: f64,
        options: Options,
    ) -> Result<Solver, SolveError> {
        let n = ode.dim();
        check(method, ode, y0, t0, t_end, &options)?;
        let mut b = Buffers { t0, ..Buffers::default() };
        b.resize(n);
        b.y0[..n].copy_from_slice(y0);
        let scale = scales(ode, &options);
        let mut solver = Solver {
            stepper: method.start(ode),
            method,
            structure: ode.structure(),
            b,
            t1: t0,
            t_end,
            n,
            start_order: method.start_order(),
            adaptive: method.is_adaptive(),
            h_next: 0.0,
            started: t0,
            time_scale: f64::INFINITY,
            share: None,
            scale,
            options,
            dense_ready: false,
            pending: Pending::Nothing,
            trouble: StepTrouble::TooFast,
            stalled: 0,
            progress: Progress::new(t0, n),
            wary: false,
            stopped: false,
            stats: Stats::default(),
        };
        solver.stepper.hold_dense(solver.options.hold_dense);
        solver.start(ode, f64::INFINITY).map_err(|trouble| SolveError::BadStart { t: t0, trouble })?;
        Ok(solver)
    }

    /// The time reached.
    pub fn t(&self) -> f64 {
        self.t1
    }

    /// The time the last step started at.
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

    /// What it has cost so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Whether the last step ended on an event.
    pub fn at_event(&self) -> bool {
        self.pending == Pending::Event
    }

    /// The last step, as events see it.
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

    /// The motion within the last step, once [`prepare_dense`](Self::prepare_dense) has made it.
    pub fn dense(&self) -> Option<Interpolant<'_>> {
        let whole = self.dense_ready && self.pending != Pending::Nothing && self.t1 != self.b.t0;
        whole.then_some(Interpolant { stepper: &*self.stepper, t0: self.b.t0, h: self.t1 - self.b.t0 })
    }

    /// Makes the motion within the last step ready to be asked for: before the next step, or
    /// [`finish`](Self::finish), because the problem must still be as it was during the step.
    pub fn prepare_dense(&mut self, ode: &mut dyn Ode) -> Result<(), RhsFailure> {
        if !self.dense_ready {
            let h = self.t1 - self.b.t0;
            let mut counted = Counted { ode, stats: &mut self.stats };
            self.stepper.prepare_dense(&mut counted, &self.b, h)?;
            self.dense_ready = true;
        }
        Ok(())
    }

    /// Hands the accepted step to the problem: its tidying, and the event if the step ended on one.
    /// [`step`](Self::step) does it by itself; to be called after the last step.
    pub fn finish(&mut self, ode: &mut dyn Ode) -> Result<(), SolveError> {
        let event = match self.pending {
            Pending::Nothing => return Ok(()),
            Pending::Accept => false,
            Pending::Event => true,
        };
        self.pending = Pending::Nothing;
        // an event where the step started is no step
        if self.t1 != self.b.t0 {
            let tol = Tolerance { rtol: self.options.rtol, scale: &self.scale };
            self.stepper.commit(&self.b, self.t1 - self.b.t0, &tol);
        }
        std::mem::swap(&mut self.b.y0, &mut self.b.y1);
        std::mem::swap(&mut self.b.f0, &mut self.b.f1);
        self.b.t0 = self.t1;
        let y = &mut self.b.y0[..self.n];
        ode.on_accept(self.t1, y);
        if !event {
            return Ok(());
        }
        self.stats.events += 1;
        match ode.on_event(self.t1, y) {
            EventAction::Continue => {}
            EventAction::Stop => self.stopped = true,
            EventAction::Restart { time_scale } => {
                self.restructure(ode);
                self.start(ode, time_scale)
                    .map_err(|trouble| SolveError::AfterEvent { t: self.t1, trouble })?;
            }
        }
        Ok(())
    }

    /// One step: shorter than wished where an event or the end is nearer.
    pub fn step(&mut self, ode: &mut dyn Ode) -> Result<(), SolveError> {
        self.finish(ode)?;
        if self.done() {
            return Ok(());
        }
        if self.stats.steps >= self.options.max_steps {
            return Err(SolveError::TooManySteps { t: self.b.t0, steps: self.stats.steps });
        }
        let event = self.accepted_step(ode).map_err(|e| self.explained(ode, e))?;
        if self.time_scale.is_finite() && !event {
            self.share = Some((self.t1 - self.b.t0).abs() / self.time_scale);
        }
        self.time_scale = f64::INFINITY;
        self.stalled = if event && self.t1 == self.b.t0 { self.stalled + 1 } else { 0 };
        if self.stalled > STALL_LIMIT {
            return Err(SolveError::EventStorm { t: self.t1, events: self.stalled });
        }
        self.stats.steps += 1;
        if self.adaptive {
            self.progress.watch(
                &mut Counted { ode, stats: &mut self.stats },
                &self.b,
                (self.t1, self.t_end - self.t1),
                &Tolerance { rtol: self.options.rtol, scale: &self.scale },
            )?;
        }
        self.pending = if event { Pending::Event } else { Pending::Accept };
        Ok(())
    }

    /// The error, or the jump of the rates that is behind it.
    fn explained(&mut self, ode: &mut dyn Ode, error: SolveError) -> SolveError {
        let tol = Tolerance { rtol: self.options.rtol, scale: &self.scale };
        let mut counted = Counted { ode, stats: &mut self.stats };
        self.progress.explained(&mut counted, &self.b, error, &tol)
    }

    /// Tries until a step is good; says whether it ends on an event.
    fn accepted_step(&mut self, ode: &mut dyn Ode) -> Result<bool, SolveError> {
        let t0 = self.b.t0;
        let limit = ode.max_step(t0, &self.b.y0[..self.n], &self.b.f0[..self.n]);
        let limit = limit.min(self.options.max_step).min(self.stepper.limit());
        let sign = if self.t_end < t0 { -1.0 } else { 1.0 };
        let mut h = sign * self.h_next.abs().min(limit);
        self.trouble = StepTrouble::TooFast;
        // no longer step is tried once one was refused; so the tries come to an end
        let mut ceiling = f64::INFINITY;
        let first = h;
        let mut landings = 0;
        let mut refused = false;
        for _ in 0..MAX_TRIES {
            let (h_try, last) = self.clipped(h);
            if landings > 0 && h_try == 0.0 {
                // sent back to where it came from: the event is there
                self.stay();
                return Ok(true);
            }
            if h_try == 0.0 || t0 + h_try == t0 {
                return Err(SolveError::StepTooSmall { t: t0, h, trouble: self.trouble });
            }
            let outcome = self.attempt(ode, h_try, last)?;
            refused = outcome.is_err();
            let h_wish = match outcome {
                Ok(h_wish) if self.wary => sign * h_wish.abs().min(2.0 * h_try.abs()),
                Ok(h_wish) => h_wish,
                Err(h_again) => {
                    (h, ceiling, landings) = (h_again, h_again.abs(), 0);
                    let jumped = matches!(self.trouble, StepTrouble::Error { .. });
                    self.wary |= jumped && h.abs() < JUMP * first.abs() && t0 != self.started;
                    continue;
                }
            };
            if landings > 0 {
                match self.landed(ode, h_try, landings) {
                    None => return Ok(true),
                    Some(dt) if (h_try + dt).abs() <= ceiling => {
                        h = h_try + dt;
                        landings += 1;
                        self.stats.landings += 1;
                        continue;
                    }
                    // too long to land in one go: an ordinary step on the way there
                    Some(_) => {}
                }
            } else if ceiling.is_infinite() || h_wish.abs() < self.h_next.abs() {
                self.h_next = h_wish;
            }
            match self.find_event(ode) {
                Ok(Found::Nothing) => return Ok(false),
                Ok(Found::At(t)) if self.lands(ode, t) => return Ok(true),
                Ok(Found::At(t)) => h = t - t0,
                Ok(Found::ClearUntil(t)) => {
                    // no further than could be looked at; where that is nowhere, look at less
                    let clear = t - t0;
                    h = if clear.abs() > 1e-3 * h_try.abs() { clear } else { 0.1 * h_try };
                    (ceiling, landings) = (h.abs(), 0);
                    self.h_next = 2.0 * h;
                    continue;
                }
                Err(failure) => {
                    h = self.shorter(h_try, StepTrouble::Rhs(failure))?;
                    (ceiling, landings) = (h.abs(), 0);
                    continue;
                }
            }
            landings = 1;
            self.stats.landings += 1;
        }
        match self.trouble {
            // two hundred times shorter and shorter, and still no good
            trouble @ (StepTrouble::Rhs(_) | StepTrouble::NotFinite { .. }) => {
                Err(SolveError::StepTooSmall { t: t0, h, trouble })
            }
            trouble if refused => Err(SolveError::StepTooSmall { t: t0, h, trouble }),
            // an event that moves as one comes near it: take it where it is
            _ => Ok(true),
        }
    }

    /// h, or what is left to the end.
    fn clipped(&self, h: f64) -> (f64, bool) {
        let left = self.t_end - self.b.t0;
        // a last crumb would be a step of rounding errors: take it along
        if h.abs() >= left.abs() * (1.0 - 1e-12) {
            (left, true)
        } else {
            // as long as time really advances: thousands of equal steps would add up what rounding takes from t0 + h
            ((self.b.t0 + h) - self.b.t0, false)
        }
    }

    /// One attempt. Ok: the step to wish for next; Err: the step to try instead.
    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, last: bool) -> Result<Result<f64, f64>, SolveError> {
        let t0 = self.b.t0;
        self.t1 = if last { self.t_end } else { t0 + h };
        self.dense_ready = false;
        let tol = Tolerance { rtol: self.options.rtol, scale: &self.scale };
        let outcome = {
            let mut counted = Counted { ode, stats: &mut self.stats };
            self.stepper.attempt(&mut counted, &mut self.b, h, &tol)
        };
        // no estimate looks at quadratures, nor that of dop853 at the rates at the end
        let bad = (0..self.n).find(|&i| !(self.b.y1[i] + self.b.f1[i]).is_finite());
        let trouble = match (outcome, bad) {
            (Ok(a), Some(component)) if a.is_good() => StepTrouble::NotFinite { component },
            (outcome, _) => match outcome {
                Ok(a) if a.is_good() => {
                    let given = if self.adaptive { None } else { self.options.first_step };
                    return Ok(
                        Ok(given.map_or_else(|| self.stepper.wish(h, &a), |given| given * h.signum())),
                    );
                }
                Ok(a) if a.diverged || a.norm.is_finite() => {
                    self.stats.rejected += 1;
                    self.stats.diverged += usize::from(a.diverged);
                    self.trouble = match a.diverged {
                        true => StepTrouble::NoConvergence { component: a.component },
                        false => StepTrouble::Error { component: a.component },
                    };
                    let shorter = self.stepper.again(h, &a);
                    if shorter.abs() > 16.0 * f64::EPSILON * t0.abs() {
                        return Ok(Err(shorter));
                    }
                    self.trouble
                }
                Ok(a) => StepTrouble::NotFinite { component: a.component },
                Err(failure) => StepTrouble::Rhs(failure),
            },
        };
        Ok(Err(self.shorter(h, trouble)?))
    }

    /// After a refusal without a measure: bad values may lie just beyond a border that a shorter step does not
    /// reach.
    fn shorter(&mut self, h: f64, trouble: StepTrouble) -> Result<f64, SolveError> {
        let t0 = self.b.t0;
        self.t1 = t0;
        self.trouble = trouble;
        let shorter = 0.1 * h;
        if shorter.abs() <= (16.0 * f64::EPSILON * t0.abs()).max(f64::MIN_POSITIVE * 1e10) {
            return Err(SolveError::StepTooSmall { t: t0, h, trouble });
        }
        self.stats.rejected += usize::from(!matches!(trouble, StepTrouble::Error { .. }));
        self.stepper.again(h, &Attempt::diverged(0));
        Ok(shorter)
    }

    fn find_event(&mut self, ode: &mut dyn Ode) -> Result<Found, RhsFailure> {
        if ode.certify(&self.last_step())? {
            return Ok(Found::Nothing);
        }
        let (t0, h) = (self.b.t0, self.t1 - self.b.t0);
        self.prepare_dense(ode)?;
        let dense = Interpolant { stepper: &*self.stepper, t0, h };
        ode.first_event(&self.last_step(), &dense)
    }

    /// Whether an event at t needs no other step: it is at the end, or too near the start for one.
    fn lands(&mut self, ode: &mut dyn Ode, t: f64) -> bool {
        let grain = 4.0 * f64::EPSILON * self.t1.abs().max(self.b.t0.abs());
        if (t - self.b.t0).abs() <= grain {
            self.stay();
            return true;
        }
        (t - self.t1).abs() <= grain && ode.landing(&self.last_step()).dt.abs() <= grain
    }

    /// A step of no length.
    fn stay(&mut self) {
        self.t1 = self.b.t0;
        self.b.y1.copy_from_slice(&self.b.y0);
        self.b.f1.copy_from_slice(&self.b.f0);
        self.dense_ready = false;
    }

    /// After an attempt sent to an event: `None` if it is there (a crumb of time is made up for with the
    /// slope at the end), else the time still missing.
    fn landed(&mut self, ode: &mut dyn Ode, h: f64, landings: usize) -> Option<f64> {
        let dt = ode.landing(&self.last_step()).dt;
        // after many attempts a coarser landing must do
        let small = dt.abs() <= if landings < MAX_LANDINGS { 1e-7 } else { 1e-3 } * h.abs();
        if !dt.is_finite() || (landings > 2 * MAX_LANDINGS) {
            return None;
        }
        if !small {
            return Some(dt.clamp(-0.9 * h.abs(), h.abs()));
        }
        // an event beyond the end by a crumb is at the end
        let left = self.t_end - self.t1;
        let dt = if h.signum() * (dt - left) > 0.0 { left } else { dt };
        // what is left out is ½ f' dt², below 1e-14 of the step's own change
        for i in 0..self.n {
            self.b.y1[i] += dt * self.b.f1[i];
        }
        self.t1 = if dt == left { self.t_end } else { self.t1 + dt };
        None
    }

    /// After an event that changed the structure of the problem: the stepper fitted to what it is now, or one made
    /// for it.
    fn restructure(&mut self, ode: &mut dyn Ode) {
        if ode.structure() == self.structure {
            return;
        }
        self.structure = ode.structure();
        let n = ode.dim();
        if n == self.n && n - ode.quadratures() == self.scale.len() {
            self.stepper.restructure(ode);
            return;
        }
        if n != self.n {
            let old = self.b.y0.clone();
            self.b.resize(n);
            ode.carry_over(&old[..self.n], &mut self.b.y0[..n]);
            self.progress.resize(n);
            self.n = n;
        }
        self.scale = scales(ode, &self.options);
        self.stepper = self.method.start(ode);
        self.stepper.hold_dense(self.options.hold_dense);
    }

    /// Rates at t0 and a first step.
    fn start(&mut self, ode: &mut dyn Ode, time_scale: f64) -> Result<(), StepTrouble> {
        self.evaluate_start(ode)?;
        self.stepper.restart();
        (self.started, self.wary) = (self.b.t0, false);
        self.time_scale = time_scale;
        // a method that keeps its order finds its first step from a tenth of the time scale by itself, and learns
        // from it: rates that start as those of an impact do have no second derivative to guess from
        let learns = time_scale.is_finite() && !self.method.remembers();
        let guess = match self.options.first_step {
            Some(h) if !self.adaptive || self.stats.steps == 0 => h,
            _ if learns => self.share.unwrap_or(0.03) * time_scale,
            _ => self.guess_step(ode)?.min(0.1 * time_scale),
        };
        // no shorter than times can tell apart, no longer than is left
        let least = (32.0 * f64::EPSILON * self.b.t0.abs()).min((self.t_end - self.b.t0).abs());
        self.h_next = guess.max(least).min(self.options.max_step);
        Ok(())
    }

    fn evaluate_start(&mut self, ode: &mut dyn Ode) -> Result<(), StepTrouble> {
        let n = self.n;
        if let Some(component) = self.b.y0[..n].iter().position(|y| !y.is_finite()) {
            return Err(StepTrouble::NotFinite { component });
        }
        ode.rhs(self.b.t0, &self.b.y0[..n], &mut self.b.f0[..n]).map_err(StepTrouble::Rhs)?;
        self.stats.evaluations += 1;
        match self.b.f0[..n].iter().position(|f| !f.is_finite()) {
            Some(component) => Err(StepTrouble::NotFinite { component }),
            None => Ok(()),
        }
    }

    /// A first step from the first and second derivatives: Hairer, Nørsett, Wanner, II.4.
    fn guess_step(&mut self, ode: &mut dyn Ode) -> Result<f64, StepTrouble> {
        let span = self.t_end - self.b.t0;
        let m = self.scale.len();
        let allowed = |i: usize, y: f64| self.scale[i] + self.options.rtol * y.abs();
        // without an absolute tolerance a component at zero says nothing
        let share = |v: f64, allowed: f64| if allowed > 0.0 { v.abs() / allowed } else { 0.0 };
        let largest =
            |v: &[f64], b: &Buffers| (0..m).fold(0.0f64, |s, i| s.max(share(v[i], allowed(i, b.y0[i]))));
        let (d0, d1) = (largest(&self.b.y0, &self.b), largest(&self.b.f0, &self.b));
        let idle = d0 < 1e-5 || d1 * span.abs() < 1e-5;
        let h0 = if idle { 1e-6 * span.abs() } else { 0.01 * d0 / d1 };
        let h0 = h0.min(span.abs()) * span.signum();
        for i in 0..self.n {
            self.b.y1[i] = self.b.y0[i] + h0 * self.b.f0[i];
        }
        let n = self.n;
        self.stats.evaluations += 1;
        // an Euler step into the unknown may fail; then the short one is the guess
        if ode.rhs(self.b.t0 + h0, &self.b.y1[..n], &mut self.b.f1[..n]).is_err() {
            return Ok(h0.abs());
        }
        let mut d2 = 0.0f64;
        for i in 0..m {
            d2 = d2.max(share(self.b.f1[i] - self.b.f0[i], allowed(i, self.b.y0[i])));
        }
        d2 /= h0.abs();
        if !d2.is_finite() {
            return Ok(h0.abs());
        }
        // the rates change by d2/d1 of themselves in a unit of time, or will in the time there is, and so do their
        // derivatives: the error of order k − 1 is about d1 (d2/d1)^(k−1) h^k. (The original compares d1 with d2,
        // whose units differ.)
        let k = self.start_order as f64;
        let h1 = if d1 > 0.0 {
            let r = (d2 / d1).max(1.0 / span.abs());
            (0.01 * r / d1).powf(1.0 / k) / r
        } else if d2 > 0.0 {
            (0.01 / d2).sqrt()
        } else {
            f64::INFINITY
        };
        Ok((100.0 * h0.abs()).min(h1).min(span.abs()))
    }
}
