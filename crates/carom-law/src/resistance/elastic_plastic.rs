//! The elastic–plastic spring and dashpot of Ai and others: rolling resistance that holds a body at rest.
//!
//! M = −k θ − C ω, θ̇ = ω while k|θ| < c N; |M| = c N, against the rolling, beyond; k = (9/4) k_n c² unless it is given
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | M | N m | couple on A, across the normal |
//! | N | N | normal force |
//! | ω | rad/s | rolling: the part of ω_a − ω_b across the normal |
//! | θ | rad | how far the bodies have rolled since they stuck |
//! | c | m | couple per normal force at which they begin to roll: μ_r R in the source |
//! | k | N m/rad | rolling stiffness |
//! | k_n | N/m | normal stiffness dF/dδ at the depth that is usual in the contact |
//! | C | N m s/rad | damping |
//!
//! Source: J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, Assessment of rolling resistance models in discrete element simulations, *Powder Technology* 206 (2011) 269–282, their
//! model C, seen in the documentation of a program for granular matter alone: k = 2.25 k_n μ_r² R² in space, no damping beyond the limit (their f = 0). They give C as a part of the critical damping
//! 2√(I k) of the bodies' inertia I about the contact point, which a law does not know: here it is given itself.
//! Changed: N is the elastic normal force, and spring and couple are engaged by what dashpots leave of it, as in [`compliant`](crate::friction::compliant). The beginning and the end
//! of rolling are located: nothing is smoothed.
//! Valid: slow rolling of grains, and bodies that lie still. What the bodies roll on is dry: |M| does not depend on the rate.
//! Exit: at |θ| = c N/k it rolls; it sticks again as soon as the rolling has ended.
//! Checked: the oscillation of a ball on the spring and its slowing down in closed form, a ball that lies on a slope, passivity along random walks.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::spring::{COEFFICIENT, DAMPING, SpringSlider, Stiffness, spring_law};
use super::{Pressed, Resistance, ResistanceEntry, ResistanceFormula, ResistanceLaw};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::law::Friction;

/// A torsion spring, a slider and a dashpot (Ai et al. 2011, model C).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::resistance::ElasticPlastic;
/// use carom_law::{Grip, Memory, ResistanceLaw, Slip, Touch};
/// let law = ElasticPlastic::new(1e-3)?.stiffness(2.0).damping(0.1);
/// let grip = Grip::new(&Touch::point(1e6, 1.0, 1.0), 1.0, 1.0, 0.0, 1.0);
/// // the "slip" is a rate [rad/s], z an angle [rad]
/// let at = Slip { slope: 1e6, delta: 5e-5, ..Slip::under(50.0, Vec3::new(0.3, 0.0, 0.0)) };
/// let bent = Memory { z: Vec3::new(0.01, 0.0, 0.0), s: 0.0 }; // of c N/k = 0.025
/// let m = law.spring().unwrap().evolve_at(0, &at, &grip, &bent).f_t;
/// assert!((m.x + 2.0 * 0.01 + 0.1 * 0.3).abs() < 1e-15);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticPlastic {
    spring: SpringSlider,
}

const NAME: &str = "elastic-plastic";

const STIFFNESS: Param = Param::optional(
    "rolling_stiffness",
    Quantity::TorsionStiffness,
    Allowed::Positive,
    "9/4 c² times the normal stiffness at the depth that is usual in the contact",
    "stiffness k of the spring",
);

/// k/(k_n c²) of the source, in space.
const IN_SPACE: f64 = 2.25;

impl ElasticPlastic {
    /// c \[m\] > 0, k from the contact; refuses another c.
    pub fn new(coefficient: f64) -> Result<ElasticPlastic, LawError> {
        let stiffness = Stiffness::Normal(IN_SPACE * coefficient * coefficient);
        let spring = SpringSlider { name: NAME, coefficient, stiffness, damping: 0.0 };
        spring.check_values()?;
        Ok(ElasticPlastic { spring })
    }

    /// With a given stiffness k [N m/rad] > 0; [`ResistanceLaw::check`] refuses another.
    pub const fn stiffness(mut self, k: f64) -> ElasticPlastic {
        self.spring.stiffness = Stiffness::Given(k);
        self
    }

    /// With damping C [N m s/rad] ≥ 0; [`ResistanceLaw::check`] refuses another.
    pub const fn damping(mut self, damping: f64) -> ElasticPlastic {
        self.spring.damping = damping;
        self
    }

    fn check_values(&self) -> Result<(), SpecError> {
        if let Stiffness::Given(k) = self.spring.stiffness {
            check_value(NAME, &STIFFNESS, k)?;
        }
        self.spring.check_values()
    }

    fn build(args: &Args) -> Result<Arc<dyn Resistance>, SpecError> {
        let coefficient = needed(args, NAME, &COEFFICIENT)?;
        let own = Stiffness::Normal(IN_SPACE * coefficient * coefficient);
        let stiffness = args.number(STIFFNESS.name).map_or(own, Stiffness::Given);
        let damping = needed(args, NAME, &DAMPING)?;
        let law = ElasticPlastic { spring: SpringSlider { name: NAME, coefficient, stiffness, damping } };
        law.check_values()?;
        Ok(Arc::new(law))
    }
}

impl ResistanceLaw for ElasticPlastic {
    fn name(&self) -> &'static str {
        NAME
    }

    fn spring(&self) -> Option<&dyn Friction> {
        Some(&self.spring)
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

spring_law!(ElasticPlastic);

pub(super) const ENTRY: ResistanceEntry = ResistanceEntry {
    entry: Entry {
        name: NAME,
        summary: "a torsion spring, a slider and a dashpot; with memory",
        params: &[COEFFICIENT, STIFFNESS, DAMPING],
        build: ElasticPlastic::build,
    },
    formula: "M = −k θ − C ω, θ̇ = ω while k|θ| < c N; |M| = c N beyond; k = (9/4) k_n c²",
    range: "grains and balls that roll slowly or lie still",
    at_rest: "holds, without creep",
    reference: Reference {
        source: "J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, Powder Technology 206 (2011) 269-282, model C, from the documentation of a program; damping is given itself",
        checked: "the oscillation on the spring, rolling to rest and a ball on a slope in closed form; passivity",
    },
};
