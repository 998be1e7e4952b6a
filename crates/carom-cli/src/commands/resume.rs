//! What `carom run --resume` starts from.

use std::path::Path;

use carom::base::file;
use carom::{Analysis, Snapshot};
use carom_results::{About, Folder};
use carom_scene::Scene;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::human::duration;

/// Reads the scene of the run in a folder, and where it goes on; without a checkpoint that is its start. `None`: it is finished, and
/// is not to go on `until` a later time.
pub(super) fn begin(
    output: &Path,
    until: Option<&str>,
) -> Result<Option<(Scene, Folder, Option<Snapshot>)>, Failure> {
    let summary = summary(output)?;
    let path = output.join("scene.json");
    if !path.is_file() {
        let folder = output.display();
        return Err(Failure::Input(format!("{folder} has no scene.json: run the scene anew")));
    }
    let set: Vec<String> = until.iter().map(|t| format!("run/duration={t}")).collect();
    let mut scene = Scene::from_file(&path, &set)?;
    if scene.analysis != Analysis::Dynamic {
        return Err(Failure::Input(format!("{} is no run, but an analysis: run it anew", output.display())));
    }
    // (a scene without a title has that of its file, which had another name)
    if let Some(title) = summary.get("title").and_then(|title| title.as_str()) {
        title.clone_into(&mut scene.title);
    }
    let is_finished = ["failed", "stopped"].iter().all(|key| !summary.contains_key(*key));
    let known = summary.get("duration").and_then(Value::as_f64);
    if is_finished && known == Some(scene.duration) {
        return Ok(None);
    }
    let (folder, snapshot) = Folder::resume(output, About::from(&scene))?;
    if let Some(at) = snapshot.as_ref().map(Snapshot::t).filter(|at| *at > scene.duration) {
        let (at, end) = (duration(at), duration(scene.duration));
        return Err(Failure::Input(format!("{} is at {at} already, past {end}", output.display())));
    }
    Ok(Some((scene, folder, snapshot)))
}

/// Reads what the summary in a folder says; it is there from the start of a run.
fn summary(output: &Path) -> Result<Map<String, Value>, Failure> {
    let text = file::read(&output.join("summary.json"), 1);
    match text.ok().and_then(|text| serde_json::from_slice(&text).ok()) {
        Some(Value::Object(summary)) => Ok(summary),
        _ => Err(Failure::Input(format!("{} holds no run: it has no summary.json", output.display()))),
    }
}
