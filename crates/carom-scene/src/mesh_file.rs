//! Surfaces of triangles, from files: the solids that bodies touch with, not shapes that are only drawn.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom::base::param::Allowed;
use carom::base::{Param, Quantity, Vec3};
use carom::geometry::Surface;
use carom::geometry::surfaces::{Corners, MESH, TriangleMesh, TriangleMeshError};

use crate::error::Problem;
use crate::fields::Fields;
use crate::keys::{Details, Kind};
use crate::shape_file;

/// A surface from a file.
pub(crate) const SURFACE: Kind = Kind {
    name: MESH,
    summary: "a closed surface of triangles from a file, convex or not; balls touch it, at one point at a time",
    details: Details::NONE,
    params: &[
        Param::required(
            "file",
            Quantity::Number,
            Allowed::Name,
            "an STL, OBJ or PLY file, relative to the scene's folder",
        ),
        Param::word("unit", &UNIT_NAMES, "m", "the unit of length of the file, which does not say it"),
        Param::default(
            "scale",
            Quantity::Number,
            Allowed::Positive,
            1.0,
            "how many times larger it is than in the file",
        ),
        Param::optional(
            "hull",
            Quantity::Number,
            Allowed::Flag,
            "the triangles themselves",
            "whether its convex hull is taken, a `polyhedron`, which touches what polyhedra touch; the triangles need not be closed then",
        ),
        Param::optional(
            "inside_out",
            Quantity::Number,
            Allowed::Flag,
            "they face outwards",
            "whether the triangles of the file face inwards, and are to be turned",
        ),
    ],
};

const UNIT_NAMES: [&str; 6] = ["m", "cm", "mm", "um", "in", "ft"];
/// What a length is multiplied with and divided by, so that 1 mm is 0.001 m to the last bit.
const UNITS: [[f64; 2]; 6] = [[1.0, 1.0], [1.0, 1e2], [1.0, 1e3], [1.0, 1e6], [0.0254, 1.0], [0.3048, 1.0]];

/// Of more corners than this the convex hull takes too long.
const MOST_OF_HULL: usize = 5000;

/// The file of a surface, and what was read from it.
#[derive(Clone, Debug)]
pub struct MeshFile {
    /// the body's name
    pub body: String,
    /// path of the file, as the scene gives it
    pub file: String,
    /// number of triangles in the file
    pub triangles: usize,
    /// number of closed parts; `None` for a convex hull
    pub parts: Option<usize>,
    /// lengths along x, y, z of its frame [m]
    pub size: [f64; 3],
    /// the surface
    pub surface: Arc<dyn Surface>,
}

/// The files read so far: one that several surfaces name is read once.
#[derive(Debug, Default)]
pub(crate) struct MeshFiles {
    folder: PathBuf,
    known: RefCell<HashMap<String, MeshFile>>,
    all: RefCell<Vec<MeshFile>>,
}

impl MeshFiles {
    /// For paths relative to that folder.
    pub(crate) fn new(folder: PathBuf) -> MeshFiles {
        MeshFiles { folder, ..MeshFiles::default() }
    }

    /// The surfaces from files, in the order of the scene.
    pub(crate) fn into_all(self) -> Vec<MeshFile> {
        self.all.into_inner()
    }

    /// Makes the surface of a table: from a file if its type says so, else by `made`.
    pub(crate) fn surface(
        &self,
        f: &Fields,
        body: &str,
        made: impl FnOnce() -> Result<Arc<dyn Surface>, Problem>,
    ) -> Result<Arc<dyn Surface>, Problem> {
        if f.kind.as_ref().is_none_or(|kind| kind.0 != MESH) {
            return made();
        }
        let (file, unit) = (f.text("file").unwrap_or_default(), f.text("unit").unwrap_or("m"));
        let scale = f.number("scale").unwrap_or(1.0);
        let [hull, inside_out] = ["hull", "inside_out"].map(|key| f.bool(key) == Some(true));
        let key = format!("{unit} {scale} {hull} {inside_out} {file}");
        let known = self.known.borrow().get(&key).cloned();
        let read = match known {
            Some(known) => known,
            None => self.read(f, file, unit, scale)?,
        };
        let read = MeshFile { body: body.to_owned(), ..read };
        self.known.borrow_mut().insert(key, read.clone());
        self.all.borrow_mut().push(read.clone());
        Ok(read.surface)
    }

    fn read(&self, f: &Fields, file: &str, unit: &str, scale: f64) -> Result<MeshFile, Problem> {
        let at = |problem: Problem| problem.at(f.span("file"), "");
        let path = self.folder.join(file);
        let unread = |e| at(Problem::new(format!("the mesh {e}")).nearest(near_name(&path)));
        let mut given = shape_file::triangles(&path).map_err(unread)?;
        let inside_out = f.bool("inside_out") == Some(true);
        if inside_out {
            given = TriangleMesh::turned_over(&given);
        }
        let [times, by] = UNIT_NAMES.iter().position(|u| *u == unit).map_or([1.0, 1.0], |k| UNITS[k]);
        let metres: Vec<Corners> =
            given.iter().map(|t| t.map(|p| p.map(|x| x * times / by * scale))).collect();
        let (surface, parts): (Arc<dyn Surface>, _) = if f.bool("hull") == Some(true) {
            (hull(f, file, &metres)?, None)
        } else {
            let mesh = TriangleMesh::from_corners(&metres).map_err(|scaled| {
                // in the lengths of the file, in which its author looks for the place
                let error = TriangleMesh::from_corners(&given).err().unwrap_or(scaled);
                at(no_solid(file, &error, inside_out))
            })?;
            let parts = Some(mesh.parts());
            (Arc::new(mesh), parts)
        };
        let points = || metres.iter().flatten().map(|p| Vec3::from(*p));
        let least = points().fold(Vec3::repeat(f64::INFINITY), |a, b| a.inf(&b));
        let greatest = points().fold(Vec3::repeat(f64::NEG_INFINITY), |a, b| a.sup(&b));
        let (triangles, size) = (given.len(), (greatest - least).into());
        Ok(MeshFile { body: String::new(), file: file.to_owned(), triangles, parts, size, surface })
    }
}

/// The name most like that of a file which is not there, of the files with triangles in its folder.
fn near_name(path: &Path) -> Option<String> {
    if path.exists() {
        return None;
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|n| shape_file::ENDINGS.iter().any(|ending| n.to_lowercase().ends_with(ending)));
    names.sort();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let name = path.file_name()?.to_string_lossy().into_owned();
    carom::words::nearest(&name, &known)
}

fn hull(f: &Fields, file: &str, corners: &[Corners]) -> Result<Arc<dyn Surface>, Problem> {
    let points = TriangleMesh::points(corners);
    if points.len() > MOST_OF_HULL {
        let problem = Problem::new(format!("`{file}` has {} vertices", points.len()));
        return Err(problem.at(f.span("hull"), format!("allowed: a convex hull of {MOST_OF_HULL} or fewer")));
    }
    let hull = TriangleMesh::hull(corners);
    let flat =
        |_| Problem::new(format!("the triangles of `{file}` are in one plane: they have no convex hull"));
    Ok(Arc::new(hull.map_err(|e| flat(e).at(f.span("file"), ""))?))
}

/// The message that triangles do not bound a solid, with what can be done.
fn no_solid(file: &str, error: &TriangleMeshError, inside_out: bool) -> Problem {
    let problem = Problem::new(format!("`{file}` bounds no solid: {error}"));
    let problem = problem.note("triangles are counted from 1; coordinates are those of the file");
    match error {
        TriangleMeshError::InsideOut { .. } if inside_out => {
            problem.help("leave `inside_out` out: in the file they face outwards")
        }
        TriangleMeshError::InsideOut { .. } => {
            problem.help("write `inside_out = true`, and all triangles are turned")
        }
        TriangleMeshError::NotFinite { .. }
        | TriangleMeshError::Empty
        | TriangleMeshError::TooMany { .. } => problem,
        _ => problem.help("repair the file, or write `hull = true`, which takes any triangles"),
    }
}
