//! The elastic part every law here shares: F = K δⁿ, E = K δⁿ⁺¹/(n+1).

use carom_base::param::Allowed;
use carom_base::{Args, Param, Quantity, Scalar, SpecError};

use crate::entry::check_value;
use crate::stiffness::Stiffness;
use crate::touch::Touch;

/// Scene key of K.
pub(crate) const STIFFNESS: Param = Param::optional(
    "stiffness",
    Quantity::Stiffness,
    Allowed::Positive,
    "from the materials and the curvatures at the contact (exponent 1.5 only)",
    "contact stiffness K",
);

/// Scene key of n. Below 1 the stiffness at first touch would be infinite.
pub(crate) const EXPONENT: Param = Param::default(
    "exponent",
    Quantity::Number,
    Allowed::Between(1.0, 10.0),
    HERTZ_EXPONENT,
    "exponent n of the indentation",
);

/// n of a point contact.
pub(crate) const HERTZ_EXPONENT: f64 = 1.5;

/// K, if given, and n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PowerLaw {
    pub(crate) stiffness: Option<f64>,
    pub(crate) exponent: f64,
}

impl PowerLaw {
    /// Hertz: K from materials, n = 3/2.
    pub(crate) const HERTZ: PowerLaw = PowerLaw { stiffness: None, exponent: HERTZ_EXPONENT };

    pub(crate) fn from_args(args: &Args) -> PowerLaw {
        let exponent = args.number(EXPONENT.name).unwrap_or(HERTZ_EXPONENT);
        PowerLaw { stiffness: args.number(STIFFNESS.name), exponent }
    }

    /// Where K comes from.
    pub(crate) fn source(&self) -> Stiffness {
        self.stiffness.map_or(Stiffness::Materials, Stiffness::Given)
    }

    /// K δⁿ; zero, with zero derivatives for n > 1, where the surfaces do not overlap.
    #[inline]
    pub(crate) fn elastic<S: Scalar>(&self, delta: S, k: S) -> S {
        let delta = delta.max(S::from_f64(0.0));
        // n = 1 by itself: it has a slope at zero, which the general power of a dual does not know
        let power = if self.exponent == 1.0 { delta } else { delta.powf(self.exponent) };
        k * power
    }

    /// K δⁿ⁺¹/(n+1) \[J\].
    pub(crate) fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        self.elastic(delta, touch.stiffness) * delta / (self.exponent + 1.0)
    }
}

/// n K δⁿ⁻¹; zero where the surfaces do not overlap, unless n = 1.
#[inline]
pub(crate) fn slope<S: Scalar>(delta: S, n: f64, k: f64) -> S {
    let (delta, k) = (delta.max(S::from_f64(0.0)), S::from_f64(n * k));
    if n == 1.0 {
        k
    } else if n == HERTZ_EXPONENT {
        k * delta.sqrt()
    } else {
        k * delta.powf(n - 1.0)
    }
}

/// Stiffness and exponent: in range, and a stiffness given wherever Hertz does not give one.
pub(crate) fn check_power(law: &'static str, stiffness: Option<f64>, exponent: f64) -> Result<(), SpecError> {
    check_value(law, &EXPONENT, exponent)?;
    match stiffness {
        Some(k) => check_value(law, &STIFFNESS, k),
        None if exponent != HERTZ_EXPONENT => Err(SpecError::Conflict {
            kind: law,
            what: "an `exponent` other than 1.5 needs a `stiffness`: materials give one for 1.5 only",
        }),
        None => Ok(()),
    }
}
