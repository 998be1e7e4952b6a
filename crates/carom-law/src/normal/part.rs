//! The elastic part of a law: a power of the indentation, or that of cylinders along a line.

use carom_base::{Args, Scalar, SpecError};

use crate::line::Line;
use crate::power::{EXPONENT, HERTZ_EXPONENT, PowerLaw, STIFFNESS, check_power};
use crate::stiffness::Stiffness;
use crate::touch::Touch;

/// f_el(δ), where its stiffness comes from, and what it stores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ElasticPart {
    Power(PowerLaw),
    Line(Line),
}

impl ElasticPart {
    /// From a scene, checked.
    pub(super) fn from_args(law: &'static str, args: &Args) -> Result<ElasticPart, SpecError> {
        // the exponent of a point may be there as a default
        let powers =
            [args.number(STIFFNESS.name), args.number(EXPONENT.name).filter(|n| *n != HERTZ_EXPONENT)];
        let part = match Line::from_args(law, args)? {
            None => ElasticPart::Power(PowerLaw::from_args(args)),
            Some(_) if powers != [None, None] => {
                let what = "an `elastic` part for lines has its own stiffness and exponent: give none";
                return Err(SpecError::Conflict { kind: law, what });
            }
            Some(line) => ElasticPart::Line(line),
        };
        part.check(law).map(|()| part)
    }

    /// Whether what is given is in range and fits.
    pub(super) fn check(&self, law: &'static str) -> Result<(), SpecError> {
        match self {
            ElasticPart::Power(power) => check_power(law, power.stiffness, power.exponent),
            ElasticPart::Line(line) => line.check(law),
        }
    }

    /// Where the stiffness comes from.
    pub(super) fn source(&self) -> Stiffness {
        match self {
            ElasticPart::Power(power) => power.source(),
            ElasticPart::Line(line) => Stiffness::Line(*line),
        }
    }

    /// n of K δⁿ; 1 of a line, whose force is nearly linear.
    pub(super) fn exponent(&self) -> f64 {
        match self {
            ElasticPart::Power(power) => power.exponent,
            ElasticPart::Line(_) => 1.0,
        }
    }

    /// The same in this contact.
    pub(super) fn exponent_in(&self, touch: &Touch) -> f64 {
        match self {
            ElasticPart::Power(power) => power.exponent,
            ElasticPart::Line(_) => touch.line.n,
        }
    }

    /// The indentation below which it holds \[m\].
    pub(super) fn reach(&self, touch: &Touch) -> f64 {
        match self {
            ElasticPart::Power(_) => f64::INFINITY,
            ElasticPart::Line(line) => line.reach(touch),
        }
    }

    /// f_el \[N\].
    #[inline]
    pub(super) fn elastic<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        match self {
            ElasticPart::Power(power) => power.elastic(delta, S::from_f64(touch.stiffness)),
            ElasticPart::Line(line) => line.elastic(delta, touch),
        }
    }

    /// ∫ f_el dδ \[J\].
    pub(super) fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        match self {
            ElasticPart::Power(power) => power.energy(delta, touch),
            ElasticPart::Line(line) => line.energy(delta, touch),
        }
    }
}
