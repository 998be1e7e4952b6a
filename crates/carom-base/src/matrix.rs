//! Matrix functions that nalgebra provides for floats only, here for every [`Scalar`].

use crate::{Mat3, Scalar, Vec3};

/// Returns the cofactor matrix F* = det F F^−T: its columns are cross products of the columns of F.
///
/// ```
/// use carom_base::{Mat3, cofactor};
/// let f = Mat3::new(2.0, 1.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0);
/// assert_eq!(cofactor(&f).tr_mul(&f), Mat3::identity() * f.determinant());
/// ```
#[inline]
pub fn cofactor<S: Scalar>(f: &Mat3<S>) -> Mat3<S> {
    let [a, b, c] = [0, 1, 2].map(|i| -> Vec3<S> { f.column(i).into_owned() });
    Mat3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)])
}

/// Returns the determinant and the inverse of a matrix. The entries of the inverse are infinite or NaN if it does not
/// exist.
///
/// ```
/// use carom_base::{Mat3, inverse};
/// let (det, inv) = inverse(&Mat3::from_diagonal_element(2.0));
/// assert_eq!((det, inv), (8.0, Mat3::from_diagonal_element(0.5)));
/// ```
#[inline]
pub fn inverse<S: Scalar>(f: &Mat3<S>) -> (S, Mat3<S>) {
    let cof = cofactor(f);
    let det = f.column(0).dot(&cof.column(0));
    let one = S::from_f64(1.0) / det;
    (det, cof.transpose() * one)
}
