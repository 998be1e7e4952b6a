//! Cundall and Strack: a spring and a slider, the law of most programs for granular matter.
//!
//! F = −k z, ż = v while k|z| < μN; k|z| = μN, along the slip, beyond
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | z | m | deflection of the spring |
//! | μ | 1 | coefficient of friction |
//! | k | N/m | stiffness of the spring: given, or κ times the normal stiffness dF/dδ at the depth that is usual in the contact |
//!
//! Source: P. A. Cundall, O. D. L. Strack, A discrete numerical model for granular assemblies, *Géotechnique* 29 (1979) 47–65.
//! Changed: N is the elastic normal force, and spring and force are engaged by what dashpots leave of it ([`compliant`](super::compliant)): |F| ≤ μN always, passive always.
//! Stick and slip are located: nothing is smoothed.
//! Valid: where the depth changes little; in an impact the contact is stiffer the deeper it is, see `maw-barber-fawcett` for the whole answer.
//! Exit: at |z| = μN/k it slips, as it would leave that limit; it sticks again as soon as it would not.
//! Checked: oblique impact and its energy in closed form where the normal law is linear; passivity and the cone along random walks.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError};

use super::FrictionEntry;
use super::compliant::{COEFFICIENT, RATIO, Springs, spring_methods};
use super::element::{Element, engaged, pressing};
use super::slip::check_values;
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::grip::{Grip, Slip, Switching};
use crate::law::{Friction, FrictionLaw};
use crate::memory::Memory;

/// A spring of constant stiffness and a slider (Cundall and Strack 1979).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, Grip, Memory, Slip, Touch, friction::CundallStrack};
/// let law = CundallStrack::new(0.2)?.stiffness(1e5);
/// let grip = Grip::new(&Touch::point(1e6, 1.0, 1.0), 1.0, 1.0, 0.0, 1.0);
/// let at = Slip::of_power(&grip, 50.0, 5e-5, 0.0, Vec3::new(0.3, 0.0, 0.0));
/// let bent = Memory { z: Vec3::new(5e-5, 0.0, 0.0), s: 0.0 }; // half of μN/k
/// let now = law.evolve_at(0, &at, &grip, &bent);
/// assert!((now.f_t.x + 5.0).abs() < 1e-12 && (now.rate.z.x - 0.3).abs() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CundallStrack {
    coefficient: f64,
    stiffness: Option<f64>,
    ratio: Option<f64>,
}

const NAME: &str = "cundall-strack";

const STIFFNESS: Param = Param::optional(
    "tangential_stiffness",
    Quantity::LinearStiffness,
    Allowed::Positive,
    "`stiffness_ratio` times the normal stiffness at the depth that is usual in the contact",
    "stiffness k of the spring",
);

impl CundallStrack {
    /// μ > 0; k from the contact. Refuses another μ.
    pub fn new(coefficient: f64) -> Result<CundallStrack, LawError> {
        let law = CundallStrack { coefficient, stiffness: None, ratio: None };
        law.check_values()?;
        Ok(law)
    }

    /// With a given stiffness k [N/m] > 0; [`FrictionLaw::check`] refuses another.
    pub const fn stiffness(mut self, k: f64) -> CundallStrack {
        self.stiffness = Some(k);
        self
    }

    /// With a given ratio κ > 0 to the normal stiffness; [`FrictionLaw::check`] refuses another.
    pub const fn ratio(mut self, kappa: f64) -> CundallStrack {
        self.ratio = Some(kappa);
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let law = CundallStrack {
            coefficient: needed(args, NAME, &COEFFICIENT)?,
            stiffness: args.number(STIFFNESS.name),
            ratio: args.number(RATIO.name),
        };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        if self.stiffness.is_some() && self.ratio.is_some() {
            let what = "give `tangential_stiffness` or `stiffness_ratio`, not both";
            return Err(SpecError::Conflict { kind: NAME, what });
        }
        let (k, ratio) = (self.stiffness.unwrap_or(1.0), self.ratio.unwrap_or(1.0));
        check_values(NAME, &[(&COEFFICIENT, self.coefficient), (&STIFFNESS, k), (&RATIO, ratio)])
    }

    fn k(&self, grip: &Grip) -> f64 {
        self.stiffness.unwrap_or_else(|| grip.tangential(grip.depth))
    }
}

impl Springs for CundallStrack {
    fn element<S: Scalar>(&self, _: usize, at: &Slip<S>, grip: &Grip) -> Element<S> {
        let k = self.k(grip);
        let per_k = S::from_f64(self.coefficient / k);
        let size = self.coefficient * grip.force() / k;
        let (load, load_rate) = pressing(at);
        Element::spring(k, per_k * load, per_k * load_rate, engaged(at), size)
    }
}

impl FrictionLaw for CundallStrack {
    spring_methods!();

    fn stiffness_ratio(&self) -> Option<f64> {
        // (it is not asked for where k is given)
        self.ratio.or(self.stiffness.map(|_| 1.0))
    }

    fn needs_power(&self) -> bool {
        self.stiffness.is_none()
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "a spring of constant stiffness and a slider; with memory",
        params: &[COEFFICIENT, STIFFNESS, RATIO],
        build: CundallStrack::build,
    },
    formula: "F = −k z, ż = v while k|z| < μN; |F| = μN beyond",
    range: "contacts whose depth changes little; in impacts see `maw-barber-fawcett`",
    at_rest: "holds, without creep",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "P. A. Cundall, O. D. L. Strack, Géotechnique 29 (1979) 47-65",
        checked: "not seen in the original; an oblique impact under a linear normal force in closed form, the cone, passivity",
    },
};
