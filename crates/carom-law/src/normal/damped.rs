//! The family F = K δⁿ (1 + η δ̇/v₀): one implementation for every law of it.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, never below zero |
//! | K | N/mⁿ | contact stiffness |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | n | 1 | exponent; 3/2 for a point contact |
//! | v₀ | m/s | impact speed: δ̇ at first touch |
//! | η | 1 | damping factor, what distinguishes the laws; a function of c |
//! | c | 1 | prescribed coefficient of restitution |
//! | χ̄ = η/v₀ | s/m | damping per stiffness |
//!
//! The stored energy is K δⁿ⁺¹/(n+1) for all; K δⁿ χ̄ δ̇² is dissipated. Where 1 + χ̄ δ̇ < 0 (the bodies are
//! pulled apart faster than the material recovers) F is zero, not negative; in a free impact that never
//! happens, as the rebound is slower than v₀/η. What restitution a law really gives is
//! [`crate::impact::effective_restitution`] of its η.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use carom_base::{Args, Param, Scalar, SpecError};

use super::power::{PowerLaw, check_power};
use crate::law::{Indentation, Normal, NormalForce, NormalLaw, Touch};
use crate::{LawError, check_value, needed};

/// What a law of the family F = K δⁿ (1 + η δ̇/v₀) is: a name and η(c). The rest follows.
///
/// ```
/// use carom_base::{Param, Quantity, param::Allowed};
/// use carom_law::normal::{Damped, DampingFactor};
///
/// struct Half;
/// impl DampingFactor for Half {
///     const NAME: &'static str = "half";
///     const RESTITUTION: Param =
///         Param::required("restitution", Quantity::Number, Allowed::Between(0.0, 1.0), "restitution c");
///     fn eta(c: f64) -> f64 {
///         0.5 * (1.0 - c)
///     }
/// }
/// let law = Damped::<Half>::restitution(0.8)?.stiffness(1e8);
/// assert_eq!(law.eta(), Some(0.5 * (1.0 - 0.8)));
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub trait DampingFactor: Send + Sync + 'static {
    /// The word in scenes.
    const NAME: &'static str;
    /// The scene key of the coefficient of restitution, with the range the law takes.
    const RESTITUTION: Param;
    /// η for the prescribed coefficient of restitution c.
    fn eta(c: f64) -> f64;
}

/// A law of the family F = K δⁿ (1 + η δ̇/v₀), with η(c) from `L`.
pub struct Damped<L> {
    damping: Damping,
    power: PowerLaw,
    law: PhantomData<fn() -> L>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Damping {
    /// χ̄ = η(c)/v₀
    Restitution { c: f64, eta: f64 },
    /// χ̄ itself [s/m]
    Constant(f64),
}

impl<L: DampingFactor> Damped<L> {
    /// By the prescribed coefficient of restitution c; refuses a c the law does not take.
    pub fn restitution(c: f64) -> Result<Damped<L>, LawError> {
        check_value(L::NAME, &L::RESTITUTION, c)?;
        Ok(Damped::new(Damping::Restitution { c, eta: L::eta(c) }))
    }

    /// By a constant χ̄ [s/m]: for the laws that have it. The caller checks χ̄.
    pub(super) fn constant(chi: f64) -> Damped<L> {
        Damped::new(Damping::Constant(chi))
    }

    fn new(damping: Damping) -> Damped<L> {
        Damped { damping, power: PowerLaw::HERTZ, law: PhantomData }
    }

    /// With a given stiffness K [N/mⁿ] > 0; [`NormalLaw::check`] refuses another.
    pub fn stiffness(mut self, k: f64) -> Damped<L> {
        self.power.stiffness = Some(k);
        self
    }

    /// With another exponent n, 1 to 10; [`NormalLaw::check`] refuses another, and one without a stiffness.
    pub fn exponent(mut self, n: f64) -> Damped<L> {
        self.power.exponent = n;
        self
    }

    /// The damping factor η; `None` when χ̄ is constant.
    pub fn eta(&self) -> Option<f64> {
        match self.damping {
            Damping::Restitution { eta, .. } => Some(eta),
            Damping::Constant(_) => None,
        }
    }

    /// With stiffness and exponent from a scene, as a registry wants it.
    pub(super) fn with_args(mut self, args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        self.power = PowerLaw::from_args(args);
        check_power(L::NAME, self.power.stiffness, self.power.exponent)?;
        Ok(Arc::new(self))
    }

    /// From a scene, by restitution; the values are already checked.
    pub(super) fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let c = needed(args, L::NAME, &L::RESTITUTION)?;
        Damped::<L>::new(Damping::Restitution { c, eta: L::eta(c) }).with_args(args)
    }

    /// χ̄ [s/m] in this contact.
    #[inline]
    fn chi(&self, touch: &Touch) -> f64 {
        match self.damping {
            // an elastic law does not ask for v₀, which may then be zero
            Damping::Restitution { eta: 0.0, .. } => 0.0,
            Damping::Restitution { eta, .. } => eta / touch.v0,
            Damping::Constant(chi) => chi,
        }
    }
}

impl<L: DampingFactor> NormalLaw for Damped<L> {
    fn name(&self) -> &'static str {
        L::NAME
    }
    fn exponent(&self) -> f64 {
        self.power.exponent
    }
    fn stiffness(&self) -> Option<f64> {
        self.power.stiffness
    }
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        self.power.damped(c, touch.stiffness, self.chi(touch))
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        self.power.energy(delta, touch)
    }
    fn needs_impact_speed(&self) -> bool {
        matches!(self.damping, Damping::Restitution { eta, .. } if eta != 0.0)
    }
    fn is_elastic(&self) -> bool {
        matches!(self.damping, Damping::Restitution { eta: 0.0, .. } | Damping::Constant(0.0))
    }
}

// by hand: derived ones would ask the same of L, which is only a name
impl<L> Clone for Damped<L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L> Copy for Damped<L> {}
impl<L> PartialEq for Damped<L> {
    fn eq(&self, o: &Self) -> bool {
        self.damping == o.damping && self.power == o.power
    }
}
impl<L: DampingFactor> fmt::Debug for Damped<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damped { damping, power, .. } = self;
        write!(f, "{} {{ {damping:?}, {power:?} }}", L::NAME)
    }
}
