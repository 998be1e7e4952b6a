//! A tension given by a user-defined function.
//!
//! Its derivatives come from central differences. The stored energy is ∫ T(l, 0) dl from a reference length, unless a
//! function for it is given: the tension at zero rate counts as elastic, the rest as dissipative.

use std::fmt;

use carom_base::{Dual, SpecError, integral};

use super::{Line, Tension};

/// The step of a central difference, relative: the cube root of the rounding error 2.22e-16.
const STEP: f64 = 6.055e-6;

/// A tension T(l, l̇) given by a function.
///
/// ```
/// use carom::{Line, LineFunction};
/// let law = LineFunction::new(0.2, |length, rate| 100.0 * (length - 0.2).powi(3) + 3.0 * rate);
/// let tension = law.tension(0.3, -1.0);
/// assert!((tension.f + 2.9).abs() < 1e-13 && (tension.f_elastic - 0.1).abs() < 1e-13); // [N]
/// assert!((law.energy(0.3) - 25.0 * 1e-4).abs() < 1e-16); // [J]
/// ```
pub struct LineFunction {
    tension: Box<dyn Fn(f64, f64) -> f64 + Send + Sync>,
    energy: Option<Box<dyn Fn(f64) -> f64 + Send + Sync>>,
    reference: f64,
    elastic: bool,
}

impl LineFunction {
    /// Creates a law from `tension(l, l̇)` [N], a function of the length [m] and its rate [m/s], or [N m], of an
    /// angle [rad] and its rate [rad/s]; `reference` is the length at which the stored energy is zero.
    pub fn new(reference: f64, tension: impl Fn(f64, f64) -> f64 + Send + Sync + 'static) -> LineFunction {
        LineFunction { tension: Box::new(tension), energy: None, reference, elastic: false }
    }

    /// Sets the stored energy [J] as a function of the length [m]; it is then not integrated numerically.
    pub fn energy_by(mut self, energy: impl Fn(f64) -> f64 + Send + Sync + 'static) -> LineFunction {
        self.energy = Some(Box::new(energy));
        self
    }

    /// Declares that the tension does not depend on the rate: nothing is dissipated, and the function is called half
    /// as often.
    pub fn elastic(mut self) -> LineFunction {
        self.elastic = true;
        self
    }
}

impl fmt::Debug for LineFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("LineFunction");
        out.field("reference", &self.reference).field("elastic", &self.elastic).finish_non_exhaustive()
    }
}

impl Line for LineFunction {
    fn tension(&self, length: f64, rate: f64) -> Tension {
        let f = (self.tension)(length, rate);
        let f_elastic = if self.elastic { f } else { (self.tension)(length, 0.0) };
        Tension { f, f_elastic }
    }
    fn tension_dual(&self, length: Dual<2>, rate: Dual<2>) -> Tension<Dual<2>> {
        let (l, v) = (length.re, rate.re);
        let here = self.tension(l, v);
        let (dl, dv) = (STEP * l.abs().max(1e-6), STEP * v.abs().max(1e-3));
        let slope = |up: Tension, down: Tension, width: f64| {
            [(up.f - down.f) / width, (up.f_elastic - down.f_elastic) / width]
        };
        let by_length = slope(self.tension(l + dl, v), self.tension(l - dl, v), 2.0 * dl);
        let by_rate = slope(self.tension(l, v + dv), self.tension(l, v - dv), 2.0 * dv);
        let chain = |re: f64, i: usize| Dual { re, eps: [by_length[i], by_rate[i]] }.compose(&[length, rate]);
        Tension { f: chain(here.f, 0), f_elastic: chain(here.f_elastic, 1) }
    }
    fn energy(&self, length: f64) -> f64 {
        match &self.energy {
            Some(energy) => energy(length),
            None => integral(&|l| (self.tension)(l, 0.0), self.reference, length),
        }
    }
    fn is_elastic(&self) -> bool {
        self.elastic
    }
    fn check(&self) -> Result<(), SpecError> {
        if self.reference.is_finite() {
            return Ok(());
        }
        let (value, allowed) = (self.reference.to_string(), "any finite number".to_owned());
        Err(SpecError::NotAllowed { kind: "own", name: "reference", value, allowed })
    }
}
