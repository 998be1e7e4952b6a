//! Runs and analyses: what listens while they go, and what is left of them.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use carom_results::film::Film;
use carom_results::{ColumnValues, Existing, Recorded, ResultSet};
use numpy::PyArray1;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{self, Raised};

/// How often signals are looked for.
pub(crate) const SIGNALS: Duration = Duration::from_millis(50);
/// How often it is said how far the run is.
const PROGRESS: Duration = Duration::from_millis(100);

/// Lets Python have a word now and then.
pub(crate) struct Listener<'f> {
    progress: Option<Py<PyAny>>,
    /// what functions in the scene raised
    functions: &'f Raised,
    /// what progress or a signal raised
    raised: Option<PyErr>,
    looked: Instant,
    reported: Instant,
}

impl<'f> Listener<'f> {
    pub(crate) fn new(progress: Option<Py<PyAny>>, functions: &'f Raised) -> Listener<'f> {
        let now = Instant::now();
        Listener { progress, functions, raised: None, looked: now, reported: now }
    }

    /// Whether to go on at a time [s].
    pub(crate) fn go_on(&mut self, t: f64) -> ControlFlow<()> {
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
        ControlFlow::Continue(())
    }

    pub(crate) fn raised(self) -> Option<PyErr> {
        self.raised
    }

    /// What was raised since the last call.
    pub(crate) fn take_raised(&mut self) -> Option<PyErr> {
        self.raised.take()
    }

    fn ask_python(&mut self, t: f64, now: Instant) -> PyResult<()> {
        self.looked = now;
        let tell = now.duration_since(self.reported) >= PROGRESS;
        if tell {
            self.reported = now;
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

/// What is left of a run or an analysis.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Run {
    scene: Arc<carom_scene::Scene>,
    kept: ResultSet,
    /// how it went, in a few lines
    text: String,
    /// read back, once a quantity is asked for
    recorded: OnceLock<Recorded>,
}

impl Run {
    pub(crate) fn new(scene: Arc<carom_scene::Scene>, kept: ResultSet, text: String) -> Run {
        Run { scene, kept, text, recorded: OnceLock::new() }
    }

    fn recorded(&self) -> PyResult<&Recorded> {
        if let Some(known) = self.recorded.get() {
            return Ok(known);
        }
        let made = self.kept.clone().recorded().map_err(error::results)?;
        Ok(self.recorded.get_or_init(|| made))
    }
}

/// Times, values, unit.
type Curve<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, &'static str);

#[pymethods]
impl Run {
    /// How it went, in a few lines.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The JSON files that a folder has, by name: `summary.json`.
    #[getter]
    fn texts(&self) -> Vec<(&'static str, String)> {
        self.kept.texts().map(|(name, value)| (name, value.to_string())).collect()
    }

    /// The tables that a folder has.
    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        self.kept.tables.iter().map(|table| table.name).collect()
    }

    /// The columns of a table: `{"t": array, …}`; texts are lists.
    fn table<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let found = self.kept.tables.iter().find(|table| table.name == name);
        for column in found.map_or(&[][..], |table| &table.columns) {
            match &column.values {
                ColumnValues::Numbers(x) => columns.set_item(&column.name, PyArray1::from_slice(py, x))?,
                ColumnValues::Texts(x) => {
                    let texts: Vec<&str> = x.iter().map(AsRef::as_ref).collect();
                    columns.set_item(&column.name, texts)?;
                }
            }
        }
        Ok(columns)
    }

    /// A quantity by its name, one value an output time, and its unit.
    fn column<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, &'static str)> {
        let recorded = self.recorded()?;
        let values = recorded.column(name).map_err(|e| PyKeyError::new_err(e.to_string()))?;
        let unit = recorded.meaning(name).and_then(|m| m.quantity).map_or("", |q| q.unit());
        Ok((PyArray1::from_vec(py, values), unit))
    }

    /// A quantity by its name at all moments at which it is recorded: times, values, and its unit.
    fn curve<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Curve<'py>> {
        let recorded = self.recorded()?;
        let curve = recorded.curve(name).map_err(|e| PyKeyError::new_err(e.to_string()))?;
        let unit = recorded.meaning(name).and_then(|m| m.quantity).map_or("", |q| q.unit());
        Ok((PyArray1::from_vec(py, curve.t), PyArray1::from_vec(py, curve.values), unit))
    }

    /// The quantities there are: name, what it is, unit.
    fn quantities(&self) -> PyResult<Vec<(String, String, &'static str)>> {
        let all = self.recorded()?.quantities().map_err(error::results)?;
        Ok(all.into_iter().map(|m| (m.name, m.what, m.quantity.map_or("", |q| q.unit()))).collect())
    }

    /// Writes the folder of results.
    fn save(&self, py: Python<'_>, folder: PathBuf, force: bool) -> PyResult<()> {
        py.detach(|| self.kept.write(&folder, existing(force))).map_err(error::folder)
    }

    /// The viewer's page: of the run, or of mode shapes, each over its period.
    fn page(&self, py: Python<'_>, frames: Option<usize>) -> PyResult<String> {
        let modes = self.kept.texts().find(|(name, _)| *name == "modes.json");
        let film = py.detach(|| match modes {
            Some((_, text)) => Ok(Film::of_modes(&self.scene, text)),
            None => Film::of_run(&self.scene, self.kept.clone().recorded()?, frames),
        });
        Ok(film.map_err(error::results)?.html())
    }
}

pub(crate) fn existing(force: bool) -> Existing {
    if force { Existing::AddToForeign } else { Existing::ReplaceResults }
}
