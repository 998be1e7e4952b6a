//! Scenes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom::{Analysis, Sink};
use carom_results::{About, Folder, Memory, ResultSet, Sinks};
use carom_scene::Format;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{self, Raised};
use crate::own::Functions;
use crate::run::{Listener, Run, existing};
use crate::stepping::Stepping;

/// A scene that was read and checked.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Scene {
    scene: Arc<carom_scene::Scene>,
    /// what messages call it
    name: String,
    /// what the functions in it raised
    raised: Arc<Raised>,
    /// what it was read from; none: its own JSON
    origin: Option<Origin>,
}

/// Text, language, replaced values.
struct Origin {
    text: String,
    format: Format,
    set: Vec<String>,
}

/// The language by its name.
pub(crate) fn format(name: &str) -> PyResult<Format> {
    match name {
        "toml" => Ok(Format::Toml),
        "json" => Ok(Format::Json),
        other => Err(PyValueError::new_err(format!("format is {other:?}; allowed: \"toml\", \"json\""))),
    }
}

impl Scene {
    pub(crate) fn inner(&self) -> &Arc<carom_scene::Scene> {
        &self.scene
    }

    /// One that there is already.
    pub(crate) fn of(scene: Arc<carom_scene::Scene>, name: &str, raised: &Arc<Raised>) -> Scene {
        Scene { scene, name: name.to_owned(), raised: raised.clone(), origin: None }
    }

    fn new(
        name: String,
        origin: Origin,
        read: Result<carom_scene::Scene, carom_scene::SceneError>,
        raised: Arc<Raised>,
    ) -> PyResult<Scene> {
        // a function may be asked while the scene is checked
        let cause = raised.take();
        match (read, cause) {
            (_, Some(cause)) => Err(cause),
            (Ok(scene), None) => Ok(Scene { scene: Arc::new(scene), name, raised, origin: Some(origin) }),
            (Err(e), None) => Err(error::scene(&e)),
        }
    }
}

#[pymethods]
impl Scene {
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, set: Vec<String>) -> PyResult<Scene> {
        let (text, format) = carom_scene::Scene::text_of(&path).map_err(|e| error::scene(&e))?;
        let name = path.display().to_string();
        let read = py.detach(|| carom_scene::Scene::from_text(&text, format, &name, &set));
        Scene::new(name, Origin { text, format, set }, read, Arc::default())
    }

    /// `format`: toml or json.
    #[staticmethod]
    #[pyo3(signature = (text, format, name, set, functions=None))]
    fn from_text(
        py: Python<'_>,
        text: &str,
        format: &str,
        name: String,
        set: Vec<String>,
        functions: Option<&Bound<'_, Functions>>,
    ) -> PyResult<Scene> {
        let format = self::format(format)?;
        let (own, raised) =
            functions.map_or_else(Default::default, |f| (f.get().own.clone(), f.get().raised.clone()));
        let read = py.detach(|| carom_scene::Scene::from_text_with(text, format, &name, &set, &own));
        Scene::new(name, Origin { text: text.to_owned(), format, set }, read, raised)
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }
    /// What it was read from: text, language, name, replaced values.
    #[getter]
    fn origin(&self) -> (String, &'static str, String, Vec<String>) {
        let (text, format, set) = match &self.origin {
            Some(o) => (o.text.clone(), o.format, o.set.clone()),
            None => (self.source(), Format::Json, Vec::new()),
        };
        (text, word(format), self.name.clone(), set)
    }
    #[getter]
    fn title(&self) -> &str {
        &self.scene.title
    }
    #[getter]
    fn duration(&self) -> f64 {
        self.scene.duration
    }
    #[getter]
    fn analysis(&self) -> &'static str {
        self.scene.analysis.word()
    }
    #[getter]
    fn method(&self) -> &str {
        &self.scene.method
    }
    #[getter]
    fn rtol(&self) -> f64 {
        self.scene.rtol
    }
    #[getter]
    fn atol(&self) -> f64 {
        self.scene.atol
    }
    /// All bodies, fixed ones too.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.scene.model.body_names().collect()
    }
    /// Those that results have columns of.
    #[getter]
    fn moving_bodies(&self) -> Vec<&str> {
        self.scene.model.moving_bodies().collect()
    }
    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.scene.model.joint_names().collect()
    }
    #[getter]
    fn probes(&self) -> Vec<&str> {
        self.scene.probes.iter().map(|p| p.name.as_str()).collect()
    }
    #[getter]
    fn parameters(&self) -> Vec<(String, f64)> {
        self.scene.parameters.clone()
    }
    /// The scene as JSON, values replaced.
    #[getter]
    fn source(&self) -> String {
        format!("{:#}", self.scene.source.json())
    }

    /// Runs it, or does its analysis, without holding the interpreter. `progress(t)` is called ten times a second; what it raises, as what a signal raises, ends the
    /// run in good order and comes back beside what was done; so does what a function in the scene raised, and why the run failed.
    fn run(
        &self,
        py: Python<'_>,
        folder: Option<PathBuf>,
        force: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Ended> {
        self.raised.forget();
        let listener = Listener::new(progress, &self.raised);
        let (run, failed, raised) = match self.scene.analysis {
            Analysis::Dynamic => py.detach(|| self.simulate(folder, force, listener))?,
            _ => py.detach(|| self.analyse(folder, force, listener))?,
        };
        Ok((run, failed, raised, self.raised.take()))
    }

    /// Goes on with the run in a folder, which has this title; otherwise as `run`.
    fn resume(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        title: Option<String>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Ended> {
        self.raised.forget();
        let listener = Listener::new(progress, &self.raised);
        let (run, failed, raised) = py.detach(|| self.go_on(&folder, title, listener))?;
        Ok((run, failed, raised, self.raised.take()))
    }

    /// Starts a run that is taken from one time to the next; beside it, why it failed at its start, and what a function in the scene raised.
    fn start(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Stepping, Option<String>, Option<PyErr>)> {
        Stepping::start(py, &self.scene, &self.raised, progress)
    }
}

/// What was done, why it failed, what progress or a signal raised, what a function in the scene raised.
type Ended = (Option<Run>, Option<String>, Option<PyErr>, Option<PyErr>);

impl Scene {
    fn simulate(
        &self,
        folder: Option<PathBuf>,
        force: bool,
        mut listener: Listener<'_>,
    ) -> PyResult<(Option<Run>, Option<String>, Option<PyErr>)> {
        let (scene, about) = (&self.scene, About::from(&*self.scene));
        let open = |path| Folder::new(path, about.clone(), existing(force)).map_err(error::folder);
        let mut folder = folder.map(open).transpose()?;
        let mut memory = Memory::new(about.clone());
        let file = folder.as_mut().map(|folder| folder as &mut dyn Sink);
        let sinks = [Some(&mut memory as &mut dyn Sink), file].into_iter().flatten();
        let mut go_on = |t: f64| listener.go_on(t);
        let sound = || !self.raised.is_some();
        let mut sinks = Sinks::new(sinks, &mut go_on).snapshots_while(&sound);
        let outcome = scene.simulation().run_into(&mut sinks);
        folder.as_mut().map_or(Ok(()), |folder| folder.close(&outcome)).map_err(error::folder)?;
        let kept = memory.keep(outcome.as_ref()).map_err(error::results)?;
        let text = outcome.as_ref().map_or_else(ToString::to_string, |run| run.summary.to_string());
        let failed = outcome.err().map(|e| self.raised.explain(&e));
        Ok((Some(Run::new(scene.clone(), kept, text)), failed, listener.raised()))
    }

    fn go_on(
        &self,
        path: &Path,
        title: Option<String>,
        mut listener: Listener<'_>,
    ) -> PyResult<(Option<Run>, Option<String>, Option<PyErr>)> {
        let mut about = About::from(&*self.scene);
        about.title = title.unwrap_or(about.title);
        let (mut folder, snapshot) = Folder::resume(path, about).map_err(error::folder)?;
        let mut go_on = |t: f64| listener.go_on(t);
        let sound = || !self.raised.is_some();
        let mut sinks = Sinks::new([&mut folder as &mut dyn Sink], &mut go_on).snapshots_while(&sound);
        let outcome = self.scene.simulation().resume_into(snapshot.as_ref(), &mut sinks);
        folder.close(&outcome).map_err(error::folder)?;
        let kept = ResultSet::open(path, &self.scene).map_err(error::results)?;
        let text = outcome.as_ref().map_or_else(ToString::to_string, |run| run.summary.to_string());
        let failed = outcome.err().map(|e| self.raised.explain(&e));
        Ok((Some(Run::new(self.scene.clone(), kept, text)), failed, listener.raised()))
    }

    fn analyse(
        &self,
        folder: Option<PathBuf>,
        force: bool,
        mut listener: Listener<'_>,
    ) -> PyResult<(Option<Run>, Option<String>, Option<PyErr>)> {
        let scene = &self.scene;
        folder.as_ref().map_or(Ok(()), |path| existing(force).check(path)).map_err(error::folder)?;
        let found = match scene.analyse(&mut |t| listener.go_on(t)) {
            Ok(found) => found,
            Err(why) => return Ok((None, Some(self.raised.explain(&why)), listener.raised())),
        };
        let Some(found) = found else { return Ok((None, None, listener.raised())) };
        let kept = ResultSet::of_analysis(scene, &found).map_err(error::results)?;
        folder.map_or(Ok(()), |path| kept.write(&path, existing(force))).map_err(error::folder)?;
        Ok((Some(Run::new(scene.clone(), kept, found.to_string())), None, listener.raised()))
    }
}

/// What is in a folder of results; `scene` is that of its `scene.json`, and `text` says how it went.
#[pyfunction]
#[pyo3(signature = (folder, scene, text=None))]
pub(crate) fn open_run(
    py: Python<'_>,
    folder: PathBuf,
    scene: &Scene,
    text: Option<String>,
) -> PyResult<Run> {
    let kept = py.detach(|| ResultSet::open(&folder, scene.inner())).map_err(error::results)?;
    let text = text.unwrap_or_else(|| format!("read from {}", folder.display()));
    Ok(Run::new(scene.inner().clone(), kept, text))
}

/// The text of a file, and its language.
#[pyfunction]
pub(crate) fn scene_text(path: PathBuf) -> PyResult<(String, &'static str)> {
    let (text, format) = carom_scene::Scene::text_of(&path).map_err(|e| error::scene(&e))?;
    Ok((text, word(format)))
}

fn word(format: Format) -> &'static str {
    if format == Format::Toml { "toml" } else { "json" }
}
