//! Saving and restoring the audit of overlaps.

use carom_base::snapshot::{Carried, Plain, Reader, SnapshotError, Writer};

use super::{Audit, Between};
use crate::model::Model;

impl Audit {
    /// Saves which surfaces have come near, in their order, and the results for them.
    pub(crate) fn save(&self, to: &mut Writer) {
        let ends = |[i, j]: [usize; 2]| [i.min(j), i.max(j)];
        self.all.iter().map(|tested| ends(tested.surfaces)).collect::<Vec<_>>().write(to);
        self.all.iter().for_each(|tested| tested.save(to));
    }

    /// Restores the saved audit of the same model; its pairs are bound anew.
    pub(crate) fn restore(&mut self, m: &Model, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let near = <Vec<[usize; 2]>>::read(from)?;
        self.all.clear();
        self.known.clear();
        self.few.iter_mut().for_each(|few| few.index = None);
        for ends in near {
            let there = ends.iter().all(|s| *s < m.world.surfaces.len());
            if !there || self.joined.between(m, ends[0], ends[1]) == Between::Nothing {
                return Err(SnapshotError::OtherModel);
            }
            let index = Some(self.add(m, ends));
            if self.many {
                self.known.insert((ends[0] as u32, ends[1] as u32), index);
            }
            self.few.iter_mut().filter(|few| few.ends == ends).for_each(|few| few.index = index);
        }
        self.all.iter_mut().try_for_each(|tested| tested.restore(from))
    }
}
