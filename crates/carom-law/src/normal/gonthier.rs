//! Gonthier, McPhee, Lange and Piedbœuf: the approximate damping factor.
//!
//! F = K δⁿ (1 + η δ̇/v₀), η = (1 − c²)/c; or, with a constant χ̄, F = K δⁿ (1 + χ̄ δ̇)
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
//! Source: Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedbœuf, A regularized contact model with asymmetric
//! damping and dwell-time dependent friction, *Multibody Syst. Dyn.* 11 (2004) 209–233.
//! Valid: 0 < c ≤ 1; right for low c (0.1 gives 0.101), overdamped for high ones, where η → 2(1 − c) in place
//! of (3/2)(1 − c) (c = 0.9 gives 0.876). `gonthier-implicit` is right for all.
//! Exit: δ = 0, where the force is zero as well.
//! Checked against public code and papers that print it; the restitution it gives by our own integration.

use carom_base::param::Allowed;

use super::damped::About;
use super::{Damped, DampingFactor, NormalEntry};
use crate::entry::Reference;

/// F = K δⁿ (1 + η δ̇/v₀) with η = (1 − c²)/c (Gonthier et al. 2004).
///
/// ```
/// use carom_law::normal::Gonthier;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = Gonthier::restitution(0.8)?; // η = 0.45
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.5 }, &touch);
/// assert!((f.f_n - 145.0).abs() < 1e-9 && (f.f_elastic - 100.0).abs() < 1e-9);
/// assert!(Gonthier::restitution(0.0).is_err());
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type Gonthier = Damped<GonthierFactor>;

/// η(c) of [`Gonthier`].
#[derive(Debug)]
pub enum GonthierFactor {}

impl DampingFactor for GonthierFactor {
    const NAME: &'static str = "gonthier";
    const RESTITUTION: Allowed = Allowed::Above(0.0, 1.0);
    fn eta(c: f64) -> f64 {
        (1.0 - c * c) / c
    }
}

pub(super) const ENTRY: NormalEntry = Gonthier::entry(About {
    summary: "approximate solution of the exact relation, right for low restitution",
    formula: "F = K δⁿ (1 + η δ̇/v₀), η = (1−c²)/c; or F = K δⁿ (1 + χ̄ δ̇)",
    range: "low c; overdamped for high ones (c = 0.9 rebounds with 0.876)",
    reference: Reference {
        source: "Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedbœuf, Multibody Syst. Dyn. 11 (2004) 209-233",
        checked: "against public code and papers that print it",
    },
});
