//! The contract between a problem and the integrators.

use crate::events::Found;
use crate::failure::RhsFailure;
use crate::linear::{Jacobian, Sparsity};
use crate::step::{Interpolant, Step};

/// What an event asks of the integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventAction {
    /// the rates have changed: start anew from here
    Restart {
        /// how long what follows takes, where the problem knows (an impact); infinite where it does not. The
        /// first step's share of it is learnt from one such event to the next
        time_scale: f64,
    },
    /// nothing has changed for the integrator: go on
    Continue,
    /// stop here
    Stop,
}

/// How far the end of a step is from the event it was sent to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// the time that is missing, or, negative, too much [time units]; 0: landed
    pub dt: f64,
}

/// A step past an instant at which rates cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leap {
    /// its length
    pub h: f64,
    /// how many times the tolerance its error may be
    pub at_most: f64,
    /// the error that rates as inexact as they are there give it, as a part of what the components are: that much it may be off besides
    pub noise: f64,
}

/// An initial-value problem y' = f(t, y) with events.
///
/// Between events the rates are a pure function of (t, y). The last [`quadratures`](Ode::quadratures)
/// components are integrals of the others: no rate depends on them, and they stay out of the error norm unless they have a
/// [scale](Ode::quadrature_scale).
///
/// Events come in two steps, because looking closely costs: [`certify`](Ode::certify) may wave a whole
/// step through; only where it does not, [`first_event`](Ode::first_event) searches the step's
/// interpolant, and the step is repeated so as to end exactly there.
pub trait Ode {
    /// The number of components, quadratures included.
    fn dim(&self) -> usize;

    /// How many of the trailing components are quadratures: fewer than all, where a method is to choose its steps. They
    /// are as exact as their rates are smooth on the scale of the others' steps.
    fn quadratures(&self) -> usize {
        0
    }

    /// The rates.
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure>;

    /// The exact Jacobian ∂f/∂y, for implicit methods: writes the entries that are not zero into `j` (all zero
    /// when it comes, quadratures left out). `false` (the default): there is none, differences must do.
    fn jacobian(&mut self, t: f64, y: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        let _ = (t, y, j);
        Ok(false)
    }

    /// What an evaluation of the rates costs, about, in instructions: `auto` weighs it against linear algebra. The default: 50 a
    /// component.
    fn work(&self) -> f64 {
        50.0 * self.dim() as f64
    }

    /// Where the Jacobian may be other than zero, quadratures left out. `None` (the default): anywhere.
    /// Asked at the start, and again where [`structure`](Ode::structure) has changed.
    fn sparsity(&self) -> Option<Sparsity> {
        None
    }

    /// The scale of component `i`, where the options name none: its absolute tolerance is atol times this.
    fn scale(&self, i: usize) -> f64 {
        let _ = i;
        1.0
    }

    /// What is large for quadrature `i`, counted from the first of them, where its error is to be held, as a part of this, to the tolerance and below: nothing takes errors of a
    /// quadrature back. Asked at every step. Infinite (the default): it follows the others' steps.
    fn quadrature_scale(&self, i: usize) -> f64 {
        let _ = i;
        f64::INFINITY
    }

    /// Another number whenever an event has changed [`dim`](Ode::dim), [`quadratures`](Ode::quadratures) or
    /// [`sparsity`](Ode::sparsity): memory is then taken anew. Asked after events that restart.
    fn structure(&self) -> u64 {
        0
    }

    /// After an event that has changed [`dim`](Ode::dim): the new state, all zero when it comes, from the old one.
    fn carry_over(&mut self, old: &[f64], y: &mut [f64]) {
        let n = old.len().min(y.len());
        y[..n].copy_from_slice(&old[..n]);
    }

    /// Whether the step holds no event for sure. The default: sure, there are no events. A failure refuses the
    /// step, as one of the right-hand side does.
    fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        let _ = step;
        Ok(true)
    }

    /// The first event in the step: a time in (step.t0, step.t1]. A step that is clear only up to some time is
    /// repeated to end there.
    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let _ = (step, dense);
        Ok(Found::Nothing)
    }

    /// How far the end of a step sent to an event is from it.
    fn landing(&mut self, step: &Step<'_>) -> Landing {
        let _ = step;
        Landing { dt: 0.0 }
    }

    /// Whether a step that went past the event just found may be cut there, at that share `theta` of its length, on its interpolant: its rates are
    /// smooth, or hardly anything of it is past what is not. Where the interpolant is not exact enough, and where the problem says no (the default),
    /// the step is repeated.
    fn may_cut(&self, theta: f64) -> bool {
        let _ = theta;
        false
    }

    /// The event at `t`. May change y.
    fn on_event(&mut self, t: f64, y: &mut [f64]) -> EventAction {
        let _ = (t, y);
        EventAction::Continue
    }

    /// A step was accepted and its output taken. May tidy y (unit quaternions) below the tolerance.
    fn on_accept(&mut self, t: f64, y: &mut [f64]) {
        let _ = (t, y);
    }

    /// Up to which time the rates are smooth, on the way from `t` to `end` (which may lie before t): that of their next kink, as a
    /// table has at its points, or `end` (the default). A step ends there, and the method starts anew.
    ///
    /// Asked at the start, at each of these times, and after events that restart. From then on, up to the time given back, the
    /// problem has the rates of that stretch, at both its ends too: where a rate jumps, each side has its own.
    fn smooth_until(&mut self, t: f64, end: f64) -> f64 {
        let _ = t;
        end
    }

    /// The longest step the problem allows from here, `h` being what its error would allow: no longer one is tried, so the problem need not look further ahead.
    fn max_step(&mut self, t: f64, y: &[f64], dy: &[f64], h: f64) -> f64 {
        let _ = (t, y, dy, h);
        f64::INFINITY
    }

    /// A step of this length must do from here, and how many times the tolerance its error may then be: for problems whose rates remain smooth but cannot be computed at some
    /// instant, so that shorter steps towards it only come to grief. `None` (the default): steps are as the tolerance wants them.
    fn leap(&mut self, t: f64, y: &[f64]) -> Option<Leap> {
        let _ = (t, y);
        None
    }

    /// An attempt of length h was refused for its error: for problems that learn how long steps should be.
    fn refused(&mut self, h: f64) {
        let _ = h;
    }

    /// For methods that split y into positions and velocities: whether component `i` is a velocity. `None`: it is
    /// neither, and takes its own rate. (The default: all are neither, and the problem does not split.)
    fn is_velocity(&self, i: usize) -> Option<bool> {
        let _ = i;
        None
    }

    /// For methods that split: moves the positions by `h` at constant velocities.
    fn drift(&mut self, h: f64, y: &mut [f64]) {
        let _ = (h, y);
    }

    /// For methods that split: writes the rates at which components that are neither positions nor velocities relax by themselves into `rates`, −∂(dy_i)/∂y_i where that is positive, and leaves those of
    /// the others as they are, 0. Given steps may be far longer than it takes them. Whether there are any; the default: none.
    fn relaxation(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> bool {
        let _ = (t, y, rates);
        false
    }
}
