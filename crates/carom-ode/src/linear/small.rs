//! LU of a matrix of few rows with partial pivoting (G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th ed., 3.4).
//!
//! The steps are those of `dense`, on whole columns of L lanes: loops over the few rows below a diagonal would take
//! longer than the arithmetic. Lanes beyond the matrix hold a unit matrix.

use super::dense::{Factors, largest};
use super::field::Field;

/// The factors P A = L U, stored in place of A, column by column.
#[derive(Debug)]
pub(super) struct SmallLu<T, const L: usize> {
    n: usize,
    a: [[T; L]; L],
    /// the row of A that became row i
    rows: [usize; L],
    /// the diagonal of U, inverted
    inverse: [T; L],
}

carom_portable::carried!([T: Field, const L: usize] SmallLu<T, L> { a, rows, inverse } scratch { n });

impl<T: Field, const L: usize> SmallLu<T, L> {
    /// Allocates memory for n ≤ L rows.
    pub(super) fn new(n: usize) -> SmallLu<T, L> {
        let unit = |c: usize| std::array::from_fn(|i| T::from(f64::from(u8::from(i == c))));
        SmallLu {
            n: n.min(L),
            a: std::array::from_fn(unit),
            rows: std::array::from_fn(|i| i),
            inverse: [T::from(1.0); L],
        }
    }

    /// Solves for the four unknowns from `first` on and subtracts their contributions from the rows above.
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
        for (b, x) in b.iter_mut().zip(x) {
            *b = x;
        }
    }
}

#[cfg(test)]
mod tests {
    use num_complex::Complex64;
    use proptest::prelude::*;

    use super::super::dense::DenseLu;
    use super::*;

    fn factored<T: Field>(
        mut lu: impl Factors<T>,
        n: usize,
        a: &[T],
    ) -> (impl Factors<T>, Result<(), usize>) {
        for j in 0..n {
            lu.column(j).copy_from_slice(&a[j * n..][..n]);
        }
        let result = lu.factor();
        (lu, result)
    }

    /// Returns A x − b divided by the size of x, and the difference of x from that of `DenseLu`; both must find no
    /// pivot in the same column.
    fn check<T: Field, const L: usize>(n: usize, a: &[T]) -> Option<(f64, f64)> {
        let (small, result) = factored(SmallLu::<T, L>::new(n), n, a);
        let (dense, other) = factored(DenseLu::new(n), n, a);
        assert_eq!(result, other);
        result.ok()?;
        let b: Vec<T> = (0..n).map(|i| T::from(1.0 - 0.3 * i as f64)).collect();
        let (mut x, mut y) = (b.clone(), b.clone());
        small.solve(&mut x);
        dense.solve(&mut y);
        let largest = |v: &[T]| v.iter().map(|x| x.size()).fold(0.0, f64::max);
        let row = |i: usize| (0..n).fold(b[i], |r, j| r - a[j * n + i] * x[j]);
        let apart: Vec<T> = x.iter().zip(&y).map(|(x, y)| *x - *y).collect();
        let residual: Vec<T> = (0..n).map(row).collect();
        Some((largest(&residual) / largest(&x), largest(&apart) / largest(&x)))
    }

    fn real() -> impl Strategy<Value = (usize, Vec<f64>)> {
        let entry = prop_oneof![2 => -1.0..1.0f64, 1 => Just(0.0)];
        (1usize..=12).prop_flat_map(move |n| (Just(n), prop::collection::vec(entry.clone(), n * n)))
    }

    proptest! {
        #[test]
        fn real_matrices((n, a) in real()) {
            let all = [(4, check::<f64, 4> as fn(usize, &[f64]) -> _), (8, check::<f64, 8>), (12, check::<f64, 12>)];
            for (_, check) in all.iter().filter(|(lanes, _)| n <= *lanes) {
                if let Some((residual, apart)) = check(n, &a) {
                    prop_assert!(residual < 1e-14 * n as f64, "{residual}");
                    // up to five rows the operations are the same in the same order
                    prop_assert!(n > 5 || apart == 0.0, "{apart}");
                }
            }
        }

        #[test]
        fn complex_matrices((n, re) in real(), phase in 0.0..6.3f64) {
            let z = |(k, &x): (usize, &f64)| Complex64::from_polar(x, phase * k as f64);
            let a: Vec<Complex64> = re.iter().enumerate().map(z).collect();
            if let Some((residual, _)) = check::<Complex64, 12>(n, &a) {
                prop_assert!(residual < 2e-14 * n as f64, "{residual}");
            }
        }
    }

    /// A second matrix is factored correctly: nothing is left of the first.
    #[test]
    fn again() {
        let mut lu = SmallLu::<f64, 4>::new(3);
        for a in
            [[0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 5.0, 4.0, 0.0], [2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 8.0]]
        {
            for j in 0..3 {
                lu.column(j).copy_from_slice(&a[3 * j..][..3]);
            }
            assert_eq!(lu.factor(), Ok(()));
        }
        let mut x = [2.0, 4.0, 8.0];
        lu.solve(&mut x);
        assert_eq!(x, [1.0; 3]);
        assert_eq!(SmallLu::<f64, 4>::new(0).factor(), Ok(()));
        assert_eq!(factored(SmallLu::<f64, 4>::new(1), 1, &[1e-310]).1, Err(0));
    }
}
