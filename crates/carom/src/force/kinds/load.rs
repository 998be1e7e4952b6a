//! A force and a couple on a body from outside, constant or by expressions of the time and of the state.
//!
//! F acts at a point of the body, with a couple M, in the axes of the world or in those of the body: then they turn
//! with it.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | force |
//! | M | N m | couple |
//!
//! Expressions may use the time `t`, positions and velocities of bodies (`ball.x`, `ball.vx`, `ball.wz`), and
//! coordinates of joints with their rates (`hinge.angle`, `hinge.rate`). The power counts as work in the energy
//! ledger: a force by the state has in general no potential.
//! Checked: the velocity F t/m under a thrust, M t/I under a couple; a rocket that turns at a constant rate flies on
//! a circle of radius F/(m ω²); an oscillator on a force −k x − c ẋ; the central force of Kepler's ellipse.

use std::sync::Arc;

use carom_base::expression::{Expression, ExpressionError};
use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, SpecError};

use crate::error::BuildError;
use crate::force::by_state::{Acts, StateLoad};
use crate::force::on_body::{ATTACHMENT, attachment};
use crate::force::{Acting, Force, ForceElement, ForceKind, Setting};

/// A force [N] and a couple [N m] on a body from outside.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0; 3]).body(Body::new("sled").mass(2.0).inertia([1.0; 3]));
/// builder.force(Force::on("sled", ExternalLoad::force([6.0, 0.0, 0.0])).named("thrust"));
/// builder.force(Force::on("sled", ExternalLoad::default().force_by(["-1.5*sled.vx", "0", "0"])?).named("brake"));
/// let run = Simulation::new(&builder.build()?).duration(4.0).run()?;
/// let v = 6.0 / 1.5 * (1.0 - (-1.5f64 * 4.0 / 2.0).exp()); // F/c (1 − e^(−c t/m))
/// assert!((run.end.body("sled").unwrap().velocity.x - v).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalLoad {
    force: [Expression; 3],
    torque: [Expression; 3],
    turns: bool,
}

const FORCE: Param = Param::optional("force", Quantity::Force, Allowed::Signal, "none", "force").array(3);
const TORQUE: Param = Param::optional("torque", Quantity::Torque, Allowed::Signal, "none", "couple").array(3);
const AXES: Param = Param::word("axes", &["world", "body"], "world", "whose axes force and couple are in");

impl Default for ExternalLoad {
    fn default() -> ExternalLoad {
        ExternalLoad::force([0.0; 3])
    }
}

impl ExternalLoad {
    pub(super) const ENTRY: Entry<Acting> = Entry {
        name: "load",
        summary: "a force and a couple on a body from outside: constant, or by the time and the state",
        params: &[FORCE, TORQUE, AXES],
        build: |args| match (args.expressions(FORCE.name), args.expressions(TORQUE.name)) {
            (None, None) => {
                Err(SpecError::Conflict { kind: "load", what: "a load needs a `force`, a `torque`, or both" })
            }
            _ => Ok(Acting::new(ExternalLoad::build(args))),
        },
    };

    /// Creates a constant force [N], in the axes of the world.
    pub fn force(force: [f64; 3]) -> ExternalLoad {
        let constants = |v: [f64; 3]| v.map(Expression::constant);
        ExternalLoad { force: constants(force), torque: constants([0.0; 3]), turns: false }
    }

    /// Sets a constant couple [N m].
    pub fn torque(mut self, torque: [f64; 3]) -> ExternalLoad {
        self.torque = torque.map(Expression::constant);
        self
    }

    /// Sets the components of the force [N] by expressions of the time and of the state.
    pub fn force_by(mut self, force: [&str; 3]) -> Result<ExternalLoad, ExpressionError> {
        self.force = parsed(force)?;
        Ok(self)
    }

    /// Sets the components of the couple [N m] by expressions of the time and of the state.
    pub fn torque_by(mut self, torque: [&str; 3]) -> Result<ExternalLoad, ExpressionError> {
        self.torque = parsed(torque)?;
        Ok(self)
    }

    /// Takes the components of force and couple in the axes of the body: both turn with it.
    pub fn turning_with_body(mut self) -> ExternalLoad {
        self.turns = true;
        self
    }

    fn build(args: &Args) -> ExternalLoad {
        let mut load = ExternalLoad::default();
        let given = |p: &Param| {
            args.expressions(p.name).and_then(|all| <[Expression; 3]>::try_from(all.to_vec()).ok())
        };
        if let Some(force) = given(&FORCE) {
            load.force = force;
        }
        if let Some(torque) = given(&TORQUE) {
            load.torque = torque;
        }
        load.turns = args.text(AXES.name) == Some("body");
        load
    }
}

fn parsed(texts: [&str; 3]) -> Result<[Expression; 3], ExpressionError> {
    let [x, y, z] = texts.map(Expression::parse);
    Ok([x?, y?, z?])
}

impl From<ExternalLoad> for Acting {
    fn from(load: ExternalLoad) -> Acting {
        Acting::new(load)
    }
}

impl ForceKind for ExternalLoad {
    fn kind(&self) -> &'static str {
        "load"
    }
    fn attachments(&self) -> &'static [&'static [&'static str]] {
        ATTACHMENT
    }
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        let (name, body, point) = attachment(setting.world, force)?;
        let names = setting.names(None);
        let from = setting.counts.switches;
        let subject = force.subject();
        let force = Box::new(setting.signals(&names, &subject, FORCE.name, &self.force)?);
        let torque = Box::new(setting.signals(&names, &subject, TORQUE.name, &self.torque)?);
        let acts = Acts::OnBody { point, turns: self.turns, force, torque };
        let switches = from..setting.counts.switches;
        Ok(Arc::new(StateLoad::new(name, &[body], acts, setting.next_work(), switches)))
    }
}
