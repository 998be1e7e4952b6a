//! Analyses of a mechanism that its drives leave nothing free to do: where it is at every time, how fast and how hastily it moves (kinematic), and what its drives must do for that (inverse).
//!
//! Neither integrates anything: places are solutions of Φ(q, t) = 0, followed from one time to the next, velocities of Φ_q q̇ = −Φ_t, accelerations of Φ_q q̈ = γ. What the drives must do are the multipliers of
//! their equations, the forces on all bodies being known.

mod cycle;
mod error;
mod posture;

pub use cycle::Cycle;
pub use error::AnalysisError;
pub use posture::{Acceleration, CoordinateRecord, DriveRecord, Posture};
