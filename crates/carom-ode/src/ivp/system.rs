//! The problem as the integrators receive it: the user's rates, and the monitor of the user's events.

use super::happen::Next;
use super::monitor::EventMonitor;
use crate::events::Found;
use crate::failure::RhsFailure;
use crate::linear::{Jacobian, Sparsity};
use crate::ode::{Components, Derivatives, EventAction, Events, Landing, Ode, Split, StepAcross, Steps};
use crate::step::{Interpolant, Step};

/// A function that writes the Jacobian.
pub(super) type JacobianFn<'a> = Box<dyn FnMut(f64, &[f64], &mut Jacobian) + 'a>;

/// The user's description of the rates.
pub(super) struct Problem<'a> {
    pub(super) ode: Box<dyn Ode + 'a>,
    pub(super) quadratures: Option<usize>,
    pub(super) jacobian: Option<JacobianFn<'a>>,
    pub(super) sparsity: Option<Sparsity>,
    /// times at which, according to the user, the rates are not smooth
    pub(super) kinks: Vec<f64>,
    /// the interval between kinks in which the rates are evaluated now
    pub(super) stretch: Stretch,
}

/// The interval between two of the user's kinks, excluding the kinks themselves: a rate that jumps has a different
/// value on each side.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    from: f64,
    to: f64,
}

impl Stretch {
    /// The interval without kinks.
    pub(super) const ALL: Stretch = Stretch { from: f64::NEG_INFINITY, to: f64::INFINITY };

    fn within(&self, t: f64) -> f64 {
        t.max(self.from).min(self.to)
    }
}

impl Problem<'_> {
    /// Returns the next kink, of the user's list or of the problem itself, whichever comes first.
    fn smooth_until(&mut self, t: f64, end: f64) -> f64 {
        let sign = if end < t { -1.0 } else { 1.0 };
        let ahead = |kink: &&f64| sign * (**kink - t) > 0.0 && sign * (end - **kink) > 0.0;
        let nearest = |a: f64, b: &f64| if sign * b < sign * a { *b } else { a };
        let kink = self.kinks.iter().filter(ahead).fold(end, nearest);
        let inside = |kink: f64, up: bool| match (self.kinks.contains(&kink), up) {
            (true, true) => kink.next_up(),
            (true, false) => kink.next_down(),
            (false, true) => f64::NEG_INFINITY,
            (false, false) => f64::INFINITY,
        };
        let (from, to) = if sign > 0.0 { (t, kink) } else { (kink, t) };
        self.stretch = Stretch { from: inside(from, true), to: inside(to, false) };
        let own = self.ode.steps().smooth_until(t, end);
        nearest(own, &kink)
    }
}

/// The problem and the user's events together, as one problem for the driver.
pub(super) struct System<'s, 'a> {
    pub(super) problem: &'s mut Problem<'a>,
    pub(super) monitor: EventMonitor<'s, 'a>,
    /// whether the problem's own events cannot be excluded in this step
    own_suspect: bool,
    /// whether the step is to end on one of the problem's own events
    own_target: bool,
    /// whether an event changed the state
    pub(super) changed: bool,
    pub(super) own_stop: bool,
}

impl<'s, 'a> System<'s, 'a> {
    pub(super) fn new(problem: &'s mut Problem<'a>, monitor: EventMonitor<'s, 'a>) -> System<'s, 'a> {
        problem.stretch = Stretch::ALL;
        System { problem, monitor, own_suspect: false, own_target: false, changed: false, own_stop: false }
    }
}

impl Ode for System<'_, '_> {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let t = self.problem.stretch.within(t);
        self.problem.ode.rhs(t, y, dy)
    }

    fn components(&self) -> &dyn Components {
        self
    }

    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self
    }

    fn events(&mut self) -> &mut dyn Events {
        self
    }

    fn steps(&mut self) -> &mut dyn Steps {
        self
    }

    fn split(&mut self) -> &mut dyn Split {
        self.problem.ode.split()
    }
}

impl Components for System<'_, '_> {
    fn dim(&self) -> Option<usize> {
        self.problem.ode.components().dim()
    }

    fn quadratures(&self) -> usize {
        self.problem.quadratures.unwrap_or_else(|| self.problem.ode.components().quadratures())
    }

    fn scale(&self, i: usize) -> f64 {
        self.problem.ode.components().scale(i)
    }

    fn quadrature_scale(&self, i: usize) -> f64 {
        self.problem.ode.components().quadrature_scale(i)
    }
}

impl Derivatives for System<'_, '_> {
    fn jacobian(&mut self, t: f64, y: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        let t = self.problem.stretch.within(t);
        match &mut self.problem.jacobian {
            Some(jacobian) => {
                jacobian(t, y, j);
                Ok(true)
            }
            None => self.problem.ode.derivatives().jacobian(t, y, j),
        }
    }

    fn sparsity(&mut self) -> Option<Sparsity> {
        self.problem.sparsity.clone().or_else(|| self.problem.ode.derivatives().sparsity())
    }

    fn work(&mut self, n: usize) -> f64 {
        self.problem.ode.derivatives().work(n)
    }
}

impl Events for System<'_, '_> {
    fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        self.own_target = false;
        self.own_suspect = !self.problem.ode.events().certify(step)?;
        Ok(self.monitor.certify(step)? && !self.own_suspect)
    }

    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let own = if self.own_suspect {
            self.problem.ode.events().first_event(step, dense)?
        } else {
            Found::Nothing
        };
        let watched = self.monitor.first(step, dense)?;
        let time = |found: Found| match found {
            Found::Nothing => None,
            Found::At(t) | Found::ClearUntil(t) => Some(t),
        };
        let sign = step.h().signum();
        self.own_target = match (time(own), time(watched)) {
            (Some(a), Some(b)) => sign * a < sign * b,
            (a, _) => a.is_some(),
        };
        Ok(if self.own_target {
            self.monitor.forget_target();
            own
        } else {
            watched
        })
    }

    fn landing(&mut self, step: &Step<'_>) -> Landing {
        if self.own_target { self.problem.ode.events().landing(step) } else { self.monitor.landing(step) }
    }

    fn on_event(&mut self, t: f64, y: &mut [f64]) -> EventAction {
        let before = y.to_vec();
        let next = self.monitor.happen(t, y);
        let own =
            if self.own_target { self.problem.ode.events().on_event(t, y) } else { EventAction::Continue };
        if self.own_target {
            // the problem may have changed the state on which the monitored functions depend
            self.monitor.resettle(t, y, &before);
            self.own_target = false;
        }
        self.own_stop |= own == EventAction::Stop;
        self.changed = y != before;
        match (next, own) {
            (Next::Stop, _) | (_, EventAction::Stop) => EventAction::Stop,
            (_, EventAction::Restart { time_scale }) => EventAction::Restart { time_scale },
            (Next::Restart, _) => EventAction::Restart { time_scale: f64::INFINITY },
            (Next::Continue, EventAction::Continue) => EventAction::Continue,
        }
    }

    fn may_cut(&mut self, theta: f64) -> bool {
        self.own_target && self.problem.ode.events().may_cut(theta)
    }

    fn structure(&mut self) -> u64 {
        self.problem.ode.events().structure()
    }

    fn carry_over(&mut self, old: &[f64], y: &mut [f64]) {
        self.problem.ode.events().carry_over(old, y);
    }
}

impl Steps for System<'_, '_> {
    fn smooth_until(&mut self, t: f64, end: f64) -> f64 {
        self.problem.smooth_until(t, end)
    }

    fn max_step(&mut self, t: f64, y: &[f64], dy: &[f64], h: f64) -> f64 {
        self.problem.ode.steps().max_step(t, y, dy, h)
    }

    fn leap(&mut self, t: f64, y: &[f64]) -> Option<StepAcross> {
        self.problem.ode.steps().leap(t, y)
    }

    fn refused(&mut self, h: f64) {
        self.problem.ode.steps().refused(h);
    }

    fn on_accept(&mut self, t: f64, y: &mut [f64]) {
        self.problem.ode.steps().on_accept(t, y);
        self.monitor.accepted();
    }
}
