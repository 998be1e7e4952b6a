//! Gharib and Hurmuzlu: damping for impacts of low restitution.
//!
//! F = K δⁿ (1 + η δ̇/v₀), η = 1/c; or, with a constant χ̄, F = K δⁿ (1 + χ̄ δ̇)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, never below zero |
//! | K | N/mⁿ | contact stiffness |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | n | 1 | exponent; 3/2 for a point contact |
//! | v₀ | m/s | impact speed: δ̇ at first touch |
//! | c | 1 | prescribed coefficient of restitution, > 0 |
//!
//! Source: M. Gharib, Y. Hurmuzlu, A new contact force model for low coefficient of restitution impact, *ASME J. Appl. Mech.* 79 (2012) 064506.
//! Valid: low c, as the title says: the exact factor has η c → 1 as c → 0, so that c = 0.1 gives 0.09998. Towards c = 1 it has the wrong limit: η = 1 instead of 0,
//! and c = 0.9 gives 0.567.
//! Exit: δ = 0, where the force is zero as well.
//! From general knowledge, formula not compared with the original (it has the limit that the exact relation asks for where they say it holds); the restitution it gives by our own integration.

use carom_base::param::Allowed;

use super::damped::About;
use super::{Damped, DampingFactor, NormalEntry};
use crate::entry::Reference;

/// F = K δⁿ (1 + η δ̇/v₀) with η = 1/c (Gharib and Hurmuzlu 2012).
///
/// ```
/// use carom_law::impact::effective_restitution;
/// use carom_law::normal::GharibHurmuzlu;
/// let law = GharibHurmuzlu::restitution(0.05)?; // η = 20
/// assert!((effective_restitution(law.eta().unwrap_or_default()) / 0.05 - 1.0).abs() < 1e-6);
/// assert!(GharibHurmuzlu::restitution(0.0).is_err());
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type GharibHurmuzlu = Damped<GharibHurmuzluFactor>;

/// η(c) of [`GharibHurmuzlu`].
#[derive(Debug)]
pub enum GharibHurmuzluFactor {}

impl DampingFactor for GharibHurmuzluFactor {
    const NAME: &'static str = "gharib-hurmuzlu";
    const RESTITUTION: Allowed = Allowed::Above(0.0, 1.0);
    fn eta(c: f64) -> f64 {
        1.0 / c
    }
}

pub(super) const ENTRY: NormalEntry = GharibHurmuzlu::entry(About {
    summary: "damping for low restitution",
    formula: "F = K δⁿ (1 + η δ̇/v₀), η = 1/c; or F = K δⁿ (1 + χ̄ δ̇)",
    range: "c ≲ 0.3 (0.1 rebounds with 0.1000, 0.5 with 0.41); wrong limit as c → 1",
    reference: Reference {
        source: "M. Gharib, Y. Hurmuzlu, J. Appl. Mech. 79 (2012) 064506",
        checked: "from general knowledge, formula not compared with the original; its limit as c → 0 is the exact one",
    },
});
