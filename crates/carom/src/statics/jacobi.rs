//! Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations.
//!
//! Source: G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th ed., §8.5. Small eigenvalues beside large ones are
//! computed to high relative precision where the matrix is graded accordingly (J. Demmel, K. Veselić, SIAM J. Matrix
//! Anal. Appl. 13, 1992). Stiffness matrices with contacts are: a contact is stiff along its normal, and soft against
//! rocking. Directions that are not coupled are left unchanged.

use carom_base::elementary::hypot;
use nalgebra::{DMatrix, DVector};

/// The largest number of sweeps over all pairs; about ten are needed.
const SWEEPS: usize = 60;

/// Returns the eigenvalues of a symmetric matrix, in increasing order, and the eigenvectors as columns, of length 1.
pub(super) fn symmetric(mut a: DMatrix<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let n = a.nrows();
    let mut v = DMatrix::identity(n, n);
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                let (app, aqq, apq) = (a[(p, p)], a[(q, q)], a[(p, q)]);
                if apq.abs() <= f64::EPSILON * (app * aqq).abs().sqrt() || apq.abs() < f64::MIN_POSITIVE {
                    continue;
                }
                rotated = true;
                // the smaller root of t² + 2 τ t − 1 = 0 (Golub and Van Loan, Algorithm 8.5.1)
                let tau = (aqq - app) / (2.0 * apq);
                let t = tau.signum() / (tau.abs() + hypot(tau, 1.0));
                let c = 1.0 / hypot(t, 1.0);
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[(k, p)], a[(k, q)]);
                    (a[(k, p)], a[(k, q)]) = (c * x - s * y, s * x + c * y);
                    let (x, y) = (v[(k, p)], v[(k, q)]);
                    (v[(k, p)], v[(k, q)]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[(p, k)], a[(q, k)]);
                    (a[(p, k)], a[(q, k)]) = (c * x - s * y, s * x + c * y);
                }
                // these four are known without the rounding error of the rotation
                (a[(p, p)], a[(q, q)]) = (app - t * apq, aqq + t * apq);
                (a[(p, q)], a[(q, p)]) = (0.0, 0.0);
            }
        }
        if !rotated {
            break;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &k| a[(i, i)].total_cmp(&a[(k, k)]));
    let values = DVector::from_iterator(n, order.iter().map(|&i| a[(i, i)]));
    let vectors = DMatrix::from_fn(n, n, |i, k| v[(i, order[k])]);
    (values, vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Second differences have the eigenvalues 2 − 2 cos(kπ/(n + 1)).
    #[test]
    fn a_matrix_whose_eigenvalues_are_known() {
        let n = 12;
        let a = DMatrix::from_fn(n, n, |i, k: usize| match i.abs_diff(k) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        });
        let (values, vectors) = symmetric(a.clone());
        for (k, value) in values.iter().enumerate() {
            let want = 2.0 - 2.0 * (std::f64::consts::PI * (k + 1) as f64 / (n + 1) as f64).cos();
            assert!((value - want).abs() < 1e-14, "{value} {want}");
            let v = vectors.column(k);
            assert!((&a * v - v * want).norm() < 1e-14 && (v.norm() - 1.0).abs() < 1e-14);
        }
    }

    /// In a graded matrix the smallest eigenvalue is exact, not limited by the rounding error of the largest: here
    /// 1.5 − 1 beside 1e20.
    #[test]
    fn a_graded_matrix() {
        let a = DMatrix::from_row_slice(2, 2, &[1e20, 1e10, 1e10, 1.5]);
        let (values, _) = symmetric(a);
        // det/trace: (1.5e20 − 1e20)/1e20
        assert!((values[0] - 0.5).abs() < 1e-15, "{}", values[0]);
    }
}
