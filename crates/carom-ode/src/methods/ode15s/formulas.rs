//! The coefficients: Shampine, Reichelt, section 2.1 and Table 1.

use super::Multistep;
use super::history::MAX_ORDER;
use crate::lanes::with_lanes;
use crate::method::{Method, Stepper};
use crate::ode::Ode;

/// The order of the first step, which is computed from y' and y''. With order 1 starts would cost steps, and accuracy
/// where there are many (a body in flight follows a parabola, which order 2 integrates exactly).
pub(super) const START_ORDER: usize = 2;

/// A family of formulas: its name and its parameters κ.
#[derive(Debug)]
pub(in crate::methods) struct Formulas {
    pub(super) name: &'static str,
    summary: &'static str,
    /// κ_k, k from 1
    kappa: [f64; MAX_ORDER],
}

/// Numerical differentiation formulas, Shampine, Reichelt, Table 1: larger steps for the same error, with slightly less
/// stability.
pub(in crate::methods) static NDF: Formulas = Formulas {
    name: "ode15s",
    summary: "numerical differentiation formulas of orders 1 to 5 for stiff problems, as MATLAB's ode15s; sees rates at steps' ends only",
    kappa: [-0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0],
};

/// Backward differentiation formulas: κ = 0.
pub(in crate::methods) static BDF: Formulas = Formulas {
    name: "ode15s-bdf",
    summary: "ode15s with backward differentiation formulas",
    kappa: [0.0; MAX_ORDER],
};

/// γ_k = Σ_{j≤k} 1/j.
pub(super) const GAMMA: [f64; MAX_ORDER + 1] = [0.0, 1.0, 3.0 / 2.0, 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0];

impl Formulas {
    /// Returns the coefficient of d: (1 − κ_k) γ_k.
    pub(super) fn alpha(&self, k: usize) -> f64 {
        (1.0 - self.kappa[k - 1]) * GAMMA[k]
    }

    /// Returns the local error divided by ∇ᵏ⁺¹y.
    pub(super) fn error(&self, k: usize) -> f64 {
        self.kappa[k - 1] * GAMMA[k] + 1.0 / (k + 1) as f64
    }
}

impl Method for Formulas {
    fn name(&self) -> &'static str {
        self.name
    }
    fn summary(&self) -> &'static str {
        self.summary
    }
    fn order(&self) -> usize {
        MAX_ORDER
    }
    fn suits_stiff(&self) -> bool {
        true
    }
    fn remembers(&self) -> bool {
        true
    }
    fn start_order(&self) -> usize {
        START_ORDER
    }
    fn start(&'static self, ode: &mut dyn Ode, n: usize) -> Box<dyn Stepper> {
        with_lanes!(n, L => Box::new(Multistep::<L>::new(self, ode, n)))
    }
}
