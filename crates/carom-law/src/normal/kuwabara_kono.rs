//! Kuwabara and Kono: the viscoelastic sphere; its restitution falls with speed.
//!
//! F = K (δ^{3/2} + (3/2) A √δ δ̇)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force |
//! | K | N/m^{3/2} | contact stiffness |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | A | s | dissipative constant of the material; some codes call (3/2) A by this name |
//!
//! The dashpot is D = (3/2) A K: the elastic force at the indentation δ + A δ̇, to first order.
//!
//! Source: G. Kuwabara, K. Kono, Restitution coefficient in a collision between two spheres, *Jpn. J. Appl. Phys.* 26
//! (1987) 1230–1233; N. V. Brilliantov, F. Spahn, J.-M. Hertzsch, T. Pöschel, *Phys. Rev. E* 53 (1996) 5382–5392.
//! Valid: A δ̇ ≪ δ for most of the contact, impacts slow against the waves in the bodies. 1 − e goes as the fifth root
//! of the impact speed.
//! Exit: F = 0, or δ = 0 with tension before, by choice.
//! Checked against public code that has it; the impacts by our own integration.

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity};

use super::NormalEntry;
use super::dashpot::{Dashpot, DashpotLaw, EXIT, EXIT_EITHER, POINT_STIFFNESS};
use crate::entry::Reference;

/// F = K (δ^{3/2} + (3/2) A √δ δ̇) (Kuwabara and Kono 1987).
///
/// ```
/// use carom_law::normal::KuwabaraKono;
/// use carom_law::{Indentation, Normal, Touch};
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let law = KuwabaraKono::damping(1e-5)?; // A
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.5 }, &touch);
/// assert!((f.f_n - 107.5).abs() < 1e-9 && (f.f_elastic - 100.0).abs() < 1e-9);
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type KuwabaraKono = Dashpot<KuwabaraKonoConstants>;

/// What makes [`KuwabaraKono`].
#[derive(Debug)]
pub enum KuwabaraKonoConstants {}

impl DashpotLaw for KuwabaraKonoConstants {
    const NAME: &'static str = "kuwabara-kono";
    const N: f64 = 1.5;
    const P: f64 = 0.5;
    const STIFFNESS: Param = POINT_STIFFNESS;
    const DAMPING: Param = Param::required(
        "damping",
        Quantity::Time,
        Allowed::NotNegative,
        "dissipative constant A of the material, without the factor 3/2",
    );
    const PER_STIFFNESS: Option<f64> = Some(1.5);
}

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: KuwabaraKonoConstants::NAME,
        summary: "viscoelastic sphere: the restitution falls with speed",
        params: &[KuwabaraKonoConstants::DAMPING, POINT_STIFFNESS, EXIT],
        build: KuwabaraKono::build,
    },
    formula: "F = K (δ^(3/2) + (3/2) A √δ δ̇)",
    range: "A δ̇ ≪ δ for most of the contact, impacts slow against the waves in the bodies",
    exit: EXIT_EITHER,
    reference: Reference {
        source: "G. Kuwabara, K. Kono, Jpn. J. Appl. Phys. 26 (1987) 1230-1233",
        checked: "against public code that has it",
    },
    eta: None,
};
