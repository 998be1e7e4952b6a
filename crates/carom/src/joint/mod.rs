//! Joints: what holds two bodies together, as equations of their motion.
//!
//! Φ(q, t) = 0 by multipliers: M q̈ = g + Φ_qᵀ λ, Φ_q q̈ = γ (Lopes et al. 2010, Eqs 1–3, with λ of the opposite sign, so that it is the force along the gradient). Bodies keep their coordinates and M its
//! blocks, so that S λ = γ − Φ_q M⁻¹ g with S = Φ_q M⁻¹ Φ_qᵀ is all there is to solve: small blocks, one for every joint and one for every two that share a body (`blocks`).
//! The drift is taken out of positions and velocities after every accepted step (`crate::project`): by the least change, as the masses see it.
//!
//! - `moving`, `measure`, `equation`: what a row of Φ is, over dual numbers as well.
//! - `coordinates`: what joints leave free, a record each, from which all names, units, keys and paths follow.
//! - `kinds/`: the joints, one file each. To add one: write its file, and add its line to [`JOINTS`].
//! - `rolling`: surfaces that roll on one another.
//! - `friction`: what rubs in a joint.
//! - `limit`, `stop`: what keeps its coordinates within bounds, as contacts that act by measures.
//! - `constraint`: a joint in a model; `constraints`: all of them, with the pattern of S; `blocks`: how such a matrix is factored; `slender`: bodies with little inertia in some direction.
//!
//! What joints do in a state, S, λ and the reactions, is in `crate::reaction`.

mod blocks;
mod coordinates;
mod describe;
mod equation;
mod friction;
mod constraint;
mod kinds;
mod limit;
mod constraint_set;
mod measure;
mod moving;
mod rolling;
mod slender;
mod stabilisation;
mod stop;

pub(crate) use blocks::{Factors, MOST};
pub(crate) use constraint::Seat;
pub(crate) use constraint_set::{ConstraintSet, End, Jointed, Product};
pub(crate) use describe::Given;
pub use describe::{Equations, Frames, Glyph, Joint, JointKind};
pub(crate) use equation::Rows;
pub(crate) use equation::unwrapped;
pub use friction::{JointFriction, Slip};
pub(crate) use friction::{JointFrictionTerm, Slipping};
pub use kinds::JOINTS;
pub use kinds::{
    Cylindrical, DistanceJoint, Fixed, Gear, PlanarJoint, PointOnLine, PointOnPlane, Prismatic, Revolute,
    Rolling, Screw, Spherical, Universal,
};
pub(crate) use limit::Stop;
pub(crate) use measure::{A, Arm, B, GeneralizedForce, Measure, Row, Vector};
pub(crate) use moving::Moving;
pub(crate) use slender::{Spin, enlarge};
pub use stabilisation::Stabilisation;
pub(crate) use stop::StopPair;
