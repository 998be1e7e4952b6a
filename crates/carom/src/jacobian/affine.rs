//! What the rates of a body that deforms owe to its own state: ṗ0 and Ḟ are in it themselves, and F̈ follows from F, Ḟ and the moment M.
//!
//! M = K F^−T + M_f, K = Σ f ⊗ r of forces at points, which bring their own derivatives besides, and M_f of the fields, a function of the body's 24
//! numbers that comes with its derivatives. So one evaluation in dual numbers has all of it.

use carom_base::{Dual, Mat3, Scalar, Vec3, inverse};
use carom_ode::Jacobian;

use crate::body::Soft;
use crate::model::AFFINE;
use crate::state::Affine;

/// The numbers of a body that deforms as variables of their own.
pub(super) fn variables(y: &[f64; AFFINE]) -> Affine<Dual<AFFINE>> {
    Affine::of(&std::array::from_fn(|i| Dual::variable(y[i], i)))
}

/// Adds the derivatives of a body's rates by its own 24 numbers `y`, which start at `first` in the state. `k`: Σ f ⊗ r of the forces at points on it;
/// `moment`: of the fields;
/// `mass_factor`: its mass over that at t = 0.
pub(super) fn add(
    soft: &Soft,
    k: &Mat3,
    moment: &Mat3<Dual<AFFINE>>,
    mass_factor: f64,
    y: &[f64; AFFINE],
    first: usize,
    j: &mut Jacobian,
) {
    for i in 0..12 {
        j.add(first + i, first + 12 + i, 1.0);
    }
    let Affine { f, f_dot, .. } = variables(y);
    let points = k.map(Dual::from_f64) * inverse(&f).1.transpose();
    let bent = soft.acceleration(&f, &f_dot, &(points + moment), mass_factor);
    for column in 0..AFFINE {
        let rows = bent.map(|x| x.eps[column]);
        j.add_rows(first + 15, first + column, rows.as_slice());
    }
}

/// X of a point of the body, `arm` from its centre of mass, its axes being F.
pub(super) fn place_on(f: &Mat3, arm: &Vec3) -> Vec3 {
    inverse(f).1 * arm
}
