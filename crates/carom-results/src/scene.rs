//! Writes `scene.json`, the scene of a run, so that its bodies can be drawn and the run can be repeated.

use std::fs;
use std::path::{Component, Path, PathBuf};

use carom_scene::SceneText;
use serde_json::Value;

use crate::error::ResultsError;
use crate::files::SCENE;
use crate::summary;

/// Writes a scene to a folder of results as `scene.json`; paths of files in it become relative to that folder.
pub fn write_scene(scene: &SceneText, folder: &Path) -> Result<(), ResultsError> {
    let mut json = scene.json();
    let mut files = Vec::new();
    shape_files(&mut json, &mut files);
    for file in files {
        if let Some(text) = file.as_str() {
            *file = Value::String(seen_from(folder, &scene.folder.join(text)));
        }
    }
    summary::write(folder, SCENE, &json)
}

/// Collects the paths of the files of meshes and of decorative shapes in a scene and in its parts.
fn shape_files<'v>(scene: &'v mut Value, files: &mut Vec<&'v mut Value>) {
    let Some(tables) = scene.as_object_mut() else { return };
    for (name, table) in tables {
        let items = table.as_array_mut().into_iter().flatten();
        match name.as_str() {
            "body" => {
                let tables = items.filter_map(Value::as_object_mut).flatten();
                let shapes = tables.filter(|(key, _)| ["mesh", "surface"].contains(&key.as_str()));
                let shapes = shapes.flat_map(|(_, given)| match given {
                    Value::Array(many) => many.iter_mut().collect::<Vec<_>>(),
                    one => vec![one],
                });
                files.extend(shapes.filter_map(|shape| shape.get_mut("file")));
            }
            "include" => items.filter_map(|i| i.get_mut("part")).for_each(|part| shape_files(part, files)),
            _ => {}
        }
    }
}

/// Returns the path of a file relative to a folder, so that it stays valid if both are moved together; the path is absolute
/// if there is no relative one.
fn seen_from(folder: &Path, file: &Path) -> String {
    let shown = |path: &Path| path.to_string_lossy().replace('\\', "/");
    let (Ok(from), Ok(to)) = (fs::canonicalize(folder), fs::canonicalize(file)) else { return shown(file) };
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if !from.components().take(common).any(|c| matches!(c, Component::RootDir)) {
        return shown(&to);
    }
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    shown(&up.chain(to.components().skip(common)).collect::<PathBuf>())
}
