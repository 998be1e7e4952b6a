//! Joints: what holds two bodies together, as equations of their motion.
//!
//! Φ(q, t) = 0 by multipliers: M q̈ = g + Φ_qᵀ λ, Φ_q q̈ = γ (Lopes et al. 2010, Eqs 1–3, with λ of the opposite sign, so that it is the force along the gradient). Bodies keep their coordinates and M its
//! blocks, so that S λ = γ − Φ_q M⁻¹ g with S = Φ_q M⁻¹ Φ_qᵀ is all there is to solve: small blocks, one for every joint and one for every two that share a body (`blocks`).
//! The drift is taken out of positions and velocities after every accepted step (`project`): by the least change, as the masses see it.
//!
//! - `moving`, `measure`, `equation`: what a row of Φ is, over dual numbers as well.
//! - `kinds/`: the joints, one file each. To add one: write its file, and add its line to [`JOINTS`].
//! - `hold`: a joint in a model; `linkage`: all of them, with the pattern of S; `multipliers`: S, λ and the reactions in a state; `singular`: positions
//!   that are leapt over.

mod blocks;
mod describe;
mod equation;
mod hold;
mod kinds;
mod linkage;
mod measure;
mod moving;
mod multipliers;
mod project;
mod react;
mod singular;
mod system;

pub(crate) use describe::Place;
pub use describe::{Coordinate, Direction, Equations, Frames, Joint, JointKind};
pub(crate) use equation::Rows;
pub use kinds::JOINTS;
pub use kinds::{
    Cylindrical, DistanceJoint, Fixed, Gear, PlanarJoint, PointOnLine, PointOnPlane, Prismatic, Revolute,
    Screw, Spherical, Universal,
};
pub(crate) use linkage::Linkage;
pub(crate) use measure::Pull;
pub(crate) use moving::Moving;
pub(crate) use multipliers::Multipliers;
pub(crate) use project::project;
pub(crate) use react::joints;
pub(crate) use singular::{Nearness, TOO_NEAR};
