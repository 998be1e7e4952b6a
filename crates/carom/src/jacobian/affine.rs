//! Derivatives of a deformable body's rates by its own state: ṗ0 and Ḟ are state numbers themselves, and F̈ follows
//! from F, Ḟ and the moment M.
//!
//! M = K F^−T + M_f. K = Σ f ⊗ r sums the forces at points, whose own derivatives are added elsewhere. M_f is the
//! moment of the fields, a function of the body's 24 numbers that is given with its derivatives. One evaluation in
//! dual numbers therefore yields all derivatives of F̈.

use carom_base::{Dual, Mat3, Scalar, inverse};
use carom_ode::Jacobian;

use crate::body::Soft;
use crate::layout::{Affine, AffineNumbers, AffineRows, ByAffine};

/// Adds the derivatives of a body's rates by its own numbers `y`, which are at `rows` in the state. `k`: Σ f ⊗ r
/// [N m] of the forces at points on the body;
/// `moment`: M_f, the moment of the fields, with derivatives;
/// `mass_factor`: m(t)/m(0).
pub(super) fn add(
    soft: &Soft,
    k: &Mat3,
    moment: &Mat3<ByAffine>,
    mass_factor: f64,
    y: &AffineNumbers,
    rows: AffineRows,
    j: &mut Jacobian,
) {
    for (row, column) in rows.pose().zip(rows.rates()) {
        j.add(row, column, 1.0);
    }
    let Affine { f, f_dot, .. } = Affine::variables(y);
    let points = k.map(Dual::from_f64) * inverse(&f).1.transpose();
    let bent = soft.acceleration(&f, &f_dot, &(points + moment), mass_factor);
    for (i, column) in rows.all().enumerate() {
        let by = bent.map(|x| x.eps[i]);
        j.add_rows(rows.deformation_rate(0, 0), column, by.as_slice());
    }
}
