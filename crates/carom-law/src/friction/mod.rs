//! Friction laws.
//!
//! To add one: write its file, and add its line to [`ALL`]. Most laws here are functions of load and slip: they act along −v̂ and
//! dissipate, F·v ≤ 0. Those at the end of the list remember ([`Memory`](crate::Memory)): what slip gives them they store or dissipate.

mod ambrosio;
mod andersson;
mod bengisu_akay;
mod bristle;
mod brown_mcphee;
pub(crate) mod compliant;
mod coulomb;
mod cundall_strack;
mod dahl;
mod elasto_plastic;
pub(crate) mod element;
mod gonthier;
mod hollars;
mod lugre;
mod maw_barber_fawcett;
mod mindlin;
mod mindlin_deresiewicz;
mod mindlin_rescale;
mod reset_integrator;
mod rooney_deravi;
pub(crate) mod slip;
mod stribeck;
mod tanh;
mod threlfall;

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, SpecError};

pub use ambrosio::Ambrosio;
pub use andersson::Andersson;
pub use bengisu_akay::BengisuAkay;
pub use brown_mcphee::BrownMcPhee;
pub use coulomb::Coulomb;
pub use cundall_strack::CundallStrack;
pub use dahl::Dahl;
pub use elasto_plastic::ElastoPlastic;
pub use gonthier::GonthierBristle;
pub use hollars::Hollars;
pub use lugre::LuGre;
pub use maw_barber_fawcett::MawBarberFawcett;
pub use mindlin::Mindlin;
pub use mindlin_deresiewicz::MindlinDeresiewicz;
pub use reset_integrator::ResetIntegrator;
pub use rooney_deravi::RooneyDeravi;
pub use tanh::Tanh;
pub use threlfall::Threlfall;

use crate::Friction;
use crate::entry::Reference;

/// All friction laws, in the order listings show them: kinetic friction only, then static and kinetic,
/// then those with memory, of bristles and of the contact's own stiffness.
pub static ALL: &[FrictionEntry] = &[
    coulomb::ENTRY,
    tanh::ENTRY,
    rooney_deravi::ENTRY,
    threlfall::ENTRY,
    ambrosio::ENTRY,
    bengisu_akay::ENTRY,
    andersson::ENTRY,
    brown_mcphee::ENTRY,
    hollars::ENTRY,
    dahl::ENTRY,
    lugre::ENTRY,
    elasto_plastic::ENTRY,
    gonthier::ENTRY,
    reset_integrator::ENTRY,
    cundall_strack::ENTRY,
    mindlin::ENTRY,
    mindlin_rescale::ENTRY,
    mindlin_deresiewicz::ENTRY,
    maw_barber_fawcett::ENTRY,
];

/// A friction law in the registry: how to make one, and what a listing or a book page says of it.
pub struct FrictionEntry {
    /// name, summary, parameters, and how to make one
    pub entry: Entry<Arc<dyn Friction>>,
    /// the force, in plain Unicode
    pub formula: &'static str,
    /// where it holds
    pub range: &'static str,
    /// what it does at zero slip
    pub at_rest: &'static str,
    /// whether the force is continuous through zero slip, as an integrator wants it
    pub continuous: bool,
    /// the largest |F| in an oblique impact, over μsN, or μN of a law without μs: 1 where a law keeps within this cone as the load falls, more where
    /// what it remembers lags. The impact is an elastic one by Hertz's force, 1 m/s along the normal and 0.3 m/s along the surface, of a mass point with μ = 0.2, μs = 0.3, bristles as
    /// stiff as the contact is on the mean (F/δ at its deepest), looked at while the load is a tenth of its peak or more. Towards the end of the contact the ratio is
    /// larger still. To find the number of a new law, write 2 and run the test `a_falling_load_leaves_the_cone_only_where_it_is_said` (`tests/bristles.rs`): it measures, and says what it
    /// found. A law without memory has 1
    pub beyond_cone: f64,
    /// where it comes from and how it was checked
    pub reference: Reference,
}

impl FrictionEntry {
    /// The word in scenes.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Checks the values and makes the law.
    ///
    /// ```
    /// use carom_base::{Args, Value};
    /// let entry = carom_law::friction::find("tanh").unwrap();
    /// let args = Args::new().with("coefficient", Value::Number(0.2)).with("slope", Value::Number(1000.0));
    /// assert_eq!(entry.make(&args)?.name(), "tanh");
    /// # Ok::<(), carom_base::SpecError>(())
    /// ```
    pub fn make(&self, args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        self.entry.make(args)
    }
}

/// The law of that name.
pub fn find(name: &str) -> Option<&'static FrictionEntry> {
    ALL.iter().find(|e| e.name() == name)
}

/// Scene key of μ.
pub(crate) const COEFFICIENT: Param = Param::required(
    "coefficient",
    Quantity::Number,
    Allowed::NotNegative,
    "coefficient of kinetic friction μ",
);
