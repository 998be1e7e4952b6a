//! Hollars: a ramp times a falling curve, with viscous friction.
//!
//! |F| = N (min(r, 1) (μ + 2(μs − μ)/(1 + r²)) + μv |v|), r = |v|/vt, along −v/|v|
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | μ, μs | 1 | coefficients of kinetic and static friction, μ ≤ μs |
//! | vt | m/s | slip at which friction is μs N, its largest |
//! | μv | s/m | viscous friction per normal force; none unless given |
//!
//! Source: M. G. Hollars, as Simbody has it in its Hunt–Crossley contact; M. Sherman, A. Seth, S. Delp, Simbody: multibody
//! dynamics for biomedical research, *Procedia IUTAM* 2 (2011) 241–261.
//! Valid: slip above vt. The force is continuous, its slope is not at vt. A load Q creeps below vt.
//! Checked against the public code of Simbody.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::slip::{STATIC_COEFFICIENT, check_coefficients, check_values, opposing, transition_speed};
use super::{COEFFICIENT, FrictionEntry};
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};

/// |F| = N (min(r, 1) (μ + 2(μs − μ)/(1 + r²)) + μv |v|), r = |v|/vt (Hollars).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, friction::Hollars};
/// let law = Hollars::new(0.2, 0.3, 0.01)?;
/// let f = |v| -law.force(50.0, &Vec3::new(v, 0.0, 0.0)).x;
/// assert!((f(0.005) - 9.0).abs() < 1e-12 && (f(0.01) - 15.0).abs() < 1e-12 && (f(0.03) - 11.0).abs() < 1e-12);
/// assert!((law.viscous(0.1).force(50.0, &Vec3::new(0.03, 0.0, 0.0)).x + 11.15).abs() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hollars {
    coefficient: f64,
    static_coefficient: f64,
    vt: f64,
    viscous: f64,
}

const NAME: &str = "hollars";

const VT: Param = transition_speed("slip vt at which friction is largest");
const VISCOUS: Param = Param::default(
    "viscous",
    Quantity::InverseSpeed,
    Allowed::NotNegative,
    0.0,
    "viscous friction per normal force μv",
);

impl Hollars {
    /// 0 ≤ μ ≤ μs and vt [m/s] > 0, without viscous friction; refuses others.
    pub fn new(
        coefficient: f64,
        static_coefficient: f64,
        transition_speed: f64,
    ) -> Result<Hollars, LawError> {
        let law = Hollars { coefficient, static_coefficient, vt: transition_speed, viscous: 0.0 };
        FrictionLaw::check(&law)?;
        Ok(law)
    }

    /// With viscous friction μv [s/m] ≥ 0; [`FrictionLaw::check`] refuses another.
    pub const fn viscous(mut self, mu_v: f64) -> Hollars {
        self.viscous = mu_v;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let number = |param| needed(args, NAME, param);
        let law = Hollars {
            coefficient: number(&COEFFICIENT)?,
            static_coefficient: number(&STATIC_COEFFICIENT)?,
            vt: number(&VT)?,
            viscous: number(&VISCOUS)?,
        };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        check_coefficients(NAME, self.coefficient, self.static_coefficient)?;
        check_values(NAME, &[(&VT, self.vt), (&VISCOUS, self.viscous)])
    }
}

impl FrictionLaw for Hollars {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

impl FrictionFormula for Hollars {
    #[inline]
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        let number = S::from_f64;
        let (mu, rise, vt) = (self.coefficient, self.static_coefficient - self.coefficient, self.vt);
        let at_rest = || f_n * number((mu + 2.0 * rise) / vt + self.viscous);
        opposing(v_t, at_rest, |s| {
            let r = s * number(1.0 / vt);
            let curve = number(mu) + number(2.0 * rise) / (number(1.0) + r * r);
            // min(r, 1)/s
            let ramp = if r.value() < 1.0 { number(1.0 / vt) } else { number(1.0) / s };
            f_n * (ramp * curve + number(self.viscous))
        })
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "static, kinetic and viscous friction, a ramp through zero slip",
        params: &[COEFFICIENT, STATIC_COEFFICIENT, VT, VISCOUS],
        build: Hollars::build,
    },
    formula: "|F| = N (min(r, 1) (μ + 2(μs−μ)/(1+r²)) + μv |v|), r = |v|/vt",
    range: "slip above vt; continuous, with a corner there",
    at_rest: "no force at zero slip: under a load Q well below μs N it creeps, at about Q vt/(N (2μs − μ))",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "M. G. Hollars, as in M. Sherman, A. Seth, S. Delp, Procedia IUTAM 2 (2011) 241-261",
        checked: "against the public code of Simbody",
    },
};
