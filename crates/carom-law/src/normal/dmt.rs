//! Derjaguin, Muller and Toporov: Hertz's contact and a constant attraction.
//!
//! F = K δ^{3/2} − 2π w R
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, below zero where it holds |
//! | K = (4/3) E* √R | N/m^{3/2} | stiffness of Hertz |
//! | R | m | relative radius: given, or 1/√(k_min k_max) of the relative curvatures at first touch |
//! | w | J/m² | work of adhesion per area |
//! | δ | m | indentation |
//!
//! The attraction acts around the contact, which deforms as Hertz's does. It takes 2π w R to pull the surfaces apart. Nothing is lost: the contact stores (2/5) K δ^{5/2} − 2π w R δ, and a
//! body leaves as fast as it came.
//!
//! Source: B. V. Derjaguin, V. M. Muller, Y. P. Toporov, Effect of contact deformations on the adhesion of particles, *J. Colloid Interface Sci.* 53 (1975) 314–326.
//! Valid: small, hard bodies with weak adhesion of long range: Tabor's parameter (R w²/(E*² z₀³))^{1/3} ≲ 0.1, z₀ being the distance of atoms; soft bodies are for `jkr`. Where the curvatures
//! differ, K is that of the ellipse of contact and R = 1/√(k_min k_max), with which 2π w R is exact (B. V. Derjaguin, *Kolloid-Z.* 69 (1934) 155–164).
//! Exit: δ = 0, where the attraction ends: it jumps at touch and release. What surfaces do to each other before they touch is left out; short-range fields can have that.
//! From general knowledge, formula not compared with the original; the pull-off force and the energy in closed form.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError};

use super::NormalEntry;
use super::round::{ROUND, Round, given_round};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw};
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// F = K δ^{3/2} − 2π w R (Derjaguin, Muller and Toporov 1975).
///
/// ```
/// use carom_law::normal::Dmt;
/// use carom_law::{Indentation, Normal, NormalLaw, Touch};
/// let law = Dmt::adhesion_energy(0.05)?.stiffness(1e9).radius(0.001);
/// let touch = Touch::point(1e9, 0.1, 1e-5);
/// let f = |delta| law.force(Indentation { delta, delta_dot: 0.0 }, &touch).f_n;
/// assert!((law.pull_off(&touch) - 1e-4 * std::f64::consts::PI).abs() < 1e-18);
/// assert!((f(1e-12) + law.pull_off(&touch)).abs() < 1e-8 && f(1e-7) > 0.0 && f(0.0) == 0.0);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dmt {
    w: f64,
    round: Round,
}

const NAME: &str = "dmt";

/// Scene key of w.
pub(super) const ADHESION_ENERGY: Param = Param::required(
    "adhesion_energy",
    Quantity::SurfaceEnergy,
    Allowed::NotNegative,
    "work of adhesion w per area: what it takes to part two flat faces",
);

impl Dmt {
    /// w [J/m²] ≥ 0, refuses another; stiffness and radius from materials and curvatures.
    pub fn adhesion_energy(w: f64) -> Result<Dmt, LawError> {
        check_value(NAME, &ADHESION_ENERGY, w)?;
        Ok(Dmt { w, round: Round::default() })
    }

    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let law = Dmt { w: needed(args, NAME, &ADHESION_ENERGY)?, round: Round::from_args(args) };
        law.round.check(NAME)?;
        Ok(Arc::new(law))
    }
}

given_round!(Dmt);

impl NormalLaw for Dmt {
    fn name(&self) -> &'static str {
        NAME
    }
    fn exponent(&self) -> f64 {
        1.5
    }
    fn stiffness(&self) -> Stiffness {
        self.round.source()
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        let delta = delta.max(0.0);
        self.round.power().energy(delta, touch) - self.pull_off(touch) * delta
    }
    fn is_elastic(&self) -> bool {
        true
    }
    fn pull_off(&self, touch: &Touch) -> f64 {
        2.0 * PI * self.w * self.round.radius(touch)
    }
    fn check(&self) -> Result<(), LawError> {
        check_value(NAME, &ADHESION_ENERGY, self.w)?;
        Ok(self.round.check(NAME)?)
    }
}

impl NormalFormula for Dmt {
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        let zero = S::from_f64(0.0);
        if c.delta.value() <= 0.0 {
            return NormalForce { f_n: zero, f_elastic: zero };
        }
        let hertz = self.round.power().elastic(c.delta, S::from_f64(touch.stiffness));
        let f = hertz - S::from_f64(self.pull_off(touch));
        NormalForce { f_n: f, f_elastic: f }
    }
}

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: NAME,
        summary: "adhesion of small, hard bodies: Hertz and a constant attraction",
        params: &[ADHESION_ENERGY, ROUND[0], ROUND[1]],
        build: Dmt::build,
    },
    formula: "F = K δ^(3/2) − 2π w R",
    range: "small, hard bodies with weak adhesion (Tabor's parameter ≲ 0.1); nothing is lost",
    exit: "δ = 0, where the attraction 2π w R ends",
    reference: Reference {
        source: "B. V. Derjaguin, V. M. Muller, Y. P. Toporov, J. Colloid Interface Sci. 53 (1975) 314-326",
        checked: "from general knowledge, formula not compared with the original; the pull-off force in closed form",
    },
    eta: None,
};
