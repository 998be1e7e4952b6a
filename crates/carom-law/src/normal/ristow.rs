//! Ristow: a Hertz spring beside a linear dashpot.
//!
//! F = K δ^{3/2} + γ δ̇
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force |
//! | K | N/m^{3/2} | contact stiffness |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | γ | N s/m | damping |
//!
//! Source: G. H. Ristow, Simulating granular flow with molecular dynamics, *J. Phys. I France* 2 (1992) 649–662.
//! Valid: for comparison with results that used it. The force jumps to γ v₀ at touch, and the restitution rises with
//! speed, against what is measured.
//! Exit: F = 0, or δ = 0 with tension before, by choice.
//! From general knowledge, formula not compared with the original; the impacts by our own integration.

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity};

use super::NormalEntry;
use super::dashpot::{Dashpot, DashpotLaw, EXIT, EXIT_EITHER, POINT_STIFFNESS};
use crate::entry::Reference;

/// F = K δ^{3/2} + γ δ̇ (Ristow 1992).
///
/// ```
/// use carom_law::normal::Ristow;
/// use carom_law::{Indentation, Normal, Touch};
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let law = Ristow::damping(60.0)?;
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.5 }, &touch);
/// assert!((f.f_n - 130.0).abs() < 1e-9 && (f.f_elastic - 100.0).abs() < 1e-9);
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type Ristow = Dashpot<RistowConstants>;

/// What makes [`Ristow`].
#[derive(Debug)]
pub enum RistowConstants {}

impl DashpotLaw for RistowConstants {
    const NAME: &'static str = "ristow";
    const N: f64 = 1.5;
    const P: f64 = 0.0;
    const STIFFNESS: Param = POINT_STIFFNESS;
    const DAMPING: Param =
        Param::required("damping", Quantity::LinearDamping, Allowed::NotNegative, "damping γ");
}

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: RistowConstants::NAME,
        summary: "Hertz spring and linear dashpot",
        params: &[RistowConstants::DAMPING, POINT_STIFFNESS, EXIT],
        build: Ristow::build,
    },
    formula: "F = K δ^(3/2) + γ δ̇",
    range: "for comparison only: the force jumps at touch, and the restitution rises with speed",
    exit: EXIT_EITHER,
    reference: Reference {
        source: "G. H. Ristow, J. Phys. I France 2 (1992) 649-662",
        checked: "from general knowledge, formula not compared with the original",
    },
    eta: None,
};
