//! The force and couple between two bodies, and the accelerations that a change of them causes.
//!
//! The force F acts on A at A's point, −F on B at B's point; the couple M on A, −M on B. The torques are r_a × F + M
//! and −r_b × F − M, r from the centre of mass to the point. With dF, dr and dM by a number of the state,
//!
//!   dτ = r × dF − F × dr + dM.

use carom_base::{Vec3, inverse};
use carom_ode::Jacobian;

use crate::loads::Loads;
use crate::state::Kinematics;
use crate::world::{BodyKind, World};

/// One of the two bodies between which the force acts.
pub(crate) struct End {
    pub(crate) body: usize,
    pub(crate) k: Kinematics,
    /// point where the force acts [m]
    pub(crate) p: Vec3,
    /// from the centre of mass to that point [m]
    pub(crate) arm: Vec3,
    /// 1 for A, −1 for B: F acts on A, −F on B, and v is the velocity of A minus that of B
    pub(crate) sign: f64,
    /// m(t)/m(0), by which loads are divided
    pub(crate) mass_factor: f64,
}

/// A force and a couple between two bodies.
pub(crate) struct Wrench {
    /// A and B
    pub(crate) ends: [End; 2],
    /// F, on A [N]
    pub(crate) f: Vec3,
    /// M, on A [N m]
    pub(crate) couple: Vec3,
}

/// The change of a wrench by one number of the state.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    /// change of F [N]
    pub(crate) f: Vec3,
    /// changes of the arms of A and B [m]
    pub(crate) arms: [Vec3; 2],
    /// change of M [N m]
    pub(crate) couple: Vec3,
}

impl Change {
    /// Returns Σ weight · change.
    pub(crate) fn sum(changes: [&Change; 3], weights: &Vec3) -> Change {
        let [a, b, c] = changes;
        let [x, y, z] = (*weights).into();
        Change {
            f: a.f * x + b.f * y + c.f * z,
            arms: [0, 1].map(|i| a.arms[i] * x + b.arms[i] * y + c.arms[i] * z),
            couple: a.couple * x + b.couple * y + c.couple * z,
        }
    }

    /// Whether every component is finite: a sum is finite only if its terms are.
    pub(crate) fn is_finite(&self) -> bool {
        (self.f + self.arms[0] + self.arms[1] + self.couple).sum().is_finite()
    }
}

impl Wrench {
    /// Returns the wrench of F and M on `bodies`, A and B, in the state that the loads hold; F acts at the points `p`.
    pub(crate) fn new(loads: &Loads, bodies: [usize; 2], p: [Vec3; 2], f: Vec3, couple: Vec3) -> Wrench {
        let end = |i: usize, sign: f64| {
            let k = *loads.body(bodies[i]);
            End {
                body: bodies[i],
                k,
                p: p[i],
                arm: p[i] - k.x.p,
                sign,
                mass_factor: loads.now.mass_factor(bodies[i]),
            }
        };
        Wrench { ends: [end(0, 1.0), end(1, -1.0)], f, couple }
    }

    /// Applies force and couple to both bodies, whose total torques are needed later.
    pub(crate) fn load(&self, loads: &mut Loads) {
        for end in &self.ends {
            loads.load(end.body, &end.p, &(end.sign * self.f));
            loads.twist(end.body, &(end.sign * self.couple));
        }
    }

    /// Adds to a column the changes of the accelerations of both bodies.
    #[inline]
    pub(crate) fn add(&self, world: &World, change: &Change, column: usize, j: &mut Jacobian) {
        for (end, arm) in self.ends.iter().zip(&change.arms) {
            let b = &world.bodies[end.body];
            let share = end.sign / end.mass_factor;
            let a = share * change.f.component_mul(&b.inverse_mass);
            match (&b.kind, &b.soft) {
                (BodyKind::Dynamic(rows), _) => {
                    let torque = end.arm.cross(&change.f) + arm.cross(&self.f) + change.couple;
                    let alpha = share * b.angular_response(&end.k.x.r, &torque);
                    j.add_rows(rows.velocity(0), column, &[a.x, a.y, a.z, alpha.x, alpha.y, alpha.z]);
                }
                (BodyKind::Affine(rows), Some(soft)) => {
                    // dK, where K = f ⊗ r plus half the couple's cross-product matrix; M = K F^−T
                    let moment = change.f * end.arm.transpose()
                        + self.f * arm.transpose()
                        + 0.5 * change.couple.cross_matrix();
                    let inv = inverse(&end.k.x.r).1;
                    let bent = soft.response(&inv, &(share * moment * inv.transpose()));
                    j.add_rows(rows.velocity(0), column, a.as_slice());
                    j.add_rows(rows.deformation_rate(0, 0), column, bent.as_slice());
                }
                _ => {}
            }
        }
    }

    /// Returns position and motion of both bodies.
    pub(crate) fn kinematics(&self) -> [&Kinematics; 2] {
        self.ends.each_ref().map(|e| &e.k)
    }
}
