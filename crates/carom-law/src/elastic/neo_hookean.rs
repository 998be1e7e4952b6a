//! The neo-Hookean material.
//!
//! φ = ½ G (|F|² − 3), S = G F
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | φ | J/m³ | strain energy per volume |
//! | F | – | deformation gradient, det F = 1 |
//! | G | Pa | shear modulus |
//!
//! Source: R. S. Rivlin, *Phil. Trans. R. Soc. A* 240 (1948) 459. It is the Mooney–Rivlin material with c10 = G/2, c01 = 0.
//! Valid: rubber, up to about half as long again.
//! Checked: the stress is the derivative of the energy; against Mooney–Rivlin.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Mat3, Param, Quantity, Scalar, SpecError};

use super::{Strain, StrainEntry, StrainLaw};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;

/// φ = ½ G (|F|² − 3).
///
/// ```
/// use carom_base::Mat3;
/// use carom_law::elastic::{NeoHookean, Strain};
/// let gel = NeoHookean::new(1e3)?; // [Pa]
/// let f = Mat3::new(1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0); // a simple shear by γ = 0.1: φ = ½ G γ²
/// assert!((gel.energy(&f, &f.try_inverse().unwrap()) - 5.0).abs() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookean {
    shear_modulus: f64,
}

const NAME: &str = "neo-hookean";

const SHEAR_MODULUS: Param =
    Param::required("shear_modulus", Quantity::Pressure, Allowed::Positive, "shear modulus G");

impl NeoHookean {
    /// G [Pa] > 0; refuses others.
    pub fn new(shear_modulus: f64) -> Result<NeoHookean, LawError> {
        check_value(NAME, &SHEAR_MODULUS, shear_modulus)?;
        Ok(NeoHookean { shear_modulus })
    }

    fn build(args: &Args) -> Result<Arc<dyn Strain>, SpecError> {
        let shear_modulus = needed(args, NAME, &SHEAR_MODULUS)?;
        check_value(NAME, &SHEAR_MODULUS, shear_modulus)?;
        Ok(Arc::new(NeoHookean { shear_modulus }))
    }
}

impl StrainLaw for NeoHookean {
    fn name(&self) -> &'static str {
        NAME
    }

    fn energy<S: Scalar>(&self, f: &Mat3<S>, _: &Mat3<S>) -> S {
        S::from_f64(0.5 * self.shear_modulus) * (f.dot(f) - S::from_f64(3.0))
    }

    fn stress<S: Scalar>(&self, f: &Mat3<S>, _: &Mat3<S>) -> Mat3<S> {
        f * S::from_f64(self.shear_modulus)
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(check_value(NAME, &SHEAR_MODULUS, self.shear_modulus)?)
    }
}

pub(super) const ENTRY: StrainEntry = StrainEntry {
    entry: Entry {
        name: NAME,
        summary: "rubber by its shear modulus alone",
        params: &[SHEAR_MODULUS],
        build: NeoHookean::build,
    },
    formula: "φ = ½ G (|F|² − 3)",
    range: "rubber, up to about half as long again",
    reference: Reference {
        source: "R. S. Rivlin, Phil. Trans. R. Soc. A 240 (1948) 459",
        checked: "the stress is the derivative of the energy; against Mooney-Rivlin",
    },
};
