//! A problem that counts what is asked of it.

use crate::failure::RhsFailure;
use crate::ode::Ode;

/// What an integration has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// accepted steps
    pub steps: usize,
    /// attempts refused by the error estimate or a failed right-hand side
    pub rejected: usize,
    /// evaluations of the right-hand side, those for difference quotients included
    pub evaluations: usize,
    /// those for difference quotients
    pub differences: usize,
    /// Jacobians
    pub jacobians: usize,
    /// factorisations of the matrix of an implicit step; one of a real and a complex pair is one
    pub factorisations: usize,
    /// attempts refused because the iteration of an implicit step did not converge
    pub diverged: usize,
    /// events landed on
    pub events: usize,
    /// attempts repeated to land on an event
    pub landings: usize,
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

/// A problem that counts what is asked of it: what a method sees.
pub struct Counted<'a> {
    pub(crate) ode: &'a mut dyn Ode,
    pub(crate) stats: &'a mut Stats,
}

impl Counted<'_> {
    /// The problem itself, for what costs nothing.
    pub fn ode(&mut self) -> &mut dyn Ode {
        self.ode
    }

    /// One evaluation of the rates.
    #[inline]
    pub fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        self.stats.evaluations += 1;
        self.ode.rhs(t, y, dy)
    }

    /// The counters.
    pub fn stats(&mut self) -> &mut Stats {
        self.stats
    }
}
