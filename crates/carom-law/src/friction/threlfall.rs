//! Threlfall: Coulomb friction with an exponential ramp.
//!
//! F = −μ N (1 − e^{−3 min(|v|/v0, 1)}) v/|v|
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | μ | 1 | coefficient of kinetic friction |
//! | v0 | m/s | slip from which the force no longer grows |
//!
//! From v0 on the force is 1 − e⁻³ = 0.9502 of μN, never all of it. Printed as 0.95 it would jump at v0 by two parts in
//! ten thousand; here it is continuous.
//!
//! Source: D. C. Threlfall, The inclusion of Coulomb friction in mechanisms programs with particular reference to DRAM,
//! *Mech. Mach. Theory* 13 (1978) 475–483.
//! Valid: slip well above v0, with a coefficient raised by 5 %. The force is continuous, its slope is not.
//! From general knowledge, formula not compared with the original.

use std::sync::Arc;

use carom_base::{Args, Entry, Param, Scalar, SpecError, Vec3};

use super::slip::{check_values, opposing, transition_speed};
use super::{COEFFICIENT, FrictionEntry};
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};

/// F = −μ N (1 − e^{−3|v|/v0}) v/|v| up to v0, −0.9502 μ N v/|v| beyond (Threlfall 1978).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, friction::Threlfall};
/// let law = Threlfall::new(0.2, 0.01)?;
/// assert!((law.force(50.0, &Vec3::new(0.005, 0.0, 0.0)).x + 10.0 * (1.0 - (-1.5f64).exp())).abs() < 1e-12);
/// assert!((law.force(50.0, &Vec3::new(3.0, 0.0, 0.0)).x + 9.502129316321361).abs() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threlfall {
    coefficient: f64,
    v0: f64,
}

const NAME: &str = "threlfall";

const V0: Param = transition_speed("slip v0 from which the force no longer grows");

/// 1 − e⁻³.
const FULL: f64 = 0.950212931632136;

impl Threlfall {
    /// μ ≥ 0 and v0 [m/s] > 0; refuses others.
    pub fn new(coefficient: f64, transition_speed: f64) -> Result<Threlfall, LawError> {
        let law = Threlfall { coefficient, v0: transition_speed };
        FrictionLaw::check(&law)?;
        Ok(law)
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let coefficient = needed(args, NAME, &COEFFICIENT)?;
        Ok(Arc::new(Threlfall { coefficient, v0: needed(args, NAME, &V0)? }))
    }

    /// (1 − e^{−3s/v0})/s [s/m].
    #[inline]
    fn ramp<S: Scalar>(&self, s: S) -> S {
        let number = S::from_f64;
        let x = number(3.0 / self.v0) * s;
        if x.value() < 1e-3 {
            // (1 − e^{−x})/x = 1 − x/2 + x²/6 − x³/24 + x⁴/120 …: the next term is below rounding
            let series = number(1.0)
                - x * (number(0.5)
                    - x * (number(1.0 / 6.0) - x * (number(1.0 / 24.0) - x * number(1.0 / 120.0))));
            return number(3.0 / self.v0) * series;
        }
        (number(1.0) - (-x).exp()) / s
    }
}

impl FrictionLaw for Threlfall {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(check_values(NAME, &[(&COEFFICIENT, self.coefficient), (&V0, self.v0)])?)
    }
}

impl FrictionFormula for Threlfall {
    #[inline]
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        let full = S::from_f64(self.coefficient) * f_n;
        let at_rest = || full * S::from_f64(3.0 / self.v0);
        let beyond = |s: S| S::from_f64(FULL) / s;
        opposing(v_t, at_rest, |s| full * if s.value() < self.v0 { self.ramp(s) } else { beyond(s) })
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "Coulomb friction with an exponential ramp, to 0.95 of it",
        params: &[COEFFICIENT, V0],
        build: Threlfall::build,
    },
    formula: "F = −μ N (1 − exp(−3|v|/v0)) v/|v| up to v0, then −(1 − e⁻³) μ N v/|v|",
    range: "slip well above v0, where it is 0.9502 μN; continuous, with a corner there",
    at_rest: "no force at zero slip: under a load Q < 0.95 μN it creeps at −ln(1 − Q/(μN)) v0/3",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "D. C. Threlfall, Mech. Mach. Theory 13 (1978) 475-483",
        checked: "from general knowledge, formula not compared with the original",
    },
};
