//! Whether the steps get anywhere.
//!
//! Rates that jump and drive the state back onto the jump (y' = −sign y, dry friction at rest) leave an adaptive method
//! steps of about tolerance/jump. Each of them is good, and there would be a hundred million. Such a run is given up, and
//! only such a run: that steps are short or many says nothing (a stiff problem with an explicit method, a million
//! periods). It takes all of
//!
//! - **no pace**: for [`PATIENCE`] windows of [`WINDOW`] attempts, more than [`FAR`] attempts are left to the end at the
//!   window's own pace;
//! - **jumps, proven**: in [`JUMPS`] of [`LOOKS`] steps the rate of one component jumps. The straight line from a step's
//!   start to its end, or to where its first rates lead, is halved, always towards the larger change of that rate. Over two halvings the change of a rate that
//!   is smooth on the scale of the step falls to a quarter; that of a jump stays, down to 1e-12 of the step or to neighbouring numbers.
//!
//! Where jumps are not found the next look comes twice as late: looking costs nothing to speak of.

use crate::counted::Counted;
use crate::error::{SolveError, StepTrouble};
use crate::methods::{Buffers, Tolerance};
use crate::ode::RhsFailure;

/// Attempts of a window.
const WINDOW: usize = 1024;
/// Windows without pace before steps are looked at.
const PATIENCE: usize = 3;
/// Attempts to the end that are too many.
const FAR: f64 = 1e6;
/// Steps looked at.
const LOOKS: usize = 64;
/// Of them, with a jump of one component. Jumps that are passed, even one close after the other, take several steps each
/// (and a contact some twenty).
const JUMPS: usize = 16;
/// Halvings that prove a jump; where the step is so short that rounding leaves room for fewer, these at least.
const HALVINGS: usize = 40;
const LEAST_HALVINGS: usize = 10;
/// How far ahead of a step that is lost in rounding a jump is looked for, in such steps.
const AHEAD: f64 = 1e4;

/// A place on the line through a step.
#[derive(Clone, Debug, Default)]
struct Place {
    t: f64,
    y: Vec<f64>,
    f: Vec<f64>,
}

impl Place {
    fn resize(&mut self, n: usize) {
        self.y.resize(n, 0.0);
        self.f.resize(n, 0.0);
    }

    fn evaluate(&mut self, ode: &mut Counted<'_>) -> Result<(), RhsFailure> {
        ode.rhs(self.t, &self.y, &mut self.f)
    }

    /// Halfway between two others; whether that is another place.
    fn halve(&mut self, a: &Place, b: &Place) -> bool {
        let middle = |a: f64, b: f64| a + 0.5 * (b - a);
        self.t = middle(a.t, b.t);
        let mut new = self.t != a.t && self.t != b.t;
        for ((m, a), b) in self.y.iter_mut().zip(&a.y).zip(&b.y) {
            *m = middle(*a, *b);
            new |= m != a && m != b;
        }
        new
    }
}

/// A jump of a rate.
#[derive(Clone, Copy, Debug)]
struct Jump {
    component: usize,
    from: f64,
    to: f64,
}

/// The watch over a run's pace.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// attempts, those that diverged and time at the start of the window
    attempts: usize,
    diverged: usize,
    t: f64,
    /// in the last window the iteration of implicit steps often failed
    stumbles: bool,
    /// windows without pace in a row, and how many it takes
    slow: usize,
    patience: usize,
    /// steps still to be looked at, and the jumps seen, by component
    looks: usize,
    jumps: Vec<usize>,
    a: Place,
    b: Place,
    middle: Place,
}

impl Progress {
    /// From time t on, with `n` components.
    pub(crate) fn new(t: f64, n: usize) -> Progress {
        let mut progress = Progress { t, patience: PATIENCE, ..Progress::default() };
        progress.resize(n);
        progress
    }

    /// For another number of components.
    pub(crate) fn resize(&mut self, n: usize) {
        self.jumps.clear();
        self.jumps.resize(n, 0);
        for place in [&mut self.a, &mut self.b, &mut self.middle] {
            place.resize(n);
        }
        self.looks = 0;
    }

    /// After a step to t1, `left` before the end.
    #[inline]
    pub(crate) fn watch(
        &mut self,
        ode: &mut Counted<'_>,
        b: &Buffers,
        (t1, left): (f64, f64),
        tol: &Tolerance<'_>,
    ) -> Result<(), SolveError> {
        let stats = ode.stats();
        let attempts = stats.steps + stats.rejected + stats.landings;
        if attempts >= self.attempts + WINDOW {
            let diverged = stats.diverged;
            self.judge((attempts, diverged), t1, left);
        }
        if self.looks == 0 || t1 == b.t0 {
            return Ok(());
        }
        self.looks -= 1;
        // what cannot be evaluated is no jump
        let Ok(Some(jump)) = self.jump(ode, b, t1, tol) else { return Ok(()) };
        self.jumps[jump.component] += 1;
        if self.jumps[jump.component] < JUMPS {
            return Ok(());
        }
        let Jump { component, from, to } = jump;
        Err(SolveError::Jumps { t: b.t0, h: t1 - b.t0, component, from, to })
    }

    /// Where no step was small enough because errors stayed too large or iterations did not converge: the jump just
    /// ahead, if there is one, along the rates at the start.
    pub(crate) fn explained(
        &mut self,
        ode: &mut Counted<'_>,
        b: &Buffers,
        error: SolveError,
        tol: &Tolerance<'_>,
    ) -> SolveError {
        let SolveError::StepTooSmall { h, trouble, .. } = error else { return error };
        if !matches!(trouble, StepTrouble::Error { .. } | StepTrouble::NoConvergence { .. }) {
            return error;
        }
        self.stumbles = true;
        self.follow(b, AHEAD * h);
        match self.jump_before(ode, b, b.t0 + AHEAD * h, tol) {
            Ok(Some(Jump { component, from, to })) => SolveError::Jumps { t: b.t0, h, component, from, to },
            _ => error,
        }
    }

    /// Sets `b` to where the rates at the start lead in a time h.
    fn follow(&mut self, buffers: &Buffers, h: f64) {
        for (i, y) in self.b.y.iter_mut().enumerate() {
            *y = buffers.y0[i] + h * buffers.f0[i];
        }
    }

    /// The pace of the last window.
    fn judge(&mut self, (attempts, diverged): (usize, usize), t1: f64, left: f64) {
        let far = left.abs() * (attempts - self.attempts) as f64 > FAR * (t1 - self.t).abs();
        self.stumbles = diverged - self.diverged > WINDOW / 8;
        (self.attempts, self.diverged, self.t) = (attempts, diverged, t1);
        if !far {
            (self.slow, self.patience) = (0, PATIENCE);
            return;
        }
        self.slow += 1;
        if self.slow >= self.patience {
            (self.slow, self.patience) = (0, self.patience.saturating_mul(2));
            self.looks = LOOKS;
            self.jumps.fill(0);
        }
    }

    /// A jump of the rates in a step: on the way to its end, or along its first rates, as its first stages go.
    fn jump(
        &mut self,
        ode: &mut Counted<'_>,
        buffers: &Buffers,
        t1: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Option<Jump>, RhsFailure> {
        let n = self.a.y.len();
        self.b.y.copy_from_slice(&buffers.y1[..n]);
        if let Some(jump) = self.jump_before(ode, buffers, t1, tol)? {
            return Ok(Some(jump));
        }
        self.follow(buffers, t1 - buffers.t0);
        self.jump_before(ode, buffers, t1, tol)
    }

    /// The jump of the rates between the start of a step and `b`, in the component where their change weighs most.
    fn jump_before(
        &mut self,
        ode: &mut Counted<'_>,
        buffers: &Buffers,
        t1: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Option<Jump>, RhsFailure> {
        let Progress { a, b, middle, stumbles, .. } = self;
        let n = a.y.len();
        (a.t, b.t) = (buffers.t0, t1);
        a.y.copy_from_slice(&buffers.y0[..n]);
        // the rates themselves: those of a step's ends may be an implicit formula's
        a.evaluate(ode)?;
        b.evaluate(ode)?;
        let (mut i, mut weight) = (0, 0.0);
        for (k, scale) in tol.scale.iter().enumerate() {
            let allowed = scale + tol.rtol * a.y[k].abs().max(b.y[k].abs());
            let change = (b.f[k] - a.f[k]).abs() / allowed;
            if change > weight {
                (i, weight) = (k, change);
            }
        }
        // what does not count in the error does not keep the steps short, unless the iteration stumbles over it
        let counts = *stumbles || (t1 - buffers.t0).abs() * weight > 0.1;
        let change = |a: &Place, b: &Place| (b.f[i] - a.f[i]).abs();
        let whole = change(a, b);
        if !(counts && whole > 1e-3 * (a.f[i].abs() + b.f[i].abs())) {
            return Ok(None);
        }
        let mut halvings = 0;
        while halvings < HALVINGS && middle.halve(a, b) {
            middle.evaluate(ode)?;
            let later = change(middle, b) > change(a, middle);
            std::mem::swap(middle, if later { &mut *a } else { &mut *b });
            if !(change(a, b) >= 0.5 * whole) {
                return Ok(None);
            }
            halvings += 1;
        }
        // at a pole the change grows
        let jumps = halvings >= LEAST_HALVINGS && change(a, b) <= 2.0 * whole;
        Ok(jumps.then_some(Jump { component: i, from: a.f[i], to: b.f[i] }))
    }
}
