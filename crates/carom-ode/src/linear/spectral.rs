//! Estimates how fast the fastest motion of a linearised problem is: the spectral radius of its Jacobian.

use super::Jacobian;
use carom_portable::elementary::{exp, ln};

/// The number of products with the matrix per estimate; the growth over the second half of them is the result.
const PRODUCTS: usize = 24;

/// The amount of every component that is added to the vector of the last estimate, whose size is 1.
const FRESH: f64 = 0.1;

/// The spectral radius by power iteration, with workspace for its vectors.
///
/// A norm of the Jacobian would not do: a spring k makes it k, although the motion is as fast as √k. The mean growth
/// over several products is right for a complex pair too, whose vectors rotate instead of converging. The vector is
/// kept from one estimate to the next, so that the estimate improves while the Jacobian changes slowly. All components
/// are added to it again each time, because an earlier Jacobian (with a contact still open) may have removed some of
/// them.
pub(crate) struct SpectralRadius {
    v: Vec<f64>,
    w: Vec<f64>,
}

carom_portable::carried!(SpectralRadius { v } scratch { w });

impl SpectralRadius {
    pub(crate) fn new(n: usize) -> SpectralRadius {
        SpectralRadius { v: vec![0.0; n], w: vec![0.0; n] }
    }

    /// Returns an estimate from below, within a few per cent if one pair of eigenvalues dominates; 0 for a nilpotent
    /// matrix. `scale` holds the size of each component, so that the result does not depend on units.
    pub(crate) fn estimate(&mut self, j: &Jacobian, scale: &[f64]) -> f64 {
        let size = |v: &[f64]| v.iter().zip(scale).fold(0.0f64, |s, (v, scale)| s.max((v / scale).abs()));
        let mut log_growth = 0.0;
        let mut counted = 0;
        for (i, (v, scale)) in self.v.iter_mut().zip(scale).enumerate() {
            // all components differ, so that the start vector is not orthogonal to any regular pattern of the problem
            *v += FRESH * scale * (1.0 + ((i + 1) as f64 * 0.618_033_988_749_895).fract());
        }
        for product in 0..PRODUCTS {
            self.w.fill(0.0);
            for column in 0..j.n() {
                let v = self.v[column];
                for (&i, a) in j.sparsity().rows(column).iter().zip(j.column(column)) {
                    self.w[i] += a * v;
                }
            }
            let growth = size(&self.w);
            if !(growth > 0.0 && growth.is_finite()) {
                self.v.fill(0.0);
                return 0.0;
            }
            if product >= PRODUCTS / 2 {
                log_growth += ln(growth);
                counted += 1;
            }
            for (v, w) in self.v.iter_mut().zip(&self.w) {
                *v = w / growth;
            }
        }
        exp(log_growth / f64::from(counted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::Sparsity;

    fn radius(rows: &[&[f64]]) -> f64 {
        let n = rows.len();
        let mut j = Jacobian::new(Sparsity::full(n));
        for (i, row) in rows.iter().enumerate() {
            for (k, a) in row.iter().enumerate() {
                j.set(i, k, *a);
            }
        }
        SpectralRadius::new(n).estimate(&j, &vec![1.0; n])
    }

    #[test]
    fn of_springs_and_dampers() {
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 0.2, "{a} for {b}");
        close(radius(&[&[-3.0, 0.0], &[0.0, -100.0]]), 100.0);
        // a spring: ± i √k
        close(radius(&[&[0.0, 1.0], &[-1e8, 0.0]]), 1e4);
        // overdamped: λ² + c λ + k = 0
        close(radius(&[&[0.0, 1.0], &[-1e4, -1e3]]), 500.0 + (250_000.0f64 - 1e4).sqrt());
        assert_eq!(radius(&[&[0.0, 1.0], &[0.0, 0.0]]), 0.0, "free flight is nilpotent");
    }

    /// A fast part that did not exist at the last estimate is found.
    #[test]
    fn of_a_contact_that_closes() {
        let mut j = Jacobian::new(Sparsity::full(3));
        let mut spectral = SpectralRadius::new(3);
        // a slow oscillation, and a bristle without a contact
        j.set(0, 1, 9.0);
        j.set(1, 0, -9.0);
        for _ in 0..3 {
            let rho = spectral.estimate(&j, &[1.0, 1.0, 1e-6]);
            assert!((rho - 9.0).abs() < 1e-6, "{rho}");
        }
        j.set(2, 2, -1e8);
        let rho = spectral.estimate(&j, &[1.0, 1.0, 1e-6]);
        assert!((rho / 1e8 - 1.0).abs() < 1e-6, "{rho}");
    }
}
