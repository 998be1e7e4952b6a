//! Makes shapes that are drawn on bodies and take no part in contact.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use carom::base::{Pose, Quat};
use carom::geometry::mesh::Mesh;
use nalgebra::Quaternion;

use super::body::orientation;
use crate::error::Problem;
use crate::fields::Fields;
use crate::scene::Decoration;
use crate::shape_file;

/// Makes the shapes of all bodies. A file that several bodies name is read once.
pub(super) fn decorations(scene: &Fields, folder: &Path) -> Result<Vec<Decoration>, Problem> {
    let mut read: HashMap<(&str, bool), Arc<Mesh>> = HashMap::new();
    let mut all = Vec::new();
    for body in scene.array("body") {
        for f in body.array("mesh") {
            let file = f.text("file").unwrap_or_default();
            let mirrored = f.bool("mirrored") == Some(true);
            let mesh = match read.get(&(file, mirrored)) {
                Some(mesh) => Arc::clone(mesh),
                None => {
                    let wrong = |e: shape_file::ShapeFileError| {
                        Problem::new(format!("the shape {e}")).at(f.span("file"), "")
                    };
                    let shape = shape_file::read(&folder.join(file)).map_err(wrong)?;
                    Arc::new(if mirrored { image(shape) } else { shape })
                }
            };
            read.insert((file, mirrored), Arc::clone(&mesh));
            let turned = f.table("orientation").map_or(Ok([1.0, 0.0, 0.0, 0.0]), orientation)?;
            let [w, x, y, z] = turned;
            let turned = Quat::new_normalize(Quaternion::new(w, x, y, z));
            all.push(Decoration {
                body: body.text("name").unwrap_or_default().to_owned(),
                file: file.to_owned(),
                mesh,
                scale: f.number("scale").unwrap_or(1.0),
                pose: Pose::new(f.vector("position").unwrap_or_default().into(), &turned),
            });
        }
    }
    Ok(all)
}

/// The mirror image in x.
fn image(mut shape: Mesh) -> Mesh {
    shape.vertices.iter_mut().chain(&mut shape.normals).for_each(|v| v[0] = -v[0]);
    shape.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    shape
}
