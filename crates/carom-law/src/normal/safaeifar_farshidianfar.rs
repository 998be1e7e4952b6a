//! Safaeifar and Farshidianfar: a little less damping than Hu and Guo.
//!
//! F = K δⁿ (1 + η δ̇/v₀), η = (5/4)(1 − c)/c; or, with a constant χ̄, F = K δⁿ (1 + χ̄ δ̇)
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
//! Source: H. Safaeifar, A. Farshidianfar, A new model of the contact force for the collision between two solid
//! bodies, *Multibody Syst. Dyn.* 50 (2020) 233–257.
//! Valid: 0 < c ≤ 1, best for medium c (c = 0.5 gives 0.536, c = 0.9 gives 0.915).
//! Exit: δ = 0, where the force is zero as well.
//! From general knowledge, formula not compared with the original; the restitution it gives by our own
//! integration.

use carom_base::param::Allowed;

use super::damped::About;
use super::{Damped, DampingFactor, NormalEntry};
use crate::entry::Reference;

/// F = K δⁿ (1 + η δ̇/v₀) with η = 5(1 − c)/(4c) (Safaeifar and Farshidianfar 2020).
///
/// ```
/// use carom_law::normal::SafaeifarFarshidianfar;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = SafaeifarFarshidianfar::restitution(0.8)?; // η = 0.3125
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.5 }, &touch);
/// assert!((f.f_n - 131.25).abs() < 1e-9 && (f.f_elastic - 100.0).abs() < 1e-9);
/// assert!(SafaeifarFarshidianfar::restitution(0.0).is_err());
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type SafaeifarFarshidianfar = Damped<SafaeifarFarshidianfarFactor>;

/// η(c) of [`SafaeifarFarshidianfar`].
#[derive(Debug)]
pub enum SafaeifarFarshidianfarFactor {}

impl DampingFactor for SafaeifarFarshidianfarFactor {
    const NAME: &'static str = "safaeifar-farshidianfar";
    const RESTITUTION: Allowed = Allowed::Above(0.0, 1.0);
    fn eta(c: f64) -> f64 {
        1.25 * (1.0 - c) / c
    }
}

pub(super) const ENTRY: NormalEntry = SafaeifarFarshidianfar::entry(About {
    summary: "damping for any restitution above zero, a little underdamped",
    formula: "F = K δⁿ (1 + η δ̇/v₀), η = 5(1−c)/(4c); or F = K δⁿ (1 + χ̄ δ̇)",
    range: "0 < c ≤ 1, best for medium c (c = 0.5 rebounds with 0.536)",
    reference: Reference {
        source: "H. Safaeifar, A. Farshidianfar, Multibody Syst. Dyn. 50 (2020) 233-257",
        checked: "from general knowledge, formula not compared with the original",
    },
});
