//! Factors of α I − J, dense or sparse, α real or complex.

use super::dense::DenseLu;
use super::field::Field;
use super::jacobian::Jacobian;
use super::sparse::SparseLu;

/// Factors of α I − J.
pub(crate) struct Shifted<T> {
    lu: Lu<T>,
}

enum Lu<T> {
    Dense(DenseLu<T>),
    Sparse(SparseLu<T>),
}

impl<T: Field> Shifted<T> {
    /// Room for the factors of a matrix of the pattern of `j`.
    pub(crate) fn new(j: &Jacobian) -> Shifted<T> {
        let n = j.n();
        let full = j.sparsity().entries() == n * n;
        Shifted { lu: if full { Lu::Dense(DenseLu::new(n)) } else { Lu::Sparse(SparseLu::new(j)) } }
    }

    /// Factors α I − J. `Err(k)`: singular, as seen in column k.
    pub(crate) fn factor(&mut self, alpha: T, j: &Jacobian) -> Result<(), usize> {
        match &mut self.lu {
            Lu::Dense(lu) => {
                let n = j.n();
                let a = lu.matrix();
                for column in 0..n {
                    for (x, &v) in a[column * n..].iter_mut().zip(j.column(column)) {
                        *x = T::from(-v);
                    }
                    a[column * n + column] = a[column * n + column] + alpha;
                }
                lu.factor()
            }
            Lu::Sparse(lu) => lu.factor(alpha, j),
        }
    }

    /// (α I − J)⁻¹ b in place of b.
    pub(crate) fn solve(&mut self, b: &mut [T]) {
        match &mut self.lu {
            Lu::Dense(lu) => lu.solve(b),
            Lu::Sparse(lu) => lu.solve(b),
        }
    }
}
