//! How the whole model becomes what its islands have become.

use super::island::Whole;
use crate::error::RunError;
use crate::model::Model;
use crate::run::runner::Runner;
use crate::run::simulation::Output;
use crate::run::sink::Sink;

impl<'a> Whole<'a> {
    /// Starts with the state at the start of the window.
    pub(super) fn new(model: &'a Model, y: &[f64]) -> Whole<'a> {
        let layout = &model.world.layout;
        Whole {
            model,
            y: y[..layout.bodies()].to_vec(),
            integrals: layout.integrals(y).to_vec(),
            pairs: Vec::new(),
            lost_in_jumps: 0.0,
            sums: Default::default(),
            peak_force: 0.0,
            contacts: 0,
            events: Vec::new(),
            moments: Vec::new(),
            warnings: Vec::new(),
            work: Default::default(),
        }
    }
}

impl Runner<'_> {
    /// Takes over what all islands have become at the time `until` [s].
    pub(super) fn take_over(&mut self, until: f64, mut whole: Whole<'_>) -> Result<(), RunError> {
        let m = self.sim.model;
        let system = &mut self.system;
        system.monitor.forget_contacts();
        let placed = system.monitor.take_over(m, whole.pairs.iter(), |surface| surface);
        let placed = placed.map_err(|e| RunError::Model(Box::new(e)))?;
        system.monitor.list_active_of_all();
        let mut y = whole.y;
        y.extend_from_slice(&whole.integrals);
        system.place_memories(&mut y, &placed);
        system.monitor.lost_in_jumps += whole.lost_in_jumps;
        system.momentum.take_sums(&whole.sums);
        let report = &mut system.monitor.report;
        report.peak_force = report.peak_force.max(whole.peak_force);
        report.contacts += whole.contacts;
        whole.events.sort_by(|a, b| a.t.total_cmp(&b.t));
        report.events.append(&mut whole.events);
        for (warning, count) in whole.warnings {
            *self.warnings.entry(warning).or_default() += count;
        }
        self.solver.adopt(&mut self.system, until, &y, whole.work);
        Ok(())
    }

    /// Returns the time at which the next window ends at the latest: an output time, or the end [s].
    pub(super) fn window_limit(&self) -> f64 {
        let end = self.due(f64::INFINITY).unwrap_or(self.sim.duration);
        end.min(self.sim.duration).min(self.window_end)
    }

    /// Examines the whole at the end of a window, and records what is due.
    pub(in crate::run) fn look_at_window(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        let t = self.solver.t();
        self.auditor.look_at_window(&mut self.system, &self.solver);
        match &self.sim.output {
            Output::Ends => {}
            Output::Steps => {
                self.take_state();
                self.record(t, sink)?;
            }
            Output::Every(_) | Output::At(_) => {
                while let Some(at) = self.due(t) {
                    self.reported.next_output += 1;
                    self.take_state();
                    self.record(at, sink)?;
                }
            }
        }
        Ok(())
    }
}
