//! LU of a matrix of few rows with partial pivoting (G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th ed., 3.4).
//!
//! The same steps as those of `dense`, on whole columns of L lanes: loops over the few rows below a diagonal would take
//! longer than the arithmetic. Lanes beyond the matrix are those of a unit matrix.

use super::dense::{Factors, largest};
use super::field::Field;

/// Factors P A = L U in place of A, column by column.
#[derive(Debug)]
pub(super) struct SmallLu<T, const L: usize> {
    n: usize,
    a: [[T; L]; L],
    /// the row of A that became row i
    rows: [usize; L],
    /// the diagonal of U, inverted
    inverse: [T; L],
}

impl<T: Field, const L: usize> SmallLu<T, L> {
    /// For n ≤ L rows.
    pub(super) fn new(n: usize) -> SmallLu<T, L> {
        let unit = |c: usize| std::array::from_fn(|i| T::from(f64::from(u8::from(i == c))));
        SmallLu {
            n: n.min(L),
            a: std::array::from_fn(unit),
            rows: std::array::from_fn(|i| i),
            inverse: [T::from(1.0); L],
        }
    }

    /// The four unknowns from `first` on, taken to the other side in the rows above.
    #[inline(always)]
    fn backward(&self, first: usize, x: &mut [T; L]) {
        let a = &self.a[first..first + 4];
        for j in (0..4).rev() {
            x[first + j] = x[first + j] * self.inverse[first + j];
            for i in 0..j {
                x[first + i] = x[first + i] - a[j][first + i] * x[first + j];
            }
        }
        let [u0, u1, u2, u3] = [x[first], x[first + 1], x[first + 2], x[first + 3]];
        for i in 0..first {
            x[i] = x[i] - ((a[0][i] * u0 + a[1][i] * u1) + (a[2][i] * u2 + a[3][i] * u3));
        }
    }
}

impl<T: Field, const L: usize> Factors<T> for SmallLu<T, L> {
    fn column(&mut self, j: usize) -> &mut [T] {
        &mut self.a[j][..self.n]
    }

    fn factor(&mut self) -> Result<(), usize> {
        let n = self.n;
        self.rows = std::array::from_fn(|i| i);
        for k in 0..n {
            let p = k + largest(&self.a[k][k..n]).ok_or(k)?;
            let inverse = self.a[k][p].inverse();
            if !inverse.size().is_finite() {
                return Err(k);
            }
            self.inverse[k] = inverse;
            if p != k {
                self.rows.swap(k, p);
                for column in &mut self.a[..n] {
                    column.swap(k, p);
                }
            }
            let mut l = [T::default(); L];
            for i in k + 1..n {
                l[i] = self.a[k][i] * inverse;
                self.a[k][i] = l[i];
            }
            for column in &mut self.a[k + 1..n] {
                let u = column[k];
                for i in 0..L {
                    column[i] = column[i] - l[i] * u;
                }
            }
        }
        Ok(())
    }

    fn solve(&self, b: &mut [T]) {
        let mut x = [T::default(); L];
        for i in 0..self.n {
            x[i] = b[self.rows[i]];
        }
        for k in 0..L {
            for i in k + 1..L {
                x[i] = x[i] - self.a[k][i] * x[k];
            }
        }
        for first in (0..L).step_by(4).rev() {
            self.backward(first, &mut x);
        }
        for i in 0..self.n {
            b[i] = x[i];
        }
    }
}
