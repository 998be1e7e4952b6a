//! Saves and restores the state of an integration between two steps.

use carom_portable::snapshot::{Carried, Reader, SnapshotError, Writer};

use super::{Pending, Solver};
use crate::error::StepTrouble;
use crate::ode::Ode;

/// Names every field of a solver and passes those that are saved to a macro. The stepper is not among them, because
/// restoring it needs the problem.
macro_rules! carried_fields {
    ($solver:expr, $each:ident) => {{
        let Solver {
            stepper: _,
            method: _,
            structure: _,
            options: _,
            n,
            b,
            times,
            next,
            tolerances,
            dense: _,
            aside: _,
            pending: _,
            trouble: _,
            progress,
            stopped,
            stats,
        } = $solver;
        $each!(n, b, times, next, tolerances, progress, stopped, stats);
    }};
}

impl Solver {
    /// Saves everything on which the next steps depend. It must be called between two steps: after
    /// [`finish`](Solver::finish).
    pub fn save(&self, to: &mut Writer) {
        macro_rules! save {
            ($($field:ident),*) => { $($field.save(to);)* };
        }
        carried_fields!(self, save);
        self.stepper.save(to);
    }

    /// Restores what a solver with the same method and options has saved. The problem must be in the state it had then.
    /// The next steps are then the same, to the bit.
    ///
    /// ```
    /// use carom_ode::{Ode, Options, RhsFailure, Solver, methods, snapshot::{Reader, Writer}};
    /// # struct Decay;
    /// # impl Ode for Decay {
    /// #     fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> { dy[0] = -y[0]; Ok(()) }
    /// # }
    /// let new = |ode: &mut Decay| Solver::new(methods::find("ode113").unwrap(), ode, 0.0, &[1.0], 2.0, Options::default());
    /// let (mut one, mut other) = (new(&mut Decay)?, new(&mut Decay)?);
    /// one.step(&mut Decay)?;
    /// one.finish(&mut Decay)?;
    /// let mut saved = Writer::default();
    /// one.save(&mut saved);
    /// other.restore(&mut Decay, &mut Reader::new(saved.bytes()))?;
    /// one.step(&mut Decay)?;
    /// other.step(&mut Decay)?;
    /// assert_eq!(one.y(), other.y());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore(&mut self, ode: &mut dyn Ode, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        macro_rules! restore {
            ($($field:ident),*) => { $($field.restore(from)?;)* };
        }
        // a problem that does not state its number of components keeps the present number
        let dim = ode.components().dim().unwrap_or(self.n);
        carried_fields!(&mut *self, restore);
        let padded = self.b.y0.len();
        if dim != self.n || self.b.f0.len() != padded || padded < self.n {
            return Err(SnapshotError::OtherModel);
        }
        self.b.y1.resize(padded, 0.0);
        self.b.f1.resize(padded, 0.0);
        self.progress.resize(self.n);
        self.aside.rates.resize(self.n, 0.0);
        self.structure = ode.events().structure();
        self.stepper = self.method.start(ode, self.n);
        self.stepper.control_dense_error(self.options.control_dense_error);
        (self.aside.stepper, self.pending, self.dense.ready) = (None, Pending::Nothing, false);
        self.trouble = StepTrouble::TooFast;
        self.stepper.restore_for(ode, from)
    }
}
