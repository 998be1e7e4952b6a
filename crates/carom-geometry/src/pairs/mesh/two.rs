//! The nearest points of two surfaces of triangles, whichever side of each other they are on.

use carom_base::{Pose, Vec3};

use super::segments::{self, Nearest};
use crate::surfaces::{Extent, TriangleMesh};

/// The nearest points of A and B, B's frame being at `x` in A's; at a distance of 0 where triangles cross. `known` are points at some distance, if that is not `None`.
/// Counts the pairs of triangles looked at.
pub(super) fn nearest(
    a: &TriangleMesh,
    b: &TriangleMesh,
    x: &Pose,
    known: Option<Nearest>,
    looks: &mut usize,
) -> Option<Nearest> {
    let mut found = known;
    let turns = x.r.abs();
    let bound = |of_a: &Extent, of_b: &Extent| {
        // each box as seen along the axes of the other
        let ((c_a, h_a), (c_b, h_b)) = (of_a.halves(), of_b.halves());
        let way = x.point(&c_b) - c_a;
        let off = |way: &Vec3, reach: Vec3| (way.abs() - reach).sup(&Vec3::zeros()).norm_squared();
        let in_a = off(&way, h_a + turns * h_b);
        let in_b = off(&x.direction_to_local(&way), h_b + turns.tr_mul(&h_a));
        in_a.max(in_b).sqrt()
    };
    let start = known.map_or(f64::INFINITY, |known| known.d);
    a.tree().least_between(b.tree(), start, bound, |f, g, best| {
        *looks += 1;
        let corners = g.corners.map(|v| x.point(&v));
        match segments::triangles(&f.corners, &f.normal, &corners, &x.direction(&g.normal), best) {
            Some(near) => {
                found = Some(near);
                near.d
            }
            None => best,
        }
    });
    found
}
