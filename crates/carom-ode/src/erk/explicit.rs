//! A method defined by its tableau alone.

use std::fmt::Debug;

use super::Erk;
use crate::lanes::with_lanes;
use crate::method::{Method, Stepper};
use crate::ode::Ode;
use crate::tableau::{MOST_STAGES, Tableau};

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
///         error_factor: 1.0,
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
    /// the same, in one place of memory
    const SHARED: &'static Tableau = &Self::TABLEAU;
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
    fn tableau(&self) -> Option<&'static Tableau> {
        Some(M::SHARED)
    }
    fn start(&'static self, _: &mut dyn Ode, n: usize) -> Box<dyn Stepper> {
        with_lanes!(n, L => Box::new(Erk::<M, L>::new(n)))
    }
}

#[cfg(test)]
mod tests {
    use crate::tableau::{Row, Tableau};

    /// Returns Σ w_i x_i with the slope at the end as the last stage.
    fn sum(row: Row, x: &[f64]) -> f64 {
        row.iter().map(|&(i, w)| w * x[i]).sum()
    }

    /// Checks conditions that a wrong digit breaks: rows add up to nodes, and powers of t are integrated exactly
    /// (Hairer, Nørsett, Wanner, II.2, trees of one level), by the solution up to its order, by the estimate to zero.
    #[test]
    fn tableaus_satisfy_quadrature_conditions() {
        let explicit: Vec<&Tableau> =
            crate::methods::ALL.iter().filter_map(|method| method.tableau()).collect();
        assert!(!explicit.is_empty());
        for method in explicit {
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
