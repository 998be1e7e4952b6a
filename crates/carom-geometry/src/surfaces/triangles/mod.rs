//! A closed surface of flat triangles, as CAD programs export it: any solid, convex or not, with cavities, in one part or several.
//!
//! What is checked when it is made: every edge has two triangles that run through it in opposite directions (`topology.rs`), triangles have an area and do not cross
//! (`crossing.rs`), the volume is positive, closed parts within others are cavities (`nesting.rs`). Corners in the same place are joined into one vertex (`weld.rs`).
//!
//! A tree of boxes (`tree.rs`) finds the closest point to x (`closest.rs`). The distance is continuous wherever x goes; the closest point and the normal are so too, but on the medial axis, the points
//! with several closest points. From outside it reaches the surface in hollow corners, from inside in all others. A ball in a hollow corner touches both of its walls, but here only the nearer
//! one, and as it moves from one to the other the direction of the force jumps: a mesh is right for balls that touch one place at a time, and bounce in hollow corners but do not rest there.
//!
//! Checked: against solids in closed form and a search over all triangles (`tests/triangles.rs`).

mod closest;
mod crossing;
mod error;
mod near;
mod nesting;
mod topology;
mod tree;
mod weld;

use std::collections::HashSet;
use std::fmt;

use carom_base::Vec3;

use super::Polyhedron;
use crate::error::GeometryError;
use crate::facets;
use crate::mesh::Mesh;
use crate::shape::{Bounds, Project, Shell, Solid, Surface};
use closest::MeanNormals;
pub use error::TriangleMeshError;
use topology::Topology;
pub(crate) use tree::{Extent, Facet, Tree};
use weld::Welded;

/// What surfaces of triangles are called.
pub const KIND: &str = "mesh";

/// The greatest number of triangles.
const MOST_TRIANGLES: usize = 20_000_000;
/// A triangle lower than this, relative to its longest side, has no area to speak of.
const THIN: f64 = 1e-10;
/// What rounding leaves of a volume that is zero, relative to area times size.
const NO_VOLUME: f64 = 1e-14;
/// A fold this low, relative to the size of the whole, is flat.
const FLAT: f64 = 1e-12;

/// The corners of a triangle [m], counter-clockwise seen from outside.
pub type Corners = [[f64; 3]; 3];

/// A closed surface of triangles.
///
/// ```
/// use carom_geometry::{Project, Side, Surface, Vec3, surfaces::TriangleMesh};
/// let corners = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]]; // [m]
/// let wedge = TriangleMesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// assert!((wedge.solid().unwrap().volume - 4.5).abs() < 1e-15);
/// let closest = wedge.closest_point(Side::Outside, 0, &Vec3::new(1.0, -2.0, 1.0));
/// assert_eq!((closest.p, closest.d), (Vec3::new(1.0, 0.0, 1.0), 2.0));
/// let error = TriangleMesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2]]).unwrap_err();
/// assert!(error.to_string().starts_with("the surface is not closed: 3 edges have one triangle only"));
/// # Ok::<(), carom_geometry::surfaces::TriangleMeshError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct TriangleMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<Vec3>,
    edges: Vec<[u32; 2]>,
    mean_normals: MeanNormals,
    tree: Tree,
    bounds: Bounds,
    parts: usize,
    convex: bool,
}

/// A place of a mesh: what of it is nearest to a point. Counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFeature {
    /// a triangle, in the order given
    Face(usize),
    /// an edge
    Edge(usize),
    /// a vertex
    Vertex(usize),
}

impl TriangleMesh {
    /// From vertices [m] and triangles, three numbers of vertices each, counted from 0, counter-clockwise seen from outside. Refused unless they bound a solid.
    pub fn new(vertices: &[[f64; 3]], triangles: &[[usize; 3]]) -> Result<TriangleMesh, TriangleMeshError> {
        let mut corners = Vec::with_capacity(triangles.len());
        for (i, t) in triangles.iter().enumerate() {
            let no_vertex = t.iter().find(|v| **v >= vertices.len());
            if let Some(vertex) = no_vertex {
                let (triangle, vertices) = (i + 1, vertices.len());
                return Err(TriangleMeshError::NoVertex { triangle, vertex: *vertex, vertices });
            }
            corners.push(t.map(|v| vertices[v]));
        }
        TriangleMesh::from_corners(&corners)
    }

    /// From triangles by their corners, as files have them: corners nearer to each other than 1e-9 of the size of the whole are one vertex.
    pub fn from_corners(corners: &[Corners]) -> Result<TriangleMesh, TriangleMeshError> {
        if corners.is_empty() {
            return Err(TriangleMeshError::Empty);
        }
        if corners.len() > MOST_TRIANGLES {
            return Err(TriangleMeshError::TooMany { count: corners.len(), most: MOST_TRIANGLES });
        }
        check_finite(corners)?;
        let corners: Vec<[Vec3; 3]> = corners.iter().map(|t| t.map(Vec3::from)).collect();
        let extent = Extent::of(corners.iter().flatten());
        let size = (extent.max - extent.min).norm();
        let welded = weld::weld(&corners, &extent.min, size);
        let corners: Vec<[Vec3; 3]> =
            welded.triangles.iter().map(|t| t.map(|v| welded.vertices[v as usize])).collect();
        let normals = normals(&corners)?;
        let topology = Topology::new(&welded)?;
        let centre = (extent.min + extent.max) * 0.5;
        check_volume(&corners, &centre, size)?;
        let facet = |k: usize| Facet {
            corners: corners[k],
            normal: normals[k],
            number: k as u32,
            vertices: welded.triangles[k],
            edges: topology.edges_of[k],
        };
        let tree = Tree::new((0..corners.len()).map(facet).collect());
        crossing::check(&tree, size)?;
        nesting::check(&corners, &topology.part_of, topology.parts)?;
        let radius = welded.vertices.iter().map(|v| (v - centre).norm()).fold(0.0, f64::max);
        Ok(TriangleMesh {
            mean_normals: MeanNormals::new(&welded, &topology, &normals),
            convex: topology.parts == 1 && is_convex(&welded, &topology, &normals, FLAT * size),
            parts: topology.parts,
            edges: topology.edges,
            bounds: Bounds { centre, radius },
            vertices: welded.vertices,
            triangles: welded.triangles,
            normals,
            tree,
        })
    }

    /// The same triangles seen from the other side: what faced inwards faces outwards.
    pub fn turned_over(corners: &[Corners]) -> Vec<Corners> {
        corners.iter().map(|[a, b, c]| [*a, *c, *b]).collect()
    }

    /// The convex hull of triangles, which need not bound a solid.
    ///
    /// ```
    /// use carom_geometry::{Surface, surfaces::TriangleMesh};
    /// let corners = [[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]];
    /// let hull = TriangleMesh::hull(&corners)?; // [m]
    /// assert!((hull.solid().unwrap().volume - 1.0 / 6.0).abs() < 1e-16);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn hull(corners: &[Corners]) -> Result<Polyhedron, GeometryError> {
        Polyhedron::new(&TriangleMesh::points(corners))
    }

    /// The corners of triangles, each once, in the order in which they are named first.
    pub fn points(corners: &[Corners]) -> Vec<[f64; 3]> {
        let mut points: Vec<[f64; 3]> = corners.iter().flatten().copied().collect();
        // adding zero makes −0 the same as 0
        let mut known = HashSet::new();
        points.retain(|p| known.insert(p.map(|x| (x + 0.0).to_bits())));
        points
    }

    /// Its vertices [m], in the order in which triangles first name them.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Its triangles, three numbers of vertices each, in the order given.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The outward unit normals of its triangles.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// How many closed parts the surface has.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// Whether the solid is convex.
    pub fn is_convex(&self) -> bool {
        self.convex
    }

    /// The least and the greatest x, y, z [m].
    pub fn extent(&self) -> [Vec3; 2] {
        let extent = self.tree.extent();
        [extent.min, extent.max]
    }

    /// The triangles in a tree of boxes.
    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The vertices of an edge.
    pub(crate) fn edge(&self, edge: usize) -> [Vec3; 2] {
        self.edges[edge].map(|v| self.vertices[v as usize])
    }

    fn corner(&self, triangle: usize, k: usize) -> Vec3 {
        self.vertices[self.triangles[triangle][k] as usize]
    }

    fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.triangles.iter().map(|t| t.map(|v| self.vertices[v as usize]))
    }
}

/// Short, but different for different meshes: a sum over the bits of all coordinates stands for them.
impl fmt::Debug for TriangleMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // FNV-1a, by words
        let words = self.corners().flatten().flat_map(|x| [x.x, x.y, x.z]).map(f64::to_bits);
        let sum = words.fold(0xcbf2_9ce4_8422_2325, |h: u64, w| (h ^ w).wrapping_mul(0x0100_0000_01b3));
        write!(f, "TriangleMesh {{ triangles: {}, sum: {sum:016x} }}", self.triangles.len())
    }
}

fn check_finite(corners: &[Corners]) -> Result<(), TriangleMeshError> {
    for (i, t) in corners.iter().enumerate() {
        // so large that lengths can be squared
        let bad = t.iter().find(|p| !p.iter().all(|x| x.abs() < 1e100));
        if let Some(corner) = bad {
            return Err(TriangleMeshError::NotFinite { triangle: i + 1, corner: *corner });
        }
    }
    Ok(())
}

/// The unit normals; refused if triangles have no area.
fn normals(corners: &[[Vec3; 3]]) -> Result<Vec<Vec3>, TriangleMeshError> {
    let mut normals = Vec::with_capacity(corners.len());
    let (mut count, mut first) = (0, 0);
    for (i, [a, b, c]) in corners.iter().enumerate() {
        let twice = (b - a).cross(&(c - a));
        let longest = [b - a, c - b, a - c].iter().map(Vec3::norm_squared).fold(0.0, f64::max);
        let area = twice.norm();
        if area > THIN * longest {
            normals.push(twice / area);
            continue;
        }
        if count == 0 {
            first = i;
        }
        count += 1;
    }
    match count {
        0 => Ok(normals),
        _ => Err(TriangleMeshError::Degenerate {
            count,
            triangle: first + 1,
            corners: corners[first].map(<[f64; 3]>::from),
        }),
    }
}

fn check_volume(corners: &[[Vec3; 3]], centre: &Vec3, size: f64) -> Result<(), TriangleMeshError> {
    let volume = facets::solid(corners.iter().copied(), centre).volume;
    let area = facets::shell(corners.iter().copied(), centre).area;
    if volume.abs() <= NO_VOLUME * area * size {
        return Err(TriangleMeshError::NoVolume { volume, area });
    }
    if volume < 0.0 { Err(TriangleMeshError::InsideOut { volume }) } else { Ok(()) }
}

/// Whether no fold is hollow: a closed surface in one part is then that of a convex solid.
fn is_convex(mesh: &Welded, topology: &Topology, normals: &[Vec3], flat: f64) -> bool {
    topology.beside.iter().all(|[a, b]| {
        let origin = mesh.vertices[mesh.triangles[*a as usize][0] as usize];
        let height = |v: &u32| normals[*a as usize].dot(&(mesh.vertices[*v as usize] - origin));
        mesh.triangles[*b as usize].iter().all(|v| height(v) <= flat)
    })
}

impl Surface for TriangleMesh {
    fn kind(&self) -> &'static str {
        KIND
    }
    fn bounds(&self) -> Bounds {
        self.bounds
    }
    fn is_closed(&self) -> bool {
        true
    }
    fn as_project(&self) -> Option<&dyn Project> {
        Some(self)
    }
    fn solid(&self) -> Option<Solid> {
        Some(facets::solid(self.corners(), &self.bounds.centre))
    }
    fn shell(&self) -> Option<Shell> {
        Some(facets::shell(self.corners(), &self.bounds.centre))
    }
    /// Its triangles, with normals that are smoothed where they bend gently.
    fn mesh(&self, _n: usize, _extent: f64) -> Mesh {
        let corners: Vec<Corners> = self.corners().map(|t| t.map(<[f64; 3]>::from)).collect();
        Mesh::smoothed(&corners)
    }
}
