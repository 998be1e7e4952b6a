//! A run of a crowd: steps of one length, which end at output times.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use carom_base::Vec3;
use carom_geometry::Contact;
use carom_ode::Stats;

use super::audit::Audit;
use super::fingerprint::Fingerprint;
use super::runner::passed_on;
use super::simulation::{CROWD, End, Output, Run, Simulation, Start};
use super::sink::Sink;
use super::snapshot::Snapshot;
use super::summary::{CrowdSteps, Summary, WarningCount};
use crate::crowd::{CrowdSystem, in_order, refused, stride};
use crate::error::RunError;
use crate::model::Model;
use crate::overlap::{self, Seen};
use crate::record::{Acceleration, Frame, Warning};
use crate::state::{BodyState, Kinematics};
use crate::statics::Equilibrium;
use crate::workspace::Workspace;
use crate::world::Scale;

/// The balances are examined after this number of steps, and at output times.
const STEPS: usize = 64;
/// Bodies that overlap by more than this part of the smaller radius are reported.
const OVERLAP: f64 = 0.01;
/// A balance is too far off beyond this part of the largest in the run: [`Audit::warnings`] counts in tolerances.
const TOLERANCE: f64 = 1e-5;
/// Steps are at least this part of the duration: more of them would never come to an end.
const LEAST_STEP: f64 = 1e-9;
/// A thread is worth its while for so many bodies.
const BODIES: usize = 500;

impl Simulation<'_> {
    /// Says whether the model is run as a crowd.
    pub(super) fn is_crowd(&self) -> bool {
        self.method == CROWD
    }

    /// Checks whether a crowd is possible.
    pub(super) fn check_crowd(&self) -> Result<(), RunError> {
        refused(self.model)?;
        let bad = |field, value: String, allowed| Err(RunError::BadOption { field, value, allowed });
        if self.threads == Some(0) {
            return bad("threads", "0".to_owned(), "whole numbers from 1 on");
        }
        for (field, step) in [("step", self.step), ("max_step", Some(self.max_step))] {
            if let Some(step) = step.filter(|step| !(*step > 0.0)) {
                return bad(field, format!("{step:?}"), "a finite number greater than 0");
            }
        }
        match self.longest_step() {
            // (bodies that are very far off, or very light, may ask for steps that lead nowhere)
            Some(step) if !(step >= LEAST_STEP * self.duration) => {
                bad("step", format!("{step:?}"), "at least 1e-9 of the time to integrate")
            }
            Some(_) => Ok(()),
            None => bad(
                "step",
                "not given".to_owned(),
                "a step, as no contact law of the model has a stiffness from which it follows",
            ),
        }
    }

    /// Returns the longest step [s]: that given, or one by the stiffest contact.
    fn longest_step(&self) -> Option<f64> {
        let own = self.step.or_else(|| stride(self.model));
        let any = if self.model.rules.is_empty() { Some(self.duration) } else { None };
        own.or(any).map(|step| step.min(self.max_step))
    }
}

/// A crowd as the audit of overlaps sees it.
struct Looked<'r> {
    model: &'r Model,
    ws: &'r Workspace,
    depths: HashMap<[usize; 2], f64>,
}

impl Seen for Looked<'_> {
    fn model(&self) -> &Model {
        self.model
    }
    fn motion(&self, body: usize) -> &Kinematics {
        self.ws.body(body)
    }
    fn known_depth(&self, surfaces: [usize; 2]) -> f64 {
        self.depths.get(&in_order(surfaces)).copied().unwrap_or(0.0)
    }
    fn worn(&self, _: [usize; 2], _: &Contact) -> f64 {
        0.0
    }
}

/// A run of a crowd in progress.
pub(super) struct Crowded<'m> {
    pub(super) sim: Simulation<'m>,
    pub(super) crowd: CrowdSystem<'m>,
    ws: Workspace,
    y: Vec<f64>,
    frame: Frame,
    rest: Option<Equilibrium>,
    pub(super) overlaps: overlap::Audit,
    /// longest step, and the longest one that was taken [s]
    longest: f64,
    taken: f64,
    steps: usize,
    /// start and end of the stretch between output times, and the steps in it: how many, and how many are taken
    stretch: [f64; 2],
    stretch_steps: [usize; 2],
    next_output: usize,
    /// whether the sink was given the model, and whether the start was reported
    begun: bool,
    started: bool,
    stopped: bool,
    /// why the run cannot go on
    failed: Option<RunError>,
    pub(super) fingerprint: Fingerprint,
}

carom_base::carried!(
    [] Crowded<'_> { taken, steps, stretch, stretch_steps, next_output, started } scratch {
        sim, crowd, ws, y, frame, rest, overlaps, longest, begun, stopped, failed, fingerprint
    }
);

impl<'m> Crowded<'m> {
    pub(super) fn new(sim: &Simulation<'m>) -> Result<Crowded<'m>, RunError> {
        let (rest, y) = match sim.start {
            Start::AsGiven => (None, sim.model.world.initial_state()),
            Start::Equilibrium => {
                let rest = Equilibrium::find(sim.model).map_err(RunError::Start)?;
                let y = rest.state(sim.model);
                (Some(rest), y)
            }
        };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let worth = || sim.model.world.bodies.len().div_ceil(BODIES);
        let threads = sim.threads.unwrap_or_else(|| cores().min(worth()));
        let crowd = CrowdSystem::new(sim.model, &y, threads)?;
        let mut run = Crowded {
            ws: Workspace::new(sim.model, 0),
            longest: sim.longest_step().unwrap_or(sim.duration),
            sim: sim.clone(),
            crowd,
            y,
            frame: Frame::default(),
            rest,
            overlaps: overlap::Audit::new(sim.model),
            taken: 0.0,
            steps: 0,
            stretch: [0.0; 2],
            stretch_steps: [0; 2],
            next_output: 0,
            begun: false,
            started: false,
            stopped: false,
            failed: None,
            fingerprint: Fingerprint::default(),
        };
        run.examine();
        Ok(run)
    }

    pub(super) fn t(&self) -> f64 {
        self.crowd.t
    }

    /// Examines the balances.
    fn examine(&mut self) {
        self.crowd.write_state(&mut self.y);
        self.frame.energy = self.crowd.energy(&self.y, &mut self.ws);
        self.frame.momentum = self.crowd.momentum(&self.ws);
    }

    /// Returns the frame of the time reached.
    pub(super) fn frame(&mut self) -> &Frame {
        self.examine();
        let (m, t) = (self.sim.model, self.crowd.t);
        self.frame.t = t;
        self.frame.bodies.clear();
        self.frame.bodies.extend(m.world.moving().map(|b| BodyState::new(b, t, &self.y)));
        self.crowd.records(&mut self.frame.contacts);
        let seen = Looked { model: m, ws: &self.ws, depths: self.crowd.depths() };
        self.overlaps.look(&seen, t);
        &self.frame
    }

    /// Returns the accelerations of the bodies that move by their forces.
    pub(super) fn accelerations(&self) -> Vec<Acceleration> {
        let m = self.sim.model;
        let of = |&body: &usize| {
            let (b, w, a) = (&m.world.bodies[body], self.crowd.spin(body), self.crowd.acceleration(body));
            let arm: Vec3 = self.crowd.axes(body) * -b.centre;
            let linear = a.linear + a.angular.cross(&arm) + w.cross(&w.cross(&arm));
            Acceleration { body: b.name.clone(), linear, angular: a.angular }
        };
        m.world.dynamic.iter().map(of).collect()
    }

    fn record(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        self.frame();
        passed_on(self.crowd.t, sink.frame(&self.frame))
    }

    /// Gives the model to a sink, and reports the start.
    fn open(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        if !std::mem::replace(&mut self.begun, true) {
            passed_on(self.crowd.t, sink.begin(self.sim.model))?;
        }
        if std::mem::replace(&mut self.started, true) {
            return Ok(());
        }
        let now = match &self.sim.output {
            Output::At(times) => times.first() == Some(&0.0),
            _ => true,
        };
        self.next_output = usize::from(now);
        if now { self.record(sink) } else { Ok(()) }
    }

    /// Returns the next time at which a step must end: an output time, or the end.
    fn next_end(&self) -> f64 {
        let end = self.sim.duration;
        match &self.sim.output {
            Output::Every(dt) => {
                let t = self.next_output as f64 * dt;
                if t < end * (1.0 - 1e-12) { t } else { end }
            }
            Output::At(times) => times.get(self.next_output).copied().unwrap_or(end).min(end),
            Output::Ends | Output::Steps => end,
        }
    }

    /// Returns whether the start was reported.
    pub(super) fn has_begun(&self) -> bool {
        self.started
    }

    /// Returns whether the sink has asked to stop before the end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped && self.crowd.t < self.sim.duration
    }

    /// Returns whether the next step begins the stretch that ends with the run: the length of its steps depends on the duration.
    pub(super) fn reaches_end(&self) -> bool {
        self.begins_stretch(self.next_end()) && self.next_end() >= self.sim.duration
    }

    /// Returns whether the next step begins a stretch to this time [s].
    fn begins_stretch(&self, end: f64) -> bool {
        self.stretch[1] != end || self.stretch_steps[1] >= self.stretch_steps[0]
    }

    /// Returns everything that the rest of the run depends on; a run that has failed has none.
    pub(super) fn snapshot(&self) -> Result<Snapshot, RunError> {
        self.failed.clone().map_or_else(|| Ok(self.save()), Err)
    }

    /// Continues from a snapshot of this or another run of the same model with the same options. Any other snapshot is refused, and
    /// changes nothing.
    pub(super) fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        self.put_back(snapshot).map_err(RunError::Snapshot)?;
        (self.stopped, self.failed) = (false, None);
        Ok(())
    }

    /// Continues from a snapshot, and gives the model to the sink, which will receive the rest.
    pub(super) fn resume(&mut self, snapshot: &Snapshot, sink: &mut dyn Sink) -> Result<(), RunError> {
        self.restore(snapshot)?;
        self.open(sink)
    }

    /// Takes one step, no further than to the time `until` [s]. Returns whether the run continues.
    pub(super) fn step(&mut self, until: f64, sink: &mut dyn Sink) -> Result<bool, RunError> {
        self.open(sink)?;
        if self.crowd.t >= self.sim.duration {
            return Ok(false);
        }
        let end = self.next_end().min(until);
        if self.begins_stretch(end) {
            self.stretch = [self.crowd.t, end];
            // (a whole number but for rounding is that number)
            let many = ((end - self.crowd.t) / self.longest * (1.0 - 1e-9)).ceil().max(1.0);
            self.stretch_steps = [many as usize, 0];
        }
        let [from, to] = self.stretch;
        let [many, taken] = &mut self.stretch_steps;
        *taken += 1;
        let (h, t) = ((to - from) / *many as f64, from + (to - from) * (*taken as f64 / *many as f64));
        let t = if taken == many { to } else { t };
        if let Err(why) = self.crowd.step(h, t) {
            self.failed = Some(why.clone());
            return Err(why);
        }
        (self.taken, self.steps) = (self.taken.max(h), self.steps + 1);
        self.report(sink)?;
        self.stopped = sink.progress(t) == ControlFlow::Break(());
        Ok(!(self.stopped || t >= self.sim.duration))
    }

    /// Records what is due at the end of a step.
    fn report(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        let t = self.crowd.t;
        let due = match &self.sim.output {
            Output::Steps => true,
            Output::Ends => t >= self.sim.duration,
            Output::Every(_) => t >= self.next_end(),
            Output::At(times) => times.get(self.next_output).is_some_and(|at| t >= *at),
        };
        if due {
            self.next_output += 1;
            return self.record(sink);
        }
        if self.steps.is_multiple_of(STEPS) {
            self.examine();
        }
        Ok(())
    }

    /// Advances to a time [s]. Returns whether the run continues beyond it.
    pub(super) fn advance(&mut self, until: f64, sink: &mut dyn Sink) -> Result<bool, RunError> {
        self.open(sink)?;
        while self.crowd.t < until {
            if !self.step(until, sink)? {
                return Ok(false);
            }
        }
        Ok(self.crowd.t < self.sim.duration)
    }

    /// Ends the run at the time reached.
    pub(super) fn finish(mut self, sink: &mut dyn Sink) -> Result<Run, RunError> {
        self.open(sink)?;
        let t = self.crowd.t;
        self.stopped |= t < self.sim.duration;
        if self.stopped {
            self.record(sink)?;
        } else {
            self.frame();
        }
        let m = self.sim.model;
        let books = &self.crowd.books;
        let audit = self.audit();
        let mut warnings: BTreeMap<Warning, usize> = BTreeMap::new();
        for warning in audit.warnings(TOLERANCE, TOLERANCE) {
            warnings.insert(warning, 1);
        }
        for warning in self.overlaps.warnings(m) {
            warnings.insert(warning, 1);
        }
        if let Some(turned) = self.rest.as_ref().and_then(Equilibrium::warning) {
            warnings.insert(turned, 1);
        }
        // (written so that NaN is reported, too)
        if !(books.overlap <= OVERLAP) {
            let overlap = format!("{:.1} %", 100.0 * books.overlap);
            warnings.insert(Warning::SoftCrowd { overlap }, 1);
        }
        let Scale { length, speed } = m.scale();
        let resolution = Scale { length: self.sim.atol * length, speed: self.sim.atol * speed };
        let stats = Stats { steps: self.steps, evaluations: self.steps + 1, ..Stats::default() };
        let summary = Summary {
            method: CROWD,
            rtol: self.sim.rtol,
            atol: self.sim.atol,
            t_end: t,
            stats,
            touches: books.touches,
            contacts: books.touches,
            peak_force: books.peak_force,
            max_indentation: books.deepest,
            nearest_gap: None,
            overlaps: self.overlaps.result(m),
            roundings: Vec::new(),
            energy_start: books.energy_start(),
            audit_relative: audit.energy_relative,
            audit,
            resolution,
            energy: self.frame.energy,
            start: self.rest.take(),
            warnings: warnings.into_iter().map(|(warning, count)| WarningCount { warning, count }).collect(),
            stopped: self.stopped,
            threads: self.crowd.thread_count(),
            crowd: Some(CrowdSteps { step: self.taken, overlap: books.overlap, lists: self.crowd.lists }),
        };
        passed_on(t, sink.end(&summary))?;
        let names = m.moving_bodies().map(str::to_owned).collect();
        Ok(Run { summary, end: End { frame: self.frame.clone(), names } })
    }

    fn audit(&self) -> Audit {
        let books = &self.crowd.books;
        let [momentum_relative, angular_momentum_relative] = books.momentum_relative();
        Audit {
            energy: books.worst,
            energy_relative: books.energy_relative(),
            momentum_relative,
            angular_momentum_relative,
            friction_on_surfaces: self.sim.model.friction_makes_couples(),
            rounding: [0.0; 3],
            estimate: None,
        }
    }
}
