//! A foundation: the pressure of two soft layers that are pressed together, for contacts that are integrals over their patch.
//!
//! p = K d (1 + χ̄ ḋ)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | p | Pa | pressure, never below zero |
//! | K | Pa/m | pressure per depth: given, or of two layers in series, 1/K = t_A/M_A + t_B/M_B |
//! | M | Pa | constrained modulus of a layer, E (1 − ν)/((1 + ν)(1 − 2ν)): it cannot yield sideways |
//! | t | m | thickness of a layer; 0: that body is rigid |
//! | d, ḋ | m, m/s | depth of a point below the other surface and its rate, positive while approaching |
//! | s_A, s_B | 1 | the weights of the depths below A and below B, as the layers yield: s_A = K t_A/M_A, s_B = K t_B/M_B |
//! | χ̄ | s/m | damping, as in `hunt-crossley` |
//!
//! The stored energy is K (s_A ∫ d_A dV + s_B ∫ d_B dV) over the overlap: flat on flat, K d²/2 of every unit of area.
//! Source: the Winkler foundation, K. L. Johnson, *Contact Mechanics*, 1985, section 4.3.
//! Valid: layers thin against the patch and soft against what is under them; d small against the thickness.
//! Exit: d = 0, where the pressure is zero as well.
//! Derived, and checked against closed forms: a flat punch, a tilted block, a ball on a flat.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Two, Value};

use super::damped::damped;
use super::{EXIT_TOGETHER, NormalEntry};
use crate::entry::{Reference, check_value};
use crate::error::LawError;
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw};
use crate::stiffness::{Layers, Stiffness};
use crate::touch::{Indentation, Touch};

/// p = K d (1 + χ̄ ḋ): the pressure of soft layers, for contacts that are integrals over their patch.
///
/// ```
/// use carom_law::normal::Foundation;
/// use carom_law::{Material, NormalLaw, Stiffness};
/// let cork = Material::new("cork").youngs_modulus(30e6).poisson_ratio(0.0);
/// let law = Foundation::layers([0.0, 0.003])?.damping(0.1); // A is rigid, on 3 mm of cork
/// let Stiffness::Layers(layers) = law.stiffness() else { unreachable!() };
/// let bedding = layers.between([None, Some(&cork)])?;
/// assert!((bedding.stiffness / 1e10 - 1.0).abs() < 1e-15); // [Pa/m]
/// assert_eq!(bedding.weights, [0.0, 1.0]);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foundation {
    layers: Layers,
    chi: f64,
}

pub(super) const NAME: &str = "foundation";

const STIFFNESS: Param = Param::optional(
    "stiffness",
    Quantity::FoundationStiffness,
    Allowed::Positive,
    "from `thickness` and the materials",
    "pressure per depth K",
);
const THICKNESS: Param = Param::optional(
    "thickness",
    Quantity::Length,
    Allowed::NotNegative,
    "`stiffness` is given",
    "thickness of the soft layers, one for both or [t_A, t_B] in the order of `between`; 0: that body is rigid",
)
.array(2)
.or_alike();
const WEIGHTS: Param = Param::optional(
    "weights",
    Quantity::Number,
    Allowed::NotNegative,
    "alike, or from the layers",
    "how much the two bodies yield, [s_A, s_B]; [0, 1]: the first is rigid. Their ratio counts",
)
.array(2);
const DAMPING: Param =
    Param::default("damping", Quantity::InverseSpeed, Allowed::NotNegative, 0.0, "damping per stiffness χ̄");

impl Foundation {
    /// K [Pa/m] > 0, refuses another; both bodies yield alike, no damping.
    pub fn new(stiffness: f64) -> Result<Foundation, LawError> {
        Foundation::weighted(stiffness, [1.0, 1.0])
    }

    /// K [Pa/m] > 0, and how much A and B yield, as a ratio: `[0.0, 1.0]` if A is rigid.
    pub fn weighted(stiffness: f64, weights: [f64; 2]) -> Result<Foundation, LawError> {
        Foundation::made(Layers::Given { stiffness, weights })
    }

    /// Layers of these thicknesses \[m\] on A and on B, 0 for a rigid body; K follows from the materials.
    pub fn layers(thickness: [f64; 2]) -> Result<Foundation, LawError> {
        Foundation::made(Layers::Thickness(thickness))
    }

    fn made(layers: Layers) -> Result<Foundation, LawError> {
        let law = Foundation { layers, chi: 0.0 };
        law.check()?;
        Ok(law)
    }

    /// With damping χ̄ [s/m] ≥ 0; [`NormalLaw::check`] refuses another.
    pub const fn damping(mut self, chi: f64) -> Foundation {
        self.chi = chi;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let two = |p: &Param| match args.get(p.name) {
            Some(Value::Number(x)) => Some([*x; 2]),
            Some(Value::Numbers(x)) => <[f64; 2]>::try_from(x.as_slice()).ok(),
            _ => None,
        };
        let conflict = |what| Err(SpecError::Conflict { kind: NAME, what });
        let layers = match (args.number(STIFFNESS.name), two(&THICKNESS), two(&WEIGHTS)) {
            (Some(stiffness), None, weights) => {
                Layers::Given { stiffness, weights: weights.unwrap_or([1.0, 1.0]) }
            }
            (None, Some(thickness), None) => Layers::Thickness(thickness),
            (None, Some(_), Some(_)) => {
                return conflict(
                    "`weights` follow from `thickness` and the materials: leave one of them out",
                );
            }
            _ => return conflict("either `stiffness` or `thickness` says how stiff the layers are"),
        };
        let law = Foundation { layers, chi: args.number(DAMPING.name).unwrap_or(0.0) };
        law.someone_yields()?;
        Ok(Arc::new(law))
    }

    /// Refuses two rigid bodies.
    fn someone_yields(&self) -> Result<(), SpecError> {
        let (Layers::Given { weights: yields, .. } | Layers::Thickness(yields)) = self.layers;
        match yields.iter().any(|y| *y > 0.0) {
            true => Ok(()),
            false => Err(SpecError::Conflict {
                kind: NAME,
                what: "both bodies are rigid: one of the two `thickness` or `weights` must be above 0",
            }),
        }
    }
}

impl NormalLaw for Foundation {
    fn name(&self) -> &'static str {
        NAME
    }
    fn exponent(&self) -> f64 {
        1.0
    }
    fn stiffness(&self) -> Stiffness {
        Stiffness::Layers(self.layers)
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        0.5 * touch.stiffness * delta * delta.max(0.0)
    }
    fn is_elastic(&self) -> bool {
        self.chi == 0.0
    }
    fn check(&self) -> Result<(), LawError> {
        match self.layers {
            Layers::Given { stiffness, weights } => {
                check_value(NAME, &STIFFNESS, stiffness)?;
                weights.iter().try_for_each(|w| check_value(NAME, &WEIGHTS, *w))?;
            }
            Layers::Thickness(t) => t.iter().try_for_each(|t| check_value(NAME, &THICKNESS, *t))?,
        }
        check_value(NAME, &DAMPING, self.chi)?;
        Ok(self.someone_yields()?)
    }
}

impl NormalFormula for Foundation {
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        let depth = c.delta.max(S::from_f64(0.0));
        damped(S::from_f64(touch.stiffness) * depth, c.delta_dot, self.chi)
    }
    #[inline]
    fn force_two(&self, c: Indentation<Two>, touch: [&Touch; 2]) -> NormalForce<Two> {
        let k = Two::new(touch[0].stiffness, touch[1].stiffness);
        damped(k * c.delta.max(Two::ZERO), c.delta_dot, self.chi)
    }
}

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: NAME,
        summary: "pressure of soft layers: the contact is an integral over the patch where two solids overlap (`solver = \"pressure\"`, which need not be written)",
        params: &[STIFFNESS, THICKNESS, WEIGHTS, DAMPING],
        build: Foundation::build,
    },
    formula: "p = K d (1 + χ̄ ḋ), 1/K = t_A/M_A + t_B/M_B, M = E (1 − ν)/((1 + ν)(1 − 2ν))",
    range: "layers thin against the patch, d small against their thickness; any two solids",
    exit: EXIT_TOGETHER,
    reference: Reference {
        source: "the Winkler foundation, K. L. Johnson, Contact Mechanics, 1985, section 4.3",
        checked: "against closed forms: a flat punch, a tilted block, a ball on a flat",
    },
    eta: None,
};
