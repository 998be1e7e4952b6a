//! A constant couple between two bodies: M on A, −M on B, the same in the world frame whatever they do.
//!
//! P = M·(ω_a − ω_b)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | M | N m | couple on A, world frame |
//! | P | W | its power, work of whoever drives |
//!
//! A motor whose axis keeps its direction. It has no potential (turns about several axes do not add up), so that its work is in the ledger.
//! Checked: the seven-body mechanism of Andrews; a wheel by M t/I.

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity, Vec3};

use super::{Acting, Force};
use crate::build::finite;
use crate::error::BuildError;
use crate::model::Model;

/// A constant couple on the first body, world frame; its opposite on the second.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0; 3]).body(Body::new("wheel").mass(1.0).inertia([2.0; 3])).body(Body::fixed("ground"));
/// builder.force(Force::torque("wheel", "ground", [0.0, 0.0, 3.0]));
/// let run = Simulation::new(&builder.build()?).duration(4.0).run()?;
/// assert!((run.end.body("wheel").unwrap().angular_velocity.z - 3.0 * 4.0 / 2.0).abs() < 1e-9); // M t/I
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torque {
    /// on the first body [N m]
    pub torque: [f64; 3],
}

const TORQUE: Param =
    Param::required("torque", Quantity::Torque, Allowed::Finite, "couple on the first body, world frame")
        .array(3);

impl Torque {
    pub(super) const ENTRY: Entry<Acting> = Entry {
        name: "torque",
        summary: "a constant couple on the first body, and its opposite on the second",
        params: &[TORQUE],
        build: |args| {
            let torque = args.numbers(TORQUE.name).and_then(|x| x.try_into().ok()).unwrap_or_default();
            Ok(Acting::Torque(Torque { torque }))
        },
    };
}

/// A couple in a model.
#[derive(Clone, Debug)]
pub(crate) struct Couple {
    pub(crate) name: String,
    /// A and B
    pub(crate) bodies: [usize; 2],
    /// on A [N m]
    pub(crate) torque: Vec3,
}

impl Couple {
    /// The couple of a model whose bodies are there.
    pub(crate) fn new(m: &Model, force: &Force, law: &Torque) -> Result<Couple, BuildError> {
        let name = force.label();
        let place = format!("force `{name}`");
        let bodies = force.bodies(m, &place)?;
        let torque = law.torque.into();
        finite(&place, "torque", &torque)?;
        Ok(Couple { name, bodies, torque })
    }
}
