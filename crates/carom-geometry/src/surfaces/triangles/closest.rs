//! The closest point to a point, with its sign.
//!
//! On a triangle it is across the plane if that is within all three edges, else on the nearest of the edges that have x on their outer side, or at an end of it.
//! Across a face the sign of the distance is that of n·(x − p). At an edge or a vertex single faces can have x on either side, and the
//! sign is that of m·(x − p), m being the mean of the adjoining normals, weighted with the angles of the faces there (at an edge π each): for this
//! weighting, and no simpler one, the sign is right for every x that has its closest point there.
//!
//! Source: J. A. Bærentzen & H. Aanæs, IEEE Transactions on Visualization and Computer Graphics 11 (2005) 243–253, where it is proved.

use carom_base::elementary::atan2;
use carom_base::{Scalar, Vec3};

use super::topology::Topology;
use super::tree::Facet;
use super::weld::Welded;
use super::{MeshFeature, TriangleMesh};
use crate::closest_point::{direction, tangent};
use crate::contact::Curvature;
use crate::shape::{ClosestPoint, Project, ProjectFormula, Side};

/// Of places that are as near to rounding a face wins over an edge and that over a vertex, by this part of the square of the distance: the
/// direction of a face is the best known.
const ROUNDING: f64 = 4e-15;

/// The mean normals of edges and vertices, of length 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MeanNormals {
    pub(super) edges: Vec<Vec3>,
    pub(super) vertices: Vec<Vec3>,
}

impl MeanNormals {
    pub(super) fn new(mesh: &Welded, topology: &Topology, normals: &[Vec3]) -> MeanNormals {
        let edge = |[a, b]: &[u32; 2]| {
            let [a, b] = [a, b].map(|t| normals[*t as usize]);
            direction(&(a + b), || a).0
        };
        let mut sums = vec![Vec3::zeros(); mesh.vertices.len()];
        for (t, normal) in mesh.triangles.iter().zip(normals) {
            let corners = t.map(|v| mesh.vertices[v as usize]);
            for k in 0..3 {
                let (u, v) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
                sums[t[k] as usize] += normal * atan2(u.cross(&v).norm(), u.dot(&v));
            }
        }
        let vertices = sums.iter().map(|sum| direction(sum, Vec3::z).0).collect();
        MeanNormals { edges: topology.beside.iter().map(edge).collect(), vertices }
    }
}

impl Facet {
    /// The square of the distance from x [m²], and what of the triangle is nearest; `None` if it is no nearer than `best`.
    #[inline]
    pub(super) fn nearest(&self, x: &Vec3, best: f64) -> Option<(f64, MeshFeature)> {
        let height = self.normal.dot(&(x - self.corners[0]));
        // no point of it is nearer than its plane
        if !(height * height < best) {
            return None;
        }
        let mut found = (f64::INFINITY, MeshFeature::Face(self.number as usize));
        let mut beside = false;
        for k in 0..3 {
            let (a, b) = (&self.corners[k], &self.corners[(k + 1) % 3]);
            let (edge, from) = (b - a, x - a);
            // on the outer side of the edge, in the plane of the triangle
            if edge.cross(&self.normal).dot(&from) <= 0.0 {
                continue;
            }
            beside = true;
            let t = from.dot(&edge) / edge.norm_squared();
            let (square, feature) = if t <= 0.0 {
                ((1.0 + 2.0 * ROUNDING) * from.norm_squared(), MeshFeature::Vertex(self.vertices[k] as usize))
            } else if t >= 1.0 {
                let to = self.vertices[(k + 1) % 3] as usize;
                ((1.0 + 2.0 * ROUNDING) * (x - b).norm_squared(), MeshFeature::Vertex(to))
            } else {
                let square = (from - edge * t).norm_squared();
                ((1.0 + ROUNDING) * square, MeshFeature::Edge(self.edges[k] as usize))
            };
            if square < found.0 {
                found = (square, feature);
            }
        }
        if !beside {
            found.0 = height * height;
        }
        (found.0 < best).then_some(found)
    }
}

impl TriangleMesh {
    /// The face, edge or vertex that the closest point to `x` [m] is on.
    ///
    /// ```
    /// use carom_geometry::{Vec3, surfaces::{MeshFeature, TriangleMesh}};
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]; // [m]
    /// let wedge = TriangleMesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// assert_eq!(wedge.nearest_feature(&Vec3::new(0.2, 0.2, -1.0)), MeshFeature::Face(0));
    /// assert!(matches!(wedge.nearest_feature(&Vec3::new(-1.0, -1.0, 0.5)), MeshFeature::Edge(_)));
    /// # Ok::<(), carom_geometry::surfaces::TriangleMeshError>(())
    /// ```
    pub fn nearest_feature(&self, x: &Vec3) -> MeshFeature {
        let mut found = MeshFeature::Face(0);
        self.tree.nearest(x, |facet, best| match facet.nearest(x, best) {
            Some((square, feature)) => {
                found = feature;
                square
            }
            None => best,
        });
        found
    }

    /// The closest point to `x`, which is on that feature.
    pub(crate) fn closest_on<S: Scalar>(
        &self,
        feature: MeshFeature,
        side: Side,
        x: &Vec3<S>,
    ) -> ClosestPoint<S> {
        let number = |v: &Vec3| v.map(S::from_f64);
        let (p, across, mean) = match feature {
            MeshFeature::Face(k) => {
                let (a, n) = (number(&self.corner(k, 0)), number(&self.normals[k]));
                let d = n.dot(&(x - a));
                return seen(side, ClosestPoint { p: x - n * d, n, d });
            }
            MeshFeature::Edge(k) => {
                let [a, b] = self.edges[k].map(|v| self.vertices[v as usize]);
                let (u, a) = (number(&direction(&(b - a), Vec3::x).0), number(&a));
                let p = a + u * u.dot(&(x - a));
                // once more across the edge: from close by, what rounding leaves along it would tilt n
                (p, (x - p) - u * u.dot(&(x - p)), &self.mean_normals.edges[k])
            }
            MeshFeature::Vertex(k) => {
                let p = number(&self.vertices[k]);
                (p, x - p, &self.mean_normals.vertices[k])
            }
        };
        let (n, d) = direction(&across, || number(mean));
        let outside = across.map(S::value).dot(mean) >= 0.0;
        seen(side, if outside { ClosestPoint { p, n, d } } else { ClosestPoint { p, n: -n, d: -d } })
    }
}

impl ProjectFormula for TriangleMesh {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match side {
            Side::Outside => &["mesh"],
            Side::Inside => &["wall"],
        }
    }

    fn closest_point<S: Scalar>(&self, side: Side, _feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
        self.closest_on(self.nearest_feature(&x.map(S::value)), side, x)
    }

    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature {
        let closest_point = Project::closest_point(self, side, feature, x);
        Curvature { k1: 0.0, k2: 0.0, direction: tangent(&closest_point.n) }
    }

    /// Zero: the distance from a hollow corner has a kink.
    fn hollow_radius(&self, side: Side) -> f64 {
        if side == Side::Outside && self.convex { f64::INFINITY } else { 0.0 }
    }
}

/// The closest point as seen from that side.
#[inline]
fn seen<S: Scalar>(side: Side, c: ClosestPoint<S>) -> ClosestPoint<S> {
    match side {
        Side::Outside => c,
        Side::Inside => ClosestPoint { p: c.p, n: -c.n, d: -c.d },
    }
}
