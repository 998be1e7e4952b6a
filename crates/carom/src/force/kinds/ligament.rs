//! A ligament: a fibre that only pulls, with a toe in which it stiffens, and a dashpot.
//!
//! With the strain ε = (l − l0)/l0:
//!
//! T = 0 for ε ≤ 0,   k ε²/(4 ε_l) for 0 < ε ≤ 2 ε_l,   k (ε − ε_l) above;   and c l̇ where ε > 0, at least −T
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | T | N | tension |
//! | k | N | stiffness: tension per unit of strain in the linear part |
//! | ε_l | 1 | half the strain at which the linear part begins; 0.03 unless given |
//! | l0 | m | slack length |
//! | c | N s/m | damping; zero unless given |
//!
//! Source: L. Blankevoort, R. Huiskes, J. Biomech. Eng. 113 (1991) 263–269, Eq. 1; J. Wismans et al., J. Biomech. 13
//! (1980) 677–685. Valid for single fibres without creep.
//! Checked: tension and energy at both ends of the toe, by hand; an oscillation against an independent integration.

use std::sync::Arc;

use carom_base::expression::Side;
use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity, Scalar, SpecError};

use crate::force::{Acting, LineLaw, Tension};

/// A fibre that only pulls, with a quadratic toe and a linear part.
///
/// ```
/// use carom::{Ligament, Line};
/// let acl = Ligament::new(5000.0, 0.03)?; // 5 kN per unit of strain, slack length 30 mm, ε_l = 0.03
/// assert_eq!(acl.tension(0.029, 0.0).f, 0.0);
/// assert!((acl.tension(0.03 * 1.06, 0.0).f - 5000.0 * 0.03).abs() < 1e-9); // end of the toe
/// # Ok::<(), carom::base::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ligament {
    stiffness: f64,
    slack: f64,
    toe: f64,
    damping: f64,
}

const NAME: &str = "ligament";
const STIFFNESS: Param = Param::required(
    "stiffness",
    Quantity::Force,
    Allowed::NotNegative,
    "tension per unit of strain in the linear part k",
);
const SLACK: Param =
    Param::required("slack_length", Quantity::Length, Allowed::Positive, "length above which it pulls l0");
const TOE: Param = Param::default(
    "toe_strain",
    Quantity::Number,
    Allowed::Positive,
    0.03,
    "half the strain at which the linear part begins",
);
const DAMPING: Param = Param::default(
    "damping",
    Quantity::LinearDamping,
    Allowed::NotNegative,
    0.0,
    "damping c, where it is taut; it never makes the ligament push",
);

impl Ligament {
    pub(super) const ENTRY: Entry<Acting> = Entry {
        name: NAME,
        summary: "a fibre that only pulls: quadratic in the strain up to twice the toe strain, then linear",
        params: &[STIFFNESS, SLACK, TOE, DAMPING],
        build: |args| {
            let number = |p: &Param| args.number(p.name).unwrap_or_default();
            let [stiffness, slack, toe, damping] = [&STIFFNESS, &SLACK, &TOE, &DAMPING].map(number);
            Ok(Acting::line(Arc::new(Ligament { stiffness, slack, toe, damping }.checked()?)))
        },
    };

    /// Creates a ligament with k ≥ 0 [N] and l0 > 0 [m], a toe strain of 0.03 and no damping.
    pub fn new(stiffness: f64, slack_length: f64) -> Result<Ligament, SpecError> {
        Ligament { stiffness, slack: slack_length, toe: 0.03, damping: 0.0 }.checked()
    }

    /// Sets the toe strain ε_l > 0; [`LineLaw::check`] rejects another.
    pub const fn toe_strain(mut self, toe: f64) -> Ligament {
        self.toe = toe;
        self
    }

    /// Sets the damping c ≥ 0 [N s/m]; [`LineLaw::check`] rejects another.
    pub const fn damping(mut self, damping: f64) -> Ligament {
        self.damping = damping;
        self
    }

    fn checked(self) -> Result<Ligament, SpecError> {
        let values =
            [(&STIFFNESS, self.stiffness), (&SLACK, self.slack), (&TOE, self.toe), (&DAMPING, self.damping)];
        for (param, value) in values {
            if !param.allowed.number(value) {
                let (value, allowed) = (value.to_string(), param.allowed.to_string());
                return Err(SpecError::NotAllowed { kind: NAME, name: param.name, value, allowed });
            }
        }
        Ok(self)
    }

    fn strain<S: Scalar>(&self, length: S) -> S {
        (length - S::from_f64(self.slack)) / S::from_f64(self.slack)
    }
}

impl LineLaw for Ligament {
    fn tension<S: Scalar>(&self, length: S, rate: S) -> Tension<S> {
        self.tension_on(length, rate, &[])
    }

    fn tension_on<S: Scalar>(&self, length: S, rate: S, sides: &[Side]) -> Tension<S> {
        let is_on = |i: usize, value: S| match sides.get(i) {
            None | Some(Side::Free) => value.value() > 0.0,
            Some(side) => *side == Side::Positive,
        };
        let (strain, zero, toe) = (self.strain(length), S::from_f64(0.0), S::from_f64(self.toe));
        if !is_on(0, strain) {
            return Tension { f: zero, f_elastic: zero };
        }
        let k = S::from_f64(self.stiffness);
        // Blankevoort and Huiskes (1991), Eq. 1
        let f_elastic = match is_on(1, strain - toe - toe) {
            true => k * (strain - toe),
            false => k * strain * strain / (S::from_f64(4.0) * toe),
        };
        let f = f_elastic + S::from_f64(self.damping) * rate;
        Tension { f: if self.damping == 0.0 || is_on(2, f) { f } else { zero }, f_elastic }
    }

    fn energy(&self, length: f64) -> f64 {
        let (strain, toe) = (self.strain(length).max(0.0), self.toe);
        let in_toe = strain.min(2.0 * toe);
        let beyond = strain - in_toe;
        let scale = self.stiffness * self.slack;
        scale * (in_toe * in_toe * in_toe / (12.0 * toe) + beyond * (toe + 0.5 * beyond))
    }

    fn is_elastic(&self) -> bool {
        self.damping == 0.0
    }

    fn switches(&self) -> usize {
        if self.damping == 0.0 { 2 } else { 3 }
    }

    fn switch(&self, index: usize, length: f64, rate: f64) -> f64 {
        let strain = self.strain(length);
        match index {
            0 => length - self.slack,
            1 => self.slack * (strain - 2.0 * self.toe),
            _ => {
                // the tension with its dashpot, as a length; without tension it is of no matter but that it is continuous, also
                // where the length passes zero and its rate jumps
                let elastic = LineLaw::tension(self, length.max(self.slack), 0.0).f_elastic;
                let f = elastic + self.damping * rate * (length / self.slack).min(1.0);
                f / (self.stiffness / self.slack + self.damping)
            }
        }
    }

    fn check(&self) -> Result<(), SpecError> {
        self.checked().map(|_| ())
    }
}
