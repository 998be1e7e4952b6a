//! Stiffness and radius of the contacts of round surfaces, for laws that need the radius besides K.

use carom_base::param::Allowed;
use carom_base::{Args, Param, Quantity, SpecError};

use super::dashpot::POINT_STIFFNESS;
use crate::entry::check_value;
use crate::power::{HERTZ_EXPONENT, PowerLaw};
use crate::stiffness::Stiffness;
use crate::touch::Touch;

/// Scene keys of K and R of laws that adhere.
pub(super) const ROUND: [Param; 2] = [
    Param { doc: "contact stiffness K of Hertz; needs `radius`", ..POINT_STIFFNESS },
    Param::optional(
        "radius",
        Quantity::Length,
        Allowed::Positive,
        "1/√(k_min k_max) of the relative curvatures at first touch",
        "relative radius R of the surfaces",
    ),
];

/// Scene keys of K and R of laws that yield.
pub(super) const OVAL: [Param; 2] = [
    ROUND[0],
    Param::optional(
        "radius",
        Quantity::Length,
        Allowed::Positive,
        "ab/δ of the ellipse of contact by the relative curvatures at first touch",
        "relative radius R of the surfaces",
    ),
];

/// K = (4/3) E* √R and R, given or from materials and curvatures. Where the curvatures differ, K is that of the ellipse of contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Round {
    pub(super) stiffness: Option<f64>,
    pub(super) radius: Option<f64>,
}

impl Round {
    pub(super) fn from_args(args: &Args) -> Round {
        Round { stiffness: args.number(ROUND[0].name), radius: args.number(ROUND[1].name) }
    }

    /// Whether what is given is in range and fits: where a stiffness is given no curvature is asked for.
    pub(super) fn check(&self, law: &'static str) -> Result<(), SpecError> {
        for (param, value) in ROUND.iter().zip([self.stiffness, self.radius]) {
            value.map_or(Ok(()), |x| check_value(law, param, x))?;
        }
        match (self.stiffness, self.radius) {
            (Some(_), None) => Err(SpecError::Conflict {
                kind: law,
                what: "a given `stiffness` needs a `radius`: the curvatures are asked for only where the stiffness comes from them",
            }),
            _ => Ok(()),
        }
    }

    pub(super) fn source(&self) -> Stiffness {
        self.power().source()
    }

    /// K δ^{3/2}.
    pub(super) fn power(&self) -> PowerLaw {
        PowerLaw { stiffness: self.stiffness, exponent: HERTZ_EXPONENT }
    }

    /// R \[m\] in this contact: 1/√(k_min k_max) of the relative curvatures.
    pub(super) fn radius(&self, touch: &Touch) -> f64 {
        self.radius.unwrap_or(touch.radius)
    }

    /// R \[m\] by which the area of contact is πRδ.
    pub(super) fn area_radius(&self, touch: &Touch) -> f64 {
        self.radius.unwrap_or(touch.area_radius)
    }
}

/// Gives a law with a field `round` the methods by which stiffness and radius are given.
macro_rules! given_round {
    ($law:ident) => {
        impl $law {
            /// With a given stiffness K [N/m^1.5] > 0, which needs a radius; [`NormalLaw::check`] refuses another.
            pub const fn stiffness(mut self, k: f64) -> $law {
                self.round.stiffness = Some(k);
                self
            }

            /// With a given relative radius R \[m\] > 0; [`NormalLaw::check`] refuses another.
            pub const fn radius(mut self, r: f64) -> $law {
                self.round.radius = Some(r);
                self
            }
        }
    };
}
pub(super) use given_round;
