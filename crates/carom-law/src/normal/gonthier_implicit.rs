//! The exact damping factor: the restitution asked for is the one that comes out.
//!
//! F = K δⁿ (1 + η δ̇/v₀), η = the root of η(1 + c) = ln[(1 + η)/(1 − ηc)]; or, with a constant χ̄, F = K δⁿ (1
//! + χ̄ δ̇)
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
//! damping and dwell-time dependent friction, *Multibody Syst. Dyn.* 11 (2004) 209–233, who give the relation;
//! derived again in [`crate::impact`], and solved to rounding by [`crate::impact::exact_factor`].
//! Valid: 0 < c ≤ 1, exactly, for a free impact and any exponent; gravity and other forces during contact
//! change the rebound a little.
//! Exit: δ = 0, where the force is zero as well.
//! Derived, and checked numerically.

use carom_base::param::Allowed;

use super::damped::About;
use super::{Damped, DampingFactor, NormalEntry};
use crate::entry::Reference;
use crate::impact::exact_factor;

/// F = K δⁿ (1 + η δ̇/v₀) with η the root of η(1 + c) = ln((1 + η)/(1 − ηc)): the effective restitution is c.
///
/// ```
/// use carom_law::impact::effective_restitution;
/// use carom_law::normal::GonthierImplicit;
/// let law = GonthierImplicit::restitution(0.35)?;
/// let eta = law.eta().unwrap_or_default();
/// assert!((effective_restitution(eta) - 0.35).abs() < 1e-15);
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type GonthierImplicit = Damped<GonthierImplicitFactor>;

/// η(c) of [`GonthierImplicit`].
#[derive(Debug)]
pub enum GonthierImplicitFactor {}

impl DampingFactor for GonthierImplicitFactor {
    const NAME: &'static str = "gonthier-implicit";
    const RESTITUTION: Allowed = Allowed::Above(0.0, 1.0);
    fn eta(c: f64) -> f64 {
        exact_factor(c)
    }
}

pub(super) const ENTRY: NormalEntry = GonthierImplicit::entry(About {
    summary: "the damping that gives exactly the restitution asked for",
    formula: "F = K δⁿ (1 + η δ̇/v₀), η from η(1+c) = ln[(1+η)/(1−ηc)]; or F = K δⁿ (1 + χ̄ δ̇)",
    range: "0 < c ≤ 1: the effective restitution is c, for any exponent",
    reference: Reference {
        source: "relation: Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedbœuf, Multibody Syst. Dyn. 11 (2004) 209-233",
        checked: "derived and checked numerically",
    },
});
