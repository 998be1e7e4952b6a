//! Eigenvalues and eigenvectors of a real unsymmetric matrix, by its complex Schur form.
//!
//! A = Q T Qᵀ* with T upper triangular: the eigenvalues are on its diagonal, the eigenvectors are Q times those of T, found by
//! substitution (G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th ed., §7.6.4).

use nalgebra::{Complex, DMatrix, DVector, Schur};

/// QR steps allowed per eigenvalue; two or three are usual.
const STEPS: usize = 60;

/// An eigenvalue and its eigenvector, of length 1.
pub(super) type Pair = (Complex<f64>, DVector<Complex<f64>>);

/// Returns the eigenvalues of a matrix with their eigenvectors, and the number of zero eigenvalues that were removed.
/// Eigenvalues that are zero because the matrix has a row or a column of zeros are removed exactly, and again from
/// the matrix that remains, so that rounding error does not split them into pairs of small roots. Eigenvectors are
/// zero in the removed components. `None`: the iteration did not converge.
pub(super) fn eigen(a: &DMatrix<f64>) -> Option<(Vec<Pair>, usize)> {
    let kept = without_zeros(a);
    let n = kept.len();
    let reduced = DMatrix::from_fn(n, n, |i, k| Complex::new(a[(kept[i], kept[k])], 0.0));
    if n == 0 {
        return Some((Vec::new(), a.nrows()));
    }
    let (q, t) = Schur::try_new(reduced, f64::EPSILON, STEPS * n)?.unpack();
    let smallest = f64::EPSILON * t.camax().max(f64::MIN_POSITIVE);
    let pair = |k: usize| {
        let lambda = t[(k, k)];
        let mut x = DVector::zeros(n);
        x[k] = Complex::new(1.0, 0.0);
        for i in (0..k).rev() {
            let sum: Complex<f64> = (i + 1..=k).map(|l| t[(i, l)] * x[l]).sum();
            let gap = t[(i, i)] - lambda;
            x[i] = -sum / if gap.norm() < smallest { Complex::new(smallest, 0.0) } else { gap };
        }
        let x = &q * x;
        let mut full = DVector::zeros(a.nrows());
        let norm = x.norm();
        kept.iter().zip(x.iter()).for_each(|(&i, x)| full[i] = x / norm);
        (lambda, full)
    };
    Some(((0..n).map(pair).collect(), a.nrows() - n))
}

/// Returns the indices that remain when those with a zero row or column are removed repeatedly.
fn without_zeros(a: &DMatrix<f64>) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..a.nrows()).collect();
    loop {
        let zero =
            |&i: &usize| kept.iter().all(|&k| a[(i, k)] == 0.0) || kept.iter().all(|&k| a[(k, i)] == 0.0);
        let Some(at) = kept.iter().position(zero) else { return kept };
        kept.remove(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns pseudo-random numbers between −1 and 1, the same every time.
    fn some_numbers(n: usize, seed: u64) -> DMatrix<f64> {
        let mut state = seed;
        DMatrix::from_fn(n, n, |_, _| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        })
    }

    /// A x = λ x, and the sum of the eigenvalues is the trace.
    #[test]
    fn eigenvectors_are_eigenvectors() {
        for n in (1..12).chain([19, 39]) {
            for seed in 0..3 {
                let a = some_numbers(n, 1 + seed);
                let (pairs, zeros) = eigen(&a).unwrap();
                assert_eq!((pairs.len(), zeros), (n, 0));
                let complex = a.map(|x| Complex::new(x, 0.0));
                for (lambda, x) in &pairs {
                    let off = (&complex * x - x * *lambda).norm();
                    assert!(off < 1e-13 * n as f64 && (x.norm() - 1.0).abs() < 1e-12, "{n} {seed}: {off}");
                }
                let sum: Complex<f64> = pairs.iter().map(|(lambda, _)| lambda).sum();
                assert!((sum.re - a.trace()).abs() + sum.im.abs() < 1e-12 * n as f64);
            }
        }
    }

    /// Free motion, x' = v, v' = 0, has a double zero eigenvalue, which rounding error would split; oscillators
    /// beside it are not disturbed.
    #[test]
    fn zeros_are_taken_out_exactly() {
        let mut a = DMatrix::zeros(4, 4);
        (a[(0, 1)], a[(2, 3)], a[(3, 2)]) = (1.0, 1e4, -1e4);
        let (pairs, zeros) = eigen(&a).unwrap();
        assert_eq!((pairs.len(), zeros), (2, 2));
        for (lambda, _) in pairs {
            assert!(lambda.re.abs() < 1e-12 && (lambda.im.abs() - 1e4).abs() < 1e-11, "{lambda}");
        }
    }
}
