//! Hunt and Crossley: damping that vanishes with the indentation.
//!
//! By restitution: F = K δⁿ (1 + η δ̇/v₀), η = (3/2)(1 − c). By a constant: F = K δⁿ (1 + χ̄ δ̇).
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, never below zero |
//! | K | N/mⁿ | contact stiffness |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | n | 1 | exponent; 3/2 for a point contact |
//! | v₀ | m/s | impact speed: δ̇ at first touch |
//! | c | 1 | prescribed coefficient of restitution |
//! | χ̄ | s/m | constant damping; no impact speed, nothing latched: the restitution falls with speed |
//!
//! Source: K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as damping in vibroimpact,
//! *ASME J. Appl. Mech.* 42 (1975) 440–445.
//! Valid: c ≳ 0.8; below, the rebound is faster than asked (c = 0.5 gives 0.66). Constant χ̄: any.
//! Checked against the public code of Simbody; the restitution it gives by our own integration.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, SpecError};

use super::power::{EXPONENT, STIFFNESS};
use super::{Damped, DampingFactor, EXIT_TOGETHER, NormalEntry};
use crate::law::{Normal, Reference};
use crate::{LawError, check_value};

/// F = K δⁿ (1 + η δ̇/v₀) with η = 3(1 − c)/2, or F = K δⁿ (1 + χ̄ δ̇) (Hunt and Crossley 1975).
///
/// ```
/// use carom_law::normal::HuntCrossley;
/// use carom_law::{Indentation, Normal, Touch};
/// let touch = Touch { stiffness: 1e8, v0: 0.5, mass: 1.0 };
/// let c = Indentation { delta: 1e-4, delta_dot: 0.5 };
///
/// let by_restitution = HuntCrossley::restitution(0.8)?; // η = 0.3
/// assert!((by_restitution.force(c, &touch).f_n - 130.0).abs() < 1e-9);
///
/// let by_damping = HuntCrossley::damping(0.4)?; // χ̄ = 0.4 s/m
/// assert!((by_damping.force(c, &touch).f_n - 120.0).abs() < 1e-9);
/// assert!(!by_damping.needs_impact_speed());
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type HuntCrossley = Damped<HuntCrossleyFactor>;

/// η(c) of [`HuntCrossley`].
#[derive(Debug)]
pub enum HuntCrossleyFactor {}

impl DampingFactor for HuntCrossleyFactor {
    const NAME: &'static str = "hunt-crossley";
    const RESTITUTION: Param = Param::optional(
        "restitution",
        Quantity::Number,
        Allowed::Between(0.0, 1.0),
        "then `damping` must be given",
        "coefficient of restitution c",
    );
    fn eta(c: f64) -> f64 {
        1.5 * (1.0 - c)
    }
}

const DAMPING: Param = Param::optional(
    "damping",
    Quantity::InverseSpeed,
    Allowed::NotNegative,
    "then `restitution` must be given",
    "constant damping per stiffness",
);

const NAME: &str = HuntCrossleyFactor::NAME;

impl HuntCrossley {
    /// By a constant χ̄ [s/m] ≥ 0, independent of the impact speed; refuses another.
    pub fn damping(chi: f64) -> Result<HuntCrossley, LawError> {
        check_value(NAME, &DAMPING, chi)?;
        Ok(Damped::constant(chi))
    }

    fn build_either(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let conflict = |what| Err(SpecError::Conflict { kind: NAME, what });
        match (args.number("restitution"), args.number("damping")) {
            (Some(_), None) => HuntCrossley::build(args),
            (None, Some(chi)) => HuntCrossley::constant(chi).with_args(args),
            (Some(_), Some(_)) => conflict("give `restitution` or `damping`, not both"),
            (None, None) => conflict("give one of `restitution`, `damping`"),
        }
    }
}

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: NAME,
        summary: "damping in proportion to the elastic force; by restitution or by a constant",
        params: &[HuntCrossleyFactor::RESTITUTION, DAMPING, STIFFNESS, EXPONENT],
        build: HuntCrossley::build_either,
    },
    formula: "F = K δⁿ (1 + η δ̇/v₀), η = 3(1−c)/2; or F = K δⁿ (1 + χ̄ δ̇)",
    range: "c ≳ 0.8 (c = 0.5 rebounds with 0.66); with constant damping the restitution falls with speed",
    exit: EXIT_TOGETHER,
    reference: Reference {
        source: "K. H. Hunt, F. R. E. Crossley, J. Appl. Mech. 42 (1975) 440-445",
        checked: "against the public code of Simbody",
    },
    eta: Some(HuntCrossleyFactor::eta),
};
