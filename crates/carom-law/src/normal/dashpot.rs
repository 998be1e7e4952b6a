//! The family F = K δⁿ + D δᵖ δ̇, a spring and a dashpot: one implementation for every law of it.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force |
//! | K | N/mⁿ | contact stiffness |
//! | δ, δ̇ | m, m/s | indentation and its rate, positive while approaching |
//! | n, p | 1 | exponents of spring and dashpot, constants of a law; p < n |
//! | D | N s/mᵖ⁺¹ | damping: given, or a(c) √(m K) |
//! | m | kg | effective mass along the normal, latched at first touch |
//! | c | 1 | prescribed coefficient of restitution |
//!
//! While the bodies part, the dashpot pulls: F falls to zero at an indentation δ_F > 0, and the formula attracts
//! from there on. How a contact ends is part of the law, [`Exit`]: the force is held at zero from δ_F on, or the
//! bodies hold each other until δ = 0. The two give different restitutions.
//!
//! The stored energy is K δⁿ⁺¹/(n+1) for all. What is not stored is dissipated, at the rate (F − K δⁿ) δ̇: that is
//! D δᵖ δ̇² ≥ 0, or, where the force is held at zero, −K δⁿ δ̇ > 0, as the bodies part: the energy still stored
//! at δ_F is lost while the surfaces recover without touching. So the ledger is exact and every law is passive.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use carom_base::elementary::{hypot, ln};
use carom_base::param::Allowed;
use carom_base::{Args, Param, Scalar, SpecError};

use super::damped::{either, restitution};
use crate::entry::{check_value, needed};
use crate::error::LawError;
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw};
use crate::power::{HERTZ_EXPONENT, PowerLaw};
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// How a contact with a dashpot ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exit {
    /// where the force has fallen to zero: the surfaces never pull
    #[default]
    Force,
    /// where the indentation has fallen to zero: until then the dashpot pulls
    Indentation,
}

/// Scene key of [`Exit`].
pub(super) const EXIT: Param = Param::word(
    "exit",
    &["force", "indentation"],
    "force",
    "the contact ends where the force falls to zero, or pulls until the indentation does",
);

/// What the entries say of it.
pub(super) const EXIT_EITHER: &str = "F = 0, from where on it is held at zero until δ = 0; with exit = \"indentation\" δ = 0, and it pulls before";

/// What a law of the family F = K δⁿ + D δᵖ δ̇ is: its constants, and how its damping is given.
///
/// ```
/// use carom_base::{Param, Quantity, param::Allowed};
/// use carom_law::normal::{Dashpot, DashpotLaw};
/// use carom_law::{Indentation, Normal, Touch};
///
/// struct Square;
/// impl DashpotLaw for Square {
///     const NAME: &'static str = "square";
///     const N: f64 = 2.0;
///     const P: f64 = 0.0;
///     const STIFFNESS: Param =
///         Param::required("stiffness", Quantity::Pressure, Allowed::Positive, "stiffness K");
///     const DAMPING: Param =
///         Param::required("damping", Quantity::LinearDamping, Allowed::NotNegative, "damping D");
/// }
/// let law = Dashpot::<Square>::damping(3.0)?.stiffness(1e6);
/// let touch = Touch::point(1e6, 1.0, 1.0);
/// let f = law.force(Indentation { delta: 1e-3, delta_dot: 2.0 }, &touch);
/// assert!((f.f_n - 7.0).abs() < 1e-12 && (f.f_elastic - 1.0).abs() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
pub trait DashpotLaw: Send + Sync + 'static {
    /// The word in scenes.
    const NAME: &'static str;
    /// n, of the spring.
    const N: f64;
    /// p, of the dashpot: 0, ¼ or ½.
    const P: f64;
    /// Whether the dashpot acts in compression only, δ̇ > 0.
    const COMPRESSION_ONLY: bool = false;
    /// The scene key of K.
    const STIFFNESS: Param;
    /// The scene key of the damping, with its unit.
    const DAMPING: Param;
    /// Whether the damping is given per stiffness: D/K of a given value; `None`: the value is D itself.
    const PER_STIFFNESS: Option<f64> = None;
}

/// A law whose damping can follow from a prescribed coefficient of restitution: D = a(c) √(m K).
pub trait DashpotRestitution: DashpotLaw {
    /// a(c), 0 < c ≤ 1.
    fn ratio(c: f64) -> f64;
}

/// The coefficients of restitution these laws take.
const RESTITUTION: Param = restitution(Allowed::Above(0.0, 1.0));

/// Parameters of a law that takes a restitution: `restitution` or `damping`, and `stiffness`.
pub(super) const fn either_params<L: DashpotRestitution>() -> [Param; 3] {
    [RESTITUTION, L::DAMPING, L::STIFFNESS]
}

/// A law of the family F = K δⁿ + D δᵖ δ̇, with the constants of `L`.
pub struct Dashpot<L> {
    damping: Damping,
    stiffness: Option<f64>,
    exit: Exit,
    law: PhantomData<fn() -> L>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Damping {
    /// D = a √(m K)
    Restitution { c: f64, a: f64 },
    /// D
    Given(f64),
    /// D/K [s]
    PerStiffness(f64),
}

impl<L: DashpotLaw> Dashpot<L> {
    /// By its damping, in the unit of the law, ≥ 0; refuses another.
    pub fn damping(value: f64) -> Result<Dashpot<L>, LawError> {
        check_value(L::NAME, &L::DAMPING, value)?;
        Ok(Dashpot::given(value))
    }

    fn given(value: f64) -> Dashpot<L> {
        Dashpot::new(match L::PER_STIFFNESS {
            Some(factor) => Damping::PerStiffness(factor * value),
            None => Damping::Given(value),
        })
    }

    fn new(damping: Damping) -> Dashpot<L> {
        Dashpot { damping, stiffness: None, exit: Exit::Force, law: PhantomData }
    }

    /// With a given stiffness K [N/mⁿ] > 0; [`NormalLaw::check`] refuses another.
    pub fn stiffness(mut self, k: f64) -> Dashpot<L> {
        self.stiffness = Some(k);
        self
    }

    /// With the other end of a contact. No matter for a law that damps in compression only: it never pulls.
    pub fn exit(mut self, exit: Exit) -> Dashpot<L> {
        self.exit = exit;
        self
    }

    /// From a scene, by its damping; the values are already checked.
    pub(super) fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        Dashpot::<L>::given(needed(args, L::NAME, &L::DAMPING)?).with_args(args)
    }

    fn with_args(mut self, args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        self.stiffness = args.number(L::STIFFNESS.name);
        self.exit = match args.text(EXIT.name) {
            Some("indentation") => Exit::Indentation,
            _ => Exit::Force,
        };
        self.check_values()?;
        Ok(Arc::new(self))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        match self.stiffness {
            Some(k) => check_value(L::NAME, &L::STIFFNESS, k),
            None if L::N == HERTZ_EXPONENT => Ok(()),
            None => {
                let Param { name, doc, .. } = L::STIFFNESS;
                Err(SpecError::Missing { kind: L::NAME, name, doc })
            }
        }
    }

    const fn power(&self) -> PowerLaw {
        PowerLaw { stiffness: self.stiffness, exponent: L::N }
    }

    /// D [N s/mᵖ⁺¹] in this contact.
    #[inline]
    fn coefficient(&self, touch: &Touch) -> f64 {
        match self.damping {
            Damping::Restitution { a, .. } => a * (touch.mass * touch.stiffness).sqrt(),
            Damping::Given(d) => d,
            Damping::PerStiffness(tau) => tau * touch.stiffness,
        }
    }
}

impl<L: DashpotRestitution> Dashpot<L> {
    /// By the prescribed coefficient of restitution, 0 < c ≤ 1; refuses another.
    pub fn restitution(c: f64) -> Result<Dashpot<L>, LawError> {
        check_value(L::NAME, &RESTITUTION, c)?;
        Ok(Dashpot::by_restitution(c))
    }

    fn by_restitution(c: f64) -> Dashpot<L> {
        Dashpot::new(Damping::Restitution { c, a: L::ratio(c) })
    }

    /// From a scene, by restitution or damping; the values are already checked.
    pub(super) fn build_either(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        either(L::NAME, args, Dashpot::<L>::by_restitution, Dashpot::given)?.with_args(args)
    }
}

/// δᵖ for the p of the family; two square roots are exact where a general power is not.
#[inline]
fn dashpot_power<S: Scalar>(delta: S, p: f64) -> S {
    if p == 0.0 {
        S::from_f64(1.0)
    } else if p == 0.25 {
        delta.sqrt().sqrt()
    } else if p == 0.5 {
        delta.sqrt()
    } else {
        delta.powf(p)
    }
}

impl<L: DashpotLaw> NormalLaw for Dashpot<L> {
    fn name(&self) -> &'static str {
        L::NAME
    }
    fn exponent(&self) -> f64 {
        L::N
    }
    fn powers(&self, _touch: &Touch) -> [f64; 2] {
        [L::N, if NormalLaw::is_elastic(self) { L::N } else { L::P }]
    }
    fn stiffness(&self) -> Stiffness {
        self.power().source()
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        self.power().energy(delta, touch)
    }
    fn is_elastic(&self) -> bool {
        use Damping::{Given, PerStiffness, Restitution};
        matches!(self.damping, Restitution { a: 0.0, .. } | Given(0.0) | PerStiffness(0.0))
    }
    fn lets_go_early(&self) -> bool {
        self.exit == Exit::Force && !L::COMPRESSION_ONLY && !NormalLaw::is_elastic(self)
    }
    fn ends_damping_at_turn(&self) -> bool {
        L::COMPRESSION_ONLY && !NormalLaw::is_elastic(self)
    }
    fn check(&self) -> Result<(), LawError> {
        Ok(self.check_values()?)
    }
}

impl<L: DashpotLaw> NormalFormula for Dashpot<L> {
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        let zero = S::from_f64(0.0);
        if c.delta.value() <= 0.0 {
            return NormalForce { f_n: zero, f_elastic: zero };
        }
        let f_elastic = self.power().elastic(c.delta, S::from_f64(touch.stiffness));
        let rate = if L::COMPRESSION_ONLY { c.delta_dot.max(zero) } else { c.delta_dot };
        let viscous = S::from_f64(self.coefficient(touch)) * dashpot_power(c.delta, L::P) * rate;
        let f_n = f_elastic + viscous;
        NormalForce { f_n: if self.exit == Exit::Force { f_n.max(zero) } else { f_n }, f_elastic }
    }
}

// by hand: derived ones would ask it of L too, which is only a name
impl<L> Clone for Dashpot<L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L> Copy for Dashpot<L> {}
impl<L> PartialEq for Dashpot<L> {
    fn eq(&self, o: &Self) -> bool {
        self.damping == o.damping && self.stiffness == o.stiffness && self.exit == o.exit
    }
}
impl<L: DashpotLaw> fmt::Debug for Dashpot<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Dashpot { damping, stiffness, exit, .. } = self;
        write!(f, "{} {{ {damping:?}, {stiffness:?}, {exit:?} }}", L::NAME)
    }
}

/// ξ(c) of a linear oscillator that comes back through δ = 0 with c times its speed: −ln c/√(π² + ln² c).
pub(super) fn damping_ratio(c: f64) -> f64 {
    let l = -ln(c);
    l / hypot(std::f64::consts::PI, l)
}

/// Scene key of K of a law with n = 3/2.
pub(super) const POINT_STIFFNESS: Param = Param::optional(
    "stiffness",
    carom_base::Quantity::PointStiffness,
    Allowed::Positive,
    "from the materials and the curvatures at the contact",
    "contact stiffness K",
);
