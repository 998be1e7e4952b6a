//! The trajectory within a step.

use super::{Aside, Dense, Pending, Solver};
use crate::counted::Counted;
use crate::failure::RhsFailure;
use crate::method::Tolerance;
use crate::ode::Ode;
use crate::step::Interpolant;

/// The largest error of the interpolant, in multiples of the tolerance, with which it is used.
pub(super) const MOST_WITHIN: f64 = 100.0;

impl Solver {
    /// Returns the trajectory within the last step, once [`prepare_dense`](Self::prepare_dense) has computed it.
    pub fn dense(&self) -> Option<Interpolant<'_>> {
        let whole = self.dense.ready && self.pending != Pending::Nothing && self.times.t1 != self.b.t0;
        whole.then_some(Interpolant { output: &*self.stepper, t0: self.b.t0, h: self.dense.h })
    }

    /// Computes the interpolant within the last step. It must be called before the next step or
    /// [`finish`](Self::finish), because the problem must still be as it was during the step.
    pub fn prepare_dense(&mut self, ode: &mut dyn Ode) -> Result<(), RhsFailure> {
        if !self.dense.ready {
            let h = self.times.t1 - self.b.t0;
            let mut counted = Counted { ode, stats: &mut self.stats };
            self.stepper.prepare_dense(&mut counted, &self.b, h)?;
            let tol = Tolerance { quadratures: &[], ..self.tolerances.given() };
            self.dense = Dense { ready: true, h, error: self.stepper.dense_error(&self.b, &tol) };
        }
        Ok(())
    }

    /// Writes the state at a time within the last step, its ends included, into `out`. It must be called before the
    /// next step or [`finish`](Self::finish).
    ///
    /// Where the interpolant is not accurate enough, a separate step is taken from the start of the last one to that
    /// time, so that the steps do not depend on the output. It is shorter than the last step, whose error was
    /// acceptable.
    pub fn state_at(&mut self, ode: &mut dyn Ode, t: f64, out: &mut [f64]) -> Result<(), RhsFailure> {
        if t == self.times.t1 {
            out.copy_from_slice(self.y());
            return Ok(());
        }
        self.prepare_dense(ode)?;
        if self.method.is_adaptive() && self.dense.error > MOST_WITHIN {
            return self.step_to(ode, t, out);
        }
        match self.dense() {
            Some(dense) => dense.at(t, 0..out.len(), out),
            None => out.copy_from_slice(self.y()),
        }
        Ok(())
    }

    /// Takes a step from the start of the last one to a time within it, and leaves the last step unchanged.
    fn step_to(&mut self, ode: &mut dyn Ode, t: f64, out: &mut [f64]) -> Result<(), RhsFailure> {
        let Aside { ends, stepper, .. } = &mut self.aside;
        if ends.y0.len() != self.b.y0.len() {
            ends.resize(self.n);
        }
        ends.t0 = self.b.t0;
        ends.y0.copy_from_slice(&self.b.y0);
        ends.f0.copy_from_slice(&self.b.f0);
        let tol = self.tolerances.given();
        let stepper = stepper.get_or_insert_with(|| self.method.start(ode, self.n));
        let mut counted = Counted { ode, stats: &mut self.stats };
        stepper.attempt(&mut counted, ends, t - self.b.t0, &tol)?;
        out.copy_from_slice(&ends.y1[..out.len()]);
        Ok(())
    }
}
