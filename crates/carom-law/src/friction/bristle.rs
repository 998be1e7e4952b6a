//! What the laws with memory share.
//!
//! The bristles of A are bent by z, a tangent vector, and pull with σ0 z. Slip bends them and drags them along:
//!
//! ż = a v − b z, F = −a (σ0 z + …), b ≥ 0
//!
//! With E = ½ σ0 |z|² this gives −F·v = dE/dt + σ0 b |z|² + …: what is not stored is dissipated, whatever load and slip do.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | z | m | deflection of the bristles of A |
//! | σ0 | N/m | stiffness of the bristles |
//! | a | 1 | share of the bristles that are engaged |
//! | L | N | N/a |
//!
//! **Added to the sources: light loads.** A source has a = 1 and b of the order σ0|v|/(μN): the bristles follow a change of
//! slip within the distance μN/σ0, which is nothing as the surfaces touch, and then no integrator can follow.
//! So below a load N0 the bristles are engaged in part:
//!
//! a = r (2 − r), L = N/a = N0/(2 − r) with r = N/N0 < 1; a = 1, L = N from N0 on
//!
//! and b has L in place of N. Both have a continuous slope. Steady friction is then a times what the source gives: exactly the source's
//! from N0 on, less below, and the distance is never below μN0/(2σ0). N0 is `min_load`, or a thousandth of the contact's
//! own force F* = K δ*ⁿ at its touch. The same a in F and in ż keeps the law passive.
//!
//! **Vectors.** The sources are laws of one dimension. Here |v| is the length of the slip vector and z acts as a vector; where a
//! source asks for the signs of z and v, [`flow`] takes the part of v along z.

use carom_base::param::Allowed;
use carom_base::{Args, Param, Quantity, Scalar, SpecError, Vec3};

use super::slip::{NO_DIRECTION, check_values};
use crate::entry::needed;
use crate::law::FrictionFormula;
use crate::memory::{Evolution, Memory};

/// The share of a contact's own force from which on friction is full, unless `min_load` says otherwise.
const LIGHT: f64 = 1e-3;
/// A load \[N\] at which friction is full always, yet not zero.
const NONE: f64 = 1e-150;

/// Scene key of μ: without friction there is nothing that would bend bristles.
pub(super) const COEFFICIENT: Param =
    Param::required("coefficient", Quantity::Number, Allowed::Positive, "coefficient of kinetic friction μ");
/// Scene key of μs.
pub(super) const STATIC_COEFFICIENT: Param = Param::required(
    "static_coefficient",
    Quantity::Number,
    Allowed::Positive,
    "coefficient of static friction μs, not less than `coefficient`",
);
/// Scene key of σ0.
pub(super) const STIFFNESS: Param = Param::required(
    "bristle_stiffness",
    Quantity::LinearStiffness,
    Allowed::Positive,
    "stiffness of the bristles σ0",
);
/// Scene key of σ1.
pub(super) const DAMPING: Param = Param::default(
    "bristle_damping",
    Quantity::LinearDamping,
    Allowed::NotNegative,
    0.0,
    "damping of the bristles σ1",
);
/// Scene key of σ2.
pub(super) const VISCOUS: Param =
    Param::default("viscous", Quantity::LinearDamping, Allowed::NotNegative, 0.0, "viscous friction σ2");
/// Scene key of N0.
pub(super) const MIN_LOAD: Param = Param::optional(
    "min_load",
    Quantity::Force,
    Allowed::Positive,
    "a thousandth of the contact's own force at its touch",
    "normal force N0 from which on friction is full",
);
/// Scene key of vs.
pub(super) const STRIBECK: Param = Param::required(
    "stribeck_speed",
    Quantity::Speed,
    Allowed::Positive,
    "slip vs at which static friction has fallen to kinetic friction by 63 %",
);

/// What all these laws have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bristles {
    /// μ
    pub(super) coefficient: f64,
    /// σ0
    pub(super) stiffness: f64,
    /// σ2
    pub(super) viscous: f64,
    /// N0, if given
    pub(super) min_load: Option<f64>,
}

impl Bristles {
    pub(super) const fn new(coefficient: f64, stiffness: f64) -> Bristles {
        Bristles { coefficient, stiffness, viscous: 0.0, min_load: None }
    }

    pub(super) fn build(args: &Args, law: &'static str) -> Result<Bristles, SpecError> {
        Ok(Bristles {
            coefficient: needed(args, law, &COEFFICIENT)?,
            stiffness: needed(args, law, &STIFFNESS)?,
            viscous: needed(args, law, &VISCOUS)?,
            min_load: args.number(MIN_LOAD.name),
        })
    }

    pub(super) fn check(&self, law: &'static str) -> Result<(), SpecError> {
        let min_load = self.min_load.unwrap_or(1.0);
        check_values(
            law,
            &[
                (&COEFFICIENT, self.coefficient),
                (&STIFFNESS, self.stiffness),
                (&VISCOUS, self.viscous),
                (&MIN_LOAD, min_load),
            ],
        )
    }

    /// ½ σ0 |z|².
    pub(super) fn energy(&self, memory: &Memory) -> f64 {
        0.5 * self.stiffness * memory.z.norm_squared()
    }

    /// N0 of a contact. A contact without a force of its own (a body that cannot give way) has loads that do not begin
    /// at zero: nothing is to be eased there.
    pub(super) fn least_load(&self, touch_force: f64) -> f64 {
        let own = LIGHT * touch_force;
        self.min_load.unwrap_or(if own > NONE && own.is_finite() { own } else { NONE })
    }
}

/// Gives a law what all laws with bristles have, which are at this path in it: the setters of σ2 and N0.
macro_rules! bristle_setters {
    ($law:ident, $($bristles:tt)+) => {
        impl $law {
            /// With viscous friction σ2 [N s/m] ≥ 0; [`FrictionLaw::check`](crate::FrictionLaw::check) refuses another.
            pub const fn viscous(mut self, sigma2: f64) -> $law {
                self.$($bristles)+.viscous = sigma2;
                self
            }

            /// With full friction from this normal force N0 \[N\] > 0 on; [`FrictionLaw::check`](crate::FrictionLaw::check)
            /// refuses another.
            pub const fn min_load(mut self, load: f64) -> $law {
                self.$($bristles)+.min_load = Some(load);
                self
            }
        }
    };
}

/// The methods of [`FrictionLaw`](crate::FrictionLaw) that all laws with bristles have, which are at this path in it.
macro_rules! bristle_methods {
    ($($bristles:tt)+) => {
        fn name(&self) -> &'static str {
            NAME
        }

        fn remembers(&self) -> bool {
            true
        }

        fn least_load(&self, touch_force: f64) -> f64 {
            self.$($bristles)+.least_load(touch_force)
        }

        fn check(&self) -> Result<(), LawError> {
            Ok(self.check_values()?)
        }
    };
}

pub(super) use {bristle_methods, bristle_setters};

/// μs: in range, and not below μ, without which a curve between them could drive.
pub(super) fn check_static(law: &'static str, kinetic: f64, resting: f64) -> Result<(), SpecError> {
    check_values(law, &[(&STATIC_COEFFICIENT, resting)])?;
    match resting < kinetic {
        false => Ok(()),
        true => Err(SpecError::Conflict {
            kind: law,
            what: "`static_coefficient` must not be less than `coefficient`",
        }),
    }
}

/// The share a of engaged bristles and L = N/a, at a normal force and N0.
#[inline]
pub(super) fn engaged<S: Scalar>(f_n: S, load: f64) -> (S, S) {
    let r = f_n * S::from_f64(1.0 / load);
    if r.value() >= 1.0 {
        return (S::from_f64(1.0), f_n);
    }
    let rest = S::from_f64(2.0) - r;
    (r * rest, S::from_f64(load) / rest)
}

/// |v|; its slope at zero is taken as zero.
#[inline]
pub(super) fn speed<S: Scalar>(v: &Vec3<S>) -> S {
    let squared = v.dot(v);
    if squared.value() < NO_DIRECTION { S::from_f64(0.0) } else { Scalar::sqrt(squared) }
}

/// How far bristles of length |z| flow, 0 to 1: not up to `elastic`, fully from `full` on, between them
/// ½ (1 + sin(π (|z| − (elastic + full)/2)/(full − elastic))) (Dupont et al. 2002).
#[inline]
pub(super) fn plastic<S: Scalar>(length: S, elastic: S, full: S) -> S {
    if length.value() <= elastic.value() {
        S::from_f64(0.0)
    } else if length.value() >= full.value() {
        S::from_f64(1.0)
    } else {
        let half = S::from_f64(0.5);
        let middle = (elastic + full) * half;
        let angle = (length - middle) / (full - elastic) * S::from_f64(std::f64::consts::PI);
        half + half * angle.sin()
    }
}

/// How much of bristles of length |z| pulls where they may be no longer than `full`: min(1, full/|z|). A load that falls leaves them longer than
/// it can hold; they then pull with what it holds, and keep what they store until slip unbends them. With b ≥ 0 and F no greater than without, less is given back
/// than is taken from the store: passive as before.
#[inline]
pub(super) fn within<S: Scalar>(length: S, full: S) -> S {
    if length.value() > full.value() { full / length } else { S::from_f64(1.0) }
}

/// (v·z/|z|)₊: the part of the slip that bends the bristles further. In one dimension |v| where z and v have the same sign and 0
/// where not, which is what the sources ask for. In the plane, bristles that are fully bent then turn into the direction of
/// slip at their length, and nothing jumps where v passes the perpendicular of z. Zero where z is.
#[inline]
pub(super) fn flow<S: Scalar>(z: &Vec3<S>, length: S, v: &Vec3<S>) -> S {
    let zero = S::from_f64(0.0);
    if length.value() > 0.0 { (z.dot(v) / length).max(zero) } else { zero }
}

/// The force of a law that remembers, with unbent bristles.
#[inline]
pub(super) fn unbent<S: Scalar>(law: &impl FrictionFormula, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
    let Evolution { f_t, .. } = law.evolve(f_n, v_t, &Memory::unbent(), NONE);
    f_t
}
