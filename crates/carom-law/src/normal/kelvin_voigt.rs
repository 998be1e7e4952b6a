//! Kelvin and Voigt: a linear spring beside a linear dashpot, damped as Anagnostopoulos does.
//!
//! F = K δ + D δ̇; by restitution D = 2ξ √(mK), ξ = −ln c/√(π² + ln² c)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force |
//! | K | N/m | stiffness of the spring; materials give none |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | D | N s/m | damping |
//! | m | kg | effective mass along the normal, latched at first touch |
//! | ξ | 1 | damping ratio |
//! | c | 1 | prescribed coefficient of restitution, > 0 |
//!
//! Source: S. A. Anagnostopoulos, Pounding of buildings in series during earthquakes, *Earthq. Eng. Struct. Dyn.*
//! 16 (1988) 443–456, and the correction of its use in 33 (2004) 897–902.
//! Valid: 0 < c ≤ 1. The force jumps to D v₀ at touch. A free impact that ends at δ = 0 rebounds with exactly c;
//! one that ends at F = 0 is faster (c = 0.1, 0.5, 0.9 give 0.253, 0.550, 0.902).
//! Exit: F = 0, or δ = 0 with tension before, by choice.
//! Checked against the public code of Chrono; the restitution by our own integration, and in closed form.

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity};

use super::NormalEntry;
use super::dashpot::{
    Dashpot, DashpotLaw, DashpotRestitution, EXIT, EXIT_EITHER, damping_ratio, either_params,
};
use crate::entry::Reference;

/// F = K δ + D δ̇, with D given or 2ξ(c) √(mK) (Anagnostopoulos 1988).
///
/// ```
/// use carom_law::normal::{Exit, KelvinVoigt};
/// use carom_law::{Indentation, Normal, Touch};
/// let touch = Touch::point(1e6, 0.5, 1.0);
/// let law = KelvinVoigt::damping(200.0)?.stiffness(1e6);
/// let f = |delta_dot| law.force(Indentation { delta: 1e-4, delta_dot }, &touch).f_n;
/// assert_eq!((f(0.5), f(-0.2), f(-0.9)), (200.0, 60.0, 0.0));
/// // the dashpot pulls until the surfaces part
/// let law = law.exit(Exit::Indentation);
/// assert_eq!(law.force(Indentation { delta: 1e-4, delta_dot: -0.9 }, &touch).f_n, -80.0);
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type KelvinVoigt = Dashpot<KelvinVoigtConstants>;

/// What makes [`KelvinVoigt`].
#[derive(Debug)]
pub enum KelvinVoigtConstants {}

impl DashpotLaw for KelvinVoigtConstants {
    const NAME: &'static str = "kelvin-voigt";
    const N: f64 = 1.0;
    const P: f64 = 0.0;
    const STIFFNESS: Param = Param::required(
        "stiffness",
        Quantity::LinearStiffness,
        Allowed::Positive,
        "stiffness K of the linear spring; materials give none",
    );
    const DAMPING: Param = Param::optional(
        "damping",
        Quantity::LinearDamping,
        Allowed::NotNegative,
        "then `restitution` must be given",
        "damping D, in place of a restitution",
    );
}

impl DashpotRestitution for KelvinVoigtConstants {
    fn ratio(c: f64) -> f64 {
        2.0 * damping_ratio(c)
    }
}

const KEYS: [Param; 3] = either_params::<KelvinVoigtConstants>();

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: KelvinVoigtConstants::NAME,
        summary: "linear spring and linear dashpot",
        params: &[KEYS[0], KEYS[1], KEYS[2], EXIT],
        build: KelvinVoigt::build_either,
    },
    formula: "F = K δ + D δ̇, D = 2ξ √(mK), ξ = −ln c/√(π²+ln²c); or D given",
    range: "0 < c ≤ 1; exactly c if it ends at δ = 0, 0.550 for 0.5 if at F = 0; the force jumps at touch",
    exit: EXIT_EITHER,
    reference: Reference {
        source: "S. A. Anagnostopoulos, Earthq. Eng. Struct. Dyn. 16 (1988) 443-456 and 33 (2004) 897-902",
        checked: "against the public code of Chrono",
    },
    eta: None,
};
