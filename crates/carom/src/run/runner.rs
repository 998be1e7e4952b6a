//! The time loop: step, examine, record.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use carom_base::elementary::pow;
use carom_ode::{Ode, RhsFailure, SolveError, Solver, StepTrouble, methods};

use super::audit::Auditor;
use super::fingerprint::Fingerprint;
use super::islands::Islands;
use super::pace::{Pace, likely_cause};
use super::simulation::{Output, Simulation, Start};
use super::sink::{Sink, SinkError};
use super::within::Within;
use crate::contact::HandedPair;
use crate::error::RunError;
use crate::overlap::{self, Audit, Meeting};
use crate::record::{Acceleration, EventKind, Frame, Warning};
use crate::statics::Equilibrium;
use crate::system::{StepPolicy, System};
use crate::world::Ahead;

/// What was reported to the sink.
#[derive(Default)]
pub(super) struct Reported {
    /// index of the next output time
    pub(super) next_output: usize,
    /// whether the start was reported
    pub(super) started: bool,
    /// whether a sink was given the model, and whether it wants moments between output times
    begun: bool,
    pub(super) follows: bool,
    /// whether a sink has asked to stop
    pub(super) stopped: bool,
    /// output times at the end of the step just taken whose frames are made when the controllers have sampled there
    pub(super) after_samples: Vec<f64>,
}

carom_base::carried!(Reported { next_output, started } scratch { begun, follows, stopped, after_samples });

/// Numbers of the summary that grow from event to event.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) touches: usize,
    pub(super) max_indentation: f64,
}

carom_base::carried!(Totals { touches, max_indentation });

/// Overlaps without a contact.
pub(super) struct Overlaps {
    /// overlaps for which no contact accounts
    pub(super) audit: Audit,
    /// surfaces without a contact that will meet
    pub(super) meetings: Vec<Meeting>,
}

/// A run in progress.
pub(super) struct Runner<'m> {
    pub(super) sim: Simulation<'m>,
    pub(super) system: System<'m>,
    pub(super) solver: Solver,
    pub(super) y: Vec<f64>,
    pub(super) frame: Frame,
    /// the contact pairs that the contacts of the frame belong to
    pub(super) frame_pairs: Vec<usize>,
    /// contacts between output times, if the sink wants them
    pub(super) within: Option<Box<Within>>,
    pub(super) reported: Reported,
    pub(super) totals: Totals,
    pub(super) auditor: Auditor,
    /// the equilibrium that the run started from, if one was asked for
    pub(super) rest: Option<Equilibrium>,
    pub(super) warnings: BTreeMap<Warning, usize>,
    pub(super) overlaps: Overlaps,
    pub(super) pace: Pace,
    pub(super) fingerprint: Fingerprint,
    /// the groups of bodies that advance by themselves, if they do
    pub(super) islands: Option<Box<Islands>>,
    /// the time at which a window of theirs is to end at the latest [s]
    pub(super) window_end: f64,
}

// (system, solver and the audit of overlaps are saved too, each by its own method; the equilibrium at the start, and the
// surfaces that would meet from there, are found anew)
carom_base::carried!(
    ['m] Runner<'m> { reported, totals, auditor, warnings, pace, within } scratch {
        sim, system, solver, y, frame, frame_pairs, rest, overlaps, fingerprint, islands, window_end
    }
);

impl<'m> Runner<'m> {
    pub(super) fn new(sim: &Simulation<'m>) -> Result<Runner<'m>, RunError> {
        let method = methods::find(&sim.method).map_err(RunError::Method)?;
        let mut system = system_of(sim, sim.eager_pairs)?;
        let (rest, mut y) = match sim.start {
            Start::AsGiven => (None, sim.model.world.initial_state()),
            Start::Equilibrium => {
                let rest = Equilibrium::find(sim.model).map_err(RunError::Start)?;
                let y = rest.state(sim.model);
                (Some(rest), y)
            }
        };
        system.assemble(&mut y)?;
        let y = system.start(0.0, y);
        let (mut start, meetings) = overlap::at_start(&mut system, &y, sim.duration);
        start.extend(system.far_away(sim.atol * sim.model.scale().length));
        start.extend(sim.plain_warning());
        let options = sim.options();
        system.energy(0.0, &y);
        let solver = Solver::new(method, &mut system, 0.0, &y, sim.duration, options)
            .map_err(|source| failed(&mut system, &y, sim.rtol, source))?;
        let mut auditor = Auditor::new(sim, method.is_adaptive(), method.order());
        auditor.note(&mut system, 0.0, &y);
        let warnings = start.into_iter().map(|warning| (warning, 1)).collect();
        let overlaps = Overlaps { audit: Audit::new(sim.model), meetings };
        let islands = Islands::suit(sim).then(|| Box::new(Islands::new(sim.model)));
        Ok(Runner { rest, warnings, overlaps, islands, ..Runner::with(sim, system, solver, auditor) })
    }

    /// Creates a run of a part of a model, which goes on from these contacts at time `t`, its bodies being as in the state
    /// `y`. It reports nothing of the time before. `own` gives the index of a surface in the part for that in the whole model.
    pub(super) fn of_part<'h>(
        sim: &Simulation<'m>,
        (t, y): (f64, Vec<f64>),
        pairs: impl Iterator<Item = &'h HandedPair>,
        own: impl Fn(usize) -> usize,
        work_scale: f64,
    ) -> Result<Runner<'m>, RunError> {
        let method = methods::find(&sim.method).map_err(RunError::Method)?;
        let mut system = system_of(sim, PART_PAIRS)?;
        let y = system.resume(t, y, pairs, own, work_scale).map_err(|e| RunError::Model(Box::new(e)))?;
        let solver = Solver::new(method, &mut system, t, &y, sim.duration, sim.options())
            .map_err(|source| failed(&mut system, &y, sim.rtol, source))?;
        let auditor = Auditor::new(sim, true, method.order());
        let mut runner = Runner::with(sim, system, solver, auditor);
        (runner.reported.begun, runner.reported.started) = (true, true);
        Ok(runner)
    }

    fn with(sim: &Simulation<'m>, system: System<'m>, solver: Solver, auditor: Auditor) -> Runner<'m> {
        Runner {
            auditor,
            sim: sim.clone(),
            y: solver.y().to_vec(),
            system,
            solver,
            frame: Frame::default(),
            frame_pairs: Vec::new(),
            within: None,
            reported: Reported::default(),
            totals: Totals::default(),
            rest: None,
            warnings: BTreeMap::new(),
            overlaps: Overlaps { audit: Audit::new(sim.model), meetings: Vec::new() },
            pace: Pace::default(),
            fingerprint: Fingerprint::default(),
            islands: None,
            window_end: f64::INFINITY,
        }
    }

    /// Takes one step and reports it. Returns whether the run continues.
    pub(super) fn advance(&mut self, sink: &mut dyn Sink) -> Result<bool, RunError> {
        if !self.take_step(sink)? {
            return Ok(false);
        }
        self.conclude(sink)
    }

    /// Takes one step and reports what lies within it. Returns `false` at the end of the run, where no step is left.
    pub(super) fn take_step(&mut self, sink: &mut dyn Sink) -> Result<bool, RunError> {
        self.open(sink)?;
        if self.solver.done() {
            return Ok(false);
        }
        if let Some(mut islands) = self.islands.take() {
            self.reported.stopped = false;
            let outcome = islands.window(self, sink);
            self.islands = Some(islands);
            outcome?;
            self.look_at_window(sink)?;
            return Ok(true);
        }
        if let Err(source) = self.solver.step(&mut self.system) {
            return Err(self.failure(source));
        }
        self.look(sink)?;
        Ok(true)
    }

    /// Concludes the step just taken: handles its event, and reports it. Returns whether the run continues.
    pub(super) fn conclude(&mut self, sink: &mut dyn Sink) -> Result<bool, RunError> {
        if let Err(source) = self.solver.finish(&mut self.system) {
            return Err(self.failure(source));
        }
        self.record_after_samples(sink)?;
        self.pass_on_events(sink)?;
        // (islands check their own)
        if self.islands.is_none() {
            self.check_pace()?;
        }
        if !self.system.settings.fixed_steps && self.islands.is_none() {
            self.tell_if_slow(sink)?;
        }
        // (a sink may have asked to stop within a window of islands)
        let within = self.islands.is_some() && self.reported.stopped;
        self.reported.stopped = sink.progress(self.solver.t()) == ControlFlow::Break(()) || within;
        Ok(!(self.reported.stopped || self.solver.done()))
    }

    /// Makes the next steps end at t [s], or before it.
    pub(super) fn end_steps_at(&mut self, t: f64) {
        self.solver.limit(t);
    }

    /// Sets an input at the time reached: the rates are others from here on.
    pub(super) fn set_input(&mut self, input: usize, value: f64) -> Result<(), RunError> {
        self.system.ws.loads.inputs[input] = value;
        let restarted = self.solver.restart(&mut self.system);
        restarted.map_err(|source| self.failure(source))
    }

    /// Returns the frame of a time within the step just taken, its end included.
    pub(super) fn frame_at(&mut self, t: f64) -> Result<&Frame, RunError> {
        let t1 = self.solver.t();
        if t == t1 {
            self.take_state();
        } else {
            self.state_at(t, t1)?;
        }
        self.make_frame(t);
        self.auditor.ignore_evaluations_of_outputs(&self.solver);
        Ok(&self.frame)
    }

    /// Returns the accelerations of the rigid bodies that move by their forces at a time within the step just taken, its end
    /// included.
    pub(super) fn accelerations_at(&mut self, t: f64) -> Result<Vec<Acceleration>, RunError> {
        let t1 = self.solver.t();
        if t == t1 {
            self.take_state();
        } else {
            self.state_at(t, t1)?;
        }
        let mut dy = vec![0.0; self.y.len()];
        let known = self.system.rhs(t, &self.y, &mut dy);
        known.map_err(|failure| self.failed_within(t1, failure))?;
        Ok(self.system.accelerations(&dy))
    }

    /// Gives the model to a sink before its first step, and reports the start before the first step of all.
    pub(super) fn open(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        if !std::mem::replace(&mut self.reported.begun, true) {
            passed_on(self.solver.t(), sink.begin(self.sim.model))?;
            self.reported.follows = sink.wants_within();
        }
        self.follow();
        if std::mem::replace(&mut self.reported.started, true) {
            return Ok(());
        }
        self.pass_on_events(sink)?;
        if self.wants_start() {
            return self.record(0.0, sink);
        }
        // the audit examines the start, recorded or not
        self.make_frame(0.0);
        Ok(())
    }

    /// Returns an error if the run makes no progress.
    fn check_pace(&mut self) -> Result<(), RunError> {
        let t = self.solver.t();
        let (system, rtol) = (&self.system, self.sim.rtol);
        let stuck = |span| system.is_lost_in_rounding(rtol, span);
        let held = |step| system.is_held_by_rounding(rtol, step);
        // (in the state of the last evaluation, which is close enough)
        let leads_nowhere = || system.undefined_angle(t).is_some();
        // (a fixed step is the user's choice)
        if !system.settings.fixed_steps
            && let Some(needed) = self.pace.hopeless(
                (t, self.sim.duration),
                self.solver.stats().evaluations,
                stuck,
                held,
                leads_nowhere,
            )
        {
            let stiff = methods::find(&self.sim.method).is_ok_and(|method| method.suits_stiff());
            let why = likely_cause(&mut self.system, t, self.solver.y(), self.sim.rtol, stiff);
            return Err(RunError::NoProgress { t, needed, why });
        }
        Ok(())
    }

    /// Returns why the run cannot continue: steps that ran away, or the solver's error.
    fn failure(&mut self, source: SolveError) -> RunError {
        let y = self.solver.y();
        match self.auditor.ran_away(&mut self.system, self.solver.t(), y) {
            Some(why) => why,
            None => failed(&mut self.system, y, self.sim.rtol, source),
        }
    }

    /// Finds the peaks and records the frames of the step just taken.
    fn look(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        if self.system.note_peaks(&self.solver.last_step()) {
            let made = self.solver.prepare_dense(&mut self.system);
            made.map_err(|failure| self.failed_within(self.solver.t(), failure))?;
            if let Some(dense) = self.solver.dense() {
                self.system.find_peaks(&self.solver.last_step(), &dense);
            }
        }
        let (t0, t1) = (self.solver.t_start(), self.solver.t());
        self.system.warn_of_active_friction(t1, self.solver.y());
        self.system.note_gaps(t1, self.solver.y());
        self.auditor.look(&mut self.system, &mut self.solver)?;
        self.follow_contacts()?;
        self.reported.after_samples.clear();
        match &self.sim.output {
            Output::Ends => {}
            Output::Steps if t1 > t0 => self.record_within(t1, t1, sink)?,
            Output::Steps => {}
            Output::Every(_) | Output::At(_) => {
                while let Some(t) = self.due(t1) {
                    self.reported.next_output += 1;
                    self.record_within(t, t1, sink)?;
                }
            }
        }
        self.follow_to_end()?;
        self.auditor.ignore_evaluations_of_outputs(&self.solver);
        Ok(())
    }

    /// Returns the error that the motion within the step that ends at t could not be computed.
    pub(super) fn failed_within(&self, t: f64, failure: RhsFailure) -> RunError {
        let part = self.system.failed_part(&failure);
        RunError::Integration {
            t,
            part,
            source: SolveError::BadStart { t, trouble: StepTrouble::Rhs(failure) },
        }
    }

    /// Reports the events and collects the warnings since the last call.
    fn pass_on_events(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        let monitor = &mut self.system.monitor;
        // most steps have none
        if monitor.report.events.is_empty() && monitor.report.warnings.is_empty() {
            return Ok(());
        }
        for event in monitor.report.events.drain(..) {
            match event.kind {
                EventKind::Touch => self.totals.touches += 1,
                EventKind::Release => {
                    self.totals.max_indentation = self.totals.max_indentation.max(event.max_indentation);
                }
            }
            passed_on(event.t, sink.event(&event))?;
        }
        for warning in monitor.report.warnings.drain(..) {
            // (whether friction drives is asked at every output: how often says nothing)
            let once = matches!(warning, Warning::FrictionDrives { .. });
            let count = self.warnings.entry(warning).or_default();
            *count = if once { 1 } else { *count + 1 };
        }
        Ok(())
    }
}

/// A part of a model leaves the search for near pairs to the sweep if it has more pairs of surfaces than this.
const PART_PAIRS: usize = 256;

/// Creates the system of a run.
fn system_of<'m>(sim: &Simulation<'m>, eager_pairs: usize) -> Result<System<'m>, RunError> {
    let method = methods::find(&sim.method).map_err(RunError::Method)?;
    let horizon = sim.max_step.min(if method.is_adaptive() { sim.duration } else { sim.step.unwrap_or(0.0) });
    let policy = sim.step_policy();
    let mut system = System::with_limit(sim.model, policy, horizon, eager_pairs)
        .map_err(|e| RunError::Model(Box::new(e)))?;
    if policy == StepPolicy::Plain && !system.monitor.search.eager {
        return Err(RunError::BadOption {
            field: "plain",
            value: "true".to_owned(),
            allowed: "false with so many pairs of surfaces: a plain run evaluates every pair at any time",
        });
    }
    system.settings.fixed_steps = !method.is_adaptive();
    system.settings.exact_jacobian = sim.exact_jacobian;
    system.settings.atol = sim.atol;
    system.drives_ahead = Ahead::new(&sim.model.world, sim.duration, !method.is_adaptive());
    if method.remembers() {
        // the energy left then is below the tolerance: it goes as the depth to the power 5/2
        system.monitor.ahead.approach = pow(sim.rtol, 0.4);
    }
    system.stabilise(sim.stabilisation);
    Ok(system)
}

pub(super) fn passed_on(t: f64, result: Result<(), SinkError>) -> Result<(), RunError> {
    result.map_err(|e| RunError::Sink { t, why: e.to_string() })
}

/// Converts a failure of the integration, adding the name of the contact or body in which it happened.
fn failed(system: &mut System<'_>, y: &[f64], rtol: f64, source: SolveError) -> RunError {
    let (t, trouble) = match &source {
        SolveError::StepTooSmall { t, trouble, .. }
        | SolveError::BadStart { t, trouble }
        | SolveError::AfterEvent { t, trouble } => (*t, Some(*trouble)),
        &SolveError::Jumps { t, component, .. } => {
            let part = system.cause_of_short_steps(t, y, rtol).or_else(|| system.component(component));
            return RunError::Integration { t, part, source };
        }
        SolveError::TooManySteps { t, .. } | SolveError::EventStorm { t, .. } => (*t, None),
        _ => return RunError::Method(source),
    };
    let part = match trouble {
        Some(StepTrouble::Rhs(failure)) => system.failed_part(&failure),
        Some(StepTrouble::Error { component } | StepTrouble::NoConvergence { component }) => {
            system.cause_of_short_steps(t, y, rtol).or_else(|| system.component(component))
        }
        Some(StepTrouble::NotFinite { component }) => {
            system.not_finite(t, y).or_else(|| system.component(component))
        }
        Some(StepTrouble::TooFast) | None => system.cause_of_short_steps(t, y, rtol),
    };
    RunError::Integration { t, part, source }
}
