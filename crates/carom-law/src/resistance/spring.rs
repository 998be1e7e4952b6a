//! What the laws of rolling resistance with memory share: a torsion spring and a slider.
//!
//! M = −φ k d, d = θ where it sticks, d = (c N/k) θ/|θ| where it slips
//!
//! It is the element of friction with memory ([`compliant`](crate::friction::compliant)), with the rate of turning in place of the slip, an angle in place of the deflection
//! and the couple in place of the force: the same modes, the same located changes between them, the same proof that it is passive. A dashpot −C ω may act beside the spring while
//! it sticks.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | M | N m | couple on A |
//! | θ | rad | what the element remembers: how far the bodies have turned since they stuck |
//! | k | N m/rad | stiffness of the spring, a constant of the contact |
//! | c | m | couple per normal force at which it slips |
//! | C | N m s/rad | damping |
//! | φ | 1 | normal force by elastic normal force |

use carom_base::param::Allowed;
use carom_base::{Param, Quantity, Scalar, SpecError};

use crate::error::LawError;
use crate::friction::compliant::Springs;
use crate::friction::element::{self, Element, pressing};
use crate::friction::slip::check_values;
use crate::grip::{Grip, Slip, Switching};
use crate::law::FrictionLaw;
use crate::memory::Memory;

/// Scene key of c: without a limit there is nothing that would bend the spring.
pub(super) const COEFFICIENT: Param = Param::required(
    "coefficient",
    Quantity::Length,
    Allowed::Positive,
    "couple per normal force c at which the surfaces begin to roll",
);
/// Scene key of C.
pub(super) const DAMPING: Param = Param::default(
    "rolling_damping",
    Quantity::TorsionDamping,
    Allowed::NotNegative,
    0.0,
    "damping C beside the spring while it sticks",
);

/// Where the stiffness of the spring comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stiffness {
    /// k [N m/rad]
    Given(f64),
    /// so many m² times the stiffness dF/dδ of the contact at its usual depth
    Normal(f64),
    /// R² times the stiffness along the surface at the usual depth, κ dF/dδ; κ, if it is not that of the materials
    Tangential(Option<f64>),
}

/// φ; 1 as the surfaces touch, where both forces are too small to be numbers: else the rate would jump from nothing as soon as they are.
fn engaged<S: Scalar>(at: &Slip<S>) -> S {
    match at.f_elastic.value() == 0.0 && at.delta.value() > 0.0 {
        true => S::from_f64(1.0),
        false => element::engaged(at),
    }
}

/// A torsion spring and a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpringSlider {
    pub(super) name: &'static str,
    /// c \[m\]
    pub(super) coefficient: f64,
    pub(super) stiffness: Stiffness,
    /// C [N m s/rad]
    pub(super) damping: f64,
}

impl SpringSlider {
    /// k [N m/rad] in a contact.
    fn k(&self, grip: &Grip) -> f64 {
        match self.stiffness {
            Stiffness::Given(k) => k,
            Stiffness::Normal(area) => area * grip.tangential(grip.depth),
            Stiffness::Tangential(_) => grip.radius * grip.radius * grip.tangential(grip.depth),
        }
    }

    pub(super) fn check_values(&self) -> Result<(), SpecError> {
        check_values(self.name, &[(&COEFFICIENT, self.coefficient), (&DAMPING, self.damping)])
    }
}

impl Springs for SpringSlider {
    fn element<S: Scalar>(&self, _: usize, at: &Slip<S>, grip: &Grip) -> Element<S> {
        let k = self.k(grip);
        let per_k = S::from_f64(self.coefficient / k);
        let size = self.coefficient * grip.force() / k;
        let (load, load_rate) = pressing(at);
        let spring = Element::spring(k, per_k * load, per_k * load_rate, engaged(at), size);
        Element { damping: self.damping, ..spring }
    }
}

impl FrictionLaw for SpringSlider {
    fn name(&self) -> &'static str {
        self.name
    }

    fn remembers(&self) -> bool {
        true
    }

    fn follows_depth(&self) -> bool {
        true
    }

    fn needs_power(&self) -> bool {
        !matches!(self.stiffness, Stiffness::Given(_))
    }

    fn stiffness_ratio(&self) -> Option<f64> {
        match self.stiffness {
            Stiffness::Given(_) | Stiffness::Normal(_) => Some(1.0),
            Stiffness::Tangential(ratio) => ratio,
        }
    }

    fn deflection(&self, _: f64) -> f64 {
        f64::INFINITY
    }

    fn deflection_in(&self, grip: &Grip) -> f64 {
        self.coefficient * grip.force() / self.k(grip)
    }

    fn energy_at(&self, element: usize, at: &Slip, grip: &Grip, memory: &Memory) -> f64 {
        self.element(element, at, grip).energy(at, grip, memory)
    }

    fn switching(&self) -> Option<&dyn Switching> {
        Some(self)
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

/// What a law of resistance says that is a [`SpringSlider`], which is in its field `spring`.
macro_rules! spring_law {
    ($law:ident) => {
        impl ResistanceFormula for $law {
            /// A spring that is not bent does not pull.
            fn couple<S: Scalar>(&self, _: &Pressed<S>, w: &Vec3<S>) -> Vec3<S> {
                w * S::from_f64(0.0)
            }
        }
    };
}

pub(super) use spring_law;
