//! The interface of an integration method: how it starts, tries steps and commits them.

use std::fmt::Debug;

use carom_portable::snapshot::{Carried, Reader, SnapshotError};

use crate::counted::Counted;
use crate::failure::RhsFailure;
use crate::lanes::lanes;
use crate::ode::Ode;
use crate::step::DenseOutput;
use crate::tableau::Tableau;

/// An integration method: a name, its properties, and how to start it.
pub trait Method: Debug + Sync {
    /// The name by which users select it.
    fn name(&self) -> &'static str;
    /// A description in one line.
    fn summary(&self) -> &'static str;
    /// The order of its solution.
    fn order(&self) -> usize;
    /// Whether it chooses its steps from an error estimate; otherwise it takes steps of the given length.
    fn is_adaptive(&self) -> bool {
        true
    }
    /// Whether it needs the problem split into positions and velocities.
    fn needs_split(&self) -> bool {
        false
    }
    /// Whether its steps use results of the steps before, as those of multistep methods do.
    fn remembers(&self) -> bool {
        false
    }
    /// Whether it takes implicit steps, at least where the problem is stiff.
    fn suits_stiff(&self) -> bool {
        false
    }
    /// The order it starts with, when no past steps are known; the first step is estimated for this order.
    fn start_order(&self) -> usize {
        self.order()
    }
    /// Its coefficients, if it is an explicit Runge–Kutta method defined by them alone.
    fn tableau(&self) -> Option<&'static Tableau> {
        None
    }
    /// Starts the method on a problem of `n` components: allocates all the memory it will need.
    fn start(&'static self, ode: &mut dyn Ode, n: usize) -> Box<dyn Stepper>;
}

/// The states and rates at both ends of a step. The arrays may be longer than the problem: the rest is padding.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    /// the time at which the step starts
    pub t0: f64,
    /// the state at the start
    pub y0: Vec<f64>,
    /// the rates at the start
    pub f0: Vec<f64>,
    /// the state at the end
    pub y1: Vec<f64>,
    /// the rates at the end
    pub f1: Vec<f64>,
}

carom_portable::carried!(Buffers { t0, y0, f0 } scratch { y1, f1 });

impl Buffers {
    /// Allocates memory for `n` components, padded so that several can be processed at once.
    pub(crate) fn resize(&mut self, n: usize) {
        let padded = n.div_ceil(lanes(n)).max(1) * lanes(n);
        for v in [&mut self.y0, &mut self.f0, &mut self.y1, &mut self.f1] {
            v.clear();
            v.resize(padded, 0.0);
        }
    }
}

/// The error allowed for component i: scale[i] + rtol |y[i]|; quadratures have their own list of allowed errors.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance<'a> {
    /// relative tolerance
    pub rtol: f64,
    /// absolute tolerances, quadratures left out
    pub scale: &'a [f64],
    /// the errors allowed for quadratures, infinite where the error is not controlled; empty if no quadrature is
    /// controlled
    pub quadratures: &'a [f64],
}

impl Tolerance<'_> {
    /// The number of components in the error norm.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.scale.len() + self.quadratures.len()
    }

    /// Returns the error allowed for component i in a step from y0 to y1.
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
    /// the error divided by the allowed error: ≤ 1 is acceptable; 0 for methods without an estimate
    pub norm: f64,
    /// the component with the largest error
    pub component: usize,
    /// the equations of an implicit step could not be solved, so there is no error estimate
    pub diverged: bool,
}

impl Attempt {
    /// Returns an attempt whose error is known.
    pub fn with_error(norm: f64, component: usize) -> Attempt {
        Attempt { norm, component, diverged: false }
    }

    /// Returns a failed attempt: the iteration did not converge, with the largest correction in `component`.
    pub fn diverged(component: usize) -> Attempt {
        Attempt { norm: f64::INFINITY, component, diverged: true }
    }

    /// Whether the step can be accepted.
    pub fn is_good(&self) -> bool {
        self.norm <= 1.0 && !self.diverged
    }
}

/// A method at work on a problem, with its workspace.
///
/// Attempts start at the end of the last committed step, as many as necessary (an event may require a shorter one); the
/// last of them is committed. So an attempt must not change what the method remembers of the past.
pub trait Stepper: DenseOutput + Carried + Send {
    /// Tries a step of length `h` from (t0, y0, f0) and fills y1 and f1.
    fn attempt(
        &mut self,
        ode: &mut Counted<'_>,
        b: &mut Buffers,
        h: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Attempt, RhsFailure>;
    /// Returns the length proposed for the next step after an acceptable attempt of length `h`.
    fn wish(&mut self, h: f64, good: &Attempt) -> f64;
    /// Returns the length to try after a refused attempt, whose error is finite or whose iteration diverged. It is
    /// shorter than `h`.
    fn again(&mut self, h: f64, refused: &Attempt) -> f64;
    /// Records that the last attempt, of length `h`, has become a step: b holds both its ends.
    fn commit(&mut self, b: &Buffers, h: f64, tol: &Tolerance<'_>) {
        let _ = (b, h, tol);
    }
    /// Sets whether the interpolant within steps must satisfy the tolerance too. This matters where dense output has a
    /// much lower order than the method.
    fn control_dense_error(&mut self, hold: bool) {
        let _ = hold;
    }
    /// Restores what was saved of a stepper that worked on the same problem.
    fn restore_for(&mut self, ode: &mut dyn Ode, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let _ = ode;
        self.restore(from)
    }
    /// Forgets the past: (t0, y0, f0) is a new start.
    fn restart(&mut self) {}
    /// Reports that an event has changed the positions at which the Jacobian may be non-zero, but not the number of
    /// components; a [`restart`](Stepper::restart) follows. Only methods that keep a Jacobian need this.
    fn restructure(&mut self, ode: &mut dyn Ode) {
        let _ = ode;
    }
    /// Returns the longest next step that the stored past steps allow.
    fn limit(&self) -> f64 {
        f64::INFINITY
    }
    /// Returns how far back in time the rates or states lie that the next step uses; 0 (the default): it uses none.
    fn reach(&self) -> f64 {
        0.0
    }
    /// Returns all rates computed in the last attempt, as rows; the second value is the length of a row.
    fn stages(&self) -> (&[f64], usize);
    /// Computes the interpolant of the last attempt, of length `h`.
    fn prepare_dense(&mut self, ode: &mut Counted<'_>, b: &Buffers, h: f64) -> Result<(), RhsFailure>;
    /// Returns the estimated error of the interpolant just computed, in multiples of the tolerance, as far as the
    /// method knows it without further evaluations; 0 (the default) where it does not.
    fn dense_error(&self, b: &Buffers, tol: &Tolerance<'_>) -> f64 {
        let _ = (b, tol);
        0.0
    }
    /// Takes note that the last attempt is refused because its interpolant is not accurate enough. (The solver chooses what is
    /// tried next.)
    fn refused_within(&mut self) {}
}
