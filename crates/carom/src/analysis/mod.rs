//! Analyses of a mechanism whose motion is fully determined by its drives: its position, velocity and acceleration at every
//! time (kinematic), and the forces of its drives that this takes (inverse).
//!
//! Neither integrates in time: positions solve Φ(q, t) = 0, tracked from one time to the next, velocities solve Φ_q q̇ =
//! −Φ_t, accelerations solve Φ_q q̈ = γ. The forces of the drives are the multipliers of their equations, the forces on all
//! bodies being known.

mod cycle;
mod error;
mod posture;

pub use cycle::Cycle;
pub use error::AnalysisError;
pub use posture::Posture;

/// The kind of analysis of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Analysis {
    /// motion under forces
    #[default]
    Dynamic,
    /// motion given by the drives: positions, velocities, accelerations
    Kinematic,
    /// equilibrium
    Static,
    /// the forces that the drives must exert for the given motion
    Inverse,
    /// small vibrations about an equilibrium
    Modes,
}

impl Analysis {
    /// All variants with their names in scene files.
    pub const ALL: [(&'static str, Analysis); 5] = [
        ("dynamic", Analysis::Dynamic),
        ("kinematic", Analysis::Kinematic),
        ("static", Analysis::Static),
        ("inverse", Analysis::Inverse),
        ("modes", Analysis::Modes),
    ];

    /// Returns its name in scene files.
    ///
    /// ```
    /// assert_eq!(carom::Analysis::Inverse.word(), "inverse");
    /// ```
    pub fn word(self) -> &'static str {
        Analysis::ALL.iter().find(|(_, a)| *a == self).map_or("", |(word, _)| word)
    }
}
