//! The options of an integration, and the checks on them.

use crate::error::SolveError;
use crate::method::Method;
use crate::ode::Ode;

/// Tolerances and limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// relative tolerance
    pub rtol: f64,
    /// absolute tolerance, in units of each component's scale
    pub atol: f64,
    /// the scale of each component; where it is not given, the problem's [`scale`](crate::Components::scale) is used
    pub scale: Vec<f64>,
    /// the first step [time units]; `None`: estimated. Fixed-step methods need it, because it is their step
    pub first_step: Option<f64>,
    /// whether the interpolant within steps must satisfy the tolerance too, not only the ends of steps: for methods
    /// whose dense output has a much lower order than the method itself on stiff problems (`radau5`, and so `auto`). It
    /// makes steps shorter
    pub control_dense_error: bool,
    /// whether the interpolant of every step will be stored: steps are then kept so short that it is accurate
    /// everywhere
    pub keep_dense: bool,
    /// the longest step allowed [time units]
    pub max_step: f64,
    /// the largest number of steps: the run fails when it needs more
    pub max_steps: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rtol: 1e-8,
            atol: 1e-8,
            scale: Vec::new(),
            first_step: None,
            control_dense_error: false,
            keep_dense: false,
            max_step: f64::INFINITY,
            max_steps: 100_000_000,
        }
    }
}

impl Options {
    /// Checks whether a method can work with these options from t0 to `t_end`.
    ///
    /// ```
    /// use carom_ode::{Options, methods};
    /// let tight = Options { rtol: 1e-20, ..Options::default() };
    /// assert!(tight.check(methods::find("ode45")?, 0.0, 1.0).is_err());
    /// # Ok::<(), carom_ode::SolveError>(())
    /// ```
    pub fn check(&self, method: &dyn Method, t0: f64, t_end: f64) -> Result<(), SolveError> {
        let bad = |name, value, allowed| Err(SolveError::BadOption { name, value, allowed });
        for (name, value) in [("t0", t0), ("t_end", t_end)] {
            if !value.is_finite() {
                return bad(name, value, "a finite time");
            }
        }
        // below 1e-14 the error estimate is dominated by rounding errors
        if !(self.rtol == 0.0 || (1e-14..1.0).contains(&self.rtol)) {
            return bad("rtol", self.rtol, "from 1e-14 to below 1, or 0");
        }
        if !(self.atol >= 0.0 && self.atol.is_finite() && (self.atol > 0.0 || self.rtol > 0.0)) {
            return bad("atol", self.atol, "0 or greater, and not 0 together with rtol");
        }
        if let Some(&s) = self.scale.iter().find(|s| !(**s > 0.0 && s.is_finite())) {
            return bad("scale", s, "greater than 0");
        }
        // steps that would add up to a billion or more are taken for a mistake of the user
        let least = 1e-9 * (t_end - t0).abs();
        if !(self.max_step >= least && self.max_step > 0.0) {
            return bad("max_step", self.max_step, "at least 1e-9 of the time to integrate");
        }
        match self.first_step {
            Some(h) if !(h > 0.0 && h.is_finite()) => return bad("first_step", h, "greater than 0"),
            Some(h) if !method.is_adaptive() && h < least => {
                return bad("first_step", h, "at least 1e-9 of the time to integrate");
            }
            None if !method.is_adaptive() => {
                return Err(SolveError::Unsuited { method: method.name(), needs: "a step (first_step)" });
            }
            _ => {}
        }
        Ok(())
    }
}

pub(crate) fn check(
    method: &'static dyn Method,
    ode: &mut dyn Ode,
    y0: &[f64],
    t0: f64,
    t_end: f64,
    o: &Options,
) -> Result<(), SolveError> {
    let bad = |name, value, allowed| Err(SolveError::BadOption { name, value, allowed });
    let (n, quadratures) = (y0.len(), ode.components().quadratures());
    if let Some(expected) = ode.components().dim().filter(|dim| *dim != n) {
        return Err(SolveError::BadLength { expected, got: n });
    }
    if quadratures > n {
        return bad("quadratures", quadratures as f64, "at most the number of components");
    }
    // if no component is in the error norm, every step has an error of 0 and would be accepted
    if method.is_adaptive() && n > 0 && quadratures == n {
        return bad("quadratures", quadratures as f64, "fewer than the components: steps follow the rest");
    }
    o.check(method, t0, t_end)?;
    if method.needs_split() && n > 0 && ode.split().is_velocity(0).is_none() {
        return Err(SolveError::Unsuited {
            method: method.name(),
            needs: "a problem that tells positions from velocities",
        });
    }
    Ok(())
}
