//! The coefficients of explicit Runge–Kutta methods, and a method defined by them alone.

use std::fmt::Debug;

use super::Erk;
use crate::lanes::with_lanes;
use crate::method::{Method, Stepper};
use crate::ode::Ode;

/// A row of a tableau: (stage, coefficient), zeros left out.
pub type Row = &'static [(usize, f64)];

/// The coefficients of an explicit embedded Runge–Kutta method with a continuous extension.
///
/// The slope at the end of a step is one more stage after those of `a` (first same as last).
/// Continuous extension, θ from 0 to 1 (Hairer, Nørsett, Wanner, II.6):
/// y(θ) = y0 + θ(r1 + (1−θ)(r2 + θ(r3 + (1−θ)(r4 + θ(r5 + …))))), r1 = y1 − y0, r2 = h f0 − r1,
/// r3 = r1 − h f1 − r2, and r4 … = h Σ d_i k_i.
#[derive(Debug)]
pub struct Tableau {
    /// the name by which users select it
    pub name: &'static str,
    /// a description in one line
    pub summary: &'static str,
    /// order of the solution
    pub order: usize,
    /// the error estimate is proportional to h to this power
    pub error_order: usize,
    /// factor by which errors are multiplied, so that for the same tolerance the result is as accurate as that of other
    /// methods of the family, whose error norms and constants differ
    pub error_factor: f64,
    /// exponent β of the step-size controller
    pub beta: f64,
    /// the least factor by which a step may shrink
    pub min_factor: f64,
    /// the largest factor by which a step may grow
    pub max_factor: f64,
    /// nodes
    pub c: &'static [f64],
    /// stages
    pub a: &'static [Row],
    /// weights of the solution
    pub b: Row,
    /// weights of the error estimate
    pub error: Row,
    /// weights of a second estimate, which corrects the first (DOP853)
    pub error_3: Option<Row>,
    /// nodes of the extra stages of the continuous extension
    pub dense_c: &'static [f64],
    /// the extra stages
    pub dense_a: &'static [Row],
    /// weights of r4 …
    pub dense_d: &'static [Row],
}

/// The largest number of stages of a tableau, including the slope at the end.
pub const MOST_STAGES: usize = 13;

impl Tableau {
    /// Returns, for every stage, whether it enters neither the solution nor the estimates. The last stage, the slope at
    /// the end, is the first of the next step.
    pub(super) const fn unseen(&self) -> [bool; MOST_STAGES] {
        let mut unseen = [false; MOST_STAGES];
        let mut stage = 1;
        while stage < self.a.len() {
            let tempers = matches!(self.error_3, Some(row) if has(row, stage));
            unseen[stage] = !(has(self.b, stage) || has(self.error, stage) || tempers);
            stage += 1;
        }
        unseen
    }
}

const fn has(row: Row, stage: usize) -> bool {
    let mut i = 0;
    while i < row.len() {
        if row[i].0 == stage {
            return true;
        }
        i += 1;
    }
    false
}

/// A method defined by its tableau alone. The coefficients are known when the driver is compiled for it, so that only
/// products and sums of the non-zero coefficients remain.
///
/// Heun's method of order 2 with Euler's method embedded, for [`Ivp::with`](crate::Ivp::with):
///
/// ```
/// use carom_ode::Ivp;
/// use carom_ode::erk::{Explicit, Tableau};
///
/// #[derive(Debug)]
/// struct Heun;
/// impl Explicit for Heun {
///     const TABLEAU: Tableau = Tableau {
///         name: "heun",
///         summary: "Heun 2(1)",
///         order: 2,
///         error_order: 2,
///         strict: 1.0,
///         beta: 0.0,
///         min_factor: 0.2,
///         max_factor: 5.0,
///         c: &[0.0, 1.0],
///         a: &[&[], &[(0, 1.0)]],
///         b: &[(0, 0.5), (1, 0.5)],
///         error: &[(0, -0.5), (1, 0.5)],
///         error_3: None,
///         dense_c: &[],
///         dense_a: &[],
///         dense_d: &[],
///     };
/// }
/// let decay = Ivp::new(|_, y, dy| dy[0] = -y[0], 0.0, [1.0]).with(&Heun).rtol(1e-6).atol(1e-6).solve_to(1.0)?;
/// assert!((decay.y_end()[0] - (-1f64).exp()).abs() < 1e-6);
/// # Ok::<(), carom_ode::Unfinished>(())
/// ```
pub trait Explicit: Debug + Send + Sync + 'static {
    /// the coefficients
    const TABLEAU: Tableau;
    /// whether each stage is in none of the estimates
    const UNSEEN: [bool; MOST_STAGES] = Self::TABLEAU.unseen();
}

impl<M: Explicit> Method for M {
    fn name(&self) -> &'static str {
        M::TABLEAU.name
    }
    fn summary(&self) -> &'static str {
        M::TABLEAU.summary
    }
    fn order(&self) -> usize {
        M::TABLEAU.order
    }
    fn is_adaptive(&self) -> bool {
        true
    }
    fn start(&'static self, _: &mut dyn Ode, n: usize) -> Box<dyn Stepper> {
        with_lanes!(n, L => Box::new(Erk::<M, L>::new(n)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns Σ w_i x_i with the slope at the end as the last stage.
    fn sum(row: Row, x: &[f64]) -> f64 {
        row.iter().map(|&(i, w)| w * x[i]).sum()
    }

    /// Checks conditions that a wrong digit breaks: rows add up to nodes, and powers of t are integrated exactly
    /// (Hairer, Nørsett, Wanner, II.2, trees of one level), by the solution up to its order, by the estimate to zero.
    #[test]
    fn tableaus_satisfy_quadrature_conditions() {
        for method in crate::methods::tableaus() {
            let stages = method.a.len();
            let ones = vec![1.0; stages + 1];
            for (row, c) in method.a.iter().zip(method.c).chain(method.dense_a.iter().zip(method.dense_c)) {
                let ones = vec![1.0; stages + 1 + method.dense_a.len()];
                assert!((sum(row, &ones) - c).abs() < 2e-14, "{}: node {c}", method.name);
            }
            assert!((sum(method.b, &ones) - 1.0).abs() < 1e-15, "{}", method.name);
            for q in 1..=method.order as i32 {
                let power: Vec<f64> = method.c.iter().chain([&1.0]).map(|c| c.powi(q - 1)).collect();
                let error = sum(method.b, &power) - 1.0 / f64::from(q);
                assert!(error.abs() < 1e-14, "{}: order {q}: {error:e}", method.name);
                let estimate = sum(method.error, &power);
                let blind_to = if method.error_3.is_some() { 5 } else { method.order as i32 - 1 };
                assert!(
                    q > blind_to || estimate.abs() < 1e-14,
                    "{}: estimate, {q}: {estimate:e}",
                    method.name
                );
            }
        }
    }
}
