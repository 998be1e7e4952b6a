//! Flores, Machado, Silva and Martins: for soft and hard contacts alike.
//!
//! F = K δⁿ (1 + η δ̇/v₀), η = (8/5)(1 − c)/c; or, with a constant χ̄, F = K δⁿ (1 + χ̄ δ̇)
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
//! Source: P. Flores, M. Machado, M. T. Silva, J. M. Martins, On the continuous contact force models for soft
//! materials in multibody dynamics, *Multibody Syst. Dyn.* 25 (2011) 357–375.
//! Valid: 0 < c ≤ 1; slightly overdamped (c = 0.5 gives 0.47, c = 0.9 gives 0.894).
//! Exit: δ = 0, where the force is zero as well.
//! Checked against public code and papers that print it; the restitution it gives by our own integration.

use carom_base::param::Allowed;

use super::damped::About;
use super::{Damped, DampingFactor, NormalEntry};
use crate::entry::Reference;

/// F = K δⁿ (1 + η δ̇/v₀) with η = 8(1 − c)/(5c) (Flores et al. 2011).
///
/// ```
/// use carom_law::normal::Flores;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = Flores::restitution(0.8)?; // η = 0.4
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.5 }, &touch);
/// assert!((f.f_n - 140.0).abs() < 1e-9 && (f.f_elastic - 100.0).abs() < 1e-9);
/// assert!(Flores::restitution(0.0).is_err());
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type Flores = Damped<FloresFactor>;

/// η(c) of [`Flores`].
#[derive(Debug)]
pub enum FloresFactor {}

impl DampingFactor for FloresFactor {
    const NAME: &'static str = "flores";
    const RESTITUTION: Allowed = Allowed::Above(0.0, 1.0);
    fn eta(c: f64) -> f64 {
        1.6 * (1.0 - c) / c
    }
}

pub(super) const ENTRY: NormalEntry = Flores::entry(About {
    summary: "damping for any restitution above zero, soft materials included",
    formula: "F = K δⁿ (1 + η δ̇/v₀), η = 8(1−c)/(5c); or F = K δⁿ (1 + χ̄ δ̇)",
    range: "0 < c ≤ 1, slightly overdamped (c = 0.5 rebounds with 0.47)",
    reference: Reference {
        source: "P. Flores, M. Machado, M. T. Silva, J. M. Martins, Multibody Syst. Dyn. 25 (2011) 357-375",
        checked: "against public code and papers that print it",
    },
});
