//! LU of a full matrix with partial pivoting (Golub, Van Loan, *Matrix Computations*, 3.4), by columns.

use super::field::Field;

/// Factors P A = L U in place of A, column by column.
#[derive(Debug)]
pub(super) struct DenseLu<T> {
    n: usize,
    a: Vec<T>,
    pivots: Vec<usize>,
}

impl<T: Field> DenseLu<T> {
    pub(super) fn new(n: usize) -> DenseLu<T> {
        DenseLu { n, a: vec![T::default(); n * n], pivots: vec![0; n] }
    }

    /// The matrix to be factored, by columns.
    pub(super) fn matrix(&mut self) -> &mut [T] {
        &mut self.a
    }

    /// Factors the matrix. `Err(k)`: no pivot in column k.
    pub(super) fn factor(&mut self) -> Result<(), usize> {
        let n = self.n;
        for k in 0..n {
            let column = &self.a[k * n..(k + 1) * n];
            let mut p = k;
            for i in k + 1..n {
                if column[i].size() > column[p].size() {
                    p = i;
                }
            }
            let pivot = column[p];
            if !(pivot.size() > 0.0 && pivot.size().is_finite()) {
                return Err(k);
            }
            self.pivots[k] = p;
            let inverse = T::from(1.0) / pivot;
            let (left, right) = self.a.split_at_mut((k + 1) * n);
            let l = &mut left[k * n..];
            l.swap(k, p);
            for x in &mut l[k + 1..] {
                *x = *x * inverse;
            }
            for column in right.chunks_exact_mut(n) {
                column.swap(k, p);
                let u = column[k];
                if u != T::default() {
                    for (x, &l) in column[k + 1..].iter_mut().zip(&l[k + 1..]) {
                        *x = *x - l * u;
                    }
                }
            }
        }
        Ok(())
    }

    /// A⁻¹ b in place of b.
    pub(super) fn solve(&self, b: &mut [T]) {
        let n = self.n;
        // rows to the left of a pivot are not swapped in `factor`: each step swaps as it comes
        for k in 0..n {
            b.swap(k, self.pivots[k]);
            let u = b[k];
            for (x, &l) in b[k + 1..].iter_mut().zip(&self.a[k * n + k + 1..(k + 1) * n]) {
                *x = *x - l * u;
            }
        }
        for k in (0..n).rev() {
            b[k] = b[k] / self.a[k * n + k];
            let u = b[k];
            for (x, &l) in b[..k].iter_mut().zip(&self.a[k * n..k * n + k]) {
                *x = *x - l * u;
            }
        }
    }
}
