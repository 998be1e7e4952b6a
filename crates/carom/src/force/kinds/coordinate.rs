//! A linear spring and a linear dashpot along a coordinate: an angle (`torsion-spring`) or a displacement (`slide-spring`).
//!
//! Q = k (q − q0) + c q̇, E = ½ k (q − q0)²
//!
//! | symbol | unit of an angle, of a displacement | meaning |
//! |---|---|---|
//! | Q | N m, N | acts against the coordinate: the generalised force on q is −Q |
//! | q, q̇ | rad, rad/s; m, m/s | the coordinate, full turns counted, and its rate |
//! | k | N m/rad, N/m | stiffness |
//! | c | N m s/rad, N s/m | damping; zero unless given |
//! | q0 | rad, m | where the spring exerts no force; 0, the value at the start, unless given |
//! | E | J | stored energy |
//!
//! Source: Hooke's spring and the linear dashpot. Valid at all values of the coordinate.
//! Checked: the torsion pendulum and the oscillator, damped and not; a spring wound up by five turns.

use std::sync::Arc;

use carom_base::elementary::powi;
use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError};

use crate::coordinate::Coordinate;
use crate::force::{Acting, LineLaw, Tension};

/// Q = k (q − q0) + c q̇ along an angle or a displacement.
///
/// ```
/// use carom::{CoordinateSpring, Line};
/// let law = CoordinateSpring::new(20.0)?.damping(3.0).rest(-0.5);
/// assert!((law.tension(0.5, -2.0).f - 14.0).abs() < 1e-14); // [N m]
/// # Ok::<(), carom::base::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoordinateSpring {
    stiffness: f64,
    damping: f64,
    rest: f64,
}

const TORSION: &str = "torsion-spring";
const SLIDE: &str = "slide-spring";

const fn stiffness(quantity: Quantity) -> Param {
    Param::required("stiffness", quantity, Allowed::NotNegative, "stiffness of the spring k")
}

const fn damping(quantity: Quantity) -> Param {
    Param::default("damping", quantity, Allowed::NotNegative, 0.0, "damping of the dashpot c")
}

const REST_ANGLE: Param = Param::default(
    "rest_angle",
    Quantity::Angle,
    Allowed::Finite,
    0.0,
    "angle at which the spring is slack; 0 is as the bodies start, a turn more is another angle",
);
const REST: Param = Param::default(
    "rest_displacement",
    Quantity::Length,
    Allowed::Finite,
    0.0,
    "displacement at which the spring is slack",
);
/// The coordinate that it acts along unless another is named.
const DISPLACEMENT: &str = Coordinate::DISPLACEMENT.names.name;
const COORDINATE: Param =
    Param::word("coordinate", Coordinate::DISPLACEMENTS, DISPLACEMENT, "which of the joint's displacements");

impl CoordinateSpring {
    pub(super) const TORSION: Entry<Acting> = Entry {
        name: TORSION,
        summary: "a spring and a dashpot about an axis: couple k (θ − θ0) + c dθ/dt, turns counted",
        params: &[stiffness(Quantity::TorsionStiffness), damping(Quantity::TorsionDamping), REST_ANGLE],
        build: |args| Ok(Acting::torsion(Arc::new(CoordinateSpring::build(TORSION, args, &REST_ANGLE)?))),
    };

    pub(super) const SLIDE: Entry<Acting> = Entry {
        name: SLIDE,
        summary: "a spring and a dashpot along a displacement that a joint leaves free: k (s − s0) + c ds/dt",
        params: &[stiffness(Quantity::LinearStiffness), damping(Quantity::LinearDamping), REST, COORDINATE],
        build: |args| {
            let law = Arc::new(CoordinateSpring::build(SLIDE, args, &REST)?);
            Ok(Acting::slide(law, args.text(COORDINATE.name).unwrap_or(DISPLACEMENT)))
        },
    };

    /// Creates a spring with k ≥ 0 [N m/rad or N/m], without damping, that exerts no force at q = 0, the value at the
    /// start; fails for another k.
    pub fn new(stiffness: f64) -> Result<CoordinateSpring, SpecError> {
        let law = CoordinateSpring { stiffness, damping: 0.0, rest: 0.0 };
        law.check_values("spring", REST.name)?;
        Ok(law)
    }

    /// Sets the damping c ≥ 0 [N m s/rad or N s/m]; [`LineLaw::check`] rejects another.
    pub const fn damping(mut self, damping: f64) -> CoordinateSpring {
        self.damping = damping;
        self
    }

    /// Sets q0, where the spring exerts no force [rad or m].
    pub const fn rest(mut self, rest: f64) -> CoordinateSpring {
        self.rest = rest;
        self
    }

    fn build(kind: &'static str, args: &Args, rest: &Param) -> Result<CoordinateSpring, SpecError> {
        let number = |name: &str| args.number(name).unwrap_or_default();
        let law = CoordinateSpring {
            stiffness: number("stiffness"),
            damping: number("damping"),
            rest: number(rest.name),
        };
        law.check_values(kind, rest.name)?;
        Ok(law)
    }

    fn check_values(&self, kind: &'static str, rest: &'static str) -> Result<(), SpecError> {
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
        Ok(())
    }
}

impl LineLaw for CoordinateSpring {
    fn tension<S: Scalar>(&self, q: S, rate: S) -> Tension<S> {
        let f_elastic = S::from_f64(self.stiffness) * (q - S::from_f64(self.rest));
        Tension { f: f_elastic + S::from_f64(self.damping) * rate, f_elastic }
    }

    fn energy(&self, q: f64) -> f64 {
        0.5 * self.stiffness * powi(q - self.rest, 2)
    }

    fn is_elastic(&self) -> bool {
        self.damping == 0.0
    }

    fn check(&self) -> Result<(), SpecError> {
        self.check_values("spring", REST.name)
    }
}
