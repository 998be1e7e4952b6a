//! The end of a run: its last frame, its warnings and its summary.

use carom_ode::methods;

use super::runner::{Runner, passed_on};
use super::simulation::{End, Output, Run};
use super::sink::Sink;
use super::summary::{EdgeRounding, Summary, WarningCount};
use crate::contact::BELOW_ROUNDING;
use crate::error::RunError;
use crate::overlap;
use crate::record::Warning;
use crate::statics::Equilibrium;
use crate::world::Scale;

impl Runner<'_> {
    /// Ends the run at the time reached.
    pub(super) fn close(&mut self, sink: &mut dyn Sink) -> Result<Run, RunError> {
        self.open(sink)?;
        self.reported.stopped |= !self.solver.done();
        let t = self.solver.t();
        self.take_state();
        // a run that was stopped ends with a frame as well
        if self.sim.output == Output::Ends || self.reported.stopped {
            self.record(t, sink)?;
        } else {
            self.make_frame(t);
        }
        for pair in &self.system.monitor.pairs {
            for f in &pair.state.points {
                self.totals.max_indentation = self.totals.max_indentation.max(f.peaks.indentation);
            }
        }
        self.warn_of_contacts();
        if let Some(turned) = self.rest.as_ref().and_then(Equilibrium::warning) {
            self.warnings.insert(turned, 1);
        }
        self.auditor.end(&mut self.system, &self.solver, &self.y);
        let scale = self.system.energy.scale;
        let audit = self.auditor.close(&self.system, self.solver.stats().steps);
        let Scale { length, speed } = self.sim.model.scale();
        let resolution = Scale { length: self.sim.atol * length, speed: self.sim.atol * speed };
        let small = self.auditor.small_motion(&self.system, &resolution);
        for warning in audit.warnings(self.sim.rtol, self.sim.atol).into_iter().chain(small) {
            self.warnings.insert(warning, 1);
        }
        self.system.monitor.note_rounding_of_all(self.sim.model);
        let rounding = self.system.monitor.rounding;
        let least = rounding.energy / scale;
        if self.sim.rtol < BELOW_ROUNDING * least {
            let contact = self.system.monitor.pairs[rounding.pair].name.clone();
            self.warnings.insert(Warning::Rounding { contact, least: format!("{least:.0e}") }, 1);
        }
        let warnings = std::mem::take(&mut self.warnings);
        let pairs = self.system.monitor.pairs.iter();
        let rounded =
            pairs.map(|p| (p.name.as_str(), p.geometry.solver(), [p.geometry.late(), p.geometry.crown()]));
        let summary = Summary {
            method: methods::find(&self.sim.method).map_err(RunError::Method)?.name(),
            rtol: self.sim.rtol,
            atol: self.sim.atol,
            t_end: t,
            stats: self.solver.stats(),
            touches: self.totals.touches,
            contacts: self.system.monitor.report.contacts,
            peak_force: self.system.monitor.report.peak_force,
            max_indentation: self.totals.max_indentation,
            nearest_gap: self.sim.model.fields().next().is_some().then_some(self.system.nearest_gap),
            overlaps: self.overlaps.audit.result(self.sim.model),
            roundings: EdgeRounding::of(rounded),
            energy_start: self.system.energy.start,
            audit_relative: audit.energy_relative,
            audit,
            resolution,
            energy: self.frame.energy,
            start: self.rest.take(),
            warnings: warnings.into_iter().map(|(warning, count)| WarningCount { warning, count }).collect(),
            stopped: self.reported.stopped,
            threads: self.islands.as_ref().map_or(1, |islands| islands.threads),
            crowd: None,
        };
        self.tell_rest(sink)?;
        passed_on(t, sink.end(&summary))?;
        let names = self.sim.model.moving_bodies().map(str::to_owned).collect();
        Ok(Run { summary, end: End { frame: self.frame.clone(), names } })
    }

    /// Collects the warnings about contacts and overlaps at the end.
    fn warn_of_contacts(&mut self) {
        let m = self.sim.model;
        // an overlap that was seen need not be predicted
        self.overlaps.meetings.retain(|meeting| !self.overlaps.audit.has_seen(meeting.surfaces));
        let monitor = &self.system.monitor;
        let foretold = overlap::no_contact(m, &self.overlaps.meetings);
        let all = monitor
            .pairs
            .iter()
            .flat_map(|pair| pair.warnings(m))
            .chain(self.overlaps.audit.warnings(m))
            .chain(foretold);
        for warning in all {
            self.warnings.insert(warning, 1);
        }
    }
}
