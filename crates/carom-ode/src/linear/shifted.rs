//! Factors of α I − J, dense or sparse, α real or complex.

use carom_portable::elementary::powi;
use carom_portable::snapshot::{Carried, Reader, SnapshotError, Writer};

use super::dense::{DenseLu, Factors};
use super::field::Field;
use super::jacobian::Jacobian;
use super::small::SmallLu;
use super::sparse::SparseLu;

/// Factors of α I − J.
pub(crate) struct Shifted<T> {
    lu: Lu<T>,
}

enum Lu<T> {
    Dense(Box<dyn Factors<T>>),
    Sparse(Box<SparseLu<T>>),
}

impl<T: Field> Carried for Shifted<T> {
    fn save(&self, to: &mut Writer) {
        match &self.lu {
            Lu::Dense(lu) => lu.save(to),
            Lu::Sparse(lu) => lu.save(to),
        }
    }
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        match &mut self.lu {
            Lu::Dense(lu) => lu.restore(from),
            Lu::Sparse(lu) => lu.restore(from),
        }
    }
}

/// The fraction of the work of dense factors (n³/3 products) above which dense factors are faster, because a product
/// takes two to four times as long in sparse ones. Measured with random patterns of 20 to 200 unknowns (`sparse-lu` in
/// the benchmarks): 0.6 at n = 20, 0.4 at 80, 0.25 at 200 for real numbers, above that for complex ones.
const DENSE_SHARE: f64 = 0.3;

impl<T: Field> Shifted<T> {
    /// Allocates memory for the factors of a matrix with the pattern of `j`.
    pub(crate) fn new(j: &Jacobian) -> Shifted<T> {
        let n = j.n();
        let dense = || j.sparsity().is_full() || j.order().work > DENSE_SHARE * powi(n as f64, 3) / 3.0;
        let lu = match n {
            // few rows: computed in lanes, whatever the pattern
            0..=4 => Lu::Dense(Box::new(SmallLu::<T, 4>::new(n))),
            5..=8 => Lu::Dense(Box::new(SmallLu::<T, 8>::new(n))),
            9..=12 => Lu::Dense(Box::new(SmallLu::<T, 12>::new(n))),
            _ if dense() => Lu::Dense(Box::new(DenseLu::new(n))),
            _ => Lu::Sparse(Box::new(SparseLu::new(j))),
        };
        Shifted { lu }
    }

    /// Factors α I − J; J must be finite. `Err(k)`: the matrix is singular, as found in column k.
    pub(crate) fn factor(&mut self, alpha: T, j: &Jacobian) -> Result<(), usize> {
        match &mut self.lu {
            Lu::Dense(lu) => {
                fill(lu.as_mut(), alpha, j);
                lu.factor()
            }
            Lu::Sparse(lu) => lu.factor(alpha, j),
        }
    }

    /// Returns the work of a factorisation, as the equivalent number of products of dense factors.
    pub(crate) fn work(&self, j: &Jacobian) -> f64 {
        match &self.lu {
            Lu::Dense(_) => powi(j.n() as f64, 3) / 3.0,
            Lu::Sparse(_) => j.order().work / DENSE_SHARE,
        }
    }

    /// Replaces b by (α I − J)⁻¹ b.
    pub(crate) fn solve(&mut self, b: &mut [T]) {
        match &mut self.lu {
            Lu::Dense(lu) => lu.solve(b),
            Lu::Sparse(lu) => lu.solve(b),
        }
    }
}

/// Writes α I − J, column by column.
fn fill<T: Field>(a: &mut dyn Factors<T>, alpha: T, j: &Jacobian) {
    let n = j.n();
    let full = j.sparsity().is_full();
    for c in 0..n {
        let column = a.column(c);
        if full {
            for (x, &v) in column.iter_mut().zip(j.column(c)) {
                *x = T::from(-v);
            }
        } else {
            column.fill(T::default());
            for (&i, &v) in j.sparsity().rows(c).iter().zip(j.column(c)) {
                column[i] = T::from(-v);
            }
        }
        column[c] = column[c] + alpha;
    }
}

#[cfg(test)]
mod tests {
    use num_complex::Complex64;

    use super::super::Sparsity;
    use super::*;

    fn residual<T: Field>(alpha: T, j: &Jacobian) -> (f64, bool) {
        let n = j.n();
        let mut lu = Shifted::new(j);
        lu.factor(alpha, j).unwrap();
        let b: Vec<T> = (0..n).map(|i| T::from(i as f64 - 5.0)).collect();
        let mut x = b.clone();
        lu.solve(&mut x);
        let row = |i: usize| (0..n).fold(alpha * x[i] - b[i], |r, c| r - T::from(j.get(i, c)) * x[c]).size();
        ((0..n).map(row).fold(0.0, f64::max), matches!(lu.lu, Lu::Dense(_)))
    }

    /// Full, nearly full and sparse matrices: the work decides on the method, never on the result.
    #[test]
    fn dense_or_sparse() {
        let n = 70;
        let nearly = Sparsity::new(n, (0..n * n).map(|k| (k / n, k % n)).filter(|(i, j)| (i + j) % 3 > 0));
        for (s, dense) in [(Sparsity::full(n), true), (nearly, true), (Sparsity::banded(n, 3, 2), false)] {
            let mut j = Jacobian::new(s.clone());
            for c in 0..n {
                for &i in s.rows(c) {
                    j.set(i, c, ((i * 31 + c * 17) as f64).sin());
                }
            }
            for (r, is_dense) in [residual(20.0, &j), residual(Complex64::new(3.0, 20.0), &j)] {
                assert!(r < 1e-12 && is_dense == dense, "{r} {is_dense}");
            }
        }
        let none = Jacobian::new(Sparsity::new(0, []));
        assert!(Shifted::new(&none).factor(1.0, &none).is_ok());
    }
}
