//! The box |x_i| ≤ h_i, h half its size.
//!
//! - Outside the closest point is p = clamp(x, ±h), d = |x − p|: our reading of Corral et al. 2021, Eqs 24–32,
//!   whose Eqs 29–31 hold beyond the + + + corner only and whose Eq 26 vanishes. It takes all faces,
//!   edges and corners at once. Within the solid the nearest face wins, d = −min(h_i − |x_i|).
//! - Inside there are six faces, d = h_i ∓ x_i.
//!
//! The frame sits at the centroid, where the tensor of Eq 20 belongs, not at a corner (Fig 9).

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Mat3, Param, Quantity, Scalar, SpecError, Vec3, clamp};

use super::{measure, refused};
use crate::boundary::{BoundaryPart, PartShape};
use crate::closest_point::{direction, tangent};
use crate::contact::Curvature;
use crate::error::GeometryError;
use crate::mesh::Mesh;
use crate::shape::{
    Bounds, ClosestPoint, ConvexCore, EDGE, Project, ProjectFormula, Shell, Side, Solid, Support, Surface,
    Wall,
};

/// A rectangular box, centred, its edges along the axes of its frame.
///
/// ```
/// use carom_geometry::{Project, Side, Vec3, surfaces::Cuboid};
/// let brick = Cuboid::new([2.0, 4.0, 6.0])?; // full lengths [m]
/// let closest = brick.closest_point(Side::Outside, 0, &Vec3::new(4.0, 6.0, 0.0)); // nearest to an edge
/// assert_eq!(closest.p, Vec3::new(1.0, 2.0, 0.0));
/// assert_eq!(closest.d, 5.0);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    half: Vec3,
    edge_radius: f64,
}

impl Cuboid {
    /// A box of these full lengths [m], refused unless all are finite and greater than zero.
    pub fn new(size: [f64; 3]) -> Result<Cuboid, GeometryError> {
        let [dx, dy, dz] = size;
        let size =
            Vec3::new(measure("box", "size", dx)?, measure("box", "size", dy)?, measure("box", "size", dz)?);
        let half = 0.5 * size;
        Ok(Cuboid { half, edge_radius: EDGE * half.min() })
    }

    /// The same box whose edges other boxes meet as if rounded by that radius [m], refused unless it is greater than zero and at most half the
    /// shortest length. Planes and balls meet it sharp.
    pub fn with_edge_radius(self, radius: f64) -> Result<Cuboid, GeometryError> {
        let edge_radius = measure("box", "edge_radius", radius)?;
        if edge_radius > self.half.min() {
            return Err(GeometryError::TooRound { radius, most: self.half.min() });
        }
        Ok(Cuboid { edge_radius, ..self })
    }

    /// The radius other boxes meet its edges with [m]: 1 % of the shortest length unless given.
    pub fn edge_radius(&self) -> f64 {
        self.edge_radius
    }

    /// Its half lengths [m].
    #[inline(always)]
    pub fn half(&self) -> &Vec3 {
        &self.half
    }

    /// The corners of the face across an axis, on its + or − side, counterclockwise seen from outside.
    fn face(&self, axis: usize, s: f64) -> [Vec3; 4] {
        // i, j, k cyclic, so that e_j × e_k = e_i; the other side goes round the other way
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(a, b)| {
            let mut v = Vec3::zeros();
            v[axis] = s * self.half[axis];
            v[j] = s * a * self.half[j];
            v[k] = b * self.half[k];
            v
        })
    }

    fn solid_closest_point<S: Scalar>(&self, x: &Vec3<S>) -> ClosestPoint<S> {
        let h = &self.half;
        let mut p = Vec3::from_fn(|i, _| clamp(x[i], -h[i], h[i]));
        let beyond = Vec3::from_fn(|i, _| x[i].value().abs() - h[i]);
        let axis = beyond.imax();
        if beyond.iter().filter(|b| **b > 0.0).count() > 1 {
            // beyond an edge or a corner
            let (n, d) = direction(&(x - p), Vec3::z);
            return ClosestPoint { p, n, d };
        }
        let s = S::from_f64(if x[axis].value() < 0.0 { -1.0 } else { 1.0 });
        let wall = S::from_f64(h[axis]);
        p[axis] = s * wall;
        let mut n = Vec3::zeros();
        n[axis] = s;
        ClosestPoint { p, n, d: s * x[axis] - wall }
    }

    fn cavity_closest_point<S: Scalar>(&self, feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
        let axis = (feature / 2).min(2);
        let s = S::from_f64(if feature.is_multiple_of(2) { 1.0 } else { -1.0 });
        let wall = S::from_f64(self.half[axis]);
        let mut p = *x;
        p[axis] = s * wall;
        let mut n = Vec3::zeros();
        n[axis] = -s;
        ClosestPoint { p, n, d: wall - s * x[axis] }
    }
}

/// The box in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: "box",
    summary: "a rectangular box, centred, its edges along the axes of its frame",
    params: &[
        Param::required("size", Quantity::Length, Allowed::Positive, "full lengths along x, y, z").array(3),
        Param::optional(
            "edge_radius",
            Quantity::Length,
            Allowed::Positive,
            "1 % of the shortest length",
            "what other boxes find its edges rounded by; planes and balls meet them sharp",
        ),
    ],
    build: |args| match args.numbers("size") {
        Some(&[dx, dy, dz]) => {
            let sharp = Cuboid::new([dx, dy, dz]).map_err(refused)?;
            let rounded = args.number("edge_radius").map_or(Ok(sharp), |r| sharp.with_edge_radius(r));
            Ok(Arc::new(rounded.map_err(refused)?))
        }
        _ => Err(SpecError::Missing { kind: "box", name: "size", doc: "three lengths" }),
    },
};

impl Surface for Cuboid {
    fn kind(&self) -> &'static str {
        ENTRY.name
    }
    fn bounds(&self) -> Bounds {
        Bounds { centre: Vec3::zeros(), radius: self.half.norm() }
    }
    fn is_closed(&self) -> bool {
        true
    }
    fn as_project(&self) -> Option<&dyn Project> {
        Some(self)
    }
    fn as_support(&self) -> Option<&dyn Support> {
        Some(self)
    }
    fn solid(&self) -> Option<Solid> {
        let volume = 8.0 * self.half.product();
        // Corral Eq 20, with half lengths: m/12 (2h)² = m/3 h²
        let h2 = self.half.component_mul(&self.half) * (volume / 3.0);
        let inertia = Mat3::from_diagonal(&Vec3::new(h2.y + h2.z, h2.x + h2.z, h2.x + h2.y));
        Some(Solid { volume, centroid: Vec3::zeros(), inertia })
    }
    fn shell(&self) -> Option<Shell> {
        let h = &self.half;
        // both faces across each axis
        let faces = Vec3::new(h.y * h.z, h.z * h.x, h.x * h.y) * 8.0;
        let area = faces.sum();
        // ∫x_i²: h_i² on the faces across i, a third of it on average on the others
        let square = Vec3::from_fn(|i, _| h[i] * h[i] * (area + 2.0 * faces[i]) / 3.0);
        let inertia = Mat3::from_diagonal(&square.map(|s| square.sum() - s));
        Some(Shell { area, centroid: Vec3::zeros(), inertia })
    }
    fn boundary(&self) -> Option<Vec<BoundaryPart>> {
        let names = ["-x", "+x", "-y", "+y", "-z", "+z"];
        let part = |(k, name)| {
            let s = if k % 2 == 0 { -1.0 } else { 1.0 };
            BoundaryPart::here(name, PartShape::Polygon(self.face(k / 2, s).to_vec()))
        };
        Some(names.into_iter().enumerate().map(part).collect())
    }
    fn mesh(&self, _n: usize, _extent: f64) -> Mesh {
        let mut mesh = Mesh::default();
        for face in 0..6u32 {
            let (axis, s) = ((face / 2) as usize, if face % 2 == 0 { 1.0 } else { -1.0 });
            let mut n = [0.0; 3];
            n[axis] = s;
            mesh.vertices.extend(self.face(axis, s).map(<[f64; 3]>::from));
            mesh.normals.extend([n; 4]);
            let c = 4 * face;
            mesh.triangles.extend([[c, c + 1, c + 2], [c, c + 2, c + 3]]);
        }
        mesh
    }
}

impl Support for Cuboid {
    /// A corner; of a face or an edge its middle.
    fn support(&self, m: &Vec3) -> Vec3 {
        Vec3::from_fn(|i, _| if m[i] == 0.0 { 0.0 } else { self.half[i].copysign(m[i]) })
    }
    fn curvature_at(&self, p: &Vec3, m: &Vec3) -> Curvature {
        // straight along an axis that p is not at the end of, sharp along one that m leans to
        let straight = |i: usize| p[i].abs() < self.half[i];
        let bent = |direction: Vec3, k1: f64, k2: f64| Curvature { k1, k2, direction };
        match (0..3).filter(|i| straight(*i)).count() {
            0 => bent(tangent(m), f64::INFINITY, f64::INFINITY),
            1 => bent(Vec3::from_fn(|i, _| f64::from(straight(i))), 0.0, f64::INFINITY),
            _ => bent(tangent(m), 0.0, 0.0),
        }
    }
    fn anchors(&self) -> Vec<Vec3> {
        self.corners().unwrap_or_default()
    }
    fn corners(&self) -> Option<Vec<Vec3>> {
        // by number: the bits, highest first, are the signs along x, y, z
        let side = |k: usize, i: usize| if k >> (2 - i) & 1 == 0 { -self.half[i] } else { self.half[i] };
        Some((0..8).map(|k| Vec3::from_fn(|i, _| side(k, i))).collect())
    }
    fn convex_core(&self, rounded: bool) -> Option<ConvexCore> {
        let coat = if rounded { self.edge_radius } else { 0.0 };
        let flat = |i: usize, side: f64| Wall::Flat { n: Vec3::ith(i, side), h: self.half[i] - coat };
        let walls = (0..6).map(|k| flat(k / 2, [1.0, -1.0][k % 2])).collect();
        Some(ConvexCore { walls, middle: Vec3::zeros(), extends: [true; 3], coat, tip: None })
    }
    fn is_strict(&self) -> bool {
        false
    }
}

impl ProjectFormula for Cuboid {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match side {
            Side::Outside => &["box"],
            Side::Inside => &["+x", "-x", "+y", "-y", "+z", "-z"],
        }
    }
    fn closest_point<S: Scalar>(&self, side: Side, feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
        match side {
            Side::Outside => self.solid_closest_point(x),
            Side::Inside => self.cavity_closest_point(feature, x),
        }
    }
    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature {
        let closest_point = ProjectFormula::closest_point(self, side, feature, x);
        Curvature { k1: 0.0, k2: 0.0, direction: tangent(&closest_point.n) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closest_point(side: Side, feature: usize, x: [f64; 3]) -> ClosestPoint {
        Project::closest_point(&Cuboid::new([2.0, 4.0, 6.0]).unwrap(), side, feature, &Vec3::from(x))
    }

    #[test]
    fn refuses_what_is_no_size() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            for i in 0..3 {
                let mut size = [1.0; 3];
                size[i] = bad;
                assert!(matches!(Cuboid::new(size), Err(GeometryError::BadMeasure { name: "size", .. })));
            }
        }
    }

    #[test]
    fn outside_has_faces_edges_and_corners() {
        let face = closest_point(Side::Outside, 0, [0.5, -2.5, 1.0]);
        assert_eq!((face.p, face.n, face.d), (Vec3::new(0.5, -2.0, 1.0), -Vec3::y(), 0.5));
        let edge = closest_point(Side::Outside, 0, [4.0, 1.0, -7.0]);
        assert_eq!((edge.p, edge.n, edge.d), (Vec3::new(1.0, 1.0, -3.0), Vec3::new(0.6, 0.0, -0.8), 5.0));
        let corner = closest_point(Side::Outside, 0, [-2.0, 4.0, 5.0]);
        assert_eq!((corner.p, corner.d), (Vec3::new(-1.0, 2.0, 3.0), 3.0));
        assert!((corner.n - Vec3::new(-1.0, 2.0, 2.0) / 3.0).norm() < 1e-15);
    }

    #[test]
    fn within_the_solid_the_nearest_face_wins() {
        let closest_point = closest_point(Side::Outside, 0, [-0.25, 1.75, 0.0]);
        assert_eq!(
            (closest_point.p, closest_point.n, closest_point.d),
            (Vec3::new(-0.25, 2.0, 0.0), Vec3::y(), -0.25)
        );
    }

    #[test]
    fn inside_has_six_faces() {
        let d = [0, 1, 2, 3, 4, 5].map(|k| closest_point(Side::Inside, k, [0.5, 0.5, 4.0]).d);
        assert_eq!(d, [0.5, 1.5, 1.5, 2.5, -1.0, 7.0]);
        assert_eq!(closest_point(Side::Inside, 3, [0.0; 3]).n, Vec3::y());
    }
}
