//! An elastic foundation: a bed of springs, pressed down by a sphere, or by a strip of a surface.
//!
//! A sphere, or any point contact: F = π k δ² (R − δ/3) (1 + χ̄ δ̇) for δ ≤ R, and π k R² (δ − R/3) (1 + χ̄ δ̇) beyond.
//! A strip of length L (a slice of a torus): F = c k √(2r) L δⁿ (1 + χ̄ δ̇).
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, never below zero |
//! | k | Pa/m | pressure per indentation: given, or E*/h of both materials and the depth h of the layer |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | R | m | radius of the sphere: given, or 1/√(k_min k_max) of the relative curvatures at first touch |
//! | r | m | radius across the strip: given, or 1/k_max of the relative curvature across it at first touch |
//! | χ̄ | s/m | damping, as in `hunt-crossley` |
//! | c, n | – | factor and exponent of strips: 1 and 3/2 as the torus paper has them |
//!
//! The springs under a sphere are pressed by the volume it displaces, that of a cap of height δ: F = k V. Deeper than
//! its radius no more springs are reached, and each is pressed at the same rate: the force goes on linearly, without
//! a corner. The energy is π k δ³ (R/3 − δ/12), and π k R² (δ²/2 − R δ/3 + R²/12) beyond.
//!
//! Under a strip as long as L and pressed in by δ ≪ r lies the width 2 √(2rδ), and the springs there are pressed by δ − x²/2r:
//! F = k L ∫ (δ − x²/2r) dx = (4/3) k √(2r) L δ^{3/2}. The torus paper has 1 for 4/3 (Eq 20), which is the default; `factor` sets it.
//! An exponent other than 3/2 keeps the number of k √(2r) L.
//!
//! Where the radius comes from curvature, two spheres count as one of radius R on a flat, and unequal curvatures as
//! the sphere that displaces as much, both to first order in δ/R.
//!
//! Source: K. L. Johnson, *Contact Mechanics*, 1985, section 4.3, for the model; F. Marques, M. Rodrigues da Silva, *Modeling Contact Problems
//! Involving Toroidal Surfaces*, Eqs 18–21, for strips; the cap is exact for a sphere on a flat.
//! Valid: layers thin against the contact and soft against what is under them; δ small against the thickness, which
//! the law does not know. The standard impact depends on the ratio δ/R; with χ̄ the restitution is that of
//! η = χ̄ v₀, as for any elastic force times (1 + χ̄ δ̇).
//! Exit: δ = 0, where the force is zero as well.
//! Derived, and checked numerically.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::elementary::powi;
use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Two};

use super::damped::damped;
use super::{EXIT_TOGETHER, NormalEntry};
use crate::entry::{Reference, check_value};
use crate::error::LawError;
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw, one_by_one};
use crate::power::{EXPONENT, HERTZ_EXPONENT, PowerLaw};
use crate::stiffness::{Bed, Springs, Stiffness};
use crate::touch::{Indentation, Touch};

/// F = π k δ² (R − δ/3) (1 + χ̄ δ̇): a sphere on a bed of springs; under a strip, F = c k √(2r) L δⁿ (1 + χ̄ δ̇).
///
/// ```
/// use carom_law::normal::ElasticFoundation;
/// use carom_law::{Indentation, Meeting, Normal, NormalLaw, Touch};
/// let law = ElasticFoundation::new(1e9)?.radius(0.03); // 1 MPa over 1 mm
/// let stiffness = law.stiffness().at(0.0, &Meeting::in_point(0.0, 0.0))?; // π k R
/// let touch = Touch::point(stiffness, 0.5, 1.0);
/// let f = law.force(Indentation { delta: 0.003, delta_dot: 0.1 }, &touch).f_n;
/// assert!((f - std::f64::consts::PI * 1e9 * 9e-6 * 0.029).abs() < 1e-9);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticFoundation {
    springs: Springs,
    radius: Option<f64>,
    chi: f64,
    factor: f64,
    exponent: f64,
}

const NAME: &str = "elastic-foundation";

const MODULUS: Param = Param::optional(
    "foundation_modulus",
    Quantity::FoundationStiffness,
    Allowed::Positive,
    "from `depth` and the materials",
    "pressure per indentation k: modulus of the layer over its thickness",
);
const DEPTH: Param = Param::optional(
    "depth",
    Quantity::Length,
    Allowed::Positive,
    "`foundation_modulus` is given",
    "depth h of the layer: k = E*/h, with E* of both materials",
);
const RADIUS: Param = Param::optional(
    "radius",
    Quantity::Length,
    Allowed::Positive,
    "from the curvatures at the contact",
    "radius R of the sphere, r across the strip",
);
const DAMPING: Param =
    Param::default("damping", Quantity::InverseSpeed, Allowed::NotNegative, 0.0, "damping per stiffness χ̄");
const FACTOR: Param = Param::default(
    "factor",
    Quantity::Number,
    Allowed::Positive,
    1.0,
    "factor c of strips: 1 as in the torus paper, 4/3 by integrating over the width",
);
const STRIP_EXPONENT: Param = Param {
    doc: "exponent n of the indentation of strips (of slices); a sphere has its own formula",
    ..EXPONENT
};

impl ElasticFoundation {
    /// k [Pa/m] > 0, refuses another; the radius from curvature, no damping.
    pub fn new(modulus: f64) -> Result<ElasticFoundation, LawError> {
        check_value(NAME, &MODULUS, modulus)?;
        Ok(ElasticFoundation::on(Springs::Modulus(modulus)))
    }

    /// A layer of depth h \[m\] > 0, refuses another: k = E*/h of the materials in contact.
    ///
    /// ```
    /// use carom_law::normal::ElasticFoundation;
    /// use carom_law::{Meeting, NormalLaw};
    /// let law = ElasticFoundation::depth(1.0)?.damping(0.05); // the torus paper's
    /// let ring = Meeting::in_strips(200.0, 2.0 * std::f64::consts::PI * 0.025);
    /// let k = law.stiffness().at(1.048951048951049e10, &ring)?; // of all slices together [N/m^1.5]
    /// assert!((k / 1.64768845468e8 - 1.0).abs() < 1e-11);
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn depth(h: f64) -> Result<ElasticFoundation, LawError> {
        check_value(NAME, &DEPTH, h)?;
        Ok(ElasticFoundation::on(Springs::Depth(h)))
    }

    const fn on(springs: Springs) -> ElasticFoundation {
        ElasticFoundation { springs, radius: None, chi: 0.0, factor: 1.0, exponent: HERTZ_EXPONENT }
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

    /// With the factor c > 0 of strips: 1 as in the torus paper, 4/3 by the integral; [`NormalLaw::check`] refuses another.
    pub const fn factor(mut self, c: f64) -> ElasticFoundation {
        self.factor = c;
        self
    }

    /// With the exponent n of strips, from 1 to 10; [`NormalLaw::check`] refuses another.
    pub const fn strip_exponent(mut self, n: f64) -> ElasticFoundation {
        self.exponent = n;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let springs = match (args.number(MODULUS.name), args.number(DEPTH.name)) {
            (Some(k), None) => Springs::Modulus(k),
            (None, Some(h)) => Springs::Depth(h),
            _ => {
                return Err(SpecError::Conflict {
                    kind: NAME,
                    what: "either `foundation_modulus` or `depth` says how stiff the springs are",
                });
            }
        };
        let or = |p: &Param, default: f64| args.number(p.name).unwrap_or(default);
        Ok(Arc::new(ElasticFoundation {
            springs,
            radius: args.number(RADIUS.name),
            chi: or(&DAMPING, 0.0),
            factor: or(&FACTOR, 1.0),
            exponent: or(&STRIP_EXPONENT, HERTZ_EXPONENT),
        }))
    }

    /// R \[m\] in this contact: given, or from the K = π k R that was latched, or latched itself.
    #[inline]
    fn radius_in(&self, touch: &Touch) -> f64 {
        match (self.radius, self.springs) {
            (Some(r), _) => r,
            (None, Springs::Modulus(k)) => touch.stiffness / (PI * k),
            (None, Springs::Depth(_)) => touch.radius,
        }
    }

    /// The strip's K δⁿ.
    fn strip(&self) -> PowerLaw {
        PowerLaw { stiffness: None, exponent: self.exponent }
    }

    /// π k δ² (R − δ/3), and linear deeper than R.
    #[inline]
    fn cap<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        let (k, r) = (touch.stiffness, self.radius_in(touch));
        let number = S::from_f64;
        let delta = delta.max(number(0.0));
        if delta.value() <= r {
            number(k) * delta * delta * (number(1.0) - delta * number(1.0 / (3.0 * r)))
        } else {
            number(k * r) * (delta - number(r / 3.0))
        }
    }
}

impl NormalLaw for ElasticFoundation {
    fn name(&self) -> &'static str {
        NAME
    }
    fn exponent(&self) -> f64 {
        2.0
    }
    fn exponent_in(&self, touch: &Touch) -> f64 {
        if touch.strip { self.exponent } else { 2.0 }
    }
    fn stiffness(&self) -> Stiffness {
        Stiffness::Bed(Bed { springs: self.springs, radius: self.radius, factor: self.factor })
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        let (k, r, delta) = (touch.stiffness, self.radius_in(touch), delta.max(0.0));
        if touch.strip {
            self.strip().energy(delta, touch)
        } else if delta <= r {
            k * powi(delta, 3) * (1.0 / 3.0 - delta / (12.0 * r))
        } else {
            k * r * (delta * delta / 2.0 - r * delta / 3.0 + r * r / 12.0)
        }
    }
    fn is_elastic(&self) -> bool {
        self.chi == 0.0
    }
    fn check(&self) -> Result<(), LawError> {
        match self.springs {
            Springs::Modulus(k) => check_value(NAME, &MODULUS, k)?,
            Springs::Depth(h) => check_value(NAME, &DEPTH, h)?,
        }
        check_value(NAME, &DAMPING, self.chi)?;
        check_value(NAME, &FACTOR, self.factor)?;
        check_value(NAME, &STRIP_EXPONENT, self.exponent)?;
        Ok(self.radius.map_or(Ok(()), |r| check_value(NAME, &RADIUS, r))?)
    }
}

impl NormalFormula for ElasticFoundation {
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        let f_elastic = match touch.strip {
            true => self.strip().elastic(c.delta, S::from_f64(touch.stiffness)), // Marques & Silva, Eq 20
            false => self.cap(c.delta, touch),
        };
        damped(f_elastic, c.delta_dot, self.chi)
    }
    #[inline]
    fn force_two(&self, c: Indentation<Two>, touch: [&Touch; 2]) -> NormalForce<Two> {
        match touch {
            // strips have no branches
            [a, b] if a.strip && b.strip => {
                let k = Two::new(a.stiffness, b.stiffness);
                damped(self.strip().elastic(c.delta, k), c.delta_dot, self.chi)
            }
            _ => one_by_one(self, c, touch),
        }
    }
}

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: NAME,
        summary: "bed of springs under a sphere or a slice: a soft layer on something hard",
        params: &[MODULUS, DEPTH, RADIUS, DAMPING, FACTOR, STRIP_EXPONENT],
        build: ElasticFoundation::build,
    },
    formula: "F = π k δ² (R − δ/3) (1 + χ̄ δ̇); deeper than R, π k R² (δ − R/3) (1 + χ̄ δ̇); of a slice, c k √(2r) L δⁿ (1 + χ̄ δ̇)",
    range: "a layer thin against the contact, δ small against its thickness; exact for a sphere on a flat",
    exit: EXIT_TOGETHER,
    reference: Reference {
        source: "the Winkler foundation, K. L. Johnson, Contact Mechanics, 1985, section 4.3; slices: F. Marques, M. Rodrigues da Silva, Modeling Contact Problems Involving Toroidal Surfaces, Eqs 18-21",
        checked: "derived and checked numerically",
    },
    eta: None,
};
