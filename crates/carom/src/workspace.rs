//! Storage for the quantities that are recomputed at every evaluation.

use carom_base::{Mat3, Two, Vec3};
use carom_geometry::Contact;

use crate::loads::Loads;
use crate::model::Model;
use crate::reaction::{JointFrictionState, Multipliers};
use crate::state::Kinematics;

/// The sum of all forces between bodies in a state, including those on fixed and prescribed bodies. It is zero if each force
/// has an equal and opposite one along the same line of action.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Balance {
    /// sum of the forces [N] and of their moments about the origin [N m]
    pub(crate) sums: [Vec3; 2],
    /// sums of the magnitudes of these [N, N m]
    pub(crate) amounts: [f64; 2],
}

/// The quantities that are recomputed at every evaluation, for every body; allocated once.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    pub(crate) loads: Loads,
    /// the contact points of a pair that has many
    pub(crate) contacts: Vec<Contact<Two>>,
    /// the points of a patch
    pub(crate) patch: Vec<Contact>,
    /// the constraint equations of the joints
    pub(crate) joints: Multipliers,
    /// the state of the joint friction
    pub(crate) joint_friction: JointFrictionState,
    /// for each body with joints, the accelerations it would have without them
    pub(crate) accelerations: Vec<[f64; 12]>,
    /// the sum of all forces between bodies, if it was computed
    pub(crate) balance: Balance,
}

carom_base::carried!(
    Workspace { loads, joints, joint_friction } scratch { contacts, patch, accelerations, balance }
);

impl Workspace {
    /// Creates the workspace of a model whose contact pairs have at most this number of points.
    pub(crate) fn new(m: &Model, points: usize) -> Workspace {
        Workspace {
            loads: Loads::new(
                &m.world,
                m.counts,
                m.controls.inputs.iter().map(|input| input.value).collect(),
            ),
            contacts: Vec::with_capacity(points.div_ceil(2)),
            patch: Vec::new(),
            joints: Multipliers::new(m),
            joint_friction: JointFrictionState::new(m),
            accelerations: vec![[0.0; 12]; m.constraints.bodies.len()],
            balance: Balance::default(),
        }
    }

    /// Returns the pose and velocity of a body.
    #[inline]
    pub(crate) fn body(&self, body: usize) -> &Kinematics {
        self.loads.body(body)
    }

    /// Returns the accelerations of the bodies with joints, once the multipliers are known.
    pub(crate) fn held_accelerations(&self, m: &Model) -> Vec<[f64; 12]> {
        let mut all = self.accelerations.clone();
        self.joints.responses(m, |_, body, change| {
            let jointed = m.constraints.bodies.iter().position(|b| b.body == body);
            if let Some(a) = jointed.and_then(|i| all.get_mut(i)) {
                a.iter_mut().zip(change).for_each(|(a, x)| *a += x);
            }
        });
        all
    }

    /// Adds the joint reactions to the loads on the bodies; returns the power [W] of those reactions that do work.
    pub(crate) fn load_reactions(&mut self, m: &Model) -> f64 {
        let Workspace { loads, joints, .. } = self;
        let Loads { bodies, moments, audit, .. } = loads;
        let mut work = 0.0;
        if *audit {
            joints.loads_on_held(m, |body, force, torque| {
                bodies[body].force += force;
                bodies[body].torque += torque;
            });
        }
        joints.loads(m, |constraint, body, load| {
            let loaded = &mut bodies[body];
            let force = Vec3::new(load[0], load[1], load[2]);
            loaded.force += force;
            let mut power = force.dot(&loaded.k.v);
            if let [_, _, _, x, y, z] = *load {
                let torque = Vec3::new(x, y, z);
                loaded.torque += torque;
                power += torque.dot(&loaded.k.w);
            } else {
                // the moment tensor Σ g ⊗ X, converted to Σ g ⊗ r
                let moment = Mat3::from_column_slice(&load[3..]);
                moments[body] += moment * loaded.k.x.r.transpose();
                power += moment.dot(&(loaded.k.l * loaded.k.x.r));
            }
            if m.constraints.list[constraint].may_do_work {
                work += power;
            }
        });
        // what a rotor's inertia force does on bodies that are moved is no change of its kinetic energy
        for rotor in m.constraints.rotors.iter().filter(|r| m.constraints.list[r.constraint].may_do_work) {
            work -= joints.lambda[rotor.row] * rotor.rate(|body| &bodies[body].k);
        }
        // the correction for slender bodies, whose mass and inertia are enlarged in the joints' matrix S = Φ M⁻¹ Φᵀ
        joints.slender_loads(m, |body, force, torque| {
            bodies[body].force += force;
            bodies[body].torque += torque;
        });
        work
    }

    /// Updates the count of full turns of the angles that forces act along, from the present positions of the bodies.
    pub(crate) fn count_turns(&mut self, m: &Model, t: f64) {
        m.forces.iter().for_each(|force| force.count_turns(&m.world, &mut self.loads, t));
        let readings = m.controls.controllers.iter().flat_map(|c| &c.readings);
        readings.for_each(|reading| reading.count_turns(&m.world, &mut self.loads, t));
    }
}
