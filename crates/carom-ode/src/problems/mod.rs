//! Initial-value problems with known final states, for testing and comparing methods.
//!
//! Every [`Problem`] has a start, rates, a Jacobian and the state at its end, to nearly all digits of a double.
//! [`Problem::error`] is the only measure of accuracy and [`Problem::absolute`] the only choice of absolute tolerances,
//! so that results obtained separately can be compared.
//!
//! ```
//! use carom_ode::{Options, Solver, methods, problems};
//!
//! let problem = problems::find("kepler").unwrap();
//! let options = Options { rtol: 1e-9, atol: 1e-9, scale: problem.scales(), ..Options::default() };
//! let mut ode = problem.ode();
//! let method = methods::find("dop853")?;
//! let mut solver = Solver::new(method, &mut ode, problem.t0, &problem.start(), problem.t_end, options)?;
//! while !solver.done() {
//!     solver.step(&mut ode)?;
//! }
//! assert!(problem.error(solver.y()) < 1e-7);
//! # Ok::<(), carom_ode::SolveError>(())
//! ```

mod brusselator;
mod chemistry;
mod gravity;
mod pleiades;
mod smooth;
#[cfg(test)]
mod tests;
mod vdpol;

use crate::failure::RhsFailure;
use crate::linear::Sparsity;
use crate::ode::{Components, Derivatives, Ode};

/// All problems; those that are not stiff come first.
///
/// ```
/// assert!(carom_ode::problems::ALL.iter().any(|p| p.stiff));
/// ```
pub static ALL: &[&Problem] = &[
    &smooth::CHAIN,
    &smooth::RIGID_12,
    &smooth::RIGID_20,
    &gravity::KEPLER,
    &gravity::ARENSTORF_QUARTER,
    &gravity::ARENSTORF_HALF,
    &gravity::ARENSTORF_THREE_QUARTERS,
    &gravity::ARENSTORF,
    &pleiades::PLEIADES,
    &chemistry::ROBERTSON,
    &chemistry::ROBERTSON_LONG,
    &vdpol::VDPOL,
    &vdpol::VDPOL_SCALED,
    &chemistry::HIRES,
    &chemistry::OREGO,
    &brusselator::BRUSSELATOR,
];

pub use brusselator::brusselator_start;

/// Returns the problem of this name.
///
/// ```
/// assert_eq!(carom_ode::problems::find("hires").unwrap().dim(), 8);
/// assert!(carom_ode::problems::find("lores").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static Problem> {
    ALL.iter().copied().find(|p| p.name == name)
}

/// A function that computes rates: time, state, output for the rates.
pub type Rhs = fn(f64, &[f64], &mut [f64]);

/// A function that computes a Jacobian ∂f/∂y: time, state, and a function to which its entries are passed as (row,
/// column, value). Every entry is passed at most once, and the same entries at every state; all others are 0.
pub type Jacobian = fn(f64, &[f64], &mut dyn FnMut(usize, usize, f64));

/// An initial-value problem with a known final state.
///
/// ```
/// let p = carom_ode::problems::find("rigid-12").unwrap();
/// let mut dy = [0.0; 3];
/// (p.rhs)(p.t0, &p.start(), &mut dy);
/// assert_eq!(dy, [1.0, 0.0, 0.0]);
/// ```
#[derive(Debug)]
pub struct Problem {
    /// its name
    pub name: &'static str,
    /// a description and the source, in one line
    pub summary: &'static str,
    /// whether stability limits the steps of explicit methods
    pub stiff: bool,
    /// the start time
    pub t0: f64,
    /// the end time
    pub t_end: f64,
    /// the state at the start
    pub y0: fn() -> Vec<f64>,
    /// the state at the end
    pub end: &'static [f64],
    /// the accuracy of the end, in the measure of [`error`](Problem::error): its own error and the effect of rounding
    /// the problem's data to doubles
    pub trust: f64,
    /// the absolute tolerance of each component is rtol times this; empty: all 1
    pub scale_atol: &'static [f64],
    /// the number added to |end| in the measure of the error: 0 (relative errors) where no component of the end is near
    /// 0, else 1 (the components are of order 1 and pass through 0)
    pub floor: f64,
    /// the rates
    pub rhs: Rhs,
    /// their derivatives
    pub jacobian: Option<Jacobian>,
}

impl Problem {
    /// The number of components.
    ///
    /// ```
    /// assert_eq!(carom_ode::problems::find("pleiades").unwrap().dim(), 28);
    /// ```
    pub fn dim(&self) -> usize {
        self.end.len()
    }

    /// Returns the state at the start.
    ///
    /// ```
    /// assert_eq!(carom_ode::problems::find("robertson").unwrap().start(), [1.0, 0.0, 0.0]);
    /// ```
    pub fn start(&self) -> Vec<f64> {
        (self.y0)()
    }

    /// Returns the scale of every component's absolute tolerance, in the form that [`Options`](crate::Options) takes.
    ///
    /// ```
    /// assert_eq!(carom_ode::problems::find("vdpol").unwrap().scales(), [1.0, 1e-3]);
    /// ```
    pub fn scales(&self) -> Vec<f64> {
        (0..self.dim()).map(|i| self.scale_atol.get(i).copied().unwrap_or(1.0)).collect()
    }

    /// Returns the absolute tolerance of every component that belongs to a relative one.
    ///
    /// ```
    /// let p = carom_ode::problems::find("vdpol").unwrap();
    /// assert_eq!(p.absolute(1e-3), [1e-3, 1e-6]);
    /// ```
    pub fn absolute(&self, rtol: f64) -> Vec<f64> {
        self.scales().into_iter().map(|s| rtol * s).collect()
    }

    /// Returns the error of a state at the end: the largest |y − end| / (|end| + [`floor`](Problem::floor)) over the
    /// components; infinite if a component is not a number or missing.
    ///
    /// ```
    /// let p = carom_ode::problems::find("orego").unwrap();
    /// assert_eq!(p.error(p.end), 0.0);
    /// assert_eq!(p.error(&[f64::NAN, 0.0, 0.0]), f64::INFINITY);
    /// ```
    pub fn error(&self, y: &[f64]) -> f64 {
        if y.len() != self.dim() || y.iter().any(|y| y.is_nan()) {
            return f64::INFINITY;
        }
        let relative = |(y, end): (&f64, &f64)| (y - end).abs() / (end.abs() + self.floor);
        y.iter().zip(self.end).map(relative).fold(0.0, f64::max)
    }

    /// Returns the problem in the form that the integrators take.
    ///
    /// ```
    /// use carom_ode::Ode;
    /// let mut ode = carom_ode::problems::find("robertson").unwrap().ode();
    /// let mut dy = [0.0; 3];
    /// ode.rhs(0.0, &[1.0, 0.0, 0.0], &mut dy)?;
    /// assert_eq!(dy, [-0.04, 0.04, 0.0]);
    /// # Ok::<(), carom_ode::RhsFailure>(())
    /// ```
    pub fn ode(&self) -> ProblemOde<'_> {
        ProblemOde { problem: self, exact: true }
    }
}

/// A [`Problem`] as an [`Ode`]: see [`Problem::ode`].
///
/// ```
/// use carom_ode::Ode;
/// assert_eq!(carom_ode::problems::find("kepler").unwrap().ode().components().dim(), Some(4));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ProblemOde<'a> {
    /// the problem
    pub problem: &'a Problem,
    /// whether it provides its exact Jacobian; else the Jacobian is computed by differences
    pub exact: bool,
}

impl Ode for ProblemOde<'_> {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        (self.problem.rhs)(t, y, dy);
        Ok(())
    }
    fn components(&self) -> &dyn Components {
        self
    }
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self
    }
}

impl Components for ProblemOde<'_> {
    fn dim(&self) -> Option<usize> {
        Some(self.problem.dim())
    }
}

impl Derivatives for ProblemOde<'_> {
    fn jacobian(&mut self, t: f64, y: &[f64], j: &mut crate::Jacobian) -> Result<bool, RhsFailure> {
        let Some(jacobian) = self.problem.jacobian.filter(|_| self.exact) else { return Ok(false) };
        jacobian(t, y, &mut |row, column, value| j.set(row, column, value));
        Ok(true)
    }
    fn sparsity(&mut self) -> Option<Sparsity> {
        let jacobian = self.problem.jacobian?;
        let mut entries = Vec::new();
        jacobian(self.problem.t0, &self.problem.start(), &mut |row, column, _| entries.push((row, column)));
        Some(Sparsity::new(self.problem.dim(), entries))
    }
}

/// Passes on the entries of a Jacobian written row by row; entries that are always 0 are left out.
fn rows<const N: usize>(rows: &[&[(usize, f64)]; N], entry: &mut dyn FnMut(usize, usize, f64)) {
    for (i, row) in rows.iter().enumerate() {
        for &(j, value) in *row {
            entry(i, j, value);
        }
    }
}
