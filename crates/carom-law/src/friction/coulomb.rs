//! Coulomb: dry friction as it is, with a jump at zero slip.
//!
//! F = −μ N v/|v|, and F = 0 at v = 0
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | μ | 1 | coefficient of kinetic friction |
//!
//! Source: C. A. Coulomb, *Théorie des machines simples*, 1785.
//! Valid: slip that does not come to rest. As long as it lasts, the law is exact and smooth. Where it ends the law says
//! nothing but |F| ≤ μN, which a function of the slip cannot: here F is zero at exactly zero slip, jumps to μN beside
//! it, and a contact that should stick flies back and forth. Steps by error control then shrink until a jump of the
//! force no longer matters to the tolerance: the run goes on, right to its tolerance, but in hundreds of thousands of
//! steps a second. Use a regularised law (`tanh`, `brown-mcphee` …) where slip may end.
//! No formula to check; the slipping motion is checked against its closed form.

use std::sync::Arc;

use carom_base::{Args, Entry, Scalar, SpecError, Vec3};

use super::slip::opposing;
use super::{COEFFICIENT, FrictionEntry};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};

/// F = −μ N v/|v|, zero at zero slip (Coulomb 1785).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, friction::Coulomb};
/// let law = Coulomb::new(0.2)?;
/// assert_eq!(law.force(50.0, &Vec3::new(1e-9, 0.0, 0.0)), Vec3::new(-10.0, 0.0, 0.0));
/// assert_eq!(law.force(50.0, &Vec3::zeros()), Vec3::zeros());
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coulomb {
    coefficient: f64,
}

const NAME: &str = "coulomb";

impl Coulomb {
    /// μ ≥ 0; refuses another.
    pub fn new(coefficient: f64) -> Result<Coulomb, LawError> {
        check_value(NAME, &COEFFICIENT, coefficient)?;
        Ok(Coulomb { coefficient })
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        Ok(Arc::new(Coulomb { coefficient: needed(args, NAME, &COEFFICIENT)? }))
    }
}

impl FrictionLaw for Coulomb {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(check_value(NAME, &COEFFICIENT, self.coefficient)?)
    }
}

impl FrictionFormula for Coulomb {
    #[inline]
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        opposing(v_t, || S::from_f64(0.0), |s| S::from_f64(self.coefficient) * f_n / s)
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "dry friction with its jump at zero slip; for slip that does not end",
        params: &[COEFFICIENT],
        build: Coulomb::build,
    },
    formula: "F = −μ N v/|v|",
    range: "while there is slip; where it should end, steps become tiny: use a regularised law there",
    at_rest: "no force at exactly zero slip, full friction beside it: it chatters and does not hold",
    continuous: false,
    beyond_cone: 1.0,
    reference: Reference {
        source: "C. A. Coulomb, Théorie des machines simples, 1785",
        checked: "slip of a ball on a plane in closed form",
    },
};
