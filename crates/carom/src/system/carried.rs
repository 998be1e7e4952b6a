//! Saves and restores a model in motion.

use carom_base::snapshot::{Carried, Reader, SnapshotError, Writer};

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
}
