//! The equations of motion of a model as ordinary differential equations, for those who integrate or differentiate them on their own.

use std::ops::Range;

use carom_base::Vec3;
use carom_ode::{Components, Derivatives, Events, Ode, RhsFailure, Split, Steps};

use crate::error::{BuildError, RunError};
use crate::joint::Stabilisation;
use crate::model::Model;
use crate::system::{StepPolicy, System};

/// The equations of motion ẏ = f(t, y) of a model, with all that an integrator of [`carom_ode`] asks for: the scales of the components, the Jacobian ∂f/∂y and its pattern,
/// and the events at which contacts begin and end.
///
/// The state y has the components of all bodies that move, then the memories of friction, the depths of wear and the integrals of the energy balance. A rigid body has 13: the position of its
/// centre of mass [m], its quaternion (w, x, y, z), its velocity [m/s] and its angular velocity [rad/s]. A body that deforms has 24: p₀ [m], F, ṗ₀ [m/s] and Ḟ [1/s], the matrices column
/// by column.
///
/// ```
/// use carom::prelude::*;
/// use carom::ode::Ode;
/// let mut b = ModelBuilder::new();
/// b.gravity([0.0, 0.0, -9.81]);
/// b.body(Body::new("stone").mass(2.0).inertia([0.1; 3]).velocity([3.0, 0.0, 0.0]));
/// let model = b.build()?;
/// let mut equations = model.equations()?;
/// let y = equations.initial_state();
/// let mut rates = vec![0.0; y.len()];
/// equations.rhs(0.0, &y, &mut rates)?;
/// let (_, of_stone) = equations.bodies().next().unwrap();
/// let rates = &rates[of_stone];
/// assert_eq!((&rates[0..3], &rates[7..10]), (&[3.0, 0.0, 0.0][..], &[0.0, 0.0, -9.81][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EquationsOfMotion<'m> {
    system: System<'m>,
}

/// The sums over all bodies, fixed ones too, of what acts between them in a state: zero but for rounding, since forces have equal and opposite ones along the same line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InternalForces {
    /// the sum of the forces [N]
    pub force: Vec3,
    /// the sum of their moments about the origin [N m]
    pub moment: Vec3,
    /// the sum of the magnitudes of the forces [N]
    pub force_size: f64,
    /// the sum of the magnitudes of the moments [N m]
    pub moment_size: f64,
}

impl Model {
    /// The equations of motion of this model; see [`EquationsOfMotion`].
    pub fn equations(&self) -> Result<EquationsOfMotion<'_>, BuildError> {
        Ok(EquationsOfMotion { system: System::new(self, StepPolicy::Located, 1.0)? })
    }
}

impl EquationsOfMotion<'_> {
    /// The model whose equations these are.
    pub fn model(&self) -> &Model {
        self.system.model
    }

    /// The state at time 0 as the model gives it. Contacts that overlap there carry forces; others begin by [events](Ode::events).
    pub fn initial_state(&mut self) -> Vec<f64> {
        self.system.start(0.0, self.system.model.world.initial_state())
    }

    /// The state at time 0 with the bodies moved until the equations of all joints hold, as a run begins.
    pub fn assembled_state(&mut self) -> Result<Vec<f64>, RunError> {
        let mut y = self.initial_state();
        self.system.assemble(&mut y)?;
        Ok(y)
    }

    /// Sets what the equations do about the drift of joints.
    pub fn stabilise(&mut self, how: Stabilisation) {
        self.system.stabilise(how);
    }

    /// The bodies that move, each with the range of its components in the state.
    pub fn bodies(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        let world = &self.system.model.world;
        world.free().filter_map(|body| Some((world.bodies[body].name.as_str(), world.rows(body)?.all())))
    }

    /// The components of a state of so many that are memories of friction, four for each contact point or joint that has one.
    pub fn memories(&self, state_length: usize) -> Range<usize> {
        self.system.model.world.layout.all_memory_rows(state_length)
    }

    /// The number of contact points and joint stops that may carry a force now.
    pub fn active_contacts(&self) -> usize {
        self.system.monitor.active.len()
    }

    /// Sums up what bodies exert on each other in a state.
    pub fn internal_forces(&mut self, t: f64, y: &[f64]) -> Result<InternalForces, RhsFailure> {
        self.system.ws.loads.audit = true;
        let outcome = self.system.rates(t, y, &mut vec![0.0; y.len()]);
        self.system.ws.loads.audit = false;
        let sums = self.system.ws.balance;
        outcome.map(|()| InternalForces {
            force: sums.sums[0],
            moment: sums.sums[1],
            force_size: sums.amounts[0],
            moment_size: sums.amounts[1],
        })
    }
}

impl Ode for EquationsOfMotion<'_> {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        self.system.rhs(t, y, dy)
    }
    fn components(&self) -> &dyn Components {
        self.system.components()
    }
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self.system.derivatives()
    }
    fn events(&mut self) -> &mut dyn Events {
        self.system.events()
    }
    fn steps(&mut self) -> &mut dyn Steps {
        self.system.steps()
    }
    fn split(&mut self) -> &mut dyn Split {
        self.system.split()
    }
}
