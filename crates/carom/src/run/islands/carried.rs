//! Saves and restores islands between two windows.

use carom_base::snapshot::{Carried, Plain, Reader, SnapshotError, Writer};

use super::Islands;
use super::island::{Island, Origin};
use super::near::Near;
use crate::record::{ContactRecord, Moment};
use crate::run::runner::Runner;

impl Islands {
    /// Saves everything on which the next windows depend.
    pub(in crate::run) fn save(&self, to: &mut Writer) {
        let Islands { islands, outlook, lengths, evaluations, moments, shown, near, .. } = self;
        (lengths.last, lengths.next).write(to);
        (*evaluations, *shown).write(to);
        outlook.write(to);
        let reported: Vec<(f64, Vec<ContactRecord>)> =
            moments.iter().map(|m| (m.t, m.contacts.clone())).collect();
        reported.write(to);
        near.known().write(to);
        islands.len().write(to);
        islands.iter().for_each(|island| island.save(to));
    }

    /// Restores what islands of the same model have saved in a run of this duration [s]; `runner` is the whole, as restored.
    pub(in crate::run) fn restore(
        &mut self,
        runner: &Runner<'_>,
        duration: f64,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        (self.lengths.last, self.lengths.next) = Plain::read(from)?;
        (self.evaluations, self.shown) = Plain::read(from)?;
        self.outlook = Plain::read(from)?;
        let reported: Vec<(f64, Vec<ContactRecord>)> = Plain::read(from)?;
        let moment = |(t, contacts)| Moment { t, contacts, bodies: Vec::new() };
        self.near = Near::of(Plain::read(from)?);
        self.moments = reported.into_iter().map(moment).collect();
        self.islands.clear();
        self.pairs.clear();
        let sim = runner.sim.clone();
        let origin = Origin {
            sim: &sim,
            t: runner.solver.t(),
            y: runner.solver.y(),
            work_scale: 0.0,
            follows: runner.reported.follows,
        };
        for _ in 0..usize::read(from)? {
            self.islands.push(Island::restored(&origin, duration, from)?);
        }
        Ok(())
    }
}

impl Island {
    fn save(&self, to: &mut Writer) {
        self.bodies.write(to);
        self.free.write(to);
        self.counted.write(to);
        self.rests_until.write(to);
        self.work.write(to);
        self.motion.with_dependent(|_, runner| {
            runner.system.save_all(to);
            runner.solver.save(to);
            Carried::save(runner, to);
        });
    }

    fn restored(origin: &Origin<'_>, duration: f64, from: &mut Reader<'_>) -> Result<Island, SnapshotError> {
        let (bodies, free): (Vec<usize>, Vec<usize>) = (Plain::read(from)?, Plain::read(from)?);
        let world = &origin.sim.model.world;
        let known = |body: &usize| *body < world.bodies.len();
        if !bodies.is_sorted() || !bodies.iter().all(known) || !free.iter().all(|body| bodies.contains(body))
        {
            return Err(SnapshotError::BadValue);
        }
        let mut island =
            Island::new(origin, bodies, free, &[], None).map_err(|_| SnapshotError::OtherModel)?;
        island.counted = Plain::read(from)?;
        island.rests_until = Plain::read(from)?;
        island.work = Plain::read(from)?;
        island.motion.with_dependent_mut(|_, runner| {
            runner.system.restore_all(from)?;
            runner.solver.restore(&mut runner.system, from)?;
            runner.aim_beyond(duration);
            Carried::restore(runner, from)
        })?;
        Ok(island)
    }
}
