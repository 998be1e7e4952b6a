//! Joints: constraints between two bodies, as equations of their motion.
//!
//! The constraints Φ(q, t) = 0 are enforced by multipliers: M q̈ = g + Φ_qᵀ λ, Φ_q q̈ = γ (Lopes et al. 2010, Eqs 1–3,
//! with λ of the opposite sign, so that it is the force along the gradient). Bodies keep their own coordinates and M is
//! block-diagonal, so that only S λ = γ − Φ_q M⁻¹ g with S = Φ_q M⁻¹ Φ_qᵀ is to be solved: small blocks, one for every
//! joint and one for every two joints that share a body (`blocks`). After every accepted step the drift is removed from
//! positions and velocities (`crate::project`) by the change that is least in the norm of the mass matrix.
//!
//! - `moving`, `measure`, `equation`: the rows of Φ, also with derivatives (over dual numbers).
//! - `coordinates`: how the coordinates that joints leave free are measured. Each has a record in `crate::coordinate`,
//!   from which all names, units, keys and paths follow.
//! - `kinds/`: the kinds of joints, one file each. To add one: write its file, and add its line to [`kinds::JOINTS`].
//! - `rolling`: surfaces that roll on one another.
//! - `friction`: joint friction.
//! - `rotor`: the inertia of what turns or moves with a coordinate, as the rotor of a geared motor.
//! - `limit`, `stop`: stops that keep the coordinates of a joint within limits, as contacts that act along a measure.
//! - `constraint`: a joint in a model; `constraint_set`: all of them, with the pattern of S; `blocks`: the factors of
//!   such a matrix; `slender`: bodies with little inertia in some direction.
//!
//! `crate::reaction` computes S, λ and the reactions in a state.

mod blocks;
mod coordinates;
mod describe;
mod equation;
mod friction;
mod constraint;
pub(crate) mod kinds;
mod limit;
mod constraint_set;
mod measure;
mod moving;
mod rolling;
mod rotor;
mod slender;
mod stabilisation;
mod stop;

pub(crate) use blocks::{Factors, MAX_ROWS};
pub(crate) use constraint::JointDrawing;
pub(crate) use constraint_set::{ConstraintSet, End, Jointed, Product};
pub(crate) use describe::Given;
pub use describe::{Equations, Frames, Glyph, Joint, JointKind};
pub(crate) use equation::Rows;
pub(crate) use equation::unwrapped;
#[cfg(test)]
pub(crate) use equation::wrap;
pub use friction::{JointFriction, Slip};
pub(crate) use friction::{JointFrictionTerm, Slipping};
pub(crate) use limit::Stop;
pub(crate) use measure::{A, Arm, B, GeneralizedForce, Measure, Row, Vector};
pub(crate) use moving::Moving;
pub(crate) use rotor::RotorRow;
pub(crate) use slender::{Spin, regularise_inertia};
pub use stabilisation::Stabilisation;
pub(crate) use stop::StopPair;
