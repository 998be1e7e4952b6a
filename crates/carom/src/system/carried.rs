//! Saves and restores a model in motion.

use carom_base::snapshot::{Carried, Reader, SnapshotError, Writer};
use carom_ode::Steps;

use super::System;

impl System<'_> {
    /// Saves what rates, events and balances depend on besides the state.
    pub(crate) fn save_all(&self, to: &mut Writer) {
        self.monitor.save_pairs(to);
        self.save(to);
    }

    /// Restores what was saved of a system of the same model.
    pub(crate) fn restore_all(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.monitor.restore_pairs(self.model, from)?;
        self.restore(from)?;
        self.monitor.check_restored(self.model)
    }

    /// Goes on from the time t [s] to another `end` than the `old_end` of the run that was restored: there is no kink there.
    pub(crate) fn aim_beyond(&mut self, t: f64, old_end: f64, end: f64) {
        if self.smooth_until.take_if(|until| *until == old_end).is_some() {
            // (the stretch in which forces are smooth began where it did)
            let from = self.ws.loads.now.stretch.from;
            self.smooth_until(t, end);
            self.ws.loads.now.stretch.from = from;
        }
    }
}
