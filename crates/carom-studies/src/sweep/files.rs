//! Hashes the files that a scene refers to: a sweep is continued only if they are unchanged.

use std::collections::BTreeSet;
use std::path::Path;

use carom_base::file;
use carom_scene::Scene;
use serde_json::Value;

use super::plan::Plan;
use super::vary::Over;

/// Computes the FNV-1a hash.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

/// Returns every file that the scene refers to, or that a varied path puts into it, with a hash of its content. Files that
/// cannot be read are left out; the run reports them.
pub(super) fn of(scene: &Scene, plan: &Plan) -> Vec<(String, u64)> {
    let mut names: BTreeSet<String> = scene.decorations.iter().map(|d| d.file.clone()).collect();
    names.extend(scene.meshes.iter().map(|m| m.file.clone()));
    for vary in plan.varied().iter().filter(|v| v.path.ends_with("/file")) {
        if let Over::Texts(all) = &vary.over {
            names.extend((0..all.len()).filter_map(|i| vary.nth(i)).map(|s| s.cell));
        }
    }
    parts(&scene.source.json(), Path::new(""), &mut names);
    let read = |name: String| {
        let bytes = file::read(&scene.source.folder.join(&name), 1).ok()?;
        Some((name, hash(&bytes)))
    };
    names.into_iter().filter_map(read).collect()
}

/// Adds the files of the parts that a scene includes, and of those that they include.
fn parts(scene: &Value, folder: &Path, names: &mut BTreeSet<String>) {
    for include in scene.get("include").and_then(Value::as_array).into_iter().flatten() {
        let Some(file) = include.get("file").and_then(Value::as_str) else { continue };
        let path = folder.join(file);
        names.insert(path.to_string_lossy().into_owned());
        if let Some(part) = include.get("part") {
            parts(part, path.parent().unwrap_or(folder), names);
        }
    }
}
