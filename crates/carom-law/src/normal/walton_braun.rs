//! Walton and Braun: two springs, a soft one that loads and a stiff one that unloads.
//!
//! Loading: F = K₁ δ. Unloading from δ_max, and loading again: F = K₂ (δ − δ_p), not below zero.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force |
//! | K₁ | N/m | stiffness of the loading spring; materials give none |
//! | K₂ = K₁/c² | N/m | stiffness of the unloading spring |
//! | c | 1 | prescribed coefficient of restitution, > 0 |
//! | δ, δ_max | m | indentation, and the largest one of this contact |
//! | δ_p = δ_max (1 − c²) | m | depth of the dent |
//!
//! The unloading spring gives back K₁/K₂ of the work: a free impact rebounds with exactly c = √(K₁/K₂), whatever its speed.
//!
//! Source: O. R. Walton, R. L. Braun, Viscosity, granular-temperature, and stress calculations for shearing assemblies of inelastic, frictional disks, *J. Rheol.* 30 (1986) 949–980.
//! Valid: 0 < c ≤ 1; a model of granular materials, of which the restitution is known and the time of an impact does not matter.
//! Exit: F = 0 at δ_p, from where on it is held at zero until δ = 0; a contact that ends forgets.
//! From general knowledge, formula not compared with the original; the restitution and the duration in closed form.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError};

use super::NormalEntry;
use super::plastic::{self, Plastic};
use super::thornton::EXIT_DENT;
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::history::{History, PhaseEnd, PhaseEnds};
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw};
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// A soft spring that loads and a stiff one that unloads (Walton and Braun 1986).
///
/// ```
/// use carom_law::normal::WaltonBraun;
/// use carom_law::{History, Indentation, Normal, Phase, Touch};
/// let law = WaltonBraun::new(1e6, 0.5)?; // K₂ = 4e6 N/m
/// let touch = Touch::point(1e6, 1.0, 0.01);
/// let at = |delta, touch: &Touch| law.force(Indentation { delta, delta_dot: 0.0 }, touch).f_n;
/// assert_eq!(at(1e-4, &touch), 100.0);
/// let after = Touch { history: History::new(Phase::Unloading, 1e-4), ..touch };
/// assert!((at(1e-4, &after) - 100.0).abs() < 1e-11 && (at(9e-5, &after) - 60.0).abs() < 1e-11 && at(7e-5, &after) == 0.0);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaltonBraun {
    k1: f64,
    c: f64,
}

const NAME: &str = "walton-braun";

const K1: Param = Param::required(
    "stiffness",
    Quantity::LinearStiffness,
    Allowed::Positive,
    "stiffness K₁ of the spring that loads; materials give none",
);
const C: Param = Param::required(
    "restitution",
    Quantity::Number,
    Allowed::Above(0.0, 1.0),
    "coefficient of restitution c = √(K₁/K₂)",
);

impl WaltonBraun {
    /// K₁ [N/m] > 0 and the coefficient of restitution 0 < c ≤ 1; refuses others.
    pub fn new(stiffness: f64, c: f64) -> Result<WaltonBraun, LawError> {
        let law = WaltonBraun { k1: stiffness, c };
        law.check().map(|()| law)
    }

    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        Ok(Arc::new(WaltonBraun { k1: needed(args, NAME, &K1)?, c: needed(args, NAME, &C)? }))
    }
}

impl Plastic for WaltonBraun {
    fn loading<S: Scalar>(&self, delta: S, touch: &Touch) -> NormalForce<S> {
        let f = S::from_f64(touch.stiffness) * delta;
        NormalForce { f_n: f, f_elastic: S::from_f64(self.c * self.c) * f }
    }

    fn recoverable(&self, delta: f64, touch: &Touch) -> f64 {
        0.5 * self.c * self.c * touch.stiffness * delta * delta
    }

    fn unloading<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        S::from_f64(touch.stiffness / (self.c * self.c)) * (delta - S::from_f64(self.dent(touch)))
    }

    fn rigidity_loading<S: Scalar>(&self, _: S, touch: &Touch) -> S {
        S::from_f64(touch.stiffness / (self.c * self.c))
    }

    fn rigidity_unloading<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        self.rigidity_loading(delta, touch)
    }

    fn stored(&self, delta: f64, touch: &Touch) -> f64 {
        0.5 * self.unloading(delta, touch) * (delta - self.dent(touch))
    }

    fn dent(&self, touch: &Touch) -> f64 {
        touch.history.deepest * (1.0 - self.c) * (1.0 + self.c)
    }

    fn yield_point(&self, _: &Touch) -> f64 {
        0.0
    }
}

impl NormalLaw for WaltonBraun {
    fn name(&self) -> &'static str {
        NAME
    }
    fn exponent(&self) -> f64 {
        1.0
    }
    fn stiffness(&self) -> Stiffness {
        Stiffness::Given(self.k1)
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        plastic::energy(self, delta, touch)
    }
    fn phase_ends(&self, touch: &Touch) -> Option<PhaseEnds> {
        Some(plastic::phase_ends(self, touch))
    }
    fn next_phase(&self, end: PhaseEnd, delta: f64, touch: &Touch) -> History {
        plastic::next_phase(self, end, delta, touch)
    }
    fn check(&self) -> Result<(), LawError> {
        check_value(NAME, &K1, self.k1)?;
        Ok(check_value(NAME, &C, self.c)?)
    }
}

impl NormalFormula for WaltonBraun {
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        plastic::force(self, c, touch)
    }
    fn rigidity<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        plastic::rigidity(self, delta, touch)
    }
}

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: NAME,
        summary: "a soft spring loads and a stiff one unloads; exactly c, at any speed",
        params: &[K1, C],
        build: WaltonBraun::build,
    },
    formula: "F = K₁ δ; unloading from δ_max: F = (K₁/c²)(δ − δ_p), δ_p = δ_max (1 − c²)",
    range: "0 < c ≤ 1, exactly c; granular materials",
    exit: EXIT_DENT,
    reference: Reference {
        source: "O. R. Walton, R. L. Braun, J. Rheol. 30 (1986) 949-980",
        checked: "from general knowledge, formula not compared with the original; restitution and duration in closed form",
    },
    eta: None,
};
