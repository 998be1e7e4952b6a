//! A sphere on an elastic foundation: a bed of springs, each pressed down by the sphere above it.
//!
//! F = π k δ² (R − δ/3) (1 + χ̄ δ̇) for δ ≤ R, and π k R² (δ − R/3) (1 + χ̄ δ̇) beyond
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, never below zero |
//! | k | Pa/m | pressure per indentation: modulus of the layer over its thickness |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | R | m | radius of the sphere: given, or 1/√(k_min k_max) of the relative curvatures at first touch |
//! | χ̄ | s/m | damping, as in `hunt-crossley` |
//!
//! The springs under the sphere are pressed by the volume it displaces, that of a cap of height δ: F = k V. Deeper than
//! its radius no more springs are reached, and each is pressed at the same rate: the force goes on linearly, without
//! a corner. The energy is π k δ³ (R/3 − δ/12), and π k R² (δ²/2 − R δ/3 + R²/12) beyond.
//!
//! Where the radius comes from curvature, two spheres count as one of radius R on a flat, and unequal curvatures as
//! the sphere that displaces as much, both to first order in δ/R. The law writes K = π k R for what is latched.
//!
//! Source: K. L. Johnson, *Contact Mechanics*, 1985, section 4.3, for the model; the cap is exact for a sphere on a flat.
//! Valid: layers thin against the contact and soft against what is under them; δ small against the thickness, which
//! the law does not know. The standard impact depends on the ratio δ/R; with χ̄ the restitution is that of
//! η = χ̄ v₀, as for any elastic force times (1 + χ̄ δ̇).
//! Exit: δ = 0, where the force is zero as well.
//! Derived, and checked numerically.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError};

use super::power::damped;
use super::{EXIT_TOGETHER, NormalEntry};
use crate::law::{Indentation, Normal, NormalForce, NormalLaw, Reference, Stiffness, Touch};
use crate::{LawError, check_value, needed};

/// F = π k δ² (R − δ/3) (1 + χ̄ δ̇): a sphere on a bed of springs.
///
/// ```
/// use carom_law::normal::ElasticFoundation;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = ElasticFoundation::new(1e9)?.radius(0.03); // 1 MPa over 1 mm
/// let stiffness = law.stiffness().given().unwrap_or_default(); // π k R
/// let touch = Touch { stiffness, v0: 0.5, mass: 1.0 };
/// let f = law.force(Indentation { delta: 0.003, delta_dot: 0.1 }, &touch).f_n;
/// assert!((f - std::f64::consts::PI * 1e9 * 9e-6 * 0.029).abs() < 1e-9);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticFoundation {
    modulus: f64,
    radius: Option<f64>,
    chi: f64,
}

const NAME: &str = "elastic-foundation";

const MODULUS: Param = Param::required(
    "foundation_modulus",
    Quantity::FoundationStiffness,
    Allowed::Positive,
    "pressure per indentation k: modulus of the layer over its thickness",
);
const RADIUS: Param = Param::optional(
    "radius",
    Quantity::Length,
    Allowed::Positive,
    "from the curvatures at the contact",
    "radius R of the sphere",
);
const DAMPING: Param =
    Param::default("damping", Quantity::InverseSpeed, Allowed::NotNegative, 0.0, "damping per stiffness χ̄");

impl ElasticFoundation {
    /// k [Pa/m] > 0, refuses another; the radius from curvature, no damping.
    pub fn new(modulus: f64) -> Result<ElasticFoundation, LawError> {
        check_value(NAME, &MODULUS, modulus)?;
        Ok(ElasticFoundation { modulus, radius: None, chi: 0.0 })
    }

    /// With a given radius R \[m\] > 0; [`NormalLaw::check`] refuses another.
    pub const fn radius(mut self, r: f64) -> ElasticFoundation {
        self.radius = Some(r);
        self
    }

    /// With damping χ̄ [s/m] ≥ 0; [`NormalLaw::check`] refuses another.
    pub const fn damping(mut self, chi: f64) -> ElasticFoundation {
        self.chi = chi;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let modulus = needed(args, NAME, &MODULUS)?;
        let chi = args.number(DAMPING.name).unwrap_or(0.0);
        Ok(Arc::new(ElasticFoundation { modulus, radius: args.number(RADIUS.name), chi }))
    }

    /// R \[m\] in this contact: K = π k R was latched.
    #[inline]
    fn radius_in(&self, touch: &Touch) -> f64 {
        touch.stiffness / (PI * self.modulus)
    }
}

impl NormalLaw for ElasticFoundation {
    fn name(&self) -> &'static str {
        NAME
    }
    fn exponent(&self) -> f64 {
        2.0
    }
    fn stiffness(&self) -> Stiffness {
        match self.radius {
            Some(r) => Stiffness::Given(PI * self.modulus * r),
            None => Stiffness::PerRadius(PI * self.modulus),
        }
    }
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        let (k, r) = (touch.stiffness, self.radius_in(touch));
        let number = S::from_f64;
        let delta = c.delta.max(number(0.0));
        let f_elastic = if delta.value() <= r {
            number(k) * delta * delta * (number(1.0) - delta * number(1.0 / (3.0 * r)))
        } else {
            number(k * r) * (delta - number(r / 3.0))
        };
        damped(f_elastic, c.delta_dot, self.chi)
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        let (k, r, delta) = (touch.stiffness, self.radius_in(touch), delta.max(0.0));
        if delta <= r {
            k * delta.powi(3) * (1.0 / 3.0 - delta / (12.0 * r))
        } else {
            k * r * (delta * delta / 2.0 - r * delta / 3.0 + r * r / 12.0)
        }
    }
    fn is_elastic(&self) -> bool {
        self.chi == 0.0
    }
    fn check(&self) -> Result<(), LawError> {
        check_value(NAME, &MODULUS, self.modulus)?;
        check_value(NAME, &DAMPING, self.chi)?;
        Ok(self.radius.map_or(Ok(()), |r| check_value(NAME, &RADIUS, r))?)
    }
}

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: NAME,
        summary: "sphere on a bed of springs: a soft layer on something hard",
        params: &[MODULUS, RADIUS, DAMPING],
        build: ElasticFoundation::build,
    },
    formula: "F = π k δ² (R − δ/3) (1 + χ̄ δ̇); deeper than R, π k R² (δ − R/3) (1 + χ̄ δ̇)",
    range: "a layer thin against the contact, δ small against its thickness; exact for a sphere on a flat",
    exit: EXIT_TOGETHER,
    reference: Reference {
        source: "the Winkler foundation, K. L. Johnson, Contact Mechanics, 1985, section 4.3",
        checked: "derived and checked numerically",
    },
    eta: None,
};
