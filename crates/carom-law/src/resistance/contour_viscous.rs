//! Viscous contour friction: resistance in proportion to the speed of a contact point over the surfaces.
//!
//! f = −d N v, M = Jᵀ f
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | f | N | resistance along the path of the contact point; its power is the couple's, M·ω = f·v |
//! | M | N m | couple on A, across the normal |
//! | N | N | normal force |
//! | ω | rad/s | rolling: the part of ω_a − ω_b across the normal |
//! | v | m/s | velocity at which rolling moves the contact point over the surfaces, v = J ω |
//! | d | s/m | force per normal force and speed |
//!
//! Source: as `contour`: R. I. Leine, *Archive of Applied Mechanics* 79 (2009) 1063–1082, who finds the energy of his disc to fall as with this law, until air takes over; from general knowledge.
//! Valid: points that roll on curved surfaces; v is infinite where these do not curve away from each other.
//! Checked: the power of a wobbling ring in closed form, and the exponent 1/2 with which a coin spins down; on a ball, the law `viscous` with d R².

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::{Pressed, Resistance, ResistanceEntry, ResistanceFormula, ResistanceLaw};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;

/// f = −d N v, along the path of the contact point.
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::resistance::{ContourViscous, Pressed, Resistance};
/// let law = ContourViscous::new(1e-3)?;
/// // the "rate" is the velocity of the contact point [m/s], the "couple" a force [N]
/// let f = law.couple(&Pressed { f_n: 5.0, a: 0.0 }, &Vec3::new(0.0, 2.0, 0.0));
/// assert!((f - Vec3::new(0.0, -0.01, 0.0)).norm() < 1e-17);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContourViscous {
    damping: f64,
}

const NAME: &str = "contour-viscous";

const DAMPING: Param = Param::required(
    "damping",
    Quantity::InverseSpeed,
    Allowed::NotNegative,
    "force per normal force and speed of the contact point d",
);

impl ContourViscous {
    /// d [s/m] ≥ 0; refuses others.
    pub fn new(damping: f64) -> Result<ContourViscous, LawError> {
        check_value(NAME, &DAMPING, damping)?;
        Ok(ContourViscous { damping })
    }

    fn build(args: &Args) -> Result<Arc<dyn Resistance>, SpecError> {
        let damping = needed(args, NAME, &DAMPING)?;
        check_value(NAME, &DAMPING, damping)?;
        Ok(Arc::new(ContourViscous { damping }))
    }
}

impl ResistanceLaw for ContourViscous {
    fn name(&self) -> &'static str {
        NAME
    }

    fn acts_on_path(&self) -> bool {
        true
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(check_value(NAME, &DAMPING, self.damping)?)
    }
}

impl ResistanceFormula for ContourViscous {
    #[inline]
    fn couple<S: Scalar>(&self, c: &Pressed<S>, v: &Vec3<S>) -> Vec3<S> {
        v * -(S::from_f64(self.damping) * c.f_n)
    }
}

pub(super) const ENTRY: ResistanceEntry = ResistanceEntry {
    entry: Entry {
        name: NAME,
        summary: "resistance in proportion to the speed of the contact point over the surfaces",
        params: &[DAMPING],
        build: ContourViscous::build,
    },
    formula: "M = Jᵀf, f = −d N v, v = Jω the velocity of the contact point",
    range: "points that roll on curved surfaces",
    at_rest: "no couple at rest: under a force F along its path the contact point creeps at F/(d N)",
    reference: Reference {
        source: "R. I. Leine, Arch. Appl. Mech. 79 (2009) 1063-1082, for a disc; from general knowledge",
        checked: "not seen in the original; the power of a wobbling ring, the exponent 1/2 of a coin that spins down",
    },
};
