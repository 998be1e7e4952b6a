//! Herbert and McWhannell: a second step towards the right energy loss.
//!
//! F = K δⁿ (1 + η δ̇/v₀), η = 6(1 − c)/((2c − 1)² + 3); or, with a constant χ̄, F = K δⁿ (1 + χ̄ δ̇)
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
//! Source: R. G. Herbert, D. C. McWhannell, Shape and frequency composition of pulses from an impact pair,
//! *ASME J. Eng. Ind.* 99 (1977) 513–518.
//! Valid: c ≳ 0.8; below, the rebound is faster than asked (c = 0.5 gives 0.59).
//! Exit: δ = 0, where the force is zero as well.
//! Checked against public code that has it, not compared with the original; the restitution it gives by our own
//! integration.

use carom_base::elementary::powi;
use carom_base::param::Allowed;

use super::damped::About;
use super::{Damped, DampingFactor, NormalEntry};
use crate::entry::Reference;

/// F = K δⁿ (1 + η δ̇/v₀) with η = 6(1 − c)/((2c − 1)² + 3) (Herbert and McWhannell 1977).
///
/// ```
/// use carom_law::normal::HerbertMcWhannell;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = HerbertMcWhannell::restitution(0.8)?; // η = 0.3571…
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.5 }, &touch);
/// assert!((f.f_n - 135.714286).abs() < 1e-6 && (f.f_elastic - 100.0).abs() < 1e-9);
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type HerbertMcWhannell = Damped<HerbertMcWhannellFactor>;

/// η(c) of [`HerbertMcWhannell`].
#[derive(Debug)]
pub enum HerbertMcWhannellFactor {}

impl DampingFactor for HerbertMcWhannellFactor {
    const NAME: &'static str = "herbert-mcwhannell";
    const RESTITUTION: Allowed = Allowed::Between(0.0, 1.0);
    fn eta(c: f64) -> f64 {
        6.0 * (1.0 - c) / (powi(2.0 * c - 1.0, 2) + 3.0)
    }
}

pub(super) const ENTRY: NormalEntry = HerbertMcWhannell::entry(About {
    summary: "damping a little stronger than Hunt and Crossley's",
    formula: "F = K δⁿ (1 + η δ̇/v₀), η = 6(1−c)/((2c−1)²+3); or F = K δⁿ (1 + χ̄ δ̇)",
    range: "c ≳ 0.8 (c = 0.5 rebounds with 0.59)",
    reference: Reference {
        source: "R. G. Herbert, D. C. McWhannell, J. Eng. Ind. 99 (1977) 513-518",
        checked: "against public code that has it; formula not compared with the original",
    },
});
