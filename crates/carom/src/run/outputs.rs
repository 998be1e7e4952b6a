//! Output times: which there are, and the frames that are recorded at them.

use super::runner::{Runner, passed_on};
use super::simulation::Output;
use super::sink::Sink;
use crate::error::RunError;
use crate::forward::kinematics;
use crate::record::FieldRecord;
use crate::state::{BodyState, torque_of};
use crate::system::touches;

impl Runner<'_> {
    /// Records a frame at a time within the step just taken, which ends at `t1`. At its end, where controllers are about to
    /// sample, the frame waits: it is to have what they put out.
    pub(super) fn record_within(&mut self, t: f64, t1: f64, sink: &mut dyn Sink) -> Result<(), RunError> {
        let controls = &self.system.controls;
        if controls.is_same_time(t, t1) && controls.is_due(self.sim.model, t1) {
            self.reported.after_samples.push(t);
            return Ok(());
        }
        self.state_at(t, t1)?;
        self.record(t, sink)
    }

    /// Records the frames that have waited for the controllers.
    pub(super) fn record_after_samples(&mut self, sink: &mut dyn Sink) -> Result<(), RunError> {
        if self.reported.after_samples.is_empty() {
            return Ok(());
        }
        for t in std::mem::take(&mut self.reported.after_samples) {
            self.take_state();
            self.record(t, sink)?;
        }
        self.auditor.ignore_evaluations_of_outputs(&self.solver);
        Ok(())
    }

    /// Returns the next output time, if it is not after `t1`.
    pub(super) fn due(&self, t1: f64) -> Option<f64> {
        let t = match &self.sim.output {
            // multiples, not sums, so that rounding errors do not accumulate
            Output::Every(dt) => {
                let t = self.reported.next_output as f64 * dt;
                let end = self.sim.duration;
                if t < end * (1.0 - 1e-12) {
                    t
                } else if (self.reported.next_output - 1) as f64 * dt < end * (1.0 - 1e-12) {
                    end
                } else {
                    return None;
                }
            }
            Output::At(times) => *times.get(self.reported.next_output)?,
            _ => return None,
        };
        (t <= t1).then_some(t)
    }

    pub(super) fn wants_start(&mut self) -> bool {
        match &self.sim.output {
            Output::At(times) => {
                let now = times.first() == Some(&0.0);
                self.reported.next_output += usize::from(now);
                now
            }
            _ => {
                self.reported.next_output = 1;
                true
            }
        }
    }

    /// Copies the state at the time reached into `self.y`: an event may have changed its length.
    pub(super) fn take_state(&mut self) {
        self.y.clear();
        self.y.extend_from_slice(self.solver.y());
    }

    /// Computes the state at a time within the last step, its end included, into `self.y`.
    pub(super) fn state_at(&mut self, t: f64, t1: f64) -> Result<(), RunError> {
        self.y.resize(self.solver.y().len(), 0.0);
        let inside = self.solver.state_at(&mut self.system, t, &mut self.y);
        inside.map_err(|failure| self.failed_within(t1, failure))?;
        // an interpolant satisfies no constraint, and the step itself is projected onto the constraints only when it is
        // finished
        self.system.project(t, &mut self.y);
        Ok(())
    }

    /// Records a frame of the state in `self.y`.
    pub(super) fn record(&mut self, t: f64, sink: &mut dyn Sink) -> Result<(), RunError> {
        self.make_frame(t);
        self.tell_within(t, sink)?;
        passed_on(t, sink.frame(&self.frame))
    }

    pub(super) fn make_frame(&mut self, t: f64) {
        let (m, y) = (self.sim.model, &self.y);
        self.frame.t = t;
        self.frame.bodies.clear();
        self.frame.bodies.extend(m.world.moving().map(|b| BodyState::new(b, t, y)));
        self.frame.energy = self.system.ledger(t, y);
        self.frame.momentum = self.system.momentum(y);
        self.frame.contacts.clear();
        kinematics(m, t, y, &mut self.system.ws);
        self.frame.fields.clear();
        self.frame.fields.extend(m.fields().map(|field| {
            let [k, support] = field.bodies.map(|body| self.system.ws.body(body));
            let action = field.act(k, support);
            FieldRecord {
                field: field.name.clone(),
                gap: field.gap(k, support),
                force: action.force,
                torque: torque_of(&(action.moment * k.x.r.transpose())),
                dissipated: action.dissipated,
            }
        }));
        m.worn_in(y, &mut self.frame.wear);
        self.system.record_actions(t, y, &mut self.frame);
        self.overlaps.audit.look(&(&self.system, &y[..]), t);
        self.frame_pairs.clear();
        for i in 0..self.system.monitor.active.len() {
            let at = self.system.monitor.active[i];
            let point = &self.system.monitor.pairs[at.pair].state.points[at.point];
            if let Some(record) = self.contact_record(&at, |delta| touches(point, delta)) {
                self.frame.contacts.push(record);
                self.frame_pairs.push(at.pair);
            }
        }
    }
}
