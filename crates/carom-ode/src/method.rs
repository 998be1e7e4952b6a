//! What a method is: how it starts, tries steps and commits them.

use std::fmt::Debug;

use carom_portable::snapshot::{Carried, Reader, SnapshotError};

use crate::counted::Counted;
use crate::failure::RhsFailure;
use crate::lanes::lanes;
use crate::ode::Ode;
use crate::step::DenseOutput;

/// A method: a name and how to start it.
pub trait Method: Debug + Sync {
    /// The word for it.
    fn name(&self) -> &'static str;
    /// What it is, in a line.
    fn summary(&self) -> &'static str;
    /// The order of its solution.
    fn order(&self) -> usize;
    /// Whether it chooses its steps from an error estimate; otherwise it takes those given.
    fn is_adaptive(&self) -> bool;
    /// Whether it needs the problem split into positions and velocities.
    fn needs_split(&self) -> bool {
        false
    }
    /// Whether its steps build on the ones before.
    fn remembers(&self) -> bool {
        false
    }
    /// Whether it takes implicit steps, at least where the problem is stiff.
    fn suits_stiff(&self) -> bool {
        false
    }
    /// The order it starts with, where nothing is known of the past: the first step is guessed for it.
    fn start_order(&self) -> usize {
        self.order()
    }
    /// The method at work on a problem of `n` components: takes all the memory it will need.
    fn start(&'static self, ode: &mut dyn Ode, n: usize) -> Box<dyn Stepper>;
}

/// The states and rates at both ends of a step. The arrays may be longer than the problem: padding.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    /// the time the step starts at
    pub t0: f64,
    /// the state there
    pub y0: Vec<f64>,
    /// the rates there
    pub f0: Vec<f64>,
    /// the state at the end
    pub y1: Vec<f64>,
    /// the rates there
    pub f1: Vec<f64>,
}

carom_portable::carried!(Buffers { t0, y0, f0 } scratch { y1, f1 });

impl Buffers {
    /// Room for `n` components, and for working on several of them at once.
    pub(crate) fn resize(&mut self, n: usize) {
        let padded = n.div_ceil(lanes(n)).max(1) * lanes(n);
        for v in [&mut self.y0, &mut self.f0, &mut self.y1, &mut self.f1] {
            v.clear();
            v.resize(padded, 0.0);
        }
    }
}

/// The error allowed for component i: scale[i] + rtol |y[i]|; for quadratures, what is said.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance<'a> {
    /// relative tolerance
    pub rtol: f64,
    /// absolute tolerances, quadratures left out
    pub scale: &'a [f64],
    /// the errors allowed for quadratures, infinite for those that are not looked at; empty where none is
    pub quadratures: &'a [f64],
}

impl Tolerance<'_> {
    /// The components in the error norm.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.scale.len() + self.quadratures.len()
    }

    /// The error allowed for component i in a step from y0 to y1.
    #[inline(always)]
    pub(crate) fn allowed(&self, i: usize, y0: f64, y1: f64) -> f64 {
        match self.scale.get(i) {
            Some(scale) => scale + self.rtol * y0.abs().max(y1.abs()),
            None => self.quadratures[i - self.scale.len()],
        }
    }
}

/// The outcome of an attempted step.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// the error over the allowed one: ≤ 1 is good; 0 for methods without an estimate
    pub norm: f64,
    /// the component with the largest error
    pub component: usize,
    /// the equations of an implicit step could not be solved: there is no error to speak of
    pub diverged: bool,
}

impl Attempt {
    /// An attempt whose error is known.
    pub fn with_error(norm: f64, component: usize) -> Attempt {
        Attempt { norm, component, diverged: false }
    }

    /// An attempt that came to nothing: the iteration did not converge, worst in a component.
    pub fn diverged(component: usize) -> Attempt {
        Attempt { norm: f64::INFINITY, component, diverged: true }
    }

    /// Whether the step can be accepted.
    pub fn is_good(&self) -> bool {
        self.norm <= 1.0 && !self.diverged
    }
}

/// A method at work.
///
/// Attempts come from the end of the last committed step, as many as it takes (an event asks for a shorter one);
/// the last of them is committed. So an attempt may not change what the method remembers of the past.
pub trait Stepper: DenseOutput + Carried + Send {
    /// Tries a step of length `h` from (t0, y0, f0): fills y1 and f1.
    fn attempt(
        &mut self,
        ode: &mut Counted<'_>,
        b: &mut Buffers,
        h: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Attempt, RhsFailure>;
    /// The step to wish for after a good attempt with `h`.
    fn wish(&mut self, h: f64, good: &Attempt) -> f64;
    /// The step to try instead of a refused one, whose error is finite or which diverged. Shorter than `h`.
    fn again(&mut self, h: f64, refused: &Attempt) -> f64;
    /// The last attempt, of length `h`, has become a step: b holds both its ends.
    fn commit(&mut self, b: &Buffers, h: f64, tol: &Tolerance<'_>) {
        let _ = (b, h, tol);
    }
    /// Whether the motion within steps is to be held to the tolerance too: of interest where dense output is of a much
    /// lower order than the method.
    fn hold_dense(&mut self, hold: bool) {
        let _ = hold;
    }
    /// Puts back what was saved of a stepper that was at work on such a problem.
    fn restore_for(&mut self, ode: &mut dyn Ode, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let _ = ode;
        self.restore(from)
    }
    /// Forgets the past: (t0, y0, f0) is a new start.
    fn restart(&mut self) {}
    /// An event has changed where the Jacobian may be other than zero, not the number of components; a
    /// [`restart`](Stepper::restart) follows. Only methods that keep a Jacobian need to know.
    fn restructure(&mut self, ode: &mut dyn Ode) {
        let _ = ode;
    }
    /// No next step longer than this can follow from what is remembered of the past.
    fn limit(&self) -> f64 {
        f64::INFINITY
    }
    /// How far back in time the next step builds on rates or states of the past; 0: on none (the default).
    fn reach(&self) -> f64 {
        0.0
    }
    /// All rates seen in the last attempt, one row of the second number's length each.
    fn stages(&self) -> (&[f64], usize);
    /// Makes the interpolant of the last attempt, of length `h`.
    fn prepare_dense(&mut self, ode: &mut Counted<'_>, b: &Buffers, h: f64) -> Result<(), RhsFailure>;
    /// By how many tolerances the interpolant just made may be off, as far as the method can tell at no cost; 0 where it
    /// cannot (the default).
    fn dense_error(&self, b: &Buffers, tol: &Tolerance<'_>) -> f64 {
        let _ = (b, tol);
        0.0
    }
}
