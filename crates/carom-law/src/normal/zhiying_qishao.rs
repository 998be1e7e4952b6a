//! Zhiying and Qishao: Lankarani and Nikravesh corrected for low restitution.
//!
//! F = K δⁿ (1 + η δ̇/v₀), η = (3/4)(1 − c²) e^{2(1−c)}; or, with a constant χ̄, F = K δⁿ (1 + χ̄ δ̇)
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
//! Source: Q. Zhiying, L. Qishao, Analysis of impact process based on restitution coefficient, *J. Dyn.
//! Control* 4 (2006) 294–298.
//! Valid: c ≳ 0.3 (c = 0.5 gives 0.483, c = 0.1 gives 0.22).
//! Exit: δ = 0, where the force is zero as well.
//! Checked against public code that has it, not compared with the original; the restitution it gives by our own
//! integration.

use carom_base::elementary::exp;
use carom_base::param::Allowed;

use super::damped::About;
use super::{Damped, DampingFactor, NormalEntry};
use crate::entry::Reference;

/// F = K δⁿ (1 + η δ̇/v₀) with η = 3(1 − c²) e^{2(1−c)}/4 (Zhiying and Qishao 2006).
///
/// ```
/// use carom_law::normal::ZhiyingQishao;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = ZhiyingQishao::restitution(0.8)?; // η = 0.4027…
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.5 }, &touch);
/// assert!((f.f_n - 140.279267).abs() < 1e-6 && (f.f_elastic - 100.0).abs() < 1e-9);
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type ZhiyingQishao = Damped<ZhiyingQishaoFactor>;

/// η(c) of [`ZhiyingQishao`].
#[derive(Debug)]
pub enum ZhiyingQishaoFactor {}

impl DampingFactor for ZhiyingQishaoFactor {
    const NAME: &'static str = "zhiying-qishao";
    const RESTITUTION: Allowed = Allowed::Between(0.0, 1.0);
    fn eta(c: f64) -> f64 {
        0.75 * (1.0 - c * c) * exp(2.0 * (1.0 - c))
    }
}

pub(super) const ENTRY: NormalEntry = ZhiyingQishao::entry(About {
    summary: "Lankarani and Nikravesh's damping, stronger for low restitution",
    formula: "F = K δⁿ (1 + η δ̇/v₀), η = 3(1−c²) exp(2(1−c))/4; or F = K δⁿ (1 + χ̄ δ̇)",
    range: "c ≳ 0.3 (c = 0.5 rebounds with 0.483)",
    reference: Reference {
        source: "Q. Zhiying, L. Qishao, J. Dyn. Control 4 (2006) 294-298",
        checked: "against public code that has it; formula not compared with the original",
    },
});
