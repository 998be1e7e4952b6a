//! The linear algebra of the library's implicit steps, by its files: it is not part of the interface.
#![allow(dead_code, unreachable_pub, reason = "not all of it is measured")]

#[path = "../../../crates/carom-ode/src/linear/dense.rs"]
mod dense;
#[path = "../../../crates/carom-ode/src/linear/field.rs"]
mod field;
#[path = "../../../crates/carom-ode/src/linear/jacobian.rs"]
mod jacobian;
#[path = "../../../crates/carom-ode/src/linear/sparse/mod.rs"]
mod sparse;

use dense::Factors;
pub(crate) use field::Field;
pub(crate) use jacobian::{Jacobian, Sparsity};

/// Sparse factors.
pub(crate) struct Sparse<T>(sparse::SparseLu<T>);

impl<T: Field> Sparse<T> {
    pub(crate) fn new(j: &Jacobian) -> Sparse<T> {
        Sparse(sparse::SparseLu::new(j))
    }

    pub(crate) fn solve(&mut self, alpha: T, j: &Jacobian, b: &mut [T]) -> Result<(), usize> {
        self.0.factor(alpha, j)?;
        self.0.solve(b);
        Ok(())
    }
}

/// Dense factors.
pub(crate) struct Dense<T>(dense::DenseLu<T>);

impl<T: Field> Dense<T> {
    pub(crate) fn new(n: usize) -> Dense<T> {
        Dense(dense::DenseLu::new(n))
    }

    pub(crate) fn solve(&mut self, alpha: T, j: &Jacobian, b: &mut [T]) -> Result<(), usize> {
        for c in 0..j.n() {
            let column = self.0.column(c);
            column.fill(T::default());
            for (&i, &v) in j.sparsity().rows(c).iter().zip(j.column(c)) {
                column[i] = T::from(-v);
            }
            column[c] = column[c] + alpha;
        }
        self.0.factor()?;
        self.0.solve(b);
        Ok(())
    }
}
