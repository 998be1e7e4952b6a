//! Rooney and Deravi: Coulomb friction with a linear ramp through zero slip.
//!
//! F = −μ N min(|v|/v1, 1) v/|v|
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | μ | 1 | coefficient of kinetic friction |
//! | v1 | m/s | slip from which there is full friction |
//!
//! Source: G. T. Rooney, P. Deravi, Coulomb friction in mechanism sliding joints, *Mech. Mach. Theory* 17 (1982) 207–211.
//! Valid: slip well above v1. The force is continuous, its slope is not. A load Q < μN creeps at v1 Q/(μN).
//! From general knowledge, formula not compared with the original.

use std::sync::Arc;

use carom_base::{Args, Entry, Param, Scalar, SpecError, Vec3};

use super::slip::{check_values, opposing, transition_speed};
use super::{COEFFICIENT, FrictionEntry};
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};

/// F = −μ N min(|v|/v1, 1) v/|v| (Rooney and Deravi 1982).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, friction::RooneyDeravi};
/// let law = RooneyDeravi::new(0.2, 0.01)?;
/// assert!((law.force(50.0, &Vec3::new(0.004, 0.0, 0.0)).x + 4.0).abs() < 1e-12);
/// assert!((law.force(50.0, &Vec3::new(3.0, 0.0, 0.0)).x + 10.0).abs() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RooneyDeravi {
    coefficient: f64,
    v1: f64,
}

const NAME: &str = "rooney-deravi";

const V1: Param = transition_speed("slip v1 from which there is full friction");

impl RooneyDeravi {
    /// μ ≥ 0 and v1 [m/s] > 0; refuses others.
    pub fn new(coefficient: f64, transition_speed: f64) -> Result<RooneyDeravi, LawError> {
        let law = RooneyDeravi { coefficient, v1: transition_speed };
        FrictionLaw::check(&law)?;
        Ok(law)
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let coefficient = needed(args, NAME, &COEFFICIENT)?;
        Ok(Arc::new(RooneyDeravi { coefficient, v1: needed(args, NAME, &V1)? }))
    }
}

impl FrictionLaw for RooneyDeravi {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(check_values(NAME, &[(&COEFFICIENT, self.coefficient), (&V1, self.v1)])?)
    }
}

impl FrictionFormula for RooneyDeravi {
    #[inline]
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        let full = S::from_f64(self.coefficient) * f_n;
        let ramp = || full * S::from_f64(1.0 / self.v1);
        opposing(v_t, ramp, |s| if s.value() < self.v1 { ramp() } else { full / s })
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "Coulomb friction with a linear ramp through zero slip",
        params: &[COEFFICIENT, V1],
        build: RooneyDeravi::build,
    },
    formula: "F = −μ N min(|v|/v1, 1) v/|v|",
    range: "slip well above v1; continuous, with a corner there",
    at_rest: "no force at zero slip: under a load Q < μN it creeps at v1 Q/(μN)",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "G. T. Rooney, P. Deravi, Mech. Mach. Theory 17 (1982) 207-211",
        checked: "from general knowledge, formula not compared with the original",
    },
};
