//! The effective mass of a contact: what a unit impulse between its two points changes their closing speed by.
//!
//! 1/m* = J M⁻¹ Jᵀ of two free bodies, J the gradient of δ̇ by their velocities. Where joints hold them the impulse brings others with it, Φ M⁻¹ (Jᵀ + Φᵀ λ) = 0, and
//!
//!   1/m* = J M⁻¹ (Jᵀ + Φᵀ λ),   S λ = −Φ M⁻¹ Jᵀ,
//!
//! so that a hinged bar of inertia I about its hinge is met at a distance ρ as a particle of mass I/ρ² is.

use carom_base::{Mat3, inverse};

use crate::joint::{Multipliers, Pull};
use crate::model::Model;
use crate::state::Kinematics;

/// An impulse that is this part of what it would be without joints is none: the joints, or what drives them, let nothing move there.
const HELD: f64 = 1e-12;

/// Room to find it.
#[derive(Clone, Debug)]
pub(crate) struct Mobility {
    joints: Multipliers,
    /// of the bodies that have joints, by the impulse
    accelerations: Vec<[f64; 12]>,
}

impl Mobility {
    pub(super) fn new(m: &Model) -> Mobility {
        Mobility { joints: Multipliers::new(m), accelerations: vec![[0.0; 12]; m.linkage.bodies.len()] }
    }

    /// 1/m* [1/kg] of what closes by these gradients on two bodies, at t, all bodies being at `k`.
    pub(super) fn inverse_mass<'k>(
        &mut self,
        m: &Model,
        t: f64,
        bodies: [usize; 2],
        gradients: &[Pull; 2],
        k: impl Fn(usize) -> &'k Kinematics,
    ) -> f64 {
        let Mobility { joints, accelerations } = self;
        let ends = [0, 1].map(|i| (bodies[i], &gradients[i]));
        let along = |body: usize, pull: &Pull, a: &[f64; 12]| pull.along(a, m.bodies[body].soft.is_some());
        let moved = ends.map(|(body, pull)| response(m, t, body, k(body), pull));
        let free: f64 = ends.iter().zip(&moved).map(|((body, pull), a)| along(*body, pull, a)).sum();
        let place = |body: usize| m.linkage.bodies.iter().position(|b| b.body == body);
        if bodies.iter().all(|&body| place(body).is_none()) {
            return free;
        }
        joints.evaluate(m, t, &k);
        joints.factor(m, |body| m.mass_factor(body, t));
        accelerations.fill([0.0; 12]);
        for ((body, _), a) in ends.iter().zip(&moved) {
            if let Some(i) = place(*body) {
                accelerations[i] = *a;
            }
        }
        joints.solve_changed(m, &[], accelerations);
        let mut held = free;
        joints.responses(m, |_, of, change| {
            for (body, pull) in ends.iter().filter(|end| end.0 == of) {
                let mut a = [0.0; 12];
                a[..change.len()].copy_from_slice(change);
                held += along(*body, pull, &a);
            }
        });
        if held > HELD * free { held } else { free }
    }
}

/// What a unit impulse along a gradient does to a body: to v and ω, or to v and Ḟ.
fn response(m: &Model, t: f64, body: usize, k: &Kinematics, pull: &Pull) -> [f64; 12] {
    let mut out = [0.0; 12];
    if !m.is_dynamic(body) {
        return out;
    }
    let (b, share) = (&m.bodies[body], 1.0 / m.mass_factor(body, t));
    out[..3].copy_from_slice((pull.f.component_mul(&b.inverse_mass) * share).as_slice());
    match &b.soft {
        Some(soft) => {
            let moment = Mat3::from_column_slice(&pull.moment());
            out[3..].copy_from_slice((soft.response(&inverse(&k.x.r).1, &moment) * share).as_slice());
        }
        None => out[3..6].copy_from_slice((b.angular_response(&k.x.r, &pull.torque()) * share).as_slice()),
    }
    out
}
