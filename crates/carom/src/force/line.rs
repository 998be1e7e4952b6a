//! Laws of tensions: along lines between points, and along coordinates.

use std::fmt::Debug;

use carom_base::{Dual, Scalar, SpecError};

/// A tension and its elastic part; what is not elastic is dissipated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tension<S: Scalar = f64> {
    /// the tension [N]: draws the points together, or, below zero, pushes them apart
    pub f: S,
    /// the part that stored energy gives back [N]: dE/dl
    pub f_elastic: S,
}

/// A tension law, written over [`Scalar`].
pub trait LineLaw: Debug + Send + Sync + 'static {
    /// The tension of a line of this length [m], which grows at `rate` [m/s]: (f − f_elastic) rate ≥ 0.
    fn tension<S: Scalar>(&self, length: S, rate: S) -> Tension<S>;
    /// The stored energy [J], of which f_elastic is the derivative by the length.
    fn energy(&self, length: f64) -> f64;
    /// Whether nothing is dissipated, so that no ledger entry is needed.
    fn is_elastic(&self) -> bool {
        false
    }
    /// Whether all parameters are in range; whoever takes a law in asks this once.
    fn check(&self) -> Result<(), SpecError>;
}

/// The object-safe face of [`LineLaw`].
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
}
