//! What a user may say of an integration, checked.

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
    /// the scale of each component; where there is none, the problem's own: [`Ode::scale`]
    pub scale: Vec<f64>,
    /// the first step; `None`: estimated. Fixed-step methods need it: it is their step
    pub first_step: Option<f64>,
    /// whether the motion within steps is held to the tolerance too, not only their ends: for methods whose dense output
    /// is of a much lower order than they are where the problem is stiff (`radau5`, and so `auto`), at the price of
    /// shorter steps
    pub hold_dense: bool,
    /// whether the motion within every step will be kept: steps are then short enough for all of it to be trusted
    pub keep_dense: bool,
    /// no step is longer than this
    pub max_step: f64,
    /// the run fails when it needs more steps than this
    pub max_steps: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rtol: 1e-8,
            atol: 1e-8,
            scale: Vec::new(),
            first_step: None,
            hold_dense: false,
            keep_dense: false,
            max_step: f64::INFINITY,
            max_steps: 100_000_000,
        }
    }
}

impl Options {
    /// Whether a method can work with them from t0 to `t_end`.
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
        // below this the error estimate is rounding noise
        if !(self.rtol == 0.0 || (1e-14..1.0).contains(&self.rtol)) {
            return bad("rtol", self.rtol, "from 1e-14 to below 1, or 0");
        }
        if !(self.atol >= 0.0 && self.atol.is_finite() && (self.atol > 0.0 || self.rtol > 0.0)) {
            return bad("atol", self.atol, "0 or greater, and not 0 together with rtol");
        }
        if let Some(&s) = self.scale.iter().find(|s| !(**s > 0.0 && s.is_finite())) {
            return bad("scale", s, "greater than 0");
        }
        // a billion steps and more are a slip, not a wish
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
    // with no error to look at, every step looks perfect
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
