//! A model in motion: the problem the integrators solve.

mod bristles;
mod carried;
mod controls;
mod joints;
mod ledger;
mod momentum;
mod not_finite;
mod peak_search;
mod switches;

use carom_ode::events::Found;
use carom_ode::{
    Components, Derivatives, EventAction, Events, Interpolant, Jacobian, Landing, Ode, RhsFailure, Sparsity,
    Split, Step, StepAcross, Steps,
};

use crate::contact::{ContactMonitor, Status};
use crate::error::BuildError;
use crate::forward::{forward, kinematics};
use crate::jacobian::{Coupled, jacobian};
use crate::joint::Stabilisation;
use crate::layout::Component;
use crate::loads::Stretch;
use crate::model::Model;
use crate::project::{contradicting, project};
use crate::reaction::{Nearness, TOO_NEAR};
use crate::rule::TOUCHING;
use crate::site::Part;
use crate::workspace::Workspace;
use crate::world::{Ahead, BodyKind};
use controls::ControlStates;
use ledger::EnergyAudit;
use momentum::MomentumAudit;
pub(crate) use momentum::{larger, relative};
use peak_search::PeakSearch;
use switches::SwitchMonitor;

/// What contacts, and forces that have let go, dissipate is held this much less than the work of drives: an impact takes tens of steps, and what it loses is lost once.
const CONTACT: f64 = 16.0;
/// Joints that contradict others, where some are driven or on bodies that are moved, and where none are.
const DRIVES_FIGHT: &str = "its equations repeated those of others and now contradict them: drives fight";
const CONTRADICTS: &str = "its equations repeated those of others at the start and now contradict them, though nothing is driven: \
     a smaller `rtol` may help";

/// How a run is integrated.
pub(crate) struct Settings {
    /// whether touches and releases are located as events
    pub(crate) locate: bool,
    /// whether steps are given, not chosen by an error estimate: then contacts must be resolved otherwise
    pub(crate) fixed_steps: bool,
    /// the longest step that the run may ever take [s]
    pub(crate) horizon: f64,
    /// whether implicit methods get the exact Jacobian
    pub(crate) exact_jacobian: bool,
    /// what is done about the drift of joints
    pub(crate) stabilisation: Stabilisation,
    /// the absolute tolerance
    pub(crate) atol: f64,
}

/// A model, its contacts, and room to compute.
pub(crate) struct System<'m> {
    pub(crate) model: &'m Model,
    pub(crate) settings: Settings,
    pub(crate) monitor: ContactMonitor,
    /// the switches of forces with branches
    switches: SwitchMonitor,
    /// the sampled controllers
    pub(crate) controls: ControlStates,
    pub(crate) ws: Workspace,
    pub(crate) peaks: PeakSearch,
    /// the bodies that have touched
    coupled: Coupled,
    /// the time up to which everything driven or prescribed is smooth, once it was asked for
    smooth_until: Option<f64>,
    /// what drives will do
    pub(crate) drives_ahead: Ahead<'m>,
    /// how near a singular position of its joints is
    pub(crate) nearness: Nearness,
    /// room for a state whose joints hold
    held: Vec<f64>,
    /// room for rates that are asked for to sum up forces
    audit_rates: Vec<f64>,
    /// what momentum is compared with
    pub(crate) momentum: MomentumAudit,
    /// what energy is compared with
    pub(crate) energy: EnergyAudit,
    /// what rounding makes of the deflections of bristles [m]: no error of theirs is held below that
    noise: f64,
    /// the least distance of a boundary to its support so far [m]
    pub(crate) nearest_gap: f64,
}

carom_base::carried!(
    ['m] System<'m> { monitor, switches, controls, ws, coupled, smooth_until, drives_ahead, nearness, momentum, energy, noise, nearest_gap } scratch {
        model, settings, peaks, held, audit_rates
    }
);

impl<'m> System<'m> {
    pub(crate) fn new(model: &'m Model, locate: bool, horizon: f64) -> Result<System<'m>, BuildError> {
        let mut monitor = ContactMonitor::new(model)?;
        monitor.locates = locate;
        let most = monitor.pairs.iter().map(|s| s.state.points.len()).max().unwrap_or(0);
        Ok(System {
            model,
            monitor,
            switches: SwitchMonitor::new(model),
            controls: ControlStates::new(model),
            ws: Workspace::new(model, most),
            peaks: PeakSearch::new(most, model.world.layout.depths()),
            settings: Settings {
                locate,
                fixed_steps: false,
                horizon,
                exact_jacobian: true,
                stabilisation: Stabilisation::Projection,
                atol: f64::INFINITY,
            },
            coupled: Coupled::default(),
            smooth_until: None,
            drives_ahead: Ahead::default(),
            nearness: Nearness::UNKNOWN,
            held: Vec::new(),
            audit_rates: Vec::new(),
            momentum: MomentumAudit::default(),
            energy: EnergyAudit::default(),
            noise: 0.0,
            nearest_gap: f64::INFINITY,
        })
    }

    /// The state a run starts from, the bodies being as in `y`; contacts that overlap there have touched.
    pub(crate) fn start(&mut self, t: f64, mut y: Vec<f64>) -> Vec<f64> {
        self.monitor.start(self.model, t, &y);
        // the bristles of a joint have their place for good
        let frictions = self.ws.joint_friction.memories.iter_mut().zip(&self.model.constraints.frictions);
        for (memory, _) in frictions.filter(|(memory, friction)| memory.is_none() && friction.law.remembers())
        {
            *memory = Some(self.monitor.memories.take());
        }
        self.model.world.layout.insert_memories(&mut y, self.monitor.memories.count);
        if !self.settings.locate {
            let dy = vec![0.0; y.len()];
            self.monitor.look_ahead(self.model, t, &y, &dy, self.settings.horizon);
        }
        self.cover();
        kinematics(self.model, t, &y, &mut self.ws);
        self.ws.count_turns(self.model, t);
        self.count_angles(t, &y);
        self.control(t, &y);
        if let Err(failure) = self.start_switches(t, &y) {
            self.monitor.failure = Some(failure);
        }
        let e = self.ledger(t, &y);
        self.energy = EnergyAudit::new(&e);
        self.open_momentum(&y);
        self.note_noise(t, &y);
        y
    }

    /// The accelerations of bodies that are put somewhere, not run there: contacts within `reach` [m] may carry forces. Gives the smallest
    /// gap [m].
    pub(crate) fn put(&mut self, t: f64, y: &[f64], reach: f64, dy: &mut [f64]) -> Result<f64, RhsFailure> {
        let nearest = self.monitor.follow(self.model, t, y, reach);
        self.cover();
        self.rhs(t, y, dy)?;
        // from one place to the next nothing turns far
        self.ws.count_turns(self.model, t);
        Ok(nearest)
    }

    /// Sees to it that the pattern of the Jacobian covers all contacts there are. Those that are not located come and
    /// go without an event: it must cover all that can be.
    fn cover(&mut self) {
        let pairs = &self.monitor.pairs;
        match self.settings.locate {
            true => self.coupled.cover(self.model, self.monitor.active.iter().map(|at| &pairs[at.pair])),
            false => self.coupled.cover(self.model, pairs.iter()),
        }
        let held = pairs.iter().flat_map(|s| s.state.points.iter().filter_map(move |f| Some((f.memory?, s))));
        if self.monitor.memories.count > 0 {
            self.coupled.cover_memories(self.model, held);
        }
    }

    /// Notes what rounding makes of deflections where bodies touch now.
    fn note_noise(&mut self, t: f64, y: &[f64]) {
        if self.monitor.memories.count > 0 {
            let far = self.model.world.extent_of(y).max(self.model.world.scale.speed * t);
            self.noise = self.noise.max(self.monitor.noise_of_deflections(self.model, far));
        }
    }

    /// Whether a force dissipates what it has stored without acting on its bodies, in the state that was evaluated last.
    fn forces_dissipate_unseen(&self) -> bool {
        let (m, loads) = (self.model, &self.ws.loads);
        let mut switching = m.forces.iter().filter_map(|force| force.switching());
        switching.any(|force| force.dissipates_unseen(&m.world, loads))
    }

    /// Whether rates are those of a state without its drift.
    fn rates_where_joints_hold(&self) -> bool {
        self.nearness.is_near() && self.projects_joints()
    }

    /// The rates in a state.
    pub(crate) fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        forward(self.model, &self.monitor.pairs, &self.monitor.active, &mut self.ws, t, y, dy)
    }

    /// Takes the drift out of a state: quaternions of length 1, volumes that are kept, joints that hold.
    pub(crate) fn project(&mut self, t: f64, y: &mut [f64]) {
        for mut body in self.model.world.layout.rigid_bodies_mut(y) {
            let q = body.now().quaternion();
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            body.set_quaternion(&q.map(|x| x / norm));
        }
        for &body in &self.model.world.affine {
            let b = &self.model.world.bodies[body];
            let (BodyKind::Affine(rows), Some(soft)) = (&b.kind, &b.soft) else { continue };
            let mut state = rows.of(y);
            soft.project(&mut state.f, &mut state.f_dot);
            rows.write(&state, y);
        }
        if self.projects_joints() {
            project(self.model, &mut self.ws, t, y);
        }
    }
}

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
                self.model.deflection.max(noise / self.settings.atol.max(f64::MIN_POSITIVE))
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
            || q.dissipated_viscous == Some(i) && self.forces_dissipate_unseen()
        {
            CONTACT * scale()
        } else {
            f64::INFINITY
        }
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
        let known = self.settings.locate || self.monitor.search.eager;
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
        let resolved = match self.settings.locate {
            true => self.monitor.certify(self.model, step)?,
            false => self.monitor.verify(self.model, step)?,
        };
        Ok(resolved && clear)
    }

    fn first_event(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        let found = match self.settings.locate {
            true => self.monitor.first_event(self.model, step, dense)?,
            false => self.monitor.resolved_until(self.model, step, dense)?,
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
        // (contacts that are not located come and go without an event)
        let time_scale =
            if self.settings.locate { self.monitor.toggle(self.model, t, y) } else { f64::INFINITY };
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
        if self.settings.locate {
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
        let limit = if self.settings.locate {
            // a release that is nearer than times can tell apart is for the search
            self.monitor.step_ahead(self.model, y, dy).max(64.0 * f64::EPSILON * t.abs())
        } else {
            self.monitor.look_ahead(self.model, t, y, dy, self.settings.horizon.min(h))
        };
        let limit = limit
            .min(self.nearness.max_step())
            .min(self.monitor.longest_turn(self.model))
            .min(self.drives_ahead.step(t));
        match self.settings.fixed_steps {
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

/// The status of a contact point, for output.
pub(crate) fn touches(status: Status, delta: f64) -> bool {
    status != Status::Off && delta > TOUCHING
}
