//! The plane z = 0, with material below it.
//!
//! d = n·x, p = x − d n, n = +z: Corral et al. 2021, Eqs 9–12, in the plane's own frame, so that the
//! constant of Eq 10 is zero and the normal has length one (which Eqs 10–11 need and do not say).

use std::sync::Arc;

use carom_base::{Entry, Scalar, Vec3};

use crate::contact::Curvature;
use crate::mesh::Mesh;
use crate::shape::{Bounds, ClosestPoint, Project, ProjectFormula, Side, Surface};

/// A plane without end: through its frame's origin, normal +z, material below.
///
/// ```
/// use carom_geometry::{Project, Side, Vec3, surfaces::Plane};
/// let closest = Plane.closest_point(Side::Outside, 0, &Vec3::new(1.0, 2.0, 0.5)); // [m]
/// assert_eq!(closest.p, Vec3::new(1.0, 2.0, 0.0));
/// assert_eq!(closest.d, 0.5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plane;

/// The plane in the registry.
pub const ENTRY: Entry<Arc<dyn Surface>> = Entry {
    name: "plane",
    summary: "a plane through its frame's origin, normal +z, material below",
    params: &[],
    build: |_| Ok(Arc::new(Plane)),
};

impl Surface for Plane {
    fn kind(&self) -> &'static str {
        ENTRY.name
    }
    fn bounds(&self) -> Bounds {
        Bounds { centre: Vec3::zeros(), radius: f64::INFINITY }
    }
    fn as_project(&self) -> Option<&dyn Project> {
        Some(self)
    }
    fn mesh(&self, _n: usize, extent: f64) -> Mesh {
        if !(extent.is_finite() && extent > 0.0) {
            return Mesh::default();
        }
        let e = extent;
        Mesh {
            vertices: vec![[-e, -e, 0.0], [e, -e, 0.0], [e, e, 0.0], [-e, e, 0.0]],
            normals: vec![[0.0, 0.0, 1.0]; 4],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }
}

impl ProjectFormula for Plane {
    fn features(&self, _side: Side) -> &'static [&'static str] {
        &["plane"]
    }
    fn closest_point<S: Scalar>(&self, _side: Side, _feature: usize, x: &Vec3<S>) -> ClosestPoint<S> {
        ClosestPoint { p: Vec3::new(x.x, x.y, S::from_f64(0.0)), n: Vec3::z().map(S::from_f64), d: x.z }
    }
    fn curvature(&self, _side: Side, _feature: usize, _x: &Vec3) -> Curvature {
        Curvature { k1: 0.0, k2: 0.0, direction: Vec3::x() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_negative() {
        let closest_point = Project::closest_point(&Plane, Side::Outside, 0, &Vec3::new(3.0, -1.0, -0.25));
        assert_eq!(
            (closest_point.p, closest_point.n, closest_point.d),
            (Vec3::new(3.0, -1.0, 0.0), Vec3::z(), -0.25)
        );
    }

    #[test]
    fn is_drawn_as_a_square_facing_up() {
        let mesh = Plane.mesh(8, 2.0);
        assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (4, 2));
        assert!(mesh.normals.iter().all(|n| *n == [0.0, 0.0, 1.0]));
        assert!(Plane.mesh(8, f64::NAN).vertices.is_empty());
    }
}
