//! The Jacobian of a problem: exact if the problem provides it, else by difference quotients, with one evaluation for
//! all columns that share no row.
//!
//! The increments are relative to the value, or to the size below which the tolerance of the component is absolute, so
//! that the units do not matter. (RADAU5 uses √(ε max(10⁻⁵, |y|)), for which they do: E. Hairer, G. Wanner, *Solving
//! Ordinary Differential Equations II*, IV.8.) If a change is lost in the rounding of the rates, a larger increment is
//! used (D. E. Salane, SAND86-1319 (1986), as in MATLAB's `numjac`), but here never above the tolerance: a larger one
//! may reach another regime, such as a contact that is still open.

mod colours;

use std::ops::Range;

use carom_portable::elementary::pow;
use colours::Colours;

use crate::counted::Counted;
use crate::failure::{RhsFailure, Site};
use crate::linear::{Jacobian, Sparsity};
use crate::method::Tolerance;
use crate::ode::Ode;

/// The largest order for which all entries are stored, whatever the pattern. By measurement (`sparse-lu` in the
/// benchmarks), sparse factors are faster from n = 6 on where a pattern leaves little to be done. Up to this order the
/// difference is about one microsecond, and full pivoting within columns is worth that. Above it, the amount of work
/// decides, not n (`shifted`).
const DENSE: usize = 20;

/// The Jacobian of a problem, with workspace for difference quotients.
pub(crate) struct Linearised {
    pub(crate) j: Jacobian,
    pattern: Sparsity,
    colours: Colours,
    y: Vec<f64>,
    f: Vec<f64>,
    step: Vec<f64>,
    /// kind of increment of each column
    size: Vec<Size>,
}

carom_portable::carried!(Linearised { j, size } scratch { pattern, colours, y, f, step });

/// The kind of increment used for a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    /// the usual increment
    Small,
    /// a larger increment, because the change by the usual one is lost in rounding
    Large,
    /// the usual increment, although the change is lost: it is lost with a larger one, too
    NoEffect,
}

carom_portable::plain!(
    enum Size {
        Small,
        Large,
        NoEffect,
    }
);

/// The point at which the differences are taken.
struct At<'a> {
    t: f64,
    y: &'a [f64],
    f: &'a [f64],
    tol: &'a Tolerance<'a>,
    /// magnitude of the largest component
    largest: f64,
}

impl Linearised {
    /// Allocates memory for the Jacobian of a problem of `n` components.
    pub(crate) fn new(ode: &mut dyn Ode, n: usize) -> Linearised {
        let m = n.saturating_sub(ode.components().quadratures());
        let pattern =
            ode.derivatives().sparsity().filter(|s| s.n() == m).unwrap_or_else(|| Sparsity::full(m));
        // small matrices are stored dense; the pattern still saves evaluations
        let kept = if m > DENSE { pattern.clone() } else { Sparsity::full(m) };
        Linearised {
            j: Jacobian::new(kept),
            colours: Colours::new(&pattern),
            pattern,
            y: vec![0.0; n],
            f: vec![0.0; n],
            step: vec![0.0; m],
            size: vec![Size::Small; m],
        }
    }

    /// The number of evaluations that difference quotients take.
    pub(crate) fn columns(&self) -> usize {
        self.colours.len()
    }

    /// Computes the Jacobian at (t, y), where the rates are f.
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
        if ode.ode().derivatives().jacobian(t, y, &mut self.j)? {
            // the factorisations rely on finite entries
            let bad = (0..self.j.n()).find(|&c| self.j.column(c).iter().any(|v| !v.is_finite()));
            let failure = |i| RhsFailure { site: Site::Component(i), reason: "the Jacobian is not finite" };
            return bad.map_or(Ok(()), |column| Err(failure(column)));
        }
        self.j.clear();
        let largest = y.iter().take(self.step.len()).fold(0.0f64, |m, y| m.max(y.abs()));
        let at = At { t, y, f, tol, largest };
        let before = ode.stats().evaluations;
        let outcome = (0..self.colours.len()).try_for_each(|colour| self.colour(ode, &at, colour));
        ode.stats().differences += ode.stats().evaluations - before;
        outcome
    }

    /// Computes the columns of a colour.
    fn colour(&mut self, ode: &mut Counted<'_>, at: &At<'_>, colour: usize) -> Result<(), RhsFailure> {
        let all = 0..self.colours.columns(colour).len();
        self.differences(ode, at, colour, all.clone())?;
        if self.look(at, colour) {
            self.differences(ode, at, colour, all)?;
            self.look_again(at, colour);
        }
        Ok(())
    }

    /// Computes the columns of a colour with one evaluation. If it fails, increments of the other sign are tried; if
    /// that fails too, the columns are computed one by one, with either sign.
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

    /// Computes some columns of a colour with one evaluation.
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
            self.y[i] += sign * at.increment(i, self.size[i] == Size::Large);
            // the increment that was really added, after rounding
            self.step[i] = self.y[i] - at.y[i];
        }
        ode.rhs(at.t, &self.y[..n], &mut self.f[..n])?;
        for &column in columns {
            for &i in self.pattern.rows(column) {
                if !self.f[i].is_finite() {
                    return Err(RhsFailure {
                        site: Site::Component(i),
                        reason: "the rates beside a state are not finite",
                    });
                }
                // may overflow although the rates are finite
                let quotient = (self.f[i] - at.f[i]) / self.step[column];
                self.j.set(i, column, quotient.clamp(f64::MIN, f64::MAX));
            }
        }
        Ok(())
    }

    /// Returns whether a column of a colour must be computed again, with a larger increment.
    fn look(&mut self, at: &At<'_>, colour: usize) -> bool {
        let mut again = false;
        for &column in self.colours.columns(colour) {
            let small = at.increment(column, false).abs();
            let lost = |step: f64| at.is_lost(&self.j, &self.pattern, column, step);
            let size = self.size[column];
            self.size[column] = match (size, lost(self.step[column])) {
                (Size::Small, true) if at.increment(column, true).abs() > small => {
                    again = true;
                    Size::Large
                }
                (Size::Large | Size::NoEffect, true) => Size::NoEffect,
                (Size::Large, false) if lost(small) => Size::Large,
                _ => Size::Small,
            };
        }
        again
    }

    /// Marks the columns for which a larger increment has not helped.
    fn look_again(&mut self, at: &At<'_>, colour: usize) {
        for &column in self.colours.columns(colour) {
            if self.size[column] == Size::Large
                && at.is_lost(&self.j, &self.pattern, column, self.step[column])
            {
                self.size[column] = Size::NoEffect;
            }
        }
    }
}

impl At<'_> {
    /// Returns the increment of component i: the square root of the rounding unit times its value, or times the size
    /// below which its tolerance is absolute. Its sign is that of the rate, so that the state moves where it is going.
    /// If `larger`, it is up to the tolerance.
    fn increment(&self, i: usize, larger: bool) -> f64 {
        let (y, scale) = (self.y[i].abs(), self.tol.scale[i]);
        // below this size the tolerance is absolute; rtol is limited from below so that the increment at zero is no
        // more than the absolute tolerance
        let root = f64::EPSILON.sqrt();
        let mut size = y.max(scale / self.tol.rtol.max(root));
        if !(size > 0.0) {
            // neither a value nor a tolerance: use the size of the other components
            size = if self.largest > 0.0 { self.largest } else { 1.0 };
        }
        let mut d = root * size;
        if larger {
            d = d.max((root.sqrt() * size).min(scale + self.tol.rtol * y));
        }
        if self.f[i] < 0.0 { -d } else { d }
    }

    /// Returns whether rounding makes up 1e-4 or more of the largest change in a column of the Jacobian, for a given
    /// increment (ε^¾, as in `numjac`).
    fn is_lost(&self, j: &Jacobian, pattern: &Sparsity, column: usize, step: f64) -> bool {
        let (mut largest, mut f) = (0.0, 0.0);
        for &i in pattern.rows(column) {
            let change = (j.get(i, column) * step).abs();
            if change > largest {
                (largest, f) = (change, self.f[i].abs());
            }
        }
        largest <= pow(f64::EPSILON, 0.75) * f
    }
}

#[cfg(test)]
mod tests;
