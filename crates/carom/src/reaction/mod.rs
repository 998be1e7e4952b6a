//! The reactions of joints in a state: S λ = γ − Φ_q M⁻¹ g (`multipliers`), the friction that they cause (`rubbing`), bodies with little inertia (`settle`),
//! and how near a singular position is (`singular`).

mod multipliers;
mod products;
mod rubbing;
mod settle;
mod singular;
mod writer;

pub(crate) use multipliers::Multipliers;
pub(crate) use rubbing::Rubbing;
pub(crate) use singular::{Nearness, TOO_NEAR};
