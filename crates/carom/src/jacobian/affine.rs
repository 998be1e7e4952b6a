//! What the rates of a body that deforms owe to its own state: ṗ0 and Ḟ are in it themselves, and F̈ follows from F, Ḟ and the moment M.
//!
//! M = K F^−T + M_f, K = Σ f ⊗ r of forces at points, which bring their own derivatives besides, and M_f of the fields, a function of the body's 24
//! numbers that comes with its derivatives. So one evaluation in dual numbers has all of it.

use carom_base::{Dual, Mat3, Scalar, inverse};
use carom_ode::Jacobian;

use crate::body::Soft;
use crate::layout::{Affine, AffineNumbers, AffineRows, ByAffine};

/// Adds the derivatives of a body's rates by its own numbers `y`, which are at `rows` in the state. `k`: Σ f ⊗ r of the forces at points on it;
/// `moment`: of the fields;
/// `mass_factor`: its mass over that at t = 0.
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
