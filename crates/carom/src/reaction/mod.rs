//! The reactions of joints in a state: S λ = γ − Φ_q M⁻¹ g (`multipliers`), the friction that they cause (`joint_friction`), bodies with little inertia (`settle`),
//! and how near a singular position is (`singular`).

mod multipliers;
mod products;
mod friction;
mod settle;
mod singular;
mod writer;

pub(crate) use friction::JointFrictionState;
pub(crate) use multipliers::Multipliers;
pub(crate) use singular::{Nearness, TOO_NEAR};
