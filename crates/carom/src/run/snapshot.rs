//! Everything that a run carries from step to step, as one value.

use std::fmt;

use carom_base::snapshot::{Carried, Plain, Reader, SnapshotError, Writer};

use super::crowded::Crowded;
use super::fingerprint::Fingerprint;
use super::runner::Runner;
use super::simulation::Simulation;

/// The first bytes of every snapshot.
const MAGIC: [u8; 8] = *b"carom\0\0s";
/// The version of the format: changed whenever other data are saved, or in another order.
const FORMAT: u32 = 12;

/// A run between two steps: its state, the integrator's history, contacts and the memories of friction, balances, peaks,
/// warnings and the next output time. With the model and the options it is all that the rest of the run depends on, to the
/// bit; [`Running`](crate::Running) shows how it is taken and restored.
///
/// It can be stored as bytes. Bytes of another model, or of a run with other options, are refused when they are restored; only
/// the duration and the number of threads may be others.
/// User-defined functions can be compared only by their names, not by what they compute.
///
/// ```
/// use carom::prelude::*;
/// use carom::Snapshot;
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.05]).surface(Sphere::new(0.02)?));
/// builder.body(Body::fixed("floor").surface(Plane));
/// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
/// let model = builder.build()?;
/// let simulation = Simulation::new(&model).duration(0.3);
/// let mut recording = Recording::default();
/// let mut running = simulation.begin()?;
/// while running.t() < 0.1 && running.step(&mut recording)? {}
/// let bytes = running.snapshot()?.to_bytes(); // to a file, say
/// let first = running.finish(&mut recording)?;
/// assert!(first.summary.stopped && first.summary.t_end < 0.3);
///
/// let mut resumed = simulation.begin()?;
/// resumed.restore(&Snapshot::from_bytes(&bytes)?)?;
/// while resumed.step(&mut recording)? {}
/// let run = resumed.finish(&mut recording)?;
/// assert_eq!(run.end.frame, simulation.run()?.end.frame);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Snapshot {
    /// hash of the model and the options
    fingerprint: u64,
    t: f64,
    /// the duration of the run [s]
    duration: f64,
    carried: Vec<u8>,
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.carried.len();
        f.debug_struct("Snapshot").field("t", &self.t).field("bytes", &bytes).finish_non_exhaustive()
    }
}

impl Snapshot {
    /// Returns the time reached [s].
    pub fn t(&self) -> f64 {
        self.t
    }

    /// Returns the snapshot as one of a time within the step that follows.
    pub(super) fn at(self, t: f64) -> Snapshot {
        Snapshot { t, ..self }
    }

    /// Returns the snapshot as bytes, identical on every platform.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut to = Writer::default();
        MAGIC.write(&mut to);
        FORMAT.write(&mut to);
        self.fingerprint.write(&mut to);
        self.t.write(&mut to);
        self.duration.write(&mut to);
        self.carried.write(&mut to);
        to.seal();
        to.into_bytes()
    }

    /// Reads a snapshot from bytes; refuses bytes that are no snapshot, of another format, truncated or damaged.
    ///
    /// ```
    /// use carom::Snapshot;
    /// let refused = Snapshot::from_bytes(b"something else").unwrap_err();
    /// assert_eq!(refused.to_string(), "the bytes are no snapshot of a run");
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Snapshot, SnapshotError> {
        let mut from = Reader::new(bytes);
        if <[u8; 8]>::read(&mut from) != Ok(MAGIC) {
            return Err(SnapshotError::NoSnapshot);
        }
        let found = u32::read(&mut from)?;
        if found != FORMAT {
            return Err(SnapshotError::OtherFormat { found, expected: FORMAT });
        }
        from.unseal(bytes)?;
        let fingerprint = Plain::read(&mut from)?;
        let (t, duration) = Plain::read(&mut from)?;
        let carried = Plain::read(&mut from)?;
        from.end()?;
        Ok(Snapshot { fingerprint, t, duration, carried })
    }
}

impl Snapshot {
    /// Takes a snapshot of a run at the time `t` [s]; `save` writes what it carries.
    pub(super) fn of(
        sim: &Simulation<'_>,
        model: &Fingerprint,
        t: f64,
        save: impl FnOnce(&mut Writer),
    ) -> Snapshot {
        let mut to = Writer::default();
        save(&mut to);
        Snapshot { fingerprint: model.of(sim), t, duration: sim.duration, carried: to.into_bytes() }
    }

    /// Returns what a run has carried, if it was of the same model with the same options.
    pub(super) fn carried(
        &self,
        sim: &Simulation<'_>,
        model: &Fingerprint,
    ) -> Result<Reader<'_>, SnapshotError> {
        match self.fingerprint == model.of(sim) && self.t <= sim.duration {
            true => Ok(Reader::new(&self.carried)),
            false => Err(SnapshotError::OtherModel),
        }
    }
}

impl Runner<'_> {
    /// Saves what the run carries between two steps.
    pub(super) fn save(&self) -> Snapshot {
        Snapshot::of(&self.sim, &self.fingerprint, self.solver.t(), |to| {
            self.system.save_all(to);
            self.solver.save(to);
            self.overlaps.audit.save(to);
            Carried::save(self, to);
            if let Some(islands) = &self.islands {
                islands.save(to);
            }
        })
    }

    /// Restores what a run of the same model with the same options carried.
    pub(super) fn put_back(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let mut from = snapshot.carried(&self.sim, &self.fingerprint)?;
        // (the integrator asks the system for the size of its state and which components depend on each other)
        self.system.restore_all(&mut from)?;
        self.solver.restore(&mut self.system, &mut from)?;
        self.aim_beyond(snapshot.duration);
        self.overlaps.audit.restore(self.sim.model, &mut from)?;
        Carried::restore(self, &mut from)?;
        if let Some(mut islands) = self.islands.take() {
            let restored = islands.restore(self, snapshot.duration, &mut from);
            self.islands = Some(islands);
            restored?;
        }
        from.end()
    }

    /// Goes on to the end of this run, where the one that was restored was to end at `old_end` [s].
    pub(super) fn aim_beyond(&mut self, old_end: f64) {
        if old_end != self.sim.duration {
            self.system.aim_beyond(self.solver.t(), old_end, self.sim.duration);
            self.solver.aim_beyond(&mut self.system, old_end);
        }
    }
}

impl Crowded<'_> {
    /// Saves what the run carries between two steps.
    pub(super) fn save(&self) -> Snapshot {
        Snapshot::of(&self.sim, &self.fingerprint, self.t(), |to| {
            self.crowd.save(to);
            self.overlaps.save(to);
            Carried::save(self, to);
        })
    }

    /// Restores what a run of the same model with the same options carried.
    pub(super) fn put_back(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let mut from = snapshot.carried(&self.sim, &self.fingerprint)?;
        self.crowd.restore(&mut from)?;
        self.overlaps.restore(self.sim.model, &mut from)?;
        Carried::restore(self, &mut from)?;
        from.end()
    }
}
