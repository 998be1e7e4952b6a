//! The loop: step, look, record.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use carom_ode::{SolveError, Solver, StepTrouble, methods};

use super::audit::Auditor;
use super::record::{ContactRecord, EventKind, FieldRecord, Frame, Sink, SinkError};
use super::simulation::{End, Output, Run, Simulation, Start};
use super::summary::{Summary, Warning, WarningCount};
use crate::drive::Ahead;
use crate::error::RunError;
use crate::forward::{kinematics, torque_of};
use crate::model::Scale;
use crate::state::BodyState;
use crate::statics::Equilibrium;
use crate::system::{System, touches};

/// A run under way.
pub(super) struct Runner<'m> {
    sim: Simulation<'m>,
    system: System<'m>,
    solver: Solver,
    y: Vec<f64>,
    frame: Frame,
    next_output: usize,
    touches: usize,
    max_indentation: f64,
    energy_start: f64,
    auditor: Auditor,
    /// where it started, if that was looked for
    rest: Option<Equilibrium>,
    warnings: BTreeMap<Warning, usize>,
    stopped: bool,
}

impl<'m> Runner<'m> {
    pub(super) fn new(sim: &Simulation<'m>) -> Result<Runner<'m>, RunError> {
        let method = methods::find(&sim.method).map_err(RunError::Method)?;
        let horizon =
            sim.max_step.min(if method.is_adaptive() { sim.duration } else { sim.step.unwrap_or(0.0) });
        let mut system =
            System::new(sim.model, sim.locate_contacts, horizon).map_err(|e| RunError::Model(Box::new(e)))?;
        system.fixed_steps = !method.is_adaptive();
        system.exact_jacobian = sim.exact_jacobian;
        system.drives_ahead = Ahead::new(sim.model, sim.duration, !method.is_adaptive());
        if method.remembers() {
            // what is left then stores less than the tolerance: it goes as the depth to the power 5/2
            system.watch.approach = sim.rtol.powf(0.4);
        }
        system.stabilise(sim.stabilisation);
        let (rest, mut y) = match sim.start {
            Start::AsGiven => (None, sim.model.initial_state()),
            Start::Equilibrium => {
                let rest = Equilibrium::find(sim.model).map_err(RunError::Start)?;
                let y = rest.state(sim.model);
                (Some(rest), y)
            }
        };
        system.assemble(&mut y)?;
        let y = system.start(0.0, y);
        let options = sim.options();
        let energy_start = system.energy(0.0, &y).total();
        let solver = Solver::new(method, &mut system, 0.0, &y, sim.duration, options)
            .map_err(|source| failed(&system, source))?;
        let mut auditor = Auditor::new(sim, method.is_adaptive(), method.order());
        auditor.note_motion(&system);
        Ok(Runner {
            auditor,
            sim: sim.clone(),
            system,
            solver,
            y,
            frame: Frame::default(),
            next_output: 0,
            touches: 0,
            max_indentation: 0.0,
            energy_start,
            rest,
            warnings: BTreeMap::new(),
            stopped: false,
        })
    }

    pub(super) fn go(&mut self, sink: &mut dyn Sink) -> Result<Run, RunError> {
        told(0.0, sink.begin(self.sim.model))?;
        self.pass_on_events(sink)?;
        if self.wants_start() {
            self.record(0.0, sink)?;
        }
        while !self.solver.done() {
            if let Err(source) = self.solver.step(&mut self.system) {
                return Err(failed(&self.system, source));
            }
            self.look(sink)?;
            if let Err(source) = self.solver.finish(&mut self.system) {
                return Err(failed(&self.system, source));
            }
            self.pass_on_events(sink)?;
            if sink.progress(self.solver.t()) == ControlFlow::Break(()) {
                self.stopped = true;
                break;
            }
        }
        self.close(sink)
    }

    /// Peaks and frames of the step just taken.
    fn look(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        if self.system.note_peaks(&self.solver.last_step()) {
            self.prepare_dense()?;
            if let Some(dense) = self.solver.dense() {
                self.system.find_peaks(&self.solver.last_step(), &dense);
            }
        }
        let (t0, t1) = (self.solver.t_start(), self.solver.t());
        self.system.note_drives(t1, self.solver.y());
        self.system.note_gaps(t1, self.solver.y());
        self.auditor.look(&mut self.system, &mut self.solver);
        match &self.sim.output {
            Output::Ends => {}
            Output::Steps if t1 > t0 => {
                self.take_state();
                self.record(t1, sink)?;
            }
            Output::Steps => {}
            Output::Every(_) | Output::At(_) => {
                while let Some(t) = self.due(t1) {
                    self.next_output += 1;
                    self.state_at(t, t1)?;
                    self.record(t, sink)?;
                    self.system.watch.forget_chatter();
                }
            }
        }
        Ok(())
    }

    fn prepare_dense(&mut self) -> Result<(), RunError> {
        let t = self.solver.t();
        self.solver.prepare_dense(&mut self.system).map_err(|f| RunError::Integration {
            t,
            place: self.system.place(f.place),
            source: SolveError::BadStart { t, trouble: StepTrouble::Rhs(f) },
        })
    }

    /// The next output time, if it is not after `t1`.
    fn due(&self, t1: f64) -> Option<f64> {
        let t = match &self.sim.output {
            // multiples, not sums: no rounding adds up
            Output::Every(dt) => {
                let t = self.next_output as f64 * dt;
                let end = self.sim.duration;
                if t < end * (1.0 - 1e-12) {
                    t
                } else if (self.next_output - 1) as f64 * dt < end * (1.0 - 1e-12) {
                    end
                } else {
                    return None;
                }
            }
            Output::At(times) => *times.get(self.next_output)?,
            _ => return None,
        };
        (t <= t1).then_some(t)
    }

    fn wants_start(&mut self) -> bool {
        match &self.sim.output {
            Output::At(times) => {
                let now = times.first() == Some(&0.0);
                self.next_output += usize::from(now);
                now
            }
            _ => {
                self.next_output = 1;
                true
            }
        }
    }

    /// The state at the time reached, into `self.y`: an event may have changed its length.
    fn take_state(&mut self) {
        self.y.clear();
        self.y.extend_from_slice(self.solver.y());
    }

    /// The state at a time within the last step, into `self.y`.
    fn state_at(&mut self, t: f64, t1: f64) -> Result<(), RunError> {
        self.take_state();
        if t == t1 {
            return Ok(());
        }
        self.prepare_dense()?;
        if let Some(dense) = self.solver.dense() {
            let n = self.y.len();
            dense.at(t, 0..n, &mut self.y);
            // an interpolant keeps no constraint
            self.system.project(t, &mut self.y);
        }
        Ok(())
    }

    /// A frame of the state in `self.y`.
    fn record(&mut self, t: f64, sink: &mut dyn Sink) -> Result<(), RunError> {
        self.make_frame(t);
        told(t, sink.frame(&self.frame))
    }

    fn make_frame(&mut self, t: f64) {
        let (m, y) = (self.sim.model, &self.y);
        self.frame.t = t;
        self.frame.bodies.clear();
        self.frame.bodies.extend(m.moving().map(|b| BodyState::new(b, t, y)));
        self.frame.energy = self.system.energy(t, y);
        self.frame.momentum = self.system.note_momentum(y);
        self.auditor.note_motion(&self.system);
        self.frame.contacts.clear();
        kinematics(m, t, y, &mut self.system.ws);
        self.frame.fields.clear();
        self.frame.fields.extend(m.fields.iter().map(|field| {
            let [k, support] = field.bodies.map(|body| self.system.ws.body(body));
            let near = field.near(k, support);
            let action = field.field.act(&near);
            FieldRecord {
                field: field.name.clone(),
                gap: field.field.nearest(&near.d),
                force: action.force,
                torque: torque_of(&(action.moment * k.x.r.transpose())),
                dissipated: action.dissipated,
            }
        }));
        m.worn_in(y, &mut self.frame.wear);
        self.system.reactions(t, y, &mut self.frame.joints);
        for at in &self.system.watch.active {
            let slot = &self.system.watch.slots[at.slot];
            let Ok((c, _)) = self.system.point(at, y) else { continue };
            if touches(slot.features[at.feature].status, c.contact.delta) {
                self.frame.contacts.push(ContactRecord {
                    contact: slot.name.clone(),
                    feature: slot.pair.feature_name(at.feature),
                    point: c.contact.p_a,
                    normal: c.contact.n,
                    delta: c.contact.delta,
                    delta_dot: c.delta_dot,
                    f_n: c.f_n,
                    f_t: c.f_t,
                    couple: self.system.couple(at, c),
                });
            }
        }
    }

    /// Hands on what has happened since the last time.
    fn pass_on_events(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        let watch = &mut self.system.watch;
        // most steps have nothing to tell
        if watch.log.is_empty() && watch.warnings.is_empty() {
            return Ok(());
        }
        for event in watch.log.drain(..) {
            match event.kind {
                EventKind::Touch => self.touches += 1,
                EventKind::Release => {
                    self.max_indentation = self.max_indentation.max(event.max_indentation);
                }
            }
            told(event.t, sink.event(&event))?;
        }
        for warning in watch.warnings.drain(..) {
            *self.warnings.entry(warning).or_default() += 1;
        }
        Ok(())
    }

    fn close(&mut self, sink: &mut dyn Sink) -> Result<Run, RunError> {
        let t = self.solver.t();
        self.take_state();
        // a run that a sink stopped ends with a frame all the same
        if self.sim.output == Output::Ends || self.stopped {
            self.record(t, sink)?;
        } else {
            self.make_frame(t);
        }
        for slot in &self.system.watch.slots {
            for f in &slot.features {
                self.max_indentation = self.max_indentation.max(f.max_indentation);
            }
        }
        let audit = self.auditor.close(&self.system, self.solver.stats().steps);
        let Scale { length, speed } = self.sim.model.scale();
        let resolution = Scale { length: self.sim.atol * length, speed: self.sim.atol * speed };
        let small = self.auditor.small_motion(&self.system, &resolution);
        for warning in audit.warnings(self.sim.rtol, self.sim.atol).into_iter().chain(small) {
            self.warnings.insert(warning, 1);
        }
        let warnings = std::mem::take(&mut self.warnings);
        let summary = Summary {
            method: methods::find(&self.sim.method).map_err(RunError::Method)?.name(),
            rtol: self.sim.rtol,
            atol: self.sim.atol,
            t_end: t,
            stats: self.solver.stats(),
            touches: self.touches,
            contacts: self.system.watch.contacts,
            peak_force: self.system.watch.peak_force,
            max_indentation: self.max_indentation,
            nearest_gap: (!self.sim.model.fields.is_empty()).then_some(self.system.nearest_gap),
            energy_start: self.energy_start,
            audit_relative: audit.energy_relative,
            audit,
            resolution,
            energy: self.frame.energy,
            start: self.rest.take(),
            warnings: warnings.into_iter().map(|(warning, count)| WarningCount { warning, count }).collect(),
            stopped: self.stopped,
        };
        told(t, sink.end(&summary))?;
        let names = self.sim.model.moving_bodies().map(str::to_owned).collect();
        Ok(Run { summary, end: End { frame: self.frame.clone(), names } })
    }
}

fn told(t: f64, result: Result<(), SinkError>) -> Result<(), RunError> {
    result.map_err(|e| RunError::Sink { t, why: e.to_string() })
}

/// An integration's failure, with the name of the contact or body it happened in.
fn failed(system: &System<'_>, source: SolveError) -> RunError {
    let (t, trouble) = match &source {
        SolveError::StepTooSmall { t, trouble, .. }
        | SolveError::BadStart { t, trouble }
        | SolveError::AfterEvent { t, trouble } => (*t, Some(*trouble)),
        &SolveError::Jumps { t, component, .. } => {
            return RunError::Integration { t, place: system.component(component), source };
        }
        SolveError::TooManySteps { t, .. } | SolveError::EventStorm { t, .. } => (*t, None),
        _ => return RunError::Method(source),
    };
    let place = match trouble {
        Some(StepTrouble::Rhs(failure)) => system.place(failure.place),
        Some(
            StepTrouble::Error { component }
            | StepTrouble::NoConvergence { component }
            | StepTrouble::NotFinite { component },
        ) => system.component(component),
        Some(StepTrouble::TooFast) | None => None,
    };
    RunError::Integration { t, place, source }
}
