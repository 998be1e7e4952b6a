//! A motor: a force or couple along a coordinate that a joint leaves free, by the time and the state.
//!
//! The generalised force Q acts on the coordinate q: a positive one increases q. The first body of the joint gets Q
//! times the gradient of q, the second its opposite.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | Q | N m along an angle, N along a displacement | effort |
//! | Q q̇ | W | its power, which is work in the energy ledger |
//!
//! Checked: a pendulum under a spring and a damper written as a motor, against the elements of that kind; a motor with
//! a falling characteristic against its closed form.

use std::sync::Arc;

use carom_base::expression::{Expression, ExpressionError};
use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity};

use crate::coordinate::Coordinate;
use crate::error::{BuildError, Fault, Subject};
use crate::force::by_state::{Acts, StateLoad};
use crate::force::element::{of_joint, points_of};
use crate::force::{Acting, Force, ForceElement, ForceKind, Setting};
use crate::joint::ConstraintSet;

/// A force [N] or couple [N m] along a coordinate of a joint, by an expression of the time and of the state.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0; 3]).body(Body::new("rotor").mass(1.0).inertia([2.0; 3])).body(Body::fixed("ground"));
/// builder.joint(Joint::between("rotor", "ground", Revolute).named("shaft").at([0.0; 3]).axis([0.0, 0.0, 1.0]));
/// builder.force(Force::motor("shaft", Motor::new("3 - 0.5*shaft.rate")?)); // M₀ − c ω
/// let run = Simulation::new(&builder.build()?).duration(4.0).run()?;
/// let w = 3.0 / 0.5 * (1.0 - (-0.5f64 * 4.0 / 2.0).exp());
/// assert!((run.end.body("rotor").unwrap().angular_velocity.z - w).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    effort: Expression,
    coordinate: Option<String>,
}

const TORQUE: Param = Param::optional(
    "torque",
    Quantity::Torque,
    Allowed::Signal,
    "given by `force`",
    "couple along the angle; positive ones increase it",
);
const FORCE: Param = Param::optional(
    "force",
    Quantity::Force,
    Allowed::Signal,
    "given by `torque`",
    "force along the displacement; positive ones increase it",
);
const COORDINATE: Param = Param::optional_word(
    "coordinate",
    Coordinate::FREE,
    "`angle` with `torque`, `displacement` with `force`",
    "which of the joint's coordinates",
);

impl Motor {
    pub(super) const ENTRY: Entry<Acting> = Entry {
        name: "motor",
        summary: "a couple or a force along a coordinate that a joint leaves free, by the time and the state",
        params: &[TORQUE, FORCE, COORDINATE],
        build: |args| {
            let given = |p: &Param| args.expressions(p.name).and_then(|all| all.first().cloned());
            let (effort, usual) = match (given(&TORQUE), given(&FORCE)) {
                (Some(torque), None) => (torque, Coordinate::ANGLE),
                (None, Some(force)) => (force, Coordinate::DISPLACEMENT),
                _ => return Err(one_effort()),
            };
            let coordinate = args.text(COORDINATE.name).unwrap_or(usual.names.name);
            Ok(Acting::new(Motor { effort, coordinate: Some(coordinate.to_owned()) }))
        },
    };

    /// Creates a motor whose force [N] or couple [N m] is given by an expression.
    pub fn new(effort: &str) -> Result<Motor, ExpressionError> {
        Ok(Motor { effort: Expression::parse(effort)?, coordinate: None })
    }

    /// Selects the coordinate; by default the first that the joint leaves free.
    pub fn along(mut self, coordinate: &str) -> Motor {
        self.coordinate = Some(coordinate.to_owned());
        self
    }
}

fn one_effort() -> carom_base::SpecError {
    carom_base::SpecError::Conflict { kind: "motor", what: "a motor has `torque` or `force`, one of them" }
}

/// Refuses a motor along a coordinate that a drive prescribes: it would move nothing.
fn not_driven(
    constraints: &ConstraintSet,
    subject: &Subject,
    joint: &str,
    coordinate: &str,
) -> Result<(), BuildError> {
    // (a driven speed is the rate of the only coordinate)
    let names = [coordinate, "speed"].map(|driven| format!("{joint}/{driven}"));
    let drive = constraints.list.iter().find(|c| c.is_driven() && names.contains(&c.name));
    drive.map_or(Ok(()), |drive| {
        let drive = Subject::Drive(format!("joint/{}", drive.name));
        let fault = Fault::Driven { joint: joint.to_owned(), coordinate: coordinate.to_owned(), drive };
        Err(subject.fails(Some("joint"), fault))
    })
}

impl From<Motor> for Acting {
    fn from(motor: Motor) -> Acting {
        Acting::new(motor)
    }
}

impl ForceKind for Motor {
    fn kind(&self) -> &'static str {
        "motor"
    }
    fn attachments(&self) -> &'static [&'static [&'static str]] {
        &[&["joint"]]
    }
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        let subject = force.subject();
        let joint = force.joint.as_deref().unwrap_or_default();
        let first = || {
            let constraint = setting.constraints.list.iter().find(|c| c.name == joint)?;
            Some(constraint.coordinates.first()?.0.names.name)
        };
        let coordinate = self.coordinate.as_deref().or_else(first).unwrap_or(Coordinate::ANGLE.names.name);
        let (bodies, measure) = of_joint(setting.constraints, &subject, "joint", joint, coordinate)?;
        not_driven(setting.constraints, &subject, joint, coordinate)?;
        let names = setting.names(None);
        let from = setting.counts.switches;
        let key = if measure.is_angle() { TORQUE.name } else { FORCE.name };
        let [effort] = setting.signals(&names, &subject, key, std::array::from_ref(&self.effort))?;
        let switches = from..setting.counts.switches;
        let acts = Acts::Along { measure, effort, points: points_of(setting.constraints, joint) };
        Ok(Arc::new(StateLoad::new(force.label(), &bodies, acts, setting.next_work(), switches)))
    }
}
