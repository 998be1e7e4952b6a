//! A model in motion: the problem the integrators solve.

mod bristles;
mod carried;
mod contact_modes;
mod controls;
mod integrated;
mod joints;
mod handover;
mod ledger;
mod momentum;
mod not_finite;
mod peak_search;
mod switches;

use carom_ode::{Ode, RhsFailure};

use crate::contact::{ContactMonitor, ContactPoint, EAGER_PAIRS, Status};
use crate::error::BuildError;
use crate::forward::{forward, kinematics};
use crate::jacobian::Coupled;
use crate::joint::Stabilisation;
use crate::model::Model;
use crate::project::project;
use crate::reaction::Nearness;
use crate::rule::TOUCHING;
use crate::workspace::Workspace;
use crate::world::{Ahead, BodyKind};
use controls::ControlStates;
use ledger::EnergyAudit;
pub(crate) use ledger::bodies as energy_of_bodies;
use momentum::MomentumAudit;
pub(crate) use momentum::{ForceSums, larger, relative};
use peak_search::PeakSearch;
use switches::SwitchMonitor;

/// How the steps of a run and its contacts fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepPolicy {
    /// steps end at every touch and release
    Located,
    /// steps pass over touches and releases, but none goes further into a contact than it resolves
    Resolved,
    /// only the error estimate of the method limits the steps
    Plain,
}

/// How a run is integrated.
pub(crate) struct Settings {
    /// how steps and contacts fit together
    pub(crate) policy: StepPolicy,
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
    pub(crate) fn new(model: &'m Model, policy: StepPolicy, horizon: f64) -> Result<System<'m>, BuildError> {
        System::with_limit(model, policy, horizon, EAGER_PAIRS)
    }

    /// Creates a system that leaves the search for near pairs to the sweep if there are more than `eager_pairs` pairs.
    pub(crate) fn with_limit(
        model: &'m Model,
        policy: StepPolicy,
        horizon: f64,
        eager_pairs: usize,
    ) -> Result<System<'m>, BuildError> {
        let mut monitor = ContactMonitor::with_limit(model, eager_pairs)?;
        monitor.locates = policy == StepPolicy::Located;
        let most = monitor.pairs.iter().map(|s| s.state.points.len()).max().unwrap_or(0);
        Ok(System {
            model,
            monitor,
            switches: SwitchMonitor::new(model),
            controls: ControlStates::new(model),
            ws: Workspace::new(model, most),
            peaks: PeakSearch::new(most, model.world.layout.depths()),
            settings: Settings {
                policy,
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
        // surfaces that touch at the start have not jumped there
        self.monitor.lost_in_jumps = 0.0;
        // the bristles of a joint have their place for good
        let frictions = self.ws.joint_friction.memories.iter_mut().zip(&self.model.constraints.frictions);
        for (memory, _) in frictions.filter(|(memory, friction)| memory.is_none() && friction.law.remembers())
        {
            *memory = Some(self.monitor.memories.take(1));
        }
        self.model.world.layout.insert_memories(&mut y, self.monitor.memories.count);
        if self.settings.policy != StepPolicy::Located {
            let dy = vec![0.0; y.len()];
            self.look_ahead(t, &y, &dy, self.settings.horizon);
        }
        self.cover();
        kinematics(self.model, t, &y, &mut self.ws);
        self.ws.count_turns(self.model, t);
        self.count_angles(t, &y);
        self.control(t, &y);
        if let Err(failure) = self.start_switches(t, &y) {
            self.monitor.failure = Some(failure);
        }
        // (first which there are, then what they do)
        self.change_modes(t, &mut y, None);
        self.change_modes(t, &mut y, None);
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
        match self.settings.policy {
            StepPolicy::Located => {
                self.coupled.cover(self.model, self.monitor.active.iter().map(|at| &pairs[at.pair]));
            }
            StepPolicy::Resolved | StepPolicy::Plain => self.coupled.cover(self.model, pairs.iter()),
        }
        let model = self.model;
        let held = pairs.iter().flat_map(|s| {
            let points = (0..s.state.points.len()).filter_map(move |k| s.places(model, k));
            points.flatten().map(move |memory| (memory, s))
        });
        let axes = pairs.iter().flat_map(|s| {
            let points = 0..s.state.points.len();
            let axis = move |k: usize| Some((s.memories(model, k)?, s.axis_memory(model, k)?));
            points.filter_map(axis).flat_map(|(own, axis)| own.map(move |memory| (memory, axis)))
        });
        if self.monitor.memories.count > 0 {
            self.coupled.cover_memories(self.model, held);
            self.coupled.cover_axes(axes);
        }
    }

    /// Prepares contacts that are not located for a step of at most `h` [s], and returns the longest step that they allow
    /// [s].
    fn look_ahead(&mut self, t: f64, y: &[f64], dy: &[f64], h: f64) -> f64 {
        if self.settings.policy == StepPolicy::Plain {
            self.monitor.activate_all(self.model, t, y, dy);
            return f64::INFINITY;
        }
        self.monitor.look_ahead(self.model, t, y, dy, h)
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

/// Whether a contact point touches at an indentation [m], for output.
pub(crate) fn touches(point: &ContactPoint, delta: f64) -> bool {
    let least = if point.touch.floor < 0.0 { point.touch.floor } else { TOUCHING };
    point.status != Status::Off && delta > least
}
