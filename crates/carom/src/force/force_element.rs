//! The interface of force elements: everything that acts on the bodies of a model besides contacts and joints.

use std::fmt::Debug;
use std::ops::Range;

use carom_base::{Quantity, Vec3};
use carom_ode::Jacobian;

use super::FieldElement;
use crate::joint::Measure;
use crate::loads::Loads;
use crate::record::{DriveRecord, EffortRecord, Energy, ForceRecord};
use crate::world::World;

/// A force element of a model: it loads bodies, and reports the energy that it stores and dissipates.
///
/// Positions and motion of the bodies are taken from the loads. Loads between bodies balance: their forces add up to zero,
/// and so do their torques about any one point.
pub(crate) trait ForceElement: Debug + Send + Sync {
    /// Returns its name.
    fn name(&self) -> &str;

    /// Returns the bodies that it loads.
    fn bodies(&self) -> &[usize];

    /// Returns the bodies that are coupled by it: its load on each depends on the states of the others.
    fn linked(&self) -> &[usize] {
        self.bodies()
    }

    /// Returns the bodies on whose orientation its loads depend.
    fn oriented(&self) -> Vec<usize> {
        self.bodies().to_vec()
    }

    /// Whether it is a pure couple, which leaves the paths of the centres of mass as they are.
    fn is_couple(&self) -> bool {
        false
    }

    /// Whether it is external: it acts on a body without an opposite load on another.
    fn is_from_outside(&self) -> bool {
        false
    }

    /// Returns the integrals of the energy ledger that it adds to.
    fn integrals(&self, world: &World) -> Integrals;

    /// Loads its bodies at time t [s], and adds the power it dissipates and the power of drives and external work to
    /// the integrands of the ledger. Fails with the reason.
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

    /// Adds the derivatives of the accelerations that it causes to the Jacobian, and loads its bodies. `false`: it
    /// has no derivatives here.
    fn linearise(&self, world: &World, loads: &mut Loads, t: f64, y: &[f64], j: &mut Jacobian) -> bool;

    /// Adds the magnitude of its force on each body [N]; a couple counts as the force that it would take at the body's rim.
    fn add_amounts(&self, world: &World, loads: &Loads, amounts: &mut [f64]);

    /// Returns what is recorded of it in the state that the loads hold, with that state's integrals; `None` if that is
    /// recorded elsewhere. Its name in results is added later.
    fn record(&self, world: &World, loads: &Loads, t: f64, integrals: &[f64]) -> Option<ForceOutput>;

    /// Updates the counted full turns of its angles.
    fn count_turns(&self, world: &World, loads: &mut Loads, t: f64) {
        let _ = (world, loads, t);
    }

    /// Returns how near its bodies are to a configuration where one of its angles is not defined [rad]; infinite if
    /// it has no angles.
    fn nearness_to_undefined(&self, world: &World, loads: &Loads, t: f64) -> f64 {
        let _ = (world, loads, t);
        f64::INFINITY
    }

    /// Returns the line to draw it as, if it acts between two points.
    fn drawn_line(&self, world: &World) -> Option<DrawnLine<'_>> {
        let _ = world;
        None
    }

    /// Returns where it acts, if it is not drawn as a line: there its force and its couple are drawn.
    fn site(&self) -> Option<ActionSite> {
        None
    }

    /// Returns itself if it is a short-range field: only fields have gaps and tractions.
    fn as_field(&self) -> Option<&FieldElement> {
        None
    }

    /// Returns itself if it has branches, between which it changes over where the sign of a number changes.
    fn switching(&self) -> Option<&dyn Switching> {
        None
    }

    /// Returns the cost of an evaluation, in instructions, where that is not negligible beside the bodies.
    fn work(&self) -> f64 {
        0.0
    }
}

impl Measure {
    /// Returns the record of a generalised force along it.
    pub(super) fn effort(&self, value: f64) -> EffortRecord {
        EffortRecord { value, quantity: if self.is_angle() { Quantity::Torque } else { Quantity::Force } }
    }
}

/// What is recorded of a force element.
#[derive(Clone, Debug)]
pub(crate) enum ForceOutput {
    /// a force
    Force(ForceRecord),
    /// the drive of a joint by a force or couple
    Drive(DriveRecord),
}

/// A force element with branches.
///
/// Each branch belongs to a switch: a number whose sign selects it. In a run that locates events, the side of every
/// switch is kept in [`Loads::sides`] from one event to the next, and the element is evaluated on these sides.
pub(crate) trait Switching {
    /// Returns where its switches are among those of all forces.
    fn switches(&self) -> Range<usize>;

    /// Writes the values of those of its switches that depend on the state into `values`, at their indices.
    fn switch_values(&self, world: &World, loads: &Loads, t: f64, values: &mut [f64]);

    /// Writes the size of each of its switches into `sizes`, at its index: that of the numbers that it is computed from.
    fn switch_sizes(&self, world: &World, sizes: &mut [f64]);

    /// Returns the first time after t and before `end` at which a switch changes over that depends on the time alone; `end` if
    /// there is none.
    fn smooth_until(&self, t: f64, end: f64) -> f64 {
        let _ = t;
        end
    }

    /// Whether it dissipates what it has stored without acting on its bodies, in the state that the loads hold: a damped cable that
    /// recoils faster than its tension can follow. The motion does not tell then how exact the integral of the power is.
    fn dissipates_unseen(&self, world: &World, loads: &Loads) -> bool {
        let _ = (world, loads);
        false
    }
}

/// Which integrals of the energy ledger a force element adds to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Integrals {
    /// power dissipated by dampers
    pub(crate) viscous: bool,
    /// power dissipated by fields
    pub(crate) field: bool,
    /// work of external loads
    pub(crate) work: bool,
    /// work of a drive: the force is a given function of time
    pub(crate) driven: bool,
    /// its work is also integrated by itself
    pub(crate) named: bool,
}

/// Where a force acts that is not along a line between two points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActionSite {
    /// A and B; of a load on one body, that one twice
    pub(crate) bodies: [usize; 2],
    /// its points on A and B, from their centres of mass, in their axes [m]
    pub(crate) points: [Vec3; 2],
    /// the z axis of a bushing, in the axes of B
    pub(crate) bushing: Option<Vec3>,
}

impl ActionSite {
    /// Returns the place of a load at a point of one body.
    pub(super) fn on_body(body: usize, point: Vec3) -> ActionSite {
        ActionSite { bodies: [body; 2], points: [point; 2], bushing: None }
    }
}

/// A force between points of two bodies, to be drawn as a line.
#[derive(Clone, Copy, Debug)]
pub struct DrawnLine<'m> {
    /// its name
    pub name: &'m str,
    /// its bodies, as indices into [`Model::drawn_bodies`](crate::Model::drawn_bodies)
    pub bodies: [usize; 2],
    /// its point on each body [m], in the body's frame
    pub points: [Vec3; 2],
}
