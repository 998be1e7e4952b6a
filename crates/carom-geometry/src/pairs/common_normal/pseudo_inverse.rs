//! The pseudo-inverse of a small matrix (Lopes et al. 2010, Section 8) by one-sided Jacobi rotations: the columns of A V are made orthogonal, their lengths are the singular values
//! (G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th ed., 8.6.3). Small singular values and their vectors are as exact as large ones, which Newton's last steps need.
//!
//! Checked: against elimination where nothing is left out, and on a matrix that is singular (`tests`).

use nalgebra::{SMatrix, SVector};

/// Sweeps over all pairs of columns at most; six columns take five or six.
const SWEEPS: usize = 40;

/// Returns the shortest x with the least ‖A x − b‖, singular values of A below `cut` times the largest left out.
pub(super) fn solve<const N: usize>(
    a: &SMatrix<f64, N, N>,
    b: &SVector<f64, N>,
    cut: f64,
) -> SVector<f64, N> {
    let (mut u, mut v) = (*a, SMatrix::<f64, N, N>::identity());
    for _ in 0..SWEEPS {
        let mut turned = false;
        for i in 0..N {
            for j in i + 1..N {
                turned |= make_orthogonal(&mut u, &mut v, i, j);
            }
        }
        if !turned {
            break;
        }
    }
    let squares: [f64; N] = std::array::from_fn(|j| u.column(j).norm_squared());
    let largest = squares.iter().fold(0.0, |m: f64, s| m.max(*s));
    let kept = |square: f64| square > 0.0 && square > cut * cut * largest;
    let mut x = SVector::<f64, N>::zeros();
    for j in (0..N).filter(|j| kept(squares[*j])) {
        x += v.column(j) * (u.column(j).dot(b) / squares[j]);
    }
    x
}

/// Turns two columns until they are orthogonal; returns whether they were not.
fn make_orthogonal<const N: usize>(
    u: &mut SMatrix<f64, N, N>,
    v: &mut SMatrix<f64, N, N>,
    i: usize,
    j: usize,
) -> bool {
    let (a, b, c) = (u.column(i).norm_squared(), u.column(j).norm_squared(), u.column(i).dot(&u.column(j)));
    if c.abs() <= f64::EPSILON * (a * b).sqrt() {
        return false;
    }
    let tau = (b - a) / (2.0 * c);
    let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
    let cosine = 1.0 / (1.0 + t * t).sqrt();
    for m in [u, v] {
        let (left, right) = (m.column(i).into_owned(), m.column(j).into_owned());
        m.set_column(i, &((left - right * t) * cosine));
        m.set_column(j, &((left * t + right) * cosine));
    }
    true
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use nalgebra::{Matrix4, Vector4};

    use super::*;

    /// Rows of very different sizes, as the equations have them.
    const ROWS: Matrix4<f64> = Matrix4::new(
        1.0, 2.0, -1.0, 0.5, //
        3e-5, -1e-5, 2e-5, 1e-5, //
        0.2, 0.1, 4.0, -2.0, //
        -1.0, 0.3, 0.7, 5.0,
    );

    #[test]
    fn it_is_the_inverse_where_nothing_is_left_out() {
        let b = Vector4::new(1.0, -2.0, 0.5, 3.0);
        let by_elimination = ROWS.lu().solve(&b).unwrap();
        let off = (solve(&ROWS, &b, 1e-7) - by_elimination).norm() / by_elimination.norm();
        assert!(off < 1e-11, "{off}");
    }

    #[test]
    fn of_a_singular_matrix_it_is_the_shortest_of_the_best() {
        // rank two: x is in the space of the rows, and what is left of b across that of the columns
        let (p, q) = (Vector4::new(1.0, 2.0, 0.0, -1.0), Vector4::new(0.0, 1.0, 3.0, 1.0));
        let a = p * q.transpose() + q * p.transpose() * 2.0;
        let b = Vector4::new(1.0, 2.0, 3.0, 4.0);
        let x = solve(&a, &b, 1e-12);
        assert!((a.transpose() * (a * x - b)).norm() < 1e-13 * b.norm() * a.norm());
        let basis = nalgebra::Matrix4x2::from_columns(&[p, q]);
        let within = (basis.transpose() * basis).lu().solve(&(basis.transpose() * x)).unwrap();
        assert!((basis * within - x).norm() < 1e-13);
        // with a large bound the smaller of two singular values goes, too
        assert!(solve(&a, &b, 0.9).norm() < x.norm());
    }
}
