//! A system that goes on where another has stopped: the bodies and contacts of a part of a model, or of the whole.

use carom_law::Memory;

use super::System;
use super::ledger::EnergyAudit;
use crate::contact::HandedPair;
use crate::error::BuildError;
use crate::forward::kinematics;

impl System<'_> {
    /// Takes over these contacts at time `t`, the bodies being as in the state `y`, which has no memories yet. Returns the
    /// whole state. `own` gives the index of a surface here for that in the whole model.
    pub(crate) fn resume<'h>(
        &mut self,
        t: f64,
        y: Vec<f64>,
        pairs: impl Iterator<Item = &'h HandedPair>,
        own: impl Fn(usize) -> usize,
        work_scale: f64,
    ) -> Result<Vec<f64>, BuildError> {
        let mut y = y;
        let placed = self.monitor.take_over(self.model, pairs, own)?;
        self.place_memories(&mut y, &placed);
        self.monitor.look_around(self.model, t, &y);
        self.cover();
        kinematics(self.model, t, &y, &mut self.ws);
        self.change_modes(t, &mut y, None);
        let e = self.ledger(t, &y);
        self.energy = EnergyAudit { work_scale, ..EnergyAudit::new(&e) };
        self.open_momentum(&y);
        self.note_noise(t, &y);
        Ok(y)
    }

    /// Inserts the memories of friction into a state that has none, and fills them.
    pub(crate) fn place_memories(&self, y: &mut Vec<f64>, placed: &[(usize, [f64; Memory::SIZE])]) {
        let layout = &self.model.world.layout;
        layout.insert_memories(y, self.monitor.memories.count);
        for (i, numbers) in placed {
            y[layout.memory_rows(*i)].copy_from_slice(numbers);
        }
    }
}
