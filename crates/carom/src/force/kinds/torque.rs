//! A constant couple between two bodies: M on A, −M on B, constant in the world frame however the bodies move.
//!
//! P = M·(ω_a − ω_b)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | M | N m | couple on A, world frame |
//! | P | W | its power, which is work of the motor |
//!
//! It models a motor whose axis keeps its direction. It has no potential (rotations about several axes do not add
//! up), so its work is kept in the energy ledger.
//! Checked: the seven-body mechanism of Andrews; the angular velocity M t/I of a wheel.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity, Vec3};
use carom_ode::Jacobian;

use crate::error::BuildError;
use crate::force::{Acting, ActionSite, Force, ForceElement, ForceKind, ForceOutput, Integrals, Setting};
use crate::loads::{Loads, add, twist};
use crate::record::ForceRecord;
use crate::world::World;

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
            Ok(Acting::new(Torque { torque }))
        },
    };
}

impl ForceKind for Torque {
    fn kind(&self) -> &'static str {
        "torque"
    }
    fn attachments(&self) -> &'static [&'static [&'static str]] {
        &[&["between"]]
    }
    fn is_couple(&self) -> bool {
        true
    }
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        let name = force.label();
        let bodies = force.bodies(setting.world)?;
        let torque = self.torque.into();
        force.subject().finite("torque", &torque)?;
        Ok(Arc::new(Couple { name, bodies, torque }))
    }
}

/// A constant couple in a model.
#[derive(Clone, Debug)]
struct Couple {
    name: String,
    /// A and B
    bodies: [usize; 2],
    /// on A [N m]
    torque: Vec3,
}

impl ForceElement for Couple {
    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> &[usize] {
        &self.bodies
    }

    fn linked(&self) -> &[usize] {
        &[]
    }

    fn oriented(&self) -> Vec<usize> {
        Vec::new()
    }

    fn is_couple(&self) -> bool {
        true
    }

    fn integrals(&self, _: &World) -> Integrals {
        Integrals { work: true, ..Integrals::default() }
    }

    fn load(
        &self,
        world: &World,
        loads: &mut Loads,
        _: f64,
        integrals: &mut [f64],
    ) -> Result<(), &'static str> {
        let [w_a, w_b] = self.bodies.map(|body| loads.body(body).w);
        add(integrals, world.quadratures.work, self.torque.dot(&(w_a - w_b)));
        twist(world, loads, integrals, self.bodies, self.torque);
        Ok(())
    }

    /// Loads the bodies; the couple depends on no state, so it adds nothing to the Jacobian.
    fn linearise(&self, _: &World, loads: &mut Loads, _: f64, _: &[f64], _: &mut Jacobian) -> bool {
        let [a, b] = self.bodies;
        loads.twist(a, &self.torque);
        loads.twist(b, &-self.torque);
        true
    }

    fn record(&self, _: &World, loads: &Loads, _: f64, _: &[f64]) -> Option<ForceOutput> {
        let [w_a, w_b] = self.bodies.map(|body| loads.body(body).w);
        let (couple, power) = (self.torque, self.torque.dot(&(w_a - w_b)));
        Some(ForceOutput::Force(ForceRecord { couple, power, ..ForceRecord::default() }))
    }

    fn site(&self) -> Option<ActionSite> {
        Some(ActionSite { bodies: self.bodies, points: [Vec3::zeros(); 2], bushing: None })
    }

    fn add_amounts(&self, _: &World, _: &Loads, _: &mut [f64]) {}
}
