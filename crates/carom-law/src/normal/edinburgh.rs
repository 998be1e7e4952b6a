//! The Edinburgh elasto-plastic adhesive model: loading, stiffer unloading, and a hold as the surfaces part.
//!
//! Loading: F = −f₀ + K₁ δⁿ. Unloading from δ_max, and loading again: F = −f₀ + K₂ (δⁿ − δ_pⁿ), until that reaches F = −f₀ − K_a δⁿ, which holds the surfaces as they part.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, below zero where it holds |
//! | f₀ | N | constant pull-off force |
//! | K₁ | N/mⁿ | stiffness of loading: given, or Hertz's K for n = 3/2 |
//! | K₂ = K₁/(1 − λ) | N/mⁿ | stiffness of unloading |
//! | λ | 1 | contact plasticity, 0 to 0.99; 0: elastic |
//! | K_a | N/mⁿ | stiffness of the adhesive branch |
//! | n | 1 | exponent of all branches |
//! | δ, δ_max | m | indentation, and the largest one of this contact |
//! | δ_p = λ^{1/n} δ_max | m | plastic indentation, where the force of the unloading branch is −f₀ |
//!
//! On the adhesive branch the dent recovers: surfaces that approach again from an indentation δ on it do so on the unloading branch through that point, δ_pⁿ = δⁿ (1 + K_a/K₂).
//!
//! The contact stores what the unloading branch has stored, K₂ ∫ (sⁿ − δ_pⁿ) ds from δ_p to δ, and −f₀ δ; on loading, what it would give back if it unloaded; on the adhesive branch, what is left in the unloading branch through that point. All
//! else is lost.
//!
//! Source: S. C. Thakur, J. P. Morrissey, J. Sun, J. F. Chen, J. Y. Ooi, Micromechanical analysis of cohesive granular materials using the discrete element method with an adhesive elasto-plastic contact model,
//! *Granul. Matter* 16 (2014) 383–400, with f₀ and K_a given; the recovery on the adhesive branch is that of S. Luding, *Granul. Matter* 10 (2008) 235–246.
//! Valid: cohesive powders and soils.
//! Exit: δ = 0, where f₀ is let go; a contact that ends forgets.
//! From general knowledge, formula not compared with the original; without adhesion and n = 1 it is `walton-braun` with c² = 1 − λ.

use std::sync::Arc;

use carom_base::elementary::pow;
use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError};

use super::NormalEntry;
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::history::{History, Phase, PhaseEnd, PhaseEnds};
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw};
use crate::power::{self, EXPONENT, PowerLaw, STIFFNESS, check_power};
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// Loading, stiffer unloading, and a hold as the surfaces part (Thakur and others 2014).
///
/// ```
/// use carom_law::normal::Edinburgh;
/// use carom_law::{History, Indentation, Normal, Phase, Touch};
/// let law = Edinburgh::plasticity(0.75)?.exponent(1.0).stiffness(1e6).adhesion_stiffness(2e6);
/// let touch = Touch::point(1e6, 1.0, 0.01);
/// let at = |phase, delta| {
///     let touch = Touch { history: History::new(phase, 1e-4), ..touch };
///     law.force(Indentation { delta, delta_dot: 0.0 }, &touch).f_n
/// };
/// assert!((at(Phase::Loading, 1e-4) - 100.0).abs() < 1e-10);
/// assert!((at(Phase::Unloading, 9e-5) - 60.0).abs() < 1e-10);
/// assert!((at(Phase::Unloading, 5e-5) + 100.0).abs() < 1e-10 && (at(Phase::Parting, 5e-5) + 100.0).abs() < 1e-10);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edinburgh {
    power: PowerLaw,
    plasticity: f64,
    adhesion: f64,
    pull_off: f64,
}

const NAME: &str = "edinburgh";

const PLASTICITY: Param = Param::required(
    "plasticity",
    Quantity::Number,
    Allowed::Between(0.0, 0.99),
    "contact plasticity λ = 1 − K₁/K₂; 0 is elastic",
);
const ADHESION: Param = Param::default(
    "adhesion_stiffness",
    Quantity::Stiffness,
    Allowed::NotNegative,
    0.0,
    "stiffness K_a of the adhesive branch",
);
const PULL_OFF: Param =
    Param::default("pull_off", Quantity::Force, Allowed::NotNegative, 0.0, "constant pull-off force f₀");

impl Edinburgh {
    /// λ from 0 to 0.99, refuses another; Hertz's stiffness, no adhesion.
    pub fn plasticity(lambda: f64) -> Result<Edinburgh, LawError> {
        check_value(NAME, &PLASTICITY, lambda)?;
        Ok(Edinburgh { power: PowerLaw::HERTZ, plasticity: lambda, adhesion: 0.0, pull_off: 0.0 })
    }

    /// With a given stiffness K₁ [N/mⁿ] > 0; [`NormalLaw::check`] refuses another.
    pub const fn stiffness(mut self, k: f64) -> Edinburgh {
        self.power.stiffness = Some(k);
        self
    }

    /// With another exponent n, 1 to 10; [`NormalLaw::check`] refuses another, and one without a stiffness.
    pub const fn exponent(mut self, n: f64) -> Edinburgh {
        self.power.exponent = n;
        self
    }

    /// With the stiffness K_a [N/mⁿ] ≥ 0 of the adhesive branch; [`NormalLaw::check`] refuses another.
    pub const fn adhesion_stiffness(mut self, k: f64) -> Edinburgh {
        self.adhesion = k;
        self
    }

    /// With a constant pull-off force f₀ \[N\] ≥ 0; [`NormalLaw::check`] refuses another.
    pub const fn pull_off(mut self, f: f64) -> Edinburgh {
        self.pull_off = f;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let or_zero = |p: &Param| args.number(p.name).unwrap_or(0.0);
        let law = Edinburgh {
            power: PowerLaw::from_args(args),
            plasticity: needed(args, NAME, &PLASTICITY)?,
            adhesion: or_zero(&ADHESION),
            pull_off: or_zero(&PULL_OFF),
        };
        check_power(NAME, law.power.stiffness, law.power.exponent)?;
        Ok(Arc::new(law))
    }

    /// K₂ [N/mⁿ].
    fn k2(&self, touch: &Touch) -> f64 {
        touch.stiffness / (1.0 - self.plasticity)
    }

    /// λ^{1/n}.
    fn shrink(&self) -> f64 {
        pow(self.plasticity, 1.0 / self.power.exponent)
    }

    /// (1 + K_a/K₂)^{1/n}: δ_p over δ on the adhesive branch.
    fn recovered(&self, touch: &Touch) -> f64 {
        pow(1.0 + self.adhesion / self.k2(touch), 1.0 / self.power.exponent)
    }

    /// What the unloading branch with δ_p = `rest` has stored at δ = 1, over K₂: ∫ (sⁿ − rest^n) ds from `rest` to 1.
    fn kept(&self, rest: f64) -> f64 {
        let n = self.power.exponent;
        let p = pow(rest, n);
        (1.0 - p * rest) / (n + 1.0) - p * (1.0 - rest)
    }

    /// The coefficients A of F = −f₀ + A δⁿ and B of dE/dδ = −f₀ + B δⁿ [N/mⁿ], where the branch is a power of δ.
    fn powers(&self, touch: &Touch) -> (f64, f64) {
        let (k2, n1) = (self.k2(touch), self.power.exponent + 1.0);
        match touch.history.phase {
            Phase::Parting => (-self.adhesion, n1 * k2 * self.kept(self.recovered(touch))),
            _ if self.plasticity == 0.0 => (touch.stiffness, touch.stiffness),
            _ => (touch.stiffness, n1 * k2 * self.kept(self.shrink())),
        }
    }
}

impl NormalLaw for Edinburgh {
    fn name(&self) -> &'static str {
        NAME
    }
    fn exponent(&self) -> f64 {
        self.power.exponent
    }
    fn stiffness(&self) -> Stiffness {
        self.power.source()
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        if delta <= 0.0 {
            return 0.0;
        }
        let n1 = self.power.exponent + 1.0;
        let stored = match touch.history.phase {
            Phase::Unloading => {
                let rest = self.shrink() * touch.history.deepest / delta;
                self.k2(touch) * self.kept(rest)
            }
            _ => self.powers(touch).1 / n1,
        };
        stored * pow(delta, n1) - self.pull_off * delta
    }
    fn pull_off(&self, _: &Touch) -> f64 {
        self.pull_off
    }
    fn holds_loosely(&self) -> bool {
        self.adhesion > 0.0
    }
    fn phase_ends(&self, touch: &Touch) -> Option<PhaseEnds> {
        let (never, deepest) = (PhaseEnds::NEVER, touch.history.deepest);
        Some(match touch.history.phase {
            _ if self.plasticity == 0.0 => never,
            Phase::Loading | Phase::Yielding => PhaseEnds { rate: 1.0, ..never },
            Phase::Parting => PhaseEnds { rate: -1.0, ..never },
            _ => {
                let below = self.shrink() * deepest / self.recovered(touch);
                PhaseEnds { below, above: deepest, ..never }
            }
        })
    }
    fn next_phase(&self, end: PhaseEnd, delta: f64, touch: &Touch) -> History {
        let deepest = touch.history.deepest;
        match (touch.history.phase, end) {
            (Phase::Loading | Phase::Yielding, PhaseEnd::Turn) => {
                History::new(Phase::Unloading, deepest.max(delta))
            }
            (Phase::Unloading, PhaseEnd::Above) => History::new(Phase::Yielding, deepest.max(delta)),
            (Phase::Unloading, PhaseEnd::Below) => History::new(Phase::Parting, delta),
            (Phase::Parting, PhaseEnd::Turn) => {
                History::new(Phase::Unloading, delta * self.recovered(touch) / self.shrink())
            }
            _ => touch.history,
        }
    }
    fn check(&self) -> Result<(), LawError> {
        check_value(NAME, &PLASTICITY, self.plasticity)?;
        check_value(NAME, &ADHESION, self.adhesion)?;
        check_value(NAME, &PULL_OFF, self.pull_off)?;
        Ok(check_power(NAME, self.power.stiffness, self.power.exponent)?)
    }
}

impl NormalFormula for Edinburgh {
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        let (number, zero) = (S::from_f64, S::from_f64(0.0));
        if c.delta.value() <= 0.0 {
            return NormalForce { f_n: zero, f_elastic: zero };
        }
        let (power, f_0) = (self.power.elastic(c.delta, number(1.0)), number(self.pull_off));
        if touch.history.phase == Phase::Unloading {
            let rest = self.power.elastic(self.shrink() * touch.history.deepest, 1.0);
            let f = number(self.k2(touch)) * (power - number(rest)) - f_0;
            return NormalForce { f_n: f, f_elastic: f };
        }
        let (f_n, f_elastic) = self.powers(touch);
        NormalForce { f_n: number(f_n) * power - f_0, f_elastic: number(f_elastic) * power - f_0 }
    }

    // of the unloading branch, in every phase
    fn rigidity<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        power::slope(delta, self.power.exponent, self.k2(touch))
    }
}

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: NAME,
        summary: "stiffer unloading, and a hold as the surfaces part: cohesive powders",
        params: &[PLASTICITY, STIFFNESS, EXPONENT, ADHESION, PULL_OFF],
        build: Edinburgh::build,
    },
    formula: "F = −f₀ + K₁ δⁿ; unloading from δ_max: −f₀ + K₂ (δⁿ − λ δ_maxⁿ), K₂ = K₁/(1−λ), until −f₀ − K_a δⁿ, which holds the surfaces as they part",
    range: "cohesive powders and soils; without adhesion and n = 1 it rebounds with √(1−λ)",
    exit: "δ = 0, where f₀ is let go; a contact that ends forgets its dent",
    reference: Reference {
        source: "S. C. Thakur, J. P. Morrissey, J. Sun, J. F. Chen, J. Y. Ooi, Granul. Matter 16 (2014) 383-400",
        checked: "from general knowledge, formula not compared with the original; limits in closed form",
    },
    eta: None,
};
