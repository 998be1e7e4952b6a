//! A scene of fewer bodies, joints and forces that fails as well.

use serde_json::Value;

use crate::check;

/// Leaves out one thing after the other as long as it still has one of these faults.
pub(crate) fn smallest(mut scene: Value, faults: &[&'static str], longest: f64) -> Value {
    for list in ["joint", "force", "drive", "field", "body", "contact"] {
        let mut i = 0;
        while i < scene[list].as_array().map_or(0, Vec::len) {
            let less = without(&scene, list, i);
            if check::run(&less, longest).kinds().iter().any(|k| faults.contains(k)) {
                scene = less;
            } else {
                i += 1;
            }
        }
    }
    scene
}

/// Without one thing, and what speaks of it.
fn without(scene: &Value, list: &str, i: usize) -> Value {
    let mut out = scene.clone();
    let gone = out[list].as_array_mut().map(|all| all.remove(i)).unwrap_or_default();
    let Some(name) = gone["name"].as_str() else { return out };
    let speaks = |v: &Value| {
        let target = v["target"].as_str().is_some_and(|t| t.contains(&format!("/{name}/")));
        let between = v["between"].as_array().into_iter().flatten().any(|b| b == name);
        target || between || v["joint"] == *name
    };
    for other in ["contact", "joint", "force", "drive", "field"] {
        if let Some(all) = out[other].as_array_mut() {
            all.retain(|v| !speaks(v));
        }
    }
    out
}
