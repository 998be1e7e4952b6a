//! Parameter studies: the engine of `carom sweep`, with functions of Python in scenes and as measures.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use carom_studies::sweep::{
    self, Design, Finished, Given, Measure, Over, Plan, Row, Shard, SweepError, Table, Vary, run_all,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{self, Raised};
use crate::own::Functions;
use crate::run::Run;
use crate::scene::{Scene, format};

/// How often signals are looked for, and how often it is said how far the sweep is.
const LOOK: Duration = Duration::from_millis(100);
/// The journal is brought to the disk so often.
const SYNC: Duration = Duration::from_secs(1);

/// A row on its way from a worker: the point, its measures, or why there are none.
type Sent = (usize, Option<Vec<f64>>, Option<String>);
/// Text, format, name, replaced values.
type Origin = (String, String, String, Vec<String>);
/// Name, expression or mark, whether it is a function.
type MeasureGiven = (String, String, bool);

fn wrong(e: SweepError) -> PyErr {
    match e {
        SweepError::Scene(e) => error::scene(&e),
        SweepError::Io { .. } => error::results(e),
        e if e.may_be_restarted() => error::SweepError::new_err(format!("{e}, or restart=True to lose it")),
        e => error::SweepError::new_err(e.to_string()),
    }
}

/// A scene, a plan and measures.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Study {
    study: sweep::Study,
    stop: AtomicBool,
}

#[pymethods]
impl Study {
    /// `function(scene, run)` gives the numbers of all measures that are functions, or a text that says why there are none.
    #[new]
    #[pyo3(signature = (origin, functions, mark, vary, samples, design, seed, measures, function))]
    #[allow(clippy::too_many_arguments, reason = "the Python half has names for them")]
    fn new(
        py: Python<'_>,
        origin: Origin,
        functions: Option<&Bound<'_, Functions>>,
        mark: String,
        vary: Vec<String>,
        samples: Option<usize>,
        design: Option<&str>,
        seed: Option<u64>,
        measures: Vec<MeasureGiven>,
        function: Option<Py<PyAny>>,
    ) -> PyResult<Study> {
        let (text, language, name, set) = origin;
        let language = format(&language)?;
        let (own, raised) =
            functions.map_or_else(Default::default, |f| (f.get().own.clone(), f.get().raised.clone()));
        let varied = vary.iter().map(|v| Vary::parse(v)).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        let plan = Design::of(design, samples, seed).and_then(|design| Plan::new(varied, design));
        let measure = |(name, text, function): &MeasureGiven| match function {
            true => Ok(Measure::function(name, text)),
            false => Measure::parse(&if name == text { name.clone() } else { format!("{name}={text}") }),
        };
        let measures = measures.iter().map(measure).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        let given = Given {
            own,
            mark,
            failed: Some({
                let raised = raised.clone();
                Arc::new(move |why: Option<&str>| match (raised.take(), why) {
                    (Some(raised), _) => {
                        let in_a_line = |py: Python<'_>| line(py, &raised);
                        Some(format!("a function of the scene raised {}", Python::attach(in_a_line)))
                    }
                    (None, Some(why)) => Some(raised.explain(&why)),
                    (None, None) => {
                        // what it gave has done no harm, and is not to be blamed for what the next run does
                        raised.forget();
                        None
                    }
                })
            }),
            function: function.map(|function| {
                let (name, raised) = (name.clone(), raised.clone());
                Arc::new(move |finished| tell(&function, finished, &name, &raised))
                    as Arc<sweep::MeasureFunction>
            }),
        };
        let plan = plan.map_err(wrong)?;
        let measures = Measure::with_standard(measures);
        let study = py.detach(|| sweep::Study::with(&text, language, &name, &set, plan, measures, given));
        // a function may be asked while the scene is checked
        match raised.take() {
            Some(raised) => Err(raised),
            None => Ok(Study { study: study.map_err(wrong)?, stop: AtomicBool::new(false) }),
        }
    }

    /// How many runs there are.
    #[getter]
    fn runs(&self) -> usize {
        self.study.plan().len()
    }

    /// Runs these points, one after the other, on a thread of its own. Shorter than was asked for if it was stopped.
    fn run(&self, py: Python<'_>, points: Vec<usize>, keep: Option<PathBuf>) -> Vec<Sent> {
        let mut rows = Vec::with_capacity(points.len());
        let keep = keep.as_deref();
        // nothing refuses a row here
        let _ = py.detach(|| {
            run_all(&self.study, &points, 1, keep, &self.stop, |row| {
                rows.push(match row.values {
                    Ok(values) => (row.index, Some(values), None),
                    Err(why) => (row.index, None, Some(why)),
                });
                Ok::<(), ()>(())
            })
        });
        rows
    }

    /// Has everything that runs under it give up.
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Runs all that the journal has not, on threads of the engine; the interpreter is free meanwhile. `progress(done, failed)` is called ten times a second. What it
    /// raises, as what a signal raises, ends the sweep in good order, and is raised once it has ended.
    fn sweep(
        &self,
        py: Python<'_>,
        journal: &Journal,
        jobs: Option<usize>,
        keep: Option<PathBuf>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let (jobs, counts) = (jobs.unwrap_or_else(cores), Counts::default());
        let (result, raised) = py.detach(|| {
            thread::scope(|scope| {
                let (over, ended) = channel::<()>();
                let (counts, stop) = (&counts, &self.stop);
                let all = scope.spawn(move || {
                    let _over = over;
                    journal.with(|journal| {
                        let pending = journal.pending();
                        counts.set(journal.done());
                        let mut synced = Instant::now();
                        run_all(&self.study, &pending, jobs, keep.as_deref(), stop, |row| {
                            journal.append(&row)?;
                            counts.set(journal.done());
                            if synced.elapsed() > SYNC {
                                synced = Instant::now();
                                journal.sync()?;
                            }
                            Ok(())
                        })
                    })
                });
                let mut raised = None;
                while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    if raised.is_none()
                        && let Err(e) = Python::attach(|py| ask_python(py, progress.as_ref(), counts))
                    {
                        raised = Some(e);
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                (all.join(), raised)
            })
        });
        self.stop.store(false, Ordering::Relaxed);
        match (result, raised) {
            (_, Some(raised)) => Err(raised),
            (Ok(result), None) => result?.map_err(wrong),
            (Err(_), None) => Err(error::SweepError::new_err("the sweep broke down")),
        }
    }
}

/// How many runs are done, and how many of them failed.
#[derive(Default)]
struct Counts(AtomicUsize, AtomicUsize);

impl Counts {
    fn set(&self, (done, failed): (usize, usize)) {
        self.0.store(done, Ordering::Relaxed);
        self.1.store(failed, Ordering::Relaxed);
    }
}

fn ask_python(py: Python<'_>, progress: Option<&Py<PyAny>>, counts: &Counts) -> PyResult<()> {
    py.check_signals()?;
    let now = (counts.0.load(Ordering::Relaxed), counts.1.load(Ordering::Relaxed));
    progress.map_or(Ok(()), |progress| progress.call1(py, now).map(|_| ()))
}

/// The exception in a line.
fn line(py: Python<'_>, raised: &PyErr) -> String {
    let kind = raised.get_type(py).name().map_or_else(|_| "an exception".to_owned(), |n| n.to_string());
    format!("{kind}: {}", raised.value(py))
}

/// Asks Python for the measures that are functions.
fn tell(
    function: &Py<PyAny>,
    finished: Finished,
    name: &str,
    raised: &Arc<Raised>,
) -> Result<Vec<f64>, String> {
    #[derive(FromPyObject)]
    enum Gave {
        Numbers(Vec<f64>),
        Why(String),
    }
    Python::attach(|py| {
        let scene = Scene::of(finished.scene.clone(), name, raised);
        let run = Run::new(finished.scene, finished.kept, finished.text);
        match function.call1(py, (scene, run)).and_then(|gave| gave.extract(py)) {
            Ok(Gave::Numbers(numbers)) => Ok(numbers),
            Ok(Gave::Why(why)) => Err(why),
            Err(raised) => Err(line(py, &raised)),
        }
    })
}

/// The rows done so far, in a folder.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Journal {
    /// none once it is closed
    inner: Mutex<Option<sweep::Journal>>,
}

impl Journal {
    fn with<T>(&self, f: impl FnOnce(&mut sweep::Journal) -> T) -> PyResult<T> {
        let mut inner = self.inner.lock().unwrap_or_else(|broken| broken.into_inner());
        inner.as_mut().map(f).ok_or_else(|| error::SweepError::new_err("the journal is closed"))
    }
}

#[pymethods]
impl Journal {
    #[new]
    fn new(folder: PathBuf, study: &Study, keep: bool, restart: bool) -> PyResult<Journal> {
        let inner =
            sweep::Journal::open(&folder, &study.study, Shard::WHOLE, keep, restart).map_err(wrong)?;
        Ok(Journal { inner: Mutex::new(Some(inner)) })
    }

    /// How many runs are done, and how many of them failed.
    fn done(&self) -> PyResult<(usize, usize)> {
        self.with(|journal| journal.done())
    }

    /// What is left to do.
    fn pending<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<usize>>> {
        Ok(PyArray1::from_vec(py, self.with(|journal| journal.pending())?))
    }

    /// Rows more, as [`Study::run`] gave them.
    fn append(&self, study: &Study, rows: Vec<Sent>) -> PyResult<()> {
        let row = |(index, values, why): Sent| Row {
            index,
            cells: study.study.plan().point(index).cells,
            values: values.ok_or_else(|| why.unwrap_or_default()),
        };
        self.with(|journal| rows.into_iter().map(row).try_for_each(|row| journal.append(&row)))?
            .map_err(wrong)
    }

    /// Has the system put on the disk what it was given.
    fn sync(&self) -> PyResult<()> {
        self.with(|journal| journal.sync())?.map_err(wrong)
    }

    /// Writes the table of what is done.
    fn table(&self) -> PyResult<PathBuf> {
        self.with(|journal| journal.table())?.map_err(wrong)
    }

    /// Lets the folder go.
    fn close(&self) {
        self.inner.lock().unwrap_or_else(|broken| broken.into_inner()).take();
    }
}

/// What a folder of a sweep says: `runs` there will be, `design`, what was `varied` (column, path, unit), `measures` (name, unit), all `columns` by name, as arrays of numbers
/// or lists of texts, and `text`, the table as bytes.
#[pyfunction]
pub(crate) fn sweep_table(py: Python<'_>, folder: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let table = py.detach(|| Table::open(&folder)).map_err(wrong)?;
    let out = PyDict::new(py);
    out.set_item("runs", table.runs)?;
    out.set_item("design", &table.design)?;
    out.set_item("text", pyo3::types::PyBytes::new(py, table.text.as_bytes()))?;
    let varied = |v: &Vary| (v.column(), v.path.clone(), v.unit.clone(), is_log(v));
    out.set_item("varied", table.varied.iter().map(varied).collect::<Vec<_>>())?;
    out.set_item("measures", &table.measures)?;
    let columns = PyDict::new(py);
    let cell = |row: &[String], i: usize| row.get(i).cloned().unwrap_or_default();
    let numbers = |i: usize| {
        let number = |row: &Vec<String>| cell(row, i).parse().unwrap_or(f64::NAN);
        PyArray1::from_vec(py, table.rows.iter().map(number).collect())
    };
    let texts = |i: usize| table.rows.iter().map(|row| cell(row, i)).collect::<Vec<_>>();
    let run = |row: &Vec<String>| cell(row, 0).parse().unwrap_or(-1);
    columns.set_item("run", PyArray1::from_vec(py, table.rows.iter().map(run).collect::<Vec<i64>>()))?;
    let mut place = 1;
    for vary in &table.varied {
        match vary.over {
            Over::Texts(_) => columns.set_item(vary.column(), texts(place))?,
            _ => columns.set_item(vary.column(), numbers(place))?,
        }
        place += 1;
    }
    for (name, _) in &table.measures {
        columns.set_item(name, numbers(place))?;
        place += 1;
    }
    columns.set_item("error", texts(place))?;
    out.set_item("columns", columns)?;
    Ok(out)
}

fn is_log(vary: &Vary) -> bool {
    matches!(vary.over, Over::Range { log: true, from, .. } if from > 0.0)
}
