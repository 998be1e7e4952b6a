//! Andersson, Söderberg and Björklund: a Stribeck curve made smooth by a hyperbolic tangent.
//!
//! |F| = N (μ + (μs − μ) e^{−(|v|/vs)^p}) tanh(k|v|), along −v/|v|
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | μ, μs | 1 | coefficients of kinetic and static friction, μ ≤ μs |
//! | vs | m/s | Stribeck speed: where static friction has fallen to kinetic friction by 63 % |
//! | p | 1 | shape of that fall, 1 to 10; 2 unless given |
//! | k | s/m | slope at zero slip; full friction from about 3/k |
//!
//! Source: S. Andersson, A. Söderberg, S. Björklund, Friction models for sliding dry, boundary and mixed lubricated
//! contacts, *Tribol. Int.* 40 (2007) 580–587.
//! Valid: slip above 3/k, and 1/k well below vs: else μs is never reached. At rest it creeps.
//! Checked against public code and papers that print it.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::slip::{STATIC_COEFFICIENT, check_coefficients, check_values, opposing, tanh_per_speed};
use super::tanh::SLOPE;
use super::{COEFFICIENT, FrictionEntry};
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};

/// |F| = N (μ + (μs − μ) e^{−(|v|/vs)^p}) tanh(k|v|) (Andersson, Söderberg and Björklund 2007).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, friction::Andersson};
/// let law = Andersson::new(0.2, 0.3, 0.01, 1e4)?;
/// let f = |v| -law.force(50.0, &Vec3::new(v, 0.0, 0.0)).x;
/// assert!((f(0.01) - 10.0 - 5.0 * (-1.0f64).exp()).abs() < 1e-12);
/// assert!((law.shape(1.0).force(50.0, &Vec3::new(0.02, 0.0, 0.0)).x + 10.0 + 5.0 * (-2.0f64).exp()).abs() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Andersson {
    coefficient: f64,
    static_coefficient: f64,
    stribeck_speed: f64,
    slope: f64,
    shape: f64,
}

const NAME: &str = "andersson";

const STRIBECK: Param = Param::required(
    "stribeck_speed",
    Quantity::Speed,
    Allowed::Positive,
    "slip vs at which static friction has fallen to kinetic friction by 63 %",
);
const SHAPE: Param =
    Param::default("shape", Quantity::Number, Allowed::Between(1.0, 10.0), 2.0, "exponent p of that fall");

impl Andersson {
    /// 0 ≤ μ ≤ μs, vs [m/s] > 0 and k [s/m] > 0, p = 2; refuses others.
    pub fn new(
        coefficient: f64,
        static_coefficient: f64,
        stribeck_speed: f64,
        slope: f64,
    ) -> Result<Andersson, LawError> {
        let law = Andersson { coefficient, static_coefficient, stribeck_speed, slope, shape: 2.0 };
        FrictionLaw::check(&law)?;
        Ok(law)
    }

    /// With another exponent p, 1 to 10; [`FrictionLaw::check`] refuses another.
    pub const fn shape(mut self, p: f64) -> Andersson {
        self.shape = p;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let number = |param| needed(args, NAME, param);
        let law = Andersson {
            coefficient: number(&COEFFICIENT)?,
            static_coefficient: number(&STATIC_COEFFICIENT)?,
            stribeck_speed: number(&STRIBECK)?,
            slope: number(&SLOPE)?,
            shape: number(&SHAPE)?,
        };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        check_coefficients(NAME, self.coefficient, self.static_coefficient)?;
        let rest = [(&STRIBECK, self.stribeck_speed), (&SLOPE, self.slope), (&SHAPE, self.shape)];
        check_values(NAME, &rest)
    }
}

impl FrictionLaw for Andersson {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

impl FrictionFormula for Andersson {
    #[inline]
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        let number = S::from_f64;
        let (mu, mu_s) = (self.coefficient, self.static_coefficient);
        let at_rest = || f_n * number(mu_s * self.slope);
        opposing(v_t, at_rest, |s| {
            let fall = (-(s * number(1.0 / self.stribeck_speed)).powf(self.shape)).exp();
            f_n * (number(mu) + number(mu_s - mu) * fall) * tanh_per_speed(self.slope, s)
        })
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "static and kinetic friction by a Stribeck curve, smooth through zero slip",
        params: &[COEFFICIENT, STATIC_COEFFICIENT, STRIBECK, SLOPE, SHAPE],
        build: Andersson::build,
    },
    formula: "|F| = N (μ + (μs−μ) exp(−(|v|/vs)^p)) tanh(k|v|)",
    range: "slip above 3/k, with 1/k well below vs",
    at_rest: "no force at zero slip: under a load Q well below μs N it creeps at about atanh(Q/(μs N))/k",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "S. Andersson, A. Söderberg, S. Björklund, Tribol. Int. 40 (2007) 580-587",
        checked: "against public code and papers that print it",
    },
};
