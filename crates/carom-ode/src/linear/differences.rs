//! A Jacobian kept up to date: exact from the problem where it has one, else by differences, columns that share no
//! row in one evaluation.
//!
//! The increments are relative, from the value or from what counts as zero for the component (by its tolerance), so
//! that the units do not matter. (RADAU5 takes √(ε max(10⁻⁵, |y|)), for which they do: E. Hairer, G. Wanner, *Solving
//! Ordinary Differential Equations II*, IV.8.) A change that is lost in the rounding of the rates asks for a larger
//! increment (D. E. Salane, SAND86-1319 (1986), as in MATLAB's `numjac`), here never above the tolerance: a larger one
//! may see another régime, such as a contact that is still open.

use std::ops::Range;

use super::colours::Colours;
use super::{Jacobian, Sparsity};
use crate::counted::Counted;
use crate::methods::Tolerance;
use crate::ode::{Ode, RhsFailure};

/// The largest order for which all entries are kept, whatever the pattern.
pub(super) const DENSE: usize = 60;

/// The Jacobian of a problem.
pub(crate) struct Linearised {
    pub(crate) j: Jacobian,
    pattern: Sparsity,
    colours: Colours,
    y: Vec<f64>,
    f: Vec<f64>,
    step: Vec<f64>,
    /// of each column
    change: Vec<Change>,
}

/// What is seen of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// more than rounding, or no larger increment is allowed
    Seen,
    /// nothing but rounding: to be asked again with a larger increment
    Lost,
    /// nothing, with the larger one either: not asked again while that is so
    Mute,
}

/// Where the differences are taken.
struct At<'a> {
    t: f64,
    y: &'a [f64],
    f: &'a [f64],
    tol: &'a Tolerance<'a>,
    /// the largest component
    largest: f64,
}

impl Linearised {
    /// Room for the Jacobian of a problem.
    pub(crate) fn new(ode: &dyn Ode) -> Linearised {
        let n = ode.dim();
        let m = n.saturating_sub(ode.quadratures());
        let pattern = ode.sparsity().filter(|s| s.n() == m).unwrap_or_else(|| Sparsity::full(m));
        // what is small is dense; the pattern still saves evaluations
        let kept = if m > DENSE { pattern.clone() } else { Sparsity::full(m) };
        Linearised {
            j: Jacobian::new(kept),
            colours: Colours::new(&pattern),
            pattern,
            y: vec![0.0; n],
            f: vec![0.0; n],
            step: vec![0.0; m],
            change: vec![Change::Seen; m],
        }
    }

    /// The Jacobian at (t, y), where the rates are f.
    pub(crate) fn evaluate(
        &mut self,
        ode: &mut Counted<'_>,
        t: f64,
        y: &[f64],
        f: &[f64],
        tol: &Tolerance<'_>,
    ) -> Result<(), RhsFailure> {
        ode.stats().jacobians += 1;
        self.j.clear();
        if ode.ode().jacobian(t, y, &mut self.j)? {
            return Ok(());
        }
        self.j.clear();
        let largest = y.iter().take(self.step.len()).fold(0.0f64, |m, y| m.max(y.abs()));
        let at = At { t, y, f, tol, largest };
        for colour in 0..self.colours.len() {
            let all = 0..self.colours.columns(colour).len();
            self.differences(ode, &at, colour, all.clone())?;
            if self.look(&at, colour) {
                self.differences(ode, &at, colour, all)?;
                self.look_again(&at, colour);
            }
        }
        Ok(())
    }

    /// The columns of a colour by one evaluation. Where that fails: with increments of the other sign; where that
    /// fails too: one by one, either way.
    fn differences(
        &mut self,
        ode: &mut Counted<'_>,
        at: &At<'_>,
        colour: usize,
        all: Range<usize>,
    ) -> Result<(), RhsFailure> {
        if self.quotients(ode, at, colour, all.clone(), 1.0).is_ok()
            || self.quotients(ode, at, colour, all.clone(), -1.0).is_ok()
        {
            return Ok(());
        }
        for k in all {
            let one = k..k + 1;
            if self.quotients(ode, at, colour, one.clone(), 1.0).is_err() {
                self.quotients(ode, at, colour, one, -1.0)?;
            }
        }
        Ok(())
    }

    /// Some columns of a colour by one evaluation.
    fn quotients(
        &mut self,
        ode: &mut Counted<'_>,
        at: &At<'_>,
        colour: usize,
        some: Range<usize>,
        sign: f64,
    ) -> Result<(), RhsFailure> {
        let n = at.y.len();
        let columns = &self.colours.columns(colour)[some];
        self.y[..n].copy_from_slice(at.y);
        for &i in columns {
            self.y[i] += sign * at.increment(i, self.change[i] == Change::Lost);
            // what was really added, after rounding
            self.step[i] = self.y[i] - at.y[i];
        }
        ode.rhs(at.t, &self.y[..n], &mut self.f[..n])?;
        for &column in columns {
            for &i in self.pattern.rows(column) {
                if !self.f[i].is_finite() {
                    return Err(RhsFailure { place: i, reason: "the rates beside a state are not finite" });
                }
                self.j.set(i, column, (self.f[i] - at.f[i]) / self.step[column]);
            }
        }
        Ok(())
    }

    /// Whether a column of a colour is worth a larger increment.
    fn look(&mut self, at: &At<'_>, colour: usize) -> bool {
        let mut any = false;
        for &column in self.colours.columns(colour) {
            let change = &mut self.change[column];
            if !at.is_lost(&self.j, &self.pattern, column, self.step[column]) {
                *change = Change::Seen;
            } else if *change == Change::Seen
                && at.increment(column, true).abs() > at.increment(column, false).abs()
            {
                *change = Change::Lost;
                any = true;
            }
        }
        any
    }

    /// Notes the columns that a larger increment has not helped.
    fn look_again(&mut self, at: &At<'_>, colour: usize) {
        for &column in self.colours.columns(colour) {
            if self.change[column] == Change::Lost {
                let lost = at.is_lost(&self.j, &self.pattern, column, self.step[column]);
                self.change[column] = if lost { Change::Mute } else { Change::Seen };
            }
        }
    }
}

impl At<'_> {
    /// How far to move component i: the square root of rounding, of the value or of what counts as zero for it; along
    /// the motion, so that a state stays where it is going. Or as far as the tolerance allows.
    fn increment(&self, i: usize, larger: bool) -> f64 {
        let (y, scale) = (self.y[i].abs(), self.tol.scale[i]);
        // below this the tolerance is absolute; a small rtol says nothing of sizes
        let mut size = y.max(scale / self.tol.rtol.max(1e-6));
        if !(size > 0.0) {
            // neither a value nor a tolerance: as the others are
            size = if self.largest > 0.0 { self.largest } else { 1.0 };
        }
        let mut d = f64::EPSILON.sqrt() * size;
        if larger {
            d = d.max((f64::EPSILON.sqrt().sqrt() * size).min(scale + self.tol.rtol * y));
        }
        if self.f[i] < 0.0 { -d } else { d }
    }

    /// Whether all that a column of the Jacobian shows, by an increment, is rounding.
    fn is_lost(&self, j: &Jacobian, pattern: &Sparsity, column: usize, step: f64) -> bool {
        let noise = f64::EPSILON.powf(0.875);
        pattern.rows(column).iter().all(|&i| (j.get(i, column) * step).abs() <= noise * self.f[i].abs())
    }
}

#[cfg(test)]
mod tests;
