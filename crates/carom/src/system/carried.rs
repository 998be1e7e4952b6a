//! A model in motion, saved and put back.

use carom_base::snapshot::{Carried, Reader, SnapshotError, Writer};

use super::System;

impl System<'_> {
    /// Saves what rates, events and books depend on besides the state.
    pub(crate) fn save_all(&self, to: &mut Writer) {
        self.monitor.save_pairs(to);
        self.save(to);
    }

    /// Puts back what was saved of a system of the same model.
    pub(crate) fn restore_all(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.monitor.restore_pairs(self.model, from)?;
        self.restore(from)?;
        self.monitor.check_restored(self.model)
    }
}
