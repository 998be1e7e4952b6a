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

/// What is asked of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Analysis {
    /// how it moves under its forces
    #[default]
    Dynamic,
    /// where its drives take it: places, velocities, accelerations
    Kinematic,
    /// where it comes to rest
    Static,
    /// what its drives must do to take it there
    Inverse,
    /// how it moves near where it comes to rest
    Modes,
}

impl Analysis {
    /// All of them, with the words for them.
    pub const ALL: [(&'static str, Analysis); 5] = [
        ("dynamic", Analysis::Dynamic),
        ("kinematic", Analysis::Kinematic),
        ("static", Analysis::Static),
        ("inverse", Analysis::Inverse),
        ("modes", Analysis::Modes),
    ];

    /// The word for it.
    ///
    /// ```
    /// assert_eq!(carom::Analysis::Inverse.word(), "inverse");
    /// ```
    pub fn word(self) -> &'static str {
        Analysis::ALL.iter().find(|(_, a)| *a == self).map_or("", |(word, _)| word)
    }
}
