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
//!   start to its end, or to where its first rates lead, is halved, always towards the larger change of the rates. Over two halvings the change of rates that
//!   are smooth on the scale of the step falls to a quarter; that of a jump stays, down to 1e-12 of the step or to neighbouring numbers.
//!
//! A jump across a surface (y' = −sign y) is on that line. Slip in a plane, v' = −v/|v|, jumps at a point only, which lines miss. Where the change falls on a line that passes such a point, at the middle m
//! of what is left between a and b, the rates bend towards it: f(m) − ½ (f(a) + f(b)) = −(1 − cos φ) v/|v|. So the search goes on from m along that bend, and misses the point by less; rates that are smooth
//! do not change more there either, and end the search.
//!
//! Where jumps are not found the next look comes twice as late: looking costs nothing to speak of.
//!
//! Jumps that are passed, and come again and again (a switch that the state leaves on both sides, and is led back to), take a dozen steps each, so that few of the steps looked at have one. A run among
//! them goes on, however many there are, unless more than [`HOPELESS`] attempts are left: then one jump of a component is enough in each of [`ROUNDS`] looks, tens of thousands of attempts apart.

use crate::counted::Counted;
use crate::error::{SolveError, StepTrouble};
use crate::failure::RhsFailure;
use crate::method::{Buffers, Tolerance};
use carom_portable::elementary::log2;

/// Attempts of a window.
const WINDOW: usize = 1024;
/// Windows without pace before steps are looked at.
const PATIENCE: usize = 3;
/// Attempts to the end that are too many.
const FAR: f64 = 1e6;
/// Attempts to the end that nobody waits for: at a microsecond or more for each of their evaluations they take an hour at least.
const HOPELESS: f64 = 3e8;
/// Looks in a row that find jumps which are passed, before one is told of.
const ROUNDS: usize = 3;
/// Steps looked at.
const LOOKS: usize = 64;
/// Of them, with a jump of one component. Jumps that are passed, even one close after the other, take several steps each
/// (and a contact some twenty).
const JUMPS: usize = 16;
/// Halvings that prove a jump; where the step is so short that rounding leaves room for fewer, these at least.
const HALVINGS: usize = 40;
const LEAST_HALVINGS: usize = 10;
/// Evaluations that are enough for it, with all turns aside.
const TRIES: usize = 8 * HALVINGS;
/// How far aside a line goes, by the length of what was left of the last one.
const ASIDE: f64 = 2.0;
/// How far ahead of a step that is lost in rounding a jump is looked for, in such steps.
const AHEAD: f64 = 1e4;

/// A place on the line through a step.
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

    /// Halfway between two others; whether that is another place.
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
    /// attempts and time when steps were looked at last, and how many looks in a row found jumps at a hopeless pace
    looked: (usize, f64),
    rounds: usize,
    /// steps still to be looked at, and the jumps seen, by component
    looks: usize,
    jumps: Vec<usize>,
    a: Sample,
    b: Sample,
    middle: Sample,
    /// what counts of a component: 1/tolerance
    weights: Vec<f64>,
}

carom_portable::carried!(Progress { attempts, diverged, t, stumbles, slow, patience, looked, rounds, looks, jumps } scratch { a, b, middle, weights });

impl Progress {
    /// From time t on, with `n` components.
    pub(crate) fn new(t: f64, n: usize) -> Progress {
        let mut progress = Progress { t, patience: PATIENCE, looked: (0, t), ..Progress::default() };
        progress.resize(n);
        progress
    }

    /// For another number of components.
    pub(crate) fn resize(&mut self, n: usize) {
        self.jumps.clear();
        self.jumps.resize(n, 0);
        for sample in [&mut self.a, &mut self.b, &mut self.middle] {
            sample.resize(n);
        }
        self.weights.resize(n, 0.0);
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
        if self.count() < JUMPS && self.rounds < ROUNDS {
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
        let n = self.a.y.len();
        (self.a.t, self.b.t) = (buffers.t0, t1);
        self.a.y.copy_from_slice(&buffers.y0[..n]);
        // the rates themselves: those of a step's ends may be an implicit formula's
        self.a.evaluate(ode)?;
        self.b.evaluate(ode)?;
        for (k, scale) in tol.scale.iter().enumerate() {
            self.weights[k] = 1.0 / (scale + tol.rtol * self.a.y[k].abs().max(self.b.y[k].abs()));
        }
        let Some((component, whole)) = most(&self.weights, &self.a.f, &self.b.f) else { return Ok(None) };
        let (from, to) = (self.a.f[component], self.b.f[component]);
        // what does not count in the error does not keep the steps short, unless the iteration stumbles over it
        let counts = self.stumbles || (t1 - buffers.t0).abs() * whole > 0.1;
        if !(counts && (to - from).abs() > 1e-3 * (from.abs() + to.abs())) {
            return Ok(None);
        }
        self.narrow(ode, whole)
    }

    /// The jump between `a` and `b`, where the rates differ by `whole`, if they do so however near `a` and `b` are brought to each other.
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
        // at a pole the change grows
        let Some((component, left)) = most(weights, &a.f, &b.f) else { return Ok(None) };
        let jumps = halvings >= LEAST_HALVINGS && left <= 2.0 * whole && tries < TRIES;
        Ok(jumps.then_some(Jump { component, from: a.f[component], to: b.f[component] }))
    }

    /// Counts the jump between `a` and `b` for every component that takes part in it by a quarter at least. Gives the most jumps of one.
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

/// The component in which two vectors differ most, by their weights, and by how much.
fn most(weights: &[f64], a: &[f64], b: &[f64]) -> Option<(usize, f64)> {
    let each = weights.iter().zip(a.iter().zip(b)).map(|(w, (a, b))| w * (b - a).abs()).enumerate();
    each.filter(|(_, change)| *change > 0.0).max_by(|(_, x), (_, y)| x.total_cmp(y))
}

/// From the middle of a line, where the rates of its ends are not far from those there, along their bend: the new line from `a` to `b`.
fn aside(a: &mut Sample, b: &mut Sample, middle: &mut Sample, weights: &[f64]) {
    let length = most(weights, &a.y, &b.y).map_or(0.0, |m| m.1);
    // f(m) − ½ (f(a) + f(b)), in the place of f(b)
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
