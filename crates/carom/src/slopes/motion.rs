//! Motions of bodies with derivatives: by the small motions of a rigid body, or by the numbers of a deformable one.

use carom_base::{Dual, Mat3, Scalar, Vec3, inverse};
use nalgebra::Matrix3x4;

use super::load::RIGID;
use crate::joint::Moving;
use crate::layout::{Affine, AffineNumbers, ByAffine};

/// Returns the motion of a rigid body, with derivatives by δx, δθ, δv, δω.
pub(crate) fn rigid(k: &Moving, w: &Vec3) -> Moving<Dual<RIGID>> {
    let along = |v: &Vec3, from: usize| Vec3::from_fn(|i, _| Dual::variable(v[i], from + i));
    let turn = Vec3::from_fn(|i, _| Dual::variable(0.0, 3 + i));
    let r = Mat3::from_columns(&[0, 1, 2].map(|i| {
        let column = k.r.column(i).map(Dual::from_f64);
        column + turn.cross(&column)
    }));
    Moving::rigid(along(&k.x, 0), r, along(&k.v, 6), along(w, 9))
}

/// Returns the motion of a deformable body, with derivatives by its own 24 numbers.
pub(crate) fn affine(y: &AffineNumbers) -> Moving<ByAffine> {
    let state = Affine::variables(y);
    Moving::affine(state.p, state.f, state.v, state.f_dot)
}

/// Returns the motion of a body that the variables do not move.
pub(crate) fn constant<S: Scalar>(k: &Moving) -> Moving<S> {
    k.map(S::from_f64)
}

/// Returns the matrix that maps δq to δθ, for a quaternion (w, u) of any length:
/// δθ = 2 vec(δq q̄)/|q|² = 2 (w δu − u δw + u × δu)/|q|².
pub(crate) fn rotation_by_quaternion(&[w, x, y, z]: &[f64; 4]) -> Matrix3x4<f64> {
    let u = Vec3::new(x, y, z);
    let by_u = Mat3::from_diagonal_element(w) + u.cross_matrix();
    let s = 2.0 / (w * w + u.norm_squared());
    let mut turn = Matrix3x4::zeros();
    turn.set_column(0, &(-s * u));
    turn.fixed_view_mut::<3, 3>(0, 1).copy_from(&(s * by_u));
    turn
}

/// Returns the unit vector along a world axis.
pub(crate) fn unit(i: usize) -> Vec3 {
    Vec3::from_fn(|l, _| flag(l == i))
}

/// Returns 1 if true, 0 if false.
pub(crate) fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// Returns the material coordinates X = F⁻¹ r of a point at `arm` r from the centre of mass of a body with
/// deformation gradient F.
pub(crate) fn material_point(f: &Mat3, arm: &Vec3) -> Vec3 {
    inverse(f).1 * arm
}
