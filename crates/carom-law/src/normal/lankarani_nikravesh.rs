//! Lankarani and Nikravesh: the loss of energy set by the square of the restitution.
//!
//! F = K δⁿ (1 + η δ̇/v₀), η = (3/4)(1 − c²); or, with a constant χ̄, F = K δⁿ (1 + χ̄ δ̇)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, never below zero |
//! | K | N/mⁿ | contact stiffness |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | n | 1 | exponent; 3/2 for a point contact |
//! | v₀ | m/s | impact speed: δ̇ at first touch |
//! | c | 1 | prescribed coefficient of restitution |
//!
//! Source: H. M. Lankarani, P. E. Nikravesh, A contact force model with hysteresis damping for impact analysis
//! of multibody systems, *ASME J. Mech. Des.* 112 (1990) 369–376.
//! Valid: c ≳ 0.8; below, the rebound is faster than asked (c = 0.5 gives 0.73).
//! Exit: δ = 0, where the force is zero as well.
//! Checked against public code and papers that print it; the restitution it gives by our own integration.

use carom_base::param::Allowed;

use super::damped::About;
use super::{Damped, DampingFactor, NormalEntry};
use crate::entry::Reference;

/// F = K δⁿ (1 + η δ̇/v₀) with η = 3(1 − c²)/4 (Lankarani and Nikravesh 1990).
///
/// ```
/// use carom_law::normal::LankaraniNikravesh;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = LankaraniNikravesh::restitution(0.8)?; // η = 0.27
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.5 }, &touch);
/// assert!((f.f_n - 127.0).abs() < 1e-9 && (f.f_elastic - 100.0).abs() < 1e-9);
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type LankaraniNikravesh = Damped<LankaraniNikraveshFactor>;

/// η(c) of [`LankaraniNikravesh`].
#[derive(Debug)]
pub enum LankaraniNikraveshFactor {}

impl DampingFactor for LankaraniNikraveshFactor {
    const NAME: &'static str = "lankarani-nikravesh";
    const RESTITUTION: Allowed = Allowed::Between(0.0, 1.0);
    fn eta(c: f64) -> f64 {
        0.75 * (1.0 - c * c)
    }
}

pub(super) const ENTRY: NormalEntry = LankaraniNikravesh::entry(About {
    summary: "damping from the energy lost at a restitution near 1",
    formula: "F = K δⁿ (1 + η δ̇/v₀), η = 3(1−c²)/4; or F = K δⁿ (1 + χ̄ δ̇)",
    range: "c ≳ 0.8 (c = 0.5 rebounds with 0.73)",
    reference: Reference {
        source: "H. M. Lankarani, P. E. Nikravesh, J. Mech. Des. 112 (1990) 369-376",
        checked: "against public code and papers that print it",
    },
});
