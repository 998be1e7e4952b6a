//! The energy ledger.

use crate::contact::stored;
use crate::forward::kinematics;
use crate::model::Model;
use crate::record::Energy;
use crate::system::{System, larger};
use crate::workspace::Workspace;
use crate::world::kinetic;

/// Kinetic and potential energy of the bodies and the running integrals; contacts are added by their owner.
pub(crate) fn bodies(m: &Model, ws: &Workspace, y: &[f64]) -> Energy {
    let mut e = Energy::default();
    for i in m.world.free() {
        let (b, k) = (&m.world.bodies[i], ws.body(i));
        let mass_factor = ws.loads.now.mass_factor(i);
        e.kinetic += mass_factor * kinetic(b, k);
        e.potential -= mass_factor * b.mass * ws.loads.now.gravity.dot(&k.x.p);
        if let Some(soft) = &b.soft {
            e.strain += soft.strain(&k.x.r);
        }
    }
    let (q, integrals) = (&m.world.quadratures, m.world.layout.integrals(y));
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
        let fall = if self.model.world.driven { 0.0 } else { (e.potential - self.potential_start).abs() };
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
        for at in &self.monitor.active {
            let slot = &self.monitor.slots[at.slot];
            let feature = &slot.state.points[at.feature];
            let (ka, kb) = (self.ws.body(slot.body_a), self.ws.body(slot.body_b));
            if let Ok(c) = slot.contact(at.feature, ka, kb) {
                let law = &self.model.rules[slot.rule].normal;
                e.elastic += c.share * law.energy(c.delta.max(0.0), &feature.touch);
            }
            if let Some(place) = feature.place {
                e.elastic += stored(self.model, slot.rule, &self.model.world.layout.memories(y)[place]);
            }
        }
        for force in &self.model.forces {
            force.store(&self.model.world, &self.ws.loads, t, &mut e);
        }
        for (i, friction) in self.model.constraints.frictions.iter().enumerate() {
            let memory = self.ws.joint_friction.memory(i, self.model.world.layout.memories(y));
            e.elastic += memory.map_or(0.0, |memory| friction.law.energy(&memory));
        }
        // of what has parted since the last event, the bristles are still bent
        for &(place, rule) in &self.monitor.places.left {
            e.elastic += stored(self.model, rule, &self.model.world.layout.memories(y)[place]);
        }
        e.audit = e.total() + e.dissipated() - e.work - self.energy_start;
        e
    }

    /// Kinetic, stored and change of potential energy [J].
    pub(crate) fn moving(&self, e: &Energy) -> f64 {
        e.kinetic + e.stored() + (e.potential - self.potential_start).abs()
    }
}
