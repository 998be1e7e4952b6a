//! Pant and Wijeyewickrema: a linear spring, and a dashpot in compression only that grows with the indentation.
//!
//! F = K δ (1 + η δ̇/v₀) while δ̇ > 0, K δ after; η = (3/2)(1 − c²)/c²
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, never below zero |
//! | K | N/m | contact stiffness |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | v₀ | m/s | impact speed: δ̇ at first touch |
//! | c | 1 | prescribed coefficient of restitution, > 0 |
//!
//! Source: D. R. Pant, A. C. Wijeyewickrema, Structural performance of a base-isolated reinforced concrete building subjected to seismic pounding, *Earthq. Eng. Struct. Dyn.* 41 (2012) 1709–1716;
//! η as public code that names them has it. Why it is so: the dashpot takes η K/v₀ ∫ δ δ̇ dδ. On the path of the elastic impact, δ̇ = v₀ √(1 − δ²/δ_m²), that is η K δ_m²/3; it must be
//! ½ m v₀² (1 − c²), and what the spring stores and gives back is ½ K δ_m² = ½ m v₀² c².
//! Valid: 0 < c ≤ 1 (c = 0.1, 0.5, 0.9 give 0.114, 0.525, 0.902). The force has a corner in its slope where δ̇ = 0.
//! Exit: δ = 0, where the force is zero as well.
//! Checked: η derived again as above; the restitution by our own integration, and in closed form: e² = 2 (η − ln(1 + η))/η².

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity};

use super::dashpot::{Dashpot, DashpotLaw, DashpotRestitution, either_params};
use super::{EXIT_TOGETHER, NormalEntry};
use crate::entry::Reference;

/// F = K δ (1 + η max(δ̇, 0)/v₀), η = 3(1 − c²)/(2c²) or η/v₀ given (Pant and Wijeyewickrema 2012).
///
/// ```
/// use carom_law::normal::PantWijeyewickrema;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = PantWijeyewickrema::restitution(0.5)?.stiffness(1e6); // η = 4.5
/// let touch = Touch::point(1e6, 2.0, 1.0);
/// let f = |delta_dot| law.force(Indentation { delta: 1e-4, delta_dot }, &touch).f_n;
/// assert!((f(1.0) - 325.0).abs() < 1e-10 && (f(-1.0) - 100.0).abs() < 1e-10);
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type PantWijeyewickrema = Dashpot<PantWijeyewickremaConstants>;

/// What makes [`PantWijeyewickrema`].
#[derive(Debug)]
pub enum PantWijeyewickremaConstants {}

impl DashpotLaw for PantWijeyewickremaConstants {
    const NAME: &'static str = "pant-wijeyewickrema";
    const N: f64 = 1.0;
    const P: f64 = 1.0;
    const COMPRESSION_ONLY: bool = true;
    const STIFFNESS: Param =
        Param::required("stiffness", Quantity::LinearStiffness, Allowed::Positive, "contact stiffness K");
    const DAMPING: Param = Param::optional(
        "damping",
        Quantity::InverseSpeed,
        Allowed::NotNegative,
        "then `restitution` must be given",
        "constant damping per stiffness η/v₀, in place of a restitution, which then falls with speed",
    );
    const PER_STIFFNESS: Option<f64> = Some(1.0);
}

impl DashpotRestitution for PantWijeyewickremaConstants {
    fn ratio(c: f64) -> f64 {
        1.5 * (1.0 - c * c) / (c * c)
    }
}

const KEYS: [Param; 3] = either_params::<PantWijeyewickremaConstants>();

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: PantWijeyewickremaConstants::NAME,
        summary: "linear spring, and a dashpot in compression only that grows with the indentation",
        params: &KEYS,
        build: PantWijeyewickrema::build_either,
    },
    formula: "F = K δ (1 + η max(δ̇, 0)/v₀), η = 3(1−c²)/(2c²); or η/v₀ given",
    range: "0 < c ≤ 1 (c = 0.5 rebounds with 0.525)",
    exit: EXIT_TOGETHER,
    reference: Reference {
        source: "D. R. Pant, A. C. Wijeyewickrema, Earthq. Eng. Struct. Dyn. 41 (2012) 1709-1716, from public code that names them",
        checked: "derived and checked numerically; not seen in the original",
    },
    eta: None,
};
