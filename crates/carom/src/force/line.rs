//! Tension laws: along lines between points, and along coordinates.

use std::fmt::Debug;

use carom_base::expression::Side;
use carom_base::{Dual, Scalar, SpecError};

/// A tension and its elastic part; the rest is dissipative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tension<S: Scalar = f64> {
    /// tension [N]: draws the points together, or, if negative, pushes them apart
    pub f: S,
    /// elastic part [N]: dE/dl of the stored energy E
    pub f_elastic: S,
}

/// A tension law, written over [`Scalar`].
pub trait LineLaw: Debug + Send + Sync + 'static {
    /// Returns the tension of a line of this length [m], which grows at `rate` [m/s]. (f − f_elastic) rate must not
    /// be negative.
    fn tension<S: Scalar>(&self, length: S, rate: S) -> Tension<S>;
    /// Returns the stored energy [J]; its derivative by the length is f_elastic.
    fn energy(&self, length: f64) -> f64;
    /// Whether nothing is dissipated, so that no ledger entry is needed.
    fn is_elastic(&self) -> bool {
        false
    }
    /// Returns the number of its switches: numbers whose signs select branches of the law, where the tension has a kink
    /// or jumps. Their changes of sign are located as events.
    fn switches(&self) -> usize {
        0
    }
    /// Returns the value of a switch [m], for a line of this length that grows at `rate`.
    fn switch(&self, index: usize, length: f64, rate: f64) -> f64 {
        let _ = (index, length, rate);
        f64::NAN
    }
    /// Returns the tension on given sides of its switches: smooth, whatever the length and its rate are.
    fn tension_on<S: Scalar>(&self, length: S, rate: S, sides: &[Side]) -> Tension<S> {
        let _ = sides;
        self.tension(length, rate)
    }
    /// Checks whether all parameters are in range; called once when a model takes the law in.
    fn check(&self) -> Result<(), SpecError>;
}

/// The object-safe form of [`LineLaw`].
pub trait Line: Debug + Send + Sync {
    /// See [`LineLaw::tension`].
    fn tension(&self, length: f64, rate: f64) -> Tension;
    /// See [`LineLaw::tension`]: with the derivatives by (length, rate).
    fn tension_dual(&self, length: Dual<2>, rate: Dual<2>) -> Tension<Dual<2>>;
    /// See [`LineLaw::energy`].
    fn energy(&self, length: f64) -> f64;
    /// See [`LineLaw::is_elastic`].
    fn is_elastic(&self) -> bool;
    /// See [`LineLaw::check`].
    fn check(&self) -> Result<(), SpecError>;
    /// See [`LineLaw::switches`].
    fn switches(&self) -> usize {
        0
    }
    /// See [`LineLaw::switch`].
    fn switch(&self, index: usize, length: f64, rate: f64) -> f64 {
        let _ = (index, length, rate);
        f64::NAN
    }
    /// See [`LineLaw::tension_on`].
    fn tension_on(&self, length: f64, rate: f64, sides: &[Side]) -> Tension {
        let _ = sides;
        self.tension(length, rate)
    }
    /// See [`LineLaw::tension_on`]: with the derivatives by (length, rate).
    fn tension_dual_on(&self, length: Dual<2>, rate: Dual<2>, sides: &[Side]) -> Tension<Dual<2>> {
        let _ = sides;
        self.tension_dual(length, rate)
    }
}

impl<L: LineLaw> Line for L {
    fn tension(&self, length: f64, rate: f64) -> Tension {
        LineLaw::tension(self, length, rate)
    }
    fn tension_dual(&self, length: Dual<2>, rate: Dual<2>) -> Tension<Dual<2>> {
        LineLaw::tension(self, length, rate)
    }
    fn energy(&self, length: f64) -> f64 {
        LineLaw::energy(self, length)
    }
    fn is_elastic(&self) -> bool {
        LineLaw::is_elastic(self)
    }
    fn check(&self) -> Result<(), SpecError> {
        LineLaw::check(self)
    }
    fn switches(&self) -> usize {
        LineLaw::switches(self)
    }
    fn switch(&self, index: usize, length: f64, rate: f64) -> f64 {
        LineLaw::switch(self, index, length, rate)
    }
    fn tension_on(&self, length: f64, rate: f64, sides: &[Side]) -> Tension {
        LineLaw::tension_on(self, length, rate, sides)
    }
    fn tension_dual_on(&self, length: Dual<2>, rate: Dual<2>, sides: &[Side]) -> Tension<Dual<2>> {
        LineLaw::tension_on(self, length, rate, sides)
    }
}
