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
//!
//! In place of K δⁿ any of them takes the elastic force of cylinders along a line, f_el (1 + η δ̇/v₀) ([`super::Line`]): the restitution does not depend
//! on the elastic part.
//!
//! Every law of the family can also be given the constant χ̄ itself: nothing is latched then, the restitution
//! falls with speed, and all laws are one.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError};

use super::part::ElasticPart;
use super::{EXIT_TOGETHER, NormalEntry};
use crate::entry::{Reference, check_value};
use crate::error::LawError;
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw};
use crate::line::{ELASTIC, GEOMETRY, Line};
use crate::power::{EXPONENT, PowerLaw, STIFFNESS};
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// What a law of the family F = K δⁿ (1 + η δ̇/v₀) is: a name and η(c). The rest follows.
///
/// ```
/// use carom_base::param::Allowed;
/// use carom_law::normal::{Damped, DampingFactor};
///
/// struct Half;
/// impl DampingFactor for Half {
///     const NAME: &'static str = "half";
///     const RESTITUTION: Allowed = Allowed::Between(0.0, 1.0);
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
    /// The coefficients of restitution the law takes.
    const RESTITUTION: Allowed;
    /// η for the prescribed coefficient of restitution c.
    fn eta(c: f64) -> f64;
}

/// A law of the family F = K δⁿ (1 + η δ̇/v₀), with η(c) from `L`; or, by a constant, F = K δⁿ (1 + χ̄ δ̇).
pub struct Damped<L> {
    damping: Damping,
    part: ElasticPart,
    law: PhantomData<fn() -> L>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Damping {
    /// χ̄ = η(c)/v₀
    Restitution { c: f64, eta: f64 },
    /// χ̄ itself [s/m]
    Constant(f64),
}

/// Scene key of c, with its range.
pub(super) const fn restitution(allowed: Allowed) -> Param {
    Param::optional(
        "restitution",
        Quantity::Number,
        allowed,
        "then `damping` must be given",
        "coefficient of restitution c",
    )
}

/// Scene key of χ̄.
pub(super) const DAMPING: Param = Param::optional(
    "damping",
    Quantity::InverseSpeed,
    Allowed::NotNegative,
    "then `restitution` must be given",
    "constant damping per stiffness χ̄, in place of a restitution, which then falls with speed",
);

/// Makes a law by its restitution or by its damping, whichever is given; both or none is refused.
pub(super) fn either<T>(
    law: &'static str,
    args: &Args,
    by_restitution: impl FnOnce(f64) -> T,
    by_damping: impl FnOnce(f64) -> T,
) -> Result<T, SpecError> {
    let conflict = |what| Err(SpecError::Conflict { kind: law, what });
    match (args.number("restitution"), args.number("damping")) {
        (Some(c), None) => Ok(by_restitution(c)),
        (None, Some(damping)) => Ok(by_damping(damping)),
        (Some(_), Some(_)) => conflict("give `restitution` or `damping`, not both"),
        (None, None) => conflict("give one of `restitution`, `damping`"),
    }
}

/// What a registry says of a law of the family, beyond its name and η(c).
pub(super) struct About {
    pub(super) summary: &'static str,
    pub(super) formula: &'static str,
    pub(super) range: &'static str,
    pub(super) reference: Reference,
}

impl<L: DampingFactor> Damped<L> {
    const C: Param = restitution(L::RESTITUTION);
    const PARAMS: &'static [Param] =
        &[Self::C, DAMPING, STIFFNESS, EXPONENT, ELASTIC, GEOMETRY[0], GEOMETRY[1], GEOMETRY[2]];

    /// By the prescribed coefficient of restitution c; refuses a c the law does not take.
    pub fn restitution(c: f64) -> Result<Damped<L>, LawError> {
        check_value(L::NAME, &Self::C, c)?;
        Ok(Damped::by_restitution(c))
    }

    /// By a constant χ̄ [s/m] ≥ 0, independent of the impact speed; refuses another. All laws of the family are
    /// then one and the same.
    pub fn damping(chi: f64) -> Result<Damped<L>, LawError> {
        check_value(L::NAME, &DAMPING, chi)?;
        Ok(Damped::new(Damping::Constant(chi)))
    }

    fn by_restitution(c: f64) -> Damped<L> {
        Damped::new(Damping::Restitution { c, eta: L::eta(c) })
    }

    fn new(damping: Damping) -> Damped<L> {
        Damped { damping, part: ElasticPart::Power(PowerLaw::HERTZ), law: PhantomData }
    }

    /// With a given stiffness K [N/mⁿ] > 0; [`NormalLaw::check`] refuses another.
    pub fn stiffness(mut self, k: f64) -> Damped<L> {
        self.part = ElasticPart::Power(PowerLaw { stiffness: Some(k), ..self.power() });
        self
    }

    /// With another exponent n, 1 to 10; [`NormalLaw::check`] refuses another, and one without a stiffness.
    pub fn exponent(mut self, n: f64) -> Damped<L> {
        self.part = ElasticPart::Power(PowerLaw { exponent: n, ..self.power() });
        self
    }

    /// With the elastic force of cylinders along a line in place of K δⁿ.
    ///
    /// ```
    /// use carom_law::normal::{LankaraniNikravesh, Line};
    /// use carom_law::{Meeting, NormalLaw};
    /// let law = LankaraniNikravesh::restitution(0.9)?.line(Line::new("radzimovsky")?);
    /// // a journal of 9.5 mm along 15 mm of a bearing of 10 mm
    /// let meeting = Meeting::along([0.0095, -0.010], 0.015);
    /// let source = NormalLaw::stiffness(&law);
    /// assert!(source.at(113.7e9, &meeting).is_ok());
    /// assert!(source.at(113.7e9, &Meeting::in_point(5.0, 5.0)).is_err());
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn line(mut self, line: Line) -> Damped<L> {
        self.part = ElasticPart::Line(line);
        self
    }

    /// K and n as they are, or Hertz's.
    fn power(&self) -> PowerLaw {
        match self.part {
            ElasticPart::Power(power) => power,
            ElasticPart::Line(_) => PowerLaw::HERTZ,
        }
    }

    /// The damping factor η; `None` when χ̄ is constant.
    pub fn eta(&self) -> Option<f64> {
        match self.damping {
            Damping::Restitution { eta, .. } => Some(eta),
            Damping::Constant(_) => None,
        }
    }

    /// From a scene; the values are already checked.
    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let constant = |chi| Damped::new(Damping::Constant(chi));
        let mut law = either(L::NAME, args, Damped::<L>::by_restitution, constant)?;
        law.part = ElasticPart::from_args(L::NAME, args)?;
        Ok(Arc::new(law))
    }

    /// Its line in the registry.
    pub(super) const fn entry(about: About) -> NormalEntry {
        NormalEntry {
            entry: Entry {
                name: L::NAME,
                summary: about.summary,
                params: Self::PARAMS,
                build: Damped::<L>::build,
            },
            formula: about.formula,
            range: about.range,
            exit: EXIT_TOGETHER,
            reference: about.reference,
            eta: Some(L::eta),
        }
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
        self.part.exponent()
    }
    fn exponent_in(&self, touch: &Touch) -> f64 {
        self.part.exponent_in(touch)
    }
    fn stiffness(&self) -> Stiffness {
        self.part.source()
    }
    fn reach(&self, touch: &Touch) -> f64 {
        self.part.reach(touch)
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        self.part.energy(delta, touch)
    }
    fn needs_impact_speed(&self) -> bool {
        matches!(self.damping, Damping::Restitution { eta, .. } if eta != 0.0)
    }
    fn is_elastic(&self) -> bool {
        matches!(self.damping, Damping::Restitution { eta: 0.0, .. } | Damping::Constant(0.0))
    }
    fn check(&self) -> Result<(), LawError> {
        Ok(self.part.check(L::NAME)?)
    }
}

/// F = f_el (1 + χ̄ δ̇), not below zero, and its elastic part. χ̄ [s/m].
#[inline]
pub(super) fn damped<S: Scalar>(f_elastic: S, delta_dot: S, chi: f64) -> NormalForce<S> {
    let factor = S::from_f64(1.0) + S::from_f64(chi) * delta_dot;
    // pulled apart faster than 1/χ̄ the formula would attract: surfaces do not, they part
    NormalForce { f_n: (f_elastic * factor).max(S::from_f64(0.0)), f_elastic }
}

impl<L: DampingFactor> NormalFormula for Damped<L> {
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        damped(self.part.elastic(c.delta, touch), c.delta_dot, self.chi(touch))
    }
}

// by hand: derived ones would ask it of L too, which is only a name
impl<L> Clone for Damped<L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L> Copy for Damped<L> {}
impl<L> PartialEq for Damped<L> {
    fn eq(&self, o: &Self) -> bool {
        self.damping == o.damping && self.part == o.part
    }
}
impl<L: DampingFactor> fmt::Debug for Damped<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damped { damping, part, .. } = self;
        write!(f, "{} {{ {damping:?}, {part:?} }}", L::NAME)
    }
}
