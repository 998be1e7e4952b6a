//! Reads the triangles of STL, OBJ and PLY files. Normals, colours and the like in them are left out.

mod obj;
mod ply;
mod stl;

use std::io;
use std::path::{Path, PathBuf};

use carom::geometry::mesh::Mesh;
use carom_base::file;

/// An error in reading a shape from a file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct ShapeFileError {
    /// the file
    pub path: PathBuf,
    /// what is wrong, with its position in the file
    pub why: String,
}

/// Largest number of triangles: no picture needs more, no page could show them, and no contact is as fine.
const MOST_TRIANGLES: usize = 2_000_000;
/// Largest file size [GB]: a file within the limit on triangles is smaller.
const MOST_GB: u64 = 1;

/// The endings of files that are read.
pub const ENDINGS: [&str; 3] = [".stl", ".obj", ".ply"];

/// A triangle's corners.
type Corners = [[f64; 3]; 3];

/// Reads an STL (binary or text), OBJ or PLY (text or binary) file for drawing; the ending gives the format. Normals are averaged over
/// smooth regions, and separate on the two sides of an edge sharper than 40°.
///
/// ```
/// let error = carom_scene::shape_file::read("hull.step".as_ref()).unwrap_err();
/// assert_eq!(error.to_string(), "hull.step: its ending is not .stl, .obj or .ply");
/// ```
pub fn read(path: &Path) -> Result<Mesh, ShapeFileError> {
    Ok(Mesh::smoothed(&triangles(path)?))
}

/// Reads the triangles of such a file: three corners each, in the file's unit.
pub fn triangles(path: &Path) -> Result<Vec<[[f64; 3]; 3]>, ShapeFileError> {
    let wrong = |why: String| ShapeFileError { path: path.to_owned(), why };
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let triangles: fn(&[u8]) -> Result<Vec<Corners>, String> = match ending.as_deref() {
        Some("stl") => stl::triangles,
        Some("obj") => obj::triangles,
        Some("ply") => ply::triangles,
        _ => return Err(wrong("its ending is not .stl, .obj or .ply".to_owned())),
    };
    let triangles = triangles(&bytes(path).map_err(wrong)?).map_err(wrong)?;
    if triangles.is_empty() {
        return Err(wrong("there is no triangle in it".to_owned()));
    }
    Ok(triangles)
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    file::read(path, MOST_GB).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => e.to_string(),
    })
}

/// Adds a triangle; an error if a corner is not finite or there are too many triangles.
fn push(all: &mut Vec<Corners>, corners: Corners, line: impl Fn() -> String) -> Result<(), String> {
    if !corners.iter().flatten().all(|x| x.is_finite()) {
        return Err(format!("{}: a corner is not finite", line()));
    }
    if all.len() == MOST_TRIANGLES {
        return Err(format!("it has more than {MOST_TRIANGLES} triangles"));
    }
    all.push(corners);
    Ok(())
}
