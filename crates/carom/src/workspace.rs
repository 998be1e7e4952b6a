//! Room for what is recomputed at every evaluation.

use carom_base::{Dual, Mat3, Scalar, Two, Vec3};
use carom_geometry::Contact;

use crate::drive::Now;
use crate::forward::torque_of;
use crate::joint::Multipliers;
use crate::model::{AFFINE, Model};
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
    pub(crate) field_moments: Vec<Mat3<Dual<AFFINE>>>,
    /// the numbers that are driven
    pub(crate) now: Now,
    /// the equations of the joints
    pub(crate) joints: Multipliers,
    /// of the bodies that have joints, what they would be without
    pub(crate) accelerations: Vec<[f64; 12]>,
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
            field_moments: vec![Mat3::from_element(Dual::from_f64(0.0)); m.affine.len()],
            now: Now::new(m),
            joints: Multipliers::new(m),
            accelerations: vec![[0.0; 12]; m.linkage.bodies.len()],
        }
    }

    /// Where a body is and how it moves.
    #[inline]
    pub(crate) fn body(&self, body: usize) -> &Kinematics {
        &self.bodies[body].k
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
