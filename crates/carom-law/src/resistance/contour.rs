//! Contour friction: dry resistance to the way that a contact point makes over the surfaces.
//!
//! f = −μ_c N tanh(|v|/v0) v/|v|, M = Jᵀ f
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | f | N | resistance along the path of the contact point; its power is the couple's, M·ω = f·v |
//! | M | N m | couple on A, across the normal |
//! | N | N | normal force |
//! | ω | rad/s | rolling: the part of ω_a − ω_b across the normal |
//! | v | m/s | velocity at which rolling moves the contact point over the surfaces, v = J ω |
//! | μ_c | 1 | coefficient of contour friction |
//! | v0 | m/s | transition speed; the full force from about 3 v0 on |
//!
//! A ball of radius R that rolls on a plane has |v| = R |ω|, and this is the law `tanh` with c = μ_c R. On a rim that lies flat the contact point runs round much faster than the body turns:
//! a disc inclined by α that wobbles at Ω turns at Ω sin α, and its contact point makes Ω R cos α. It is this that Euler's disc is slowed down by.
//!
//! Source: C. Le Saux, R. I. Leine, C. Glocker, Dynamics of a rolling disk in the presence of dry friction, *Journal of Nonlinear Science* 15 (2005) 27–61, and R. I. Leine, Experimental and theoretical
//! investigation of the energy dissipation of a rolling disk during its final stage of motion, *Archive of Applied Mechanics* 79 (2009) 1063–1082, for a disc, where v is the velocity of the contact
//! point along the rim; from general knowledge. For other surfaces, and the tangent in place of their jump: ours.
//! Valid: points that roll on curved surfaces; v is infinite where these do not curve away from each other. Speeds well above v0.
//! Checked: the power of a wobbling ring in closed form, and the exponent 2/3 with which a coin spins down; on a ball, the law `tanh`.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::tanh::smooth;
use super::{Pressed, Resistance, ResistanceEntry, ResistanceFormula, ResistanceLaw};
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::friction::slip::check_values;

/// f = −μ_c N tanh(|v|/v0) v/|v|, along the path of the contact point.
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::resistance::{Contour, Pressed, Resistance};
/// let law = Contour::new(1e-3, 1e-3)?;
/// // the "rate" is the velocity of the contact point [m/s], the "couple" a force [N]
/// let f = law.couple(&Pressed { f_n: 5.0, a: 0.0 }, &Vec3::new(0.0, 2.0, 0.0));
/// assert!((f - Vec3::new(0.0, -5e-3, 0.0)).norm() < 1e-17);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contour {
    coefficient: f64,
    transition_speed: f64,
}

const NAME: &str = "contour";

const COEFFICIENT: Param = Param::required(
    "coefficient",
    Quantity::Number,
    Allowed::NotNegative,
    "coefficient of contour friction μ_c",
);
const TRANSITION: Param = Param::required(
    "transition_speed",
    Quantity::Speed,
    Allowed::Positive,
    "speed of the contact point v0 up to which the law is regularised: 76 % of it there, all of it from about 3 v0 on",
);

impl Contour {
    /// μ_c ≥ 0 and v0 [m/s] > 0; refuses others.
    pub fn new(coefficient: f64, transition_speed: f64) -> Result<Contour, LawError> {
        let law = Contour { coefficient, transition_speed };
        law.check_values()?;
        Ok(law)
    }

    fn check_values(&self) -> Result<(), SpecError> {
        check_values(NAME, &[(&COEFFICIENT, self.coefficient), (&TRANSITION, self.transition_speed)])
    }

    fn build(args: &Args) -> Result<Arc<dyn Resistance>, SpecError> {
        let coefficient = needed(args, NAME, &COEFFICIENT)?;
        let law = Contour { coefficient, transition_speed: needed(args, NAME, &TRANSITION)? };
        law.check_values()?;
        Ok(Arc::new(law))
    }
}

impl ResistanceLaw for Contour {
    fn name(&self) -> &'static str {
        NAME
    }

    fn acts_on_path(&self) -> bool {
        true
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

impl ResistanceFormula for Contour {
    #[inline]
    fn couple<S: Scalar>(&self, c: &Pressed<S>, v: &Vec3<S>) -> Vec3<S> {
        smooth(S::from_f64(self.coefficient) * c.f_n, self.transition_speed, v)
    }
}

pub(super) const ENTRY: ResistanceEntry = ResistanceEntry {
    entry: Entry {
        name: NAME,
        summary: "dry resistance to the way of the contact point over the surfaces: coins that spin down",
        params: &[COEFFICIENT, TRANSITION],
        build: Contour::build,
    },
    formula: "M = Jᵀf, f = −μ_c N tanh(|v|/v0) v/|v|, v = Jω the velocity of the contact point",
    range: "points that roll on curved surfaces; speeds well above v0",
    at_rest: "no couple at rest: under a force F < μ_c N along its path the contact point creeps at v0 atanh(F/(μ_c N))",
    reference: Reference {
        source: "C. Le Saux, R. I. Leine, C. Glocker, J. Nonlinear Sci. 15 (2005) 27-61; R. I. Leine, Arch. Appl. Mech. 79 (2009) 1063-1082, for a disc; from general knowledge",
        checked: "not seen in the originals; the power of a wobbling ring, the exponent 2/3 of a coin that spins down",
    },
};
