//! What a body stores as it deforms: strain energies of homogeneous deformations.
//!
//! A law gives the energy density φ(F) of a deformation gradient F that keeps volume, and the stress S = ∂φ/∂F (Piola–Kirchhoff). How a body takes
//! changes of volume is a matter of its own ([`Volume`]): it has none (the pressure π of the constraint det F = 1 sees to that), or resists them by a bulk modulus κ,
//!
//! φ(F) → φ(F̄) + ½ κ (det F − 1)²,  F̄ = (det F)^(−1/3) F.
//!
//! Viscosity adds S_v with S_v Fᵀ = μ sym(Ḟ F⁻¹), which dissipates μ |sym(Ḟ F⁻¹)|² per volume (Contento et al. 2009, Eq 13).
//!
//! To add a law: write its file, and add its line to [`ALL`].

mod mooney_rivlin;
mod neo_hookean;

use std::fmt::Debug;
use std::sync::Arc;

use carom_base::elementary::cbrt;
use carom_base::param::Allowed;
use carom_base::{Dual, Entry, Mat3, Param, Quantity, Scalar, SpecError, inverse};

pub use mooney_rivlin::MooneyRivlin;
pub use neo_hookean::NeoHookean;

use crate::entry::{Reference, check_value};
use crate::error::LawError;

/// All strain energies, in the order listings show them.
pub static ALL: &[StrainEntry] = &[mooney_rivlin::ENTRY, neo_hookean::ENTRY];

/// A strain energy, written over [`Scalar`]. `f` keeps volume, `inv` is its inverse.
pub trait StrainLaw: Debug + Send + Sync + 'static {
    /// The word for it in scenes.
    fn name(&self) -> &'static str;
    /// φ(F) [J/m³].
    fn energy<S: Scalar>(&self, f: &Mat3<S>, inv: &Mat3<S>) -> S;
    /// S = ∂φ/∂F [Pa].
    fn stress<S: Scalar>(&self, f: &Mat3<S>, inv: &Mat3<S>) -> Mat3<S>;
    /// Whether all parameters are in range; the model asks this once, as it is built.
    fn check(&self) -> Result<(), LawError>;
}

/// The object-safe face of [`StrainLaw`].
pub trait Strain: Debug + Send + Sync {
    /// See [`StrainLaw::name`].
    fn name(&self) -> &'static str;
    /// See [`StrainLaw::energy`].
    fn energy(&self, f: &Mat3, inv: &Mat3) -> f64;
    /// See [`StrainLaw::stress`].
    fn stress(&self, f: &Mat3, inv: &Mat3) -> Mat3;
    /// See [`StrainLaw::stress`]: with derivatives by any 24 variables, the numbers an affine body has.
    fn stress_dual(&self, f: &Mat3<Dual<24>>, inv: &Mat3<Dual<24>>) -> Mat3<Dual<24>>;
    /// See [`StrainLaw::check`].
    fn check(&self) -> Result<(), LawError>;
}

impl<L: StrainLaw> Strain for L {
    fn name(&self) -> &'static str {
        StrainLaw::name(self)
    }
    fn energy(&self, f: &Mat3, inv: &Mat3) -> f64 {
        StrainLaw::energy(self, f, inv)
    }
    fn stress(&self, f: &Mat3, inv: &Mat3) -> Mat3 {
        StrainLaw::stress(self, f, inv)
    }
    fn stress_dual(&self, f: &Mat3<Dual<24>>, inv: &Mat3<Dual<24>>) -> Mat3<Dual<24>> {
        StrainLaw::stress(self, f, inv)
    }
    fn check(&self) -> Result<(), LawError> {
        StrainLaw::check(self)
    }
}

/// A number that a [`Strain`] can be asked in.
pub trait StrainScalar: Scalar {
    /// The stress of a law.
    fn stress(law: &dyn Strain, f: &Mat3<Self>, inv: &Mat3<Self>) -> Mat3<Self>;
}

impl StrainScalar for f64 {
    fn stress(law: &dyn Strain, f: &Mat3, inv: &Mat3) -> Mat3 {
        law.stress(f, inv)
    }
}

impl StrainScalar for Dual<24> {
    fn stress(law: &dyn Strain, f: &Mat3<Dual<24>>, inv: &Mat3<Dual<24>>) -> Mat3<Dual<24>> {
        law.stress_dual(f, inv)
    }
}

/// How a body takes changes of its volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Volume {
    /// it keeps it
    Kept,
    /// by its bulk modulus κ [Pa]
    Bulk(f64),
}

/// What a soft body is made of: strain energy, viscosity, and what it says to changes of volume.
///
/// ```
/// use carom_base::Mat3;
/// use carom_law::elastic::{Elastic, NeoHookean};
/// let rubber = Elastic::new(NeoHookean::new(3e4)?).bulk_modulus(2e9).viscosity(100.0); // [Pa, Pa, Pa s]
/// assert_eq!(rubber.energy(&Mat3::identity()), 0.0);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Elastic {
    law: Arc<dyn Strain>,
    volume: Volume,
    viscosity: f64,
}

/// The viscosity μ.
pub const VISCOSITY: Param = Param::default(
    "viscosity",
    Quantity::Viscosity,
    Allowed::NotNegative,
    0.0,
    "viscosity μ: stress per rate of deformation",
);
/// The bulk modulus κ.
pub const BULK_MODULUS: Param = Param::optional(
    "bulk_modulus",
    Quantity::Pressure,
    Allowed::Positive,
    "`incompressible`",
    "bulk modulus κ of a body whose volume can change",
);

impl Elastic {
    /// Without viscosity, keeping its volume.
    pub fn new(law: impl Strain + 'static) -> Elastic {
        Elastic::from_arc(Arc::new(law))
    }

    /// The same for a law that is shared.
    pub fn from_arc(law: Arc<dyn Strain>) -> Elastic {
        Elastic { law, volume: Volume::Kept, viscosity: 0.0 }
    }

    /// With viscosity μ [Pa s].
    pub fn viscosity(mut self, viscosity: f64) -> Elastic {
        self.viscosity = viscosity;
        self
    }

    /// With a volume that can change, by a bulk modulus κ [Pa].
    pub fn bulk_modulus(mut self, bulk_modulus: f64) -> Elastic {
        self.volume = Volume::Bulk(bulk_modulus);
        self
    }

    /// How it takes changes of volume.
    pub fn volume(&self) -> Volume {
        self.volume
    }

    /// Whether anything is lost to viscosity.
    pub fn is_viscous(&self) -> bool {
        self.viscosity > 0.0
    }

    /// Whether all parameters are in range.
    pub fn check(&self) -> Result<(), LawError> {
        self.law.check()?;
        check_value(self.law.name(), &VISCOSITY, self.viscosity)?;
        if let Volume::Bulk(kappa) = self.volume {
            check_value(self.law.name(), &BULK_MODULUS, kappa)?;
        }
        Ok(())
    }

    /// φ(F) [J/m³].
    pub fn energy(&self, f: &Mat3) -> f64 {
        match self.volume {
            Volume::Kept => self.law.energy(f, &inverse(f).1),
            Volume::Bulk(kappa) => {
                let (det, inv) = inverse(f);
                let s = cbrt(det);
                self.law.energy(&(f / s), &(inv * s)) + 0.5 * kappa * (det - 1.0) * (det - 1.0)
            }
        }
    }

    /// S(F, Ḟ) [Pa], the viscous part included, without the pressure of a volume that is kept. `det` and `inv` are those of F.
    pub fn stress<S: StrainScalar>(&self, f: &Mat3<S>, det: S, inv: &Mat3<S>, f_dot: &Mat3<S>) -> Mat3<S> {
        let mut stress = match self.volume {
            Volume::Kept => S::stress(self.law.as_ref(), f, inv),
            Volume::Bulk(kappa) => {
                // F̄ = s⁻¹ F, s³ = det F: S = s⁻¹ (S̄ − ⅓ (S̄·F) F^−T) + κ (det F − 1) det F F^−T
                let s = (det.ln() * S::from_f64(1.0 / 3.0)).exp();
                let one = S::from_f64(1.0) / s;
                let bar = S::stress(self.law.as_ref(), &(f * one), &(inv * s));
                let spherical = bar.dot(f) * one * S::from_f64(1.0 / 3.0);
                let bulk = S::from_f64(kappa) * (det - S::from_f64(1.0)) * det;
                bar * one + inv.transpose() * (bulk - spherical)
            }
        };
        if self.viscosity > 0.0 {
            // Eq 13: S Fᵀ = μ sym(Ḟ F⁻¹)
            let l = f_dot * inv;
            let sym = (l + l.transpose()) * S::from_f64(0.5 * self.viscosity);
            stress += sym * inv.transpose();
        }
        stress
    }

    /// What viscosity dissipates [W/m³] where F changes at Ḟ F⁻¹ = `l` [1/s].
    pub fn dissipated(&self, l: &Mat3) -> f64 {
        let sym = (l + l.transpose()) * 0.5;
        self.viscosity * sym.norm_squared()
    }
}

/// A strain energy in the registry: how to make one, and what a listing or a book page says of it.
pub struct StrainEntry {
    /// name, summary, parameters, and how to make one
    pub entry: Entry<Arc<dyn Strain>>,
    /// the energy density, in plain Unicode
    pub formula: &'static str,
    /// where it holds
    pub range: &'static str,
    /// where it comes from and how it was checked
    pub reference: Reference,
}

impl StrainEntry {
    /// The word in scenes.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }
}

/// A sum of moduli that must be greater than zero for the body to be stiff at all.
fn stiff(kind: &'static str, c: f64) -> Result<(), SpecError> {
    if c > 0.0 {
        return Ok(());
    }
    let what = "its moduli add up to zero: a body without stiffness has no shape";
    Err(SpecError::Conflict { kind, what })
}
