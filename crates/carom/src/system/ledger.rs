//! The energy balance.

use crate::forward::kinematics;
use crate::model::Model;
use crate::record::Energy;
use crate::system::{System, larger};
use crate::workspace::Workspace;
use crate::world::kinetic;

/// Computes kinetic, potential and strain energy of the bodies and reads the running integrals; the energy of contacts is
/// added by [`System::ledger`].
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
    e.kinetic += m.constraints.rotors.iter().map(|rotor| rotor.kinetic(|body| ws.body(body))).sum::<f64>();
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

/// What the energies of a run are compared with.
#[derive(Default)]
pub(crate) struct EnergyAudit {
    /// the energy at the start [J]
    pub(crate) start: f64,
    /// the potential energy at the start [J]
    pub(crate) potential_start: f64,
    /// the largest |energy-balance error| seen [J]
    pub(crate) worst: f64,
    /// the largest sum of the amounts in the balance [J]: what its rounding error is relative to
    pub(crate) amount: f64,
    /// the largest kinetic + stored energy + change of potential energy seen [J]
    pub(crate) scale: f64,
    /// the same at the ends of steps alone [J]: outputs must not change the steps
    pub(crate) work_scale: f64,
}

carom_base::carried!(EnergyAudit { start, potential_start, worst, amount, scale, work_scale });

impl EnergyAudit {
    /// Starts the audit with the energies at the start.
    pub(super) fn new(e: &Energy) -> EnergyAudit {
        let scale = e.kinetic + e.stored();
        EnergyAudit {
            start: e.total(),
            potential_start: e.potential,
            scale,
            work_scale: scale,
            ..EnergyAudit::default()
        }
    }
}

impl System<'_> {
    /// Computes the energies in a state, and records the largest energy-balance error.
    pub(crate) fn energy(&mut self, t: f64, y: &[f64]) -> Energy {
        let e = self.ledger(t, y);
        // where gravity or a mass is driven, potential energy may change merely because these values do, by an amount that
        // grows with the distance from the origin
        let fall =
            if self.model.world.driven { 0.0 } else { (e.potential - self.energy.potential_start).abs() };
        let audit = &mut self.energy;
        audit.scale = audit.scale.max(e.kinetic + e.stored() + fall);
        audit.worst = larger(audit.worst, e.audit.abs());
        let amount = e.kinetic + e.potential.abs() + e.stored() + e.dissipated() + e.work.abs();
        audit.amount = audit.amount.max(amount);
        e
    }

    /// Computes the energies in a state.
    pub(crate) fn ledger(&mut self, t: f64, y: &[f64]) -> Energy {
        kinematics(self.model, t, y, &mut self.ws);
        let mut e = bodies(self.model, &self.ws, y);
        for at in &self.monitor.active {
            let pair = &self.monitor.pairs[at.pair];
            if let Ok(stored) = pair.elastic_energy(self.model, at.point, self.bodies(pair, y)) {
                e.elastic += stored;
            }
            e.dissipated_normal -= pair.jump_to_note(self.model, at.point, self.bodies(pair, y));
            let [stored, counted] = pair.stored_by_friction(self.model, at.point, self.bodies(pair, y), y);
            e.elastic += stored;
            e.dissipated_friction -= counted;
        }
        for force in &self.model.forces {
            force.store(&self.model.world, &self.ws.loads, t, &mut e);
        }
        for (i, friction) in self.model.constraints.frictions.iter().enumerate() {
            let memory = self.ws.joint_friction.memory(i, self.model.world.layout.memories(y));
            e.elastic += memory.map_or(0.0, |memory| friction.law.energy(&memory));
        }
        // the bristles of points that have separated since the last event are still bent
        for left in &self.monitor.memories.left {
            e.elastic += left.stored(self.model, y);
        }
        e.dissipated_normal += self.monitor.lost_in_jumps;
        e.audit = e.total() + e.dissipated() - e.work - self.energy.start;
        e
    }

    /// Returns kinetic + stored energy + change of potential energy [J].
    pub(crate) fn moving(&self, e: &Energy) -> f64 {
        e.kinetic + e.stored() + (e.potential - self.energy.potential_start).abs()
    }
}
