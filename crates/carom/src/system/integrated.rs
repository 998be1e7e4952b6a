//! A mechanical system as integrators see it: rates, scales, derivatives, events, and what becomes of accepted steps.

use super::{StepPolicy, System};
use crate::contact::{ContactMonitor, TIGHT};
use crate::forward::kinematics;
use crate::jacobian::jacobian;
use crate::layout::Component;
use crate::loads::Stretch;
use crate::project::contradicting;
use crate::reaction::TOO_NEAR;
use crate::site::Part;
use crate::workspace::Workspace;
use crate::world::BodyKind;
use carom_ode::events::Found;
use carom_ode::{
    Components, Derivatives, EventAction, Events, Interpolant, Jacobian, Landing, Ode, RhsFailure, Sparsity,
    Split, Step, StepAcross, Steps,
};

/// What contacts, and forces that have let go, dissipate is held this much less than the work of drives: an impact takes tens of steps, and what it loses is lost once.
const CONTACT: f64 = 16.0;
/// Rates have kinks if at least so many contact points slide.
const MANY_POINTS: usize = 32;
/// Joints that contradict others, where some are driven or on bodies that are moved, and where none are.
const DRIVES_FIGHT: &str = "its equations repeated those of others and now contradict them: drives fight";
const CONTRADICTS: &str = "its equations repeated those of others at the start and now contradict them, though nothing is driven: \
     a smaller `rtol` may help";

impl Ode for System<'_> {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        if let Some(failure) = self.monitor.failure {
            return Err(failure);
        }
        if self.rates_where_joints_hold() {
            let mut held = std::mem::take(&mut self.held);
            held.clear();
            held.extend_from_slice(y);
            self.project(t, &mut held);
            let outcome = self.rates(t, &held, dy);
            self.held = held;
            return outcome;
        }
        self.rates(t, y, dy)
    }

    fn components(&self) -> &dyn Components {
        self
    }

    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self
    }

    fn events(&mut self) -> &mut dyn Events {
        self
    }

    fn steps(&mut self) -> &mut dyn Steps {
        self
    }

    fn split(&mut self) -> &mut dyn Split {
        self
    }
}

impl Components for System<'_> {
    fn dim(&self) -> Option<usize> {
        Some(self.model.world.layout.len(self.monitor.memories.count))
    }

    fn quadratures(&self) -> usize {
        self.model.world.layout.integral_count()
    }

    /// Of bristles: deflections have the model's own scale, a law's own number is one of 0 to 1. A depth is judged by the play of its bearing.
    fn scale(&self, i: usize) -> f64 {
        match self.model.world.layout.component(self.monitor.memories.count, i) {
            Component::Depth(depth) => self.model.play_of(depth),
            Component::Memory(memory, 0..3) => {
                // loads of joints are not differences of positions
                let of_joint = self.ws.joint_friction.memories.contains(&Some(memory));
                let noise = if of_joint { 0.0 } else { self.noise };
                let own = self.monitor.memories.deflections[memory];
                let usual = if own > 0.0 { own } else { self.model.deflection };
                usual.max(noise / self.settings.atol.max(f64::MIN_POSITIVE))
            }
            _ => 1.0,
        }
    }

    /// The work of those who drive and move is held to the largest energy so far; so is what contacts and forces dissipate, where the motion does not tell.
    fn quadrature_scale(&self, i: usize) -> f64 {
        let (m, q) = (self.model, &self.model.world.quadratures);
        let scale = || self.energy.work_scale.max(m.world.least_force() * m.world.scale.length);
        if q.work == Some(i) && q.somebody_works {
            scale()
        } else if q.dissipated_normal == Some(i) && self.monitor.dissipates_unseen(m)
            || q.dissipated_friction == Some(i) && self.monitor.friction_follows_depth(m)
            || q.dissipated_viscous == Some(i) && self.forces_dissipate_unseen()
        {
            CONTACT * scale()
        } else {
            f64::INFINITY
        }
    }

    /// Where many contact points slide along faces and edges, as in a wall of bricks.
    fn has_kinks(&self) -> bool {
        let ContactMonitor { pairs, active, .. } = &self.monitor;
        let slide = active.iter().filter(|at| pairs[at.pair].slides());
        self.settings.policy == StepPolicy::Located && slide.take(MANY_POINTS).count() == MANY_POINTS
    }
}

impl Derivatives for System<'_> {
    fn jacobian(&mut self, t: f64, y: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        // the exact one is that of f(y), not of f(P(y))
        if self.rates_where_joints_hold() {
            return Ok(false);
        }
        let ContactMonitor { pairs, active, .. } = &self.monitor;
        Ok(self.settings.exact_jacobian && jacobian(self.model, pairs, active, &mut self.ws, t, y, j)?)
    }

    /// Counted: a body 250, a contact point 450, six times that with bristles; a body that deforms about 1,000, a piece of a field about 1,500.
    fn work(&mut self, _: usize) -> f64 {
        let (bodies, points) = (self.model.world.dynamic.len(), self.monitor.active.len());
        let point = if self.monitor.memories.count == 0 { 450.0 } else { 2700.0 };
        let forces: f64 = self.model.forces.iter().map(|force| force.work()).sum();
        let soft = 1000.0 * self.model.world.affine.len() as f64 + forces;
        250.0 * bodies as f64 + point * points as f64 + soft
    }

    fn sparsity(&mut self) -> Option<Sparsity> {
        // contacts that are not located may be between any two bodies where not all are contact pairs yet
        let known = self.settings.policy == StepPolicy::Located || self.monitor.search.eager;
        let held = &self.ws.joint_friction.memories;
        known.then(|| self.coupled.sparsity(self.model, self.monitor.memories.count, held))
    }
}

impl Events for System<'_> {
    fn structure(&mut self) -> u64 {
        // more places are always places of new contacts: the pattern knows
        self.coupled.version()
    }

    /// There are more places now: the integrals move on.
    fn carry_over(&mut self, old: &[f64], y: &mut [f64]) {
        self.model.world.layout.carry_over(old, y);
    }

    fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        if self.nearness.approaches()
            && let (s, joint) = self.singular_distance(step.t1, step.y1)
            && s < TOO_NEAR
        {
            let reason = "a singular position is too near to end a step there";
            return Err(Part::Joint(joint).fails(reason));
        }
        // (both are asked: each notes what it suspects)
        let clear = self.certify_switches(step);
        let resolved = match self.settings.policy {
            StepPolicy::Located => {
                let clear = self.monitor.certify(self.model, step)?;
                let tight = self.settings.atol < TIGHT;
                let smooth = self.monitor.certify_kinks(self.model, step, tight);
                self.monitor.certify_phases(self.model, step.h()) && clear && smooth
            }
            StepPolicy::Resolved => {
                let clear = self.monitor.verify(self.model, step)?;
                self.monitor.certify_unlocated_phases(self.model, step) && clear
            }
            StepPolicy::Plain => self.monitor.verify_turns(self.model, step)?,
        };
        Ok(resolved && clear)
    }

    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let found = match self.settings.policy {
            StepPolicy::Located => {
                let found = self.monitor.first_event(self.model, step, dense)?;
                let found = self.monitor.first_phase_end(self.model, step, dense, found);
                self.monitor.first_kink(self.model, step, dense, found)
            }
            StepPolicy::Resolved => {
                let found = self.monitor.resolved_until(self.model, step, dense)?;
                self.monitor.first_phase_end(self.model, step, dense, found)
            }
            StepPolicy::Plain => Found::Nothing,
        };
        Ok(self.first_switch(step, dense, found))
    }

    fn landing(&mut self, step: &Step<'_>) -> Landing {
        let of_switch = self.switch_landing(step);
        Landing { dt: of_switch.unwrap_or_else(|| self.monitor.landing(self.model, step)) }
    }

    fn may_cut(&mut self, theta: f64) -> bool {
        self.monitor.may_cut(theta)
    }

    fn on_event(&mut self, t: f64, y: &mut [f64]) -> EventAction {
        if self.monitor.change_pieces(self.model, t, y) {
            return EventAction::Continue;
        }
        // (contacts that are not located come and go without an event)
        let time_scale = match self.settings.policy {
            StepPolicy::Located => {
                let shortest = self.monitor.toggle(self.model, t, y);
                self.monitor.toggle_phases(self.model, y);
                shortest
            }
            StepPolicy::Resolved => {
                self.monitor.toggle_phases(self.model, y);
                f64::INFINITY
            }
            StepPolicy::Plain => f64::INFINITY,
        };
        // (the modes of a contact that has just touched are found at the same instant)
        let time_scale = self.time_scale_at(t, time_scale);
        self.toggle_switches(t, y);
        self.cover();
        self.monitor.memories.clear(self.model, y);
        self.note_noise(t, y);
        EventAction::Restart { time_scale }
    }
}

impl Steps for System<'_> {
    fn on_accept(&mut self, t: f64, y: &mut [f64]) {
        self.project(t, y);
        if self.projects_joints() {
            self.ws.joints.note_new_parts();
            self.nearness.note(t, self.ws.joints.singular_distance().0);
            if let Some(joint) = contradicting(self.model, &mut self.ws, t, y) {
                let driven = self.model.constraints.list.iter().any(|constraint| constraint.may_do_work);
                let reason = if driven { DRIVES_FIGHT } else { CONTRADICTS };
                self.monitor.failure = Some(Part::Joint(joint).fails(reason));
            }
        }
        if self.model.constraints.counters > 0 {
            kinematics(self.model, t, y, &mut self.ws);
            let Workspace { joints, loads, .. } = &mut self.ws;
            joints.evaluate(self.model, t, |body| loads.body(body));
            joints.count_turns(self.model);
        }
        self.count_angles(t, y);
        if self.model.counts.angles > 0 {
            kinematics(self.model, t, y, &mut self.ws);
            self.ws.count_turns(self.model, t);
        }
        if self.settings.policy == StepPolicy::Located {
            self.monitor.settle(self.model, t, y);
        }
        self.settle_switches(t, y);
        self.control(t, y);
    }

    fn smooth_until(&mut self, t: f64, end: f64) -> f64 {
        // after an event the stretch is the same
        if let Some(until) = self.smooth_until.filter(|until| t < *until) {
            return until;
        }
        let until = self.model.world.smooth_until(t, end);
        let forces = self.model.forces.iter().filter_map(|force| force.switching());
        let until = forces.fold(until, |until, force| force.smooth_until(t, until));
        let until = self.controls.next(self.model, t, until);
        // (the end may be a kink too)
        let from = self.smooth_until.unwrap_or(f64::NEG_INFINITY);
        self.ws.loads.now.stretch = Stretch { from, to: until };
        self.smooth_until = Some(until);
        until
    }

    fn max_step(&mut self, t: f64, y: &[f64], dy: &[f64], h: f64) -> f64 {
        let limit = match self.settings.policy {
            // a release that is nearer than times can tell apart is for the search
            StepPolicy::Located => {
                self.monitor.step_ahead(self.model, y, dy).max(64.0 * f64::EPSILON * t.abs())
            }
            StepPolicy::Resolved | StepPolicy::Plain => {
                self.look_ahead(t, y, dy, self.settings.horizon.min(h))
            }
        };
        let limit = limit
            .min(self.nearness.max_step())
            .min(self.monitor.longest_turn(self.model))
            .min(self.drives_ahead.step(t));
        match self.settings.fixed_steps && self.settings.policy != StepPolicy::Plain {
            true => limit.min(self.monitor.step_in_contact(self.model)).min(self.step_on_bristles(t, y)),
            false => limit,
        }
    }

    fn leap(&mut self, _: f64, y: &[f64]) -> Option<StepAcross> {
        let size = self.model.world.extent_of(y) / self.model.world.scale.length;
        self.nearness.leap(size)
    }

    fn refused(&mut self, h: f64) {
        self.monitor.ahead.refused(h);
        self.nearness.refused();
    }
}

impl Split for System<'_> {
    fn is_velocity(&self, i: usize) -> Option<bool> {
        self.model.world.layout.component(self.monitor.memories.count, i).is_velocity()
    }

    fn relaxation(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> bool {
        self.relaxing(t, y, rates)
    }

    fn drift(&mut self, h: f64, y: &mut [f64]) {
        let m = self.model;
        for &body in &m.world.affine {
            if let BodyKind::Affine(rows) = m.world.bodies[body].kind {
                rows.drift(h, y);
            }
        }
        m.world.layout.rigid_bodies_mut(y).for_each(|mut body| body.drift(h));
    }
}
