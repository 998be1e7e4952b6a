//! Coulomb friction made smooth by a hyperbolic tangent.
//!
//! F = −μ N tanh(k_t |v|) v/|v|
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | μ | 1 | coefficient of kinetic friction |
//! | k_t | s/m | slope at zero slip; full friction from about 3/k_t |
//!
//! Source: a common regularisation of Coulomb's law; its origin is not known to us.
//! Valid: steady slip much above 1/k_t. At rest it creeps: a tangential load Q < μN slides at atanh(Q/μN)/k_t.
//! Checked against the public code of Chrono.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Two, Vec3};

use super::{COEFFICIENT, FrictionEntry};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};

/// F = −μ N tanh(k_t |v|) v/|v|.
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, friction::Tanh};
/// let law = Tanh::new(0.2, 1000.0)?;
/// let f = law.force(50.0, &Vec3::new(0.3, 0.0, 0.0));
/// assert!((f - Vec3::new(-10.0, 0.0, 0.0)).norm() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tanh {
    coefficient: f64,
    slope: f64,
}

const NAME: &str = "tanh";

/// (2⁻²⁷)².
const LEAST: f64 = f64::EPSILON / 4.0;

pub(super) const SLOPE: Param =
    Param::required("slope", Quantity::InverseSpeed, Allowed::Positive, "slope k_t at zero slip");

impl Tanh {
    /// μ ≥ 0 and k_t [s/m] > 0; refuses others.
    pub fn new(coefficient: f64, slope: f64) -> Result<Tanh, LawError> {
        let law = Tanh { coefficient, slope };
        law.check_values()?;
        Ok(law)
    }

    fn check_values(&self) -> Result<(), SpecError> {
        check_value(NAME, &COEFFICIENT, self.coefficient)?;
        check_value(NAME, &SLOPE, self.slope)
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let coefficient = needed(args, NAME, &COEFFICIENT)?;
        let slope = needed(args, NAME, &SLOPE)?;
        let law = Tanh { coefficient, slope };
        law.check_values()?;
        Ok(Arc::new(law))
    }
}

impl FrictionLaw for Tanh {
    fn name(&self) -> &'static str {
        NAME
    }

    /// The poles of tanh are at ±iπ/2.
    fn width(&self) -> f64 {
        std::f64::consts::FRAC_PI_2 / self.slope
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

impl FrictionFormula for Tanh {
    #[inline]
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        let k = S::from_f64(self.slope);
        // tanh(k s)/s = k tanh(x)/x = k (1 − x²/3 …), x = k s: from x = 2⁻²⁷ down this is k to rounding, and there x stays. So s = 0 needs
        // no direction and duals keep the slope −μ N k_t there.
        let x = (v_t.dot(v_t) * k * k).max(S::from_f64(LEAST)).sqrt();
        let per_speed = k * (x.tanh() / x);
        v_t * (-(S::from_f64(self.coefficient) * f_n * per_speed))
    }

    #[inline]
    fn force_two(&self, f_n: Two, v_t: &Vec3<Two>) -> Vec3<Two> {
        FrictionFormula::force(self, f_n, v_t)
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "Coulomb friction, smooth through zero slip",
        params: &[COEFFICIENT, SLOPE],
        build: Tanh::build,
    },
    formula: "F = −μ N tanh(k_t |v|) v/|v|",
    range: "slip well above 1/k_t",
    at_rest: "no force at zero slip: under a load Q < μN it creeps at atanh(Q/(μN))/k_t",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "a common regularisation of Coulomb's law; origin not known to us",
        checked: "against the public code of Chrono",
    },
};
