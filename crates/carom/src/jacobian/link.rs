//! What a force between two points owes to the states of its two bodies.
//!
//! F = −T(l, l̇) e with d = p_a − p_b, l = |d|, e = d/l, l̇ = v·e. With k = ∂T/∂l, c = ∂T/∂l̇ and P = (1 − e eᵀ)/l,
//!
//!   de = P dd,   dl = e·dd,   dl̇ = e·dv + v·P dd,
//!   dF = −(e (k eᵀ + c vᵀ P) + T P) dd − c e eᵀ dv.
//!
//! A body's small motion (δx, δθ) changes its arm by δθ × r, hence dd = ±(δx + δθ × r), dv = ±ω × (δθ × r).

use carom_base::{Dual, Mat3, Vec3};
use nalgebra::{Matrix3x6, SMatrix};

use super::body::turn_of;
use super::wrench::{Change, Wrench, by_pose, by_velocity};
use crate::force::{Link, Stretch};
use crate::forward::Workspace;
use crate::model::{BODY, Model};

/// A force between points, and its derivatives.
pub(super) struct Linked {
    pub(super) wrench: Wrench,
    /// by d
    by_d: Mat3,
    /// by v
    by_v: Mat3,
}

impl Linked {
    /// In the state the workspace holds.
    pub(super) fn new(link: &Link, ws: &Workspace) -> Linked {
        let [a, b] = link.bodies.map(|body| ws.body(body));
        let Stretch { p, v, e, length, rate } = link.stretch(a, b);
        let tension = link.law.tension_dual(Dual::variable(length, 0), Dual::variable(rate, 1)).f;
        let [k, c] = tension.eps;
        let across = (Mat3::identity() - e * e.transpose()) / length;
        let f = e * -tension.re;
        Linked {
            wrench: Wrench::new(ws, link.bodies, p, f, Vec3::zeros()),
            by_d: -(e * (k * e.transpose() + c * v.transpose() * across) + tension.re * across),
            by_v: -c * e * e.transpose(),
        }
    }

    /// What the 13 numbers `y` of a body, A (0) or B (1), change.
    pub(super) fn moved(&self, m: &Model, end: usize, y: &[f64; BODY]) -> Change<BODY> {
        let at = &self.wrench.ends[end];
        let matters = m.bodies[at.body].orientation_matters;
        let turn = if matters { turn_of(&[y[3], y[4], y[5], y[6]]) } else { SMatrix::zeros() };
        // the arm, and the point, by δx and δθ
        let mut arm = Matrix3x6::zeros();
        arm.fixed_columns_mut::<3>(3).copy_from(&-at.arm.cross_matrix());
        let mut point = arm;
        (0..3).for_each(|i| point[(i, i)] += 1.0);
        let v = at.k.w.cross_matrix() * arm;
        let mut f = by_pose(&(at.sign * (self.by_d * point + self.by_v * v)), &turn);
        by_velocity(&mut f, &(at.sign * self.by_v), &at.arm);
        let mut arms = [SMatrix::zeros(); 2];
        arms[end] = by_pose(&arm, &turn);
        Change { f, arms, couple: SMatrix::zeros() }
    }
}
