//! All triangles near a ball, a box or a plane, for those who integrate over a patch of contact.

use carom_base::Vec3;

use super::TriangleMesh;
use super::tree::Extent;
use crate::patch::Region;

impl TriangleMesh {
    /// Calls `visit` with the number of every triangle that has a point nearer to `centre` than `radius` [m]. Nothing is allocated.
    ///
    /// ```
    /// use carom_geometry::{Vec3, surfaces::TriangleMesh};
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]; // [m]
    /// let wedge = TriangleMesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let mut near = Vec::new();
    /// wedge.near_ball(&Vec3::new(0.2, 0.2, -0.1), 0.15, |triangle| near.push(triangle));
    /// assert_eq!(near, [0]);
    /// # Ok::<(), carom_geometry::surfaces::TriangleMeshError>(())
    /// ```
    pub fn near_ball(&self, centre: &Vec3, radius: f64, mut visit: impl FnMut(usize)) {
        let square = radius * radius;
        self.tree.within(
            |extent| extent.square(centre) < square,
            |facet| {
                if facet.nearest(centre, square).is_some() {
                    visit(facet.number as usize);
                }
            },
        );
    }

    /// Calls `visit` with the number of every triangle that is nearer to the box than `distance` [m], and of some whose own box is, but not they. Nothing is allocated.
    pub fn near_box(&self, region: &Region, distance: f64, mut visit: impl FnMut(usize)) {
        let region = Extent { min: *region.min(), max: *region.max() };
        let near = |extent: &Extent| extent.square_to(&region) <= distance * distance;
        self.tree.within(near, |facet| {
            if near(&Extent::of(&facet.corners)) {
                visit(facet.number as usize);
            }
        });
    }

    /// Calls `visit` with corners and normal of every triangle that can have a point in all of these half spaces n·x ≤ h, and of some that have none. Nothing is allocated.
    pub(crate) fn near_cells(&self, faces: &[(Vec3, f64)], mut visit: impl FnMut(&[Vec3; 3], &Vec3)) {
        let below = |corners: &[Vec3; 3]| faces.iter().all(|(n, h)| corners.iter().any(|x| n.dot(x) < *h));
        self.tree.within(
            |extent| faces.iter().all(|(n, h)| extent.least_along(n) < *h),
            |facet| {
                if below(&facet.corners) {
                    visit(&facet.corners, &facet.normal);
                }
            },
        );
    }

    /// Calls `visit` with corners and normal of every triangle that can have a point in a solid, by the depth of points in that [m]: it must not change by more than the way a point
    /// goes, and be negative outside. Nothing is allocated.
    pub(crate) fn near_solid(&self, depth: impl Fn(&Vec3) -> f64, mut visit: impl FnMut(&[Vec3; 3], &Vec3)) {
        let near = |extent: &Extent| {
            let half = (extent.max - extent.min) * 0.5;
            depth(&(extent.min + half)) > -half.norm()
        };
        self.tree.within(near, |facet| visit(&facet.corners, &facet.normal));
    }

    /// Calls `visit` with the number of every triangle that has a point below the plane n·x = `offset` + `distance` [m], n being a unit vector: near the plane
    /// n·x = `offset` or behind it. Nothing is allocated.
    pub fn near_plane(&self, n: &Vec3, offset: f64, distance: f64, mut visit: impl FnMut(usize)) {
        let height = offset + distance;
        self.tree.within(
            |extent| extent.least_along(n) < height,
            |facet| {
                if facet.corners.iter().any(|x| n.dot(x) < height) {
                    visit(facet.number as usize);
                }
            },
        );
    }
}
