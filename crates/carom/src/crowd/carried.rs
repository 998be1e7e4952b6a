//! Saves and restores a crowd between two steps.

use carom_base::snapshot::{Carried, Plain, Reader, SnapshotError, Writer};
use carom_crowd::AtWall;

use super::CrowdSystem;
use super::general::{General, NearPair, bound};
use super::law::BallState;
use crate::contact::Action;
use crate::model::Model;

impl CrowdSystem<'_> {
    /// Saves everything on which the next steps depend.
    pub(crate) fn save(&self, to: &mut Writer) {
        self.t.write(to);
        self.crowd.save(to);
        self.balls.near.save(to);
        let states = self.balls.states.iter().enumerate().filter(|(_, state)| state.is_known());
        states.map(|(pair, state)| (pair, *state)).collect::<Vec<_>>().write(to);
        self.walls.near.entries.iter().map(known).collect::<Vec<_>>().write(to);
        self.general.save(to);
        self.sums.write(to);
        self.books.save(to);
        self.lists.write(to);
    }

    /// Restores what a crowd of the same model has saved.
    pub(crate) fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.t = Plain::read(from)?;
        self.crowd.restore(from)?;
        self.balls.near.restore(from)?;
        self.balls.states.clear();
        self.balls.states.resize(self.balls.near.pairs().len(), BallState::default());
        for (pair, state) in <Vec<(usize, BallState)>>::read(from)? {
            *self.balls.states.get_mut(pair).ok_or(SnapshotError::OtherModel)? = state;
        }
        let entries = <Vec<AtWall<Option<BallState>>>>::read(from)?;
        let (balls, walls) = (&self.balls.radii, &self.walls.at);
        let fits =
            |entry: &AtWall<_>| (entry.ball as usize) < balls.len() && (entry.wall as usize) < walls.len();
        if !entries.iter().all(fits) {
            return Err(SnapshotError::OtherModel);
        }
        let state =
            |AtWall { ball, wall, state }| AtWall { ball, wall, state: Option::unwrap_or_default(state) };
        self.walls.near.entries = entries.into_iter().map(state).collect();
        self.general.restore(self.model, from)?;
        self.sums = Plain::read(from)?;
        self.books.restore(from)?;
        self.lists = Plain::read(from)?;
        // (what is prescribed follows from the time, and what pairs see of a body from its place)
        self.put_held();
        self.look();
        Ok(())
    }
}

/// Returns an entry without what a contact that has ended, or not begun, leaves behind: nobody asks for it.
fn known(entry: &AtWall<BallState>) -> AtWall<Option<BallState>> {
    let AtWall { ball, wall, state } = *entry;
    AtWall { ball, wall, state: state.is_known().then_some(state) }
}

impl General {
    fn save(&self, to: &mut Writer) {
        if self.is_empty() {
            return;
        }
        self.near.save(to);
        self.entries.len().write(to);
        for entry in &self.entries {
            entry.ends.write(to);
            entry.action.acting.write(to);
            entry.pair.is_some().write(to);
            if let Some((pair, memory)) = entry.pair.as_deref() {
                pair.save(to);
                memory.save(to);
            }
        }
    }

    fn restore(&mut self, m: &Model, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        if self.is_empty() {
            return Ok(());
        }
        self.near.restore(from)?;
        self.entries.clear();
        for _ in 0..usize::read(from)? {
            let ends = <[u32; 2]>::read(from)?;
            if ends.iter().any(|end| *end as usize >= m.world.surfaces.len()) {
                return Err(SnapshotError::OtherModel);
            }
            let mut entry = NearPair::new(ends);
            // (of what it did in the last step, only whether it acts is asked for later)
            entry.action = Action { acting: Plain::read(from)?, ..Action::default() };
            if bool::read(from)? {
                let (mut pair, mut memory) = bound(m, ends).ok_or(SnapshotError::OtherModel)?;
                pair.restore_points(from)?;
                memory.restore_points(from)?;
                entry.pair = Some(Box::new((pair, memory)));
            }
            self.entries.push(entry);
        }
        Ok(())
    }
}
