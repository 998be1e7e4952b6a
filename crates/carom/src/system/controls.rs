//! Executes sampled controllers at their instants, and holds the inputs that programs set.

use super::System;
use crate::control::{ControllerModel, Observed};
use crate::forward::kinematics;
use crate::model::Model;
use crate::site::Part;

/// The rounding error of times, relative to the end of the run: that of the integrator, which passes kinks that are as near at once.
const GRAIN: f64 = 16.0 * f64::EPSILON;
const NOT_FINITE: &str = "a controller has put out a number that is not finite";

/// The controllers of a run: what each carries from one sample to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct ControlStates {
    all: Vec<ControlState>,
    /// instants that are no further apart are one [s]: the rounding error of times up to the end of the run
    grain: f64,
}

carom_base::plain!(ControlStates { all, grain });

#[derive(Clone, Debug)]
struct ControlState {
    /// how many samples there were
    samples: u64,
    /// the memory of its law
    memory: Vec<f64>,
    /// outputs that do not hold yet, and when they will [s]
    pending: Vec<(f64, Vec<f64>)>,
}

carom_base::plain!(ControlState { samples, memory, pending });

impl ControlStates {
    pub(super) fn new(m: &Model) -> ControlStates {
        let state =
            |c: &ControllerModel| ControlState { samples: 0, memory: c.law.memory(), pending: Vec::new() };
        ControlStates { all: m.controls.controllers.iter().map(state).collect(), grain: 0.0 }
    }

    /// Returns the first instant after t and before `end` at which an input changes or a controller samples; `end` if there is none.
    pub(super) fn next(&mut self, m: &Model, t: f64, end: f64) -> f64 {
        self.grain = self.grain.max(GRAIN * t.abs().max(if end.is_finite() { end.abs() } else { 0.0 }));
        let (mut next, now) = (end, t + self.grain);
        let mut note = |at: f64| next = if at > now { next.min(at) } else { next };
        for (state, c) in self.all.iter().zip(&m.controls.controllers) {
            note(state.samples as f64 * c.every);
            state.pending.iter().for_each(|(at, _)| note(*at));
        }
        next
    }

    /// Returns whether a controller samples, or an output begins to hold, at the time t, which a step has reached.
    pub(crate) fn is_due(&self, m: &Model, t: f64) -> bool {
        let due = |(state, c): (&ControlState, &ControllerModel)| {
            let pending = state.pending.first().map_or(f64::INFINITY, |(at, _)| *at);
            (state.samples as f64 * c.every).min(pending) <= t + self.grain
        };
        self.all.iter().zip(&m.controls.controllers).any(due)
    }

    /// Returns whether two times are one, but for rounding.
    pub(crate) fn is_same_time(&self, t: f64, u: f64) -> bool {
        (t - u).abs() <= self.grain
    }
}

fn rounded(x: f64, quantum: f64) -> f64 {
    if quantum > 0.0 { (x / quantum).round() * quantum } else { x }
}

impl System<'_> {
    /// Executes the controllers whose instants have come, in the state `y` at t.
    pub(super) fn control(&mut self, t: f64, y: &[f64]) {
        let now = t + self.controls.grain;
        let due = |state: &ControlState, c: &ControllerModel| state.samples as f64 * c.every <= now;
        let model = self.model;
        let controllers = &model.controls.controllers;
        if self.controls.all.iter().zip(controllers).any(|(state, c)| due(state, c)) {
            let needs = controllers.iter().flat_map(|c| &c.readings).any(|reading| reading.needs_forces());
            let (mut joints, mut normals) = (Vec::new(), Vec::new());
            if needs {
                self.reactions(t, y, &mut joints);
                normals = self.normal_forces(y);
            }
            kinematics(model, t, y, &mut self.ws);
            let observed = Observed { joints: &joints, normals: &normals };
            for (i, (state, c)) in self.controls.all.iter_mut().zip(controllers).enumerate() {
                while due(state, c) {
                    let at = state.samples as f64 * c.every;
                    let read = |reading: &crate::control::Reading| {
                        rounded(reading.value(&model.world, &self.ws.loads, t, &observed), c.quanta[0])
                    };
                    let u: Vec<f64> = c.readings.iter().map(read).collect();
                    let mut outputs = vec![0.0; c.law.outputs()];
                    c.law.sample(c.every, &u, &mut state.memory, &mut outputs);
                    outputs.iter_mut().for_each(|x| *x = rounded(*x, c.quanta[1]));
                    if !outputs.iter().all(|x| x.is_finite()) {
                        self.monitor.failure = Some(Part::Controller(i).fails(NOT_FINITE));
                    }
                    state.samples += 1;
                    state.pending.push((at + c.delay, outputs));
                }
            }
        }
        for (state, c) in self.controls.all.iter_mut().zip(controllers) {
            while state.pending.first().is_some_and(|(at, _)| *at <= now) {
                let (_, outputs) = state.pending.remove(0);
                self.ws.loads.inputs[c.first..c.first + outputs.len()].copy_from_slice(&outputs);
            }
        }
    }

    /// Returns the normal forces of all contacts in the state `y` held by the workspace, with the bodies of each.
    fn normal_forces(&mut self, y: &[f64]) -> Vec<([usize; 2], f64)> {
        let mut all = Vec::new();
        for at in &self.monitor.active {
            let pair = &self.monitor.pairs[at.pair];
            let f = pair.force_at(self.model, at.point, self.bodies(pair, y)).map_or(0.0, |point| point.f_n);
            all.push(([pair.body_a, pair.body_b], f));
        }
        all
    }
}
