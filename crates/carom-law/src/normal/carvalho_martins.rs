//! Carvalho and Martins: an explicit factor close to the exact one.
//!
//! F = K δⁿ (1 + η δ̇/v₀), η = (3/2)(1 − c)(11 − c)/(1 + 9c); or, with a constant χ̄, F = K δⁿ (1 + χ̄ δ̇)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, never below zero |
//! | K | N/mⁿ | contact stiffness |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | n | 1 | exponent; 3/2 for a point contact |
//! | v₀ | m/s | impact speed: δ̇ at first touch |
//! | c | 1 | prescribed coefficient of restitution |
//!
//! Source: A. S. Carvalho, J. M. Martins, Exact restitution and generalizations for the Hunt–Crossley contact model,
//! *Mech. Mach. Theory* 139 (2019) 174–194.
//! Valid: c ≳ 0.3. For c ≥ 0.5 it differs from the exact factor (`gonthier-implicit`) by less than 0.1 %; it stays finite at c = 0, and so
//! rebounds too fast for low c (c = 0.9 gives 0.9000, c = 0.5 gives 0.5002, c = 0.3 gives 0.3040, c = 0.1 gives 0.1289).
//! Exit: δ = 0, where the force is zero as well.
//! From general knowledge, formula not compared with the original; that it meets the exact relation between η and c as closely as said
//! above leaves little room for another reading. The restitution it gives by our own integration.

use carom_base::param::Allowed;

use super::damped::About;
use super::{Damped, DampingFactor, NormalEntry};
use crate::entry::Reference;

/// F = K δⁿ (1 + η δ̇/v₀) with η = 3(1 − c)(11 − c)/(2(1 + 9c)) (Carvalho and Martins 2019).
///
/// ```
/// use carom_law::normal::CarvalhoMartins;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = CarvalhoMartins::restitution(1.0)?; // η = 0
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let f = law.force(Indentation { delta: 1e-4, delta_dot: 0.5 }, &touch);
/// assert!((f.f_n - 100.0).abs() < 1e-9 && f.f_n == f.f_elastic);
/// let e = carom_law::impact::effective_restitution(CarvalhoMartins::restitution(0.5)?.eta().unwrap());
/// assert!((e - 0.5002).abs() < 1e-4);
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub type CarvalhoMartins = Damped<CarvalhoMartinsFactor>;

/// η(c) of [`CarvalhoMartins`].
#[derive(Debug)]
pub enum CarvalhoMartinsFactor {}

impl DampingFactor for CarvalhoMartinsFactor {
    const NAME: &'static str = "carvalho-martins";
    const RESTITUTION: Allowed = Allowed::Between(0.0, 1.0);
    fn eta(c: f64) -> f64 {
        1.5 * (1.0 - c) * (11.0 - c) / (1.0 + 9.0 * c)
    }
}

pub(super) const ENTRY: NormalEntry = CarvalhoMartins::entry(About {
    summary: "damping for medium and high restitution, nearly exact and explicit",
    formula: "F = K δⁿ (1 + η δ̇/v₀), η = 3(1−c)(11−c)/(2(1+9c)); or F = K δⁿ (1 + χ̄ δ̇)",
    range: "c ≳ 0.3 (c = 0.5 rebounds with 0.5002, c = 0.3 with 0.304, c = 0.1 with 0.129)",
    reference: Reference {
        source: "A. S. Carvalho, J. M. Martins, Mech. Mach. Theory 139 (2019) 174-194",
        checked: "from general knowledge, formula not compared with the original; it meets the exact relation",
    },
});
