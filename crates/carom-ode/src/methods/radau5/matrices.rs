//! The Jacobian and the factors of γ/h I − J and (α + iβ)/h I − J, for as long as they will do.

use num_complex::Complex64;

use super::coefficients::{ALPHA_BETA, GAMMA};
use crate::counted::Counted;
use crate::linear::{Jacobian, Linearised, Shifted};
use crate::methods::{Buffers, Tolerance};
use crate::ode::{Ode, RhsFailure};

/// Where the Jacobian was evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// nowhere that still counts
    Due,
    /// at the start of an earlier step
    Old,
    /// at the start of the present step
    Here,
}

/// With a rate of convergence better than this the Jacobian serves another step: IV.8, "simplified Newton".
const GOOD_RATE: f64 = 1e-3;
/// The same where a Jacobian costs as many evaluations as a step.
const GOOD_RATE_DIFFERENCES: f64 = 3e-3;
/// Steps that agree to this share are the same to the iteration: its rate of convergence shows no less.
const SAME: f64 = 1e-6;

/// The matrices of the iteration.
pub(super) struct Matrices {
    linear: Linearised,
    pub(super) real: Shifted<f64>,
    pub(super) complex: Shifted<Complex64>,
    pub(super) age: Age,
    /// with a rate of convergence up to this it serves another step
    pub(super) good_rate: f64,
    /// the step the factors belong to
    factored: Option<f64>,
    bound: f64,
    x: [Vec<f64>; 2],
}

impl Matrices {
    /// Room for those of a problem.
    pub(super) fn new(ode: &dyn Ode) -> Matrices {
        let linear = Linearised::new(ode);
        let m = linear.j.n();
        Matrices {
            real: Shifted::new(&linear.j),
            complex: Shifted::new(&linear.j),
            linear,
            age: Age::Due,
            good_rate: GOOD_RATE,
            factored: None,
            bound: f64::INFINITY,
            x: [vec![0.0; m], vec![0.0; m]],
        }
    }

    /// The Jacobian at the start of the step.
    pub(super) fn evaluate(
        &mut self,
        ode: &mut Counted<'_>,
        b: &Buffers,
        n: usize,
        tol: &Tolerance<'_>,
    ) -> Result<(), RhsFailure> {
        self.factored = None;
        self.age = Age::Due;
        let before = ode.stats().evaluations;
        self.linear.evaluate(ode, b.t0, &b.y0[..n], &b.f0[..n], tol)?;
        let exact = ode.stats().evaluations == before;
        self.good_rate = if exact { GOOD_RATE } else { GOOD_RATE_DIFFERENCES };
        self.age = Age::Here;
        self.bound = spectral_radius_bound(&self.linear.j, &mut self.x);
        Ok(())
    }

    /// The factors for a step. `Err(k)`: singular, as seen in column k.
    pub(super) fn factor(&mut self, ode: &mut Counted<'_>, h: f64) -> Result<(), usize> {
        // steps that differ by rounding share theirs
        if self.factored.is_some_and(|factored| (factored / h - 1.0).abs() <= SAME) {
            return Ok(());
        }
        self.factored = None;
        ode.stats().factorisations += 1;
        self.real.factor(GAMMA / h, &self.linear.j)?;
        self.complex.factor(ALPHA_BETA / h, &self.linear.j)?;
        self.factored = Some(h);
        Ok(())
    }

    /// No eigenvalue of the last Jacobian is larger than this.
    pub(super) fn spectral_radius_bound(&self) -> f64 {
        self.bound
    }
}

/// A bound on the eigenvalues of J: max_i (|J| x)_i / x_i for any x > 0 (L. Collatz, Math. Z. 48 (1942) 221).
///
/// The best of a few x. Each is the geometric mean of the last and |J| times it: that finds the scales of positions
/// and velocities (x'' = −ω² x: ω after one turn), where plain powers would go round in a circle.
fn spectral_radius_bound(j: &Jacobian, [x, y]: &mut [Vec<f64>; 2]) -> f64 {
    let mut best = f64::INFINITY;
    x.fill(1.0);
    for _ in 0..6 {
        y.fill(0.0);
        for column in 0..j.n() {
            for (&row, v) in j.sparsity().rows(column).iter().zip(j.column(column)) {
                y[row] += v.abs() * x[column];
            }
        }
        let mut bound = 0.0f64;
        for (x, y) in x.iter_mut().zip(&*y) {
            bound = bound.max(y / *x);
            // a component that nothing moves must not come down to zero
            *x = (*x * y).sqrt().max(1e-6 * *x);
        }
        best = best.min(bound);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::Sparsity;

    fn bound(n: usize, entries: &[(usize, usize, f64)]) -> f64 {
        let mut j = Jacobian::new(Sparsity::full(n));
        for &(row, column, v) in entries {
            j.set(row, column, v);
        }
        spectral_radius_bound(&j, &mut [vec![0.0; n], vec![0.0; n]])
    }

    #[test]
    fn bounds_hold_and_are_close() {
        let spring = bound(2, &[(0, 1, 1.0), (1, 0, -1e8)]);
        assert!((spring / 1e4 - 1.0).abs() < 1e-12, "{spring}");
        // two masses, springs 1e6 and 1: the largest eigenvalue is near √2 10³
        let (k, s) = (1e6, 1.0);
        let chain = [(0, 2, 1.0), (1, 3, 1.0), (2, 0, -k - s), (2, 1, k), (3, 0, k), (3, 1, -k - s)];
        let chain = bound(4, &chain);
        assert!((1414.0..1450.0).contains(&chain), "{chain}");
        // what is driven but drives nothing does not count for much
        let driven = bound(2, &[(0, 0, -1.0), (1, 0, 1e3)]);
        assert!((1.0..50.0).contains(&driven), "{driven}");
    }
}
