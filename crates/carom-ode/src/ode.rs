//! The contract between a problem and the integrators.

use crate::events::Found;
use crate::failure::RhsFailure;
use crate::linear::{Jacobian, Sparsity};
use crate::step::{Interpolant, Step};

/// An initial-value problem y' = f(t, y): its rates, and what else it may say of itself.
///
/// Between events the rates are a pure function of (t, y), and they are all that a problem must have: a closure is one. Whoever knows more implements
/// the trait that is about it, and gives itself where it is asked for it; each method of these traits has a default.
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
    /// The rates.
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure>;

    /// What its components are.
    fn components(&self) -> &dyn Components {
        &Unsaid
    }

    /// The derivatives of its rates.
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        unsaid()
    }

    /// Its events.
    fn events(&mut self) -> &mut dyn Events {
        unsaid()
    }

    /// How its steps may be.
    fn steps(&mut self) -> &mut dyn Steps {
        unsaid()
    }

    /// Its positions and velocities, for methods that split them.
    fn split(&mut self) -> &mut dyn Split {
        unsaid()
    }
}

impl<F: FnMut(f64, &[f64], &mut [f64]) -> Result<(), RhsFailure>> Ode for F {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        self(t, y, dy)
    }
}

/// What a problem says of its components.
///
/// The last [`quadratures`](Components::quadratures) of them are integrals of the others: no rate depends on them, and they stay out of the error norm unless
/// they have a [scale](Components::quadrature_scale).
pub trait Components {
    /// How many there are, quadratures included: a state of another length is refused. `None` (the default): as many as the state has.
    fn dim(&self) -> Option<usize> {
        None
    }

    /// How many of the trailing components are quadratures: fewer than all, where a method is to choose its steps. They
    /// are as exact as their rates are smooth on the scale of the others' steps.
    fn quadratures(&self) -> usize {
        0
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
}

/// What a problem says of the derivatives of its rates, for implicit methods.
pub trait Derivatives {
    /// The exact Jacobian ∂f/∂y: writes the entries that are not zero into `j` (all zero
    /// when it comes, quadratures left out). `false` (the default): there is none, differences must do.
    fn jacobian(&mut self, t: f64, y: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        let _ = (t, y, j);
        Ok(false)
    }

    /// Where the Jacobian may be other than zero, quadratures left out. `None` (the default): anywhere.
    /// Asked at the start, and again where [`structure`](Events::structure) has changed.
    fn sparsity(&mut self) -> Option<Sparsity> {
        None
    }

    /// What an evaluation of the rates of `n` components costs, about, in instructions: `auto` weighs it against linear algebra. The default: 50 a
    /// component.
    fn work(&mut self, n: usize) -> f64 {
        50.0 * n as f64
    }
}

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

/// The events of a problem.
///
/// They come in two steps, because looking closely costs: [`certify`](Events::certify) may wave a whole
/// step through; only where it does not, [`first_event`](Events::first_event) searches the step's
/// interpolant, and the step is repeated so as to end exactly there.
pub trait Events {
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
    fn may_cut(&mut self, theta: f64) -> bool {
        let _ = theta;
        false
    }

    /// The event at `t`. May change y.
    fn on_event(&mut self, t: f64, y: &mut [f64]) -> EventAction {
        let _ = (t, y);
        EventAction::Continue
    }

    /// Another number whenever an event has changed [`dim`](Components::dim), [`quadratures`](Components::quadratures) or
    /// [`sparsity`](Derivatives::sparsity): memory is then taken anew. Asked after events that restart.
    fn structure(&mut self) -> u64 {
        0
    }

    /// After an event that has changed [`dim`](Components::dim): the new state, all zero when it comes, from the old one.
    fn carry_over(&mut self, old: &[f64], y: &mut [f64]) {
        let n = old.len().min(y.len());
        y[..n].copy_from_slice(&old[..n]);
    }
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

/// What a problem says of the steps through it.
pub trait Steps {
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

    /// A step was accepted and its output taken. May tidy y (unit quaternions) below the tolerance.
    fn on_accept(&mut self, t: f64, y: &mut [f64]) {
        let _ = (t, y);
    }
}

/// What a problem says of its positions and velocities, for methods that split y into them.
pub trait Split {
    /// Whether component `i` is a velocity. `None`: it is neither, and takes its own rate. (The default: all are neither, and the problem does not split.)
    fn is_velocity(&self, i: usize) -> Option<bool> {
        let _ = i;
        None
    }

    /// Moves the positions by `h` at constant velocities.
    fn drift(&mut self, h: f64, y: &mut [f64]) {
        let _ = (h, y);
    }

    /// Writes the rates at which components that are neither positions nor velocities relax by themselves into `rates`, −∂(dy_i)/∂y_i where that is positive, and leaves those of
    /// the others as they are, 0. Given steps may be far longer than it takes them. Whether there are any; the default: none.
    fn relaxation(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> bool {
        let _ = (t, y, rates);
        false
    }
}

/// Stands for what a problem does not say: the defaults.
struct Unsaid;

impl Components for Unsaid {}
impl Derivatives for Unsaid {}
impl Events for Unsaid {}
impl Steps for Unsaid {}
impl Split for Unsaid {}

/// One that may be changed. It has no size, so that its box takes no memory and none is lost.
fn unsaid() -> &'static mut Unsaid {
    Box::leak(Box::new(Unsaid))
}
