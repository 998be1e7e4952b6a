//! A linear spring and a linear dashpot in parallel.
//!
//! T = k (l − l0) + c l̇, E = ½ k (l − l0)²
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | T | N | tension |
//! | l, l̇ | m, m/s | length and its rate |
//! | k | N/m | stiffness |
//! | c | N s/m | damping; zero unless given |
//! | l0 | m | length of the spring without tension |
//! | E | J | stored energy |
//!
//! Source: Hooke's spring and the linear dashpot. Valid at all lengths but zero: there the line has no direction and no force.
//! Checked: the closed form of the damped oscillator; a pendulum on a spring, by its energy ledger.

use std::sync::Arc;

use carom_base::elementary::powi;
use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError};

use crate::force::{Acting, LineLaw, Tension};

/// T = k (l − l0) + c l̇.
///
/// ```
/// use carom::{Line, SpringDamper};
/// let law = SpringDamper::new(100.0, 0.2)?.damping(3.0);
/// assert!((law.tension(0.25, -1.0).f - 2.0).abs() < 1e-14); // [N]
/// # Ok::<(), carom::base::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringDamper {
    stiffness: f64,
    damping: f64,
    rest_length: f64,
}

const NAME: &str = "spring-damper";

const STIFFNESS: Param = Param::required(
    "stiffness",
    Quantity::LinearStiffness,
    Allowed::NotNegative,
    "stiffness of the spring k",
);
const DAMPING: Param =
    Param::default("damping", Quantity::LinearDamping, Allowed::NotNegative, 0.0, "damping of the dashpot c");
const REST_LENGTH: Param = Param::required(
    "rest_length",
    Quantity::Length,
    Allowed::NotNegative,
    "length of the spring without tension l0",
);

impl SpringDamper {
    pub(super) const ENTRY: Entry<Acting> = Entry {
        name: NAME,
        summary: "a spring and a dashpot: tension k (l − l0) + c dl/dt",
        params: &[STIFFNESS, DAMPING, REST_LENGTH],
        build: |args| Ok(Acting::line(Arc::new(SpringDamper::build(args)?))),
    };

    /// Creates a spring with k [N/m] ≥ 0 and l0 [m] ≥ 0, without damping; fails for other values.
    pub fn new(stiffness: f64, rest_length: f64) -> Result<SpringDamper, SpecError> {
        let law = SpringDamper { stiffness, damping: 0.0, rest_length };
        law.check_values()?;
        Ok(law)
    }

    /// Sets the damping c [N s/m] ≥ 0; [`LineLaw::check`] rejects another.
    pub const fn damping(mut self, damping: f64) -> SpringDamper {
        self.damping = damping;
        self
    }

    fn build(args: &Args) -> Result<SpringDamper, SpecError> {
        let number = |p: &Param| args.number(p.name).unwrap_or_default();
        let law = SpringDamper::new(number(&STIFFNESS), number(&REST_LENGTH))?.damping(number(&DAMPING));
        law.check_values()?;
        Ok(law)
    }

    fn check_values(&self) -> Result<(), SpecError> {
        let values =
            [(&STIFFNESS, self.stiffness), (&DAMPING, self.damping), (&REST_LENGTH, self.rest_length)];
        for (param, value) in values {
            if !param.allowed.number(value) {
                let (value, allowed) = (value.to_string(), param.allowed.to_string());
                return Err(SpecError::NotAllowed { kind: NAME, name: param.name, value, allowed });
            }
        }
        Ok(())
    }
}

impl LineLaw for SpringDamper {
    fn tension<S: Scalar>(&self, length: S, rate: S) -> Tension<S> {
        let f_elastic = S::from_f64(self.stiffness) * (length - S::from_f64(self.rest_length));
        Tension { f: f_elastic + S::from_f64(self.damping) * rate, f_elastic }
    }

    fn energy(&self, length: f64) -> f64 {
        0.5 * self.stiffness * powi(length - self.rest_length, 2)
    }

    fn is_elastic(&self) -> bool {
        self.damping == 0.0
    }

    fn check(&self) -> Result<(), SpecError> {
        self.check_values()
    }
}
