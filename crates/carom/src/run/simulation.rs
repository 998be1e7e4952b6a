//! The loop: step, look, record.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use carom_ode::{Options, SolveError, Solver, StepTrouble, methods};

use super::record::{ContactRecord, EventKind, Frame, Silence, Sink, SinkError};
use super::summary::{Summary, Warning, WarningCount};
use crate::error::RunError;
use crate::forward::kinematics;
use crate::model::Model;
use crate::state::BodyState;
use crate::system::{System, touches};

/// More frames than this are a slip, not a wish.
const MAX_FRAMES: f64 = 1e8;

/// When frames are recorded.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// at the start and at the end only
    Ends,
    /// at every accepted step
    Steps,
    /// at equal intervals from 0 [s], and at the end
    Every(f64),
    /// at these times [s]
    At(Vec<f64>),
}

/// A run to be: a model and how to integrate it.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.12]).surface(Sphere::new(0.02)?));
/// builder.body(Body::fixed("floor").surface(Plane));
/// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
/// let model = builder.build()?;
/// let run = Simulation::new(&model).duration(1.0).rtol(1e-10).run()?;
/// assert!(run.summary.audit_relative < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation<'m> {
    model: &'m Model,
    duration: f64,
    method: String,
    rtol: f64,
    atol: f64,
    step: Option<f64>,
    max_step: f64,
    locate_contacts: bool,
    exact_jacobian: bool,
    output: Output,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    /// what it did
    pub summary: Summary,
    /// the last frame
    pub end: End,
}

/// The last frame, with the bodies' names.
#[derive(Clone, Debug)]
pub struct End {
    /// the frame
    pub frame: Frame,
    names: Vec<String>,
}

impl End {
    /// A moving body by name.
    pub fn body(&self, name: &str) -> Option<&BodyState> {
        self.names.iter().position(|n| n == name).and_then(|i| self.frame.bodies.get(i))
    }
}

impl<'m> Simulation<'m> {
    /// One second of the model by dop853, rtol and atol 1e-8, contacts located, frames at the ends.
    pub fn new(model: &'m Model) -> Simulation<'m> {
        Simulation {
            model,
            duration: 1.0,
            method: methods::DEFAULT.to_owned(),
            rtol: 1e-8,
            atol: 1e-8,
            step: None,
            max_step: f64::INFINITY,
            locate_contacts: true,
            exact_jacobian: true,
            output: Output::Ends,
        }
    }

    /// How long [s].
    pub fn duration(mut self, duration: f64) -> Self {
        self.duration = duration;
        self
    }

    /// The integration method, by name: see [`carom_ode::methods::ALL`].
    pub fn method(mut self, name: &str) -> Self {
        self.method = name.to_owned();
        self
    }

    /// Relative tolerance, and the absolute one with it.
    pub fn rtol(mut self, rtol: f64) -> Self {
        self.rtol = rtol;
        self.atol = rtol;
        self
    }

    /// Absolute tolerance, in units of the model's [scales](crate::Scale).
    pub fn atol(mut self, atol: f64) -> Self {
        self.atol = atol;
        self
    }

    /// The step of fixed-step methods, or the first one of the others [s].
    pub fn step(mut self, step: f64) -> Self {
        self.step = Some(step);
        self
    }

    /// No step is longer than this [s].
    pub fn max_step(mut self, step: f64) -> Self {
        self.max_step = step;
        self
    }

    /// Whether steps land on every touch and release (the default). Without, contacts are felt where a step
    /// happens to find them, and laws latch at the last step before.
    pub fn locate_contacts(mut self, locate: bool) -> Self {
        self.locate_contacts = locate;
        self
    }

    /// Whether implicit methods get the exact Jacobian (the default), or make one of differences, as they must where a
    /// pair of surfaces has no derivatives.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.03]).surface(Sphere::new(0.02)?));
    /// builder.body(Body::fixed("floor").surface(Plane));
    /// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
    /// let model = builder.build()?;
    /// let cost = |exact| {
    ///     let run = Simulation::new(&model).method("radau5").duration(0.1).exact_jacobian(exact).run()?;
    ///     Ok::<_, RunError>(run.summary.stats.evaluations)
    /// };
    /// assert!(cost(true)? < cost(false)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exact_jacobian(mut self, exact: bool) -> Self {
        self.exact_jacobian = exact;
        self
    }

    /// When frames are recorded.
    pub fn output(mut self, output: Output) -> Self {
        self.output = output;
        self
    }

    /// Frames at equal intervals [s], and at the end.
    pub fn output_every(self, interval: f64) -> Self {
        self.output(Output::Every(interval))
    }

    /// Runs, and keeps the end only.
    pub fn run(&self) -> Result<Run, RunError> {
        self.run_into(&mut Silence)
    }

    /// Runs, and tells the sink everything as it happens.
    pub fn run_into(&self, sink: &mut dyn Sink) -> Result<Run, RunError> {
        self.check()?;
        let mut runner = Runner::new(self)?;
        runner.go(sink)
    }

    /// Whether it can be run: the method, the tolerances, the times.
    pub fn check(&self) -> Result<(), RunError> {
        let bad = |field, value: f64, allowed| {
            Err(RunError::BadOption { field, value: format!("{value:?}"), allowed })
        };
        let positive = "a finite number greater than 0";
        if !(self.duration > 0.0 && self.duration.is_finite()) {
            return bad("duration", self.duration, positive);
        }
        match &self.output {
            Output::Every(dt) if !(*dt > 0.0 && dt.is_finite()) => return bad("output_every", *dt, positive),
            // such a run would fill any disk
            Output::Every(dt) if self.duration / dt > MAX_FRAMES => {
                return bad("output_every", *dt, "intervals that make at most 1e8 frames");
            }
            Output::At(times) if times.is_empty() => {
                return bad("output_at", f64::NAN, "one time or more");
            }
            Output::At(times) => {
                if let Some(t) = times.iter().find(|t| !(0.0..=self.duration).contains(*t)) {
                    return bad("output_at", *t, "from 0 to the duration");
                }
                if let Some(w) = times.windows(2).find(|w| w[1] < w[0]) {
                    return bad("output_at", w[1], "times in increasing order");
                }
            }
            _ => {}
        }
        if !self.locate_contacts && self.model.rules.iter().any(|r| r.remembers) {
            return Err(RunError::BadOption {
                field: "locate_contacts",
                value: "false".to_owned(),
                allowed: "true with friction laws that remember: a touch is where they begin",
            });
        }
        let method = methods::find(&self.method).map_err(RunError::Method)?;
        match self.options().check(method, 0.0, self.duration) {
            Ok(()) => Ok(()),
            Err(SolveError::BadOption { name: "first_step", value, allowed }) => bad("step", value, allowed),
            Err(SolveError::BadOption { name, value, allowed }) => bad(name, value, allowed),
            Err(other) => Err(RunError::Method(other)),
        }
    }

    fn options(&self) -> Options {
        Options {
            rtol: self.rtol,
            atol: self.atol,
            scale: self.model.component_scales(),
            first_step: self.step,
            max_step: self.max_step,
            ..Options::default()
        }
    }
}

/// A run under way.
struct Runner<'m> {
    sim: Simulation<'m>,
    system: System<'m>,
    solver: Solver,
    y: Vec<f64>,
    frame: Frame,
    next_output: usize,
    touches: usize,
    peak_force: f64,
    max_indentation: f64,
    energy_start: f64,
    warnings: BTreeMap<Warning, usize>,
    stopped: bool,
}

impl<'m> Runner<'m> {
    fn new(sim: &Simulation<'m>) -> Result<Runner<'m>, RunError> {
        let method = methods::find(&sim.method).map_err(RunError::Method)?;
        let horizon =
            sim.max_step.min(if method.is_adaptive() { sim.duration } else { sim.step.unwrap_or(0.0) });
        let mut system =
            System::new(sim.model, sim.locate_contacts, horizon).map_err(|e| RunError::Model(Box::new(e)))?;
        system.fixed_steps = !method.is_adaptive();
        system.exact_jacobian = sim.exact_jacobian;
        if method.remembers() {
            // what is left then stores less than the tolerance: it goes as the depth to the power 5/2
            system.watch.approach = sim.rtol.powf(0.4);
        }
        let y = system.start(0.0);
        let options = sim.options();
        let energy_start = system.energy(0.0, &y).total();
        let solver = Solver::new(method, &mut system, 0.0, &y, sim.duration, options)
            .map_err(|source| failed(&system, source))?;
        Ok(Runner {
            sim: sim.clone(),
            system,
            solver,
            y,
            frame: Frame::default(),
            next_output: 0,
            touches: 0,
            peak_force: 0.0,
            max_indentation: 0.0,
            energy_start,
            warnings: BTreeMap::new(),
            stopped: false,
        })
    }

    fn go(&mut self, sink: &mut dyn Sink) -> Result<Run, RunError> {
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
        // the audit is told against the largest energy of the run, whatever is recorded; where nobody puts energy
        // in, that is the start's
        if self.sim.model.quadratures.work.is_some() || self.solver.at_event() {
            self.system.energy(t1, self.solver.y());
        }
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
        self.frame.contacts.clear();
        kinematics(m, t, y, &mut self.system.ws);
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
                    self.peak_force = self.peak_force.max(event.peak_force);
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
                self.peak_force = self.peak_force.max(f.peak_force);
                self.max_indentation = self.max_indentation.max(f.max_indentation);
            }
        }
        let energy = self.frame.energy;
        let scale = self.system.energy_scale;
        // an energy that is not a number must not pass for a perfect one
        let audit = energy.audit.abs();
        let audit_relative = if audit == 0.0 { 0.0 } else { audit / scale };
        if !(audit_relative < 1e-2) {
            self.warnings.insert(Warning::LargeAudit, 1);
        }
        let warnings = std::mem::take(&mut self.warnings);
        let summary = Summary {
            method: methods::find(&self.sim.method).map_err(RunError::Method)?.name(),
            rtol: self.sim.rtol,
            atol: self.sim.atol,
            t_end: t,
            stats: self.solver.stats(),
            touches: self.touches,
            peak_force: self.peak_force,
            max_indentation: self.max_indentation,
            energy_start: self.energy_start,
            audit_relative,
            energy,
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
        SolveError::StepTooSmall { t, trouble, .. } | SolveError::BadStart { t, trouble } => {
            (*t, Some(*trouble))
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
