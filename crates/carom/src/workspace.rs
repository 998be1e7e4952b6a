//! Room for what is recomputed at every evaluation.

use carom_base::{Mat3, Two, Vec3};
use carom_geometry::Contact;

use crate::loads::Loads;
use crate::model::Model;
use crate::reaction::{JointFrictionState, Multipliers};
use crate::state::Kinematics;

/// The sum of all forces between bodies in a state, those on held ones included: nothing, if each is equal and opposite and at one point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Balance {
    /// [N], [N m] about the origin
    pub(crate) sums: [Vec3; 2],
    /// Σ of the amounts
    pub(crate) amounts: [f64; 2],
}

/// What is recomputed at every evaluation, for every body; sized once.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    pub(crate) loads: Loads,
    /// the contact points of a pair of many
    pub(crate) contacts: Vec<Contact<Two>>,
    /// the equations of the joints
    pub(crate) joints: Multipliers,
    /// the friction of the joints
    pub(crate) joint_friction: JointFrictionState,
    /// of the bodies that have joints, what they would be without
    pub(crate) accelerations: Vec<[f64; 12]>,
    /// the sum of all forces between bodies, if they were summed up
    pub(crate) balance: Balance,
}

carom_base::carried!(
    Workspace { loads, joints, joint_friction } scratch { contacts, accelerations, balance }
);

impl Workspace {
    /// For a model whose pairs have so many contact points at most.
    pub(crate) fn new(m: &Model, points: usize) -> Workspace {
        Workspace {
            loads: Loads::new(&m.world, m.counted_angles),
            contacts: Vec::with_capacity(points.div_ceil(2)),
            joints: Multipliers::new(m),
            joint_friction: JointFrictionState::new(m),
            accelerations: vec![[0.0; 12]; m.constraints.bodies.len()],
            balance: Balance::default(),
        }
    }

    /// Where a body is and how it moves.
    #[inline]
    pub(crate) fn body(&self, body: usize) -> &Kinematics {
        self.loads.body(body)
    }

    /// The accelerations of the bodies that have joints, once the multipliers are known.
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

    /// Loads the bodies with the reactions of their joints; gives the power of those that do work [W].
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
                // Σ g ⊗ X, and Σ g ⊗ r
                let moment = Mat3::from_column_slice(&load[3..]);
                moments[body] += moment * loaded.k.x.r.transpose();
                power += moment.dot(&(loaded.k.l * loaded.k.x.r));
            }
            if m.constraints.list[constraint].works {
                work += power;
            }
        });
        // what slender bodies have too much of in S
        joints.slender_loads(m, |body, force, torque| {
            bodies[body].force += force;
            bodies[body].torque += torque;
        });
        work
    }

    /// Counts the turns of the angles that forces act along, the bodies being there.
    pub(crate) fn count_turns(&mut self, m: &Model, t: f64) {
        m.forces.iter().for_each(|force| force.count_turns(&m.world, &mut self.loads, t));
    }
}
