//! Why a mechanism cannot be analysed.

/// Why a mechanism cannot be analysed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnalysisError {
    /// a time that is none
    #[error("`{field}` cannot be {value}: allowed is {allowed}")]
    BadOption {
        /// of the analysis
        field: &'static str,
        /// what it is
        value: f64,
        /// what it may be
        allowed: &'static str,
    },
    /// no joint
    #[error("there is no joint: kinematic and inverse analyses are of driven mechanisms")]
    NoJoint,
    /// a model that cannot start
    #[error("{0}")]
    Model(String),
    /// motions that no drive determines
    #[error("{count} motion(s) of the mechanism are left free, one of them {example}: each needs a drive")]
    Free {
        /// how many
        count: usize,
        /// the bodies that move most in one of them
        example: String,
    },
    /// a force that depends on what happened before
    #[error("{part}: what it does depends on how it came about, which only a dynamic run knows")]
    Remembers {
        /// the contact or joint
        part: String,
    },
    /// a posture that cannot be reached
    #[error(
        "joint `{joint}`: the mechanism cannot follow its drives beyond t = {t}: it locks, or comes to a position where it could go two ways"
    )]
    Stuck {
        /// the last time it could \[s\]
        t: f64,
        /// the joint that is farthest off
        joint: String,
    },
    /// forces that cannot be computed
    #[error("{part}: at t = {t}: {reason}")]
    Forces {
        /// \[s\]
        t: f64,
        /// where
        part: String,
        /// why
        reason: &'static str,
    },
}
