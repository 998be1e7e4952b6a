//! What a model asks of whatever acts on its bodies besides contacts and joints.

use std::fmt::Debug;

use carom_base::Vec3;
use carom_ode::Jacobian;

use super::Nearby;
use crate::loads::Loads;
use crate::record::Energy;
use crate::world::World;

/// A force element of a model: it loads bodies, and says what it stores and dissipates.
///
/// The bodies are where the loads have them. What acts between bodies is equal and opposite, at one point.
pub(crate) trait ForceElement: Debug + Send + Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// The bodies that it loads.
    fn bodies(&self) -> &[usize];

    /// The bodies whose states change its loads on one another.
    fn linked(&self) -> &[usize] {
        self.bodies()
    }

    /// The bodies whose orientation matters to it.
    fn oriented(&self) -> Vec<usize> {
        self.bodies().to_vec()
    }

    /// Whether it turns bodies only, so that they fly as if it were not there.
    fn is_couple(&self) -> bool {
        false
    }

    /// Whether it acts from outside: on a body, and its opposite on none.
    fn is_from_outside(&self) -> bool {
        false
    }

    /// The integrals of the energy ledger that it adds to.
    fn integrals(&self, world: &World) -> Integrals;

    /// Loads its bodies at time t [s], and adds what it dissipates and what others do by it to the integrands of the ledger. Fails with the reason.
    fn load(
        &self,
        world: &World,
        loads: &mut Loads,
        t: f64,
        integrals: &mut [f64],
    ) -> Result<(), &'static str>;

    /// Adds the energy that it stores.
    fn store(&self, world: &World, loads: &Loads, t: f64, energy: &mut Energy) {
        let _ = (world, loads, t, energy);
    }

    /// Adds the derivatives of the accelerations that it causes to the Jacobian, and loads its bodies. `false`: it has none here.
    fn linearise(&self, world: &World, loads: &mut Loads, t: f64, y: &[f64], j: &mut Jacobian) -> bool;

    /// Adds the amount of its force on each body [N]; a couple counts as the force that it would take at the body's rim.
    fn add_amounts(&self, world: &World, loads: &Loads, amounts: &mut [f64]);

    /// Counts the turns of its angles.
    fn count_turns(&self, world: &World, loads: &mut Loads, t: f64) {
        let _ = (world, loads, t);
    }

    /// How near its bodies are to where one of its angles is not defined [rad]; infinite where it has none.
    fn nearness_to_undefined(&self, world: &World, loads: &Loads, t: f64) -> f64 {
        let _ = (world, loads, t);
        f64::INFINITY
    }

    /// The line to draw it as, if it acts between two points.
    fn drawn_line(&self, world: &World) -> Option<DrawnLine<'_>> {
        let _ = world;
        None
    }

    /// The short-range field that it is, if it is one: only these have gaps and tractions.
    fn as_field(&self) -> Option<&Nearby> {
        None
    }

    /// What an evaluation of it costs, in instructions, where that counts beside the bodies.
    fn work(&self) -> f64 {
        0.0
    }
}

/// Which integrals of the energy ledger a force element adds to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Integrals {
    /// what dampers dissipate
    pub(crate) viscous: bool,
    /// what fields dissipate
    pub(crate) field: bool,
    /// work of a load, which comes from outside
    pub(crate) work: bool,
    /// work of a drive: somebody moves it in time
    pub(crate) driven: bool,
}

/// A force between points of two bodies.
#[derive(Clone, Copy, Debug)]
pub struct DrawnLine<'m> {
    /// its name
    pub name: &'m str,
    /// its bodies, by their places among [`Model::drawn_bodies`](crate::Model::drawn_bodies)
    pub bodies: [usize; 2],
    /// its point on each body
    pub points: [Vec3; 2],
}
