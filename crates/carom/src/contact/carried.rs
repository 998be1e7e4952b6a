//! Saving and restoring the contact pairs of a run.

use carom_base::snapshot::{Carried, Plain, Reader, SnapshotError, Writer};

use super::monitor::ContactMonitor;
use super::pair::ContactPair;
use super::stepped::PairMemory;
use crate::model::Model;

impl ContactMonitor {
    /// Saves which surfaces are bound, in their order, and the contact pairs. The rest of the monitor is saved after them.
    pub(crate) fn save_pairs(&self, to: &mut Writer) {
        self.pairs.iter().map(|pair| pair.surfaces).collect::<Vec<_>>().write(to);
        self.pairs.iter().for_each(|pair| pair.save(to));
    }

    /// Restores the contact pairs. Pairs that are not bound here are bound anew; pairs that were not bound at the time of
    /// saving are removed.
    pub(crate) fn restore_pairs(&mut self, m: &Model, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let bound = <Vec<Option<[usize; 2]>>>::read(from)?;
        let both = self.pairs.iter().zip(&bound);
        let same = both.take_while(|(pair, surfaces)| pair.surfaces == **surfaces).count();
        self.pairs.truncate(same);
        self.search.by_surfaces.retain(|_, pair| *pair < same);
        for (i, surfaces) in bound.iter().enumerate().skip(same) {
            let there = |ends: &[usize; 2]| ends.iter().all(|s| *s < m.world.surfaces.len());
            let [a, b] = surfaces.filter(there).ok_or(SnapshotError::OtherModel)?;
            if !self.pair(m, a, b).is_ok_and(|pair| pair == Some(i)) {
                return Err(SnapshotError::OtherModel);
            }
        }
        self.pairs.iter_mut().try_for_each(|pair| pair.restore_points(from))
    }

    /// Checks whether the restored data can belong to this model. A restored run counts as not failed.
    pub(crate) fn check_restored(&mut self, m: &Model) -> Result<(), SnapshotError> {
        self.failure = None;
        let points = |pair: usize| self.pairs.get(pair).map_or(0, |pair| pair.state.points.len());
        let fits = self.bounds.len() == m.world.bodies.len()
            && self.candidates.iter().all(|pair| *pair < self.pairs.len())
            && self.active.iter().all(|at| at.point < points(at.pair));
        if fits { Ok(()) } else { Err(SnapshotError::OtherModel) }
    }
}

impl ContactPair {
    /// Restores a contact pair, and checks that it has as many contact points as before.
    pub(crate) fn restore_points(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let sizes = |pair: &ContactPair| (pair.state.points.len(), pair.state.seeds.len());
        let before = sizes(self);
        self.restore(from)?;
        let fits = sizes(self) == before && self.state.on.iter().all(|k| *k < before.0);
        if fits { Ok(()) } else { Err(SnapshotError::OtherModel) }
    }
}

impl PairMemory {
    /// Restores what the points of a pair remember, and checks that they are as many as before.
    pub(crate) fn restore_points(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let sizes = |memory: &PairMemory| (memory.elements.len(), memory.normals.len());
        let before = sizes(self);
        self.restore(from)?;
        if sizes(self) == before { Ok(()) } else { Err(SnapshotError::OtherModel) }
    }
}
