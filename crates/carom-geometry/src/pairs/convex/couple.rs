//! Two convex solids by their tangent planes, in the frame of A.
//!
//! With h the support functions s(n) = −h_A(n) − h_B(−n) is how far the tangent planes across n are apart, and the signed distance is the
//! largest s over all unit n, out of A into B: the Euclidean distance of solids that are apart, minus the least translation that parts
//! those that overlap.
//!
//! A solid whose smallest radius of curvature is r has a *core*: what is left when r is taken off all round. It is convex too, and
//! s = (distance of the cores) − r_A − r_B as long as the cores are apart. Distances of things apart are a convex problem, with one answer and
//! an upper bound (points of the cores) to every lower bound (s): so the distance is certain even where the solids overlap a little.

use carom_base::{Pose, Vec3};

use crate::shape::Support;

/// A and B, B's frame being at `x` in A's.
#[derive(Clone, Copy)]
pub(super) struct Couple<'s> {
    pub(super) a: &'s dyn Support,
    pub(super) b: &'s dyn Support,
    pub(super) x: Pose,
    /// r of the two cores [m]
    pub(super) coat: [f64; 2],
    /// both bounding balls together [m]
    pub(super) size: f64,
}

/// Where the tangent planes across n touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tips {
    pub(super) p: Vec3,
    pub(super) q: Vec3,
    /// s(n) [m]
    pub(super) s: f64,
}

impl<'s> Couple<'s> {
    pub(super) fn new(a: &'s dyn Support, b: &'s dyn Support, x_a: &Pose, x_b: &Pose) -> Couple<'s> {
        Couple {
            a,
            b,
            x: x_b.seen_from(x_a),
            coat: [a.least_radius(), b.least_radius()],
            size: a.bounds().radius + b.bounds().radius,
        }
    }

    /// The tips along a unit vector.
    pub(super) fn tips(&self, n: &Vec3) -> Tips {
        let p = self.a.support(n);
        let q = self.x.point(&self.b.support(&-self.x.direction_to_local(n)));
        Tips { p, q, s: n.dot(&(q - p)) }
    }

    /// The tips of the cores.
    pub(super) fn core_tips(&self, n: &Vec3) -> Tips {
        let Tips { p, q, s } = self.tips(n);
        let [r_a, r_b] = self.coat;
        Tips { p: p - n * r_a, q: q + n * r_b, s: s + r_a + r_b }
    }

    /// From p to where B is seen from, along n [m]: into A's core, or as much further as is needed to be clear of B. `s` is the signed distance.
    pub(super) fn lever(&self, s: f64) -> f64 {
        let clear = 0.01 * self.coat[0];
        if s + self.coat[0] > clear { -self.coat[0] } else { s - self.size }
    }

    /// A first guess of n: from centre to centre.
    pub(super) fn outward(&self) -> Vec3 {
        let centre = self.x.point(&self.b.bounds().centre) - self.a.bounds().centre;
        crate::closest_point::direction(&centre, Vec3::z).0
    }
}
