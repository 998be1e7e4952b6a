//! Coulomb friction over Hertz's patch, as the surfaces spin on it.
//!
//! M = −(3π/16) μ a N tanh(|ω|/ω0) ω/|ω|, a = √(R δ)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | M | N m | couple on A, along the normal |
//! | N | N | normal force |
//! | ω | rad/s | spinning: the part of ω_a − ω_b along the normal |
//! | μ | 1 | coefficient of kinetic friction |
//! | a | m | radius of the patch |
//! | R | m | `radius`, or that of the lever which friction over the ellipse of contact has ([`PointContact::spin_radius`](crate::hertz::PointContact::spin_radius)); 1/k of a circle |
//! | δ | m | indentation |
//! | ω0 | rad/s | transition rate; the full couple from about 3 ω0 on |
//!
//! Source: derived. Hertz's pressure p = 3N/(2πa²) √(1 − r²/a²) with friction μ p all round the centre gives the couple
//! ∫ μ p r 2πr dr = 3 μ N/a² ∫ r² √(1 − r²/a²) dr = (3π/16) μ a N; over an ellipse it is (3/8) μ N times its longer semi-axis and 𝐄, which a = √(R δ) stands for.
//! Valid: a patch that spins all over, without slip of its centre: where it slides as well, friction and couple would both be
//! less than their full values (they are taken as independent here).  Rates well above ω0.
//! Checked: the integral by quadrature; a ball that spins on the spot, against the closed form.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::tanh::{TRANSITION, smooth};
use super::{Patch, Pressed, Resistance, ResistanceEntry, ResistanceFormula, ResistanceLaw};
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::friction::COEFFICIENT;
use crate::friction::slip::check_values;

/// M = −(3π/16) μ a N tanh(|ω|/ω0) ω/|ω|.
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::resistance::{HertzPatch, Pressed, Resistance};
/// let law = HertzPatch::new(0.2, 0.1)?;
/// let m = law.couple(&Pressed { f_n: 50.0, a: 1e-3 }, &Vec3::new(0.0, 0.0, 30.0));
/// assert!((m.z + 3.0 * std::f64::consts::PI / 16.0 * 0.2 * 1e-3 * 50.0).abs() < 1e-17);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HertzPatch {
    coefficient: f64,
    transition_rate: f64,
    radius: Option<f64>,
}

const NAME: &str = "hertz-patch";

/// Scene key of R.
pub(super) const RADIUS: Param = Param::optional(
    "radius",
    Quantity::Length,
    Allowed::Positive,
    "from the relative curvatures at touch",
    "radius R of relative curvature: the patch has the radius √(R δ)",
);

impl HertzPatch {
    /// μ ≥ 0 and ω0 [rad/s] > 0; refuses others.
    pub fn new(coefficient: f64, transition_rate: f64) -> Result<HertzPatch, LawError> {
        let law = HertzPatch { coefficient, transition_rate, radius: None };
        law.check_values()?;
        Ok(law)
    }

    /// With this R \[m\] > 0; [`ResistanceLaw::check`] refuses another.
    pub const fn radius(mut self, radius: f64) -> HertzPatch {
        self.radius = Some(radius);
        self
    }

    fn check_values(&self) -> Result<(), SpecError> {
        let radius = self.radius.unwrap_or(1.0);
        check_values(
            NAME,
            &[(&COEFFICIENT, self.coefficient), (&TRANSITION, self.transition_rate), (&RADIUS, radius)],
        )
    }

    fn build(args: &Args) -> Result<Arc<dyn Resistance>, SpecError> {
        let coefficient = needed(args, NAME, &COEFFICIENT)?;
        let transition_rate = needed(args, NAME, &TRANSITION)?;
        let law = HertzPatch { coefficient, transition_rate, radius: args.number(RADIUS.name) };
        law.check_values()?;
        Ok(Arc::new(law))
    }
}

impl ResistanceLaw for HertzPatch {
    fn name(&self) -> &'static str {
        NAME
    }

    fn patch(&self) -> Patch {
        self.radius.map_or(Patch::Lever, Patch::Radius)
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

impl ResistanceFormula for HertzPatch {
    #[inline]
    fn couple<S: Scalar>(&self, c: &Pressed<S>, w: &Vec3<S>) -> Vec3<S> {
        let full = S::from_f64(3.0 * PI / 16.0 * self.coefficient) * c.a * c.f_n;
        smooth(full, self.transition_rate, w)
    }
}

pub(super) const ENTRY: ResistanceEntry = ResistanceEntry {
    entry: Entry {
        name: NAME,
        summary: "Coulomb friction over the patch that Hertz's pressure makes",
        params: &[COEFFICIENT, TRANSITION, RADIUS],
        build: HertzPatch::build,
    },
    formula: "M = −(3π/16) μ a N tanh(|ω|/ω0) ω/|ω|, a = √(R δ)",
    range: "a patch, round or an ellipse, that spins without sliding; rates well above ω0",
    at_rest: "no couple at rest: under a torque Q below the full couple M it creeps at ω0 atanh(Q/M)",
    reference: Reference {
        source: "derived: friction μ p under Hertz's pressure p, integrated over the patch",
        checked: "the integral by quadrature; a ball that spins on the spot; passivity",
    },
};
