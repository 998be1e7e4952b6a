//! Normal force laws.
//!
//! To add one: write its file, and add its line to [`ALL`]. A law of the family F = K δⁿ (1 + η δ̇/v₀) is its
//! name and η(c), see [`DampingFactor`]; one of the family F = K δⁿ + D δᵖ δ̇ its constants, see [`DashpotLaw`];
//! an elastic part for cylinders along a line the length c of δ = q ln(c/q), in [`LINES`].

mod carvalho_martins;
mod damped;
mod dashpot;
mod dmt;
mod dugdale;
mod edinburgh;
mod elastic_foundation;
mod flores;
mod foundation;
mod gharib_hurmuzlu;
mod gonthier;
mod gonthier_implicit;
mod herbert_mcwhannell;
mod hertz;
mod hu_guo;
mod hunt_crossley;
mod jankowski;
mod jkr;
mod kelvin_voigt;
mod kuwabara_kono;
mod lankarani_nikravesh;
mod lee_wang;
mod maugis_dugdale;
mod oval;
mod pant_wijeyewickrema;
mod part;
mod plastic;
mod ristow;
mod round;
mod safaeifar_farshidianfar;
mod stronge;
mod thornton;
mod tsuji;
mod walton_braun;
mod zhiying_qishao;

use std::sync::Arc;

use carom_base::{Args, Entry, SpecError};

pub use carvalho_martins::{CarvalhoMartins, CarvalhoMartinsFactor};
pub use damped::{Damped, DampingFactor};
pub use dashpot::{Dashpot, DashpotLaw, DashpotRestitution, Exit};
pub use dmt::Dmt;
pub use edinburgh::Edinburgh;
pub use elastic_foundation::ElasticFoundation;
pub use flores::{Flores, FloresFactor};
pub use foundation::Foundation;
pub use gharib_hurmuzlu::{GharibHurmuzlu, GharibHurmuzluFactor};
pub use gonthier::{Gonthier, GonthierFactor};
pub use gonthier_implicit::{GonthierImplicit, GonthierImplicitFactor};
pub use herbert_mcwhannell::{HerbertMcWhannell, HerbertMcWhannellFactor};
pub use hertz::Hertz;
pub use hu_guo::{HuGuo, HuGuoFactor};
pub use hunt_crossley::{HuntCrossley, HuntCrossleyFactor};
pub use jankowski::{Jankowski, JankowskiConstants};
pub use jkr::Jkr;
pub use kelvin_voigt::{KelvinVoigt, KelvinVoigtConstants};
pub use kuwabara_kono::{KuwabaraKono, KuwabaraKonoConstants};
pub use lankarani_nikravesh::{LankaraniNikravesh, LankaraniNikraveshFactor};
pub use lee_wang::{LeeWang, LeeWangFactor};
pub use maugis_dugdale::MaugisDugdale;
pub use pant_wijeyewickrema::PantWijeyewickrema;
pub use ristow::{Ristow, RistowConstants};
pub use safaeifar_farshidianfar::{SafaeifarFarshidianfar, SafaeifarFarshidianfarFactor};
pub use stronge::Stronge;
pub use thornton::Thornton;
pub use tsuji::{Tsuji, TsujiConstants};
pub use walton_braun::WaltonBraun;
pub use zhiying_qishao::{ZhiyingQishao, ZhiyingQishaoFactor};

pub use crate::line::{LINES, Line, LineEntry, logarithm};
pub use crate::touch::LineTouch;

use crate::Normal;
use crate::entry::Reference;

/// All normal laws, in the order listings show them: elastic, by year, with a dashpot, foundation, plastic, adhesive.
pub static ALL: &[NormalEntry] = &[
    hertz::ENTRY,
    hunt_crossley::ENTRY,
    herbert_mcwhannell::ENTRY,
    lee_wang::ENTRY,
    lankarani_nikravesh::ENTRY,
    gonthier::ENTRY,
    gonthier_implicit::ENTRY,
    zhiying_qishao::ENTRY,
    flores::ENTRY,
    gharib_hurmuzlu::ENTRY,
    hu_guo::ENTRY,
    carvalho_martins::ENTRY,
    safaeifar_farshidianfar::ENTRY,
    kelvin_voigt::ENTRY,
    tsuji::ENTRY,
    jankowski::ENTRY,
    pant_wijeyewickrema::ENTRY,
    kuwabara_kono::ENTRY,
    ristow::ENTRY,
    elastic_foundation::ENTRY,
    foundation::ENTRY,
    walton_braun::ENTRY,
    thornton::ENTRY,
    stronge::ENTRY,
    edinburgh::ENTRY,
    dmt::ENTRY,
    maugis_dugdale::ENTRY,
    jkr::ENTRY,
];

/// A normal law in the registry: how to make one, and what a listing or a book page says of it.
pub struct NormalEntry {
    /// name, summary, parameters, and how to make one
    pub entry: Entry<Arc<dyn Normal>>,
    /// the force, in plain Unicode
    pub formula: &'static str,
    /// where it holds
    pub range: &'static str,
    /// when the surfaces part, and what the force is there
    pub exit: &'static str,
    /// where it comes from and how it was checked
    pub reference: Reference,
    /// η(c) of the family F = K δⁿ (1 + η δ̇/v₀); `None` for a law outside it
    pub eta: Option<fn(f64) -> f64>,
}

impl NormalEntry {
    /// The word in scenes.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Whether it is a law of pressure, for contacts that are integrals over their patch; every other law gives the force of a contact point.
    pub fn is_pressure(&self) -> bool {
        self.entry.name == foundation::NAME
    }

    /// Checks the values and makes the law.
    ///
    /// ```
    /// use carom_base::{Args, Value};
    /// let entry = carom_law::normal::find("flores").unwrap();
    /// let law = entry.make(&Args::new().with("restitution", Value::Number(0.7)))?;
    /// assert_eq!((law.name(), law.exponent()), ("flores", 1.5));
    /// # Ok::<(), carom_base::SpecError>(())
    /// ```
    pub fn make(&self, args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        self.entry.make(args)
    }
}

/// The law of that name.
pub fn find(name: &str) -> Option<&'static NormalEntry> {
    ALL.iter().find(|e| e.name() == name)
}

/// Force and indentation reach zero together: how every law of the family ends a contact.
const EXIT_TOGETHER: &str = "δ = 0, where the force is zero as well; it never pulls";
