//! Iwashita and Oda: a rolling spring as stiff as the contact is along its surface, on the arm of the radius.
//!
//! M = −k θ − C ω, θ̇ = ω while k|θ| < c N; |M| = c N, against the rolling, beyond; k = k_t R²
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | M | N m | couple on A, across the normal |
//! | N | N | normal force |
//! | ω | rad/s | rolling: the part of ω_a − ω_b across the normal |
//! | θ | rad | how far the bodies have rolled since they stuck |
//! | c | m | couple per normal force at which they begin to roll |
//! | k | N m/rad | rolling stiffness |
//! | k_t | N/m | stiffness along the surface, κ dF/dδ at the depth that is usual in the contact |
//! | κ | 1 | 4G*/E* of the two materials |
//! | R | m | `radius`, or 1/√(k_min k_max) of the relative curvatures at touch |
//! | C | N m s/rad | damping |
//!
//! Source: K. Iwashita, M. Oda, Rolling resistance at contacts in simulation of shear band development by DEM, *Journal of Engineering Mechanics* 124 (1998) 285–292, with
//! k = k_t R² as the documentation of a program for granular matter has it, which names them; not seen in the original. They have k_t as a constant of the contact.
//! Changed: as in [`elastic-plastic`](super::ElasticPlastic), which it is but for k.
//! Valid: grains that roll slowly or lie still. The spring is stiff: a ball swings on it about as fast as along its friction spring.
//! Exit: at |θ| = c N/k it rolls; it sticks again as soon as the rolling has ended.
//! Checked: a ball that lies on a slope, passivity along random walks.

use std::sync::Arc;

use carom_base::{Args, Entry, Scalar, SpecError, Vec3};

use super::hertz_patch::RADIUS;
use super::spring::{COEFFICIENT, DAMPING, SpringSlider, Stiffness, spring_law};
use super::{Patch, Pressed, Resistance, ResistanceEntry, ResistanceFormula, ResistanceLaw};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::friction::compliant::RATIO;
use crate::law::Friction;

/// A rolling spring of stiffness k_t R² and a slider (Iwashita and Oda 1998).
///
/// ```
/// use carom_law::resistance::IwashitaOda;
/// use carom_law::{Patch, ResistanceLaw};
/// let law = IwashitaOda::new(1e-4)?.ratio(0.8).radius(5e-3);
/// assert_eq!(law.patch(), Patch::Radius(5e-3));
/// assert_eq!(law.spring().and_then(|spring| spring.stiffness_ratio()), Some(0.8));
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IwashitaOda {
    spring: SpringSlider,
    radius: Option<f64>,
}

const NAME: &str = "iwashita-oda";

impl IwashitaOda {
    /// c \[m\] > 0; κ from materials, R from the curvatures. Refuses another c.
    pub fn new(coefficient: f64) -> Result<IwashitaOda, LawError> {
        let stiffness = Stiffness::Tangential(None);
        let spring = SpringSlider { name: NAME, coefficient, stiffness, damping: 0.0 };
        spring.check_values()?;
        Ok(IwashitaOda { spring, radius: None })
    }

    /// With a given ratio κ > 0 to the normal stiffness; [`ResistanceLaw::check`] refuses another.
    pub const fn ratio(mut self, kappa: f64) -> IwashitaOda {
        self.spring.stiffness = Stiffness::Tangential(Some(kappa));
        self
    }

    /// With this R \[m\] > 0; [`ResistanceLaw::check`] refuses another.
    pub const fn radius(mut self, radius: f64) -> IwashitaOda {
        self.radius = Some(radius);
        self
    }

    /// With damping C [N m s/rad] ≥ 0; [`ResistanceLaw::check`] refuses another.
    pub const fn damping(mut self, damping: f64) -> IwashitaOda {
        self.spring.damping = damping;
        self
    }

    fn check_values(&self) -> Result<(), SpecError> {
        if let Stiffness::Tangential(Some(ratio)) = self.spring.stiffness {
            check_value(NAME, &RATIO, ratio)?;
        }
        check_value(NAME, &RADIUS, self.radius.unwrap_or(1.0))?;
        self.spring.check_values()
    }

    fn build(args: &Args) -> Result<Arc<dyn Resistance>, SpecError> {
        let stiffness = Stiffness::Tangential(args.number(RATIO.name));
        let (coefficient, damping) = (needed(args, NAME, &COEFFICIENT)?, needed(args, NAME, &DAMPING)?);
        let spring = SpringSlider { name: NAME, coefficient, stiffness, damping };
        let law = IwashitaOda { spring, radius: args.number(RADIUS.name) };
        law.check_values()?;
        Ok(Arc::new(law))
    }
}

impl ResistanceLaw for IwashitaOda {
    fn name(&self) -> &'static str {
        NAME
    }

    fn patch(&self) -> Patch {
        self.radius.map_or(Patch::Curvature, Patch::Radius)
    }

    fn spring(&self) -> Option<&dyn Friction> {
        Some(&self.spring)
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

spring_law!(IwashitaOda);

pub(super) const ENTRY: ResistanceEntry = ResistanceEntry {
    entry: Entry {
        name: NAME,
        summary: "a torsion spring as stiff as the contact along its surface, and a slider; with memory",
        params: &[COEFFICIENT, RATIO, RADIUS, DAMPING],
        build: IwashitaOda::build,
    },
    formula: "M = −k θ − C ω, θ̇ = ω while k|θ| < c N; |M| = c N beyond; k = k_t R²",
    range: "grains that roll slowly or lie still",
    at_rest: "holds, without creep",
    reference: Reference {
        source: "K. Iwashita, M. Oda, J. Eng. Mech. 124 (1998) 285-292; k = k_t R² from the documentation of a program that names them",
        checked: "not seen in the original; a ball on a slope; passivity",
    },
};
