//! A couple in proportion to the normal force, made smooth by a hyperbolic tangent.
//!
//! M = −c N tanh(|ω|/ω0) ω/|ω|
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | M | N m | couple on A; across the normal (rolling), or along it (spinning) |
//! | N | N | normal force |
//! | ω | rad/s | rolling or spinning: the part of ω_a − ω_b across or along the normal |
//! | c | m | coefficient: how far ahead of the contact point the normal force acts as a body rolls; in spinning, couple per N |
//! | ω0 | rad/s | transition rate; the full couple from about 3 ω0 on |
//!
//! Source: c N against rolling is Coulomb's (Théorie des machines simples, 1785), known to us from textbooks; the directional
//! constant torque of J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, Assessment of rolling resistance models in discrete element
//! simulations, *Powder Technology* 206 (2011) 269–282, their model A with c = μ_r R, seen in secondary sources only. The tangent
//! in place of their jump is ours.
//! Valid: rates well above ω0. At rest there is no couple: under a torque Q < c N the contact creeps at ω0 atanh(Q/(c N)).
//! Checked: sinh(ω/ω0) of a ball that turns on the spot decays exponentially; a rolling ball slows down at c g/(R (1 + I/(m R²))).

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::{Pressed, Resistance, ResistanceEntry, ResistanceFormula, ResistanceLaw};
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::friction::slip::{check_values, opposing, tanh_per_speed};

/// M = −c N tanh(|ω|/ω0) ω/|ω|.
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::resistance::{Pressed, Resistance, TanhCouple};
/// let law = TanhCouple::new(2e-3, 0.1)?;
/// let m = law.couple(&Pressed { f_n: 50.0, a: 0.0 }, &Vec3::new(0.0, 30.0, 0.0));
/// assert!((m - Vec3::new(0.0, -0.1, 0.0)).norm() < 1e-15);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TanhCouple {
    coefficient: f64,
    transition_rate: f64,
}

const NAME: &str = "tanh";

const COEFFICIENT: Param =
    Param::required("coefficient", Quantity::Length, Allowed::NotNegative, "couple per normal force c");
/// Scene key of ω0.
pub(super) const TRANSITION: Param = Param::required(
    "transition_rate",
    Quantity::AngularSpeed,
    Allowed::Positive,
    "rate ω0 up to which the couple is regularised: 76 % of it there, all of it from about 3 ω0 on",
);

impl TanhCouple {
    /// c \[m\] ≥ 0 and ω0 [rad/s] > 0; refuses others.
    pub fn new(coefficient: f64, transition_rate: f64) -> Result<TanhCouple, LawError> {
        let law = TanhCouple { coefficient, transition_rate };
        law.check_values()?;
        Ok(law)
    }

    fn check_values(&self) -> Result<(), SpecError> {
        check_values(NAME, &[(&COEFFICIENT, self.coefficient), (&TRANSITION, self.transition_rate)])
    }

    fn build(args: &Args) -> Result<Arc<dyn Resistance>, SpecError> {
        let coefficient = needed(args, NAME, &COEFFICIENT)?;
        let law = TanhCouple { coefficient, transition_rate: needed(args, NAME, &TRANSITION)? };
        law.check_values()?;
        Ok(Arc::new(law))
    }
}

impl ResistanceLaw for TanhCouple {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

impl ResistanceFormula for TanhCouple {
    #[inline]
    fn couple<S: Scalar>(&self, c: &Pressed<S>, w: &Vec3<S>) -> Vec3<S> {
        let full = S::from_f64(self.coefficient) * c.f_n;
        smooth(full, self.transition_rate, w)
    }
}

/// −M tanh(|ω|/ω0) ω/|ω|, with the slope −M/ω0 at rest.
#[inline]
pub(super) fn smooth<S: Scalar>(full: S, transition_rate: f64, w: &Vec3<S>) -> Vec3<S> {
    let k = 1.0 / transition_rate;
    opposing(w, || full * S::from_f64(k), |rate| full * tanh_per_speed(k, rate))
}

pub(super) const ENTRY: ResistanceEntry = ResistanceEntry {
    entry: Entry {
        name: NAME,
        summary: "a couple in proportion to the normal force, smooth through rest",
        params: &[COEFFICIENT, TRANSITION],
        build: TanhCouple::build,
    },
    formula: "M = −c N tanh(|ω|/ω0) ω/|ω|",
    range: "rates well above ω0",
    at_rest: "no couple at rest: under a torque Q < c N it creeps at ω0 atanh(Q/(c N))",
    reference: Reference {
        source: "C. A. Coulomb, Théorie des machines simples (1785), from textbooks; J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, Powder Technology 206 (2011) 269-282, model A, from secondary sources; the tangent is ours",
        checked: "the decay of a ball that turns on the spot, the slowing down of one that rolls, passivity",
    },
};
