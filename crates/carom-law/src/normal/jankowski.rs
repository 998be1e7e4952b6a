//! Jankowski: a Hertz spring, and a dashpot in compression only.
//!
//! F = K δ^{3/2} + D δ^{1/4} δ̇ while δ̇ > 0, K δ^{3/2} after; by restitution D = 2ξ √(mK),
//! ξ = (9√5/2)(1 − c²)/(c (c (9π − 16) + 16))
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, never below zero |
//! | K | N/m^{3/2} | contact stiffness |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | D | N s/m^{5/4} | damping |
//! | m | kg | effective mass along the normal, latched at first touch |
//! | ξ | 1 | damping ratio; above 1 for low c |
//! | c | 1 | prescribed coefficient of restitution, > 0 |
//!
//! Source: R. Jankowski, Non-linear viscoelastic modelling of earthquake-induced structural pounding, *Earthq. Eng.
//! Struct. Dyn.* 34 (2005) 595–611; ξ(c) in 35 (2006) 517–524.
//! Valid: 0 < c ≤ 1 (c = 0.1, 0.5, 0.9 give 0.093, 0.495, 0.8997). The force has a corner where δ̇ = 0.
//! Exit: δ = 0, where the force is zero as well.
//! From general knowledge, formula not compared with the original; the restitution it gives by our own integration.

use carom_base::{Entry, Param};

use super::dashpot::{Dashpot, DashpotLaw, DashpotRestitution, POINT_STIFFNESS, either_params};
use super::tsuji::POINT_DAMPING;
use super::{EXIT_TOGETHER, NormalEntry};
use crate::entry::Reference;

/// F = K δ^{3/2} + D δ^{1/4} max(δ̇, 0), with D given or 2ξ(c) √(mK) (Jankowski 2005).
///
/// ```
/// use carom_law::normal::Jankowski;
/// use carom_law::{Indentation, Normal, Touch};
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let law = Jankowski::damping(400.0)?;
/// let f = |delta_dot| law.force(Indentation { delta: 1e-4, delta_dot }, &touch).f_n;
/// assert!((f(0.5) - 120.0).abs() < 1e-9 && (f(-0.5) - 100.0).abs() < 1e-9);
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type Jankowski = Dashpot<JankowskiConstants>;

/// What makes [`Jankowski`].
#[derive(Debug)]
pub enum JankowskiConstants {}

impl DashpotLaw for JankowskiConstants {
    const NAME: &'static str = "jankowski";
    const N: f64 = 1.5;
    const P: f64 = 0.25;
    const COMPRESSION_ONLY: bool = true;
    const STIFFNESS: Param = POINT_STIFFNESS;
    const DAMPING: Param = POINT_DAMPING;
}

impl DashpotRestitution for JankowskiConstants {
    fn ratio(c: f64) -> f64 {
        let xi = 4.5 * 5f64.sqrt() * (1.0 - c * c) / (c * (c * (9.0 * std::f64::consts::PI - 16.0) + 16.0));
        2.0 * xi
    }
}

const KEYS: [Param; 3] = either_params::<JankowskiConstants>();

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: JankowskiConstants::NAME,
        summary: "Hertz spring, and a dashpot in compression only",
        params: &KEYS,
        build: Jankowski::build_either,
    },
    formula: "F = K δ^(3/2) + D δ^(1/4) max(δ̇, 0), D = 9√5 (1−c²)/(c(c(9π−16)+16)) √(mK); or D given",
    range: "0 < c ≤ 1 (c = 0.5 rebounds with 0.495); a corner at the deepest point",
    exit: EXIT_TOGETHER,
    reference: Reference {
        source: "R. Jankowski, Earthq. Eng. Struct. Dyn. 34 (2005) 595-611 and 35 (2006) 517-524",
        checked: "from general knowledge, formula not compared with the original",
    },
    eta: None,
};
