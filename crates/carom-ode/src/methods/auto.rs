//! Switches between an explicit and an implicit method according to stiffness and cost: `auto`, the default.
//!
//! It alternates between dop853 and radau5, and ode45 where the rates have kinks. All use nothing of the past but the last
//! state, so that a switch has no cost.
//!
//! **To implicit.** The last two stages of an explicit step give |h λ| of the fastest motion (Hairer, Wanner, *Solving
//! Ordinary Differential Equations II*, IV.2). Where that stays near the limit of stability, the Jacobian is examined:
//! only if its spectral radius agrees is the problem stiff. It is also examined from time to time anyway, because at
//! tight tolerances the difference of two stages is rounding error. (The first test alone is misled by springs:
//! positions and velocities differ by a factor with the unit of time.)
//!
//! **Back to explicit.** The cost of the steps per time is counted for both methods, in evaluations. An explicit step
//! costs [`STAGES`], and is at most [`STABLE`]/ρ long, ρ being the spectral radius. Once that is clearly cheaper than
//! the implicit steps, the explicit method returns. It also returns if the implicit method turns out to be more
//! expensive than the explicit one was; the next examination then comes later.
//!
//! **Where rates have kinks** (blocks that lie on one another, whose contact points run along edges) no order of a method
//! helps: a step that meets one is refused until it is short, or ends there, whatever its order, and steps of many evaluations are then
//! more expensive than those of few. Where a problem says that its rates have kinks
//! ([`Components::has_kinks`](crate::Components::has_kinks)) and so large a share of the explicit attempts is refused or cut short,
//! ode45 takes over for a while, if its steps are cheaper than those of dop853 were.
//!
//! **Cost.** A Jacobian is counted as many evaluations as difference quotients take, even if it is exact: that is what
//! the Jacobians of bodies in contact cost (1.2 to 1.6 times as much). A factorisation and the solutions with it take
//! [`PRODUCT`] instructions per product; the problem gives the cost of an evaluation
//! ([`Derivatives::work`](crate::Derivatives::work)).
//!
//! Operations are counted and nothing is timed, so the same problem makes the same switches every time.

use std::ops::Range;

use carom_portable::snapshot::{Carried, Plain, Reader, SnapshotError, Writer};

use super::dop853::Dop853;
use super::ode45::Ode45;
use super::radau5::Radau5Stepper;
use crate::counted::Counted;
use crate::counted::Stats;
use crate::erk::Erk;
use crate::failure::RhsFailure;
use crate::lanes::with_lanes;
use crate::linear::SpectralRadius;
use crate::method::{Attempt, Buffers, Method, Stepper, Tolerance};
use crate::ode::Ode;
use crate::step::DenseOutput;

/// The number of evaluations of an explicit step.
const STAGES: f64 = 12.0;
/// The interval of stability of dop853 on the negative real axis.
const STABLE: f64 = 6.1;
/// The number of steps near the limit of stability before the Jacobian is examined.
const PATIENCE: usize = 10;
/// The largest value of that number, after many examinations without result: rare enough to have no measurable cost,
/// frequent enough to notice when a problem changes.
const MOST_PATIENT: usize = 320;
/// The number of steps in a row away from the limit after which the count of steps near it starts anew.
const AWAY_LIMIT: usize = 6;
/// The largest number of entries of a Jacobian for which memory, also for its factors, is allocated without the user's
/// request.
const MOST_ENTRIES: f64 = 2.5e7;
/// The number of implicit steps before the cost after a switch is judged. The first are as short as the explicit ones
/// were, which leave the fast parts of the solution oscillating at the limit of stability.
const TRIAL: usize = 10;
/// The number of implicit steps in a row for which explicit ones would have to be cheaper. Of the first [`TRIAL`]
/// steps, those that grow by this factor or more do not count.
const DEARER: usize = 5;
const GROWS: f64 = 1.1;
/// The share of explicit attempts that are refused or cut short, as an average over about [`ATTEMPTS`] of them, from which on the rates are
/// taken to have kinks.
const ROUGH: f64 = 0.35;
const ATTEMPTS: f64 = 24.0;
/// A step is cut short if it ends before this part of the length tried.
const CUT_SHORT: f64 = 0.9;
/// The number of steps of ode45 before dop853 is tried again, at first and at most.
const ROUGH_STEPS: usize = 200;
const MOST_ROUGH_STEPS: usize = 3200;
/// The number of steps of ode45 before their cost is compared.
const ROUGH_TRIAL: usize = 40;
/// The interval of stability of ode45 on the negative real axis.
const ROUGH_STABLE: f64 = 3.3;
/// The number of implicit steps between two estimates of ρ: an estimate costs about two factorisations.
const LOOK: usize = 5;
/// The number of instructions per product of a factorisation and of a solution with it, real and complex. Counted for
/// 13 to 65 components, dense and sparse.
const PRODUCT: f64 = 36.0;

/// The method `auto`.
#[derive(Debug)]
pub(super) struct Auto;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Explicit,
    Implicit,
    /// explicit, of a lower order
    Rough,
}

carom_portable::plain!(
    enum Turn {
        Explicit,
        Implicit,
        Rough,
    }
);

/// Which method is in use, and what decides when to change it.
struct Choice {
    turn: Turn,
    /// ρ, the spectral radius of the last Jacobian examined
    rho: f64,
    /// number of steps near the limit of stability since then, and of steps in a row away from it
    near: usize,
    off: usize,
    patience: usize,
    /// number of steps since the last switch or examination
    since: usize,
    /// number of steps in a row for which explicit ones would have been cheaper
    explicit_cheaper: usize,
    /// cost of the steps at present, and of the explicit steps before the switch
    cost: Cost,
    slow_cost: Cost,
    explicit_cost: f64,
    /// mean number of entries of the Jacobian per column, once counted
    band: Option<f64>,
    /// whether the Jacobian has changed since ρ was estimated
    changed: bool,
    /// cost of all attempts since the last step, in evaluations
    spent: f64,
    /// length of the implicit step before
    last: f64,
    /// longest first step after a switch to the explicit method
    longest: f64,
    /// share of the last explicit attempts that were refused or cut short
    refused: f64,
    /// the longest attempt since the last step that was not refused
    tried: f64,
    /// number of steps of ode45 before dop853 is tried again, and of dop853 before ode45 is
    rough_steps: usize,
    rough_wait: usize,
}

carom_portable::carried!(Choice {
    turn,
    rho,
    near,
    off,
    patience,
    since,
    explicit_cheaper,
    cost,
    slow_cost,
    explicit_cost,
    band,
    changed,
    spent,
    last,
    longest,
    refused,
    tried,
    rough_steps,
    rough_wait,
});

impl Choice {
    fn change_to(&mut self, turn: Turn) {
        self.turn = turn;
        (self.near, self.off, self.since, self.explicit_cheaper) = (0, 0, 0, 0);
        (self.cost, self.slow_cost) = (Cost::default(), Cost::default());
        self.refused = 0.0;
    }

    /// Takes note of an explicit attempt.
    fn note_attempt(&mut self, refused: bool) {
        self.refused += (f64::from(u8::from(refused)) - self.refused) / ATTEMPTS;
    }
}

/// The method `auto` at work.
struct AutoStepper<const L: usize> {
    n: usize,
    explicit: Erk<Dop853, L>,
    /// created when first needed, because the rates of most problems have few kinks
    rough: Option<Box<Erk<Ode45, L>>>,
    /// created when first needed, because many problems are never stiff
    implicit: Option<Box<Radau5Stepper>>,
    /// whether the implicit method must keep its interpolant within the tolerance
    control_dense_error: bool,
    radius: SpectralRadius,
    /// the size of each component when the Jacobian was last examined
    size: Vec<f64>,
    choice: Choice,
}

impl<const L: usize> Carried for AutoStepper<L> {
    fn save(&self, to: &mut Writer) {
        let AutoStepper { n: _, explicit, rough, implicit, control_dense_error, radius, size, choice } = self;
        implicit.is_some().save(to);
        if let Some(implicit) = implicit {
            implicit.save(to);
        }
        explicit.save(to);
        rough.is_some().save(to);
        if let Some(rough) = rough {
            rough.save(to);
        }
        control_dense_error.save(to);
        radius.save(to);
        size.save(to);
        choice.save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        match (bool::read(from)?, &mut self.implicit) {
            (true, Some(implicit)) => implicit.restore(from)?,
            // (`Stepper::restore_for` has created it)
            (true, None) => return Err(SnapshotError::OtherModel),
            (false, implicit) => *implicit = None,
        }
        self.explicit.restore(from)?;
        self.rough = match bool::read(from)? {
            true => Some(Box::new(Erk::new(self.n))),
            false => None,
        };
        if let Some(rough) = &mut self.rough {
            rough.restore(from)?;
        }
        self.control_dense_error.restore(from)?;
        self.radius.restore(from)?;
        self.size.restore(from)?;
        self.choice.restore(from)
    }
}

/// What a step counts in an average of costs when the next one is added: for the last few steps, and, where events and kinks make
/// them of very different lengths, for the last twenty.
const FADE: f64 = 0.8;
const SLOW_FADE: f64 = 0.95;

/// Evaluations per time, as an average in which the last steps have the largest weight.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    evaluations: f64,
    time: f64,
}

carom_portable::plain!(Cost { evaluations, time });

impl Cost {
    fn add(&mut self, evaluations: f64, time: f64, fade: f64) {
        self.evaluations = fade * self.evaluations + evaluations;
        self.time = fade * self.time + time;
    }

    fn rate(&self) -> f64 {
        self.evaluations / self.time
    }
}

impl Method for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }
    fn summary(&self) -> &'static str {
        "the default: dop853 while that is cheap, radau5 where the problem is stiff"
    }
    fn order(&self) -> usize {
        Dop853.order()
    }
    fn suits_stiff(&self) -> bool {
        true
    }
    fn start(&'static self, ode: &mut dyn Ode, n: usize) -> Box<dyn Stepper> {
        let m = n - ode.components().quadratures();
        with_lanes!(n, L => Box::new(AutoStepper::<L>::new(n, m)))
    }
}

impl<const L: usize> AutoStepper<L> {
    /// Creates the stepper for `n` components, `m` of them in the error norm.
    fn new(n: usize, m: usize) -> AutoStepper<L> {
        AutoStepper {
            n,
            explicit: Erk::new(n),
            rough: None,
            implicit: None,
            control_dense_error: false,
            radius: SpectralRadius::new(m),
            size: vec![1.0; m],
            choice: Choice {
                turn: Turn::Explicit,
                rho: 0.0,
                near: 0,
                off: 0,
                patience: PATIENCE,
                since: 0,
                explicit_cheaper: 0,
                cost: Cost::default(),
                slow_cost: Cost::default(),
                explicit_cost: f64::INFINITY,
                band: None,
                changed: false,
                spent: 0.0,
                last: 0.0,
                longest: f64::INFINITY,
                refused: 0.0,
                tried: 0.0,
                rough_steps: ROUGH_STEPS,
                rough_wait: 0,
            },
        }
    }

    fn stepper(&self) -> &dyn Stepper {
        match (self.choice.turn, &self.implicit, &self.rough) {
            (Turn::Implicit, Some(implicit), _) => &**implicit,
            (Turn::Rough, _, Some(rough)) => &**rough,
            _ => &self.explicit,
        }
    }

    fn stepper_mut(&mut self) -> &mut dyn Stepper {
        match (self.choice.turn, &mut self.implicit, &mut self.rough) {
            (Turn::Implicit, Some(implicit), _) => &mut **implicit,
            (Turn::Rough, _, Some(rough)) => &mut **rough,
            _ => &mut self.explicit,
        }
    }

    /// Returns whether the Jacobian is to be examined. An examination must not cost more than the steps since the last
    /// one, and a factorisation no more than all evaluations so far.
    fn is_due(&mut self, ode: &mut Counted<'_>) -> bool {
        let due = |near: usize, since: usize| self.choice.near >= near || self.choice.since >= since;
        if !due(self.choice.patience, 32 * self.choice.patience) {
            return false;
        }
        let m = self.size.len().max(1) as f64;
        let count = || ode.ode.derivatives().sparsity().map_or(m, |s| s.entries() as f64 / m);
        let band = *self.choice.band.get_or_insert_with(count);
        let fair = (band / STAGES) as usize;
        let factorisation = PRODUCT * m * band * band / ode.ode.derivatives().work(self.n);
        due(self.choice.patience.max(fair), (32 * self.choice.patience).max(10 * fair))
            && factorisation <= ode.stats.evaluations as f64
            && band * m <= MOST_ENTRIES
    }

    /// Returns the cost of the work since `before`, in evaluations.
    fn price(&self, before: &Stats, ode: &mut Counted<'_>) -> f64 {
        let after = *ode.stats;
        let evaluations = (after.evaluations - before.evaluations) as f64;
        let (Turn::Implicit, Some(implicit)) = (self.choice.turn, &self.implicit) else { return evaluations };
        let (products, columns) = implicit.work();
        let differences = (after.differences - before.differences) as f64;
        let jacobians = (after.jacobians - before.jacobians) as f64;
        let factorisations = (after.factorisations - before.factorisations) as f64;
        // an iteration has three evaluations; n³/3 products of dense factors correspond to n² for a solution
        let solved = (evaluations - differences) / 3.0;
        let linear = factorisations * products + solved * (3.0 * products * self.size.len() as f64).sqrt();
        evaluations
            + (jacobians * columns - differences).max(0.0)
            + PRODUCT * linear / ode.ode.derivatives().work(self.n).max(1.0)
    }

    /// Estimates ρ at the start of a step. Returns whether explicit steps of length h are at the limit of stability.
    fn is_stiff(&mut self, ode: &mut Counted<'_>, b: &Buffers, h: f64, tol: &Tolerance<'_>) -> bool {
        self.choice.near = 0;
        let implicit = self.implicit.get_or_insert_with(|| Box::new(Radau5Stepper::new(ode.ode(), self.n)));
        implicit.restart();
        implicit.control_dense_error(self.control_dense_error);
        if implicit.linearise(ode, b, tol).is_err() {
            return false;
        }
        for (size, (scale, y)) in self.size.iter_mut().zip(tol.scale.iter().zip(&b.y0)) {
            *size = scale + tol.rtol * y.abs();
        }
        self.choice.rho = self.radius.estimate(implicit.jacobian(), &self.size);
        h.abs() * self.choice.rho > 0.2 * STABLE
    }

    /// Counts, after an explicit step, whether it was near the limit of stability.
    fn watch_stability(&mut self, b: &Buffers, h: f64, tol: &Tolerance<'_>) {
        let choice = &mut self.choice;
        if self.explicit.h_lambda(b, h, tol) > 0.75 * STABLE {
            choice.near += 1;
            choice.off = 0;
        } else {
            choice.off += 1;
            if choice.off >= AWAY_LIMIT {
                choice.near = 0;
            }
        }
    }

    /// Goes over to ode45 where so many attempts of dop853 are refused and the problem says that its rates have kinks.
    fn watch_kinks(&mut self, ode: &mut Counted<'_>) {
        let choice = &mut self.choice;
        let refused = choice.refused > ROUGH && choice.since >= choice.rough_wait;
        if refused && ode.ode.components().has_kinks() {
            choice.explicit_cost = choice.slow_cost.rate();
            self.rough.get_or_insert_with(|| Box::new(Erk::new(self.n))).restart();
            choice.change_to(Turn::Rough);
        }
    }

    /// Examines, after a step of ode45, whether dop853 is to be tried again: because it was cheaper, because a while has
    /// passed, or because the steps are at the limit of stability.
    fn watch_while(&mut self, b: &Buffers, h: f64, tol: &Tolerance<'_>) {
        let limit = self.rough.as_mut().is_some_and(|rough| rough.h_lambda(b, h, tol) > 0.75 * ROUGH_STABLE);
        let choice = &mut self.choice;
        choice.near = if limit { choice.near + 1 } else { 0 };
        let stiff = choice.near >= PATIENCE;
        // (steps of both methods next to each other: what the motion costs changes from phase to phase)
        let costlier = choice.since == ROUGH_TRIAL && choice.slow_cost.rate() > choice.explicit_cost;
        if !(stiff || costlier || choice.since >= choice.rough_steps) {
            return;
        }
        match costlier {
            true => choice.rough_wait = (2 * choice.rough_wait).clamp(ROUGH_STEPS, MOST_ROUGH_STEPS),
            false => choice.rough_steps = (2 * choice.rough_steps).min(MOST_ROUGH_STEPS),
        }
        self.explicit.restart();
        choice.change_to(Turn::Explicit);
        choice.near = if stiff { choice.patience } else { 0 };
    }

    /// Examines, after an implicit step, whether explicit steps would be cheaper, and switches if so.
    fn watch_cost(&mut self, h: f64) {
        let choice = &mut self.choice;
        if let (Some(implicit), true) = (&self.implicit, choice.changed && choice.since.is_multiple_of(LOOK))
        {
            choice.rho = self.radius.estimate(implicit.jacobian(), &self.size);
            choice.changed = false;
        }
        let (implicit, explicit) = (choice.cost.rate(), STAGES * choice.rho / (0.9 * STABLE));
        let grows = h > GROWS * choice.last && choice.since <= TRIAL;
        choice.last = h;
        let explicit_cheaper = explicit < 0.5 * implicit && !grows;
        choice.explicit_cheaper = if explicit_cheaper { choice.explicit_cheaper + 1 } else { 0 };
        // the problem is stiff, but implicit steps are more expensive
        let in_vain = choice.since == TRIAL && implicit > choice.explicit_cost;
        if in_vain || choice.explicit_cheaper >= DEARER {
            choice.patience = if in_vain { (2 * choice.patience).min(MOST_PATIENT) } else { PATIENCE };
            choice.longest = 0.5 * STABLE / choice.rho;
            self.explicit.restart();
            choice.change_to(Turn::Explicit);
        }
    }
}

impl<const L: usize> Stepper for AutoStepper<L> {
    fn attempt(
        &mut self,
        ode: &mut Counted<'_>,
        b: &mut Buffers,
        h: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Attempt, RhsFailure> {
        if self.choice.turn == Turn::Explicit && self.is_due(ode) {
            self.choice.since = 0;
            if self.is_stiff(ode, b, h, tol) {
                self.choice.explicit_cost = self.choice.cost.rate();
                self.choice.change_to(Turn::Implicit);
            } else {
                self.choice.patience = (2 * self.choice.patience).min(MOST_PATIENT);
            }
        }
        if self.choice.turn == Turn::Explicit {
            self.watch_kinks(ode);
        }
        let before = *ode.stats();
        let outcome = self.stepper_mut().attempt(ode, b, h, tol);
        self.choice.changed |= ode.stats().jacobians > before.jacobians;
        self.choice.spent += self.price(&before, ode);
        outcome
    }

    fn wish(&mut self, h: f64, good: &Attempt) -> f64 {
        self.choice.tried = self.choice.tried.max(h.abs());
        self.stepper_mut().wish(h, good)
    }

    fn again(&mut self, h: f64, refused: &Attempt) -> f64 {
        self.choice.note_attempt(true);
        self.stepper_mut().again(h, refused)
    }

    fn commit(&mut self, b: &Buffers, h: f64, tol: &Tolerance<'_>) {
        self.stepper_mut().commit(b, h, tol);
        self.choice.cost.add(self.choice.spent, h.abs(), FADE);
        self.choice.slow_cost.add(self.choice.spent, h.abs(), SLOW_FADE);
        (self.choice.spent, self.choice.longest) = (0.0, f64::INFINITY);
        self.choice.since += 1;
        let cut_short = h.abs() < CUT_SHORT * std::mem::take(&mut self.choice.tried);
        match self.choice.turn {
            Turn::Explicit => {
                self.watch_stability(b, h, tol);
                self.choice.note_attempt(cut_short);
            }
            Turn::Rough => self.watch_while(b, h, tol),
            Turn::Implicit => self.watch_cost(h.abs()),
        }
    }

    fn refused_within(&mut self) {
        self.choice.note_attempt(true);
    }

    fn control_dense_error(&mut self, hold: bool) {
        self.control_dense_error = hold;
    }

    /// A problem that was stiff before an event is likely to be stiff after it: the method in use and the counts are
    /// kept.
    fn restart(&mut self) {
        self.stepper_mut().restart();
        self.choice.explicit_cheaper = 0;
        self.choice.cost = Cost::default();
        (self.choice.spent, self.choice.longest) = (0.0, f64::INFINITY);
    }

    fn restore_for(&mut self, ode: &mut dyn Ode, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.implicit = Some(Box::new(Radau5Stepper::new(ode, self.n)));
        self.restore(from)
    }

    fn restructure(&mut self, _: &mut dyn Ode) {
        // created again when next needed: at once, if it is in use
        self.implicit = None;
        self.choice.band = None;
        if self.choice.turn == Turn::Implicit {
            self.choice.change_to(Turn::Explicit);
            self.choice.near = self.choice.patience;
        }
    }

    fn limit(&self) -> f64 {
        self.choice.longest.min(self.stepper().limit())
    }

    fn stages(&self) -> (&[f64], usize) {
        self.stepper().stages()
    }

    fn prepare_dense(&mut self, ode: &mut Counted<'_>, b: &Buffers, h: f64) -> Result<(), RhsFailure> {
        let before = ode.stats().evaluations;
        let prepared = self.stepper_mut().prepare_dense(ode, b, h);
        self.choice.spent += (ode.stats().evaluations - before) as f64;
        prepared
    }

    fn dense_error(&self, b: &Buffers, tol: &Tolerance<'_>) -> f64 {
        self.stepper().dense_error(b, tol)
    }
}

impl<const L: usize> DenseOutput for AutoStepper<L> {
    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        self.stepper().interpolate(theta, range, out);
    }

    fn slope(&self, theta: f64, out: &mut [f64]) -> bool {
        self.stepper().slope(theta, out)
    }
}
