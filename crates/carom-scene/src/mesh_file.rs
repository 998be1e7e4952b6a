//! Surfaces of triangles, from files: the solids that bodies touch with, not shapes that are only drawn.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom::base::param::Allowed;
use carom::base::{Args, Param, Quantity, Vec3};
use carom::geometry::Surface;
use carom::geometry::surfaces::{Corners, MESH, TriangleMesh, TriangleMeshError};

use crate::error::Problem;
use crate::fields::Fields;
use crate::keys::{Details, Kind};
use crate::shape_file;

/// A surface from a file.
pub const SURFACE: Kind = Kind {
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
        Param::optional(
            "mirrored",
            Quantity::Number,
            Allowed::Flag,
            "it is as in the file",
            "whether it is the mirror image, in x of its frame, of what is in the file",
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
        let wanted = Wanted::of_table(f);
        let known = self.known.borrow().get(&wanted.key()).cloned();
        let read = match known {
            Some(known) => known,
            None => read(&self.folder, &wanted).map_err(|fault| fault.in_table(f))?,
        };
        let read = MeshFile { body: body.to_owned(), ..read };
        self.known.borrow_mut().insert(wanted.key(), read.clone());
        self.all.borrow_mut().push(read.clone());
        Ok(read.surface)
    }
}

/// What is asked of a file.
struct Wanted<'f> {
    file: &'f str,
    unit: &'f str,
    scale: f64,
    hull: bool,
    inside_out: bool,
    mirrored: bool,
}

impl<'f> Wanted<'f> {
    fn of_table(f: &'f Fields) -> Wanted<'f> {
        let [hull, inside_out, mirrored] =
            ["hull", "inside_out", "mirrored"].map(|key| f.bool(key) == Some(true));
        let (file, unit) = (f.text("file").unwrap_or_default(), f.text("unit").unwrap_or("m"));
        Wanted { file, unit, scale: f.number("scale").unwrap_or(1.0), hull, inside_out, mirrored }
    }

    fn of_args(args: &'f Args) -> Wanted<'f> {
        let [hull, inside_out, mirrored] =
            ["hull", "inside_out", "mirrored"].map(|key| args.flag(key) == Some(true));
        let (file, unit) = (args.text("file").unwrap_or_default(), args.text("unit").unwrap_or("m"));
        Wanted { file, unit, scale: args.number("scale").unwrap_or(1.0), hull, inside_out, mirrored }
    }

    /// The same for the same surface.
    fn key(&self) -> String {
        let Wanted { file, unit, scale, hull, inside_out, mirrored } = self;
        format!("{unit} {scale} {hull} {inside_out} {mirrored} {file}")
    }
}

/// What is wrong with a file, the key that it is about, and what is said there.
struct Fault {
    problem: Problem,
    key: &'static str,
    label: String,
}

impl Fault {
    fn of_file(problem: Problem) -> Fault {
        Fault { problem, key: "file", label: String::new() }
    }

    fn in_table(self, f: &Fields) -> Problem {
        self.problem.at(f.span(self.key), self.label)
    }
}

/// Makes a surface from a file outside of a scene: `args` are those of `type = "mesh"`, paths are relative to `folder`.
///
/// ```
/// use carom_base::{Args, Value};
/// use std::path::Path;
/// let args = Args::new().with("file", Value::Text("no-such-file.stl".to_owned()));
/// let error = carom_scene::mesh_surface(&args, Path::new("")).unwrap_err();
/// assert!(error.contains("no-such-file.stl"));
/// ```
pub fn mesh_surface(args: &Args, folder: &Path) -> Result<Arc<dyn Surface>, String> {
    let args = args.clone().checked(MESH, SURFACE.params).map_err(|e| e.to_string())?;
    let in_a_line = |fault: Fault| {
        let text = fault.problem.with(&[]).in_a_line();
        if fault.label.is_empty() { text } else { format!("{text}; {}", fault.label) }
    };
    read(folder, &Wanted::of_args(&args)).map(|read| read.surface).map_err(in_a_line)
}

/// Makes the surface of a table of type `mesh`, without noting that it was read.
pub(crate) fn surface(f: &Fields, folder: &Path) -> Result<Arc<dyn Surface>, Problem> {
    read(folder, &Wanted::of_table(f)).map(|read| read.surface).map_err(|fault| fault.in_table(f))
}

/// Mirrored in x.
fn mirrored(triangles: &[Corners]) -> Vec<Corners> {
    let image = |[x, y, z]: [f64; 3]| [-x, y, z];
    TriangleMesh::turned_over(triangles).into_iter().map(|t| t.map(image)).collect()
}

fn read(folder: &Path, wanted: &Wanted<'_>) -> Result<MeshFile, Fault> {
    let Wanted { file, unit, scale, hull: is_hull, inside_out, mirrored: is_mirrored } = *wanted;
    let path = folder.join(file);
    let unread = |e| Fault::of_file(Problem::new(format!("the mesh {e}")).nearest(near_name(&path)));
    let mut given = shape_file::triangles(&path).map_err(unread)?;
    if inside_out {
        given = TriangleMesh::turned_over(&given);
    }
    let [times, by] = UNIT_NAMES.iter().position(|u| *u == unit).map_or([1.0, 1.0], |k| UNITS[k]);
    let mut metres: Vec<Corners> =
        given.iter().map(|t| t.map(|p| p.map(|x| x * times / by * scale))).collect();
    if is_mirrored {
        metres = mirrored(&metres);
    }
    let (surface, parts): (Arc<dyn Surface>, _) = if is_hull {
        (hull(file, &metres)?, None)
    } else {
        let mesh = TriangleMesh::from_corners(&metres).map_err(|scaled| {
            // in the lengths of the file, in which its author looks for the place
            let error = TriangleMesh::from_corners(&given).err().unwrap_or(scaled);
            Fault::of_file(no_solid(file, &error, inside_out))
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

fn hull(file: &str, corners: &[Corners]) -> Result<Arc<dyn Surface>, Fault> {
    let points = TriangleMesh::points(corners);
    if points.len() > MOST_OF_HULL {
        let problem = Problem::new(format!("`{file}` has {} vertices", points.len()));
        let label = format!("allowed: a convex hull of {MOST_OF_HULL} or fewer");
        return Err(Fault { problem, key: "hull", label });
    }
    let hull = TriangleMesh::hull(corners);
    let flat =
        |_| Problem::new(format!("the triangles of `{file}` are in one plane: they have no convex hull"));
    Ok(Arc::new(hull.map_err(|e| Fault::of_file(flat(e)))?))
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
