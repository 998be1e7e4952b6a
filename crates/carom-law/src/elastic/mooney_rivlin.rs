//! The Mooney–Rivlin material.
//!
//! φ = c10 (|F|² − 3) + c01 (|F⁻¹|² − 3), S Fᵀ = 2 (c10 F Fᵀ − c01 F^−T F⁻¹)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | φ | J/m³ | strain energy per volume |
//! | F | – | deformation gradient, det F = 1 |
//! | c10, c01 | Pa | moduli; small shears have the modulus 2 (c10 + c01) |
//!
//! Source: M. Mooney, *J. Appl. Phys.* 11 (1940) 582; R. S. Rivlin 1948; as Contento et al. 2009, Eqs 11, 12 and 15 have it. With det F = 1,
//! |F⁻¹|² is the second invariant |F*|². Valid: rubber, up to about twice its length.
//! Checked: the stress is the derivative of the energy; the frequencies of a ringing cylinder; trajectories of an independent program.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Mat3, Param, Quantity, Scalar, SpecError};

use super::{Strain, StrainEntry, StrainLaw, stiff};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;

/// φ = c10 (|F|² − 3) + c01 (|F⁻¹|² − 3).
///
/// ```
/// use carom_base::Mat3;
/// use carom_law::elastic::{MooneyRivlin, Strain};
/// let rubber = MooneyRivlin::new(4e4, 2e4)?; // [Pa]
/// let f = Mat3::new(1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0); // a simple shear by γ = 0.1: φ = (c10 + c01) γ²
/// assert!((rubber.energy(&f, &f.try_inverse().unwrap()) - 600.0).abs() < 1e-9);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MooneyRivlin {
    c10: f64,
    c01: f64,
}

const NAME: &str = "mooney-rivlin";

const C10: Param =
    Param::required("c10", Quantity::Pressure, Allowed::NotNegative, "modulus c10, of the first invariant");
const C01: Param = Param::default(
    "c01",
    Quantity::Pressure,
    Allowed::NotNegative,
    0.0,
    "modulus c01, of the second invariant",
);

impl MooneyRivlin {
    /// c10 and c01 [Pa] ≥ 0, not both zero; refuses others.
    pub fn new(c10: f64, c01: f64) -> Result<MooneyRivlin, LawError> {
        let law = MooneyRivlin { c10, c01 };
        StrainLaw::check(&law)?;
        Ok(law)
    }

    fn build(args: &Args) -> Result<Arc<dyn Strain>, SpecError> {
        let law = MooneyRivlin { c10: needed(args, NAME, &C10)?, c01: args.number(C01.name).unwrap_or(0.0) };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        check_value(NAME, &C10, self.c10)?;
        check_value(NAME, &C01, self.c01)?;
        stiff(NAME, self.c10 + self.c01)
    }
}

impl StrainLaw for MooneyRivlin {
    fn name(&self) -> &'static str {
        NAME
    }

    fn energy<S: Scalar>(&self, f: &Mat3<S>, inv: &Mat3<S>) -> S {
        let three = S::from_f64(3.0);
        S::from_f64(self.c10) * (f.dot(f) - three) + S::from_f64(self.c01) * (inv.dot(inv) - three)
    }

    fn stress<S: Scalar>(&self, f: &Mat3<S>, inv: &Mat3<S>) -> Mat3<S> {
        let (c10, c01) = (S::from_f64(2.0 * self.c10), S::from_f64(2.0 * self.c01));
        let t = inv.transpose();
        // Eq 15, times F^−T
        f * c10 - t * (inv * t) * c01
    }

    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

pub(super) const ENTRY: StrainEntry = StrainEntry {
    entry: Entry {
        name: NAME,
        summary: "rubber by two moduli, of the first and the second invariant",
        params: &[C10, C01],
        build: MooneyRivlin::build,
    },
    formula: "φ = c10 (|F|² − 3) + c01 (|F⁻¹|² − 3)",
    range: "rubber, up to about twice its length",
    reference: Reference {
        source: "M. Mooney, J. Appl. Phys. 11 (1940) 582; Contento et al., TASK Quarterly 13 (2009) 155-181, Eqs 11, 12, 15",
        checked: "the stress is the derivative of the energy; the frequencies of a ringing cylinder; trajectories of an independent program",
    },
};
