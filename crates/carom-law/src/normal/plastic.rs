//! What laws with plastic deformation share: a loading curve, and for every indentation reached an unloading curve that starts there.
//!
//! On the loading curve F = f(δ) the contact stores what it would give back if it unloaded from there, E(δ) = ∫ g(s; δ) ds, g being the unloading curve; the rest of
//! the work, f − dE/dδ, is lost. On an unloading curve, down and up, nothing is lost. At its lower end δ_p, the depth of the dent, the force is zero, and stays zero until the surfaces have
//! parted; if they approach before, they meet the same curve again, and beyond the largest indentation the loading curve.

use carom_base::param::Allowed;
use carom_base::{Param, Quantity, Scalar};

use crate::history::{History, Phase, PhaseEnd, PhaseEnds};
use crate::law::{NormalForce, NormalLaw};
use crate::touch::{Indentation, Touch};

/// Scene key of the pressure at which surfaces yield; `doc` says which one it is.
pub(super) const fn yield_pressure(doc: &'static str) -> Param {
    Param::required("yield_pressure", Quantity::Pressure, Allowed::Positive, doc)
}

/// The curves of a law with plastic deformation.
pub(super) trait Plastic: NormalLaw {
    /// The loading curve, and dE/dδ along it \[N\], δ > 0.
    fn loading<S: Scalar>(&self, delta: S, touch: &Touch) -> NormalForce<S>;
    /// E(δ) along the loading curve \[J\].
    fn recoverable(&self, delta: f64, touch: &Touch) -> f64;
    /// The unloading curve that starts at `touch.history.deepest`, for δ > δ_p \[N\].
    fn unloading<S: Scalar>(&self, delta: S, touch: &Touch) -> S;
    /// Slope of the unloading curve that starts at δ, there [N/m].
    fn rigidity_loading<S: Scalar>(&self, delta: S, touch: &Touch) -> S;
    /// Slope of the unloading curve that starts at `touch.history.deepest`, for δ > δ_p [N/m].
    fn rigidity_unloading<S: Scalar>(&self, delta: S, touch: &Touch) -> S;
    /// ∫ of the unloading curve from δ_p to δ \[J\].
    fn stored(&self, delta: f64, touch: &Touch) -> f64;
    /// δ_p \[m\].
    fn dent(&self, touch: &Touch) -> f64;
    /// The indentation at which the surfaces begin to yield \[m\]; zero, if they do so at once.
    fn yield_point(&self, touch: &Touch) -> f64;
    /// An indentation beyond that at which dE/dδ leaps along the loading curve \[m\], infinite (the default) if there is none. It ends a phase, so that no step goes across.
    fn corner(&self, touch: &Touch) -> f64 {
        let _ = touch;
        f64::INFINITY
    }
}

#[inline]
pub(super) fn force<L: Plastic, S: Scalar>(law: &L, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
    let zero = S::from_f64(0.0);
    if c.delta.value() <= 0.0 {
        return NormalForce { f_n: zero, f_elastic: zero };
    }
    match touch.history.phase {
        Phase::Loading | Phase::Yielding => law.loading(c.delta, touch),
        Phase::Unloading if c.delta.value() > law.dent(touch) => {
            let f = law.unloading(c.delta, touch);
            NormalForce { f_n: f, f_elastic: f }
        }
        _ => NormalForce { f_n: zero, f_elastic: zero },
    }
}

pub(super) fn rigidity<L: Plastic, S: Scalar>(law: &L, delta: S, touch: &Touch) -> S {
    match touch.history.phase {
        _ if delta.value() <= 0.0 => S::from_f64(0.0),
        Phase::Loading | Phase::Yielding => law.rigidity_loading(delta, touch),
        Phase::Unloading if delta.value() > law.dent(touch) => law.rigidity_unloading(delta, touch),
        // (until the end of the phase is noted, the stiffness does not leap: springs along the surface follow it, and a step that ends there would be refused for ever)
        Phase::Unloading => S::from_f64(law.rigidity_unloading(law.dent(touch), touch)),
        _ => S::from_f64(0.0),
    }
}

pub(super) fn energy(law: &impl Plastic, delta: f64, touch: &Touch) -> f64 {
    match touch.history.phase {
        _ if delta <= 0.0 => 0.0,
        Phase::Loading | Phase::Yielding => law.recoverable(delta, touch),
        Phase::Unloading if delta > law.dent(touch) => law.stored(delta, touch),
        _ => 0.0,
    }
}

pub(super) fn phase_ends(law: &impl Plastic, touch: &Touch) -> PhaseEnds {
    let never = PhaseEnds::NEVER;
    match touch.history.phase {
        Phase::Loading if law.yield_point(touch) > 0.0 => {
            PhaseEnds { above: law.yield_point(touch), ..never }
        }
        Phase::Loading | Phase::Yielding => {
            let corner = law.corner(touch);
            let above = if touch.history.deepest < corner { corner } else { f64::INFINITY };
            PhaseEnds { rate: 1.0, above, ..never }
        }
        Phase::Unloading => PhaseEnds { below: law.dent(touch), above: touch.history.deepest, ..never },
        _ => PhaseEnds { above: law.dent(touch), ..never },
    }
}

pub(super) fn next_phase(law: &impl Plastic, end: PhaseEnd, delta: f64, touch: &Touch) -> History {
    let deepest = touch.history.deepest;
    match (touch.history.phase, end) {
        (Phase::Yielding, PhaseEnd::Above) => {
            History::new(Phase::Yielding, deepest.max(delta).max(law.corner(touch)))
        }
        (Phase::Loading, PhaseEnd::Above) | (Phase::Unloading, PhaseEnd::Above) => {
            History::new(Phase::Yielding, deepest.max(delta))
        }
        (Phase::Loading | Phase::Yielding, PhaseEnd::Turn) => {
            History::new(Phase::Unloading, deepest.max(delta))
        }
        (Phase::Unloading, PhaseEnd::Below) => History::new(Phase::Slack, deepest),
        (Phase::Slack, PhaseEnd::Above) => History::new(Phase::Unloading, deepest),
        _ => touch.history,
    }
}

/// Makes a normal law of one of [`Plastic`] that yields at a `pressure` and has its stiffness from a field `round`.
macro_rules! yielding_law {
    ($law:ident) => {
        impl NormalLaw for $law {
            fn name(&self) -> &'static str {
                NAME
            }
            fn exponent(&self) -> f64 {
                1.5
            }
            fn stiffness(&self) -> Stiffness {
                self.round.source()
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
                check_value(NAME, &PRESSURE, self.pressure)?;
                Ok(self.round.check(NAME)?)
            }
        }

        impl NormalFormula for $law {
            #[inline]
            fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
                plastic::force(self, c, touch)
            }
            fn rigidity<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
                plastic::rigidity(self, delta, touch)
            }
        }
    };
}
pub(super) use yielding_law;
