//! A constant external force and a constant external couple on a body.
//!
//! F acts at a point of the body, with a couple M. Both are constant in the axes of the world, or in those of the
//! body: then they turn with it.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | force |
//! | M | N m | couple |
//!
//! Their power counts as work in the energy ledger: a force that turns with its body has no potential.
//! Checked: the velocity F t/m under a thrust, M t/I under a couple; a rocket that turns at a constant rate flies on
//! a circle of radius F/(m ω²).

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, Vec3};

use crate::error::BuildError;
use crate::force::on_body::{ATTACHMENT, LoadFormula, OnBody};
use crate::force::{Acting, Force, ForceElement, ForceKind, Setting};
use crate::joint::Moving;
use crate::slopes::Load;

/// A constant force [N] and a constant couple [N m] on a body.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0; 3]).body(Body::new("sled").mass(2.0).inertia([1.0; 3]));
/// builder.force(Force::on("sled", ConstantLoad::force([6.0, 0.0, 0.0])));
/// let run = Simulation::new(&builder.build()?).duration(4.0).run()?;
/// assert!((run.end.body("sled").unwrap().velocity.x - 6.0 * 4.0 / 2.0).abs() < 1e-9); // F t/m
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantLoad {
    force: Vec3,
    torque: Vec3,
    turns: bool,
}

const FORCE: Param = Param::optional("force", Quantity::Force, Allowed::Finite, "none", "force").array(3);
const TORQUE: Param = Param::optional("torque", Quantity::Torque, Allowed::Finite, "none", "couple").array(3);
const AXES: Param = Param::word("axes", &["world", "body"], "world", "whose axes force and couple are in");

impl ConstantLoad {
    pub(super) const ENTRY: Entry<Acting> = Entry {
        name: "constant",
        summary: "a constant force and couple on a body, from outside",
        params: &[FORCE, TORQUE, AXES],
        build: |args| Ok(Acting::new(ConstantLoad::build(args))),
    };

    /// Creates a force [N], in the axes of the world.
    pub fn force(force: [f64; 3]) -> ConstantLoad {
        ConstantLoad { force: force.into(), torque: Vec3::zeros(), turns: false }
    }

    /// Adds a couple [N m].
    pub fn torque(mut self, torque: [f64; 3]) -> ConstantLoad {
        self.torque = torque.into();
        self
    }

    /// Makes force and couple constant in the axes of the body: both turn with it.
    pub fn turning_with_body(mut self) -> ConstantLoad {
        self.turns = true;
        self
    }

    fn build(args: &Args) -> ConstantLoad {
        let vector = |p: &Param| args.numbers(p.name).and_then(|x| x.try_into().ok()).unwrap_or([0.0; 3]);
        let load = ConstantLoad::force(vector(&FORCE)).torque(vector(&TORQUE));
        if args.text(AXES.name) == Some("body") { load.turning_with_body() } else { load }
    }
}

impl From<ConstantLoad> for Acting {
    fn from(load: ConstantLoad) -> Acting {
        Acting::new(load)
    }
}

impl ForceKind for ConstantLoad {
    fn kind(&self) -> &'static str {
        "constant"
    }
    fn attachments(&self) -> &'static [&'static [&'static str]] {
        ATTACHMENT
    }
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        let subject = force.subject();
        subject.finite("force", &self.force)?;
        subject.finite("torque", &self.torque)?;
        OnBody::install(setting.world, force, |point| AtPoint { point, load: *self })
    }
}

/// The load at a point, given from the centre of mass, in the body's axes.
#[derive(Debug)]
struct AtPoint {
    point: Vec3,
    load: ConstantLoad,
}

impl LoadFormula for AtPoint {
    fn load<S: Scalar>(&self, _: f64, body: &Moving<S>) -> Load<S> {
        let number = |v: &Vec3| v.map(S::from_f64);
        let in_world = |v: &Vec3| if self.load.turns { body.r * number(v) } else { number(v) };
        Load::at(&(body.r * number(&self.point)), &in_world(&self.load.force), &in_world(&self.load.torque))
    }
}
