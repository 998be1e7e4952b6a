//! Performs one run or analysis, in memory and, if it is kept, in a folder.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use carom::{Analysis, Sink};
use carom_results::{About, Existing, Folder, Memory, Recorded, ResultSet, Sinks, tables_at_rest};
use carom_scene::{Analysed, Scene};

use super::analysis::numbers;

/// The result of a run or analysis.
pub(super) struct Done {
    /// the content of a folder of results
    pub(super) kept: ResultSet,
    /// a summary in a few lines
    pub(super) text: String,
    /// numbers of an analysis as a whole, by name
    pub(super) numbers: Vec<(String, f64)>,
    /// the result of an analysis
    pub(super) found: Option<Analysed>,
}

impl Done {
    /// Performs what the scene asks for; returns `None` if it was stopped.
    pub(super) fn of(
        scene: &Scene,
        folder: Option<PathBuf>,
        contacts: bool,
        stop: &AtomicBool,
    ) -> Result<Option<Done>, String> {
        match scene.analysis {
            Analysis::Dynamic => simulated(scene, folder, contacts, stop),
            _ => analysed(scene, folder, stop),
        }
    }
}

/// Returns the recorded data from which quantities are taken; an equilibrium has a single instant.
pub(super) fn recorded(
    scene: &Scene,
    mut kept: ResultSet,
    found: Option<&Analysed>,
) -> Result<Recorded, String> {
    if let Some(at) = found.and_then(Analysed::equilibrium) {
        kept.tables = tables_at_rest(scene, at).map_err(|e| e.to_string())?;
    }
    kept.recorded().map_err(|e| e.to_string())
}

fn simulated(
    scene: &Scene,
    folder: Option<PathBuf>,
    contacts: bool,
    stop: &AtomicBool,
) -> Result<Option<Done>, String> {
    let about = About::from(scene);
    let mut memory = Memory::new(about.clone());
    if !contacts {
        memory = memory.without_contacts();
    }
    let open = |path| Folder::new(path, about, Existing::ReplaceResults).map_err(|e| e.to_string());
    let mut folder = folder.map(open).transpose()?;
    let file = folder.as_mut().map(|folder| folder as &mut dyn Sink);
    let sinks = [Some(&mut memory as &mut dyn Sink), file].into_iter().flatten();
    // (the points of the sweep share the cores)
    let simulation = scene.simulation().threads(scene.threads.unwrap_or(1));
    let outcome = simulation.run_into(&mut Sinks::new(sinks, &mut unless(stop)));
    if let Some(folder) = &mut folder {
        folder.close(&outcome).map_err(|e| e.to_string())?;
    }
    let run = outcome.map_err(|e| e.to_string())?;
    if run.summary.stopped {
        return Ok(None);
    }
    let kept = memory.keep(Ok(&run)).map_err(|e| e.to_string())?;
    Ok(Some(Done { kept, text: run.summary.to_string(), numbers: Vec::new(), found: None }))
}

fn analysed(scene: &Scene, folder: Option<PathBuf>, stop: &AtomicBool) -> Result<Option<Done>, String> {
    let found = match scene.analyse(&mut unless(stop)) {
        // a search for an equilibrium that was stopped has no result
        Err(_) if stop.load(Ordering::Relaxed) => return Ok(None),
        found => found.map_err(|e| e.to_string())?,
    };
    let Some(found) = found.filter(|found| !found.stopped()) else { return Ok(None) };
    let kept = ResultSet::of_analysis(scene, &found).map_err(|e| e.to_string())?;
    if let Some(folder) = folder {
        kept.write(&folder, Existing::ReplaceResults).map_err(|e| e.to_string())?;
    }
    Ok(Some(Done { kept, text: found.to_string(), numbers: numbers(&found), found: Some(found) }))
}

/// Returns a function that continues until `stop` is set.
fn unless(stop: &AtomicBool) -> impl FnMut(f64) -> ControlFlow<()> {
    move |_| if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
