//! Records a run in memory.

use carom::{Event, Frame, Model, Moment, Run, RunError, Sink, SinkError};

use crate::about::About;
use crate::error::ResultsError;
use crate::files::SUMMARY;
use crate::read::Recorded;
use crate::record::Record;
use crate::result_set::ResultSet;
use crate::table::Columns;
use crate::tables::profiles;

/// A sink that keeps the same data in memory as a [`Folder`](super::Folder) would write, number for number.
///
/// ```
/// use carom_results::{About, Memory};
/// use carom_scene::{Format, Scene};
/// let text = r#"
///     [run]
///     duration = "1 s"
///     output_every = "0.1 s"
///     [[body]]
///     name = "stone"
///     mass = 1
///     inertia = [1, 1, 1]
/// "#;
/// let scene = Scene::from_text(text, Format::Toml, "stone.toml", &[])?;
/// let mut memory = Memory::new(About::from(&scene));
/// let run = scene.simulation().run_into(&mut memory)?;
/// let recorded = memory.close(&run)?;
/// assert!((recorded.column("stone.z")?[10] + 4.905).abs() < 1e-8);
/// # Ok::<(), carom::SinkError>(())
/// ```
#[derive(Debug)]
pub struct Memory {
    record: Record<Columns>,
    contacts: bool,
}

impl Memory {
    /// Prepares to record a run; `about` holds the data that the run does not report.
    pub fn new(about: About) -> Memory {
        Memory { record: Record::new(about), contacts: true }
    }

    /// Leaves out contact points, of which a contact in slices has very many.
    pub fn without_contacts(mut self) -> Memory {
        self.contacts = false;
        self
    }

    /// Returns all that a folder would hold after the run.
    pub fn keep(mut self, outcome: Result<&Run, &RunError>) -> Result<ResultSet, ResultsError> {
        let (summary, worn) = self.record.end(outcome);
        let worn = profiles(worn)?;
        let Record { about, tables, .. } = self.record;
        let tables = tables.into_iter().flat_map(|t| t.all()).map(|table| table.file).chain(worn);
        Ok(ResultSet { texts: vec![(SUMMARY, summary)], tables: tables.collect(), scene: about.scene })
    }

    /// Returns what [`Recorded::open`] would read back from a folder of the run.
    pub fn close(self, run: &Run) -> Result<Recorded, SinkError> {
        Ok(self.keep(Ok(run))?.recorded()?)
    }
}

impl Sink for Memory {
    fn begin(&mut self, model: &Model) -> Result<(), SinkError> {
        let make = &mut |file, header| Ok(Columns::new(file, header));
        self.record.begin(model, |_| Ok(()), self.contacts, make)
    }
    fn wants_within(&self) -> bool {
        self.contacts
    }
    fn within(&mut self, moment: &Moment) -> Result<(), SinkError> {
        Ok(self.record.within(moment)?)
    }
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        Ok(self.record.frame(frame)?)
    }
    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        Ok(self.record.event(event)?)
    }
}
