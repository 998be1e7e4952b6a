//! Records a run in progress: its tables, in a folder or in memory, and the data for its summary.

use carom::{Event, Followed, Frame, Model, Moment, Run, RunError, SinkError, WearRecord};
use carom_base::snapshot::{Carried, Reader, SnapshotError, Writer};
use serde_json::Value;

use crate::about::About;
use crate::error::ResultsError;
use crate::summary::{self, Reached};
use crate::table::Rows;
use crate::tables::{Make, Tables};

/// The reason of failure in a summary until the run is finished.
pub(super) const UNFINISHED: &str = "the run was not finished";

/// A run in progress.
#[derive(Debug)]
pub(super) struct Record<T> {
    pub(super) about: About,
    names: Vec<String>,
    /// `None` until the run has begun
    pub(super) tables: Option<Tables<T>>,
    /// the distances to compute, and the model that runs
    followed: Option<(Model, Vec<Followed>)>,
    reached: Reached,
}

impl<T: Rows> Record<T> {
    pub(super) fn new(about: About) -> Record<T> {
        Record { about, names: Vec::new(), tables: None, followed: None, reached: Reached::default() }
    }

    /// Begins the run; `open` is called before its tables are made, `contacts` is whether contact points are wanted.
    pub(super) fn begin(
        &mut self,
        model: &Model,
        open: impl FnOnce(&Record<T>) -> Result<(), ResultsError>,
        contacts: bool,
        make: Make<'_, T>,
    ) -> Result<(), SinkError> {
        if !self.about.distances.is_empty() {
            self.followed = Some((model.clone(), self.about.follow(model)?));
        }
        self.names = model.moving_bodies().map(str::to_owned).collect();
        open(self)?;
        self.tables = Some(Tables::new(model, &self.about, contacts, make)?);
        Ok(())
    }

    /// Returns what the rest of the record depends on.
    pub(super) fn carried(&self) -> Vec<u8> {
        let mut to = Writer::default();
        self.reached.save(&mut to);
        self.followed.iter().flat_map(|(_, all)| all).for_each(|followed| followed.save(&mut to));
        to.into_bytes()
    }

    /// Puts back what another record of the same run has carried; it has begun.
    pub(super) fn restore(&mut self, carried: &[u8]) -> Result<(), SnapshotError> {
        let mut from = Reader::new(carried);
        self.reached.restore(&mut from)?;
        let mut all = self.followed.iter_mut().flat_map(|(_, all)| all);
        all.try_for_each(|followed| followed.restore(&mut from))?;
        from.end()
    }

    pub(super) fn frame(&mut self, frame: &Frame) -> Result<(), ResultsError> {
        self.reached.note(frame);
        let Some(tables) = &mut self.tables else { return Ok(()) };
        tables.frame(frame, &self.about.probes)?;
        match &mut self.followed {
            Some((model, followed)) => tables.distances(frame, model, followed),
            None => Ok(()),
        }
    }

    pub(super) fn within(&mut self, moment: &Moment) -> Result<(), ResultsError> {
        self.tables.as_mut().map_or(Ok(()), |tables| tables.within(moment, &self.about.probes))
    }

    pub(super) fn event(&mut self, event: &Event) -> Result<(), ResultsError> {
        self.reached.note_event(event);
        self.tables.as_mut().map_or(Ok(()), |tables| tables.event(event))
    }

    /// Returns the content of `summary.json` while the run is in progress.
    pub(super) fn unfinished(&self) -> Value {
        summary::of_failure(&self.about, &self.names, &self.reached, UNFINISHED)
    }

    /// Returns the content of `summary.json` at the end, and the wear of contacts.
    pub(super) fn end<'r>(&'r mut self, outcome: Result<&'r Run, &RunError>) -> (Value, &'r [WearRecord]) {
        match outcome {
            Ok(run) => (summary::of_run(&self.about, &self.names, run), &run.end.frame.wear),
            Err(error) => {
                if let RunError::Integration { t, .. }
                | RunError::NoProgress { t, .. }
                | RunError::RanAway { t, .. }
                | RunError::Crowd { t, .. }
                | RunError::Sink { t, .. } = error
                {
                    self.reached.t = Some(*t);
                }
                let text = summary::of_failure(&self.about, &self.names, &self.reached, &error.to_string());
                (text, &self.reached.wear)
            }
        }
    }
}
