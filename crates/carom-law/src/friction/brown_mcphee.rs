//! Brown and McPhee: static, kinetic and viscous friction in one smooth formula.
//!
//! |F| = N (μ tanh 4r + (μs − μ) r/(r²/4 + 3/4)²) + b |v| tanh(4N/Nt), r = |v|/vt, along −v/|v|
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | μ, μs | 1 | coefficients of kinetic and static friction, μ ≤ μs |
//! | vt | m/s | slip at which friction is largest, all but μs N |
//! | b | N s/m | viscous friction; none unless given |
//! | Nt | N | normal force from which the viscous part is all there |
//!
//! Source: P. Brown, J. McPhee, A continuous velocity-based friction model for dynamics and control with physically
//! meaningful parameters, *ASME J. Comput. Nonlinear Dyn.* 11 (2016) 054502.
//! Valid: slip above vt. Smooth everywhere. At vt it is μs N − 0.0007 μ N. At rest it creeps.
//! Checked against public code and papers that print it.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::slip::{
    STATIC_COEFFICIENT, check_coefficients, check_values, opposing, tanh_per_speed, transition_speed,
};
use super::{COEFFICIENT, FrictionEntry};
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};

/// |F| = N (μ tanh 4r + (μs − μ) r/(r²/4 + 3/4)²) + b |v| tanh(4N/Nt), r = |v|/vt (Brown and McPhee 2016).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, friction::BrownMcPhee};
/// let law = BrownMcPhee::new(0.2, 0.3, 0.01)?;
/// let f = |v| -law.force(50.0, &Vec3::new(v, 0.0, 0.0)).x;
/// assert!((f(0.01) - 10.0 * 4f64.tanh() - 5.0).abs() < 1e-12 && (f(3.0) - 10.0).abs() < 1e-5);
/// let oiled = law.viscous(2.0, 10.0);
/// assert!((oiled.force(50.0, &Vec3::new(3.0, 0.0, 0.0)).x + 16.0).abs() < 1e-5);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrownMcPhee {
    coefficient: f64,
    static_coefficient: f64,
    vt: f64,
    viscous: f64,
    /// only looked at if there is viscous friction
    transition_force: Option<f64>,
}

const NAME: &str = "brown-mcphee";

const VT: Param = transition_speed("slip vt at which friction is largest");
const VISCOUS: Param =
    Param::default("viscous", Quantity::LinearDamping, Allowed::NotNegative, 0.0, "viscous friction b");
const TRANSITION_FORCE: Param = Param::optional(
    "transition_force",
    Quantity::Force,
    Allowed::Positive,
    "then there must be no `viscous`",
    "normal force Nt from which viscous friction is all there",
);

impl BrownMcPhee {
    /// 0 ≤ μ ≤ μs and vt [m/s] > 0, without viscous friction; refuses others.
    pub fn new(
        coefficient: f64,
        static_coefficient: f64,
        transition_speed: f64,
    ) -> Result<BrownMcPhee, LawError> {
        let vt = transition_speed;
        let law = BrownMcPhee { coefficient, static_coefficient, vt, viscous: 0.0, transition_force: None };
        FrictionLaw::check(&law)?;
        Ok(law)
    }

    /// With viscous friction b [N s/m] ≥ 0, all there from the normal force Nt \[N\] > 0 on;
    /// [`FrictionLaw::check`] refuses others.
    pub const fn viscous(mut self, b: f64, transition_force: f64) -> BrownMcPhee {
        self.viscous = b;
        self.transition_force = Some(transition_force);
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let number = |param| needed(args, NAME, param);
        let law = BrownMcPhee {
            coefficient: number(&COEFFICIENT)?,
            static_coefficient: number(&STATIC_COEFFICIENT)?,
            vt: number(&VT)?,
            viscous: number(&VISCOUS)?,
            transition_force: args.number(TRANSITION_FORCE.name),
        };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        check_coefficients(NAME, self.coefficient, self.static_coefficient)?;
        check_values(NAME, &[(&VT, self.vt), (&VISCOUS, self.viscous)])?;
        match self.transition_force {
            Some(force) => check_values(NAME, &[(&TRANSITION_FORCE, force)]),
            None if self.viscous == 0.0 => Ok(()),
            None => Err(SpecError::Conflict { kind: NAME, what: "`viscous` needs a `transition_force`" }),
        }
    }

    /// b tanh(4N/Nt) [N s/m].
    #[inline]
    fn viscous_part<S: Scalar>(&self, f_n: S) -> S {
        match self.transition_force {
            Some(force) if self.viscous > 0.0 => {
                S::from_f64(self.viscous) * (f_n * S::from_f64(4.0 / force)).tanh()
            }
            _ => S::from_f64(0.0),
        }
    }
}

impl FrictionLaw for BrownMcPhee {
    fn name(&self) -> &'static str {
        NAME
    }
    fn is_proportional(&self) -> bool {
        self.viscous == 0.0 || self.transition_force.is_none()
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

impl FrictionFormula for BrownMcPhee {
    #[inline]
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        let number = S::from_f64;
        let (mu, rise, vt) = (self.coefficient, self.static_coefficient - self.coefficient, self.vt);
        // 1/(3/4)² of the rise at r = 0
        let at_rest = || f_n * number((4.0 * mu + rise * 16.0 / 9.0) / vt) + self.viscous_part(f_n);
        opposing(v_t, at_rest, |s| {
            let r = s * number(1.0 / vt);
            let hump = number(0.25) * r * r + number(0.75);
            let dry = number(mu) * tanh_per_speed(4.0 / vt, s) + number(rise / vt) / (hump * hump);
            f_n * dry + self.viscous_part(f_n)
        })
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "static, kinetic and viscous friction in one smooth formula",
        params: &[COEFFICIENT, STATIC_COEFFICIENT, VT, VISCOUS, TRANSITION_FORCE],
        build: BrownMcPhee::build,
    },
    formula: "|F| = N (μ tanh 4r + (μs−μ) r/(r²/4+3/4)²) + b|v| tanh(4N/Nt), r = |v|/vt",
    range: "slip above vt; smooth everywhere",
    at_rest: "no force at zero slip: under a load Q well below μs N it creeps, at about Q vt/(N (4μ + 16(μs−μ)/9))",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "P. Brown, J. McPhee, J. Comput. Nonlinear Dyn. 11 (2016) 054502",
        checked: "against public code and papers that print it",
    },
};
