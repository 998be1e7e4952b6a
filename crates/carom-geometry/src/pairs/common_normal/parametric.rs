//! The equations of a common normal for four unknowns, two parameters of a point on each surface (Lopes et al. 2010, Eqs 3 and 6).
//!
//! The paper names this form and does not use it: angles have poles, and powers of sines make superellipsoids less linear. Here the parameters of a point are those of its direction w from the centre, in a
//! chart that is laid anew at every step: w(s) = (w + T s)/|w + T s|, T two unit tangents of the sphere of directions at w; the point is where that ray leaves the surface,
//! p = o + r(w) w, F(p) = 0. Then
//!
//!   ∂p/∂s = r (E − w nᵀ/(n·w)) T,  n = ∇F,
//!
//! which are tangents of the surface, and the first four of the six equations, with the first four rows of their Jacobian times these, are Newton's method for s: no second derivative of p is
//! needed, as the tangents t and b are made of the normal, and the surfaces' equations hold always.
//!
//! Checked: the same contacts as the implicit form (`tests/common_normal.rs`).

use carom_base::{Pose, Vec3};
use nalgebra::{Matrix3x2, Matrix4, Matrix6x4, Vector4, Vector6};

use super::constraints::{Constraints, Points, regular};
use super::pseudo_inverse;
use super::start::leaving;
use crate::closest_point::{direction, tangent};
use crate::shape::{Implicit, Level};

/// The chart of a point on a surface: its direction from the centre and two tangents, and how the point moves with its parameters.
struct Chart {
    centre: Vec3,
    w: Vec3,
    across: Matrix3x2<f64>,
    by: Matrix3x2<f64>,
}

impl Chart {
    fn at(surface: &dyn Implicit, p: &Vec3, level: &Level) -> Chart {
        let centre = surface.bounds().centre;
        let (w, r) = direction(&(p - centre), Vec3::z);
        let t = tangent(&w);
        let across = Matrix3x2::from_columns(&[t, w.cross(&t)]);
        let n = &level.gradient;
        let by = (across - w * (n.transpose() * across) / n.dot(&w)) * r;
        Chart { centre, w, across, by }
    }

    /// The point of the surface at these parameters.
    fn point(&self, surface: &dyn Implicit, s: &nalgebra::Vector2<f64>) -> Vec3 {
        let (w, _) = direction(&(self.w + self.across * s), Vec3::z);
        leaving(surface, &self.centre, &w)
    }
}

/// The point of the surface on the ray of `p`.
pub(super) fn onto(surface: &dyn Implicit, p: &Vec3) -> Vec3 {
    let centre = surface.bounds().centre;
    leaving(surface, &centre, &direction(&(p - centre), Vec3::z).0)
}

/// Newton's step for the four parameters: where the points are after it; `None` where the Jacobian is singular.
pub(super) fn step(
    [a, b]: [&dyn Implicit; 2],
    here: &Constraints,
    x: &Pose,
    cut: f64,
    size: f64,
) -> Option<Points> {
    let at = here.at;
    let charts = [Chart::at(a, &at.p, &here.a), Chart::at(b, &at.q, &here.b)];
    let mut moves = Matrix6x4::zeros();
    moves.fixed_view_mut::<3, 2>(0, 0).copy_from(&charts[0].by);
    moves.fixed_view_mut::<3, 2>(3, 2).copy_from(&charts[1].by);
    let w = here.weights(size).fixed_rows::<4>(0).into_owned();
    let jacobian: Matrix4<f64> = (here.jacobian(x) * moves).fixed_rows::<4>(0).into_owned();
    let weighted = Matrix4::from_diagonal(&w) * jacobian;
    let values = Vector6::from(here.values(x)).fixed_rows::<4>(0).component_mul(&w);
    let s: Vector4<f64> = match cut > 0.0 {
        false => {
            let lu = weighted.lu();
            if !regular(lu.u().diagonal().iter(), weighted.amax()) {
                return None;
            }
            lu.solve(&-values)?
        }
        true => pseudo_inverse::solve(&weighted, &-values, cut),
    };
    if !s.iter().all(|s| s.is_finite()) {
        return None;
    }
    let p = charts[0].point(a, &s.fixed_rows::<2>(0).into_owned());
    let q = charts[1].point(b, &s.fixed_rows::<2>(2).into_owned());
    Some(Points { p, q })
}
