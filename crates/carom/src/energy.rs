//! The energy ledger.

use crate::contact::stored;
use crate::forward::{Workspace, kinematics};
use crate::model::{BodyModel, Model};
use crate::momentum::larger;
use crate::state::Kinematics;
use crate::system::System;

/// Where the energy of a run is and where it has gone [J].
///
/// `total = kinetic + potential + elastic + field + strain` and `audit = total + dissipated − work − total(0)`: what the
/// integration itself has gained or lost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// ½ m v² + ½ ω·I ω of all bodies, ½ m v² + ½ tr(Ḟ J Ḟᵀ) of those that deform
    pub kinetic: f64,
    /// −m g·x of all bodies
    pub potential: f64,
    /// stored in contacts, by normal laws and in the bristles of friction laws that remember, and in springs
    pub elastic: f64,
    /// stored in short-range fields on bodies that do not deform
    pub field: f64,
    /// stored in bodies that deform
    pub strain: f64,
    /// done so far by whoever moves the prescribed bodies and changes what is driven, and by repulsion and adhesion on bodies that deform, which have no
    /// potential
    pub work: f64,
    /// lost so far to normal damping
    pub dissipated_normal: f64,
    /// lost so far to friction, resistance to rolling and spinning included
    pub dissipated_friction: f64,
    /// lost so far in the dashpots of forces and to the viscosity of bodies
    pub dissipated_viscous: f64,
    /// lost so far to damping and friction of short-range fields
    pub dissipated_field: f64,
    /// lost so far to friction in joints
    pub dissipated_joint: f64,
    /// what the integration has gained (positive) or lost
    pub audit: f64,
}

impl Energy {
    /// kinetic + potential + elastic + field + strain [J].
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.stored()
    }

    /// elastic + field + strain [J].
    pub fn stored(&self) -> f64 {
        self.elastic + self.field + self.strain
    }

    /// All that was lost so far [J].
    pub fn dissipated(&self) -> f64 {
        self.dissipated_normal
            + self.dissipated_friction
            + self.dissipated_viscous
            + self.dissipated_field
            + self.dissipated_joint
    }
}

/// ½ m v² + ½ ω·I ω of a body, or ½ m v² + ½ tr(Ḟ J Ḟᵀ) of one that deforms, with its mass at t = 0 [J].
pub(crate) fn kinetic(b: &BodyModel, k: &Kinematics) -> f64 {
    let about = match &b.soft {
        None => {
            let w = k.x.direction_to_local(&k.w);
            0.5 * w.dot(&(b.inertia.tensor() * w))
        }
        Some(soft) => soft.kinetic(&(k.l * k.x.r)),
    };
    0.5 * b.mass * k.v.norm_squared() + about
}

/// Kinetic and potential energy of the bodies and the running integrals; contacts are added by their owner.
pub(crate) fn bodies(m: &Model, ws: &Workspace, y: &[f64]) -> Energy {
    let mut e = Energy::default();
    for i in m.free() {
        let (b, k) = (&m.bodies[i], ws.body(i));
        let mass_factor = ws.now.mass_factor(i);
        e.kinetic += mass_factor * kinetic(b, k);
        e.potential -= mass_factor * b.mass * ws.now.gravity.dot(&k.x.p);
        if let Some(soft) = &b.soft {
            e.strain += soft.strain(&k.x.r);
        }
    }
    let (q, integrals) = (&m.quadratures, m.layout.integrals(y));
    let at = |i: Option<usize>| i.map_or(0.0, |i| integrals[i]);
    e.work = at(q.work);
    e.dissipated_normal = at(q.dissipated_normal);
    e.dissipated_friction = at(q.dissipated_friction);
    e.dissipated_viscous = at(q.dissipated_viscous);
    e.dissipated_field = at(q.dissipated_field);
    e.dissipated_joint = at(q.dissipated_joint);
    e
}

impl System<'_> {
    /// The ledger in a state; takes note of how far it is off.
    pub(crate) fn energy(&mut self, t: f64, y: &[f64]) -> Energy {
        let e = self.ledger(t, y);
        // where gravity or a mass is driven, a change of potential energy may be that of the numbers, as large as the origin is far
        let fall = if self.model.driven { 0.0 } else { (e.potential - self.potential_start).abs() };
        self.energy_scale = self.energy_scale.max(e.kinetic + e.stored() + fall);
        self.energy_worst = larger(self.energy_worst, e.audit.abs());
        let amount = e.kinetic + e.potential.abs() + e.stored() + e.dissipated() + e.work.abs();
        self.energy_amount = self.energy_amount.max(amount);
        e
    }

    /// The ledger in a state.
    pub(crate) fn ledger(&mut self, t: f64, y: &[f64]) -> Energy {
        self.see_wear(y);
        kinematics(self.model, t, y, &mut self.ws);
        let mut e = bodies(self.model, &self.ws, y);
        for at in &self.watch.active {
            let slot = &self.watch.slots[at.slot];
            let feature = &slot.features[at.feature];
            let (ka, kb) = (self.ws.body(slot.body_a), self.ws.body(slot.body_b));
            if let Ok(c) = slot.contact(at.feature, ka, kb) {
                let law = &self.model.rules[slot.rule].normal;
                e.elastic += c.share * law.energy(c.delta.max(0.0), &feature.touch);
            }
            if let Some(place) = feature.place {
                e.elastic += stored(self.model, slot.rule, &self.model.layout.memories(y)[place]);
            }
        }
        for force in &self.model.forces {
            force.store(self.model, &self.ws, t, &mut e);
        }
        for (i, rub) in self.model.linkage.rubs.iter().enumerate() {
            let memory = self.ws.rubbing.memory(i, self.model.layout.memories(y));
            e.elastic += memory.map_or(0.0, |memory| rub.law.energy(&memory));
        }
        // of what has parted since the last event, the bristles are still bent
        for &(place, rule) in &self.watch.places.left {
            e.elastic += stored(self.model, rule, &self.model.layout.memories(y)[place]);
        }
        e.audit = e.total() + e.dissipated() - e.work - self.energy_start;
        e
    }

    /// Kinetic, stored and change of potential energy [J].
    pub(crate) fn moving(&self, e: &Energy) -> f64 {
        e.kinetic + e.stored() + (e.potential - self.potential_start).abs()
    }
}
