//! Results in memory: the content of a folder, without one.

use std::fs;
use std::path::{Path, PathBuf};

use carom::Acceleration;
use carom_scene::{Scene, SceneText};
use serde_json::Value;

use crate::actions::ACCELERATION;
use crate::data::{Column, ColumnValues, DataFile, data_files};
use crate::error::ReadError;
use crate::error::ResultsError;
use crate::figures::remove_figures;
use crate::files::{self, Existing, HEADS, KINEMATICS, SCENE, SUMMARY, VIEW};
use crate::lock::Lock;
use crate::read::Recorded;
use crate::scene::write_scene;
use crate::summary;

/// The content of a folder of results in memory, from a run ([`Memory`](super::Memory)) or an analysis
/// ([`Analysed`](carom_scene::Analysed)).
///
/// ```
/// use carom_results::{About, Memory};
/// use carom_scene::{Format, Scene};
/// let text = "run.duration = 1\nbody = [{ name = \"stone\", mass = 1, inertia = [1, 1, 1] }]";
/// let scene = Scene::from_text(text, Format::Toml, "stone.toml", &[])?;
/// let mut memory = Memory::new(About::from(&scene));
/// let outcome = scene.simulation().run_into(&mut memory);
/// let kept = memory.keep(outcome.as_ref())?;
/// assert_eq!(kept.text("summary.json").unwrap()["title"], "stone");
/// assert!(kept.tables.iter().any(|table| table.name == "states" && table.rows() > 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ResultSet {
    /// the JSON files
    pub(super) texts: Vec<(&'static str, Value)>,
    /// the CSV files
    pub tables: Vec<DataFile>,
    /// the content of `scene.json`
    pub(super) scene: Option<SceneText>,
}

impl ResultSet {
    /// Reads a folder back; `scene` is the scene in its `scene.json`. From a run that is in progress or was killed it reads all
    /// whole lines.
    pub fn open(folder: &Path, scene: &Scene) -> Result<ResultSet, ReadError> {
        let texts = files::texts(folder);
        if texts.is_empty() {
            let why = format!("there is no {SUMMARY} of carom's, and no analysis");
            return Err(ReadError::NotResults { path: folder.to_owned(), why });
        }
        Ok(ResultSet { texts, tables: data_files(folder)?, scene: Some(scene.source.clone()) })
    }

    /// Returns the content of a JSON file: `summary.json` of a run; `analysis.json`, `equilibrium.json`, `modes.json` of an
    /// analysis.
    pub fn text(&self, file: &str) -> Option<&Value> {
        self.texts.iter().find(|(name, _)| *name == file).map(|(_, value)| value)
    }

    /// Returns all JSON files, by name.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.texts.iter().map(|(name, value)| (*name, value))
    }

    /// Adds the accelerations of bodies to `kinematics.csv`, for results of a single instant, of which they cannot be had by
    /// differences.
    pub fn add_accelerations(&mut self, t: f64, all: &[Acceleration]) {
        let column = |name: String, value: f64| Column {
            name: name.into(),
            values: ColumnValues::Numbers(vec![value]),
        };
        let table = match self.tables.iter().position(|table| table.file == KINEMATICS) {
            Some(table) => table,
            None => {
                let mut table = DataFile::new(KINEMATICS, [""; 0]);
                table.columns.push(column("t".to_owned(), t));
                self.tables.push(table);
                self.tables.len() - 1
            }
        };
        let of_body = |a: &Acceleration| {
            let values = a.linear.iter().chain(&a.angular).copied().collect::<Vec<f64>>();
            ACCELERATION.iter().zip(values).map(|(c, x)| (format!("{}.{c}", a.body), x)).collect::<Vec<_>>()
        };
        let new = all.iter().flat_map(of_body).map(|(name, x)| column(name, x));
        self.tables[table].columns.extend(new);
    }

    /// Writes a folder, replacing the results of an earlier run. Returns an error if the folder must not be written to.
    pub fn write(&self, folder: &Path, existing: Existing) -> Result<(), ResultsError> {
        let _lock = begin(folder, existing)?;
        remove_figures(folder)?;
        files::FILES.map(|name| folder.join(name)).iter().try_for_each(|old| files::remove(old))?;
        self.put(folder)?;
        self.scene.as_ref().map_or(Ok(()), |scene| write_scene(scene, folder))
    }

    /// Adds its files to a folder beside the results in it; the scene too, unless the folder has one. Returns an error if the
    /// folder must not be written to.
    pub fn add(&self, folder: &Path, existing: Existing) -> Result<(), ResultsError> {
        let _lock = begin(folder, existing)?;
        // without a run, a page in the folder shows an earlier analysis
        let page = folder.join(VIEW);
        if page.exists() && !HEADS.iter().any(|name| folder.join(name).exists()) {
            fs::remove_file(&page).map_err(ResultsError::io(&page))?;
        }
        self.put(folder)?;
        match &self.scene {
            Some(scene) if !folder.join(SCENE).exists() => write_scene(scene, folder),
            _ => Ok(()),
        }
    }

    fn put(&self, folder: &Path) -> Result<(), ResultsError> {
        self.texts.iter().try_for_each(|(name, value)| summary::write(folder, name, value))?;
        self.tables.iter().try_for_each(|table| table.write(folder))
    }

    /// Returns what [`Recorded::open`] would read back from the folder.
    pub fn recorded(self) -> Result<Recorded, ReadError> {
        let head = self.texts.into_iter().find(|(name, _)| HEADS.contains(name));
        let summary = match head {
            Some((_, Value::Object(summary))) => summary,
            _ => serde_json::Map::new(),
        };
        Recorded::of(PathBuf::new(), summary, self.tables, Vec::new())
    }
}

/// Creates a folder for results, and locks it against all other processes for the lifetime of the lock.
pub(super) fn begin(folder: &Path, existing: Existing) -> Result<Lock, ResultsError> {
    existing.check(folder)?;
    fs::create_dir_all(folder).map_err(ResultsError::io(folder))?;
    let lock = files::lock(folder)?;
    // other processes may have written to it before it was locked
    existing.check_content(folder)?;
    Ok(lock)
}
