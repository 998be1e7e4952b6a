//! Pant and Wijeyewickrema: a linear spring, damped by its force in compression only.
//!
//! F = K δ (1 + η δ̇/v₀) while δ̇ > 0, K δ after, η = (3/2)(1 − c²)/c²; or, with a constant χ̄, K δ (1 + χ̄ δ̇)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, never below zero |
//! | K | N/m | stiffness of the spring; materials give none |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | v₀ | m/s | impact speed: δ̇ at first touch |
//! | η | 1 | damping factor |
//! | c | 1 | prescribed coefficient of restitution, > 0 |
//! | χ̄ = η/v₀ | s/m | damping per stiffness |
//!
//! A free impact loses energy as the surfaces approach and none after: by the first half of the standard impact, with s = δ_max²,
//!
//! K s/(2 m v₀²) = 1/η − ln(1 + η)/η², and e² = K s/(m v₀²).
//!
//! The source takes δ̇ as in an elastic impact, for which e = c; the rebound is faster: c = 0.1, 0.5, 0.9 give 0.114, 0.525, 0.902.
//!
//! Source: D. R. Pant, A. C. Wijeyewickrema, Structural performance of a base-isolated reinforced concrete building subjected to seismic pounding, *Earthq. Eng. Struct. Dyn.* 41 (2012) 1709–1716.
//! Valid: 0 < c ≤ 1. The force has a corner where δ̇ = 0, which is located where tolerances are tight.
//! Exit: δ = 0, where the force is zero as well.
//! Compared with public code that has it, not with the original; η derived again, and the restitution in closed form.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError};

use super::damped::{DAMPING, damped, either, restitution};
use super::{EXIT_TOGETHER, NormalEntry};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw};
use crate::power::PowerLaw;
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// F = K δ (1 + η max(δ̇, 0)/v₀), η = (3/2)(1 − c²)/c² (Pant and Wijeyewickrema 2012).
///
/// ```
/// use carom_law::normal::PantWijeyewickrema;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = PantWijeyewickrema::restitution(0.5, 1e6)?; // η = 4.5
/// let f = |delta_dot| law.force(Indentation { delta: 1e-4, delta_dot }, &Touch::point(1e6, 0.5, 1.0)).f_n;
/// assert!((f(0.5) - 550.0).abs() < 1e-9 && (f(-0.5) - 100.0).abs() < 1e-9);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PantWijeyewickrema {
    damping: Damping,
    stiffness: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Damping {
    /// η
    Factor(f64),
    /// χ̄ [s/m]
    Constant(f64),
}

const NAME: &str = "pant-wijeyewickrema";

const RESTITUTION: Param = restitution(Allowed::Above(0.0, 1.0));
const STIFFNESS: Param = Param::required(
    "stiffness",
    Quantity::LinearStiffness,
    Allowed::Positive,
    "stiffness K of the linear spring; materials give none",
);

/// η of a coefficient of restitution.
fn factor(c: f64) -> Damping {
    Damping::Factor(1.5 * (1.0 - c * c) / (c * c))
}

impl PantWijeyewickrema {
    /// By the prescribed coefficient of restitution, 0 < c ≤ 1, and the stiffness K [N/m] > 0; refuses others.
    pub fn restitution(c: f64, stiffness: f64) -> Result<PantWijeyewickrema, LawError> {
        check_value(NAME, &RESTITUTION, c)?;
        PantWijeyewickrema::new(factor(c), stiffness)
    }

    /// By a constant χ̄ [s/m] ≥ 0, and the stiffness K [N/m] > 0; refuses others.
    pub fn damping(chi: f64, stiffness: f64) -> Result<PantWijeyewickrema, LawError> {
        check_value(NAME, &DAMPING, chi)?;
        PantWijeyewickrema::new(Damping::Constant(chi), stiffness)
    }

    fn new(damping: Damping, stiffness: f64) -> Result<PantWijeyewickrema, LawError> {
        check_value(NAME, &STIFFNESS, stiffness)?;
        Ok(PantWijeyewickrema { damping, stiffness })
    }

    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let damping = either(NAME, args, factor, Damping::Constant)?;
        Ok(Arc::new(PantWijeyewickrema { damping, stiffness: needed(args, NAME, &STIFFNESS)? }))
    }

    fn power(&self) -> PowerLaw {
        PowerLaw { stiffness: Some(self.stiffness), exponent: 1.0 }
    }

    /// χ̄ [s/m] in this contact.
    fn chi(&self, touch: &Touch) -> f64 {
        match self.damping {
            // an elastic law does not ask for v₀, which may then be zero
            Damping::Factor(0.0) => 0.0,
            Damping::Factor(eta) => eta / touch.v0,
            Damping::Constant(chi) => chi,
        }
    }
}

impl NormalLaw for PantWijeyewickrema {
    fn name(&self) -> &'static str {
        NAME
    }
    fn exponent(&self) -> f64 {
        1.0
    }
    fn stiffness(&self) -> Stiffness {
        self.power().source()
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        self.power().energy(delta, touch)
    }
    fn needs_impact_speed(&self) -> bool {
        matches!(self.damping, Damping::Factor(eta) if eta != 0.0)
    }
    fn is_elastic(&self) -> bool {
        matches!(self.damping, Damping::Factor(0.0) | Damping::Constant(0.0))
    }
    fn ends_damping_at_turn(&self) -> bool {
        !NormalLaw::is_elastic(self)
    }
    fn check(&self) -> Result<(), LawError> {
        Ok(check_value(NAME, &STIFFNESS, self.stiffness)?)
    }
}

impl NormalFormula for PantWijeyewickrema {
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        let zero = S::from_f64(0.0);
        let f_elastic = self.power().elastic(c.delta, S::from_f64(touch.stiffness));
        damped(f_elastic, c.delta_dot.max(zero), self.chi(touch))
    }
}

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: NAME,
        summary: "linear spring, damped by its force in compression only",
        params: &[RESTITUTION, DAMPING, STIFFNESS],
        build: PantWijeyewickrema::build,
    },
    formula: "F = K δ (1 + η max(δ̇, 0)/v₀), η = 3(1−c²)/(2c²); or F = K δ (1 + χ̄ max(δ̇, 0))",
    range: "0 < c ≤ 1 (c = 0.5 rebounds with 0.525); a corner at the deepest point",
    exit: EXIT_TOGETHER,
    reference: Reference {
        source: "D. R. Pant, A. C. Wijeyewickrema, Earthq. Eng. Struct. Dyn. 41 (2012) 1709-1716",
        checked: "against public code, formula not compared with the original; the restitution in closed form",
    },
    eta: None,
};
