//! One run or analysis, in memory and, if it is kept, in a folder.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use carom::{Analysis, Event, Frame, Model, Sink, SinkError, Summary};

use super::analysis::numbers;
use crate::analyse::Analysed;
use crate::results::{About, Existing, Folder, Kept, Memory, Recorded, analysis};
use crate::scene::Scene;

/// What came of it.
pub(super) struct Done {
    /// what a folder would hold
    pub(super) kept: Kept,
    /// how it went, in a few lines
    pub(super) text: String,
    /// of an analysis as a whole, by name
    pub(super) numbers: Vec<(String, f64)>,
    /// what came out of an analysis
    pub(super) found: Option<Analysed>,
}

impl Done {
    /// Does what the scene asks for; `None`: it was stopped.
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

/// What quantities are taken of: of an equilibrium, its one instant.
pub(super) fn recorded(scene: &Scene, mut kept: Kept, found: Option<&Analysed>) -> Result<Recorded, String> {
    if let Some(at) = found.and_then(Analysed::equilibrium) {
        kept.tables = analysis::tables_at_rest(scene, at).map_err(|e| e.to_string())?;
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
    let mut sink = Watched { memory: &mut memory, folder: folder.as_mut(), stop };
    let outcome = scene.simulation().run_into(&mut sink);
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
    let mut go_on = |_: f64| match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let found = match scene.analyse(&mut go_on) {
        // of a search for an equilibrium nothing is left
        Err(_) if stop.load(Ordering::Relaxed) => return Ok(None),
        found => found.map_err(|e| e.to_string())?,
    };
    let Some(found) = found.filter(|found| !found.stopped()) else { return Ok(None) };
    let kept = found.keep(scene).map_err(|e| e.to_string())?;
    if let Some(folder) = folder {
        kept.write(&folder, Existing::ReplaceResults).map_err(|e| e.to_string())?;
    }
    Ok(Some(Done { kept, text: found.to_string(), numbers: numbers(&found), found: Some(found) }))
}

/// Both sinks of a run, until it is told to stop.
struct Watched<'a> {
    memory: &'a mut Memory,
    folder: Option<&'a mut Folder>,
    stop: &'a AtomicBool,
}

impl Watched<'_> {
    fn both(
        &mut self,
        mut tell: impl FnMut(&mut dyn Sink) -> Result<(), SinkError>,
    ) -> Result<(), SinkError> {
        tell(self.memory)?;
        self.folder.as_mut().map_or(Ok(()), |folder| tell(*folder))
    }
}

impl Sink for Watched<'_> {
    fn begin(&mut self, model: &Model) -> Result<(), SinkError> {
        self.both(|sink| sink.begin(model))
    }
    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.both(|sink| sink.frame(frame))
    }
    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.both(|sink| sink.event(event))
    }
    fn progress(&mut self, t: f64) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        self.folder.as_mut().map_or(ControlFlow::Continue(()), |folder| folder.progress(t))
    }
    fn end(&mut self, summary: &Summary) -> Result<(), SinkError> {
        self.both(|sink| sink.end(summary))
    }
}
