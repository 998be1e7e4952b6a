//! Detects runs whose steps make no progress, because the rates jump.
//!
//! Rates that jump and drive the state back onto the jump (y' = −sign y, dry friction at rest) leave an adaptive method
//! with steps of about tolerance/jump. Each of these steps is accurate, but a hundred million of them would be needed.
//! Such a run is aborted, and only such a run: short or numerous steps alone are no reason (a stiff problem with an
//! explicit method, a million periods). Both of these conditions must hold:
//!
//! - **No progress**: for [`PATIENCE`] windows of [`WINDOW`] attempts, more than [`FAR`] attempts are left to the end
//!   at the speed of the window.
//! - **Proven jumps**: in [`JUMPS`] of [`LOOKS`] steps the rate of the same component jumps. The straight line from a
//!   step's start to its end, or to the point reached along its first rates, is halved repeatedly, each time keeping
//!   the half with the larger change of the rates. If the rates are smooth on the scale of the step, two halvings
//!   reduce their change to a quarter. The change across a jump stays, down to 1e-12 of the step or to neighbouring
//!   floating-point numbers.
//!
//! A jump across a surface (y' = −sign y) lies on that line. Slip in a plane, v' = −v/|v|, jumps only at a point, which
//! lines miss. Where the change decreases on a line that passes such a point, the rates at the middle m of the
//! remaining line from a to b bend towards the point: f(m) − ½ (f(a) + f(b)) = −(1 − cos φ) v/|v|. So the search
//! continues from m along that bend, and then passes the point at a smaller distance. Smooth rates do not change more
//! along the bend either, and end the search.
//!
//! If no jumps are found, the interval until the next check is doubled, so the checks have no measurable cost.
//!
//! Some jumps are passed and come again and again: a switch that the state leaves on both sides and is led back to.
//! Each takes a dozen steps, so that few of the steps examined contain one. Such a run continues, however many jumps
//! there are, unless more than [`HOPELESS`] attempts are left. Then one jump of a component is enough in each of
//! [`ROUNDS`] checks, which are tens of thousands of attempts apart.

use crate::counted::Counted;
use crate::error::{SolveError, StepTrouble};
use crate::failure::RhsFailure;
use crate::method::{Buffers, Tolerance};
use carom_portable::elementary::log2;

/// The number of attempts in a window.
const WINDOW: usize = 1024;
/// The number of windows without progress before steps are examined.
const PATIENCE: usize = 3;
/// The number of attempts left to the end above which a run makes no progress.
const FAR: f64 = 1e6;
/// The number of attempts left to the end above which no user would wait: at a microsecond or more for each evaluation
/// they take an hour at least.
const HOPELESS: f64 = 3e8;
/// The number of checks in a row that find jumps which are passed, before the error is reported.
const ROUNDS: usize = 3;
/// The number of steps examined in a check.
const LOOKS: usize = 64;
/// The number of these steps in which one component must jump. Jumps that are passed, even in close succession, take
/// several steps each (a contact about twenty).
const JUMPS: usize = 16;
/// The number of halvings that proves a jump. The second is the least that suffices where the step is so short that
/// rounding allows no more.
const HALVINGS: usize = 40;
const LEAST_HALVINGS: usize = 10;
/// The largest number of evaluations for one proof, including those after a change to another line.
const TRIES: usize = 8 * HALVINGS;
/// The length of the line along the bend, as a multiple of the remaining length of the line before.
const ASIDE: f64 = 2.0;
/// How far ahead a jump is searched for after a step so short that it is lost in rounding, in lengths of that step.
const AHEAD: f64 = 1e4;

/// A point on the line through a step: time, state and rates.
#[derive(Clone, Debug, Default)]
struct Sample {
    t: f64,
    y: Vec<f64>,
    f: Vec<f64>,
}

impl Sample {
    fn resize(&mut self, n: usize) {
        self.y.resize(n, 0.0);
        self.f.resize(n, 0.0);
    }

    fn evaluate(&mut self, ode: &mut Counted<'_>) -> Result<(), RhsFailure> {
        ode.rhs(self.t, &self.y, &mut self.f)
    }

    /// Sets this point to the middle of two others. Returns whether it differs from both.
    fn halve(&mut self, a: &Sample, b: &Sample) -> bool {
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

/// A jump of the rate of one component, and its values on both sides.
#[derive(Clone, Copy, Debug)]
struct Jump {
    component: usize,
    from: f64,
    to: f64,
}

/// The monitor of a run's progress.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// number of attempts, number of diverged attempts and time, at the start of the window
    attempts: usize,
    diverged: usize,
    t: f64,
    /// whether the iteration of implicit steps often failed in the last window
    often_diverges: bool,
    /// number of windows without progress in a row, and the number that starts a check
    slow: usize,
    patience: usize,
    /// attempts and time at the last check, and the number of checks in a row that found jumps at a hopeless speed
    looked: (usize, f64),
    rounds: usize,
    /// number of events in a row without time advancing
    pub(crate) stalled: usize,
    /// number of steps still to be examined, and the jumps found so far, by component
    looks: usize,
    jumps: Vec<usize>,
    a: Sample,
    b: Sample,
    middle: Sample,
    /// weight of each component: 1/(allowed error); 0 for quadratures
    weights: Vec<f64>,
}

carom_portable::carried!(Progress { attempts, diverged, t, often_diverges, slow, patience, looked, rounds, stalled, looks, jumps } scratch { a, b, middle, weights });

impl Progress {
    /// Creates the monitor at time t, for `n` components.
    pub(crate) fn new(t: f64, n: usize) -> Progress {
        let mut progress = Progress { t, patience: PATIENCE, looked: (0, t), ..Progress::default() };
        progress.resize(n);
        progress
    }

    /// Adapts the workspace to another number of components.
    pub(crate) fn resize(&mut self, n: usize) {
        self.jumps.clear();
        self.jumps.resize(n, 0);
        for sample in [&mut self.a, &mut self.b, &mut self.middle] {
            sample.resize(n);
        }
        self.weights.resize(n, 0.0);
        self.looks = 0;
    }

    /// Checks the progress after a step to t1, with the time `left` to the end. Returns an error if the run makes none.
    #[inline]
    pub(crate) fn check_pace(
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
        // a failed evaluation is no jump
        let Ok(Some(jump)) = self.jump(ode, b, t1, tol) else { return Ok(()) };
        if self.count() < JUMPS && self.rounds < ROUNDS {
            return Ok(());
        }
        let Jump { component, from, to } = jump;
        Err(SolveError::Jumps { t: b.t0, h: t1 - b.t0, component, from, to })
    }

    /// Explains why no step was small enough, where errors stayed too large or iterations did not converge: searches
    /// for a jump just ahead, along the rates at the start, and returns the error that describes it; else returns
    /// `error`.
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
        self.often_diverges = true;
        self.follow(b, AHEAD * h);
        match self.jump_before(ode, b, b.t0 + AHEAD * h, tol) {
            Ok(Some(Jump { component, from, to })) => SolveError::Jumps { t: b.t0, h, component, from, to },
            _ => error,
        }
    }

    /// Sets `b` to the state reached along the rates at the start in a time h.
    fn follow(&mut self, buffers: &Buffers, h: f64) {
        for (i, y) in self.b.y.iter_mut().enumerate() {
            *y = buffers.y0[i] + h * buffers.f0[i];
        }
    }

    /// Evaluates the progress in the last window, and starts a check after enough windows without progress.
    fn judge(&mut self, (attempts, diverged): (usize, usize), t1: f64, left: f64) {
        let far = left.abs() * (attempts - self.attempts) as f64 > FAR * (t1 - self.t).abs();
        self.often_diverges = diverged - self.diverged > WINDOW / 8;
        (self.attempts, self.diverged, self.t) = (attempts, diverged, t1);
        if !far {
            (self.slow, self.patience, self.rounds) = (0, PATIENCE, 0);
            self.jumps.fill(0);
            return;
        }
        self.slow += 1;
        if self.slow >= self.patience {
            (self.slow, self.patience) = (0, self.patience.saturating_mul(2));
            let (since, time) = (attempts - self.looked.0, (t1 - self.looked.1).abs());
            let hopeless = left.abs() * since as f64 > HOPELESS * time;
            let jumped = self.jumps.iter().any(|&jumps| jumps > 0);
            self.rounds = if hopeless && jumped { self.rounds + 1 } else { 0 };
            (self.looked, self.looks) = ((attempts, t1), LOOKS);
            self.jumps.fill(0);
        }
    }

    /// Finds a jump of the rates in a step: between its start and its end, or along its first rates, as its first
    /// stages go.
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

    /// Finds the jump of the rates between the start of a step and `b`, in the component with the largest weighted
    /// change.
    fn jump_before(
        &mut self,
        ode: &mut Counted<'_>,
        buffers: &Buffers,
        t1: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Option<Jump>, RhsFailure> {
        let n = self.a.y.len();
        (self.a.t, self.b.t) = (buffers.t0, t1);
        self.a.y.copy_from_slice(&buffers.y0[..n]);
        // evaluated anew: an implicit method may store rates from its formula, not from the problem
        self.a.evaluate(ode)?;
        self.b.evaluate(ode)?;
        for (k, scale) in tol.scale.iter().enumerate() {
            self.weights[k] = 1.0 / (scale + tol.rtol * self.a.y[k].abs().max(self.b.y[k].abs()));
        }
        let Some((component, whole)) = most(&self.weights, &self.a.f, &self.b.f) else { return Ok(None) };
        let (from, to) = (self.a.f[component], self.b.f[component]);
        // a change too small to matter in the error does not shorten the steps, unless the iteration fails because of
        // it
        let counts = self.often_diverges || (t1 - buffers.t0).abs() * whole > 0.1;
        if !(counts && (to - from).abs() > 1e-3 * (from.abs() + to.abs())) {
            return Ok(None);
        }
        self.narrow(ode, whole)
    }

    /// Brings `a` and `b`, whose rates differ by `whole`, ever nearer to each other. Returns the jump if the difference
    /// remains.
    fn narrow(&mut self, ode: &mut Counted<'_>, whole: f64) -> Result<Option<Jump>, RhsFailure> {
        let Progress { a, b, middle, weights, .. } = self;
        let change = |a: &Sample, b: &Sample| most(weights, &a.f, &b.f).map_or(0.0, |m| m.1);
        let length = |a: &Sample, b: &Sample| most(weights, &a.y, &b.y).map_or(0.0, |m| m.1);
        let first = length(a, b);
        let (mut halvings, mut tries) = (0, 0);
        while tries < TRIES && halvings < HALVINGS && middle.halve(a, b) {
            tries += 1;
            middle.evaluate(ode)?;
            let [before, after] = [change(a, middle), change(middle, b)];
            if before.max(after) >= 0.5 * whole {
                std::mem::swap(middle, if after > before { &mut *a } else { &mut *b });
            } else {
                tries += 1;
                aside(a, b, middle, weights);
                b.evaluate(ode)?;
                if !(change(a, b) >= 0.5 * whole) {
                    return Ok(None);
                }
            }
            halvings =
                if first > 0.0 { log2(first / length(a, b)).floor().max(0.0) as usize } else { halvings + 1 };
        }
        // at a pole the change would grow
        let Some((component, left)) = most(weights, &a.f, &b.f) else { return Ok(None) };
        let jumps = halvings >= LEAST_HALVINGS && left <= 2.0 * whole && tries < TRIES;
        Ok(jumps.then_some(Jump { component, from: a.f[component], to: b.f[component] }))
    }

    /// Counts the jump between `a` and `b` for every component whose share of it is at least a quarter. Returns the
    /// largest number of jumps of one component.
    fn count(&mut self) -> usize {
        let whole = most(&self.weights, &self.a.f, &self.b.f).map_or(0.0, |m| m.1);
        let mut jumps = 0;
        for (i, count) in self.jumps.iter_mut().enumerate() {
            if self.weights[i] * (self.b.f[i] - self.a.f[i]).abs() >= 0.25 * whole {
                *count += 1;
                jumps = jumps.max(*count);
            }
        }
        jumps
    }
}

/// Returns the component with the largest weighted difference between two vectors, and that difference.
fn most(weights: &[f64], a: &[f64], b: &[f64]) -> Option<(usize, f64)> {
    let each = weights.iter().zip(a.iter().zip(b)).map(|(w, (a, b))| w * (b - a).abs()).enumerate();
    each.filter(|(_, change)| *change > 0.0).max_by(|(_, x), (_, y)| x.total_cmp(y))
}

/// Replaces the line from `a` to `b` by one from its middle along the bend of the rates, where the change of the rates
/// is too small in both halves.
fn aside(a: &mut Sample, b: &mut Sample, middle: &mut Sample, weights: &[f64]) {
    let length = most(weights, &a.y, &b.y).map_or(0.0, |m| m.1);
    // f(m) − ½ (f(a) + f(b)), stored in b.f
    for (k, f) in b.f.iter_mut().enumerate() {
        *f = middle.f[k] - 0.5 * (a.f[k] + *f);
    }
    let bend = b.f.iter().zip(weights).map(|(f, w)| w * f.abs()).fold(0.0, f64::max);
    let far = if bend > 0.0 { ASIDE * length / bend } else { 0.0 };
    b.t = middle.t;
    for (k, y) in b.y.iter_mut().enumerate() {
        *y = middle.y[k] + far * b.f[k];
    }
    std::mem::swap(a, middle);
}
