//! An actuator: a tension between points of two bodies, by the time and the state.
//!
//! The tension T draws the points together where it is positive and pushes them apart where it is negative: F = −T e
//! on A and T e on B, e the direction from B's point to A's.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | T | N | tension |
//! | l, l̇ | m, m/s | `length` and `rate` in its expression |
//! | −T l̇ | W | its power, which is work in the energy ledger |
//!
//! Checked: an oscillator on T = k (l − l0) + c l̇ against the spring of that kind.

use std::sync::Arc;

use carom_base::expression::{Expression, ExpressionError};
use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity};

use crate::error::BuildError;
use crate::force::by_state::{Acts, StateLoad};
use crate::force::{Acting, Force, ForceElement, ForceKind, Setting};

/// A tension [N] between points of two bodies, by an expression of the time and of the state, `length` [m] and `rate`
/// [m/s] among them.
///
/// ```
/// use carom::prelude::*;
/// let piston = Force::acting("boom", "frame", Actuator::new("-8e4*step(t, 0, 0, 0.2, 1) + 3e3*rate")?.into());
/// # let _ = piston;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    tension: Expression,
}

const TENSION: Param = Param::required(
    "tension",
    Quantity::Force,
    Allowed::Signal,
    "draws the points together; negative ones push them apart; `length` and `rate` are those of the line",
);

impl Actuator {
    pub(super) const ENTRY: Entry<Acting> = Entry {
        name: "actuator",
        summary: "a tension between points of two bodies, by the time and the state",
        params: &[TENSION],
        build: |args| {
            let given = args.expressions(TENSION.name).and_then(|all| all.first().cloned());
            let tension = given.unwrap_or_else(|| Expression::constant(0.0));
            Ok(Acting::new(Actuator { tension }))
        },
    };

    /// Creates an actuator whose tension [N] is given by an expression.
    pub fn new(tension: &str) -> Result<Actuator, ExpressionError> {
        Ok(Actuator { tension: Expression::parse(tension)? })
    }
}

impl From<Actuator> for Acting {
    fn from(actuator: Actuator) -> Acting {
        Acting::new(actuator)
    }
}

impl ForceKind for Actuator {
    fn kind(&self) -> &'static str {
        "actuator"
    }
    fn attachments(&self) -> &'static [&'static [&'static str]] {
        &[&["between", "[point_a]", "[point_b]"]]
    }
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        let subject = force.subject();
        let (bodies, points) = force.ends(setting.world)?;
        let names = setting.names(Some((bodies, points)));
        let from = setting.counts.switches;
        let [tension] =
            setting.signals(&names, &subject, TENSION.name, std::array::from_ref(&self.tension))?;
        let switches = from..setting.counts.switches;
        let acts = Acts::Line { points, tension };
        Ok(Arc::new(StateLoad::new(force.label(), &bodies, acts, setting.next_work(), switches)))
    }
}
