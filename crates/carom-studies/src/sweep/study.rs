//! A study: a scene, a plan and measures, with one run at a time.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom::Analysis;
use carom_base::number::{push_field, push_number};
use carom_scene::{Format, Scene, Template};

use super::done::{Done, recorded};
use super::error::SweepError;
use super::files;
use super::formula::Subject;
use super::given::{Finished, Given};
use super::measure::{Measure, Measures};
use super::plan::{Plan, Point};

/// The headings of the first column and the last.
const FIXED: [&str; 2] = ["run", "error"];
/// The folder of kept runs, within the folder of the sweep.
const RUNS: &str = "runs";

/// A sweep: the scene to run, the values to use, and the measures of each run.
#[derive(Debug)]
pub struct Study {
    text: String,
    name: String,
    /// the text as it was parsed, of which the scene of every point is read
    template: Template,
    set: Vec<String>,
    plan: Plan,
    measures: Vec<Measure>,
    units: Vec<&'static str>,
    contacts: bool,
    analysis: Analysis,
    given: Given,
    /// files that the scene refers to, with hashes of their content
    files: Vec<(String, u64)>,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// its index in the plan, from 0
    pub index: usize,
    /// the values that were varied
    pub cells: Vec<String>,
    /// the measures, in SI units; or the reason why there are none
    pub values: Result<Vec<f64>, String>,
}

impl Study {
    /// Makes a study from the text of a scene, with some values replaced for all runs (`set`). `name` is the name of the text in
    /// messages, and gives the folder of files that it refers to. [Standard measures](Measure::standard) are not added
    /// automatically.
    pub fn new(
        text: &str,
        format: Format,
        name: &str,
        set: &[String],
        plan: Plan,
        measures: impl Into<Measures>,
    ) -> Result<Study, SweepError> {
        Study::with(text, format, name, set, plan, measures, Given::default())
    }

    /// Makes a study from the text of a scene, as [`Study::new`] does, with user-defined functions.
    pub fn with(
        text: &str,
        format: Format,
        name: &str,
        set: &[String],
        plan: Plan,
        measures: impl Into<Measures>,
        given: Given,
    ) -> Result<Study, SweepError> {
        let with = |point: &Point| [set, &point.set[..]].concat();
        let first = plan.point(0);
        let template = Template::new(text, format, name)?;
        template.check_paths(&with(&first))?;
        let read = |set: &[String]| template.scene(set, &given.own);
        // the scene may be incomplete without the varied values
        let scene = read(set).or_else(|error| read(&with(&first)).map_err(|_| error))?;
        let analysis = scene.analysis;
        let measures = measures.into().of(analysis);
        for (i, measure) in measures.iter().enumerate() {
            measure.check(&scene)?;
            let varied = plan.varied().iter().any(|v| v.column() == measure.name);
            if varied
                || FIXED.contains(&measure.name.as_str())
                || measures[..i].iter().any(|m| m.name == measure.name)
            {
                let why = "two columns of the table would have this name".to_owned();
                return Err(SweepError::Measure { text: measure.name.clone(), why });
            }
        }
        let units = measures.iter().map(|m| m.unit(&scene.names)).collect();
        let contacts = measures.iter().any(|m| m.needs_contacts(&scene.names));
        let files = files::of(&scene, &plan);
        let (text, name, set) = (text.to_owned(), name.to_owned(), set.to_vec());
        Ok(Study { text, name, template, set, plan, measures, units, contacts, analysis, given, files })
    }

    /// Makes a study from the file of a scene, with some values replaced for all runs (`set`).
    pub fn of_file(
        path: &Path,
        set: &[String],
        plan: Plan,
        measures: impl Into<Measures>,
    ) -> Result<Study, SweepError> {
        let (text, format) = Scene::text_of(path)?;
        Study::new(&text, format, &path.display().to_string(), set, plan, measures)
    }

    /// Returns the plan of the runs.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the measures of every run.
    pub fn measures(&self) -> &[Measure] {
        &self.measures
    }

    /// Returns the SI units of the measures, empty if unknown.
    pub(super) fn units(&self) -> &[&'static str] {
        &self.units
    }

    /// Returns the text of the scene.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the settings for all runs.
    pub(super) fn set(&self) -> &[String] {
        &self.set
    }

    /// Returns the text that identifies the user-defined functions in the scene; empty without any.
    pub(super) fn mark(&self) -> &str {
        &self.given.mark
    }

    /// Returns the files that the scene refers to, each with a hash of its content.
    pub(super) fn files(&self) -> &[(String, u64)] {
        &self.files
    }

    /// Returns the name of the scene in messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the headings of the table's columns: the run's number, the varied values, the measures, the error.
    pub fn columns(&self) -> Vec<String> {
        let varied = self.plan.varied().iter().map(|v| v.column());
        let measures = self.measures.iter().map(|m| m.name.clone());
        std::iter::once("run".to_owned()).chain(varied).chain(measures).chain(["error".to_owned()]).collect()
    }

    /// Runs a point; with `keep`, the folder of the sweep, its results are written to a folder there. Returns `None` if it was
    /// stopped.
    pub fn run(&self, index: usize, keep: Option<&Path>, stop: &AtomicBool) -> Option<Row> {
        let point = self.plan.point(index);
        let outcome = self.outcome(&point, keep, stop);
        // the error of a user-defined function takes precedence over the outcome
        let why = outcome.as_ref().err().map(String::as_str);
        let failed = self.given.failed.as_ref().and_then(|asked| asked(why));
        let values = match failed.map_or(outcome, Err) {
            Ok(Some(values)) => Ok(values),
            Ok(None) => return None,
            Err(why) => Err(in_a_line(&why)),
        };
        Some(Row { index, cells: point.cells, values })
    }

    fn outcome(
        &self,
        point: &Point,
        keep: Option<&Path>,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<f64>>, String> {
        let set = [&self.set[..], &point.set[..]].concat();
        let scene = self.template.scene(&set, &self.given.own).map_err(|e| e.in_a_line())?;
        if scene.analysis != self.analysis {
            let [is, others] = [scene.analysis, self.analysis].map(|a| a.word());
            return Err(format!("this run asks for a {is} analysis, the sweep is of {others} ones"));
        }
        let folder = keep.map(|keep| self.run_folder(keep, point.index)).transpose()?;
        let function =
            self.given.function.as_ref().filter(|_| self.measures.iter().any(Measure::is_function));
        let contacts = self.contacts || function.is_some();
        let Some(done) = Done::of(&scene, folder, contacts, stop)? else { return Ok(None) };
        let Done { kept, text, numbers, found } = done;
        // whole results are needed for functions only
        let whole = function.map(|function| (function, kept.clone()));
        let recorded = recorded(&scene, kept, found.as_ref())?;
        let subject = Subject { recorded: &recorded, parameters: &scene.parameters, numbers: &numbers };
        let formulas = self.measures.iter().map(|m| m.of(&subject).transpose());
        let mut values = formulas.collect::<Result<Vec<Option<f64>>, _>>().map_err(|e| e.to_string())?;
        if let Some((function, kept)) = whole {
            let numbers = function(Finished { scene: Arc::new(scene), kept, text })?;
            let open = values.iter_mut().filter(|v| v.is_none());
            open.zip(numbers).for_each(|(value, number)| *value = Some(number));
        }
        Ok(Some(values.into_iter().map(|v| v.unwrap_or(f64::NAN)).collect()))
    }

    /// Returns the folder of a kept run, after deleting what an interrupted run has left there.
    fn run_folder(&self, sweep: &Path, index: usize) -> Result<PathBuf, String> {
        let path = self.kept(sweep, index);
        if path.exists() {
            fs::remove_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        Ok(path)
    }

    /// Returns the folder of a kept run: its number, with leading zeros so that names are in order.
    pub fn kept(&self, sweep: &Path, index: usize) -> PathBuf {
        let digits = (self.plan.len() - 1).to_string().len();
        runs(sweep).join(format!("{index:0digits$}"))
    }
}

/// Returns the folder of the runs that a sweep keeps.
pub(super) fn runs(sweep: &Path) -> PathBuf {
    sweep.join(RUNS)
}

/// Joins the lines of a text, because a row is a single line.
fn in_a_line(text: &str) -> String {
    text.split(['\n', '\r']).map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("; ")
}

impl Row {
    /// Returns the row as in the table, without the end of the line; NaN becomes an empty cell.
    pub fn line(&self, measures: usize) -> String {
        let mut out = Vec::new();
        push_number(&mut out, self.index as f64);
        for cell in &self.cells {
            out.push(b',');
            push_field(&mut out, cell);
        }
        for i in 0..measures {
            out.push(b',');
            match self.values.as_ref().ok().and_then(|v| v.get(i)) {
                Some(x) if !x.is_nan() => push_number(&mut out, *x),
                _ => {}
            }
        }
        out.push(b',');
        if let Err(why) = &self.values {
            push_field(&mut out, why);
        }
        String::from_utf8_lossy(&out).into_owned()
    }
}
