//! A problem with counters of its evaluations.

use crate::failure::RhsFailure;
use crate::ode::Ode;

/// The work of an integration so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// accepted steps
    pub steps: usize,
    /// attempts refused by the error estimate or a failed right-hand side
    pub rejected: usize,
    /// evaluations of the right-hand side, including those for difference quotients
    pub evaluations: usize,
    /// evaluations for difference quotients alone
    pub differences: usize,
    /// Jacobians computed
    pub jacobians: usize,
    /// factorisations of the matrix of an implicit step; a real and a complex matrix factorised together count as one
    pub factorisations: usize,
    /// attempts refused because the iteration of an implicit step did not converge
    pub diverged: usize,
    /// events at which a step has ended
    pub events: usize,
    /// attempts repeated in order to end on an event
    pub landings: usize,
}

impl Stats {
    /// Adds the work of another integration.
    pub fn add(&mut self, other: &Stats) {
        self.steps += other.steps;
        self.rejected += other.rejected;
        self.evaluations += other.evaluations;
        self.differences += other.differences;
        self.jacobians += other.jacobians;
        self.factorisations += other.factorisations;
        self.diverged += other.diverged;
        self.events += other.events;
        self.landings += other.landings;
    }

    /// Returns the work since `before`.
    pub fn since(&self, before: &Stats) -> Stats {
        Stats {
            steps: self.steps - before.steps,
            rejected: self.rejected - before.rejected,
            evaluations: self.evaluations - before.evaluations,
            differences: self.differences - before.differences,
            jacobians: self.jacobians - before.jacobians,
            factorisations: self.factorisations - before.factorisations,
            diverged: self.diverged - before.diverged,
            events: self.events - before.events,
            landings: self.landings - before.landings,
        }
    }
}

carom_portable::plain!(Stats {
    steps,
    rejected,
    evaluations,
    differences,
    jacobians,
    factorisations,
    diverged,
    events,
    landings
});

/// A problem with counters of its evaluations, as methods receive it.
pub struct Counted<'a> {
    pub(crate) ode: &'a mut dyn Ode,
    pub(crate) stats: &'a mut Stats,
}

impl Counted<'_> {
    /// Returns the problem itself, for calls that are not counted.
    pub fn ode(&mut self) -> &mut dyn Ode {
        self.ode
    }

    /// Evaluates the rates once and counts the evaluation.
    #[inline]
    pub fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        self.stats.evaluations += 1;
        self.ode.rhs(t, y, dy)
    }

    /// Returns the counters.
    pub fn stats(&mut self) -> &mut Stats {
        self.stats
    }
}
