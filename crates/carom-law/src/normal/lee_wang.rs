//! Lee and Wang: half the damping of Hunt and Crossley.
//!
//! F = K δⁿ (1 + η δ̇/v₀), η = (3/4)(1 − c); or, with a constant χ̄, F = K δⁿ (1 + χ̄ δ̇)
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
//! Source: T. W. Lee, A. C. Wang, On the dynamics of intermittent-motion mechanisms, Part 1: dynamic model and
//! response, *ASME J. Mech. Transm. Autom. Des.* 105 (1983) 534–540.
//! Valid: nowhere exactly: it loses about half the energy asked for even as c → 1, where η should go as (3/2)(1
//! − c) (c = 0.9 gives 0.952, c = 0.5 gives 0.80). For comparison with results that used it.
//! Exit: δ = 0, where the force is zero as well.
//! Checked against public code that has it, not compared with the original; the restitution it gives by our own
//! integration.

use carom_base::param::Allowed;

use super::damped::About;
use super::{Damped, DampingFactor, NormalEntry};
use crate::entry::Reference;

/// F = K δⁿ (1 + η δ̇/v₀) with η = 3(1 − c)/4 (Lee and Wang 1983).
///
/// ```
/// use carom_law::normal::LeeWang;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = LeeWang::restitution(0.8)?; // η = 0.15
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.5 }, &touch);
/// assert!((f.f_n - 115.0).abs() < 1e-9 && (f.f_elastic - 100.0).abs() < 1e-9);
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type LeeWang = Damped<LeeWangFactor>;

/// η(c) of [`LeeWang`].
#[derive(Debug)]
pub enum LeeWangFactor {}

impl DampingFactor for LeeWangFactor {
    const NAME: &'static str = "lee-wang";
    const RESTITUTION: Allowed = Allowed::Between(0.0, 1.0);
    fn eta(c: f64) -> f64 {
        0.75 * (1.0 - c)
    }
}

pub(super) const ENTRY: NormalEntry = LeeWang::entry(About {
    summary: "half the damping of Hunt and Crossley; wrong limit",
    formula: "F = K δⁿ (1 + η δ̇/v₀), η = 3(1−c)/4; or F = K δⁿ (1 + χ̄ δ̇)",
    range: "for comparison only: about half the loss asked for, even as c → 1 (c = 0.9 rebounds with 0.952)",
    reference: Reference {
        source: "T. W. Lee, A. C. Wang, J. Mech. Transm. Autom. Des. 105 (1983) 534-540",
        checked: "against public code that has it; formula not compared with the original",
    },
});
