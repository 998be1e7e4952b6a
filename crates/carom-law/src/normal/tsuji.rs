//! Tsuji, Tanaka and Ishida: a Hertz spring and a dashpot that give the same restitution at every speed.
//!
//! F = K δ^{3/2} + D δ^{1/4} δ̇; by restitution D = √5 ξ √(mK), ξ = −ln c/√(π² + ln² c)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force |
//! | K | N/m^{3/2} | contact stiffness |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | D | N s/m^{5/4} | damping |
//! | m | kg | effective mass along the normal, latched at first touch |
//! | ξ | 1 | damping ratio |
//! | c | 1 | prescribed coefficient of restitution, > 0 |
//!
//! Why √5: with u = δ^{5/4} as the coordinate, m v dv/du = −(4/5)(K u + D v), the linear oscillator of
//! `kelvin-voigt`, so that both rebound alike.
//!
//! Source: Y. Tsuji, T. Tanaka, T. Ishida, Lagrangian numerical simulation of plug flow of cohesionless particles
//! in a horizontal pipe, *Powder Technol.* 71 (1992) 239–250; they give D by a graph, the formula is of later use.
//! Valid: 0 < c ≤ 1. A free impact that ends at δ = 0 rebounds with exactly c; one that ends at F = 0 is faster
//! (c = 0.1, 0.5, 0.9 give 0.253, 0.550, 0.902).
//! Exit: F = 0, or δ = 0 with tension before, by choice.
//! Checked against the public code of Chrono; the restitution by our own integration, and by the argument above.

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity};

use super::NormalEntry;
use super::dashpot::{
    Dashpot, DashpotLaw, DashpotRestitution, EXIT, EXIT_EITHER, POINT_STIFFNESS, damping_ratio, either_params,
};
use crate::entry::Reference;

/// F = K δ^{3/2} + D δ^{1/4} δ̇, with D given or √5 ξ(c) √(mK) (Tsuji, Tanaka and Ishida 1992).
///
/// ```
/// use carom_law::normal::Tsuji;
/// use carom_law::{Indentation, Normal, Touch};
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let law = Tsuji::damping(400.0)?;
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.5 }, &touch);
/// assert!((f.f_n - 120.0).abs() < 1e-9 && (f.f_elastic - 100.0).abs() < 1e-9);
/// assert!(Tsuji::restitution(0.0).is_err());
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type Tsuji = Dashpot<TsujiConstants>;

/// What makes [`Tsuji`].
#[derive(Debug)]
pub enum TsujiConstants {}

/// Scene key of D of a law with p = ¼.
pub(super) const POINT_DAMPING: Param = Param::optional(
    "damping",
    Quantity::PointDamping,
    Allowed::NotNegative,
    "then `restitution` must be given",
    "damping D, in place of a restitution",
);

impl DashpotLaw for TsujiConstants {
    const NAME: &'static str = "tsuji";
    const N: f64 = 1.5;
    const P: f64 = 0.25;
    const STIFFNESS: Param = POINT_STIFFNESS;
    const DAMPING: Param = POINT_DAMPING;
}

impl DashpotRestitution for TsujiConstants {
    fn ratio(c: f64) -> f64 {
        5f64.sqrt() * damping_ratio(c)
    }
}

const KEYS: [Param; 3] = either_params::<TsujiConstants>();

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: TsujiConstants::NAME,
        summary: "Hertz spring and a dashpot, the same restitution at every speed",
        params: &[KEYS[0], KEYS[1], KEYS[2], EXIT],
        build: Tsuji::build_either,
    },
    formula: "F = K δ^(3/2) + D δ^(1/4) δ̇, D = √5 ξ √(mK), ξ = −ln c/√(π²+ln²c); or D given",
    range: "0 < c ≤ 1; exactly c if it ends at δ = 0, 0.550 for 0.5 if at F = 0",
    exit: EXIT_EITHER,
    reference: Reference {
        source: "Y. Tsuji, T. Tanaka, T. Ishida, Powder Technol. 71 (1992) 239-250",
        checked: "against the public code of Chrono",
    },
    eta: None,
};
