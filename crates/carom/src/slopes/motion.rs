//! Bodies whose motion has derivatives: by the small motions of a rigid body, by the numbers of one that deforms.

use carom_base::{Dual, Mat3, Scalar, Vec3, inverse};
use nalgebra::Matrix3x4;

use super::load::RIGID;
use crate::joint::Moving;
use crate::layout::{Affine, AffineNumbers, ByAffine};

/// A rigid body as it moves, by δx, δθ, δv, δω.
pub(crate) fn rigid(k: &Moving, w: &Vec3) -> Moving<Dual<RIGID>> {
    let along = |v: &Vec3, from: usize| Vec3::from_fn(|i, _| Dual::variable(v[i], from + i));
    let turn = Vec3::from_fn(|i, _| Dual::variable(0.0, 3 + i));
    let r = Mat3::from_columns(&[0, 1, 2].map(|i| {
        let column = k.r.column(i).map(Dual::from_f64);
        column + turn.cross(&column)
    }));
    Moving::rigid(along(&k.x, 0), r, along(&k.v, 6), along(w, 9))
}

/// A body that deforms as it moves, by its own numbers.
pub(crate) fn affine(y: &AffineNumbers) -> Moving<ByAffine> {
    let state = Affine::variables(y);
    Moving::affine(state.p, state.f, state.v, state.f_dot)
}

pub(crate) fn constant<S: Scalar>(k: &Moving) -> Moving<S> {
    let (vec, mat) = (|v: &Vec3| v.map(S::from_f64), |a: &Mat3| a.map(S::from_f64));
    Moving {
        x: vec(&k.x),
        v: vec(&k.v),
        a: vec(&k.a),
        r: mat(&k.r),
        r_dot: mat(&k.r_dot),
        r_ddot: mat(&k.r_ddot),
    }
}

/// δθ by δq, for a quaternion (w, u) of any length: δθ = 2 vec(δq q̄)/|q|² = 2 (w δu − u δw + u × δu)/|q|².
pub(crate) fn turn_of(&[w, x, y, z]: &[f64; 4]) -> Matrix3x4<f64> {
    let u = Vec3::new(x, y, z);
    let by_u = Mat3::from_diagonal_element(w) + u.cross_matrix();
    let s = 2.0 / (w * w + u.norm_squared());
    let mut turn = Matrix3x4::zeros();
    turn.set_column(0, &(-s * u));
    turn.fixed_view_mut::<3, 3>(0, 1).copy_from(&(s * by_u));
    turn
}

/// The unit vector along a world axis.
pub(crate) fn unit(i: usize) -> Vec3 {
    Vec3::from_fn(|l, _| flag(l == i))
}

/// 1 or 0.
pub(crate) fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// X of a point of the body, `arm` from its centre of mass, its axes being F.
pub(crate) fn place_on(f: &Mat3, arm: &Vec3) -> Vec3 {
    inverse(f).1 * arm
}
