//! Resistance to rolling and to spinning: couples at a contact point.
//!
//! Bodies that touch turn against each other at ω = ω_a − ω_b. Its part across the normal is rolling, its part along the normal
//! spinning:
//!
//! ω_t = ω − (ω·n) n, ω_n n = (ω·n) n
//!
//! A law makes a couple of one of them, along its negative: M on A, −M on B. It dissipates −M·ω. A law with memory has a [`spring`](ResistanceLaw::spring), which stores some of it. Forces know nothing of it; under
//! rolling resistance alone a ball on ice stops turning and slides on.
//!
//! To add a law: write its file, and add its line to [`ROLLING`], [`SPINNING`] or both: to a law the two are the same, a rate to oppose.

mod contour;
mod contour_viscous;
mod elastic_plastic;
mod hertz_patch;
mod iwashita_oda;
mod jiang;
mod spring;
mod tanh;
mod torsion;
mod viscous;

use std::fmt::Debug;
use std::sync::Arc;

use carom_base::{Args, Dual, Entry, Scalar, SpecError, Vec3};

pub use contour::Contour;
pub use contour_viscous::ContourViscous;
pub use elastic_plastic::ElasticPlastic;
pub use hertz_patch::HertzPatch;
pub use iwashita_oda::IwashitaOda;
pub use jiang::Jiang;
pub use tanh::TanhCouple;
pub use torsion::Torsion;
pub use viscous::ViscousCouple;

use crate::entry::Reference;
use crate::error::LawError;
use crate::hertz::PointContact;
use crate::law::Friction;
use crate::material::MaterialPair;

/// All laws of rolling resistance, in the order listings show them.
pub static ROLLING: &[ResistanceEntry] = &[
    tanh::ENTRY,
    viscous::ENTRY,
    contour::ENTRY,
    contour_viscous::ENTRY,
    elastic_plastic::ENTRY,
    jiang::ENTRY,
    iwashita_oda::ENTRY,
];

/// All laws of spinning resistance, in the order listings show them.
pub static SPINNING: &[ResistanceEntry] = &[tanh::ENTRY, hertz_patch::ENTRY, viscous::ENTRY, torsion::ENTRY];

/// How hard, and over what patch, surfaces are pressed together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressed<S: Scalar = f64> {
    /// normal force \[N\], ≥ 0
    pub f_n: S,
    /// radius of the patch \[m\]; zero where the law does not ask for it
    pub a: S,
}

/// Where the radius of the patch comes from: a = √(R δ), as Hertz has it for surfaces of one relative curvature 1/R.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Patch {
    /// the law does not ask for it
    Unneeded,
    /// from this R \[m\]
    Radius(f64),
    /// from the relative curvatures at touch: R = 1/√(k_min k_max)
    Curvature,
    /// from the relative curvatures at touch, of the lever that friction over the ellipse has as it spins ([`PointContact::spin_radius`])
    Lever,
}

impl Patch {
    /// R \[m\] of a contact with these relative curvatures [1/m]; zero if unneeded.
    ///
    /// ```
    /// use carom_law::Patch;
    /// assert_eq!(Patch::Curvature.radius(50.0, 50.0)?, 0.02);
    /// assert!(Patch::Curvature.radius(0.0, 50.0).is_err()); // a line
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn radius(&self, k_min: f64, k_max: f64) -> Result<f64, LawError> {
        match *self {
            Patch::Unneeded => Ok(0.0),
            Patch::Radius(r) => Ok(r),
            Patch::Curvature if k_min > 0.0 && k_max > 0.0 => Ok(1.0 / (k_min * k_max).sqrt()),
            Patch::Lever if k_min > 0.0 && k_max > 0.0 => {
                Ok(PointContact::new(1.0, k_min, k_max)?.spin_radius())
            }
            Patch::Curvature | Patch::Lever => Err(LawError::NoRadius { k_min, k_max }),
        }
    }

    /// Whether it takes the relative curvatures.
    pub fn asks_curvature(&self) -> bool {
        matches!(self, Patch::Curvature | Patch::Lever)
    }
}

/// The properties of a law of rolling or spinning resistance, apart from its couple ([`ResistanceFormula`]).
pub trait ResistanceLaw: Debug + Send + Sync {
    /// The word for it in scenes.
    fn name(&self) -> &'static str;
    /// Where the radius of the patch comes from, if the law asks for it.
    fn patch(&self) -> Patch {
        Patch::Unneeded
    }
    /// Whether it acts on the path of the contact point in place of the rate of turning: [`couple`](ResistanceFormula::couple) is then given the velocity [m/s] at which rolling moves the point over the
    /// surfaces, and returns the force along it \[N\]; the couple is the one that does the same work.
    fn acts_on_path(&self) -> bool {
        false
    }
    /// Its spring and slider, of a law with memory: a friction law whose slip is the rate that it opposes [rad/s], whose force is the couple [N m], and whose deflections are angles \[rad\].
    /// `None` (the default): the couple is a function of load and rate.
    fn spring(&self) -> Option<&dyn Friction> {
        None
    }
    /// The stiffness of its spring that the materials give, as a part of what the law takes it of; asked for where
    /// the spring has no [`stiffness_ratio`](crate::FrictionLaw::stiffness_ratio) of its own.
    fn stiffness_ratio_of(&self, materials: &MaterialPair<'_>) -> Result<f64, LawError> {
        materials.stiffness_ratio()
    }
    /// How stiff its spring is in this ellipse of contact, as a part of how stiff it would be in a circle of the same radius of the patch, if its stiffness is that of the materials; `poisson` is what
    /// they give ([`MaterialPair::mean_poisson`]). 1 (the default): as stiff.
    fn in_ellipse(&self, ellipse: &PointContact, poisson: f64) -> f64 {
        let _ = (ellipse, poisson);
        1.0
    }
    /// Whether all parameters are in range; the model asks this once, as it is built.
    fn check(&self) -> Result<(), LawError>;
}

/// The formula of a law of resistance, written once over [`Scalar`]: [`Resistance`] follows from it, as
/// [`Friction`] does from [`FrictionFormula`](crate::FrictionFormula), where there is an example.
pub trait ResistanceFormula: ResistanceLaw {
    /// The couple on A [N m], given the rate w [rad/s] it opposes: M·w ≤ 0.
    fn couple<S: Scalar>(&self, c: &Pressed<S>, w: &Vec3<S>) -> Vec3<S>;
}

/// A law of resistance as the dynamics holds it: object-safe, and there for every [`ResistanceFormula`].
pub trait Resistance: ResistanceLaw {
    /// See [`ResistanceFormula::couple`].
    fn couple(&self, c: &Pressed, w: &Vec3) -> Vec3;
    /// See [`ResistanceFormula::couple`]: with the derivatives by (f_n, a, w), or by any five variables.
    fn couple_dual(&self, c: &Pressed<Dual<5>>, w: &Vec3<Dual<5>>) -> Vec3<Dual<5>>;
}

impl<L: ResistanceFormula> Resistance for L {
    fn couple(&self, c: &Pressed, w: &Vec3) -> Vec3 {
        ResistanceFormula::couple(self, c, w)
    }
    fn couple_dual(&self, c: &Pressed<Dual<5>>, w: &Vec3<Dual<5>>) -> Vec3<Dual<5>> {
        ResistanceFormula::couple(self, c, w)
    }
}

/// A law of resistance in the registries: how to make one, and what a listing or a book page says of it.
pub struct ResistanceEntry {
    /// name, summary, parameters, and how to make one
    pub entry: Entry<Arc<dyn Resistance>>,
    /// the couple, in plain Unicode
    pub formula: &'static str,
    /// where it holds
    pub range: &'static str,
    /// what it does at rest
    pub at_rest: &'static str,
    /// where it comes from and how it was checked
    pub reference: Reference,
}

impl ResistanceEntry {
    /// The word in scenes.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Checks the values and makes the law.
    ///
    /// ```
    /// use carom_base::{Args, Value};
    /// let entry = carom_law::resistance::find_rolling("viscous").unwrap();
    /// let law = entry.make(&Args::new().with("damping", Value::Number(1e-5)))?;
    /// assert_eq!(law.name(), "viscous");
    /// # Ok::<(), carom_base::SpecError>(())
    /// ```
    pub fn make(&self, args: &Args) -> Result<Arc<dyn Resistance>, SpecError> {
        self.entry.make(args)
    }
}

/// The law of rolling resistance of that name.
pub fn find_rolling(name: &str) -> Option<&'static ResistanceEntry> {
    ROLLING.iter().find(|e| e.name() == name)
}

/// The law of spinning resistance of that name.
pub fn find_spinning(name: &str) -> Option<&'static ResistanceEntry> {
    SPINNING.iter().find(|e| e.name() == name)
}
