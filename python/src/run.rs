//! Runs: what listens while they go, and what is left of them.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carom::{Event, Frame, Model, Recording, RunError, Sink, SinkError, Summary};
use carom_scene::film::Film;
use carom_scene::results::{About, ColumnValues, Existing, Folder, gather, summary_of};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{self, Raised};
use crate::scene::save;

/// How often signals are looked for.
const SIGNALS: Duration = Duration::from_millis(50);
/// How often it is said how far the run is.
const PROGRESS: Duration = Duration::from_millis(100);

/// Keeps everything, passes it on to a folder, and lets Python have a word now and then.
pub(crate) struct Watch<'f> {
    kept: Recording,
    folder: Option<&'f mut Folder>,
    progress: Option<Py<PyAny>>,
    /// what functions in the scene raised
    functions: &'f Raised,
    /// what progress or a signal raised
    raised: Option<PyErr>,
    looked: Instant,
    told: Instant,
}

impl<'f> Watch<'f> {
    pub(crate) fn new(
        folder: Option<&'f mut Folder>,
        progress: Option<Py<PyAny>>,
        functions: &'f Raised,
    ) -> Watch<'f> {
        let now = Instant::now();
        Watch {
            kept: Recording::default(),
            folder,
            progress,
            functions,
            raised: None,
            looked: now,
            told: now,
        }
    }

    pub(crate) fn end(self) -> (Recording, Option<PyErr>) {
        (self.kept, self.raised)
    }

    fn ask_python(&mut self, t: f64, now: Instant) -> PyResult<()> {
        self.looked = now;
        let tell = now.duration_since(self.told) >= PROGRESS;
        if tell {
            self.told = now;
        }
        Python::attach(|py| {
            py.check_signals()?;
            match &self.progress {
                Some(progress) if tell => progress.call1(py, (t,)).map(|_| ()),
                _ => Ok(()),
            }
        })
    }
}

impl Sink for Watch<'_> {
    fn begin(&mut self, model: &Model) -> Result<(), SinkError> {
        self.folder.as_mut().map_or(Ok(()), |folder| folder.begin(model))
    }
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.kept.frame(frame)?;
        self.folder.as_mut().map_or(Ok(()), |folder| folder.frame(frame))
    }
    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.kept.event(event)?;
        self.folder.as_mut().map_or(Ok(()), |folder| folder.event(event))
    }
    fn progress(&mut self, t: f64) -> ControlFlow<()> {
        if self.functions.is_some() {
            return ControlFlow::Break(());
        }
        let now = Instant::now();
        if now.duration_since(self.looked) >= SIGNALS
            && let Err(raised) = self.ask_python(t, now)
        {
            self.raised = Some(raised);
            return ControlFlow::Break(());
        }
        self.folder.as_mut().map_or(ControlFlow::Continue(()), |folder| folder.progress(t))
    }
    fn end(&mut self, summary: &Summary) -> Result<(), SinkError> {
        self.folder.as_mut().map_or(Ok(()), |folder| folder.end(summary))
    }
}

/// What is left of a run.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Run {
    pub(crate) scene: Arc<carom_scene::Scene>,
    pub(crate) kept: Recording,
    pub(crate) outcome: Result<carom::Run, RunError>,
}

#[pymethods]
impl Run {
    /// Why it failed; none if it came to its end, or was stopped.
    #[getter]
    fn failed(&self) -> Option<String> {
        self.outcome.as_ref().err().map(ToString::to_string)
    }

    /// What `summary.json` says, of a run that did not fail.
    #[getter]
    fn summary(&self) -> Option<String> {
        let run = self.outcome.as_ref().ok()?;
        Some(summary_of(&self.scene.model, &About::from(&*self.scene), run).to_string())
    }

    /// How it went, in a few lines.
    fn text(&self) -> String {
        self.outcome.as_ref().map_or_else(ToString::to_string, |run| run.summary.to_string())
    }

    /// The columns that a folder has: `{"states": {"t": array, …}, "energy": …}`; texts are lists.
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let gathered = py.detach(|| {
            gather(&self.scene.model, &About::from(&*self.scene), &self.kept.frames, &self.kept.events)
        });
        let all = PyDict::new(py);
        for table in gathered.map_err(error::results)? {
            let columns = PyDict::new(py);
            for column in table.columns {
                match column.values {
                    ColumnValues::Numbers(x) => columns.set_item(column.name, PyArray1::from_vec(py, x))?,
                    ColumnValues::Texts(x) => columns.set_item(column.name, x)?,
                }
            }
            all.set_item(table.name, columns)?;
        }
        Ok(all)
    }

    /// Writes the folder of results.
    fn save(&self, py: Python<'_>, folder: PathBuf, force: bool) -> PyResult<()> {
        let existing = if force { Existing::AddToForeign } else { Existing::ReplaceResults };
        py.detach(|| save(self, folder, existing)).map_err(error::results)
    }
}

/// The viewer's page of a folder of results.
#[pyfunction]
pub(crate) fn page(py: Python<'_>, folder: PathBuf, frames: Option<usize>) -> PyResult<String> {
    py.detach(|| Film::open(&folder, frames).map(|film| film.html())).map_err(error::results)
}
