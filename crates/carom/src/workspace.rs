//! Room for what is recomputed at every evaluation.

use carom_base::{Mat3, Scalar, Two, Vec3};
use carom_geometry::Contact;

use crate::drive::Now;
use crate::forward::{add, torque_of};
use crate::joint::{Multipliers, Pull, Rubbing};
use crate::layout::ByAffine;
use crate::model::{BodyKind, Model};
use crate::momentum::Balance;
use crate::state::Kinematics;

/// What is recomputed at every evaluation, for every body; sized once.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    pub(crate) bodies: Vec<Loaded>,
    /// Σ f ⊗ r of what acts on every body that deforms [N m], r from its centre of mass, world frame
    pub(crate) moments: Vec<Mat3>,
    /// the contact points of a pair of many
    pub(crate) contacts: Vec<Contact<Two>>,
    /// of the fields on every body that deforms, with derivatives, in the order of the state
    pub(crate) field_moments: Vec<Mat3<ByAffine>>,
    /// the numbers that are driven
    pub(crate) now: Now,
    /// the equations of the joints
    pub(crate) joints: Multipliers,
    /// the friction of the joints
    pub(crate) rubbing: Rubbing,
    /// the angles of forces along coordinates, turns counted, as they were in the last accepted state
    pub(crate) turns: Vec<f64>,
    /// of the bodies that have joints, what they would be without
    pub(crate) accelerations: Vec<[f64; 12]>,
    /// what loads from outside do, about the origin [N, N m], if it is summed up
    pub(crate) outside: [Vec3; 2],
    /// whether the bodies that are held are loaded too, so that forces can be summed up; motions do not need it
    pub(crate) audit: bool,
    /// the sum of all forces between bodies, if they were summed up
    pub(crate) balance: Balance,
}

/// A body and what acts on it. In this order: side by side, force and torque would be written in other pairs than
/// they are read in, and the reading would wait.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Loaded {
    /// resultant force [N]
    pub(crate) force: Vec3,
    pub(crate) k: Kinematics,
    /// resultant torque about its centre of mass [N m]
    pub(crate) torque: Vec3,
}

impl Loaded {
    #[inline(always)]
    fn load(&mut self, p: &Vec3, f: &Vec3) {
        self.force += f;
        self.torque += (p - self.k.x.p).cross(f);
    }
}

/// A contact point that can carry a force: slot and feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Active {
    pub(crate) slot: usize,
    pub(crate) feature: usize,
}

impl Workspace {
    /// For a model whose pairs have so many contact points at most.
    pub(crate) fn new(m: &Model, points: usize) -> Workspace {
        let unloaded = |k| Loaded { k, force: Vec3::zeros(), torque: Vec3::zeros() };
        Workspace {
            bodies: m.bodies.iter().map(|b| unloaded(b.rest)).collect(),
            moments: if m.affine.is_empty() { Vec::new() } else { vec![Mat3::zeros(); m.bodies.len()] },
            contacts: Vec::with_capacity(points.div_ceil(2)),
            field_moments: vec![Mat3::from_element(ByAffine::from_f64(0.0)); m.affine.len()],
            now: Now::new(m),
            joints: Multipliers::new(m),
            rubbing: Rubbing::new(m),
            turns: vec![0.0; m.counted_angles],
            accelerations: vec![[0.0; 12]; m.linkage.bodies.len()],
            outside: [Vec3::zeros(); 2],
            audit: m.quadratures.impulse.is_some(),
            balance: Balance::default(),
        }
    }

    /// Takes the loads off the bodies that are held.
    pub(crate) fn unload_held(&mut self, m: &Model) {
        for &body in &m.held {
            let loaded = &mut self.bodies[body];
            (loaded.force, loaded.torque) = (Vec3::zeros(), Vec3::zeros());
        }
    }

    /// Where a body is and how it moves.
    #[inline]
    pub(crate) fn body(&self, body: usize) -> &Kinematics {
        &self.bodies[body].k
    }

    /// The accelerations of the bodies that have joints, once the multipliers are known.
    pub(crate) fn held_accelerations(&self, m: &Model) -> Vec<[f64; 12]> {
        let mut all = self.accelerations.clone();
        self.joints.responses(m, |_, body, change| {
            let place = m.linkage.bodies.iter().position(|b| b.body == body);
            if let Some(a) = place.and_then(|i| all.get_mut(i)) {
                a.iter_mut().zip(change).for_each(|(a, x)| *a += x);
            }
        });
        all
    }

    /// Loads the bodies with the reactions of their joints; gives the power of those that do work [W].
    pub(crate) fn load_reactions(&mut self, m: &Model) -> f64 {
        let Workspace { bodies, moments, joints, audit, .. } = self;
        let mut work = 0.0;
        if *audit {
            joints.loads_on_held(m, |body, force, torque| {
                bodies[body].force += force;
                bodies[body].torque += torque;
            });
        }
        joints.loads(m, |hold, body, load| {
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
            if m.linkage.holds[hold].works {
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
        m.forces.iter().for_each(|force| force.count_turns(m, self, t));
    }

    /// A coordinate's force on a body: `f` times its pull.
    pub(crate) fn pull(&mut self, body: usize, f: f64, pull: &Pull) {
        let moment: Mat3 = pull.arms.iter().map(|arm| arm.g * arm.r.transpose()).sum();
        self.spread(body, &(pull.f * f), &(moment * f));
    }

    /// The same on both of its bodies. What it does to one that moves as prescribed is work of whoever moves it.
    pub(crate) fn pull_both(
        &mut self,
        m: &Model,
        integrals: &mut [f64],
        bodies: [usize; 2],
        f: f64,
        pulls: &[Pull; 2],
    ) {
        for (body, pull) in bodies.into_iter().zip(pulls) {
            let k = self.bodies[body].k;
            if !k.moves && !self.audit {
                continue;
            }
            self.pull(body, f, pull);
            if matches!(m.bodies[body].kind, BodyKind::Prescribed(_)) {
                let power = f * (pull.f.dot(&k.v) + pull.torque().dot(&k.w));
                add(integrals, m.quadratures.work, -power);
            }
        }
    }

    /// The torque on a body about its centre of mass [N m].
    pub(crate) fn torque(&self, body: usize) -> &Vec3 {
        &self.bodies[body].torque
    }

    /// Σ f ⊗ r of what acts on a body that deforms [N m].
    pub(crate) fn moment(&self, body: usize) -> &Mat3 {
        &self.moments[body]
    }

    /// A force [N] on a body at `p`.
    #[inline(always)]
    pub(crate) fn load(&mut self, body: usize, p: &Vec3, f: &Vec3) {
        let loaded = &mut self.bodies[body];
        loaded.load(p, f);
        if loaded.k.deforms {
            self.moments[body] += f * (p - loaded.k.x.p).transpose();
        }
    }

    /// Divides force and torque on a body by φ = m(t)/m(0): the body as it was at t = 0 takes them.
    pub(crate) fn lighten(&mut self, body: usize, mass_factor: f64) {
        self.bodies[body].force /= mass_factor;
        self.bodies[body].torque /= mass_factor;
    }

    /// A couple [N m] on a body.
    pub(crate) fn twist(&mut self, body: usize, couple: &Vec3) {
        self.bodies[body].torque += couple;
        if self.bodies[body].k.deforms {
            // the skew moment that does the couple's work, couple·ω
            self.moments[body] += 0.5 * couple.cross_matrix();
        }
    }

    /// The same from outside; gives its power [W].
    pub(crate) fn load_from_outside(&mut self, body: usize, f: &Vec3, moment: &Mat3) -> f64 {
        self.spread(body, f, moment);
        let (k, torque) = (&self.bodies[body].k, torque_of(moment));
        if self.audit {
            self.outside[0] += f;
            self.outside[1] += k.x.p.cross(f) + torque;
        }
        f.dot(&k.v) + if k.deforms { moment.dot(&k.l) } else { torque.dot(&k.w) }
    }

    /// A force [N] spread over a body: its resultant, and ∫ f ⊗ r [N m], r from the centre of mass.
    pub(crate) fn spread(&mut self, body: usize, f: &Vec3, moment: &Mat3) {
        let loaded = &mut self.bodies[body];
        loaded.force += f;
        loaded.torque += torque_of(moment);
        if loaded.k.deforms {
            self.moments[body] += moment;
        }
    }
}
