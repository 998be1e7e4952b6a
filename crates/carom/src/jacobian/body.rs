//! Derivatives of a rigid body's rates by its own state: of ẋ = v, q̇ = ½ (0, ω) q, and of the gyroscopic torque γ.
//!
//! ω̇ = W (τ − γ), γ = ω × J ω, J = R I Rᵀ. Let G = ∂γ/∂ω = [ω]J − [Jω], with [a] b = a × b. A small rotation δθ of
//! the body alone changes
//!
//!   γ by δθ × γ − G (δθ × ω), hence ∂γ/∂θ = G [ω] − [γ],
//!   W x, where W turns with the body, by δθ × W x − W (δθ × x), hence ∂(W x)/∂θ = W [x] − [W x].

use carom_base::{Mat3, Vec3};
use carom_ode::Jacobian;

use crate::body::{Inertia, Rotation};
use crate::layout::{Rigid, RigidRows};
use crate::slopes::{flag, rotation_by_quaternion, unit};
use crate::state::{Kinematics, quaternion_rate};
use crate::world::BodyModel;

/// Adds the derivatives of a body's rates by its own numbers `y`, which are at `rows` in the state. `torque` is the
/// sum of all torques on the body, divided by m(t)/m(0).
pub(super) fn add(
    b: &BodyModel,
    k: &Kinematics,
    torque: &Vec3,
    y: Rigid<'_>,
    rows: RigidRows,
    j: &mut Jacobian,
) {
    let q = y.quaternion();
    for i in 0..3 {
        j.add(rows.position(i), rows.velocity(i), 1.0);
        // q̇ is linear in ω and in q: its derivative by a component of either is q̇ at the unit vector of that component
        j.add_rows(rows.quaternion(0), rows.angular_velocity(i), &quaternion_rate(&unit(i), &q));
    }
    for i in 0..4 {
        let unit = std::array::from_fn(|l| flag(l == i));
        j.add_rows(rows.quaternion(0), rows.quaternion(i), &quaternion_rate(&k.w, &unit));
    }
    let Inertia::General { tensor, .. } = &b.inertia else { return };
    let r = &k.x.r;
    let inertia = r * tensor * r.transpose();
    let momentum = inertia * k.w;
    let gamma = k.w.cross(&momentum);
    let by_w = k.w.cross_matrix() * inertia - momentum.cross_matrix();
    // W maps torques to angular accelerations
    let response = Mat3::from_columns(&[0, 1, 2].map(|i| b.angular_response(r, &unit(i))));
    let mut by_turn = response * (gamma.cross_matrix() - by_w * k.w.cross_matrix());
    // about a fixed axis W does not turn with the body
    if b.dofs.rotation == Rotation::Free {
        let x = torque - gamma;
        by_turn += response * x.cross_matrix() - (response * x).cross_matrix();
    }
    let (by_q, by_w) = (by_turn * rotation_by_quaternion(&q), response * by_w);
    for i in 0..4 {
        j.add_rows(rows.angular_velocity(0), rows.quaternion(i), by_q.column(i).as_slice());
    }
    for i in 0..3 {
        j.add_rows(rows.angular_velocity(0), rows.angular_velocity(i), (-by_w.column(i)).as_slice());
    }
}
