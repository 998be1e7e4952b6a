//! Ambrósio: Coulomb friction with a dead band and a ramp.
//!
//! F = −μ N c_d v/|v|, c_d = 0 for |v| ≤ v0, (|v| − v0)/(v1 − v0) between, 1 for |v| ≥ v1
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | μ | 1 | coefficient of kinetic friction |
//! | v0, v1 | m/s | end of the dead band, end of the ramp; 0 ≤ v0 < v1 |
//!
//! Source: J. A. C. Ambrósio, Impact of rigid and flexible multibody systems: deformation description and
//! contact models, in *Virtual Nonlinear Multibody Systems*, 2003.
//! Valid: slip well above v1. Below v0 there is no friction at all. The force is continuous, its slope is not.
//! From general knowledge: not yet compared with the original.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::{COEFFICIENT, FrictionEntry};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};

/// F = −μ N c_d v/|v| with c_d from 0 at |v| ≤ v0 to 1 at |v| ≥ v1 (Ambrósio 2003).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, friction::Ambrosio};
/// let law = Ambrosio::new(0.2, 0.001, 0.003)?;
/// assert_eq!(law.force(50.0, &Vec3::new(0.0005, 0.0, 0.0)).norm(), 0.0);
/// assert!((law.force(50.0, &Vec3::new(0.002, 0.0, 0.0)).norm() - 5.0).abs() < 1e-12);
/// assert!((law.force(50.0, &Vec3::new(1.0, 0.0, 0.0)).norm() - 10.0).abs() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ambrosio {
    coefficient: f64,
    v0: f64,
    v1: f64,
}

const NAME: &str = "ambrosio";

const V0: Param =
    Param::required("v0", Quantity::Speed, Allowed::NotNegative, "slip up to which there is no friction");
const V1: Param =
    Param::required("v1", Quantity::Speed, Allowed::Positive, "slip from which there is full friction");

impl Ambrosio {
    /// μ ≥ 0 and speeds [m/s] 0 ≤ v0 < v1; refuses others.
    pub fn new(coefficient: f64, v0: f64, v1: f64) -> Result<Ambrosio, LawError> {
        let law = Ambrosio { coefficient, v0, v1 };
        law.check_values()?;
        Ok(law)
    }

    fn check_values(&self) -> Result<(), SpecError> {
        check_value(NAME, &COEFFICIENT, self.coefficient)?;
        check_value(NAME, &V0, self.v0)?;
        check_value(NAME, &V1, self.v1)?;
        if self.v0 < self.v1 {
            Ok(())
        } else {
            Err(SpecError::Conflict { kind: NAME, what: "`v0` must be less than `v1`" })
        }
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let coefficient = needed(args, NAME, &COEFFICIENT)?;
        let (v0, v1) = (needed(args, NAME, &V0)?, needed(args, NAME, &V1)?);
        let law = Ambrosio { coefficient, v0, v1 };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    /// c_d/|v| [s/m].
    #[inline]
    fn per_speed<S: Scalar>(&self, v_t: &Vec3<S>) -> S {
        let v_squared = v_t.dot(v_t);
        let (v0, v1) = (self.v0, self.v1);
        // without a dead band the ramp is linear in v itself, also at v = 0, which has no direction
        if v0 == 0.0 && v_squared.value() < v1 * v1 {
            return S::from_f64(1.0 / v1);
        }
        if v_squared.value() <= v0 * v0 {
            return S::from_f64(0.0);
        }
        let s = v_squared.sqrt();
        if s.value() < v1 { (s - S::from_f64(v0)) / (S::from_f64(v1 - v0) * s) } else { S::from_f64(1.0) / s }
    }
}

impl FrictionLaw for Ambrosio {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

impl FrictionFormula for Ambrosio {
    #[inline]
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        v_t * (-(S::from_f64(self.coefficient) * f_n * self.per_speed(v_t)))
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "Coulomb friction with a dead band and a ramp",
        params: &[COEFFICIENT, V0, V1],
        build: Ambrosio::build,
    },
    formula: "F = −μ N c_d v/|v|, c_d = 0 up to v0, (|v|−v0)/(v1−v0) up to v1, then 1",
    range: "slip well above v1; continuous, with corners at v0 and v1",
    at_rest: "no force up to the slip v0",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "J. A. C. Ambrósio, in Virtual Nonlinear Multibody Systems, 2003",
        checked: "from general knowledge; not yet compared with the original",
    },
};
