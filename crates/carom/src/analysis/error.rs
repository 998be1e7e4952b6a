//! The reasons why a mechanism cannot be analysed.

/// The reasons why a mechanism cannot be analysed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnalysisError {
    /// an invalid duration or output interval
    #[error("`{field}` cannot be {value}: allowed is {allowed}")]
    BadOption {
        /// the name of the option
        field: &'static str,
        /// its value
        value: f64,
        /// the allowed values
        allowed: &'static str,
    },
    /// the model has no joint
    #[error("there is no joint: kinematic and inverse analyses are of driven mechanisms")]
    NoJoint,
    /// a model that cannot be started, with the reason
    #[error("{0}")]
    Model(String),
    /// motions that no drive determines
    #[error("{count} motion(s) of the mechanism are left free, one of them {example}: each needs a drive")]
    Free {
        /// number of these motions
        count: usize,
        /// the bodies that move most in one of them
        example: String,
    },
    /// a force that depends on the past
    #[error("{part}: what it does depends on how it came about, which only a dynamic run knows")]
    Remembers {
        /// the contact, or the friction of a joint
        part: String,
    },
    /// a posture that cannot be reached
    #[error(
        "joint `{joint}`: the mechanism cannot follow its drives beyond t = {t}: it locks, or comes to a position where it could go two ways"
    )]
    Stuck {
        /// the last time that was reached \[s\]
        t: f64,
        /// the joint with the largest residual
        joint: String,
    },
    /// forces that cannot be computed
    #[error("{part}: at t = {t}: {reason}")]
    Forces {
        /// time \[s\]
        t: f64,
        /// the part of the model in which it happened
        part: String,
        /// the reason
        reason: &'static str,
    },
}
