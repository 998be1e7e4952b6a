//! What acts between two bodies, and what a change of it does to their accelerations.
//!
//! The force F acts on A at its point, −F on B at its own; the couple M on A, −M on B. The torques are r_a × F + M and
//! −r_b × F − M, r from the centre of mass to the point. With dF, dr and dM by some components of the state,
//!
//!   dτ = r × dF − F × dr + dM.

use carom_base::{Mat3, Vec3};
use carom_ode::Jacobian;
use nalgebra::{Matrix3x4, SMatrix};

use super::body::angular_response;
use crate::forward::Workspace;
use crate::model::{BODY, BodyKind, Model};
use crate::state::Kinematics;

/// One of the two bodies.
pub(super) struct End {
    pub(super) body: usize,
    pub(super) k: Kinematics,
    /// where the force acts
    pub(super) p: Vec3,
    /// from the centre of mass to there
    pub(super) arm: Vec3,
    /// F acts on A, −F on B; v is that of A less that of B
    pub(super) sign: f64,
}

/// A force and a couple between two bodies.
pub(super) struct Wrench {
    /// A and B
    pub(super) ends: [End; 2],
    /// F, on A [N]
    pub(super) f: Vec3,
    /// M, on A [N m]
    pub(super) couple: Vec3,
}

/// What N components of the state change of it.
pub(super) struct Change<const N: usize> {
    /// F
    pub(super) f: SMatrix<f64, 3, N>,
    /// the arms of A and B
    pub(super) arms: [SMatrix<f64, 3, N>; 2],
    /// M
    pub(super) couple: SMatrix<f64, 3, N>,
}

impl<const N: usize> Change<N> {
    /// Whether all of it is: a sum is finite only if its terms are.
    pub(super) fn is_finite(&self) -> bool {
        (self.f.sum() + self.arms[0].sum() + self.arms[1].sum() + self.couple.sum()).is_finite()
    }
}

impl Wrench {
    /// F and M on `bodies`, A and B, in the state the workspace holds; F at the points `p`.
    pub(super) fn new(ws: &Workspace, bodies: [usize; 2], p: [Vec3; 2], f: Vec3, couple: Vec3) -> Wrench {
        let end = |i: usize, sign: f64| {
            let k = *ws.body(bodies[i]);
            End { body: bodies[i], k, p: p[i], arm: p[i] - k.x.p, sign }
        };
        Wrench { ends: [end(0, 1.0), end(1, -1.0)], f, couple }
    }

    /// Force and couple on both bodies, for their torques.
    pub(super) fn load(&self, ws: &mut Workspace) {
        for end in &self.ends {
            ws.load(end.body, &end.p, &(end.sign * self.f));
            ws.twist(end.body, &(end.sign * self.couple));
        }
    }

    /// Adds what the components of the state from `first` on change in the accelerations of both bodies.
    pub(super) fn add<const N: usize>(&self, m: &Model, change: &Change<N>, first: usize, j: &mut Jacobian) {
        for (end, arm) in self.ends.iter().zip(&change.arms) {
            let b = &m.bodies[end.body];
            let BodyKind::Dynamic(d) = b.kind else { continue };
            let torque = end.arm.cross_matrix() * change.f - self.f.cross_matrix() * arm + change.couple;
            let acceleration = Mat3::from_diagonal(&(end.sign * b.inverse_mass)) * change.f;
            let angular = end.sign * angular_response(b, &end.k.x.r) * torque;
            for i in 0..N {
                j.add_rows(d * BODY + 7, first + i, acceleration.column(i).as_slice());
                j.add_rows(d * BODY + 10, first + i, angular.column(i).as_slice());
            }
        }
    }
}

/// By the 13 numbers of a body, x, q, v, ω; x and q by its motion: δθ = turn δq.
pub(super) fn by_pose<const R: usize>(
    by_motion: &SMatrix<f64, R, 6>,
    turn: &Matrix3x4<f64>,
) -> SMatrix<f64, R, BODY> {
    let mut all = SMatrix::<f64, R, BODY>::zeros();
    all.fixed_columns_mut::<3>(0).copy_from(&by_motion.fixed_columns::<3>(0));
    all.fixed_columns_mut::<4>(3).copy_from(&(by_motion.fixed_columns::<3>(3) * turn));
    all
}

/// Adds what goes by the velocity of a body's material at an arm: dω × r = −r × dω.
pub(super) fn by_velocity<const R: usize>(
    all: &mut SMatrix<f64, R, BODY>,
    by_v: &SMatrix<f64, R, 3>,
    arm: &Vec3,
) {
    all.fixed_columns_mut::<3>(7).copy_from(by_v);
    all.fixed_columns_mut::<3>(10).copy_from(&(-by_v * arm.cross_matrix()));
}
