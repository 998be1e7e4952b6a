//! Bengisu and Akay: a parabola up to static friction, an exponential fall to kinetic friction.
//!
//! |F| = Fs (1 − (1 − |v|/v0)²) up to v0, Fc + (Fs − Fc) e^{−ξ(|v| − v0)} beyond, along −v/|v|; Fs = μs N, Fc = μ N
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | μ, μs | 1 | coefficients of kinetic and static friction, μ ≤ μs |
//! | v0 | m/s | slip at which friction is largest |
//! | ξ | s/m | how fast it falls from there, > 0 |
//!
//! Source: M. T. Bengisu, A. Akay, Stability of friction-induced vibrations in multi-degree-of-freedom systems, *J. Sound
//! Vib.* 171 (1994) 557–570.
//! Valid: slip above v0. The force is continuous; its slope is not at v0, unless μ = μs. Where it falls with slip a
//! flexible mount is driven to vibrate (stick-slip): the law itself only dissipates.
//! From general knowledge, formula not compared with the original.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::slip::{STATIC_COEFFICIENT, check_coefficients, check_values, opposing, transition_speed};
use super::{COEFFICIENT, FrictionEntry};
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};

/// A parabola up to μs N at v0, an exponential fall to μ N beyond (Bengisu and Akay 1994).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, friction::BengisuAkay};
/// let law = BengisuAkay::new(0.2, 0.3, 0.01, 100.0)?;
/// let f = |v| -law.force(50.0, &Vec3::new(v, 0.0, 0.0)).x;
/// assert!((f(0.005) - 11.25).abs() < 1e-12 && (f(0.01) - 15.0).abs() < 1e-12);
/// assert!((f(0.03) - 10.0 - 5.0 * (-2.0f64).exp()).abs() < 1e-12 && (f(2.0) - 10.0).abs() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BengisuAkay {
    coefficient: f64,
    static_coefficient: f64,
    v0: f64,
    decay: f64,
}

const NAME: &str = "bengisu-akay";

const V0: Param = transition_speed("slip v0 at which friction is largest");
const DECAY: Param = Param::required(
    "decay",
    Quantity::InverseSpeed,
    Allowed::Positive,
    "how fast friction falls beyond v0: ξ",
);

impl BengisuAkay {
    /// 0 ≤ μ ≤ μs, v0 [m/s] > 0 and ξ [s/m] > 0; refuses others.
    pub fn new(
        coefficient: f64,
        static_coefficient: f64,
        transition_speed: f64,
        decay: f64,
    ) -> Result<BengisuAkay, LawError> {
        let law = BengisuAkay { coefficient, static_coefficient, v0: transition_speed, decay };
        FrictionLaw::check(&law)?;
        Ok(law)
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let number = |param| needed(args, NAME, param);
        let law = BengisuAkay {
            coefficient: number(&COEFFICIENT)?,
            static_coefficient: number(&STATIC_COEFFICIENT)?,
            v0: number(&V0)?,
            decay: number(&DECAY)?,
        };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        check_coefficients(NAME, self.coefficient, self.static_coefficient)?;
        check_values(NAME, &[(&V0, self.v0), (&DECAY, self.decay)])
    }

    /// |F|/(N s) [s/m].
    #[inline]
    fn ratio<S: Scalar>(&self, s: S) -> S {
        let number = S::from_f64;
        let (mu, mu_s, v0) = (self.coefficient, self.static_coefficient, self.v0);
        if s.value() < v0 {
            return number(mu_s / v0) * (number(2.0) - s * number(1.0 / v0));
        }
        let fall = (number(-self.decay) * (s - number(v0))).exp();
        (number(mu) + number(mu_s - mu) * fall) / s
    }
}

impl FrictionLaw for BengisuAkay {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

impl FrictionFormula for BengisuAkay {
    #[inline]
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        let at_rest = || f_n * S::from_f64(2.0 * self.static_coefficient / self.v0);
        opposing(v_t, at_rest, |s| f_n * self.ratio(s))
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "parabola up to static friction, exponential fall to kinetic friction",
        params: &[COEFFICIENT, STATIC_COEFFICIENT, V0, DECAY],
        build: BengisuAkay::build,
    },
    formula: "|F| = μs N (1 − (1−|v|/v0)²) up to v0, then N (μ + (μs−μ) exp(−ξ(|v|−v0)))",
    range: "slip above v0; continuous, with a corner there",
    at_rest: "no force at zero slip: under a load Q < μs N it creeps at (1 − √(1 − Q/(μs N))) v0",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "M. T. Bengisu, A. Akay, J. Sound Vib. 171 (1994) 557-570",
        checked: "from general knowledge, formula not compared with the original",
    },
};
