//! LU of a full matrix with partial pivoting (G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th ed., 3.4).
//!
//! The elimination works by columns, right-looking. In a large matrix four steps are combined (their section 3.4.7),
//! because with one at a time loading and storing would take longer than the arithmetic.

use carom_portable::snapshot::Carried;

use super::field::Field;

/// Factors of a matrix of which all entries are stored.
pub(super) trait Factors<T>: Carried + Send {
    /// Returns a column of the matrix to be factored, for writing.
    fn column(&mut self, j: usize) -> &mut [T];
    /// Factors the matrix, whose entries must be finite. `Err(k)`: there is no pivot in column k.
    fn factor(&mut self) -> Result<(), usize>;
    /// Replaces b by A⁻¹ b.
    fn solve(&self, b: &mut [T]);
}

/// The factors P A = L U, stored in place of A, column by column.
#[derive(Debug)]
pub(super) struct DenseLu<T> {
    n: usize,
    a: Vec<T>,
    /// the row that was swapped with row k at step k
    pivots: Vec<usize>,
    /// the diagonal of U, inverted
    inverse: Vec<T>,
}

carom_portable::carried!([T: Field] DenseLu<T> { a, pivots, inverse } scratch { n });

impl<T: Field> DenseLu<T> {
    pub(super) fn new(n: usize) -> DenseLu<T> {
        DenseLu { n, a: vec![T::default(); n * n], pivots: vec![0; n], inverse: vec![T::default(); n] }
    }

    /// Performs one step of the elimination, on the columns from `first` to `end` only.
    fn step(&mut self, k: usize, first: usize, end: usize) -> Result<(), usize> {
        let n = self.n;
        let (left, right) = self.a[first * n..end * n].split_at_mut((k - first + 1) * n);
        let (left, l) = left.split_at_mut((k - first) * n);
        let p = k + largest(&l[k..]).ok_or(k)?;
        let inverse = l[p].inverse();
        if !inverse.size().is_finite() {
            return Err(k);
        }
        self.pivots[k] = p;
        self.inverse[k] = inverse;
        // by index: chunks would need a division by n, which takes as long as a short column
        for j in 0..k - first {
            left[j * n..][..n].swap(k, p);
        }
        l.swap(k, p);
        let l = &mut l[k + 1..];
        for x in &mut *l {
            *x = *x * inverse;
        }
        for j in 0..end - k - 1 {
            let column = &mut right[j * n..][..n];
            column.swap(k, p);
            let u = column[k];
            if u != T::default() {
                for (x, &l) in column[k + 1..].iter_mut().zip(&*l) {
                    *x = *x - l * u;
                }
            }
        }
        Ok(())
    }

    /// Performs four steps at once, on the columns that follow them.
    fn update(&mut self, first: usize) {
        let n = self.n;
        let (left, right) = self.a.split_at_mut((first + 4) * n);
        for j in 0..n - first - 4 {
            forward_four(&left[first * n..], n, first, &self.pivots, &mut right[j * n..][..n]);
        }
    }

    /// Replaces x by U⁻¹ x.
    fn backward(&self, x: &mut [T]) {
        let n = self.n;
        let mut k = n;
        // the remaining one to three columns first, then four at a time
        while k > 0 {
            let block = (k - 1) % 4 + 1;
            let first = k - block;
            for j in (first..k).rev() {
                let column = &self.a[j * n..j * n + j];
                x[j] = x[j] * self.inverse[j];
                let u = x[j];
                // within the block, and above it if the block has fewer than four columns
                let top = if block == 4 { first } else { 0 };
                for (x, &a) in x[top..j].iter_mut().zip(&column[top..]) {
                    *x = *x - a * u;
                }
            }
            if block == 4 {
                let (above, block) = x.split_at_mut(first);
                subtract_four(&self.a[first * n..k * n], n, 0, block, above);
            }
            k = first;
        }
    }
}

impl<T: Field> Factors<T> for DenseLu<T> {
    fn column(&mut self, j: usize) -> &mut [T] {
        &mut self.a[j * self.n..][..self.n]
    }

    fn factor(&mut self) -> Result<(), usize> {
        let n = self.n;
        let blocked = blocked(n);
        for first in (0..blocked).step_by(4) {
            for k in first..first + 4 {
                self.step(k, first, first + 4)?;
            }
            self.update(first);
        }
        for k in blocked..n {
            self.step(k, k, n)?;
        }
        Ok(())
    }

    fn solve(&self, b: &mut [T]) {
        let n = self.n;
        let blocked = blocked(n);
        // `factor` does not swap rows to the left of a step: each step swaps here when it comes
        for first in (0..blocked).step_by(4) {
            forward_four(&self.a[first * n..], n, first, &self.pivots, b);
        }
        for k in blocked..n {
            b.swap(k, self.pivots[k]);
            let u = b[k];
            for (x, &l) in b[k + 1..].iter_mut().zip(&self.a[k * n + k + 1..(k + 1) * n]) {
                *x = *x - l * u;
            }
        }
        self.backward(b);
    }
}

/// Returns the number of steps that are combined in fours: not the last ones, where little is left to be done.
fn blocked(n: usize) -> usize {
    n.saturating_sub(8) / 4 * 4
}

/// Performs four steps from `first` on, on one column; `l` are their columns of length n.
#[inline]
fn forward_four<T: Field>(l: &[T], n: usize, first: usize, pivots: &[usize], x: &mut [T]) {
    for k in first..first + 4 {
        x.swap(k, pivots[k]);
    }
    let (u, below) = x.split_at_mut(first + 4);
    let Some(u) = u[first..].first_chunk_mut::<4>() else { return };
    let l_of = |i: usize, j: usize| l[j * n + first + i];
    u[1] = u[1] - l_of(1, 0) * u[0];
    u[2] = u[2] - l_of(2, 0) * u[0] - l_of(2, 1) * u[1];
    u[3] = u[3] - l_of(3, 0) * u[0] - l_of(3, 1) * u[1] - l_of(3, 2) * u[2];
    subtract_four(l, n, first + 4, u, below);
}

/// Subtracts A u from x; A are the rows from `first` on of four columns of length n.
#[inline]
fn subtract_four<T: Field>(a: &[T], n: usize, first: usize, u: &[T], x: &mut [T]) {
    let zero = T::default();
    let m = x.len();
    let Some(&[u0, u1, u2, u3]) = u.first_chunk() else { return };
    if u0 == zero && u1 == zero && u2 == zero && u3 == zero {
        return;
    }
    let (a0, a1) = (&a[first..][..m], &a[n + first..][..m]);
    let (a2, a3) = (&a[2 * n + first..][..m], &a[3 * n + first..][..m]);
    for i in 0..m {
        x[i] = x[i] - ((a0[i] * u0 + a1[i] * u1) + (a2[i] * u2 + a3[i] * u3));
    }
}

/// Returns the index of the largest entry. `None`: all are zero, or it is not finite.
#[inline]
pub(super) fn largest<T: Field>(x: &[T]) -> Option<usize> {
    let mut at = 0;
    for i in 1..x.len() {
        if x[i].size() > x[at].size() {
            at = i;
        }
    }
    let size = x.get(at)?.size();
    (size > 0.0 && size < f64::INFINITY).then_some(at)
}

#[cfg(test)]
mod tests {
    use num_complex::Complex64;
    use proptest::prelude::*;

    use super::*;

    fn factored<T: Field>(n: usize, a: &[T]) -> (DenseLu<T>, Result<(), usize>) {
        let mut lu = DenseLu::new(n);
        lu.a.copy_from_slice(a);
        let result = lu.factor();
        (lu, result)
    }

    /// Returns the largest entry of P A − L U, and of L.
    fn check<T: Field>(n: usize, a: &[T]) -> Option<(f64, f64)> {
        let (lu, result) = factored(n, a);
        result.ok()?;
        let mut rows: Vec<usize> = (0..n).collect();
        let mut factors = lu.a.clone();
        for k in 0..n {
            rows.swap(k, lu.pivots[k]);
            // `factor` does not swap columns of L to the left of a step, or of its four
            let done = if k < blocked(n) { k / 4 * 4 } else { k };
            for column in factors[..done * n].chunks_exact_mut(n) {
                column.swap(k, lu.pivots[k]);
            }
        }
        let (mut worst, mut l) = (0.0f64, 0.0f64);
        for j in 0..n {
            for i in 0..n {
                let mut r = a[j * n + rows[i]];
                for k in 0..=i.min(j) {
                    let l = if k == i { T::from(1.0) } else { factors[k * n + i] };
                    r = r - l * factors[j * n + k];
                }
                worst = worst.max(r.size());
                l = if i > j { l.max(factors[j * n + i].size()) } else { l };
            }
        }
        Some((worst, l))
    }

    /// Returns the largest residual of A x = b, divided by the size of x.
    fn residual<T: Field>(n: usize, a: &[T]) -> Option<f64> {
        let (lu, result) = factored(n, a);
        result.ok()?;
        let b: Vec<T> = (0..n).map(|i| T::from(1.0 - 0.3 * i as f64)).collect();
        let mut x = b.clone();
        lu.solve(&mut x);
        let size = x.iter().map(|x| x.size()).fold(0.0, f64::max);
        let row = |i: usize| (0..n).fold(b[i], |r, j| r - a[j * n + i] * x[j]).size();
        Some((0..n).map(row).fold(0.0, f64::max) / size)
    }

    fn real() -> impl Strategy<Value = (usize, Vec<f64>)> {
        // zeros too: whole blocks of them are skipped
        let entry = prop_oneof![2 => -1.0..1.0f64, 1 => Just(0.0)];
        (1usize..30).prop_flat_map(move |n| (Just(n), prop::collection::vec(entry.clone(), n * n)))
    }

    proptest! {
        #[test]
        fn factors_of_real_matrices((n, a) in real()) {
            if let Some((error, l)) = check(n, &a) {
                prop_assert!(error < 1e-14 && l <= 1.0, "{error} {l}");
                let r = residual(n, &a).unwrap();
                prop_assert!(r < 1e-14 * n as f64, "{r}");
            }
        }

        #[test]
        fn factors_of_complex_matrices((n, re) in real(), phase in 0.0..6.3f64) {
            let z = |(k, &x): (usize, &f64)| Complex64::from_polar(x, phase * k as f64);
            let a: Vec<Complex64> = re.iter().enumerate().map(z).collect();
            if let Some((error, l)) = check(n, &a) {
                prop_assert!(error < 3e-14 && l <= 2.0, "{error} {l}");
                let r = residual(n, &a).unwrap();
                prop_assert!(r < 2e-14 * n as f64, "{r}");
            }
        }

        /// Factors whole numbers without rounding: the solutions are exact, and a singular matrix is detected in the
        /// right column.
        #[test]
        fn whole_numbers(n in 2usize..14, bits: u64, twin in 0usize..14) {
            // L with entries 0, ½ and 1, U with powers of two on the diagonal
            let bit = |i: usize, j: usize| (bits.rotate_left((i * 7 + j * 3) as u32) & 3) as f64;
            let l = |i: usize, j: usize| if i == j { 1.0 } else { (bit(i, j) / 2.0).min(0.5) };
            let u = |i: usize, j: usize| if i == j { 4.0 } else { bit(j, i) };
            let mut a = vec![0.0; n * n];
            for j in 0..n {
                for i in 0..n {
                    a[j * n + i] = (0..=i.min(j)).map(|k| l(i, k) * u(k, j)).sum();
                }
            }
            let (lu, result) = factored(n, &a);
            prop_assert_eq!(result, Ok(()));
            let x: Vec<f64> = (0..n).map(|i| i as f64 - 3.0).collect();
            let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a[j * n + i] * x[j]).sum()).collect();
            lu.solve(&mut b);
            prop_assert_eq!(b, x);
            // a column that repeats an earlier one
            let twin = twin % (n - 1);
            let (first, second) = a.split_at_mut((twin + 1) * n);
            second[..n].copy_from_slice(&first[twin * n..]);
            prop_assert_eq!(factored(n, &a).1, Err(twin + 1));
        }
    }

    /// Hilbert's matrix: the condition number is 1.6e13 for n = 10, and the residual is as small as usual.
    #[test]
    fn ill_conditioned() {
        let n = 10;
        let a: Vec<f64> = (0..n * n).map(|k| 1.0 / (1 + k / n + k % n) as f64).collect();
        assert!(residual(n, &a).unwrap() < 1e-15);
        // entries near the limits of the range of numbers
        for scale in [1e-290, 1e-160, 1e160, 1e300] {
            let scaled: Vec<f64> = a.iter().map(|a| a * scale).collect();
            assert!(check(n, &scaled).unwrap().0 < 1e-15 * scale);
            let z: Vec<Complex64> = scaled.iter().map(|&a| Complex64::new(a, -a)).collect();
            assert!(check(n, &z).unwrap().0 < 1e-15 * scale, "{scale}");
        }
    }

    #[test]
    fn nothing_to_divide_by() {
        assert_eq!(factored::<f64>(3, &[0.0; 9]).1, Err(0));
        assert_eq!(factored::<f64>(0, &[]).1, Ok(()));
        assert_eq!(factored(1, &[f64::NAN]).1, Err(0));
        assert_eq!(factored(1, &[f64::INFINITY]).1, Err(0));
        // too small to have an inverse
        assert_eq!(factored(1, &[1e-310]).1, Err(0));
        assert_eq!(factored(1, &[Complex64::new(0.0, 1e-310)]).1, Err(0));
    }
}
