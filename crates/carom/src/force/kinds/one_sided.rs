//! A spring and a dashpot that act on one side of their rest only: a cable, which pulls; a bump stop, which pushes; and
//! likewise along an angle or a displacement.
//!
//! With the excess x = l − l0 (above) or x = l0 − l (below) and its rate ẋ:
//!
//! f = max(0, k x + c ẋ) where x > 0, 0 elsewhere;   E = ½ k x² where x > 0
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | f | N, N m | against the excess: the tension is f above, −f below |
//! | k | N/m, N m/rad | stiffness |
//! | c | N s/m, N m s/rad | damping; zero unless given |
//! | l0 | m, rad | slack length, or where the stop begins |
//! | E | J | stored energy |
//!
//! The dashpot never makes a cable push nor a stop pull. Where it would (a cable recoils faster than it can follow),
//! the energy that is still stored is dissipated as the excess vanishes. A damped cable that becomes taut at a speed
//! jumps to the force c ẋ. Both changes of branch are located.
//! Source: Hooke's spring and the linear dashpot, made one-sided. Valid at all lengths.
//! Checked: the closed form of a mass on a cable that goes slack; of a mass on a bump stop.

use std::sync::Arc;

use carom_base::elementary::powi;
use carom_base::expression::Side;
use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError};

use crate::coordinate::Coordinate;
use crate::force::{Acting, LineLaw, Tension};

/// A spring and a dashpot that act on one side of their rest only.
///
/// ```
/// use carom::{Line, OneSidedSpring};
/// let cable = OneSidedSpring::above(1000.0, 0.5)?.damping(10.0); // pulls where it is longer than 0.5 m
/// assert_eq!(cable.tension(0.4, 1.0).f, 0.0);
/// assert!((cable.tension(0.6, 1.0).f - 110.0).abs() < 1e-12); // [N]
/// assert_eq!(cable.tension(0.6, -20.0).f, 0.0); // it never pushes
/// # Ok::<(), carom::base::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneSidedSpring {
    stiffness: f64,
    damping: f64,
    rest: f64,
    above: bool,
}

const fn stiffness(quantity: Quantity) -> Param {
    Param::required("stiffness", quantity, Allowed::NotNegative, "stiffness k")
}

const fn damping(quantity: Quantity) -> Param {
    Param::default(
        "damping",
        quantity,
        Allowed::NotNegative,
        0.0,
        "damping c; it never turns the force around",
    )
}

const SLACK: Param =
    Param::required("slack_length", Quantity::Length, Allowed::NotNegative, "length above which it pulls l0");
const FREE: Param =
    Param::required("free_length", Quantity::Length, Allowed::NotNegative, "length below which it pushes l0");
const REST_ANGLE: Param = Param::default(
    "rest_angle",
    Quantity::Angle,
    Allowed::Finite,
    0.0,
    "angle at which it begins to act; 0 is as the bodies start, turns counted",
);
const REST: Param = Param::default(
    "rest_displacement",
    Quantity::Length,
    Allowed::Finite,
    0.0,
    "displacement at which it begins to act",
);
const SIDE: Param =
    Param::word("side", &["above", "below"], "above", "whether it acts above its rest, or below");
const DISPLACEMENT: &str = Coordinate::DISPLACEMENT.names.name;
const COORDINATE: Param =
    Param::word("coordinate", Coordinate::DISPLACEMENTS, DISPLACEMENT, "which of the joint's displacements");

impl OneSidedSpring {
    pub(super) const CABLE: Entry<Acting> = Entry {
        name: "cable",
        summary: "a spring and a dashpot that only pull: tension max(0, k (l − l0) + c dl/dt) above the slack length",
        params: &[stiffness(Quantity::LinearStiffness), damping(Quantity::LinearDamping), SLACK],
        build: |args| Ok(Acting::line(Arc::new(OneSidedSpring::build("cable", args, &SLACK, true)?))),
    };

    pub(super) const BUMP_STOP: Entry<Acting> = Entry {
        name: "bump-stop",
        summary: "a spring and a dashpot that only push: force max(0, k (l0 − l) − c dl/dt) below the free length",
        params: &[stiffness(Quantity::LinearStiffness), damping(Quantity::LinearDamping), FREE],
        build: |args| Ok(Acting::line(Arc::new(OneSidedSpring::build("bump-stop", args, &FREE, false)?))),
    };

    pub(super) const TORSION: Entry<Acting> = Entry {
        name: "one-sided-torsion",
        summary: "a spring and a dashpot about an axis that act on one side of an angle only",
        params: &[stiffness(Quantity::TorsionStiffness), damping(Quantity::TorsionDamping), REST_ANGLE, SIDE],
        build: |args| {
            let above = args.text(SIDE.name) != Some("below");
            let law = OneSidedSpring::build("one-sided-torsion", args, &REST_ANGLE, above)?;
            Ok(Acting::torsion(Arc::new(law)))
        },
    };

    pub(super) const SLIDE: Entry<Acting> = Entry {
        name: "one-sided-slide",
        summary: "a spring and a dashpot along a displacement of a joint that act on one side only",
        params: &[
            stiffness(Quantity::LinearStiffness),
            damping(Quantity::LinearDamping),
            REST,
            SIDE,
            COORDINATE,
        ],
        build: |args| {
            let above = args.text(SIDE.name) != Some("below");
            let law = Arc::new(OneSidedSpring::build("one-sided-slide", args, &REST, above)?);
            Ok(Acting::slide(law, args.text(COORDINATE.name).unwrap_or(DISPLACEMENT)))
        },
    };

    /// Creates a spring that acts above the rest only [m or rad], as a cable does; k ≥ 0 [N/m or N m/rad].
    pub fn above(stiffness: f64, rest: f64) -> Result<OneSidedSpring, SpecError> {
        OneSidedSpring { stiffness, damping: 0.0, rest, above: true }.checked("spring", SLACK.name)
    }

    /// Creates a spring that acts below the rest only [m or rad], as a bump stop does; k ≥ 0 [N/m or N m/rad].
    pub fn below(stiffness: f64, rest: f64) -> Result<OneSidedSpring, SpecError> {
        OneSidedSpring { stiffness, damping: 0.0, rest, above: false }.checked("spring", FREE.name)
    }

    /// Sets the damping c ≥ 0 [N s/m or N m s/rad]; [`LineLaw::check`] rejects another.
    pub const fn damping(mut self, damping: f64) -> OneSidedSpring {
        self.damping = damping;
        self
    }

    fn build(
        kind: &'static str,
        args: &Args,
        rest: &Param,
        above: bool,
    ) -> Result<OneSidedSpring, SpecError> {
        let number = |name: &str| args.number(name).unwrap_or_default();
        let law = OneSidedSpring {
            stiffness: number("stiffness"),
            damping: number("damping"),
            rest: number(rest.name),
            above,
        };
        law.checked(kind, rest.name)
    }

    fn checked(self, kind: &'static str, rest: &'static str) -> Result<OneSidedSpring, SpecError> {
        let values = [
            ("stiffness", Allowed::NotNegative, self.stiffness),
            ("damping", Allowed::NotNegative, self.damping),
            (rest, Allowed::Finite, self.rest),
        ];
        for (name, allowed, value) in values {
            if !allowed.number(value) {
                let (value, allowed) = (value.to_string(), allowed.to_string());
                return Err(SpecError::NotAllowed { kind, name, value, allowed });
            }
        }
        Ok(self)
    }

    /// Returns 1 above the rest, −1 below.
    fn sign(&self) -> f64 {
        if self.above { 1.0 } else { -1.0 }
    }

    /// Returns the excess and the force k x + c ẋ without its limit at zero.
    fn excess<S: Scalar>(&self, length: S, rate: S) -> (S, S) {
        let (sign, k, c) = (S::from_f64(self.sign()), S::from_f64(self.stiffness), S::from_f64(self.damping));
        let x = sign * (length - S::from_f64(self.rest));
        (x, k * x + c * sign * rate)
    }
}

impl LineLaw for OneSidedSpring {
    fn tension<S: Scalar>(&self, length: S, rate: S) -> Tension<S> {
        self.tension_on(length, rate, &[])
    }

    fn tension_on<S: Scalar>(&self, length: S, rate: S, sides: &[Side]) -> Tension<S> {
        let (x, f) = self.excess(length, rate);
        let is_on = |i: usize, value: S| match sides.get(i) {
            None | Some(Side::Free) => value.value() > 0.0,
            Some(side) => *side == Side::Positive,
        };
        let (zero, sign) = (S::from_f64(0.0), S::from_f64(self.sign()));
        let taut = is_on(0, x);
        // (without damping the force is limited by the excess alone)
        let f = if taut && (self.damping == 0.0 || is_on(1, f)) { sign * f } else { zero };
        let f_elastic = if taut { sign * S::from_f64(self.stiffness) * x } else { zero };
        Tension { f, f_elastic }
    }

    fn energy(&self, length: f64) -> f64 {
        0.5 * self.stiffness * powi(self.excess(length, 0.0).0.max(0.0), 2)
    }

    fn is_elastic(&self) -> bool {
        self.damping == 0.0
    }

    fn switches(&self) -> usize {
        if self.damping == 0.0 { 1 } else { 2 }
    }

    /// Returns the excess x, and (k x + c ẋ)/(k + c/s), a length of the size of x. (Without excess the second is of no
    /// matter but that it is continuous, also where the length of a slack cable passes zero and its rate jumps.)
    fn switch(&self, index: usize, length: f64, rate: f64) -> f64 {
        let (x, f) = self.excess(length, rate);
        match index {
            0 => x,
            _ if x <= 0.0 && self.above && self.rest > 0.0 => {
                self.damping * rate * (length / self.rest).abs() / (self.stiffness + self.damping)
            }
            _ if x <= 0.0 => self.damping * self.sign() * rate / (self.stiffness + self.damping),
            _ => f / (self.stiffness + self.damping),
        }
    }

    fn check(&self) -> Result<(), SpecError> {
        self.checked("spring", "rest").map(|_| ())
    }
}
