//! Hu and Guo: the simplest factor with the right limit.
//!
//! F = K δⁿ (1 + η δ̇/v₀), η = (3/2)(1 − c)/c; or, with a constant χ̄, F = K δⁿ (1 + χ̄ δ̇)
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
//! Source: S. Hu, X. Guo, A dissipative contact force model for impact analysis in multibody dynamics,
//! *Multibody Syst. Dyn.* 35 (2015) 131–151.
//! The same η with `exponent = 1` is the law of K. Ye, L. Li and H. Zhu for pounding buildings (2009), as public code that names them has it.
//! Valid: 0 < c ≤ 1: the limit c → 1 is right, and for low c it is close (c = 0.9 gives 0.8999, c = 0.5 gives
//! 0.488, c = 0.1 gives 0.074).
//! Exit: δ = 0, where the force is zero as well.
//! From general knowledge, formula not compared with the original (it has the limit (3/2)(1 − c) that the exact
//! relation asks for); the restitution it gives by our own integration.

use carom_base::param::Allowed;

use super::damped::About;
use super::{Damped, DampingFactor, NormalEntry};
use crate::entry::Reference;

/// F = K δⁿ (1 + η δ̇/v₀) with η = 3(1 − c)/(2c) (Hu and Guo 2015).
///
/// ```
/// use carom_law::normal::HuGuo;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = HuGuo::restitution(0.8)?; // η = 0.375
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.5 }, &touch);
/// assert!((f.f_n - 137.5).abs() < 1e-9 && (f.f_elastic - 100.0).abs() < 1e-9);
/// assert!(HuGuo::restitution(0.0).is_err());
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type HuGuo = Damped<HuGuoFactor>;

/// η(c) of [`HuGuo`].
#[derive(Debug)]
pub enum HuGuoFactor {}

impl DampingFactor for HuGuoFactor {
    const NAME: &'static str = "hu-guo";
    const RESTITUTION: Allowed = Allowed::Above(0.0, 1.0);
    fn eta(c: f64) -> f64 {
        1.5 * (1.0 - c) / c
    }
}

pub(super) const ENTRY: NormalEntry = HuGuo::entry(About {
    summary: "damping for any restitution above zero, right as c → 1",
    formula: "F = K δⁿ (1 + η δ̇/v₀), η = 3(1−c)/(2c); or F = K δⁿ (1 + χ̄ δ̇)",
    range: "0 < c ≤ 1, the best of the explicit ones (c = 0.5 rebounds with 0.488)",
    reference: Reference {
        source: "S. Hu, X. Guo, Multibody Syst. Dyn. 35 (2015) 131-151",
        checked: "from general knowledge, formula not compared with the original",
    },
});
