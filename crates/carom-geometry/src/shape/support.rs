//! Convex surfaces, known by their tangent planes.

use carom_base::Vec3;

use super::{ConvexCore, Surface};
use crate::contact::Curvature;

/// The capability of a convex solid: the point furthest along a direction.
///
/// With h(m) = max x·m its support function the furthest point is ∇h. Edges and corners are welcome; pieces that are flat or straight
/// have several furthest points for one direction, of which one is taken.
pub trait Support: Surface {
    /// The point furthest along `m`, a vector of any length but zero [m].
    fn support(&self, m: &Vec3) -> Vec3;
    /// The principal curvatures at the point `p` of the surface where its normal is `m`, a unit vector: zero along what is straight,
    /// infinite across what is sharp. At an edge or a corner every `m` between those of the adjoining pieces is a normal.
    fn curvature_at(&self, p: &Vec3, m: &Vec3) -> Curvature;
    /// The smallest radius of curvature [m], or less: a ball of that radius touches every point from within. Zero (the default) if there are edges.
    fn least_radius(&self) -> f64 {
        0.0
    }
    /// The largest radius of curvature [m], or more; infinite (the default) if anything is straight.
    fn largest_radius(&self) -> f64 {
        f64::INFINITY
    }
    /// Whether it has one furthest point in every direction: nothing on it is flat or straight.
    fn is_strict(&self) -> bool {
        true
    }
    /// The axis, a unit vector through the origin, that it is a solid of revolution about; `None` (the default): there is none.
    fn axis(&self) -> Option<Vec3> {
        None
    }
    /// Points spread over the solid [m], each of which has a contact point of its own where flat faces meet: corners, points of rims. The
    /// default: the furthest points along 26 directions, at most 16 of them.
    fn anchors(&self) -> Vec<Vec3> {
        crate::anchors::of_tips(|m| self.support(m))
    }
    /// The points [m] that the solid is the convex hull of, a capsule that of balls about them; `None` (the default): there is no finite number of them.
    fn corners(&self) -> Option<Vec<Vec3>> {
        None
    }
    /// The solid as a core with walls, and a coat around it. `rounded`: with edges of a small radius, which is the coat, all faces staying where they
    /// are; else sharp. `None` (the default): it is not known by walls.
    fn convex_core(&self, rounded: bool) -> Option<ConvexCore> {
        let _ = rounded;
        None
    }
}
