//! A convex polyhedron: the convex hull of points, n_f·x ≤ o_f on each of its faces f.
//!
//! The closest point to x: if no face has x on its outer side the nearest face wins, d = max(n_f·x − o_f). From outside the nearest of the closest points on the faces
//! that look at x: across the face where that is in it, else on its nearest edge, p = a + u (u·(x − a)) with u the edge's direction, or the end
//! of that. A box is a polyhedron too, but has a file of its own: `clamp` finds its closest points.
//!
//! Volume, centroid and inertia are sums over the faces' triangles (`facets.rs`).
//!
//! Checked: against the box, by meshes, closest points against search (`tests/polyhedron.rs`, and the tests of all surfaces).

mod hull;

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::refused;
use crate::anchors::spread;
use crate::boundary::{BoundaryPart, PartShape};
use crate::closest_point::{direction, tangent};
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::facets;
use crate::mesh::Mesh;
use crate::shape::{
    Bounds, ClosestPoint, ConvexCore, EDGE, Project, ProjectFormula, Shell, Side, Solid, Support, Surface,
    Wall,
};

/// The convex hull of points.
///
/// ```
/// use carom_geometry::{Project, Side, Surface, Vec3, surfaces::Polyhedron};
/// let corners = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]]; // [m]
/// let wedge = Polyhedron::new(&corners)?;
/// assert!((wedge.solid().unwrap().volume - 4.5).abs() < 1e-15);
/// let closest = wedge.closest_point(Side::Outside, 0, &Vec3::new(1.0, -2.0, 1.0));
/// assert_eq!((closest.p, closest.d), (Vec3::new(1.0, 0.0, 1.0), 2.0));
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    corners: Vec<Corner>,
    faces: Vec<Face>,
    bounds: Bounds,
}

/// A corner: where it is [m], and which of the points given it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    pub(crate) at: Vec3,
    pub(crate) number: usize,
}

/// A face: n·x = o on it.
#[derive(Clone, Debug, PartialEq)]
struct Face {
    normal: Vec3,
    offset: f64,
    /// counterclockwise seen from outside
    corners: Vec<Vec3>,
}

/// What the closest point to a point is on.
enum Feature {
    Face(usize),
    /// from one corner to the other; the normal of a face beside it
    Edge(Vec3, Vec3, Vec3),
    Corner(Vec3, Vec3),
}

/// A point this near to an edge or a corner is on it, relative to the size.
const ON: f64 = 1e-10;

const ALLOWED: &str = "four points or more, finite and not in one plane";

impl Polyhedron {
    /// The convex hull of these points [m]; points within it are left out. Refused unless they are finite and span a volume.
    pub fn new(vertices: &[[f64; 3]]) -> Result<Polyhedron, GeometryError> {
        let points: Vec<Vec3> = vertices.iter().map(|v| Vec3::from(*v)).collect();
        let refused = || GeometryError::BadValue {
            kind: ENTRY.name,
            name: "vertices",
            value: format!("{vertices:?}"),
            allowed: ALLOWED,
        };
        if !points.iter().flatten().all(|x| x.is_finite()) {
            return Err(refused());
        }
        let mut hull = hull::faces(&points).ok_or_else(refused)?;
        // numbered by their corners, so that the numbers do not depend on how faces were found
        let numbers = |face: &hull::HullFace| {
            let mut numbers = face.corners.clone();
            numbers.sort_unstable();
            numbers
        };
        hull.sort_by_key(numbers);
        let mut used: Vec<usize> = hull.iter().flat_map(|face| face.corners.iter().copied()).collect();
        used.sort_unstable();
        used.dedup();
        let corners: Vec<Corner> = used.iter().map(|k| Corner { at: points[*k], number: k + 1 }).collect();
        let faces = hull.iter().map(|face| Face::new(face, &points)).collect();
        let (least, most) = (least(&corners, f64::min), least(&corners, f64::max));
        let centre = 0.5 * (least + most);
        let radius = corners.iter().map(|c| (c.at - centre).norm()).fold(0.0, f64::max);
        Ok(Polyhedron { corners, faces, bounds: Bounds { centre, radius } })
    }

    /// Its corners, in the order of the points given.
    pub(crate) fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// The nearest feature of x from outside or within.
    fn feature(&self, x: &Vec3) -> Feature {
        let heights = self.faces.iter().map(|face| face.height(x));
        let highest = heights.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((highest, height)) = highest else { return Feature::Face(0) };
        let mut best = (f64::INFINITY, Feature::Face(highest));
        if !(height > 0.0) {
            return best.1;
        }
        for (k, face) in self.faces.iter().enumerate() {
            let height = face.height(x);
            // no closest point on it is nearer than its plane
            if height > 0.0 && height < best.0 {
                let (distance, feature) = face.nearest(k, x, height);
                if distance < best.0 {
                    best = (distance, feature);
                }
            }
        }
        best.1
    }

    /// The highest of all faces at x, as the nearest wall, each of which goes on beyond its edges.
    fn nearest_wall<S: Scalar>(&self, x: &Vec3<S>) -> ClosestPoint<S> {
        let at = x.map(S::value);
        let highest = self.faces.iter().max_by(|a, b| a.height(&at).total_cmp(&b.height(&at)));
        let (normal, offset) = highest.map_or((Vec3::z(), 0.0), |face| (face.normal, face.offset));
        let n = normal.map(S::from_f64);
        let d = n.dot(x) - S::from_f64(offset);
        ClosestPoint { p: x - n * d, n: -n, d: -d }
    }

    /// Triangles, with the normal of their face.
    fn triangles(&self) -> impl Iterator<Item = ([Vec3; 3], Vec3)> + '_ {
        self.faces.iter().flat_map(|face| {
            let first = face.corners[0];
            face.corners[1..].windows(2).map(move |v| ([first, v[0], v[1]], face.normal))
        })
    }
}

/// The least or the greatest of all coordinates.
fn least(corners: &[Corner], choose: fn(f64, f64) -> f64) -> Vec3 {
    corners.iter().map(|c| c.at).reduce(|a, b| a.zip_map(&b, choose)).unwrap_or_else(Vec3::zeros)
}

impl Face {
    fn new(face: &hull::HullFace, points: &[Vec3]) -> Face {
        let corners: Vec<Vec3> = face.corners.iter().map(|k| points[*k]).collect();
        let offset = corners.iter().map(|c| c.dot(&face.normal)).sum::<f64>() / corners.len() as f64;
        Face { normal: face.normal, offset, corners }
    }

    fn height(&self, x: &Vec3) -> f64 {
        self.normal.dot(x) - self.offset
    }

    /// The closest point to x, at that height over the plane, on the face numbered k: how far it is, and on what.
    fn nearest(&self, k: usize, x: &Vec3, height: f64) -> (f64, Feature) {
        let mut best = (f64::INFINITY, Feature::Face(k));
        let mut beside = false;
        for (a, b) in self.corners.iter().zip(self.corners.iter().cycle().skip(1)) {
            let (edge, from) = (b - a, x - a);
            // on the outer side of the edge, in the plane of the face
            if edge.cross(&self.normal).dot(&from) <= 0.0 {
                continue;
            }
            beside = true;
            let t = from.dot(&edge) / edge.norm_squared();
            let (p, feature) = if t <= 0.0 {
                (*a, Feature::Corner(*a, self.normal))
            } else if t >= 1.0 {
                (*b, Feature::Corner(*b, self.normal))
            } else {
                (a + edge * t, Feature::Edge(*a, *b, self.normal))
            };
            let distance = (x - p).norm();
            if distance < best.0 {
                best = (distance, feature);
            }
        }
        if beside { best } else { (height, Feature::Face(k)) }
    }
}

/// The polyhedron in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: "polyhedron",
    summary: "a convex polyhedron: the convex hull of points of its frame",
    params: &[Param::required(
        "vertices",
        Quantity::Length,
        Allowed::Finite,
        "points [x, y, z], four or more",
    )
    .array(3)
    .list()],
    build: |args| match args.numbers("vertices") {
        Some(numbers) => Ok(Arc::new(Polyhedron::new(numbers.as_chunks().0).map_err(refused)?)),
        None => Err(SpecError::Missing { kind: "polyhedron", name: "vertices", doc: "four points or more" }),
    },
};

impl Surface for Polyhedron {
    fn kind(&self) -> &'static str {
        ENTRY.name
    }
    fn bounds(&self) -> Bounds {
        self.bounds
    }
    fn is_closed(&self) -> bool {
        true
    }
    /// A ball in it would touch any number of walls: that many planes do. The distance of the nearest of them is known all the same.
    fn has_inside(&self) -> bool {
        false
    }
    fn as_project(&self) -> Option<&dyn Project> {
        Some(self)
    }
    fn as_support(&self) -> Option<&dyn Support> {
        Some(self)
    }
    fn solid(&self) -> Option<Solid> {
        Some(facets::solid(self.triangles().map(|t| t.0), &self.bounds.centre))
    }
    fn shell(&self) -> Option<Shell> {
        Some(facets::shell(self.triangles().map(|t| t.0), &self.bounds.centre))
    }
    fn boundary(&self) -> Option<Vec<BoundaryPart>> {
        let part = |(k, face): (usize, &Face)| {
            BoundaryPart::here((k + 1).to_string(), PartShape::Polygon(face.corners.clone()))
        };
        Some(self.faces.iter().enumerate().map(part).collect())
    }
    fn mesh(&self, _n: usize, _extent: f64) -> Mesh {
        let mut mesh = Mesh::default();
        for (corners, normal) in self.triangles() {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend(corners.map(<[f64; 3]>::from));
            mesh.normals.extend([<[f64; 3]>::from(normal); 3]);
            mesh.triangles.push([first, first + 1, first + 2]);
        }
        mesh
    }
}

impl Support for Polyhedron {
    /// A corner.
    fn support(&self, m: &Vec3) -> Vec3 {
        let furthest = self.corners.iter().max_by(|a, b| a.at.dot(m).total_cmp(&b.at.dot(m)));
        furthest.map_or_else(Vec3::zeros, |corner| corner.at)
    }
    fn curvature_at(&self, p: &Vec3, m: &Vec3) -> Curvature {
        let on = ON * self.bounds.radius;
        let bent = |direction: Vec3, k1: f64, k2: f64| Curvature { k1, k2, direction };
        if self.corners.iter().any(|corner| (corner.at - p).norm() <= on) {
            return bent(tangent(m), f64::INFINITY, f64::INFINITY);
        }
        // on an edge: of two faces at once
        let mut beside = self.faces.iter().filter(|face| face.height(p).abs() <= on);
        match (beside.next(), beside.next()) {
            (Some(a), Some(b)) => bent(direction(&a.normal.cross(&b.normal), Vec3::x).0, 0.0, f64::INFINITY),
            _ => bent(tangent(m), 0.0, 0.0),
        }
    }
    fn anchors(&self) -> Vec<Vec3> {
        spread(&Support::corners(self).unwrap_or_default())
    }
    fn corners(&self) -> Option<Vec<Vec3>> {
        Some(self.corners.iter().map(|c| c.at).collect())
    }
    fn convex_core(&self, rounded: bool) -> Option<ConvexCore> {
        let middle = self.solid()?.centroid;
        let inner = self.faces.iter().map(|face| -face.height(&middle)).fold(f64::INFINITY, f64::min);
        let coat = if rounded { EDGE * inner } else { 0.0 };
        let wall = |face: &Face| Wall::Flat { n: face.normal, h: face.offset - coat };
        Some(ConvexCore {
            walls: self.faces.iter().map(wall).collect(),
            middle,
            extends: [true; 3],
            coat,
            tip: None,
        })
    }
    fn is_strict(&self) -> bool {
        false
    }
}

impl ProjectFormula for Polyhedron {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match side {
            Side::Outside => &["polyhedron"],
            Side::Inside => &["walls"],
        }
    }
    fn closest_point<S: Scalar>(&self, side: Side, _feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
        if side == Side::Inside {
            return self.nearest_wall(x);
        }
        let number = |v: Vec3| v.map(S::from_f64);
        let (p, fallback) = match self.feature(&x.map(S::value)) {
            Feature::Face(k) => {
                let face = &self.faces[k];
                let n = number(face.normal);
                let d = n.dot(x) - S::from_f64(face.offset);
                return ClosestPoint { p: x - n * d, n, d };
            }
            Feature::Edge(a, b, normal) => {
                let (u, a) = (number(direction(&(b - a), Vec3::x).0), number(a));
                let p = a + u * u.dot(&(x - a));
                // once more across the edge: from close by, what rounding leaves along it would tilt n
                let (n, d) = direction(&((x - p) - u * u.dot(&(x - p))), || number(normal));
                return ClosestPoint { p, n, d };
            }
            Feature::Corner(p, normal) => (number(p), normal),
        };
        let (n, d) = direction(&(x - p), || number(fallback));
        ClosestPoint { p, n, d }
    }
    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature {
        let closest_point = ProjectFormula::closest_point(self, side, feature, x);
        Curvature { k1: 0.0, k2: 0.0, direction: tangent(&closest_point.n) }
    }
}
