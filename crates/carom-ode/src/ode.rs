//! The interface between a problem and the integrators.

use crate::events::Found;
use crate::failure::RhsFailure;
use crate::linear::{Jacobian, Sparsity};
use crate::step::{Interpolant, Step};

/// An initial-value problem y' = f(t, y): its rates, and optional further information about it.
///
/// Between events the rates must be a pure function of (t, y). They are the only thing a problem must provide, so a
/// closure is a problem. A problem that can provide more (derivatives, events, …) implements the trait for it and
/// returns itself from the corresponding method below. Every method of these traits has a default.
///
/// ```
/// use carom_ode::{Derivatives, Jacobian, Ode, RhsFailure};
///
/// /// y' = -k y
/// struct Decay(f64);
/// impl Ode for Decay {
///     fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
///         dy[0] = -self.0 * y[0];
///         Ok(())
///     }
///     fn derivatives(&mut self) -> &mut dyn Derivatives {
///         self
///     }
/// }
/// impl Derivatives for Decay {
///     fn jacobian(&mut self, _t: f64, _y: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
///         j.set(0, 0, -self.0);
///         Ok(true)
///     }
/// }
/// ```
pub trait Ode {
    /// Writes the rates f(t, y) into `dy`.
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure>;

    /// Returns the description of the components: their number, scales and quadratures.
    fn components(&self) -> &dyn Components {
        &Defaults
    }

    /// Returns the derivatives of the rates, for implicit methods.
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        unsaid()
    }

    /// Returns the events of the problem.
    fn events(&mut self) -> &mut dyn Events {
        unsaid()
    }

    /// Returns the limits on the steps, and the callbacks after each attempt and step.
    fn steps(&mut self) -> &mut dyn Steps {
        unsaid()
    }

    /// Returns the split into positions and velocities, for methods that need it.
    fn split(&mut self) -> &mut dyn Split {
        unsaid()
    }
}

impl<F: FnMut(f64, &[f64], &mut [f64]) -> Result<(), RhsFailure>> Ode for F {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        self(t, y, dy)
    }
}

/// A description of the components of a problem.
///
/// The last [`quadratures`](Components::quadratures) components are integrals of functions of the others: no rate
/// depends on them, and they are left out of the error norm unless they have a [scale](Components::quadrature_scale).
pub trait Components {
    /// Returns the number of components, quadratures included; a state of another length is refused. `None` (the
    /// default): as many as the initial state has.
    fn dim(&self) -> Option<usize> {
        None
    }

    /// Returns how many of the trailing components are quadratures. Adaptive methods need at least one component that
    /// is not. Quadratures are accurate if their rates are smooth on the scale of the steps that the other components
    /// need.
    fn quadratures(&self) -> usize {
        0
    }

    /// Returns the scale of component `i`, used where the options give none: its absolute tolerance is atol times this
    /// scale.
    fn scale(&self, i: usize) -> f64 {
        let _ = i;
        1.0
    }

    /// Returns the size that counts as large for quadrature `i` (counted from the first quadrature), if its error is to
    /// be controlled: the error, divided by this size, is kept to a fraction of the tolerance, because nothing corrects
    /// errors of a quadrature later. This is asked for at every step. Infinite (the default): the error is not
    /// controlled, and the quadrature follows the steps of the other components.
    fn quadrature_scale(&self, i: usize) -> f64 {
        let _ = i;
        f64::INFINITY
    }

    /// Returns whether the rates have kinks, so many that steps cannot end on all of them. Steps of a low order are then the
    /// better ones.
    fn has_kinks(&self) -> bool {
        false
    }
}

/// The derivatives of the rates, for implicit methods.
pub trait Derivatives {
    /// Writes the non-zero entries of the exact Jacobian ∂f/∂y into `j`, which is all zero on entry and leaves out the
    /// quadratures. Returns `false` (the default) if there is no exact Jacobian; difference quotients are then used.
    fn jacobian(&mut self, t: f64, y: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        let _ = (t, y, j);
        Ok(false)
    }

    /// Returns the positions at which the Jacobian may be non-zero, quadratures left out. `None` (the default):
    /// anywhere. This is asked for at the start, and again after [`structure`](Events::structure) has changed.
    fn sparsity(&mut self) -> Option<Sparsity> {
        None
    }

    /// Returns the approximate number of instructions for one evaluation of the rates of `n` components: `auto`
    /// compares it with the cost of linear algebra. The default is 50 per component.
    fn work(&mut self, n: usize) -> f64 {
        50.0 * n as f64
    }
}

/// What the integrator must do after an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventAction {
    /// the rates have changed: start anew from this time and state
    Restart {
        /// how long the motion that follows takes (an impact), if the problem knows it, else infinite [time units]. The
        /// solver learns from one such event to the next which fraction of it the first step should be
        time_scale: f64,
    },
    /// nothing has changed that matters to the integrator: continue
    Continue,
    /// stop here
    Stop,
}

/// How far the end of a step is from the event at which it was meant to end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// the time still missing; negative: the step went too far [time units]; 0: the step ends on the event
    pub dt: f64,
}

/// The events of a problem.
///
/// A search is expensive, so there are two stages: [`certify`](Events::certify) may state that a whole step contains no
/// event. Only if it cannot, [`first_event`](Events::first_event) searches the step's interpolant, and the step is
/// repeated so that it ends exactly on the event.
pub trait Events {
    /// Returns whether the step certainly contains no event. The default is `true`, for problems without events. A
    /// failure refuses the step, as a failure of the right-hand side does.
    fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        let _ = step;
        Ok(true)
    }

    /// Finds the first event in the step, at a time in (step.t0, step.t1]. If the step is known to be free of events
    /// only up to some time, the step is repeated so that it ends there.
    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let _ = (step, dense);
        Ok(Found::Nothing)
    }

    /// Returns how far the end of a step is from the event at which it was meant to end.
    fn landing(&mut self, step: &Step<'_>) -> Landing {
        let _ = step;
        Landing { dt: 0.0 }
    }

    /// Returns whether a step that went past the event just found may be cut at the event, at the fraction `theta` of
    /// its length, using its interpolant. That is allowed if the rates are smooth over the whole step, or if only a
    /// negligible part of it lies beyond a point where they are not. If the problem says no (the default), or if the
    /// interpolant is not accurate enough, the step is repeated.
    fn may_cut(&mut self, theta: f64) -> bool {
        let _ = theta;
        false
    }

    /// Handles the event at time `t`. It may change y.
    fn on_event(&mut self, t: f64, y: &mut [f64]) -> EventAction {
        let _ = (t, y);
        EventAction::Continue
    }

    /// Returns a number that is different after every event that has changed [`dim`](Components::dim),
    /// [`quadratures`](Components::quadratures) or [`sparsity`](Derivatives::sparsity): memory is then allocated anew.
    /// This is asked for after events that restart the integration.
    fn structure(&mut self) -> u64 {
        0
    }

    /// Fills the new state, all zero on entry, from the old one after an event that has changed
    /// [`dim`](Components::dim).
    fn carry_over(&mut self, old: &[f64], y: &mut [f64]) {
        let n = old.len().min(y.len());
        y[..n].copy_from_slice(&old[..n]);
    }
}

/// A step across an instant at which rates cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepAcross {
    /// its length [time units]
    pub h: f64,
    /// largest error allowed, as a multiple of the tolerance
    pub at_most: f64,
    /// further error allowed, relative to the size of the components: the error that the step has because rates are
    /// inexact there
    pub noise: f64,
}

/// The requirements of a problem on its steps, and the reports it receives about them.
pub trait Steps {
    /// Returns the time up to which the rates are smooth, going from `t` to `end` (which may lie before t): the time of
    /// their next kink, such as a point of a table, or `end` (the default). A step ends there, and the method starts
    /// anew.
    ///
    /// This is asked for at the start, at each of the times returned, and after events that restart. From then on, up
    /// to the time returned, the problem must use the rates of that interval, at both its ends too: where a rate jumps,
    /// it has a different value on each side.
    fn smooth_until(&mut self, t: f64, end: f64) -> f64 {
        let _ = t;
        end
    }

    /// Returns the longest step that the problem allows from here; `h` is the length that the error would allow. No
    /// longer step is tried, so the problem need not examine a longer time ahead.
    fn max_step(&mut self, t: f64, y: &[f64], dy: &[f64], h: f64) -> f64 {
        let _ = (t, y, dy, h);
        f64::INFINITY
    }

    /// Returns the length of the step that must be taken from here, and how many times the tolerance its error may be.
    /// This is for problems whose rates stay smooth but cannot be computed at some instant, so that ever shorter steps
    /// towards it fail. `None` (the default): the tolerance alone determines the steps.
    fn leap(&mut self, t: f64, y: &[f64]) -> Option<StepAcross> {
        let _ = (t, y);
        None
    }

    /// Reports that an attempt of length h was refused because of its error, for problems that learn how long steps
    /// should be.
    fn refused(&mut self, h: f64) {
        let _ = h;
    }

    /// Reports that a step was accepted and its output taken. May correct y by less than the tolerance (normalise
    /// quaternions).
    fn on_accept(&mut self, t: f64, y: &mut [f64]) {
        let _ = (t, y);
    }
}

/// The positions and velocities of a problem, for methods that split y into them.
pub trait Split {
    /// Returns whether component `i` is a velocity (`true`) or a position (`false`). `None`: it is neither, and is
    /// integrated with its own rate. (By default no component is either, and the problem cannot be split.)
    fn is_velocity(&self, i: usize) -> Option<bool> {
        let _ = i;
        None
    }

    /// Moves the positions by `h` at constant velocities.
    fn drift(&mut self, h: f64, y: &mut [f64]) {
        let _ = (h, y);
    }

    /// Writes the relaxation rates of components that are neither positions nor velocities into `rates`: −∂(dy_i)/∂y_i
    /// [1/time], where that is positive. The other entries, 0 on entry, stay unchanged. They are needed because fixed
    /// steps may be far longer than the relaxation times. Returns whether there are any such components; the default is
    /// none.
    fn relaxation(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> bool {
        let _ = (t, y, rates);
        false
    }
}

/// Provides the defaults of all traits that a problem does not implement.
struct Defaults;

impl Components for Defaults {}
impl Derivatives for Defaults {}
impl Events for Defaults {}
impl Steps for Defaults {}
impl Split for Defaults {}

/// Returns a mutable instance. The type has no size, so the box allocates no memory and leaking it loses none.
fn unsaid() -> &'static mut Defaults {
    Box::leak(Box::new(Defaults))
}
