//! The reactions of joints in a state: S λ = γ − Φ_q M⁻¹ g (`multipliers`), the joint friction that they cause
//! (`friction`), bodies with little inertia (`settle`), and the distance to a singular position (`singular`).

mod angles;
mod multipliers;
mod products;
mod friction;
mod settle;
mod singular;
mod writer;

pub(crate) use friction::{JointFrictionState, Jointed};
pub(crate) use multipliers::Multipliers;
pub(crate) use singular::{Nearness, TOO_NEAR};
