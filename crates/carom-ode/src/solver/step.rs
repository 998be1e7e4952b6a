//! One step: attempts, rejections, and steps that end on events.

use super::within::MOST_WITHIN;
use super::{Pending, Solver};
use crate::counted::Counted;
use crate::error::{SolveError, StepTrouble};
use crate::events::Found;
use crate::failure::RhsFailure;
use crate::method::Attempt;
use crate::ode::Ode;
use crate::step::Interpolant;
use carom_portable::elementary::pow;

/// The number of events in a row without time advancing after which the run is aborted.
const STALL_LIMIT: usize = 10_000;
/// The number of attempts to end on an event after which a larger distance is accepted.
const MAX_LANDINGS: usize = 6;
/// The error allowed where a step is extended with the slope at its end, as a fraction of the tolerance.
const NEGLIGIBLE_TIME: f64 = 0.01;
/// The error allowed where a step is cut at an event, as a fraction of the tolerance.
const DEFECT: f64 = 0.1;
/// The largest number of attempts at a step, rejected ones and those towards events together.
const MAX_TRIES: usize = 200;
/// A step refused down to this fraction of the length first tried has met a jump of the rates. From then on, steps at
/// most double. So no step is much longer than the time since the jump, and a rate that switches to and fro is not
/// stepped over while it seems constant.
const JUMP: f64 = 0.05;

/// The result of an attempt, and the length of the step that comes after it.
enum Outcome {
    /// the attempt is accepted
    Good {
        /// the length proposed for the next step
        next: f64,
    },
    /// the attempt is refused
    Refused {
        /// the length to try instead
        instead: f64,
    },
}

impl Solver {
    /// Takes one step. It is shorter than planned where an event, a kink of the rates or the end is nearer.
    pub fn step(&mut self, ode: &mut dyn Ode) -> Result<(), SolveError> {
        self.finish(ode)?;
        if self.done() {
            return Ok(());
        }
        if self.stats.steps >= self.options.max_steps {
            return Err(SolveError::TooManySteps { t: self.b.t0, steps: self.stats.steps });
        }
        self.tolerances.reset();
        let event = self.accepted_step(ode).map_err(|e| self.explained(ode, e))?;
        if self.next.time_scale.is_finite() && !event {
            self.next.first_share = Some((self.times.t1 - self.b.t0).abs() / self.next.time_scale);
        }
        self.next.time_scale = f64::INFINITY;
        self.progress.stalled =
            if event && self.times.t1 == self.b.t0 { self.progress.stalled + 1 } else { 0 };
        if self.progress.stalled > STALL_LIMIT {
            return Err(SolveError::EventStorm { t: self.times.t1, events: self.progress.stalled });
        }
        self.stats.steps += 1;
        if self.method.is_adaptive() {
            self.progress.check_pace(
                &mut Counted { ode, stats: &mut self.stats },
                &self.b,
                (self.times.t1, self.times.end - self.times.t1),
                &self.tolerances.given(),
            )?;
        }
        self.pending = if event { Pending::Event } else { Pending::Accept };
        Ok(())
    }

    /// Returns the error, or the jump of the rates that caused it.
    fn explained(&mut self, ode: &mut dyn Ode, error: SolveError) -> SolveError {
        let tol = self.tolerances.given();
        let mut counted = Counted { ode, stats: &mut self.stats };
        self.progress.explained(&mut counted, &self.b, error, &tol)
    }

    /// Repeats attempts until a step is accepted. Returns whether it ends on an event.
    fn accepted_step(&mut self, ode: &mut dyn Ode) -> Result<bool, SolveError> {
        let t0 = self.b.t0;
        let limit = ode.steps().max_step(t0, &self.b.y0[..self.n], &self.b.f0[..self.n], self.next.h.abs());
        let limit = limit.min(self.options.max_step).min(self.stepper.limit());
        let sign = if self.times.end < t0 { -1.0 } else { 1.0 };
        // (the problem knows what touches now, because it was just asked for the longest step)
        self.tolerances.control_quadratures(ode.components(), self.options.atol, t0, self.stepper.reach());
        let mut h = sign * self.next.h.abs().min(limit);
        let mut leap = ode.steps().leap(t0, &self.b.y0[..self.n]);
        if let Some(leap) = leap {
            h = sign * leap.h;
        }
        self.trouble = StepTrouble::TooFast;
        // once an attempt was refused, no longer step is tried; so the attempts come to an end
        let mut ceiling = f64::INFINITY;
        let first = h;
        let mut landings = 0;
        let mut refused = false;
        for _ in 0..MAX_TRIES {
            let (h_try, last) = self.clipped(h);
            if landings > 0 && h_try == 0.0 {
                // the attempts have come back to the start of the step: the event is there
                self.stay();
                return Ok(true);
            }
            if h_try == 0.0 || t0 + h_try == t0 {
                return Err(SolveError::StepTooSmall { t: t0, h, trouble: self.trouble });
            }
            // a leap is tried once, and only at its full length
            let at_most = leap
                .take()
                .filter(|leap| leap.h == h.abs())
                .map_or(1.0, |leap| leap.at_most + leap.noise / self.options.rtol);
            let outcome = self.attempt(ode, h_try, last, at_most)?;
            refused = matches!(outcome, Outcome::Refused { .. });
            let h_wish = match outcome {
                Outcome::Good { next } if self.next.after_jump => sign * next.abs().min(2.0 * h_try.abs()),
                Outcome::Good { next } => next,
                Outcome::Refused { instead } => {
                    ode.steps().refused(h_try.abs());
                    (h, ceiling, landings) = (instead, instead.abs(), 0);
                    let jumped = matches!(self.trouble, StepTrouble::Error { .. });
                    self.next.after_jump |=
                        jumped && h.abs() < JUMP * first.abs() && t0 != self.times.started;
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
                    // the event cannot be reached in one step: an ordinary step towards it is taken
                    Some(_) => {}
                }
            } else if ceiling.is_infinite() && last && self.times.limit(t0) != self.times.end {
                // a kink or a pause shortened the step, not its error: the length planned before remains valid
                self.next.h = sign * h_wish.abs().max(self.next.h.abs());
            } else if ceiling.is_infinite() || h_wish.abs() < self.next.h.abs() {
                self.next.h = h_wish;
            }
            match self.find_event(ode) {
                Ok(Found::Nothing) => return Ok(false),
                Ok(Found::At(t)) if self.lands(ode, t) || self.cut(ode, t)? => return Ok(true),
                Ok(Found::At(t)) => h = t - t0,
                Ok(Found::ClearUntil(t)) => {
                    // no further than the search has come; if that is almost nothing, a tenth of the step
                    let clear = t - t0;
                    h = if clear.abs() > 1e-3 * h_try.abs() { clear } else { 0.1 * h_try };
                    (ceiling, landings) = (h.abs(), 0);
                    self.next.h = 2.0 * h;
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
            // MAX_TRIES attempts, each shorter than the one before, and none was acceptable
            trouble @ (StepTrouble::Rhs(_) | StepTrouble::NotFinite { .. }) => {
                Err(SolveError::StepTooSmall { t: t0, h, trouble })
            }
            trouble if refused => Err(SolveError::StepTooSmall { t: t0, h, trouble }),
            // the event moves as the steps approach it: it is taken to be at the end of the last attempt
            _ => Ok(true),
        }
    }

    /// Returns h, or the time left to the end or to a kink of the rates if that is not longer, and whether the step
    /// ends there.
    fn clipped(&self, h: f64) -> (f64, bool) {
        let left = self.times.limit(self.b.t0) - self.b.t0;
        // a remainder of rounding size would be a meaningless step: it is included in this one
        if h.abs() >= left.abs() * (1.0 - 1e-12) {
            (left, true)
        } else {
            // the length by which the stored time really advances: over thousands of equal steps, the rounding of t0 +
            // h would add up
            ((self.b.t0 + h) - self.b.t0, false)
        }
    }

    /// Makes one attempt, whose error may be `at_most` times the tolerance.
    fn attempt(
        &mut self,
        ode: &mut dyn Ode,
        h: f64,
        last: bool,
        at_most: f64,
    ) -> Result<Outcome, SolveError> {
        let t0 = self.b.t0;
        self.times.t1 = if last { self.times.limit(t0) } else { t0 + h };
        self.dense.ready = false;
        let tol = self.tolerances.of_step();
        let outcome = {
            let mut counted = Counted { ode, stats: &mut self.stats };
            self.stepper.attempt(&mut counted, &mut self.b, h, &tol)
        };
        // error estimates ignore quadratures, and the estimate of dop853 ignores the rates at the end
        let bad = (0..self.n).find(|&i| !(self.b.y1[i] + self.b.f1[i]).is_finite());
        let trouble = match (outcome, bad) {
            (Ok(a), Some(component)) if a.is_good() => StepTrouble::NotFinite { component },
            (outcome, _) => match outcome {
                Ok(a) if a.is_good() => {
                    let given = if self.method.is_adaptive() { None } else { self.options.first_step };
                    let next = given.map_or_else(|| self.stepper.wish(h, &a), |given| given * h.signum());
                    return Ok(Outcome::Good { next });
                }
                Ok(a) if !a.diverged && a.norm <= at_most => return Ok(Outcome::Good { next: self.next.h }),
                Ok(a) if a.diverged || a.norm.is_finite() => {
                    self.stats.rejected += 1;
                    self.stats.diverged += usize::from(a.diverged);
                    self.trouble = match a.diverged {
                        true => StepTrouble::NoConvergence { component: a.component },
                        false => StepTrouble::Error { component: a.component },
                    };
                    let shorter = self.stepper.again(h, &a);
                    if shorter.abs() > 16.0 * f64::EPSILON * t0.abs() {
                        return Ok(Outcome::Refused { instead: shorter });
                    }
                    self.trouble
                }
                Ok(a) => StepTrouble::NotFinite { component: a.component },
                Err(failure) => StepTrouble::Rhs(failure),
            },
        };
        Ok(Outcome::Refused { instead: self.shorter(h, trouble)? })
    }

    /// Returns whether the first step after a start is to be tried once more with a larger tolerance, after its error
    /// was too large even at the resolution of the time. Rates that rise as a root of the time since an event (t^¼, a
    /// dashpot of a Hertz contact) would need even shorter steps there.
    fn starts_steeply(&mut self, trouble: StepTrouble) -> bool {
        let since = (self.b.t0 - self.times.started).abs();
        let first = since <= 512.0 * f64::EPSILON * self.b.t0.abs() && self.b.t0 != 0.0;
        first && matches!(trouble, StepTrouble::Error { .. }) && self.tolerances.enlarge()
    }

    /// Returns a ten times shorter length after a refusal that gives no error norm: invalid values may lie just beyond
    /// a limit that a shorter step does not reach.
    fn shorter(&mut self, h: f64, trouble: StepTrouble) -> Result<f64, SolveError> {
        let t0 = self.b.t0;
        self.times.t1 = t0;
        self.trouble = trouble;
        let shorter = 0.1 * h;
        if shorter.abs() <= (16.0 * f64::EPSILON * t0.abs()).max(f64::MIN_POSITIVE * 1e10) {
            return match self.starts_steeply(trouble) {
                true => Ok(h.signum() * 32.0 * f64::EPSILON * t0.abs()),
                false => Err(SolveError::StepTooSmall { t: t0, h, trouble }),
            };
        }
        self.stats.rejected += usize::from(!matches!(trouble, StepTrouble::Error { .. }));
        self.stepper.again(h, &Attempt::diverged(0));
        Ok(shorter)
    }

    /// Finds the first event within the step. Where the interpolant is searched, or will be stored, and is not accurate
    /// enough, returns a shorter length for the step.
    fn find_event(&mut self, ode: &mut dyn Ode) -> Result<Found, RhsFailure> {
        let (t0, h) = (self.b.t0, self.times.t1 - self.b.t0);
        let clear = ode.events().certify(&self.last_step())?;
        if clear && !self.options.keep_dense {
            return Ok(Found::Nothing);
        }
        self.prepare_dense(ode)?;
        if self.method.is_adaptive() && self.dense.error > MOST_WITHIN {
            self.stats.rejected += 1;
            self.stepper.refused_within();
            // (these errors grow with the eighth power of the step, or a higher one)
            let shorter = (0.8 * pow(MOST_WITHIN / self.dense.error, 0.125)).max(0.1);
            return Ok(Found::ClearUntil(t0 + shorter * h));
        }
        if clear {
            return Ok(Found::Nothing);
        }
        let dense = Interpolant { output: &*self.stepper, t0, h };
        ode.events().first_event(&self.last_step(), &dense)
    }

    /// Returns whether an event at t needs no further step: it is at the end of the step, or too near its start.
    fn lands(&mut self, ode: &mut dyn Ode, t: f64) -> bool {
        let grain = 4.0 * f64::EPSILON * self.times.t1.abs().max(self.b.t0.abs());
        if (t - self.b.t0).abs() <= grain {
            self.stay();
            return true;
        }
        (t - self.times.t1).abs() <= grain && ode.events().landing(&self.last_step()).dt.abs() <= grain
    }

    /// Cuts the step at an event that does not affect its rates. Returns whether the interpolant is accurate enough
    /// there: its slope and the rates must differ by far less than the tolerance allows in that time.
    fn cut(&mut self, ode: &mut dyn Ode, t: f64) -> Result<bool, SolveError> {
        let (t0, h, n) = (self.b.t0, self.times.t1 - self.b.t0, self.n);
        let theta = (t - t0) / h;
        if !self.dense.ready
            || !ode.events().may_cut(theta)
            || !self.stepper.slope(theta, &mut self.aside.rates)
        {
            return Ok(false);
        }
        self.stepper.interpolate(theta, 0..n, &mut self.b.y1[..n]);
        self.stats.evaluations += 1;
        if ode.rhs(t, &self.b.y1[..n], &mut self.b.f1[..n]).is_err() {
            return Ok(false);
        }
        let exact = (0..self.tolerances.scale.len()).all(|i| {
            let allowed = self.tolerances.allowed(i, self.b.y1[i]);
            theta * (h * self.b.f1[i] - self.aside.rates[i]).abs() <= DEFECT * allowed
        });
        self.times.t1 = t;
        Ok(exact && self.landed(ode, t - t0, 1).is_none())
    }

    /// Replaces the step by one of zero length.
    fn stay(&mut self) {
        self.times.t1 = self.b.t0;
        self.b.y1.copy_from_slice(&self.b.y0);
        self.b.f1.copy_from_slice(&self.b.f0);
        self.dense.ready = false;
    }

    /// Returns whether the step may be extended by a time dt with the slope at its end: the error ½ f' dt², with f'
    /// from the change over the step, must be far below the tolerance in every component.
    fn is_negligible_time(&self, dt: f64, h: f64) -> bool {
        let share = 0.5 * dt * dt / h.abs();
        dt.abs() <= 1e-2 * h.abs()
            && (0..self.tolerances.scale.len()).all(|i| {
                let allowed = self.tolerances.allowed(i, self.b.y1[i]);
                share * (self.b.f1[i] - self.b.f0[i]).abs() <= NEGLIGIBLE_TIME * allowed
            })
    }

    /// Examines an attempt that was to end on an event. Returns `None` if it does (a very small remaining time is
    /// covered with the slope at the end), else the time still missing.
    fn landed(&mut self, ode: &mut dyn Ode, h: f64, landings: usize) -> Option<f64> {
        let dt = ode.events().landing(&self.last_step()).dt;
        // after many attempts a larger distance from the event is accepted
        let least = if landings < MAX_LANDINGS { 1e-7 } else { 1e-3 };
        let small = dt.abs() <= least * h.abs() || self.is_negligible_time(dt, h);
        if !dt.is_finite() || (landings > 2 * MAX_LANDINGS) {
            return None;
        }
        if !small {
            return Some(dt.clamp(-0.9 * h.abs(), h.abs()));
        }
        // an event beyond the end, or beyond a kink, by a very small time is taken to be there
        let limit = self.times.limit(self.b.t0);
        let left = limit - self.times.t1;
        let dt = if h.signum() * (dt - left) > 0.0 { left } else { dt };
        // the error is ½ f' dt²: below 1e-14 of the step's own change, or far below the tolerance
        for i in 0..self.n {
            self.b.y1[i] += dt * self.b.f1[i];
        }
        self.times.t1 = if dt == left { limit } else { self.times.t1 + dt };
        None
    }
}
