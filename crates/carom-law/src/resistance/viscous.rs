//! A couple in proportion to the normal force and to the rate.
//!
//! M = −d N ω
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | M | N m | couple on A; across the normal (rolling), or along it (spinning) |
//! | N | N | normal force |
//! | ω | rad/s | rolling or spinning: the part of ω_a − ω_b across or along the normal |
//! | d | m s/rad | couple per normal force and rate |
//!
//! Source: the viscous model (B) of J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, *Powder Technology* 206 (2011) 269–282, seen in
//! secondary sources only. For a viscoelastic ball of radius R that rolls on a hard plane without slip, N. V. Brilliantov and
//! T. Pöschel, *Europhysics Letters* 42 (1998) 511–516, give a resistance in proportion to load and speed, M = k N v: d = k R.
//! Valid: all rates. At rest there is no couple.
//! Checked: a ball that turns on the spot slows down as e^{−d N t/I}; one that rolls, as the linear equations say.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::{Pressed, Resistance, ResistanceEntry, ResistanceFormula, ResistanceLaw};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;

/// M = −d N ω.
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::resistance::{Pressed, Resistance, ViscousCouple};
/// let law = ViscousCouple::new(1e-4)?;
/// let m = law.couple(&Pressed { f_n: 50.0, a: 0.0 }, &Vec3::new(0.0, 0.0, 3.0));
/// assert!((m.z + 0.015).abs() < 1e-16);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViscousCouple {
    damping: f64,
}

const NAME: &str = "viscous";

const DAMPING: Param = Param::required(
    "damping",
    Quantity::RollingDamping,
    Allowed::NotNegative,
    "couple per normal force and rate d",
);

impl ViscousCouple {
    /// d [m s/rad] ≥ 0; refuses others.
    pub fn new(damping: f64) -> Result<ViscousCouple, LawError> {
        check_value(NAME, &DAMPING, damping)?;
        Ok(ViscousCouple { damping })
    }

    fn build(args: &Args) -> Result<Arc<dyn Resistance>, SpecError> {
        let damping = needed(args, NAME, &DAMPING)?;
        check_value(NAME, &DAMPING, damping)?;
        Ok(Arc::new(ViscousCouple { damping }))
    }
}

impl ResistanceLaw for ViscousCouple {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(check_value(NAME, &DAMPING, self.damping)?)
    }
}

impl ResistanceFormula for ViscousCouple {
    #[inline]
    fn couple<S: Scalar>(&self, c: &Pressed<S>, w: &Vec3<S>) -> Vec3<S> {
        w * -(S::from_f64(self.damping) * c.f_n)
    }
}

pub(super) const ENTRY: ResistanceEntry = ResistanceEntry {
    entry: Entry {
        name: NAME,
        summary: "a couple in proportion to the normal force and to the rate",
        params: &[DAMPING],
        build: ViscousCouple::build,
    },
    formula: "M = −d N ω",
    range: "all rates",
    at_rest: "no couple at rest: under a torque Q it creeps at Q/(d N)",
    reference: Reference {
        source: "J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, Powder Technology 206 (2011) 269-282, model B, from secondary sources; N. V. Brilliantov, T. Pöschel, Europhys. Lett. 42 (1998) 511-516 for rolling",
        checked: "the exponential decay of a ball that turns on the spot, and of one that rolls; passivity",
    },
};
